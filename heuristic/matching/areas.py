"""Areas of drawings: counted along the contour, or filled, and their conditions.

The semantics of areas stand in `heuristic.rules.drawing`; here they are carried out. A
*shape* is an area's line with its inside and outside cells, as (rows down, cols right)
from the live end of a walk that heads up. Areas that differ in their condition alone
share a shape, and a shape is counted at most once each time that the rules are asked.

Counts of areas from one walk around the free cells, in place of a fill each.

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
    BEYOND,
    COL,
    FREE_CELL,
    FROM,
    FROM_SIDE,
    FROM_THEN,
    HIGH,
    INSIDE,
    IS_FREE,
    IS_OUTSIDE,
    IS_VISITED,
    LEAST,
    LINE,
    LOW,
    MORE,
    NOT_END_CELL,
    OUTSIDE,
    PARITY,
    ROW,
    SHAPE,
    TINT,
    TO,
    TO_SIDE,
    TO_THEN,
    WIDE,
    Ints,
    Longs,
    Tables,
)
from solver.board import Board
from solver.jit import njit, njit_within


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


CLOSED, OPEN = 1, 2  # states of a shape
STEP, STAMP, TRACED, HAS_HOLES = range(4)  # of `Room.steps`
COUNTED_IN, STATE, SIZE, BLACK = range(4)  # columns of `Room.shapes`
STAMPED = -16  # bits of the look that are a stamp; the others are those of a need
_MANY = 64  # shapes from which on tracing the contour is faster than filling


class Room(NamedTuple):
    """What kernels write on between steps, on one board.

    - `steps`, (4,) int64: the number of the step; the stamp of the last fill; the step
      in which the contour was traced; whether it has holes.
    - `shapes`, (shapes, 4) int64: the step in which a shape was counted; `CLOSED` or
      `OPEN`; size; cells with the colour of the live end.
    - `look`, (n,) int32: the board with a margin, so wide that no cell of a drawing
      lies beyond, as bits of a need. Most tests are one look there, without a division
      or a test of bounds.
    - `origin`, `width`: where the first cell stands in it, and its columns.
    - `cols`: columns of the board.
    - `end`: the place of the end cell.
    - `stack`, (cells,) int32: cells to fill from.
    - `contour`: None where few shapes are counted.
    """

    steps: Longs
    shapes: Longs
    look: Ints
    origin: int
    width: int
    cols: int
    end: int
    stack: Ints
    contour: Contour | None


def new_room(board: Board, shapes: int, reach: int) -> Room:
    """Return arrays for `shapes` shapes whose cells lie up to `reach` away."""
    width = board.cols + 2 * reach
    width += 1 - width % 2  # odd: cells have the colours of their numbers
    return Room(
        steps=np.zeros(4, dtype=np.int64),
        shapes=np.zeros((shapes, 4), dtype=np.int64),
        look=np.full(width * (board.rows + 2 * reach), IS_OUTSIDE, dtype=np.int32),
        origin=reach * (width + 1),
        width=width,
        cols=board.cols,
        end=reach * (width + 1)
        + board.end // board.cols * width
        + board.end % board.cols,
        stack=np.zeros(board.cells, dtype=np.int32),
        contour=new_contour(board) if shapes >= _MANY else None,
    )


@njit
def place_of(room: Room, cell: int) -> int:
    """Kernel: where a cell stands in the look."""
    return int(room.origin + cell // room.cols * room.width + cell % room.cols)


@njit
def look_around(order: Ints, board: tuple[int, int, int], room: Room) -> None:
    """Kernel: begin a step: fill the look, and forget shapes and stamps."""
    room.steps[STEP] += 1
    room.steps[STAMP] = 0
    rows, cols, _ = board
    for row in range(rows):
        first, place = row * cols, room.origin + row * room.width
        for col in range(cols):
            at = order[first + col]
            bit = IS_VISITED if at >= 0 else IS_OUTSIDE
            room.look[place + col] = IS_FREE if at == FREE_CELL else bit
    room.look[room.end] |= NOT_END_CELL


@njit
def fill_shape(
    room: Room,
    here: int,
    down: int,
    right: int,
    shape: Ints,
    offsets: Ints,
    counts: Longs,
) -> bool:
    """Kernel: fill one shape around a place in the look; return whether it is closed.

    `down` and `right` are the steps of its rows and columns; `shape` is a row of
    `Tables.shapes`. What is found goes into `counts`, a row of `Room.shapes`; cells of
    a closed area carry the last stamp. At most 4 x cells steps; stops at the first cell
    that shows the area open.
    """
    look, stack, width, end = room.look, room.stack, room.width, room.end
    room.steps[STAMP] += -2 * STAMPED
    stamp = room.steps[STAMP]
    beyond = stamp + STAMPED  # marks the outside cells: one reached, the area is open
    counts[COUNTED_IN], counts[STATE] = room.steps[STEP], OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE + 1]):
        at = here + offsets[k, ROW] * down + offsets[k, COL] * right
        look[at] = look[at] & ~STAMPED | beyond
    size, black, top = 0, 0, 0
    for k in range(shape[LINE], shape[LINE + 1]):
        at = here + offsets[k, ROW] * down + offsets[k, COL] * right
        if at == end:
            return False
        look[at] = look[at] & ~STAMPED | stamp
        size += 1
        black += 1 - ((at - here) & 1)
    for k in range(shape[INSIDE], shape[INSIDE + 1]):
        at = here + offsets[k, ROW] * down + offsets[k, COL] * right
        if look[at] & IS_FREE == 0 or look[at] & STAMPED == stamp:
            continue
        if at == end:
            return False
        look[at] = look[at] & ~STAMPED | stamp
        stack[top] = at
        top += 1
    # the steps towards the end cell are pushed last and tried first: an area that
    # holds the end cell shows it soon, instead of after most of the board
    ahead = width if here // width < end // width else -width
    aside = 1 if here % width < end % width else -1
    while top > 0:
        top -= 1
        at = stack[top]
        size += 1
        black += 1 - ((at - here) & 1)
        for d in range(4):
            other = at + (ahead if d == 3 else aside if d == 2 else 0)
            other -= ahead if d == 0 else aside if d == 1 else 0
            state = look[other]
            if state & IS_FREE == 0 or state & STAMPED == stamp:
                continue
            if other == end or state & STAMPED == beyond:
                return False
            look[other] = state & ~STAMPED | stamp
            stack[top] = other
            top += 1
    counts[STATE], counts[SIZE], counts[BLACK] = CLOSED, size, black
    return True


@njit
def is_filled(room: Room, cell: int) -> bool:
    """Kernel: tell whether a cell belongs to the closed area that was filled last."""
    return bool(room.look[place_of(room, cell)] & STAMPED == room.steps[STAMP])


def filled_cells(room: Room, board: Board) -> tuple[int, ...]:
    """Return the cells of the closed area that was filled last, in order."""
    row, col = divmod(room.origin, room.width)
    page = room.look.reshape(-1, room.width)
    page = page[row : row + board.rows, col : col + board.cols]
    cells = np.flatnonzero(page & STAMPED == room.steps[STAMP])
    return tuple(cells.tolist())


def count_text(board: Board, cells: tuple[int, ...]) -> str:
    """Return the number of cells, black cells and white cells, as text.

    >>> count_text(Board.square(5), (0, 1, 2))
    '3 cells, 2 black and 1 white'
    """
    black = sum(map(board.black, cells))
    return f"{len(cells)} cells, {black} black and {len(cells) - black} white"


@njit
def count_along(
    contour: Contour | None,
    room: Room,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    shape: Ints,
    arc: Ints,
    offsets: Ints,
    counts: Longs,
) -> bool:
    """Kernel: do as `fill_shape` along the contour, if that says it; stamps nothing.

    The first argument is `Room.contour`: kernels without one are compiled without it.
    """
    if contour is None:
        return False
    if room.steps[TRACED] != room.steps[STEP]:
        room.steps[TRACED] = room.steps[STEP]
        whole = trace(room.look, room.origin, room.width, board, contour)
        room.steps[HAS_HOLES] = not whole
    if room.steps[HAS_HOLES] != 0:
        return False
    size, black = count_arc(board, live_end, heading, shape, arc, offsets, contour)
    if size < -1:
        return False
    counts[COUNTED_IN] = room.steps[STEP]
    counts[STATE] = OPEN if size < 0 else CLOSED
    counts[SIZE], counts[BLACK] = size, black
    return True


@njit_within
def area_holds(
    tables: Tables,
    number: int,
    room: Room,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
) -> bool:
    """Kernel: tell whether an area is closed and its condition holds."""
    shape_number = tables.areas[number, SHAPE]
    counts = room.shapes[shape_number]
    if counts[COUNTED_IN] != room.steps[STEP]:
        shape = tables.shapes[shape_number]
        arc = tables.arcs[4 * shape_number + heading]
        if not count_along(
            room.contour,
            room,
            board,
            live_end,
            heading,
            shape,
            arc,
            tables.offsets,
            counts,
        ):
            down, right = turned(room.width, heading)
            here = place_of(room, live_end)
            fill_shape(room, here, down, right, shape, tables.offsets, counts)
    size, area = counts[SIZE], tables.areas[number]
    if counts[STATE] != CLOSED or size < area[LEAST] or size & 1 == 1 - area[PARITY]:
        return False
    between = area[LOW] <= size - 2 * counts[BLACK] <= area[HIGH]
    return bool(between != (area[BEYOND] == 1))
