"""Exact oracle for small boards: a naive depth-first search, obviously right.

The reference that every other procedure is tested against. It knows one thing only:
the end cell is the last cell of a completion, so it is entered last.
"""

from collections.abc import Iterator

from solver.board import Cell, Position, Walk
from solver.errors import OptionError
from solver.oracles.oracle import Answer, Verdict, check_witness

LIMIT = 5_000_000  # steps of one question: some ten seconds


class BruteOracle:
    """Try every walk; for boards up to about 6 x 6, deep positions on larger ones.

    - `limit`: steps to try before the answer is UNKNOWN; None tries them all.

    >>> oracle = BruteOracle()
    >>> oracle.decide(Position.parse("3:RR")).verdict
    <Verdict.COMPLETABLE: 'a completion exists'>
    >>> oracle.decide(Position.parse("3:RD")).verdict
    <Verdict.DEAD: 'no completion exists'>
    """

    name = "brute"

    def __init__(self, *, limit: int | None = LIMIT) -> None:
        if limit is not None and limit < 1:
            raise OptionError(f"the step limit is at least 1, not {limit}")
        self.limit = limit

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of steps tried."""
        work = 0
        for work, witness in _search(position):
            if witness is not None:
                check_witness(position, witness)
                return Answer(Verdict.COMPLETABLE, witness, work=work)
            if work == self.limit:
                return Answer(Verdict.UNKNOWN, work=work)
        return Answer(Verdict.DEAD, work=work)


def _search(position: Position) -> Iterator[tuple[int, Walk | None]]:
    """Yield the number of steps tried so far after each, and the completions."""
    board = position.board
    if position.complete:
        yield 0, ()
    if board.end in position.walk:
        return
    around = [[int(b) for b in row if b >= 0] for row in board.neighbours]
    visited = set(position.walk)
    missing = position.unvisited
    path: list[Cell] = []
    choices = [iter(around[position.live_end])]
    work = 0
    while choices:
        cell = next(choices[-1], None)
        if cell is None:
            choices.pop()
            if path:
                visited.discard(path.pop())
        elif cell not in visited and (cell != board.end or len(path) == missing - 1):
            work += 1
            path.append(cell)
            visited.add(cell)
            choices.append(iter(around[cell]))
            yield work, tuple(path) if len(path) == missing else None


def completions(position: Position) -> Iterator[Walk]:
    """Yield every completion, in the order U, R, D, L of their moves.

    A completion is the tuple of cells after the live end; a complete walk has one, the
    empty tuple. Nothing is pruned: exponential time.

    >>> [len(walk) for walk in completions(Position.parse("3:"))]
    [8, 8]
    """
    for _, witness in _search(position):
        if witness is not None:
            yield witness
