"""Doubles of `solver.solid`: sets of edges of cells (row, col), nothing clever."""

from collections.abc import Iterable, Iterator

Cell = tuple[int, int]
Edge = frozenset[Cell]
Square = Cell  # its upper left cell

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

    def at(self, cell: Cell, edges: Iterable[Edge]) -> int:
        return sum(cell in edge for edge in edges)

    def is_factor(self, dark: set[Edge]) -> bool:
        return dark <= self.edges and all(
            self.at(cell, dark) == self.need(cell) for cell in self.cells
        )

    def factors(self) -> Iterator[set[Edge]]:
        """Yield all path factors, by trying every edge in and out."""
        order = sorted(self.edges, key=sorted)

        def go(i: int, left: dict[Cell, int], dark: set[Edge]) -> Iterator[set[Edge]]:
            if i == len(order):
                if not any(left.values()):
                    yield set(dark)
                return
            a, b = sorted(order[i])
            done = [c for c in self.cells if c < a]  # all their edges are decided
            if any(left[c] for c in done):
                return
            if left[a] and left[b]:
                less = left | {a: left[a] - 1, b: left[b] - 1}
                yield from go(i + 1, less, dark | {order[i]})
            yield from go(i + 1, left, dark)

        yield from go(0, {cell: self.need(cell) for cell in self.cells}, set())

    def component(self, cell: Cell, dark: set[Edge]) -> frozenset[Cell]:
        seen, stack = {cell}, [cell]
        while stack:
            here = stack.pop()
            for edge in dark:
                if here in edge:
                    (there,) = edge - {here}
                    if there not in seen:
                        seen.add(there)
                        stack.append(there)
        return frozenset(seen)

    def components(self, dark: set[Edge]) -> set[frozenset[Cell]]:
        return {self.component(cell, dark) for cell in self.cells}

    def squares(self) -> list[Square]:
        return [q for q in sorted(self.cells) if set(corners(q)) <= self.cells]

    def is_border(self, q: Square, dark: set[Edge]) -> bool:
        return len({self.component(cell, dark) for cell in corners(q)}) > 1

    def is_parallel(self, q: Square, dark: set[Edge]) -> bool:
        """Whether a square is of type III."""
        return alternating(q, dark) and self.is_border(q, dark)

    def strip(self, q: Square, dark: set[Edge]) -> list[Square]:
        """Return the strip from a square with one dark side; empty if blocked."""
        (d,) = [d for d in range(4) if side(q, (d + 2) % 4) in dark]
        front, back = d, (d + 2) % 4
        across = {(d + 1) % 4, (d + 3) % 4}
        found = [q]
        while True:
            q = (q[0] + AROUND[d][0], q[1] + AROUND[d][1])
            found.append(q)
            if not set(corners(q)) <= self.cells:
                return []
            sides = {k for k in range(4) if side(q, k) in dark}
            if len(found) % 2 == 0:
                if sides == across:
                    return found
                if sides != across | {front}:
                    return []
            else:
                if sides == {front, back}:
                    return found
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
    found = set(dark)
    for q in squares:
        found ^= {side(q, d) for d in range(4)}
    return found
