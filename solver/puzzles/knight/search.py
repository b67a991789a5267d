"""Exact search for tours of any small board: one of them, or how many there are.

A depth-first walk. A free cell needs two neighbours that are free or the live end (or
the start, which a closed tour comes back to); in an open tour the last cell needs one.
A cell that would keep one neighbour alone is stepped on at once. To find one tour,
cells with few free neighbours come first (Warnsdorff, 1823), ties by the seed.
"""

import sys
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from solver.errors import BoardError
from solver.jit import plain
from solver.puzzles.knight.tour import Tour, neighbours, symmetries

MOST_CELLS = 4096
_KERNELS = "solver.puzzles.knight.kernels"
# Steps that Python searches before numba is there: about the time of loading it.
_SHORT = 20_000


class Status(Enum):
    """How a search ended."""

    FOUND = "a tour was found"
    NONE = "every walk was tried; there is no tour"
    UNKNOWN = "the limit came first"


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found: a tour if there is one, how many, and the steps it tried."""

    status: Status
    tour: Tour | None
    count: int
    steps: int


def _table(rows: int, cols: int, rng: np.random.Generator | None) -> list[int]:
    out = []
    for others in neighbours(rows, cols):
        order = list(reversed(others))  # the last step of a list is tried first
        if rng is not None:
            rng.shuffle(order)
        out += order + [-1] * (8 - len(order))
    return out


def search(
    rows: int,
    cols: int,
    walk: Tour,
    *,
    closed: bool = False,
    steps: int = 2_000_000,
    most: int = 1,
    seed: int | None = 0,
) -> Searched:
    """Search tours of a board of at most 4,096 cells that begin with a walk.

    `closed`: only tours whose last cell is a knight's move from the first. It stops
    after so many `steps`, below 0 never, or after `most` tours; below 1 all are
    counted. `seed` puts ties in order; None tries cells in ascending order, as counting
    does.

    Raises
    ------
    BoardError
        If the board is too large, or the walk none.
    """
    check_walk(rows, cols, walk, MOST_CELLS)
    cells = rows * cols
    if len(walk) == cells:
        good = not closed or (cells > 1 and walk[0] in neighbours(rows, cols)[walk[-1]])
        status = Status.FOUND if good else Status.NONE
        return Searched(status, walk if good else None, int(good), 0)
    near = _table(rows, cols, None if seed is None else np.random.default_rng(seed))
    count, left, out = -1, 0, walk
    if "numba" not in sys.modules:
        short = min(steps, _SHORT) if steps >= 0 else _SHORT
        count, left, out = _run(plain(_KERNELS), near, walk, closed, seed, short, most)
        # ended by itself, or by the limit that was asked for
        if left or count == most or short == steps:
            left += steps - short
        else:
            count = -1
    if count < 0:
        kernels = import_module(_KERNELS)
        count, left, out = _run(kernels, near, walk, closed, seed, steps, most)
    used = steps - left
    if count:
        return Searched(Status.FOUND, out, count, used)
    status = Status.UNKNOWN if left == 0 else Status.NONE
    return Searched(status, None, 0, used)


def _run(
    kernels: ModuleType,
    near: list[int],
    walk: Tour,
    closed: bool,
    seed: int | None,
    steps: int,
    most: int,
) -> tuple[int, int, Tour]:
    """Search with compiled kernels or plain ones; tours, steps left, the first tour."""
    cells = len(near) // 8

    def array(numbers: list[int]) -> Any:
        compiled = kernels is sys.modules.get(_KERNELS)
        return np.array(numbers, dtype=np.int32) if compiled else numbers

    out = array([-1] * cells)
    limits = np.array([steps, most, len(walk)], dtype=np.int64)
    state = kernels.Search(
        array(near),
        array([*walk] + [-1] * (cells - len(walk))),
        array([1] * cells),
        array([sum(near[8 * k + j] >= 0 for j in range(8)) for k in range(cells)]),
        array([0] * (8 * cells)),
        array([0] * cells),
        array([0]),
        closed,
        seed is not None,
    )
    count = int(kernels.search_on(state, out, limits))
    return count, int(limits[0]), tuple(map(int, out))


def check_walk(rows: int, cols: int, walk: Tour, most: int) -> None:
    """Refuse a board with more than `most` cells, and what is no walk on it."""
    cells = rows * cols
    if cells > most:
        raise BoardError(f"{rows} x {cols} has {cells} cells, more than {most}")
    if not walk or not all(0 <= cell < cells for cell in walk):
        raise BoardError(f"the walk has no cell, or one outside {rows} x {cols}")
    near = neighbours(rows, cols)
    if len(set(walk)) < len(walk) or any(b not in near[a] for a, b in pairwise(walk)):
        raise BoardError("the walk is no knight's walk that visits cells once")


def count_tours(rows: int, cols: int, *, closed: bool = False) -> int:
    """Count the tours of a board, exactly; directed, every start for itself.

    Starts that a symmetry of the board exchanges have equally many. Closed tours are
    counted as cycles that have a direction: each once, wherever it begins. 6 x 6 takes
    a few seconds; beyond about 40 cells nobody waits for the end.

    >>> count_tours(3, 4), count_tours(5, 5, closed=True)
    (16, 0)
    """
    if closed:
        corner = search(rows, cols, (0,), closed=True, steps=-1, most=0, seed=None)
        return corner.count
    total = 0
    for orbit in _orbits(rows, cols):
        found = search(rows, cols, (orbit[0],), steps=-1, most=0, seed=None)
        total += len(orbit) * found.count
    return total


def _orbits(rows: int, cols: int) -> list[list[int]]:
    """Return the cells in groups that symmetries of the board exchange."""
    groups: dict[int, list[int]] = {}
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        least = min(r, rows - 1 - r) * cols + min(c, cols - 1 - c)
        if rows == cols:
            least = min(image[cell] for image in symmetries(rows))
        groups.setdefault(least, []).append(cell)
    return list(groups.values())
