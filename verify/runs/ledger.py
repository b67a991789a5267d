"""The results of a long run, and its ledger: one SQLite table of finished units.

A row holds the payload of a unit, its result and a checksum of both. What is not in the
table is not finished, so a run that died anywhere continues with the units that are
missing. A row that was lost costs the time of its unit; a row that was changed is
noticed, as its checksum covers the key of the run, the payload and the result.

The journal is SQLite's rollback journal, not WAL: there is one writer and no reader,
and an idle ledger is a single file, which can be copied. The connection holds an
exclusive lock from open to close. The system releases it when the process dies.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from solver.errors import RunError
from solver.files import make_folder

APPLICATION = 0x4F4E4557  # "ONEW"
TABLE = """CREATE TABLE finished (
    unit TEXT PRIMARY KEY,
    result TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT"""
_KEY = ""  # the unit of the row whose result is the key of the run
_DISK = "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"
_MOST = 1 << 28  # bytes of a value: more is not ours


def _damaged(file: Path, what: object) -> RunError:
    return RunError(f"{file} is damaged: {what}; remove it to start the run again")


@contextmanager
def _reporting(file: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith("SQLITE_BUSY"):
            raise RunError(f"{file}: another process is at work on it") from None
        if name.startswith(_DISK):
            why = f"cannot be written: {error}; what was written before is kept"
            raise RunError(f"{file} {why}") from None
        raise _damaged(file, error) from None
    except UnicodeDecodeError:
        raise _damaged(file, "text that is not UTF-8") from None


class Ledger:
    """The results of a run by payload: in memory, and in a file once it is open."""

    def __init__(self, file: Path, key: str) -> None:
        self.file, self._key = file, key
        self.results: dict[str, str] = {}
        self._new: dict[str, str] = {}  # not in the file yet
        self._db: sqlite3.Connection | None = None
        self.is_open = False

    def open(self) -> None:
        """Open the file, make it if it is not there, and take over what it holds.

        Takes the lock and checks every row: about 2 s a million.

        Raises `RunError` if another process holds it, it is the ledger of another
        run, it is damaged, or it cannot be written.
        """
        make_folder(self.file.parent)
        with _reporting(self.file):
            db = sqlite3.connect(self.file, isolation_level=None, timeout=0)
        try:
            with _reporting(self.file):
                there = self._read(db)
        except BaseException:
            db.close()
            raise
        self._db, self.is_open = db, True
        for payload in there:
            self._new.pop(payload, None)
        self.results |= there

    def _read(self, db: sqlite3.Connection) -> dict[str, str]:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST)
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        schema = db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        tables = [sql for (sql,) in schema]
        if not tables:
            db.execute(TABLE)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._insert(db, {_KEY: self._key})
            db.execute("COMMIT")
            return {}
        number = db.execute("PRAGMA application_id").fetchone()[0]
        if number != APPLICATION or tables != [TABLE]:
            raise RunError(f"{self.file} is not a ledger of this program")
        verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise _damaged(self.file, str(verdict).splitlines()[-1])
        rows = [*db.execute("SELECT unit, result, checksum FROM finished NOT INDEXED")]
        db.execute("COMMIT")
        there = {unit: result for unit, result, _ in rows}
        if there.pop(_KEY, "") != self._key:
            raise RunError(
                f"{self.file} is the ledger of another run, or of another version of "
                "the program or of the rules; remove it to start the run again"
            )
        if any(self._checksum(*row[:2]) != row[2] for row in rows):
            raise _damaged(self.file, "a row is not the one that was written")
        return there

    def _checksum(self, unit: str, result: str) -> bytes:
        text = f"{self._key}\n{len(unit)}\n{unit}\n{result}"
        return blake2b(text.encode(), digest_size=16).digest()

    def _insert(self, db: sqlite3.Connection, rows: dict[str, str]) -> None:
        some = [(unit, text, self._checksum(unit, text)) for unit, text in rows.items()]
        db.executemany("INSERT INTO finished VALUES (?, ?, ?)", some)

    def add(self, payload: str, result: str) -> None:
        """Keep a result, in memory until `write`."""
        self.results[payload] = self._new[payload] = result

    def write(self) -> None:
        """Write what the file lacks, all of it or nothing, if the file is open."""
        if self._db is None or not self._new:
            return
        with _reporting(self.file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._insert(self._db, self._new)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled back already
                    self._db.execute("ROLLBACK")
                raise
        self._new = {}

    def close(self) -> None:
        """Close the file; nothing is written."""
        if self._db is not None:
            self._db.close()
        self._db, self.is_open = None, False
