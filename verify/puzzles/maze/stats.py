"""Random mazes in numbers: how often a route exists, and how many moves it takes.

Dan Larremore asked it after the puzzle (github.com/dblarremore/538): one goal placed at
random, every other letter drawn on its own; how does the probability that a route
exists depend on the size and on the weights of the letters? With X alone the goal is
reached only from a border cell, with probability (4n - 4) / n^2 for n >= 2.

Answers for random mazes are proved, too. Boards are read from files within bounds, or
drawn. In the plot labels are strokes, so that it looks alike on machines without fonts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, isqrt, log10
from typing import Any

import numpy as np

from solver.board import MAX_CELLS
from solver.errors import OptionError, WitnessError
from solver.files import read_most
from solver.glyphs import Anchor, text_path
from solver.interval import wilson
from solver.puzzles.maze.board import DRAWN, Maze, Weights, sample
from solver.puzzles.maze.solve import check_steps, fewest_moves, solve
from solver.svg import document
from verify.campaign.campaign import Campaign, Unit, deciding

_CHUNK = 1 << 20  # cells drawn at once
_SECONDS = 1e-7  # a cell
# Few X and ?, where most routes would end at once, and few U: long routes, of up to 33
# moves in 300 mazes of up to 8 x 8, where six letters alike give 21.
WINDING = Weights.parse("S=8,R=8,U=4,L=8,X=1,?=2")


@dataclass(frozen=True, slots=True)
class Survey:
    """What random mazes of one size (rows and columns) and set of weights came to.

    `curve` and `place` say where it stands in a plot; `mazes` were drawn; `moves` is
    the distribution of their fewest moves: (moves, how many mazes), ascending.
    """

    curve: str
    place: float
    size: int
    weights: Weights
    mazes: int
    seed: int
    moves: tuple[tuple[int, int], ...]

    @property
    def reached(self) -> int:
        """How many mazes have a route."""
        return sum(count for _, count in self.moves)

    def quantile(self, share: float) -> int | None:
        """Return the least number of moves that `share` of the routes need at most.

        >>> Survey("", 2, 2, Weights(), 9, 0, ((1, 6), (4, 2))).quantile(0.75)
        1
        """
        seen = 0
        for moves, count in self.moves:
            seen += count
            if seen >= share * self.reached:
                return moves
        return None

    def figures(self) -> dict[str, Any]:
        """Return JSON values: `low` and `high` are the 95 % interval of Wilson."""
        low, high = wilson(self.reached, self.mazes)
        total = sum(moves * count for moves, count in self.moves)
        return {
            "size": self.size,
            "weights": str(self.weights),
            "mazes": self.mazes,
            "seed": self.seed,
            "reached": self.reached,
            "probability": self.reached / self.mazes,
            "low": low,
            "high": high,
            "mean": total / self.reached if self.moves else None,
            "median": self.quantile(0.5),
            "moves": {str(moves): count for moves, count in self.moves},
        }

    def row(self) -> list[str]:
        """Return the row of a table, without figures of moves if there is no route."""
        found = self.figures()
        row = [str(self.weights), str(self.size), f"{found['probability']:.4f}"]
        row.append(f"{found['low']:.4f}-{found['high']:.4f}")
        if not self.moves:
            return [*row, *[""] * 4]
        quantiles = map(self.quantile, (0.5, 0.95, 1))
        return [*row, f"{found['mean']:.2f}", *map(str, quantiles)]


def chunks(size: int, mazes: int) -> list[int]:
    """Return how many mazes are drawn at a time, so that memory stays small."""
    at_once = max(1, _CHUNK // max(1, size * size))
    return [min(at_once, mazes - start) for start in range(0, mazes, at_once)]


def draw_chunk(
    size: int, weights: Weights, many: int, *, seed: int, number: int
) -> dict[int, int]:
    """Draw the mazes of a chunk, which has a seed of its own.

    Returns how many mazes need how many moves at least; those without a route are left
    out. 10,000 mazes of 8 x 8 take about 50 ms.
    """
    source = np.random.SeedSequence([seed, size], spawn_key=(number,))
    rng = np.random.default_rng(source)
    fewest = fewest_moves(sample(many, size, size, weights=weights, seed=rng))
    found = np.bincount(fewest[fewest > 0])
    return {at: int(count) for at, count in enumerate(found) if count}


def shares(weights: Weights, letter: str, share: float) -> Weights:
    """Return weights in which `letter` has that share, the others in proportion.

    Where the others weigh nothing they share the rest equally.

    Raises `OptionError` if the letter cannot be drawn or the share is not in 0 to 1.

    >>> shares(Weights.parse("S=3,L=1"), "X", 0.2)
    Weights.parse('S=0.6,L=0.2,X=0.2')
    """
    if len(letter) != 1 or letter not in DRAWN:
        raise OptionError(f"{letter!r} is none of {', '.join(DRAWN)}")
    if not 0 <= share <= 1:
        raise OptionError(f"share {share} of {letter} is not in 0 to 1")
    others = dict(zip(DRAWN, weights.values, strict=True)) | {letter: 0.0}
    if not any(others.values()):
        others = dict.fromkeys(others, 1.0) | {letter: 0.0}
    scale = (1 - share) / sum(others.values())
    scaled = {other: round(value * scale, 12) for other, value in others.items()}
    return Weights(tuple((scaled | {letter: share}).values()))


Point = tuple[str, float, int, Weights]


def plan(sizes: list[int], weights: list[Weights], vary: str = "") -> list[Point]:
    """Return the points of a study: over the sizes, or over the share of a letter.

    Each is the name of a curve, the place on the axis, a size and weights. `vary` is
    ``letter=low:high:steps``, or empty.

    Raises `OptionError` if `vary` cannot be read or has below 2 or above 1,000 steps, a
    size is not from 1 to 1,024, or there is none.

    >>> [place for _, place, _, _ in plan([4, 8], [Weights()], "X=0:1:3")]
    [0.0, 0.5, 1.0, 0.0, 0.5, 1.0]
    """
    if not sizes or not all(1 <= size <= isqrt(MAX_CELLS) for size in sizes):
        raise OptionError(f"sizes {sizes} are not all from 1 to {isqrt(MAX_CELLS)}")
    if not vary:
        return [(str(one), size, size, one) for one in weights for size in sizes]
    letter, _, span = vary.partition("=")
    try:
        first, last, steps = span.split(":")
        low, high, count = float(first), float(last), int(steps)
    except ValueError:
        why = f"{vary!r} is not letter=low:high:steps, such as X=0:0.8:9"
        raise OptionError(why) from None
    if not 2 <= count <= 1000:
        raise OptionError(f"{count} steps in {vary!r} are not 2 to 1000")
    # rounded: 0.3, not 0.30000000000000004, is what the weights will say
    places = [round(low + (high - low) * k / (count - 1), 12) for k in range(count)]
    named = {one: f", {one}" if len(weights) > 1 else "" for one in weights}
    return [
        (f"n={size}{named[one]}", place, size, shares(one, letter, place))
        for size in sizes
        for one in weights
        for place in places
    ]


def surveys(parameters: dict[str, Any]) -> Campaign[list[Survey]]:
    """Survey each point of a `plan` of `sizes`, texts of `weights`, and `vary`.

    A point is so many `mazes`, from `seed`.

    Raises `OptionError` as `plan` and `Weights` do.
    """
    mazes, seed = parameters["mazes"], parameters["seed"]
    weights = [Weights.parse(text) for text in parameters["weights"]]
    points = plan(parameters["sizes"], weights, parameters["vary"])

    def units() -> Iterator[Unit]:
        for point, (_, _, size, weights) in enumerate(points):
            for number, many in enumerate(chunks(size, mazes)):
                name = f"{size} x {size}, {weights}: chunk {number + 1}, {many} mazes"
                weight = many * size * size * _SECONDS
                yield Unit(name, [point, number, many], weight)

    def work(payload: list[int]) -> list[Any]:
        point, number, many = payload
        _, _, size, weights = points[point]
        found = draw_chunk(size, weights, many, seed=seed, number=number)
        return [point, many, [[*pair] for pair in found.items()]]

    def fold(results: Iterator[list[Any]]) -> list[Survey]:
        drawn, counts = Counter[int](), [Counter[int]() for _ in points]
        for point, many, found in results:
            drawn[point] += many
            counts[point].update(dict(found))
        return [
            Survey(*points[point], many, seed, (*sorted(counts[point].items()),))
            for point, many in sorted(drawn.items())
        ]

    def summary(found: list[Survey]) -> list[str]:
        return [
            f"{one.size} x {one.size}, {one.weights}: {one.reached / one.mazes:.4f} "
            f"of {one.mazes:,} mazes have a route"
            for one in found
        ]

    what = deciding("solver.puzzles.maze", __name__)
    return Campaign("maze-stats", parameters, what, units, work, fold, summary)


def trial(
    mazes: int,
    size: int,
    weights: Weights = WINDING,
    *,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> tuple[list[int | None], str | None]:
    """Prove the fewest moves from every entry of random mazes, up to the first fault.

    Rows and columns are drawn from 1 to `size` for each maze. Returns the proved moves
    of all entries, None where there is no way, and the fault if there was one.

    >>> moves, fault = trial(20, 3, seed=5)
    >>> len(moves), moves.count(None), max(filter(None, moves)), fault
    (170, 87, 9, None)
    """
    rng = np.random.default_rng(seed)
    proved: list[int | None] = []
    for _ in range(mazes):
        rows, cols = (int(side) for side in rng.integers(1, size + 1, size=2))
        maze = Maze.from_codes(sample(1, rows, cols, weights=weights, seed=rng)[0])
        found = solve(maze)
        try:
            check_steps(maze, found.steps)
            for entry in maze.entries:
                found.route(entry)  # walked move by move
        except WitnessError as error:
            return proved, f"{maze!r}, {error}"
        proved += found.moves
        progress()
    return proved, None


_MOST = 4 * MAX_CELLS  # bytes: a column with line ends of two needs three a cell


def read_maze(file: str) -> Maze:
    """Read a maze from a file, from standard input for ``-``, or draw a random one.

    A random one is ``random:8,seed=4,moves=12,S=2,X=1``: size, the rest may be left
    out. With moves it is the first of 100,000 that needs as many.

    Raises `OptionError` if the file cannot be read or holds too much, or no maze is so
    random; `GridFileError` if it is no maze.
    """
    if file.startswith("random:"):
        return _random(file.removeprefix("random:"))
    name = "standard input" if file == "-" else file
    text = read_most(file, _MOST).decode("utf-8-sig", errors="replace")
    return Maze.parse(text, file=name)


def _random(text: str) -> Maze:
    """Draw the maze that the words after ``random:`` describe.

    >>> _random("2,seed=1,S=1")
    Maze.parse('GS/SS')
    """
    size, *parts = text.split(",")
    numbers, weights = {"size": size, "seed": "0", "moves": "0"}, []
    for part in parts:
        name, _, number = part.partition("=")
        if name in ("seed", "moves"):
            numbers[name] = number
        else:
            weights.append(part)
    for name, number in numbers.items():
        if not (number.isascii() and number.isdecimal() and len(number) < 40):
            raise OptionError(f"{name} {number!r} of a random maze is no number")
    rows, seed, moves = map(int, numbers.values())
    chosen = Weights.parse(",".join(weights)) if weights else Weights()
    rng = np.random.default_rng(seed)
    for many in chunks(rows, 100_000) if moves else [1]:
        codes = sample(many, rows, rows, weights=chosen, seed=rng)
        hits = np.flatnonzero(fewest_moves(codes) >= (moves or -1))
        if len(hits):
            return Maze.from_codes(codes[hits[0]])
    raise OptionError(f"no maze of 100,000 needs {moves} moves")


_COLOURS = ("#2457d6", "#d0542b", "#1d7a4f", "#7a3fb0", "#b26a00", "#444444")
_WIDTH, _LEFT, _RIGHT, _TOP, _PANEL, _GAP = 640, 60, 20, 34, 210, 56


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
    [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0]
    """
    span = high - low
    unit = 10.0 ** floor(log10(span))
    step = next(s for s in (unit / 5, unit / 2, unit, 2 * unit) if span / s <= 9)
    ends = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(k * step, 9) for k in range(ends[0], ends[1] + 1)]


