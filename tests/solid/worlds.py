"""Graphs and factors for the tests, and the way between kernels and doubles."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from solver.board import Board, Position
from solver.solid.factor import Solid, make_graph, new_solid
from tests.doubles.solid import AROUND, Cell, Edge, Graph


@cache
def solid_shapes(rows: int, cols: int) -> list[frozenset[Cell]]:
    """Return all connected sets of cells without a hole that fill a box.

    No cell that is left out is enclosed: it hangs together with the outside, corners
    counted.
    """
    box = [(r, c) for r in range(rows) for c in range(cols)]
    found = []
    for bits in range(1, 1 << len(box)):
        cells = frozenset(cell for i, cell in enumerate(box) if bits >> i & 1)
        if len({r for r, _ in cells}) < rows or len({c for _, c in cells}) < cols:
            continue
        if min(c for _, c in cells) or min(r for r, _ in cells):
            continue
        if _whole(cells) and _no_hole(cells, rows, cols):
            found.append(cells)
    return found


def _reached(begin: Cell, among: set[Cell], steps: list[Cell]) -> set[Cell]:
    seen, stack = {begin}, [begin]
    while stack:
        r, c = stack.pop()
        for dr, dc in steps:
            there = (r + dr, c + dc)
            if there in among and there not in seen:
                seen.add(there)
                stack.append(there)
    return seen


def _whole(cells: frozenset[Cell]) -> bool:
    return len(_reached(min(cells), set(cells), AROUND)) == len(cells)


def _no_hole(cells: frozenset[Cell], rows: int, cols: int) -> bool:
    frame = {(r, c) for r in range(-1, rows + 1) for c in range(-1, cols + 1)}
    eight = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    outside = frame - cells
    return len(_reached((-1, -1), outside, eight)) == len(outside)


def ends(cells: frozenset[Cell]) -> list[Cell]:
    """Return the cells that may be an end: at the outer face, three neighbours."""
    return [
        cell
        for cell in sorted(cells)
        if sum((cell[0] + r, cell[1] + c) in cells for r, c in AROUND) <= 3
    ]


def graphs(rows: int, cols: int, every: int = 1) -> Iterator[Graph]:
    """Yield the solid graphs that fill a box, with all their ends; or each so many."""
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
    return (cell[0] + 1) * int(s.info[0]) + cell[1] + 1


def dark_of(s: Solid, graph: Graph) -> set[Edge]:
    """Return the dark edges that kernels have; each must be there from both ends."""
    found: list[Edge] = []
    for r, c in graph.cells:
        for d, (dr, dc) in enumerate(AROUND):
            if s.dark[padded(s, (r, c))] >> d & 1:
                found.append(frozenset({(r, c), (r + dr, c + dc)}))
    assert len(found) == 2 * len(set(found))
    return set(found)
