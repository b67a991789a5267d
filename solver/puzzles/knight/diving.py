"""A random way down the tree of semi-magic tours, under weaker or stronger rules.

Five sets of rules; each has what the one before has, but ``lines`` lacks ``sums``:

- ``none``: any free cell a knight's move away;
- ``ends``: no free cell may lose all its neighbours, and two may not have a single one;
- ``sums``: the lines of the new cell can still add up to 260, by distinct numbers, once
  three of its cells or fewer are free (the published plan's test);
- ``lines``: instead, all 16 lines keep their deadlines (`linetimes`);
- ``all``: and the rule of two neighbours with its forced steps (`descent`).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.puzzles.knight.bits import first_bit
from solver.puzzles.knight.descent import (
    FINISH,
    FREE,
    LEVEL,
    STOP,
    Descent,
    Words,
    open_level,
    take_back,
    take_step,
)
from solver.puzzles.knight.tour import neighbours
from solver.splitmix import below as draw

SETS = ("none", "ends", "sums", "lines", "all")
_ENDS, _SUMS, _LINES, _ALL_RULES = range(1, 5)
_W = np.uint64
_0, _1, _3, _7, _8, _63 = map(_W, (0, 1, 3, 7, 8, 63))
_NEAR = np.array(
    [sum(1 << one for one in near) for near in neighbours(8, 8)], dtype=np.uint64
)


@njit
def _possible(left: int, count: int, now: int) -> bool:
    """Whether `count` different numbers above `now`, at most 64, can sum to `left`."""
    least = count * now + count * (count + 1) // 2
    return least <= left <= count * 64 - count * (count - 1) // 2


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
        for k in range(2):
            line: Any = np.int64(cell >> _3) if k == 0 else 8 + np.int64(cell & _7)
            count = _line_of(free, line)
            at: Any = np.int64(now)
            if count <= 3 and not _possible(np.int64(d.left[line]) - at, count, at):
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
        near = _NEAR[cell] & seen
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
        steps = _NEAR[end] & d.stack[t, FREE]
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
    """Kernel of `dive`."""
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


def dive(
    descent: Descent,
    level: int,
    random: Words,
    taken: npt.NDArray[np.float64],
    rules: str = "all",
) -> float:
    """Walk down at random from what is laid down to a level; return the weight there.

    The weight is the product of the numbers of steps that could be taken: by Knuth
    (1975) its mean is the number of nodes at that level. It is added to `taken` level
    by level; 0 if the walk ends before. The steps stay taken. `random` is the state of
    the generator.
    """
    descent.span[STOP] = level
    return float(_dive(descent, SETS.index(rules), random, taken))
