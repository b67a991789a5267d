"""The clauses that every walk over all cells of a board satisfies, and their grounds.

A variable is an edge between two open cells, true when the walk uses it. Degree clauses
say that start and end have one edge and every other cell two; what satisfies them is a
path from start to end and perhaps loops. Cuts and counts rule out the rest:

- *cut*: a walk over all cells crosses the rim of every set of cells, so one of the
  crossing edges is used;
- *count*: every edge joins black and white, so over any set of cells the degrees of the
  black cells minus those of the white cells are the crossing edges used at its black
  cells minus those used at its white cells. Resolution alone needs exponentially many
  steps for what this says in one line (mutilated chessboards).

Both hold for the board, whatever the walk: they are kept from position to position.
"""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell
from solver.oracles.formula_kernels import Cuts, Edges, count_area, cut_loops
from solver.oracles.oracle import Ground

Clause = tuple[int, ...]
_MAX_CUTS = 256  # a model with more loops than that is cut again


class Formula:
    """The clauses of one board, grown by `cut_loops` and `count_area`.

    - `edges`, tuple of (int, int): the edge of variable v is ``edges[v - 1]``.
    - `variable`, (cells, 4) int32: the variable of the edge in direction U, R, D, L; 0
      where there is none.
    - `clauses`, dict from clause to Ground: in the order they were added.

    - `cells`: whether the ground of a cut or a count names its cells, which only a
      proof asks for: half the board for each of thousands of cuts, 40 bytes a cell.
    """

    def __init__(self, board: Board, *, cells: bool = True) -> None:
        self.board, self._cells = board, cells
        near = board.neighbours
        self.open = np.ones(board.cells, np.bool_)
        self.open[list(board.walls)] = False
        self.variable = np.zeros((board.cells, 4), np.int32)
        edges = []
        for cell in range(board.cells):
            for d in (1, 2):
                other = int(near[cell, d])
                if other >= 0:
                    edges.append((cell, other))
                    self.variable[cell, d] = self.variable[other, d + 2 & 3] = len(
                        edges
                    )
        self.edges = tuple(edges)
        ends = np.array([(0, 0), *edges], np.int32)
        self._edges = Edges(ends, board.neighbours, self.variable)
        self.step = {edge: v for v, edge in enumerate(edges, 1)}
        self.step.update({(b, a): v for v, (a, b) in enumerate(edges, 1)})
        self.need = np.full(board.cells, 2, np.int32)
        self.need[[board.start, board.end]] = 1 if board.open_cells > 1 else 0
        self.need[~self.open] = 0
        self.clauses: dict[Clause, Ground] = {}
        self._around = self.variable.tolist()  # what Python reads
        for cell in range(board.cells):
            if self.open[cell]:
                self._add_degrees(cell)
        self._path = np.empty(board.cells, np.int32)
        self._cuts = Cuts(
            np.empty(8 * len(edges) + 1, np.int32),
            np.empty(_MAX_CUTS + 1, np.int32),
            np.empty((_MAX_CUTS, board.cells), np.bool_),
        )

    def _add_degrees(self, cell: Cell) -> None:
        around = [v for v in self._around[cell] if v]
        need, ground = int(self.need[cell]), Ground("degree", (cell,))
        if len(around) < need:
            self.clauses[()] = ground
            return
        for some in combinations(around, len(around) - need + 1):
            self.clauses.setdefault(some, ground)
        for some in combinations(around, need + 1):
            self.clauses.setdefault(tuple(-v for v in some), ground)

    def cut_squares(self) -> None:
        """Add the cuts around all 2 x 2 squares: the smallest loops, and most loops."""
        cols, around, is_open = self.board.cols, self._around, self.open.tolist()
        if self.board.open_cells == 4:
            return  # a square may be all there is
        for cell in range(self.board.cells - cols - 1):
            square = (cell, cell + 1, cell + cols, cell + cols + 1)
            if (cell + 1) % cols and all(is_open[one] for one in square):
                pairs = zip(square, _OUTWARD, strict=True)
                rim = [around[one][d] for one, sides in pairs for d in sides]
                clause = tuple(sorted(filter(None, rim)))
                self.clauses.setdefault(clause, Ground("cut", square))

    def cut_loops(self, model: list[int]) -> tuple[list[Clause], npt.NDArray[np.int32]]:
        """Return new cuts that the model breaks, and its path from the start.

        No cuts means that the path visits every open cell. A model of the degree
        clauses is a path and loops; for every one of these, each connected rest of the
        board gives a cut, the smallest rims that the model does not cross. O(loops *
        cells) time.
        """
        literals, cuts = np.array(model, np.int32), self._cuts
        number = cut_loops(
            literals, self._edges, self.open, self.board.start, self._path, cuts
        )
        found = []
        for i in range(number):
            rim = cuts.rim[cuts.stops[i] : cuts.stops[i + 1]]
            clause = tuple(sorted(rim.tolist()))
            if clause not in self.clauses:
                self.clauses[clause] = self._ground("cut", cuts.inside[i])
                found.append(clause)
        return found, self._path

    def count_area(self, used: list[int]) -> Clause | None:
        """Return a count clause that the used edges break, if the flow finds one.

        Cells with their number of used edges drop the rest, cells with as many edges
        left as they need take them, to a fixed point; then a maximum flow between black
        and white cells either gives every cell what it needs, or its smallest cut is
        the set of cells whose count cannot come out (Konig, Hall). O(cells^2) time at
        worst, near linear as a rule.
        """
        board = self.board
        area = np.zeros(board.cells, np.bool_)
        rim = np.zeros(len(self.edges) + 1, np.int32)
        chosen = np.array(used, np.int32)
        size = count_area(chosen, self._edges, self.need, board.cols, area, rim)
        if size < 0:
            return None
        clause = tuple(sorted(rim[:size].tolist()))
        ground = self._ground("count", area)
        return None if self.clauses.setdefault(clause, ground) is not ground else clause

    def _ground(self, kind: str, area: npt.NDArray[np.bool_]) -> Ground:
        return Ground(kind, tuple(np.flatnonzero(area).tolist() if self._cells else ()))


# Directions out of a 2 x 2 square, of each of its cells.
_OUTWARD = ((0, 3), (0, 1), (2, 3), (1, 2))
