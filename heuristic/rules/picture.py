"""Pictures of rule drawings, as SVG.

Words are drawn as strokes, so that a picture looks the same without fonts.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from heuristic.rules.drawing import (
    FACTS,
    LIVE_END,
    CellState,
    Drawing,
    Spot,
    box_around,
)
from heuristic.rules.letters import LETTER, condition, sign
from solver.svg import FUTURE, Anchor, document, text_path, text_width

UNIT = 24  # pixels a cell
MARK = "#2e8b57"
FILL = {
    int(CellState.FREE): "#ffffff",
    int(CellState.VISITED): "#b8c4d6",
    int(CellState.OUTSIDE): "#4a4a4a",
    int(CellState.VISITED | CellState.OUTSIDE): "#8d949e",
    int(CellState.FREE | CellState.VISITED): "#e9eef6",
}
_LETTER = 8  # pixels, height of a capital
_UNKNOWN = "#f3efe4"
_AREAS = (  # colours of an area: its line, its caption
    ("#cdebd8", MARK),
    ("#ffe0a3", "#a86400"),
    ("#dccff5", "#6a3fb5"),
    ("#f8cbd8", "#b3365f"),
)
_GAP = 18  # pixels between the drawings of one rule


def square(x: float, y: float, fill: str, more: str = "") -> str:
    """Return a cell, its upper left corner given."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{UNIT}" height="{UNIT}" fill="{fill}" '
        f'stroke="#c9c9c9" {more}/>'
    )


def cross(x: float, y: float) -> str:
    """Return a cross in a cell."""
    low, high = UNIT * 0.2, UNIT * 0.8
    return (
        f'<path d="M{x + low:g} {y + low:g}L{x + high:g} {y + high:g}'
        f'M{x + high:g} {y + low:g}L{x + low:g} {y + high:g}" '
        'stroke="#c0392b" stroke-width="3"/>'
    )


def stroked(
    x: float, y: float, text: str, fill: str = "#222222", anchor: Anchor = "middle"
) -> str:
    """Return text as strokes: `x` is the side that `anchor` names, `y` the middle."""
    return (
        f'<path d="{text_path(text, x, y, _LETTER, anchor=anchor)}" fill="none" '
        f'stroke="{fill}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def live_end(x: float, y: float) -> str:
    """Return the disk of the live end, its centre given."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{UNIT * 0.3:g}" fill="#1f3b73"/>'


def draw_rule(drawings: Drawing | Sequence[Drawing], title: str = "") -> str:
    """Return the picture of a rule: needs in colours and letters, moves crossed.

    The letters are those of rule files. A dot is a free cell, and an empty cell may be
    anything. The live end is the large disk. The line of each area has the colour of
    its caption below. Forced edges are blue lines, and a thin arc joins the two ends of
    a forced line. Several drawings stand side by side, in rows of four.
    """
    several = [drawings] if isinstance(drawings, Drawing) else drawings
    across, top, parts, width = 4, 0.0, list[str](), 0.0
    for first in range(0, len(several), across):
        left, tallest = 0.0, 0.0
        for drawing in several[first : first + across]:
            wide, high, drawn = _rule_parts(drawing)
            shift = f'transform="translate({left:g} {top:g})"'
            parts.append(f"<g {shift}>{''.join(drawn)}</g>")
            left, tallest = left + wide + _GAP, max(tallest, high)
        width, top = max(width, left - _GAP), top + tallest + _GAP
    return document(width, max(top - _GAP, 0.0), title or "rule", parts)


def _rule_parts(drawing: Drawing) -> tuple[float, float, list[str]]:
    """Return width, height and elements of a drawing's picture."""
    cells = {LIVE_END, *drawing.forbidden, *(need.at for need in drawing.needs)}
    top, left, bottom, right = box_around(cells)
    areas = list(enumerate(drawing.areas))
    marked = {at: n for n, area in reversed(areas) for at in area.cells}
    half, squares, signs = UNIT / 2, list[str](), list[str]()

    def corner(at: Spot) -> tuple[float, float]:
        return 2 + (at[1] - left) * UNIT, 2 + (at[0] - top) * UNIT

    for at in product(range(top, bottom + 1), range(left, right + 1)):
        x, y = corner(at)
        need = drawing.need(at)
        fill = FILL.get(int(need.states), _UNKNOWN)
        if at == LIVE_END:
            fill = FILL[int(CellState.VISITED)]
            signs.append(live_end(x + half, y + half))
        if at in marked:
            fill = _AREAS[marked[at] % len(_AREAS)][0]
        squares.append(square(x, y, fill))
        word = sign(LETTER.get((need.states, need.not_end), "?"))
        ink = "#ffffff" if need.states == CellState.OUTSIDE else "#222222"
        if word == "·":
            dot = f'cx="{x + half:g}" cy="{y + half:g}" r="1.8" fill="{ink}"'
            signs.append(f"<circle {dot}/>")
        elif at != LIVE_END and word:
            signs.append(stroked(x + half, y + half, word, ink))
        if at in drawing.forbidden:
            signs.append(cross(x, y))
    parts = [*squares, *signs, *_facts(drawing, corner)]
    width = 4.0 + (right - left + 1) * UNIT
    below = 4.0 + (bottom - top + 1) * UNIT
    for n, area in areas:
        number = f"{n + 1} " if len(areas) > 1 else ""
        caption = f"{number}{area.side}: {condition(area)}"
        below += 14
        colour = _AREAS[n % len(_AREAS)][1]
        parts.append(stroked(4, below - _LETTER / 2, caption, colour, "start"))
        width = max(width, 8 + text_width(caption, _LETTER))
    return width, below + 6, parts


def _facts(
    drawing: Drawing, corner: Callable[[Spot], tuple[float, float]]
) -> Iterator[str]:
    """Yield a line for each fact of an edge, and an arc for each of two cells."""
    half = UNIT / 2
    for word, first, second in drawing.tested_facts:
        (x, y), (u, v) = corner(first), corner(second)
        path, to = f"M{x + half:g} {y + half:g}", f"{u + half:g} {v + half:g}"
        if FACTS[word].edge:
            path += f"L{to}"
            style = 'stroke-width="4" stroke-linecap="round"'
        else:  # bent around the cells between
            across = (x + u) / 2 + 0.3 * (y - v) + half
            path += f"Q{across:g} {(y + v) / 2 + 0.3 * (u - x) + half:g} {to}"
            style = 'stroke-width="1.5" stroke-dasharray="2 3"'
        more = f'fill="none" stroke="{FUTURE}" {style}'
        yield f'<path class="{word}" d="{path}" {more}/>'
