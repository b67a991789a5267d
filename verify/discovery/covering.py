"""The smallest book of a pool: exact set cover, with the optimum proved or bounded."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_RULE = 1000  # a rule more is worth any saving of facts


@dataclass(frozen=True, slots=True)
class Cover:
    """A choice of rules that catches all that the pool catches.

    Attributes
    ----------
    chosen : tuple of int
    rules_at_least : int
        No choice of the pool has fewer rules.
    optimal : bool
        Whether the fewest rules, and the fewest facts with so many, are proved.
    """

    chosen: tuple[int, ...]
    rules_at_least: int
    optimal: bool


def smallest_cover(
    columns: npt.NDArray[np.bool_],
    facts: Sequence[int],
    *,
    most: int | None = None,
    times: int = 1,
    seconds: float = 60.0,
    seed: int = 0,
) -> Cover:
    """Choose the fewest rules, then the fewest facts, that catch what all do.

    Parameters
    ----------
    columns : (gaps, rules) bool
        Which rule catches which gap; a gap that none catches is left out.
    facts : sequence of int
        Of each rule.
    most : int, optional
        A rule with more facts is taken only for gaps that no other catches.
    times : int
        A gap is caught by so many of the choice, where so many are there.
    seconds : float
        Limit, in seconds of the clock.
    """
    from ortools.sat.python import cp_model

    kinds = np.unique(columns[columns.any(axis=1)], axis=0)
    if most is not None:
        small = np.array(facts) <= most
        reached = (kinds & small).any(axis=1)
        kinds = kinds.copy()
        kinds[reached] &= small
        kinds = np.unique(kinds, axis=0)
    if not len(kinds):
        return Cover((), 0, True)
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"r{i}") for i in range(len(facts))]
    for kind in kinds:
        model.add(sum(taken[i] for i in np.flatnonzero(kind)) >= min(times, kind.sum()))
    model.minimize(sum((_RULE + f) * x for f, x in zip(facts, taken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), "all together are a cover"
    chosen = tuple(i for i, x in enumerate(taken) if solver.boolean_value(x))
    bound = solver.best_objective_bound
    least = max(1, int(np.ceil((bound - sum(sorted(facts))) / _RULE)))
    if status == cp_model.OPTIMAL:
        least = len(chosen)
    return Cover(chosen, least, status == cp_model.OPTIMAL)


def worth(columns: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Return what each gap is worth: the dual prices of the cover's relaxation.

    A new rule can make the book smaller if the gaps that it catches are worth more
    than one together. Gaps that none catches are worth one each.
    """
    from ortools.linear_solver import pywraplp

    caught = columns.any(axis=1)
    prices = np.ones(len(columns))
    if not caught.any():
        return prices
    kinds, of, sizes = np.unique(
        columns[caught], axis=0, return_inverse=True, return_counts=True
    )
    solver = pywraplp.Solver.CreateSolver("GLOP")
    taken = [solver.NumVar(0, solver.infinity(), "") for _ in range(columns.shape[1])]
    rows = [solver.Add(sum(taken[i] for i in np.flatnonzero(k)) >= 1) for k in kinds]
    solver.Minimize(sum(taken))
    assert solver.Solve() == pywraplp.Solver.OPTIMAL, "all together are a cover"
    dual = np.array([row.dual_value() for row in rows])
    prices[caught] = (dual / sizes)[of.ravel()]
    return prices
