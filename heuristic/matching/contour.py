"""Counts of areas from one walk around the free cells, in place of a fill each.

The *contour* is the sides that free cells turn to cells that are not free, in the order
in which somebody meets them who goes clockwise around each piece of the free cells. The
sizes of what lies to the right of a path add up along it (Green's theorem), so two sums
along the contour, made once a step, give those of any arc in two looks.

The line of an area cuts its piece in two: it comes from a cell that is not free and
runs into one. What goes around the area is an arc of the contour, and the outer sides
of the line, which `heuristic.matching.tables` counts beforehand. Both ends of the line
must lie on one part of the contour, and no piece may have a hole; `fill_shape` is asked
otherwise.
"""

from typing import NamedTuple

from heuristic.matching.tables import (
    COL,
    FROM,
    FROM_SIDE,
    FROM_THEN,
    IS_FREE,
    LINE,
    LINE_END,
    MORE,
    ROW,
    TINT,
    TO,
    TO_SIDE,
    TO_THEN,
    WIDE,
    Ints,
)
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


def contour_size(cells: int) -> int:
    """Return the number of int32 entries that `contour_of` cuts up."""
    return 20 * cells + 2


@njit
def contour_of(room: Ints, begin: int, cells: int) -> Contour:
    """Kernel: cut `contour_size` entries from `begin` into arrays; fills nothing."""
    n = 4 * cells
    return Contour(
        room[begin : begin + n],
        room[begin + n : begin + 2 * n],
        room[begin + 2 * n : begin + 3 * n + 1],
        room[begin + 3 * n + 1 : begin + 4 * n + 2],
        room[begin + 4 * n + 2 : begin + 5 * n + 2],
    )


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
def count_shape(
    board: tuple[int, int, int],
    live_end: int,
    shape: Ints,
    offsets: Ints,
    contour: Contour,
) -> tuple[int, int]:
    """Kernel: size and black cells of an area, as `fill_shape` counts them.

    Returns (-1, 0) for an area that holds the end cell, and (-2, 0) where the contour
    does not say it.
    """
    _, cols, end = board
    row0, col0 = live_end // cols, live_end % cols
    first = live_end + offsets[shape[FROM], ROW] * cols + offsets[shape[FROM], COL]
    last = live_end + offsets[shape[TO], ROW] * cols + offsets[shape[TO], COL]
    first = _side(contour, first, shape[FROM_SIDE], shape[FROM_THEN], cols)
    last = _side(contour, last, shape[TO_SIDE], shape[TO_THEN], cols)
    known = -1
    for side in range(4):
        known = max(known, contour.at[4 * end + side])
    if min(first, last, known) < 0 or contour.part[first] != contour.part[last]:
        return -2, 0
    if contour.part[known] == contour.part[first]:
        if first <= last and first <= known <= last:
            return -1, 0
        if first > last and (known >= first or known <= last):
            return -1, 0
    ahead, aside = end // cols - row0, end % cols - col0
    for k in range(shape[LINE], shape[LINE_END]):
        if offsets[k, ROW] == ahead and offsets[k, COL] == aside:
            return -1, 0
    size = _along(contour.sizes, contour, first, last) + shape[WIDE]
    size += shape[MORE] * col0
    tint = _along(contour.tints, contour, first, last) * (1 - 2 * ((row0 + col0) & 1))
    return size, (size + (tint + shape[TINT]) // 2) // 2
