"""Pieces of a model, joined to one path."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board
from verify.proof.directed import Edge, joined


def squares(board: Board) -> set[Edge]:
    """Return the sides of unit squares that tile a board."""
    found = set()
    for row in range(0, board.rows, 2):
        for col in range(0, board.cols, 2):
            a = row * board.cols + col
            b, c = a + 1, a + board.cols
            found |= {(a, b), (a, c), (b, c + 1), (c, c + 1)}
    return found


def pieces(edges: set[Edge]) -> int:
    left = [set(side) for side in edges]
    count = 0
    while left:
        piece, size = left.pop(), 0
        while size < len(piece):
            size = len(piece)
            piece = piece.union(*(side for side in left if side & piece))
        left = [side for side in left if not side & piece]
        count += 1
    return count


@given(st.integers(1, 5), st.integers(1, 5))
@settings(deadline=None, max_examples=20)
def test_loops_become_one(high: int, wide: int) -> None:
    board = Board.parse(f"{2 * high}x{2 * wide}")
    found = joined(board, squares(board), [], lambda cell: True)
    assert pieces(found) == 1
    assert set(Counter(x for side in found for x in side).values()) == {2}


@given(st.data(), st.integers(1, 4), st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_what_is_locked_stays_and_kinds_keep_apart(
    data: st.DataObject, high: int, wide: int
) -> None:
    board = Board.parse(f"{2 * high}x{2 * wide}")
    before = squares(board)
    locked = data.draw(st.sets(st.sampled_from(sorted(before))))
    marked = data.draw(st.sets(st.integers(0, board.cells - 1)))
    found = joined(board, before, locked, marked.__contains__)
    assert locked <= found
    assert all((a in marked) == (b in marked) for a, b in found - before)
    assert Counter(x for side in found for x in side) == Counter(
        x for side in before for x in side
    )
    cols = board.cols
    assert all(
        b - a == cols or (b - a == 1 and b % cols) for a, b in found
    )  # steps of the board
    assert pieces(found) <= pieces(before)
