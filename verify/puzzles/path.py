"""The referee of PATH: its reasons as text and JSON, and its trial by the oracle."""

from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np

from solver.puzzles.path import LETTERS, PathBoard, Player, Wins, judge, wins
from solver.puzzles.path_sat import sat_moves

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
