"""Rule pictures of the researcher's rule editor, read as rules of a rule file.

The editor writes SVG: a comment with the column and the row of a cell, then the shapes
of its sign. The numbers in the comments changed their meaning between editions of the
editor, the shapes hardly. So a cell is read from its shapes. Marks of areas, which
editions before 2025 had, and shapes drawn by hand are refused. The shapes are those of
the public repository fodorbalint/OneWayLabyrinth (References/rules and rules_sorted,
August 2026) and of its program (class Rules).

The border of an area is read as the program reads it: opaque black is a cell of the
live end's colour, grey one of the other colour. Where two black cells touch by a
corner, the border also has the cell between them on the side of the area (Path.cs,
functions StairAt...). The arrow at its end shows that side.
"""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

from heuristic.rules.drawing import (
    AROUND,
    LIVE_END,
    MOVES,
    AreaSpec,
    Kind,
    Spot,
    area_behind,
    between,
    step,
    written,
)
from heuristic.rules.letters import (
    FORBIDDEN,
    area_table,
    line_marks,
    rows_of,
    rule_text,
)
from heuristic.rules.rulefile import SIDES, parse_rules
from solver.errors import PictureError, RuleError

MOST = 100_000  # bytes; the largest known picture has 6,400
SIDE = 30  # columns and rows, at most; the widest known picture has 11
REASON = "the picture of the source shows the place, and no reason"

_BLACK = "b"  # opaque black: visited or outside, or a border cell
_ARROWS: dict[str, Spot] = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
_OTHERS = dict(zip("lrud", _ARROWS.values(), strict=True))  # at another obstacle
_WAYS = _ARROWS | _OTHERS

_Cell: TypeAlias = tuple[int, int]  # column and row, from 0
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE]-\d{1,2})?"
_TOKEN = re.compile(rf"\s*(?:([MmLlHhVvAaZz])|({_NUMBER})(?![\d.])),?")
_VIEW = re.compile(r"0 0 ([1-9]\d{0,2}) ([1-9]\d{0,2})")
_FLAGS = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<!--\|(True|False)\|(True|False)\|")
_CELL = re.compile(r" (\d{1,3}) (\d{1,3}) (\d{1,2}) ")
_BLOCK = re.compile(r"[1-5]")  # ends a block of cells
_AHEAD = (9, 10)  # numbers of lines ahead in the last edition
_SIZES = {"M": 2, "L": 2, "A": 7, "H": 1, "V": 1}  # numbers after one command
_CONDITION = re.compile(
    r"_(?:(?P<even>E)|(?:(?P<n>\d)|(?P<far>[hv])|\((?P<of>[hv])(?P<more>p1|-1)\))"
    r"(?P<colour>[WB]))(?:_\d)?"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

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
    ("#000000", "1"): _BLACK,
    ("#000000", "0.5"): "%",
    ("#ff0000", "0.15"): _ON_RED,
    ("#ffd9d9", "1"): _ON_RED,
    ("#0000ff", "0.15"): _ON_BLUE,
}


@dataclass(frozen=True, slots=True)
class RulePicture:
    """A rule picture; cells are (row, col) from the live end, in the file's order.

    - `live`: the live end in the file.
    - `cells`: letters of the rule language: one of ``@.%#FG``, an arrow, one of
      ``lrud`` for an arrow at another obstacle, or ``b`` for opaque black.
    - `crosses`: forbidden cells.
    - `turns`: quarter turns, as in a rule file; empty where the file gives none, as in
      the last edition.
    - `ahead`: cells of the blue lines. The walk runs there later, so they are free now.
    """

    file: str
    live: _Cell
    cells: dict[Spot, str]
    crosses: list[Spot]
    not_end: list[Spot]
    turns: list[str]
    ahead: set[Spot]

    def having(self, letters: Iterable[str]) -> list[Spot]:
        """Return the cells with one of these letters, in order."""
        return [at for at, letter in self.cells.items() if letter in letters]

    def fail(self, why: str, at: Spot | None = None) -> NoReturn:
        """Raise `PictureError`; the cell's column and row are shown, from 1."""
        column, row = self.live
        cell = None if at is None else (column + at[1] + 1, row + at[0] + 1)
        raise PictureError(self.file, why, cell=cell)


# From the file to a picture -----------------------------------------------------


def read_picture(data: bytes, file: str = "<bytes>") -> RulePicture:
    """Return the picture that the bytes of an SVG file hold.

    Raises `PictureError` with the file and the cell.
    """
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
    turns = list[str]()
    if flags := _FLAGS.match(text):
        turned = zip(("cw", "ccw"), flags.groups(), strict=True)
        turns = ["0", *(turn for turn, flag in turned if flag == "True")]
    return _Reader(file, root).picture(turns)


