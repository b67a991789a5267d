"""Cases of knight's tours are replayed: judged boards and starts without a tour."""

from typing import Any

import pytest

from solver.puzzles.knight.search import Status, find_tour
from tests.doubles.knight_sat import sat_tour
from tests.puzzles.samples import cases
from verify.puzzles.knight.boards import read_numbers
from verify.puzzles.knight.judge import judge


@pytest.mark.parametrize("case", cases("knight"), ids=lambda case: case["name"])
def test_case_still_shows_what_it_claims(case: dict[str, Any]) -> None:
    if case["kind"] == "judged":
        found = judge(read_numbers(case["numbers"]))
        assert [n for n in range(1, 8) if found.holds(n)] == case["holds"]
        return
    (rows, cols), (row, col) = case["board"], case["start"]
    start, closed = (row - 1) * cols + col - 1, case["closed"]
    assert find_tour(rows, cols, start, closed=closed).status is Status.NONE
    assert sat_tour(rows, cols, (start,), closed=closed) is None
