"""What the referee says of a board, and why, as text and as JSON."""

import textwrap
from itertools import pairwise
from typing import Any

from solver.path.board import PathBoard, Player
from solver.path.judge import Explanation, needs

_LONG = 50  # a path of more cells is printed by its steps
_WIDE = 100  # a larger board is not printed, it would not fit on a screen


def as_text(found: Explanation, number: int) -> str:
    """Return the sentence and, indented, the reasons a person can check.

    >>> from solver.path.judge import explain
    >>> print(as_text(explain(PathBoard.parse("WBB/WWU/WBB")), 2))
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
    board = found.board
    lines = [f"board {number}, {board.n} x {board.n}"]
    if found.moves:
        lines += _wrapped(
            "winning moves (row,col): "
            + ", ".join(
                f"{_cell(board, move)} for a path of {length} cells"
                for move, length in zip(found.moves, found.lengths, strict=True)
            )
        )
        lines += _wrapped(f"the shortest: {_cells(board, found.path)}")
    elif found.path:
        count = len(found.path)
        lines += _wrapped(
            f"a shortest path covers {count} cells (row,col): "
            + _cells(board, found.path)
        )
    else:
        lines += [_need(board, player) for player in Player]
    if board.n <= _WIDE:
        lines += ["", *_picture(found), ""]
    return "\n".join([found.outcome.value, *(f"  {line}".rstrip() for line in lines)])


def as_json(found: Explanation, number: int) -> dict[str, Any]:
    """Return the explanation as an object for programs; cells are [row, col] from 1.

    `needs` is the fewest pieces each player must add for a winning path, null if the
    player is cut off for good.
    """
    board = found.board
    player = found.outcome.player
    return {
        "board": number,
        "n": board.n,
        "outcome": found.outcome.name,
        "sentence": found.outcome.value,
        "player": player.label if player else None,
        "path": [board.row_col(cell) for cell in found.path],
        "moves": [
            {"cell": board.row_col(move), "path_cells": length}
            for move, length in zip(found.moves, found.lengths, strict=True)
        ],
        "needs": {one.label: needs(board, one) for one in Player},
    }


def _need(board: PathBoard, player: Player) -> str:
    count = needs(board, player)
    if count is None:
        return f"{player.label} is cut off: no pieces on unfilled cells would do"
    return f"{player.label} needs {count} more pieces at least"


def _picture(found: Explanation) -> list[str]:
    """Draw the board: capitals on the path, small letters off it, * a winning move."""
    board, path, moves = found.board, set(found.path), set(found.moves)
    letters = [
        "*"
        if cell in moves
        else letter
        if cell in path
        else letter.lower().replace("u", ".")
        for cell, letter in enumerate("".join(board.rows))
    ]
    n = board.n
    width = len(str(n))
    columns = [str(col).rjust(width) for col in range(1, n + 1)]
    lines = [
        " " * (width + 1) + " ".join(column[digit] for column in columns)
        for digit in range(width)
    ]
    for row in range(n):
        cells = " ".join(letters[row * n : (row + 1) * n])
        lines.append(f"{row + 1:>{width}} {cells}")
    return lines


def _cell(board: PathBoard, cell: int) -> str:
    row, col = board.row_col(cell)
    return f"({row},{col})"


def _cells(board: PathBoard, cells: tuple[int, ...]) -> str:
    """List the cells of a path; a long one as its first cell and the steps from it."""
    if len(cells) <= _LONG:
        return " ".join(_cell(board, cell) for cell in cells)
    letters = {-board.n: "U", 1: "R", board.n: "D", -1: "L"}
    steps = "".join(letters[b - a] for a, b in pairwise(cells))
    return f"from {_cell(board, cells[0])} by the steps {steps}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, width=86, subsequent_indent="  ")
