"""Strips measured: verdicts beside `search`, and chains of the hardest gadgets."""

import time
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.solid.factor import KEY
from solver.solid.static import MERGED, merge
from tests.solid.patterns import chain
from tests.solid.worlds import loaded


def all_moves_of(side: int, seed: int) -> list[Position]:
    """Return the positions after every move of every position of an exact walk."""
    whole = exact_walk(Board.square(side), seed).position
    before = [whole.back(i) for i in range(len(whole.walk) - 1, 0, -1)]
    return [place.step(move) for place in before for move in place.options()]


def times(oracle: Oracle, positions: list[Position]) -> list[float]:
    """Return milliseconds of processor time for each."""
    spent_ms = []
    for position in positions:
        begin = time.process_time()
        oracle.decide(position)
        spent_ms.append(1e3 * (time.process_time() - begin))
    return spent_ms


@pytest.mark.slow
def test_median_beside_search() -> None:
    positions = [p for seed in range(3) for p in all_moves_of(21, seed)]
    oracles = {name: get_oracle(name) for name in ("strips", "search")}
    for oracle in oracles.values():
        times(oracle, positions[:200])  # compile first
    middle = {
        name: median(times(decider, positions)) for name, decider in oracles.items()
    }
    print("\nmedian of", len(positions), "verdicts on 21 x 21, in order:", middle)
    assert middle["strips"] < 1.25 * middle["search"]


def test_one_verdict(benchmark: BenchmarkFixture) -> None:
    oracle, position = get_oracle("strips"), all_moves_of(9, 1)[40]
    assert benchmark(oracle.decide, position).verdict is not Verdict.UNKNOWN


def join_chain(gadgets: int) -> float:
    """Return milliseconds to join the hardest factor we can plant to a path.

    Each gadget has a loop of its own, and needs a path of three strips.
    """
    s = loaded(*chain(gadgets))
    begin = time.process_time()
    assert merge(s, 1, False) == MERGED
    spent = 1e3 * (time.process_time() - begin)
    assert s.info[KEY.expanded] == gadgets * (gadgets + 3) // 2
    return spent


@pytest.mark.slow
def test_chains_of_gadgets() -> None:
    """Print milliseconds; the search is near quadratic in the number of rounds."""
    join_chain(2)  # compile first
    spent = {gadgets: join_chain(gadgets) for gadgets in (64, 128, 256, 512)}
    print("\nchains of gadgets, ms:", {m: round(ms, 1) for m, ms in spent.items()})
    assert spent[512] < 4**2.7 * spent[128]


def test_one_chain(benchmark: BenchmarkFixture) -> None:
    benchmark(join_chain, 24)
