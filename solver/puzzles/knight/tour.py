"""Knight's tours: boards, tours, and the equivalences under which they are counted.

A board has `rows` x `cols` cells, numbered ``row * cols + col`` from 0, row 0 on top. A
*tour* is the tuple of all cells in the order of the walk: ``tour[k - 1]`` has the
number k. It is *closed* if its ends are a knight's move apart. On a square board of
side n it is *semi-magic* if every row and every column adds up to ``n * (n * n + 1) /
2``. Cells also have their names in chess: a1 is the lower left cell.

Ten starts stand for all cells of 8 x 8: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4. A symmetry of
the board carries every cell to one of them, the *start class* of the cell. A reversed
tour counts as the same tour, so the end of a tour may not lie in a class before the
class of its start. Corner first makes the smallest search tree that was found.

A mirror image carries a class on the diagonal to itself, so there the second cell must
lie below the diagonal, towards h1. Then the search finds every class of tours under the
8 symmetries and reversal once, but twice if both ends lie in one start class.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from solver.errors import UnknownNameError

Tour = tuple[int, ...]

JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


@lru_cache(64)
def neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells a knight's move away, ascending."""
    return tuple(
        tuple(
            (r + dr) * cols + c + dc
            for dr, dc in JUMPS
            if 0 <= r + dr < rows and 0 <= c + dc < cols
        )
        for r in range(rows)
        for c in range(cols)
    )


def chess_name(cell: int) -> str:
    """Return the name of a cell of 8 x 8 as in chess.

    >>> chess_name(0), chess_name(63)
    ('a8', 'h1')
    """
    row, col = divmod(cell, 8)
    return f"{'abcdefgh'[col]}{8 - row}"


def named_cell(name: str) -> int:
    """Return the cell of a chess name; the inverse of `chess_name`."""
    return 8 * (8 - int(name[1])) + "abcdefgh".index(name[0])


@lru_cache(16)
def _symmetries(side: int) -> tuple[tuple[int, ...], ...]:
    """Return the 8 symmetries of the square board; each maps cell to cell."""
    board = np.arange(side * side).reshape(side, side)
    flips = (board, board[::-1], board[:, ::-1], board[::-1, ::-1])
    return tuple(tuple(m.ravel().tolist()) for one in flips for m in (one, one.T))


def canonical(tour: Tour, side: int) -> Tour:
    """Return the least of the 16 images of a tour: the same for all of its class.

    The images are the 8 symmetries, each forward and reversed.
    """
    moved = [tuple(image[cell] for cell in tour) for image in _symmetries(side)]
    return min(*moved, *(image[::-1] for image in moved))


STARTS = ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")
_CELLS = 64


@dataclass(frozen=True, slots=True)
class StartClass:
    """One of the ten starts: its cell, its first moves, and where a tour may end.

    `finish` is a set of cells as a word.
    """

    name: str
    cell: int
    finish: int
    second: tuple[int, ...]

    @property
    def colour(self) -> int:
        """The colour of the odd numbers: 0 where row plus column is even."""
        return sum(divmod(self.cell, 8)) % 2


@cache
def class_of(cell: int) -> str:
    """Return the name of the start class of a cell."""

    def orbit(one: int) -> list[int]:  # the distances from the nearest edges
        return sorted(min(line, 7 - line) for line in divmod(one, 8))

    return next(name for name in STARTS if orbit(named_cell(name)) == orbit(cell))


@cache
def start_class(name: str) -> StartClass:
    """Return a start class by its name.

    Raises `UnknownNameError` if it is none of the ten.
    """
    if name not in STARTS:
        raise UnknownNameError("start", name, STARTS)
    cell = named_cell(name)
    colour = sum(divmod(cell, 8)) % 2
    later = set(STARTS[STARTS.index(name) :])
    finish = sum(
        1 << one
        for one in range(_CELLS)
        if sum(divmod(one, 8)) % 2 != colour and class_of(one) in later
    )
    second = neighbours(8, 8)[cell]
    row, col = divmod(cell, 8)
    if row + col == 7:
        second = tuple(one for one in second if sum(divmod(one, 8)) > 7)
    return StartClass(name, cell, finish, second)
