"""All semi-magic tours of the 8 x 8 board below a prefix: a depth-first kernel.

A *line* is a row or a column. Its cells without a number are a *mask* of 8 bits, what
they must still add up to is `left`. Between two visits of a line lie at least as many
moves as a knight needs from cell to cell (`gaps`), and a cell's colour decides whether
its number is odd. So the visits after time t have a least possible sum, which grows
with t, and a largest one. The *deadline* of a mask and a `left` is the last t for which
the sum is still possible; 0 means that it never is.

A *prefix* is the first cells of a tour. A step is *tried* when the lines are looked up,
and *taken* if they allow it. Three facts rule out steps:

1. **lines**: no line may have passed its deadline, counted from when the knight can be
   there at the earliest; the 16 deadlines are the bytes of two words;
2. **two neighbours**: a free cell needs two neighbours that are free or the live end,
   unless it is the last cell. A cell with exactly two is *tied*: the tour uses both
   moves. No cell has three tied neighbours, the live end no two, and at most one cell
   has a single neighbour: it is the next one or the last;
3. **forced steps**: a cell that would keep a single neighbour is stepped on at once,
   unless it is the last.

Degrees are four words, one bit plane each. Nothing is allocated.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from solver.errors import BoardError
from solver.jit import njit, njit_within
from solver.puzzles.knight.search import (
    StartClass,
    Tour,
    chess_name,
    neighbours,
    start_class,
)

STRIDE = 328  # entries a mask: left from -64 to 263
OFFSET = 64  # where left = 0 stands
NO_DEADLINE = 127
ARRIVAL = (2, 1, 1, 2, 2, 3, 3, 4)  # moves from a line to a line, by distance
Gaps = tuple[tuple[int, ...], ...]
Table = npt.NDArray[np.uint8]

_BY_DISTANCE = (0, 3, 2, 3, 2, 3, 4, 5)  # moves between two cells of a line
LINE_GAPS: Gaps = tuple(
    tuple(_BY_DISTANCE[abs(a - b)] for b in range(8)) for a in range(8)
)


@cache
def _rest(mask: int, last: int, gaps: Gaps) -> int:
    """Return the least sum of the times of `mask`, counted from a visit of `last`."""
    count = mask.bit_count()
    return min(
        (
            gaps[last][one] * count + _rest(mask & ~(1 << one), one, gaps)
            for one in range(8)
            if mask >> one & 1
        ),
        default=0,
    )


def _bounds(mask: int, colour: int, end: int, gaps: Gaps) -> tuple[list[int], int]:
    """Return the least sums after an even and after an odd time 0, and the largest.

    Cell i of the line bears odd numbers if ``i + colour`` is even. No visit comes
    after `end`.
    """
    count = mask.bit_count()
    least = [end * 8, end * 8]
    largest = -1
    for one in range(8):
        if mask >> one & 1:
            odd = (one + colour) % 2 == 0
            rest = _rest(mask & ~(1 << one), one, gaps)
            for time in (0, 1):
                wait = 1 if odd == (time == 0) else 2
                least[time] = min(least[time], wait * count + rest)
            top = end if odd == (end % 2 == 1) else end - 1
            largest = max(largest, top * count - rest)
    return least, largest


@cache
def deadlines(colour: int, end: int, gaps: Gaps = LINE_GAPS) -> Table:
    """Return the deadlines of a line, flat: entry ``mask * STRIDE + OFFSET + left``.

    `colour` is 0 if the first cell of the line bears odd numbers, `end` the last time
    at which the line can be visited, at most 64. 84 kB.
    """
    table = np.zeros((256, STRIDE), dtype=np.uint8)
    table[0, OFFSET] = NO_DEADLINE
    left = np.arange(STRIDE - OFFSET)
    for mask in range(1, 256):
        count = mask.bit_count()
        least, largest = _bounds(mask, colour, end, gaps)
        for time in range(64):
            possible = (count * time + least[time % 2] <= left) & (left <= largest)
            table[mask, OFFSET:][possible] = time
    return table.reshape(-1)


def last_visits(finish: int) -> list[int]:
    """Return for the 8 rows and then the 8 columns the last time of a visit.

    `finish` is the set of cells where number 64 may stand.
    """
    ends = [divmod(cell, 8) for cell in range(64) if finish >> cell & 1]
    out = []
    for line in range(16):
        apart = {abs(end[line // 8] - line % 8) for end in ends}
        out.append(64 if 0 in apart else 64 - min(ARRIVAL[one] for one in apart))
    return out


def line_tables(finish: int, colour: int) -> tuple[Table, list[int]]:
    """Return the tables that the 16 lines need, joined, and where each line's begins.

    `colour` is the colour of the cells with odd numbers.
    """
    kinds = [((line + colour) % 2, end) for line, end in enumerate(last_visits(finish))]
    different = sorted(set(kinds))
    table = np.concatenate([deadlines(*kind) for kind in different])
    begins = [different.index(kind) * 256 * STRIDE + OFFSET for kind in kinds]
    return table, begins


@intrinsic
def first_bit(typing_context: Any, word: Any) -> Any:
    """Return the number of the lowest bit of a word; for kernels, one instruction."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        shape = ir.FunctionType(ir.IntType(64), [ir.IntType(64), ir.IntType(1)])
        function = builder.module.declare_intrinsic("llvm.cttz.i64", fnty=shape)
        return builder.call(function, [args[0], ir.Constant(ir.IntType(1), 1)])

    return types.uint64(types.uint64), generate


