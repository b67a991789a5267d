"""Exact search for tours of any small board: one of them, or how many there are.

A depth-first walk. A free cell needs two neighbours that are free or the live end (or
the start, which a closed tour comes back to); in an open tour the last cell needs one.
A cell that would keep one neighbour alone is stepped on at once. To find one tour,
cells with few free neighbours come first (Warnsdorff, 1823), ties by the seed.
"""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError
from solver.jit import njit, njit_within
from solver.knight.tour import Tour, neighbours, symmetries

Ints = npt.NDArray[np.int32]

MOST_CELLS = 4096


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


class _Search(NamedTuple):
    """What the kernels know of a walk, all int32.

    Attributes
    ----------
    near : (cells, 8)
        Neighbours, -1 behind the last.
    path, free, degree : (cells,)
        The cells visited, in order; 1 where a cell is free; free neighbours.
    todo, width : (cells, 8) and (cells,)
        Steps left to try at each level, and how many; the best last.
    lonely : (1,)
        How many free cells have one free neighbour or none.
    closed, ordered : bool
        Whether the tour comes back, and whether steps are put in order.
    """

    near: Ints
    path: Ints
    free: Ints
    degree: Ints
    todo: Ints
    width: Ints
    lonely: Ints
    closed: bool
    ordered: bool


@njit
def _enter(s: _Search, cell: Any) -> None:
    """Visit a cell: it is free no more, and its neighbours have one less."""
    s.free[cell] = 0
    if s.degree[cell] <= 1:
        s.lonely[0] -= 1
    for j in range(s.near.shape[1]):
        other = s.near[cell, j]
        if other < 0:
            break
        s.degree[other] -= 1
        if s.free[other] == 1 and s.degree[other] == 1:
            s.lonely[0] += 1


@njit
def _leave(s: _Search, cell: Any) -> None:
    """Take a visit back."""
    for j in range(s.near.shape[1]):
        other = s.near[cell, j]
        if other < 0:
            break
        if s.free[other] == 1 and s.degree[other] == 1:
            s.lonely[0] -= 1
        s.degree[other] += 1
    s.free[cell] = 1
    if s.degree[cell] <= 1:
        s.lonely[0] += 1


@njit_within
def _put_in_order(s: _Search, t: int, count: int) -> None:
    """Sort the steps to try at a level: most free neighbours first."""
    todo, degree = s.todo, s.degree
    for i in range(1, count):
        other = todo[t, i]
        j = i
        while j > 0 and degree[todo[t, j - 1]] < degree[other]:
            todo[t, j] = todo[t, j - 1]
            j -= 1
        todo[t, j] = other


@njit
def _steps(s: _Search, t: int) -> int:
    """Write the steps worth trying from the live end into todo[t]; return how many.

    The best comes last, where it is taken first.
    """
    todo, degree = s.todo, s.degree
    cell = s.path[t]
    left = s.free.size - t - 1
    count = 0
    bare = 0  # neighbours without another free neighbour
    tight = 0  # neighbours with one other
    for j in range(s.near.shape[1]):
        other = s.near[cell, j]
        if other < 0:
            break
        if s.free[other] == 1:
            if degree[other] == 0:
                bare += 1
            elif degree[other] == 1:
                tight += 1
            todo[t, count] = other
            count += 1
    if left == 1:
        return count
    if bare > 0:
        return 0
    far = s.lonely[0] - tight  # lonely cells that the live end does not touch
    allowed = 0 if s.closed else 1  # one cell alone can be the last
    if far > allowed or far + tight > allowed + 1:
        return 0
    if tight > 0 and (far == allowed or tight > 1):
        kept = 0
        for j in range(count):
            if degree[todo[t, j]] == 1:
                todo[t, kept] = todo[t, j]
                kept += 1
        count = kept
    if s.ordered:
        _put_in_order(s, t, count)
    return count


