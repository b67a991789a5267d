"""`oneway fuzz` prints a counterexample to check, to pin and to save."""

import json
import re
from pathlib import Path

import pytest

from tests.runner import run
from tests.samples import CORNER_AHEAD, MENDED

WORDS = ("my-rule.toml", "-n", "40", "--seed", "3")


@pytest.fixture
def rule(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ONEWAY_CORPUS", str(here / "cases"))
    file = Path("my-rule.toml")
    file.write_text(CORNER_AHEAD)
    return file


def test_a_counterexample_can_be_checked_pinned_and_saved(rule: Path) -> None:
    ran = run("fuzz", *WORDS, "--save")
    assert ran.code == 1
    assert ran.out.startswith("corner-ahead forbids U, though completable:\n○")
    assert "start and end in opposite corners; sides up to 15" in ran.out
    [check] = re.findall(r"^check it: oneway (.*)$", ran.out, re.M)
    assert "corner-ahead" in run(*check.split()).out
    assert "pin it:   @example(Position.parse('2x3:DR'))\n" in ran.out
    again = run("fuzz", *WORDS)
    assert "found among the saved positions" in again.out
    assert again.out.count("2x3:DR") == 3
    value = json.loads(run("fuzz", *WORDS, "--json", "--boards", "any").out)
    assert (value["boards"], value["examples"]) == (["any"], 0)
    assert value["counterexample"]["rule"] == "corner-ahead"
    assert value["counterexample"]["kind"] == "unsound"
    rule.write_text(MENDED)
    assert run("corpus", "replay").code == 0
    assert run("fuzz", *WORDS).code == 0


def test_a_seed_decides_what_is_tried(rule: Path) -> None:
    rule.write_text(MENDED)
    words = ("fuzz", "my-rule.toml", "-n", "5", "--json")
    values = [json.loads(run(*words, "--seed", seed).out) for seed in "02"]
    for value in values:
        assert value["counterexample"] is None
        assert (value["boards"], value["examples"]) == (["corners"], 5)
    assert values[0]["positions"] != values[1]["positions"]
