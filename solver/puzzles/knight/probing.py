"""How large the enumeration below a prefix is: Knuth's estimate, with its error.

A *probe* walks down at random to a level and then searches everything below
(`semimagic`). The product of the numbers of steps to choose from, times what is found
below, has the true count as its mean: D. E. Knuth, Estimating the efficiency of
backtrack programs, Mathematics of Computation 29 (1975). The search at the end makes
the spread small, for the widest levels lie below.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError
from solver.puzzles.knight.descent import CELLS, lay_down, rise
from solver.puzzles.knight.diving import dive
from solver.puzzles.knight.semimagic import check_prefix, search_on
from solver.puzzles.knight.tour import Tour


@dataclass(frozen=True, slots=True)
class Sample:
    """Probes below one prefix.

    Attributes
    ----------
    probes : int
    taken : (65,) float
        Mean number of steps taken that lead to each level; entry 0 is not used.
    taken_error : (65,) float
        Standard errors of these.
    tried, error : float
        Mean number of steps tried at and below the level of the dive, and its error.
    """

    probes: int
    taken: npt.NDArray[np.float64]
    taken_error: npt.NDArray[np.float64]
    tried: float
    error: float


def probe(prefix: Tour, *, probes: int, level: int, seed: int) -> Sample:
    """Estimate the search below a prefix of at least two cells.

    Parameters
    ----------
    prefix : tuple of cells
    probes : int
        At least 2.
    level : int
        Where the random walk ends and the search begins. Below about 20 a search takes
        long.
    seed : int

    Raises
    ------
    OptionError
        If a number is out of its range.
    BoardError
        If the prefix is none that the enumeration visits.
    """
    if probes < 2:
        raise OptionError(f"{probes} probes tell no error; at least 2 are needed")
    if not 2 <= len(prefix) <= level < CELLS:
        raise OptionError(f"cannot probe from {len(prefix)} cells to level {level}")
    start = check_prefix(prefix)
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(2**63, size=1, dtype=np.uint64)
    rows = np.zeros((probes, CELLS + 1))
    descent = lay_down(start, prefix)
    if descent is not None:
        for row in rows:
            weight = dive(descent, level, words, row)
            if weight:
                row += weight * search_on(descent)[1]
            rise(descent, np.uint64(len(prefix)))
    mean = rows.mean(axis=0)
    error = rows.std(axis=0, ddof=1) / np.sqrt(probes)
    return Sample(probes, mean, error, float(mean[0]), float(error[0]))
