"""Where a tour of the 8 x 8 board begins and ends: ten starts stand for all.

A symmetry of the board carries every cell to one of ten, the *start class* of the
cell, named by that cell: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4. A reversed tour is the same
tour for us, so the classes are put in order, corner first, and the end of a tour may
not lie in a class that comes before the class of its start. (That order and this rule
are the published plan's; corner first makes the smallest tree that was found.)

A class on the diagonal is carried to itself by a mirror image, so the second cell is
asked to lie below that diagonal, towards h1. Then every class of tours under the 8
symmetries and reversal is found once, but twice if both ends lie in one start class:
as itself and reversed.
"""

from dataclasses import dataclass
from functools import cache

from solver.errors import UnknownNameError
from solver.puzzles.knight.tour import named_cell, neighbours

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


def orbit(cell: int) -> tuple[int, int]:
    """Return the distances from the nearest edges, the smaller first, from 0."""
    near = sorted(min(one, 7 - one) for one in divmod(cell, 8))
    return near[0], near[1]


@cache
def class_of(cell: int) -> str:
    """Return the name of the start class of a cell."""
    return next(name for name in STARTS if orbit(named_cell(name)) == orbit(cell))


@cache
def start_class(name: str) -> StartClass:
    """Return a start class by its name.

    Raises
    ------
    UnknownNameError
        If it is none of the ten.
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
