"""The slow double of every oracle: a naive depth-first search, obviously right.

It uses one fact only: the end cell is the last cell of a completion.
"""

from collections.abc import Iterator

from solver.board import Cell, Position, Walk
from solver.oracles.oracle import Answer, Verdict


class BruteOracle:
    """Try every walk; for boards up to about 6 x 6, deep positions on larger ones.

    - `limit`: completions or dead ends to see before the answer is UNKNOWN.
    """

    name = "brute"

    def __init__(self, limit: int = 5_000_000) -> None:
        self._limit = limit

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists."""
        for number, witness in enumerate(_leaves(position)):
            if number == self._limit:
                return Answer(Verdict.UNKNOWN)
            if witness is not None:
                return Answer(Verdict.COMPLETABLE, witness)
        return Answer(Verdict.DEAD)


def completions(position: Position) -> Iterator[Walk]:
    """Yield every completion: the cells after the live end, moves as U, R, D, L."""
    return (walk for walk in _leaves(position) if walk is not None)


def _leaves(position: Position, path: tuple[Cell, ...] = ()) -> Iterator[Walk | None]:
    """Yield completions, and None for each walk that cannot continue."""
    if position.complete:
        yield path
        return
    moves = [
        (move, cell)
        for move, cell in position.options().items()
        if cell != position.board.end or position.unvisited == 1
    ]
    if not moves:
        yield None
    for move, cell in moves:
        yield from _leaves(position.step(move), (*path, cell))
