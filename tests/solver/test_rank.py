"""Ranks in left-first order: against listings, and figures found another way."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from solver.board import Board, Position
from solver.counting.count import left_first, rank, unrank
from solver.errors import OptionError
from verify.strategies import boards, positions


def listed(position: Position) -> Iterator[Position]:
    """List the complete walks that begin as a position does, left first."""
    if position.complete:
        yield position
    for move in left_first(position):
        yield from listed(position.step(move))


@pytest.mark.no_cover
@pytest.mark.parametrize("text", ["3", "5", "5x3", "3x5", "4@2,2>1,2", "5!2,4;3,4"])
def test_ranks_are_those_of_a_listing(text: str) -> None:
    board = Board.parse(text)
    for number, walk in enumerate(listed(Position(board))):
        if number % 3 == 0 or number < 9:
            assert rank(walk) == number
            assert unrank(board, number) == walk
    with pytest.raises(OptionError, match=f"rank {number + 1} is not below"):
        unrank(board, number + 1)
    with pytest.raises(OptionError, match="rank -1 is not below"):
        unrank(board, -1)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=25)
@given(positions(boards(max_side=4, max_walls=2, corners=False)))
def test_ranks_of_positions_count_the_walks_before(position: Position) -> None:
    before = 0
    for walk in listed(Position(position.board)):
        if _comes_before(walk, position):
            before += 1
    assert rank(position) == before


def _comes_before(walk: Position, position: Position) -> bool:
    """Compare step by step; a walk that goes on from the position is not before."""
    place = Position(position.board)
    for one, other in zip(walk.moves, position.moves, strict=False):
        if one != other:
            order = left_first(place)
            return order.index(one) < order.index(other)
        place = place.step(one)
    return False


@pytest.mark.parametrize(
    ("moves", "number"),
    [  # where left-first runs of rules got stuck, in docs/tables/milestones.md
        ("RRRRRRRRDDDDDDDLLLLLLLURURDRUULURURRDLD", 13_848),
        ("RRRRRRRRDDDDDDDLLLLLLLURURDRRRRUUUUULLLLDLULLDRDLDRDLDDDRRRRRRR", 14_404),
        # the dead step of the researcher's file 2023_1010_1
        ("RRRRRRRRDDDDDDDLLLLLLLURURDRURDRRULURULURULLDLULDL", 14_014),
    ],
)
def test_ranks_of_known_positions_of_9x9(moves: str, number: int) -> None:
    assert rank(Position.parse(f"9:{moves}")) == number


def test_there_and_back_on_11x11() -> None:
    board = Board.square(11)
    for number in (1_445_778_936_756_067, 10**15):
        assert rank(unrank(board, number)) == number
