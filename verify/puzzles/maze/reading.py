"""Mazes from files, from standard input, and random ones."""

import numpy as np

from solver.board import MAX_CELLS
from solver.errors import OptionError
from solver.files import read_most
from solver.puzzles.maze.board import LETTERS, Maze
from solver.puzzles.maze.solve import solve

_MOST = 4 * MAX_CELLS  # bytes: a column with line ends of two needs three a cell
_TRIES = 10_000  # random mazes tried for one that needs enough moves


def read_maze(file: str) -> Maze:
    """Return the maze of a file, of standard input for ``-``, or a random one.

    ``random:8,seed=4,moves=12`` is the first random maze of 8 x 8 that needs at least
    12 moves. The seed and the moves are optional.

    Raises `OptionError` if the file cannot be read or is too large, or if the
    description of a random maze is wrong; `GridFileError` if the text is not a maze.
    """
    if file.startswith("random:"):
        return _described(file.removeprefix("random:"))
    name = "standard input" if file == "-" else file
    text = read_most(file, _MOST).decode("utf-8-sig", errors="replace")
    return Maze.parse(text, file=name)


def _described(text: str) -> Maze:
    """Return the random maze that the words after ``random:`` describe.

    >>> _described("2,seed=1")
    Maze.parse('GL/X?')
    """
    numbers = {"size": "", "seed": "0", "moves": "0"}
    for part in f"size={text}".split(","):
        name, _, value = part.partition("=")
        if name not in numbers or not (value.isdecimal() and value.isascii()):
            raise OptionError(f"{text[:40]!r} is not like random:8,seed=4,moves=12")
        numbers[name] = value[:40]
    side, seed, moves = map(int, numbers.values())
    if not 1 <= side * side <= MAX_CELLS:
        raise OptionError(f"{side} x {side} is not between 1 and {MAX_CELLS} cells")
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES if moves else 1):
        maze = random_maze(side, side, rng)
        if not moves or (solve(maze).fewest or 0) >= moves:
            return maze
    raise OptionError(f"no maze of {_TRIES:,} needs {moves} moves")


def random_maze(rows: int, cols: int, rng: np.random.Generator) -> Maze:
    """Return a maze with the goal on any cell and all other letters alike."""
    letters = rng.choice([*LETTERS.replace("G", "")], rows * cols)
    letters[rng.integers(rows * cols)] = "G"
    return Maze(tuple("".join(row) for row in letters.reshape(rows, cols)))
