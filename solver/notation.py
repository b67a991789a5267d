"""The one-line notation of boards and positions, and the picture for terminals.

::

    position = board ":" moves
    moves    = { ( move | "(" move { move } ")" ) [ "^" number ] }
    move     = "U" | "R" | "D" | "L"
    board    = size [ "@" cell ">" cell ] [ "!" cell { ";" cell } ]
    size     = number [ "x" number ]          (rows, cols; one number: a square)
    cell     = number "," number              (row, col, from 1)

Without ``@start>end`` the start is the upper left corner and the end the lower right.
``!`` lists the walls. There is no white space. ``D^36(RRRUUU)^8`` is short for 36 moves
down and eight times the six in parentheses; the canonical text has no such signs.

Shells give ``>``, ``!``, ``;`` and sometimes the comma a meaning. So ``-`` may stand
for ``>``, ``_`` for ``!`` and ``;``, and ``.`` for the comma. The text
``7x9@1.1-7.9_2.2_3.4:RRD`` needs no quotes in any shell and means the same as the
canonical ``7x9@1,1>7,9!2,2;3,4:RRD``.
"""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from solver.errors import BoardError, NotationError

if TYPE_CHECKING:
    from solver.board import Board, Position


Cell: TypeAlias = int
Walk: TypeAlias = tuple[Cell, ...]

LETTERS = "URDL"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (row, col) of U, R, D, L
MAX_CELLS = 1 << 20  # a larger board is a typing error, and would fill the memory

_B = TypeVar("_B", bound="Board")

# The line in a cell by the sides (bits U, R, D, L) that the walk crosses.
_LINES = {0b0101: "│", 0b1010: "─", 0b0011: "└", 0b0110: "┌", 0b1100: "┐", 0b1001: "┘"}
_NUMBER = re.compile("[1-9][0-9]{0,6}(?![0-9])")
_UNQUOTED = {",": ".", ">": "-", "!": "_", ";": "_"}


