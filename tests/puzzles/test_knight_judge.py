"""The judge of numbered boards, on boards judged by hand."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.puzzles.knights import example_rows, example_tour
from verify.puzzles.judge import board_of, judge_board

TOUR = example_tour()


def test_the_example_has_all_but_the_diagonals() -> None:
    judgement = judge_board(example_rows())
    assert [judgement.holds(n) for n in range(1, 8)] == [True] * 6 + [False]
    assert judgement.diagonals == (264, 256)
    assert judgement.rows == judgement.columns == (260,) * 8
    assert judgement.semimagic


def apart(a: int, b: int) -> set[int]:
    """Rows and columns between two cells of 8 x 8: 1 and 2 for a knight's move."""
    return {abs(a // 8 - b // 8), abs(a % 8 - b % 8)}


@settings(deadline=None)
@given(st.integers(0, 63), st.integers(0, 63))
@example(0, 2)  # the first three cells the other way round: still a tour
@example(0, 1)
def test_two_numbers_exchanged_are_a_tour_only_if_all_moves_are(a: int, b: int) -> None:
    cells = list(TOUR)
    cells[a], cells[b] = cells[b], cells[a]
    good = all(apart(x, y) == {1, 2} for x, y in pairwise(cells))
    assert good or a != b
    judgement = judge_board(board_of(cells, 8, 8))
    assert judgement.holds(2)
    assert judgement.tour == good
    if not good:
        assert "no knight's move apart" in str(judgement.faults[1])


@settings(deadline=None)
@given(st.integers(0, 63), st.integers(1, 64))
def test_a_number_written_over_is_missed(cell: int, number: int) -> None:
    rows = example_rows()
    old = rows[cell // 8][cell % 8]
    rows[cell // 8][cell % 8] = number
    judgement = judge_board(rows)
    if old == number:
        assert judgement.semimagic
        return
    assert not judgement.holds(1)
    assert judgement.faults[2] == f"{number} occurs more than once"
    assert not judgement.holds(3)
    assert not judgement.holds(4)
    assert not judgement.holds(6)


def test_other_boards() -> None:
    fault = judge_board([[1, 65], [3, 4]]).faults[2]
    assert fault == "65 at (1, 2) is not among 1 to 4"
    judgement = judge_board([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    assert judgement.tour
    assert judgement.diagonals is None
    assert judgement.faults[7] == "the board is not square"
    with pytest.raises(ValueError, match="one length"):
        judge_board([[1, 2], [3]])
    with pytest.raises(ValueError, match="one length"):
        judge_board([])
