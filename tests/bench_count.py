"""Counting, ranks and uniform walks: times, memory, and the ratio to a peer.

``python -m tests.bench_count`` measures all in one run and prints a table in Markdown;
``--sides 11 13`` counts only these. Under pytest a small part runs once as a check.
Times are processor seconds of one process, after compiling; what is called is what the
commands call. The peer is Graphillion, if it is there: ``pip install graphillion``.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from solver.board import Board, Position
from solver.counting.backbite import BackbiteWalks
from solver.counting.count import count_completions, count_moves
from solver.counting.rank import rank, unrank
from solver.counting.uniform import UniformWalks

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
GraphSet.set_universe(
    [(r * n + c, r * n + c + 1) for r in range(n) for c in range(n - 1)]
    + [(r * n + c, r * n + c + n) for r in range(n - 1) for c in range(n)]
)
begin = time.process_time()
found = len(GraphSet.paths(0, n * n - 1, is_hamilton=True))
print(found, time.process_time() - begin)
"""


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


def peer_seconds(side: int) -> float | None:
    """Return the seconds of Graphillion, in a process of its own; None without it."""
    if find_spec("graphillion") is None:
        return None
    run = subprocess.run(
        [sys.executable, "-c", _PEER.format(side=side)],
        capture_output=True,
        text=True,
        check=True,
    )
    found, taken = run.stdout.split()
    assert int(found) == KNOWN[side]
    return float(taken)


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


def _told(what: str, value: float) -> None:
    unit, scale = ("ms", 1000.0) if value < 1 else ("s", 1.0)
    print(f"| {what} | {value * scale:.3g} {unit} |", flush=True)


def main() -> None:
    """Measure all, or the counts of some sides."""
    parser = argparse.ArgumentParser(description="Measure counts.")
    parser.add_argument("--sides", type=int, nargs="*")
    given = parser.parse_args()
    for side in (5, 9, 13):
        count_square(side)  # compile
        UniformWalks(Board.square(side), seed=1).draw()
    print("| what | processor time |\n| --- | --- |")
    for side in given.sides or (9, 11, 13, 15, 17):
        _told(f"{side} x {side}", seconds(partial(count_square, side), 3))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| memory of the process by then | {memory:.0f} MB |")
    if given.sides:
        return
    own = seconds(lambda: count_square(11), 9)
    theirs = peer_seconds(11)
    if theirs is None:
        print("| Graphillion | not installed |")
    else:
        _told("Graphillion, 11 x 11", theirs)
        print(f"| ratio on 11 x 11 | {theirs / own:.0f} |")
    _told("all moves at each step of a walk on 9 x 9, mean", step_seconds(9))
    for side in (9, 11):
        there, back = rank_seconds(side)
        _told(f"rank on {side} x {side}", there)
        _told(f"the way back on {side} x {side}", back)
    for side in (13, 15):
        begin = time.process_time()
        walks = UniformWalks(Board.square(side), seed=1)
        _told(f"layers of {side} x {side}", time.process_time() - begin)
        _told(f"a uniform walk of {side} x {side}", seconds(walks.draw, 101))
        del walks
    for side in (101, 501):
        chain = BackbiteWalks(Board.square(side), seed=1)
        _told(f"a walk of {side} x {side} by backbites", seconds(chain.draw, 3))


def test_bench_counts() -> None:
    count_square(9)
    assert step_seconds(5) < 60
    assert rank_seconds(5) < (60.0, 60.0)


if __name__ == "__main__":
    main()
