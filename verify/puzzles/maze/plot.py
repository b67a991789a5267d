"""A plot of maze statistics as SVG: probability above, fewest moves below.

Labels are strokes, so that the plot looks alike on machines without fonts.
"""

from collections.abc import Callable, Sequence
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
    text: str,
    x: float,
    y: float,
    *,
    height: float = 9,
    anchor: Anchor = "middle",
    pen: str = "#222222",
) -> str:
    path = text_path(text, x, y, height, anchor=anchor)
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

    Parameters
    ----------
    curves : sequence of Curve
    axis : str
        What the places on the axis are.

    Raises
    ------
    OptionError
        If there is no curve, one is empty, or there are more than six.
    """
    if not curves or not all(curve.points for curve in curves):
        raise OptionError("nothing to plot")
    if len(curves) > len(_COLOURS):
        raise OptionError(f"{len(curves)} curves, more than {len(_COLOURS)}")
    places = [place for curve in curves for place, _ in curve.points]
    low, high = min(places), max(places)
    if low == high:
        low, high = low - 1, high + 1
    most = max(
        (survey.quantile(0.75) or 1 for curve in curves for _, survey in curve.points)
    )
    right = _WIDTH - _RIGHT
    second = _TOP + _PANEL + _GAP

    def across(place: float) -> float:
        return _LEFT + 8 + (place - low) / (high - low) * (right - _LEFT - 16)

    def upper(share: float) -> float:
        return _TOP + _PANEL * (1 - share)

    def lower(moves: float) -> float:
        return second + _PANEL * (1 - moves / (1.05 * most))

    parts = _frame(_TOP, [(upper(t), f"{t:g}") for t in ticks(0, 1)])
    parts += _frame(second, [(lower(t), f"{t:g}") for t in ticks(0, most)])
    parts.append(_text("probability that a route exists", _LEFT, 18, anchor="start"))
    title = "fewest moves: median and middle half"
    parts.append(_text(title, _LEFT, second - 16, anchor="start"))
    bottom = second + _PANEL
    for tick in ticks(low, high):
        x = across(tick)
        for top in (_TOP, second):
            parts.append(f'<path d="M{x:g} {top + _PANEL}v5" stroke="#444444"/>')
        parts.append(_text(f"{tick:g}", x, bottom + 14))
        parts.append(_text(f"{tick:g}", x, _TOP + _PANEL + 14))
    parts.append(_text(axis, (_LEFT + right) / 2, bottom + 32))
    for index, curve in enumerate(curves):
        pen = _COLOURS[index]
        parts += _curve(curve, pen, across, upper, lower)
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


def _frame(top: float, marks: list[tuple[float, str]]) -> list[str]:
    right = _WIDTH - _RIGHT
    parts = []
    for y, label in marks:
        parts.append(f'<path d="M{_LEFT} {y:g}H{right}" stroke="#e4e4e4"/>')
        parts.append(_text(label, _LEFT - 8, y, anchor="end"))
    parts.append(
        f'<rect x="{_LEFT}" y="{top}" width="{right - _LEFT}" height="{_PANEL}" '
        'fill="none" stroke="#444444"/>'
    )
    return parts


def _curve(
    curve: Curve,
    pen: str,
    across: Callable[[float], float],
    upper: Callable[[float], float],
    lower: Callable[[float], float],
) -> list[str]:
    parts, shares, medians = [], [], []
    for place, survey in curve.points:
        x = across(place)
        low, high = survey.interval
        shares.append((x, upper(survey.probability)))
        parts.append(_bar(x, upper(low), upper(high), pen))
        median = survey.quantile(0.5)
        if median is not None:
            medians.append((x, lower(median)))
            first, third = survey.quantile(0.25), survey.quantile(0.75)
            parts.append(_bar(x, lower(first or 0), lower(third or 0), pen))
    for line in (shares, medians):
        points = " ".join(f"{x:g},{y:g}" for x, y in line)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{pen}" '
            'stroke-width="1.8"/>'
        )
        parts += [
            f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{pen}"/>' for x, y in line
        ]
    return parts


def _bar(x: float, low: float, high: float, pen: str) -> str:
    path = f"M{x - 4:g} {low:g}h8M{x - 4:g} {high:g}h8M{x:g} {low:g}V{high:g}"
    return f'<path class="bar" d="{path}" fill="none" stroke="{pen}"/>'
