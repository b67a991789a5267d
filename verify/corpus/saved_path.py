"""The researcher's saved files: positions and the moves he allowed, text or picture.

The text is one line: ``size|options-x,y;options-x,y;...;options`` with x the column and
y the row from 1, options the directions allowed before the step (0 down, 1 right, 2 up,
3 left), and last, if stored, the options at the live end. Old files add ``:exits``;
those are read and left out. The grammar was found by parsing all 476 files of the
public repository fodorbalint/OneWayLabyrinth (folder References, August 2026).

What his program reads of a picture (SVG), and what is read here: the board's size,
which is the length of the first line of the grid (or the view, if no grid is drawn);
the cells of the walk, full squares of one of two reds, in the order they are drawn; the
moves that he allowed, faint black squares beside the live end. There ``x`` and ``y``
count columns and rows from 0. All else (grid, lines, areas, cells of lines ahead) is
for the eye. Found by reading the pictures of walks in the same repository.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from solver.board import LETTERS, Board, Cell, Position
from solver.errors import OptionError, SavedPathError
from solver.files import read_regular

MAX_SIDE = 999  # of a board that is read
_DIRECTIONS = "DRUL"  # 0 down, 1 right, 2 up, 3 left


@dataclass(frozen=True, slots=True)
class SavedPath:
    """A saved walk and what the author's rules allowed on the way.

    - `options`: before each step the moves allowed, letters in the order U, R, D, L;
      None where the file says nothing (files of coordinates only).
    - `trailer`: the moves allowed at the live end; None if not stored (which cannot be
      told from a stored empty list).
    """

    position: Position
    options: tuple[str | None, ...]
    trailer: str | None


class _Parts:
    """Reads parts of a text; errors name the file and the character."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, at: int, why: str) -> SavedPathError:
        return SavedPathError(self.file, at + 1, why)

    def number(self, text: str, at: int, what: str) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > 4:
            raise self.fail(at, f"expected {what}, a number, found {text[:20]!r}")
        return int(text)

    def moves(self, text: str, at: int) -> str:
        found = set()
        if text:
            for part in text.split(","):
                if part not in ("0", "1", "2", "3"):
                    why = f"expected a direction 0, 1, 2 or 3, found {part[:20]!r}"
                    raise self.fail(at, why)
                found.add(_DIRECTIONS[int(part)])
                at += len(part) + 1
        return "".join(letter for letter in LETTERS if letter in found)

    def cell(self, text: str, at: int, board: Board) -> Cell:
        x_text, comma, y_text = text.partition(",")
        if not comma:
            raise self.fail(at, f"expected a cell x,y, found {text[:20]!r}")
        x = self.number(x_text, at, "the column of a cell")
        y = self.number(y_text, at + len(x_text) + 1, "the row of a cell")
        if not (1 <= x <= board.cols and 1 <= y <= board.rows):
            why = f"cell {x},{y} lies outside the board of {board.rows} x {board.cols}"
            raise self.fail(at, why)
        return board.cell(y, x)


