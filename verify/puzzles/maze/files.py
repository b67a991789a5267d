"""Files of the maze, read within bounds."""

import sys
from contextlib import nullcontext

from solver.board import MAX_CELLS
from solver.errors import OptionError
from solver.puzzles.maze.board import Maze

_MOST = 4 * MAX_CELLS  # bytes: a column with line ends of two needs three a cell


def read_maze(file: str) -> Maze:
    """Read a maze from a file, or from standard input for ``-``.

    No more is read than the largest maze can have: the input may be endless.

    Raises
    ------
    OptionError
        If the file cannot be read or holds too much.
    GridFileError
        If it is no maze.
    """
    name = "standard input" if file == "-" else file
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as data:
            read = data.read(_MOST + 1)
    except OSError as error:
        raise OptionError(f"cannot read {file}: {error.strerror}") from None
    if len(read) > _MOST:
        raise OptionError(f"{name} holds more than {_MOST} bytes, no maze is as large")
    return Maze.parse(read.decode("utf-8-sig", errors="replace"), file=name)
