"""Completing boards: SAT formula and search find the same."""

import json
import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import BoardError, OptionError, UnknownNameError
from solver.puzzles.knight.sat import semimagic_tours
from solver.puzzles.knight.search import Status
from solver.puzzles.knight.semimagic import completions
from tests.puzzles.knight.samples import (
    example_rows,
    example_tour,
    images,
    near,
    sums,
    walks_on,
)
from tests.runner import assert_refused, run
from verify.puzzles.knight.finding import complete, given_numbers, searched

ROWS = example_rows()


def kept(keep: set[int]) -> list[list[int]]:
    return [[one if one in keep else 0 for one in row] for row in ROWS]


@settings(max_examples=5, deadline=None)
@given(st.sets(st.integers(1, 64), min_size=32, max_size=32))
def test_half_of_the_numbers_erased(keep: set[int]) -> None:
    found = complete(kept(keep), oracle="sat", seconds=60, most=4)
    assert example_tour() in found.tours or not found.all
    for tour in found.tours:
        assert set(sums(tour)) == {260}
        assert all(ROWS[c // 8][c % 8] == k for k, c in enumerate(tour, 1) if k in keep)


def agree_on_prefix(tour: tuple[int, ...], count: int) -> None:
    rows = [[0] * 8 for _ in range(8)]
    for number, cell in enumerate(tour[:count], start=1):
        rows[cell // 8][cell % 8] = number
    by_search = searched(given_numbers(rows), 8)
    assert by_search is not None
    assert tour in by_search.tours
    asked = complete(rows, oracle="sat", seconds=600, most=100)
    assert asked.all
    assert set(asked.tours) == set(by_search.tours)


@pytest.mark.parametrize("count", [23, 25, 34, 40])
def test_formula_and_search_agree_on_prefixes(count: int) -> None:
    agree_on_prefix(example_tour(), count)


@pytest.mark.slow
@pytest.mark.parametrize("count", [20, 21])
def test_formula_and_search_agree_on_prefixes_of_20(count: int) -> None:
    agree_on_prefix(example_tour(), count)
    agree_on_prefix(images(example_tour())[1], count)


@pytest.mark.slow
def test_formula_and_search_agree_where_there_is_no_tour() -> None:
    none = 0
    for seed in range(6):
        rng = random.Random(seed)
        walk = list(example_tour()[:20])
        while len(walk) < 24:
            free = [one for one in near(walk[-1]) if one not in walk]
            walk.append(rng.choice(free))
        given = dict(enumerate(walk, start=1))
        found = list(islice(semimagic_tours(8, given, seconds=600), 1))
        assert None not in found
        assert bool(found) == bool(completions(tuple(walk)).tours)
        none += not found
    assert none


@settings(max_examples=10, deadline=None)
@given(st.sets(st.integers(1, 16), max_size=8), st.randoms())
def test_no_tour_of_4x4(numbers: set[int], rng: random.Random) -> None:
    """No tour of 4 x 4 exists, and the formula says so whatever is given."""
    cells = dict(zip(numbers, rng.sample(range(16), len(numbers)), strict=True))
    assert list(semimagic_tours(4, cells, seconds=60)) == []


def test_oracles_that_cannot_be_asked() -> None:
    with pytest.raises(OptionError, match="search"):
        complete(kept({1, 64}), oracle="search")
    with pytest.raises(UnknownNameError):
        complete(kept({1}), oracle="brute")


def test_the_end_may_be_given_instead() -> None:
    found = searched(given_numbers(kept(set(range(25, 65)))), 8)
    assert found is not None
    assert example_tour() in found.tours
    assert searched(given_numbers(kept({1, 2, 3})), 8) is None


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(images(example_tour())), st.integers(46, 60))
def test_any_walk_is_completed_as_a_naive_search_does(tour: object, k: int) -> None:
    assert isinstance(tour, tuple)
    naive = [one for one in walks_on(tour[:k]) if set(sums(one)) == {260}]
    assert list(completions(tour[:k]).tours) == naive


def test_what_cannot_be_completed() -> None:
    board = kept(set(range(1, 65)) - {1})
    board[0][0], board[0][1] = 0, 43
    with pytest.raises(BoardError):
        complete([[1, 1], [0, 0]])
    with pytest.raises(BoardError, match="odd"):
        complete([[0] * 5] * 5)
    assert complete([[1, 0, 0, 0], *[[0] * 4] * 3]).status is Status.NONE


def test_the_command() -> None:
    rows = [" ".join(str(one or ".") for one in row) for row in kept(set(range(1, 31)))]
    ran = run("knight", "complete", "-", "--json", stdin="\n".join(rows))
    first, last = map(json.loads, ran.out.splitlines())
    assert first["numbers"] == ROWS
    assert last["status"] == "found"
    words = ("knight", "complete", "-", "--json", "-n2", "--oracle")
    assert run(*words, "sat", stdin="\n".join(rows)).out == ran.out
    assert_refused(run(*words, "x", stdin="\n".join(rows)))
    assert run("knight", "complete", "-", stdin="1 . / . .").code == 1
    assert_refused(run("knight", "complete", "-", stdin="1 2 / . ."))
    assert_refused(run("knight", "complete", "-", stdin="1 . 3 . / . . . ."))
