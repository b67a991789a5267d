"""The tables of a ledger, the digest of its rows, and its faults in words.

`docs/campaigns.md` explains the tables. SQLite notices a file cut short, but not a
flipped bit in a row. So a ledger has a digest of all its rows, which is kept up to date
with every one written, and is compared with the rows before any of them is believed.

A new ledger is written aside with all its units, then put in its place. It has one
writer: a lock that the system takes back when its holder dies.
"""

import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from solver.system import lock, remove_locked
from verify.campaign.campaign import Campaign, CampaignError, plain

APPLICATION = 0x4F4E4557  # "ONEW"
VERSION = 2
OPEN, DONE, FAILED = 0, 1, 2
TRIES = 3  # failures that set a unit aside

SCHEMA = """
CREATE TABLE campaign (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE digest (
    id INTEGER PRIMARY KEY CHECK (id = 0),
    total BLOB NOT NULL
) STRICT;
CREATE TABLE unit (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    weight REAL NOT NULL CHECK (weight > 0),
    state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2))
) STRICT;
CREATE INDEX open_unit ON unit (place, weight) WHERE state = 0;
CREATE INDEX failed_unit ON unit (place) WHERE state = 2;
CREATE TABLE result (
    place INTEGER PRIMARY KEY REFERENCES unit (place),
    value ANY NOT NULL CHECK (typeof(value) IN ('text', 'blob')),
    last INTEGER NOT NULL CHECK (last IN (0, 1))
) STRICT;
CREATE TABLE found (
    place INTEGER NOT NULL REFERENCES result (place),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
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


# What the digest is of. The state of a unit follows from its result and failures.
ROWS = {
    "campaign": ("key", "value"),
    "unit": ("place", "name", "payload", "weight"),
    "result": ("place", "value", "last"),
    "found": ("place", "number", "text"),
    "worker": ("id", "told"),
    "effort": ("place", "seconds", "worker"),
    "failure": ("place", "number", "error", "worker"),
}
_STATES_WRONG = f"""
SELECT count(*) FROM unit LEFT JOIN result USING (place)
LEFT JOIN (SELECT place, count(*) AS tries FROM failure GROUP BY place) USING (place)
WHERE state != CASE WHEN value IS NOT NULL THEN {DONE}
    WHEN tries >= {TRIES} THEN {FAILED} ELSE {OPEN} END
"""


def row_digest(table: str, row: Sequence[str | bytes | float | None]) -> int:
    """Return the digest of a row; digests of rows add up to that of a ledger."""
    text = repr((table, *row)).encode()
    return int.from_bytes(blake2b(text, digest_size=16).digest())


def as_bytes(total: int) -> bytes:
    """Return a sum of digests as it is kept: modulo 2^128."""
    return (total % (1 << 128)).to_bytes(16)


def fault(db: sqlite3.Connection) -> str:
    """Read a whole ledger, and return what is wrong with it, or nothing.

    The tables are as we make them, SQLite finds trees and indexes sound, all rows
    together have the digest that is kept, and units are in the state that results and
    failures say. About 6 s a million units.
    """
    made = [one.strip() for one in SCHEMA.split(";") if one.strip()]
    there = db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    if sorted(map(repr, there)) != sorted(repr((one,)) for one in made):
        return "its tables are not those of a ledger"
    said = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if said != "ok":
        return str(said).splitlines()[-1]
    total = sum(
        row_digest(table, row)
        for table, columns in ROWS.items()
        for row in db.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED")
    )
    kept = db.execute("SELECT total FROM digest").fetchall()
    if kept != [(as_bytes(total),)]:
        return "its rows are not those that were written"
    if wrong := db.execute(_STATES_WRONG).fetchone()[0]:
        return f"the state of {wrong} units is wrong"
    return ""


def is_ledger(file: Path) -> bool:
    """Return whether the first bytes of a file are those of a ledger, sound or not."""
    with file.open("rb") as stream:
        head = stream.read(72)
    return head[:16] == b"SQLite format 3\0" and head[68:] == APPLICATION.to_bytes(4)


@contextmanager
def reporting_faults(file: Path) -> Iterator[None]:
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

    In a folder that cannot be written SQLite is to take it that nobody writes, else it
    would make files beside; but not if there is a log, by which somebody may be
    writing.

    Raises `LedgerError` if it is none.
    """
    if not file.is_file():
        raise LedgerError(file, "there is no such ledger")
    mode = "mode=rw" if write else "mode=ro"
    if not write and not os.access(file.parent, os.W_OK):
        log = file.with_name(file.name + "-wal")
        if not (log.exists() and log.stat().st_size):
            mode += "&immutable=1"
    with reporting_faults(file):
        uri = f"{file.resolve().as_uri()}?{mode}"
        db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
    try:
        with reporting_faults(file):
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


MOST = 2_000_000  # units; the ledger of a million has 64 MB


