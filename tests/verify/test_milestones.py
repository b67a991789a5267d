"""Left-first runs: what is noted first, against a naive walk, and published numbers."""

import json
from pathlib import Path

import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rule import RuleSet
from heuristic.rules.rulefile import load_file
from solver.board import Board, Position
from solver.counting.count import left_first
from tests.runner import run
from tests.samples import specs
from verify.evidence.evidence import SHOWN, Milestones, milestones

NEVER_STUCK = Path("docs/examples/never-stuck.toml")


def naive(
    rules: RuleSet, board: Board, walks: int = 0, stop_stuck: bool = False
) -> Milestones:
    """Walk step by step, asking every rule at every position."""
    events = Milestones()

    def go(position: Position) -> bool:
        """Walk all that is ahead; return whether the run ends there."""
        if position.complete:
            events.completed += 1
            return False
        by_move: dict[str, list[str]] = {}
        for forbid in rules.forbids(position):
            by_move.setdefault(forbid.move, []).append(forbid.rule)
        moves = left_first(position)
        if position.unvisited > 1:
            moves = [m for m in moves if position.step(m).live_end != board.end]
        for move in moves:
            if len(by_move.get(move, ())) == 1:
                events.needed.setdefault(by_move[move][0], events.completed)
        allowed = [move for move in moves if move not in by_move]
        if not allowed:
            events.stuck += 1
            if len(events.stuck_at) < SHOWN:
                events.stuck_at.append((events.completed, position))
            return stop_stuck
        for move in allowed:
            events.steps += 1
            if 0 < walks <= events.completed or go(position.step(move)):
                return True
        return False

    events.finished = not go(Position(board))
    return events


@pytest.mark.parametrize(
    ("rules", "walks", "stop_stuck"),
    [
        *(("seed-5", walks, False) for walks in (0, 1, 30, 104, 105)),
        ("seed-5", 0, True),
        ("universal-4", 30, False),
        ("forced-edges", 0, True),
    ],
)
def test_a_run_notes_what_a_naive_walk_notes(
    rules: str, walks: int, stop_stuck: bool
) -> None:
    rule_set, board = load_rules(rules), Board.square(5)
    events = milestones(rule_set, board, walks=walks, stop_stuck=stop_stuck)
    assert events == naive(rule_set, board, walks, stop_stuck)
    assert list(events.needed.values()) == sorted(events.needed.values())


def test_all_walks_of_7x7_are_found_and_the_first_needs_are_those_published() -> None:
    events = milestones(load_rules("seed-9-size"), Board.square(7))
    assert (events.completed, events.stuck, events.finished) == (111_712, 0, True)
    assert events.needed["double-area-c-shape"] == 462
    fewer = load_rules("seed-9-size,-double-area-c-shape")
    stopped = milestones(fewer, Board.square(7), stop_stuck=True)
    assert (stopped.completed, stopped.stuck, stopped.finished) == (464, 1, False)


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
def test_the_first_milestones_of_9x9() -> None:
    later = "mid-across-3-impair-determined-2"
    rules = load_rules(f"seed-9-size,-double-c-shape,-{later}")
    events = milestones(rules, Board.square(9), walks=2_061_000)
    assert events.stuck == 0
    assert {rule: events.needed[rule] for rule in FIRST_NEEDED} == FIRST_NEEDED


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("rule", "side", "completed"),
    [("wrong-and-free", 7, 96_188), ("all-but-two", 5, 2), ("all-but-two", 9, 2)],
)
def test_a_wrong_rule_need_not_get_its_walker_stuck(
    rule: str, side: int, completed: int
) -> None:
    [wrong] = [spec for spec in load_file(NEVER_STUCK) if spec.name == rule]
    rules = rules_together("both", [*specs("seed-2024"), wrong])
    events = milestones(rules, Board.square(side))
    assert (events.completed, events.stuck, events.finished) == (completed, 0, True)


def test_the_command_prints_the_run() -> None:
    run_of_5 = json.loads(run("milestones", "5", "-r", "seed-7", "--json").out)
    assert run_of_5["completed"] == 104
    ran = run("milestones", "5", "-r", "seed-5", "--stop-stuck")
    assert "stuck after 0 walks: 5:RRRRDDDLLLUULDDDRRR" in ran.out
    assert "the run is not finished" in ran.out
    assert run("milestones", "5", "-n", "-1").code == 2
