"""Pictures of what a proof cannot exclude.

Nothing is written as text, so that pictures look alike on machines without fonts.
"""

from collections.abc import Callable
from typing import TypeAlias

from heuristic.rules.drawing import Spot
from heuristic.rules.picture import FILL, MARK, UNIT, letters, live_end, square
from solver.svg import document
from verify.proof.settle import Survivor
from verify.proof.view import FREE, LIVE, OUT, STATE_NAMES, VISITED, black, edges_of

Centre: TypeAlias = Callable[[Spot], tuple[float, float]]

_KINDS = {
    "w": 'stroke="#1f3b73" stroke-width="6"',
    "c": 'stroke="#c0392b" stroke-width="4" stroke-dasharray="1 6"',
    "v": 'stroke="#999999" stroke-width="2"',
}


def draw_survivor(survivor: Survivor, title: str = "") -> str:
    """Draw a local configuration: the walk blue, the completion red and dotted.

    Curves outside the frame join what belongs to one piece out there; S and T on a
    curve say that it meets start or end. Dark cells are outside the board.
    """
    window, true = survivor.window, survivor.true
    margin = 2 * UNIT

    def centre(cell: Spot) -> tuple[float, float]:
        return (
            margin + (cell[1] - window.left + 0.5) * UNIT,
            margin + (cell[0] - window.top + 0.5) * UNIT,
        )

    parts = []
    marked = {cell for area in window.areas for cell in area.cells}
    for cell in window.cells():
        x, y = centre(cell)
        state = next(
            (bit for name, bit in STATE_NAMES if (name, cell) in true), VISITED
        )
        known = cell == LIVE or window.state(cell) in (FREE, VISITED, OUT)
        dim = "" if known else 'fill-opacity="0.55"'
        parts.append(square(x - UNIT / 2, y - UNIT / 2, FILL[state], dim))
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
    parts += _curves(survivor, centre)
    for cell in window.cells():
        x, y = centre(cell)
        if cell == LIVE:
            parts.append(live_end(x, y))
        for name in ("S", "T"):
            if (name, cell) in true:
                parts.append(letters(x, y, name))
    width = 2 * margin + (window.right - window.left + 1) * UNIT
    height = 2 * margin + (window.bottom - window.top + 1) * UNIT
    return document(width, height, title or "local configuration", parts)


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
        met = [flag.upper() for flag in "st" if (flag, i) in true or (flag, j) in true]
        if met:
            parts.append(letters((x1 + x2) / 2, (y1 + y2) / 2, " ".join(met)))
    return parts
