"""Exact oracle: a SAT solver on edges, with cuts added when a model breaks them.

The formula speaks of the board, the walk comes in as
assumptions. So one solver serves all positions of a board, and every cut, count and
learnt clause of one position helps the next.

Its clauses are such as every walk over all cells of a board satisfies. A variable is an
edge between two open cells, true when the walk uses it. Degree clauses say that start
and end have one edge and every other cell two; what satisfies them is a path from start
to end and perhaps loops. Cuts and counts rule out the rest:

- *cut*: a walk over all cells crosses the rim of every set of cells, so one of the
  crossing edges is used;
- *count*: every edge joins black and white, so over any set of cells the degrees of the
  black cells minus those of the white cells are the crossing edges used at its black
  cells minus those used at its white cells. Resolution alone needs exponentially many
  steps for what this says in one line (mutilated chessboards).

Both hold for the board, whatever the walk: they are kept from position to position.
"""

from collections import OrderedDict
from itertools import combinations, pairwise
from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.oracles.answer import Answer, Ground, Proof, Verdict, check_witness
from solver.oracles.formula_kernels import Cuts, Edges, count_area, cut_loops

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


_SOLVER = "cadical153"
_BOARDS = 8  # boards whose solvers are kept
_CUTS = 16  # cuts kept, in multiples of the cells
_SHORT = 12  # literals of a cut that is always kept
_PATIENCE = 100  # conflicts before the areas of a position are counted


