"""Joining the cycles of a two-factor, for a witness at little cost.

The choice of the two-factor flow is a set of closed walks that together visit every
cell; the one through the virtual edge is a path from the start to the end cell. Where
a unit square of unknown edges has two opposite sides chosen, on two different cycles,
exchanging them for the other two sides makes the two cycles one. If one cycle is left
it is a tour, so a witness; the choice stays a choice in any case.

Looked for is along the smaller cycles alone, from where the choice was last changed.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.cycles import (
    find_cycles,
    note_tour,
    onward,
    splay,
    swap_sides,
    together,
)
from solver.propagation.state import (
    CELLS,
    COLS,
    CYCLES,
    EDGE,
    MARK,
    NEAR,
    OPEN,
    SEEDS,
    SIZE,
    STAMP,
    STATE,
    TOUR,
    UNKNOWN,
    Number,
    State,
)

_NEAR = 12  # rings of squares around a seed


@njit
def join(s: State) -> bool:
    """Kernel: join the cycles of the choice square by square; True: it is a tour."""
    info = s.info
    left = find_cycles(s)
    if left > 1 and info[TOUR] == 1:
        _join_near(s)
    again = bool(info[CYCLES] > 1)
    while again:
        again = False
        info[STAMP] += 1
        for i in range(info[SEEDS]):
            while info[CYCLES] > 1 and _join_one(s, np.int64(s.queue[i])):
                again = True
        again = again and bool(info[CYCLES] > 1)
    if info[CYCLES] > 1:
        return False
    note_tour(s)
    return True


@njit
def _join_near(s: State) -> None:
    """Kernel: try the squares around the seeds, the nearest first."""
    info = s.info
    cols = info[COLS]
    rows = info[CELLS] // cols
    info[STAMP] += 1
    for reach in range(_NEAR):
        for i in range(info[SEEDS]):
            row, col = s.queue[i] // cols, s.queue[i] % cols
            low, high = row - 1 - reach, row + reach
            left, right = col - 1 - reach, col + reach
            for r in range(max(low, 0), min(high, rows - 2) + 1):
                apart = 1 if r in (low, high) else right - left
                for c in range(left, right + 1, apart):
                    square = r * cols + c
                    if not 0 <= c < cols or s.cell[square, MARK] == info[STAMP]:
                        continue
                    s.cell[square, MARK] = info[STAMP]
                    if _join_square(s, square) and info[CYCLES] == 1:
                        return


@njit
def _small(s: State, c: Number) -> bool:
    """Kernel: whether the cycle of a cell has at most half of all cells."""
    splay(s, c)
    return bool(2 * s.node[c, SIZE] <= s.info[OPEN])


@njit
def _join_one(s: State, seed: Number) -> bool:
    """Kernel: join the cycle of a cell to another, if it is small and that is seen."""
    stamp = s.info[STAMP]
    if s.cell[seed, MARK] == stamp or not _small(s, seed):
        return False
    cell, before = np.int64(seed), np.int64(-1)
    while True:
        if s.cell[cell, MARK] != stamp:
            s.cell[cell, MARK] = stamp
            for corner in range(4):  # a square is named by its upper left cell
                c = cell
                if corner & 1:
                    c = np.int64(s.cell[c, NEAR])
                if corner & 2 and c >= 0:
                    c = np.int64(s.cell[c, NEAR + 3])
                if c >= 0 and _join_square(s, c):
                    s.cell[seed, MARK] = 0
                    return True
        cell, before = np.int64(onward(s, cell, before)), cell
        if cell == seed:
            return False


@njit
def _join_square(s: State, c: Number) -> bool:
    """Kernel: exchange the sides of one square if that joins two cycles."""
    across = np.int64(s.cell[c, NEAR + 1])
    below = np.int64(s.cell[c, NEAR + 2])
    if across < 0 or below < 0:
        return False
    top, side = np.int64(s.cell[c, EDGE + 1]), np.int64(s.cell[c, EDGE + 2])
    floor, wall = np.int64(s.cell[below, EDGE + 1]), np.int64(s.cell[across, EDGE + 2])
    if (
        s.edge[top, STATE]
        + s.edge[side, STATE]
        + s.edge[floor, STATE]
        + s.edge[wall, STATE]
        != UNKNOWN
    ):
        return False
    if s.match[top] == s.match[side]:
        return False
    if s.match[floor] != s.match[top] or s.match[wall] != s.match[side]:
        return False
    # The two chosen sides: one at c, one at the cell diagonally opposite.
    if together(s, c, np.int64(s.cell[across, NEAR + 2])):
        return False
    swap_sides(s, (top, side, floor, wall))
    return True


@njit
def way_out(s: State) -> int:
    """Kernel: an unknown edge that leaves the smallest cycle that `join` left.

    Some edge must, and a decision puts it in or out; -1 if none can, so the cycle is
    closed in itself.
    """
    best, least = np.int64(-1), s.info[OPEN]
    for i in range(s.info[SEEDS]):
        c = np.int64(s.queue[i])
        splay(s, c)
        if s.node[c, SIZE] < least:
            best = c
            least = np.int64(s.node[c, SIZE])
    c, before = best, np.int64(-1)
    while True:
        for d in range(4):
            e = s.cell[c, EDGE + d]
            if s.edge[e, STATE] != UNKNOWN:
                continue
            if not together(s, best, np.int64(s.cell[c, NEAR + d])):
                return int(e)
        c, before = np.int64(onward(s, c, before)), c
        if c == best:
            return -1
