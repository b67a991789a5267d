"""What each pruning is worth: probes of the tree under weaker sets of rules.

A probe walks down at random until no step is left (`probing` says why its mean is
right). Five sets; each has what the one before has, but ``lines`` lacks ``sums``:

- ``none``: any free cell a knight's move away;
- ``ends``: no free cell may lose all its neighbours, and two may not have a single one;
- ``sums``: the lines of the new cell can still add up to 260, by distinct numbers, once
  three of its cells or fewer are free (the published plan's test);
- ``lines``: instead, all 16 lines keep their deadlines (`linetimes`);
- ``all``: and the rule of two neighbours with its forced steps (`semimagic`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import OptionError, UnknownNameError
from solver.jit import njit, njit_making
from solver.knight import probing
from solver.knight.bits import first_bit
from solver.knight.semimagic import State, Words, open_level, take_step
from solver.knight.starts import start_class
from solver.knight.tour import neighbours

SETS = ("none", "ends", "sums", "lines", "all")
_W = np.uint64
_0, _1, _3, _7, _8 = map(_W, (0, 1, 3, 7, 8))
_CELLS = 64
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
def _step(
    stack: Words,
    left: Words,
    t: np.uint64,
    cell: np.uint64,
    latest: npt.NDArray[np.uint8],
    begins: Words,
    rules: int,
) -> bool:
    """Take a step under a set of rules, as the kernel of the search does under all."""
    if rules >= 3:
        return take_step(stack, left, t, cell, latest, begins)
    now = t + _1
    free = stack[t, 0] & ~(_1 << cell)
    if rules == 2:
        for k in range(2):
            line: Any = np.int64(cell >> _3) if k == 0 else 8 + np.int64(cell & _7)
            count = _line_of(free, line)
            at: Any = np.int64(now)
            if count <= 3 and not _possible(np.int64(left[line]) - at, count, at):
                return False
    stack[now, 0] = free
    left[cell >> _3] -= now
    left[(cell & _7) + _8] -= now
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


@njit_making
def _walk(
    stack: Words,
    left: Words,
    path: Words,
    span: Words,
    latest: npt.NDArray[np.uint8],
    begins: Words,
    random: Words,
    taken: npt.NDArray[np.float64],
    rules: int,
) -> None:
    """Walk down until no step is left, and take all back; weights go to `taken`."""
    begin = span[0]
    t = begin
    weight = 1.0
    good = np.zeros(8, dtype=np.uint64)
    while t < span[1]:
        steps = open_level(stack, t, path[t], span[2], span[3])
        if rules < 4:
            steps = _NEAR[path[t]] & stack[t, 0]
            if t == _W(63):
                steps &= span[2]
        count = 0
        while steps != _0:
            cell = first_bit(steps)
            steps &= steps - _1
            if not _step(stack, left, t, cell, latest, begins, rules):
                continue
            left[cell >> _3] += t + _1
            left[(cell & _7) + _8] += t + _1
            if rules in (1, 2, 3) and _dead(stack[t + _1, 0], cell):
                continue
            good[count] = cell
            count += 1
        if count == 0:
            break
        random[0] ^= random[0] << _W(13)
        random[0] ^= random[0] >> _7
        random[0] ^= random[0] << _W(17)
        cell = good[(random[0] >> _W(11)) % _W(count)]
        _step(stack, left, t, cell, latest, begins, rules)
        t += _1
        path[t] = cell
        weight *= count
        taken[t] += weight
    while t > begin:
        cell = path[t]
        left[cell >> _3] += t
        left[(cell & _7) + _8] += t
        t -= _1


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
        raise OptionError(f"--probes {probes} is fewer than {2 * len(firsts)}")
    width, variance = np.zeros(_CELLS + 1), np.zeros(_CELLS + 1)
    done = 0
    for name in starts:
        for second in start_class(name).second:
            prefix = (start_class(name).cell, second)
            if rules == "all":
                found = probing.probe(prefix, probes=each, level=22, seed=seed)
                mean, error = found.taken, found.taken_error
            else:
                mean, error = _probed(name, prefix, SETS.index(rules), each, seed)
            width += mean
            variance += error**2
            width[2] += 1
            done += each
        width[0] = 0
        yield Widths(rules, done, width.copy(), np.sqrt(variance))


def _probed(
    name: str, prefix: tuple[int, ...], rules: int, probes: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    state = State(start_class(name), prefix)
    rng = np.random.default_rng([seed, *prefix])
    words = rng.integers(1, 2**63, size=1, dtype=np.uint64)
    rows = np.zeros((probes, _CELLS + 1))
    for row in rows:
        _walk(
            state.stack,
            state.left,
            state.path,
            state.span,
            state.latest,
            state.begins,
            words,
            row,
            rules,
        )
    mean = rows.mean(axis=0)
    return mean, rows.std(axis=0, ddof=1) / np.sqrt(probes)
