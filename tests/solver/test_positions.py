import pytest

from solver import positions
from solver.board import Board
from solver.positions import completable_positions
from tests.doubles import positions as naive


@pytest.mark.parametrize(("side", "walks"), [(1, 1), (3, 2), (5, 104), (7, 111712)])
def test_the_known_numbers_of_walks(side: int, walks: int) -> None:
    """OEIS A001184."""
    assert completable_positions(Board.square(side)).walks == walks


@pytest.mark.parametrize(
    "board", ["3", "3x5", "4x4", "4x5", "3x4@1,2>3,4", "4x5!2,2", "5!2,3;4,4", "2"]
)
def test_every_completable_position_and_no_other(board: str) -> None:
    positions = {
        position.notation: set(moves)
        for position, moves in completable_positions(Board.parse(board))
    }
    assert positions == naive.completable_positions(Board.parse(board))


@pytest.mark.parametrize("text", ["5", "4x5!2,2", "1", "3x4@1,2>3,4"])
def test_slices_of_the_kernel_change_nothing(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.parse(text)
    whole = completable_positions(board)
    assert [whole.position(i) for i in range(len(whole))] == [p for p, _ in whole]
    monkeypatch.setattr(positions, "_ROUNDS", 3)
    completable_positions.cache_clear()
    again = completable_positions(board)
    assert again.walks == whole.walks
    assert list(again) == list(whole)
