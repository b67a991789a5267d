"""Reads boards of numbers as people write them down, and says what is true of them.

Three ways are understood, in this order:

- cells in chess notation, in the order of the walk: ``a1 c2 e3``;
- rows of numbers, each on a line or parted by ``/``, with anything between the numbers;
  ``.``, ``_`` or ``?`` alone stand for a cell without a number;
- a stream of digits, all numbers with as many digits as the largest: ``0102...``.

Without line breaks and ``/`` the board is square, unless its shape is given.

Tours are drawn in SVG, and so is their search tree. The line of the
tour runs from centre to centre, the first cell is a disc, the last a ring; a closed
tour has its last move dotted. Numbers are strokes, so no font is needed.
"""

import re
from collections.abc import Sequence
from math import isqrt, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import GridFileError, OptionError
from solver.files import read_most
from solver.glyphs import text_path
from solver.puzzles.knight.tour import Tour, canonical, canonical_cycle
from solver.svg import document
from verify.puzzles.knight.judge import MOST_CELLS, Judgement, judge

if TYPE_CHECKING:
    from solver.puzzles.knight.probing import Widths


Rows = tuple[tuple[int, ...], ...]
Board = Sequence[Sequence[int]]

_MOST_CHARACTERS = 40_000_000
_WORD = re.compile(r"[0-9]+|[._?]+")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
_CHESS = re.compile(r"(?:[\s,;>-]*[a-z][0-9]{1,2})+[\s,;.]*", re.IGNORECASE)


def read_board(file: str, *, shape: tuple[int, int] | None = None) -> Rows:
    """Read a board of numbers from a file, or from standard input for ``-``.

    Raises `OptionError` if the file cannot be read or is too large; `GridFileError` as
    `read_numbers`.
    """
    name = "standard input" if file == "-" else file
    try:
        text = read_most(file, _MOST_CHARACTERS).decode("utf-8")
    except UnicodeDecodeError:
        raise GridFileError(name, 1, 1, "is no text in UTF-8") from None
    return read_numbers(text, name, shape=shape)


def read_numbers(
    text: str, file: str = "board", *, shape: tuple[int, int] | None = None
) -> Rows:
    """Read a board of numbers; 0 where a cell has none.

    `file` is how errors name it; `shape`, rows and columns, if they are known.

    Raises `GridFileError` if the text is none of the three, or does not fit the shape.

    >>> read_numbers("1 4 / 3, 2")
    ((1, 4), (3, 2))
    >>> read_numbers("0104" "0302" "0908" "0506" * 2)[1]
    (9, 8, 5, 6)
    """
    if _CHESS.fullmatch(text):
        return _from_cells(_CELL.findall(text.lower()), file, shape)
    found: list[tuple[int, int, list[int]]] = []  # line, its length, a row of numbers
    for number, whole in enumerate(text.splitlines(), start=1):
        for line in whole.split("/"):
            words = [*_WORD.finditer(line)]
            for word in words:
                if word[0][0] in "._?" and len(word[0]) > 1:
                    why = f"{word[0][:12]!r} is no number"
                    raise GridFileError(file, number, word.start() + 1, why)
            if words:
                # a run of digits too long for a number makes the board a stream
                row = [
                    0 if one in "._?" else int(one) if len(one) < 10 else -1
                    for one in (word[0] for word in words)
                ]
                found.append((number, len(line), row))
    if not found:
        raise GridFileError(file, 1, 1, "no number is there")
    flat = [one for _, _, row in found for one in row]
    if -1 in flat or max(flat) > len(flat):
        stream = _from_stream("".join(re.findall("[0-9]+", text)))
        if stream is None and -1 in flat:
            raise GridFileError(file, 1, 1, "a number has more than 9 digits")
        if stream is not None:
            flat, found = stream, []
    if shape is None and len(found) > 1:
        shape = len(found), len(found[0][2])
        for number, length, row in found:
            if len(row) != shape[1]:
                why = f"a row of {len(row)} numbers after rows of {shape[1]}"
                raise GridFileError(file, number, length, why)
    side = isqrt(len(flat))
    if shape is None and side * side != len(flat):
        why = f"{len(flat)} numbers make no square board; write rows, or its shape"
        raise GridFileError(file, 1, 1, why)
    rows, cols = shape or (side, side)
    if rows * cols != len(flat) or len(flat) > MOST_CELLS:
        why = f"{len(flat)} numbers, {rows} x {cols} needs {rows * cols}"
        if len(flat) > MOST_CELLS:
            why = f"{len(flat)} cells are more than {MOST_CELLS}"
        raise GridFileError(file, 1, 1, why)
    return tuple(tuple(flat[r * cols : (r + 1) * cols]) for r in range(rows))


