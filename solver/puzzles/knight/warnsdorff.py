"""Rules that say where a knight steps next, and the walk that obeys one.

All look at the free cells a knight's move away and prefer those with the fewest free
neighbours (H. C. von Warnsdorff, 1823); they differ in ties:

- ``warnsdorff``: by the seed;
- ``first``: the first in a fixed order of moves, as most programs do;
- ``outermost``: farthest from the centre of the board, then by the seed (A. Roth);
- ``isolated``: the most isolated one: its free neighbours together have the fewest
  free neighbours of their own, then by the seed (I. Pohl, 1967).
"""

import sys
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from solver.errors import UnknownNameError
from solver.jit import plain

RULES = ("warnsdorff", "first", "outermost", "isolated")

_JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
_KERNELS = "solver.puzzles.knight.kernels"
# Cells of boards that Python walks before numba is there: about the time of loading it.
_SHORT = 1024


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk under a rule: its cells, and whether it got stuck before the last."""

    cells: npt.NDArray[np.int32]
    stuck: bool


def degrees(rows: int, cols: int) -> npt.NDArray[np.int8]:
    """Return how many neighbours each cell of a board has."""
    out = np.zeros((rows, cols), dtype=np.int8)
    for dr, dc in _JUMPS:
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
    rng, number = np.array([seed % 2**64], dtype=np.uint64), RULES.index(rule)
    if rows * cols <= _SHORT and "numba" not in sys.modules:
        path = [start] * (rows * cols)
        degree = degrees(rows, cols).tolist()
        with np.errstate(over="ignore"):  # as random words are meant to
            done = plain(_KERNELS).walk_on(path, degree, rows, cols, number, rng)
        return Walked(np.array(path[:done], dtype=np.int32), done < len(path))
    cells = np.zeros(rows * cols, dtype=np.int32)
    cells[0] = start
    kernels = import_module(_KERNELS)
    done = kernels.walk_on(cells, degrees(rows, cols), rows, cols, number, rng)
    return Walked(cells[:done], done < cells.size)
