"""Upper bounds on a count, which say how many moduli make it exact."""

import math

import numpy as np

from solver.counting import masks
from solver.counting.plan import Plan, Tables
from solver.counting.run import Run

_LOOSE = 128  # bits up to which the quick bound will do
_MARGIN = 1 + 2.0**-30  # over the rounding of some 1e5 sums, each of 2^-53


def choices(plan: Plan) -> int:
    """Return the number of cells at which a walk can go on down or right.

    Every completion is a chain of states, one a layer, and a state is followed by two
    at most, and only at these cells: there are at most 2^choices completions.
    """
    cells = plan.cells
    return int(np.count_nonzero(cells[:, masks.DOWN] & cells[:, masks.RIGHT]))


def most_completions(plan: Plan) -> int:
    """Return a number that the completions do not exceed.

    2^choices, or, where that is large, the number of ways to give every cell the edges
    it needs, whether or not they make one walk: counted like completions with one word
    a mask. That takes less than a count does, and on 19 x 19 gives 2^206 for 2^170.
    """
    simple: int = 2 ** choices(plan)
    if choices(plan) <= _LOOSE:
        return simple
    edges = _ways_of_edges(plan)
    if not math.isfinite(edges):
        return simple
    return min(simple, int(edges * _MARGIN) + 1)


def _ways_of_edges(plan: Plan) -> float:
    """Count edge sets with the right number of edges at each cell; inf if too many."""
    tables = plan.tables()
    single = np.minimum(tables.counts, 1)
    longest = single.shape[1]
    trivial = Tables(
        single, np.zeros(longest + 1, dtype=np.int32), np.zeros_like(tables.at)
    )
    run = Run(plan, dtype=np.float64, tables=trivial)
    run.make()
    return float(run.values[run.cells[0, masks.BASE]]) if plan.states[0] else 0.0
