"""Cases of knight's tours are replayed: boards, stuck walks, starts without a tour.

What can be completed is asked of the search and of the SAT formula, which share
no code.
"""

from typing import Any

import pytest

from solver.puzzles.knight.search import RULES, Status, search, walk
from solver.puzzles.knight.tour import Tour
from tests.doubles.knight_sat import sat_tour
from tests.puzzles.samples import cases
from verify.puzzles.knight.boards import read_numbers
from verify.puzzles.knight.judge import judge, tour_fault


def completable(rows: int, cols: int, begun: Tour, *, closed: bool = False) -> bool:
    """Whether search or formula complete a walk; none of them may contradict."""
    found = search(rows, cols, begun, closed=closed, steps=300_000)
    asked = sat_tour(rows, cols, begun, closed=closed)
    for one in (found, asked):
        if one.tour is not None:
            assert tour_fault(one.tour, rows, cols) is None
            assert one.tour[: len(begun)] == begun
    assert len({found.status, asked.status} - {Status.UNKNOWN}) == 1
    return Status.FOUND in (found.status, asked.status)


@pytest.mark.parametrize("case", cases("knight"), ids=lambda case: case["name"])
def test_case_still_shows_what_it_claims(case: dict[str, Any]) -> None:
    if case["kind"] == "judged":
        found = judge(read_numbers(case["numbers"]))
        assert [c.number for c in found.conditions if c.holds] == case["holds"]
        return
    (rows, cols), (row, col) = case["board"], case["start"]
    start = (row - 1) * cols + col - 1
    if case["kind"] == "none":
        assert not completable(rows, cols, (start,), closed=case["closed"])
        return
    walked = walk(rows, cols, start, rule=case["rule"], seed=case["seed"])
    cells = tuple(map(int, walked))
    assert len(cells) == case["cells"] < rows * cols
    assert completable(rows, cols, cells[: case["blame"] - 1])
    assert not completable(rows, cols, cells[: case["blame"]])


@pytest.mark.parametrize(
    ("side", "served"), [(5, [9, 10, 13, 9]), (6, [35, 36, 36, 32])]
)
def test_how_many_starts_the_rules_serve(side: int, served: list[int]) -> None:
    """The figures of the page; 13 cells of 5 x 5 begin a tour, all of 6 x 6."""
    for rule, wanted in zip(RULES, served, strict=True):
        walks = [walk(side, side, cell, rule=rule, seed=0) for cell in range(side**2)]
        full = [one.tolist() for one in walks if len(one) == side**2]
        assert len(full) == wanted
        assert all(tour_fault(one, side, side) is None for one in full)