def program() -> str:
    """Return the versions that make results, for people."""
    from importlib.metadata import PackageNotFoundError, version

    versions = [f"python {platform.python_version()}"]
    for name in ("oneway", "numba", "numpy", "python-sat", "ortools"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return ", ".join(versions)


def create(
    file: Path, campaign: Campaign[Any], *, maker: str = "", command: str = ""
) -> None:
    """Write a new ledger with all units open: aside, then renamed over what is there.

    The caller holds the lock. About 10 s a million units.

    Raises `LedgerError` if it cannot be written; `CampaignError` if a payload is no
    JSON value, a weight not above 0, or there are more than 2,000,000 units.
    """
    with _written_aside(file) as db:
        _fill(db, campaign, maker, command)


def in_memory(
    campaign: Campaign[Any], *, maker: str = "", command: str = ""
) -> sqlite3.Connection:
    """Return a new ledger in memory, with all units open.

    Raises `CampaignError` as `create` does.
    """
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _fill(db, campaign, maker, command)
    except BaseException:
        db.close()
        raise
    return db


def copy(db: sqlite3.Connection, file: Path) -> None:
    """Write a ledger from memory to a file that is not there; the lock is held.

    Raises `LedgerError` if it cannot be written.
    """
    with _written_aside(file) as aside:
        db.backup(aside)
        aside.execute("PRAGMA journal_mode = WAL")


@contextmanager
def _written_aside(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a file next to a ledger, which takes its place at the end."""
    for old in file.parent.glob(f".{file.name}.part*"):
        old.unlink(missing_ok=True)
    aside = file.with_name(f".{file.name}.part")
    try:
        with reporting_faults(file):
            db = sqlite3.connect(aside, isolation_level=None)
            try:
                yield db
            finally:
                db.close()
        for ending in ("-wal", "-shm"):  # of an old one, which would be read as ours
            file.with_name(file.name + ending).unlink(missing_ok=True)
        aside.replace(file)
    except OSError as error:
        raise LedgerError(file, f"cannot be written: {error.strerror}") from None
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            aside.with_name(aside.name + ending).unlink(missing_ok=True)


def _fill(
    db: sqlite3.Connection, campaign: Campaign[Any], maker: str, command: str
) -> None:
    if len(list(islice(campaign.units(), MOST, MOST + 1))):
        raise CampaignError(f"more than {MOST:,} units; ask for less")
    total, units, digest = 0.0, 0, 0

    def rows() -> Iterator[tuple[int, str, str, float]]:
        nonlocal total, units, digest
        for place, unit in enumerate(campaign.units()):
            if not 0 < unit.weight < float("inf"):
                raise CampaignError(f"unit {unit.name}: weight {unit.weight}")
            payload, weight = plain(unit.payload), float(unit.weight)
            total, units = total + weight, place + 1
            row = place, unit.name, payload, weight
            digest += row_digest("unit", row)
            yield row

    db.execute("PRAGMA synchronous = OFF")  # it is renamed into place when complete
    db.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, SCHEMA.split(";")):
        db.execute(statement)
    db.executemany(
        "INSERT INTO unit (place, name, payload, weight) VALUES (?, ?, ?, ?)", rows()
    )
    facts = {
        "name": campaign.name,
        "parameters": plain(campaign.parameters),
        "deciding": campaign.deciding,
        "maker": maker,
        "units": str(units),
        "weight": repr(total),
        "command": command,
        "program": program(),
    }
    db.executemany("INSERT INTO campaign VALUES (?, ?)", facts.items())
    digest += sum(row_digest("campaign", fact) for fact in facts.items())
    db.execute("INSERT INTO digest VALUES (0, ?)", (as_bytes(digest),))
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    # Now, since a kill in the middle of this would leave a file for no reader's eyes.
    db.execute("PRAGMA journal_mode = WAL")


_LOOK = 0.05  # seconds between two tries


@contextmanager
def held(file: Path, *, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock of a file: ``NAME.lock`` beside it, removed at the end.

    Raises `LedgerError` if another process holds it for longer than `patience` seconds,
    or it cannot be made.
    """
    beside = file.with_name(file.name + ".lock")
    until = monotonic() + patience
    try:
        while True:
            try:
                number = _taken(beside)
                break
            except BlockingIOError:
                if monotonic() >= until:
                    raise
                sleep(_LOOK)
    except BlockingIOError:
        who = beside.read_text(errors="replace").strip()
        raise LedgerError(
            file, f"process {who or 'unknown'} is at work on it"
        ) from None
    except OSError as error:
        raise LedgerError(file, f"cannot be locked: {error.strerror}") from None
    try:
        yield
    finally:
        remove_locked(number, beside)


def _taken(beside: Path) -> int:
    while True:
        number = os.open(beside, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            lock(number)
            if _is_file(number, beside):
                os.ftruncate(number, 0)
                os.write(number, f"{os.getpid()}\n".encode())
                return number
        except BaseException:
            os.close(number)
            raise
        os.close(number)  # its holder removed it just then


def _is_file(number: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(number), there)
