"""Areas of drawings: filled, or counted along the contour, and judged.

The semantics of areas stand in `heuristic.rules.drawing`; here they are carried out. A
*shape* is an area's line with its inside and outside cells, as (rows down, cols right)
from the live end. Areas that differ in their condition alone share a shape, and a shape
is filled at most once each time that the rules are asked.

Scratch is one int32 array from `blank_scratch`: `HEAD` numbers, four a shape (step,
state, size, black), what is forced, a stack of cells, and last the *look*: the board
with a margin, so wide that no cell of a drawing lies beyond, as bits of a need. Most
tests are one look there, without a division or a test of bounds.
"""

import numpy as np

from heuristic.matching.contour import contour_of, count_shape, trace
from heuristic.matching.tables import (
    BEYOND,
    COL,
    DETERMINED,
    FREE_CELL,
    HIGH,
    IMPAIR,
    INSIDE,
    INSIDE_END,
    IS_FREE,
    IS_OUTSIDE,
    IS_VISITED,
    KIND,
    LEAST,
    LINE,
    LINE_END,
    LOW,
    NOT_END_CELL,
    OUTSIDE,
    OUTSIDE_END,
    PAIR,
    ROW,
    SAME_COLOUR,
    WITHIN,
    Ints,
)
from solver.board import Board
from solver.jit import njit

CLOSED, OPEN = 1, 2  # states of a shape
# Entries of scratch: the number of the step, and of the step that the look is of; the
# stamp of the last fill; where stack and first cell of the look are; its and the
# board's columns.
STEP, LOOKED, STAMP, STACK, ORIGIN, WIDTH, COLS, CONTOUR, TRACED, HOLES = range(10)
HEAD = 10
FILLED_IN, FILLED, SIZE, BLACK = range(4)  # entries of a shape: step, state, counts
_STAMPED = -16  # bits of the look that are a stamp; the others are those of a need
_MANY = 1 << 30  # steps before scratch is cleared


def blank_scratch(
    board: Board, shapes: int, reach: int, more: int = 0, contour: int = 0
) -> Ints:
    """Return what the kernels write on between steps.

    `reach` is how far from the live end a cell may be looked at, `more` the room for
    what is forced, `contour` that for the contour of the free cells.
    """
    width = board.cols + 2 * reach
    width += 1 - width % 2  # odd: cells have the colours of their numbers
    stack = HEAD + 4 * shapes + more
    look = stack + board.cells
    end = look + width * (board.rows + 2 * reach)
    scratch = np.zeros(end + contour, dtype=np.int32)
    scratch[look:end] = IS_OUTSIDE
    begin = look + reach * (width + 1)
    scratch[STACK : CONTOUR + 1] = stack, begin, width, board.cols, end
    return scratch


@njit
def slot_of(shape: int) -> int:
    """Kernel: where the four numbers of a shape begin in scratch."""
    return HEAD + 4 * shape


