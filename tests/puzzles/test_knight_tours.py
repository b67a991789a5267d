"""Tours of any board: theorems, walks, exact search and the SAT oracle."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.puzzles.knight import Status, all_tours, find_tour, why_none
from tests.doubles.knight_sat import sat_tour
from tests.puzzles.knights import near, walks_on
from tests.puzzles.samples import cases
from verify.puzzles.judge import board_of, judge_board
from verify.puzzles.knight import read_numbers


def assert_tour(rows: int, cols: int, start: int, *, closed: bool) -> None:
    result = find_tour(rows, cols, start, closed=closed)
    assert result.tour is not None, (rows, cols, start, closed, result.by)
    assert judge_board(board_of(result.tour, rows, cols)).tour
    assert result.tour[0] == start
    assert not closed or start in near(result.tour[-1], rows, cols)


@pytest.mark.parametrize(("rows", "cols", "directed"), [(5, 4, 164), (3, 4, 16)])
def test_published_counts(rows: int, cols: int, directed: int) -> None:
    starts = range(rows * cols)
    tours = [tour for cell in starts for tour in all_tours(rows, cols, cell) if tour]
    assert len(tours) == directed


@given(st.integers(1, 4), st.integers(1, 5), st.booleans(), st.data())
@settings(max_examples=20, deadline=None)
def test_all_tours_are_those_of_walking_everywhere(
    rows: int, cols: int, closed: bool, data: st.DataObject
) -> None:
    if rows * cols > 16:
        cols = 4
    start = data.draw(st.integers(0, rows * cols - 1))
    naive = [
        tour
        for tour in walks_on((start,), rows, cols)
        if not closed or start in near(tour[-1], rows, cols)
    ]
    tours = filter(None, all_tours(rows, cols, start, closed=closed))
    assert sorted(tours) == sorted(naive)
    answer = sat_tour(rows, cols, (start,), closed=closed)
    assert answer in naive if naive else answer is None
    result = find_tour(rows, cols, start, closed=closed)
    assert result.tour in naive if naive else result.status is Status.NONE


def test_theorems_agree_with_the_oracle_on_small_boards() -> None:
    for rows in range(1, 7):
        for cols in range(rows, 8):
            if rows * cols == 1:
                continue
            closed = sat_tour(rows, cols, (0,), closed=True) is not None
            assert closed == (why_none(rows, cols, 0, closed=True) is None), (
                rows,
                cols,
            )
            for start in range(rows * cols) if rows * cols <= 20 else (0, 1, cols + 1):
                if why_none(rows, cols, start):
                    assert sat_tour(rows, cols, (start,)) is None, (rows, cols, start)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(3, 10), (3, 100), (4, 97), (5, 6), (5, 100), (7, 99), (13, 17), (40, 31)],
)
def test_boards_have_open_tours_and_closed_ones_where_they_can(
    rows: int, cols: int
) -> None:
    assert_tour(rows, cols, 0, closed=False)
    if why_none(rows, cols, 0, closed=True) is None and cols < 100:
        assert_tour(rows, cols, 0, closed=True)


@pytest.mark.parametrize(
    ("rows", "cols", "start", "closed", "word"),
    [
        (4, 4, 0, False, "4 x 4 has none"),
        (2, 9, 0, False, "along the board"),
        (1, 5, 0, False, "not at all"),
        (5, 5, 0, True, "changes the colour"),
        (5, 5, 1, False, "begins on the colour of the corners"),
        (4, 10, 0, True, "Schwenk"),
        (3, 8, 0, True, "Schwenk"),
        (4, 7, 7, False, "outer cells of one colour only"),
        (3, 7, 10, False, "every walk was tried"),
    ],
)
def test_reasons(rows: int, cols: int, start: int, closed: bool, word: str) -> None:
    result = find_tour(rows, cols, start, closed=closed)
    assert result.status is Status.NONE
    assert word in result.by


@pytest.mark.parametrize("case", cases("knight"), ids=lambda case: case["name"])
def test_case_still_shows_what_it_claims(case: dict[str, Any]) -> None:
    if case["kind"] == "judged":
        judgement = judge_board(read_numbers(case["numbers"]))
        assert [n for n in range(1, 8) if judgement.holds(n)] == case["holds"]
        return
    (rows, cols), (row, col) = case["board"], case["start"]
    start, closed = (row - 1) * cols + col - 1, case["closed"]
    assert find_tour(rows, cols, start, closed=closed).status is Status.NONE
    assert sat_tour(rows, cols, (start,), closed=closed) is None
