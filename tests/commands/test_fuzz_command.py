"""`oneway fuzz` prints a counterexample to check, to pin and to save."""

import json
import re
from pathlib import Path

import pytest

from tests.runner import prints
from tests.samples import CORNER_AHEAD, MENDED

FUZZ = "fuzz my-rule.toml -n 40 --seed 3"


@pytest.fixture
def rule(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ONEWAY_CORPUS", str(here / "cases"))
    file = Path("my-rule.toml")
    file.write_text(CORNER_AHEAD)
    return file


def test_a_counterexample_can_be_checked_pinned_and_saved(rule: Path) -> None:
    head = "corner-ahead forbids U, though completable:\n○"
    scope = "start and end in opposite corners; sides up to 15"
    pin = "pin it:   @example(Position.parse('2x3:DR'))\n"
    ran = prints(f"{FUZZ} --save", 1, head, scope, pin, "case saved: cases/unsound/")
    [check] = re.findall(r"^check it: oneway (.*)$", ran.out, re.M)
    prints(check, 0, "corner-ahead")
    again = prints(FUZZ, 1, "found among the saved positions")
    assert again.out.count("2x3:DR") == 3
    value = json.loads(prints(f"{FUZZ} --json --boards any", 1).out)
    assert (value["boards"], value["examples"]) == (["any"], 0)
    assert value["counterexample"]["rule"] == "corner-ahead"
    assert value["counterexample"]["kind"] == "unsound"
    rule.write_text(MENDED)
    prints("corpus replay", 0)
    prints(FUZZ, 0)


def test_a_seed_decides_what_is_tried(rule: Path) -> None:
    rule.write_text(MENDED)
    line = "fuzz my-rule.toml -n 5 --json --seed"
    values = [json.loads(prints(f"{line} {seed}", 0).out) for seed in "02"]
    for value in values:
        assert value["counterexample"] is None
        assert (value["boards"], value["examples"]) == (["corners"], 5)
    assert values[0]["positions"] != values[1]["positions"]