def _from_stream(digits: str) -> list[int] | None:
    """Cut digits into numbers of one width, if that makes 1 to n in some order."""
    for width in range(1, 8):
        count, rest = divmod(len(digits), width)
        if rest or not count or len(str(count)) != width:
            continue
        numbers = [int(digits[i : i + width]) for i in range(0, len(digits), width)]
        if max(numbers) <= count:
            return numbers
    return None


def _from_cells(names: list[str], file: str, shape: tuple[int, int] | None) -> Rows:
    cells = [(ord(name[0]) - ord("a"), int(name[1:])) for name in names]
    if shape is None:
        shape = max(rank for _, rank in cells), max(col for col, _ in cells) + 1
    rows, cols = shape
    board = [[0] * cols for _ in range(rows)]
    for number, (name, (col, rank)) in enumerate(zip(names, cells, strict=True), 1):
        if rank < 1:
            raise GridFileError(file, 1, 1, f"there is no cell {name!r}")
        if col >= cols or rank > rows:
            why = f"cell {name!r} lies outside {rows} x {cols}"
            raise GridFileError(file, 1, 1, why)
        if board[rows - rank][col]:
            raise GridFileError(file, 1, 1, f"cell {name!r} is visited twice")
        board[rows - rank][col] = number
    return tuple(map(tuple, board))


def judged(board: Board, file: str) -> Judgement:
    """Judge a board that is full.

    Raises `OptionError` if a cell bears no number.
    """
    for r, row in enumerate(board, start=1):
        if 0 in row:
            raise OptionError(
                f"{file}: cell ({r}, {row.index(0) + 1}) bears no number; `oneway "
                "knight complete` fills a board"
            )
    return judge(board)


def as_rows(tour: Tour, cols: int) -> list[list[int]]:
    """Return a tour as rows of numbers."""
    numbers: list[list[int]] = (np.argsort(tour).reshape(-1, cols) + 1).tolist()
    return numbers


def as_json(board: Board, found: Judgement) -> dict[str, Any]:
    """Return a judgement as a JSON object.

    The canonical forms of a tour on a square board are its least images, under the 8
    symmetries and reversal, and, if it is closed, renumbering as well.
    """
    rows, cols = len(board), len(board[0])
    forms = {}
    if found.tour and rows == cols:
        tour = tuple(r * cols + c for r, c in _path(board))
        forms["canonical"] = as_rows(canonical(tour, cols), cols)
        if found.holds(5):
            forms["canonical_cycle"] = as_rows(canonical_cycle(tour, cols), cols)
    return {
        "rows": rows,
        "cols": cols,
        "conditions": {
            str(one.number): {"holds": one.holds, "name": one.name, "fault": one.fault}
            for one in found.conditions
        },
        "tour": found.tour,
        "semimagic": found.semimagic,
        "row_sums": list(found.rows),
        "column_sums": list(found.columns),
        "diagonal_sums": list(found.diagonals) if found.diagonals else None,
        "magic_shifts": list(found.shifts),
        **forms,
    }


def as_lines(board: Board, found: Judgement) -> list[str]:
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
    said = ", ".join(word for word, true in words.items() if true)
    out.append(f"a tour: {said}" if found.tour else "no tour")
    if found.shifts:
        shifts = " ".join(map(str, found.shifts))
        out.append(f"semi-magic when turned by {shifts} numbers")
    return out


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))


_NUMBERED = 40  # rows or columns; on larger boards numbers could not be read
_PLAIN = 100  # and no squares are drawn beyond this
_PIXELS, _WIDEST = 36, 1500  # pixels
_DARK, _LIGHT, _LINE = "#e3cfa8", "#f7efdf", "#b03a3a"
_COLOURS = ("#d9d9d9", "#f3c98b", "#e58f65", "#b65d8a", "#4a5fa5")
_STEP, _DECADE, _MARGIN, _LEGEND = 12.0, 11.0, 40.0, 16.0


def _path(board: Board) -> list[tuple[int, int]]:
    """Return the cells in the order of their numbers."""
    cells = [(one, r, c) for r, row in enumerate(board) for c, one in enumerate(row)]
    return [(r, c) for _, r, c in sorted(cells)]


