"""The engine: the same answer whatever executes it, and what goes wrong on the way."""

import importlib
import os
import platform
from collections import deque
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest

from solver.system import forget_stops
from tests.campaign.sums import letters, squares
from verify.campaign.campaign import (
    Ahead,
    CampaignError,
    Report,
    Row,
    Task,
    advance,
    advancing,
    reference,
)
from verify.campaign.engine import Progress, run
from verify.campaign.ledger import Ledger
from verify.campaign.places import ledger_of, merge
from verify.campaign.schema import LedgerError
from verify.campaign.worker import Inline, Local, _serve, perform

ALL = [n * n for n in range(40)]


def _rows(file: Path) -> list[Row]:
    with Ledger(file) as ledger:
        return list(ledger.rows())


@pytest.mark.parametrize(
    "how", [{"small": 1e9}, {"jobs": 1, "small": 0.0}, {"jobs": 2, "small": 0.0}]
)
def test_the_answer_and_the_export_are_the_same_whoever_works(
    how: dict[str, Any], tmp_path: Path
) -> None:
    outcome = run(squares, {"count": 40}, ledger=tmp_path / "a", **how)
    assert outcome.complete
    assert outcome.answer == ALL
    rows = _rows(tmp_path / "a")
    assert rows[7] == Row(7, "square of 7", "7", "done", "49")
    assert [row.place for row in rows] == list(range(40))
    with Ledger(tmp_path / "a") as ledger:
        assert list(ledger.found()) == [f"{n} ends in 7" for n in (7, 17, 27, 37)]
        assert ledger.spec.maker == reference(squares)


def test_a_finished_campaign_does_no_work_again(tmp_path: Path) -> None:
    said: list[tuple[int, Any]] = []
    for expected in (40, 0):
        said.clear()
        outcome = run(
            squares,
            {"count": 40},
            ledger=tmp_path / "a",
            arrived=lambda *told: said.append(told),
        )
        assert outcome.answer == ALL
        assert not outcome.stopped
        assert not outcome.interrupted
        assert len(said) == expected
    again = run(squares, {"count": 40}, ledger=tmp_path / "a", fresh=True)
    assert again.answer == ALL


def test_one_process_works_unless_more_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def local(*_: Any, jobs: int) -> Inline:
        asked.append(jobs)
        return Inline(squares({"count": 3}), lambda: None)

    monkeypatch.setattr("verify.campaign.engine.Local", local)
    words: list[dict[str, Any]] = [{}, {"jobs": 2}, {"jobs": 9}, {"small": 3.0}]
    for how in words:
        outcome = run(squares, {"count": 3}, fresh=True, **{"small": 2.9, **how})
        assert outcome.answer == [0, 1, 4]
    assert asked == [1, 2, 3]  # no more than there are units


def test_results_may_be_bytes() -> None:
    assert run(letters, {}).answer == b"aabbcc"
    assert run(letters, {}).answer == b"aabbcc"


def test_an_empty_campaign_has_an_answer() -> None:
    assert run(squares, {"count": 0}).answer == []


def test_what_follows_the_last_unit_does_not_count(tmp_path: Path) -> None:
    parameters = {"count": 400, "last": 36}
    for small in (1e9, 0.0):
        file = tmp_path / str(small)
        outcome = run(squares, parameters, ledger=file, jobs=2, small=small)
        assert outcome.answer == [0, 1, 4, 9, 16, 25, 36]
        assert (outcome.counts.units, outcome.counts.done) == (7, 7)
        assert len(_rows(file)) == 7


def test_a_larger_campaign_takes_over_what_a_smaller_one_did(tmp_path: Path) -> None:
    run(squares, {"count": 12})
    run(squares, {"count": 9, "weight": 2.0})  # another parameter: not of use
    said: list[int] = []
    outcome = run(squares, {"count": 40}, arrived=lambda place, _: said.append(place))
    assert outcome.answer == ALL
    assert sorted(said) == list(range(12, 40))
    alone = run(squares, {"count": 40}, ledger=tmp_path / "alone")
    assert _rows(outcome.ledger) == _rows(alone.ledger)
    said.clear()
    run(squares, {"count": 25}, arrived=lambda place, _: said.append(place))
    assert said == []  # fewer are known, too
    run(squares, {"count": 41}, fresh=True, arrived=lambda place, _: said.append(place))
    assert len(said) == 41


def test_enough_counts_results_in_their_order(tmp_path: Path) -> None:
    parameters = {"count": 400, "enough": 100}
    for small in (1e9, 0.0):
        file = tmp_path / str(small)
        for _ in range(2):
            outcome = run(squares, parameters, ledger=file, jobs=2, small=small)
            assert outcome.answer == [0, 1, 4, 9, 16, 25, 36, 49]
            assert (outcome.counts.units, outcome.counts.done) == (8, 8)
    file = tmp_path / "stopped"
    first = run(squares, parameters, ledger=file, seconds=0.0)
    assert first.stopped
    with Ledger(file, write=True) as ledger:
        ledger.record([Report(n, "w", value=str(n * n)) for n in range(12)])
    outcome = run(squares, parameters, ledger=file)
    assert outcome.answer == [0, 1, 4, 9, 16, 25, 36, 49]


