"""The schemes of docs/explanation/solid-proof.md, by the name of their picture."""

from website.schemes import Scheme, Square

_DOWN: tuple[Square, ...] = ((0, 0), (1, 0))
_DOWN_1: tuple[Square, ...] = ((0, 1), (1, 1))
_DOWN_2: tuple[Square, ...] = ((0, 2), (1, 2))


def _names(
    letter: str, first: int, place: Square, count: int
) -> tuple[tuple[str, Square], ...]:
    """Return names with falling numbers for places one below the other."""
    r, c = place
    return tuple((f"{letter}{first - i}", (r + i, c)) for i in range(count))


_NOTATION = (
    Scheme(
        """
  o=o
  | |
o=o-o=o
  # #
o-o=o-o
  | |
o=o-o=o
  # #
  o-o
""",
        strips=(((0, 1), (1, 1), (2, 1), (3, 1)),),
        squares=(
            *_names("x", 3, (0, 1), 4),
            *_names("u", 2, (1, 0), 2),
            *_names("z", 2, (1, 2), 2),
            ("b", (-1, 1)),
            ("S", (4, 1)),
        ),
        points=(*_names("L", 4, (0, 1), 5), *_names("R", 4, (0, 2), 5)),
    ),
    Scheme(
        """
  o=o
  | |
o=o-o=o
  # #
o-o=o-o
  | |
o=o-o=o
  # #
o-o=o-o
  | |
  o=o
""",
        strips=(((0, 1), (1, 1), (2, 1), (3, 1), (4, 1)),),
        squares=(*_names("x", 4, (0, 1), 5), ("S", (5, 1))),
        points=(*_names("W", 4, (1, 0), 4), *_names("E", 4, (1, 3), 4)),
    ),
)


def _arcs(rows: int, col: int) -> tuple[tuple[Square, Square], ...]:
    """Return the sides of a strip that goes down, and the edges on its left."""
    across = [((r, col), (r, col + 1)) for r in range(rows + 1)]
    along = [((r, c), (r + 1, c)) for r in range(rows) for c in (col, col + 1)]
    left = [((r, col - 1), (r, col)) for r in range(1, rows)]
    return (*across, *along, *left)


_ARCS = (
    Scheme(
        """
    o=o
    | |
  o=o-o
    # #
  o-o=o
    | |
  o=o-o
    # #
    o-o
""",
        strips=(((0, 2), (1, 2), (2, 2), (3, 2)),),
        squares=_names("x", 3, (0, 2), 4),
        arcs=_arcs(4, 2),
    ),
    Scheme(
        """
    o=o
    | |
  o=o-o
    # #
  o-o=o
    | |
    o=o
""",
        strips=(((0, 2), (1, 2), (2, 2)),),
        squares=_names("x", 2, (0, 2), 3),
        arcs=_arcs(3, 2),
    ),
)

_NEUTRAL = (
    Scheme(
        """
o-o
# #
o=o
| |
o=o
""",
        strips=(_DOWN,),
        squares=_names("x", 1, (0, 0), 2),
        points=(*_names("L", 2, (0, 0), 3), *_names("R", 2, (0, 1), 3)),
    ),
    Scheme(
        """
o=o
| |
o=o
# #
o-o
""",
        points=(*_names("L", 2, (0, 0), 3), *_names("R", 2, (0, 1), 3)),
    ),
)

_RUNS: tuple[Square, ...] = ((1, 0), (2, 0))
_BEYOND = """
  o=o
  | |
o=o-o=o
| # #
o-o-o
# #
o-o
"""
_R2B = (
    Scheme(
        _BEYOND,
        strips=(_DOWN_1,),
        squares=(("u", (1, 0)), ("e", (1, 1)), ("x1", (0, 1))),
    ),
    Scheme(
        """
  o=o
  | |
o=o=o=o
| | |
o-o=o
# #
o-o
""",
        strips=((), _RUNS),
        squares=(("u", (1, 0)), ("e", (1, 1))),
    ),
)
_BEHIND = (
    Scheme(
        _BEYOND,
        strips=(_DOWN_1, _RUNS),
        squares=(("u", (1, 0)), ("e", (1, 1)), ("x1", (0, 1)), ("u1", (0, 0))),
    ),
)

