"""The way down the tree of semi-magic tours of the 8 x 8 board, in kernels.

A *prefix* is the first cells of a tour. A step is *tried* when the lines are looked
at, and *taken* if they allow it. What is known to make a step impossible:

1. **lines**: no line may have passed its deadline (`linetimes`), counted from when
   the knight can be there at the earliest; the 16 deadlines are the bytes of two words;
2. **two neighbours**: a free cell needs two neighbours that are free or the live end,
   unless it is the last cell. A cell with exactly two is *tied*: the tour uses both
   moves. No cell has three tied neighbours, the live end no two, and at most one cell
   has a single neighbour: it is the next one or the last;
3. **forced steps**: a cell that would keep a single neighbour is stepped on at once,
   unless it is the last.

Degrees are four words, one bit plane each, taken over from the level above with one
subtraction; tied neighbours of all cells are counted by one adder of eight shifted
words. Nothing is allocated, and no branch is taken that a mask can spare.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from solver.jit import njit, njit_within
from solver.puzzles.knight.linetimes import ARRIVAL, STRIDE, line_tables
from solver.puzzles.knight.starts import StartClass
from solver.puzzles.knight.tour import Tour, neighbours


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
# By row (or column) of the live end: how much later than the next step it can reach
# each of the 8 rows, a byte a row.
_DELAY = np.array(
    [
        sum((ARRIVAL[abs(one - at)] - 1) << (8 * one) for one in range(8))
        for at in range(8)
    ],
    dtype=np.uint64,
)
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
    latest: npt.NDArray[np.uint8]  # deadlines of lines, as `linetimes` says
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
    more = both1 << _16
    pairs |= pair & more
    pair |= more
    more = both1 >> _16
    pairs |= pair & more
    pair |= more
    more = both2 << _8
    pairs |= pair & more
    pair |= more
    more = both2 >> _8
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


@cache
def _first_planes() -> Words:
    degrees = [len(near) for near in neighbours(8, 8)]
    return np.array(
        [
            sum(1 << cell for cell in range(CELLS) if degrees[cell] >> plane & 1)
            for plane in range(4)
        ],
        dtype=np.uint64,
    )


def lay_down(start: StartClass, prefix: Tour) -> Descent | None:
    """Return a descent that stands below a prefix; None if it cannot be laid down."""
    latest, begins = line_tables(start.finish, start.colour)
    near_finish = sum(
        1 << cell for cell in range(CELLS) if int(NEAR[cell]) & start.finish
    )
    descent = Descent(
        np.zeros((CELLS + 2, _WIDTH), dtype=np.uint64),
        np.full(16, _SUM, dtype=np.uint64),
        np.zeros(CELLS + 2, dtype=np.uint64),
        np.array([0, CELLS, start.finish, near_finish], dtype=np.uint64),
        latest,
        np.array(begins, dtype=np.uint64),
    )
    descent.stack[0, FREE] = _ALL
    descent.stack[0, _P0 : _P3 + 1] = _first_planes()
    descent.stack[0, _ROWS] = descent.stack[0, _COLS] = _EACH * _W(CELLS - 1)
    return descent if all(_lay(descent, cell) for cell in prefix) else None


def _lay(d: Descent, cell: int) -> bool:
    t = d.span[LEVEL]
    if t and not int(open_level(d, t, d.path[t])) >> cell & 1:
        return False
    if not take_step(d, t, _W(cell)):
        return False
    d.span[LEVEL] = t + _1
    d.path[t + _1] = cell
    return True