@njit
def place_of(scratch: Ints, cell: int) -> int:
    """Kernel: where a cell stands in the look."""
    cols = scratch[COLS]
    return int(scratch[ORIGIN] + cell // cols * scratch[WIDTH] + cell % cols)


@njit
def next_step(scratch: Ints) -> None:
    """Forget the shapes of the last step; called once before a step's first fill."""
    if scratch[STEP] > _MANY:
        scratch[STEP] = scratch[LOOKED] = scratch[TRACED] = 0
        scratch[HEAD : scratch[STACK]] = 0
    scratch[STEP] += 1


@njit
def look_around(order: Ints, board: tuple[int, int, int], scratch: Ints) -> None:
    """Kernel: fill the look and forget all stamps, once a step."""
    if scratch[LOOKED] == scratch[STEP]:
        return
    scratch[LOOKED], scratch[STAMP] = scratch[STEP], 0
    rows, cols, end = board
    for row in range(rows):
        first, place = row * cols, scratch[ORIGIN] + row * scratch[WIDTH]
        for col in range(cols):
            at = order[first + col]
            bit = IS_VISITED if at >= 0 else IS_OUTSIDE
            scratch[place + col] = IS_FREE if at == FREE_CELL else bit
    scratch[place_of(scratch, end)] |= NOT_END_CELL


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
    look_around(order, board, scratch)
    width, end = scratch[WIDTH], place_of(scratch, board[2])
    here, bottom = place_of(scratch, live_end), scratch[STACK]
    scratch[STAMP] += -2 * _STAMPED
    stamp = scratch[STAMP]
    beyond = stamp + _STAMPED  # marks the outside cells: one reached, the area is open
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        scratch[at] = scratch[at] & ~_STAMPED | beyond
    size, black, top = 0, 0, bottom
    for k in range(shape[LINE], shape[LINE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        if at == end:
            return OPEN
        scratch[at] = scratch[at] & ~_STAMPED | stamp
        size += 1
        black += 1 - ((at - here) & 1)
    for k in range(shape[INSIDE], shape[INSIDE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        if scratch[at] & IS_FREE == 0 or scratch[at] & _STAMPED == stamp:
            continue
        if at == end:
            return OPEN
        scratch[at] = scratch[at] & ~_STAMPED | stamp
        scratch[top] = at
        top += 1
    # the steps towards the end cell are pushed last and tried first: an area that
    # holds the end cell shows it soon, instead of after most of the board
    down = width if live_end // board[1] < board[2] // board[1] else -width
    right = 1 if live_end % board[1] < board[2] % board[1] else -1
    while top > bottom:
        top -= 1
        at = scratch[top]
        size += 1
        black += 1 - ((at - here) & 1)
        for d in range(4):
            other = at + (down if d == 3 else right if d == 2 else 0)
            other -= down if d == 0 else right if d == 1 else 0
            state = scratch[other]
            if state & IS_FREE == 0 or state & _STAMPED == stamp:
                continue
            if other == end or state & _STAMPED == beyond:
                return OPEN
            scratch[other] = state & ~_STAMPED | stamp
            scratch[top] = other
            top += 1
    scratch[slot + FILLED] = CLOSED
    scratch[slot + SIZE] = size
    scratch[slot + BLACK] = black
    return CLOSED


@njit
def count_area(
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    shape: Ints,
    offsets: Ints,
    scratch: Ints,
    slot: int,
) -> bool:
    """Kernel: do as `fill_shape` along the contour, if that says it; stamps nothing."""
    contour = contour_of(scratch, scratch[CONTOUR], board[0] * board[1])
    if scratch[TRACED] != scratch[STEP]:
        look_around(order, board, scratch)
        scratch[TRACED] = scratch[STEP]
        whole = trace(scratch, scratch[ORIGIN], scratch[WIDTH], board, contour)
        scratch[HOLES] = not whole
    if scratch[HOLES]:
        return False
    size, black = count_shape(board, live_end, shape, offsets, contour)
    if size < -1:
        return False
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN if size < 0 else CLOSED
    scratch[slot + SIZE], scratch[slot + BLACK] = size, black
    return True


@njit
def is_filled(scratch: Ints, cell: int) -> bool:
    """Kernel: tell whether a cell belongs to the closed area that was filled last."""
    return bool(scratch[place_of(scratch, cell)] & _STAMPED == scratch[STAMP])


@njit
def condition_holds(area: Ints, size: int, black: int) -> bool:
    """Kernel: judge a row of `Tables.areas` by the counts of a closed area."""
    kind, surplus = area[KIND], size - 2 * black
    if size < area[LEAST]:
        return False
    if kind == PAIR:
        return size % 2 == 0
    if kind == IMPAIR:
        return size % 2 == 1
    if kind == DETERMINED:
        more = -surplus if area[SAME_COLOUR] == 1 else surplus
        return size % 2 == 1 and more != 1
    if kind == WITHIN:
        return bool(area[LOW] <= surplus <= area[HIGH])
    if kind == BEYOND:
        return bool(surplus < area[LOW] or surplus > area[HIGH])
    return True