Words = npt.NDArray[np.uint64]
_W = np.uint64
CELLS = 64
_SUM = 260

_0, _1, _2, _3, _7, _8, _16, _56, _63, _BYTE = map(
    _W, (0, 1, 2, 3, 7, 8, 16, 56, 63, 255)
)
_ALL = _W(2**64 - 1)
_EACH, _GUARD = _W(0x0101010101010101), _W(0x8080808080808080)
_GATHER = _W(0x0102040810204080)  # times a column's bits: the column as a byte on top
_NOT_H, _NOT_GH = _W(0x7F7F7F7F7F7F7F7F), _W(0x3F3F3F3F3F3F3F3F)
_NOT_A, _NOT_AB = _W(0xFEFEFEFEFEFEFEFE), _W(0xFCFCFCFCFCFCFCFC)
_STRIDE = _W(STRIDE)
NEAR = np.array(
    [sum(1 << one for one in near) for near in neighbours(8, 8)], dtype=np.uint64
)


# By row (or column) of the live end: how much later than by the next step it can reach
# each row, a byte for each.
_LATE = [
    sum((ARRIVAL[abs(row - at)] - 1) << 8 * row for row in range(8)) for at in range(8)
]
_DELAY = np.array(_LATE, dtype=np.uint64)
# Columns of a level of the stack: free cells, four planes of degrees, candidates not
# tried yet, deadlines of rows and of columns.
FREE, _P0, _P1, _P2, _P3, STEPS, _ROWS, _COLS = range(8)
_WIDTH = 8
LEVEL, STOP, FINISH, _LOOSE = range(4)  # of `span`


class Descent(NamedTuple):
    """Steps laid down, and the tables that judge the next; words are uint64."""

    stack: Words  # (66, 8): what is known at each level, in the columns named above
    left: Words  # (16,): what free cells of each row and column still have to sum up to
    path: Words  # (66,): the cells, from 1 on
    span: Words  # (4,): level reached, level to stop at, cells to end on, those beside
    latest: npt.NDArray[np.uint8]  # deadlines of lines
    begins: Words


