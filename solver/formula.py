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
from solver.jit import njit_making
from solver.oracle import Ground

Clause = tuple[int, ...]
_MAX_CUTS = 256  # a model with more loops than that is cut again


@njit_making
def _cut_loops(
    model: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    is_open: npt.NDArray[np.bool_],
    start: int,
    path: npt.NDArray[np.int32],
    rim: npt.NDArray[np.int32],
    stops: npt.NDArray[np.int32],
    inside: npt.NDArray[np.bool_],
) -> int:
    """Kernel of `Formula.cut_loops`; returns the number of cuts written."""
    cells = is_open.size
    link = np.full((cells, 2), -1, np.int32)
    for i in range(model.size):
        if model[i] > 0:
            for side in range(2):
                a, b = ends[model[i], side], ends[model[i], 1 - side]
                link[a, 1 if link[a, 0] >= 0 else 0] = b
    part = np.full(cells, -1, np.int32)
    parts = 0
    total = 0
    for k in range(-1, cells):
        first = start if k < 0 else k
        if not is_open[first] or part[first] >= 0:
            continue
        cell, size = first, 0
        while cell >= 0:
            part[cell] = parts
            if parts == 0:
                path[size] = cell
            size += 1
            total += 1
            a, b = link[cell, 0], link[cell, 1]
            if a >= 0 and part[a] < 0:
                cell = a
            elif b >= 0 and part[b] < 0:
                cell = b
            else:
                cell = -1
        parts += 1
    stops[0] = 0
    if parts == 1:
        return 0
    cuts = 0
    mark = np.full(cells, -1, np.int32)
    stack = np.empty(cells, np.int32)
    for p in range(parts):
        for first in range(cells):
            if not is_open[first] or part[first] == p or mark[first] == p:
                continue
            if cuts == stops.size - 1:
                return cuts
            size, at = 1, stops[cuts]
            mark[first] = p
            stack[0] = first
            inside[cuts] = False
            while size:
                size -= 1
                cell = stack[size]
                inside[cuts, cell] = True
                for d in range(4):
                    other = near[cell, d]
                    if other < 0:
                        continue
                    if part[other] == p:
                        if at == rim.size:
                            return cuts
                        rim[at] = variable[cell, d]
                        at += 1
                    elif mark[other] != p:
                        mark[other] = p
                        stack[size] = other
                        size += 1
            cuts += 1
            stops[cuts] = at
    return cuts


