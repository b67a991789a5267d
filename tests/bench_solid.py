"""Strips measured: verdicts beside other oracles, and walks decided by strips alone.

`python -m tests.bench_solid OUT` goes on by rounds, a thousand of which are a million
walks of 21 x 21, and writes after each what it has seen so far.
"""

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.board import Board, Position
from solver.oracles.exact import exact_walk, oracle_walk, strips_walk
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.sat import prove_dead
from solver.solid.certificate import find_certificate
from solver.solid.grid import EXPANDED
from solver.solid.strips import MERGED, merge
from tests.solid.patterns import chain
from tests.solid.test_oracle import HARD
from tests.solid.worlds import loaded
from verify.checker.dead import find_dead_fault
from verify.checker.position import find_proof_fault

WALKS = {21: 1_000, 31: 100, 51: 10, 101: 1}  # of a round
DRAWN = 1_000  # positions of a round
SIDES = range(9, 32, 2)
BY_SAT = 25  # one position in so many is put to `sat` too
TWICE = 100  # one walk in so many is made by search too


def asked(side: int, seed: int) -> list[Position]:
    """Return the positions after every move of every position of an exact walk."""
    whole = exact_walk(Board.square(side), seed).position
    before = [whole.back(i) for i in range(len(whole.walk) - 1, 0, -1)]
    return [place.step(move) for place in before for move in place.options()]


def times(oracle: Oracle, positions: list[Position]) -> list[float]:
    """Return milliseconds of processor time for each."""
    found = []
    for position in positions:
        begin = time.process_time()
        oracle.decide(position)
        found.append(1e3 * (time.process_time() - begin))
    return found


def compare(
    oracles: dict[str, Oracle], seed: int, count: int, seen: Counter[str]
) -> None:
    """Put drawn positions to all three; count verdicts, and differences."""
    rng = random.Random(seed)
    done = 0
    while done < count:
        positions = asked(rng.choice(SIDES), rng.randrange(2**32))
        for i, position in enumerate(positions[: count - done]):
            mine = oracles["strips"].decide(position).verdict
            seen[f"strips {mine.name}"] += 1
            others = ["search"] + ["sat"] * (i % BY_SAT == 0)
            for name in others:
                seen[name] += 1
                other = oracles[name].decide(position).verdict
                if Verdict.UNKNOWN not in (mine, other) and mine is not other:
                    seen["differ"] += 1
                    print(position.notation, mine, name, other, flush=True)
        done += len(positions)


def walk(board: Board, seeds: range, seen: Counter[str]) -> None:
    """Make walks; count those not finished, and seconds of processor time."""
    side = f"{board.rows}"
    begin = time.process_time()
    for seed in seeds:
        position = strips_walk(board, seed)
        seen[f"{side} walks"] += 1
        if position is None or not position.complete:
            seen[f"{side} stuck"] += 1
            print(side, "stuck, seed", seed, flush=True)
    seen[f"{side} ms"] += round(1e3 * (time.process_time() - begin))
    again = strips_walk(board, seeds[0])
    if again != oracle_walk(board, seeds[0], get_oracle("search")).position:
        seen[f"{side} unlike search"] += 1
        print(side, "unlike search, seed", seeds[0], flush=True)
    seen[f"{side} also by search"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="file of the figures, JSON")
    parser.add_argument("--rounds", type=int, default=1000)
    options = parser.parse_args()
    oracles = {name: get_oracle(name) for name in ("strips", "search", "sat")}
    boards = {side: Board.square(side) for side in WALKS}
    seen = Counter[str]()
    for board in boards.values():
        strips_walk(board, 0)
    for number in range(options.rounds):
        compare(oracles, number, DRAWN, seen)
        for side, count in WALKS.items():
            for first in range(number * count, (number + 1) * count, TWICE):
                seeds = range(first, min(first + TWICE, (number + 1) * count))
                walk(boards[side], seeds, seen)
        options.out.write_text(json.dumps(seen, indent=1), encoding="utf-8")


@pytest.mark.slow
def test_median_beside_search() -> None:
    positions = [p for seed in range(3) for p in asked(21, seed)]
    oracles = {name: get_oracle(name) for name in ("strips", "search")}
    for oracle in oracles.values():
        times(oracle, positions[:200])  # compile first
    middle = {name: median(times(one, positions)) for name, one in oracles.items()}
    print("\nmedian of", len(positions), "verdicts on 21 x 21, in order:", middle)
    assert middle["strips"] < 1.25 * middle["search"]


@pytest.mark.slow
@pytest.mark.parametrize("side", [7, 13, 21])
def test_pages_beside_drat(side: int) -> None:
    """Print medians: bytes and milliseconds of checking, certificate and DRAT."""
    rows = []
    for text in [text for text in HARD if text.startswith(f"{side}:")][:12]:
        found = find_certificate(Position.parse(text))
        assert found is not None
        proof = prove_dead(Position.parse(text))
        clauses = [" ".join(map(str, clause)) for clause in proof.clauses]
        begin = time.process_time()
        assert find_dead_fault(text, found.data) is None
        middle = time.process_time()
        assert find_proof_fault(text, proof) is None
        spent = middle - begin, time.process_time() - middle
        sizes = (
            len(json.dumps(found.data, separators=(",", ":"))),
            sum(map(len, [*clauses, *proof.lines])),
        )
        rows.append((*sizes, *(1e3 * seconds for seconds in spent)))
    middles = [round(median(column), 1) for column in zip(*rows, strict=True)]
    print(f"\n{side} x {side}: bytes {middles[:2]}, ms {middles[2:]}")
    assert middles[0] < middles[1]


def test_one_verdict(benchmark: BenchmarkFixture) -> None:
    oracle, position = get_oracle("strips"), asked(9, 1)[40]
    assert benchmark(oracle.decide, position).verdict is not Verdict.UNKNOWN


def join_chain(gadgets: int) -> float:
    """Return milliseconds to join the hardest factor we can plant to a path.

    Each gadget has a loop of its own, and needs a path of three strips.
    """
    s = loaded(*chain(gadgets))
    begin = time.process_time()
    assert merge(s, 1, False) == MERGED
    spent = 1e3 * (time.process_time() - begin)
    assert s.info[EXPANDED] == gadgets * (gadgets + 3) // 2
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


def test_a_small_part() -> None:
    seen = Counter[str]()
    oracles = {name: get_oracle(name) for name in ("strips", "search", "sat")}
    compare(oracles, 1, 300, seen)
    walk(Board.square(9), range(20), seen)
    assert seen["search"] == 300 > seen["strips DEAD"] > 30
    assert seen["sat"] >= 12
    assert not {"differ", "strips UNKNOWN", "9 stuck", "9 unlike search"} & set(seen)


if __name__ == "__main__":
    main()
