"""The kernels of tours of any board: they search, walk under a rule, and weave loops.

They work on numpy arrays when compiled, and as plain Python on lists just as well;
boards so small that importing numba would take longer are done so.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.jit import njit, njit_within
from solver.splitmix import below

Ints = npt.NDArray[np.int32]
_DR = (-2, -2, -1, -1, 1, 1, 2, 2)
_DC = (-1, 1, -2, 2, -2, 2, -1, 1)


class Search(NamedTuple):
    """What the search knows of a walk."""

    near: Ints  # (cells * 8,): neighbours, -1 behind the last
    path: Ints  # the cells visited, in order
    free: Ints  # 1 where a cell is free
    degree: Ints  # free neighbours
    todo: Ints  # (cells * 8,): steps left to try at each level, the best last
    width: Ints  # how many
    lonely: Ints  # (1,): how many free cells have one free neighbour or none
    closed: bool  # whether the tour comes back
    ordered: bool  # whether steps are put in order


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
    todo, degree, cell = s.todo, s.degree, s.path[t]
    left, count = len(s.free) - t - 1, 0
    bare = tight = 0  # neighbours without another free neighbour, and with one
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
    if s.closed:  # the start stays a neighbour, until the last cell comes back to it
        s.free[start] = 0
        if s.degree[start] <= 1:
            s.lonely[0] -= 1
    else:
        _enter(s, start)
    for t in range(1, given):
        _enter(s, s.path[t])


@njit
def search_on(s: Search, out: Ints, limits: npt.NDArray[np.int64]) -> int:
    """Search all tours that begin like the path.

    `limits`: steps, tours, cells of the path given. Returns the number of tours found;
    `limits[0]` keeps the steps not used.
    """
    cells, start, found = len(s.path), s.path[0], 0
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


@njit
def _cell(cell: int, j: int, rows: int, cols: int) -> int:
    """Return the cell that move j leads to, -1 outside the board."""
    r = cell // cols + _DR[j]
    c = cell % cols + _DC[j]
    if r < 0 or r >= rows or c < 0 or c >= cols:
        return -1
    return r * cols + c


@njit
def _isolation(cell: int, rows: int, cols: int, degree: npt.NDArray[np.int8]) -> int:
    """Return how many free neighbours the free neighbours of a cell have together."""
    total = 0
    for j in range(8):
        other = _cell(cell, j, rows, cols)
        if other >= 0 and degree[other] >= 0:
            total += int(degree[other])
    return total


@njit
def walk_on(
    path: npt.NDArray[np.int32],
    degree: npt.NDArray[np.int8],
    rows: int,
    cols: int,
    rule: int,
    rng: npt.NDArray[np.uint64],
) -> int:
    """Walk from path[0] under a rule; return the cells visited.

    `degree` holds the free neighbours of every free cell; visited ones get -1.
    """
    cells = len(path)
    done = 0
    cell = int(path[0])
    while True:
        degree[cell] = -1
        path[done] = cell
        done += 1
        for j in range(8):
            other = _cell(cell, j, rows, cols)
            if other >= 0 and degree[other] >= 0:
                degree[other] -= 1
        best, least, ties = -1, 2**62, 0
        for j in range(8):
            other = _cell(cell, j, rows, cols)
            if other < 0 or degree[other] < 0:
                continue
            if degree[other] == 0 and done < cells - 1:
                continue  # nothing would come after it
            worth = int(degree[other])
            if rule == 2:
                dr = 2 * (other // cols) - rows + 1
                dc = 2 * (other % cols) - cols + 1
                worth = (worth << 48) - dr * dr - dc * dc
            elif rule == 3:
                worth = (worth << 16) + _isolation(other, rows, cols, degree)
            if worth < least:
                best, least, ties = other, worth, 1
            elif worth == least and rule != 1:
                ties += 1
                if below(rng, ties) == 0:
                    best = other
        if best < 0:
            return done
        cell = best


@njit
def _root(loops: Ints, one: int) -> int:
    while loops[one] != one:
        loops[one] = loops[loops[one]]
        one = loops[one]
    return one


@njit
def _replace(links: Ints, cell: int, old: int, new: int) -> None:
    links[2 * cell + (links[2 * cell] != old)] = new


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
            other = _cell(a, j, rows, cols)
            if other < 0 or block[a] == block[other]:
                continue
            one = _root(loops, block[a])
            two = _root(loops, block[other])
            if one == two:
                continue
            for k in range(4):
                at, to = 2 * a + (k & 1), 2 * other + (k >> 1)
                b, d = links[at], links[to]
                if b >= 0 and d >= 0 and _apart(b, d, cols):
                    links[at], links[to] = other, a
                    _replace(links, b, a, d)
                    _replace(links, d, other, b)
                    loops[one] = two
                    joins += 1
                    break
    return joins


@njit
def unroll(links: Ints, start: int, out: Ints) -> int:
    """Follow the links from a cell; return how many cells were met."""
    before, cell, count = -1, start, 0
    while True:
        out[count] = cell
        count += 1
        after = links[2 * cell] if links[2 * cell] != before else links[2 * cell + 1]
        before = cell
        cell = after
        if cell < 0 or cell == start or count == len(out):
            return count
