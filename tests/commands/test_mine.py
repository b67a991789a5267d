"""`oneway mine`: what it finds, saves, refuses and prints, and its exit codes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.runner import Ran, prints
from tests.samples import NEVER_AHEAD
from verify.commands.console import conduct
from verify.evidence import mining


@pytest.fixture(autouse=True)
def _files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONEWAY_CORPUS", str(here / "usual"))
    Path("ahead.toml").write_text(NEVER_AHEAD)


def to_see(ran: Ran) -> str:
    """Return the command that shows a finding."""
    [line] = re.findall("^to see one: oneway (.*)$", ran.out, re.M)
    return str(line)


@pytest.mark.parametrize("corpus", ["--corpus 'some cases'", ""])
@pytest.mark.parametrize("rules", ["seed-5", "ahead.toml"])
def test_the_command_to_see_a_finding_works_as_printed(rules: str, corpus: str) -> None:
    words = to_see(prints(f"mine 7 --rules {rules} -n 9 {corpus}", 0))
    assert words.startswith("corpus show ")
    assert words.endswith(corpus)
    prints(words, 0, "<- in question")


def test_a_dry_run_saves_nothing(here: Path) -> None:
    before = {*here.iterdir()}
    ran = prints("mine 7 --rules seed-5 -n 9 --dry-run", 0, "not saved")
    assert {*here.iterdir()} == before
    prints(to_see(ran), 0, "<- gap: allowed though dead")


def test_a_corpus_that_cannot_be_made_is_refused_before_the_hunt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("verify.commands.console.conduct", None)  # no walk is made
    prints("mine 5 --corpus ahead.toml", 2, "oneway: cannot make ahead.toml: ")


def test_a_hunt_out_of_time_prints_its_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 99.0])
    monkeypatch.setattr("verify.commands.mine.monotonic", lambda: next(clock))
    monkeypatch.setattr(mining, "shrink_gap", None)  # nothing is shrunk
    ran = prints("mine 7 -r seed-5 -n 9 --seconds 50 --json", 0, "out of time: ")
    *gaps, last = map(json.loads, ran.out.splitlines())
    assert all(gap["position"].startswith("7:") for gap in gaps)
    assert len(gaps) == last["summary"]["gaps"] > 0


def test_shrinking_gets_the_time_that_walking_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[float] = []

    def noted(*values: Any, seconds: float, **more: Any) -> Any:
        limits.append(seconds)
        return conduct(*values, seconds=seconds, **more)

    monkeypatch.setattr("verify.commands.console.conduct", noted)
    prints("mine 7 -r seed-5 -n 9 --seconds 50", 0)
    first, second = limits
    assert 0 < second < first == 50