class SatOracle:
    """Decide by SAT; incremental between positions of one board.

    - `conflicts`: conflicts per question before the answer is UNKNOWN; None never gives
      up.
    - `proof`: whether DEAD comes with a `Proof`, made by a second solver (CaDiCaL) that
      sees this position alone; costs a few milliseconds and more.
    - `reuse`: whether the last witness of a board answers for the positions it runs
      through. If not, the solver is asked every time, which is for timing it.

    >>> oracle = SatOracle(proof=True)
    >>> oracle.decide(Position.parse("9:RRDD")).verdict
    <Verdict.COMPLETABLE: 'a completion exists'>
    >>> answer = oracle.decide(Position.parse("9:RRDLD"))
    >>> answer.verdict, answer.proof.lines[-1]
    (<Verdict.DEAD: 'no completion exists'>, '0')

    Not for several threads at once.
    """

    name = "sat"

    def __init__(
        self,
        *,
        conflicts: int | None = None,
        proof: bool = False,
        reuse: bool = True,
    ) -> None:
        if conflicts is not None and conflicts < 1:
            raise OptionError(f"the conflict limit is at least 1, not {conflicts}")
        self.conflicts, self.proof, self.reuse = conflicts, proof, reuse
        self._boards: OrderedDict[Board, _Incremental] = OrderedDict()

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of conflicts.

        A walk that the solver finds is checked, whole, before it is believed; the last
        one of a board answers at once for every position that it runs through.
        """
        walk, board = position.walk, position.board
        boards = self._boards
        state = boards.get(board)
        if state is None or state.crowded:
            kept = {} if state is None else state.best()
            state = boards[board] = _Incremental(board, kept)
            if len(boards) > _BOARDS:
                boards.popitem(last=False)[1].close()
        else:
            boards.move_to_end(board)
        size, work = len(walk), 0
        if not self.reuse or state.path[:size] != walk:
            verdict, work = state.solve(walk, self.conflicts)
            if verdict is Verdict.DEAD and self.proof:
                return Answer(verdict, proof=prove_dead(position), work=work)
            if verdict is not Verdict.COMPLETABLE:
                return Answer(verdict, work=work)
            check_witness(Position(board), state.path[1:])
            if state.path[:size] != walk:
                raise WitnessError(f"{position.notation}: witness leaves the walk")
        return Answer(Verdict.COMPLETABLE, state.path[size:], work=work)


class _Incremental:
    """One board's solver, its formula and its last witness."""

    def __init__(
        self,
        board: Board,
        kept: dict[tuple[int, ...], Ground] | None = None,
        **options: Any,
    ) -> None:
        from pysat.solvers import Solver

        self.formula = Formula(board, cells="with_proof" in options)
        self.formula.cut_squares()
        self.formula.clauses.update(kept or {})
        self._base = len(self.formula.clauses)
        self.impossible = () in self.formula.clauses
        self.path: Walk = ()
        self._solver = Solver(name=_SOLVER, **options)
        # PySAT frees a solver noisily when the interpreter is half gone already.
        self.close = finalize(self, self._solver.delete)
        for clause in self.formula.clauses:
            if clause:
                self._solver.add_clause(clause)

    @property
    def crowded(self) -> bool:
        """Whether cuts of long past positions now slow the solver more than they help.

        A dozen walks on 21 x 21 leave 16,000 cuts, and a mean verdict that is several
        times as long; dropping them too often costs as much (measured).
        """
        return len(self.formula.clauses) > self._base + _CUTS * self.formula.board.cells

    def best(self) -> dict[tuple[int, ...], Ground]:
        """Return the counts and the cuts with short rims, and close the solver."""
        self.close()
        return {
            clause: ground
            for clause, ground in self.formula.clauses.items()
            if ground.kind == "count" or len(clause) <= _SHORT
        }

    def solve(self, walk: Walk, limit: int | None) -> tuple[Verdict, int]:
        """Decide a walk; a completed walk is left in `path`."""
        formula, solver = self.formula, self._solver
        step = formula.step
        used = [step[edge] for edge in pairwise(walk)]
        begin = solver.accum_stats()["conflicts"]

        def spent() -> int:
            return int(solver.accum_stats()["conflicts"] - begin)

        work = 0
        patience = _PATIENCE
        while not self.impossible:
            budget = patience if limit is None else min(patience, limit - work)
            solver.conf_budget(budget)
            found = solver.solve_limited(assumptions=used)
            if found is False:
                return Verdict.DEAD, spent()
            if found:
                cuts, path = formula.cut_loops(solver.get_model())
                if not cuts:
                    self.path = tuple(path[: formula.board.open_cells].tolist())
                    return Verdict.COMPLETABLE, spent()
                for clause in cuts:
                    self._add(clause)
                continue
            work = spent()
            count = formula.count_area(used) if patience == _PATIENCE else None
            if count is not None:
                self._add(count)
            elif limit is not None and work >= limit:
                return Verdict.UNKNOWN, work
            patience *= 2
        return Verdict.DEAD, work

    def prove(self, position: Position) -> Proof:
        """Refute the position; uses this solver up, its walk becomes clauses."""
        formula, walk = self.formula, position.walk
        steps = [(formula.step[edge], edge) for edge in pairwise(walk)]
        count = formula.count_area([variable for variable, _ in steps])
        if count is not None:
            self._add(count)
        for variable, _ in steps:
            self._add((variable,))
        while not self.impossible and self._solver.solve():
            cuts, _ = formula.cut_loops(self._solver.get_model() or [])
            if not cuts:
                raise WitnessError(f"{position.notation}: not dead, cannot be proved")
            for clause in cuts:
                self._add(clause)
        clauses = dict(formula.clauses)
        for variable, edge in steps:
            clauses.setdefault((variable,), Ground("walk", edge))
        lines = ["0"] if self.impossible else self._solver.get_proof()
        if "0" not in lines:
            raise WitnessError(f"{position.notation}: the solver's proof was cut short")
        lines = lines[: lines.index("0") + 1]  # deletions may follow
        grounds = tuple(clauses.values())
        return Proof(tuple(clauses), tuple(lines), formula.edges, grounds)

    def _add(self, clause: tuple[int, ...]) -> None:
        if clause:
            self._solver.add_clause(clause)
        else:
            self.impossible = True


def prove_dead(position: Position) -> Proof:
    """Prove a dead position dead: a formula of its own, and a DRAT proof.

    The walk's steps are unit clauses; cuts are added until no model is left, the
    position's count first if its flow finds one. Other positions lend nothing.

    Raises `WitnessError` if the position is not dead.
    """
    state = _Incremental(position.board, with_proof=True)
    try:
        return state.prove(position)
    finally:
        state.close()
