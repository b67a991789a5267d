"""How large the enumeration is, and what each pruning is worth: Knuth's estimate.

A *probe* walks down the tree of semi-magic tours at random, and may search everything
below the level it came to (`semimagic`). The product of the numbers of steps to choose
from, times what is found below, has the true count as its mean: D. E. Knuth,
Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
The search at the end makes the spread small, for the widest levels lie below.

A probe obeys one of five sets of rules; each has what the one before has, but ``lines``
lacks ``sums``:

- ``none``: any free cell a knight's move away;
- ``ends``: no free cell may lose all its neighbours, and two may not have a single one;
- ``sums``: the lines of the new cell can still add up to 260, by distinct numbers, once
  three of its cells or fewer are free (the published plan's test);
- ``lines``: instead, all 16 lines keep their deadlines (`semimagic`);
- ``all``: and the rule of two neighbours with its forced steps (`semimagic`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError, UnknownNameError
from solver.jit import njit
from solver.puzzles.knight.semimagic import (
    CELLS,
    FINISH,
    FREE,
    LEVEL,
    NEAR,
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
from solver.puzzles.knight.tour import Tour, chess_name, start_class
from solver.splitmix import below as draw

Levels = npt.NDArray[np.float64]
SETS = ("none", "ends", "sums", "lines", "all")
_ENDS, _SUMS, _LINES, _ALL_RULES = range(1, 5)
_W = np.uint64
_0, _1, _3, _7, _8, _63 = map(_W, (0, 1, 3, 7, 8, 63))


@njit
def _line_of(free: np.uint64, line: int) -> int:
    """Return how many cells of a line are free: rows 0 to 7, columns 8 to 15."""
    count = 0
    for k in range(8):
        cell = line * 8 + k if line < 8 else k * 8 + line - 8
        if free >> _W(cell) & _1 != _0:
            count += 1
    return count


@njit
def _step(d: Descent, t: np.uint64, cell: np.uint64, rules: int) -> bool:
    """Take a step under a set of rules, as the kernel of the search does under all."""
    if rules >= _LINES:
        return take_step(d, t, cell)
    now = t + _1
    free = d.stack[t, FREE] & ~(_1 << cell)
    if rules == _SUMS:
        at = np.int64(now)
        lines: Any = np.int64(cell >> _3), 8 + np.int64(cell & _7)
        for line in lines:
            count, left = _line_of(free, line), np.int64(d.left[line]) - at
            # what so many different numbers above `at`, at most 64, can add up to
            least = count * at + count * (count + 1) // 2
            most = count * 64 - count * (count - 1) // 2
            if count <= 3 and not least <= left <= most:
                return False
    d.stack[now, FREE] = free
    d.left[cell >> _3] -= now
    d.left[(cell & _7) + _8] -= now
    return True


@njit
def _dead(free: np.uint64, end: np.uint64) -> bool:
    """Whether a free cell has no neighbour left, or two have a single one."""
    seen = free | (_1 << end)
    single = 0
    rest = free
    last = free & (free - _1) == _0
    while rest != _0:
        cell = first_bit(rest)
        rest &= rest - _1
        near = NEAR[cell] & seen
        if near == _0:
            return True
        if near & (near - _1) == _0:
            single += 1
    return single > 1 and not last


@njit
def _good_steps(d: Descent, t: np.uint64, rules: int) -> tuple[np.uint64, int]:
    """Return the steps that can be taken from level t, and how many they are."""
    end = d.path[t]
    if rules == _ALL_RULES:
        steps = open_level(d, t, end)
    else:
        steps = NEAR[end] & d.stack[t, FREE]
        if t == _63:
            steps &= d.span[FINISH]
    good = _0
    count = 0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        cell = first_bit(step)
        if not _step(d, t, cell, rules):
            continue
        take_back(d, t + _1, cell)
        if _ENDS <= rules <= _LINES and _dead(d.stack[t + _1, FREE], cell):
            continue
        good |= step
        count += 1
    return good, count


@njit
def _dive(
    d: Descent, rules: int, random: Words, taken: npt.NDArray[np.float64]
) -> float:
    """Walk down at random from what is laid down to the level to stop at.

    Returns the weight there, 0 if the walk ends before. The weight is the product of
    the numbers of steps that could be taken; it is added to `taken` level by level. The
    steps stay taken. `random` is the state of the generator.
    """
    t = d.span[LEVEL]
    weight = 1.0
    while t < d.span[STOP]:
        good, count = _good_steps(d, t, rules)
        if count == 0:
            d.span[LEVEL] = t
            return 0.0
        for _ in range(draw(random, count)):
            good &= good - _1
        cell = first_bit(good)
        _step(d, t, cell, rules)
        t += _1
        d.path[t] = cell
        weight *= count
        taken[t] += weight
    d.span[LEVEL] = t
    return weight


def probe(
    prefix: Tour, *, probes: int, level: int, seed: int, rules: str = "all"
) -> tuple[Levels, Levels]:
    """Estimate the tree below a prefix of at least two cells, by 2 probes or more.

    A probe walks down to `level`. There, under ``all``, the search begins, which takes
    long below about 20; under other `rules`, one of `SETS`, it walks on.

    Returns the mean number of steps taken that lead to each level, (65,) float, entry 0
    being that of the steps tried by the searches, and their standard errors.
    """
    start, searched = start_class(chess_name(prefix[0])), rules == "all"
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(2**63, size=1, dtype=np.uint64)
    rows = np.zeros((probes, CELLS + 1))
    descent = lay_down(start, prefix)
    if descent is not None:
        for row in rows:
            descent.span[STOP] = level if searched else CELLS
            weight = float(_dive(descent, SETS.index(rules), words, row))
            if weight and searched:
                row += weight * search_on(descent)[1]
            rise(descent, np.uint64(len(prefix)))
    return rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(probes)


@dataclass(frozen=True, slots=True)
class Widths:
    """The tree of some starts under a set of rules, level by level.

    `width` and `error`, (65,) float, are prefixes of so many cells, from 2 on, and the
    standard error of that.
    """

    rules: str
    width: Levels
    error: Levels


def estimate(starts: tuple[str, ...], rules: str, *, probes: int, seed: int) -> Widths:
    """Estimate the widths of the tree; probes are shared out over the first two cells.

    Raises `UnknownNameError` if there is no such set of rules, or no such start;
    `OptionError` if there are fewer than two probes a pair of first cells.
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
    return Widths(rules, width, np.sqrt(variance))
