"""Certificates of kind `static` by trying every factor: right ones and forged ones.

Nothing here is shared with the solver or the checker. A graph is its cells and its
ends, cells as on a board of `cols` columns; a position with walls stands for it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import networkx as nx

from tests.solid.worlds import solid_shapes

Edge = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """A graph of cells on a board, and the ends of the paths looked for."""

    rows: int
    cols: int
    cells: frozenset[int]
    ends: tuple[int, ...]

    @property
    def text(self) -> str:
        """The position of a walk that begins at the first end; walls elsewhere."""

        def at(cell: int) -> str:
            return f"{cell // self.cols + 1},{cell % self.cols + 1}"

        walls = [c for c in range(self.rows * self.cols) if c not in self.cells]
        begin, end = self.ends
        closed = f"!{';'.join(map(at, walls))}" if walls else ""
        return f"{self.rows}x{self.cols}@{at(begin)}>{at(end)}{closed}:"

    def neighbours(self, cell: int) -> list[int]:
        col = cell % self.cols
        near = [cell - self.cols, cell + self.cols]
        near += [cell - 1] * (col > 0) + [cell + 1] * (col < self.cols - 1)
        return [b for b in near if b in self.cells]

    def need(self, cell: int) -> int:
        return 2 - self.ends.count(cell)

    def black(self, cell: int) -> bool:
        return (cell // self.cols + cell % self.cols) % 2 == 0

    @cached_property
    def factors(self) -> list[list[Edge]]:
        """All factors, by the edges to later cells of one cell after the other."""
        order = sorted(self.cells)
        later = [[b for b in self.neighbours(c) if b > c] for c in order]
        left = {c: self.need(c) for c in order}
        found: list[list[Edge]] = []
        dark: list[Edge] = []

        def go(i: int) -> None:
            if i == len(order):
                found.append(sorted(dark))
                return
            cell = order[i]
            for some in combinations(later[i], left[cell]):
                if all(left[b] for b in some):
                    dark.extend((cell, b) for b in some)
                    for b in some:
                        left[b] -= 1
                    go(i + 1)
                    for b in some:
                        left[b] += 1
                    del dark[len(dark) - len(some) :]

        go(0)
        return found

    def components(self, dark: list[Edge]) -> int:
        graph = nx.Graph(dark)
        return int(nx.number_connected_components(graph))

    def onward(self) -> "Shape | None":
        """Return the graph without an end with three neighbours, if there is one."""
        for here, other in (self.ends, self.ends[::-1]) if self.ends else ():
            near = self.neighbours(here)
            if len(near) == 3:
                (middle,) = [b for b in near if 2 * here - b not in near]
                gone = {here, other} if middle == other else {here}
                ends = () if middle == other else (middle, other)
                return Shape(self.rows, self.cols, self.cells - gone, ends)
        return None

    def no_factor(self) -> dict[str, Any] | None:
        """Return a region that needs more doors of a colour than it has, by a flow."""
        for side in (True, False):
            flow = nx.DiGraph()
            flow.add_nodes_from(["from", "to"])
            for c in self.cells:
                if self.black(c) == side:
                    flow.add_edge("from", c, capacity=self.need(c))
                    for b in self.neighbours(c):
                        flow.add_edge(c, b, capacity=1)
                else:
                    flow.add_edge(c, "to", capacity=self.need(c))
            wanted = sum(self.need(c) for c in self.cells if self.black(c) == side)
            value, (near, _) = nx.minimum_cut(flow, "from", "to")
            if value < wanted:
                colour = "black" if side else "white"
                region = sorted(near - {"from"})
                return {"kind": "colours", "colour": colour, "region": region}
        return None


def shapes(rows: int, cols: int) -> Iterator[Shape]:
    """Yield all graphs without holes that fill a box, with ends of three neighbours.

    Ends whose colours rule out a factor are left out.
    """
    for filled in solid_shapes(rows, cols):
        cells = frozenset(r * cols + c for r, c in filled)
        one = Shape(rows, cols, cells, ())
        more = sum(1 if one.black(c) else -1 for c in cells)
        rim = [c for c in sorted(cells) if len(one.neighbours(c)) < 4]
        for a, b in combinations(rim, 2):
            if one.black(a) + one.black(b) == more + 1:
                yield Shape(rows, cols, cells, (a, b))


def chains(shape: Shape) -> Iterator[dict[str, Any]]:
    """Yield what a forger can write: each row of factors, a level each."""

    def rows_of(here: Shape) -> Iterator[tuple[list[list[Edge]], Shape | None]]:
        onward = here.onward()
        for factor in here.factors:
            yield [factor], onward
            for others, last in rows_of(onward) if onward else ():
                yield [factor, *others], last

    for factors, last in rows_of(shape):
        if shape.components(factors[0]) > 1:
            data = {"kind": "static", "factors": [list(map(list, f)) for f in factors]}
            yield data
            if last and (none := last.no_factor()):
                yield data | {"no_factor": none}


def spoiled(rng: random.Random, data: dict[str, Any], cells: int) -> dict[str, Any]:
    """Return a certificate with one thing changed; what it held stays as it was."""
    factors = [list(map(list, factor)) for factor in data["factors"]]
    data = data | {"factors": factors}
    factor = rng.choice(factors or [[]])
    what = rng.randrange(9)
    edge = rng.randrange(len(factor)) if factor else 0
    if what == 0 and factor:
        del factor[edge]
    elif what == 1 and factor:
        factor.append(rng.choice(factor))
    elif what == 2 and factor:
        factor[edge] = rng.sample(range(-1, cells + 1), 2)
    elif what == 3 and factor:
        factor[edge] = [factor[edge][0], factor[edge][1] + rng.choice([-2, 2])]
    elif what == 4:
        factors.insert(rng.randrange(len(factors) + 1), factor)
    elif what == 5 and factors:
        factors.remove(factor)
    elif what == 6:
        none = {"colour": rng.choice(["black", "white"])}
        some = rng.sample(range(cells), rng.randrange(1, cells))
        data["no_factor"] = {"kind": "colours", **none, "region": some}
    elif what == 7:
        data.pop("no_factor", None)
    elif factor:  # four edges around a square are exchanged
        q, cols = factor[edge][0], abs(factor[edge][1] - factor[edge][0])
        cols = cols if cols > 1 else rng.randrange(2, 14)
        around = [[q, q + 1], [q + 1, q + cols + 1], [q + cols, q + cols + 1]]
        for side in (*around, [q, q + cols]):
            factor.remove(side) if side in factor else factor.append(side)
    return data
