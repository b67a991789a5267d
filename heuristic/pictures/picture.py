"""A rule picture of the researcher's rule editor: signs at offsets from the live end.

The numbers in the comments changed their meaning between editions of the editor, the
shapes hardly. So a cell is read from its shapes. Marks of areas, which editions before
2025 had, are not read.

Shapes and numbers are those found in the rule pictures of the public repository
fodorbalint/OneWayLabyrinth (folders References/rules and References/rules_sorted,
August 2026) and in its program (class Rules).
"""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeAlias

from heuristic.rules.drawing import Spot, box_around
from solver.errors import OptionError, PictureError
from solver.files import read_regular

MOST = 100_000  # bytes; the largest picture known has 6,400
SIDE = 30  # columns and rows, at most; the widest picture known has 11
BLACK = "b"  # opaque black: visited or outside, or a border cell: see `rule`
ARROWS: dict[str, Spot] = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
OTHERS = dict(zip("lrud", ARROWS.values(), strict=True))  # at another obstacle

_Cell: TypeAlias = tuple[int, int]  # column and row, from 0
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE]-\d{1,2})?"
_TOKEN = re.compile(rf"\s*(?:([MmLlHhVvAaZz])|({_NUMBER})(?![\d.])),?")
_VIEW = re.compile(r"0 0 ([1-9]\d{0,2}) ([1-9]\d{0,2})")
_ROTATED = re.compile(r"rotate\((-?)90, ?(\d{1,3}(?:\.5)?), ?(\d{1,3}(?:\.5)?)\)")
_FLAGS = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<!--\|(True|False)\|(True|False)\|")
_CELL = re.compile(r" (\d{1,3}) (\d{1,3}) (\d{1,2}) ")
_BLOCK = re.compile(r"[1-5]")  # ends a block of cells
_AHEAD = (9, 10)  # numbers of lines ahead in the last edition
_SIZES = {"M": 2, "L": 2, "A": 7, "H": 1, "V": 1}  # numbers of one step

