"""Drawings of positions as SVG, and as PNG through resvg.

The walk is a line, the start a dot, the live end a filled disc with the heading, the
end cell a ring. Overlays: areas in colours with their black and white counts below the
board, forbidden moves crossed, future lines blue, a witness dotted.

Letters are strokes, so pictures look the same on machines without fonts. A glyph is
drawn on a grid 6 units wide and 9 high, the origin at its upper left. A stroke is a run
of points, each two digits ``xy``, and blanks separate strokes. Draw the path with
``fill="none"``, a stroke width of a tenth of the height, and round caps and joins.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from solver.errors import OptionError
from solver.files import load_table, write_together
from solver.notation import LETTERS, Cell

if TYPE_CHECKING:
    from solver.board import Board, Position

Anchor: TypeAlias = Literal["start", "middle", "end"]

_WIDTH, _HEIGHT, _ADVANCE = 6.0, 9.0, 8.5


@cache
def _glyphs() -> dict[str, str]:
    return load_table(__file__, "glyphs.toml")


def text_width(text: str, height: float) -> float:
    """Return the width of the text, in the units of `height`.

    >>> text_width("34", 9)
    14.5
    """
    if not text:
        return 0.0
    return (_ADVANCE * (len(text) - 1) + _WIDTH) * height / _HEIGHT


def text_path(
    text: str, x: float, y: float, height: float, *, anchor: Anchor = "middle"
) -> str:
    """Return SVG path data of a line of text, `y` being the middle of its height.

    - `text`: digits, letters, which become capitals, blanks and ``-+=.,:/%?()*<>#``.
    - `x`: the start, middle or end of the text, as `anchor` says.
    - `height`: height of a capital letter.

    Raises `OptionError` if there is no glyph for a character.

    >>> text_path("L", 3, 4.5, 9)
    'M0 0L0 9L6 9'
    """
    unit, top = height / _HEIGHT, y - height / 2
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    left = x - share * text_width(text, height)
    parts = []
    for index, char in enumerate(text.upper()):
        if char not in _glyphs():
            raise OptionError(f"no glyph for {char!r} in {text!r}")
        at = left + index * _ADVANCE * unit
        for stroke in _glyphs()[char].split():
            points = [
                f"{at + int(col) * unit:.5g} {top + int(row) * unit:.5g}"
                for col, row in zip(stroke[::2], stroke[1::2], strict=True)
            ]
            parts.append("M" + "L".join(points))
    return "".join(parts)


CELL = 24  # side of a cell in SVG units
MARGIN = 6
_LEGEND = 18  # height of a legend line below the board
_WALK = "#b03a3a"
FUTURE = "#2457d6"
AREA_COLOURS = ("#ffd98a", "#a9dcb6", "#c9b8ee", "#f3b4c4")
_MARK = "#f08c00"
_PIXELS = 100_000_000  # of a PNG; four bytes each in memory


def document(
    width: float,
    height: float,
    title: str,
    parts: Iterable[str],
    scale: float = 1.0,
    *,
    description: str = "",
) -> str:
    """Return an SVG document, `scale` pixels a unit, described to screen readers."""
    size = f'width="{width * scale:g}" height="{height * scale:g}"'
    about = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width:.10g} {height:.10g}" {size}>'
        f"<title>{escape(title)}</title>{about}{''.join(parts)}</svg>\n"
    )


def centre(board: "Board", cell: Cell) -> tuple[float, float]:
    """Return (x, y) of the middle of a cell."""
    row, col = divmod(cell, board.cols)
    return MARGIN + (col + 0.5) * CELL, MARGIN + (row + 0.5) * CELL


def cell_square(board: "Board", cell: Cell, style: str) -> str:
    """Return an SVG square over a cell; `style` is a list of attributes."""
    row, col = divmod(cell, board.cols)
    x, y = MARGIN + col * CELL, MARGIN + row * CELL
    return f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" {style}/>'


def disc(board: "Board", cell: Cell, radius: float, style: str) -> str:
    """Return an SVG circle in a cell; `radius` counts in cells."""
    x, y = centre(board, cell)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * radius:g}" {style}/>'


def line(board: "Board", cells: Sequence[Cell], style: str) -> str:
    """Return an SVG line through the middles of cells."""
    points = " ".join(f"{x:g},{y:g}" for x, y in (centre(board, c) for c in cells))
    return (
        f'<polyline points="{points}" fill="none" stroke-linecap="round" '
        f'stroke-linejoin="round" {style}/>'
    )


def _grid(board: "Board") -> list[str]:
    width, height = board.cols * CELL, board.rows * CELL
    parts = [
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" '
        'fill="#ffffff" stroke="#444444" stroke-width="1.5"/>'
    ]
    lines = [f"M{MARGIN + c * CELL} {MARGIN}v{height}" for c in range(1, board.cols)]
    lines += [f"M{MARGIN} {MARGIN + r * CELL}h{width}" for r in range(1, board.rows)]
    path = f'<path d="{"".join(lines)}" stroke="#dddddd" fill="none"/>'
    return [*parts, path] if lines else parts


_CROSSES = {"forbidden": "#d00000", "gap": "#e07000", "dead": "#222222"}


def _crosses(position: "Position", moves: str, kind: str) -> list[str]:
    """Return crosses on the target cells of moves, for gaps in a ring."""
    board, colour, arm = position.board, _CROSSES[kind], CELL * 0.28
    parts = []
    for move in moves:
        d = LETTERS.find(move)
        if d < 0:
            raise OptionError(f"{kind} move {move!r} is none of U, R, D, L")
        target = int(board.neighbours[position.live_end, d])
        if target < 0:
            continue
        if kind == "gap":
            ring = f'fill="none" stroke="{colour}" stroke-width="2"'
            parts.append(disc(board, target, 0.42, ring))
        x, y = centre(board, target)
        parts.append(
            f'<path class="{kind}" d="M{x - arm:g} {y - arm:g}l{2 * arm:g} '
            f'{2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}" stroke="{colour}" '
            'stroke-width="3" stroke-linecap="round" fill="none"/>'
        )
    return parts


def _live_end(position: "Position") -> str:
    ball = disc(position.board, position.live_end, 0.3, f'fill="{_WALK}"')
    x, y = centre(position.board, position.live_end)
    tip = CELL * 0.18
    arrow = f"M{-tip:g} {tip:g}L0 {-tip:g}L{tip:g} {tip:g}"
    return (
        f'{ball}<path d="{arrow}" transform="translate({x:g} {y:g}) '
        f'rotate({90 * position.heading})" stroke="#ffffff" stroke-width="2" '
        'fill="none" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _legend(
    board: "Board", areas: Sequence[tuple[Sequence[Cell], str]], notes: Sequence[str]
) -> list[str]:
    """Return a line for each area with its black and white cells, and for each note."""
    parts, y = [], 2 * MARGIN + board.rows * CELL

    def write(text: str, left: float, name: str) -> None:
        path = text_path(text, left, y + 6, 9, anchor="start")
        parts.append(
            f'<path {name}="{text}" fill="none" stroke="#222222" stroke-width="1.2" '
            f'd="{path}"/>'
        )

    for area, colour in areas:
        black = sum(board.black(cell) for cell in area)
        parts.append(
            f'<rect x="{MARGIN}" y="{y}" width="12" height="12" fill="{colour}" '
            'stroke="#444444"/>'
        )
        text = f"{black} BLACK {len(area) - black} WHITE"
        write(text, MARGIN + 20, 'class="counts" data-counts')
        y += _LEGEND
    for note in notes:
        write(note, MARGIN, 'class="note" data-note')
        y += _LEGEND
    return parts


def draw(
    position: "Position",
    *,
    areas: Sequence[Sequence[Cell]] = (),
    forbidden: str = "",
    edges: Iterable[tuple[Cell, Cell]] = (),
    cells: Iterable[Cell] = (),
    witness: Sequence[Cell] = (),
    doors: Iterable[tuple[Cell, Cell]] = (),
    gaps: str = "",
    why: str = "",
) -> str:
    """Return a position as an SVG document.

    - `areas`: sets of cells, each in a colour of its own, with a line "5 BLACK 4 WHITE"
      below the board.
    - `forbidden`: letters of moves whose target cells get a cross.
    - `edges`: future lines, pairs of touching cells; blue.
    - `cells`: the cells of a reason; outlined.
    - `witness`: a completion, the cells after the live end; dotted.
    - `doors`: openings of an area, pairs of touching cells; orange.
    - `gaps`: letters of dead moves that rules allow: a ring, and a line below.
    - `why`: the dead move that areas and doors explain: a cross, and a line below.

    Raises `OptionError` if a letter is no move.
    """
    board = position.board
    parts = _grid(board)
    parts += [cell_square(board, wall, 'fill="#333333"') for wall in board.walls]
    coloured = [*zip(areas, cycle(AREA_COLOURS), strict=False)]
    for area, colour in coloured:
        style = f'class="area" fill="{colour}"'
        parts += [cell_square(board, cell, style) for cell in area]
    style = f'class="mark" fill="none" stroke="{_MARK}" stroke-width="2.5"'
    parts += [cell_square(board, cell, style) for cell in cells]
    style = 'class="end" fill="none" stroke="#222222" stroke-width="2"'
    parts.append(disc(board, board.end, 0.3, style))
    if witness:
        style = 'class="witness" stroke="#777777" stroke-width="2.5" '
        style += 'stroke-dasharray="0.1 6"'
        parts.append(line(board, (position.live_end, *witness), style))
    style = 'class="door" stroke="#d9822b" stroke-width="7" stroke-opacity="0.6"'
    parts += [line(board, door, style) for door in doors]
    style = f'class="future" stroke="{FUTURE}" stroke-width="4"'
    parts += [line(board, edge, style) for edge in edges]
    style = f'class="walk" stroke="{_WALK}" stroke-width="{CELL * 0.25:g}"'
    parts.append(line(board, position.walk, style))
    parts.append(disc(board, board.start, 0.22, 'class="start" fill="#222222"'))
    if len(position.walk) > 1:
        parts.append(_live_end(position))
    parts += _crosses(position, forbidden, "forbidden")
    parts += _crosses(position, gaps, "gap")
    if why not in forbidden + gaps:
        parts += _crosses(position, why, "dead")
    notes = [f"GAP: {move} IS ALLOWED" for move in gaps]
    notes += [f"WHY {why} IS DEAD"] if why else []
    parts += _legend(board, coloured, notes)
    width = 2 * MARGIN + board.cols * CELL
    height = 2 * MARGIN + board.rows * CELL
    if areas or notes:
        width = max(width, 170)
        height += MARGIN + _LEGEND * (len(areas) + len(notes))
    return document(width, height, position.notation, parts)


def write_pictures(pictures: Iterable[tuple[Path, str]]) -> None:
    """Write SVG documents as ``.svg`` or ``.png`` files, all or none.

    Raises `OptionError` if a name ends in neither, or a folder is not writable.
    """
    write_together((path, _encoded(svg, path)) for path, svg in pictures)


def _encoded(svg: str, path: Path) -> bytes:
    if path.suffix not in (".svg", ".png"):
        raise OptionError(f"{path.name!r} must end in .svg or .png")
    return svg.encode() if path.suffix == ".svg" else png(svg)


def png(svg: str) -> bytes:
    """Render an SVG document as PNG, two pixels a unit of its size.

    A picture of more than 100 million pixels gets one pixel a unit.

    Raises `OptionError` if it has more even so: it might not fit in memory.
    """
    import resvg_py

    sides = re.match(r'<svg[^>]* width="([\d.e+]+)" height="([\d.e+]+)"', svg)
    width, height = map(float, sides.groups()) if sides else (0.0, 0.0)
    if width * height > _PIXELS:
        size = f"{width:.0f} x {height:.0f} pixels"
        raise OptionError(f"a picture of {size} is too large for PNG; SVG has no limit")
    zoom = 1 if width * height * 4 > _PIXELS else 2
    picture = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=zoom, background="#ffffff", skip_system_fonts=True
    )
    return bytes(picture)
