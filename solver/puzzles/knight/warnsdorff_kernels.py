"""The kernel that walks under a rule; plain Python on lists for small boards."""

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.splitmix import below

_DR = (-2, -2, -1, -1, 1, 1, 2, 2)
_DC = (-1, 1, -2, 2, -2, 2, -1, 1)


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
        best = -1
        least = 2**62
        ties = 0
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
