"""How fast mazes are solved: many small, and one of a million cells."""

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from solver.puzzles.maze.board import Maze, Weights, sample
from solver.puzzles.maze.solve import fewest_moves, solve
from verify.puzzles.maze.stats import draw_chunk


def test_ten_thousand_mazes_of_eight(benchmark: BenchmarkFixture) -> None:
    codes = sample(10_000, 8, 8, seed=1)
    fewest_moves(codes[:1])  # compile first
    found = benchmark(fewest_moves, codes)
    assert 0.88 < (found > 0).mean() < 0.92


def test_ten_thousand_mazes_of_eight_drawn_too(benchmark: BenchmarkFixture) -> None:
    draw_chunk(8, Weights(), 1, seed=1, number=0)
    found = benchmark(draw_chunk, 8, Weights(), 10_000, seed=1, number=0)
    assert 0.88 < sum(found.values()) / 10_000 < 0.92


def test_a_thousand_by_a_thousand(benchmark: BenchmarkFixture) -> None:
    """Nearly every one of its 4,000,000 nodes leads to the goal in the middle."""
    weights = Weights.parse("S=3,R=1,L=1,?=5")
    codes = sample(1, 1000, 1000, weights=weights, seed=3)[0]
    codes[codes == 6] = 0
    codes[500, 500] = 6
    maze = Maze.from_codes(codes)
    solve(Maze.parse("SG"))  # compile first
    found = benchmark(solve, maze)
    assert found.fewest is not None
    assert found.fewest > 500
    assert np.mean(found.steps >= 0) > 0.99
