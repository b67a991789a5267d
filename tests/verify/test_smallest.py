"""Small positions that show what a large one shows."""

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings

from heuristic.groups import load_rules, rules_together
from heuristic.rule import Boards, RuleSet
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.doubles.frontier import count_completions
from tests.samples import NEVER_AHEAD, NEVER_RIGHT, rule_text
from verify.shrink import (
    WrongRule,
    cause,
    minimise,
    part_with,
    plain_boards,
    size,
    smallest_wrong,
)
from verify.strategies import boards, positions

SEARCH = get_oracle("search")


def corner(position: Position) -> bool:
    return "RD" in position.moves


def off_corner(position: Position) -> bool:
    return position.board.start != 0 and corner(position)


def visited(position: Position) -> bool:
    return len(position.walk) >= 3 and position.unvisited >= 2


def detour(position: Position) -> bool:
    return position.board.rows == 5 and position.live_end == 10


@pytest.mark.parametrize(
    ("start", "holds", "walls", "small"),
    [
        ("9:RRDDRRUURRDDDDLLLL", corner, False, "2:RD"),
        ("5:RDLD", detour, False, "5:DD"),
        ("5:RRDDLL", visited, False, "3:RR"),
        ("5:RRDDLL", visited, True, "2x3!2,1:RR"),
        ("9x4@2,1>8,4:DDRRD", off_corner, False, "5x3@2,1>5,3:DRD"),
        ("5@2,2>4,4:RDD", off_corner, False, "4@1,2>3,4:RDD"),
        ("5@2,2>4,4:RDD", off_corner, True, "2x4@1,2>2,4!1,1;1,4;2,1;2,2:RD"),
    ],
)
def test_the_smallest_position_of_a_claim(
    start: str, holds: Callable[[Position], bool], walls: bool, small: str
) -> None:
    assert minimise(Position.parse(start), holds, walls=walls).notation == small


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(positions(boards(corners=False, max_walls=3)))
def test_the_result_holds_and_is_no_larger(position: Position) -> None:
    def holds(candidate: Position) -> bool:
        return len(candidate.options()) == len(position.options())

    small = minimise(position, holds, walls=True)
    assert holds(small)
    assert size(small) <= size(position)
    assert minimise(small, holds, walls=True) == small


def rules_of(text: str) -> RuleSet:
    return rules_together("these", parse_rules(text, "here"))


def test_boards_without_walls_are_all_there() -> None:
    corners = [board.notation for board in plain_boards(Boards.CORNERS, 6)]
    assert corners == ["1x6", "2x3", "3x2", "6x1"]
    squares = [board for board in plain_boards(Boards.PLAIN, 9) if board.rows == 3]
    ends = permutations(range(9), 2)
    plain = [Board(3, 3, a, b) for a, b in ends if 4 not in (a, b)]
    assert squares == [board for board in plain if count_completions(Position(board))]


@pytest.mark.parametrize("kind", [Boards.CORNERS, Boards.PLAIN, Boards.ANY])
def test_a_wrong_ban_is_the_smallest(kind: Boards) -> None:
    fault = WrongRule(rules_of(NEVER_AHEAD), "never-ahead", kind, SEARCH)
    large = Position.parse("5:RR")
    assert fault.moves(large) == "R"
    small = smallest_wrong(fault, large)
    assert small.board.open_cells == 3
    assert len(small.walk) == 2
    assert fault.moves(small)


def test_the_cause_of_two_dead_moves_is_the_later_one() -> None:
    position = Position.parse("5:RRRRDLLDD")
    causes = [cause(position, moves) for moves in ("R", "D", "RD")]
    assert causes == ["forced-edges", "fragments", "fragments"]


PLAIN = rules_of(NEVER_AHEAD + NEVER_RIGHT)
STOPS = rules_of(rule_text("never-ahead", "x\n@", "stops = true\n") + NEVER_RIGHT)
UNLESS = rules_of(
    NEVER_RIGHT + rule_text("never-ahead", "x\n@", 'unless = ["never-right"]\n')
)
LINES = rules_of(rule_text("never-right", "F ?\n@ x") + rule_text("other", "F ?\nx @"))


@pytest.mark.parametrize(
    ("rules", "name", "enough"),
    [
        (load_rules("found-5,forced-edges"), "found-5-1", 1),
        (load_rules("forced-edges,found-5,fragments"), "forced-edges", 2),
        (PLAIN, "never-right", 1),
        (STOPS, "never-right", 2),
        (UNLESS, "never-ahead", 2),
        (LINES, "never-right", 2),
    ],
    ids=["drawn", "universal", "plain", "stops", "unless", "lines"],
)
def test_the_part_of_a_set_that_is_enough(
    rules: RuleSet, name: str, enough: int
) -> None:
    part = part_with(rules, name).rules
    assert len(part) == enough
    assert name in [rule.name for rule in part]
