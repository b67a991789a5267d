"""Numbered boards as text, JSON and pictures.

Two kinds of text are understood:

- cells in chess notation, in the order of the walk: ``a1 c2 e3``;
- rows of numbers, one a line or separated by ``/``, with anything between the numbers.
"""

import re
from collections.abc import Sequence
from math import isqrt
from typing import Any

from solver.errors import GridFileError
from solver.files import read_most
from solver.svg import document, text_path
from verify.puzzles.knight.judge import MOST_CELLS, Judgement

Board = Sequence[Sequence[int]]

_MOST_CHARACTERS = 10_000_000
_CHESS = re.compile(r"(?:[\s,;>-]*[a-z][0-9]{1,2})+[\s,;.]*", re.IGNORECASE)
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

    Raises `GridFileError` if the text is neither of the two kinds.

    >>> read_numbers("1 4 / 3, 2")
    [[1, 4], [3, 2]]
    """
    if _CHESS.fullmatch(text):
        return _from_cells(re.findall("[a-z][0-9]+", text.lower()), file)
    lines = [
        (number, re.findall("[0-9]+", part))
        for number, line in enumerate(text.splitlines(), start=1)
        for part in line.split("/")
    ]
    found = [(number, row) for number, row in lines if row]
    if not found:
        raise GridFileError(file, 1, 1, "no number; write rows of numbers")
    words = [word for _, row in found for word in row]
    if max(map(len, words)) > 9:
        raise GridFileError(file, 1, 1, "a number has more than nine digits")
    if len(found) == 1:
        side = isqrt(len(words))
        if side * side != len(words):
            raise GridFileError(file, 1, 1, f"{len(words)} numbers are not a square")
        found = [(1, words[r : r + side]) for r in range(0, len(words), side)]
    cols = len(found[0][1])
    for number, row in found:
        if len(row) != cols:
            why = f"a row of {len(row)} numbers after rows of {cols}"
            raise GridFileError(file, number, 1, why)
    if len(words) > MOST_CELLS:
        raise GridFileError(file, 1, 1, f"more than {MOST_CELLS:,} cells")
    return [[*map(int, row)] for _, row in found]


def _from_cells(names: list[str], file: str) -> list[list[int]]:
    cells = [(int(name[1:]), ord(name[0]) - ord("a")) for name in names]
    rows, cols = max(rank for rank, _ in cells), max(col for _, col in cells) + 1
    board = [[0] * cols for _ in range(rows)]
    for number, (rank, col) in enumerate(cells, start=1):
        if rank < 1 or board[rows - rank][col]:
            why = f"{names[number - 1]!r} is visited twice or is not a cell"
            raise GridFileError(file, 1, 1, why)
        board[rows - rank][col] = number
    return board


def as_json(board: Board, found: Judgement) -> dict[str, Any]:
    """Return a judgement as JSON values."""
    return {
        "rows": len(board),
        "cols": len(board[0]),
        "conditions": {
            str(one.number): {"holds": one.holds, "name": one.name, "fault": one.fault}
            for one in found.conditions
        },
        "tour": found.tour,
        "semimagic": found.semimagic,
        "row_sums": list(found.rows),
        "column_sums": list(found.columns),
        "diagonal_sums": list(found.diagonals) if found.diagonals else None,
    }


def as_lines(found: Judgement) -> list[str]:
    """Return a judgement as lines for people."""
    out = []
    for one in found.conditions:
        why = "" if one.fault is None else f": {one.fault}"
        out.append(f"{one.number} {'yes' if one.holds else 'no '} {one.name}{why}")
    out += [f"rows      {_sums(found.rows)}", f"columns   {_sums(found.columns)}"]
    if found.diagonals:
        out.append(f"diagonals {_sums(found.diagonals)}")
    words = {
        "closed" if found.holds(5) else "open": True,
        "symmetric": found.holds(6),
        "semi-magic": found.semimagic,
        "diagonally magic": found.semimagic and found.holds(7),
    }
    kinds = ", ".join(word for word, true in words.items() if true)
    return [*out, f"a tour: {kinds}" if found.tour else "not a tour"]


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))


def _path(board: Board) -> list[tuple[int, int]]:
    """Return the cells in the order of their numbers."""
    cells = [(one, r, c) for r, row in enumerate(board) for c, one in enumerate(row)]
    return [(r, c) for _, r, c in sorted(cells)]


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
    points = [f"{c + 0.5:g} {r + 0.5:g}" for r, c in _path(board)]
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
        numbers = [
            text_path(str(one), c + 0.5, r + 0.5, 0.34)
            for r, row in enumerate(board)
            for c, one in enumerate(row)
        ]
        style = 'fill="none" stroke="#222222" stroke-width="0.045"'
        parts.append(f'<path class="numbers" d="{"".join(numbers)}" {style}/>')
    title = f"a knight's tour of {rows} x {cols}"
    return document(cols, rows, title, parts, min(_PIXELS, _WIDEST / large))


def numbered_text(board: Board) -> str:
    """Return the board as rows of numbers."""
    width = max(len(str(number)) for row in board for number in row)
    return "\n".join(" ".join(f"{number:>{width}}" for number in row) for row in board)
