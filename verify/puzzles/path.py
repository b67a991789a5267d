"""The referee of PATH: its reasons as text and JSON, and its trial by the oracle."""

from itertools import combinations, pairwise
from textwrap import wrap
from typing import Any

import numpy as np

from solver.puzzles.path import LETTERS, PathBoard, Player, Wins, judge, wins

_LONG = 50  # a path of more cells is printed by its steps
_WIDE = 100  # a larger board is not printed, it would not fit on a screen


def as_text(board: PathBoard, number: int) -> str:
    """Return the sentence and, indented, the reasons a person can check.

    >>> print(as_text(PathBoard(3, b"WBBWWUWBB"), 2))
    White can win in one move.
      board 2, 3 x 3
      winning moves (row,col): (2,3) for a path of 3 cells
      the shortest: (2,1) (2,2) (2,3)
    <BLANKLINE>
        1 2 3
      1 w b b
      2 W W *
      3 w b b
    <BLANKLINE>
    """
    outcome, found = judge(board)
    spots = ["({},{})".format(*board.row_col(cell)) for cell in found.path]
    path = " ".join(spots)
    if len(spots) > _LONG:
        letters = {-board.n: "U", 1: "R", board.n: "D", -1: "L"}
        steps = "".join(letters[b - a] for a, b in pairwise(found.path))
        path = f"from {spots[0]} by the steps {steps}"
    said = [f"board {number}, {board.n} x {board.n}"]
    if found.moves:
        each = [
            "({},{}) for a path of {} cells".format(*board.row_col(move), cells)
            for move, cells in zip(found.moves, found.lengths, strict=True)
        ]
        said += [f"winning moves (row,col): {', '.join(each)}", f"the shortest: {path}"]
    elif found.path:
        said += [f"a shortest path covers {len(spots)} cells (row,col): {path}"]
    else:
        for player in Player:
            missing, name = wins(board, player).missing, player.name.capitalize()
            lack = f"needs {missing} more pieces at least"
            cut = "is cut off: no pieces on unfilled cells would do"
            said.append(f"{name} {cut if missing is None else lack}")
    lines = [line for one in said for line in wrap(one, 86, subsequent_indent="  ")]
    if board.n <= _WIDE:
        lines += ["", *_printed(board, found), ""]
    return "\n".join([outcome.value, *(f"  {line}".rstrip() for line in lines)])


def _printed(board: PathBoard, found: Wins) -> list[str]:
    """Print the board: capitals on the path, small letters off it, * a winning move."""
    n, letters = board.n, list(board.cells.decode().lower().replace("u", "."))
    for cell in found.path:
        letters[cell] = letters[cell].upper()
    for cell in found.moves:
        letters[cell] = "*"
    names = [str(at).rjust(len(str(n))) for at in range(1, n + 1)]
    lines = list(zip(" " * len(names[0]), *names, strict=True))
    lines += [(name, *letters[r * n : r * n + n]) for r, name in enumerate(names)]
    return [" ".join(line) for line in lines]


def as_json(board: PathBoard, number: int) -> dict[str, Any]:
    """Return the reasons as an object for programs; cells are [row, col] from 1.

    `needs` is the fewest pieces each player must add for a winning path, null if the
    player is cut off for good.
    """
    outcome, found = judge(board)
    player = {"W": "White", "B": "Black"}.get(outcome.name[0])
    return {
        "board": number,
        "n": board.n,
        "outcome": outcome.name,
        "sentence": outcome.value,
        "player": player,
        "path": [board.row_col(cell) for cell in found.path],
        "moves": [
            {"cell": board.row_col(move), "path_cells": length}
            for move, length in zip(found.moves, found.lengths, strict=True)
        ],
        "needs": {one.name.capitalize(): wins(board, one).missing for one in Player},
    }


def _demands(n: int) -> list[list[int]]:
    """Return the clauses of an n x n board; cell c is chosen by the variable c + 1.

    Choose a set of cells, and think of two more, HOME and TARGET, next to every cell of
    the home and of the target edge. Demand that HOME and TARGET have exactly one chosen
    neighbour each, and every chosen cell exactly two (HOME and TARGET counting). Then
    the chosen cells joined to HOME form a path, for all degrees are 2 but HOME's; the
    handshake lemma wants a second odd end, and only TARGET is left to be it. Loops
    elsewhere do no harm. Conversely a shortest winning path has no shortcuts, so it
    meets the demands. No cuts, no distances: O(n^2) clauses.
    """
    import networkx as nx

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
    from pysat.card import CardEnc
    from pysat.solvers import Solver

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


def random_board(n: int, rng: np.random.Generator) -> PathBoard:
    """Draw shares of white and black pieces, and every cell by itself."""
    white = rng.uniform(0.3, 0.65)
    black = rng.uniform(0.2, 0.95 - white)
    shares = [white, black, 1 - white - black]
    return PathBoard(n, rng.choice([*LETTERS], n * n, p=shares).astype("u1").tobytes())


def disagreement(board: PathBoard) -> str | None:
    """Return what search and SAT oracle contradict each other in, None if they agree.

    Compares for each player whether there is a path, and all winning moves.
    """
    for player in Player:
        oracle, found = sat_moves(board, player), wins(board, player)
        missing = 0 if oracle is None else 1 if oracle else found.missing
        if missing != found.missing or set(found.moves) != (oracle or set()):
            return f"{board!r}, {player.name}: search {found}, SAT {oracle}"
    return None
