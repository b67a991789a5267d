"""Schematic pictures of docs/explanation/solid-proof.md: parts of a factor, as SVG.

`python -m website.lemmas` draws them again.

In the text of a scheme vertices stand two columns and two rows apart: `o`, or `*` for
an end. `=` and `#` are dark edges, `-` and `|` light ones. An edge that is not drawn
may be dark, light or missing. A square is named by its upper left vertex (row, col),
which need not be drawn.
"""

from dataclasses import dataclass

from solver.svg import text_path

Point = tuple[float, float]
Square = tuple[int, int]

_CELL, _GAP = 40, 26  # from vertex to vertex, and beside a scheme
_FILLS = ("#ffd98a", "#a9dcb6", "#c9b8ee")
_FRAME, _DARK, _LIGHT, _INK = "#c2255c", "#222222", "#b5b5b5", "#333333"

# Small letters as strokes: runs of points (right, down), 6 wide and 6 high.
_BOWL = ((0, 1), (1.5, 0), (4.5, 0), (6, 1.5), (6, 4.5), (4.5, 6), (1.5, 6), (0, 5))
_SMALL: dict[str, tuple[tuple[Point, ...], ...]] = {
    "b": (((0, -4), (0, 6)), _BOWL),
    "e": (
        (
            (0, 3),
            (6, 3),
            (6, 1.5),
            (4.5, 0),
            (1.5, 0),
            (0, 1.5),
            (0, 4.5),
            (1.5, 6),
            (5.5, 6),
        ),
    ),
    "p": (((0, 0), (0, 9)), _BOWL),
    "q": (((6, 0), (6, 9)), tuple((6 - i, j) for i, j in _BOWL)),
    "u": (((0, 0), (0, 4.5), (1.5, 6), (4.5, 6), (6, 4.5)), ((6, 0), (6, 6))),
    "v": (((0, 0), (3, 6), (6, 0)),),
    "x": (((0, 0), (6, 6)), ((6, 0), (0, 6))),
    "y": (((0, 0), (3, 6)), ((6, 0), (1.5, 9))),
    "z": (((0, 0), (6, 0), (0, 6), (6, 6)),),
}


@dataclass(frozen=True, slots=True)
class Scheme:
    """A part of a factor, with strips.

    Attributes
    ----------
    text : str
    strips : tuple of tuples of squares
        Each in a colour of its own, with an arrow from its first square to its end.
    squares : tuple of pairs (name, square)
        Names of squares and places.
    points : tuple of pairs (name, vertex)
        Names of vertices, written beside them.
    frames : tuple of squares
    arcs : tuple of pairs of vertices
        Edges across which the arcs are drawn.
    """

    text: str
    strips: tuple[tuple[Square, ...], ...] = ()
    squares: tuple[tuple[str, Square], ...] = ()
    points: tuple[tuple[str, Point], ...] = ()
    frames: tuple[Square, ...] = ()
    arcs: tuple[tuple[Square, Square], ...] = ()

    def lines(self) -> list[str]:
        """Return the lines of the text."""
        return self.text.strip("\n").split("\n")

    def edges(self) -> dict[frozenset[Square], bool]:
        """Return the edges drawn; True if dark."""
        found: dict[frozenset[Square], bool] = {}
        for r, line in enumerate(self.lines()):
            for c, sign in enumerate(line):
                if sign in "=#-|":
                    ends = (r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)
                    found[frozenset(ends)] = sign in "=#"
        return found


