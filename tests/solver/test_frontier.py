"""The readable double of the counting kernels."""

import pytest
from hypothesis import example, given, settings

from solver.board import Board, Position
from solver.oracles.brute import completions
from tests.doubles.frontier import count_completions
from verify.strategies import boards, positions

SMALL = positions(boards(max_side=5, max_walls=4, corners=False))


@pytest.mark.parametrize(
    ("side", "walks"), [(1, 1), (2, 0), (3, 2), (5, 104), (6, 0), (7, 111_712)]
)
def test_the_known_numbers_of_walks(side: int, walks: int) -> None:
    """OEIS A001184."""
    assert count_completions(Position(Board.square(side))) == walks


@settings(deadline=None, max_examples=400)
@given(SMALL)
@example(Position.parse("3x5@1,3>3,3:"))
@example(Position.parse("5x3@1,3>3,3!5,1:D"))
@example(Position.parse("2:RD"))
@example(Position.parse("1x2:"))
@example(Position.parse("2x3@1,1>1,2:R"))  # on the end cell, and not complete
def test_counts_are_those_of_a_naive_search(position: Position) -> None:
    assert count_completions(position) == sum(1 for _ in completions(position))
