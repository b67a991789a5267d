"""A SAT oracle of PATH: it has no search and no distances."""

from itertools import combinations

import networkx as nx
from pysat.card import CardEnc
from pysat.solvers import Solver

from solver.puzzles.path import PathBoard, Player


def demands(n: int) -> list[list[int]]:
    """Return the clauses of an n x n board; cell c is chosen by the variable c + 1.

    Think of two more cells, HOME and TARGET, next to every cell of the home and of the
    target edge. HOME and TARGET need exactly one chosen neighbour each, every chosen
    cell exactly two. Then the chosen cells joined to HOME form a path, and by the
    handshake lemma it ends at TARGET. Loops elsewhere do no harm. Conversely a shortest
    winning path has no shortcuts, so it meets the demands.
    """
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

    A model that chooses one unfilled cell shows a winning move. That cell is then
    forbidden, until no model is left.

    >>> sat_moves(PathBoard(3, b"WBBWWUWBB"), Player.WHITE)
    {5}
    """
    n, cells = board.n, board.seen_by(player).cells
    unfilled = [cell + 1 for cell, letter in enumerate(cells) if letter == ord("U")]
    winning = set()
    with Solver(name="glucose4", bootstrap_with=demands(n)) as solver:
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
            winning.add(move - 1)
    if player is Player.BLACK:
        return {cell % n * n + cell // n for cell in winning}
    return winning
