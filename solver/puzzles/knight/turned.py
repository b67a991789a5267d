"""Symmetric semi-magic tours of 16 x 16, made of a quarter that turns with the board.

A quarter of the tour, 64 cells, holds one of every four cells that quarter turns of the
board exchange. The next quarter is its image under a quarter turn, walked backwards;
the second half is the image of the first under the half turn. So the quarters meet
where a cell and its turned image are a knight's move apart: eight cells around the
centre, in which a quarter begins and ends.

Opposite lines take the numbers of a quarter's rows, and less those of its columns. If
each row and each column holds as many of its cells, then a line has the magic sum
exactly if the numbers of the quarter in line r and its opposite add up to the same for
rows and for columns: half as many conditions as a symmetric tour has otherwise. The
quarter takes whole quads (see `quads`), 16 of them, which bring the sums of lines of a
block near to each other. There are few such walks, so all are tried.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError
from solver.jit import njit
from solver.puzzles.knight.quads import circles_of
from solver.puzzles.knight.tour import Tour, neighbours

Ints = npt.NDArray[np.int64]
_ROOM = 1024  # tours from one way to begin


class Ways(NamedTuple):
    """The ways to walk through a quad: a first cell and a direction.

    Attributes
    ----------
    orbit : (ways,) int array
        Which four quads that turns exchange the way belongs to.
    row, column : (ways,) int array
        Where its block lies, in blocks.
    ahead : (ways, most) int array
        The ways that can follow, of other orbits; -1 after the last.
    last : (ways,) int array
        1 if the quarter can end so.
    fixed, slope : (ways,) int array
        What the way adds to the sum of all differences, each times a random word: if
        its first cell bears number 1, and for each number more.
    """

    orbit: Ints
    row: Ints
    column: Ints
    ahead: Ints
    last: Ints
    fixed: Ints
    slope: Ints


class Path(NamedTuple):
    """Room for the walk: ways, turns and sums by depth; quads by row of blocks."""

    ways: Ints
    turns: Ints
    sums: Ints
    rows: Ints
    columns: Ints


@njit
def walk_quarters(ways: Ways, path: Path, first: int, most: int, out: Ints) -> int:
    """Kernel: find the quarters that begin with a way, and whose lines add up.

    At most `most` quads lie in a row or a column of blocks. Writes as many as fit to
    `out`, (room, quads); returns how many there are.
    """
    length = len(path.ways)
    path.rows[:] = 0
    path.columns[:] = 0
    path.ways[0], path.turns[0], path.sums[0] = first, 0, ways.fixed[first]
    path.rows[ways.row[first]] = path.columns[ways.column[first]] = 1
    used = 1 << ways.orbit[first]
    depth = found = 0
    while depth >= 0:
        way = ways.ahead[path.ways[depth], path.turns[depth]]
        if way < 0:
            gone = path.ways[depth]
            used ^= 1 << ways.orbit[gone]
            path.rows[ways.row[gone]] -= 1
            path.columns[ways.column[gone]] -= 1
            depth -= 1
            continue
        path.turns[depth] += 1
        row, column = ways.row[way], ways.column[way]
        if used >> ways.orbit[way] & 1:
            continue
        if path.rows[row] == most or path.columns[column] == most:
            continue
        time = 4 * (depth + 1)
        total = path.sums[depth] + ways.fixed[way] + ways.slope[way] * time
        if depth + 2 == length:
            if total == 0 and ways.last[way] == 1:
                if found < len(out):
                    path.ways[length - 1] = way
                    for k in range(length):
                        out[found, k] = path.ways[k]
                found += 1
            continue
        depth += 1
        path.ways[depth], path.turns[depth], path.sums[depth] = way, 0, total
        path.rows[row] += 1
        path.columns[column] += 1
        used |= 1 << ways.orbit[way]
    return found


class TurnedTours:
    """Finds the symmetric semi-magic tours made of a quarter of whole quads.

    Parameters
    ----------
    side : int
        8, which has none, or 16. Sides such as 12 have quads in the middle that turns
        do not part; larger ones have too many walks to try them all.
    seed : int
        Says in which order they come.

    Raises
    ------
    BoardError
        If the side is another.
    """

    def __init__(self, side: int, *, seed: int) -> None:
        if side not in (8, 16):
            raise BoardError(
                f"tours of turned quarters are sought on sides 8 and 16, not {side}"
            )
        self.side = side
        self._random = np.random.default_rng(seed)
        circles = circles_of(side)
        self._cells = [
            [circle[(begin + step * k) % 4] for k in range(4)]
            for circle in circles
            for begin, step in product(range(4), (1, -1))
        ]
        where = {frozenset(circle): n for n, circle in enumerate(circles)}
        least = []
        for circle in circles:
            turned, names = circle, []
            for _ in range(4):
                names.append(where[frozenset(turned)])
                turned = [self._turned(cell) for cell in turned]
            least.append(min(names))
        self._quads = len(set(least))
        name = {one: n for n, one in enumerate(sorted(set(least)))}
        self._ways = self._tables([name[one] for one in least for _ in range(8)])

    @property
    def sets(self) -> int:
        """The number of ways to begin that are tried; turns of others are left out."""
        return len(self._firsts())

    def _turned(self, cell: int) -> int:
        row, column = divmod(cell, self.side)
        return column * self.side + self.side - 1 - row

    def _meets(self, cell: int) -> bool:
        """Tell whether a cell is a knight's move from its turned image."""
        return self._turned(cell) in neighbours(self.side, self.side)[cell]

    def _firsts(self) -> list[int]:
        """Return the ways that a quarter can begin with, one of every four alike."""
        out = []
        for way, (cell, *_) in enumerate(self._cells):
            turns = [cell]
            for _ in range(3):
                turns.append(self._turned(turns[-1]))
            if self._meets(cell) and cell == min(turns):
                out.append(way)
        return out

    def _tables(self, orbit: list[int]) -> Ways:
        side, near = self.side, neighbours(self.side, self.side)
        by_first: dict[int, list[int]] = {}
        for way, cells in enumerate(self._cells):
            by_first.setdefault(cells[0], []).append(way)
        ahead = []
        for way, cells in enumerate(self._cells):
            following = [
                other
                for cell in near[cells[-1]]
                for other in by_first[cell]
                if orbit[other] != orbit[way]
            ]
            self._random.shuffle(following)
            ahead.append(following)
        most = max(map(len, ahead)) + 1
        words = self._random.integers(-(2**40), 2**40, side // 2).tolist()
        fixed, slope = [], []
        for cells in self._cells:
            differences = []
            for cell in cells:
                row, column = (min(one, side - 1 - one) for one in divmod(cell, side))
                differences.append(words[row] - words[column])
            fixed.append(sum(k * one for k, one in enumerate(differences, start=1)))
            slope.append(sum(differences))
        down, across = self._blocks()
        return Ways(
            np.array(orbit),
            np.array(down),
            np.array(across),
            np.array([one + [-1] * (most - len(one)) for one in ahead]),
            np.array([int(self._meets(cells[-1])) for cells in self._cells]),
            np.array(fixed),
            np.array(slope),
        )

    def _blocks(self) -> tuple[list[int], list[int]]:
        """Return the block row and the block column of each way."""
        places = [divmod(cells[0], self.side) for cells in self._cells]
        return [row // 4 for row, _ in places], [column // 4 for _, column in places]

    def tours(self, progress: Callable[[int], None] | None = None) -> Iterator[Tour]:
        """Yield all tours; those that turns of the board exchange come once.

        `progress` is called after each way to begin with the number of tours met. On
        16 x 16 each takes about a second of one core.
        """
        blocks = self.side // 4
        room = [np.zeros(self._quads, dtype=np.int64) for _ in range(3)]
        room += [np.zeros(blocks, dtype=np.int64) for _ in range(2)]
        out = np.zeros((_ROOM, self._quads), dtype=np.int64)
        met = 0
        for first in self._random.permutation(self._firsts()).tolist():
            count = walk_quarters(
                self._ways, Path(*room), first, self._quads // blocks, out
            )
            for ways in out[:count].tolist():
                met += 1
                yield self._tour(ways)
            if progress:
                progress(met)

    def _tour(self, ways: list[int]) -> Tour:
        quarter = [cell for way in ways for cell in self._cells[way]]
        half = quarter + [self._turned(cell) for cell in reversed(quarter)]
        return tuple(half + [self.side * self.side - 1 - cell for cell in half])
