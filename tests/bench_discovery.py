"""What discovered rules cost: `python -m tests.bench_discovery [7]` discovers some.

From nothing to a complete, proved book of 5x5, or another listed board. Kernels are
compiled, and what PySAT and OR-Tools load is loaded, by a smaller board before.
"""

import sys
from time import perf_counter, process_time

from solver.board import Board
from verify.discovery.running import Discovery


def main() -> None:
    """Print what a book costs."""
    board = Board.parse(sys.argv[1] if len(sys.argv) > 1 else "5")
    Discovery(Board.parse("3x4")).listed()
    clock, busy = perf_counter(), process_time()
    run = Discovery(board)
    book = run.listed()
    least = "proved the fewest" if book.optimal else "perhaps not the fewest"
    print(
        f"{board.notation} from nothing: {process_time() - busy:.1f} s of processor, "
        f"{perf_counter() - clock:.1f} by the clock; {len(book.members)} rules, "
        f"{least} of a pool of {len(run.pool.candidates)}; "
        f"{run.missed} dead moves missed"
    )


if __name__ == "__main__":
    main()