def test_a_unit_that_fails_three_times_is_set_aside(tmp_path: Path) -> None:
    parameters = {"count": 40, "wrong": [3, 39]}
    outcome = run(squares, parameters, ledger=tmp_path / "a")
    assert not outcome.complete
    assert outcome.answer is None
    assert outcome.counts.done == 38
    assert [one.unit for one in outcome.failures] == ["square of 3", "square of 39"]
    assert outcome.failures[0].error.startswith("ValueError: 3 is wrong\n")
    assert "sums.py" in outcome.failures[0].error
    with Ledger(tmp_path / "a", write=True) as ledger:
        assert ledger.tries(3) == 3
        assert ledger.retry() == 2
        assert ledger.counts().open == 2


def test_a_unit_that_fails_twice_is_done_the_third_time(tmp_path: Path) -> None:
    (tmp_path / "tries").mkdir()
    parameters = {"count": 40, "once": str(tmp_path / "tries")}
    outcome = run(squares, parameters, ledger=tmp_path / "a")
    assert outcome.answer == ALL


def test_a_unit_that_a_signal_strikes_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def struck(*_: Any) -> Report:
        raise KeyboardInterrupt

    parameters = {"count": 40, "struck": 3}
    outcome = run(squares, parameters, ledger=tmp_path / "a", small=99.0)
    forget_stops()
    assert outcome.interrupted
    assert outcome.counts.done == 3
    with Ledger(tmp_path / "a", write=True) as ledger:
        assert ledger.tries(3) == 0
        assert ledger.counts().open == 37
    monkeypatch.setattr("verify.campaign.worker.perform", struck)
    outcome = run(squares, {"count": 3}, ledger=tmp_path / "b")
    assert (outcome.interrupted, outcome.counts.open) == (True, 3)


def test_a_unit_that_kills_its_worker_harms_no_other(tmp_path: Path) -> None:
    parameters = {"count": 40, "kills": [5]}
    outcome = run(squares, parameters, ledger=tmp_path / "a", jobs=2, small=0.0)
    assert outcome.counts.done == 39
    assert [one.place for one in outcome.failures] == [5]
    assert outcome.failures[0].error == "its worker died, exit code -9"


def test_shares_merged_are_the_whole(tmp_path: Path) -> None:
    for part in (1, 2):
        file = tmp_path / str(part)
        outcome = run(squares, {"count": 41}, ledger=file, share=(part, 2))
        assert not outcome.complete
        assert not outcome.stopped
    assert merge(tmp_path / "1", [tmp_path / "2"]) == 20
    assert merge(tmp_path / "1", [tmp_path / "2"]) == 0
    run(squares, {"count": 41}, ledger=tmp_path / "whole")
    assert _rows(tmp_path / "1") == _rows(tmp_path / "whole")
    run(squares, {"count": 42}, ledger=tmp_path / "other")
    with pytest.raises(LedgerError, match="other: is not of the campaign of"):
        merge(tmp_path / "1", [tmp_path / "other"])


def test_a_unit_says_how_far_it_is_and_what_it_failed_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("verify.campaign.worker._OFTEN", 0.0)

    def work(_: int) -> int:
        assert "".join(advancing("abc", 4)) == "abc"
        advance(7, 0)
        return 1

    heard: list[Ahead] = []
    one = replace(squares({"count": 1}), work=work)
    report = perform(one, Task(5, "0", 1.0), heard.append)
    assert heard == [*(Ahead(5, n / 4, n) for n in (1, 2, 3)), Ahead(5, 1.0, 7)]
    assert (report.things, report.value, report.error) == (7, "1", None)
    advance(1, 1)  # nobody listens
    failed = perform(squares({"count": 4, "wrong": [3]}), Task(3, "3", 1.0))
    assert str(failed.error).startswith("ValueError: 3 is wrong\n  File ")
    assert "sums.py" in str(failed.error)
    assert all(line.startswith("  ") for line in str(failed.error).splitlines()[1:])
    assert len(heard) == 4
    pair = replace(one, work=lambda _: (1, 2), last=lambda result: result == [1, 2])
    assert perform(pair, Task(5, "0", 1.0)).last  # as it will be read later


