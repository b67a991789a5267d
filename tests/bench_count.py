"""Counting, ranks and uniform walks: times and memory.

``python -m tests.bench_count`` measures all in one run and prints a table in Markdown;
``--walls`` compares the counts of paths on boards with walls with a plain program.
Under pytest a small part runs once as a check. Times are processor seconds of one
process, after compiling.
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import mean, median

from solver.board import Board, Position
from solver.counting.count import (
    UniformWalks,
    count_completions,
    count_moves,
    rank,
    unrank,
)
from solver.counting.paths import count_paths
from tests.doubles import frontier


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of a call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def count_square(side: int) -> int:
    return count_completions(Position(Board.square(side)))


def _print(
    what: str, times: list[float], middle: Callable[..., float] = median
) -> None:
    value = middle(times)
    text = f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
    print(f"| {what} | {text} |", flush=True)


def step_seconds(side: int) -> list[float]:
    """Return the seconds of counting all moves, for each step of a walk."""
    walk = UniformWalks(Board.square(side), seed=1).draw()
    places = [walk.back(steps) for steps in range(1, len(walk.walk))]
    return [seconds(partial(count_moves, place)) for place in places]


def rank_seconds(side: int) -> tuple[list[float], list[float]]:
    """Return the seconds of ranks and of the ways back, for five walks."""
    walks = UniformWalks(Board.square(side), seed=2)
    five = [walks.draw() for _ in range(5)]
    numbers = [rank(walk) for walk in five]
    assert [unrank(walks.position.board, number) for number in numbers] == five
    there = [seconds(partial(rank, walk)) for walk in five]
    return there, [seconds(partial(unrank, five[0].board, n)) for n in numbers]


def compare_walls(seeds: int) -> float:
    """Count paths on boards with walls; return how many times the double takes."""
    ours = theirs = 0.0
    for seed in range(1, seeds + 1):
        random = Random(seed)
        walls = random.sample(range(1, 71), random.randint(6, 15))
        board = Board(8, 9, walls=tuple(walls))
        ours += seconds(partial(count_paths, board))
        theirs += seconds(partial(frontier.count_paths, board))
        assert count_paths(board) == frontier.count_paths(board), board
    return theirs / ours


def main() -> None:
    for side in (5, 9, 13):
        count_square(side)  # compile
        UniformWalks(Board.square(side), seed=1).draw()
    count_paths(Board.square(3))
    if "--walls" in sys.argv:
        print(
            f"50 boards of 8 x 9: a plain program takes {compare_walls(50):.1f} times"
        )
        return
    print("| what | processor time |\n| --- | --- |")
    for side in (9, 11, 13, 15, 17):
        times = [seconds(partial(count_square, side)) for _ in range(3)]
        _print(f"{side} x {side}", times)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| memory of the process by then | {memory:.0f} MB |")
    for side in (9, 11):
        times = [seconds(partial(count_paths, Board.square(side))) for _ in range(3)]
        _print(f"paths of {side} x {side}", times)
    _print("all moves at each step of a walk on 9 x 9, mean", step_seconds(9), mean)
    there, back = rank_seconds(9)
    _print("rank on 9 x 9", there)
    _print("the way back on 9 x 9", back)


def test_bench_counts() -> None:
    count_paths(Board.square(3))  # compile
    assert compare_walls(1) > 1
    assert max(step_seconds(5)) < 60
    assert max(*rank_seconds(5)[0], *rank_seconds(5)[1]) < 60


if __name__ == "__main__":
    main()
