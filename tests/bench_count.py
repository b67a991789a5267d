"""Counting, ranks and uniform walks: times and memory.

``python -m tests.bench_count`` measures all in one run and prints a table in Markdown;
``--walls`` compares the counts of paths on boards with walls with a plain program.
Under pytest a small part runs once as a check. Times are processor seconds of one
process, after compiling.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random

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

KNOWN = {  # OEIS A001184
    5: 104,
    7: 111712,
    9: 2688307514,
    11: 1445778936756068,
    13: 17337631013706758184626,
    15: 4628650743368437273677525554148,
    17: 27478778338807945303765092195103685118924,
}


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the median of the processor seconds of a call."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def count_square(side: int) -> None:
    found = count_completions(Position(Board.square(side)))
    assert found == KNOWN.get(side, found), side


def _row(name: str, cells: list[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _text(value: float) -> str:
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"


def step_seconds(side: int) -> float:
    """Return the mean seconds of counting all moves, over the steps of a walk."""
    walk = UniformWalks(Board.square(side), seed=1).draw()
    places = [walk.back(steps) for steps in range(1, len(walk.walk))]
    begin = time.process_time()
    for place in places:
        count_moves(place)
    return (time.process_time() - begin) / len(places)


def rank_seconds(side: int) -> tuple[float, float]:
    """Return the seconds of a rank and of the way back, medians of five walks."""
    walks = UniformWalks(Board.square(side), seed=2)
    there, back = [], []
    for _ in range(5):
        walk = walks.draw()
        begin = time.process_time()
        number = rank(walk)
        there.append(time.process_time() - begin)
        begin = time.process_time()
        assert unrank(walk.board, number) == walk
        back.append(time.process_time() - begin)
    return statistics.median(there), statistics.median(back)


def walled(seed: int) -> Board:
    """Return a board of 8 x 9 with 6 to 15 random walls."""
    random = Random(seed)
    walls = random.sample(range(1, 71), random.randint(6, 15))
    return Board(8, 9, walls=tuple(walls))


def compare_walls(seeds: int) -> float:
    """Count the paths of boards with walls; return how many times the double takes."""
    ours = theirs = 0.0
    for seed in range(1, seeds + 1):
        board = walled(seed)
        ours += seconds(partial(count_paths, board))
        theirs += seconds(partial(frontier.count_paths, board))
        assert count_paths(board) == frontier.count_paths(board), board
    print(f"{seeds} boards of 8 x 9: {_text(ours)}, a plain program {_text(theirs)}")
    return theirs / ours


def _print_time(what: str, value: float) -> None:
    print(_row(what, [_text(value)]), flush=True)


def main() -> None:
    """Measure all, or what an option names."""
    parser = argparse.ArgumentParser(description="Measure counts.")
    parser.add_argument("--walls", action="store_true", help="paths with walls only")
    given = parser.parse_args()
    for side in (5, 9, 13):
        count_square(side)  # compile
        UniformWalks(Board.square(side), seed=1).draw()
    count_paths(Board.square(3))
    if given.walls:
        compare_walls(50)
        return
    print("| what | processor time |\n| --- | --- |")
    for side in (9, 11, 13, 15, 17):
        _print_time(f"{side} x {side}", seconds(partial(count_square, side), 3))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| memory of the process by then | {memory:.0f} MB |")
    for side in (9, 11):
        _print_time(
            f"paths of {side} x {side}",
            seconds(partial(count_paths, Board.square(side)), 3),
        )
    _print_time("all moves at each step of a walk on 9 x 9, mean", step_seconds(9))
    there, back = rank_seconds(9)
    _print_time("rank on 9 x 9", there)
    _print_time("the way back on 9 x 9", back)


def test_bench_counts() -> None:
    count_square(9)
    compare_walls(2)  # compile
    assert compare_walls(2) > 1
    assert step_seconds(5) < 60
    assert rank_seconds(5) < (60.0, 60.0)


if __name__ == "__main__":
    main()
