"""The search of the maze on trial before its SAT oracle."""

from collections.abc import Callable

import numpy as np

from solver.errors import OptionError
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.sample import Weights, sample
from solver.puzzles.maze.sat import MazeSat
from solver.puzzles.maze.solve import solve

# Few X and ?, where most routes would end at once, and few U: long routes, of up to 33
# moves in 300 mazes of up to 8 x 8, where six letters alike give 21.
WINDING = Weights.parse("S=8,R=8,U=4,L=8,X=1,?=2")


def trial(
    mazes: int,
    size: int,
    weights: Weights = WINDING,
    *,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> tuple[list[int | None], str | None]:
    """Compare the fewest moves from every entry of random mazes, up to the first fault.

    Rows and columns are drawn from 1 to `size`, at most 20, for each maze. A maze of up
    to 8 x 8 takes about 20 ms, one of up to 20 x 20 a second. Returns the moves of all
    entries that agree, None where there is no way, and the fault if there was one.

    >>> moves, fault = trial(20, 3, seed=5)
    >>> len(moves), moves.count(None), max(filter(None, moves)), fault
    (170, 87, 9, None)
    """
    if not 1 <= size <= 20:
        raise OptionError(f"size {size} is not in 1 to 20")
    if mazes < 0:
        raise OptionError(f"{mazes} mazes are fewer than none")
    rng = np.random.default_rng(seed)
    agreed: list[int | None] = []
    for _ in range(mazes):
        rows, cols = (int(side) for side in rng.integers(1, size + 1, size=2))
        maze = Maze.from_codes(sample(1, rows, cols, weights=weights, seed=rng)[0])
        routes, moves = MazeSat(maze).routes(), solve(maze).moves
        for entry, route, found in zip(maze.entries, routes, moves, strict=True):
            said = len(route.cells) if route else None
            if said != found:
                both = f"moves by the oracle {said}, by the search {found}"
                return agreed, f"{maze!r}, {entry}: {both}"
            agreed.append(found)
        progress()
    return agreed, None
