"""The search of the maze on trial before its SAT oracle."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.errors import OptionError
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.sample import Weights, sample
from solver.puzzles.maze.sat import MazeSat
from solver.puzzles.maze.solve import counted, solve

# Few X and ?, where most routes would end at once, and few U: long routes, of up to 33
# moves in 300 mazes of up to 8 x 8, where six letters alike give 21.
WINDING = Weights.parse("S=8,R=8,U=4,L=8,X=1,?=2")


@dataclass(frozen=True, slots=True)
class Trial:
    """What came out: how much was compared, and the first fault, if there was one.

    Attributes
    ----------
    entries : int
        How many entries were compared.
    hopeless : int
        How many of them do not lead to the goal.
    longest : int
        The most moves that an entry needs, 0 if none leads to the goal.
    fault : str or None
    """

    entries: int
    hopeless: int
    longest: int
    fault: str | None


def trial(
    mazes: int,
    size: int,
    weights: Weights = WINDING,
    *,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Trial:
    """Compare the fewest moves from every entry of random mazes, up to the first fault.

    Rows and columns are drawn from 1 to `size` for each maze. A maze of up to 8 x 8
    takes about 20 ms, one of up to 20 x 20 a second.

    Raises
    ------
    OptionError
        If the size is not in 1 to 20, or the number of mazes is negative.

    Examples
    --------
    >>> trial(20, 3, seed=5)
    Trial(entries=170, hopeless=87, longest=9, fault=None)
    """
    if not 1 <= size <= 20:
        raise OptionError(f"size {size} is not in 1 to 20")
    if mazes < 0:
        raise OptionError(f"{mazes} mazes are fewer than none")
    rng = np.random.default_rng(seed)
    entries = hopeless = longest = 0
    for _ in range(mazes):
        rows, cols = (int(side) for side in rng.integers(1, size + 1, size=2))
        codes = sample(1, rows, cols, weights=weights, seed=rng)[0]
        maze = Maze.from_codes(codes)
        routes, moves = MazeSat(maze).routes(), solve(maze).moves
        for entry, route, found in zip(maze.entries, routes, moves, strict=True):
            said = len(route.cells) if route else None
            if said != found:
                fault = (
                    f"{maze!r}, {entry}: the oracle says {_said(said)}, "
                    f"the search {_said(found)}"
                )
                return Trial(entries, hopeless, longest, fault)
            entries += 1
            hopeless += found is None
            longest = max(longest, found or 0)
        progress()
    return Trial(entries, hopeless, longest, None)


def _said(moves: int | None) -> str:
    return "no way" if moves is None else counted(moves)
