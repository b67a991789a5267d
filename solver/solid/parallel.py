"""Squares of type III: two opposite dark sides, of different components.

Flipping one, which exchanges dark and light along its sides, joins the components. The
kernels look for such squares along one component, of a factor whose components are
known from the places of its touched cells (`solver.solid.witness`).
"""

import numpy as np

from solver.jit import njit
from solver.solid.witness import (
    BIG,
    LIVE,
    PARTS,
    SIZE,
    TOUCHED,
    WHOLE,
    Witness,
    change,
    part_of,
    unite,
    whole,
)

_NEAR = 12  # edges looked at from each touched cell before all are


@njit
def _join_border(w: Witness, c: int, back: int, x: int) -> bool:
    """Kernel: exchange a square at an edge c to `back` of component x that joins."""
    for turn in (1, 3):
        side = (back + turn) & 3
        a = c + w.step[side]
        b = c + w.step[back]
        square = w.near[c] >> side & 1 and w.near[b] >> side & 1
        if square and w.dark[a] >> back & 1:
            y = part_of(w, a)
            if y != x:
                change(w, c, back)
                change(w, a, back)
                change(w, c, side)
                change(w, b, side)
                unite(w, x, y)
                return True
    return False


@njit
def _join_along(w: Witness, x: int, c: int, d: int, most: int) -> bool:
    """Kernel: the same along component x from a cell on, at so many edges at most."""
    begin = c
    while d >= 0 and most > 0:
        if _join_border(w, c, d, x):
            return True
        most -= 1
        c += w.step[d]
        d = onward(w, c, d, begin)
    return False


@njit
def join_part(w: Witness, x: int) -> bool:
    """Kernel: join component x to another one by one square, if there is such a one.

    First near the touched cells, where most are.
    """
    if w.info[WHOLE] == 0 and w.size[x] > 4 * _NEAR:
        for i in range(w.info[TOUCHED]):
            if whole(w, int(w.part[i])) == x:
                c = int(w.touched[i])
                for d in range(4):
                    if w.dark[c] >> d & 1 and _join_along(w, x, c, d, _NEAR):
                        return True
    c, d = enter_part(w, x)
    return _join_along(w, x, c, d, int(w.info[SIZE]))


@njit
def enter_part(w: Witness, x: int) -> tuple[int, int]:
    """Kernel: a cell of a component, the live end if it is the path, and a way on."""
    c = w.info[LIVE]
    if part_of(w, int(c)) != x:
        c = np.int64(w.touched[w.first[x]])
    d = 0
    while w.dark[c] >> d & 1 == 0:
        d += 1
    return int(c), d


@njit
def onward(w: Witness, c: int, d: int, begin: int) -> int:
    """Kernel: the way on from a cell that was entered by d, -1 when all was seen."""
    bits = np.int64(w.dark[c]) & (15 ^ 1 << (d ^ 2))
    if c == begin or bits == 0:
        return -1
    return int((bits >> 1) - (bits >> 3))


@njit
def next_smallest(w: Witness, after: int) -> int:
    """Kernel: the component that follows by size, -1 after all; the big one is none."""
    best = -1
    big = whole(w, int(w.info[BIG]))
    for x in range(w.info[PARTS]):
        if x == big or w.root[x] != x:
            continue
        if after >= 0 and (w.size[x], x) <= (w.size[after], after):
            continue
        if best < 0 or (w.size[x], x) < (w.size[best], best):
            best = x
    return best
