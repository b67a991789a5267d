"""A SAT oracle for tours of any board: it shares nothing with the search.

A variable says of each pair of cells a knight's move apart whether the tour uses it,
and every cell has two moves. An open tour is closed by one more cell, the *gate*, next
to the start and to every cell. A model is a set of loops; while there are several, each
gets a clause: some move leaves it.
"""

from itertools import combinations, pairwise

import networkx as nx
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
            most = [[-item for item in some] for some in combinations(moves, 3)]
            least = [[k for k in moves if k != item] for item in moves]
            solver.append_formula([*most, *(least or [[]])])
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
            chosen = nx.Graph(pair for pair, k in variable.items() if model[k - 1] > 0)
            loops = list(nx.connected_components(chosen))
            if len(loops) == 1:
                return _unrolled(chosen, walk, None if closed else gate)
            for loop in loops:
                leave = [
                    k for (a, b), k in variable.items() if (a in loop) != (b in loop)
                ]
                solver.add_clause(leave)
    return None


def _unrolled(loop: "nx.Graph[int]", walk: Tour, gate: int | None) -> Tour:
    """Return the tour of a loop, in the direction of the walk it begins with."""
    turned = [a for a, _ in nx.find_cycle(loop, walk[0])]
    if turned[1] == gate or (len(walk) > 1 and turned[1] != walk[1]):
        turned = [turned[0], *reversed(turned[1:])]
    return tuple(turned if gate is None else turned[:-1])