@dataclass(frozen=True, slots=True)
class _Shape:
    """An element of the file; its path is commands with their numbers."""

    tag: str
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
        """Return the path with all places counted from the corner of a cell."""
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
    """Reads the elements, one comment with the shapes after it at a time."""

    def __init__(self, file: str, root: ET.Element) -> None:
        self.file = file
        self.layers: dict[str, dict[_Cell, str]] = {"cell": {}, "cross": {}, "end": {}}
        self.ahead: set[_Cell] = set()
        view = _VIEW.fullmatch(root.get("viewBox", ""))
        if view is None:
            self.fail("the viewBox does not give the columns and rows")
        self.size = int(view[1]), int(view[2])
        if max(self.size) > SIDE:
            cells = " x ".join(map(str, self.size))
            self.fail(f"{cells} cells: a side is above {SIDE}")
        groups: list[tuple[str, list[_Shape]]] = [("1", [])]
        for element in root:
            if not isinstance(element.tag, str):
                groups.append((element.text or "", []))
            elif element.tag.rpartition("}")[2] != "style":
                groups[-1][1].append(self.shape(element))
        for text, shapes in groups:
            for shape in shapes[self.read_cell(text, shapes) :]:
                self.read_loose(shape)

    def fail(self, why: str, cell: _Cell | None = None) -> NoReturn:
        shown = (cell[0] + 1, cell[1] + 1) if cell else None
        raise PictureError(self.file, why, cell=shown)

    def picture(self, turns: list[str]) -> RulePicture:
        """Return the picture with its cells counted from the live end."""
        live = [cell for cell, letter in self.layers["cell"].items() if letter == "@"]
        if len(live) != 1:
            self.fail(f"the picture has {len(live) or 'no'} live end{'s' * bool(live)}")
        column, row = live[0]
        behind = column, row + 1
        if behind in self.layers["cell"] or behind in self.layers["end"]:
            self.fail("the cell behind the live end is the walk, and no other", behind)
        cells, crosses, not_end = (
            {(r - row, c - column): letter for (c, r), letter in layer.items()}
            for layer in self.layers.values()
        )
        ahead = {(r - row, c - column) for c, r in self.ahead}
        marks = [*crosses], [*not_end]
        return RulePicture(self.file, live[0], cells, *marks, turns, ahead)

    def shape(self, element: ET.Element) -> _Shape:
        """Return an element as a shape."""
        tag = element.tag.rpartition("}")[2]
        if tag not in ("path", "text", "circle"):
            self.fail(f"the element <{tag[:20]}> is none of the rule editor")
        fill, stroke = (element.get(key, "").lower() for key in ("fill", "stroke"))
        opacity = element.get("fill-opacity", "1")
        width = element.get("stroke-width", "")
        steps = tuple(self.steps(element.get("d", "").strip()))
        return _Shape(tag, fill, opacity, stroke, width, steps)

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

    def read_cell(self, text: str, shapes: Sequence[_Shape]) -> int:
        """Read a comment; return how many of the shapes after it belong to it."""
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
            return 0  # a line ahead belongs to several cells
        cell = column - 1, row - 1
        sign = _sign(cell, shapes)
        if sign is None:
            why = "the shapes are no sign of the rule editor on this cell"
            self.fail(f"{why}; marks of areas are not read", cell)
        layer, letter, count = sign
        if cell in self.layers[layer]:
            self.fail("the cell has two signs", cell)
        self.layers[layer][cell] = letter
        return count

    def read_loose(self, shape: _Shape) -> None:
        """Read a shape that belongs to no cell; the grid and words are ignored."""
        if (shape.stroke, shape.width) == ("gray", "0.02") or shape.tag == "text":
            return
        if shape.tag == "path" and shape.is_line:
            if shape.stroke == "blue":
                self.ahead.update(shape.passed())
        elif (shape.tag, shape.fill) != ("circle", "red"):
            why = "a shape drawn by hand may stand for cells that are not drawn"
            self.fail(f"{why}: draw them in the rule editor")


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


# From a picture to the border of its area ---------------------------------------


