"""Small counterexamples are the smallest there are; exhaustion says so."""

from itertools import product

import pytest

from heuristic.boards import Boards
from heuristic.groups import drawn_rules, load_rules
from heuristic.rule import RuleSet
from heuristic.rules.rulefile import parse_rules
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from tests.doubles.frontier import count_completions
from tests.samples import NEVER_AHEAD, NEVER_RIGHT
from verify.shrink import WrongRule, part_with, plain_boards, smallest_wrong

SEARCH = get_oracle("search")


def rules_of(text: str) -> RuleSet:
    return drawn_rules("these", parse_rules(text, "here"))


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


def test_boards_of_another_kind_do_not_count() -> None:
    fault = WrongRule(rules_of(NEVER_RIGHT), "never-right", Boards.CORNERS, SEARCH)
    place = Position.parse("3x4@1,1>1,2:DR")
    assert fault.moves(place) == ""
    whole = WrongRule(rules_of(NEVER_RIGHT), "never-right", Boards.PLAIN, SEARCH)
    assert whole.moves(Position.parse("3@1,1>1,3:D")) in ("", "R", "D")


def test_the_part_of_a_set_that_is_enough() -> None:
    mixed = load_rules("found-5,forced-edges")
    assert [rule.name for rule in part_with(mixed, "found-5-1").rules] == ["found-5-1"]
    assert [r.name for r in part_with(mixed, "forced-edges").rules] == ["forced-edges"]
    stops = rules_of(NEVER_AHEAD.replace("claim", "stops = true\nclaim") + NEVER_RIGHT)
    assert len(part_with(stops, "never-right").rules) == 2
