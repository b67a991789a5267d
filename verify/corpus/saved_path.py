"""The researcher's saved files: positions and the moves he allowed.

A file is one line: ``size|options-x,y;options-x,y;...;options``. There x is the column
and y the row, from 1. The options are the directions allowed before the step: 0 down, 1
right, 2 up, 3 left. The last options, if any, are those at the live end. The reader
checks the others and drops them, as it drops ``:exits`` of old files. All 476 files of
the public repository fodorbalint/OneWayLabyrinth (folder References, August 2026) have
this grammar.
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
    """A saved walk, and the moves that the author's rules allowed at its live end.

    None if they are not stored; a stored empty list looks the same.
    """

    position: Position
    trailer: str | None


def parse_saved_path(text: str, file: str = "<text>") -> SavedPath:
    """Read one saved-path file.

    Raises `SavedPathError` naming the file, the character and why: bad size, bad cell
    or direction, a walk that does not begin at 1,1, jumps or visits a cell twice.

    >>> parse_saved_path("5|1-1,1;0,1-2,1;0,1-3,1;0,1").position
    Position.parse('5:RR')
    """
    match = _SIZE.match(text)
    if match is None:
        raise SavedPathError(file, 1, "expected the board size and '|'")
    if not 1 <= int(match[1]) <= MAX_SIDE:
        why = f"board size {match[1]} is not between 1 and {MAX_SIDE}"
        raise SavedPathError(file, 1, why)
    board, walk, trailer = Board.square(int(match[1])), dict[Cell, None](), None
    char = match.end() + 1
    body = text.removesuffix("\n")[match.end() :].partition(":")[0]
    records = body.split(";")
    form = _RECORD if "-" in body else _CELL  # some files have coordinates only
    for number, record in enumerate(records, 1):
        match = form.fullmatch(record)
        if match is not None:
            x, y = int(match[1]), int(match[2])
            if why := _wrong(board, walk, x, y):
                raise SavedPathError(file, char, why)
            walk[board.cell(y, x)] = None
        elif 1 < number == len(records) and _OPTIONS.fullmatch(record):
            numbers = [int(text) for text in record.split(",") if text]
            trailer = "".join(m for m in "URDL" if _DIRECTIONS.index(m) in numbers)
        else:
            raise SavedPathError(file, char, f"expected 0,1-x,y, found {record[:20]!r}")
        char += len(record) + 1
    return SavedPath(Position(board, tuple(walk)), trailer)


def _wrong(board: Board, walk: dict[Cell, None], x: int, y: int) -> str:
    """Return why a walk, its cells in order, cannot continue with a cell."""
    if not (1 <= x <= board.cols and 1 <= y <= board.rows):
        return f"cell {x},{y} lies outside the board of {board.rows} x {board.cols}"
    cell = board.cell(y, x)
    if not walk:
        return "" if cell == board.start else "the walk does not begin at 1,1"
    if board.direction(next(reversed(walk)), cell) < 0:
        return f"{x},{y} does not touch the cell before"
    return f"{x},{y} was visited already" if cell in walk else ""


def print_saved_path(position: Position, allowed: str = "") -> str:
    """Return a walk as the text that the researcher's program reads.

    Before each step all moves are written; at the live end those `allowed`.

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


def read_saved(path: Path) -> SavedPath:
    """Read a saved walk; raises as `parse_saved_path`, and if it cannot be opened."""
    try:
        text = read_regular(path, _BYTES).decode("ascii")
    except (OptionError, UnicodeDecodeError) as error:
        raise SavedPathError(str(path), 1, f"cannot be read: {error}") from None
    return parse_saved_path(text, str(path))
