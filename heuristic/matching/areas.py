"""Areas of drawings: closed or open, their size and their black cells.

`heuristic.rules.drawing` defines areas. A *shape* is an area's line with its inside and
outside cells, without its condition. Cells are (rows down, cols right) from the live
end of a walk that heads up. A kernel counts each shape at most once a step, by a fill
or along the contour.

The *contour* is the sides that free cells turn to other cells, in the order of a
clockwise walk around each piece of the free cells. By Green's theorem the cells to the
right of a path add up along it. So two sums along the contour, made once a step, count
any arc of it by two look-ups.

The line of an area cuts its piece in two: it comes from a cell that is not free and
runs into another. An arc of the contour and the outer sides of the line surround the
area. `heuristic.matching.tables` counts these sides beforehand. If the ends of the line
lie on different parts of the contour, or a piece has a hole, a fill counts the area.
"""

from typing import NamedTuple

import numpy as np

from heuristic.matching.tables import (
    BEYOND,
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
    """The contour of a position, from `trace`: int32 arrays, (4 x cells + 1,).

    - `at`: the number of side U, R, D or L of each cell, or -1.
    - `part`: by side, the first side of the same part.
    - `sizes`, `tints`: sums over the sides before: cells to the right, and twice the
      surplus of cells with an even sum of row and column.
    - `ends`: by the first side of a part, one more than its last side.
    """

    at: Ints
    part: Ints
    sizes: Ints
    tints: Ints
    ends: Ints


def new_contour(board: Board) -> Contour:
    """Return the contour of a board before it is traced."""
    return Contour(*np.zeros((5, 4 * board.cells + 1), dtype=np.int32))


class Place(NamedTuple):
    """A live end on a board, which is (rows, columns, end)."""

    board: tuple[int, int, int]
    live_end: int
    heading: int


@njit
def turned(width: int, heading: int) -> tuple[int, int]:
    """Kernel: (down, right) of a walk that heads up, as steps in rows of a width."""
    if heading % 2 == 0:
        return (width, 1) if heading == 0 else (-width, -1)
    return (-1, width) if heading == 1 else (1, -width)


@njit
def offset(cell: Ints, down: int, right: int) -> int:
    """Kernel: how far away the cell is with which a row of a table begins."""
    return int(cell[0] * down + cell[1] * right)


CLOSED, OPEN = 1, 2  # states of a shape
STEP, STAMP, TRACED, HAS_HOLES = range(4)  # of `Room.steps`
COUNTED_IN, STATE, SIZE, BLACK = range(4)  # columns of `Room.shapes`
STAMPED = -16  # bits of the look that are a stamp; the others are those of a need
_MANY = 64  # with as many shapes, tracing the contour is faster than filling


class Room(NamedTuple):
    """The working memory of kernels on one board.

    - `steps`, (4,) int64: the number of the step; the stamp of the last fill; the step
      of the last trace; whether the contour has holes.
    - `shapes`, (shapes, 4) int64: the step of the last count; `CLOSED` or `OPEN`; size;
      cells with the colour of the live end.
    - `look`, (n,) int32: the board as bits of a need, with a margin so wide that all
      cells of drawings lie within. So a test of a cell needs no division and no bounds.
    - `origin`, `width`: the place of the first cell in the look, and its columns.
    - `cols`: columns of the board.
    - `end`: the place of the end cell.
    - `stack`, (cells,) int32: places to fill from.
    - `contour`: None for sets with few shapes.
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
    """Return arrays for a number of shapes, with cells up to `reach` away."""
    width = board.cols + 2 * reach
    width += 1 - width % 2  # odd: cells have the colours of their numbers
    row, col = divmod(board.end, board.cols)
    return Room(
        steps=np.zeros(4, dtype=np.int64),
        shapes=np.zeros((shapes, 4), dtype=np.int64),
        look=np.full(width * (board.rows + 2 * reach), IS_OUTSIDE, dtype=np.int32),
        origin=reach * (width + 1),
        width=width,
        cols=board.cols,
        end=reach * (width + 1) + row * width + col,
        stack=np.zeros(board.cells, dtype=np.int32),
        contour=new_contour(board) if shapes >= _MANY else None,
    )


@njit
def look_place(room: Room, cell: int) -> int:
    """Kernel: the place of a cell in the look."""
    return int(room.origin + cell // room.cols * room.width + cell % room.cols)


@njit
def look_around(order: Ints, board: tuple[int, int, int], room: Room) -> None:
    """Kernel: begin a step: fill the look, drop the counts and stamps before."""
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
    """Kernel: fill one shape around a place in the look; whether it is closed.

    `down` and `right` are the steps of its rows and columns, `shape` a row of
    `Tables.shapes`. Fills `counts`, a row of `Room.shapes`. Cells of a closed area
    carry the last stamp. Takes at most 4 x cells steps, and stops at the first cell
    that shows the area open.
    """
    look, stack, width, end = room.look, room.stack, room.width, room.end
    room.steps[STAMP] += -2 * STAMPED
    stamp = room.steps[STAMP]
    beyond = stamp + STAMPED  # of outside cells: a fill that meets it is open
    counts[COUNTED_IN], counts[STATE] = room.steps[STEP], OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE + 1]):
        at = here + offset(offsets[k], down, right)
        look[at] = look[at] & ~STAMPED | beyond
    size, black, top = 0, 0, 0
    for k in range(shape[LINE], shape[LINE + 1]):
        at = here + offset(offsets[k], down, right)
        if at == end:
            return False
        look[at] = look[at] & ~STAMPED | stamp
        size += 1
        black += 1 - ((at - here) & 1)
    for k in range(shape[INSIDE], shape[INSIDE + 1]):
        at = here + offset(offsets[k], down, right)
        if look[at] & IS_FREE == 0 or look[at] & STAMPED == stamp:
            continue
        if at == end:
            return False
        look[at] = look[at] & ~STAMPED | stamp
        stack[top] = at
        top += 1
    # The fill tries steps towards the end cell first. So an area with the end cell
    # shows that early, not after most of the board.
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
def fill_number(tables: Tables, number: int, room: Room, place: Place) -> None:
    """Kernel: fill the shape of a number around a live end."""
    here, counts = look_place(room, place.live_end), room.shapes[number]
    down, right = turned(room.width, place.heading)
    fill_shape(room, here, down, right, tables.shapes[number], tables.offsets, counts)


@njit
def is_filled(room: Room, cell: int) -> bool:
    """Kernel: whether a cell belongs to the closed area that was filled last."""
    return bool(room.look[look_place(room, cell)] & STAMPED == room.steps[STAMP])


@njit
def trace(room: Room, board: tuple[int, int, int], contour: Contour) -> bool:
    """Kernel: fill the contour; False where a piece has a hole.

    Stops at the hole.
    """
    rows, cols, _ = board
    look, origin, width = room.look, room.origin, room.width
    at, part, sizes, tints = contour.at, contour.part, contour.sizes, contour.tints
    at[:] = -1
    count, size, tint = 0, 0, 0
    row, column = 0, -1
    for start in range(rows * cols):
        column += 1
        if column == cols:
            row, column = row + 1, 0
        place = origin + row * width + column
        begins = look[place] & IS_FREE != 0 and look[place - width] & IS_FREE == 0
        if not begins or at[4 * start] >= 0:
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
            # the next cell along the side, and the cell beyond that side there
            down, right = (side & 1) * (2 - side), (1 - (side & 1)) * (1 - side)
            ahead = place + down * width + right
            beyond = ahead - right * width + down
            if look[ahead] & IS_FREE == 0:
                side = (side + 1) & 3
                continue
            place, cell = ahead, cell + down * cols + right
            col, tone = col + right, -tone
            if look[beyond] & IS_FREE != 0:
                place, cell = beyond, cell - right * cols + down
                col, tone, side = col + down, -tone, (side + 3) & 3
        contour.ends[first] = count
        if size < before:
            return False
    sizes[count], tints[count] = size, tint
    return True


@njit
def _along(sums: Ints, contour: Contour, first: int, last: int) -> int:
    more = sums[last + 1] - sums[first]
    if first > last:
        begin = contour.part[first]
        more += sums[contour.ends[begin]] - sums[begin]
    return int(more)


@njit
def _side(contour: Contour, cell: int, side: int, then: int, cols: int) -> int:
    """Kernel: the side where an arc begins or ends, see `Tables.arcs`; -1: none."""
    number = contour.at[4 * cell + side]
    if number < 0 and then >= 0:
        cell += (side - 1) * cols if side % 2 == 0 else 2 - side
        number = contour.at[4 * cell + then]
    return int(number)


@njit
def count_along(
    contour: Contour | None, room: Room, tables: Tables, number: int, place: Place
) -> tuple[int, int]:
    """Kernel: size and black cells of a shape, counted along the contour.

    (-1, 0) for an open area, and (-2, 0) where only a fill can count. Kernels without
    `contour`, which is that of the room, compile without it.
    """
    if contour is None:
        return -2, 0
    if room.steps[TRACED] != room.steps[STEP]:
        room.steps[TRACED] = room.steps[STEP]
        room.steps[HAS_HOLES] = not trace(room, place.board, contour)
    if room.steps[HAS_HOLES] != 0:
        return -2, 0
    (_, cols, end), live_end, heading = place
    shape, offsets = tables.shapes[number], tables.offsets
    arc = tables.arcs[4 * number + heading]
    down, right = turned(cols, heading)
    first = live_end + offset(offsets[arc[FROM]], down, right)
    first = _side(contour, first, arc[FROM_SIDE], arc[FROM_THEN], cols)
    last = live_end + offset(offsets[arc[TO]], down, right)
    last = _side(contour, last, arc[TO_SIDE], arc[TO_THEN], cols)
    end_at = -1
    for side in range(4):
        end_at = max(end_at, contour.at[4 * end + side])
    if min(first, last, end_at) < 0 or contour.part[first] != contour.part[last]:
        return -2, 0
    if contour.part[end_at] == contour.part[first]:
        after, before = end_at >= first, end_at <= last
        if (after and before) or (first > last and (after or before)):
            return -1, 0
    for k in range(shape[LINE], shape[LINE + 1]):
        if live_end + offset(offsets[k], down, right) == end:
            return -1, 0
    col, tone = live_end % cols, 1 - 2 * ((live_end // cols + live_end % cols) & 1)
    size = _along(contour.sizes, contour, first, last) + arc[WIDE] + arc[MORE] * col
    tint = _along(contour.tints, contour, first, last) * tone
    return size, (size + (tint + arc[TINT]) // 2) // 2


@njit_within
def area_holds(tables: Tables, area: Ints, room: Room, place: Place) -> bool:
    """Kernel: whether an area, a row of `Tables.areas`, is closed as it must be."""
    number = area[SHAPE]
    counts = room.shapes[number]
    if counts[COUNTED_IN] != room.steps[STEP]:
        size, black = count_along(room.contour, room, tables, number, place)
        if size < -1:
            fill_number(tables, number, room, place)
        else:
            counts[COUNTED_IN] = room.steps[STEP]
            counts[STATE] = OPEN if size < 0 else CLOSED
            counts[SIZE], counts[BLACK] = size, black
    size = counts[SIZE]
    if counts[STATE] != CLOSED or size < area[LEAST] or size & 1 == 1 - area[PARITY]:
        return False
    between = area[LOW] <= size - 2 * counts[BLACK] <= area[HIGH]
    return bool(between != (area[BEYOND] == 1))


def board_cells(room: Room, board: Board, places: Longs) -> tuple[int, ...]:
    """Return the cells of the board at some places of the look, in order."""
    row, col = np.divmod(np.unique(places) - room.origin, room.width)
    good = (row >= 0) & (row < board.rows) & (col < board.cols)
    return tuple((row * board.cols + col)[good].tolist())


def filled_cells(room: Room, board: Board) -> tuple[int, ...]:
    """Return the cells of the closed area that was filled last, in order."""
    places = np.flatnonzero(room.look & STAMPED == room.steps[STAMP])
    return board_cells(room, board, places)


def count_text(board: Board, cells: tuple[int, ...]) -> str:
    """Return the number of cells, black cells and white cells, as text.

    >>> count_text(Board.square(5), (0, 1, 2))
    '3 cells, 2 black and 1 white'
    """
    black = sum(map(board.black, cells))
    return f"{len(cells)} cells, {black} black and {len(cells) - black} white"
