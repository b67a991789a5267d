"""The graph that a certificate of a dead position speaks of, and counts in it.

Its vertices are the unvisited cells and the live end. A *factor* is a set of its edges
with one edge at each end of the completion and two at every other cell.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from verify.checker.position import _Reading, _walk_fault
from verify.checker.values import Fault

_COLOURS = {"black": 1, "white": -1}


class Graph:
    """Cells of a board with the edges between them, and the ends of a completion.

    - `rows`, `cols`: of the board.
    - `around`: the neighbours of each cell.
    - `ends`: two cells, or none if a factor has two edges at every cell. The end cell
      need not be one of `cells`: the walk may have visited it.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        around: Mapping[int, Iterable[int]],
        ends: tuple[int, ...],
    ) -> None:
        self.rows, self.cols, self.ends = rows, cols, ends
        self.cells = set(around)
        self.around = {
            cell: [b for b in near if b in self.cells] for cell, near in around.items()
        }

    def need(self, cell: int) -> int:
        """Return the number of edges that a factor has at a cell."""
        return 2 - self.ends.count(cell)

    def colour(self, cell: int) -> int:
        """Return 1 for the colour of the upper left cell of the board, else -1."""
        return -1 if (cell // self.cols + cell % self.cols) % 2 else 1

    def without(self, gone: tuple[int, ...], ends: tuple[int, ...]) -> "Graph":
        """Return the graph without some cells, with other ends."""
        left = {a: near for a, near in self.around.items() if a not in gone}
        return Graph(self.rows, self.cols, left, ends)

    def corners(self, q: int) -> tuple[int, int, int, int] | None:
        """Return the cells of the square with upper left cell `q`, clockwise.

        None if one is missing.
        """
        four = (q, q + 1, q + self.cols + 1, q + self.cols)
        if (q + 1) % self.cols == 0 or not self.cells.issuperset(four):
            return None
        return four


def graph_of(text: str) -> Graph:
    """Return the graph of a position.

    Raises `Fault` if the text's walk is no walk.
    """
    board = _Reading(text)
    if fault := _walk_fault(board, board.walk):
        raise Fault(fault)
    cells = board.open - set(board.walk[:-1])
    around = {cell: board.around(cell) for cell in cells}
    ends = board.walk[-1], board.end
    return Graph(board.rows, board.cols, around, ends)


def numbers_of(value: object, name: str) -> list[int]:
    """Read a list of whole numbers."""
    if type(value) is not list or any(type(one) is not int for one in value):
        raise Fault(f"the {name} is no list of whole numbers")
    return value


def region_of(graph: Graph, certificate: Mapping[str, Any]) -> set[int]:
    """Read a set of cells of the graph that is not empty."""
    cells = numbers_of(certificate.get("region"), "region")
    region = set(cells)
    if len(region) < max(len(cells), 1) or not region <= graph.cells:
        raise Fault("the region is empty, names a cell twice or a visited one")
    return region


def colour_of(certificate: Mapping[str, Any]) -> int:
    """Read a colour: 1 for black, -1 for white."""
    name = certificate.get("colour")
    if type(name) is not str or name not in _COLOURS:
        raise Fault("the colour is neither black nor white")
    return _COLOURS[name]


def judge_colours(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region that needs more doors of a colour than it has.

    Such a graph has no factor. Raises `Fault`. Linear time.
    """
    side, region = colour_of(certificate), region_of(graph, certificate)
    surplus = sum(side * graph.colour(c) * graph.need(c) for c in region)
    cells = [a for a in region if graph.colour(a) == side]
    doors = sum(b not in region for a in cells for b in graph.around[a])
    if surplus <= doors:
        raise Fault(f"the region needs {surplus} such doors and has {doors}")
