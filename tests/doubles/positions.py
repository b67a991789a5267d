"""The slow, obvious doubles of searches: every walk is tried."""

from functools import lru_cache

from solver.board import Board, Position


@lru_cache(maxsize=1)
def every_position(board: Board) -> list[tuple[Position, int]]:
    """Return all positions of a board, dead ones too, with their completions counted.

    Every self-avoiding walk from the start is one. A position has as many completions
    as its moves have together.
    """
    found: list[tuple[Position, int]] = []

    def visit(position: Position) -> int:
        index = len(found)
        found.append((position, 0))
        count = int(position.complete)
        for move in position.options():
            count += visit(position.step(move))
        found[index] = (position, count)
        return count

    visit(Position(board))
    return found


def completable(position: Position) -> bool:
    """Try every way to go on."""
    if position.complete:
        return True
    return any(completable(position.step(move)) for move in position.options())


def completable_positions(board: Board) -> dict[str, set[str]]:
    """Return the notation of every completable position with its good moves."""
    counts = dict(every_position(board))
    return {
        position.notation: {m for m in position.options() if counts[position.step(m)]}
        for position, count in counts.items()
        if count
    }
