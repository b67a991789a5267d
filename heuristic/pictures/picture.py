"""A rule picture of the researcher's rule editor: signs at offsets from the live end.

The numbers in the comments changed their meaning between editions of the editor, the
shapes hardly. So a cell is read from its shapes. The file is read by expat, one event
after the other; a document type, and with it every entity, is refused before anything
of it is used.

Shapes and numbers are those found in the rule pictures of the public repository
fodorbalint/OneWayLabyrinth (folders References/rules and References/rules_sorted,
August 2026) and in its program (class Rules).
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn, TypeAlias
from xml.parsers import expat

from heuristic.rules.drawing import Spot, box_around
from solver.errors import OptionError, PictureError
from solver.files import read_regular

MOST = 100_000  # bytes; the largest picture known has 6,400
SIDE = 30  # columns and rows, at most; the widest picture known has 11
Cell: TypeAlias = tuple[int, int]  # column and row, from 0

_KNOWN = ("svg", "style", "g", "path", "text", "rect", "circle")
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE]-\d{1,2})?"
_TOKEN = re.compile(rf"\s*(?:([MmLlHhVvAaZz])|({_NUMBER})(?![\d.])),?")
_VIEW = re.compile(r"0 0 (\d{1,3}) (\d{1,3})")
_ROTATED = re.compile(r"rotate\((-?)90, ?(\d{1,3}(?:\.5)?), ?(\d{1,3}(?:\.5)?)\)")
_FLAGS = re.compile(r"\|((?:True|False)\|){2,3}")
_CELL = re.compile(r" (\d{1,3}) (\d{1,3}) (\d{1,2}) ")
_BLOCK = re.compile(r"[1-5]")  # ends a block of cells
_AHEAD = (9, 10)  # numbers of lines ahead in the last edition
_SIZES = {"M": 2, "L": 2, "A": 7, "H": 1, "V": 1}  # numbers of one step


class Sign(Enum):
    """What the rule editor can put on a cell, in words."""

    LIVE = "live end"
    FREE = "free"
    BLACK = "opaque black"  # visited or outside, or a border cell: see `rule`
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
_TIP = "h 0.4 l -0.13 -0.13 l 0.13 0.13 l -0.13 0.13"
_START = f"M 0.3 0.3 v 0.4 v -0.2 {_TIP}"
_END = f"M 0.3 0.5 {_TIP} l 0.13 -0.13 v 0.2 v -0.4"
_CROSS = "M 0.2 0.2 l 0.6 0.6 M 0.2 0.8 l 0.6 -0.6"
_CORNERS = (
    "M 0.3 0.2 v 0.5 h 0.5 h -0.2 a 0.3 0.3 0 0 0 -0.3 -0.3",
    "M 0.2 0.2 v 0.6 h 0.6 h -0.3 a 0.3 0.3 0 0 0 -0.3 -0.3",
)
_NEAR = "M 0.2 0.2 v 0.6 v -0.3 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2"
_FAR = "M 0.2 0.5 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2 l 0.2 -0.2 v 0.3 v -0.6"
_LIVE = ("M 0.5 1 v -0.5", "M 0 1 h 1 v 1 h -1 z", "M 0.5 1 v 0.5")
_ARROWS = {  # shaft and the two strokes of the head, as both editions draw them
    f"{shaft} {joint}": name
    for name, shaft, first, last in (
        ("LEFT", "M 0.8 0.5 h -0.6", "0.2 -0.2 l -0.2 0.2", "0.2 0.2"),
        ("RIGHT", "M 0.2 0.5 h 0.6", "-0.2 -0.2 l 0.2 0.2", "-0.2 0.2"),
        ("UP", "M 0.5 0.8 v -0.6", "-0.2 0.2 l 0.2 -0.2", "0.2 0.2"),
        ("DOWN", "M 0.5 0.2 v 0.6", "-0.2 -0.2 l 0.2 0.2", "0.2 -0.2"),
    )
    for joint in (f"l {first} l {last}", f"m {first} m 0 0 l {last}")
}
_AREAS = {"#008000": "PAIR", "#808000": "IMPAIR", "#ff4000": "DETERMINED"}
_COLOURS = {  # of a full square, with its opacity
    ("#dddddd", "1"): Sign.FREE,
    ("#bcbce2", "1"): Sign.FREE,  # one that cannot be filled later, says the text
    ("#80ff80", "1"): Sign.FREE,  # one that the walk must reach, says the text
    ("#000000", "1"): Sign.BLACK,
    ("#000000", "0.5"): Sign.TAKEN,
}
_RED, _BLUE = (("#ff0000", "0.15"), ("#ffd9d9", "1")), (("#0000ff", "0.15"),)


@dataclass(frozen=True, slots=True)
class Picture:
    """One rule picture.

    - `signs`, tuple of ((row, col), Sign): in the order of the file; a cell may have
      several, such as free and forbidden.
    - `turns`: quarter turns that are tried, as in a rule file; ``0`` alone if none is
      given.
    - `tells_turns`: whether the file says how the picture is turned; the last edition
      does not.
    - `ahead`, frozenset of (row, col): cells of the blue lines: the walk runs there
      later, so they are free now.
    - `drawn_by_hand`: what a shape that belongs to no cell looks like, and its line;
      empty if there is none. Such a shape may stand for cells that the picture leaves
      out.
    """

    file: str
    signs: tuple[tuple[Spot, Sign], ...]
    turns: tuple[str, ...]
    tells_turns: bool
    ahead: frozenset[Spot]
    drawn_by_hand: str = ""

    def having(self, *signs: Sign) -> list[Spot]:
        """Return the cells with one of these signs, in order."""
        return [at for at, sign in self.signs if sign in signs]

    def cell(self, at: Spot) -> tuple[int, int]:
        """Return column and row of a cell, counted from 1, for messages."""
        top, left, _, _ = box_around([cell for cell, _ in self.signs])
        return at[1] - left + 1, at[0] - top + 1


def load_picture(path: Path) -> Picture:
    """Read a picture file; its size is looked at first.

    Raises `PictureError` naming the file, the line and the cell, and what is wrong.
    """
    return read_picture(read_bytes(path, MOST), path.name)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes.

    Raises `PictureError` if it cannot be read, or is larger.
    """
    try:
        return read_regular(path, most)
    except OptionError as error:
        raise PictureError(path.name, f"cannot be read: {error}") from None


