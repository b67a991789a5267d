"""What each pruning is worth: probes of the tree under weaker sets of rules.

A probe walks down at random until no step is left (`probing` says why its mean is
right). `diving` names the sets.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError, UnknownNameError
from solver.puzzles.knight import probing
from solver.puzzles.knight.descent import CELLS, lay_down, rise
from solver.puzzles.knight.diving import SETS, dive
from solver.puzzles.knight.starts import start_class


@dataclass(frozen=True, slots=True)
class Widths:
    """The tree of some starts under a set of rules, level by level.

    Attributes
    ----------
    rules : str
    probes : int
        All together.
    width, error : (65,) float
        Prefixes of so many cells, and the standard error of that; from 2 on.
    """

    rules: str
    probes: int
    width: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]


def estimate(
    starts: tuple[str, ...], rules: str, *, probes: int, seed: int
) -> Iterator[Widths]:
    """Estimate the widths of the tree; yields what is known after each start.

    Probes are shared out alike over the first two cells. Under ``all`` each ends in a
    search below level 22, which makes the error small.

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
    done = 0
    for name in starts:
        for second in start_class(name).second:
            prefix = (start_class(name).cell, second)
            if rules == "all":
                found = probing.probe(prefix, probes=each, level=22, seed=seed)
                mean, error = found.taken, found.taken_error
            else:
                mean, error = _probed(name, prefix, rules, each, seed)
            width += mean
            variance += error**2
            width[2] += 1
            done += each
        width[0] = 0
        yield Widths(rules, done, width.copy(), np.sqrt(variance))


def _probed(
    name: str, prefix: tuple[int, ...], rules: str, probes: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    descent = lay_down(start_class(name), prefix)
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(2**63, size=1, dtype=np.uint64)
    rows = np.zeros((probes, CELLS + 1))
    assert descent is not None, "two cells can always be laid down"
    for row in rows:
        dive(descent, CELLS, words, row, rules)
        rise(descent, np.uint64(len(prefix)))
    mean = rows.mean(axis=0)
    return mean, rows.std(axis=0, ddof=1) / np.sqrt(probes)