@njit
def _begin(s: _Search, given: int) -> None:
    """Visit the first cells of the path."""
    s.lonely[0] = 0
    for cell in range(s.path.size):
        if s.degree[cell] <= 1:
            s.lonely[0] += 1
    start = s.path[0]
    _enter(s, start)
    if s.closed:  # the start stays a neighbour, until the last cell comes back to it
        for j in range(s.near.shape[1]):
            other = s.near[start, j]
            if other < 0:
                break
            if s.degree[other] == 1:
                s.lonely[0] -= 1
            s.degree[other] += 1
    for t in range(1, given):
        _enter(s, s.path[t])


@njit
def _search(s: _Search, out: Ints, limits: npt.NDArray[np.int64]) -> int:
    """Search all tours that begin like the path.

    `limits`: steps, tours, cells of the path given. Returns the number of tours found;
    `limits[0]` keeps the steps not used.
    """
    cells = s.path.size
    start = s.path[0]
    found = 0
    begin = limits[2] - 1
    _begin(s, begin + 1)
    t = begin
    s.width[t] = _steps(s, t)
    while True:
        if s.width[t] == 0:
            if t == begin:
                break
            _leave(s, s.path[t])
            t -= 1
            continue
        if limits[0] == 0:
            break
        limits[0] -= 1
        s.width[t] -= 1
        cell = s.todo[t, s.width[t]]
        t += 1
        s.path[t] = cell
        if t == cells - 1:
            good = not s.closed
            for j in range(s.near.shape[1]):
                if s.near[cell, j] == start:
                    good = True
            if good:
                if found == 0:
                    for k in range(cells):
                        out[k] = s.path[k]
                found += 1
                if found == limits[1]:
                    break
            t -= 1
            continue
        _enter(s, cell)
        s.width[t] = _steps(s, t)
    return found


def _table(rows: int, cols: int, rng: np.random.Generator | None) -> Ints:
    near = neighbours(rows, cols)
    out = np.full((rows * cols, 8), -1, dtype=np.int32)
    for cell, others in enumerate(near):
        order = list(reversed(others))  # the last step of a list is tried first
        if rng is not None:
            rng.shuffle(order)
        out[cell, : len(order)] = order
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
    """Search tours of a board that begin with a walk.

    Parameters
    ----------
    rows, cols : int
        At most 4,096 cells.
    walk : tuple of cells
        The first cells, a knight's walk; at least one.
    closed : bool
        Only tours whose last cell is a knight's move from the first.
    steps : int
        Limit; below 0 there is none.
    most : int
        Stop after so many tours; below 1 all are counted.
    seed : int or None
        Order of ties; None tries cells in ascending order, as counting does.

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
    rng = None if seed is None else np.random.default_rng(seed)
    near = _table(rows, cols, rng)
    path = np.full(cells, -1, dtype=np.int32)
    path[: len(walk)] = walk
    out = np.full(cells, -1, dtype=np.int32)
    limits = np.array([steps, most, len(walk)], dtype=np.int64)
    state = _Search(
        near,
        path,
        np.ones(cells, dtype=np.int32),
        np.sum(near >= 0, axis=1, dtype=np.int32),
        np.zeros((cells, 8), dtype=np.int32),
        np.zeros(cells, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        closed,
        seed is not None,
    )
    count = _search(state, out, limits)
    stopped = limits[0] == 0
    used = steps - int(limits[0])
    if count:
        return Searched(Status.FOUND, tuple(map(int, out)), int(count), used)
    status = Status.UNKNOWN if stopped else Status.NONE
    return Searched(status, None, 0, used)


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
    for r in range(rows):
        for c in range(cols):
            if rows == cols:
                least = min(image[r * cols + c] for image in symmetries(rows))
            else:
                least = min(r, rows - 1 - r) * cols + min(c, cols - 1 - c)
            groups.setdefault(least, []).append(r * cols + c)
    return list(groups.values())