_CONTACTS = (
    Scheme(
        """
o-o
# #
o-o=o
| | |
o=o-o
  # #
  o-o
""",
        strips=(((1, 1), (2, 1)), ((1, 0), (0, 0))),
    ),
    Scheme(
        """
o=o
| |
o-o
# #
o-o
# #
o-o
| |
o=o
""",
        strips=(_DOWN, ((3, 0), (2, 0))),
    ),
    Scheme(
        """
o=o
| |
o-o
# #
o-o=o
# | |
o-o=o
""",
        strips=(_DOWN, ((2, 0), (2, 1))),
    ),
    Scheme(
        """
o=o
| |
o-o
# #
o=o
| |
o=o
| |
o-o
# #
o-o
""",
        strips=(((0, 0), (1, 0), (2, 0)), ((3, 0), (4, 0))),
    ),
    Scheme(
        """
o-o
# #
o-o
| |
o=o
| |
o-o
# #
o-o
""",
        strips=(((2, 0), (3, 0)), ((1, 0), (0, 0))),
    ),
)

_K1 = (
    Scheme(
        """
  o=o
  | |
  o=o
  # #
o-o-o=o
# # | |
o-o=o-o
    # #
    o-o
""",
        strips=(((2, 2), (3, 2)), ((2, 1), (1, 1), (0, 1))),
        squares=(("e", (2, 0)), ("u", (2, 1))),
        points=(("v'", (2, 2)), ("v", (3, 2))),
    ),
)

_K2 = (
    Scheme(
        """
o=o=o
| | |
o=o-o
# # #
o-o-o
| # #
o=o-o
  | |
  o=o
""",
        strips=(_DOWN_1, ((3, 1), (2, 1)), ((2, 0), (1, 0), (0, 0))),
        squares=(("x0", (1, 1)), ("S", (2, 1)), ("x1", (0, 1))),
    ),
)

_SIDE = (
    Scheme(
        """
o-o=o=o
# # | |
o-o=o-o
    # #
    o-o
""",
        strips=(_DOWN_2,),
        squares=(("x", (0, 2)), ("q", (0, 1)), ("e", (0, 0))),
        points=(("W'", (0, 1)), ("L'", (0, 2)), ("W", (1, 1)), ("L", (1, 2))),
    ),
    Scheme(
        """
o=o=o
| | |
o=o-o
  # #
  o-o
""",
        strips=(_DOWN_1,),
        squares=(("x", (0, 1)), ("q", (0, 0))),
        points=(("W'", (0, 0)), ("L'", (0, 1)), ("W", (1, 0)), ("L", (1, 1))),
    ),
)

_K4 = (
    Scheme(
        """
  o=o
  | |
  o-o
  # #
  o=o
  | |
o=o=o
  | |
o=o-o
  # #
  o-o
""",
        strips=(((3, 1), (4, 1)), ((0, 1), (1, 1), (2, 1))),
        squares=(("y", (2, 1)), ("x", (3, 1)), ("q", (3, 0))),
        points=(("W'", (3, 0)), ("L'", (3, 1)), ("W", (4, 0)), ("L", (4, 1))),
    ),
)
_K4_END = (
    Scheme(
        """
  o=o
  | |
o=o-o
| # #
*=o-o
| | |
o-o=o
# #
o-o
""",
        strips=(((2, 0), (3, 0)), ((1, 0),), ((0, 1), (1, 1))),
        squares=(("y", (1, 0)), ("e", (1, 1)), ("S", (2, 1))),
        points=(("L0", (2, 1)), ("R0", (2, 2)), ("p", (2, 0))),
        frames=((2, 1), (1, 1)),
    ),
)

_BORDER = (
    Scheme(
        """
  o o
  # #
o=o-o=o
  | | |
o=o-o=o
  # #
  o o
""",
        squares=(("Z", (1, 1)),),
        frames=((1, 2),),
    ),
)

