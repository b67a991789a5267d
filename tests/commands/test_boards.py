"""Rules are asked on the boards that they are meant for."""

import json
from pathlib import Path

import pytest

from tests.runner import assert_refused, run

UPRIGHT = "5@5,1>1,5"  # near-border-front is proved for start upper left alone


def test_a_rule_is_not_asked_on_other_boards() -> None:
    ran = run("verify", "near-border-front", "c-shape", UPRIGHT, "--json")
    assert ran.code == 0
    (found,) = [json.loads(line) for line in ran.out.splitlines()]
    assert [(r["name"], r["boards"]) for r in found["rules"]] == [("c-shape", "any")]
    assert "near-border-front is not asked" in ran.err


def test_where_no_rule_is_meant_it_is_refused() -> None:
    ran = run("verify", "near-border-front", UPRIGHT)
    assert_refused(ran)
    assert "--boards any" in ran.err


def test_boards_can_be_widened_and_narrowed() -> None:
    wide = run("verify", "near-border-front", UPRIGHT, "--boards", "any")
    assert wide.code == 1
    assert "unsound" in wide.out
    assert_refused(run("verify", "c-shape", "5!1,2;2,2", "--boards", "plain"))
    assert_refused(run("verify", "c-shape", "5", "--boards", "upper-left"))


LANE = '''
[[rule]]
name = "lane"
claim = "sound"
{}
frame = "board"
heading = "U"
symmetries = ["IDENTITY", "TRANSPOSE", "ROTATE_LEFT", "FLIP_COLS"]
drawing = """
B . ?
B x @
"""
'''


@pytest.mark.parametrize(("boards", "code"), [("", 0), ('boards = "any"', 1)])
def test_a_proof_must_reach_as_far_as_the_rule(
    boards: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lane.toml").write_text(LANE.format(boards))
    ran = run("prove", "lane.toml")
    assert ran.code == code
    assert "lane: PROVED" in ran.out
    said = "not proved for all that it is meant for: boards with any walls and ends"
    assert (said in ran.out) == bool(boards)


def test_a_proved_rule_that_never_fires_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("prove", "far-across-right-start-c", "c-shape")
    never, fires = (line for line in ran.out.splitlines() if "PROVED" in line)
    assert "PROVED, but it never fires: no completable position matches" in never
    assert "never fires" not in fires


def test_verify_names_rules_that_never_fired() -> None:
    ran = run("verify", "far-across-right-start-c", "c-shape", "5")
    assert "never fired: far-across-right-start-c" in ran.out
