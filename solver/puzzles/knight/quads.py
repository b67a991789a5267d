"""Symmetric semi-magic tours of large boards, made of quads.

A *quad* is a circle of four knight's moves in a block of 4 x 4 cells. Each block holds
four of them, and every quad has one cell in each row and each column of its block. A
walk that takes the cells of a quad one after the other brings four consecutive numbers
into four rows, so the sums of the rows of a block differ by a few units only (Beverley
1848; Murray, The Magic Knight's Tours, 1942). The tours here take every quad whole but
the four that the half turn of the board carries into themselves, where the side is 4
more than a multiple of 8: those are cut into two *dominoes* of two cells.

A symmetric tour is its first half: one of every two opposite pieces, and the last cell
is a knight's move from the cell opposite of the first. So a tour of 12 x 12 has 20
pieces. Its half is cut in two again: for a set of half the pairs all walks through
the set and all through its complement are listed, and two that fit are found by their
line sums, hashed to one word. The hash is linear, so each walk adds up its own; a false
hit is possible in principle, and the judge of tours would refuse it.
"""

from collections.abc import Callable, Iterator
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError
from solver.jit import njit, njit_making
from solver.puzzles.knight.tour import Tour, magic_sum, neighbours

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
_CIRCLES = (
    ((0, 1), (1, 3), (3, 2), (2, 0)),
    ((0, 2), (2, 3), (3, 1), (1, 0)),
    ((0, 0), (1, 2), (3, 3), (2, 1)),
    ((0, 3), (1, 1), (3, 0), (2, 2)),
)
_MOST = 1 << 19  # walks kept of one half; 12 x 12 has seldom more
_HITS = 256  # tours of one set of pairs
_NONE = -1
_WORD = 2**64 - 1


class Pieces(NamedTuple):
    """The ways to walk through a piece; a *way* has a first cell and a direction.

    Attributes
    ----------
    pair : (ways,) int array
        Which two opposite pieces the way belongs to.
    size : (ways,) int array
        Cells.
    ahead : (ways, most) int array
        The ways whose first cell is a knight's move from the last of this, of other
        pairs; -1 after the last.
    fixed : (ways,) word array
        What the way adds to the hash of line sums if its first cell bears number 1.
    slope : (pairs,) word array
        What each later number adds.
    """

    pair: Ints
    size: Ints
    ahead: Ints
    fixed: Words
    slope: Words


class Half(NamedTuple):
    """Walks through one set of pairs: hashes, and the ways in order."""

    sums: Words
    ways: npt.NDArray[np.int16]


@njit_making
def list_walks(pieces: Pieces, pairs: int, half: Half) -> int:
    """Kernel: list the walks through all pieces of a set of pairs, as many as fit.

    `pairs` is the set, a bit for each; returns how many walks stand in `half`.
    """
    most, length = half.ways.shape
    ways = np.zeros(length, dtype=np.int64)
    turn = np.zeros(length, dtype=np.int64)
    time = np.zeros(length, dtype=np.uint64)
    sums = np.zeros(length, dtype=np.uint64)
    found = 0
    for first in range(len(pieces.pair)):
        if not pairs >> pieces.pair[first] & 1:
            continue
        left = pairs ^ (1 << pieces.pair[first])
        ways[0], turn[0], depth = first, 0, 0
        sums[0], time[0] = pieces.fixed[first], np.uint64(pieces.size[first])
        while depth >= 0:
            way = pieces.ahead[ways[depth], turn[depth]]
            if way < 0:
                left |= 1 << pieces.pair[ways[depth]]
                depth -= 1
                continue
            turn[depth] += 1
            pair = pieces.pair[way]
            if not left >> pair & 1:
                continue
            word = sums[depth] + pieces.fixed[way] + pieces.slope[pair] * time[depth]
            if depth + 2 < length:
                depth += 1
                ways[depth], turn[depth], sums[depth] = way, 0, word
                time[depth] = time[depth - 1] + np.uint64(pieces.size[way])
                left ^= 1 << pair
                continue
            if found == most:
                return found
            half.sums[found] = word
            for at in range(length - 1):
                half.ways[found, at] = ways[at]
            half.ways[found, length - 1] = way
            found += 1
    return found


@njit
def match(
    early: Half, late: Half, want: Any, fits: Any, slots: Ints, hits: Ints
) -> int:
    """Kernel: find the pairs of walks whose hashes add up and whose ends meet.

    `want` is what the hashes have to add up to. ``fits[0, a, b]`` says that way b can
    follow way a, ``fits[1, a, b]`` that the opposite of way b can. `slots` is room for
    a hash table, a power of two; `hits` (most, 2) gets the numbers of the walks.
    Returns how many there are.
    """
    last = len(slots) - 1
    slots[:] = _NONE
    for one in range(len(early.sums)):
        slot = np.int64(early.sums[one] >> np.uint64(20)) & last
        while slots[slot] != _NONE:
            slot = (slot + 1) & last
        slots[slot] = one
    found = 0
    for other in range(len(late.sums)):
        word = want - late.sums[other]
        slot = np.int64(word >> np.uint64(20)) & last
        while slots[slot] != _NONE:
            one = slots[slot]
            slot = (slot + 1) & last
            if early.sums[one] != word:
                continue
            if not fits[0, early.ways[one, -1], late.ways[other, 0]]:
                continue
            if fits[1, late.ways[other, -1], early.ways[one, 0]] and found < len(hits):
                hits[found, 0], hits[found, 1] = one, other
                found += 1
    return found


