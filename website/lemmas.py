"""Pictures of the lemmas of docs/explanation/solid-proof.md: factors as text, as SVG.

`python -m website.lemmas` draws them again. Parts of a factor are in
`website.proofschemes`.

Cells are (row, col) here, a square is named by its upper left cell. In the text of a
factor cells stand two columns and two rows apart, `S` and `T` are its ends, and `-` and
`|` the dark edges; all other cells that touch are joined by light edges.
"""

from dataclasses import dataclass

from solver.svg import text_path
from website.pages import ROOT
from website.proofschemes import SCHEMES
from website.schemes import arc_across, scheme_picture

Cell = tuple[int, int]
Edge = frozenset[Cell]

_CELL, _GAP = 30, 18  # from cell to cell, and beside a panel
_PATH, _LOOPS = "#b03a3a", ("#2457d6", "#2e8b57", "#8a5bc4", "#c77c11")
_MARKS = ("#ffd98a", "#a9dcb6", "#c9b8ee")

_ODD = """
o-o-o
|   |
o o-o o-o
| |   | |
S o-T o-o
"""
_EVEN = """
o-o-S o-o
|     | |
o-o-o o-o
    |
T-o-o
"""
_FLIPS = """
o-o-o-o
|     |
o-o o-o
  | |
o-o o o-o
|   | | |
S   T o-o
"""
_BLOCKED = """
o-o     S
| |     |
o-o o-o o
    | | |
T o-o o o
| |   | |
o-o   o-o
"""
_NOTCH = """
o-o-S T
|     |
o o-o-o
| |
o o-o-o
|     |
o-o-o-o
"""
GADGET = """
o-o-o-o
|     |
o o-o o
| | | |
o o o o
| | | |
o-o o o T
    | | |
  o-o o-o
  |
S-o o-o
    | |
    o-o
"""
SIDEWAYS = """
      o-o
      | |
    o-o o-o
    |     |
  o-o o-o o-o
  |   | |   |
o-o o-o o-o o-o
|   |     |   |
o-o o-o o-o o-o
  |   | |   |
  o-o o-o o-o
    |     |
    o-o o-o
      | |
  S-o o T
    | |
    o o-o
    |   |
    o-o-o
"""


