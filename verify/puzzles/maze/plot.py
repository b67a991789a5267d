"""A plot of maze statistics as SVG: probability above, fewest moves below.

Labels are strokes, so that the plot looks alike on machines without fonts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from solver.errors import OptionError
from solver.glyphs import Anchor, text_path
from verify.puzzles.maze.stats import Survey

_COLOURS = ("#2457d6", "#d0542b", "#1d7a4f", "#7a3fb0", "#b26a00", "#444444")
_WIDTH, _LEFT, _RIGHT, _TOP, _PANEL, _GAP = 640, 60, 20, 34, 210, 56


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve: a name, and a survey at each place on the axis."""

    name: str
    points: tuple[tuple[float, Survey], ...]


def _text(
    text: str, x: float, y: float, *, anchor: Anchor = "middle", pen: str = "#222222"
) -> str:
    path = text_path(text, x, y, 9, anchor=anchor)
    return (
        f'<path class="text" data-text="{text}" d="{path}" fill="none" stroke="{pen}" '
        'stroke-width="1.2" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from low to high, four to ten of them.

    >>> ticks(0, 37)
    [0, 5, 10, 15, 20, 25, 30, 35]
    """
    span = high - low
    unit = 10.0 ** floor(log10(span))
    step = next(s for s in (unit / 5, unit / 2, unit, 2 * unit) if span / s <= 9)
    first = -floor(-low / step)
    found = []
    while first * step <= high + step * 1e-9:
        found.append(round(first * step, 9))
        first += 1
    return [int(tick) if tick == int(tick) else tick for tick in found]


def plot(curves: Sequence[Curve], axis: str) -> str:
    """Plot surveys: the probability of a route with its 95 % interval, and the moves.

    The lower panel has the median of the fewest moves and the range of the middle half.
    `axis` says what the places on the axis are.

    Raises
    ------
    OptionError
        If there is no curve, one is empty, or there are more than six.
    """
    if not curves or not all(curve.points for curve in curves):
        raise OptionError("nothing to plot")
    if len(curves) > len(_COLOURS):
        raise OptionError(f"{len(curves)} curves, more than {len(_COLOURS)}")
    points = [point for curve in curves for point in curve.points]
    places = [place for place, _ in points]
    low, high = min(places), max(places)
    if low == high:
        low, high = low - 1, high + 1
    most = max(survey.quantile(0.75) or 1 for _, survey in points)
    right, second = _WIDTH - _RIGHT, _TOP + _PANEL + _GAP
    bottom = second + _PANEL

    def across(place: float) -> float:
        return _LEFT + 8 + (place - low) / (high - low) * (right - _LEFT - 16)

    def upper(share: float) -> float:
        return _TOP + _PANEL * (1 - share)

    def lower(moves: float) -> float:
        return second + _PANEL * (1 - moves / (1.05 * most))

    parts = []
    for top, up, end, title in (
        (_TOP, upper, 1, "probability that a route exists"),
        (second, lower, most, "fewest moves: median and middle half"),
    ):
        for tick in ticks(0, end):
            parts.append(f'<path d="M{_LEFT} {up(tick):g}H{right}" stroke="#e4e4e4"/>')
            parts.append(_text(f"{tick:g}", _LEFT - 8, up(tick), anchor="end"))
        parts.append(
            f'<rect x="{_LEFT}" y="{top}" width="{right - _LEFT}" height="{_PANEL}" '
            'fill="none" stroke="#444444"/>'
        )
        parts.append(_text(title, _LEFT, top - 16, anchor="start"))
        for tick in ticks(low, high):
            x, y = across(tick), top + _PANEL
            parts.append(f'<path d="M{x:g} {y:g}v5" stroke="#444444"/>')
            parts.append(_text(f"{tick:g}", x, y + 14))
    parts.append(_text(axis, (_LEFT + right) / 2, bottom + 32))
    for index, (curve, pen) in enumerate(zip(curves, _COLOURS, strict=False)):
        shares = [
            (across(place), upper(one.probability), *map(upper, one.interval))
            for place, one in curve.points
        ]
        halves = [
            (across(place), *(lower(one.quantile(q) or 0) for q in (0.5, 0.25, 0.75)))
            for place, one in curve.points
            if one.reached
        ]
        parts += [*_line(shares, pen), *_line(halves, pen)]
        y = bottom + 54 + 18 * index
        parts.append(f'<path d="M{_LEFT} {y}h24" stroke="{pen}" stroke-width="3"/>')
        parts.append(_text(curve.name, _LEFT + 34, y, anchor="start", pen=pen))
    height = bottom + 54 + 18 * len(curves)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}"><title>random mazes</title>'
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def _line(points: Sequence[tuple[float, ...]], pen: str) -> list[str]:
    """Draw points, each with a bar: its x and y, and the y of both ends of the bar."""
    parts = [
        f'<path class="bar" d="M{x - 4:g} {low:g}h8M{x - 4:g} {high:g}h8M{x:g} {low:g}'
        f'V{high:g}" fill="none" stroke="{pen}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{pen}"/>'
        for x, y, low, high in points
    ]
    line = " ".join(f"{x:g},{y:g}" for x, y, *_ in points)
    style = f'fill="none" stroke="{pen}" stroke-width="1.8"'
    return [*parts, f'<polyline points="{line}" {style}/>']
