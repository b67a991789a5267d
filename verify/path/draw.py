"""Drawings of PATH boards as SVG.

Stones on cells, a bar in the owner's colour along each edge; the winning path is a red
line from edge to edge, winning moves are green rings. Lengths are in cells. Row and
column numbers are strokes, so that no font is needed.
"""

import re
from collections.abc import Iterable
from html import escape

from solver.glyphs import text_path
from solver.path.board import PathBoard
from solver.path.judge import Explanation

_NUMBERED = 30  # on larger boards the numbers would be too small to read
_STONES = 100  # on larger boards stones would be too small to be round
_CELL, _WIDEST = 28, 1500  # of the picture, in pixels
_BAR, _NUMBERS = 0.25, 0.85  # widths of the margins
_WOOD, _LINES, _WHITE, _BLACK = "#d9b779", "#b8975c", "#fffdf7", "#22242a"
_PATH, _MOVE = "#d6263a", "#1a7f37"


def draw(found: Explanation) -> str:
    """Draw a judged board, with its winning path and winning moves, as SVG.

    The picture is at most about 1,500 pixels wide, whatever the board.

    >>> from solver.path.judge import explain
    >>> svg = draw(explain(PathBoard.parse("WBB/WWU/WBB")))
    >>> svg.count('class="move"'), "White can win in one move." in svg
    (1, True)
    """
    board = found.board
    n = board.n
    bar = _BAR * _scale(n)
    margin = bar + (_NUMBERS if n <= _NUMBERED else bar / 2)
    span = n + 2 * margin
    pixels = min(_CELL * span, _WIDEST)
    label = escape(found.outcome.value)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels:g}" '
        f'height="{pixels:g}" viewBox="{-margin:g} {-margin:g} {span:g} {span:g}" '
        f'role="img" aria-label="{label}"><title>{label}</title>',
        f'<rect x="{-margin:g}" y="{-margin:g}" width="{span:g}" height="{span:g}" '
        'fill="#f4efe4"/>',
        *_edges(n, bar),
        f'<rect width="{n}" height="{n}" fill="{_WOOD}"/>',
        _grid(n) if n <= _STONES else "",
        _stones(board, "W", _WHITE),
        _stones(board, "B", _BLACK),
    ]
    if n <= _NUMBERED:
        parts.append(_numbers(n, margin))
    if found.path:
        parts.append(_line(found))
    parts += [_ring(board, move) for move in found.moves]
    return "".join(parts) + "</svg>\n"


def _scale(n: int) -> float:
    """Return how much thicker bars, path and rings are, to be seen on large boards."""
    return max(1, n / 60)


def _edges(n: int, bar: float) -> list[str]:
    """Draw the four bars, mitred at the corners."""
    out, far = -bar, n + bar
    bars = [
        (_WHITE, f"M0 0L{out:g} {out:g}V{far:g}L0 {n}z"),
        (_WHITE, f"M{n} 0L{far:g} {out:g}V{far:g}L{n} {n}z"),
        (_BLACK, f"M0 0L{out:g} {out:g}H{far:g}L{n} 0z"),
        (_BLACK, f"M0 {n}L{out:g} {far:g}H{far:g}L{n} {n}z"),
    ]
    return [
        f'<path d="{d}" fill="{colour}" stroke="#8a8172" stroke-width="0.03"/>'
        for colour, d in bars
    ]


def _grid(n: int) -> str:
    lines = [f"M0 {k}H{n}M{k} 0V{n}" for k in range(1, n)]
    return f'<path d="{"".join(lines)}" stroke="{_LINES}" stroke-width="0.04"/>'


def _stones(board: PathBoard, letter: str, colour: str) -> str:
    """Draw all stones of a colour as one path.

    A stone is a line of no length with round ends. On boards where it would be a few
    pixels wide, rows of stones are drawn as one line: several times faster to render.
    """
    n = board.n
    if n <= _STONES:
        runs = [
            f"M{cell % n}.5 {cell // n}.5h0"
            for cell, found in enumerate(board.cells)
            if found == ord(letter)
        ]
        return _stroke("".join(runs), colour, 0.8, letter)
    runs = [
        f"M{run.start()} {row}.5h{len(run.group())}"
        for row, text in enumerate(board.rows)
        for run in re.finditer(f"{letter}+", text)
    ]
    return _stroke("".join(runs), colour, 1, letter, cap="butt")


def _line(found: Explanation) -> str:
    """Draw the winning path from edge to edge, its home end as a dot."""
    board, player = found.board, found.outcome.player
    first, last = (board.row_col(found.path[i]) for i in (0, -1))
    rows_run = player is not None and player.value == "B"
    corners = [_centre(board, cell) for cell in _corners(found.path)]
    if rows_run:
        ends = [(first[1] - 0.5, 0.0), (last[1] - 0.5, float(board.n))]
    else:
        ends = [(0.0, first[0] - 0.5), (float(board.n), last[0] - 0.5)]
    points = [ends[0], *corners, ends[1]]
    d = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    return _stroke(d, _PATH, 0.22 * _scale(board.n), "path")


def _corners(path: tuple[int, ...]) -> Iterable[int]:
    """Leave out the cells in the middle of a straight run."""
    for index, cell in enumerate(path):
        inner = 0 < index < len(path) - 1
        if not inner or path[index + 1] - cell != cell - path[index - 1]:
            yield cell


def _ring(board: PathBoard, cell: int) -> str:
    x, y = _centre(board, cell)
    scale = _scale(board.n)
    return (
        f'<circle class="move" cx="{x:g}" cy="{y:g}" r="{0.36 * scale:g}" '
        f'fill="none" stroke="{_MOVE}" stroke-width="{0.14 * scale:g}"/>'
    )


def _numbers(n: int, margin: float) -> str:
    middle = -(_BAR + margin) / 2
    d = "".join(
        text_path(str(k), middle, k - 0.5, 0.32)
        + text_path(str(k), k - 0.5, middle, 0.32)
        for k in range(1, n + 1)
    )
    return _stroke(d, "#5c5546", 0.045, "numbers")


def _stroke(d: str, colour: str, width: float, name: str, *, cap: str = "round") -> str:
    return (
        f'<path class="{name}" d="{d}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}" stroke-linecap="{cap}" stroke-linejoin="round"/>'
    )


def _centre(board: PathBoard, cell: int) -> tuple[float, float]:
    return cell % board.n + 0.5, cell // board.n + 0.5
