"""An estimate of the enumeration of semi-magic tours, by random walks.

A *walk* goes down the tree of `semimagic` at random, and everything below the level it
came to may be searched. The product of the numbers of steps to choose from, times what
is found below, has the true count as its mean: D. E. Knuth, Estimating the efficiency
of backtrack programs, Mathematics of Computation 29 (1975). The search at the end makes
the spread small, since the widest levels lie below.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError
from solver.jit import njit
from solver.puzzles.knight.search import Tour, chess_name, start_class
from solver.puzzles.knight.semimagic import (
    CELLS,
    LEVEL,
    STOP,
    Descent,
    Words,
    first_bit,
    lay_down,
    open_level,
    rise,
    search_on,
    take_back,
    take_step,
)
from solver.splitmix import below as draw

Levels = npt.NDArray[np.float64]
_LEVEL = 22  # where the searches begin
_0, _1 = np.uint64(0), np.uint64(1)


@njit
def _good_steps(d: Descent, t: np.uint64) -> tuple[np.uint64, int]:
    """Return the steps that can be taken from level t, and how many there are."""
    steps = open_level(d, t, d.path[t])
    good = _0
    count = 0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        cell = first_bit(step)
        if take_step(d, t, cell):
            take_back(d, t + _1, cell)
            good |= step
            count += 1
    return good, count


@njit
def _dive(d: Descent, random: Words, taken: Levels) -> float:
    """Walk down at random to the level to stop at; return the weight there.

    The weight is the product of the numbers of steps, or 0 if the walk ends before. It
    is added to `taken` level by level. `random` is the state of the generator.
    """
    t = d.span[LEVEL]
    weight = 1.0
    while t < d.span[STOP]:
        good, count = _good_steps(d, t)
        if count == 0:
            d.span[LEVEL] = t
            return 0.0
        for _ in range(draw(random, count)):
            good &= good - _1
        cell = first_bit(good)
        take_step(d, t, cell)
        t += _1
        d.path[t] = cell
        weight *= count
        taken[t] += weight
    d.span[LEVEL] = t
    return weight


def probe(prefix: Tour, *, walks: int, level: int, seed: int) -> tuple[Levels, Levels]:
    """Estimate the tree below a prefix of at least two cells, by at least two walks.

    The searches begin at `level`; they take long below about 20.

    Returns the mean number of steps that lead to each level, (65,) float, and their
    standard errors. Entry 0 is the number of steps tried by the searches.
    """
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(2**63, size=1, dtype=np.uint64)
    rows = np.zeros((walks, CELLS + 1))
    descent = lay_down(start_class(chess_name(prefix[0])), prefix)
    if descent is not None:
        for row in rows:
            descent.span[STOP] = level
            if weight := float(_dive(descent, words, row)):
                row += weight * search_on(descent)[1]
            rise(descent, np.uint64(len(prefix)))
    return rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(walks)


def estimate(starts: Sequence[str], *, walks: int, seed: int) -> tuple[Levels, Levels]:
    """Return the width of the search at each level, (65,) float, and standard errors.

    Entry k is the number of prefixes of k cells, from 2 on. The first moves of all
    starts share the walks.

    Raises `UnknownNameError` if there is no such start, `OptionError` if a first move
    gets fewer than two walks.
    """
    classes = [start_class(name) for name in starts]
    firsts = [(one.cell, second) for one in classes for second in one.second]
    each = walks // len(firsts)
    if each < 2:
        raise OptionError(f"{walks} walks are too few; take {2 * len(firsts)} or more")
    probed = [probe(first, walks=each, level=_LEVEL, seed=seed) for first in firsts]
    width = np.sum([mean for mean, _ in probed], axis=0)
    error = np.sqrt(np.sum([error**2 for _, error in probed], axis=0))
    width[0] = error[0] = 0
    width[2] += len(firsts)
    return width, error
