"""What a step costs with whole groups of the book, on 9 x 9 and 21 x 21."""

from time import process_time

import pytest

from heuristic.groups import load_rules
from solver.board import Board

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
