"""The search of the maze on trial before its SAT oracle."""

from collections.abc import Callable

import numpy as np

from solver.errors import OptionError
from solver.maze.board import Maze
from solver.maze.sample import Weights, sample
from solver.maze.sat import MazeSat
from solver.maze.solve import solve


def disagreement(
    mazes: int,
    size: int,
    weights: Weights,
    *,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> str | None:
    """Compare search and SAT oracle on random mazes; return the first fault, or None.

    Rows and columns are drawn from 1 to `size` for each maze.

    Raises
    ------
    OptionError
        If the size is not in 1 to 20, or the number of mazes is negative.
    """
    if not 1 <= size <= 20 or mazes < 0:
        raise OptionError(f"{mazes} mazes up to {size} x {size}: the size is 1 to 20")
    rng = np.random.default_rng(seed)
    for _ in range(mazes):
        rows, cols = (int(side) for side in rng.integers(1, size + 1, size=2))
        codes = sample(1, rows, cols, weights=weights, seed=rng)[0]
        maze = Maze.from_codes(codes)
        route = MazeSat(maze).route()
        said, found = route and len(route.cells), solve(maze).fewest
        if said != found:
            return f"{maze!r}: the oracle says {said} moves, the search {found}"
        progress()
    return None
