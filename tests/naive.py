"""Naive doubles: slow, a few lines each, right at sight."""

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
