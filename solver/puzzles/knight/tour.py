"""Knight's tours: boards, tours, and the equivalences under which they are counted.

A *board* has `rows` x `cols` cells, numbered ``row * cols + col`` from 0, row 0 on
top. A *tour* is the tuple of all cells in the order of the walk: ``tour[k - 1]`` bears
the number k. It is *closed* if its ends are a knight's move apart. On a square board
of side n it is *semi-magic* if every row and every column of numbers adds up to
``n * (n * n + 1) / 2``.

A cell of the 8 x 8 board has its name in chess too: a1 is the lower left cell.

Ten starts stand for all of 8 x 8: a symmetry of the board carries every cell to one of
them, the *start class* of the cell, named by that cell: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4.
A reversed tour is the same tour for us, so the classes are put in order, corner first,
and the end of a tour may not lie in a class that comes before the class of its start.
(That order and this rule are the published plan's; corner first makes the smallest tree
that was found.)

A class on the diagonal is carried to itself by a mirror image, so the second cell is
asked to lie below that diagonal, towards h1. Then every class of tours under the 8
symmetries and reversal is found once, but twice if both ends lie in one start class:
as itself and reversed.

The whole enumeration is cut into *units*, some thousands. Each is a prefix; what the
search finds below it does not depend on any other. The units of a start class lie in
the order of their cells and part its whole tree. Their weights, in thousands of steps
tried, come from probes and are kept in ``units.txt``, which `python -m
tests.bench.knight_units` makes anew. They only say how long a unit takes: no answer
depends on them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from solver.errors import BoardError, UnknownNameError

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


def chess_name(cell: int, rows: int = 8, cols: int = 8) -> str:
    """Return the name of a cell as in chess: ``c3``; at most 26 columns.

    >>> chess_name(0), chess_name(63)
    ('a8', 'h1')
    """
    row, col = divmod(cell, cols)
    return f"{chr(ord('a') + col)}{rows - row}"


def named_cell(name: str, rows: int = 8, cols: int = 8) -> int:
    """Return the cell of a chess name.

    >>> named_cell("a1")
    56

    Raises `BoardError` if the board has no such cell.
    """
    text = name.strip().lower()
    col = ord(text[0]) - ord("a") if text else -1
    rank = int(text[1:]) if text[1:].isascii() and text[1:].isdigit() else 0
    if not (0 <= col < min(cols, 26) and 1 <= rank <= rows):
        raise BoardError(f"no cell of {rows} x {cols} is called {name!r}")
    return (rows - rank) * cols + col


def magic_sum(side: int) -> int:
    """Return what each line of a semi-magic square of 1 to side * side adds up to.

    Raises `BoardError` if no tour can be semi-magic. Numbers change colour at every
    step, so all cells of one colour bear odd numbers. If the side is odd, two rows that
    touch hold different counts of odd numbers, one even and one odd, so their sums
    differ.

    >>> [magic_sum(n) for n in (4, 8, 12, 16, 20)]
    [34, 260, 870, 2056, 4010]
    """
    if side < 1 or (side % 2 and side > 1):
        raise BoardError(
            f"no tour of an odd side such as {side} is semi-magic: two rows that touch "
            "hold different numbers of odd numbers, so one sum is odd, the other even"
        )
    return side * (side * side + 1) // 2


@lru_cache(16)
def symmetries(side: int) -> tuple[tuple[int, ...], ...]:
    """Return the 8 symmetries of the square board; each maps cell to cell."""
    board = np.arange(side * side).reshape(side, side)
    flips = (board, board[::-1], board[:, ::-1], board[::-1, ::-1])
    return tuple(tuple(m.ravel().tolist()) for one in flips for m in (one, one.T))


def images(tour: Tour, side: int) -> Iterator[Tour]:
    """Yield the 16 images of a tour: 8 symmetries, each forward and reversed."""
    for image in symmetries(side):
        moved = tuple(image[cell] for cell in tour)
        yield moved
        yield moved[::-1]


def canonical(tour: Tour, side: int) -> Tour:
    """Return the least of the 16 images: the same for all tours of a class."""
    return min(images(tour, side))


def canonical_cycle(tour: Tour, side: int) -> Tour:
    """Return the least image of a closed tour under the renumberings as well."""
    starts = ((image, image.index(0)) for image in images(tour, side))
    return min(image[at:] + image[:at] for image, at in starts)


STARTS = ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")
_CELLS = 64


@dataclass(frozen=True, slots=True)
class StartClass:
    """One of the ten starts: its cell, where a tour may end, and its first moves.

    `finish` is a set of cells as a word: the right colour, and no class before this.
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


FILE = Path(__file__).with_name("units.txt")


@dataclass(frozen=True, slots=True)
class Prefix:
    """One unit: first cells, and the steps that its search is expected to try."""

    cells: Tour
    steps: float

    @property
    def name(self) -> str:
        """The cells as in chess: ``c3d5e7``."""
        return "".join(map(chess_name, self.cells))


@cache
def stored() -> dict[str, tuple[Prefix, ...]]:
    """Return the units that are kept, by start class."""
    out: dict[str, list[Prefix]] = {start: [] for start in STARTS}
    for line in FILE.read_text(encoding="ascii").split("\n"):
        if line and not line.startswith("#"):
            name, thousands = line.split()
            parts = [name[i : i + 2] for i in range(0, len(name), 2)]
            cells = tuple(map(named_cell, parts))
            out[parts[0]].append(Prefix(cells, float(thousands) * 1000))
    return {start: tuple(units) for start, units in out.items()}
