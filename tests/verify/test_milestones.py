"""Left-first runs in pieces: together they give what one run gives."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from tests.runner import run
from tests.runs.sums import answer_of
from verify.evidence import milestones as module
from verify.evidence.milestones import Ahead, milestones, walk_ahead
from verify.runs import execute


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        *(("_FREE_FAST", 14), ("_FREE_SLOW", 14)),
        *(("_MOST", 30), ("_UNIT", 3)),
    ):
        monkeypatch.setattr(module, name, value)


def whole(board: str, rules: str, walks: int, stop_stuck: bool) -> Ahead:
    """Walk in one go."""
    start = Position(Board.parse(board))
    one = walk_ahead(
        load_rules(rules), start, walks=walks or None, stop_stuck=stop_stuck
    )
    needed = {rule: (n, f"{board}:{way}") for rule, (n, way) in one.needed.items()}
    stuck_at = [(before, f"{board}:{way}") for before, way in one.stuck_at]
    return replace(one, needed=needed, stuck_at=stuck_at)


@pytest.mark.parametrize(
    ("rules", "walks", "stop_stuck"),
    [
        *(("seed-5", walks, False) for walks in (0, 1, 2, 30, 104, 105)),
        *(("seed-5", walks, True) for walks in (0, 50)),
        *((rules, 30, False) for rules in ("seed-2024", "universal-4")),
        *((rules, 0, True) for rules in ("seed-2024", "universal-4")),
    ],
)
def test_pieces_give_what_one_run_gives(
    rules: str, walks: int, stop_stuck: bool
) -> None:
    board = Board.square(5)
    run = milestones(load_rules(rules), board, walks=walks, stop_stuck=stop_stuck)
    units = [*run.units]
    assert len(units) > 1
    answer = answer_of(replace(run, units=units), seed=walks)
    assert answer == whole("5", rules, walks, stop_stuck)


@pytest.mark.parametrize(
    ("rules", "walks"), [("seed-5", 0), ("seed-9-size", 0), ("seed-9-size", 11_711)]
)
def test_pieces_of_7x7(rules: str, walks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FREE_FAST", 36)
    run = milestones(load_rules(rules), Board.square(7), walks=walks)
    assert len(run.units) > 5
    assert answer_of(run, seed=3) == whole("7", rules, walks, False)


def test_a_missing_piece_cuts_the_run() -> None:
    run = milestones(load_rules("seed-7"), Board.square(5), walks=104)
    cut = answer_of(replace(run, units=run.units[:20]))
    assert cut.cut
    assert 0 < cut.completed < 104
    assert answer_of(replace(run, units=[])).completed == 0


FIRST_NEEDED = {
    "double-area-c-shape": 462,
    "double-c-shape-rotated": 1_861,
    "count-area-2-across": 9_121,
    "straight-across-end-area": 22_328,
    "straight-mid-across-3-end-area": 22_328,
    "straight-across-end-c": 25_157,
    "square-4x2-c-shape": 227_250,
    "square-4x2-area": 232_080,
    "straight-across-3-end-area": 740_293,
    "triple-area": 740_527,
    "double-area-stair": 2_023_047,
    "double-area-stair-2": 2_023_482,
    "mid-across-3-impair-determined": 2_060_226,
}


@pytest.mark.slow
def test_the_first_milestones_of_9x9(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FREE_FAST", 66)
    later = "mid-across-3-impair-determined-2"
    rules = load_rules(f"seed-9-size,-double-c-shape,-{later}")
    found = answer_of(milestones(rules, Board.square(9), walks=2_061_000), seed=1)
    assert found.stuck == 0
    assert {rule: found.needed[rule][0] for rule in FIRST_NEEDED} == FIRST_NEEDED


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(execute, "KEEP_AFTER", 0.0)
    ran = run("milestones", "5", "-r", "seed-7", "--json")
    assert json.loads(ran.out)["completed"] == 104
    assert run("milestones", "5", "-r", "seed-7", "--json").out == ran.out
    ran = run("milestones", "5", "-r", "seed-5", "--stop-stuck")
    assert "stuck after 0 walks: 5:RRRRDDDLLLUULDDDRRR" in ran.out
    assert run("milestones", "5", "-n", "-1").code == 2
