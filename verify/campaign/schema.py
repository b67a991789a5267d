"""The tables of a ledger, how a file is known for one, and its faults in words.

`docs/campaigns.md` explains the tables. Every row that an answer is made of carries
the CRC-32 of its content, because SQLite does not notice flipped bytes in a row.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from verify.campaign.campaign import CampaignError

APPLICATION = 0x4F4E4557  # "ONEW"
VERSION = 1
OPEN, DONE, FAILED = 0, 1, 2

SCHEMA = """
CREATE TABLE campaign (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE unit (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    weight REAL NOT NULL CHECK (weight > 0),
    state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
    sum INTEGER NOT NULL
) STRICT;
CREATE INDEX open_unit ON unit (place, weight) WHERE state = 0;
CREATE INDEX failed_unit ON unit (place) WHERE state = 2;
CREATE TABLE result (
    place INTEGER PRIMARY KEY REFERENCES unit (place),
    value ANY NOT NULL CHECK (typeof(value) IN ('text', 'blob')),
    last INTEGER NOT NULL CHECK (last IN (0, 1)),
    sum INTEGER NOT NULL
) STRICT;
CREATE INDEX last_result ON result (place) WHERE last = 1;
CREATE TABLE found (
    place INTEGER NOT NULL REFERENCES result (place),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (place, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE worker (
    id INTEGER PRIMARY KEY,
    told TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE effort (
    place INTEGER PRIMARY KEY REFERENCES unit (place),
    seconds REAL NOT NULL,
    worker INTEGER NOT NULL REFERENCES worker (id)
) STRICT;
CREATE TABLE failure (
    place INTEGER NOT NULL REFERENCES unit (place),
    number INTEGER NOT NULL,
    error TEXT NOT NULL,
    worker INTEGER REFERENCES worker (id),
    PRIMARY KEY (place, number)
) STRICT, WITHOUT ROWID;
"""


class LedgerError(CampaignError):
    """A ledger that cannot be used or written; knows the file."""

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file, self.why = file, why


def checksum(*parts: str | bytes | float | None) -> int:
    """Return the CRC-32 of parts, of their text in Python."""
    return crc32(repr(parts).encode())


@contextmanager
def faults_told(file: Path) -> Iterator[None]:
    """Turn what SQLite raises into one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")):
            raise LedgerError(
                file, f"cannot be written: {error}; what was written before is kept"
            ) from None
        if name.startswith("SQLITE_CANTOPEN"):
            raise LedgerError(file, f"cannot be opened: {error}") from None
        if name.startswith("SQLITE_BUSY"):
            raise LedgerError(file, "another program holds it") from None
        raise LedgerError(file, f"is damaged: {error}") from None
    except UnicodeDecodeError:
        raise LedgerError(file, "is damaged: text that is no UTF-8") from None


def connect(file: Path, *, write: bool) -> sqlite3.Connection:
    """Open a file that must be a ledger of our version; nothing is written before.

    Raises
    ------
    LedgerError
        If it is none.
    """
    if not file.is_file():
        raise LedgerError(file, "there is no such ledger")
    mode = "rw" if write else "ro"
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    with faults_told(file):
        db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
    try:
        with faults_told(file):
            application, version = (
                db.execute(f"PRAGMA {pragma}").fetchone()[0]
                for pragma in ("application_id", "user_version")
            )
        if application != APPLICATION:
            raise LedgerError(file, "is no ledger of a campaign")
        if version != VERSION:
            raise LedgerError(
                file, f"is a ledger of format {version}; this program reads {VERSION}"
            )
    except LedgerError:
        db.close()
        raise
    return db
