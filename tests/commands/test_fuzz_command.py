"""`oneway fuzz` prints what it found as something to check, to pin and to keep."""

import json
import re
from pathlib import Path

import pytest

from solver.board import Position
from tests.runner import run
from tests.samples import CORNER_AHEAD, MENDED


@pytest.fixture
def rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONEWAY_CORPUS", str(tmp_path / "kept"))
    file = tmp_path / "my-rule.toml"
    file.write_text(CORNER_AHEAD)
    return file


def test_a_counterexample_can_be_checked_pinned_and_kept(rule: Path) -> None:
    words = ["my-rule.toml", "-n", "40", "--seed", "3"]
    ran = run("fuzz", *words, "--save")
    assert ran.code == 1
    assert ran.out.startswith("corner-ahead forbids U, though completable:\n○")
    assert "start and end in opposite corners; sides up to 15" in ran.out
    check = re.search(r"^check it: oneway (.*)$", ran.out, re.M)
    assert check is not None
    shown = run(*check[1].split())
    assert shown.code == 0
    assert "refutes" in shown.out or "corner-ahead" in shown.out
    pinned = re.search(r"@example\((Position\.parse\('(.*)'\))\)", ran.out)
    assert pinned is not None
    assert eval(pinned[1]) == Position.parse(pinned[2]) == Position.parse("2x3:DR")
    again = run("fuzz", *words)
    assert "found among the saved positions" in again.out
    assert again.out.count("2x3:DR") == 3
    rule.write_text(MENDED)
    assert run("corpus", "replay").code == 0
    assert run("fuzz", *words).code == 0


def test_json_and_the_answer_that_nothing_was_found(rule: Path) -> None:
    rule.write_text(MENDED)
    ran = run("fuzz", "my-rule.toml", "-n", "5", "--max-side", "9")
    assert ran.code == 0
    assert ran.out.startswith("no counterexample: ")
    assert "sides up to 9" in ran.out
    assert "stopped after example 5, seed 0" in ran.out
    found = json.loads(run("fuzz", "my-rule.toml", "-n", "5", "--json").out)
    assert found["counterexample"] is None
    assert found["examples"] == 5
    other = run("fuzz", "my-rule.toml", "-n", "5", "--json", "--seed", "2").out
    assert json.loads(other)["positions"] != found["positions"]
    assert found["boards"] == ["corners"]
    rule.write_text(CORNER_AHEAD)
    ran = run("fuzz", "my-rule.toml", "-n", "40", "--json", "--boards", "any")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert found["boards"] == ["any"]
    assert found["counterexample"]["rule"] == "corner-ahead"
