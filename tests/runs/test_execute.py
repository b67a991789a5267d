"""Long runs: the answer, who works at it, what fails, and where a run ends."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board
from solver.errors import RunError
from solver.files import forget_stops, hear_stop
from tests.runs.sums import squares
from verify.evidence.mining import mining
from verify.runs import longrun as module
from verify.runs.longrun import digest_of, execute
from verify.runs.pool import each

SQUARES = [number * number for number in range(30)]
everywhere = pytest.mark.parametrize("weight", [0.01, 1.0], ids=["here", "processes"])


def test_finished_units_are_not_done_again() -> None:
    done: list[int] = []
    execute(squares(10), arrived=done.append)
    more = execute(squares(30), jobs=2, arrived=done.append)
    assert more.answer == SQUARES
    assert sorted(done) == SQUARES  # each unit once, also in the longer run


def test_a_short_run_leaves_no_file(
    ledgers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_AFTER", 60.0)
    outcome = execute(squares(5, weight=0.1))
    assert (outcome.answer, outcome.ledger) == (SQUARES[:5], None)
    assert not list(ledgers.iterdir())


def test_a_run_longer_than_a_minute_is_kept_from_then_on(
    ledgers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_AFTER", 0.2)
    reported: list[tuple[Path, str]] = []
    run = squares(6, weight=0.1, seconds=0.1)
    outcome = execute(run, opened=lambda *file: reported.append(file))
    assert reported == [(outcome.ledger, "")]
    done: list[int] = []
    assert execute(run, arrived=done.append).answer == SQUARES[:6]
    assert not done  # the ledger has what was done before it was made, too


def test_a_ledger_that_cannot_be_made_costs_only_the_resuming(
    ledgers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ledgers / "file").write_text("no folder")
    monkeypatch.setenv("ONEWAY_RUNS", str(ledgers / "file"))
    why: list[str] = []
    outcome = execute(squares(5, weight=0.1), opened=lambda _, text: why.append(text))
    assert (outcome.answer, outcome.ledger) == (SQUARES[:5], None)
    assert len(why) == 1
    assert "cannot make" in why[0]


@everywhere
def test_a_unit_that_fails_spoils_no_other_and_is_tried_again(weight: float) -> None:
    outcome = execute(squares(20, weight=weight, wrong=[5]), jobs=2)
    assert outcome.answer == [n for n in SQUARES[:20] if n != 25]
    assert outcome.failures == [("5", "ValueError: 5 is wrong")]
    assert (outcome.done, outcome.units) == (19, 20)
    again = execute(squares(20, weight=weight, wrong=[5]), jobs=2)
    assert again.failures == outcome.failures


def test_a_dying_process_fails_its_own_unit_only() -> None:
    outcome = execute(squares(20, deadly=[3, 11], seconds=0.01), jobs=2)
    assert outcome.answer == [n for n in SQUARES[:20] if n not in (9, 121)]
    why = "its process died, exit code -9"
    assert outcome.failures == [("3", why), ("11", why)]


@everywhere
def test_an_error_in_a_rule_ends_the_run(weight: float) -> None:
    with pytest.raises(RunError, match="12 is refused"):
        execute(squares(20, weight=weight, refused=[12]), jobs=2)
    assert execute(squares(20, weight=weight, refused=[]), jobs=2).done == 20


def test_a_time_limit_gives_the_answer_of_what_is_done() -> None:
    begun = time.monotonic()
    outcome = execute(squares(100, weight=0.01, seconds=0.1), seconds=0.35)
    assert time.monotonic() - begun < 3.0
    assert outcome.answer == SQUARES[: outcome.done]
    assert 3 <= outcome.done <= 10
    assert execute(squares(8, weight=0.01, seconds=0.1)).answer == SQUARES[:8]


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Handle Ctrl-C as the command line does."""
    forget_stops()
    old = signal.signal(signal.SIGINT, hear_stop)
    yield
    signal.signal(signal.SIGINT, old)
    forget_stops()


@pytest.mark.usefixtures("interrupts")
@everywhere
def test_ctrl_c_keeps_what_is_done(weight: float) -> None:
    run = squares(50, weight=weight, seconds=0.03)
    results: list[int] = []

    def arrived(square: int) -> None:
        results.append(square)
        if len(results) == 5:
            threading.Timer(0.02, signal.raise_signal, [signal.SIGINT]).start()

    outcome = execute(run, jobs=2, arrived=arrived)
    assert outcome.answer is None
    assert not outcome.failures  # the unit that the signal struck is open
    assert 5 <= outcome.done < 20
    forget_stops()
    assert execute(run, jobs=2, arrived=arrived).done == 50
    assert len(results) == 50


def test_progress_grows_to_the_whole() -> None:
    seen: list[tuple[float, int, float | None]] = []
    run = squares(20, weight=0.1, wrong=[3])
    execute(run, progress=lambda *how_far: seen.append(how_far))
    shares, failed, left = zip(*seen, strict=True)
    assert shares == pytest.approx([n / 20 for n in range(1, 21)])
    assert failed == (*(0,) * 3, *(1,) * 17)
    assert left[-1] == pytest.approx(0.0, abs=1e-6)


def test_progress_moves_inside_a_unit_too() -> None:
    seen: list[float] = []
    run = mining(load_rules("seed-5"), Board.square(5), count=20, seed=0)
    assert len(run.units) == 1
    execute(run, progress=lambda share, *_: seen.append(share))
    assert seen == pytest.approx([*(n / 20 for n in range(1, 21)), 1.0])


def test_one_unit_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "processes", None)
    assert execute(squares(1, weight=100.0), jobs=2).answer == [0]


def test_sources_and_rule_books_decide_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sources_of_a_run"
    package.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    digests = []
    for name in ("__init__.py", "book.toml", "notes.txt"):
        (package / name).write_text("# a line\n")
        digests.append(digest_of((package.name,)))
    first, with_book, with_notes = digests
    assert first != with_book == with_notes


def waited(tenths: int) -> tuple[int, int]:
    time.sleep(tenths / 10)
    return tenths, os.getpid()


def refused(number: int) -> int:
    raise ValueError(number)


def test_each_keeps_the_order_and_shares_the_work() -> None:
    answers = list(each(waited, [5, 1, 3, 2], 2, order=[1, 0, 2, 3]))
    assert [tenths for tenths, _ in answers] == [5, 1, 3, 2]
    assert os.getpid() not in {process for _, process in answers}
    assert active_children() == []


def test_each_raises_what_the_function_raises_and_names_a_dead_process() -> None:
    with pytest.raises(ValueError, match="7"):
        list(each(refused, [7], 2))
    with pytest.raises(RunError, match="a process died"):
        list(each(os._exit, [1], 2))
