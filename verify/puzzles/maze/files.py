"""Boards of the maze: files, read within bounds, and random ones."""

from solver.board import MAX_CELLS
from solver.errors import OptionError
from solver.files import read_most
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.sample import Weights, sample
from verify.puzzles.maze.stats import first_with

_MOST = 4 * MAX_CELLS  # bytes: a column with line ends of two needs three a cell


def read_maze(file: str) -> Maze:
    """Read a maze from a file, from standard input for ``-``, or draw a random one.

    A random one is ``random:8,seed=4,moves=12,S=2,X=1``: size, the rest may be left
    out. With moves it is the first of 100,000 that needs as many.

    Raises
    ------
    OptionError
        If the file cannot be read or holds too much, or no maze is so random.
    GridFileError
        If it is no maze.
    """
    if file.startswith("random:"):
        return _random(file.removeprefix("random:"))
    name = "standard input" if file == "-" else file
    text = read_most(file, _MOST).decode("utf-8-sig", errors="replace")
    return Maze.parse(text, file=name)


def _random(text: str) -> Maze:
    """Draw the maze that the words after ``random:`` describe.

    >>> _random("2,seed=1,S=1")
    Maze.parse('GS/SS')
    """
    size, *parts = text.split(",")
    numbers = {"size": size, "seed": "0", "moves": "0"}
    weights = [part for part in parts if part.partition("=")[0] not in numbers]
    numbers |= dict(part.split("=", 1) for part in parts if part not in weights)
    for name, number in numbers.items():
        if not (number.isascii() and number.isdecimal() and len(number) < 40):
            raise OptionError(f"{name} {number!r} of a random maze is no number")
    rows, seed, moves = map(int, numbers.values())
    chosen = Weights.parse(",".join(weights)) if weights else Weights()
    if moves == 0:
        return Maze.from_codes(sample(1, rows, rows, weights=chosen, seed=seed)[0])
    maze = first_with(moves, rows, chosen, seed=seed)
    if maze is None:
        raise OptionError(f"no maze of 100,000 needs {moves} moves")
    return maze
