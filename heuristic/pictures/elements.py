"""What stands in a rule picture, in order: comments and shapes, and nothing unknown.

The file is read by expat, one event after the other; a document type, and with it every
entity, is refused before anything of it is used.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from solver.errors import PictureError

MOST = 100_000  # bytes; the largest picture known has 6,400
_KNOWN = ("svg", "style", "path", "text", "rect", "circle")
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{1,9})?|\.\d{1,9})(?:[eE]-\d{1,2})?"
_TOKEN = re.compile(rf"\s*(?:([MmLlHhVvAaZz])|({_NUMBER})(?![\d.])),?")
_VIEW = re.compile(r"0 0 (\d{1,3}) (\d{1,3})")
_FLAGS = re.compile(r"\|((?:True|False)\|){2,3}")
_ABSOLUTE = {"M": 2, "L": 2, "A": 7}  # numbers of one step; the last two are a place


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, without the signs around it."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Shape:
    """An element that is drawn: what is looked at of it, numbers as text."""

    kind: str
    fill: str
    opacity: str
    stroke: str
    width: str
    path: tuple[str, ...]
    line: int

    def at(self, column: int, row: int) -> str:
        """Return the path with all places counted from a corner of the grid.

        >>> from heuristic.pictures.elements import read_elements
        >>> shape = read_elements(
        ...     b'<svg viewBox="0 0 4 4"><path d="M 2.5 4 v -0.5"/></svg>', "a"
        ... ).shapes[0]
        >>> shape.at(2, 3)
        'M 0.5 1 v -0.5'
        """
        out: list[str] = []
        command, place = "", 0
        for token in self.path:
            if token.isalpha():
                command, place = token, 0
                out.append(token)
                continue
            number, size = float(token), _ABSOLUTE.get(command, 0)
            if size and place % size == size - 2:
                number -= column
            if size and place % size == size - 1:
                number -= row
            out.append(f"{round(number, 3):g}")
            place += 1
        return " ".join(out)


@dataclass(frozen=True, slots=True)
class Elements:
    """All of a picture.

    Attributes
    ----------
    file : str
    columns, rows : int
    flags : tuple of bool
        Of the comment before the picture, older editions alone: turned clockwise,
        counter-clockwise, and (the oldest) the side of an area.
    inside : tuple of Comment and Shape, in order
    """

    file: str
    columns: int
    rows: int
    flags: tuple[bool, ...]
    inside: tuple[Comment | Shape, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes alone."""
        return tuple(one for one in self.inside if isinstance(one, Shape))


def load_elements(path: Path) -> Elements:
    """Read a file; its size is looked at first.

    Raises
    ------
    PictureError
        If it cannot be read, is too large, or is no such picture.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero in the name
        reason = getattr(error, "strerror", None) or "is no name of a file"
        raise PictureError(path.name, f"cannot be read: {reason}") from None
    return read_elements(data, path.name)


def read_elements(data: bytes, file: str) -> Elements:
    """Read the bytes of a picture; `file` is the name that errors show."""
    if len(data) > MOST:
        raise PictureError(file, f"is larger than {MOST:,} bytes, so no rule picture")
    reader = _Reader(file)
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.ProcessingInstructionHandler = reader.instruction
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CommentHandler = reader.comment
    reader.parser = parser
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        why = f"is not XML: {expat.errors.messages[error.code]}"
        raise PictureError(file, why, line=error.lineno) from None
    columns, rows = reader.size
    return Elements(file, columns, rows, reader.flags, tuple(reader.inside))


class _Reader:
    """What the parser calls."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.size = (0, 0)
        self.flags: tuple[bool, ...] = ()
        self.inside: list[Comment | Shape] = []
        self.depth = 0
        self.parser: Any = None

    def fail(self, why: str) -> NoReturn:
        raise PictureError(self.file, why, line=self.parser.CurrentLineNumber)

    def doctype(self, *_: object) -> None:
        self.fail("a document type is not allowed")

    def instruction(self, *_: object) -> None:
        self.fail("a processing instruction is not allowed")

    def comment(self, text: str) -> None:
        if self.depth:
            self.inside.append(Comment(text, self.parser.CurrentLineNumber))
        elif _FLAGS.fullmatch(text):
            self.flags = tuple(word == "True" for word in text.strip("|").split("|"))
        else:
            self.fail(f"a comment outside the picture: {text[:40]!r}")

    def start(self, name: str, found: dict[str, str]) -> None:
        self.depth += 1
        if name == "g":
            self.fail("the element <g>: a part of the picture was turned by hand")
        if name not in _KNOWN:
            self.fail(f"the element <{name[:20]}> is none of the rule editor")
        if (name == "svg") != (self.depth == 1) or self.depth > 2:
            self.fail(f"the element <{name}> is nested as the rule editor never does")
        if name == "svg":
            view = _VIEW.fullmatch(found.get("viewBox", ""))
            if view is None or "0" in view.groups():
                self.fail("the viewBox does not tell the columns and rows")
            self.size = (int(view[1]), int(view[2]))
        elif name != "style":
            self.inside.append(self._shape(name, found))

    def end(self, _: str) -> None:
        self.depth -= 1

    def _shape(self, name: str, found: dict[str, str]) -> Shape:
        text, tokens, at = found.get("d", ""), [], 0
        text = text.strip()
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                self.fail(f"a path holds {text[at : at + 20]!r}")
            tokens.append(token[1] or token[2])
            at = token.end()
        return Shape(
            name,
            found.get("fill", "").lower(),
            found.get("fill-opacity", "1"),
            found.get("stroke", "").lower(),
            found.get("stroke-width", ""),
            tuple(tokens),
            self.parser.CurrentLineNumber,
        )