_FULL = "M 0 0 h 1 v 1 h -1 z"
_CROSS = "M 0.2 0.2 l 0.6 0.6 M 0.2 0.8 l 0.6 -0.6"
_CORNERS = (
    "M 0.3 0.2 v 0.5 h 0.5 h -0.2 a 0.3 0.3 0 0 0 -0.3 -0.3",
    "M 0.2 0.2 v 0.6 h 0.6 h -0.3 a 0.3 0.3 0 0 0 -0.3 -0.3",
)
_LIVE = ("M 0.5 1 v -0.5", "M 0 1 h 1 v 1 h -1 z", "M 0.5 1 v 0.5")
_HEADS = {  # shaft and the two strokes of the head, as both editions draw them
    f"{shaft} {joint}": letter
    for letter, shaft, first, last in (
        ("<", "M 0.8 0.5 h -0.6", "0.2 -0.2 l -0.2 0.2", "0.2 0.2"),
        (">", "M 0.2 0.5 h 0.6", "-0.2 -0.2 l 0.2 0.2", "-0.2 0.2"),
        ("^", "M 0.5 0.8 v -0.6", "-0.2 0.2 l 0.2 -0.2", "0.2 0.2"),
        ("v", "M 0.5 0.2 v 0.6", "-0.2 -0.2 l 0.2 0.2", "0.2 -0.2"),
    )
    for joint in (f"l {first} l {last}", f"m {first} m 0 0 l {last}")
}
# On a red cell stand signs of the walk, on a blue one other obstacles and line ends.
_ON_RED = {**_HEADS, "M 0.3 0.5 h 0.4 M 0.5 0.3 v 0.4": "#", _LIVE[0]: "@"}
_ON_BLUE = {
    **{path: "lrud"["<>^v".index(letter)] for path, letter in _HEADS.items()},
    "M 0.2 0.2 v 0.6 v -0.3 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2": "F",
    "M 0.2 0.5 h 0.6 l -0.2 -0.2 l 0.2 0.2 l -0.2 0.2 l 0.2 -0.2 v 0.3 v -0.6": "G",
}
_COLOURS: dict[tuple[str, str], str | dict[str, str]] = {  # of a square, with opacity
    ("#dddddd", "1"): ".",
    ("#bcbce2", "1"): ".",  # one that cannot be filled later, says the text
    ("#80ff80", "1"): ".",  # one that the walk must reach, says the text
    ("#000000", "1"): BLACK,
    ("#000000", "0.5"): "%",
    ("#ff0000", "0.15"): _ON_RED,
    ("#ffd9d9", "1"): _ON_RED,
    ("#0000ff", "0.15"): _ON_BLUE,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One rule picture; cells are (row, col) from the live end, in the file's order.

    - `cells`: letters of the rule language: one of ``@.%#FG``, an arrow of `ARROWS` or
      `OTHERS`, or `BLACK`.
    - `crosses`: forbidden cells.
    - `not_end`: cells that are not the end cell.
    - `turns`: quarter turns that are tried, as in a rule file; empty where the file
      gives none, as in the last edition.
    - `ahead`: cells of the blue lines: the walk runs there later, so they are free now.
    - `by_hand`: what is wrong with a shape that belongs to no cell; it may stand for
      cells that the picture leaves out. Empty if there is none.
    """

    file: str
    cells: dict[Spot, str]
    crosses: list[Spot]
    not_end: list[Spot]
    turns: tuple[str, ...]
    ahead: set[Spot]
    by_hand: str

    def having(self, letters: Iterable[str]) -> list[Spot]:
        """Return the cells with one of these letters, in order."""
        return [at for at, letter in self.cells.items() if letter in letters]

    def fail(self, why: str, at: Spot | None = None) -> NoReturn:
        """Raise `PictureError`; the cell's column and row are shown, from 1."""
        cell = None
        if at is not None:
            top, left, _, _ = box_around([*self.cells, *self.crosses])
            cell = at[1] - left + 1, at[0] - top + 1
        raise PictureError(self.file, why, cell=cell)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes.

    Raises `PictureError` if it cannot be read, or is larger.
    """
    try:
        return read_regular(path, most)
    except OptionError as error:
        raise PictureError(path.name, f"cannot be read: {error}") from None


def load_picture(path: Path) -> Picture:
    """Read a picture file.

    Raises `PictureError` naming the file, the cell, and what is wrong.
    """
    return read_picture(read_bytes(path, MOST), path.name)


def read_picture(data: bytes, file: str = "<bytes>") -> Picture:
    """Read the bytes of a picture; errors as `load_picture`."""
    if len(data) > MOST:
        raise PictureError(file, f"is larger than {MOST:,} bytes, so no rule picture")
    text = data.decode("utf-8", "replace")
    if re.search(r"<!(?!--)|<\?(?!xml )", text):
        raise PictureError(file, "a document type or an instruction is not allowed")
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    try:
        root = ET.fromstring(text, parser)
    except ET.ParseError as error:
        why = f"is not XML: {error}"
        raise PictureError(file, why, line=error.position[0]) from None
    turns: tuple[str, ...] = ()
    if flags := _FLAGS.match(text):
        turned = zip(("cw", "ccw"), flags.groups(), strict=True)
        turns = ("0", *(turn for turn, flag in turned if flag == "True"))
    return _Reader(file, root).picture(turns)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is looked at of an element; the path as commands with their numbers."""

    kind: str
    fill: str
    opacity: str
    stroke: str
    width: str
    steps: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def is_line(self) -> bool:
        """Whether it is a line ahead, or the white edge of one."""
        return self.stroke in ("blue", "white") and self.fill in ("white", "")

    def at(self, cell: _Cell) -> str:
        """Return the path with all places counted from a corner of the grid."""
        words: list[str] = []
        for command, numbers in self.steps:
            if command in ("M", "L", "A"):
                *more, x, y = numbers
                numbers = (*more, x - cell[0], y - cell[1])
            words += [command, *(f"{round(number, 3):g}" for number in numbers)]
        return " ".join(words)

    def passed(self) -> Iterator[_Cell]:
        """Yield the cells that a line passes, from the middles of its short pieces."""
        x = y = 0.0
        for command, numbers in self.steps:
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
            pieces = max(1, round(2 * math.dist(before, (x, y))))
            for k in range(pieces if command not in "Mm" else 0):
                part = (k + 0.5) / pieces
                a = before[0] + part * (x - before[0])
                b = before[1] + part * (y - before[1])
                if a != int(a) and b != int(b):  # else between two cells
                    yield math.floor(a), math.floor(b)


class _Reader:
    """Goes through the elements, one comment with the shapes behind it at a time.

    Cells are counted from the corner of the picture until the live end is known.

    - `signs`: letters by layer (``cell``, ``cross`` or ``end``) and cell.
    """

    def __init__(self, file: str, root: ET.Element) -> None:
        self.file, self.signs = file, dict[tuple[str, _Cell], str]()
        self.ahead, self.by_hand = set[_Cell](), ""
        view = _VIEW.fullmatch(root.get("viewBox", ""))
        if view is None:
            self.fail("the viewBox does not give the columns and rows")
        self.size = int(view[1]), int(view[2])
        elements = [one for one in root if _tag(one) != "style"]
        turn, outside = None, list[ET.Element]()
        if elements and _tag(elements[0]) == "g":  # it is shown lying on its side
            group, *outside = elements
            turn = _ROTATED.fullmatch(group.get("transform", ""))
            if turn is None or not all(map(_tag, outside)):
                self.fail("a part of the picture was turned by hand")
            self.size, elements = self.size[::-1], [*group]
        if max(self.size) > SIDE:
            self.fail(
                f"{' x '.join(map(str, self.size))} cells: a side is above {SIDE}"
            )
        groups: list[tuple[str, list[_Shape]]] = [("1", [])]
        for one in elements:
            if _tag(one):
                groups[-1][1].append(self.shape(one))
            else:
                groups.append((one.text or "", []))
        for text, shapes in groups:
            for shape in shapes[self.cell(text, shapes) :]:
                self.loose(shape)
        for one in outside:
            self.loose(self.shape(one), turn)

    def fail(self, why: str, cell: _Cell | None = None) -> NoReturn:
        shown = (cell[0] + 1, cell[1] + 1) if cell else None
        raise PictureError(self.file, why, cell=shown)

    def picture(self, turns: tuple[str, ...]) -> Picture:
        """Return the picture with its cells counted from the live end."""
        if not self.signs:
            self.fail("no cell is drawn as the rule editor does")
        live = [cell for (_, cell), letter in self.signs.items() if letter == "@"]
        if len(live) != 1:
            self.fail(f"the picture has {len(live) or 'no'} live end{'s' * bool(live)}")
        column, row = live[0]
        if {
            ("cell", (column, row + 1)),
            ("end", (column, row + 1)),
        } & self.signs.keys():
            why = "the cell behind the live end is the walk, and nothing else"
            self.fail(why, (column, row + 1))
        layers: dict[str, dict[Spot, str]] = {"cell": {}, "cross": {}, "end": {}}
        for (layer, cell), letter in self.signs.items():
            layers[layer][cell[1] - row, cell[0] - column] = letter
        ahead = {(r - row, c - column) for c, r in self.ahead}
        cells, crosses, not_end = layers["cell"], [*layers["cross"]], [*layers["end"]]
        return Picture(self.file, cells, crosses, not_end, turns, ahead, self.by_hand)

    def shape(self, element: ET.Element) -> _Shape:
        kind = _tag(element)
        if kind not in ("path", "text", "rect", "circle"):
            self.fail(f"the element <{kind[:20]}> is none of the rule editor")
        fill, stroke = (element.get(key, "").lower() for key in ("fill", "stroke"))
        opacity, width = element.get("fill-opacity", "1"), element.get("stroke-width")
        steps = tuple(self.steps(element.get("d", "").strip()))
        return _Shape(kind, fill, opacity, stroke, width or "", steps)

    def steps(self, path: str) -> Iterator[tuple[str, tuple[float, ...]]]:
        """Yield the commands of a path, each with the numbers of one step."""
        command, numbers, at = "", list[float](), 0
        while at < len(path):
            token = _TOKEN.match(path, at)
            if token is None:
                self.fail(f"a path holds {path[at : at + 20]!r}")
            at = token.end()
            if token[1]:
                command, numbers = token[1], []
                if command in "zZ":
                    yield command, ()
                continue
            numbers.append(float(token[2]))
            if len(numbers) == _SIZES.get(command.upper(), 1):
                yield command, tuple(numbers)
                numbers = []

    def cell(self, text: str, shapes: Sequence[_Shape]) -> int:
        """Read a comment; return how many of the shapes behind it belong to it."""
        if _BLOCK.fullmatch(text):
            return 0
        match = _CELL.fullmatch(text)
        if match is None:
            self.fail(f"the comment {text[:40]!r} is no cell")
        column, row, number = (int(word) for word in match.groups())
        if not (0 < column <= self.size[0] and 0 < row <= self.size[1]):
            size = " x ".join(map(str, self.size))
            self.fail(f"the cell {column} {row} is outside {size}")
        if number in _AHEAD and (not shapes or shapes[0].is_line):
            return 0  # a line ahead: its shapes are looked at as loose ones
        cell = column - 1, row - 1
        sign = _sign(cell, shapes)
        if sign is None:
            why = "the shapes are no sign of the rule editor on this cell"
            self.fail(f"{why}; marks of areas are not read", cell)
        layer, letter, count = sign
        if (layer, cell) in self.signs:
            self.fail("the cell has two signs", cell)
        self.signs[layer, cell] = letter
        return count

    def loose(self, shape: _Shape, turn: re.Match[str] | None = None) -> None:
        """Read a shape that belongs to no cell, in a picture that may be turned."""
        if (shape.stroke, shape.width) == ("gray", "0.02"):
            return  # the grid
        if shape.kind == "path" and shape.is_line:
            if shape.stroke == "blue":
                self.ahead |= {_upright(cell, turn) for cell in shape.passed()}
        elif shape.kind == "rect":
            self.fail("squares without comments: the picture of a walk, not of a rule")
        elif shape.kind != "text" and (shape.kind, shape.fill) != ("circle", "red"):
            self.by_hand = (
                "a shape drawn by hand may stand for cells that are not drawn"
            )


def _sign(cell: _Cell, shapes: Sequence[_Shape]) -> tuple[str, str, int] | None:
    """Return the layer and the letter of a sign, and how many shapes make it."""
    first, *others = [shape.at(cell) for shape in shapes[:4]] or [""]
    if first == _CROSS and shapes[0].stroke == "red":
        return "cross", "x", 1
    if first in _CORNERS and shapes[0].stroke == "red":
        return "end", "K", 1
    if first != _FULL:
        return None
    letter = _COLOURS.get((shapes[0].fill, shapes[0].opacity), {})
    if isinstance(letter, str):
        return "cell", letter, 1
    sign = letter.get(others[0]) if others else None
    if sign is None:
        return None
    more = sum(a == b for a, b in zip(others, _LIVE, strict=False))
    return "cell", sign, 1 + (more if sign == "@" else 1)


def _upright(cell: _Cell, turn: re.Match[str] | None) -> _Cell:
    """Return which cell stands there once the picture is turned a quarter."""
    if turn is None:
        return cell
    way, x, y = -1 if turn[1] else 1, float(turn[2]), float(turn[3])
    across, down = cell[0] + 0.5 - x, cell[1] + 0.5 - y
    return math.floor(x + way * down), math.floor(y - way * across)


def _tag(element: ET.Element) -> str:
    """Return the name of an element without its namespace; of a comment nothing."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
