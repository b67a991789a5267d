"""Pictures of knight's tours: in SVG, and in a terminal with Braille dots.

The line of the tour runs from centre to centre, the first cell is a disc, the last a
ring; a closed tour has its last move dotted. Numbers are strokes, so no font is needed.
"""

from collections.abc import Sequence
from itertools import pairwise

from solver.glyphs import text_path

Rows = Sequence[Sequence[int]]

_NUMBERED = 40  # rows or columns; on larger boards numbers could not be read
_PLAIN = 100  # and no squares are drawn beyond this
_CELL, _WIDEST = 36, 1500  # pixels
_DARK, _LIGHT, _LINE = "#e3cfa8", "#f7efdf", "#b03a3a"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_BRAILLE = 0x2800


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