def draw(board: Board) -> str:
    """Draw a board full of numbers as SVG, at most about 1,500 pixels wide."""
    rows, cols = len(board), len(board[0])
    large = max(rows, cols)
    pixels = min(_PIXELS, _WIDEST / large)
    parts = [
        f'<rect width="{cols + 0.4:g}" height="{rows + 0.4:g}" fill="#ffffff"/>'
        f'<g transform="translate(0.2 0.2)"><rect width="{cols}" height="{rows}" '
        f'fill="{_LIGHT}"/>'
    ]
    if large <= _PLAIN:
        dark = "".join(
            f"M{c} {r}h1v1h-1z" for r in range(rows) for c in range(cols) if (r + c) % 2
        )
        parts.append(f'<path d="{dark}" fill="{_DARK}"/>')
    numbered = large <= _NUMBERED
    parts += _line(_path(board), 0.35 if numbered else 0.9)
    if numbered:
        numbers = [
            text_path(str(one), c + 0.5, r + 0.5, 0.34)
            for r, row in enumerate(board)
            for c, one in enumerate(row)
        ]
        parts.append(
            f'<path class="numbers" d="{"".join(numbers)}" fill="none" '
            'stroke="#222222" stroke-width="0.045" stroke-linecap="round" '
            'stroke-linejoin="round"/>'
        )
    title = f"a knight's tour of {rows} x {cols}"
    return document(cols + 0.4, rows + 0.4, title, [*parts, "</g>"], pixels)


def _line(cells: list[tuple[int, int]], opacity: float) -> list[str]:
    style = (
        f'fill="none" stroke="{_LINE}" stroke-opacity="{opacity}" stroke-width="0.09" '
        'stroke-linejoin="round" stroke-linecap="round"'
    )
    points = "L".join(f"{c + 0.5:g} {r + 0.5:g}" for r, c in cells)
    parts = [f'<path class="tour" d="M{points}" {style}/>']
    (r, c), (y, x) = cells[0], cells[-1]
    if abs(r - y) * abs(c - x) == 2:
        parts.append(
            f'<path class="closing" d="M{x + 0.5:g} {y + 0.5:g}L{c + 0.5:g} '
            f'{r + 0.5:g}" stroke-dasharray="0.05 0.2" {style}/>'
        )
    parts.append(
        f'<circle cx="{c + 0.5:g}" cy="{r + 0.5:g}" r="0.42" fill="{_LINE}" '
        f'fill-opacity="0.35"/><circle cx="{x + 0.5:g}" cy="{y + 0.5:g}" r="0.4" '
        f'fill="none" stroke="{_LINE}" stroke-width="0.05"/>'
    )
    return parts


def numbered_text(board: Board) -> str:
    """Return the board as rows of numbers."""
    width = max(len(str(number)) for row in board for number in row)
    return "\n".join(" ".join(f"{number:>{width}}" for number in row) for row in board)


def onion(layers: "Sequence[Widths]") -> str:
    """Draw a search tree level by level as SVG: the published plan's onion.

    From the first cells on the left to the last on the right, a band as high as the
    logarithm of the number of prefixes; a colour for each layer, weakest rules first,
    so that what a later one leaves lies inside.
    """
    most = max(float(layer.width.max()) for layer in layers)
    decades = max(1, int(log10(max(most, 1))) + 1)
    wide = 64 * _STEP + 2 * _MARGIN
    high = decades * _DECADE * 2 + 2 * _MARGIN + _LEGEND * len(layers)
    middle = _MARGIN + decades * _DECADE
    parts = [f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>']
    edge = 'stroke="#444444" stroke-width="0.6"/>'
    marks = [
        text_path(str(level), _MARGIN + level * _STEP, middle, 7)
        for level in range(8, 65, 8)
    ]
    marks += [
        text_path(f"1E{k}", 4, middle - k * _DECADE, 7, anchor="start")
        for k in range(0, decades, 3)
    ]
    y = 2 * middle
    for layer, colour in zip(layers, _COLOURS, strict=False):
        halves = [_DECADE * log10(max(one, 1)) for one in layer.width[1:].tolist()]
        across = [_MARGIN + level * _STEP for level in range(1, 65)]
        up = [f"{x:g} {middle - h:g}" for x, h in zip(across, halves, strict=True)]
        down = [f"{x:g} {middle + h:g}" for x, h in zip(across, halves, strict=True)]
        line = "L".join([*up, *reversed(down)])
        parts.append(f'<path class="layer" d="M{line}z" fill="{colour}" {edge}')
        box = f'x="{_MARGIN}" y="{y - 5:g}" width="12" height="10"'
        parts.append(f'<rect {box} fill="{colour}" {edge}')
        text = f"{layer.rules.upper()} {layer.width.sum():.1E}".replace("+", "")
        marks.append(text_path(text, _MARGIN + 20, y, 8, anchor="start"))
        y += _LEGEND
    style = 'stroke="#222222" stroke-width="0.9" stroke-linecap="round"'
    parts.append(f'<path d="{"".join(marks)}" fill="none" {style}/>')
    return document(wide, high, "prefixes by level, logarithmic", parts)
