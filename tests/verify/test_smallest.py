"""Small positions that show what a large one shows."""

from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings

from heuristic.groups import load_rules, rules_together
from heuristic.rule import Boards, RuleSet
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.doubles.frontier import count_completions
from tests.samples import NEVER_AHEAD, NEVER_RIGHT
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


def wants_a_corner(position: Position) -> bool:
    return position.moves.count("RD") >= 1


def test_a_claim_about_the_walk_shrinks_board_and_walk() -> None:
    big = Position.parse("9:RRDDRRUURRDDDDLLLL")
    small = minimise(big, wants_a_corner)
    assert wants_a_corner(small)
    # No board of odd sides is left out of reach: 2x2 is the smallest with a corner.
    assert small.notation == "2:RD"


def test_walls_are_used_only_when_allowed() -> None:
    def many_visited(position: Position) -> bool:
        return len(position.walk) >= 3 and position.unvisited >= 2

    big = Position.parse("5:RRDDLL")
    assert not minimise(big, many_visited).board.walls
    small = minimise(big, many_visited, walls=True)
    assert (small.board.open_cells, len(small.walk)) == (5, 3)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(positions(boards(corners=False, max_walls=3)))
def test_the_result_holds_and_is_no_larger(position: Position) -> None:
    def holds(candidate: Position) -> bool:
        return len(candidate.options()) == len(position.options())

    small = minimise(position, holds, walls=True)
    assert holds(small)
    assert size(small) <= size(position)
    assert minimise(small, holds, walls=True) == small


def test_a_detour_of_the_walk_is_left_out() -> None:
    def on_the_left(position: Position) -> bool:
        return position.board.rows == 5 and position.live_end == 10

    assert minimise(Position.parse("5:RDLD"), on_the_left).notation == "5:DD"


def rules_of(text: str) -> RuleSet:
    return rules_together("these", parse_rules(text, "here"))


def test_boards_without_walls_are_all_there() -> None:
    for kind, cells in product((Boards.CORNERS, Boards.PLAIN), (6, 9)):
        made = list(plain_boards(kind, cells))
        assert len(made) == len(set(made)) > 1
        for board in made:
            assert kind.admits(board)
            assert board.cells == cells
    found = [
        Board(3, 3, a, b)
        for a in range(9)
        for b in range(9)
        if a != b and Boards.PLAIN.admits(Board(3, 3, a, b))
    ]
    walked = {board for board in found if count_completions(Position(board))}
    assert walked <= {*plain_boards(Boards.PLAIN, 9)}


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


def test_the_part_of_a_set_that_is_enough() -> None:
    mixed = load_rules("found-5,forced-edges")
    assert [rule.name for rule in part_with(mixed, "found-5-1").rules] == ["found-5-1"]
    assert [r.name for r in part_with(mixed, "forced-edges").rules] == ["forced-edges"]
    stops = rules_of(NEVER_AHEAD.replace("claim", "stops = true\nclaim") + NEVER_RIGHT)
    assert len(part_with(stops, "never-right").rules) == 2
