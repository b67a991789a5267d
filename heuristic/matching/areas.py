"""Areas on a board: flood fill from a marked line, and counting.

The semantics stand in `heuristic.language.drawing`; here they are carried out. A
*shape* is an area's line with its inside and outside cells, as (rows down, cols right)
from the live end. Areas that differ in their condition alone share a shape, and a shape
is filled at most once a step.

Scratch, one int32 array of `scratch_size` entries, all zero at first:
``[0]`` the stamp of the last fill, ``[1]`` the number of the last step, then a stamp
a cell, a stack of cells, and four numbers a shape: step, state, size, black.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints = npt.NDArray[np.int32]

CLOSED, OPEN = 1, 2  # states of a shape
HEAD = 2  # entries of scratch before the stamps
_MANY = 1 << 30  # stamps before scratch is cleared


def scratch_size(cells: int, shapes: int) -> int:
    """Return the number of int32 entries that the kernels need between steps.

    >>> scratch_size(25, 3)
    64
    """
    return HEAD + 2 * cells + 4 * shapes


@njit
def next_step(scratch: Ints) -> None:
    """Forget the shapes of the last step; called once before a step's first fill."""
    if scratch[0] > _MANY or scratch[1] > _MANY:
        scratch[:] = 0
    scratch[1] += 1


@njit
def on_board_free(order: Ints, rows: int, cols: int, row: int, col: int) -> bool:
    """Tell whether (row, col) lies on the board and is free; checks nothing else."""
    inside = 0 <= row < rows and 0 <= col < cols
    return inside and order[row * cols + col] == -1


@njit
def fill_shape(
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    shape: Ints,
    offsets: Ints,
    scratch: Ints,
    slot: int,
) -> int:
    """Kernel: fill one shape around the live end and say CLOSED or OPEN.

    `board` is (rows, cols, end); `shape` is a row of `Tables.shapes`: bounds of its
    line, inside and outside cells in `offsets`. Size and black cells (colour of the
    live end) are left in ``scratch[slot + 2]`` and ``[slot + 3]``; cells of a closed
    area carry the stamp ``scratch[0]``. At most 4 x cells steps; stops at the first
    cell that shows the area open.
    """
    rows, cols, end = board
    row0, col0 = live_end // cols, live_end % cols
    end_row, end_col = end // cols, end % cols
    seen, stack = HEAD, HEAD + rows * cols
    scratch[0] += 2
    stamp = scratch[0]
    beyond = stamp - 1  # marks the outside cells: reaching one shows the area open
    scratch[slot] = scratch[1]
    scratch[slot + 1] = OPEN
    for k in range(shape[4], shape[5]):
        row, col = row0 + offsets[k, 0], col0 + offsets[k, 1]
        if on_board_free(order, rows, cols, row, col):
            scratch[seen + row * cols + col] = beyond
    size, black, top = 0, 0, 0
    for k in range(shape[0], shape[1]):
        row, col = row0 + offsets[k, 0], col0 + offsets[k, 1]
        cell = row * cols + col
        if cell == end:
            return OPEN
        scratch[seen + cell] = stamp
        size += 1
        black += 1 - ((row + col + row0 + col0) & 1)
    for k in range(shape[2], shape[3]):
        row, col = row0 + offsets[k, 0], col0 + offsets[k, 1]
        if not on_board_free(order, rows, cols, row, col):
            continue
        cell = row * cols + col
        if cell == end:
            return OPEN
        if scratch[seen + cell] != stamp:
            scratch[seen + cell] = stamp
            scratch[stack + top] = cell
            top += 1
    while top > 0:
        top -= 1
        cell = scratch[stack + top]
        row, col = cell // cols, cell % cols
        size += 1
        black += 1 - ((row + col + row0 + col0) & 1)
        # the steps towards the end cell are pushed last and tried first: an area that
        # holds the end cell shows it soon, instead of after most of the board
        down, right = 1 if row < end_row else -1, 1 if col < end_col else -1
        for d in range(4):
            r = row + (down if d == 3 else -down if d == 0 else 0)
            c = col + (right if d == 2 else -right if d == 1 else 0)
            if not on_board_free(order, rows, cols, r, c):
                continue
            other = r * cols + c
            if scratch[seen + other] == stamp:
                continue
            if other == end or scratch[seen + other] == beyond:
                return OPEN
            scratch[seen + other] = stamp
            scratch[stack + top] = other
            top += 1
    scratch[slot + 1] = CLOSED
    scratch[slot + 2] = size
    scratch[slot + 3] = black
    return CLOSED
