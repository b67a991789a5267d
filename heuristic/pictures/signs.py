"""The signs of the rule editor: which shapes on a cell mean what.

The numbers in the comments changed their meaning between editions of the editor, the
shapes hardly. So a cell is read from its shapes; its number must be one that some
edition gave to that sign.

Shapes and numbers are those found in the rule pictures of the public repository
fodorbalint/OneWayLabyrinth (folders References/rules and References/rules_sorted,
August 2026) and in its program (class Rules).
"""

from enum import Enum

from heuristic.pictures.elements import Shape


class Sign(Enum):
    """What the rule editor can put on a cell."""

    LIVE = "live end"
    FREE = "free"
    BLACK = "opaque black"  # visited or outside, or a border cell: see `border`
    TAKEN = "visited or outside"
    VISITED = "visited"
    LEFT = "the walk runs left"
    RIGHT = "the walk runs right"
    UP = "the walk runs up"
    DOWN = "the walk runs down"
    OTHER_LEFT = "another obstacle, the walk runs left"
    OTHER_RIGHT = "another obstacle, the walk runs right"
    OTHER_UP = "another obstacle, the walk runs up"
    OTHER_DOWN = "another obstacle, the walk runs down"
    NEAR = "near end of a future line"
    FAR = "far end of a future line"
    FORBIDDEN = "forbidden"
    NOT_END = "not the end cell"
    PAIR_START = "first cell of an even area"
    PAIR_END = "last cell of an even area"
    PAIR_LINE = "cell of the line of an even area"
    IMPAIR_START = "first cell of an odd area"
    IMPAIR_END = "last cell of an odd area"
    IMPAIR_LINE = "cell of the line of an odd area"
    DETERMINED_START = "first cell of a determined area"
    DETERMINED_END = "last cell of a determined area"
    DETERMINED_LINE = "cell of the line of a determined area"
    DETERMINED_ENTRY = "entry of a determined area"


_FULL = "M 0 0 h 1 v 1 h -1 z"
_FRAME = "M 0 0 h 1 v 1 h -1 v -0.8 h 0.2 v 0.6 h 0.6 v -0.6 h -0.8 z"
_PLUS = "M 0.3 0.5 h 0.4 M 0.5 0.3 v 0.4"
_HEADS = {
    "LEFT": ("M 0.8 0.5 h -0.6", "0.2 -0.2 l -0.2 0.2", "0.2 0.2"),
    "RIGHT": ("M 0.2 0.5 h 0.6", "-0.2 -0.2 l 0.2 0.2", "-0.2 0.2"),
    "UP": ("M 0.5 0.8 v -0.6", "-0.2 0.2 l 0.2 -0.2", "0.2 0.2"),
    "DOWN": ("M 0.5 0.2 v 0.6", "-0.2 -0.2 l 0.2 0.2", "0.2 -0.2"),
}
_TIP = "h 0.4 l -0.13 -0.13 l 0.13 0.13 l -0.13 0.13"
_START = f"M 0.3 0.3 v 0.4 v -0.2 {_TIP}"
_END = f"M 0.3 0.5 {_TIP} l 0.13 -0.13 v 0.2 v -0.4"
_CROSS = "M 0.2 0.2 l 0.6 0.6 M 0.2 0.8 l 0.6 -0.6"
_CORNERS = (
    "M 0.3 0.2 v 0.5 h 0.5 h -0.2 a 0.3 0.3 0 0 0 -0.3 -0.3",
    "M 0.2 0.2 v 0.6 h 0.6 h -0.3 a 0.3 0.3 0 0 0 -0.3 -0.3",
)
_NEAR = "M 0.2 0.2 v 0.6 v -0.3 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2"
_FAR = ("M 0.2 0.5 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2 l 0.2 -0.2 v 0.3 v -0.6",)
_RED, _BLUE = "#ff0000", "#0000ff"
_FAINT = ((_RED, "0.15"), ("#ffd9d9", "1"))  # the second is the first on white
_AREAS = {"#008000": "PAIR", "#808000": "IMPAIR", "#ff4000": "DETERMINED"}
_COLOURS = {  # of a full square, with its opacity
    ("#dddddd", "1"): Sign.FREE,
    ("#000000", "1"): Sign.BLACK,
    ("#000000", "0.5"): Sign.TAKEN,
}
_LIVE = ("M 0.5 1 v -0.5", "M 0 1 h 1 v 1 h -1 z", "M 0.5 1 v 0.5")
_NUMBERS = {
    Sign.LIVE: (1,),
    Sign.FREE: (2,),
    Sign.BLACK: (2, 3, 8),
    Sign.TAKEN: (4, 8),
    Sign.VISITED: (3, 4),
    Sign.LEFT: (3, 4, 5),
    Sign.RIGHT: (5, 6),
    Sign.UP: (6, 7),
    Sign.DOWN: (7, 8),
    Sign.NEAR: (5, 9),
    Sign.FAR: (6, 10),
    Sign.FORBIDDEN: (8, 10, 12),
    Sign.NOT_END: (7, 11),
}


