"""Directed search on boards made for a drawing: walls, start and end where they help.

A counterexample whose area is extreme needs much room on a plain rectangle: what the
area lacks of one colour, all around it must have. Walls spare that room. So where a
rule is proved for boards with walls, its mutants are tried on such boards too.

As in `verify.refute.directed` a path is the unknown of a SAT formula, cut at the live
end so that the cells around it are as drawn. Here each cell may also be a wall, and the
path may begin and end anywhere, or anywhere on the rim. What a model draws beside the
path becomes wall, unless the drawing needs it: then it is cut off.
"""

import random
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from heuristic.rules.drawing import (
    LIVE_END,
    CellState,
    Drawing,
    Offset,
)
from solver.board import Board, Cell, Position, Walk
from verify.proof.formula import Scope
from verify.proof.settle import Survivor
from verify.proof.view import Pose, Spot, edges_of
from verify.refute.directed import EdgeFormula, Ties, placements_of, ties_at

_SOLVER = "glucose4"
_CONFLICTS = 20_000  # for one board
_ROOMS = (2, 3, 4)  # cells around what is drawn
_WITH_MODEL = (3, 4, 5)  # pieces are led around each other


def walled(
    drawing: Drawing,
    pose: Pose,
    move: Offset,
    scope: Scope,
    *,
    model: Survivor | None = None,
    seed: int = 0,
    seconds: float = 1.0,
) -> tuple[Position, Walk] | None:
    """Look for a position that the drawing matches, completable by the forbidden move.

    Parameters
    ----------
    drawing, pose, move :
        The drawing is laid one way only: the boards have no direction of their own.
    scope : Scope
        ``PLAIN``: walls, start and end anywhere; ``PLANAR``: walls anywhere, start and
        end on the rim.
    model : Survivor, optional
        Of a planar scope: what the window is to look like.
    seed : int
        Draws the room around the drawing, board by board.
    seconds : float
        Limit of processor time.

    Returns
    -------
    (Position, walk) or None
        The position and a completion; None when the limit came first.

    Raises
    ------
    ValueError
        If there are no walls on the boards of that scope.
    """
    if not scope.walled:
        raise ValueError(f"there are no walls in the scope {scope.name}")
    until, rng = time.process_time() + seconds, random.Random(seed)
    while time.process_time() < until:
        rooms = rng.choices(_WITH_MODEL if model else _ROOMS, k=4)
        search = _Walled(drawing, pose, move, scope, rooms)
        if model is not None:
            search.follow(model)
        found = search.run(until)
        if found is not None:
            return found
    return None