@njit
def neighbours_among(tied: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the cells with at least 2, 3 and 4 neighbours in a set."""
    right1 = (tied >> _1) & _NOT_H
    left1 = (tied << _1) & _NOT_A
    right2 = (tied >> _2) & _NOT_GH
    left2 = (tied << _2) & _NOT_AB
    one1 = right1 ^ left1
    both1 = right1 & left1
    one2 = right2 ^ left2
    both2 = right2 & left2
    a = one1 << _16
    b = one1 >> _16
    c = one2 << _8
    d = one2 >> _8
    ab = a ^ b
    abc = ab ^ c
    single = abc ^ d
    # pairs, and two pairs
    carry1 = (a & b) | (ab & c)
    carry2 = abc & d
    pair = carry1 | carry2
    pairs = carry1 & carry2
    for more in (both1 << _16, both1 >> _16, both2 << _8, both2 >> _8):
        pairs |= pair & more
        pair |= more
    return pair, pairs | (pair & single), pairs


@njit
def _relieving(
    steps: np.uint64, over: np.uint64, severe: np.uint64, tied: np.uint64
) -> np.uint64:
    """Keep the steps after which no cell has too many tied neighbours.

    Of the cells in `over` the one stepped on does not count; if it was tied itself, it
    ties no longer, and only neighbours in `severe` still have too many.
    """
    out = _0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        left = over & ~step
        if step & tied != _0:
            left &= severe | ~NEAR[first_bit(step)]
        if left == _0:
            out |= step
    return out


@njit_within
def open_level(d: Descent, t: np.uint64, end: np.uint64) -> np.uint64:
    """Fill in the degrees at level t, where `end` is number t; return the steps.

    At a cell one of whose neighbours may be the last cell of the tour, one tied
    neighbour more than elsewhere is no contradiction, unless the last cell is known.
    """
    stack, finish, loose = d.stack, d.span[FINISH], d.span[_LOOSE]
    free = stack[t, FREE]
    near = NEAR[end]
    steps = near & free
    p0 = stack[t - _1, _P0]
    p1 = stack[t - _1, _P1]
    p2 = stack[t - _1, _P2]
    p3 = stack[t - _1, _P3]
    borrow = ~p0 & near
    p0 ^= near
    again = ~p1 & borrow
    p1 ^= borrow
    borrow = ~p2 & again
    p2 ^= again
    p3 ^= borrow
    stack[t, _P0] = p0
    stack[t, _P1] = p1
    stack[t, _P2] = p2
    stack[t, _P3] = p3
    few = free & ~(p3 | p2)
    none_or_one = few & ~p1
    one = none_or_one & p0
    tied = few & p1 & ~p0
    two, three, four = neighbours_among(tied)
    stop = (two & ~loose) | (three & loose)
    over = ((three & ~loose) | (four & loose)) & free
    if none_or_one == _0:
        steps &= ~stop
        if over != _0:
            steps = _relieving(steps, over, four & ~loose, tied)
        return steps
    if none_or_one != one:  # a cell without neighbours: the last of all
        return steps & finish if t == _63 else _0
    more = one & (one - _1)
    never = one & ~finish
    if (more & (more - _1)) | (never & (never - _1)) != _0:
        return _0
    sure = steps & never if never != _0 else steps & (one if more != _0 else _ALL)
    maybe = _0
    if more == _0:  # the single one is the last cell, or stepped on now
        maybe = sure & one & ~stop
        sure &= ~one
    sure &= ~two
    if three & free != _0:
        sure = _relieving(sure, three & free, four, tied)
        if over != _0:
            maybe = _relieving(maybe, over, four & ~loose, tied)
    return sure | maybe


@njit_within
def take_step(d: Descent, t: np.uint64, cell: np.uint64) -> bool:
    """Give `cell` number t + 1 if every line stays possible; else change nothing."""
    stack, left, latest, begins = d.stack, d.left, d.latest, d.begins
    now = t + _1
    row = cell >> _3
    col = cell & _7
    free = stack[t, FREE] & ~(_1 << cell)
    row_mask = (free >> (row << _3)) & _BYTE
    col_mask = (((free >> col) & _EACH) * _GATHER) >> _56
    row_left = left[row] - now
    col_left = left[col + _8] - now
    by_row = _W(latest[begins[row] + row_mask * _STRIDE + row_left])
    by_col = _W(latest[begins[col + _8] + col_mask * _STRIDE + col_left])
    rows = (stack[t, _ROWS] & ~(_BYTE << (row << _3))) | (by_row << (row << _3))
    cols = (stack[t, _COLS] & ~(_BYTE << (col << _3))) | (by_col << (col << _3))
    time = now * _EACH
    # bytes stay below 128, so no borrow leaves a byte and the guard bit is the answer
    in_time = ((rows | _GUARD) - time - _DELAY[row]) & (
        (cols | _GUARD) - time - _DELAY[col]
    )
    if in_time & _GUARD != _GUARD:
        return False
    stack[now, FREE] = free
    stack[now, _ROWS] = rows
    stack[now, _COLS] = cols
    left[row] = row_left
    left[col + _8] = col_left
    return True


@njit_within
def take_back(d: Descent, t: np.uint64, cell: np.uint64) -> None:
    """Take number t off `cell` again."""
    d.left[cell >> _3] += t
    d.left[(cell & _7) + _8] += t


@njit
def rise(d: Descent, level: np.uint64) -> None:
    """Take back all steps beyond a level."""
    t = d.span[LEVEL]
    while t > level:
        take_back(d, t, d.path[t])
        t -= _1
    d.span[LEVEL] = level


def lay_down(start: StartClass, prefix: Tour) -> Descent | None:
    """Return a descent that stands below a prefix; None if it cannot be laid down."""
    latest, begins = line_tables(start.finish, start.colour)
    near_finish = sum(1 << k for k in range(CELLS) if int(NEAR[k]) & start.finish)
    descent = Descent(
        np.zeros((CELLS + 2, _WIDTH), dtype=np.uint64),
        np.full(16, _SUM, dtype=np.uint64),
        np.zeros(CELLS + 2, dtype=np.uint64),
        np.array([0, CELLS, start.finish, near_finish], dtype=np.uint64),
        latest,
        np.array(begins, dtype=np.uint64),
    )
    descent.stack[0, FREE] = _ALL
    degrees = [len(near) for near in neighbours(8, 8)]
    for plane in range(4):
        bits = sum((one >> plane & 1) << k for k, one in enumerate(degrees))
        descent.stack[0, _P0 + plane] = _W(bits)
    descent.stack[0, _ROWS] = descent.stack[0, _COLS] = _EACH * _W(CELLS - 1)
    for t, cell in enumerate(map(_W, prefix)):
        steps = open_level(descent, _W(t), descent.path[t]) if t else _ALL
        if not int(steps) >> int(cell) & 1 or not take_step(descent, _W(t), cell):
            return None
        descent.span[LEVEL], descent.path[t + 1] = t + 1, cell
    return descent


@njit
def _search(d: Descent, out: npt.NDArray[np.uint8], taken: Words) -> np.uint64:
    """Search below what is laid down; write what is found, return how many.

    `taken` counts the steps taken by level, and those tried in entry 0.
    """
    begin, stop = d.span[LEVEL], d.span[STOP]
    t = begin
    found = tried = _0
    room = _W(out.shape[0])
    d.stack[t, STEPS] = open_level(d, t, d.path[t])
    while True:
        steps = d.stack[t, STEPS]
        if steps == _0:
            if t == begin:
                break
            cell = d.path[t]
        else:
            cell = first_bit(steps)
            d.stack[t, STEPS] = steps & (steps - _1)
            tried += _1
            if not take_step(d, t, cell):
                continue
            t += _1
            d.path[t] = cell
            taken[t] += _1
            if t != stop:
                d.stack[t, STEPS] = open_level(d, t, cell)
                continue
            if found < room:
                for k in range(_1, stop + _1):
                    out[found, k - _1] = d.path[k]
            found += _1
        take_back(d, t, cell)
        t -= _1
    taken[0] += tried
    return found


def search_on(
    descent: Descent, stop: int = CELLS, room: int = 0
) -> tuple[npt.NDArray[np.uint8], Words, int]:
    """Search below what is laid down; return the walks that fit, work, and how many.

    The walks are (min(room, found), stop) uint8, the work is (65,) uint64: the steps
    taken by level; entry 0 counts those tried.
    """
    descent.span[STOP] = stop
    out = np.zeros((room, CELLS), dtype=np.uint8)
    taken = np.zeros(CELLS + 1, dtype=np.uint64)
    found = int(_search(descent, out, taken))
    return out[:found, :stop], taken, found


class Below(NamedTuple):
    """What lies below a prefix: the tours (or prefixes), and the work done.

    `taken` counts the steps taken, by the level they lead to.
    """

    tours: tuple[Tour, ...]
    tried: int
    taken: tuple[int, ...]


def below(
    prefix: Tour,
    *,
    start: StartClass | None = None,
    stop: int = CELLS,
    room: int = 4096,
) -> Below:
    """Search everything below a prefix, down to tours or to prefixes of `stop` cells.

    The prefix has two cells or more and begins in a start class, `start` if it is not
    the one of its first cell. The walks come in the order of their cells. Of a prefix
    that cannot be continued nothing is found.

    Raises `BoardError` if more than `room` walks are found.
    """
    descent = lay_down(start or start_class(chess_name(prefix[0])), prefix)
    if descent is None:
        return Below((), 0, (0,) * (CELLS + 1))
    walks, taken, found = search_on(descent, stop, room)
    if found > room:
        raise BoardError(f"{found} walks found, more than the {room} that fit")
    tried, *levels = taken.tolist()
    return Below(tuple(map(tuple, walks.tolist())), tried, (0, *levels))
