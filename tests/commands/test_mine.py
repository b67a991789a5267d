"""`oneway mine`: what it finds, saves, refuses and prints, and its exit codes."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.runner import Ran, assert_refused, run
from verify.commands.console import conduct
from verify.evidence import mining

RULE = """
[[rule]]
name = "ahead"
claim = "sound"
origin = "a test"
reason = "none"
drawing = '''
? . ?
x @ x
'''
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONEWAY_CORPUS", str(tmp_path / "usual"))
    (tmp_path / "ahead.toml").write_text(RULE)
    return tmp_path


def objects(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize("corpus", [["--corpus", "some cases"], []], ids=str)
@pytest.mark.parametrize("rules", ["seed-5", "ahead.toml"])
def test_the_line_to_see_one_works_as_printed(rules: str, corpus: list[str]) -> None:
    ran = run("mine", "7", "--rules", rules, "-n", "9", *corpus)
    assert ran.code == 0
    [line] = [x for x in ran.out.splitlines() if x.startswith("to see one: oneway ")]
    words = shlex.split(line.removeprefix("to see one: oneway "))
    assert words[:2] == ["corpus", "show"]
    assert ("--corpus" in words) == bool(corpus)
    shown = run(*words)
    assert shown.code == 0
    assert "<- in question" in shown.out


def test_a_dry_run_saves_nothing(here: Path) -> None:
    before = {*here.iterdir()}
    ran = run("mine", "7", "--rules", "seed-5", "-n", "9", "--dry-run")
    assert ran.code == 0
    assert "not saved" in ran.out
    assert {*here.iterdir()} == before
    [line] = [x for x in ran.out.splitlines() if x.startswith("to see one: ")]
    shown = run(*shlex.split(line.removeprefix("to see one: oneway ")))
    assert "<- gap: allowed though dead" in shown.out


def test_what_cannot_be_saved_is_refused_before_the_hunt(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.commands.mine.conduct", None)  # no walk is made
    (here / "file").write_text("no folder")
    for folder in ("file", "file/inner"):
        ran = run("mine", "5", "--rules", "seed-5", "--corpus", folder)
        assert_refused(ran)
        assert f"cannot make {folder}: " in ran.err


def test_rules_are_used_on_boards_they_are_meant_for() -> None:
    board = "5@1,1>1,5"
    ran = run("mine", board, "--rules", "ahead.toml", "-n", "9", "--dry-run")
    assert_refused(ran)
    assert "no rule of 'ahead.toml' is meant for board 5@1,1>1,5" in ran.err
    assert "--boards any" in ran.err
    ran = run("mine", board, "-r", "ahead.toml", "-n", "9", "--dry-run", "--boards=rim")
    assert ran.code == 0
    assert "start and end on the rim" in ran.out.splitlines()[-1]
    ran = run("mine", "5!3,3;3,4", "-r", "universal-4", "-n", "9", "--boards", "plain")
    assert_refused(ran)
    both = ("mine", board, "-r", "ahead.toml,forced-edges", "-n", "9", "--dry-run")
    ran = run(*both)
    where = "ahead is left out on 5@1,1>1,5"
    assert ran.err.startswith(f"{where}: it is meant for rectangles without")
    assert "any walls" in ran.out.splitlines()[-1]


def test_a_hunt_out_of_time_prints_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([0.0, 99.0])
    monkeypatch.setattr("verify.commands.mine.monotonic", lambda: next(clock))
    monkeypatch.setattr(mining, "shrink", None)  # nothing is shrunk
    words = ("mine", "7", "--rules", "seed-5", "-n", "9", "--seconds", "50")
    ran = run(*words, "--json")
    assert ran.code == 0
    *gaps, last = objects(ran)
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

    monkeypatch.setattr("verify.commands.mine.conduct", noted)
    assert run("mine", "7", "-r", "seed-5", "-n", "9", "--seconds", "50").code == 0
    first, second = limits
    assert 0 < second < first == 50
