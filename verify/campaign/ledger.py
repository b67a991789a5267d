"""The ledger: one SQLite file that remembers what was done of a campaign.

Only one process writes, under `verify.campaign.lock`; any may read meanwhile. A unit
is open, done or failed; that it was handed out is not written down, so a unit that
was at work when the machine died is simply open still.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.campaign.campaign import Campaign, plain
from verify.campaign.records import Counts, Failure, Report, Row, Spec, Task
from verify.campaign.schema import (
    DONE,
    FAILED,
    OPEN,
    LedgerError,
    checksum,
    connect,
    faults_told,
)

TRIES = 3  # failures that set a unit aside
_CHUNK = 1000  # rows read at once
_EVERY = 1 << 62  # a place after every place


class Ledger:
    """An open ledger; a context manager.

    Parameters
    ----------
    file : Path
    write : bool
        To write, hold the lock first. SQLite's own check of the whole file is made
        then (a second a million units).
    """

    def __init__(self, file: Path, *, write: bool = False) -> None:
        self.file = file
        self._db = connect(file, write=write)
        try:
            with faults_told(file):
                if write:
                    self._check_file()
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
                self.spec = self._read_spec()
        except BaseException:
            self._db.close()
            raise
        self._workers: dict[str, int] = {}

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        with faults_told(self.file):
            self._db.close()

    def _damaged(self, what: str) -> LedgerError:
        return LedgerError(self.file, f"is damaged: {what}")

    def _check_file(self) -> None:
        told = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if told != "ok":
            raise self._damaged(str(told).splitlines()[-1])

    def _read_spec(self) -> Spec:
        rows = self._db.execute("SELECT key, value, sum FROM campaign").fetchall()
        facts = {}
        for key, value, kept in rows:
            if checksum(key, value) != kept:
                raise self._damaged(f"its {key} was changed")
            facts[key] = value
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
        with faults_told(self.file):
            row = self._db.execute(
                "SELECT min(place) FROM result WHERE last = 1"
            ).fetchone()
        return _EVERY if row[0] is None else int(row[0])

    def counts(self) -> Counts:
        """Count units by state, from indexes: a tenth of a second a million."""
        last = self.last()
        with faults_told(self.file):
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

        Raises
        ------
        LedgerError
            If one was changed.
        """
        place = -1
        while True:
            with faults_told(self.file):
                rows = self._db.execute(
                    "SELECT place, name, payload, weight, sum FROM unit "
                    "WHERE state = 0 AND place > ? AND place < ? "
                    "ORDER BY place LIMIT ?",
                    (place, self.last(), _CHUNK),
                ).fetchall()
            if not rows:
                return
            for place, name, payload, weight, kept in rows:
                if checksum(place, name, payload, weight) != kept:
                    raise self._damaged(f"unit {place} was changed")
                yield Task(place, payload, weight)

    def units(self) -> Iterator[tuple[str, str]]:
        """Yield name and payload of every unit, in order."""
        with faults_told(self.file):
            yield from self._db.execute("SELECT name, payload FROM unit ORDER BY place")

    def record(self, reports: Sequence[Report]) -> None:
        """Write what came of tasks, all of it or nothing.

        Raises
        ------
        LedgerError
            If it cannot be written, or a unit has another result already: then what
            makes results is not pure.
        """
        with self._transaction():
            for report in reports:
                if report.error is None:
                    self._record_result(report)
                else:
                    self._record_failure(report)

    def _record_result(self, report: Report) -> None:
        db, place = self._db, report.place
        before = db.execute(
            "SELECT value FROM result WHERE place = ?", (place,)
        ).fetchone()
        if before is not None:
            if before[0] != report.value:
                raise LedgerError(self.file, f"unit {place} has given two results")
            db.execute("UPDATE unit SET state = ? WHERE place = ?", (DONE, place))
            return
        last, value = int(report.last), report.value
        total = checksum(place, last, value)
        db.execute(
            "INSERT INTO result VALUES (?, ?, ?, ?)", (place, value, last, total)
        )
        for number, text in enumerate(report.cases):
            row = place, number, text, checksum(place, number, text)
            db.execute("INSERT INTO found VALUES (?, ?, ?, ?)", row)
        db.execute(
            "INSERT OR REPLACE INTO effort VALUES (?, ?, ?)",
            (place, report.seconds, self._worker(report.worker)),
        )
        db.execute("UPDATE unit SET state = ? WHERE place = ?", (DONE, place))

    def _record_failure(self, report: Report) -> None:
        tries = self.tries(report.place) + 1
        self._db.execute(
            "INSERT INTO failure VALUES (?, ?, ?, ?)",
            (report.place, tries, report.error, self._worker(report.worker)),
        )
        if tries >= TRIES:
            self._db.execute(
                "UPDATE unit SET state = ? WHERE place = ? AND state = ?",
                (FAILED, report.place, OPEN),
            )

    def _worker(self, told: str) -> int:
        if told not in self._workers:
            self._db.execute("INSERT OR IGNORE INTO worker (told) VALUES (?)", (told,))
            row = self._db.execute("SELECT id FROM worker WHERE told = ?", (told,))
            self._workers[told] = row.fetchone()[0]
        return self._workers[told]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with faults_told(self.file):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._workers.clear()  # ids given in it are gone with it
                if self._db.in_transaction:  # a full disk has rolled back already
                    self._db.execute("ROLLBACK")
                raise

    def tries(self, place: int) -> int:
        """Return how often a unit has failed."""
        with faults_told(self.file):
            row = self._db.execute(
                "SELECT count(*) FROM failure WHERE place = ?", (place,)
            ).fetchone()
        return int(row[0])

    def failures(self) -> list[Failure]:
        """Return the units set aside, in their order."""
        with faults_told(self.file):
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
            value = self._db.execute(
                "SELECT value FROM result WHERE place = ?", (place,)
            ).fetchone()[0]
            self._db.execute(
                "UPDATE result SET last = 1, sum = ? WHERE place = ?",
                (checksum(place, 1, value), place),
            )

    def retry(self) -> int:
        """Open the units again that were set aside; return how many."""
        with self._transaction():
            self._db.execute(
                "DELETE FROM failure WHERE place IN "
                "(SELECT place FROM unit WHERE state = 2)"
            )
            changed = self._db.execute("UPDATE unit SET state = 0 WHERE state = 2")
            return changed.rowcount

    def results(self, expected: int | None = None) -> Iterator[Any]:
        """Yield the results there are, in the order of their units, each checked.

        A million small ones take three seconds; memory does not grow.

        Raises
        ------
        LedgerError
            If one was changed, or there are not as many as expected.
        """
        there = 0
        for _, result in self.placed():
            there += 1
            yield result
        if expected is not None and there != expected:
            raise self._damaged(f"{there} results are there for {expected} units")

    def placed(self) -> Iterator[tuple[int, Any]]:
        """Yield the results there are with the places of their units, each checked."""
        with faults_told(self.file):
            rows = self._db.execute(
                "SELECT place, value, last, sum FROM result WHERE place <= ? "
                "ORDER BY place",
                (self.last(),),
            )
            for place, value, last, kept in rows:
                if checksum(place, last, value) != kept:
                    raise self._damaged(f"the result of unit {place} was changed")
                yield place, json.loads(value) if isinstance(value, str) else value

    def results_there(self) -> int:
        """Return how many results there are, those too that do not count."""
        with faults_told(self.file):
            return int(self._db.execute("SELECT count(*) FROM result").fetchone()[0])

    def found_there(self) -> int:
        """Return how many cases were met."""
        with faults_told(self.file):
            return int(self._db.execute("SELECT count(*) FROM found").fetchone()[0])

    def found(self) -> Iterator[str]:
        """Yield the cases met, in the order of their units.

        Raises
        ------
        LedgerError
            If one was changed.
        """
        with faults_told(self.file):
            rows = self._db.execute(
                "SELECT place, number, text, sum FROM found WHERE place <= ? "
                "ORDER BY place, number",
                (self.last(),),
            )
            for place, number, text, kept in rows:
                if checksum(place, number, text) != kept:
                    raise self._damaged(f"a case of unit {place} was changed")
                yield text

    def rows(self) -> Iterator[Row]:
        """Yield every unit that counts, in order: the same whoever executed it."""
        words = {OPEN: "open", DONE: "done", FAILED: "failed"}
        with faults_told(self.file):
            rows = self._db.execute(
                "SELECT unit.place, name, payload, state, value, last, weight, "
                "unit.sum, result.sum FROM unit "
                "LEFT JOIN result ON result.place = unit.place "
                "WHERE unit.place <= ? ORDER BY unit.place",
                (self.last(),),
            )
            for place, name, payload, state, value, last, weight, kept, total in rows:
                if checksum(place, name, payload, weight) != kept:
                    raise self._damaged(f"unit {place} was changed")
                if (value is not None) != (state == DONE):
                    raise self._damaged(f"unit {place} and its result differ")
                if value is not None and checksum(place, last, value) != total:
                    raise self._damaged(f"the result of unit {place} was changed")
                text = value.hex() if isinstance(value, bytes) else value or ""
                yield Row(place, name, payload, words[state], text)

    def spent(self) -> tuple[float, int]:
        """Return the seconds of all units that were done, and how many worked."""
        with faults_told(self.file):
            row = self._db.execute(
                "SELECT total(seconds), count(DISTINCT worker) FROM effort"
            ).fetchone()
        return float(row[0]), int(row[1])

    def efforts(self) -> Iterator[tuple[str, float]]:
        """Yield the name and the seconds of each unit that was done."""
        with faults_told(self.file):
            yield from self._db.execute(
                "SELECT name, seconds FROM unit JOIN effort USING (place)"
            )

    def reports(self) -> Iterator[Report]:
        """Yield what came of every unit that is done, for another ledger."""
        with faults_told(self.file):
            rows = self._db.execute(
                "SELECT result.place, value, last, sum, seconds, told FROM result "
                "LEFT JOIN effort ON effort.place = result.place "
                "LEFT JOIN worker ON worker.id = worker ORDER BY result.place"
            )
            for place, value, last, kept, seconds, told in rows:
                if checksum(place, last, value) != kept:
                    raise self._damaged(f"the result of unit {place} was changed")
                cases = self._db.execute(
                    "SELECT text FROM found WHERE place = ? ORDER BY number", (place,)
                )
                texts = tuple(text for (text,) in cases)
                worker, spent = told or "unknown", seconds or 0.0
                yield Report(place, worker, spent, value, texts, bool(last))
