"""Step times of rule groups along random walks; each run also checks its answers."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from heuristic.groups import load_rules
from heuristic.rule import Event
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position

WALKS = 50


@pytest.mark.parametrize("spec", ["seed-5", "seed-close", "seed-5,seed-close"])
@pytest.mark.parametrize("side", [7, 21])
def test_random_steps(benchmark: BenchmarkFixture, spec: str, side: int) -> None:
    walker = load_rules(spec).walker(Board.square(side))
    walker.walk(0)  # compile first

    def steps() -> int:
        return sum(len(walker.walk(k).position.walk) - 1 for k in range(WALKS))

    made = benchmark(steps)
    assert made > WALKS * side
    if benchmark.stats is not None:
        step = benchmark.stats.stats.median / made
        benchmark.extra_info["microseconds a step"] = round(step * 1e6, 2)


def test_left_first_on_5x5(benchmark: BenchmarkFixture) -> None:
    rules, root = load_rules("seed-5,seed-close"), Position.parse("5:")

    def run() -> int:
        walk = LeftFirstWalk(rules, root)
        assert walk.run() is Event.FINISHED
        return walk.completed

    run()  # compile first
    assert benchmark(run) == 104
