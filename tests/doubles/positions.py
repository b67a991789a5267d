"""The slow, obvious doubles of searches: every walk is tried."""

from functools import lru_cache

from solver.board import Board, Position


@lru_cache(maxsize=1)
def every_position(board: Board) -> list[tuple[Position, int]]:
    """Return every self-avoiding walk from the start with its number of completions."""
    listed: list[tuple[Position, int]] = []

    def visit(position: Position) -> int:
        index = len(listed)
        listed.append((position, 0))
        count = int(position.complete)
        for move in position.options():
            count += visit(position.step(move))
        listed[index] = (position, count)
        return count

    visit(Position(board))
    return listed


def completable(position: Position) -> bool:
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
