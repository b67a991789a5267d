"""The picture of a search tree level by level: the published plan's onion, as SVG.

Level by level, from the first cells on the left to the last on the right, a band as
high as the logarithm of the number of prefixes. One colour a set of rules; what a later
set leaves lies inside.
"""

from collections.abc import Sequence
from math import log10

from solver.glyphs import text_path
from solver.puzzles.knight.probing import Widths

_COLOURS = ("#d9d9d9", "#f3c98b", "#e58f65", "#b65d8a", "#4a5fa5")
_STEP, _DECADE, _MARGIN, _LEGEND = 12.0, 11.0, 40.0, 16.0


def onion(layers: Sequence[Widths]) -> str:
    """Draw layers, weakest rules first."""
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
