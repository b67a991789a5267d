"""The SAT oracle for tours: a formula for two moves a cell, and cuts for loops.

A variable says of each pair of cells a knight's move apart whether the tour uses it. An
open tour is closed by one more cell, the *gate*, next to the start and to every cell.
Every cell has exactly two moves. A model is a set of loops; while there are several,
each gets a clause: some move leaves it. No search of ours takes part.
"""

from itertools import combinations, pairwise

from solver.errors import WitnessError
from solver.puzzles.knight.search import Searched, Status, check_walk
from solver.puzzles.knight.tour import Tour, neighbours

MOST_CELLS = 1024


def sat_tour(
    rows: int, cols: int, walk: Tour, *, closed: bool = False, cuts: int = 100_000
) -> Searched:
    """Find a tour of a board that begins with a walk, or say that there is none.

    Parameters
    ----------
    cuts : int
        Limit of clauses against loops; UNKNOWN beyond. `steps` of the answer are the
        cuts that were made.
    """
    from pysat.solvers import Solver

    cells = rows * cols
    check_walk(rows, cols, walk, MOST_CELLS)
    start = walk[0]
    if cells == 1:
        found = not closed
        status = Status.FOUND if found else Status.NONE
        return Searched(status, walk if found else None, int(found), 0)
    gate = cells
    pairs = [
        (cell, other)
        for cell, others in enumerate(neighbours(rows, cols))
        for other in others
        if cell < other
    ]
    if not closed:
        pairs += [(cell, gate) for cell in range(cells)]
    variable = {pair: k for k, pair in enumerate(pairs, start=1)}
    around: list[list[int]] = [[] for _ in range(cells + (not closed))]
    for (a, b), k in variable.items():
        around[a].append(k)
        around[b].append(k)
    used = 0
    with Solver(name="cadical153") as solver:
        top = len(pairs)
        for at, moves in enumerate(around):
            if at < cells:
                for some in combinations(moves, 3):
                    solver.add_clause([-one for one in some])
                for k in range(len(moves)):
                    solver.add_clause([m for m in moves if m != moves[k]])
                if not moves:
                    solver.add_clause([])
            else:  # the gate has the start and one other; many moves: a ladder
                first = variable[start, gate]
                solver.add_clause([first])
                others = [m for m in moves if m != first]
                solver.add_clause(others)
                before = 0
                for one in others:
                    top += 1
                    solver.add_clause([-one, top])
                    if before:
                        solver.add_clause([-before, top])
                        solver.add_clause([-before, -one])
                    before = top
        for a, b in pairwise(walk):
            solver.add_clause([variable[min(a, b), max(a, b)]])
        while solver.solve():
            model = solver.get_model()
            chosen = [pair for pair, k in variable.items() if model[k - 1] > 0]
            loops = _loops(chosen, len(around))
            if len(loops) == 1:
                tour = _unrolled(loops[0], walk, None if closed else gate)
                return Searched(Status.FOUND, tour, 1, used)
            if used >= cuts:
                return Searched(Status.UNKNOWN, None, 0, used)
            for loop in loops:
                inside = set(loop)
                out = [
                    k
                    for (a, b), k in variable.items()
                    if (a in inside) != (b in inside)
                ]
                solver.add_clause(out)
                used += 1
    return Searched(Status.NONE, None, 0, used)


def _loops(chosen: list[tuple[int, int]], size: int) -> list[list[int]]:
    """Return the loops of a set of pairs in which every cell has two."""
    near: list[list[int]] = [[] for _ in range(size)]
    for a, b in chosen:
        near[a].append(b)
        near[b].append(a)
    if any(len(one) != 2 for one in near):
        raise WitnessError("the model of a tour has a cell without two moves")
    seen = [False] * size
    loops = []
    for first in range(size):
        if seen[first]:
            continue
        loop, at = [], first
        while not seen[at]:
            seen[at] = True
            loop.append(at)
            a, b = near[at]
            at = b if seen[a] else a
        loops.append(loop)
    return loops


def _unrolled(loop: list[int], walk: Tour, gate: int | None) -> Tour:
    """Return the tour of a loop, in the direction of the walk it begins with."""
    at = loop.index(walk[0])
    turned = loop[at:] + loop[:at]
    second = walk[1] if len(walk) > 1 else None
    if turned[1] == gate or (second is not None and turned[1] != second):
        turned = [turned[0], *reversed(turned[1:])]
    return tuple(turned if gate is None else turned[:-1])
