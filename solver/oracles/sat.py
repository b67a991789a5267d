"""Exact oracle: a SAT solver on edges, with cuts added when a model breaks them.

The formula (see `solver.oracles.formula`) speaks of the board, the walk comes in as
assumptions. So one solver serves all positions of a board, and every cut, count and
learnt clause of one position helps the next.
"""

from collections import OrderedDict
from itertools import pairwise
from typing import Any
from weakref import finalize

from solver.board import Board, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.oracles.formula import Formula
from solver.oracles.oracle import Answer, Ground, Proof, Verdict, check_witness

SOLVERS = ("cadical153", "cadical195", "glucose4", "maplechrono", "minisat22")
_BOARDS = 8  # boards whose solvers are kept
_CUTS = 16  # cuts kept, in multiples of the cells
_SHORT = 12  # literals of a cut that is always kept
_PATIENCE = 100  # conflicts before the areas of a position are counted


class SatOracle:
    """Decide by SAT; incremental between positions of one board.

    - `solver`: one of `SOLVERS`.
    - `conflicts`: conflicts per question before the answer is UNKNOWN; None never gives
      up.
    - `proof`: whether DEAD comes with a `Proof`, made by a second solver (CaDiCaL) that
      sees this position alone; costs a few milliseconds and more.
    - `reuse`: whether the last witness of a board answers for the positions it runs
      through. If not, the solver is asked every time, which is for timing it.

    Examples
    --------
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
        solver: str = "cadical153",
        conflicts: int | None = None,
        proof: bool = False,
        reuse: bool = True,
    ) -> None:
        if solver not in SOLVERS:
            raise OptionError(f"solver {solver!r} is none of {', '.join(SOLVERS)}")
        if conflicts is not None and conflicts < 1:
            raise OptionError(f"the conflict limit is at least 1, not {conflicts}")
        self.solver, self.conflicts = solver, conflicts
        self.proof, self.reuse = proof, reuse
        self._boards: OrderedDict[Board, _Incremental] = OrderedDict()

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of conflicts.

        A walk that the solver finds is checked, whole, before it is believed; the last
        one of a board answers at once for every position that it runs through.
        """
        walk, board = position.walk, position.board
        boards = self._boards
        state = boards.get(board)
        if state is None or state.crowded:
            kept = {} if state is None else state.best()
            state = boards[board] = _Incremental(board, self.solver, kept)
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
        solver: str,
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
        self._solver = Solver(name=solver, **options)
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
        work = 0
        patience = _PATIENCE
        while not self.impossible:
            budget = patience if limit is None else min(patience, limit - work)
            solver.conf_budget(budget)
            found = solver.solve_limited(assumptions=used)
            if found is False:
                return Verdict.DEAD, solver.accum_stats()["conflicts"] - begin
            if found:
                cuts, path = formula.cut_loops(solver.get_model())
                if not cuts:
                    self.path = tuple(path[: formula.board.open_cells].tolist())
                    return Verdict.COMPLETABLE, solver.accum_stats()[
                        "conflicts"
                    ] - begin
                for clause in cuts:
                    self._add(clause)
                continue
            work = solver.accum_stats()["conflicts"] - begin
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

    Raises
    ------
    WitnessError
        If the position is not dead.
    """
    state = _Incremental(position.board, "cadical153", with_proof=True)
    try:
        return state.prove(position)
    finally:
        state.close()
