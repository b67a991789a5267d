"""Counts of areas from one walk around the free cells, in place of a fill each.

The *contour* is the sides that free cells turn to cells that are not free, in the order
in which a clockwise walk around each piece of the free cells meets them. The sizes of
what lies to the right of a path add up along it (Green's theorem), so two sums along
the contour, made once a step, give those of any arc in two looks.

The line of an area cuts its piece in two: it comes from a cell that is not free and
runs into one. What goes around the area is an arc of the contour, and the outer sides
of the line, which `heuristic.matching.tables` counts beforehand. Both ends of the line
must lie on one part of the contour, and no piece may have a hole; otherwise the area is
filled.
"""

from typing import NamedTuple

import numpy as np

from heuristic.matching.tables import (
    COL,
    FROM,
    FROM_SIDE,
    FROM_THEN,
    IS_FREE,
    LINE,
    MORE,
    ROW,
    TINT,
    TO,
    TO_SIDE,
    TO_THEN,
    WIDE,
    Ints,
)
from solver.board import Board
from solver.jit import njit


class Contour(NamedTuple):
    """The contour of a position: int32 arrays, four sides a cell, by `trace`.

    - `at`, (4 x cells,): the number of side U, R, D or L of each cell, or -1.
    - `part`, (4 x cells,): the number of the first side of the same part.
    - `sizes`, `tints`, (4 x cells + 1,): cells to the right of the sides before; and
      twice the surplus of those with an even sum of row and column.
    - `ends`, (4 x cells,): one more than the last side of a part, by its first one.
    """

    at: Ints
    part: Ints
    sizes: Ints
    tints: Ints
    ends: Ints


def new_contour(board: Board) -> Contour:
    """Return the contour of a board before it is traced."""
    sides = 4 * board.cells
    lengths = (sides, sides, sides + 1, sides + 1, sides)
    return Contour(*(np.zeros(length, dtype=np.int32) for length in lengths))


@njit
def turned(width: int, heading: int) -> tuple[int, int]:
    """Kernel: (down, right) of a walk that heads up, as steps in rows of a width."""
    if heading % 2 == 0:
        return (width, 1) if heading == 0 else (-width, -1)
    return (-1, width) if heading == 1 else (1, -width)


@njit
def trace(
    look: Ints, origin: int, width: int, board: tuple[int, int, int], contour: Contour
) -> bool:
    """Kernel: follow the contour; False where a piece has a hole, and no more is known.

    The first cell of the board stands at `origin` in the look, whose rows are `width`
    apart.
    """
    rows, cols, _ = board
    at, part, sizes, tints = contour.at, contour.part, contour.sizes, contour.tints
    at[:] = -1
    count, size, tint = 0, 0, 0
    row, column = 0, -1
    for start in range(rows * cols):
        column += 1
        if column == cols:
            row, column = row + 1, 0
        place = origin + row * width + column
        if (
            look[place] & IS_FREE == 0
            or look[place - width] & IS_FREE != 0
            or at[4 * start] >= 0
        ):
            continue
        first, before, cell, side = count, size, start, 0
        col, tone = column, 1 - 2 * (row + column & 1)
        while at[4 * cell + side] < 0:
            at[4 * cell + side] = count
            part[count], sizes[count], tints[count] = first, size, tint
            count += 1
            if side & 1:
                size += col + 1 if side == 1 else -col
                tint += tone
            # one cell on along the side, and what lies behind that side there
            down, right = (side & 1) * (2 - side), (1 - (side & 1)) * (1 - side)
            ahead = place + down * width + right
            beside = ahead - right * width + down
            if look[ahead] & IS_FREE == 0:
                side = (side + 1) & 3
                continue
            place, cell, col, tone = (
                ahead,
                cell + down * cols + right,
                col + right,
                -tone,
            )
            if look[beside] & IS_FREE != 0:
                place, cell = beside, cell - right * cols + down
                col, tone, side = col + down, -tone, (side + 3) & 3
        contour.ends[first] = count
        if size < before:
            return False
    sizes[count], tints[count] = size, tint
    return True


@njit
def _along(sums: Ints, contour: Contour, first: int, last: int) -> int:
    """Kernel: what an arc adds to `sizes` or `tints`, with its first and last side."""
    more = sums[last + 1] - sums[first]
    if first > last:
        begin = contour.part[first]
        more += sums[contour.ends[begin]] - sums[begin]
    return int(more)


@njit
def _side(contour: Contour, cell: int, side: int, then: int, cols: int) -> int:
    """Kernel: where an arc begins or ends; see `Tables.shapes`. -1: nowhere."""
    number = contour.at[4 * cell + side]
    if number < 0 and then >= 0:
        cell += (side - 1) * cols if side % 2 == 0 else 2 - side
        number = contour.at[4 * cell + then]
    return int(number)


@njit
def count_arc(
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    shape: Ints,
    arc: Ints,
    offsets: Ints,
    contour: Contour,
) -> tuple[int, int]:
    """Kernel: size and black cells of an area, as a fill counts them.

    `shape` and `arc` are rows of `Tables.shapes` and, for the heading, `Tables.arcs`.
    Returns (-1, 0) for an area that holds the end cell, and (-2, 0) where the contour
    does not say it.
    """
    _, cols, end = board
    down, right = turned(cols, heading)
    first = live_end + offsets[arc[FROM], ROW] * down + offsets[arc[FROM], COL] * right
    last = live_end + offsets[arc[TO], ROW] * down + offsets[arc[TO], COL] * right
    first = _side(contour, first, arc[FROM_SIDE], arc[FROM_THEN], cols)
    last = _side(contour, last, arc[TO_SIDE], arc[TO_THEN], cols)
    end_at = -1
    for side in range(4):
        end_at = max(end_at, contour.at[4 * end + side])
    if min(first, last, end_at) < 0 or contour.part[first] != contour.part[last]:
        return -2, 0
    if contour.part[end_at] == contour.part[first]:
        if first <= last and first <= end_at <= last:
            return -1, 0
        if first > last and (end_at >= first or end_at <= last):
            return -1, 0
    for k in range(shape[LINE], shape[LINE + 1]):
        if live_end + offsets[k, ROW] * down + offsets[k, COL] * right == end:
            return -1, 0
    col, tone = live_end % cols, 1 - 2 * ((live_end // cols + live_end % cols) & 1)
    size = _along(contour.sizes, contour, first, last) + arc[WIDE] + arc[MORE] * col
    tint = _along(contour.tints, contour, first, last) * tone
    return size, (size + (tint + arc[TINT]) // 2) // 2