def read_picture(data: bytes, file: str = "<bytes>") -> Picture:
    """Read the bytes of a picture; errors as `load_picture`."""
    if len(data) > MOST:
        raise PictureError(file, f"is larger than {MOST:,} bytes, so no rule picture")
    reader = _Reader(file)
    reader.parse(data)
    reader.read()
    live = [at for at, sign in reader.found if sign is Sign.LIVE]
    if len(live) != 1:
        reader.fail(f"the picture has {len(live) or 'no'} live end{'s' * bool(live)}")
    column, row = live[0]
    signs = tuple(((r - row, c - column), sign) for (c, r), sign in reader.found)
    if any(at == (1, 0) and sign is not Sign.FORBIDDEN for at, sign in signs):
        why = "the cell behind the live end is the walk, and nothing else"
        reader.fail(why, cell=(column, row + 1))
    turns = ["0"]
    if reader.flags:
        turns += ["cw"] * reader.flags[0] + ["ccw"] * reader.flags[1]
    ahead = frozenset((r - row, c - column) for c, r in reader.ahead)
    return Picture(file, signs, tuple(turns), bool(reader.flags), ahead, reader.by_hand)


@dataclass(frozen=True, slots=True)
class _Shape:
    """An element that is drawn: what is looked at of it, numbers as text."""

    kind: str
    fill: str
    opacity: str
    stroke: str
    width: str
    path: tuple[str, ...]
    line: int
    outside: bool = False  # of the group that is turned

    def steps(self) -> Iterator[tuple[str, tuple[float, ...]]]:
        """Yield the commands of the path, each with the numbers of one step."""
        command, numbers = "", list[float]()
        for token in self.path:
            if token.isalpha():
                command, numbers = token, []
                if token in "zZ":
                    yield token, ()
                continue
            numbers.append(float(token))
            if len(numbers) == _SIZES.get(command.upper(), 1):
                yield command, tuple(numbers)
                numbers = []

    def at(self, cell: Cell) -> str:
        """Return the path with all places counted from a corner of the grid."""
        out: list[str] = []
        for command, numbers in self.steps():
            if command in ("M", "L", "A"):
                *more, x, y = numbers
                numbers = (*more, x - cell[0], y - cell[1])
            out += [command, *(f"{round(number, 3):g}" for number in numbers)]
        return " ".join(out)

    def cells(self) -> Iterator[Cell]:
        """Yield the cells that a line passes, from the middles of its short pieces."""
        x = y = 0.0
        for command, numbers in self.steps():
            before = x, y
            match command:
                case "M" | "L" | "A":
                    x, y = numbers[-2:]
                case "m" | "l" | "a":
                    x, y = x + numbers[-2], y + numbers[-1]
                case "h":
                    x += numbers[0]
                case "v":
                    y += numbers[0]
            if command in "Mm":
                continue
            pieces = max(1, round(2 * math.dist(before, (x, y))))
            for k in range(pieces):
                part = (k + 0.5) / pieces
                a = before[0] + part * (x - before[0])
                b = before[1] + part * (y - before[1])
                if a != int(a) and b != int(b):  # else between two cells
                    yield math.floor(a), math.floor(b)

    @property
    def is_line(self) -> bool:
        """Whether it is a line ahead, or the white edge of one."""
        return self.stroke in ("blue", "white") and self.fill in ("white", "")


