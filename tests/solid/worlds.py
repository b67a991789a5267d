"""Graphs and factors for the tests, and the way between kernels and doubles."""

from collections.abc import Iterator, Set
from functools import cache

import numpy as np

from solver.board import Board, Position
from solver.solid.factor import KEY, Solid, make_graph, new_solid
from tests.doubles.solid import AROUND, Cell, Edge, Graph, corners, neighbours


@cache
def solid_shapes(rows: int, cols: int) -> list[frozenset[Cell]]:
    """Return all connected sets of cells without a hole that fill a box."""
    box = [(r, c) for r in range(rows) for c in range(cols)]
    shapes = []
    for bits in range(1, 1 << len(box)):
        cells = frozenset(cell for i, cell in enumerate(box) if bits >> i & 1)
        wide = {r for r, _ in cells} == set(range(rows))
        wide = wide and {c for _, c in cells} == set(range(cols))
        if wide and holes(cells) == 0 and is_connected(cells):
            shapes.append(cells)
    return shapes


def is_connected(cells: frozenset[Cell]) -> bool:
    seen = {min(cells)}
    stack = [min(cells)]
    while stack:
        near = cells.intersection(neighbours(stack.pop())) - seen
        seen |= near
        stack += near
    return len(seen) == len(cells)


def holes(cells: Set[Cell]) -> int:
    """Return the holes of connected cells, by Euler's formula."""
    edges = sum((r + i, c + 1 - i) in cells for r, c in cells for i in (0, 1))
    squares = sum(cells >= set(corners(q)) for q in cells)
    return 1 - len(cells) + edges - squares


def ends(cells: frozenset[Cell]) -> list[Cell]:
    """Return the cells that may be an end: at most three neighbours."""
    return [c for c in sorted(cells) if len(cells.intersection(neighbours(c))) < 4]


def graphs(rows: int, cols: int, every: int = 1) -> Iterator[Graph]:
    """Yield every n-th solid graph that fills a box, with all pairs of ends."""
    number = 0
    for cells in solid_shapes(rows, cols):
        some = ends(cells)
        for i, live in enumerate(some):
            for end in some[i + 1 :]:
                if sum((-1) ** (r + c) for r, c in cells) in balance(live, end):
                    number += 1
                    if number % every == 0:
                        yield Graph(cells, live, end)


def balance(live: Cell, end: Cell) -> tuple[int]:
    """Return black cells minus white ones that a path between two cells has."""
    return (((-1) ** sum(live) + (-1) ** sum(end)) // 2,)


def graph_of(position: Position) -> Graph:
    """Return the graph of the unvisited cells and the live end."""
    cols = position.board.cols
    free = [divmod(int(cell), cols) for cell in position.free.nonzero()[0]]
    live, end = (divmod(c, cols) for c in (position.live_end, position.board.end))
    return Graph([*free, live], live, end)


def loaded(graph: Graph, dark: set[Edge] | None = None) -> Solid:
    """Return the graph as kernels have it; with a factor, if there is one."""
    rows = 1 + max(r for r, _ in graph.cells)
    cols = 1 + max(c for _, c in graph.cells)
    s = new_solid(Board(rows, cols, 0, rows * cols - 1 if rows * cols > 1 else 0))
    for cell in graph.cells:
        s.inside[padded(s, cell)] = 1
    for edge in dark or ():
        for cell in edge:
            (other,) = edge - {cell}
            step = (other[0] - cell[0], other[1] - cell[1])
            s.dark[padded(s, cell)] |= np.uint8(1 << AROUND.index(step))
    make_graph(s, padded(s, graph.live), padded(s, graph.end))
    return s


def padded(s: Solid, cell: Cell) -> int:
    return (cell[0] + 1) * int(s.info[KEY.width]) + cell[1] + 1


def dark_of(s: Solid, graph: Graph) -> set[Edge]:
    """Return the dark edges that kernels have; each must be there from both ends."""
    edges: list[Edge] = []
    for r, c in graph.cells:
        for d, (dr, dc) in enumerate(AROUND):
            if s.dark[padded(s, (r, c))] >> d & 1:
                edges.append(frozenset({(r, c), (r + dr, c + dc)}))
    assert len(edges) == 2 * len(set(edges))
    return set(edges)
