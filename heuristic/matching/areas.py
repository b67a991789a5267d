"""Areas on a board: flood fill from a marked line, and counting.

The semantics stand in `heuristic.language.drawing`; here they are carried out. A
*shape* is an area's line with its inside and outside cells, as (rows down, cols right)
from the live end. Areas that differ in their condition alone share a shape, and a shape
is filled at most once a step.

Scratch, one int32 array of `scratch_size` entries, all zero at first:
``[0]`` the stamp of the last fill, ``[1]`` the number of the last step, then a stamp
a cell, a stack of cells, and four numbers a shape: step, state, size, black.
"""

from heuristic.matching.tables import (
    COL,
    FREE_CELL,
    INSIDE,
    INSIDE_END,
    LINE,
    LINE_END,
    OUTSIDE,
    OUTSIDE_END,
    ROW,
    Ints,
)
from solver.jit import njit

CLOSED, OPEN = 1, 2  # states of a shape
STAMP, STEP = 0, 1  # entries of scratch
HEAD = 2  # entries of scratch before the stamps
FILLED_IN, FILLED, SIZE, BLACK = range(4)  # entries of a shape: step, state, counts
_MANY = 1 << 30  # stamps before scratch is cleared


def scratch_size(cells: int, shapes: int) -> int:
    """Return the number of int32 entries that the kernels need between steps.

    >>> scratch_size(25, 3)
    64
    """
    return HEAD + 2 * cells + 4 * shapes


@njit
def slot_of(shape: int, cells: int) -> int:
    """Kernel: where the four numbers of a shape begin in scratch."""
    return HEAD + 2 * cells + 4 * shape


@njit
def next_step(scratch: Ints) -> None:
    """Forget the shapes of the last step; called once before a step's first fill."""
    if scratch[STAMP] > _MANY or scratch[STEP] > _MANY:
        scratch[:] = 0
    scratch[STEP] += 1


@njit
def on_board_free(order: Ints, rows: int, cols: int, row: int, col: int) -> bool:
    """Tell whether (row, col) lies on the board and is free; checks nothing else."""
    inside = 0 <= row < rows and 0 <= col < cols
    return inside and order[row * cols + col] == FREE_CELL


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
    live end) are left in ``scratch[slot + SIZE]`` and ``[slot + BLACK]``; cells of a
    closed area carry the stamp ``scratch[STAMP]``. At most 4 x cells steps; stops at
    the first cell that shows the area open.
    """
    rows, cols, end = board
    row0, col0 = live_end // cols, live_end % cols
    end_row, end_col = end // cols, end % cols
    seen, stack = HEAD, HEAD + rows * cols
    scratch[STAMP] += 2
    stamp = scratch[STAMP]
    beyond = stamp - 1  # marks the outside cells: reaching one shows the area open
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
        if on_board_free(order, rows, cols, row, col):
            scratch[seen + row * cols + col] = beyond
    size, black, top = 0, 0, 0
    for k in range(shape[LINE], shape[LINE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
        cell = row * cols + col
        if cell == end:
            return OPEN
        scratch[seen + cell] = stamp
        size += 1
        black += 1 - ((row + col + row0 + col0) & 1)
    for k in range(shape[INSIDE], shape[INSIDE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
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
    scratch[slot + FILLED] = CLOSED
    scratch[slot + SIZE] = size
    scratch[slot + BLACK] = black
    return CLOSED
