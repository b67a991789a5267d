"""The kernels that weave loops together; plain Python on lists for small boards."""

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints = npt.NDArray[np.int32]

_DR = (-2, -2, -1, -1, 1, 1, 2, 2)
_DC = (-1, 1, -2, 2, -2, 2, -1, 1)


@njit
def _root(loops: Ints, one: int) -> int:
    while loops[one] != one:
        loops[one] = loops[loops[one]]
        one = loops[one]
    return one


@njit
def _replace(links: Ints, cell: int, old: int, new: int) -> None:
    if links[2 * cell] == old:
        links[2 * cell] = new
    else:
        links[2 * cell + 1] = new


@njit
def _apart(a: int, b: int, cols: int) -> bool:
    dr = abs(a // cols - b // cols)
    dc = abs(a % cols - b % cols)
    return dr * dc == 2


@njit
def join_loops(links: Ints, block: Ints, loops: Ints, rows: int, cols: int) -> int:
    """Join loops until no exchange is left; return how many joins were made.

    `links` are the cells before and after each cell, side by side, -1 behind an end of
    the open part; `block` is the loop of each cell and `loops` the union-find.
    """
    joins = 0
    for a in range(rows * cols):
        for j in range(8):
            r = a // cols + _DR[j]
            c = a % cols + _DC[j]
            if r < 0 or r >= rows or c < 0 or c >= cols:
                continue
            other = r * cols + c
            if block[a] == block[other]:
                continue
            one = _root(loops, block[a])
            two = _root(loops, block[other])
            if one == two:
                continue
            for k in range(4):
                b = links[2 * a + (k & 1)]
                d = links[2 * other + (k >> 1)]
                if b >= 0 and d >= 0 and _apart(b, d, cols):
                    _replace(links, a, b, other)
                    _replace(links, other, d, a)
                    _replace(links, b, a, d)
                    _replace(links, d, other, b)
                    loops[one] = two
                    joins += 1
                    break
    return joins


@njit
def unroll(links: Ints, start: int, out: Ints) -> int:
    """Follow the links from a cell; return how many cells were met."""
    before = -1
    cell = start
    count = 0
    while True:
        out[count] = cell
        count += 1
        after = links[2 * cell] if links[2 * cell] != before else links[2 * cell + 1]
        before = cell
        cell = after
        if cell < 0 or cell == start or count == len(out):
            return count