def test_workers_that_die_are_replaced_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []

    class Dying:
        process = Mock(exitcode=-9, pid=7)

        def __init__(self, _: Any) -> None:
            (self.pipe, self.theirs), self.seen = Pipe(), False
            self.hand = deque[Task]()
            self.start = lambda: made.append(self)

    monkeypatch.setattr("verify.campaign.worker._Worker", Dying)
    monkeypatch.setattr("solver.jit.compiled_before", lambda: False)
    local = Local("", {}, "", jobs=2)
    local.take([Task(place, "", 1.0) for place in (0, 1)])
    made[0].theirs.send(Ahead(0, 0.5, 3.0))
    assert local.reports(1.0) == []
    assert local.ahead == {0: Ahead(0, 0.5, 3.0)}
    for place in (0, 1):
        made[place].theirs.close()
        (report,) = local.reports(1.0)
        assert report == Report(
            place, f"{platform.node()} 7", error="its worker died, exit code -9"
        )
        assert (local.ahead, len(made)) == ({}, place + 2)
    made[2].theirs.close()
    with pytest.raises(CampaignError, match="workers die as they start, exit code -9"):
        local.reports(1.0)


def test_a_worker_serves_until_its_pipe_closes() -> None:
    class Pipe:
        def __init__(self) -> None:
            self.tasks, self.sent = [Task(0, "3", 1.0), Task(1, "7", 1.0)], list[Any]()
            self.send = self.sent.append

        def recv(self) -> Task:
            if not self.tasks:
                raise EOFError
            return self.tasks.pop(0)

    pipe, other = Pipe(), Pipe()
    there = reference(squares), {"count": 9}
    _serve(cast(Any, pipe), *there, squares({"count": 9}).deciding)
    assert [(one.place, one.value) for one in pipe.sent] == [(0, "9"), (1, "49")]
    _serve(cast(Any, other), *there, "another")
    assert other.sent == [
        f"OtherProgramError: worker {platform.node()} {os.getpid()} has another "
        "version of the program or of the rules"
    ]
    for wrong in (lambda _: None, Ledger.verify):
        with pytest.raises(CampaignError, match="does not stand at the top of a mod"):
            reference(cast(Any, wrong))


def test_progress_ends_with_everything_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Moving(Inline):
        def reports(self, seconds: float) -> list[Report]:
            self._moved()
            return super().reports(seconds)

    monkeypatch.setattr("verify.campaign.engine.Inline", Moving)
    told: list[Progress] = []
    parameters = {"count": 40}
    run(squares, parameters, ledger=tmp_path / "a", small=99.0, progress=told.append)
    assert (told[0].done, told[0].left) == (0, None)
    assert [one.running for one in told] == [1] * 80 + [0]
    assert (told[-1].done, told[-1].units, told[-1].running) == (40, 40, 0)
    assert told[-1].done_weight == told[-1].weight == 40
    assert (told[-1].left, told[-1].noun) == (0, "squares")


def test_the_time_left_is_not_estimated_from_next_to_nothing(tmp_path: Path) -> None:
    told: list[Progress] = []
    run(squares, {"count": 2000}, ledger=tmp_path / "a", progress=told.append)
    early = [one for one in told if one.done <= 3]
    assert len(early) > 1
    assert all(one.left is None for one in early)
    assert all(one.left is not None for one in told if one.done > 4)


def test_a_time_limit_stops_and_the_rest_follows(tmp_path: Path) -> None:
    outcome = run(squares, {"count": 40}, ledger=tmp_path / "a", seconds=0.0)
    assert outcome.stopped
    assert outcome.counts.done == 0
    outcome = run(squares, {"count": 40}, ledger=tmp_path / "a", seconds=600.0)
    assert outcome.answer == ALL


def test_a_ledger_of_something_else_is_refused_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "a"
    run(squares, {"count": 40}, ledger=file)
    with pytest.raises(LedgerError, match="a: count is 40 there and 41 here; --fresh"):
        run(squares, {"count": 41}, ledger=file)
    with pytest.raises(LedgerError, match='text is null there and "x" here'):
        run(squares, {"count": 40, "text": "x"}, ledger=file)
    with pytest.raises(LedgerError, match="it is of squares, not of letters"):
        run(letters, {}, ledger=file)
    assert run(squares, {"count": 40}, ledger=file).answer == ALL


def test_a_ledger_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    run(squares, {"count": 4}, ledger=file)
    monkeypatch.setattr("tests.campaign.sums.deciding", lambda *_, **__: "other")
    with pytest.raises(LedgerError, match="another version of the program"):
        run(squares, {"count": 4}, ledger=file)


def test_workers_of_another_version_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.campaign.sums.deciding", lambda *_, **__: "other")
    with pytest.raises(CampaignError, match="has another version of the program"):
        run(squares, {"count": 4}, ledger=tmp_path / "a", jobs=1, small=0.0)


def test_other_parameters_are_another_ledger() -> None:
    names = {ledger_of(squares({"count": count})) for count in (3, 4)}
    assert len(names) == 2
    assert all(name.name.startswith("squares-") for name in names)


def test_the_example_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parents[2] / "docs" / "campaigns.md"
    code = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    (tmp_path / "primes_example.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    maker = importlib.import_module("primes_example").counting
    assert run(maker, {"most": 3000}).answer == 430  # pi(3000)
