"""The researcher's saved files: positions and the moves he allowed, text or picture.

The text is one line: ``size|options-x,y;options-x,y;...;options`` with x the column and
y the row from 1, options the directions allowed before the step (0 down, 1 right, 2 up,
3 left), and last, if stored, the options at the live end. Options on the way are
checked and left out; so are ``:exits`` of old files. The grammar was found by parsing
all 476 files of the public repository fodorbalint/OneWayLabyrinth (folder References,
August 2026).

What his program reads of a picture (SVG), and what is read here: the board's size,
which is the length of the first line of the grid (or the view, if no grid is drawn);
the cells of the walk, full squares of one of two reds, in the order they are drawn; the
moves that he allowed, faint black squares next to the live end. There ``x`` and ``y``
count columns and rows from 0. All else (grid, lines, areas, cells of lines ahead) is
for the eye. The same repository has pictures of walks.
"""

import re
from pathlib import Path
from typing import NamedTuple

from solver.board import Board, Cell, Position
from solver.errors import OptionError, SavedPathError
from solver.files import read_regular

MAX_SIDE = 999  # of a board that is read
_DIRECTIONS = "DRUL"  # 0 down, 1 right, 2 up, 3 left
_SIZE = re.compile(r"([0-9]{1,4})\|")
_OPTIONS = re.compile(r"(?:[0-3](?:,[0-3])*)?")
_CELL = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")
_RECORD = re.compile(rf"{_OPTIONS.pattern}-{_CELL.pattern}")
_BYTES = 80_000_000  # of a saved walk


class SavedPath(NamedTuple):
    """A saved walk, and what the author's rules allowed at its live end.

    - `trailer`: the moves allowed, letters; None if not stored (a stored empty list
      looks the same).
    """

    position: Position
    trailer: str | None


class _Walk:
    """A walk that is read cell by cell; errors name the file and the character."""

    def __init__(self, size: str, file: str, char: int) -> None:
        if not 1 <= int(size) <= MAX_SIDE:
            why = f"board size {size} is not between 1 and {MAX_SIDE}"
            raise SavedPathError(file, char, why)
        self.board, self.file = Board.square(int(size)), file
        self.cells: dict[Cell, None] = {}

    def cell(self, row: int, col: int, char: int) -> Cell:
        """Return a cell by row and column from 1."""
        if not (1 <= row <= self.board.rows and 1 <= col <= self.board.cols):
            size = f"{self.board.rows} x {self.board.cols}"
            why = f"column {col}, row {row} lies outside the board of {size}"
            raise SavedPathError(self.file, char, why)
        return self.board.cell(row, col)

    def add(self, cell: Cell, char: int) -> None:
        """Extend the walk by a cell."""
        row, col = self.board.row_col(cell)
        why = ""
        if not self.cells:
            if cell != self.board.start:
                why = "the walk does not begin at 1,1"
        elif self.board.direction(next(reversed(self.cells)), cell) < 0:
            why = f"{col},{row} does not touch the cell before"
        elif cell in self.cells:
            why = f"{col},{row} was visited already"
        if why:
            raise SavedPathError(self.file, char, why)
        self.cells[cell] = None

    @property
    def position(self) -> Position:
        """The position at the end of the walk."""
        return Position(self.board, tuple(self.cells))


