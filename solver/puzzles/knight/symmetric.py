"""All semi-magic tours of 8 x 8 that a half turn of the board carries into themselves.

Number k + 32 lies opposite of number k, so 32 cells say everything: the *half*. No two
of them are opposite, and the last is a knight's move from the cell opposite of the
first. Row r bears the numbers k of the half that lie in it and k + 32 for those that
lie in row 7 - r. With a numbers of the half in row r the sum is theirs and the others',
plus 32 * (8 - a): the same for row 7 - r only if a is 4. So every row and column holds
four numbers of the half, and the eight in rows r and 7 - r add up to 132.

The search is that of `semimagic` on pairs of opposite cells: eight double lines with
deadlines, and every free cell needs two neighbours. Both ends are known here, so a tied
cell is never the last one.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.puzzles.knight.semimagic import (
    NEAR,
    OFFSET,
    STRIDE,
    Gaps,
    Words,
    deadlines,
    delays,
    first_bit,
    first_planes,
    neighbours_among,
)
from solver.puzzles.knight.tour import STARTS, Tour, neighbours, start_class

_W = np.uint64
_HALF, _CELLS, _PAIR_SUM, _ROOM = 32, 64, 132, 64

_0, _1, _3, _4, _7, _8, _32, _56, _63, _BYTE = map(
    _W, (0, 1, 3, 4, 7, 8, 32, 56, 63, 255)
)
_EACH, _GUARD = _W(0x0101010101010101), _W(0x8080808080808080)
_GATHER = _W(0x0102040810204080)
_STRIDE = _W(STRIDE)
# By row (column) of the live end: the delays of the 4 double rows (columns), as bytes.
_DELAY = delays([(row, 7 - row) for row in range(4)])
# Columns of a level of the stack; rows and columns share one word of deadlines.
_FREE, _P0, _P1, _P2, _P3, _STEPS, _LINES, _OPEN = range(8)


@njit
def _leave(stack: Words, t: np.uint64, near: np.uint64) -> None:
    """Subtract one from the degrees of some cells at level t."""
    borrow = ~stack[t, _P0] & near
    stack[t, _P0] ^= near
    again = ~stack[t, _P1] & borrow
    stack[t, _P1] ^= borrow
    borrow = ~stack[t, _P2] & again
    stack[t, _P2] ^= again
    stack[t, _P3] ^= borrow


@njit
def _steps(stack: Words, t: np.uint64, end: np.uint64, ends: np.uint64) -> np.uint64:
    """Fill in the degrees at level t, where `end` is number t; return the steps.

    `ends` are the first cell and the one opposite: both miss one neighbour.
    """
    for plane in range(_P0, _P3 + 1):
        stack[t, plane] = stack[t - _1, plane]
    if t > _1:  # the first cell and its opposite stay to be reached
        _leave(stack, t, NEAR[end])
        _leave(stack, t, NEAR[_63 - end])
    free = stack[t, _FREE]
    few = free & ~(stack[t, _P3] | stack[t, _P2])
    one = few & ~stack[t, _P1]
    tied = few & stack[t, _P1] & ~stack[t, _P0]
    two, three, four = neighbours_among(tied)
    steps = NEAR[end] & free & stack[t, _OPEN] & ~two
    if t == _1:
        return NEAR[end] & free & stack[t, _OPEN]
    over = (three & free) | (two & ends)
    severe = (four & free) | (three & ends)
    if one | over == _0:
        return steps
    out = _0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        cell = first_bit(step)
        both = step | (_1 << (_63 - cell))
        left = over & ~both
        if step & tied != _0:
            left &= severe | ~(NEAR[cell] | NEAR[_63 - cell])
        if left | (one & ~both) == _0:
            out |= step
    return out


@njit
def _take(
    stack: Words,
    left: Words,
    held: Words,
    t: np.uint64,
    cell: np.uint64,
    latest: npt.NDArray[np.uint8],
) -> bool:
    """Give `cell` number t + 1 if every double line stays possible."""
    now = t + _1
    row = cell >> _3
    col = cell & _7
    double_row = min(row, _7 - row)
    double_col = min(col, _7 - col)
    free = stack[t, _FREE] & ~(_1 << cell) & ~(_1 << (_63 - cell))
    row_mask = (free >> (double_row << _3)) & _BYTE
    col_mask = (((free >> double_col) & _EACH) * _GATHER) >> _56
    row_left = left[double_row] - now
    col_left = left[double_col + _4] - now
    size = _W(256 * STRIDE)
    by_row = _W(latest[double_row * size + row_mask * _STRIDE + row_left + _W(OFFSET)])
    by_col = _W(
        latest[(double_col + _4) * size + col_mask * _STRIDE + col_left + _W(OFFSET)]
    )
    at_row = double_row << _3
    at_col = (double_col + _4) << _3
    lines = stack[t, _LINES] & ~(_BYTE << at_row) & ~(_BYTE << at_col)
    lines |= (by_row << at_row) | (by_col << at_col)
    delay = _DELAY[row] | (_DELAY[col] << _32)
    if ((lines | _GUARD) - now * _EACH - delay) & _GUARD != _GUARD:
        return False
    stack[now, _FREE] = free
    stack[now, _LINES] = lines
    left[double_row] = row_left
    left[double_col + _4] = col_left
    may = stack[t, _OPEN]
    held[row] += _1
    if held[row] == _4:
        may &= ~(_BYTE << (row << _3))
    held[col + _8] += _1
    if held[col + _8] == _4:
        may &= ~(_EACH << col)
    stack[now, _OPEN] = may
    return True


@njit
def _halves(
    stack: Words,
    left: Words,
    held: Words,
    path: Words,
    first: Words,
    latest: npt.NDArray[np.uint8],
    out: npt.NDArray[np.uint8],
) -> tuple[np.uint64, np.uint64]:
    """Search all halves from a first cell; return how many, and the steps tried.

    `first`: the cell, the set of second cells, the set of cells for number 32.
    """
    found = tried = _0
    start = first[0]
    ends = (_1 << start) | (_1 << (_63 - start))
    closing = first[2] & NEAR[_63 - start]
    _take(stack, left, held, _0, start, latest)
    path[1] = start
    t = _1
    stack[t, _STEPS] = _steps(stack, t, start, ends) & first[1]
    while True:
        steps = stack[t, _STEPS]
        if steps == _0:
            if t == _1:
                break
        else:
            cell = first_bit(steps)
            stack[t, _STEPS] = steps & (steps - _1)
            tried += _1
            if not _take(stack, left, held, t, cell, latest):
                continue
            t += _1
            path[t] = cell
            if t != _32:
                stack[t, _STEPS] = _steps(stack, t, cell, ends)
                continue
            if (closing >> cell) & _1 != _0:
                if found < _W(out.shape[0]):
                    for k in range(_1, _W(33)):
                        out[found, k - _1] = path[k]
                found += _1
        cell = path[t]
        row = cell >> _3
        col = cell & _7
        left[min(row, _7 - row)] += t
        left[min(col, _7 - col) + _4] += t
        held[row] -= _1
        held[col + _8] -= _1
        t -= _1
    return found, tried


@cache
def _distances() -> npt.NDArray[np.int64]:
    """Return the number of knight's moves between all cells."""
    near = np.array([[b in some for b in range(_CELLS)] for some in neighbours(8, 8)])
    within, far = np.eye(_CELLS, dtype=bool), np.zeros_like(near, dtype=np.int64)
    while not within.all():
        far += ~within
        within = within | within @ near
    return far


