"""A rule picture as a value: signs at offsets from the live end, believed in nothing.

What is left out is said: lines ahead are the author's argument, not a condition.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from heuristic.pictures.elements import (
    Comment,
    Elements,
    Shape,
    load_elements,
    read_elements,
)
from heuristic.pictures.signs import Sign, fits, read_sign
from heuristic.rules.drawing import Offset
from solver.errors import PictureError

SIDE = 30  # columns and rows, at most; the widest picture known has 11
_CELL = re.compile(r" (\d{1,3}) (\d{1,3}) (\d{1,2}) ")
_BLOCK = re.compile(r"[1-5]")  # ends a block of cells
_AHEAD = (9, 10)  # numbers of lines ahead in the last edition
_GRID = ("gray", "0.02")


@dataclass(frozen=True, slots=True)
class Picture:
    """One rule picture.

    Attributes
    ----------
    file : str
    signs : tuple of ((left, ahead), Sign)
        In the order of the file; a cell may have several, such as free and forbidden.
    turns : tuple of str
        Quarter turns that are tried, as in a rule file; ``0`` alone if none is told.
    tells_turns : bool
        Whether the file says how the picture is turned; the last edition does not.
    lines : int
        Lines ahead that are drawn, and left out here.
    """

    file: str
    signs: tuple[tuple[Offset, Sign], ...]
    turns: tuple[str, ...]
    tells_turns: bool
    lines: int

    def having(self, *signs: Sign) -> list[Offset]:
        """Return the offsets with one of these signs, in order."""
        return [at for at, sign in self.signs if sign in signs]

    def cell(self, at: Offset) -> tuple[int, int]:
        """Return column and row of an offset, counted from 1, for messages."""
        left = max(a for (a, _), _ in self.signs)
        ahead = max(b for (_, b), _ in self.signs)
        return left - at[0] + 1, ahead - at[1] + 1


def load_picture(path: Path) -> Picture:
    """Read a picture file.

    Raises
    ------
    PictureError
        Naming the file, the line and the cell, and what is wrong.
    """
    return _picture(load_elements(path))


def read_picture(data: bytes, file: str = "<bytes>") -> Picture:
    """Read the bytes of a picture; errors as `load_picture`."""
    return _picture(read_elements(data, file))


def _picture(elements: Elements) -> Picture:
    if max(elements.columns, elements.rows) > SIDE:
        why = f"{elements.columns} columns and {elements.rows} rows are above {SIDE}"
        raise PictureError(elements.file, why)
    reader = _Cells(elements)
    reader.read()
    live = [at for at, sign in reader.found if sign is Sign.LIVE]
    if len(live) != 1:
        why = f"the picture has {len(live)} live ends" if live else "no live end"
        raise PictureError(elements.file, why)
    column, row = live[0]
    signs = tuple(((column - c, row - r), sign) for (c, r), sign in reader.found)
    if any(at == (0, -1) and sign is not Sign.FORBIDDEN for at, sign in signs):
        why = "the cell behind the live end is the walk, and nothing else"
        raise PictureError(elements.file, why, cell=(column + 1, row + 2))
    flags = elements.flags
    turns = ["0", *(["cw"] * flags[0] + ["ccw"] * flags[1] if flags else ())]
    return Picture(elements.file, signs, tuple(turns), bool(flags), reader.ahead)


class _Cells:
    """Goes through the elements, one comment with its shapes after the other."""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.found: list[tuple[tuple[int, int], Sign]] = []
        self.ahead = 0

    def fail(
        self, why: str, line: int | None = None, cell: tuple[int, int] | None = None
    ) -> NoReturn:
        shown = (cell[0] + 1, cell[1] + 1) if cell else None
        raise PictureError(self.elements.file, why, line=line, cell=shown)

    def read(self) -> None:
        inside, at = self.elements.inside, 0
        while at < len(inside):
            one, at = inside[at], at + 1
            if isinstance(one, Shape):
                self._loose(one)
                continue
            shapes: list[Shape] = []
            while at < len(inside):
                following = inside[at]
                if not isinstance(following, Shape):
                    break
                shapes.append(following)
                at += 1
            for shape in shapes[self._comment(one, shapes) :]:
                self._loose(shape)
        if not self.found:
            self.fail("no cell is drawn as the rule editor does")

    def _comment(self, comment: Comment, shapes: list[Shape]) -> int:
        """Read a comment; return how many of the shapes behind it belong to it."""
        if _BLOCK.fullmatch(comment.text):
            return 0
        match = _CELL.fullmatch(comment.text)
        if match is None:
            self.fail(f"the comment {comment.text[:40]!r} is no cell", comment.line)
        column, row, number = int(match[1]) - 1, int(match[2]) - 1, int(match[3])
        cell = (column, row)
        size = self.elements.columns, self.elements.rows
        if not (0 <= column < size[0] and 0 <= row < size[1]):
            why = f"the cell {column + 1} {row + 1} is outside {size[0]} x {size[1]}"
            self.fail(why, comment.line)
        if not 1 <= number <= 22:
            self.fail(f"the number {number} is none of the editor's", comment.line)
        if number in _AHEAD and (not shapes or _is_line(shapes[0])):
            return 0  # a line ahead: its shapes are looked at as loose ones
        sign = read_sign(shapes, column, row)
        if isinstance(sign, str):
            self.fail(sign, comment.line, cell)
        if not fits(sign[0], number):
            why = f"no edition gives the number {number} to {sign[0].value!r}"
            self.fail(why, comment.line, cell)
        self._put(cell, sign[0], comment.line)
        return sign[1]

    def _put(self, cell: tuple[int, int], sign: Sign, line: int) -> None:
        """Add a sign; a free cell may be marked and forbidden, others are alone."""
        for other, before in self.found:
            if other == cell and (_layer(before) == _layer(sign)):
                self.fail(f"the cell is {before.value!r} already", line, cell)
        self.found.append((cell, sign))

    def _loose(self, shape: Shape) -> None:
        """Judge a shape that belongs to no cell."""
        if (shape.stroke, shape.width) == _GRID:
            return
        if shape.kind == "path" and _is_line(shape):
            self.ahead += shape.stroke == "blue"
            return
        if shape.kind == "circle" and shape.fill == "red":
            return  # the dot of the corner sign
        if shape.kind == "text":
            why = "letters stand for distances: a family, not one drawing"
        elif shape.kind == "rect":
            why = "squares without comments: the picture of a walk, not of a rule"
        elif shape.stroke == "black" and shape.fill == "transparent":
            why = "a border drawn by hand stands for cells that are not drawn"
        elif shape.stroke == "black":
            why = "a walk drawn by hand is no cell that could be read"
        elif shape.stroke == "red":
            why = "a frame drawn by hand is no sign of the rule editor"
        elif shape.opacity == "0.25":
            why = "a band drawn by hand stands for the cells of an area"
        else:
            why = "a shape drawn by hand is no cell that could be read"
        self.fail(why, shape.line)


def _is_line(shape: Shape) -> bool:
    return shape.stroke in ("blue", "white") and shape.fill in ("white", "")


def _layer(sign: Sign) -> int:
    """Return which signs exclude each other: cells, areas, crosses, corners."""
    if sign is Sign.FORBIDDEN:
        return 2
    if sign is Sign.NOT_END:
        return 3
    return int(sign.name.partition("_")[0] in ("PAIR", "IMPAIR", "DETERMINED"))
