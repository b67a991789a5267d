"""Pictures of rule drawings, and of what a proof cannot exclude.

Nothing is written as text, so that pictures look alike on machines without fonts.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import TypeAlias

from heuristic.language.drawing import LIVE_END, Drawing, Offset
from heuristic.language.lettered import letters_of
from solver.glyphs import Anchor, text_path, text_width
from verify.proof.settle import Survivor
from verify.proof.view import (
    FREE,
    LIVE,
    OUT,
    VISITED,
    Cell,
    Edge,
    black,
    edge,
    neighbours,
)

Centre: TypeAlias = Callable[[Cell], tuple[float, float]]

UNIT = 24  # pixels a cell
_LETTER = 8  # pixels, height of a capital
_FILL = {
    FREE: "#ffffff",
    VISITED: "#b8c4d6",
    OUT: "#4a4a4a",
    VISITED | OUT: "#8d949e",
    FREE | VISITED: "#e9eef6",
}
_UNKNOWN = "#f3efe4"
_MARK = "#2e8b57"
_AREAS = (  # the line of an area, and what is said of it
    ("#cdebd8", _MARK),
    ("#ffe0a3", "#a86400"),
    ("#dccff5", "#6a3fb5"),
    ("#f8cbd8", "#b3365f"),
)
_GAP = 18  # pixels between the drawings of one rule
_KINDS = {
    "w": 'stroke="#1f3b73" stroke-width="6"',
    "c": 'stroke="#c0392b" stroke-width="4" stroke-dasharray="1 6"',
    "v": 'stroke="#999999" stroke-width="2"',
}


KEY = (
    "Pictures of rules: white is free, blue visited, dark outside, grey visited or "
    "outside, pale free or visited, sand anything; the marked cells of each area have "
    "a colour, green the first; the disk is the live end, a cross a forbidden move, N "
    "a cell that is not the end. Pictures of positions: the walk is red, the ring "
    "is the end cell, dots are a completion, a cross is the move in question. What a "
    "proof leaves possible: the walk is blue, the completion red and dotted, curves "
    "join pieces outside the window, S and T say where start and end lie."
)


def _svg(width: float, height: float, title: str, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}"><title>{escape(title)}</title>'
        f"{''.join(parts)}</svg>\n"
    )


def _square(x: float, y: float, fill: str, more: str = "") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{UNIT}" height="{UNIT}" fill="{fill}" '
        f'stroke="#c9c9c9" {more}/>'
    )


def _cross(x: float, y: float) -> str:
    low, high = UNIT * 0.2, UNIT * 0.8
    return (
        f'<path d="M{x + low:g} {y + low:g}L{x + high:g} {y + high:g}'
        f'M{x + high:g} {y + low:g}L{x + low:g} {y + high:g}" '
        'stroke="#c0392b" stroke-width="3"/>'
    )


def _text(
    x: float, y: float, text: str, fill: str = "#222222", anchor: Anchor = "middle"
) -> str:
    return (
        f'<path d="{text_path(text, x, y, _LETTER, anchor=anchor)}" fill="none" '
        f'stroke="{fill}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _live_end(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * 0.3:g}" fill="#1f3b73"/>'


def draw_rule(drawing: Drawing, title: str = "") -> str:
    """Draw a rule: needs as colours, marked cells coloured, forbidden moves crossed.

    White is free, blue visited, dark outside, grey either, sand anything; N is "not the
    end cell". The live end is the disk. The line of each area has a colour of its own,
    and so has what is said of it below; with several areas its letter stands there too.
    """
    width, height, parts = _rule_parts(drawing)
    return _svg(width, height, title or "rule", parts)


def draw_rules(drawings: Sequence[Drawing], title: str = "") -> str:
    """Draw the drawings of one rule side by side, in rows of four."""
    across, top, parts, width = 4, 0.0, list[str](), 0.0
    for first in range(0, len(drawings), across):
        left, tallest = 0.0, 0.0
        for drawing in drawings[first : first + across]:
            wide, high, drawn = _rule_parts(drawing)
            shift = f'transform="translate({left:g} {top:g})"'
            parts.append(f"<g {shift}>{''.join(drawn)}</g>")
            left, tallest = left + wide + _GAP, max(tallest, high)
        width, top = max(width, left - _GAP), top + tallest + _GAP
    return _svg(width, max(top - _GAP, 0.0), title or "rule", parts)


def _rule_parts(drawing: Drawing) -> tuple[float, float, list[str]]:
    """Return width, height and elements of a rule's picture."""
    offsets = {LIVE_END, *drawing.forbidden, *(need.at for need in drawing.needs)}
    lefts, aheads = [at[0] for at in offsets], [at[1] for at in offsets]
    most_left, most_ahead = max(lefts), max(aheads)
    cols, rows = most_left - min(lefts) + 1, most_ahead - min(aheads) + 1
    areas = list(enumerate(letters_of(drawing)))
    marked = {at: n for n, (area, _) in reversed(areas) for at in area.cells}
    parts = []

    def corner(at: Offset) -> tuple[float, float]:
        return 2 + (most_left - at[0]) * UNIT, 2 + (most_ahead - at[1]) * UNIT

    for row in range(rows):
        for col in range(cols):
            at = most_left - col, most_ahead - row
            x, y = corner(at)
            need = drawing.need(at)
            fill = _FILL.get(int(need.states), _UNKNOWN)
            if at == LIVE_END:
                fill = _FILL[VISITED]
            if at in marked:
                fill = _AREAS[marked[at] % len(_AREAS)][0]
            ring = f'stroke-width="1" class="{"marked" if at in marked else "cell"}"'
            parts.append(_square(x, y, fill, ring))
            if at == LIVE_END:
                parts.append(_live_end(x + UNIT / 2, y + UNIT / 2))
            elif need.not_end:
                parts.append(_text(x + UNIT / 2, y + UNIT / 2, "N"))
            if at in drawing.forbidden:
                parts.append(_cross(x, y))
    width, below = 4.0 + cols * UNIT, 4.0 + rows * UNIT
    for n, (area, letter) in areas:
        told = f"{area.side}: {area.kind.value}"
        if area.kind.bounded:
            told += f" {area.low}..{area.high}"
        if len(areas) > 1:
            told = f"{letter} {told}"
        below += 14
        colour = _AREAS[n % len(_AREAS)][1]
        parts.append(_text(4, below - _LETTER / 2, told, colour, "start"))
        width = max(width, 8 + text_width(told, _LETTER))
    return width, below + 6, parts


