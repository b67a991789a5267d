"""Cells as they are seen from a cell: the page of a drawing, for kernels.

A *view* is four numbers: row and column of the cell looked from, the direction that is
ahead and the one that is left. An offset (left, ahead) counts from there, as in
drawings. In a mirrored view left is where right was.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints: TypeAlias = npt.NDArray[np.int32]
View: TypeAlias = tuple[int, int, int, int]
Numbers: TypeAlias = tuple[int, int, int]

FREE, VISITED, OUTSIDE = (
    1,
    2,
    4,
)  # what `look` answers, as `drawing.State`

_DOWN = (-1, 0, 1, 0)
_ACROSS = (0, 1, 0, -1)


@njit
def view_from(cell: int, cols: int, heading: int, turn: int, mirrored: bool) -> View:
    """Kernel: look from a cell with the page turned clockwise `turn` times, 0 to 3.

    As placements of drawings: the page is turned, then mirrored, then laid along the
    heading, so a mirrored page is turned the other way round.
    """
    if mirrored:
        return (
            cell // cols,
            cell % cols,
            (heading + 4 - turn) % 4,
            (heading + 5 - turn) % 4,
        )
    return cell // cols, cell % cols, (heading + turn) % 4, (heading + turn + 3) % 4


@njit
def spot(view: View, left: int, ahead: int) -> tuple[int, int]:
    """Kernel: (row, col) of an offset, on the board or not."""
    row = view[0] + ahead * _DOWN[view[2]] + left * _DOWN[view[3]]
    col = view[1] + ahead * _ACROSS[view[2]] + left * _ACROSS[view[3]]
    return row, col


@njit
def cell_at(board: Numbers, view: View, left: int, ahead: int) -> int:
    """Kernel: the cell of an offset; -1 when it is not on the board."""
    row, col = spot(view, left, ahead)
    if not (0 <= row < board[0] and 0 <= col < board[1]):
        return -1
    return row * board[1] + col


@njit
def look(order: Ints, board: Numbers, view: View, left: int, ahead: int) -> int:
    """Kernel: FREE, VISITED or OUTSIDE, the state of an offset."""
    cell = cell_at(board, view, left, ahead)
    if cell < 0 or order[cell] == -2:
        return OUTSIDE
    return FREE if order[cell] == -1 else VISITED


@njit
def moved(view: View, left: int, ahead: int, turned: bool) -> View:
    """Kernel: the view from an offset; turned, what was right is ahead."""
    row, col = spot(view, left, ahead)
    if turned:
        return row, col, (view[3] + 2) % 4, view[2]
    return row, col, view[2], view[3]


@njit
def mirror(view: View) -> View:
    """Kernel: the view with left and right exchanged."""
    return view[0], view[1], view[2], (view[3] + 2) % 4


@njit
def free_moves(order: Ints, board: Numbers, cell: int) -> int:
    """Kernel: the free neighbours of a cell as bits, U = 1 ... L = 8."""
    mask = 0
    for d in range(4):
        row, col = cell // board[1] + _DOWN[d], cell % board[1] + _ACROSS[d]
        if 0 <= row < board[0] and 0 <= col < board[1]:
            mask |= (order[row * board[1] + col] == -1) << d
    return mask