def parse_saved_path(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved-path file.

    Raises `SavedPathError` naming the file, the character and why: bad size, bad cell
    or direction, a walk that does not begin at 1,1, jumps or visits a cell twice.

    >>> parse_saved_path("5|1-1,1;0,1-2,1;0,1-3,1;0,1").position
    Position.parse('5:RR')
    """
    parts = _Parts(file)
    if text.endswith("\n"):
        text = text[:-1]
    size_text, bar, body = text.partition("|")
    if not bar:
        raise parts.fail(0, "expected the board size and '|'")
    size = parts.number(size_text, 0, "the board size")
    if not 1 <= size <= MAX_SIDE:
        raise parts.fail(0, f"board size {size} is not between 1 and {MAX_SIDE}")
    board = Board.square(size)
    at = len(size_text) + 1
    body, _, _ = body.partition(":")
    normal = "-" in body
    walk: dict[Cell, None] = {}
    options: list[str | None] = []
    trailer: str | None = None
    records = body.split(";")
    for index, record in enumerate(records):
        moves_text, dash, cell_text = record.partition("-")
        cell_at = at + len(moves_text) + 1
        allowed: str | None = None
        if normal and not dash:
            if index < len(records) - 1:
                raise parts.fail(at, f"expected options-x,y, found {record[:20]!r}")
            trailer = parts.moves(record, at)
            break
        if normal:
            allowed = parts.moves(moves_text, at)
        else:
            cell_text, cell_at = record, at
        cell = parts.cell(cell_text, cell_at, board)
        if why := _wrong(walk, cell, board):
            raise parts.fail(cell_at, why)
        walk[cell] = None
        options.append(allowed)
        at += len(record) + 1
    # The first record's options are a dummy: nothing precedes the start.
    return SavedPath(Position(board, tuple(walk)), tuple(options[1:]), trailer)


def _wrong(walk: dict[Cell, None], cell: Cell, board: Board) -> str:
    """Say why a walk, its cells in order, cannot go on with a cell; empty if it can."""
    row, col = board.row_col(cell)
    if not walk:
        return "" if cell == board.start else "the walk does not begin at 1,1"
    if board.direction(next(reversed(walk)), cell) < 0:
        return f"{col},{row} does not touch the cell before"
    return f"{col},{row} was visited already" if cell in walk else ""


def print_saved_path(saved: SavedPath) -> str:
    """Print a saved walk as the researcher's program reads it.

    Where no options are known (None) all moves are written: those that no rule forbids.

    >>> print_saved_path(SavedPath(Position.parse("5:RR"), ("RD", "RD"), "D"))
    '5|1-1,1;1,0-2,1;1,0-3,1;0'

    Raises `OptionError` if the board is not one of his: square, no walls, ends in the
    corners.
    """
    position = saved.position
    board, walk = position.board, position.walk
    if board != Board.square(board.rows):
        raise OptionError(
            f"{board.notation} is no square without walls and with its ends in the "
            "corners, as the saved files of the researcher are"
        )
    records = ["1-1,1"]
    for index, cell in enumerate(walk[1:]):
        allowed = saved.options[index] if index < len(saved.options) else None
        if allowed is None:
            neighbours = board.neighbours[walk[index]].tolist()
            before = set(walk[: index + 1])
            allowed = "".join(
                letter
                for letter, other in zip(LETTERS, neighbours, strict=True)
                if other >= 0 and other not in before
            )
        row, col = board.row_col(cell)
        records.append(f"{_numbers(allowed)}-{col},{row}")
    if saved.trailer:
        records.append(_numbers(saved.trailer))
    return f"{board.rows}|{';'.join(records)}"


def _numbers(moves: str) -> str:
    return ",".join(str(_DIRECTIONS.index(move)) for move in moves)


_RECT = re.compile(r"<rect\b([^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)\s*=\s*"([^"<>]*)"')
_GRID = re.compile(r'd="M 0\.01 0 v (\d{1,4})"')
_VIEW = re.compile(r'<svg\b[^<>]*viewBox\s*=\s*"0 0 (\d{1,4}) \1"')
_WALK = ("#e2bcbc", "#ff0000")  # of 2024 and later, and before
_OPTION, _FAINT = "#000000", 0.1  # darker black marks areas of 2023
_MOST = 20_000_000  # characters: 999 x 999 cells have fewer


def parse_saved_picture(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved picture.

    Its options before the live end are not stored, and neither is whether none was
    allowed there: then the trailer is None.

    Raises `SavedPathError` naming the file, the character and why: no picture of a
    board, a walk that does not begin in the upper left corner, jumps or visits a cell
    twice.
    """
    if len(text) > _MOST:
        raise SavedPathError(file, _MOST, "the picture is too long for any board")
    # some pictures were cropped by hand: then the view is not the board
    found_size = _GRID.search(text) or _VIEW.search(text)
    if found_size is None:
        raise SavedPathError(file, 1, "no <svg> that gives the size of a board")
    size = int(found_size[1])
    if not 1 <= size <= MAX_SIDE:
        why = f"board size {size} is not between 1 and {MAX_SIDE}"
        raise SavedPathError(file, found_size.start() + 1, why)
    board = Board.square(size)
    walk: dict[Cell, None] = {}
    faint: list[Cell] = []
    for rect in _RECT.finditer(text):
        found = dict(_ATTRIBUTE.findall(rect[1]))
        fill = found.get("fill", "").lower()
        if fill not in (*_WALK, _OPTION) or found.get("width") != "1":
            continue
        cell = _cell(found, board, file, rect.start() + 1)
        if fill == _OPTION:
            if _opacity(found) <= _FAINT:
                faint.append(cell)
            continue
        if why := _wrong(walk, cell, board):
            raise SavedPathError(file, rect.start() + 1, why)
        walk[cell] = None
    if not walk:
        raise SavedPathError(file, 1, "no walk is drawn: no full red squares")
    position = Position(board, tuple(walk))
    allowed = [move for move, cell in position.options().items() if cell in faint]
    return SavedPath(position, (None,) * (len(walk) - 1), "".join(allowed) or None)


def _cell(found: dict[str, str], board: Board, file: str, at: int) -> Cell:
    x, y = found.get("x", ""), found.get("y", "")
    for text in (x, y):
        if not (text.isascii() and text.isdigit()) or len(text) > 4:
            raise SavedPathError(file, at, f"expected a whole x and y, found {text!r}")
    if int(x) >= board.cols or int(y) >= board.rows:
        raise SavedPathError(file, at, f"cell x={x} y={y} lies outside the board")
    return board.cell(int(y) + 1, int(x) + 1)


def _opacity(found: dict[str, str]) -> float:
    try:
        return float(found.get("fill-opacity", "1"))
    except ValueError:
        return 1.0


_BYTES = 80_000_000  # of a saved walk


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
