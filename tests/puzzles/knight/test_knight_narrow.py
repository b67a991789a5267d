"""Boards of three and four rows, and small ones without compiled kernels."""

import subprocess
import sys
from importlib import import_module

import pytest

from solver.jit import plain
from solver.puzzles.knight.search import (
    RULES,
    Status,
    search,
    strip_tour,
    walk,
    weave,
    why_no_closed_tour,
    why_no_open_tour,
    why_not_from,
)
from tests.doubles.knight_sat import sat_tour
from tests.puzzles.knight.samples import near
from verify.puzzles.knight.finding import find_tour
from verify.puzzles.knight.judge import tour_fault

LOADED = "print('numba' in sys.modules)"
WITHOUT_NUMBA = f"""
import sys
from verify.puzzles.knight.finding import find_tour
from solver.puzzles.knight.search import search, walk
{{}}
{LOADED}
"""


def said(lines: str, *, numba: bool = False) -> str:
    """Return what Python prints that has not imported numba, or has in the end."""
    command = [sys.executable, "-c", WITHOUT_NUMBA.format(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    out, loaded = done.stdout.strip().rsplit("\n", 1)
    assert loaded == str(numba)
    return out


@pytest.mark.parametrize(("rows", "most"), [(3, 9), (4, 6)])
def test_every_start_as_the_formula_and_every_theorem_say(rows: int, most: int) -> None:
    for cols in range(1, most):
        some = False
        for start in range(rows * cols):
            found = strip_tour(rows, cols, start)
            asked = sat_tour(rows, cols, (start,))
            assert (found is None) == (asked.tour is None), (rows, cols, start)
            if found:
                some = True
                assert found[0] == start
                assert tour_fault(found, rows, cols) is None
                assert why_not_from(rows, cols, start) is None
            elif rows == 4 and cols > 4:  # the reason is always told
                assert why_not_from(rows, cols, start)
        assert some == (why_no_open_tour(rows, cols) is None)
        closed = strip_tour(rows, cols, 0, closed=True)
        assert (closed is None) == (why_no_closed_tour(rows, cols) is not None)


@pytest.mark.slow
def test_exact_search_and_columns_agree_on_longer_boards() -> None:
    for rows, cols in ((3, 10), (3, 11), (3, 12), (4, 7), (4, 8)):
        for start in range(rows * cols):
            found = strip_tour(rows, cols, start)
            asked = sat_tour(rows, cols, (start,))
            assert (found is None) == (asked.tour is None), (rows, cols, start)


@pytest.mark.parametrize(
    ("rows", "cols", "start", "closed"),
    [
        (4, 1000, 2, False),
        (4, 301, 150, False),
        (1000, 4, 3, False),
        (3, 1000, 1500, True),
        (3, 999, 0, False),
        (701, 3, 1050, False),
    ],
)
def test_long_boards(rows: int, cols: int, start: int, closed: bool) -> None:
    found = find_tour(rows, cols, start, closed=closed)
    assert found.status is Status.FOUND
    assert found.tour is not None
    assert found.tour[0] == start
    assert tour_fault(found.tour, rows, cols) is None
    if closed:
        assert start in near(int(found.tour[-1]), rows, cols)


@pytest.mark.parametrize("start", [1000, 2999])
def test_long_boards_without_a_tour_say_why(start: int) -> None:
    found = find_tour(4, 1000, start)
    assert found.status is Status.NONE
    assert "outer" in found.by
    assert strip_tour(4, 12, 12) is None


def test_every_board_from_five_rows_on_is_woven_from_every_good_start() -> None:
    for rows, cols in ((5, 5), (5, 7), (7, 13), (9, 11), (15, 21)):
        for start in range(rows * cols):
            if why_not_from(rows, cols, start) or start > rows * cols // 2:
                continue
            tour = weave(rows, cols, start)
            assert tour is not None, (rows, cols, start)
            assert tour[0] == start
    assert weave(4, 9, 0) is None


def test_small_boards_are_done_without_numba_and_alike() -> None:
    cases = [(5, 4, 0, False), (3, 10, 0, True), (100, 100, 5, False), (8, 8, 3, True)]
    for rows, cols, start, closed in cases:
        line = f"print(*find_tour({rows}, {cols}, {start}, closed={closed}).tour)"
        tour = find_tour(rows, cols, start, closed=closed).tour
        assert tour is not None
        assert said(line).split() == [str(cell) for cell in tour]


def test_plain_kernels_walk_and_search_as_compiled_ones() -> None:
    cases = {
        f"[walk(n, n, 0, rule=r, seed=s).tolist() for r in {RULES} "
        "for n in (5, 8, 21) for s in range(3)]": [
            walk(n, n, 0, rule=rule, seed=seed).tolist()
            for rule in RULES
            for n in (5, 8, 21)
            for seed in range(3)
        ],
        "search(5, 5, (0,), steps=500)": search(5, 5, (0,), steps=500),
        "search(5, 5, (0,), steps=1000, most=9, seed=None)": search(
            5, 5, (0,), steps=1000, most=9, seed=None
        ),
        "search(5, 5, (0,), steps=-1, most=3)": search(5, 5, (0,), steps=-1, most=3),
        "search(5, 5, (0,), closed=True, steps=7, seed=2)": search(
            5, 5, (0,), closed=True, steps=7, seed=2
        ),
    }
    assert said(f"print([{', '.join(cases)}])") == str([*cases.values()])


def test_a_search_too_long_for_python_goes_on_compiled() -> None:
    found = search(6, 6, (0,), steps=30_000, most=0)
    assert found.steps == 30_000
    late = search(4, 10, (0,), steps=30_000, most=0, seed=None)  # after 23,351 steps
    assert late.count
    line = "print(search(6, 6, (0,), steps=30_000, most=0))"
    assert said(line, numba=True) == str(found)
    line = "print(search(4, 10, (0,), steps=30_000, most=0, seed=None))"
    assert said(line, numba=True) == str(late)


def test_plain_copies_leave_what_is_compiled_alone() -> None:
    before = import_module("solver.splitmix")
    copy = plain("solver.puzzles.knight.kernels")
    assert import_module("solver.splitmix") is before
    assert copy.below is not before.below
