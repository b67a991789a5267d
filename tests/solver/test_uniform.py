"""Walks drawn uniformly: every one, equally often."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.counting.count import LayerRun, TooLargeError, make_plan
from solver.counting.uniform import UniformWalks, _pick_below
from solver.errors import NoWalkError
from tests.doubles import frontier
from verify.strategies import boards, positions

SLOW = pytest.mark.slow
SMALL = positions(boards(max_side=6, max_walls=4, corners=False))


def surprise(seen: Counter[Position], kinds: int, draws: int) -> float:
    """Return how far counts are from even ones: chi-square, in standard deviations."""
    even = draws / kinds
    square = sum((n - even) ** 2 / even for n in seen.values())
    square += even * (kinds - len(seen))
    return float((square - (kinds - 1)) / (2 * (kinds - 1)) ** 0.5)


@settings(deadline=None, max_examples=60)
@given(SMALL)
def test_completions_are_numbered_one_by_one(position: Position) -> None:
    count = frontier.count_completions(position)
    if not count:
        with pytest.raises(NoWalkError):
            UniformWalks(position, seed=1)
        return
    walks = UniformWalks(position, seed=1)
    assert walks.count == count
    found = [walks.completion(number) for number in range(min(count, 40))]
    assert len(set(found)) == len(found)
    for walk in [*found, walks.completion(count - 1), walks.draw()]:
        assert walk.complete
        assert walk.walk[: len(position.walk)] == position.walk
    with pytest.raises(IndexError):
        walks.completion(count)


def test_every_walk_of_5x5_is_drawn_equally_often() -> None:
    walks = UniformWalks(Board.square(5), seed=4)
    seen = Counter(walks.draw() for _ in range(104 * 100))
    assert len(seen) == 104
    assert abs(surprise(seen, 104, 104 * 100)) < 3.5


@SLOW
def test_every_walk_of_7x7_is_drawn_equally_often() -> None:
    walks = UniformWalks(Board.square(7), seed=4)
    draws = 111_712 * 10
    seen = Counter(walks.draw() for _ in range(draws))
    assert abs(surprise(seen, 111_712, draws)) < 3.5


def test_a_seed_says_which_walks() -> None:
    first, again, other = (UniformWalks(Board.square(7), seed=s) for s in (4, 4, 5))
    drawn = [first.draw() for _ in range(5)]
    assert drawn == [again.draw() for _ in range(5)]
    assert drawn != [other.draw() for _ in range(5)]


def test_too_many_layers_are_refused_before_work_begins() -> None:
    with pytest.raises(TooLargeError, match=r"17: keeping all layers takes 5\.9 GB"):
        UniformWalks(Board.square(17), seed=0)


LIMBS = 3
NUMBERS = st.one_of(
    st.integers(0, 2 ** (64 * LIMBS) - 1),
    st.builds(
        lambda low, at: low + (1 << 64 * at), st.integers(0, 2), st.integers(0, 2)
    ),
)


def limbs_of(number: int) -> list[int]:
    return [number >> 64 * limb & 2**64 - 1 for limb in range(LIMBS)]


@settings(deadline=None, max_examples=120)
@given(NUMBERS, NUMBERS)
@example(1 << 128, 1)  # borrows through a limb of zeros
@example(1 << 64, (1 << 64) - 1)
@example(5, 5)
def test_numbers_of_several_limbs_are_subtracted(pick: int, number: int) -> None:
    run = LayerRun(make_plan(Position(Board.square(3))), limbs=LIMBS)
    layers = run.layers._replace(
        values=np.array(limbs_of(number), dtype=np.uint64), limbs=LIMBS
    )
    limbs = np.array(limbs_of(pick), dtype=np.uint64)
    below = _pick_below(layers, 0, limbs)
    assert below == (pick < number)
    left = pick if below else pick - number
    assert limbs.tolist() == limbs_of(left)