_LAST = (
    Scheme(
        """
  o-o
  # #
o=o-o
| | |
o=o=o
""",
        strips=(_DOWN_1, ((1, 0),)),
        squares=(("u0", (1, 0)),),
    ),
    Scheme(
        """
  o-o
  # #
o=o-o
| | |
o-o=o
# #
o-o
""",
        strips=(_DOWN_1, ((1, 0), (2, 0))),
        squares=(("u0", (1, 0)),),
    ),
    Scheme(
        """
o-o
# #
o-o
| |
o=o
| |
o=o
""",
        strips=(_DOWN, ((2, 0),)),
        squares=(("S", (2, 0)),),
    ),
    Scheme(
        """
o-o
# #
o-o
| |
o=o
| |
o-o
# #
o-o
""",
        strips=(_DOWN, ((2, 0), (3, 0))),
        squares=(("S", (2, 0)),),
    ),
    Scheme(
        """
o-o
# #
o-o
# #
o-o
| |
o=o
""",
        strips=(((1, 0), (2, 0)), ((0, 0),)),
        squares=(("b", (0, 0)),),
    ),
    Scheme(
        """
o-o=o
# | |
o-o=o
# #
o-o
| |
o=o
""",
        strips=(((1, 0), (2, 0)), ((0, 0), (0, 1))),
        squares=(("b", (0, 0)), ("v", (0, 1))),
    ),
)

_SECOND = (
    Scheme(
        """
    o=o
    | |
o-o=o-o
# # # #
o-o-o-o
  # #
  o-o
""",
        strips=(_DOWN_2, ((1, 1),), ((1, 0),)),
        squares=(("u0", (1, 1)), ("e'", (1, 0)), ("e", (1, 2)), ("y2", (2, 1))),
        frames=((2, 1),),
    ),
    Scheme(
        """
  o=o
  | |
  o-o=o
  # # |
o-o-o=o
# # |
o-o o
""",
        strips=(_DOWN_1, ((2, 1),), ((2, 0),)),
        squares=(("S", (2, 1)), ("e'", (2, 0)), ("e", (1, 1)), ("z0", (1, 2))),
        frames=((1, 2),),
    ),
    Scheme(
        """
o=o
| |
o=o=o
# | |
o=o=o
| |
o-o
# #
o-o
""",
        strips=(((2, 0), (3, 0)), ((1, 0),), ((0, 0),)),
        squares=(("b", (1, 0)), ("e'", (0, 0)), ("e", (3, 0)), ("v", (1, 1))),
        frames=((1, 1),),
    ),
)

_END = (
    Scheme(
        """
o-o
| |
o=*
| |
o-o
""",
        squares=(("A", (0, 0)), ("B", (1, 0))),
        points=(("p", (1, 1.75)),),
    ),
    Scheme(
        """
o-o
| #
o-*
| |
o-o
""",
        squares=(("A", (0, 0)), ("B", (1, 0))),
        points=(("p", (1, 1.75)),),
    ),
)
_TURN = (
    Scheme(
        """
  o=o
  | |
o=o-*
  # #
  o-o
""",
        strips=(_DOWN_1,),
        squares=(("A", (0, 1)), ("e", (1, 1))),
        points=(("p", (1, 2.75)),),
    ),
    Scheme(
        """
  o-o
  # #
o=o-*
  | |
  o=o
""",
        squares=(("A", (0, 1)), ("e", (1, 1))),
        points=(("p", (1, 2.75)),),
    ),
    Scheme(
        """
  o=o
  | |
o=o=*
  | |
  o=o
""",
        squares=(("A", (0, 1)), ("e", (1, 1))),
        points=(("p", (1, 2.75)),),
    ),
)

SCHEMES: dict[str, tuple[Scheme, ...]] = {
    "strip": _NOTATION,
    "strip-arcs": _ARCS,
    "neutral": _NEUTRAL,
    "r2b": _R2B,
    "behind": _BEHIND,
    "contacts": _CONTACTS,
    "k1": _K1,
    "k2": _K2,
    "side": _SIDE,
    "k4": _K4,
    "k4-end": _K4_END,
    "border": _BORDER,
    "last": _LAST,
    "second": _SECOND,
    "end": _END,
    "turn": _TURN,
}
