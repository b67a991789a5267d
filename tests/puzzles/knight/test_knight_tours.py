"""Tours of any board: theorems, search, weaving and the SAT oracle."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import BoardError, UnknownNameError
from solver.puzzles.knight.search import (
    RULES,
    Status,
    count_tours,
    degrees,
    search,
    walk,
    weave,
    why_no_closed_tour,
    why_no_open_tour,
)
from solver.puzzles.knight.tour import magic_sum, neighbours
from tests.doubles.knight_sat import sat_tour
from tests.puzzles.knight.samples import near, walks_on
from verify.puzzles.knight.finding import find_tour
from verify.puzzles.knight.judge import tour_fault


@pytest.mark.parametrize(
    ("rows", "cols", "directed"), [(5, 4, 164), (5, 5, 1728), (3, 4, 16), (4, 4, 0)]
)
def test_published_counts(rows: int, cols: int, directed: int) -> None:
    assert count_tours(rows, cols) == directed


@pytest.mark.slow
def test_published_counts_of_6_by_6() -> None:
    assert count_tours(6, 6) == 6_637_920
    assert count_tours(6, 6, closed=True) == 19_724


@given(st.integers(1, 4), st.integers(1, 5), st.booleans(), st.data())
@settings(max_examples=40, deadline=None)
def test_counting_agrees_with_walking_everywhere(
    rows: int, cols: int, closed: bool, data: st.DataObject
) -> None:
    if rows * cols > 16:
        cols = 4
    start = data.draw(st.integers(0, rows * cols - 1))
    naive = [
        tour
        for tour in walks_on((start,), rows, cols)
        if not closed or (rows * cols > 1 and start in near(tour[-1], rows, cols))
    ]
    found = search(rows, cols, (start,), closed=closed, steps=-1, most=0, seed=None)
    assert found.count == len(naive)
    asked = sat_tour(rows, cols, (start,), closed=closed)
    assert (asked.status is Status.FOUND) == bool(naive)
    if asked.tour is not None:
        assert asked.tour in naive
    if found.tour is not None:
        assert found.tour == naive[0]


@given(st.integers(3, 6), st.integers(4, 6), st.data())
@settings(max_examples=25, deadline=None)
def test_search_and_sat_agree_on_walks_begun(
    rows: int, cols: int, data: st.DataObject
) -> None:
    cells = [data.draw(st.integers(0, rows * cols - 1))]
    for _ in range(data.draw(st.integers(0, 12))):
        free = [one for one in neighbours(rows, cols)[cells[-1]] if one not in cells]
        if not free:
            break
        cells.append(data.draw(st.sampled_from(free)))
    closed = data.draw(st.booleans())
    begun = tuple(cells)
    found = search(rows, cols, begun, closed=closed, steps=-1)
    asked = sat_tour(rows, cols, begun, closed=closed)
    assert found.status is asked.status
    for one in (found, asked):
        if one.tour is not None:
            assert tour_fault(one.tour, rows, cols) is None
            assert one.tour[: len(begun)] == begun
            assert not closed or begun[0] in near(one.tour[-1], rows, cols)


def test_theorems_agree_with_the_oracle_on_small_boards() -> None:
    for rows in range(1, 7):
        for cols in range(rows, 8):
            closed = sat_tour(rows, cols, (0,), closed=True).status is Status.FOUND
            assert closed == (why_no_closed_tour(rows, cols) is None), (rows, cols)
            some = any(
                sat_tour(rows, cols, (start,)).status is Status.FOUND
                for start in range(rows * cols)
                if rows * cols <= 20 or start in (0, 1, cols, cols + 1, 2)
            )
            assert some == (why_no_open_tour(rows, cols) is None), (rows, cols)


@pytest.mark.parametrize(
    ("rows", "cols", "start"),
    [(12, 12, 77), (13, 17, 8), (5, 6, 3), (9, 5, 12), (200, 301, 1000)],
)
def test_woven_tours_are_tours(rows: int, cols: int, start: int) -> None:
    woven = weave(rows, cols, start)
    assert woven is not None
    assert woven[0] == start
    assert tour_fault(woven.tolist(), rows, cols) is None
    if rows * cols % 2 == 0:
        assert start in near(int(woven[-1]), rows, cols)


@pytest.mark.parametrize(
    ("rows", "cols", "closed", "word"),
    [
        (4, 4, False, "4 x 4 has none"),
        (2, 9, False, "never comes back"),
        (1, 5, False, "no knight can move"),
        (5, 5, True, "odd"),
        (4, 10, True, "outer and inner"),
        (3, 8, True, "Schwenk"),
    ],
)
def test_reasons(rows: int, cols: int, closed: bool, word: str) -> None:
    found = find_tour(rows, cols, 0, closed=closed)
    assert found.status is Status.NONE
    assert word in found.by


def test_no_tour_from_a_start_is_found_out() -> None:
    assert "colour" in find_tour(5, 5, 1).by
    nowhere = [s for s in range(12) if find_tour(3, 4, s).status is Status.NONE]
    assert nowhere == [s for s in range(12) if not any(walks_on((s,), 3, 4))]
    assert nowhere


@settings(deadline=None)
@given(
    st.integers(1, 12), st.integers(1, 12), st.sampled_from(RULES), st.integers(0, 9)
)
def test_rules_walk_as_they_say(rows: int, cols: int, rule: str, seed: int) -> None:
    cells = walk(rows, cols, 0, rule=rule, seed=seed).tolist()
    free = set(range(rows * cols))
    for place, cell in enumerate(cells):
        free.discard(cell)
        ahead = {
            one: sum(two in free for two in near(one, rows, cols))
            for one in near(cell, rows, cols)
            if one in free
        }
        if place + 1 < len(cells):
            worth = [v for v in ahead.values() if v or len(free) == 1]
            assert ahead[cells[place + 1]] == min(worth)
        else:
            assert not any(v or len(free) == 1 for v in ahead.values())
    assert degrees(rows, cols).tolist() == [len(one) for one in neighbours(rows, cols)]


def test_bad_input_is_refused() -> None:
    with pytest.raises(BoardError):
        find_tour(3000, 3000, 0)
    with pytest.raises(UnknownNameError):
        walk(5, 5, 0, rule="warnsdorf", seed=0)
    with pytest.raises(BoardError, match="odd"):
        magic_sum(5)
