"""All semi-magic tours of 8 x 8 that a half turn of the board carries into themselves.

Number k + 32 lies opposite of number k, so 32 cells determine the tour: the *half*. No
two of them are opposite, and the last is a knight's move from the cell opposite of the
first. Row r holds the numbers k of the half in it, and k + 32 for those in row 7 - r.
Rows r and 7 - r have one sum only if each holds four numbers of the half, and the eight
numbers add up to 132. The same is true of columns.

The search is depth-first. Eight *double lines* have deadlines as in `semimagic`, and
every free cell needs two neighbours that are free or an end of the walk.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.puzzles.knight.search import STARTS, Tour, start_class
from solver.puzzles.knight.semimagic import (
    ARRIVAL,
    LINE_GAPS,
    NEAR,
    OFFSET,
    STRIDE,
    Gaps,
    Words,
    deadlines,
    first_bit,
)

Ints = npt.NDArray[np.int64]
_W = np.uint64
_HALF, _CELLS, _PAIR_SUM, _ROOM = 32, 64, 132, 64
_0, _1, _63 = map(_W, (0, 1, 63))


@njit
def _bit(cell: int) -> np.uint64:
    return _1 << _W(cell)


@njit
def _reachable(near: np.uint64, free: np.uint64, ends: np.uint64) -> bool:
    """Whether the free cells among `near` all have two neighbours left."""
    rest = near & free
    while rest != _0:
        left = NEAR[first_bit(rest)] & (free | ends)
        if left & (left - _1) == _0:
            return False
        rest &= rest - _1
    return True


class _State(NamedTuple):
    """The walk, and what is known of the lines."""

    path: Ints  # (33,): the cells, from 1 on
    steps: Words  # (33,): the steps to try at each level
    held: Ints  # (16,): numbers of the half in each row and column
    left: Ints  # (8,): what each double line must still add up to
    mask: Ints  # (8,): its free cells


@njit
def _halves(
    state: _State,
    start: int,
    second: np.uint64,
    finish: np.uint64,
    latest: npt.NDArray[np.uint8],
    out: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Search all halves from a cell; return how many, and the steps tried.

    `second` and `finish` are the sets of cells for the numbers 2 and 32, `latest` the
    deadlines of the eight double lines, (8, 256, STRIDE).
    """
    path, steps, held, left, mask = state
    found = tried = t = 0
    ends = _bit(start) | _bit(63 - start)
    free = ~_0
    steps[0] = _bit(start)
    while True:
        if steps[t] == _0:
            if t == 0:
                return found, tried
            cell = path[t]
        else:
            cell = np.int64(first_bit(steps[t]))
            steps[t] &= steps[t] - _1
            tried += 1
            t += 1
            path[t] = cell
        row, col = cell // 8, cell % 8
        lines = min(row, 7 - row), 4 + min(col, 7 - col)
        places = col if row < 4 else 7 - col, row if col < 4 else 7 - row
        both = _bit(cell) | _bit(63 - cell)
        entering = free & both != _0
        sign = 1 if entering else -1
        free ^= both
        held[row] += sign
        held[8 + col] += sign
        for k in range(2):
            left[lines[k]] -= sign * t
            mask[lines[k]] ^= 1 << places[k]
        if entering:
            good = held[row] <= 4 and held[8 + col] <= 4
            for line in range(8):
                rest = left[line] + OFFSET
                good = good and rest >= 0 and latest[line, mask[line], rest] >= t
            before = NEAR[path[t - 1]] | NEAR[63 - path[t - 1]] if t > 1 else _0
            if good and t == _HALF:
                if finish & NEAR[63 - start] & _bit(cell) != _0:
                    for k in range(_HALF):
                        out[found, k] = path[k + 1]
                    found += 1
            elif good and _reachable(before, free, ends | both):
                steps[t] = NEAR[cell] & free
                if t == 1:
                    steps[t] &= second
                continue
            steps[t] = _0
        else:
            t -= 1


def _gaps(line: int) -> Gaps:
    """Return the least moves between the pairs of a double line, 0 to 3."""
    across = ARRIVAL[7 - 2 * line]
    return tuple(tuple(min(one, across) for one in row) for row in LINE_GAPS)


@cache
def all_symmetric() -> tuple[tuple[Tour, ...], int]:
    """Return all symmetric semi-magic tours that begin in one of the ten starts.

    The end lies in no class before the start's (`tour`). The second value is the number
    of steps tried.
    """
    found: list[Tour] = []
    steps = 0
    for start in map(start_class, STARTS):
        tables = [
            deadlines((line % 4 + start.colour) % 2, _HALF, _gaps(line % 4))
            for line in range(8)
        ]
        finish = sum(1 << (63 - c) for c in range(_CELLS) if start.finish >> c & 1)
        out = np.zeros((_ROOM, _HALF), dtype=np.uint8)
        state = _State(
            np.zeros(_HALF + 1, np.int64),
            np.zeros(_HALF + 1, np.uint64),
            np.zeros(16, np.int64),
            np.full(8, _PAIR_SUM, np.int64),
            np.full(8, 255, np.int64),
        )
        count, tried = _halves(
            state,
            start.cell,
            _W(sum(1 << cell for cell in start.second)),
            _W(finish),
            np.array(tables).reshape(8, 256, STRIDE),
            out,
        )
        halves = out[:count].tolist()
        found += [(*half, *(63 - cell for cell in half)) for half in halves]
        steps += tried
    return tuple(found), steps