class QuadTours:
    """Finds symmetric semi-magic tours made of quads.

    Parameters
    ----------
    side : int
        8 or 12. Larger boards have too many walks through a half to list them; for 16
        see `turned`.
    seed : int
        Says in which order sets of pairs are tried.

    Raises
    ------
    BoardError
        If the side is another.

    Examples
    --------
    >>> tours = QuadTours(12, seed=0)
    >>> tours.sets
    92378
    """

    def __init__(self, side: int, *, seed: int) -> None:
        if side not in (8, 12):
            raise BoardError(f"tours of quads are sought on sides 8 and 12, not {side}")
        self.side = side
        self._random = np.random.default_rng(seed)
        self._cells: list[list[int]] = []
        pair: list[int] = []
        circles = circles_of(side)
        where = {frozenset(one): number for number, one in enumerate(circles)}
        pairs = 0
        for number, circle in enumerate(circles):
            twin = where[frozenset(self._opposite(cell) for cell in circle)]
            if twin < number:
                continue
            length = 2 if twin == number else 4
            for one in sorted({number, twin}):
                for begin, step in product(range(4), (1, -1)):
                    cells = [circles[one][(begin + step * k) % 4] for k in range(4)]
                    self._cells.append(cells[:length])
                    pair.append(pairs)
            pairs += 1
        self._pairs = pairs
        near = neighbours(side, side)
        firsts = [way[0] for way in self._cells]
        last_to = [near[way[-1]] for way in self._cells]
        after = [[cell in to for cell in firsts] for to in last_to]
        closing = [[self._opposite(cell) in to for cell in firsts] for to in last_to]
        other = np.not_equal.outer(pair, pair)
        self._fits = np.array([after & other, closing])
        self._pieces, self._want = self._hashes(np.array(pair))

    @property
    def sets(self) -> int:
        """The number of sets of pairs that there are to try."""
        return comb(self._pairs, self._pairs // 2) // 2

    def _opposite(self, cell: int) -> int:
        return self.side * self.side - 1 - cell

    def _hashes(self, pair: Ints) -> tuple[Pieces, int]:
        """Return the ways, and the hash of a tour all whose lines add up.

        Lines r and n - 1 - r hold the same numbers but for half of n * n. So line r
        has to add up, and to hold as many cells of the half as its opposite.
        """
        side, half = self.side, self.side // 2
        words = self._random.integers(0, 2**64, (2, half, 2), dtype=np.uint64).tolist()
        fixed, slope = [], [0] * self._pairs
        for way, cells in enumerate(self._cells):
            total = rise = 0
            for after, cell in enumerate(cells):
                for axis, line in enumerate(divmod(cell, side)):
                    low = line < half
                    number, count = words[axis][line if low else side - 1 - line]
                    total += number * (after + 1) + (count if low else 0)
                    total += 0 if low else number * (side * side // 2)
                    rise += number
            fixed.append(total & _WORD)
            slope[pair[way]] = rise & _WORD
        want = sum(
            number * magic_sum(side) + count * half
            for axis in words
            for number, count in axis
        )
        ahead = [np.flatnonzero(row).tolist() for row in self._fits[0]]
        most = max(map(len, ahead)) + 1
        pieces = Pieces(
            pair,
            np.array([len(cells) for cells in self._cells]),
            np.array([row + [_NONE] * (most - len(row)) for row in ahead]),
            np.array(fixed, dtype=np.uint64),
            np.array(slope, dtype=np.uint64),
        )
        return pieces, want & _WORD

    def tours(self, progress: Callable[[int], None] | None = None) -> Iterator[Tour]:
        """Yield tours, sets of pairs in random order, until all sets were tried.

        `progress` is called after each set with the number of tours met. On 12 x 12
        a set takes some 30 ms of one core.
        """
        half, pairs = self._pairs // 2, self._pairs
        room = [
            Half(np.empty(_MOST, np.uint64), np.empty((_MOST, half), np.int16))
            for _ in range(2)
        ]
        slots, hits = np.empty(4 * _MOST, np.int64), np.empty((_HITS, 2), np.int64)
        tried: set[int] = set()
        met = 0
        while len(tried) < self.sets:
            chosen = self._random.permutation(pairs)[:half]
            some = sum(1 << int(pair) for pair in chosen)
            both = (some, (1 << pairs) - 1 - some)
            if min(both) in tried:
                continue
            tried.add(min(both))
            lists = []
            for one, space in zip(both, room, strict=True):
                found = list_walks(self._pieces, one, space)
                lists.append(Half(space.sums[:found], space.ways[:found]))
            for (early, late), first in zip((lists, lists[::-1]), both, strict=True):
                if not len(early.sums) or not len(late.sums):
                    continue
                size = 1 << (2 * len(early.sums)).bit_length()
                want = np.uint64((self._want - self._delay(first)) & _WORD)
                count = match(early, late, want, self._fits, slots[:size], hits)
                for one, other in hits[:count].tolist():
                    met += 1
                    yield self._tour([*early.ways[one], *late.ways[other]])
            if progress:
                progress(met)

    def _delay(self, first: int) -> int:
        """Return what it adds to the hash that the other pairs come after the first."""
        size = dict(zip(self._pieces.pair.tolist(), self._pieces.size, strict=True))
        begun = sum(int(size[pair]) for pair in size if first >> pair & 1)
        slopes = [int(self._pieces.slope[p]) for p in size if not first >> p & 1]
        return begun * sum(slopes)

    def _tour(self, ways: list[int]) -> Tour:
        cells = [cell for way in ways for cell in self._cells[way]]
        return tuple(cells + [self._opposite(cell) for cell in cells])


def circles_of(side: int) -> list[list[int]]:
    """Return the quads of a board, four a block."""
    return [
        [(top + r) * side + left + c for r, c in circle]
        for top, left in product(range(0, side, 4), repeat=2)
        for circle in _CIRCLES
    ]
