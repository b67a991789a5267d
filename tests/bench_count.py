"""Counting, ranks and uniform walks: times, memory, and the times of peers.

``python -m tests.bench_count`` measures all in one run and prints a table in Markdown;
``--walls`` compares the counts of paths on boards with walls with a plain program.
Under pytest a small part runs once as a check. Times are processor seconds of one
process, after compiling. Peers are Graphillion, if it is installed (``pip install
graphillion``), with its own order of edges and with the best one known, one thread (its
others wait by spinning, which counts), and a plain program in C++, if there is a
compiler.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from solver.board import Board, Position
from solver.counting.count import count_completions, count_moves, rank, unrank
from solver.counting.paths import count_paths
from solver.counting.uniform import UniformWalks
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
_PEER = """
import time
from graphillion import GraphSet
n = {side}
edges = []
for cell in range(n * n):
    if cell % n + 1 < n:
        edges.append((cell, cell + 1))
    if cell + n < n * n:
        edges.append((cell, cell + n))
GraphSet.set_universe(edges, traversal={order!r})
begin = time.process_time()
found = GraphSet.paths(0, n * n - 1, is_hamilton=True).len()
print(found, time.process_time() - begin)
"""
_PLAIN = Path(__file__).parent / "data/frontier.cpp"
_PRIME = 9223372036854775783


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


def graphillion_seconds(side: int, order: str) -> float | None:
    """Return the seconds of Graphillion, in a process of its own; None without it."""
    if find_spec("graphillion") is None:
        return None
    code = _PEER.format(side=side, order=order)
    found, taken = _printed(sys.executable, "-c", code)
    assert int(found) == KNOWN[side]
    return float(taken)


def plain_seconds(side: int) -> float | None:
    """Return the seconds of the program in C++, one modulus; None if none compiles."""
    compiler = shutil.which("c++")
    if compiler is None:
        return None
    with TemporaryDirectory() as folder:
        program = str(Path(folder) / "frontier")
        words = [compiler, "-O3", "-march=native", "-o", program, str(_PLAIN)]
        subprocess.run(words, check=True)
        found, taken = _printed(program, str(side), str(_PRIME))
    assert int(found) == KNOWN[side] % _PRIME
    return float(taken)


def _printed(*words: str) -> list[str]:
    env = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=env)
    return done.stdout.split()


PEERS: dict[str, tuple[Callable[[int], float | None], tuple[int, ...]]] = {
    "Graphillion, edges row by row, `traversal='as-is'`": (
        partial(graphillion_seconds, order="as-is"),
        (11, 13),
    ),
    "Graphillion, its own order (`'greedy'`)": (
        partial(graphillion_seconds, order="greedy"),
        (11,),
    ),
    "a plain program in C++, one modulus": (plain_seconds, (11, 13, 15)),
}


def compare() -> None:
    """Print our times and those of the peers, measured in turn."""
    sides = (11, 13, 15)
    ours = {side: seconds(partial(count_square, side), 9) for side in sides}
    print("| | " + " | ".join(f"{side} x {side}" for side in sides) + " |")
    print("| --- | --- | --- | --- |")
    print(_row("oneway, exact", [_text(ours[side]) for side in sides]))
    for name, (peer, sizes) in PEERS.items():
        cells = []
        for side in sides:
            taken = peer(side) if side in sizes else None
            times = "" if taken is None else f", {taken / ours[side]:,.0f} times"
            cells.append("" if taken is None else _text(taken) + times)
        print(_row(name, cells))


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
    parser.add_argument("--peers", action="store_true", help="compare with peers only")
    given = parser.parse_args()
    for side in (5, 9, 13):
        count_square(side)  # compile
        UniformWalks(Board.square(side), seed=1).draw()
    if given.peers:
        compare()
        return
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
    assert compare_walls(2) > 1
    assert step_seconds(5) < 60
    assert rank_seconds(5) < (60.0, 60.0)


@pytest.mark.parametrize("peer", [peer for peer, _ in PEERS.values()], ids=PEERS)
def test_peers_count_what_we_count(peer: Callable[[int], float | None]) -> None:
    if peer(7) is None:
        pytest.skip("the peer is not here")


if __name__ == "__main__":
    main()