def scheme_picture(schemes: tuple[Scheme, ...], title: str) -> str:
    """Return schemes side by side as one SVG."""
    parts, left, low = list[str](), _GAP, 0
    for scheme in schemes:
        lines = scheme.lines()
        parts += _drawn(scheme, left)
        left += (max(map(len, lines)) // 2) * _CELL + 2 * _GAP
        low = max(low, (len(lines) // 2) * _CELL + 2 * _GAP)
    width = left - _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {low}" '
        f'width="{width}" height="{low}"><title>{title}</title>'
        f'<rect width="{width}" height="{low}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _drawn(scheme: Scheme, left: int) -> list[str]:
    def at(r: float, c: float) -> Point:
        return left + c * _CELL, _GAP + r * _CELL

    parts = list[str]()
    for strip, fill in zip(scheme.strips, _FILLS, strict=False):
        for q in strip:
            x, y = at(*q)
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{_CELL}" height="{_CELL}" '
                f'fill="{fill}"/>'
            )
    for strip in scheme.strips:
        if len(strip) > 1 and not scheme.arcs:
            parts.append(_arrow(at(*_low(strip[0])), at(*_low(strip[-1]))))
    for q in scheme.frames:
        x, y = at(*q)
        parts.append(
            f'<rect x="{x + 5:g}" y="{y + 5:g}" width="{_CELL - 10}" '
            f'height="{_CELL - 10}" fill="none" stroke="{_FRAME}" stroke-width="2"/>'
        )
    for edge, dark in scheme.edges().items():
        (x, y), (to, down) = (at(*vertex) for vertex in sorted(edge))
        style = f'"{_DARK}" stroke-width="4"' if dark else f'"{_LIGHT}"'
        parts.append(
            f'<path d="M{x:g} {y:g}L{to:g} {down:g}" fill="none" stroke={style} '
            'stroke-linecap="round"/>'
        )
    edges = scheme.edges()
    for a, b in scheme.arcs:
        middle = at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        parts.append(arc_across(*middle, a, b, edges[frozenset({a, b})]))
    for r, line in enumerate(scheme.lines()):
        for c, sign in enumerate(line):
            if sign in "o*":
                x, y = at(r / 2, c / 2)
                radius, fill = (6, "#ffffff") if sign == "*" else (3, _DARK)
                parts.append(
                    f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{fill}" '
                    f'stroke="{_DARK}" stroke-width="2"/>'
                )
    names = [(name, q[0] + 0.5, q[1] + 0.5) for name, q in scheme.squares]
    names += [(name, *_beside(name, vertex)) for name, vertex in scheme.points]
    return parts + [_name(name, *at(r, c)) for name, r, c in names]


def _low(q: Square) -> Point:
    """Return where an arrow passes a square, clear of its name."""
    return q[0] + 0.5, q[1] + 0.84


def _beside(name: str, vertex: Point) -> Point:
    """Return where the name of a vertex stands: above it, right or left."""
    return vertex[0] - 0.24, vertex[1] + (0.3 if name[0] in "ERv" else -0.26)


def _arrow(start: Point, end: Point) -> str:
    """Return an arrow along a row of squares."""
    (x, y), (to, down) = start, end
    length = abs(to - x) + abs(down - y)
    i, j = (down - y) / length, (to - x) / length  # down, right
    if j:  # across: below the names
        y, down = y + 0.34 * _CELL, down + 0.34 * _CELL
        x, to = x - 0.34 * _CELL, to - 0.34 * _CELL
    wings = "".join(
        f"M{to - 6 * j + s * 3 * i:g} {down - 6 * i + s * 3 * j:g}L{to:g} {down:g}"
        for s in (1, -1)
    )
    return (
        f'<path d="M{x:g} {y:g}L{to:g} {down:g}{wings}" fill="none" stroke="{_INK}" '
        'stroke-width="1.3"/>'
    )


def arc_across(x: float, y: float, a: Square, b: Square, dark: bool) -> str:
    """Return the arc across an edge, in the middle of the edge.

    It goes from left to right if the edge is dark, seen from the white vertex to the
    black one; otherwise from right to left.
    """
    turn = 1 if dark == (sum(a) % 2 == 1) else -1
    i, j = turn * (b[1] - a[1]), turn * (a[0] - b[0])  # down, right
    i, j = 5 * i, 5 * j
    tip = f"L{x + j:g} {y + i:g}"
    wings = [(x + s * i * 0.6, y + s * j * 0.6) for s in (1, -1)]
    heads = "".join(f"M{u:g} {v:g}{tip}" for u, v in wings)
    return f'<path d="M{x - j:g} {y - i:g}{tip}{heads}" fill="none" stroke="#222222"/>'


def _name(name: str, x: float, y: float) -> str:
    """Return a name as strokes: a letter, perhaps a prime, and a number below."""
    letter, rest = name[0], name[1:]
    prime, rest = rest.startswith("'"), rest.removeprefix("'")
    x -= 3.4 * (len(rest) > 0)
    if letter in _SMALL:
        strokes, high = _small(letter, x, y), 6
    else:
        strokes, high = text_path(letter, x, y, 9.0), 9
    if prime:
        strokes += f"M{x + 6:g} {y + 3.5 - high:g}l-1 3"
    if rest:
        strokes += text_path(rest, x + 5, y + 4.5, 5.5, anchor="start")
    return f'<path d="{strokes}" fill="none" stroke="{_INK}" stroke-width="1.1"/>'


def _small(letter: str, x: float, y: float) -> str:
    """Return a small letter as strokes; `y` is the middle of a capital."""
    runs = (
        "L".join(f"{x - 2.4 + 0.8 * i:g} {y - 0.3 + 0.8 * j:g}" for i, j in run)
        for run in _SMALL[letter]
    )
    return "".join(f"M{run}" for run in runs)
