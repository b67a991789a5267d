"""Numbered boards as text, JSON and pictures.

The text is rows of numbers, one a line or separated by ``/``, with anything between the
numbers.
"""

import re
from collections.abc import Sequence
from typing import Any

from solver.errors import GridFileError
from solver.files import read_most
from solver.svg import document, text_path
from verify.puzzles.knight.judge import MOST_CELLS, NAMES, Judgement

Board = Sequence[Sequence[int]]

_MOST_CHARACTERS = 10_000_000
_NUMBERED = 40  # rows or columns of a board whose numbers can be read in a picture
_PIXELS, _WIDEST = 36, 1500  # of a cell, and of a picture
_DARK, _LIGHT, _LINE = "#e3cfa8", "#f7efdf", "#b03a3a"


def read_board(file: str) -> list[list[int]]:
    """Return the board of a file, or of standard input for ``-``.

    Raises `OptionError` if the file cannot be read or is too large; `GridFileError` as
    `read_numbers`.
    """
    name = "standard input" if file == "-" else file
    try:
        text = read_most(file, _MOST_CHARACTERS).decode("utf-8")
    except UnicodeDecodeError:
        raise GridFileError(name, 1, 1, "is not text in UTF-8") from None
    return read_numbers(text, name)


def read_numbers(text: str, file: str = "board") -> list[list[int]]:
    """Return a board of numbers; errors call the text `file`.

    Raises `GridFileError` if the text is no board.

    >>> read_numbers("1 4 / 3, 2")
    [[1, 4], [3, 2]]
    """
    board = []
    for number, line in enumerate(text.splitlines(), start=1):
        for words in (re.findall("[0-9]+", part) for part in line.split("/")):
            if not words:
                continue
            if max(map(len, words)) > 9:
                why = "a number has more than nine digits"
                raise GridFileError(file, number, 1, why)
            board.append([*map(int, words)])
            if len(words) != len(board[0]):
                why = f"a row of {len(words)} numbers after rows of {len(board[0])}"
                raise GridFileError(file, number, 1, why)
    if not board:
        raise GridFileError(file, 1, 1, "no number; write rows of numbers")
    if len(board) * len(board[0]) > MOST_CELLS:
        raise GridFileError(file, 1, 1, f"more than {MOST_CELLS:,} cells")
    return board


def as_json(board: Board, judgement: Judgement) -> dict[str, Any]:
    """Return a judgement as JSON values."""
    return {
        "rows": len(board),
        "cols": len(board[0]),
        "conditions": {
            str(number): {"holds": fault is None, "name": NAMES[number], "fault": fault}
            for number, fault in judgement.faults.items()
        },
        "tour": judgement.tour,
        "semimagic": judgement.semimagic,
        "row_sums": judgement.rows,
        "column_sums": judgement.columns,
        "diagonal_sums": judgement.diagonals,
    }


def as_lines(judgement: Judgement) -> list[str]:
    """Return a judgement as lines for people."""
    lines = [
        f"{number} {'no ' if fault else 'yes'} {NAMES[number]}"
        f"{f': {fault}' if fault else ''}"
        for number, fault in judgement.faults.items()
    ]
    lines.append(f"rows      {_sums(judgement.rows)}")
    lines.append(f"columns   {_sums(judgement.columns)}")
    if judgement.diagonals:
        lines.append(f"diagonals {_sums(judgement.diagonals)}")
    words = {
        "closed" if judgement.holds(5) else "open": True,
        "symmetric": judgement.holds(6),
        "semi-magic": judgement.semimagic,
        "diagonally magic": judgement.semimagic and judgement.holds(7),
    }
    kinds = ", ".join(word for word, true in words.items() if true)
    return [*lines, f"a tour: {kinds}" if judgement.tour else "not a tour"]


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))


def draw(board: Board) -> str:
    """Draw a board full of numbers as SVG, at most about 1,500 pixels wide.

    The line of the tour runs from centre to centre. The first cell is a disc, the last
    a ring. Boards of up to 40 rows and columns show their numbers.
    """
    rows, cols = len(board), len(board[0])
    large = max(rows, cols)
    dark = "".join(
        f"M{c} {r}h1v1h-1z" for r in range(rows) for c in range(cols) if (r + c) % 2
    )
    cells = [(one, r, c) for r, row in enumerate(board) for c, one in enumerate(row)]
    points = [f"{c + 0.5:g} {r + 0.5:g}" for _, r, c in sorted(cells)]
    thin = f'fill="none" stroke="{_LINE}" stroke-width="0.09"'
    (x, y), (u, v) = points[0].split(), points[-1].split()
    parts = [
        f'<rect width="{cols}" height="{rows}" fill="{_LIGHT}"/>',
        f'<path d="{dark}" fill="{_DARK}"/>',
        f'<path class="tour" d="M{"L".join(points)}" {thin} stroke-opacity="0.5"/>',
        f'<circle cx="{x}" cy="{y}" r="0.42" fill="{_LINE}" fill-opacity="0.35"/>',
        f'<circle cx="{u}" cy="{v}" r="0.4" {thin}/>',
    ]
    if large <= _NUMBERED:
        numbers = [text_path(str(n), c + 0.5, r + 0.5, 0.34) for n, r, c in cells]
        style = 'fill="none" stroke="#222222" stroke-width="0.045"'
        parts.append(f'<path class="numbers" d="{"".join(numbers)}" {style}/>')
    title = f"a knight's tour of {rows} x {cols}"
    return document(cols, rows, title, parts, min(_PIXELS, _WIDEST / large))


def numbered_text(board: Board) -> str:
    """Return the board as rows of numbers."""
    width = max(len(str(number)) for row in board for number in row)
    return "\n".join(" ".join(f"{number:>{width}}" for number in row) for row in board)