def parse_saved_path(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved-path file.

    Raises `SavedPathError` naming the file, the character and why: bad size, bad cell
    or direction, a walk that does not begin at 1,1, jumps or visits a cell twice.

    >>> parse_saved_path("5|1-1,1;0,1-2,1;0,1-3,1;0,1").position
    Position.parse('5:RR')
    """
    size = _SIZE.match(text)
    if size is None:
        raise SavedPathError(file, 1, "expected the board size and '|'")
    walk, trailer = _Walk(size[1], file, 1), None
    char = size.end() + 1
    body = text.removesuffix("\n")[size.end() :].partition(":")[0]
    records = body.split(";")
    form = _RECORD if "-" in body else _CELL  # some files have coordinates only
    for number, record in enumerate(records, 1):
        match = form.fullmatch(record)
        if match is not None:
            walk.add(walk.cell(int(match[2]), int(match[1]), char), char)
        elif 1 < number == len(records) and _OPTIONS.fullmatch(record):
            numbers = [int(text) for text in record.split(",") if text]
            trailer = "".join(m for m in "URDL" if _DIRECTIONS.index(m) in numbers)
        else:
            raise SavedPathError(file, char, f"expected 0,1-x,y, found {record[:20]!r}")
        char += len(record) + 1
    return SavedPath(walk.position, trailer)


def print_saved_path(position: Position, allowed: str = "") -> str:
    """Return a walk as the text that the researcher's program reads.

    Before each step all moves are written; at the live end those `allowed`, letters.

    >>> print_saved_path(Position.parse("5:RR"), "D")
    '5|1-1,1;1,0-2,1;1,0-3,1;0'

    Raises `OptionError` if the board is not one of his: square, no walls, ends in the
    corners.
    """
    board = position.board
    if board != Board.square(board.rows):
        raise OptionError(
            f"{board.notation} is no square without walls and with its ends in the "
            "corners, as the saved files of the researcher are"
        )
    records = ["1-1,1"]
    for steps in range(1, len(position.walk)):
        before = position.back(len(position.walk) - steps)
        row, col = board.row_col(position.walk[steps])
        records.append(f"{_numbers(before.options())}-{col},{row}")
    if allowed:
        records.append(_numbers(allowed))
    return f"{board.rows}|{';'.join(records)}"


def _numbers(moves: str | dict[str, Cell]) -> str:
    return ",".join(str(_DIRECTIONS.index(move)) for move in moves)


_RECT = re.compile(r"<rect\b([^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)\s*=\s*"([^"<>]*)"')
_GRID = re.compile(r'd="M 0\.01 0 v (\d{1,4})"', re.ASCII)
_VIEW = re.compile(r'<svg\b[^<>]*viewBox\s*=\s*"0 0 (\d{1,4}) \1"', re.ASCII)
_WHOLE = re.compile(r"\d{1,4}", re.ASCII)
_WALK = ("#e2bcbc", "#ff0000")  # of 2024 and later, and before
_OPTION = "#000000"
_FAINT = re.compile(r"0?\.(?:0\d*|10*)", re.ASCII)  # opacity; darker marks areas
_MOST = 20_000_000  # characters: 999 x 999 cells have fewer


def parse_saved_picture(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved picture.

    Its trailer is None also where no move was allowed: the picture shows the same.

    Raises `SavedPathError` naming the file, the character and why: no picture of a
    board, a walk that does not begin in the upper left corner, jumps or visits a cell
    twice.
    """
    if len(text) > _MOST:
        raise SavedPathError(file, _MOST, "the picture is too long for any board")
    # some pictures were cropped by hand: then the view is not the board
    size = _GRID.search(text) or _VIEW.search(text)
    if size is None:
        raise SavedPathError(file, 1, "no <svg> that gives the size of a board")
    walk, faint = _Walk(size[1], file, size.start() + 1), list[Cell]()
    for rect in _RECT.finditer(text):
        values, char = dict(_ATTRIBUTE.findall(rect[1])), rect.start() + 1
        fill = values.get("fill", "").lower()
        if fill not in (*_WALK, _OPTION) or values.get("width") != "1":
            continue
        x, y = values.get("x", ""), values.get("y", "")
        if not (_WHOLE.fullmatch(x) and _WHOLE.fullmatch(y)):
            why = f"expected a whole x and y, found {x!r} and {y!r}"
            raise SavedPathError(file, char, why)
        cell = walk.cell(int(y) + 1, int(x) + 1, char)
        if fill != _OPTION:
            walk.add(cell, char)
        elif _FAINT.fullmatch(values.get("fill-opacity", "1")):
            faint.append(cell)
    if not walk.cells:
        raise SavedPathError(file, 1, "no walk is drawn: no full red squares")
    position = walk.position
    allowed = [move for move, cell in position.options().items() if cell in faint]
    return SavedPath(position, "".join(allowed) or None)


def read_saved(path: Path) -> SavedPath:
    """Read a saved walk, a picture if the name ends in ``.svg``, else text.

    Raises `SavedPathError` as the readers, and if the file cannot be opened.
    """
    drawn = path.suffix.lower() == ".svg"
    try:
        text = read_regular(path, _BYTES).decode("utf-8-sig" if drawn else "ascii")
    except (OptionError, UnicodeDecodeError) as error:
        raise SavedPathError(str(path), 1, f"cannot be read: {error}") from None
    return (parse_saved_picture if drawn else parse_saved_path)(text, str(path))