class _Reader:
    """A cursor over the text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def fail(self, why: str, at: int | None = None) -> NotationError:
        return NotationError(self.text, (self.at if at is None else at) + 1, why)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, wanted: str) -> bool:
        """Step over a character, or what stands for it, if it is next."""
        present = self.peek() in (wanted, _UNQUOTED.get(wanted)) and bool(self.peek())
        self.at += present
        return present

    def name_next(self) -> str:
        return repr(self.peek()) if self.peek() else "the end of the text"

    def number(self, what: str) -> int:
        digits = _NUMBER.match(self.text, self.at)
        if not digits:
            raise self.fail(f"expected {what}, a number from 1 to 9999999")
        self.at = digits.end()
        return int(digits[0])

    def move(self) -> tuple[int, int]:
        """Read a move; return its direction and its place in the text."""
        letter = self.peek()
        if letter not in (*LETTERS,):
            hint = "; moves are capital letters" if letter in (*"urdl",) else ""
            why = f"expected a move U, R, D or L, found {self.name_next()}{hint}"
            raise self.fail(why)
        self.at += 1
        return LETTERS.index(letter), self.at - 1

    def cell(self, rows: int, cols: int, what: str) -> Cell:
        begin = self.at
        row = self.number(f"the row of {what}")
        if not self.take(","):
            raise self.fail(f"expected ',' after the row of {what}")
        col = self.number(f"the column of {what}")
        if row > rows or col > cols:
            why = f"{what} ({row}, {col}) lies outside the board of {rows} x {cols}"
            raise self.fail(why, begin)
        return (row - 1) * cols + col - 1


def _read_board(
    reader: _Reader, make: Callable[..., _B], *, without_ends: bool = False
) -> _B:
    rows = reader.number("the number of rows")
    cols = reader.number("the number of columns") if reader.take("x") else rows
    if rows * cols > MAX_CELLS:
        raise reader.fail(f"{rows} x {cols} are more than {MAX_CELLS} cells", 0)
    start, end = 0, rows * cols - 1
    walls: set[Cell] = set()
    ends_at = reader.at
    if reader.take("@"):
        start = reader.cell(rows, cols, "the start")
        if not reader.take(">"):
            here = reader.text[: reader.at]
            raise reader.fail(f"expected '>' and the end, such as {here}>{rows},{cols}")
        end = reader.cell(rows, cols, "the end")
    more = reader.take("!")
    while more:
        at = reader.at
        wall = reader.cell(rows, cols, "a wall")
        if wall in walls:
            raise reader.fail("this wall was named already", at)
        if wall in (start, end) and not without_ends:
            raise reader.fail("a wall stands on the start or the end", at)
        walls.add(wall)
        more = reader.take(";")
    if without_ends:
        free = [cell for cell in range(rows * cols) if cell not in walls]
        if not free:
            raise reader.fail("every cell is a wall", ends_at)
        start, end = free[0], free[-1]
    try:
        return make(rows, cols, start, end, tuple(walls))
    except BoardError as error:
        raise reader.fail(str(error), ends_at) from None


def parse_board(
    text: str, make: Callable[..., _B], *, without_ends: bool = False
) -> _B:
    """Return the board that `make` makes of a text; see `Board.parse`."""
    reader = _Reader(text)
    board = _read_board(reader, make, without_ends=without_ends)
    if reader.peek():
        raise reader.fail(f"unexpected {reader.peek()!r} after the board")
    return board


def _moves(reader: _Reader) -> Iterator[tuple[int, int]]:
    """Yield directions and places, so that an invalid walk is refused early."""
    while reader.peek():
        opened = reader.take("(")
        moves = [reader.move()]
        while opened and not reader.take(")"):
            moves.append(reader.move())
        times = reader.number("how often") if reader.take("^") else 1
        for _ in range(times):
            yield from moves


def parse_walk(text: str, make: Callable[..., _B]) -> tuple[_B, Walk]:
    """Return board and walk of a position; see `Position.parse`."""
    reader = _Reader(text)
    board = _read_board(reader, make)
    if not reader.take(":"):
        raise reader.fail(f"expected ':' after the board, found {reader.name_next()}")
    neighbours = board.neighbours
    walk = [board.start]
    index = {board.start: 0}
    for d, at in _moves(reader):
        target = int(neighbours[walk[-1], d])
        if target < 0 or target in index:
            why = "leaves the board or enters a wall"
            if target >= 0:
                why = f"enters a cell visited at step {index[target]}"
            raise reader.fail(f"{LETTERS[d]} from {board.row_col(walk[-1])} {why}", at)
        index[target] = len(walk)
        walk.append(target)
    return board, tuple(walk)


def print_board(board: "Board", *, without_ends: bool = False) -> str:
    """Return the canonical text of a board, with or without its ends."""
    text = f"{board.rows}"
    if board.rows != board.cols:
        text += f"x{board.cols}"
    if not without_ends and (board.start, board.end) != (0, board.cells - 1):
        text += f"@{board.name(board.start)}>{board.name(board.end)}"
    if board.walls:
        text += "!" + ";".join(map(board.name, board.walls))
    return text


def unquoted(text: str) -> str:
    """Return a canonical text in characters without a meaning in any shell.

    >>> unquoted("7x9@1,1>7,9!2,2;3,4:RRD")
    '7x9@1.1-7.9_2.2_3.4:RRD'
    """
    return text.translate({ord(a): b for a, b in _UNQUOTED.items()})


def position_text(position: "Position", marked: Collection[Cell] = ()) -> str:
    """Return a position drawn with box-drawing lines, three columns between cells.

    ``○`` is the start, an arrow head the live end, ``◎`` the unvisited end, ``·`` an
    unvisited cell, ``▒`` a marked one, ``█`` a wall.
    """
    board = position.board
    sides = dict.fromkeys(position.walk, 0)
    for a, b in pairwise(position.walk):
        d = board.direction(a, b)
        sides[a] |= 1 << d
        sides[b] |= 1 << (d + 2) % 4
    signs = dict.fromkeys(marked, "▒") | {board.end: "◎"}
    signs |= dict.fromkeys(board.walls, "█")
    signs |= {cell: _LINES.get(crossed, "") for cell, crossed in sides.items()}
    signs |= {position.live_end: "▲▶▼◀"[position.heading], board.start: "○"}
    lines = []
    for row in range(board.rows):
        line = ""
        for cell in range(row * board.cols, (row + 1) * board.cols):
            line += signs.get(cell, "·")
            line += "───" if sides.get(cell, 0) & 0b0010 else "   "
        lines.append(line.rstrip())
    return "\n".join(lines)
