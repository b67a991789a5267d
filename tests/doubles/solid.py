"""Doubles of `solver.solid`: sets of edges of cells (row, col), nothing clever."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations

Cell = tuple[int, int]
Edge = frozenset[Cell]
Square = Cell  # its upper left cell
Pairs = list[list[int]]  # edges as numbers of cells

AROUND = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class Graph:
    """An induced graph of cells, with the ends of its paths."""

    def __init__(self, cells: Iterable[Cell], live: Cell, end: Cell) -> None:
        self.cells, self.live, self.end = frozenset(cells), live, end
        self.edges = {
            frozenset({a, b})
            for a in self.cells
            for b in neighbours(a)
            if b in self.cells
        }

    def need(self, cell: Cell) -> int:
        return 2 - (cell == self.live) - (cell == self.end)

    def around(self, cell: Cell) -> set[Cell]:
        return set(neighbours(cell)) & self.cells

    def at(self, cell: Cell, edges: Iterable[Edge]) -> int:
        return sum(cell in edge for edge in edges)

    def is_factor(self, dark: set[Edge]) -> bool:
        return dark <= self.edges and all(
            self.at(cell, dark) == self.need(cell) for cell in self.cells
        )

    def factors(self) -> Iterator[set[Edge]]:
        """Yield all path factors, by the edges to later cells of cell after cell."""
        order = sorted(self.cells)
        later = [[b for b in neighbours(a) if b in self.cells and b > a] for a in order]
        left = {cell: self.need(cell) for cell in order}
        dark: list[Edge] = []

        def go(i: int) -> Iterator[set[Edge]]:
            if i == len(order):
                yield set(dark)
                return
            cell = order[i]
            for some in combinations(later[i], left[cell]):
                if all(left[b] for b in some):
                    dark.extend(frozenset({cell, b}) for b in some)
                    for b in some:
                        left[b] -= 1
                    yield from go(i + 1)
                    for b in some:
                        left[b] += 1
                    del dark[len(dark) - len(some) :]

        yield from go(0)

    @cached_property
    def all_factors(self) -> list[set[Edge]]:
        """All path factors."""
        return list(self.factors())

    def parts(self, dark: set[Edge]) -> dict[Cell, int]:
        """Return the number of its component for each cell."""
        number: dict[Cell, int] = {}
        count = 0
        for first in sorted(self.cells):
            stack = [first] if first not in number else []
            count += len(stack)
            while stack:
                here = stack.pop()
                number[here] = count
                stack += [
                    there
                    for there in neighbours(here)
                    if frozenset({here, there}) in dark and there not in number
                ]
        return number

    def number(self, dark: set[Edge]) -> int:
        """Return how many components a factor has."""
        return len(set(self.parts(dark).values()))

    def components(self, dark: set[Edge]) -> set[frozenset[Cell]]:
        number = self.parts(dark)
        return {
            frozenset(cell for cell in number if number[cell] == k)
            for k in set(number.values())
        }

    def squares(self) -> list[Square]:
        return [q for q in sorted(self.cells) if set(corners(q)) <= self.cells]

    def is_border(self, q: Square, dark: set[Edge]) -> bool:
        number = self.parts(dark)
        return len({number[cell] for cell in corners(q)}) > 1

    def is_parallel(self, q: Square, dark: set[Edge]) -> bool:
        """Whether a square is of type III."""
        return alternating(q, dark) and self.is_border(q, dark)

    def strip(self, q: Square, dark: set[Edge]) -> list[Square]:
        """Return the strip from a square with one dark side; empty if blocked."""
        (d,) = [d for d in range(4) if side(q, (d + 2) % 4) in dark]
        front, back = d, (d + 2) % 4
        across = {(d + 1) % 4, (d + 3) % 4}
        strip = [q]
        while True:
            q = (q[0] + AROUND[d][0], q[1] + AROUND[d][1])
            strip.append(q)
            if not set(corners(q)) <= self.cells:
                return []
            sides = {k for k in range(4) if side(q, k) in dark}
            if len(strip) % 2 == 0:
                if sides == across:
                    return strip
                if sides != across | {front}:
                    return []
            else:
                if sides == {front, back}:
                    return strip
                if sides != {back}:
                    return []


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + r, cell[1] + c) for r, c in AROUND]


def corners(q: Square) -> list[Cell]:
    r, c = q
    return [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]


def side(q: Square, d: int) -> Edge:
    """Return the top, right, bottom or left side of a square."""
    four = corners(q)
    return frozenset({four[d], four[(d + 1) % 4]})


def alternating(q: Square, dark: set[Edge]) -> bool:
    sides = [side(q, d) in dark for d in range(4)]
    return sides in ([True, False, True, False], [False, True, False, True])


def flipped(dark: set[Edge], squares: Iterable[Square]) -> set[Edge]:
    dark = set(dark)
    for q in squares:
        dark ^= {side(q, d) for d in range(4)}
    return dark
