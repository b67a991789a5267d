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

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.jit import plain
from solver.puzzles.knight.search import search
from solver.puzzles.knight.theorems import why_no_closed_tour
from solver.puzzles.knight.tour import Tour

Ints = npt.NDArray[np.int32]

_EVEN = (6, 8, 10)
_ODD = (5, 7, 9, 11, 13)
_KERNELS = "solver.puzzles.knight.kernels"
# Cells of boards that Python weaves before numba is there: about the time of loading.
_SHORT = 20_000
_STEPS, _SEEDS = 2000, 100  # of a search for the tour of a block, and how many


def even_bands(length: int) -> list[int] | None:
    """Cut an even length into bands, None if it cannot be cut.

    >>> even_bands(22), even_bands(4)
    ([6, 6, 10], None)
    """
    if length == 0:
        return []
    least = _EVEN[0]
    for last in _EVEN:
        if length >= last and (length - last) % least == 0:
            return [least] * ((length - last) // least) + [last]
    return None


def odd_bands(length: int, at: int) -> Iterator[tuple[list[int], int]]:
    """Yield cuts of a length into even bands and one odd, which holds `at`.

    Each comes with the place of the odd band; the smallest odd band comes first.
    """
    for size in _ODD:
        for before in range(max(0, at - size + 1), min(at, length - size) + 1):
            left = even_bands(before) if before % 2 == 0 else None
            rest = length - size - before
            right = even_bands(rest) if rest % 2 == 0 else None
            if left is not None and right is not None:
                yield [*left, size, *right], len(left)


@cache
def block_tour(rows: int, cols: int, start: int, closed: bool) -> Tour | None:
    """Return a tour of a small block, None if none was found."""
    if rows > cols:  # the same tour as of the block on its side
        turned = block_tour(cols, rows, start % cols * rows + start // cols, closed)
        if turned is None:
            return None
        return tuple(cell % rows * cols + cell // rows for cell in turned)
    # a search that goes wrong early does not come back, so others begin elsewhere; a
    # closed tour has no start
    begins = range(rows * cols) if closed else (start,) * _SEEDS
    tries = (
        search(rows, cols, (cell,), closed=closed, steps=_STEPS, seed=seed)
        for seed, cell in enumerate(begins)
    )
    return next((found.tour for found in tries if found.tour), None)


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
    whole = [links.reshape(-1), block, np.arange(number, dtype=np.int32)]
    whole.append(np.full(cells, -1, dtype=np.int32))
    if cells <= _SHORT and "numba" not in sys.modules:
        lists = [one.tolist() for one in whole]
        done = _joined(plain(_KERNELS), lists, number, rows, cols, start)
        return np.array(lists[3], dtype=np.int32) if done else None
    done = _joined(import_module(_KERNELS), whole, number, rows, cols, start)
    return whole[3] if done else None


def _joined(
    kernels: ModuleType, whole: list[Any], number: int, rows: int, cols: int, start: int
) -> bool:
    """Weave `number` loops with compiled kernels or plain ones; write the tour last."""
    *loops, out = whole
    joins = 0
    while joins < number - 1:
        more = int(kernels.join_loops(*loops, rows, cols))
        if more == 0:
            return False
        joins += more
    return bool(kernels.unroll(loops[0], start, out) == rows * cols)


def weave(rows: int, cols: int, start: int) -> Ints | None:
    """Return a tour of a board from a cell, closed if the board has closed ones.

    Boards from 5 rows and 5 columns on. None if the board cannot be cut so; that does
    not say that it has no tour.
    """
    if rows > cols:
        turned = weave(cols, rows, start % cols * rows + start // cols)
        return None if turned is None else (turned % rows) * cols + turned // rows
    if rows < 5:
        return None
    if why_no_closed_tour(rows, cols) is None:
        high, wide = _bands(rows), _bands(cols)
        if high is None or wide is None:
            return None
        return _woven(rows, cols, start, high, wide, -1)
    r, c = divmod(start, cols)
    for high, i in odd_bands(rows, r):
        for wide, j in odd_bands(cols, c):
            found = _woven(rows, cols, start, high, wide, i * len(wide) + j)
            if found is not None:
                return found
    return None


def _bands(length: int) -> list[int] | None:
    """Cut a length of 5 or more into bands, at most one of them odd."""
    if length % 2 == 0:
        return even_bands(length)
    return next((bands for bands, _ in odd_bands(length, 0)), None)
