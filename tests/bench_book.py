"""Whole groups of the book: a step on 9 x 9 and 21 x 21, and every walk of 7 x 7."""

from time import process_time

import pytest

from heuristic.groups import load_rules
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Board, Position

GROUPS = ["seed-5", "seed-7", "seed-9-size", "seed-2024"]
WALKS = 20


def step_time(group: str, side: int) -> float:
    """Return microseconds a step of random walks, compiled beforehand."""
    walker = load_rules(group).walker(Board.square(side))
    walker.walk(0)
    begin = process_time()
    steps = sum(len(walker.walk(k).walk) - 1 for k in range(WALKS))
    assert steps > WALKS * side
    return 1e6 * (process_time() - begin) / steps


@pytest.mark.slow
def test_step_times() -> None:
    for side in (9, 21):
        times = {group: step_time(group, side) for group in GROUPS}
        for group, time in times.items():
            ratio = time / times["seed-5"]
            print(f"{side:3} {group:12} {time:8.2f} us a step {ratio:6.1f} x seed-5")


@pytest.mark.slow
def test_every_walk_of_7x7() -> None:
    for group in GROUPS[2:]:
        rules = load_rules(group)
        LeftFirstWalk(rules, Position.parse("5:")).run()
        begin = process_time()
        walk = LeftFirstWalk(rules, Position.parse("7:"))
        assert walk.run() is Event.FINISHED
        assert (walk.completed, walk.stuck) == (111_712, 0)
        print(f"{group:12} {process_time() - begin:6.1f} s for 7 x 7")
