"""Pictures of a verdict: the drawings, a counterexample, what a proof leaves possible.

Nothing is written as text, so that pictures look alike on machines without fonts.
"""

from heuristic.rules.drawing import Spot
from heuristic.rules.picture import (
    FILL,
    MARK,
    UNIT,
    draw_rule,
    letters,
    live_end,
    square,
)
from solver.svg import document, draw
from verify.proof.settle import Survivor
from verify.proof.view import FREE, LIVE, OUT, STATE_NAMES, VISITED, black, edges_of
from verify.verdict.verdict import Judgement, Open, Refuted

_KINDS = {
    "w": 'stroke="#1f3b73" stroke-width="6"',
    "c": 'stroke="#c0392b" stroke-width="4" stroke-dasharray="1 6"',
    "v": 'stroke="#999999" stroke-width="2"',
}


def pictures_of(verdict: Judgement) -> list[str]:
    """Return SVG documents: the drawings, then the counterexample or what is open."""
    rule = verdict.rule
    pictures = [draw_rule(drawing, rule.name) for drawing in rule.drawings[:4]]
    if isinstance(verdict, Refuted):
        wrong = verdict.refutation
        position, way = wrong.position, wrong.completion
        pictures.append(draw(position, forbidden=wrong.move, witness=way, scale=0.8))
    if isinstance(verdict, Open):
        pictures += [
            draw_survivor(survivor, str(part))
            for part, survivor in verdict.survivors
            if isinstance(survivor, Survivor)
        ]
    return pictures


def draw_survivor(survivor: Survivor, title: str = "") -> str:
    """Draw a local configuration: the walk blue, the completion red and dotted.

    Dark cells are outside the board; S and T are the start and the end. What joins the
    pieces outside the window is not drawn.
    """
    window, true = survivor.window, survivor.true

    def centre(cell: Spot) -> tuple[float, float]:
        row, col = cell[0] - window.top, cell[1] - window.left
        return (col + 1.5) * UNIT, (row + 1.5) * UNIT

    parts = []
    marked = {cell for area in window.areas for cell in area.cells}
    for cell in window.cells():
        x, y = centre(cell)
        states = (bit for name, bit in STATE_NAMES if (name, cell) in true)
        drawn = cell == LIVE or window.state(cell) in (FREE, VISITED, OUT)
        dim = "" if drawn else 'fill-opacity="0.55"'
        fill = FILL[next(states, VISITED)]
        parts.append(square(x - UNIT / 2, y - UNIT / 2, fill, dim))
        if cell in marked:
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{MARK}" '
                f'fill-opacity="{1 if black(cell) else 0.4}"/>'
            )
    for side in sorted(edges_of(window)):
        for kind, style in _KINDS.items():
            if (kind, *side) in true:
                (x1, y1), (x2, y2) = map(centre, side)
                parts.append(
                    f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                    f'stroke-linecap="round" {style}/>'
                )
    parts.append(live_end(*centre(LIVE)))
    for cell in window.cells():
        parts += [letters(*centre(cell), x) for x in ("S", "T") if (x, cell) in true]
    width = (window.right - window.left + 3) * UNIT
    height = (window.bottom - window.top + 3) * UNIT
    return document(width, height, title or "local configuration", parts)