class Factor:
    """A path factor: cells, dark edges, and the ends of its path."""

    def __init__(self, text: str) -> None:
        sign = {
            (r, c): sign
            for r, line in enumerate(text.strip("\n").split("\n"))
            for c, sign in enumerate(line)
            if sign != " "
        }
        self.dark = {
            frozenset({(r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)})
            for (r, c), one in sign.items()
            if one in "-|"
        }
        said = {
            (r // 2, c // 2): one for (r, c), one in sign.items() if one not in "-|"
        }
        self.cells = frozenset(said)
        ends = {one: cell for cell, one in said.items()}
        self.live, self.end = ends["S"], ends["T"]

    def edges(self) -> list[tuple[Cell, Cell]]:
        """Return all edges, the upper or left cell first."""
        pairs = (
            ((r, c), (r + i, c + j)) for r, c in self.cells for i, j in ((0, 1), (1, 0))
        )
        return sorted(pair for pair in pairs if self.cells.issuperset(pair))

    def squares(self) -> list[Cell]:
        """Return all squares of the graph."""
        return sorted(q for q in self.cells if self.cells.issuperset(corners(q)))

    def flip(self, squares: tuple[Cell, ...]) -> None:
        """Exchange dark and light along the sides of squares."""
        for q in squares:
            a, b, c, d = corners(q)
            self.dark ^= {frozenset(side) for side in ((a, b), (b, c), (c, d), (d, a))}

    def components(self) -> list[set[Cell]]:
        """Return the components, the path first."""
        found: list[set[Cell]] = []
        for first in (self.live, *sorted(self.cells)):
            if any(first in part for part in found):
                continue
            part, todo = set[Cell](), [first]
            while todo:
                here = todo.pop()
                if here not in part:
                    part.add(here)
                    todo += [b for edge in self.dark if here in edge for b in edge]
            found.append(part)
        return found

    def heights(self, other: "Factor") -> dict[Cell, int]:
        """Return the heights of Fact 1 towards another factor, square by square."""
        found: dict[Cell, int] = {}
        for r, c in self.squares():
            edge = frozenset({(r, c), (r + 1, c)})
            flow = (edge in self.dark) - (edge in other.dark)
            found[r, c] = found.get((r, c - 1), 0) + flow * (1 if (r + c) % 2 else -1)
        return found


def corners(q: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the corners of a square, clockwise from the upper left one."""
    r, c = q
    return (r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing of a factor.

    Attributes
    ----------
    text : str
    flip : tuple of cells
        Squares that are flipped before it is drawn.
    marks : tuple of tuples of cells
        Squares, each tuple in a colour of its own, the later ones smaller.
    towards : tuple of cells
        Squares whose flip makes the factor towards which heights are written.
    arcs : bool
        Whether the arcs across edges are drawn.
    """

    text: str
    flip: tuple[Cell, ...] = ()
    marks: tuple[tuple[Cell, ...], ...] = ()
    towards: tuple[Cell, ...] = ()
    arcs: bool = False

    def factor(self, more: tuple[Cell, ...] = ()) -> Factor:
        """Return what is drawn, some more squares flipped."""
        factor = Factor(self.text)
        factor.flip(self.flip + more)
        return factor


_STRIP = ((1, 2), (1, 1), (1, 0))  # in _ODD
_MOVE = ((0, 2), (0, 1))  # in _EVEN
_ARM, _INNER, _OUTER = ((2, 1),), ((1, 0),), ((1, 2),)  # in _NOTCH
_PATH_OF_STRIPS = (((4, 2), (3, 2)), ((3, 1), (2, 1)), ((0, 1),))  # in GADGET
PICTURES = {
    "heights": (Panel(_ODD, towards=_STRIP), Panel(_ODD, _STRIP)),
    "arcs": (Panel(_ODD, arcs=True),),
    "flip": (
        Panel(_FLIPS, ((1, 1),), (((1, 1),),)),
        Panel(_FLIPS, (), (((1, 1),), ((2, 2),))),
        Panel(_FLIPS, ((2, 2),), ((), ((2, 2),))),
    ),
    "linked": (
        Panel(_NOTCH, (), (_INNER, _ARM)),
        Panel(_NOTCH, (*_INNER, *_ARM)),
        Panel(_NOTCH, (), (_INNER, _OUTER)),
    ),
    "strips": (
        Panel(_ODD, (), (_STRIP,)),
        Panel(_ODD, _STRIP, (_STRIP,)),
        Panel(_EVEN, (), ((), _MOVE)),
        Panel(_EVEN, _MOVE, ((), _MOVE)),
    ),
    "guided": (Panel(_ODD, (), (_STRIP,), towards=_STRIP, arcs=True),),
    "path": (
        Panel(GADGET, (), _PATH_OF_STRIPS),
        Panel(GADGET, tuple(q for strip in _PATH_OF_STRIPS for q in strip)),
    ),
    "48": (Panel(SIDEWAYS),),
    "dead": (Panel(_BLOCKED, (), (((1, 0), (2, 0)),)),),
}


def lemma_pictures() -> dict[str, str]:
    """Return the pictures by their places."""
    factors = {f"img/lemma-{name}.svg": _drawn(name) for name in PICTURES}
    parts = {
        f"img/lemma-{name}.svg": scheme_picture(schemes, name.upper())
        for name, schemes in SCHEMES.items()
    }
    return factors | parts


def _drawn(name: str) -> str:
    parts, left, low = [], _GAP, 0
    for panel in PICTURES[name]:
        factor = panel.factor()
        rows, cols = (1 + max(cell[i] for cell in factor.cells) for i in (0, 1))
        parts += _panel(panel, factor, left)
        left += (cols - 1) * _CELL + 2 * _GAP
        low = max(low, (rows - 1) * _CELL + 2 * _GAP)
    width = left - _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {low}" '
        f'width="{width}" height="{low}"><title>{name.upper()}</title>'
        f'<rect width="{width}" height="{low}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _panel(panel: Panel, factor: Factor, left: int) -> list[str]:
    def at(r: float, c: float) -> tuple[float, float]:
        return left + c * _CELL, _GAP + r * _CELL

    def line(a: Cell, b: Cell, style: str) -> str:
        (x, y), (to, down) = at(*a), at(*b)
        return f'<path d="M{x:g} {y:g}L{to:g} {down:g}" fill="none" {style}/>'

    parts = []
    for k, squares in enumerate(panel.marks):
        for q in squares:
            x, y = at(*q)
            size = _CELL - 8 * k
            parts.append(
                f'<rect x="{x + 4 * k:g}" y="{y + 4 * k:g}" width="{size}" '
                f'height="{size}" fill="{_MARKS[k]}"/>'
            )
    own = {
        cell: colour
        for part, colour in zip(factor.components(), (_PATH, *_LOOPS), strict=False)
        for cell in part
    }
    for a, b in factor.edges():
        dark = {a, b} in factor.dark
        style = f'"{own[a]}" stroke-width="4"' if dark else '"#cccccc"'
        parts.append(line(a, b, f'stroke={style} stroke-linecap="round"'))
        if panel.arcs:
            parts.append(
                arc_across(*at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), a, b, dark)
            )
    for cell in sorted(factor.cells):
        x, y = at(*cell)
        radius = 6 if cell in (factor.live, factor.end) else 3
        fill = "#ffffff" if cell == factor.end else own[cell]
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{fill}" '
            f'stroke="{own[cell]}" stroke-width="2"/>'
        )
    if panel.towards:
        for q, f in factor.heights(panel.factor(panel.towards)).items():
            x, y = at(q[0] + 0.5, q[1] + 0.5)
            parts.append(
                f'<path d="{text_path(str(f), x, y, 8)}" fill="none" stroke="#222222"/>'
            )
    return parts


if __name__ == "__main__":
    for place, picture in lemma_pictures().items():
        (ROOT / "docs" / place).write_text(picture, encoding="utf-8")
