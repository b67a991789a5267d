"""What finding rules costs: `python -m tests.bench_discovery [7]` prints.

From nothing to a complete, proved book: the loop, then with the pool made larger, which
proves how small a book of it can be. 5 x 5, or another listed board. Kernels are
compiled, and what PySAT and OR-Tools load is loaded, by a smaller board before.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from solver.board import Board
from verify.discovery.book import Book
from verify.discovery.running import Options, Run, listed
from verify.discovery.search import Entry, Pool


class Silent:
    """Hears of a run, and says nothing."""

    def work(self, what: str, done: int, total: int | None) -> None:
        """Hear how far a piece of work is."""

    def began(self, pool: Pool, before: int) -> None:
        """Hear of the gaps to explain."""

    def explained(self, run: Run, number: int, entry: Entry | None) -> None:
        """Hear of a gap and its drawing."""

    def walked(self, walks: int, new: int) -> None:
        """Hear of walks."""


def found(board: Board, rounds: int) -> tuple[Run, Book]:
    """Return a run from nothing on a listed board, and its book."""
    with tempfile.TemporaryDirectory() as folder:
        options = Options("found", Path(folder) / "pool.json", "", rounds, 12)
        return listed(board, (), options, Silent())


def main() -> None:
    """Print a line for the loop and one for the pool."""
    board = Board.parse(sys.argv[1] if len(sys.argv) > 1 else "5")
    found(Board.parse("3x4"), 2)
    for rounds in (0, 2):
        clock, busy = perf_counter(), process_time()
        run, book = found(board, rounds)
        told = "with the pool" if rounds else "the loop"
        least = "proved the fewest" if book.cover.optimal else "perhaps not the fewest"
        print(
            f"{board.notation} from nothing, {told}: {process_time() - busy:.1f} s of "
            f"processor, {perf_counter() - clock:.1f} by the clock; "
            f"{len(book.members)} rules, {least} of a pool of {len(run.pool.entries)}; "
            f"{run.missed} dead moves missed"
        )


if __name__ == "__main__":
    main()