@njit_making
def _count_area(
    used: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int32],
    near: npt.NDArray[np.int32],
    variable: npt.NDArray[np.int32],
    need: npt.NDArray[np.int32],
    cols: int,
    area: npt.NDArray[np.bool_],
    rim: npt.NDArray[np.int32],
) -> int:
    """Kernel of `Formula.count_area`: the size of the clause in `rim`, -1 if none."""
    cells = need.size
    state = np.zeros(ends.shape[0], np.int8)  # 1 used, -1 dropped
    rest = need.copy()  # edges still to choose
    left = np.zeros(cells, np.int32)  # edges to choose from
    for cell in range(cells):
        for d in range(4):
            left[cell] += variable[cell, d] > 0
    stack = np.empty(9 * cells + used.size, np.int32)
    size = 0
    for i in range(used.size):
        v = used[i]
        state[v] = 1
        for side in range(2):
            rest[ends[v, side]] -= 1
            left[ends[v, side]] -= 1
    for cell in range(cells):
        stack[size] = cell
        size += 1
    while size:
        size -= 1
        cell = stack[size]
        if rest[cell] < 0 or left[cell] < rest[cell]:
            return -1  # the degree clauses say so already
        if left[cell] == 0 or 0 < rest[cell] < left[cell]:
            continue
        sign = 1 if rest[cell] else -1
        for d in range(4):
            v = variable[cell, d]
            if v and state[v] == 0:
                state[v] = sign
                for side in range(2):
                    left[ends[v, side]] -= 1
                    rest[ends[v, side]] -= sign == 1
                stack[size] = near[cell, d]
                size += 1

    # Maximum flow from black to white cells over the edges to choose from: `flow` is
    # True for chosen ones. Augment along breadth-first paths.
    flow = np.zeros(ends.shape[0], np.bool_)
    lack = rest.copy()
    before = np.empty(cells, np.int32)
    stamp = np.zeros(cells, np.int32)
    now = 0
    for root in range(2 * cells):
        # Black roots first; then white ones, whose lack proves a count as well.
        colour = 0 if root < cells else 1
        source = root % cells
        if (source // cols + source % cols) % 2 != colour:
            continue
        while lack[source] > 0:
            now += 1
            stamp[source] = now
            stack[0] = source
            head, size, target = 0, 1, -1
            while head < size and target < 0:
                cell = stack[head]
                head += 1
                chosen = (cell // cols + cell % cols) % 2 != colour
                for d in range(4):
                    v = variable[cell, d]
                    if v and state[v] == 0 and flow[v] == chosen:
                        other = near[cell, d]
                        if stamp[other] != now:
                            stamp[other] = now
                            before[other] = v
                            stack[size] = other
                            size += 1
                            if not chosen and lack[other] > 0:
                                target = other
                                break
            if target < 0:
                break
            lack[source] -= 1
            lack[target] -= 1
            cell = target
            while cell != source:
                v = before[cell]
                flow[v] = not flow[v]
                cell = ends[v, 0] + ends[v, 1] - cell
        if lack[source] > 0:
            # All that was reached is the area: cells of the source's colour in it need
            # more than the others and the edges across its rim can give.
            slack = 0
            for i in range(size):
                cell = stack[i]
                area[cell] = True
                sign = 1 if (cell // cols + cell % cols) % 2 == colour else -1
                slack += sign * need[cell]
            at = 0
            for i in range(size):
                cell = stack[i]
                same = (cell // cols + cell % cols) % 2 == colour
                for d in range(4):
                    v = variable[cell, d]
                    if v == 0 or area[near[cell, d]]:
                        continue
                    if same:
                        slack -= state[v] >= 0
                        if state[v] < 0:
                            rim[at] = v
                            at += 1
                    elif state[v] > 0:
                        slack += 1
                        rim[at] = -v
                        at += 1
            return at - max(0, min(at, slack - 1))
    return -1


class Formula:
    """The clauses of one board, grown by `cut_loops` and `count_area`.

    Attributes
    ----------
    edges : tuple of (int, int)
        The edge of variable v is ``edges[v - 1]``.
    variable : (cells, 4) int32
        The variable of the edge in direction U, R, D, L; 0 where there is none.
    clauses : dict from clause to Ground
        In the order they were added.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
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
        self._ends = np.array([(0, 0), *edges], np.int32)
        self.step = {edge: v for v, edge in enumerate(edges, 1)}
        self.step.update({(b, a): v for v, (a, b) in enumerate(edges, 1)})
        self.need = np.full(board.cells, 2, np.int32)
        self.need[[board.start, board.end]] = 1 if board.open_cells > 1 else 0
        self.need[~self.open] = 0
        self.clauses: dict[Clause, Ground] = {}
        for cell in range(board.cells):
            if self.open[cell]:
                self._add_degrees(cell)
        self._path = np.empty(board.cells, np.int32)
        self._rim = np.empty(8 * len(edges) + 1, np.int32)
        self._stops = np.empty(_MAX_CUTS + 1, np.int32)
        self._inside = np.empty((_MAX_CUTS, board.cells), np.bool_)

    def _add_degrees(self, cell: Cell) -> None:
        around = [int(v) for v in self.variable[cell] if v]
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
        cols = self.board.cols
        for cell in range(self.board.cells - cols - 1):
            square = (cell, cell + 1, cell + cols, cell + cols + 1)
            whole = len(square) == self.board.open_cells
            if (cell + 1) % cols and self.open[list(square)].all() and not whole:
                rim = {int(v) for at in square for v in self.variable[at] if v}
                rim -= {self.step[square[i], square[j]] for i, j in _SIDES}
                self.clauses.setdefault(tuple(sorted(rim)), Ground("cut", square))

    def cut_loops(self, model: list[int]) -> tuple[list[Clause], npt.NDArray[np.int32]]:
        """Return new cuts that the model breaks, and its path from the start.

        No cuts means that the path visits every open cell. A model of the degree
        clauses is a path and loops; for every one of these, each connected rest of the
        board gives a cut, the smallest rims that the model does not cross. O(loops *
        cells) time.
        """
        cuts = int(
            _cut_loops(
                np.array(model, np.int32),
                self._ends,
                self.board.neighbours,
                self.variable,
                self.open,
                self.board.start,
                self._path,
                self._rim,
                self._stops,
                self._inside,
            )
        )
        found = []
        for i in range(cuts):
            clause = tuple(
                sorted(self._rim[self._stops[i] : self._stops[i + 1]].tolist())
            )
            if clause not in self.clauses:
                inside = tuple(np.flatnonzero(self._inside[i]).tolist())
                self.clauses[clause] = Ground("cut", inside)
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
        size = int(
            _count_area(
                np.array(used, np.int32),
                self._ends,
                board.neighbours,
                self.variable,
                self.need,
                board.cols,
                area,
                rim,
            )
        )
        if size < 0:
            return None
        clause = tuple(sorted(rim[:size].tolist()))
        ground = Ground("count", tuple(np.flatnonzero(area).tolist()))
        return None if self.clauses.setdefault(clause, ground) is not ground else clause


_SIDES = ((0, 1), (0, 2), (1, 3), (2, 3))  # the edges inside a 2 x 2 square