def plot(surveys: Sequence[Survey], axis: str) -> str:
    """Plot surveys: the probability of a route with its 95 % interval, and the moves.

    The lower panel has the median of the fewest moves and the range of the middle half.
    `axis` says what the places on the axis are.

    Raises `OptionError` if there are more than six curves.
    """
    curves: dict[str, list[Survey]] = {}
    for survey in surveys:
        curves.setdefault(survey.curve, []).append(survey)
    if len(curves) > len(_COLOURS):
        raise OptionError(f"{len(curves)} curves, more than {len(_COLOURS)}")
    low, high = min(one.place for one in surveys), max(one.place for one in surveys)
    if low == high:
        low, high = low - 1, high + 1
    most = max(survey.quantile(0.75) or 1 for survey in surveys)
    right, second = _WIDTH - _RIGHT, _TOP + _PANEL + _GAP

    def across(place: float) -> float:
        return _LEFT + 8 + (place - low) / (high - low) * (right - _LEFT - 16)

    def panel(
        top: int, most: float, title: str, figures: Callable[[Survey], list[float]]
    ) -> list[str]:
        def up(value: float) -> float:
            return top + _PANEL * (1 - value / most)

        parts = [_text(title, _LEFT, top - 16, anchor="start")]
        for tick in ticks(0, most):
            parts.append(f'<path d="M{_LEFT} {up(tick):g}H{right}" stroke="#e4e4e4"/>')
            parts.append(_text(f"{tick:g}", _LEFT - 8, up(tick), anchor="end"))
        parts.append(
            f'<rect x="{_LEFT}" y="{top}" width="{right - _LEFT}" height="{_PANEL}" '
            'fill="none" stroke="#444444"/>'
        )
        for tick in ticks(low, high):
            x, y = across(tick), float(top + _PANEL)
            parts.append(f'<path d="M{x:g} {y:g}v5" stroke="#444444"/>')
            parts.append(_text(f"{tick:g}", x, y + 14))
        for curve, pen in zip(curves.values(), _COLOURS, strict=False):
            line = []
            for one in curve:
                if found := figures(one):
                    x, (y, end, other) = across(one.place), map(up, found)
                    line.append(f"{x:g},{y:g}")
                    parts.append(
                        f'<path class="bar" d="M{x - 4:g} {end:g}h8M{x - 4:g} {other:g}'
                        f'h8M{x:g} {end:g}V{other:g}" fill="none" stroke="{pen}"/>'
                        f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{pen}"/>'
                    )
            style = f'fill="none" stroke="{pen}" stroke-width="1.8"'
            parts.append(f'<polyline points="{" ".join(line)}" {style}/>')
        return parts

    def halves(one: Survey) -> list[float]:
        return [found for q in (0.5, 0.25, 0.75) if (found := one.quantile(q))]

    def chance(one: Survey) -> list[float]:
        return [one.reached / one.mazes, *wilson(one.reached, one.mazes)]

    parts = panel(_TOP, 1, "probability that a route exists", chance)
    lower = "fewest moves: median and middle half"
    parts += panel(second, 1.05 * most, lower, halves)
    parts.append(_text(axis, (_LEFT + right) / 2, second + _PANEL + 32))
    y = second + _PANEL + 54
    for name, pen in zip(curves, _COLOURS, strict=False):
        parts.append(f'<path d="M{_LEFT} {y}h24" stroke="{pen}" stroke-width="3"/>')
        parts.append(_text(name, _LEFT + 34, y, anchor="start", pen=pen))
        y += 18
    ground = f'<rect width="{_WIDTH}" height="{y}" fill="#ffffff"/>'
    return document(_WIDTH, y, "random mazes", [ground, *parts])
