"""Two oracles that share nothing with those of the product: naive search, and CP-SAT.

The naive search knows one thing only: the end cell is entered last. CP-SAT has a
circuit constraint, which makes one cycle through all cells: an arc from the end cell to
the live end is put in and must be used.
"""

from collections.abc import Iterator

from ortools.sat.python import cp_model

from solver.board import Cell, Position, Walk
from solver.cp import new_solver, solve_model
from solver.oracles.answer import Answer, Verdict, check_witness


class BruteOracle:
    """Try every walk; for boards up to about 6 x 6, deep positions on larger ones.

    - `limit`: steps to try before the answer is UNKNOWN; None tries them all.
    """

    name = "brute"

    def __init__(self, *, limit: int | None = None) -> None:
        self.limit = limit

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of steps tried."""
        work = 0
        for work, witness in _search(position):
            if witness is not None:
                check_witness(position, witness)
                return Answer(Verdict.COMPLETABLE, witness, work=work)
            if work == self.limit:
                return Answer(Verdict.UNKNOWN, work=work)
        return Answer(Verdict.DEAD, work=work)


def _search(position: Position) -> Iterator[tuple[int, Walk | None]]:
    """Yield the number of steps tried so far after each, and the completions."""
    board = position.board
    if position.complete:
        yield 0, ()
    if board.end in position.walk:
        return
    around = [[int(b) for b in row if b >= 0] for row in board.neighbours]
    visited = set(position.walk)
    missing = position.unvisited
    path: list[Cell] = []
    choices = [iter(around[position.live_end])]
    work = 0
    while choices:
        cell = next(choices[-1], None)
        if cell is None:
            choices.pop()
            if path:
                visited.discard(path.pop())
        elif cell not in visited and (cell != board.end or len(path) == missing - 1):
            work += 1
            path.append(cell)
            visited.add(cell)
            choices.append(iter(around[cell]))
            yield work, tuple(path) if len(path) == missing else None


def completions(position: Position) -> Iterator[Walk]:
    """Yield every completion, in the order U, R, D, L of their moves.

    A completion is the tuple of cells after the live end; a complete walk has one, the
    empty tuple. Nothing is pruned: exponential time.
    """
    for _, witness in _search(position):
        if witness is not None:
            yield witness


class CpsatOracle:
    """Decide by CP-SAT, each position afresh.

    - `seconds`: wall clock seconds per question before the answer is UNKNOWN.
    """

    name = "cpsat"

    def __init__(self, *, seconds: float = 10.0) -> None:
        self.seconds = seconds

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of conflicts."""
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
