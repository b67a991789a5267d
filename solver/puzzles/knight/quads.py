"""Symmetric semi-magic tours of large boards, made of quads.

A *quad* is a circle of four knight's moves in a block of 4 x 4 cells. Each block holds
four of them, and every quad has one cell in each row and each column of its block. A
walk that takes the cells of a quad one after the other brings four consecutive numbers
into four rows, so the sums of the rows of a block differ by a few units only (Beverley
1848; Murray, The Magic Knight's Tours, 1942). The tours here take every quad whole but
the four that the half turn of the board carries into themselves, where the side is 4
more than a multiple of 8: those are cut into two *dominoes* of two cells. A *way*
through a quad or domino has a first cell and a direction.

A symmetric tour is its first half: one of every two opposite pieces, and the last cell
is a knight's move from the cell opposite of the first. So a tour of 12 x 12 has 20
pieces. Its half is cut in two again: for a set of half the pairs all walks through
the set and all through its complement are listed, and two that fit are found by their
line sums, hashed to one word. The hash is linear, so each walk adds up its own; a false
hit is possible in principle, and the judge of tours would refuse it.

On 16 x 16 a half has too many walks. There a quarter of the tour, 64 cells, holds one
of every four cells that quarter turns of the board exchange. The next quarter is its
image under a quarter turn, walked backwards; the second half is the image of the first
under the half turn. So the quarters meet where a cell and its turned image are a
knight's move apart: eight cells around the centre. Opposite lines take the numbers of a
quarter's rows, and less those of its columns. If each row and each column holds as many
of its cells, then a line has the magic sum exactly if the numbers of the quarter in
line r and its opposite add up to the same for rows and for columns: half as many
conditions. A quarter takes 16 quads; there are few such walks, so all are tried.
"""

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.jit import njit, njit_making
from solver.puzzles.knight.tour import Tour, magic_sum, neighbours

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Found = tuple[int, Iterator[Tour | None]]
_CIRCLES = (
    ((0, 1), (1, 3), (3, 2), (2, 0)),
    ((0, 2), (2, 3), (3, 1), (1, 0)),
    ((0, 0), (1, 2), (3, 3), (2, 1)),
    ((0, 3), (1, 1), (3, 0), (2, 2)),
)
_MOST = 1 << 19  # walks kept of one half; 12 x 12 has seldom more
_HITS = 256  # tours of one set of pairs
_ROOM = 1024  # tours from one way to begin
_NONE = -1
_WORD = 2**64 - 1
_GUARD = np.uint64(0x8080808080808080)


def quad_tours(side: int, *, seed: int) -> Found:
    """Find tours of 8 or 12 rows by halves, or of 16 by quarters, in an order by seed.

    Returns how much is to be tried, and an iterator that yields each tour met, and None
    after each try. On 12 x 12 a set of pairs takes some 30 ms of one core, on 16 x 16 a
    way to begin about a second; tours that turns of the board exchange come once there.

    >>> quad_tours(12, seed=0)[0]
    92378
    """
    random = np.random.default_rng(seed)
    return (by_quarters if side == 16 else _by_halves)(side, random)


def _circles(side: int) -> list[list[int]]:
    """Return the quads of a board, four a block."""
    return [
        [(top + r) * side + left + c for r, c in circle]
        for top, left in product(range(0, side, 4), repeat=2)
        for circle in _CIRCLES
    ]


def _ways(circle: list[int]) -> list[list[int]]:
    """Return the eight ways to walk through a quad."""
    turns = product(range(4), (1, -1))
    return [[circle[(begin + step * k) % 4] for k in range(4)] for begin, step in turns]


class Pieces(NamedTuple):
    """The ways of a half or a quarter."""

    set: Ints  # which pieces that turns exchange the way belongs to
    size: Words  # its cells
    ahead: Ints  # (ways, most): ways of other sets that can follow, -1 after the last
    fixed: Words  # what it adds to the hash if its first cell bears number 1
    slope: Words  # what each later number adds
    lines: Words  # 1 in the bytes of its row and its column of blocks
    last: Ints  # 1 if the walk can end so


class Half(NamedTuple):
    """Walks: hashes, and the ways in order."""

    sums: Words
    ways: npt.NDArray[np.int16]


