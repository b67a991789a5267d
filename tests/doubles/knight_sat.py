"""A SAT oracle for tours of any board: it shares nothing with the search.

A variable says of each pair of cells a knight's move apart whether the tour uses it,
and every cell has two moves. An open tour is closed by one more cell, the *gate*, next
to the start and to every cell. A model is a set of loops; while there are several, each
gets a clause: some move leaves it.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise

from pysat.solvers import Solver

from solver.puzzles.knight import Tour, knight_moves


def sat_tour(rows: int, cols: int, walk: Tour, *, closed: bool = False) -> Tour | None:
    """Return a tour of a board that begins with a walk, None if there is none."""
    cells = gate = rows * cols
    if cells == 1:
        return None if closed else walk
    near = knight_moves(rows, cols)
    pairs = [(a, b) for a, others in enumerate(near) for b in others if a < b]
    if not closed:
        pairs += [(cell, gate) for cell in range(cells)]
    variable = {pair: k for k, pair in enumerate(pairs, start=1)}
    around: list[list[int]] = [[] for _ in range(cells + 1)]
    for (a, b), k in variable.items():
        around[a].append(k)
        around[b].append(k)
    with Solver(name="cadical153") as solver:
        for moves in around[:cells]:
            solver.append_formula(list(_two_of(moves)) or [[]])
        if not closed:  # the gate has the start and one other; many moves: a ladder
            first, top = variable[walk[0], gate], len(pairs)
            others = [move for move in around[gate] if move != first]
            solver.append_formula([[first], others])
            for k, item in enumerate(others, start=top + 1):
                solver.add_clause([-item, k])
                if k > top + 1:
                    solver.append_formula([[1 - k, k], [1 - k, -item]])
        for a, b in pairwise(walk):
            solver.add_clause([variable[min(a, b), max(a, b)]])
        while solver.solve():
            model = solver.get_model()
            chosen = [pair for pair, k in variable.items() if model[k - 1] > 0]
            loops = _loops(chosen, cells + (not closed))
            if len(loops) == 1:
                return _unrolled(loops[0], walk, None if closed else gate)
            for loop in loops:
                inside = set(loop)
                leave = [
                    k
                    for (a, b), k in variable.items()
                    if (a in inside) != (b in inside)
                ]
                solver.add_clause(leave)
    return None


def _two_of(moves: list[int]) -> Iterator[list[int]]:
    """Yield clauses that choose two of the moves at a cell."""
    for some in combinations(moves, 3):
        yield [-item for item in some]
    for item in moves:
        yield [other for other in moves if other != item]


def _loops(chosen: list[tuple[int, int]], size: int) -> list[list[int]]:
    """Return the loops of a set of pairs in which every cell has two."""
    near: list[list[int]] = [[] for _ in range(size)]
    for a, b in chosen:
        near[a].append(b)
        near[b].append(a)
    left, loops = set(range(size)), []
    while left:
        loop = [min(left)]
        left.discard(loop[0])
        while after := [item for item in near[loop[-1]] if item in left]:
            loop.append(after[0])
            left.discard(after[0])
        loops.append(loop)
    return loops


def _unrolled(loop: list[int], walk: Tour, gate: int | None) -> Tour:
    """Return the tour of a loop, in the direction of the walk it begins with."""
    at = loop.index(walk[0])
    turned = loop[at:] + loop[:at]
    if turned[1] == gate or (len(walk) > 1 and turned[1] != walk[1]):
        turned = [turned[0], *reversed(turned[1:])]
    return tuple(turned if gate is None else turned[:-1])