def _gaps(line: int) -> Gaps:
    """Return the moves between the pairs of a double line: rows 0-3, columns 4-7."""
    far = _distances()
    cells = [line * 8 + k if line < 4 else k * 8 + line - 4 for k in range(8)]
    nearest = np.minimum(far, far[:, ::-1])[np.ix_(cells, cells)]
    return tuple(map(tuple, nearest.tolist()))


def all_symmetric() -> tuple[list[Tour], int]:
    """Find all symmetric semi-magic tours that begin in one of the ten starts.

    The end lies in no class before the start's (`tour`). About a second. Returns them
    in the order of the search, and the steps tried.
    """
    found: list[Tour] = []
    steps = 0
    for start in map(start_class, STARTS):
        # the numbers of the half: 32 is even, so its parity is that of 64
        tables = [
            deadlines((line % 4 + start.colour) % 2, _HALF, _gaps(line))
            for line in range(8)
        ]
        ends = sum(1 << (63 - c) for c in range(_CELLS) if start.finish >> c & 1)
        second = sum(1 << cell for cell in start.second)
        stack = np.zeros((_HALF + 2, 8), dtype=np.uint64)
        stack[0, _FREE] = stack[0, _OPEN] = _W(2**64 - 1)
        stack[0, _LINES] = _EACH * _W(_CELLS - 1)
        stack[0, _P0 : _P3 + 1] = first_planes()
        out = np.zeros((_ROOM, _HALF), dtype=np.uint8)
        count, tried = _halves(
            stack,
            np.full(8, _PAIR_SUM, dtype=np.uint64),
            np.zeros(16, dtype=np.uint64),
            np.zeros(_HALF + 2, dtype=np.uint64),
            np.array([start.cell, second, ends], dtype=np.uint64),
            np.concatenate(tables),
            out,
        )
        assert count <= _ROOM  # an answer cut short is none
        halves = out[: int(count)].tolist()
        found += [(*half, *(63 - cell for cell in half)) for half in halves]
        steps += int(tried)
    return found, steps