def drawn_border(picture: RulePicture) -> AreaSpec | None:
    """Return the area behind the border that black and grey cells draw, uncounted.

    None if no cell is black.

    Raises `PictureError` if a black cell has the wrong colour for its place, or no line
    of the cells leads from the live end to an arrow.
    """
    blacks = picture.having(_BLACK)
    for at in blacks:
        if sum(at) % 2:
            why = "an opaque black cell of the other colour than the live end"
            picture.fail(f"{why} is no border cell", at)
    greys = [at for at in picture.having(".") if sum(at) % 2]
    return _ended(picture, _chain(picture, blacks, greys)) if blacks else None


def _chain(picture: RulePicture, blacks: list[Spot], greys: list[Spot]) -> list[Spot]:
    """Return the cells of a border in order, beginning next to the live end.

    A grey cell next to the live end is a mere free cell if the line can begin with the
    black cell ahead of it.
    """
    cells = {*blacks, *greys}
    cells -= {at for at in ((0, -1), (0, 1)) if (-1, at[1]) in blacks}
    best: list[Spot] = []
    for begin in cells.intersection(AROUND):
        chain = [begin]
        while True:
            left = cells - set(chain)
            nexts = [at for at in left if step(chain[-1], at) in SIDES]
            nexts = nexts or [at for at in left if step(chain[-1], at) in AROUND]
            if len(nexts) != 1:
                break
            chain.append(nexts[0])
        if set(blacks) <= set(chain) and len(chain) > len(best):
            best = chain
    if not best or any(step(best[-1], at) in AROUND for at in cells - set(best)):
        picture.fail("black and grey cells are no line that begins beside the live end")
    return best


def _ended(picture: RulePicture, chain: Sequence[Spot]) -> AreaSpec:
    """Return the area of a border: its wall, its side, and its corners filled."""
    areas = []
    for wall in picture.having(_ARROWS):
        if step(chain[-1], wall) not in AROUND:
            continue
        for side in ("left", "right"):
            line = _filled(chain, side)
            before = line[-2] if len(line) > 1 else LIVE_END
            if step(before, line[-1]) not in SIDES:
                continue
            arrow = _ARROWS[picture.cells[wall]]
            if _side(line[-1], before, wall, arrow) == side:
                areas.append(area_behind(line, wall, side))
    if len(areas) != 1:
        why = "more than one arrow" if areas else "no arrow"
        why += " at the border's end shows on which side the area is"
        picture.fail(why, chain[-1])
    return areas[0]


def _filled(chain: Sequence[Spot], side: str) -> list[Spot]:
    """Return a line with a cell between any two that touch by a corner, on one side."""
    line = [chain[0]]
    for here in chain[1:]:
        before = line[-1]
        back = step(here, before)
        if back not in SIDES:
            for way in between((-back[0], -back[1]), back, side == "left"):
                at = here[0] + way[0], here[1] + way[1]
                line += [at] if step(before, at) in SIDES else []
        line.append(here)
    return line


def _side(end: Spot, before: Spot, wall: Spot, arrow: Spot) -> str | None:
    """Return the side of the line on which the arrow of its wall shows the area.

    The line comes to `end` from `before`. The wall is straight on, or across from
    there, and its arrow runs across the line. Where the wall lies across and the arrow
    runs along, the line turns towards the wall. None in other cases.
    """
    on = step(before, end)
    way = step(end, wall)
    across = way[0] - on[0], way[1] - on[1]
    if across[0] * on[0] + across[1] * on[1] or abs(across[0]) + abs(across[1]) > 1:
        return None
    if arrow[0] * on[0] + arrow[1] * on[1]:
        on = across
    if on == (0, 0):
        return None
    return "left" if arrow == (-on[1], on[0]) else "right"


# From a picture to a rule file ----------------------------------------------------


def surplus_in_name(stem: str, wall: Spot) -> int | None:
    """Return the surplus of white cells that a picture's name gives, or None.

    The author writes it after the name. ``E`` means as many white as black cells, and
    ``1W`` one white cell more. ``vB`` means as many black cells more as the wall lies
    ahead, ``(hp1)W`` one white cell more than it lies to the side.
    """
    match = _CONDITION.fullmatch(stem[stem.find("_") :]) if "_" in stem else None
    if match is None:
        return None
    if match["even"]:
        return 0
    count = int(match["n"] or abs(wall["vh".index(match["far"] or match["of"])]))
    count += {"p1": 1, "-1": -1}.get(match["more"] or "", 0)
    return count if match["colour"] == "W" else -count


def rule_name(stem: str) -> str:
    """Return a rule's name for a picture's.

    >>> rule_name("StairAtEndConvexIn3_(vp1)B_1")
    'stair-at-end-convex-in-3-vp-1-b-1'
    """
    return "-".join(word.lower() for word in _WORD.findall(stem)) or "picture"