@njit_making
def list_walks(
    pieces: Pieces, sets: int, firsts: Any, lines: Any, want: Words, half: Half
) -> int:
    """Kernel: list the walks that take a way of each set, as many as fit.

    `sets` has a bit for each set, `firsts` are the ways to begin with. A byte of
    `lines`, added up with those of the ways, stays below 128. `want` is empty, or holds
    the hash of walks that are listed. Returns how many walks stand in `half`.
    """
    most, length = half.ways.shape
    ways = np.zeros(length, dtype=np.int64)
    turn = np.zeros(length, dtype=np.int64)
    time = np.zeros(length, dtype=np.uint64)
    sums = np.zeros(length, dtype=np.uint64)
    counts = np.zeros(length, dtype=np.uint64)
    found = 0
    for first in firsts:
        if not sets >> pieces.set[first] & 1:
            continue
        left = sets ^ (1 << pieces.set[first])
        ways[0], turn[0], depth = first, 0, 0
        sums[0], time[0] = pieces.fixed[first], pieces.size[first]
        counts[0] = lines + pieces.lines[first]
        while depth >= 0:
            way = pieces.ahead[ways[depth], turn[depth]]
            if way < 0:
                left |= 1 << pieces.set[ways[depth]]
                depth -= 1
                continue
            turn[depth] += 1
            one = pieces.set[way]
            count = counts[depth] + pieces.lines[way]
            if not left >> one & 1 or count & _GUARD:
                continue
            word = sums[depth] + pieces.fixed[way] + pieces.slope[way] * time[depth]
            if depth + 2 < length:
                depth += 1
                ways[depth], turn[depth], sums[depth] = way, 0, word
                time[depth] = time[depth - 1] + pieces.size[way]
                counts[depth] = count
                left ^= 1 << one
                continue
            if len(want) and (word != want[0] or not pieces.last[way]):
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


def _pieces(
    side: int, cells: list[list[int]], sets: list[int], fixed: Words, slope: Words
) -> tuple[Pieces, npt.NDArray[np.bool_]]:
    """Return the ways of sets of pieces, and for each the ways that can follow it."""
    near = neighbours(side, side)
    follows = np.array([[way[0] in near[to[-1]] for way in cells] for to in cells])
    follows &= np.not_equal.outer(sets, sets)
    size = np.array([len(way) for way in cells], dtype=np.uint64)
    ahead = np.full((len(cells), follows.sum(axis=1).max() + 1), _NONE)
    for row, after in zip(ahead, map(np.flatnonzero, follows), strict=True):
        row[: len(after)] = after
    none, every = np.zeros(len(cells), np.uint64), np.ones(len(cells), np.int64)
    return Pieces(np.array(sets), size, ahead, fixed, slope, none, every), follows


