"""Walks and verdicts: the times of docs/explanation/measured.md.

``python -m tests.bench_walk`` prints them in minutes. Times are `time.process_time` of
one process, without compilation. Under pytest a small part runs once.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.oracles.exact import exact_walk, oracle_walk
from solver.oracles.oracle import get_oracle
from solver.oracles.search import SearchOracle
from tests.doubles.walkers import SlowWalker

Times = dict[str, dict[int, float]]  # name, side of the board, milliseconds a walk


def _walks(name: str, board: Board) -> Callable[[int], Any]:
    return load_rules(name).walker(board).walk


LARGE = (9, 13, 21, 31, 51, 101, 201, 301)
WALKERS: dict[str, tuple[tuple[int, ...], Callable[[Board], Callable[[int], Any]]]]
WALKERS = {
    "universal-4": (LARGE, lambda board: _walks("universal-4", board)),
    "universal": ((*LARGE, 501), lambda board: _walks("universal", board)),
    "exact walker": ((*LARGE, 501, 1001), lambda board: partial(exact_walk, board)),
    "exact walker on sat": (
        LARGE[:4],
        lambda board: partial(oracle_walk, board, oracle=get_oracle("sat")),
    ),
}


def time_walks(walk: Callable[[int], Any], seconds: float, cells: int) -> float:
    """Return milliseconds a walk, the median over seeds from 1 on.

    The time of a stuck walk is scaled from its cells to all cells.
    """
    walk(0)
    times: list[float] = []
    begin = time.process_time()
    while len(times) < 3 or time.process_time() - begin < seconds:
        if times and time.process_time() - begin > 5 * seconds + 1:
            break
        before = time.process_time()
        done = walk(len(times) + 1)
        took = time.process_time() - before
        visited = len(getattr(done, "position", done).walk)
        times.append(took * cells / visited)
    return float(np.median(times)) * 1e3


def all_times(seconds: float, largest: int) -> Times:
    return {
        name: {
            side: time_walks(make(Board.square(side)), seconds, side * side)
            for side in sides
            if side <= largest
        }
        for name, (sides, make) in WALKERS.items()
    }


def exponent(times: dict[int, float]) -> str:
    """Return the power of the number of cells with which times grow from 51 x 51."""
    sides = [side for side in times if side >= 51]
    if len(sides) < 3:
        return ""
    cells = np.log([side * side for side in sides])
    return f"{np.polyfit(cells, np.log([times[side] for side in sides]), 1)[0]:.2f}"


def verdict_times(side: int, count: int) -> tuple[float, float, float]:
    """Return median, 99 % and maximum of single verdicts, in milliseconds.

    The positions come from exact walks by any move, so some are dead.
    """
    board, oracle = Board.square(side), SearchOracle()
    oracle.decide(Position(board))
    times: list[float] = []
    while len(times) < count:
        walk = exact_walk(board, len(times) + 1).position
        for back in range(2, side * side - 2, 7):
            position = walk.back(back)
            for move in position.options():
                after = position.step(move)
                begin = time.perf_counter()
                oracle.decide(after)
                times.append((time.perf_counter() - begin) * 1e3)
    median, most, worst = np.percentile(times, [50, 99, 100]).tolist()
    return median, most, worst


# Groups that walk by one kernel, then groups that walk in Python.
ROADS = ["seed-5", "seed-2024", "seed-kernels", "seed-7-future", "universal-4,seed-5"]


def step_times(rules: str, side: int, walks: int) -> tuple[float, float]:
    """Return microseconds a step: of a set's own walker, and in Python."""
    board, rule_set = Board.square(side), load_rules(rules)
    own, slow = rule_set.walker(board), SlowWalker(rule_set.walker(board))
    steps, times = 0, [0.0, 0.0]
    for seed in range(walks + 1):
        for at, walker in enumerate((own, slow)):  # in turns
            begin = time.process_time()
            walker.walk(seed)
            times[at] += time.process_time() - begin if seed else 0.0
        steps += len(own.path) - 1 if seed else 0
    return 1e6 * times[0] / steps, 1e6 * times[1] / steps


def table(times: Times) -> str:
    sides = sorted({side for row in times.values() for side in row})
    rows = [["ms a walk", *(f"{side}x{side}" for side in sides), "power"]]
    rows.append(["---"] * len(rows[0]))
    for name, row in times.items():
        cells = [f"{row[side]:.3g}" if side in row else "" for side in sides]
        rows.append([name, *cells, exponent(row)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    print(table(all_times(parser.parse_args().seconds, largest=1001)))
    for group in ROADS:
        own, python = step_times(group, 21, 100)
        print(f"{group}: {own:.1f} us a step on 21x21; Python {python:.1f}")
    median, most, worst = verdict_times(21, 5000)
    print(f"verdict on 21x21: median {median:.2f}, 99 % {most:.2f}, max {worst:.2f} ms")


def test_a_small_part() -> None:
    times = all_times(0.0, largest=9)
    assert set(times) == set(WALKERS)
    assert "| universal-4 |" in table(times)
    assert verdict_times(7, 50)[0] > 0
    assert min(step_times("seed-5", 5, 3)) > 0


def test_rules_and_sat_make_the_same_walks() -> None:
    board, sat = Board.square(11), get_oracle("sat")
    by_rules = _walks("universal-4", board)
    for seed in range(3):
        assert by_rules(seed) == oracle_walk(board, seed, sat).position


if __name__ == "__main__":
    main()
