"""`oneway mine`: what it finds, saves, refuses and prints, and its exit codes."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.runner import Ran, assert_refused, run
from tests.samples import NEVER_AHEAD
from verify.commands.console import conduct
from verify.evidence import mining


@pytest.fixture(autouse=True)
def _files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEWAY_CORPUS", str(here / "usual"))
    Path("ahead.toml").write_text(NEVER_AHEAD)


def to_see(ran: Ran) -> list[str]:
    """Return the words of the command that shows a finding."""
    [line] = [x for x in ran.out.splitlines() if x.startswith("to see one: oneway ")]
    return shlex.split(line.removeprefix("to see one: oneway "))


@pytest.mark.parametrize("corpus", [["--corpus", "some cases"], []], ids=str)
@pytest.mark.parametrize("rules", ["seed-5", "ahead.toml"])
def test_the_command_to_see_a_finding_works_as_printed(
    rules: str, corpus: list[str]
) -> None:
    ran = run("mine", "7", "--rules", rules, "-n", "9", *corpus)
    assert ran.code == 0
    words = to_see(ran)
    assert words[:2] == ["corpus", "show"]
    assert ("--corpus" in words) == bool(corpus)
    shown = run(*words)
    assert (shown.code, "<- in question" in shown.out) == (0, True)


def test_a_dry_run_saves_nothing(here: Path) -> None:
    before = {*here.iterdir()}
    ran = run("mine", "7", "--rules", "seed-5", "-n", "9", "--dry-run")
    assert (ran.code, "not saved" in ran.out) == (0, True)
    assert {*here.iterdir()} == before
    assert "<- gap: allowed though dead" in run(*to_see(ran)).out


def test_a_corpus_that_cannot_be_made_is_refused_before_the_hunt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("verify.commands.console.conduct", None)  # no walk is made
    assert_refused(ran := run("mine", "5", "--corpus", "ahead.toml"))
    assert "cannot make ahead.toml: " in ran.err


def test_a_hunt_out_of_time_prints_its_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 99.0])
    monkeypatch.setattr("verify.commands.mine.monotonic", lambda: next(clock))
    monkeypatch.setattr(mining, "shrink_gap", None)  # nothing is shrunk
    ran = run("mine", "7", "-r", "seed-5", "-n", "9", "--seconds", "50", "--json")
    assert ran.code == 0
    *gaps, last = map(json.loads, ran.out.splitlines())
    assert all(gap["position"].startswith("7:") for gap in gaps)
    assert len(gaps) == last["summary"]["gaps"] > 0
    assert "out of time: " in ran.err


def test_shrinking_gets_the_time_that_walking_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[float] = []

    def noted(*values: Any, seconds: float, **more: Any) -> Any:
        limits.append(seconds)
        return conduct(*values, seconds=seconds, **more)

    monkeypatch.setattr("verify.commands.console.conduct", noted)
    assert run("mine", "7", "-r", "seed-5", "-n", "9", "--seconds", "50").code == 0
    first, second = limits
    assert 0 < second < first == 50
