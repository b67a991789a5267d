"""The source's order test and wall walk against the flood fill of the book."""

from dataclasses import replace

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.oracles.oracle import get_oracle
from solver.positions import completable_positions
from solver.symmetry import Symmetry
from tests.closing import (
    KINDS,
    Line,
    Order,
    closed_by_wall,
    compare,
    order_test,
    wall_walk,
)
from verify.corpus.cases import corpus_folder, find_case
from verify.trial.evidence import sampled_positions

# Eight cells on the left are cut off: the walk came around them and stands at (4, 3).
POSITION = Position.parse("6:RRRDLLLDDDDRRRU")
LINE = Line((4, 3), ((3, 3), (2, 3)), (1, 3), left=True, heading=0, mirrored=False)
AREA = {13, 14, 15, 19, 20, 21, 25, 26}


def test_the_wall_is_followed_around_an_area() -> None:
    assert order_test(POSITION, LINE, Order.SINGLE)
    assert set(closed_by_wall(POSITION, LINE, Order.SINGLE) or ()) == AREA
    other = replace(LINE, left=False)
    assert closed_by_wall(POSITION, other, Order.SINGLE) is None
    assert wall_walk(POSITION, other) is None


def test_mirrored_pages_say_the_same() -> None:
    position = Symmetry.TRANSPOSE.position(POSITION)
    line = Line((3, 4), ((3, 3), (3, 2)), (3, 1), left=True, heading=3, mirrored=True)
    area = {cell % 6 * 6 + cell // 6 for cell in AREA}
    assert set(closed_by_wall(position, line, Order.SINGLE) or ()) == area


def test_at_the_edge_the_sum_of_row_and_column_is_the_order() -> None:
    position = Position.parse("5:RDDDL")
    line = Line((3, 0), ((2, 0), (1, 0)), (-1, 0), True, 0, False)
    assert order_test(position, line, Order.DRAWN)
    right = Line((3, 0), ((2, 0), (1, 0)), (-1, 0), False, 0, False)
    assert not order_test(position, right, Order.DRAWN)


def test_meeting_the_end_cell_means_not_closed() -> None:
    position = Position.parse("5:DDRRU")
    assert wall_walk(position, Line((1, 2), ((0, 2),), (0, 1), False, 0, False)) is None
    beyond = Line((1, 2), ((1, 3), (1, 4)), (1, 5), False, 1, False)
    assert wall_walk(position, beyond) is None


def test_both_agree_on_5x5() -> None:
    tree = completable_positions(Board.square(5))
    rules = load_rules("sa-straight,sa-up-small").rules
    found = compare(rules, (tree.position(k) for k in range(len(tree))))
    assert found.positions == 1583
    assert found.closed > found.bare > 0
    assert set(found.counts.values()) == {0}


def test_the_kept_position_is_decided_otherwise() -> None:
    case = find_case("7x8-c810351257", corpus_folder())
    found = compare(load_rules("sa-up-big").rules, [case.position])
    assert found.counts == {KINDS[0]: 0, KINDS[1]: 1, KINDS[2]: 0}
    assert found.first[KINDS[1]].rule == "sa-up-big"
    assert not load_rules("sa-up-big").forbids(case.position)


@pytest.mark.slow
def test_both_agree_on_drawn_positions_but_seldom() -> None:
    oracle = get_oracle("search")
    known = sampled_positions(Board.square(9), 3000, seed=2, oracle=oracle)
    found = compare(load_rules("seed-2024").rules, (p for p, _ in known))
    assert sum(found.counts.values()) < found.closed / 100
    assert found.counts[KINDS[2]] == 0
