"""The exact oracle of PATH: winning paths as a SAT formula, without any search of ours.

Choose a set of cells, and think of two more, HOME and TARGET, next to every cell of
the home and of the target edge. Demand that HOME and TARGET have exactly one chosen
neighbour each, and every chosen cell exactly two (HOME and TARGET counting). Then
the chosen cells joined to HOME form a path, for all degrees are 2 but HOME's; the
handshake lemma wants a second odd end, and only TARGET is left to be it. Loops
elsewhere do no harm. Conversely a shortest winning path has no shortcuts, so it meets
the demands. No cuts, no distances: O(n^2) clauses.
"""

from itertools import combinations

import networkx as nx
from pysat.card import CardEnc
from pysat.solvers import Solver

from solver.puzzles.path import PathBoard, Player


def _demands(n: int) -> list[list[int]]:
    """Return the clauses of an n x n board; cell c is chosen by the variable c + 1."""
    edges = [[row * n + col + 1 for row in range(n)] for col in (0, n - 1)]
    clauses = [*edges, *([-a, -b] for edge in edges for a, b in combinations(edge, 2))]
    grid = nx.grid_2d_graph(n, n)
    for row, col in grid:
        near = [r * n + c + 1 for r, c in grid[row, col]]
        wanted = 2 - (col == 0) - (col == n - 1)
        unless = -(row * n + col + 1)
        least, most = len(near) - wanted + 1, wanted + 1
        clauses += [[unless, *some] for some in combinations(near, least)]
        clauses += [[unless, *(-a for a in many)] for many in combinations(near, most)]
    return clauses


def sat_moves(board: PathBoard, player: Player) -> set[int] | None:
    """Return all winning moves of the player, None if there is a winning path already.

    A model that chooses one unfilled cell shows a winning move, for without it there
    is no path; that cell is then forbidden, until no model is left. For boards of up to
    some 64 x 64: larger ones take long.

    >>> sat_moves(PathBoard(3, b"WBBWWUWBB"), Player.WHITE)
    {5}
    """
    n, cells = board.n, board.seen_by(player).cells
    unfilled = [cell + 1 for cell, letter in enumerate(cells) if letter == ord("U")]
    found = set()
    with Solver(name="glucose4", bootstrap_with=_demands(n)) as solver:
        for cell, letter in enumerate(cells):
            if letter == ord("B"):
                solver.add_clause([-cell - 1])
        if solver.solve(assumptions=[-cell for cell in unfilled]):
            return None
        solver.append_formula(CardEnc.atmost(unfilled, 1, top_id=n * n).clauses)
        while solver.solve():
            model = solver.get_model()
            (move,) = (cell for cell in unfilled if model[cell - 1] > 0)
            solver.add_clause([-move])
            found.add(move - 1)
    if player is Player.BLACK:
        return {cell % n * n + cell // n for cell in found}
    return found
