"""Rules that say where a knight steps next, and the walk that obeys one.

All look at the free cells a knight's move away and prefer those with the fewest free
neighbours (H. C. von Warnsdorff, 1823); they differ in ties:

- ``warnsdorff``: by the seed;
- ``first``: the first in a fixed order of moves, as most programs do;
- ``outermost``: farthest from the centre of the board, then by the seed (A. Roth);
- ``isolated``: the most isolated one: its free neighbours together have the fewest
  free neighbours of their own, then by the seed (I. Pohl, 1967).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import UnknownNameError
from solver.jit import njit
from solver.splitmix import below, seeded

RULES = ("warnsdorff", "first", "outermost", "isolated")

_DR = np.array([-2, -2, -1, -1, 1, 1, 2, 2], dtype=np.int64)
_DC = np.array([-1, 1, -2, 2, -2, 2, -1, 1], dtype=np.int64)


@njit
def _cell(cell: int, j: int, rows: int, cols: int) -> int:
    """Return the cell that move j leads to, -1 outside the board."""
    r = cell // cols + _DR[j]
    c = cell % cols + _DC[j]
    if r < 0 or r >= rows or c < 0 or c >= cols:
        return -1
    return int(r * cols + c)


@njit
def _isolation(cell: int, rows: int, cols: int, degree: npt.NDArray[np.int8]) -> int:
    """Return how many free neighbours the free neighbours of a cell have together."""
    total = 0
    for j in range(8):
        other = _cell(cell, j, rows, cols)
        if other >= 0 and degree[other] >= 0:
            total += degree[other]
    return total


@njit
def _walk(
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
    cells = path.size
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


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk under a rule: its cells, and whether it got stuck before the last."""

    cells: npt.NDArray[np.int32]
    stuck: bool


def degrees(rows: int, cols: int) -> npt.NDArray[np.int8]:
    """Return how many neighbours each cell of a board has."""
    out = np.zeros((rows, cols), dtype=np.int8)
    for dr, dc in zip(_DR, _DC, strict=True):
        top, bottom = max(0, -dr), min(rows, rows - dr)
        left, right = max(0, -dc), min(cols, cols - dc)
        if top < bottom and left < right:
            out[top:bottom, left:right] += 1
    return out.reshape(-1)


def walk(rows: int, cols: int, start: int, *, rule: str, seed: int) -> Walked:
    """Walk from a cell under a rule until the board is full or no step is left.

    Linear time: a board of a million cells takes about a fifth of a second.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    """
    if rule not in RULES:
        raise UnknownNameError("rule", rule, RULES)
    path = np.zeros(rows * cols, dtype=np.int32)
    path[0] = start
    rng = seeded(seed)
    done = _walk(path, degrees(rows, cols), rows, cols, RULES.index(rule), rng)
    return Walked(path[:done], done < path.size)