def _by_halves(side: int, random: np.random.Generator) -> Found:
    last = side * side - 1
    cells: list[list[int]] = []
    pair: list[int] = []
    circles = _circles(side)
    where = {frozenset(one): number for number, one in enumerate(circles)}
    pairs = 0
    for number, circle in enumerate(circles):
        twin = where[frozenset(last - cell for cell in circle)]
        if twin < number:
            continue
        for one in sorted({number, twin}):
            ways = [way[: 2 if twin == number else 4] for way in _ways(circles[one])]
            cells += ways
            pair += [pairs] * len(ways)
        pairs += 1
    near = neighbours(side, side)
    fixed, slope, want = _hashes(side, random, cells)
    pieces, follows = _pieces(side, cells, pair, fixed, slope)
    closing = [[last - way[0] in near[to[-1]] for way in cells] for to in cells]
    fits = np.array([follows, closing])
    sets = comb(pairs, pairs // 2) // 2
    every, any_sum, free = np.arange(len(cells)), np.empty(0, np.uint64), np.uint64(0)

    def tours() -> Iterator[Tour | None]:
        room = [
            Half(np.empty(_MOST, np.uint64), np.empty((_MOST, pairs // 2), np.int16))
            for _ in range(2)
        ]
        slots, hits = np.empty(4 * _MOST, np.int64), np.empty((_HITS, 2), np.int64)
        tried: set[int] = set()
        while len(tried) < sets:
            chosen = random.permutation(pairs)[: pairs // 2]
            some = sum(1 << int(one) for one in chosen)
            both = (some, (1 << pairs) - 1 - some)
            if min(both) in tried:
                continue
            tried.add(min(both))
            lists = []
            for one, space in zip(both, room, strict=True):
                found = list_walks(pieces, one, every, free, any_sum, space)
                lists.append(Half(space.sums[:found], space.ways[:found]))
            for (early, late), first in zip((lists, lists[::-1]), both, strict=True):
                if not len(early.sums) or not len(late.sums):
                    continue
                power = 1 << (2 * len(early.sums)).bit_length()
                wanted = np.uint64((want - _delay(pieces, first)) & _WORD)
                count = match(early, late, wanted, fits, slots[:power], hits)
                for one, other in hits[:count].tolist():
                    order = [*early.ways[one], *late.ways[other]]
                    half = [cell for way in order for cell in cells[way]]
                    yield tuple(half + [last - cell for cell in half])
            yield None

    return sets, tours()


def _hashes(
    side: int, random: np.random.Generator, ways: list[list[int]]
) -> tuple[Words, Words, int]:
    """Return what ways add to the hash, and the hash of a tour whose lines add up.

    Lines r and n - 1 - r hold the same numbers but for half of n * n. So line r has to
    add up, and to hold as many cells of the half as its opposite.
    """
    half = side // 2
    words = random.integers(0, 2**64, (2, half, 2), dtype=np.uint64).tolist()
    fixed, slope = [], []
    for cells in ways:
        total = rise = 0
        for after, cell in enumerate(cells):
            for axis, line in enumerate(divmod(cell, side)):
                low = line < half
                number, count = words[axis][line if low else side - 1 - line]
                total += number * (after + 1) + (count if low else 0)
                total += 0 if low else number * (side * side // 2)
                rise += number
        fixed.append(total & _WORD)
        slope.append(rise & _WORD)
    lines = [line for axis in words for line in axis]
    want = sum(number * magic_sum(side) + count * half for number, count in lines)
    return np.array(fixed, np.uint64), np.array(slope, np.uint64), want & _WORD


def _delay(pieces: Pieces, first: int) -> int:
    """Return what it adds to the hash that the other pairs come after the first."""
    _, ways = np.unique(pieces.set, return_index=True)  # of a pair all are alike
    size, slope = pieces.size[ways], pieces.slope[ways]
    begun = np.array([bool(first >> pair & 1) for pair in range(len(ways))])
    return int(size[begun].sum()) * int(slope[~begun].sum())


def by_quarters(side: int, random: np.random.Generator) -> Found:
    """Find the tours whose quarters are turned images of each other: `quad_tours`.

    The side is 16, or 8, which has none; other boards have quads in the middle that
    turns do not part, or too many walks.
    """
    near, count, blocks = neighbours(side, side), side * side, side // 4
    turned = [cell % side * side + side - 1 - cell // side for cell in range(count)]
    cells = [way for circle in _circles(side) for way in _ways(circle)]
    firsts_of: dict[frozenset[int], int] = {}
    for number, way in enumerate(cells):
        quad = frozenset(way)
        for _ in range(4):
            number = firsts_of.setdefault(quad, number)
            quad = frozenset(turned[cell] for cell in quad)
    numbers = sorted(set(firsts_of.values()))
    sets = [numbers.index(firsts_of[frozenset(way)]) for way in cells]
    words = random.integers(-(2**40), 2**40, side // 2).tolist()
    fixed, slope, lines = [], [], []
    for way in cells:
        places = [divmod(cell, side) for cell in way]
        worth = [
            words[min(r, side - 1 - r)] - words[min(c, side - 1 - c)] for r, c in places
        ]
        fixed.append(sum(k * one for k, one in enumerate(worth, 1)) & _WORD)
        slope.append(sum(worth) & _WORD)
        r, c = places[0]
        lines.append(1 << 8 * (r // 4) | 1 << 8 * (4 + c // 4))
    hashes = np.array(fixed, np.uint64), np.array(slope, np.uint64)
    meets = [turned[cell] in near[cell] for cell in range(count)]
    pieces = _pieces(side, cells, sets, *hashes)[0]._replace(
        lines=np.array(lines, np.uint64),
        last=np.array([int(meets[way[-1]]) for way in cells]),
    )

    def turns(cell: int) -> list[int]:
        return [cell, turned[cell], count - 1 - cell, turned[count - 1 - cell]]

    begins = [k for k, (one, *_) in enumerate(cells) if meets[one]]
    begins = [k for k in begins if cells[k][0] == min(turns(cells[k][0]))]
    quads = len(numbers)
    # as many quads of a quarter lie in each row and each column of blocks
    free = np.uint64(int.from_bytes([127 - quads // blocks] * 8))
    walks = Half(np.empty(_ROOM, np.uint64), np.empty((_ROOM, quads), np.int16))

    def tours() -> Iterator[Tour | None]:
        every, none = (1 << quads) - 1, np.zeros(1, np.uint64)
        for first in random.permutation(begins):
            found = list_walks(pieces, every, np.array([first]), free, none, walks)
            for order in walks.ways[:found].tolist():
                quarter = [cell for way in order for cell in cells[way]]
                half = quarter + [turned[cell] for cell in reversed(quarter)]
                yield tuple(half + [count - 1 - cell for cell in half])
            yield None

    return len(begins), tours()
