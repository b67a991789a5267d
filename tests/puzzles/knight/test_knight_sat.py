"""The SAT formula of semi-magic tours and the search find the same tours."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.puzzles.knight.search import StartClass, neighbours
from solver.puzzles.knight.semimagic import below
from tests.doubles.knight_semimagic_sat import semimagic_tours
from tests.puzzles.knight.samples import (
    Tour,
    example_tour,
    images,
    sums,
    walks_on,
)


def completions(walk: Tour) -> tuple[Tour, ...]:
    """Return what the search finds below any walk, wherever the tour may end."""
    colour = sum(divmod(walk[0], 8)) % 2
    finish = sum(1 << c for c in range(64) if sum(divmod(c, 8)) % 2 != colour)
    start = StartClass("any", walk[0], finish, neighbours(8, 8)[walk[0]])
    return below(walk, start=start).tours


def agree_on_prefix(tour: Tour, count: int) -> None:
    by_search = completions(tour[:count])
    assert tour in by_search
    given_cells = dict(enumerate(tour[:count], start=1))
    by_formula = list(semimagic_tours(8, given_cells, seconds=600))
    assert None not in by_formula
    assert sorted(filter(None, by_formula)) == sorted(by_search)


@pytest.mark.parametrize("count", [25, 34, 40])
def test_formula_and_search_agree_on_prefixes(count: int) -> None:
    agree_on_prefix(example_tour(), count)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(images(example_tour())), st.integers(46, 60))
def test_the_search_agrees_with_a_naive_one_below_any_walk(tour: Tour, k: int) -> None:
    naive = [one for one in walks_on(tour[:k]) if set(sums(one)) == {260}]
    assert list(completions(tour[:k])) == naive
