"""CP-SAT, run so that Ctrl-C ends it and the same run repeats."""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any


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