def _glyphs() -> dict[str, str]:
    """Return the arrows of both editions: path and name."""
    found = {}
    for name, (shaft, first, last) in _HEADS.items():
        found[f"{shaft} l {first} l {last}"] = name
        found[f"{shaft} m {first} m 0 0 l {last}"] = name
    return found


_ARROWS = _glyphs()


def read_sign(shapes: list[Shape], column: int, row: int) -> tuple[Sign, int] | str:
    """Return the sign of a cell and how many of the shapes make it, or what is wrong.

    `column` and `row` count from 0. Shapes that follow belong to something else.
    """
    if not shapes:
        return "no shape follows the comment"
    first, second = shapes[0], shapes[1].at(column, row) if len(shapes) > 1 else ""
    drawn = first.at(column, row)
    if first.stroke == "red":
        if drawn == _CROSS:
            return Sign.FORBIDDEN, 1
        if drawn in _CORNERS:
            return Sign.NOT_END, 1
        return "the red sign is none of the rule editor"
    if drawn not in (_FULL, _FRAME):
        return "the shape does not stand on the cell that its comment names"
    if drawn == _FRAME:
        return _area_sign(first, second)
    if (first.fill, first.opacity) in _COLOURS:
        return _COLOURS[first.fill, first.opacity], 1
    if (first.fill, first.opacity) not in (*_FAINT, (_BLUE, "0.15")):
        return f"the colour {first.fill} {first.opacity} is none of the rule editor"
    return _red_or_blue(first.fill == _BLUE, [s.at(column, row) for s in shapes[1:4]])


def _red_or_blue(blue: bool, rest: list[str]) -> tuple[Sign, int] | str:
    second = rest[0] if rest else ""
    if second in _ARROWS:
        return Sign["OTHER_" * blue + _ARROWS[second]], 2
    if blue and second in (_NEAR, *_FAR):
        return Sign.NEAR if second == _NEAR else Sign.FAR, 2
    if not blue and second == _PLUS:
        return Sign.VISITED, 2
    if not blue and second == _LIVE[0]:
        return Sign.LIVE, 1 + sum(a == b for a, b in zip(rest, _LIVE, strict=False))
    return "the sign on the coloured cell is none of the rule editor"


def _area_sign(first: Shape, second: str) -> tuple[Sign, int] | str:
    kind = _AREAS.get(first.fill)
    if kind is None or first.opacity != "0.25":
        return f"the colour {first.fill} of an area is none of the rule editor"
    if second == _START:
        return Sign[f"{kind}_START"], 2
    if second == _END:
        return Sign[f"{kind}_END"], 2
    if second == _PLUS and kind == "DETERMINED":
        return Sign.DETERMINED_ENTRY, 2
    return Sign[f"{kind}_LINE"], 1


def fits(sign: Sign, number: int) -> bool:
    """Whether an edition of the editor gave a sign this number."""
    name = sign.name.removeprefix("OTHER_")
    if Sign[name] in _NUMBERS:
        return number in _NUMBERS[Sign[name]]
    return 9 <= number <= 22
