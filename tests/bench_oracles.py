"""How fast the oracles are along walks; run with ``-m slow -s`` to see the tables.

Positions are those an exact walker asks of: at every step of a random walk each move,
completable or dead, the walk going on by a completable one.
"""

import random
from statistics import mean, median, quantiles
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.board import Board, Position
from solver.oracles.cpsat import CpsatOracle
from solver.oracles.oracle import Oracle, Verdict
from solver.oracles.sat import SOLVERS, SatOracle


def asked(side: int, seed: int, walks: int = 1) -> list[Position]:
    """Return the positions that an exact walker asks of, in order."""
    rng, oracle, found = random.Random(seed), SatOracle(), []
    for _ in range(walks):
        position = Position(Board.square(side))
        while not position.complete:
            steps = [position.step(move) for move in position.options()]
            found += steps
            position = rng.choice(
                [p for p in steps if oracle.decide(p).verdict is Verdict.COMPLETABLE]
            )
    return found


def timed(oracle: Oracle, positions: list[Position]) -> list[tuple[float, Verdict]]:
    """Return milliseconds and verdict of every position, asked in order."""
    found = []
    for position in positions:
        begin = perf_counter()
        verdict = oracle.decide(position).verdict
        found.append((1e3 * (perf_counter() - begin), verdict))
    return found


def row(name: str, side: int, times: list[float]) -> str:
    """Return one line of the table, milliseconds."""
    high = quantiles(times, n=100)[98]
    return (
        f"{name:22} {side:2} x {side:2} {len(times):5}  median {median(times):8.3f}"
        f"  mean {mean(times):8.3f}  p99 {high:8.2f}  max {max(times):8.2f}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("side", [13, 21])
def test_sat_against_cpsat(side: int) -> None:
    timed(SatOracle(), asked(5, seed=0))  # compile first
    positions = asked(side, seed=1)
    fast = timed(SatOracle(), positions)
    afresh = timed(SatOracle(reuse=False), positions)
    some = positions[:: len(positions) // 40]
    slow = timed(CpsatOracle(seconds=1), some)  # UNKNOWN after it: flatters cpsat
    chosen = dict(zip(positions, afresh, strict=True))
    print()
    print(row("sat", side, [t for t, _ in fast]))
    print(row("sat, reuse=False", side, [t for t, _ in afresh]))
    for verdict in (Verdict.COMPLETABLE, Verdict.DEAD):
        print(row(f"  {verdict.name}", side, [t for t, v in afresh if v is verdict]))
    print(row("cpsat", side, [t for t, _ in slow]))
    same = [chosen[position][0] for position in some]
    ratio = median(t for t, _ in slow) / median(same)
    print(f"cpsat / sat with reuse=False, medians on the same positions: {ratio:.0f}")
    for position, (_, verdict) in zip(some, slow, strict=True):
        assert verdict in (chosen[position][1], Verdict.UNKNOWN)
    assert ratio > 20


@pytest.mark.slow
@pytest.mark.parametrize("side", [13, 21])
def test_sat_solvers(side: int) -> None:
    positions = asked(side, seed=2, walks=2)
    print()
    verdicts = set()
    for solver in SOLVERS:
        times = timed(SatOracle(solver=solver), positions)
        print(row(solver, side, [t for t, _ in times]))
        verdicts.add(tuple(verdict for _, verdict in times))
    assert len(verdicts) == 1


@pytest.mark.parametrize("side", [9, 13])
def test_sat_along_a_walk(benchmark: BenchmarkFixture, side: int) -> None:
    positions = asked(side, seed=3)
    oracle = SatOracle()
    times = benchmark(timed, oracle, positions)
    assert {verdict for _, verdict in times} == {Verdict.COMPLETABLE, Verdict.DEAD}
