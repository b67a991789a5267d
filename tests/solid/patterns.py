"""Factors that the static search is tested on: drawn, and chains of them.

`S` and `T` are the ends, `-` and `|` the dark edges. Cells that touch are joined.
"""

from itertools import pairwise

from tests.doubles.solid import Cell, Edge, Graph

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

# Hamiltonian. T has three neighbours, and the factor leaves it sideways: no path of
# strips leads to an odd one. The nearest improvement is five flips away.
TURN = """
      o-o
      | |
    o-o o-o
    |     |
  o-o o-o o-o
  |   | |   |
o-o o-o o-o o-o
|   |     |   |
o-o o-o o-o o-o
  |   | |   |
  o-o o-o o-o
    |     |
    o-o o-o
      | |
  S-o o T
    | |
    o o-o
    |   |
    o-o-o
"""

# Hamiltonian. The least path has three strips and five squares.
GADGET = """
o-o-o-o
|     |
o o-o o
| | | |
o o o o
| | | |
o-o o o T
    | | |
  o-o o-o
  |
S-o o-o
    | |
    o-o
"""

# Two components that no path of strips joins, though there is a Hamiltonian path: the
# smallest graph with a hole, and the smallest without one, an end of the path inside.
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


def drawn(text: str) -> tuple[Graph, set[Edge]]:
    """Read a factor."""
    signs = {
        (r, c): sign
        for r, line in enumerate(text.strip("\n").split("\n"))
        for c, sign in enumerate(line)
    }
    cells = {(r // 2, c // 2): sign for (r, c), sign in signs.items() if sign in "oST"}
    dark = {
        frozenset({(r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)})
        for (r, c), sign in signs.items()
        if sign in "-|"
    }
    ends = {sign: cell for cell, sign in cells.items() if sign in "ST"}
    return Graph(cells, ends["S"], ends["T"]), dark


def chain(count: int) -> tuple[Graph, set[Edge]]:
    """Return so many gadgets in a row: T, two cells, and S of the next one."""
    one, edges = drawn(GADGET)
    cells, dark = set[Cell](), set[Edge]()
    before: Cell | None = None
    live = end = (0, 0)
    for i in range(count):
        down, right = 2 * (count - 1 - i), 7 * i

        def moved(cell: Cell, down: int = down, right: int = right) -> Cell:
            return (cell[0] + down, cell[1] + right)

        cells |= {moved(cell) for cell in one.cells}
        dark |= {frozenset(map(moved, edge)) for edge in edges}
        first, end = moved(one.live), moved(one.end)
        if before is None:
            live = first
        else:
            row = [(before[0], before[1] + k) for k in range(4)]
            cells |= set(row)
            dark |= {frozenset(pair) for pair in pairwise(row)}
        before = end
    return Graph(cells, live, end), dark
