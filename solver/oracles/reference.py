"""Two exact oracles for comparison: naive search, and OR-Tools CP-SAT.

`brute` is obviously right: every other procedure is tested against it. It uses one fact
only: the end cell is the last cell of a completion.

`cpsat` is a second opinion on `sat` and shares no formula with it. Its constraint
`add_circuit` makes a cycle through all cells. The model contains an arc from the end
cell to the live end, so the rest of the cycle is a completion. Its answers have no
certificate.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from math import inf
from typing import Any

from solver.board import Position, Walk
from solver.errors import OptionError
from solver.oracles.oracle import Answer, Verdict, check_witness

LIMIT = 5_000_000  # steps of a question, some ten seconds


class BruteOracle:
    """The exact oracle `brute`: try every walk, on boards up to about 6 x 6.

    - `limit`: steps after which the answer is UNKNOWN.

    >>> BruteOracle().decide(Position.parse("3:RD")).verdict.name
    'DEAD'
    """

    name = "brute"

    def __init__(self, *, limit: int = LIMIT) -> None:
        if limit < 1:
            raise OptionError(f"the step limit is at least 1, not {limit}")
        self._limit = limit

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of steps."""
        work = 0
        for work, witness in _search(position):
            if witness is not None:
                check_witness(position, witness)
                return Answer(Verdict.COMPLETABLE, witness, work=work)
            if work == self._limit:
                return Answer(Verdict.UNKNOWN, work=work)
        return Answer(Verdict.DEAD, work=work)


def completions(position: Position) -> Iterator[Walk]:
    """Yield every completion, in the order U, R, D, L of their moves.

    A completion is the cells after the live end, none for a complete walk.

    >>> [len(walk) for walk in completions(Position.parse("3:"))]
    [8, 8]
    """
    return (walk for _, walk in _search(position) if walk is not None)


def _search(position: Position) -> Iterator[tuple[int, Walk | None]]:
    """Yield the number of steps after each step, and the completion if it is one."""
    board, missing = position.board, position.unvisited
    if position.complete:
        yield 0, ()
    if board.end in position.walk:
        return
    around = [[b for b in row if b >= 0] for row in board.neighbours.tolist()]
    visited = set(position.walk)
    path = [position.live_end]
    choices = [iter(around[position.live_end])]
    steps = 0
    while choices:
        cell = next(choices[-1], None)
        if cell is None:
            choices.pop()
            visited.discard(path.pop())
        elif cell not in visited and (cell != board.end or len(path) == missing):
            steps += 1
            path.append(cell)
            visited.add(cell)
            choices.append(iter(around[cell]))
            yield steps, tuple(path[1:]) if len(path) > missing else None


def new_solver(seconds: float) -> Any:
    """Return a CP-SAT solver with a time limit, a single worker, no signal handler.

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
    """The exact oracle `cpsat`; it builds a new model for each position.

    - `seconds`: time limit of a question; after it the answer is UNKNOWN.
    - `effort`: limit in the solver's own measure of work, the same on every machine;
      about seconds.
    - `presolve`: whether the solver first simplifies the model. That takes two thirds
      of the time on boards up to 100 cells and pays off on hard ones only.

    >>> CpsatOracle().decide(Position.parse("3:RR")).witness
    (5, 4, 3, 6, 7, 8)
    """

    name = "cpsat"

    def __init__(
        self, *, seconds: float = 10.0, effort: float = inf, presolve: bool = True
    ) -> None:
        if not seconds > 0:
            raise OptionError(f"the time limit is above 0 seconds, not {seconds}")
        self._seconds, self._effort, self._presolve = seconds, effort, presolve

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of conflicts."""
        from ortools.sat.python import cp_model

        board, live, free = position.board, position.live_end, position.free
        if position.complete:
            return Answer(Verdict.COMPLETABLE, ())
        model = cp_model.CpModel()
        arcs, steps = [(board.end, live, model.new_constant(1))], {}
        missing = free.nonzero()[0].tolist()
        near = board.neighbours.tolist()
        for cell in [live, *missing]:
            for other in near[cell]:
                if cell != board.end and other >= 0 and free[other]:
                    steps[cell, other] = model.new_bool_var("")
                    arcs.append((cell, other, steps[cell, other]))
        # A cell without arcs would be no node of the circuit, and never missed.
        if {other for _, other in steps} != set(missing) or not free[board.end]:
            return Answer(Verdict.DEAD)
        model.add_circuit(arcs)
        solver = new_solver(self._seconds)
        solver.parameters.max_deterministic_time = self._effort
        solver.parameters.cp_model_presolve = self._presolve
        status = solve_model(solver, model)
        work = int(solver.num_conflicts)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            dead = status == cp_model.INFEASIBLE
            return Answer(Verdict.DEAD if dead else Verdict.UNKNOWN, work=work)
        after = dict(pair for pair, used in steps.items() if solver.boolean_value(used))
        path = [live]
        while path[-1] != board.end:
            path.append(after[path[-1]])
        check_witness(position, tuple(path[1:]))
        return Answer(Verdict.COMPLETABLE, tuple(path[1:]), work=work)