class _Walled(EdgeFormula):
    """One board, as a formula over edges, free and visited cells; all else is wall."""

    def __init__(
        self,
        drawing: Drawing,
        pose: Pose,
        move: Offset,
        scope: Scope,
        rooms: Sequence[int],
    ) -> None:
        placement = placements_of(drawing, pose)[0]
        top, left, bottom, right = rooms
        at = [
            placement.on_board(x)
            for x in (LIVE_END, *(need.at for need in drawing.needs))
        ]
        rows, cols = [row for row, _ in at], [col for _, col in at]
        board = Board(
            max(rows) - min(rows) + 1 + top + bottom,
            max(cols) - min(cols) + 1 + left + right,
        )
        live = (top - min(rows)) * board.cols + left - min(cols)
        super().__init__(drawing, placement, board, live)
        every = range(board.cells)
        self.free, self.visited, self.start, self.end = (
            [self.new() for _ in every] for _ in range(4)
        )
        self.edges = {
            (a, b): self.new() for a in every for b in self.around[a] if a < b
        }
        self.target = self.at(move)
        self.needed = {self.live}  # cells that cannot become wall
        self.inside: set[Cell] = set()  # of these, one cannot
        self._path()
        self._ends(scope)
        self.draw()
        self._needs()
        for area in drawing.areas:
            for member, end in zip(self.area(area, self.target), self.end, strict=True):
                self.clauses.append([-member, -end])
            if area.least > len(area.cells):
                self.needed.update(self.cells(area.inside))
                self.inside.update(self.cells(area.inside))
        for late in self.orders():
            self.clauses += ([-s, -x] for s, x in zip(self.start, late, strict=True))

    def at(self, offset: Offset) -> Cell:
        """Return a cell of the drawing; there is room around all of them."""
        (cell,) = self.cells([offset])
        return cell

    def _path(self) -> None:
        """Make degrees right, and let walk and completion meet at the live end only."""
        add = self.clauses.append
        for cell in range(self.board.cells):
            free, visited = self.free[cell], self.visited[cell]
            start, end = self.start[cell], self.end[cell]
            add([-free, -visited])
            add([-start, visited])
            add([-end, free])
            sides = [self.edge(cell, other) for other in self.around[cell]]
            if cell == self.live:
                continue
            for side in sides:
                add([-side, free, visited])
            for some in combinations(sides, 3):
                add([-x for x in some])
            for one, two in combinations(sides, 2):
                add([-one, -two, -start])
                add([-one, -two, -end])
            for kind, last in ((free, end), (visited, start)):
                add([-kind, *sides])
                for most in combinations(sides, len(sides) - 1):
                    add([-kind, last, *most])
        for (a, b), used in self.edges.items():
            if self.live not in (a, b):
                for x, y in ((a, b), (b, a)):
                    add([-used, -self.visited[x], self.visited[y]])
        for literal in (
            self.visited[self.live],
            -self.start[self.live],
            self.visited[self.behind],
            self.free[self.target],
        ):
            add([literal])
        for other in self.around[self.live]:
            used = self.edge(self.live, other)
            add([used if other in (self.behind, self.target) else -used])

    def _ends(self, scope: Scope) -> None:
        rows, cols = self.board.rows, self.board.cols
        for cell in range(self.board.cells):
            row, col = divmod(cell, cols)
            inside = 0 < row < rows - 1 and 0 < col < cols - 1
            if inside and scope is not Scope.PLAIN:
                self.clauses += [[-self.start[cell]], [-self.end[cell]]]

    def _needs(self) -> None:
        for need in self.drawing.needs:
            cell = self.at(need.at)
            if not need.states & CellState.OUTSIDE:
                self.clauses.append([self.free[cell], self.visited[cell]])
                self.needed.add(cell)
            if need.not_end:
                self.clauses.append([-self.end[cell]])

    def follow(self, model: Survivor) -> None:
        """Let cells and edges be as in a model of the window."""

        def at(spot: Spot) -> Cell:
            return self.at((-spot[1], -spot[0]))

        def say(literal: int, *names: tuple[object, ...]) -> None:
            holds = not model.true.isdisjoint(names)
            self.clauses.append([literal if holds else -literal])

        for spot in model.window.cells():
            say(self.free[at(spot)], ("free", spot))
            say(self.visited[at(spot)], ("visited", spot))
        for a, b in edges_of(model.window):
            say(self.edge(at(a), at(b)), ("c", a, b), ("w", a, b))

    def run(self, until: float) -> tuple[Position, Walk] | None:
        """Solve, cutting off what is needed and not on the path, until all of it is.

        Gives up after so many conflicts, and at a time.
        """
        from pysat.solvers import Solver

        with Solver(name=_SOLVER, bootstrap_with=self.clauses) as solver:
            while time.process_time() < until:
                solver.conf_budget(_CONFLICTS + 1 - solver.accum_stats()["conflicts"])
                if not solver.solve_limited():
                    return None
                true = {x for x in solver.get_model() if x > 0}
                path = self._path_in(true)
                cut = list(self._beside(true, set(path)))
                if not cut:
                    found = self._read(path)
                    ties = ties_at(self.drawing, self.cell, found[0])
                    if ties is Ties.HOLD:
                        return found
                    if ties is Ties.LITTLE:  # a cell more must not be free
                        cut = [[-self.free[cell] for cell in found[1]]]
                    else:
                        cut = [[-self.edge(a, b) for a, b in pairwise(path)]]
                for clause in cut:
                    solver.add_clause(clause)
        return None

    def _path_in(self, true: set[int]) -> list[Cell]:
        """Follow the path through the live end, from its start on."""
        before, after = (
            self._from(self.live, x, true) for x in (self.behind, self.target)
        )
        return [*reversed(before), self.live, *after]

    def _from(self, before: Cell, here: Cell, true: set[int]) -> list[Cell]:
        found = [here]
        while True:
            ahead = [
                other
                for other in self.around[here]
                if other != before and self.edge(here, other) in true
            ]
            if not ahead:
                return found
            before, here = here, ahead[0]
            found.append(here)

    def _beside(self, true: set[int], path: set[Cell]) -> Iterator[list[int]]:
        """Cut off each piece beside the path that holds a cell the drawing needs."""
        left = {
            cell
            for cell in self.needed - path
            if self.free[cell] in true or self.visited[cell] in true
        }
        while left:
            cell = left.pop()
            piece = self._piece(cell, true)
            left -= piece
            out = [
                used
                for (a, b), used in self.edges.items()
                if (a in piece) != (b in piece)
            ]
            yield [-self.free[cell], *out] if cell in self.inside else out

    def _piece(self, cell: Cell, true: set[int]) -> set[Cell]:
        piece, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            for other in self.around[here]:
                if other not in piece and self.edge(here, other) in true:
                    piece.add(other)
                    todo.append(other)
        return piece

    def _read(self, path: list[Cell]) -> tuple[Position, Walk]:
        """Make a wall of every cell that is not on the path."""
        walls = set(range(self.board.cells)).difference(path)
        size = self.board.rows, self.board.cols
        board = Board(*size, path[0], path[-1], tuple(sorted(walls)))
        at = path.index(self.live) + 1
        return Position(board, tuple(path[:at])), tuple(path[at:])
