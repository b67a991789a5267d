"""How fast a maze of a million cells is solved."""

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from solver.puzzles.maze import Maze, solve


def test_a_thousand_by_a_thousand(benchmark: BenchmarkFixture) -> None:
    """Nearly every one of its 4,000,000 nodes leads to the goal in the middle."""
    rng = np.random.default_rng(3)
    letters = rng.choice([*"SSSRL?????"], (1000, 1000))
    letters[500, 500] = "G"
    maze = Maze(tuple("".join(row) for row in letters))
    solve(Maze.parse("SG"))  # compile first
    solution = benchmark(solve, maze)
    assert solution.fewest is not None
    assert solution.fewest > 500
    assert np.mean(solution.steps >= 0) > 0.99