def draw_survivor(survivor: Survivor, title: str = "") -> str:
    """Draw a local configuration: the walk blue, the completion red and dotted.

    Curves outside the frame join what belongs to one piece out there; S and T on a
    curve say that it meets start or end. Dark cells are outside the board.
    """
    window, true = survivor.window, survivor.true
    margin = 2 * UNIT

    def centre(cell: Cell) -> tuple[float, float]:
        return (
            margin + (cell[1] - window.left + 0.5) * UNIT,
            margin + (cell[0] - window.top + 0.5) * UNIT,
        )

    parts = []
    for cell in window.cells():
        x, y = centre(cell)
        state = VISITED
        for name, bit in (("free", FREE), ("visited", VISITED), ("out", OUT)):
            if (name, cell) in true:
                state = bit
        known = cell == LIVE or window.state(cell) in (FREE, VISITED, OUT)
        dim = "" if known else 'fill-opacity="0.55"'
        parts.append(_square(x - UNIT / 2, y - UNIT / 2, _FILL[state], dim))
        if any(cell in area.line for area in window.areas):
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{_MARK}" '
                f'fill-opacity="{1 if black(cell) else 0.4}"/>'
            )
    sides = {edge(cell, other) for cell in window.cells() for other in neighbours(cell)}
    for side in sorted(sides):
        for kind, style in _KINDS.items():
            if (kind, *side) in true:
                parts.append(_stroke(side, centre, style))
    parts += _curves(survivor, centre)
    for cell in window.cells():
        x, y = centre(cell)
        if cell == LIVE:
            parts.append(_live_end(x, y))
        for name in ("S", "T"):
            if (name, cell) in true:
                parts.append(_text(x, y, name))
    width = 2 * margin + (window.right - window.left + 1) * UNIT
    height = 2 * margin + (window.bottom - window.top + 1) * UNIT
    return _svg(width, height, title or "local configuration", parts)


def _stroke(side: Edge, centre: Centre, style: str) -> str:
    (x1, y1), (x2, y2) = centre(side[0]), centre(side[1])
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
        f'stroke-linecap="round" {style}/>'
    )


def _curves(survivor: Survivor, centre: Centre) -> list[str]:
    """Draw the pieces outside the window as curves between their ports."""
    window, true, parts = survivor.window, survivor.true, []
    ports = window.ports()
    middle = centre(
        ((window.top + window.bottom) // 2, (window.left + window.right) // 2)
    )
    for name in sorted((n for n in true if n[0] == "p"), key=str):
        i, j = name[1], name[2]
        assert isinstance(i, int)
        assert isinstance(j, int)
        (x1, y1), (x2, y2) = centre(ports[i][1]), centre(ports[j][1])
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        x, y = x + (x - middle[0]) * 0.5, y + (y - middle[1]) * 0.5
        parts.append(
            f'<path d="M{x1:g} {y1:g}Q{x:g} {y:g} {x2:g} {y2:g}" fill="none" '
            'stroke="#777777" stroke-width="1.5"/>'
        )
        met = [
            what
            for what, flag in (("S", "s"), ("T", "t"))
            if (flag, i) in true or (flag, j) in true
        ]
        if met:
            parts.append(_text((x1 + x2) / 2, (y1 + y2) / 2, " ".join(met)))
    return parts
