"""Factors that the static search is tested on: drawn, and chains of them.

`S` and `T` are the ends, `-` and `|` the dark edges. Cells that touch are joined.
"""

import random
from itertools import pairwise

from solver.board import Board, Position
from tests.doubles.solid import Cell, Edge, Graph, neighbours
from tests.solid.worlds import holes
from website import lemmas

Pattern = tuple[Graph, set[Edge]]

# Two even strips lead from the small loop to the right, one within the other, to one
# end square. The graph is dead.
NESTED = """
    o-o
    | |
  o-o o-o
  |     |
o-o o-o o-o T-o-o
|   | |   |     |
o-o o-o o-o S-o-o
  |     |
  o-o o-o
    | |
    o-o
"""

# Both are Hamiltonian, and stand on a page. In TURN T has three neighbours, and the
# factor leaves it sideways: no path of strips leads to an odd one. The nearest
# improvement is five flips away. In GADGET the least path has three strips and five
# squares.
TURN, GADGET = lemmas.SIDEWAYS, lemmas.GADGET

# Two components that no path of strips joins, though there is a Hamiltonian path: the
# smallest graph with a hole, and one without a hole, an end of the path inside.
HOLE = """
o-o S-T
| |
o-o   o-o
      | |
  o-o o-o
  | |
  o-o
"""
INNER = """
o-o S-o-o
| |     |
o-o T-o o
      | |
  o-o o-o
  | |
  o-o
"""

# A rectangle whose ends have three neighbours each. Without the edges below the ends it
# has a Hamiltonian path, and this factor has none of type III, no odd strip, and a
# border square without dark sides.
CUT = """
o-o-o-o
|     |
o-o o-o
  | |
S-o o-T

o-o o-o
| | | |
o o-o o
|     |
o-o-o-o
"""


def drawn(text: str) -> Pattern:
    """Read a factor."""
    factor = lemmas.Factor(text)
    return Graph(factor.cells, factor.live, factor.end), factor.dark


def chain(count: int) -> Pattern:
    """Return so many gadgets in a row: T, two cells, and S of the next one.

    Every second one is upside down, so that the row stays level.
    """
    gadget, edges = drawn(GADGET)
    cells, dark, ends = set[Cell](), set[Edge](), list[Cell]()
    for i in range(count):

        def moved(cell: Cell, i: int = i) -> Cell:
            return (8 - cell[0] if i % 2 else cell[0], cell[1] + 7 * i)

        cells |= {moved(cell) for cell in gadget.cells}
        dark |= {frozenset(map(moved, edge)) for edge in edges}
        ends += [moved(gadget.live), moved(gadget.end)]
    for (r, c), first in zip(ends[1::2], ends[2::2], strict=False):
        row = [(r, c + k) for k in range(4)]
        assert row[-1] == first
        cells |= set(row)
        dark |= {frozenset(pair) for pair in pairwise(row)}
    return Graph(cells, ends[0], ends[-1]), dark


def grown(graph: Graph, dark: set[Edge], seed: int, steps: int) -> Pattern:
    """Return a larger graph without holes, with a factor of as many components.

    A dark edge is replaced by a detour over two new cells beside it, again and again.
    """
    rng = random.Random(seed)
    cells, dark = set(graph.cells), set(dark)
    for _ in range(steps):
        a, b = sorted(rng.choice(sorted(map(sorted, dark))))
        side = rng.choice((1, -1))
        down, right = (side, 0) if a[0] == b[0] else (0, side)
        new = [(r + down, c + right) for r, c in (a, b)]
        more = cells | set(new)
        ends = (graph.live, graph.end)
        inner = [p for p in ends if more.issuperset(neighbours(p))]
        if not cells.isdisjoint(new) or inner or holes(more) > 0:
            continue
        cells = more
        dark -= {frozenset((a, b))}
        dark |= {frozenset(pair) for pair in pairwise((a, *new, b))}
    top, left = map(min, zip(*cells, strict=True))

    def moved(cell: Cell) -> Cell:
        return (cell[0] - top, cell[1] - left)

    larger = Graph(map(moved, cells), moved(graph.live), moved(graph.end))
    return larger, {frozenset(map(moved, edge)) for edge in dark}


def position_of(graph: Graph) -> Position:
    """Return a position whose free cells are those of a graph; the others are walls."""
    rows = 1 + max(r for r, _ in graph.cells)
    cols = 1 + max(c for _, c in graph.cells)
    walls = [i for i in range(rows * cols) if divmod(i, cols) not in graph.cells]
    start, end = (r * cols + c for r, c in (graph.live, graph.end))
    return Position(Board(rows, cols, start, end, tuple(walls)))
