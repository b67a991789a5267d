"""Positions between pages and the rest: what a page holds, as a `Position` and back."""

from solver.board import Board, Position
from solver.errors import OptionError
from solver.notation import unquoted
from verify.lab.messages import SIDE, Opened, Place


def position_of(place: Place) -> Position:
    """Return the position that a page holds.

    Raises
    ------
    BoardError
        If there is no such board, or no such walk on it.
    """
    board = Board(place.rows, place.cols, place.start, place.end, tuple(place.walls))
    step = {"U": -board.cols, "R": 1, "D": board.cols, "L": -1}
    cell, walk = board.start, [board.start]
    for move in place.moves:
        cell += step[move]
        walk.append(cell)
    return Position(board, tuple(walk))


def read_line(text: str) -> Position:
    """Read a position in one line; a board may stand alone.

    Raises
    ------
    NotationError, BoardError
        If it is none.
    """
    return Position.parse(text if ":" in text else f"{text}:")


def place_of(position: Position) -> Place:
    """Return a position as pages hold it.

    Raises
    ------
    OptionError
        If the board is larger than pages show.
    """
    board = position.board
    if max(board.rows, board.cols) > SIDE:
        raise OptionError(
            f"a board of {board.rows} x {board.cols}; pages show up to {SIDE} x {SIDE}"
        )
    walls = list(board.walls)
    return Place(board.rows, board.cols, board.start, board.end, walls, position.moves)


def opened(number: int, position: Position, note: str = "", rules: str = "") -> Opened:
    """Return the message that opens a position on a page."""
    text = position.notation
    return Opened(number, place_of(position), text, unquoted(text), note, rules)
