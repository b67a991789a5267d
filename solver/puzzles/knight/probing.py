"""How large the enumeration is, and what each pruning is worth: Knuth's estimate.

A *probe* walks down at random, and may search everything below the level it came to
(`semimagic`). The product of the numbers of steps to choose from, times what is found
below, has the true count as its mean: D. E. Knuth, Estimating the efficiency of
backtrack programs, Mathematics of Computation 29 (1975). The search at the end makes
the spread small, for the widest levels lie below.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError, UnknownNameError
from solver.puzzles.knight.descent import CELLS, lay_down, rise
from solver.puzzles.knight.diving import SETS, dive
from solver.puzzles.knight.semimagic import check_prefix, search_on
from solver.puzzles.knight.starts import start_class
from solver.puzzles.knight.tour import Tour

Levels = npt.NDArray[np.float64]


def probe(
    prefix: Tour, *, probes: int, level: int, seed: int, rules: str = "all"
) -> tuple[Levels, Levels]:
    """Estimate the tree below a prefix of at least two cells.

    Parameters
    ----------
    prefix : tuple of cells
    probes : int
        At least 2.
    level : int
        Where the random walk ends. Above it, under ``all``, the search begins, which
        takes long below about 20; other rules walk on.
    seed : int
    rules : str
        One of `diving.SETS`.

    Returns
    -------
    (65,) float
        Mean number of steps taken that lead to each level; entry 0 is that of the steps
        tried by the searches.
    (65,) float
        Their standard errors.

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
    start, searched = check_prefix(prefix), rules == "all"
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(2**63, size=1, dtype=np.uint64)
    rows = np.zeros((probes, CELLS + 1))
    descent = lay_down(start, prefix)
    if descent is not None:
        for row in rows:
            weight = dive(descent, level if searched else CELLS, words, row, rules)
            if weight and searched:
                row += weight * search_on(descent)[1]
            rise(descent, np.uint64(len(prefix)))
    return rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(probes)


@dataclass(frozen=True, slots=True)
class Widths:
    """The tree of some starts under a set of rules, level by level.

    `width` and `error`, (65,) float, are prefixes of so many cells, from 2 on, and the
    standard error of that; `probes` are all together.
    """

    rules: str
    probes: int
    width: Levels
    error: Levels


def estimate(starts: tuple[str, ...], rules: str, *, probes: int, seed: int) -> Widths:
    """Estimate the widths of the tree; probes are shared out over the first two cells.

    Raises
    ------
    UnknownNameError
        If there is no such set of rules, or no such start.
    OptionError
        If there are fewer than two probes a pair of first cells.
    """
    if rules not in SETS:
        raise UnknownNameError("set of rules", rules, SETS)
    firsts = [(s.cell, two) for s in map(start_class, starts) for two in s.second]
    each = probes // max(len(firsts), 1)
    if each < 2:
        raise OptionError(f"-n {probes} is fewer than {2 * len(firsts)}")
    width, variance = np.zeros(CELLS + 1), np.zeros(CELLS + 1)
    for first in firsts:
        mean, error = probe(first, probes=each, level=22, seed=seed, rules=rules)
        width += mean
        variance += error**2
    width[0], width[2] = 0, width[2] + len(firsts)
    return Widths(rules, each * len(firsts), width, np.sqrt(variance))
