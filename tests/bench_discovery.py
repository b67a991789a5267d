"""What found rules cost: `python -m tests.bench_discovery [7]` finds some.

From nothing to a complete, proved book of 5 x 5, or another listed board. Kernels are
compiled, and what PySAT and OR-Tools load is loaded, by a smaller board before.

`python -m tests.bench_discovery --walks` compares groups on the same seeds: walks
completed before one gets stuck, and processor time.
"""

import sys
from time import perf_counter, process_time

from heuristic.groups import load_rules
from heuristic.walks.walker import Statistics, summarise
from solver.board import Board
from verify.discovery.running import Run

SEED = 9_700_000
WALKS = {21: 800, 25: 800, 31: 400}  # by the side of the board
GROUPS = ("found-13", "seed-2024", "universal-4")


def walked(group: str, side: int, walks: int) -> tuple[Statistics, float]:
    """Return how far random walks come, and the milliseconds of a whole one.

    A walk that got stuck counts by its cells, as if all had cost the same.
    """
    walker = load_rules(group).walker(Board.square(side))
    walker.walk(SEED)  # compile
    stuck = cells = 0
    begun = process_time()
    for number in range(walks):
        result = walker.walk(SEED + number)
        stuck += result.stuck
        cells += len(result.position.walk)
    spent = process_time() - begun
    return summarise(walks, stuck), 1000 * spent * side * side / cells


def compare() -> None:
    """Print walks before an error and milliseconds a walk, by group and board."""
    for side, walks in WALKS.items():
        for group in GROUPS:
            found, spent = walked(group, side, walks)
            before, between = found.in_words()
            print(
                f"{group} on {side} x {side}, {walks:,} walks from seed {SEED:,}: "
                f"{before} ({between}), {spent:.3g} ms a walk",
                flush=True,
            )


def main() -> None:
    """Print what a book costs, or compare groups."""
    if "--walks" in sys.argv:
        compare()
        return
    board = Board.parse(sys.argv[1] if len(sys.argv) > 1 else "5")
    Run(Board.parse("3x4")).listed()
    clock, busy = perf_counter(), process_time()
    run = Run(board)
    book = run.listed()
    least = "proved the fewest" if book.optimal else "perhaps not the fewest"
    print(
        f"{board.notation} from nothing: {process_time() - busy:.1f} s of processor, "
        f"{perf_counter() - clock:.1f} by the clock; {len(book.members)} rules, "
        f"{least} of a pool of {len(run.pool.entries)}; {run.missed} dead moves missed"
    )


if __name__ == "__main__":
    main()