class _Reader:
    """What the parser calls: comments and shapes in order, and nothing unknown.

    `read` then goes through them, one comment with its shapes after the other.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.size = (0, 0)
        self.flags: tuple[bool, ...] = ()  # clockwise, counter-clockwise, side
        # A comment, its line, and the shapes behind it; first those behind none.
        self.inside: list[tuple[str, int, list[_Shape]]] = [("", 0, [])]
        self.found: list[tuple[Cell, Sign]] = []
        self.ahead: set[Cell] = set()
        self.by_hand = ""
        self.open: list[str] = []
        self.turned: tuple[int, float, float] | None = None  # 1 clockwise, -1; about
        self.parser: Any = expat.ParserCreate("utf-8")
        self.parser.StartDoctypeDeclHandler = lambda *_: self.stop(
            "a document type is not allowed"
        )
        self.parser.ProcessingInstructionHandler = lambda *_: self.stop(
            "a processing instruction is not allowed"
        )
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = lambda _: self.open.pop()
        self.parser.CommentHandler = self.comment

    def parse(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            self.fail(f"is not XML: {expat.errors.messages[error.code]}", error.lineno)
        if max(self.size) > SIDE:
            self.fail(
                f"{self.size[0]} columns and {self.size[1]} rows are above {SIDE}"
            )

    def fail(
        self, why: str, line: int | None = None, cell: Cell | None = None
    ) -> NoReturn:
        shown = (cell[0] + 1, cell[1] + 1) if cell else None
        raise PictureError(self.file, why, line=line, cell=shown)

    def stop(self, why: str) -> NoReturn:
        self.fail(why, self.parser.CurrentLineNumber)

    def comment(self, text: str) -> None:
        if self.turned and "g" not in self.open:
            self.stop("a part of the picture was turned by hand")
        if self.open:
            self.inside.append((text, self.parser.CurrentLineNumber, []))
        elif _FLAGS.fullmatch(text):
            self.flags = tuple(word == "True" for word in text.strip("|").split("|"))
        else:
            self.stop(f"a comment outside the picture: {text[:40]!r}")

    def start(self, name: str, found: dict[str, str]) -> None:
        if name not in _KNOWN:
            self.stop(f"the element <{name[:20]}> is none of the rule editor")
        inside = ["svg", "g"] if "g" in self.open else ["svg"]
        if self.open != (inside if name != "svg" else []):
            self.stop(f"the element <{name}> is nested as the rule editor never does")
        self.open.append(name)
        if name == "svg":
            view = _VIEW.fullmatch(found.get("viewBox", ""))
            if view is None or "0" in view.groups():
                self.stop("the viewBox does not give the columns and rows")
            self.size = (int(view[1]), int(view[2]))
        elif name == "g":  # the whole picture, shown lying on its side
            turn = _ROTATED.fullmatch(found.get("transform", ""))
            if self.inside != [("", 0, [])] or turn is None:
                self.stop("a part of the picture was turned by hand")
            self.turned = -1 if turn[1] else 1, float(turn[2]), float(turn[3])
            self.size = self.size[::-1]
        elif name != "style":
            self.inside[-1][2].append(self.shape(name, found))

    def shape(self, name: str, found: dict[str, str]) -> _Shape:
        text, tokens, at = found.get("d", "").strip(), [], 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                self.stop(f"a path holds {text[at : at + 20]!r}")
            tokens.append(token[1] or token[2])
            at = token.end()
        words = (found.get(key, "").lower() for key in ("fill", "stroke"))
        fill, stroke = words
        opacity, width = found.get("fill-opacity", "1"), found.get("stroke-width", "")
        line = self.parser.CurrentLineNumber
        outside = self.turned is not None and "g" not in self.open
        return _Shape(name, fill, opacity, stroke, width, tuple(tokens), line, outside)

    def upright(self, cell: Cell) -> Cell:
        """Return which cell of the picture stands there once it is turned."""
        assert self.turned is not None
        way, x, y = self.turned
        across, down = cell[0] + 0.5 - x, cell[1] + 0.5 - y
        return math.floor(x + way * down), math.floor(y - way * across)

    def read(self) -> None:
        for text, line, shapes in self.inside:
            for shape in shapes[self.cell(text, line, shapes) if line else 0 :]:
                self.loose(shape)
        if not self.found:
            self.fail("no cell is drawn as the rule editor does")

    def cell(self, text: str, line: int, shapes: list[_Shape]) -> int:
        """Read a comment; return how many of the shapes behind it belong to it."""
        fail = self.fail
        if _BLOCK.fullmatch(text):
            return 0
        match = _CELL.fullmatch(text)
        if match is None:
            fail(f"the comment {text[:40]!r} is no cell", line)
        column, row, number = (int(word) for word in match.groups())
        size = self.size
        if not (0 < column <= size[0] and 0 < row <= size[1]):
            fail(f"the cell {column} {row} is outside {size[0]} x {size[1]}", line)
        if number in _AHEAD and (not shapes or shapes[0].is_line):
            return 0  # a line ahead: its shapes are looked at as loose ones
        cell = (column - 1, row - 1)
        found = _read_sign(shapes, cell)
        if isinstance(found, str):
            fail(found, line, cell)
        sign, count = found
        for other, before in self.found:
            if other == cell and _layer(before) == _layer(sign):
                fail(f"the cell is {before.value!r} already", line, cell)
        self.found.append((cell, sign))
        return count

    def loose(self, shape: _Shape) -> None:
        """Judge a shape that belongs to no cell."""
        if (shape.stroke, shape.width) == ("gray", "0.02"):
            return  # the grid
        if shape.kind == "path" and shape.is_line:
            if shape.stroke == "blue":
                cells = set(shape.cells())
                turned = self.upright if shape.outside else None
                self.ahead |= set(map(turned, cells)) if turned else cells
            return
        if shape.kind == "text" or (shape.kind == "circle" and shape.fill == "red"):
            return  # the name of a cell, or the dot of the corner sign
        if shape.kind == "rect":
            why = "squares without comments: the picture of a walk, not of a rule"
            self.fail(why, shape.line)
        why = "a shape drawn by hand may stand for cells that are not drawn"
        self.by_hand = self.by_hand or f"line {shape.line}: {why}"


def _read_sign(shapes: list[_Shape], cell: Cell) -> tuple[Sign, int] | str:
    """Return a cell's sign and how many of the shapes make it, or what is wrong."""
    if not shapes:
        return "no shape follows the comment"
    first, rest = shapes[0], [shape.at(cell) for shape in shapes[1:4]]
    drawn, second = first.at(cell), rest[0] if rest else ""
    colour = (first.fill, first.opacity)
    if first.stroke == "red":
        if drawn == _CROSS:
            return Sign.FORBIDDEN, 1
        return (Sign.NOT_END, 1) if drawn in _CORNERS else "the red sign is unknown"
    if drawn == _FRAME:
        kind = _AREAS.get(first.fill)
        if kind is None or first.opacity != "0.25":
            return f"the colour {first.fill} of an area is none of the rule editor"
        glyphs = {_START: "START", _END: "END"}
        if kind == "DETERMINED":
            glyphs[_PLUS] = "ENTRY"
        return Sign[f"{kind}_{glyphs.get(second, 'LINE')}"], 1 + (second in glyphs)
    if drawn != _FULL:
        return "the shape does not stand on the cell that its comment names"
    if colour in _COLOURS:
        return _COLOURS[colour], 1
    if colour not in _RED + _BLUE:
        return f"the colour {first.fill} {first.opacity} is none of the rule editor"
    blue = colour in _BLUE
    if second in _ARROWS:
        return Sign["OTHER_" * blue + _ARROWS[second]], 2
    if blue and second in (_NEAR, _FAR):
        return Sign.NEAR if second == _NEAR else Sign.FAR, 2
    if not blue and second == _PLUS:
        return Sign.VISITED, 2
    if not blue and second == _LIVE[0]:
        return Sign.LIVE, 1 + sum(a == b for a, b in zip(rest, _LIVE, strict=False))
    return "the sign on the coloured cell is none of the rule editor"


def _layer(sign: Sign) -> int:
    """Return which signs exclude each other: cells, areas, crosses, corners."""
    if sign in (Sign.FORBIDDEN, Sign.NOT_END):
        return 2 + (sign is Sign.NOT_END)
    return int(sign.name.partition("_")[0] in ("PAIR", "IMPAIR", "DETERMINED"))
