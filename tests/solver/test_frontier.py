from collections import Counter

import pytest
from hypothesis import example, given, settings

from solver.board import Board, Position
from solver.errors import NoWalkError, OptionError
from solver.oracles import brute
from solver.oracles.frontier import UniformWalks, count_completions
from solver.oracles.oracle import Verdict, get_oracle
from verify.strategies.positions import boards, positions

SMALL = positions(boards(max_side=6, max_walls=4, corners=False))


@pytest.mark.parametrize(
    ("side", "walks"),
    [(1, 1), (2, 0), (3, 2), (5, 104), (6, 0), (7, 111_712), (9, 2_688_307_514)],
)
def test_the_known_numbers_of_walks(side: int, walks: int) -> None:
    """OEIS A001184."""
    assert count_completions(Position(Board.square(side))) == walks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "walks"),
    [(11, 1_445_778_936_756_068), (13, 17_337_631_013_706_758_184_626)],
)
def test_larger_known_numbers_of_walks(side: int, walks: int) -> None:
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
    assert count_completions(position) == brute.count_completions(position)


@settings(deadline=None, max_examples=30)
@given(positions(boards(min_side=7, max_side=9, max_walls=3, corners=False)))
def test_a_position_has_completions_when_sat_says_so(position: Position) -> None:
    verdict = get_oracle("sat").decide(position).verdict
    assert (count_completions(position) > 0) == (verdict is Verdict.COMPLETABLE)


def test_a_turned_board_has_as_many() -> None:
    for text, turned in (("3x9", "9x3"), ("4x7@1,2>4,2", "7x4@2,1>2,4")):
        one, other = (Position(Board.parse(board)) for board in (text, turned))
        assert count_completions(one) == count_completions(other) > 0


def test_the_limit_is_told_and_not_passed() -> None:
    place = Position.parse("9:")
    with pytest.raises(OptionError, match="more than 100 states of a frontier of 9"):
        count_completions(place, limit=100)
    with pytest.raises(OptionError, match="more than 100 states"):
        UniformWalks(place, seed=0, limit=100)


@settings(deadline=None, max_examples=150)
@given(SMALL)
def test_what_is_drawn_completes_the_position(position: Position) -> None:
    count = brute.count_completions(position)
    if not count:
        with pytest.raises(NoWalkError):
            UniformWalks(position, seed=1)
        return
    walks = UniformWalks(position, seed=1)
    assert walks.count == count
    drawn = walks.draw()
    assert drawn.complete
    assert drawn.walk[: len(position.walk)] == position.walk


def test_every_walk_is_drawn_equally_often() -> None:
    walks = UniformWalks(Board.square(5), seed=4)
    seen = Counter(walks.draw() for _ in range(104 * 50))
    assert len(seen) == 104
    # the chi-square statistic of 103 degrees of freedom is over 150 once in 500
    assert sum((n - 50) ** 2 / 50 for n in seen.values()) < 150


def test_a_seed_says_which_walks() -> None:
    first, again, other = (UniformWalks(Board.square(7), seed=s) for s in (4, 4, 5))
    drawn = [first.draw() for _ in range(5)]
    assert drawn == [again.draw() for _ in range(5)]
    assert drawn != [other.draw() for _ in range(5)]