def import_rule(
    picture: RulePicture,
    stem: str,
    origin: str,
    *,
    forbid: Sequence[str] = (),
    turns: Sequence[str] = (),
) -> str:
    """Return the rule that a picture draws, as the text of a rule file.

    - `stem`: the name of the picture's file without its end. It names the rule, and
      may give the count of the area.
    - `forbid`: words of `MOVES`, where no cell is crossed.
    - `turns`: quarter turns as in a rule file, where the picture gives none.

    Raises `PictureError` if the forbidden moves or the count of the area are missing,
    or the rule language cannot draw the picture.
    """
    area, notes = drawn_border(picture), []
    if area:
        surplus = surplus_in_name(stem, area.wall)
        if surplus is None:
            picture.fail("the area's count must end the file's name, as in _1W")
        area = replace(area, kind=Kind.WITHIN, low=surplus, high=surplus)
        notes.append("its count stands in the name, not in the picture")
    letters = _cell_letters(picture, area)
    runs = _draw_arrows(picture, letters, area.wall if area else LIVE_END)
    moves = [MOVES[word] for word in forbid]
    crosses = picture.crosses
    if not crosses and not moves:
        picture.fail("no cell is crossed: its forbidden moves must be given")
    if crosses and moves and set(crosses) != set(moves):
        picture.fail("other moves are crossed than those that are given")
    if not crosses:
        notes.append("what it forbids stands beside the picture, not in it")
    for at in crosses or moves:
        letter = letters.get(at, "?")
        if letter not in FORBIDDEN:
            picture.fail(f"the move to {letter!r} cannot be forbidden", at)
        letters[at] = FORBIDDEN[letter]
    others = [at for at in runs if picture.cells[at] in _OTHERS]
    either = others if len(others) > 1 else []  # one of several must be there
    certain = [run for at, run in runs.items() if at not in either]
    for at in (at for run in certain for at in run if letters.get(at, "?") == "?"):
        letters[at] = "#"
    table: dict[str, Any] = {
        "name": rule_name(stem),
        "claim": "unargued",
        "origin": origin,
        "reason": REASON,
        "note": "; ".join(notes),
        "turns": picture.turns or [*turns] or ["0"],
        "one_line": "G" in letters.values() and bool({"F", "f"} & {*letters.values()}),
        "drawing": rows_of(letters),
        "runs": [[*map(written, run)] for run in certain],
        "area": [area_table(area)] if area else [],
        "either": [
            {"drawing": ["@"], "runs": [[*map(written, runs[at])]]} for at in either
        ],
    }
    text = rule_text({key: value for key, value in table.items() if value})
    try:
        parse_rules(text, picture.file)
    except RuleError as error:
        picture.fail(f"has no drawing in the rule language: {error.why}")
    return text


def _cell_letters(picture: RulePicture, area: AreaSpec | None) -> dict[Spot, str]:
    """Return the letters of the area, and of the cells without an arrow."""
    letters = dict.fromkeys(picture.ahead, ".")
    letters |= {at: x for at, x in picture.cells.items() if x not in (*_WAYS, _BLACK)}
    for at in picture.not_end:
        if letters.get(at) != ".":
            picture.fail("not the end cell, and not drawn free", at)
        letters[at] = "K"
    for at, mark in line_marks(area.cells if area else ()).items():
        if letters.get(at, ".") != ".":
            picture.fail("a cell of the area's line is not free", at)
        letters[at] = mark
    return letters


def _draw_arrows(
    picture: RulePicture, letters: dict[Spot, str], wall: Spot
) -> dict[Spot, tuple[Spot, Spot]]:
    """Draw the arrows; return two cells in the walk's order for all but the wall.

    An arrow means the test of the author's program. The walk visited the cell it points
    to later than its own. Where that cell is free, it visited its own cell later than
    the cell before. Cells of blue lines are free.
    """
    runs = {}
    for at, letter in picture.cells.items():
        if at == wall and letter in _ARROWS:
            letters[at] = letter
        elif letter in _WAYS:
            letters[at] = "#" if letter in _ARROWS else "?"
            row, col = _WAYS[letter]
            back, ahead = (at[0] - row, at[1] - col), (at[0] + row, at[1] + col)
            for run in (at, ahead), (back, at):
                if all(letters.get(cell, "?") in "?#%<>^v" for cell in run):
                    runs[at] = run
                    break
            else:
                why = "the walk cannot run that way: both cells beside are free"
                picture.fail(why, at)
    return runs
