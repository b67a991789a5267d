"""Pictures of knight's tours in SVG and Braille dots, and of their search tree.

The line of the tour runs from centre to centre, the first cell is a disc, the last a
ring; a closed tour has its last move dotted. Numbers are strokes, so no font is needed.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import log10
from typing import TYPE_CHECKING

from solver.glyphs import text_path

if TYPE_CHECKING:
    from solver.puzzles.knight.probing import Widths

Rows = Sequence[Sequence[int]]

_NUMBERED = 40  # rows or columns; on larger boards numbers could not be read
_PLAIN = 100  # and no squares are drawn beyond this
_CELL, _WIDEST = 36, 1500  # pixels
_DARK, _LIGHT, _LINE = "#e3cfa8", "#f7efdf", "#b03a3a"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BRAILLE = 0x2800
_COLOURS = ("#d9d9d9", "#f3c98b", "#e58f65", "#b65d8a", "#4a5fa5")
_STEP, _DECADE, _MARGIN, _LEGEND = 12.0, 11.0, 40.0, 16.0


def _path(board: Rows) -> list[tuple[int, int]]:
    """Return the numbered cells in order; cells without a number are left out."""
    cells = [
        (number, r, c)
        for r, row in enumerate(board)
        for c, number in enumerate(row)
        if number > 0
    ]
    return [(r, c) for _, r, c in sorted(cells)]


def draw(board: Rows) -> str:
    """Draw a numbered board as SVG, at most about 1,500 pixels wide."""
    rows, cols = len(board), len(board[0])
    large = max(rows, cols)
    pixels = min(_CELL, _WIDEST / large)
    label = f"a knight's tour of {rows} x {cols}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels * (cols + 0.4):g}" '
        f'height="{pixels * (rows + 0.4):g}" '
        f'viewBox="-0.2 -0.2 {cols + 0.4:g} {rows + 0.4:g}" role="img" '
        f'aria-label="{label}"><title>{label}</title>',
        f'<rect x="-0.2" y="-0.2" width="{cols + 0.4:g}" height="{rows + 0.4:g}" '
        'fill="#ffffff"/>',
        f'<rect width="{cols}" height="{rows}" fill="{_LIGHT}"/>',
    ]
    if large <= _PLAIN:
        dark = "".join(
            f"M{c} {r}h1v1h-1z" for r in range(rows) for c in range(cols) if (r + c) % 2
        )
        parts.append(f'<path d="{dark}" fill="{_DARK}"/>')
    cells = _path(board)
    numbered = large <= _NUMBERED
    if cells:
        parts += _line(board, cells, 0.35 if numbered else 0.9)
    if numbered:
        parts.append(_numbers(board))
    return "".join(parts) + "</svg>\n"


def _line(board: Rows, cells: list[tuple[int, int]], opacity: float) -> list[str]:
    style = (
        f'fill="none" stroke="{_LINE}" stroke-opacity="{opacity}" stroke-width="0.09" '
        'stroke-linejoin="round" stroke-linecap="round"'
    )
    # a cell without a number breaks the line
    runs = [[cells[0]]]
    for (r, c), (y, x) in pairwise(cells):
        if board[y][x] != board[r][c] + 1:
            runs.append([])
        runs[-1].append((y, x))
    parts = []
    for run in runs:
        points = "L".join(f"{c + 0.5:g} {r + 0.5:g}" for r, c in run)
        parts.append(f'<path class="tour" d="M{points}" {style}/>')
    (r, c), (y, x) = cells[0], cells[-1]
    if len(cells) == len(board) * len(board[0]) and abs(r - y) * abs(c - x) == 2:
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


def _numbers(board: Rows) -> str:
    paths = [
        text_path(str(number), c + 0.5, r + 0.5, 0.34, anchor="middle")
        for r, row in enumerate(board)
        for c, number in enumerate(row)
        if number > 0
    ]
    return (
        f'<path class="numbers" d="{"".join(paths)}" fill="none" stroke="#222222" '
        'stroke-width="0.045" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def numbered_text(board: Rows) -> str:
    """Return the board as rows of numbers, cells without one as dots."""
    width = max(len(str(number)) for row in board for number in row)
    return "\n".join(
        " ".join(f"{number or '.':>{width}}" for number in row) for row in board
    )


def line_text(board: Rows) -> str:
    """Return the tour's line in Braille dots, four characters a cell, one line high."""
    dots = [[0] * (4 * len(board[0])) for _ in board]
    for (r, c), (y, x) in pairwise(_path(board)):
        if board[y][x] != board[r][c] + 1:
            continue
        down, across = 4 * (y - r), 8 * (x - c)  # a cell has 4 dots by 8
        steps = max(abs(down), abs(across))
        for k in range(steps + 1):
            v, u = (
                4 * r + 2 + round(down * k / steps),
                8 * c + 4 + round(across * k / steps),
            )
            dots[v // 4][u // 2] |= _DOTS[v % 4][u % 2]
    return "\n".join("".join(chr(_BRAILLE + one) for one in line) for line in dots)


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
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {wide:g} {high:g}" role="img" aria-label="width by level">'
        f"<title>prefixes by level, logarithmic</title>"
        f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>'
    ]
    for layer, colour in zip(layers, _COLOURS, strict=False):
        up, down = [], []
        for level in range(1, 65):
            value = 1.0 if level == 1 else float(layer.width[level])
            half = log10(value) * _DECADE if value > 1 else 0.0
            x = _MARGIN + level * _STEP
            up.append(f"{x:g} {middle - half:g}")
            down.append(f"{x:g} {middle + half:g}")
        line = "L".join([*up, *reversed(down)])
        parts.append(
            f'<path class="layer" d="M{line}z" fill="{colour}" stroke="#444444" '
            'stroke-width="0.6"/>'
        )
    marks = []
    for level in range(8, 65, 8):
        x = _MARGIN + level * _STEP
        marks.append(text_path(str(level), x, middle, 7, anchor="middle"))
    for decade in range(0, decades, 3):
        y = middle - decade * _DECADE
        marks.append(text_path(f"1E{decade}", 4, y, 7, anchor="start"))
    for k, (layer, colour) in enumerate(zip(layers, _COLOURS, strict=False)):
        y = 2 * middle + k * _LEGEND
        parts.append(
            f'<rect x="{_MARGIN}" y="{y - 5:g}" width="12" height="10" fill="{colour}" '
            'stroke="#444444" stroke-width="0.6"/>'
        )
        total = f"{layer.width.sum():.1E}".replace("+", "")
        text = f"{layer.rules.upper()} {total}"
        marks.append(text_path(text, _MARGIN + 20, y, 8, anchor="start"))
    parts.append(
        f'<path d="{"".join(marks)}" fill="none" stroke="#222222" stroke-width="0.9" '
        'stroke-linecap="round"/>'
    )
    return "".join(parts) + "</svg>\n"
