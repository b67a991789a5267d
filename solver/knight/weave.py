"""Tours of large boards, woven from closed tours of small blocks.

The board is cut into blocks with closed tours of their own. Two loops become one where
a move a-b of the one and a move c-d of the other can be exchanged for a-c and b-d. A
pass over the board does so wherever two loops meet, with a union-find of loops, until
one is left: linear time. The idea is that of I. Parberry, An efficient algorithm for
the Knight's tour problem, Discrete Applied Mathematics 73 (1997), without his four
fixed tours.

If both sides are odd there is no closed tour. Then one block, odd in both directions,
holds the start and an open tour from it, and the loops of all others are woven in.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.knight.sat import sat_tour
from solver.knight.search import Status, search
from solver.knight.theorems import why_no_closed_tour
from solver.knight.tour import Tour

Ints = npt.NDArray[np.int32]

_DR = np.array([-2, -2, -1, -1, 1, 1, 2, 2], dtype=np.int64)
_DC = np.array([-1, 1, -2, 2, -2, 2, -1, 1], dtype=np.int64)
_SEEDS, _STEPS = 30, 200_000
_EVEN = (6, 8, 10)
_LONG = (10, 12, 14, 16, 18)  # blocks of three rows
_ODD = (5, 7, 9, 11, 13)


def even_bands(length: int, sizes: tuple[int, ...] = _EVEN) -> list[int] | None:
    """Cut an even length into bands, None if it cannot be cut.

    >>> even_bands(22), even_bands(4)
    ([6, 6, 10], None)
    """
    if length == 0:
        return []
    least = sizes[0]
    for last in sizes:
        if length >= last and (length - last) % least == 0:
            return [least] * ((length - last) // least) + [last]
    return None


def odd_bands(
    length: int, at: int, odd: tuple[int, ...] = _ODD, even: tuple[int, ...] = _EVEN
) -> Iterator[tuple[list[int], int]]:
    """Yield cuts of a length into even bands and one odd, which holds `at`.

    Each comes with the place of the odd band; the smallest odd band comes first.
    """
    for size in odd:
        for before in range(max(0, at - size + 1), min(at, length - size) + 1):
            left = even_bands(before, even) if before % 2 == 0 else None
            rest = length - size - before
            right = even_bands(rest, even) if rest % 2 == 0 else None
            if left is not None and right is not None:
                yield [*left, size, *right], len(left)


@cache
def block_tour(rows: int, cols: int, start: int, closed: bool) -> Tour | None:
    """Return a tour of a small block, None if none was found."""
    if rows > cols:  # the same search as for the block on its side
        turned = block_tour(cols, rows, start % cols * rows + start // cols, closed)
        if turned is None:
            return None
        return tuple(cell % rows * cols + cell // rows for cell in turned)
    for seed in range(_SEEDS):
        found = search(rows, cols, (start,), closed=closed, steps=_STEPS, seed=seed)
        if found.status is not Status.UNKNOWN:
            return found.tour
    return sat_tour(rows, cols, (start,), closed=closed).tour


@njit
def _root(loops: Ints, one: int) -> int:
    while loops[one] != one:
        loops[one] = loops[loops[one]]
        one = loops[one]
    return one


@njit
def _replace(links: Ints, cell: int, old: int, new: int) -> None:
    if links[cell, 0] == old:
        links[cell, 0] = new
    else:
        links[cell, 1] = new


@njit
def _apart(a: int, b: int, cols: int) -> bool:
    dr = abs(a // cols - b // cols)
    dc = abs(a % cols - b % cols)
    return dr * dc == 2


@njit
def _weave(links: Ints, block: Ints, loops: Ints, rows: int, cols: int) -> int:
    """Join loops until no exchange is left; return how many joins were made.

    `links` are the two cells before and after each cell, -1 behind an end of the open
    part; `block` is the loop of each cell and `loops` the union-find.
    """
    joins = 0
    for a in range(rows * cols):
        for j in range(8):
            r = a // cols + _DR[j]
            c = a % cols + _DC[j]
            if r < 0 or r >= rows or c < 0 or c >= cols:
                continue
            other = r * cols + c
            one = _root(loops, block[a])
            two = _root(loops, block[other])
            if one == two:
                continue
            for k in range(4):
                b = links[a, k & 1]
                d = links[other, k >> 1]
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
def _unroll(links: Ints, start: int, out: Ints) -> int:
    """Follow the links from a cell; return how many cells were met."""
    before = -1
    cell = start
    count = 0
    while True:
        out[count] = cell
        count += 1
        after = links[cell, 0] if links[cell, 0] != before else links[cell, 1]
        before = cell
        cell = after
        if cell < 0 or cell == start or count == out.size:
            return count


def _links_of(tour: Tour, closed: bool, cols: int, wide: int) -> tuple[Ints, Ints]:
    """Return the cells of a block `wide` cells wide at the board's first corner.

    With each come the cells before and after it, -1 behind an end.
    """
    cells = np.array(tour, dtype=np.int32)
    cells = cells // wide * cols + cells % wide
    links = np.stack([np.roll(cells, 1), np.roll(cells, -1)], axis=1)
    if not closed:
        links[0, 0] = links[-1, 1] = -(2**30)
    return cells, links


def _woven(
    rows: int, cols: int, start: int, high: list[int], wide: list[int], odd: int
) -> Ints | None:
    """Weave a tour from bands; `odd` is the number of the open block, -1 if none."""
    cells = rows * cols
    links = np.full((cells, 2), -1, dtype=np.int32)
    block = np.full(cells, -1, dtype=np.int32)
    ready: dict[tuple[int, int], tuple[Ints, Ints]] = {}
    top = number = 0
    for height in high:
        left = 0
        for width in wide:
            inside = 0
            is_open = number == odd
            if is_open:
                r, c = divmod(start, cols)
                inside = (r - top) * width + c - left
            if is_open or (height, width) not in ready:
                tour = block_tour(height, width, inside, not is_open)
                if tour is None:
                    return None
                ready[height, width] = _links_of(tour, not is_open, cols, width)
            at, around = ready[height, width]
            corner = top * cols + left
            links[at + corner] = np.maximum(around + corner, -1)
            block[at + corner] = number
            left += width
            number += 1
        top += height
    loops = np.arange(number, dtype=np.int32)
    joins = 0
    while joins < number - 1:
        more = int(_weave(links, block, loops, rows, cols))
        if more == 0:
            return None
        joins += more
    out = np.full(cells, -1, dtype=np.int32)
    return out if int(_unroll(links, start, out)) == cells else None


def weave(rows: int, cols: int, start: int) -> Ints | None:
    """Return a tour of a board from a cell, closed if the board has closed ones.

    Boards from 5 rows and 5 columns on, and of 3 rows where the blocks allow it. None
    if the board cannot be cut so; that does not say that it has no tour.
    """
    if rows > cols:
        turned = weave(cols, rows, start % cols * rows + start // cols)
        return None if turned is None else (turned % rows) * cols + turned // rows
    thin = rows == 3
    if rows < 3 or rows == 4 or (thin and cols < 4):
        return None
    even = _LONG if thin else _EVEN
    if why_no_closed_tour(rows, cols) is None:
        high = [3] if thin else _bands(rows)
        wide = even_bands(cols, even) if thin else _bands(cols)
        if high is None or wide is None:
            return None
        return _woven(rows, cols, start, high, wide, -1)
    r, c = divmod(start, cols)
    odd = (7, 9, 11, 13, 15, 17, 19) if thin else _ODD
    for high, i in [([3], 0)] if thin else odd_bands(rows, r):
        for wide, j in odd_bands(cols, c, odd, even):
            found = _woven(rows, cols, start, high, wide, i * len(wide) + j)
            if found is not None:
                return found
    return None


def _bands(length: int) -> list[int] | None:
    """Cut a length of 5 or more into bands, at most one of them odd."""
    if length % 2 == 0:
        return even_bands(length)
    return next((bands for bands, _ in odd_bands(length, 0)), None)
