"""Ranks in left-first order: against listings, and figures found another way."""

from collections.abc import Iterator

import pytest

from solver.board import Board, Position
from solver.counting.count import left_first, rank, unrank
from solver.errors import OptionError


def listed(position: Position) -> Iterator[Position]:
    """List the complete walks that begin as a position does, left first."""
    if position.complete:
        yield position
    for move in left_first(position):
        yield from listed(position.step(move))


@pytest.mark.no_cover
@pytest.mark.parametrize("text", ["3", "5", "3x5", "4@2,2>1,2", "5!2,4;3,4"])
def test_ranks_are_those_of_a_listing(text: str) -> None:
    board = Board.parse(text)
    walks = list(listed(Position(board)))
    for number in range(0, len(walks), 7):
        assert rank(walks[number]) == number
        assert unrank(board, number) == walks[number]
        place = walks[number].back(3)  # the first walk that begins so has its rank
        same = [w.walk[: len(place.walk)] == place.walk for w in walks]
        assert rank(place) == same.index(True)
    for number in (-1, len(walks)):
        with pytest.raises(OptionError, match=f"rank {number} is not below"):
            unrank(board, number)


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
