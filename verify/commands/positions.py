"""Boards and positions at the command line: read from words, printed for people."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from solver.board import Board, Position
from solver.errors import NotationError, OptionError
from solver.jit import python_kernels
from solver.mask import mask_board
from solver.notation import picture
from solver.nowalk import check_walkable
from verify.commands.console import say, terminal_columns
from verify.corpus.saved_path import read_saved

# A board that is cut out of a picture, and moves on it.
_PICTURE = re.compile(
    r"(\d[^!_]*)[!_](.+\.(?:png|jpe?g|gif|bmp|webp))(?::([URDL]*))?", re.IGNORECASE
)
_LINE = 20_000_000  # characters of a line; the largest board has fewer
_SMALL = 441  # cells; above, kernels as Python take longer than importing numba


def read_board(
    text: str, *, walkable: bool = True, without_ends: bool = False
) -> Board:
    """Read a board: `9`, `7x9`, with ends and walls, or `40!heart.png`, cut out.

    - `walkable`: refuse a board that plainly has no walk, with the reason.
    - `without_ends`: the ends are the first and the last open cell.
    """
    text = text.removesuffix(":")
    if match := _PICTURE.fullmatch(text):
        board = _cut_out(match)
        return Board.parse(board.notation, without_ends=True) if without_ends else board
    if not text[:1].isdecimal() and (text.endswith(".toml") or text[:1].isalpha()):
        why = "is not a board; boards begin with a digit, as 9 or 7x9"
        raise OptionError(f"{text!r} {why}. Rules go after --rules")
    board = Board.parse(text, without_ends=without_ends)
    if walkable:
        check_walkable(board)
    return board


def _cut_out(match: "re.Match[str]") -> Board:
    size, path, _ = match.groups()
    return mask_board(Path(path), Board.parse(size), with_ends="@" in size)


def parse_position(text: str, where: str = "") -> Position:
    """Read a position; a board alone is the position before the first move.

    - `where`: what an error begins with, such as ``line 3: ``.
    """
    try:
        if match := _PICTURE.fullmatch(text):
            return Position.parse(f"{_cut_out(match).notation}:{match[3] or ''}")
        return Position.parse(text if ":" in text else f"{text}:")
    except NotationError as error:
        if where:
            raise OptionError(f"{where}{error}") from None
        raise


def positions(text: str) -> Iterator[Position]:
    """Yield the positions of an argument: of a file, of standard input, or itself."""
    if text.endswith((".txt", ".svg")):
        yield read_saved(Path(text)).position
    elif text.endswith(".toml"):
        from verify.corpus.cases import load_case  # the library of its schema is large

        yield load_case(Path(text)).position
    elif text != "-":
        yield parse_position(text)
    else:
        for number, line in enumerate(iter(lambda: sys.stdin.readline(_LINE), ""), 1):
            if len(line) == _LINE:
                raise OptionError(f"line {number} has {_LINE:,} characters or more")
            if stripped := line.rstrip("\r\n"):
                yield parse_position(stripped, f"line {number}: ")


def kernels_for(text: str, oracle: str) -> AbstractContextManager[None]:
    """Run kernels as Python, if the argument is one small board.

    Only with the oracles `auto` and `sat`, which are quick without kernels there.
    """
    stream = text == "-" or text.endswith((".txt", ".svg", ".toml"))
    if stream or oracle not in ("auto", "sat"):
        return nullcontext()
    small = parse_position(text).board.cells <= _SMALL
    return python_kernels() if small else nullcontext()


def say_position(position: Position, marked: Sequence[int] = ()) -> None:
    """Print a position as a picture, if the terminal is wide enough, and as a line.

    Unvisited cells that are `marked` are shaded.
    """
    board = position.board
    if 0 < terminal_columns() < 4 * board.cols - 3:
        say(f"{board.rows} x {board.cols} is wider than the terminal: see -o FILE.svg")
    else:
        say(picture(position, marked))
    say(position.notation)
