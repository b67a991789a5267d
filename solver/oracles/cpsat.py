"""Exact oracle: the circuit constraint of OR-Tools CP-SAT, a second opinion.

`add_circuit` makes one cycle through all cells, so an arc from the end cell to the live
end is put in and must be used: what is left of the cycle is a completion. Its answers
carry no certificate.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from solver.board import Position
from solver.errors import OptionError
from solver.oracles.oracle import Answer, Verdict, check_witness


def new_solver(seconds: float) -> Any:
    """Return a CP-SAT solver with a time limit, one worker, and no signal handler.

    With several workers a run would not repeat.
    """
    from ortools.sat.python import cp_model  # takes a third of a second to import

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    return solver


def solve_model(solver: Any, model: Any) -> Any:
    """Solve a model in another thread, so that Ctrl-C stops it; return the status."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while not wait([running], timeout=0.1).done:
                pass
        except BaseException:
            solver.stop_search()
            raise
        return running.result()


class CpsatOracle:
    """Decide by CP-SAT, each position afresh.

    - `seconds`: wall clock seconds per question before the answer is UNKNOWN.
    - `effort`: the solver's own measure of work, about seconds, before the answer is
      UNKNOWN: the same on every machine, as a clock is not.
    - `presolve`: whether the solver first simplifies the model: two thirds of the time
      on boards of up to 100 cells, and worth it only on hard ones.

    >>> CpsatOracle().decide(Position.parse("3:RR")).witness
    (5, 4, 3, 6, 7, 8)
    """

    name = "cpsat"

    def __init__(
        self,
        *,
        seconds: float = 10.0,
        effort: float | None = None,
        presolve: bool = True,
    ) -> None:
        if not seconds > 0:
            raise OptionError(f"the time limit is above 0 seconds, not {seconds}")
        if effort is not None and not effort > 0:
            raise OptionError(f"the effort is above 0, not {effort}")
        self.seconds, self.effort, self.presolve = seconds, effort, presolve

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of conflicts."""
        from ortools.sat.python import cp_model

        board, live = position.board, position.live_end
        if position.complete:
            return Answer(Verdict.COMPLETABLE, ())
        free = position.free
        if not free[board.end]:
            return Answer(Verdict.DEAD)
        model = cp_model.CpModel()
        closing = model.new_constant(1)
        arcs, targets = [(board.end, live, closing)], {}
        missing = free.nonzero()[0].tolist()
        near = board.neighbours.tolist()
        for cell in [live, *missing]:
            for other in near[cell]:
                if cell != board.end and other >= 0 and free[other]:
                    used = model.new_bool_var("")
                    arcs.append((cell, other, used))
                    targets[cell, other] = used
        # A cell without arcs would be no node of the circuit, hence never missed.
        if {other for _, other in targets} != set(missing):
            return Answer(Verdict.DEAD)
        model.add_circuit(arcs)
        solver = new_solver(self.seconds)
        if self.effort is not None:
            solver.parameters.max_deterministic_time = self.effort
        solver.parameters.cp_model_presolve = self.presolve
        status = solve_model(solver, model)
        work = int(solver.num_conflicts)
        if status == cp_model.INFEASIBLE:
            return Answer(Verdict.DEAD, work=work)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer(Verdict.UNKNOWN, work=work)
        after = {a: b for (a, b), used in targets.items() if solver.boolean_value(used)}
        witness, cell = [], live
        while cell != board.end:
            cell = after[cell]
            witness.append(cell)
        check_witness(position, tuple(witness))
        return Answer(Verdict.COMPLETABLE, tuple(witness), work=work)
