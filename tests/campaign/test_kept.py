"""A new ledger stays in memory for a while, then is a file that is resumed."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.sums import squares
from tests.runner import assert_refused, run
from verify.campaign import engine
from verify.campaign.ledger import Ledger
from verify.campaign.places import folder
from verify.commands import running

HOUR = 3600.0
ALL = [n * n for n in range(30)]
Told = list[tuple[Path, str]]


@pytest.fixture(autouse=True)
def _kept_late(monkeypatch: pytest.MonkeyPatch, _kept_at_once: None) -> None:
    monkeypatch.setattr(engine, "KEEP_AFTER", HOUR)


def keep_after(
    monkeypatch: pytest.MonkeyPatch, units: int, act: Callable[[], None] | None = None
) -> Callable[[int, Any], None]:
    """Let the first minute be over when so many units are done; `act` then."""
    clock = [0.0]
    monkeypatch.setattr(engine, "_OFTEN", 0.0)
    monkeypatch.setattr(engine, "monotonic", lambda: clock[0])
    done = []

    def arrived(place: int, _: Any) -> None:
        done.append(place)
        if len(done) == units:
            clock[0] = HOUR + 1
            if act is not None:
                act()

    return arrived


def test_a_short_run_leaves_nothing() -> None:
    outcome = engine.run(squares, {"count": 30}, timed=True, small=1e9)
    assert outcome.answer == ALL
    assert not outcome.kept
    assert len(outcome.efforts) == 30
    assert not folder().exists()


def test_a_long_run_is_kept_with_what_was_done_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: Told = []
    arrived = keep_after(monkeypatch, 10)
    outcome = engine.run(
        *(squares, {"count": 30}),
        arrived=arrived,
        kept=lambda file, why: told.append((file, why)),
        small=1e9,
    )
    assert outcome.kept
    assert told == [(outcome.ledger, "")]
    assert outcome.answer == ALL
    assert [path.name for path in folder().iterdir()] == [outcome.ledger.name]
    with Ledger(outcome.ledger) as ledger:
        assert [*ledger.results()] == ALL
        assert [*ledger.found()] == ["7 ends in 7", "17 ends in 7", "27 ends in 7"]


def test_a_run_that_was_kept_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = keep_after(monkeypatch, 10)
    first = engine.run(squares, {"count": 30}, arrived=arrived, seconds=HOUR, small=1e9)
    assert first.kept
    assert first.stopped
    assert first.answer is not None
    done = len(first.answer)
    assert 10 <= done < 30
    assert first.answer == ALL[:done]
    monkeypatch.undo()
    said: list[int] = []
    with monkeypatch.context() as patch:
        patch.setenv("ONEWAY_CAMPAIGNS", str(first.ledger.parent))
        second = engine.run(
            *(squares, {"count": 30}),
            arrived=lambda place, _: said.append(place),
            small=1e9,
        )
    assert said == list(range(done, 30))
    assert second.answer == ALL


@pytest.mark.parametrize("how", ["a file", "locked", "made"])
def test_a_run_that_cannot_be_kept_goes_on(
    how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "campaigns"
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(place / "inner"))
    told: Told = []
    if how == "a file":
        place.write_text("no folder")

    def act() -> None:
        if how == "made":
            (place / "inner").mkdir(parents=True)
            (place / "inner" / f"squares-{key}.ledger").write_text("another run's")
        if how == "locked":
            monkeypatch.setattr(os, "open", refuse)

    def refuse(*_: Any, **__: Any) -> int:
        raise PermissionError(13, "Permission denied")

    key = squares({"count": 30}).key[:8]
    outcome = engine.run(
        *(squares, {"count": 30}),
        arrived=keep_after(monkeypatch, 10, act),
        kept=lambda file, why: told.append((file, why)),
        small=1e9,
    )
    assert outcome.answer == ALL
    assert not outcome.kept
    [(_, why)] = told
    words = {"a file": "cannot make", "locked": "cannot be locked", "made": "meanwhile"}
    assert words[how] in why


def test_units_set_aside_are_kept_at_the_end() -> None:
    outcome = engine.run(squares, {"count": 30, "wrong": [3]}, partial=True)
    assert outcome.kept
    assert outcome.answer == ALL[:3] + ALL[4:]
    with Ledger(outcome.ledger) as ledger:
        assert [failure.place for failure in ledger.failures()] == [3]


def test_a_ledger_that_was_named_is_there_at_once(tmp_path: Path) -> None:
    file = tmp_path / "some"
    assert engine.run(squares, {"count": 3}, ledger=file).kept
    assert file.is_file()


def test_the_command_says_where_a_long_run_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["oneway", "stats", "9"])
    arrived = keep_after(monkeypatch, 10)
    how = running.How(jobs=1)
    assert running.conduct(squares, {"count": 30}, how, arrived=arrived) == ALL
    said = capsys.readouterr().err
    assert "what is done is kept in " in said
    assert "to resume: oneway stats 9" in said


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "seed-5", "5"),
        ("stats", "5", "--rules", "seed-5", "-n", "9"),
        ("mine", "5", "--rules", "seed-5", "-n", "9", "--dry-run"),
        ("milestones", "5", "--rules", "seed-5", "-n", "9"),
    ],
    ids=" ".join,
)
def test_commands_of_seconds_leave_nothing(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ONEWAY_CAMPAIGNS")
    monkeypatch.chdir(tmp_path)
    assert run(*words).code in (0, 1)
    assert not list(tmp_path.iterdir())


def test_a_rule_that_fails_ends_the_command_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text("def wrong(position):\n    return 1 // 0\n")
    for words in (("stats", "5", "-n", "9"), ("verify", "5"), ("mine", "5", "-n", "9")):
        name, *rest = words
        rules = ("--rules", f"{file}:wrong") if name != "verify" else (f"{file}:wrong",)
        ran = run(name, *rules, *rest)
        assert_refused(ran)
        assert "ZeroDivisionError" in ran.err
        assert "at 5:" in ran.err
