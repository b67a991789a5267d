"""Completing boards: CP-SAT and the search find the same."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import BoardError
from solver.knight.search import Status
from solver.knight.semimagic import completions
from tests.knight.samples import example_rows, example_tour, images, sums, walks_on
from tests.runner import assert_refused, run
from verify.knight.completing import complete, searched

ROWS = example_rows()


def kept(keep: set[int]) -> list[list[int]]:
    return [[one if one in keep else 0 for one in row] for row in ROWS]


@settings(max_examples=5, deadline=None)
@given(st.sets(st.integers(1, 64), min_size=32, max_size=32))
def test_half_of_the_numbers_erased(keep: set[int]) -> None:
    found = complete(kept(keep), seconds=60, most=4)
    assert example_tour() in found.tours
    for tour in found.tours:
        assert set(sums(tour)) == {260}
        assert all(ROWS[c // 8][c % 8] == k for k, c in enumerate(tour, 1) if k in keep)


@pytest.mark.parametrize("count", [34, 40])
def test_model_and_search_agree_on_prefixes(count: int) -> None:
    board = kept(set(range(1, count + 1)))
    by_search = searched(board)
    assert by_search is not None
    by_model = complete(board, seconds=60, most=100)
    assert by_model.all
    assert set(by_model.tours) == set(by_search.tours)
    assert example_tour() in by_search.tours


def test_the_end_may_be_given_instead() -> None:
    found = searched(kept(set(range(25, 65))))
    assert found is not None
    assert example_tour() in found.tours
    assert searched(kept({1, 2, 3})) is None


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
    for bad in ((), (0, 0), (0, 1), (99,)):
        with pytest.raises(BoardError):
            completions(bad)


def test_the_command() -> None:
    rows = [" ".join(str(one or ".") for one in row) for row in kept(set(range(1, 31)))]
    ran = run("knight", "complete", "-", "--json", stdin="\n".join(rows))
    first, last = map(json.loads, ran.out.splitlines())
    assert first["numbers"] == ROWS
    assert last["status"] == "found"
    assert run("knight", "complete", "-", stdin="1 . / . .").code == 1
    assert_refused(run("knight", "complete", "-", stdin="1 2 / . ."))
    assert_refused(run("knight", "complete", "-", stdin="1 . 3 . / . . . ."))
