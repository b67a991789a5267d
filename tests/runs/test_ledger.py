"""The ledger: what is written is read; what was changed or is in use is refused."""

import random
import sqlite3
from pathlib import Path

import pytest

from solver.errors import RunError
from tests.runs.sums import squares
from verify.runs import ledger
from verify.runs.longrun import execute

RUN = squares(40, weight=0.01)
RESULTS = {str(number): str(number * number) for number in range(40)}


def read() -> dict[str, str]:
    book = RUN.ledger()
    book.open()
    book.close()
    return book.results


@pytest.fixture
def file() -> Path:
    """Return the ledger of a run that has ended."""
    outcome = execute(RUN)
    assert outcome.ledger is not None
    return outcome.ledger


def test_results_are_in_memory_until_they_are_written() -> None:
    book = RUN.ledger()
    book.add("1", "1")
    book.open()
    book.write()
    book.add("2", "4")
    book.close()
    assert read() == {"1": "1"}


def test_a_second_process_is_refused(file: Path) -> None:
    first = RUN.ledger()
    first.open()
    with pytest.raises(RunError, match="another process is at work on it"):
        execute(RUN)
    first.close()
    assert read() == RESULTS


@pytest.mark.parametrize(
    "flips", [400, pytest.param(20_000, marks=pytest.mark.slow)], ids=str
)
def test_no_flipped_bit_changes_a_result(file: Path, flips: int) -> None:
    whole, rng, noticed = file.read_bytes(), random.Random(flips), 0
    for _ in range(flips):
        bit = rng.randrange(8 * len(whole))
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        file.write_bytes(data)
        try:
            assert read().items() <= RESULTS.items(), bit
        except RunError:
            noticed += 1
    assert noticed > flips / 20  # the others are in unused bytes
    file.write_bytes(whole)
    assert read() == RESULTS


def change(file: Path, statement: str, *values: str) -> None:
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("ATTACH ? AS other", values or (":memory:",))
    db.execute("PRAGMA writable_schema = ON")
    db.execute(statement)
    db.close()


CHANGED, ANOTHER = "a row is not the one that was written", "is the ledger of another"
FOREIGN = "is not a ledger of this program"
FORGED = {
    "another result": ("UPDATE finished SET result = 17 WHERE unit = '4'", CHANGED),
    "another unit": ("UPDATE finished SET unit = '77' WHERE unit = '4'", CHANGED),
    "results of two units swapped": (
        "UPDATE finished SET (result, checksum) = (SELECT result, checksum "
        "FROM finished WHERE unit = '5') WHERE unit = '4'",
        CHANGED,
    ),
    "a huge value": (
        "UPDATE finished SET result = printf('%70000d', 1) WHERE unit = '4'",
        "is damaged: string or blob too big",
    ),
    "text that is not UTF-8": (
        "UPDATE finished SET result = CAST(x'ff' AS TEXT) WHERE unit = '4'",
        "is damaged: Could not decode to UTF-8",
    ),
    "no run named": ("DELETE FROM finished WHERE unit = ''", ANOTHER),
    "another run": ("UPDATE finished SET result = '[]' WHERE unit = ''", ANOTHER),
    "another program's": ("PRAGMA application_id = 7", FOREIGN),
    "one more table": ("CREATE TABLE more (a)", FOREIGN),
    "a trigger": (
        "CREATE TRIGGER t AFTER INSERT ON finished BEGIN DELETE FROM finished; END",
        FOREIGN,
    ),
    "another table": (
        "UPDATE sqlite_schema SET sql = replace(sql, 'TEXT NOT', 'ANY NOT')",
        FOREIGN,
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_ledgers_are_refused(
    file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "_MOST", 60_000)  # in place of 268 million bytes
    statement, why = FORGED[name]
    change(file, statement)
    with pytest.raises(RunError, match=why) as refused:
        execute(RUN)
    assert str(file) in str(refused.value)


def test_a_file_that_is_no_database_is_refused(file: Path) -> None:
    file.write_text("no ledger" * 999)
    with pytest.raises(RunError, match=r"is damaged: .*; remove it to start the run"):
        execute(RUN)


def test_a_row_that_is_lost_is_done_again(file: Path) -> None:
    change(file, "DELETE FROM finished WHERE unit = '4'")
    done: list[int] = []
    assert execute(RUN, arrived=done.append).done == 40
    assert done == [16]


def test_the_results_of_another_version_are_refused(file: Path) -> None:
    other = squares(40, weight=0.01, version=2)
    theirs = other.ledger()
    file.rename(theirs.file)
    with pytest.raises(RunError, match=r"another version of .* remove it"):
        execute(other)
    file.write_bytes(b"")  # an empty file is a new ledger
    assert execute(RUN).done == 40


def test_rows_of_another_run_are_refused(file: Path) -> None:
    other = execute(squares(40, weight=0.01, version=2)).ledger
    statement = (
        "UPDATE finished SET (result, checksum) = (SELECT result, checksum "
        "FROM other.finished AS o WHERE o.unit = '4') WHERE unit = '4'"
    )
    change(file, statement, str(other))
    with pytest.raises(RunError, match=CHANGED):
        execute(RUN)
