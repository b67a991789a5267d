"""Knight's tours of any board, and the equivalences under which they are counted.

A board has `rows` x `cols` cells, numbered ``row * cols + col`` from 0, row 0 on top. A
*tour* is the tuple of all cells in the order of the walk: ``tour[k - 1]`` has the
number k. It is *closed* if its ends are a knight's move apart.

Ten cells of 8 x 8, the *starts*, represent all cells: a symmetry of the board carries
every cell to exactly one start, the *start class* of the cell. A reversed tour counts
as the same tour. So the end of a tour may not lie in a class before the class of its
start. A mirror image carries a class on the diagonal to itself. There the second cell
must lie below the diagonal, towards h1.

`find_tour` steps on the cell with the fewest free neighbours (H. C. von Warnsdorff,
1823). Where the walk is stuck, a rotation gives it another end: the last cell touches a
cell of the walk, and the part after that cell is reversed (L. Posa, Hamiltonian
circuits in random graphs, Discrete Mathematics 14, 1976).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

import numpy as np

from solver.errors import UnknownNameError

Tour = tuple[int, ...]

STARTS = ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")
_JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
_TRIES = 20  # walks by Warnsdorff's rule
_ROTATIONS = 20  # rotations of a walk for each cell of the board
_SMALL = 42  # cells of a board that is searched exactly
_STEPS = 200_000  # limit of the exact search


@lru_cache(64)
def knight_moves(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells a knight's move away, ascending."""
    return tuple(
        tuple(
            (r + dr) * cols + c + dc
            for dr, dc in _JUMPS
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


@cache
def _symmetries() -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of 8 x 8; each maps cell to cell."""
    board = np.arange(64).reshape(8, 8)
    flips = (board, board[::-1], board[:, ::-1], board[::-1, ::-1])
    return tuple(tuple(m.ravel().tolist()) for flip in flips for m in (flip, flip.T))


def canonical_tour(tour: Tour) -> Tour:
    """Return the least of the 16 images of a tour of 8 x 8.

    These are its 8 symmetries, forward and reversed, which count as one tour.
    """
    moved = [tuple(image[cell] for cell in tour) for image in _symmetries()]
    return min(*moved, *(image[::-1] for image in moved))


def colour_of(cell: int) -> int:
    """Return the colour of a cell of 8 x 8: 0 where row plus column is even."""
    return sum(divmod(cell, 8)) % 2


@dataclass(frozen=True, slots=True)
class StartClass:
    """A start; numbers are odd on cells of its colour."""

    cell: int
    finish: int  # the set of cells where a tour may end
    second: tuple[int, ...]  # the cells of number 2


@cache
def class_of(cell: int) -> str:
    """Return the name of the start class of a cell."""

    def distances(c: int) -> list[int]:  # from the nearest edges
        return sorted(min(line, 7 - line) for line in divmod(c, 8))

    return next(s for s in STARTS if distances(named_cell(s)) == distances(cell))


@cache
def start_class(name: str) -> StartClass:
    """Return a start class by its name; raises `UnknownNameError` for others."""
    if name not in STARTS:
        raise UnknownNameError("start", name, STARTS)
    cell = named_cell(name)
    later = set(STARTS[STARTS.index(name) :])
    finish = sum(
        1 << end
        for end in range(64)
        if colour_of(end) != colour_of(cell) and class_of(end) in later
    )
    second = knight_moves(8, 8)[cell]
    if sum(divmod(cell, 8)) == 7:
        second = tuple(c for c in second if sum(divmod(c, 8)) > 7)
    return StartClass(cell, finish, second)


class Status(Enum):
    """The end of a search."""

    FOUND = "a tour was found"
    NONE = "there is no tour"
    UNKNOWN = "the limit came first"


@dataclass(frozen=True, slots=True)
class TourResult:
    """A tour, or none."""

    status: Status
    tour: Tour | None
    by: str  # the method or the reason


def find_tour(
    rows: int, cols: int, start: int, *, closed: bool = False, seed: int = 0
) -> TourResult:
    """Search a tour of a board from a cell.

    Boards of 100 x 100 take less than a second, rarely more than five. On boards above
    42 cells the answer may be UNKNOWN.

    >>> find_tour(3, 7, 10).by
    'every walk was tried'
    """
    if why := why_none(rows, cols, start, closed=closed):
        return TourResult(Status.NONE, None, why)
    for attempt in range(seed, seed + _TRIES):
        if tour := _walk_rotating(rows, cols, start, closed, random.Random(attempt)):
            return TourResult(Status.FOUND, tour, "Warnsdorff's rule with rotations")
    if rows * cols > _SMALL:
        return TourResult(Status.UNKNOWN, None, f"{_TRIES} walks got stuck")
    for step, tour in enumerate(all_tours(rows, cols, start, closed=closed)):
        if tour:
            return TourResult(Status.FOUND, tour, "the exact search")
        if step == _STEPS:
            return TourResult(Status.UNKNOWN, None, f"more than {_STEPS:,} steps")
    return TourResult(Status.NONE, None, "every walk was tried")


def _walk_rotating(
    rows: int, cols: int, start: int, closed: bool, rng: random.Random
) -> Tour | None:
    """Walk by Warnsdorff's rule, and rotate the walk wherever it is stuck."""
    near, cells = knight_moves(rows, cols), rows * cols
    degree = [len(around) for around in near]  # free neighbours
    path, place = np.full((2, cells), -1)
    cell, length, left = start, 0, _ROTATIONS * cells
    while left:
        path[length] = cell
        place[cell] = length
        length += 1
        for other in near[cell]:
            degree[other] -= 1
        while left:
            cell = int(path[length - 1])
            if length == cells and (not closed or start in near[cell]):
                return tuple(path.tolist())
            free = [other for other in near[cell] if place[other] < 0]
            if free:
                cell = min(free, key=lambda c: (degree[c], rng.random()))
                break
            left -= 1
            after = place[rng.choice(near[cell])] + 1
            path[after:length] = path[after:length][::-1]
            place[path[after:length]] = np.arange(after, length)
    return None


def all_tours(
    rows: int, cols: int, start: int, *, closed: bool = False
) -> Iterator[Tour | None]:
    """Yield all tours of a small board from a cell, and None for each step tried.

    Depth-first. A free cell needs two neighbours that are free or an end of the walk;
    the last cell needs a single such neighbour.

    >>> sum(tour is not None for tour in all_tours(3, 4, 0))
    2
    """
    near = knight_moves(rows, cols)

    def extended(path: list[int], free: set[int]) -> Iterator[Tour | None]:
        yield None
        end = path[-1]
        if not free and (not closed or start in near[end]):
            yield tuple(path)
        ends = {end, start} if closed else {end}
        open_ways = {
            cell: sum(other in free or other in ends for other in near[cell])
            for cell in free
        }
        lonely = sum(ways < 2 for ways in open_ways.values())
        if lonely > (0 if closed else 1):
            return
        choices = [cell for cell in near[end] if cell in free]
        for cell in sorted(choices, key=open_ways.__getitem__):
            yield from extended([*path, cell], free - {cell})

    return extended([start], set(range(rows * cols)) - {start})


def why_none(rows: int, cols: int, start: int, *, closed: bool = False) -> str | None:
    """Return why a board has no tour from a cell; None if no theorem excludes it.

    Closed tours: A. J. Schwenk, Mathematics Magazine 64 (1991). Open tours: P. Cull and
    J. De Curtins, Fibonacci Quarterly 16 (1978).
    """
    m, n = min(rows, cols), max(rows, cols)
    row, col = divmod(start, cols)
    if m * n == 1 and not closed:
        return None
    if m in (1, 2):
        return f"on {m} x {n} a knight moves along the board only, or not at all"
    if (m, n) in ((3, 3), (3, 5), (3, 6), (4, 4)):
        return f"{rows} x {cols} has none: every walk was tried"
    if closed and m % 2 and n % 2:
        return "the number of cells is odd, and each move changes the colour"
    if closed and (m == 4 or (m == 3 and n in (4, 8))):
        return f"{m} x {n} has no closed tour: Schwenk's theorem"
    if m * n % 2 and (row + col) % 2:
        return "the number of cells is odd: a tour begins on the colour of the corners"
    if (rows == 4 and row in (1, 2)) or (cols == 4 and col in (1, 2)):
        return (
            "on 4 rows outer cells meet inner ones alone, and are as many: a tour from "
            "an inner cell would visit outer cells of one colour only"
        )
    return None
