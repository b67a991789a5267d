"""The ledger: one SQLite file that remembers what was done of a campaign.

Only one process writes, under the lock of `verify.campaign.schema`; any may read
meanwhile. A unit is open, done or failed; that it was handed out is not written down,
so a unit that was at work when the machine died is simply open still.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.campaign.campaign import (
    Campaign,
    Counts,
    Failure,
    Report,
    Row,
    Spec,
    Task,
    plain,
)
from verify.campaign.schema import (
    DONE,
    FAILED,
    OPEN,
    ROWS,
    TRIES,
    LedgerError,
    as_bytes,
    connect,
    copy,
    fault,
    reporting_faults,
    row_digest,
)

_CHUNK = 1000  # rows read at once
_EVERY = 1 << 62  # a place after every place


def _for_writing(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")


class Ledger:
    """An open ledger; a context manager.

    - `write`: to write, hold the lock first.
    - `check`: read it as a whole first, see `verify`. Without it only `spec` may be
      asked, and not be believed.
    - `memory`: a ledger in memory, which `keep` writes to the file.

    Whoever reads sees the ledger as it was when it was opened.
    """

    def __init__(
        self,
        file: Path,
        *,
        write: bool = False,
        check: bool = True,
        memory: sqlite3.Connection | None = None,
    ) -> None:
        self.file = file
        self._db = memory or connect(file, write=write)
        self._workers: dict[str, int] = {}
        try:
            with reporting_faults(file):
                if write:
                    _for_writing(self._db)
                else:
                    self._db.execute("BEGIN")
            if check:
                self.verify()
            with reporting_faults(file):
                self.spec = self._read_spec()
        except BaseException:
            self._db.close()
            raise

    def keep(self) -> None:
        """Write a ledger that is in memory to its file, and use the file from now on.

        The lock is held, and there is no such file.

        Raises `LedgerError` if it cannot be written; the ledger stays in memory.
        """
        with reporting_faults(self.file):
            copy(self._db, self.file)
            there = connect(self.file, write=True)
            _for_writing(there)
            self._db.close()
            self._db = there

    def verify(self) -> None:
        """Read all of it, and raise unless every row is what was written.

        Raises `LedgerError` if it is damaged.
        """
        with reporting_faults(self.file):
            if why := fault(self._db):
                raise self._damaged(why)
            kept = self._db.execute("SELECT total FROM digest").fetchone()[0]
            last = self._db.execute("SELECT min(place) FROM result WHERE last = 1")
            self._last = last.fetchone()[0]
        self._digest = int.from_bytes(kept)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        with reporting_faults(self.file):
            self._db.close()

    def _damaged(self, what: str) -> LedgerError:
        return LedgerError(self.file, f"is damaged: {what}")

    def _read_spec(self) -> Spec:
        facts = dict(self._db.execute("SELECT key, value FROM campaign").fetchall())
        try:
            parameters = json.loads(facts["parameters"])
            spec = Spec(
                **{
                    key: facts[key]
                    for key in ("name", "deciding", "maker", "command", "program")
                },
                parameters=parameters,
                units=int(facts["units"]),
                weight=float(facts["weight"]),
            )
        except (KeyError, ValueError) as error:
            raise self._damaged(f"its description lacks {error}") from None
        if not isinstance(parameters, dict):
            raise self._damaged("its parameters are no table")
        return spec

    def differs(self, campaign: Campaign[Any]) -> str:
        """Say in a line what keeps this from being a campaign's ledger, or nothing."""
        spec = self.spec
        if spec.name != campaign.name:
            return f"it is of {spec.name}, not of {campaign.name}"
        for key in sorted({*spec.parameters, *campaign.parameters}):
            there, here = spec.parameters.get(key), campaign.parameters.get(key)
            if plain(there) != plain(here):
                return f"{key} is {plain(there)} there and {plain(here)} here"
        if spec.deciding != campaign.deciding:
            return "it was made by another version of the program or of the rules"
        return ""

    def last(self) -> int:
        """Return the place of the last unit that counts; the largest of all if none."""
        return _EVERY if self._last is None else int(self._last)

    def counts(self) -> Counts:
        """Count units by state, from indexes: a tenth of a second a million."""
        last = self.last()
        with reporting_faults(self.file):
            left, weight = self._db.execute(
                "SELECT count(*), total(weight) FROM unit "
                "WHERE state = 0 AND place < ?",
                (last,),
            ).fetchone()
            failed = self._db.execute(
                "SELECT count(*) FROM unit WHERE state = 2 AND place < ?", (last,)
            ).fetchone()[0]
            units, total = self.spec.units, self.spec.weight
            if last < _EVERY:
                units = last + 1
                total = self._db.execute(
                    "SELECT total(weight) FROM unit WHERE place <= ?", (last,)
                ).fetchone()[0]
        return Counts(units, left, failed, total, weight)

    def open_tasks(self) -> Iterator[Task]:
        """Yield the open units in their order, a thousand read at once.

        Those after the last that counts are left out.
        """
        place = -1
        while True:
            with reporting_faults(self.file):
                rows = self._db.execute(
                    "SELECT place, payload, weight FROM unit "
                    "WHERE state = 0 AND place > ? AND place < ? "
                    "ORDER BY place LIMIT ?",
                    (place, self.last(), _CHUNK),
                ).fetchall()
            if not rows:
                return
            for place, payload, weight in rows:
                yield Task(place, payload, weight)

    def units(self) -> Iterator[tuple[str, str]]:
        """Yield name and payload of every unit, in order."""
        with reporting_faults(self.file):
            yield from self._db.execute("SELECT name, payload FROM unit ORDER BY place")

    def record(self, reports: Sequence[Report]) -> None:
        """Write what came of tasks, all of it or nothing.

        Raises `LedgerError` if it cannot be written, or a unit has another result
        already: then what makes results is not pure.
        """
        with self._transaction():
            for report in reports:
                if report.error is None:
                    self._record_result(report)
                else:
                    self._record_failure(report)

    def _put(self, table: str, *row: Any) -> None:
        marks = ", ".join("?" * len(row))
        columns = ", ".join(ROWS[table])
        self._db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)
        self._digest += row_digest(table, row)

    def _cases(self, place: int) -> tuple[str, ...]:
        rows = self._db.execute(
            "SELECT text FROM found WHERE place = ? ORDER BY number", (place,)
        )
        return tuple(text for (text,) in rows)

    def _record_result(self, report: Report) -> None:
        place = report.place
        before = self._db.execute(
            "SELECT value FROM result WHERE place = ?", (place,)
        ).fetchone()
        if before is not None:
            if (before[0], self._cases(place)) != (report.value, report.cases):
                raise LedgerError(self.file, f"unit {place} has given two results")
            return
        self._put("result", place, report.value, int(report.last))
        for number, text in enumerate(report.cases):
            self._put("found", place, number, text)
        self._put("effort", place, report.seconds, self._worker(report.worker))
        self._db.execute("UPDATE unit SET state = ? WHERE place = ?", (DONE, place))
        if report.last:
            self._last = min(self.last(), place)

    def _record_failure(self, report: Report) -> None:
        place, tries = report.place, self.tries(report.place) + 1
        worker = self._worker(report.worker)
        self._put("failure", place, tries, report.error, worker)
        if tries >= TRIES:
            self._db.execute(
                "UPDATE unit SET state = ? WHERE place = ? AND state = ?",
                (FAILED, place, OPEN),
            )

    def _worker(self, told: str) -> int:
        if told not in self._workers:
            row = self._db.execute(
                "SELECT id, told = ? FROM worker ORDER BY told = ? DESC, id DESC",
                (told, told),
            ).fetchone()
            known = row is not None and row[1]
            number = row[0] if known else 1 + (row[0] if row else 0)
            if not known:
                self._put("worker", number, told)
            self._workers[told] = number
        return self._workers[told]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        before = self._digest, self._last
        with reporting_faults(self.file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                total = as_bytes(self._digest)
                self._db.execute("UPDATE digest SET total = ?", (total,))
                self._db.execute("COMMIT")
            except BaseException:
                self._digest, self._last = before
                self._workers.clear()  # ids given in it are gone with it
                if self._db.in_transaction:  # a full disk has rolled back already
                    self._db.execute("ROLLBACK")
                raise

    def tries(self, place: int) -> int:
        """Return how often a unit has failed."""
        with reporting_faults(self.file):
            row = self._db.execute(
                "SELECT count(*) FROM failure WHERE place = ?", (place,)
            ).fetchone()
        return int(row[0])

    def failures(self) -> list[Failure]:
        """Return the units set aside, in their order."""
        with reporting_faults(self.file):
            rows = self._db.execute(
                "SELECT unit.place, unit.name, error FROM unit JOIN failure "
                "ON failure.place = unit.place AND number = (SELECT max(number) "
                "FROM failure AS later WHERE later.place = unit.place) "
                "WHERE state = 2 ORDER BY unit.place"
            ).fetchall()
        return [Failure(*row) for row in rows]

    def end_at(self, place: int) -> None:
        """Write down that the unit at this place, which is done, is the last one."""
        with self._transaction():
            row = self._db.execute(
                "SELECT place, value, last FROM result WHERE place = ?", (place,)
            ).fetchone()
            self._db.execute("UPDATE result SET last = 1 WHERE place = ?", (place,))
            self._digest += row_digest("result", (*row[:2], 1))
            self._digest -= row_digest("result", row)
            self._last = min(self.last(), place)

    def retry(self) -> int:
        """Open the units again that were set aside; return how many."""
        columns = ", ".join(ROWS["failure"])
        aside = "WHERE place IN (SELECT place FROM unit WHERE state = 2)"
        with self._transaction():
            for row in self._db.execute(f"SELECT {columns} FROM failure {aside}"):
                self._digest -= row_digest("failure", row)
            self._db.execute(f"DELETE FROM failure {aside}")
            changed = self._db.execute("UPDATE unit SET state = 0 WHERE state = 2")
            return changed.rowcount

    def results(self, expected: int | None = None) -> Iterator[Any]:
        """Yield the results there are, in the order of their units.

        A million small ones take three seconds; memory does not grow.

        Raises `LedgerError` if there are not as many as expected.
        """
        there = 0
        for _, result in self.placed():
            there += 1
            yield result
        if expected is not None and there != expected:
            raise self._damaged(f"{there} results are there for {expected} units")

    def placed(self) -> Iterator[tuple[int, Any]]:
        """Yield the results there are with the places of their units."""
        with reporting_faults(self.file):
            rows = self._db.execute(
                "SELECT place, value FROM result WHERE place <= ? ORDER BY place",
                (self.last(),),
            )
            for place, value in rows:
                yield place, json.loads(value) if isinstance(value, str) else value

    def results_there(self) -> int:
        """Return how many results there are, those too that do not count."""
        with reporting_faults(self.file):
            return int(self._db.execute("SELECT count(*) FROM result").fetchone()[0])

    def found_there(self) -> int:
        """Return how many cases were met."""
        with reporting_faults(self.file):
            return int(self._db.execute("SELECT count(*) FROM found").fetchone()[0])

    def found(self) -> Iterator[str]:
        """Yield the cases met, in the order of their units."""
        with reporting_faults(self.file):
            rows = self._db.execute(
                "SELECT text FROM found WHERE place <= ? ORDER BY place, number",
                (self.last(),),
            )
            for (text,) in rows:
                yield text

    def rows(self) -> Iterator[Row]:
        """Yield every unit that counts, in order: the same whoever executed it."""
        words = {OPEN: "open", DONE: "done", FAILED: "failed"}
        with reporting_faults(self.file):
            rows = self._db.execute(
                "SELECT unit.place, name, payload, state, value FROM unit "
                "LEFT JOIN result ON result.place = unit.place "
                "WHERE unit.place <= ? ORDER BY unit.place",
                (self.last(),),
            )
            for place, name, payload, state, value in rows:
                text = value.hex() if isinstance(value, bytes) else value or ""
                yield Row(place, name, payload, words[state], text)

    def spent(self) -> tuple[float, int]:
        """Return the seconds of all units that were done, and how many worked."""
        with reporting_faults(self.file):
            row = self._db.execute(
                "SELECT total(seconds), count(DISTINCT worker) FROM effort"
            ).fetchone()
        return float(row[0]), int(row[1])

    def efforts(self) -> Iterator[tuple[str, float]]:
        """Yield the name and the seconds of each unit that was done."""
        with reporting_faults(self.file):
            yield from self._db.execute(
                "SELECT name, seconds FROM unit JOIN effort USING (place)"
            )

    def reports(self) -> Iterator[Report]:
        """Yield what came of every unit that is done, for another ledger."""
        with reporting_faults(self.file):
            rows = self._db.execute(
                "SELECT result.place, value, last, seconds, told FROM result "
                "LEFT JOIN effort ON effort.place = result.place "
                "LEFT JOIN worker ON worker.id = worker ORDER BY result.place"
            )
            for place, value, last, seconds, told in rows:
                worker, spent = told or "unknown", seconds or 0.0
                yield Report(
                    place, worker, spent, value, self._cases(place), bool(last)
                )
