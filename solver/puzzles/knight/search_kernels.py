"""The kernels of the exact search for tours: one loop, no allocation.

They work on numpy arrays when compiled, and as plain Python on lists just as well;
boards so small that importing numba would take longer are searched so.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.jit import njit, njit_within

Ints = npt.NDArray[np.int32]


class Search(NamedTuple):
    """What the kernels know of a walk, all int32.

    Attributes
    ----------
    near : (cells * 8,)
        Neighbours, -1 behind the last.
    path, free, degree : (cells,)
        The cells visited, in order; 1 where a cell is free; free neighbours.
    todo, width : (cells * 8,) and (cells,)
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
def _enter(s: Search, cell: Any) -> None:
    """Visit a cell: it is free no more, and its neighbours have one less."""
    s.free[cell] = 0
    if s.degree[cell] <= 1:
        s.lonely[0] -= 1
    for j in range(8):
        other = s.near[8 * cell + j]
        if other < 0:
            break
        s.degree[other] -= 1
        if s.free[other] == 1 and s.degree[other] == 1:
            s.lonely[0] += 1


@njit
def _leave(s: Search, cell: Any) -> None:
    """Take a visit back."""
    for j in range(8):
        other = s.near[8 * cell + j]
        if other < 0:
            break
        if s.free[other] == 1 and s.degree[other] == 1:
            s.lonely[0] -= 1
        s.degree[other] += 1
    s.free[cell] = 1
    if s.degree[cell] <= 1:
        s.lonely[0] += 1


@njit_within
def _put_in_order(s: Search, t: int, count: int) -> None:
    """Sort the steps to try at a level: most free neighbours first."""
    todo, degree = s.todo, s.degree
    for i in range(1, count):
        other = todo[8 * t + i]
        j = i
        while j > 0 and degree[todo[8 * t + j - 1]] < degree[other]:
            todo[8 * t + j] = todo[8 * t + j - 1]
            j -= 1
        todo[8 * t + j] = other


@njit
def _steps(s: Search, t: int) -> int:
    """Write the steps worth trying from the live end into todo[t]; return how many.

    The best comes last, where it is taken first.
    """
    todo, degree = s.todo, s.degree
    cell = s.path[t]
    left = len(s.free) - t - 1
    count = 0
    bare = 0  # neighbours without another free neighbour
    tight = 0  # neighbours with one other
    for j in range(8):
        other = s.near[8 * cell + j]
        if other < 0:
            break
        if s.free[other] == 1:
            if degree[other] == 0:
                bare += 1
            elif degree[other] == 1:
                tight += 1
            todo[8 * t + count] = other
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
            if degree[todo[8 * t + j]] == 1:
                todo[8 * t + kept] = todo[8 * t + j]
                kept += 1
        count = kept
    if s.ordered:
        _put_in_order(s, t, count)
    return count


@njit
def _begin(s: Search, given: int) -> None:
    """Visit the first cells of the path."""
    s.lonely[0] = 0
    for cell in range(len(s.path)):
        if s.degree[cell] <= 1:
            s.lonely[0] += 1
    start = s.path[0]
    _enter(s, start)
    if s.closed:  # the start stays a neighbour, until the last cell comes back to it
        for j in range(8):
            other = s.near[8 * start + j]
            if other < 0:
                break
            if s.degree[other] == 1:
                s.lonely[0] -= 1
            s.degree[other] += 1
    for t in range(1, given):
        _enter(s, s.path[t])


@njit
def search_on(s: Search, out: Ints, limits: npt.NDArray[np.int64]) -> int:
    """Search all tours that begin like the path.

    `limits`: steps, tours, cells of the path given. Returns the number of tours found;
    `limits[0]` keeps the steps not used.
    """
    cells = len(s.path)
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
        cell = s.todo[8 * t + s.width[t]]
        t += 1
        s.path[t] = cell
        if t == cells - 1:
            good = not s.closed
            for j in range(8):
                if s.near[8 * cell + j] == start:
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
