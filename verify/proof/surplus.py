"""Which surpluses of an area a window allows: one formula, asked again and again.

The surplus is white cells less black ones. The formula of a window whose area is not
counted (`Kind.CLOSED`) holds a variable for every sum that the doors can come to. To
ask for some surpluses only, the other sums are *assumed* not to be: so one solver
answers all, and keeps what it learned, and the cuts, from answer to answer.

The window is a *strip* of cells near what is drawn, not a rectangle: what the theorem
says of cells and edges holds for any set of cells, and only planarity needs a disk. A
strip says less than the rectangle around it, so what it excludes is excluded.
"""

import time
from enum import Enum
from typing import TypeAlias

from pysat.solvers import Solver

from heuristic.rules.drawing import LIMIT, Kind
from verify.proof.formula import Scope, cuts
from verify.proof.view import LIVE, Window, neighbours
from verify.proof.window import door_literals, encode, surpluses

_SOLVER = "minisat22"  # one of python-sat that can be interrupted
_CONFLICTS = 5000  # between two looks at the clock
_REACH = 2  # steps from what is drawn to the strip's rim


class NoBounds(Enum):
    """Why there is no lowest and highest surplus."""

    NEVER = "no completion of any position begins so"
    UNKNOWN = "the time limit came first"


Bounds: TypeAlias = tuple[int, int] | NoBounds


def strip(window: Window, reach: int = _REACH) -> Window:
    """Return the window's cells within so many steps of what is drawn."""
    near = {LIVE, *window.states}
    for _ in range(reach):
        near.update(other for cell in tuple(near) for other in neighbours(cell))
    return window.part(filter(window.holds, near))


def bounds_of(window: Window, scope: Scope, *, seconds: float = 60.0) -> Bounds:
    """Return the lowest and the highest surplus that a window's formula allows.

    Each surplus beyond them is proved impossible, on all boards of the scope. Within
    them the two ends and some more have a model, which need not be a position.

    - `window`: of its first area nothing is counted.
    - `scope`: without planarity.
    - `seconds`: limit, in seconds of processor time.

    A model shows a surplus, the next one is asked for a larger, until there is none:
    one proof for each end. Tenths of a second for a border of 80 cells.
    """
    assert not scope.planar
    assert window.areas[0].kind is Kind.CLOSED
    until = time.process_time() + seconds
    formula = encode(window, scope)
    doors = list(door_literals(formula, window, 0))
    number = {
        surplus: formula.names[name]
        for surplus, name in surpluses(formula, window, 0).items()
    }

    def model_between(low: int, high: int) -> int | None:
        """Return a surplus from low to high that a model has, or None: there is none.

        Raises `TimeoutError` if the limit came first.
        """
        others = [-x for surplus, x in number.items() if not low <= surplus <= high]
        while True:
            solver.conf_budget(_CONFLICTS)
            answer = solver.solve_limited(assumptions=others)
            if answer is False:
                return None
            if time.process_time() > until:
                raise TimeoutError
            if answer is None:
                continue
            true = {x for x in solver.get_model() if x > 0}
            broken = cuts(window, formula, true)
            if not broken:
                return -sum(sign for door, sign in doors if door in true) // 2
            for clause in broken:
                solver.add_clause(clause)

    with Solver(name=_SOLVER, bootstrap_with=formula.clauses) as solver:
        try:
            low = high = model_between(-LIMIT, LIMIT)
            if low is None or high is None:
                return NoBounds.NEVER
            while (more := model_between(high + 1, LIMIT)) is not None:
                high = more
            while (less := model_between(-LIMIT, low - 1)) is not None:
                low = less
        except TimeoutError:
            return NoBounds.UNKNOWN
    return low, high
