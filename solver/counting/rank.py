"""Ranks: where walks and positions stand in left-first order.

At each step of a walk the move left of the last step comes first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it:
of a complete walk, its number from 0 on.
"""

from collections.abc import Callable

from solver.board import LETTERS, Board, Position
from solver.counting.count import count_completions
from solver.errors import OptionError

_RIGHT = 1  # the heading before the first step


def left_first(position: Position) -> list[str]:
    """Return the moves of a position in left-first order.

    >>> left_first(Position.parse("5:RRD")), left_first(Position.parse("5:"))
    (['R', 'D', 'L'], ['R', 'D'])
    """
    heading = position.heading if position.heading >= 0 else _RIGHT
    moves = position.options()
    turns = (LETTERS[(heading + turn) % 4] for turn in (3, 0, 1, 2))
    return [move for move in turns if move in moves]


def rank(position: Position, *, progress: Callable[[], None] | None = None) -> int:
    """Return the number of complete walks that come before a position.

    The sum, over the steps of its walk, of the completions of each earlier sibling.
    About 0.05 s on 9 x 9.

    Parameters
    ----------
    position : Position
        Dead or not.
    progress : callable, optional
        Called after every step.

    Examples
    --------
    >>> rank(Position.parse("5:RDDL")), rank(Position.parse("5:D"))
    (38, 52)
    """
    before = Position(position.board)
    total = 0
    for move in position.moves:
        for other in left_first(before):
            if other == move:
                break
            total += count_completions(before.step(other))
        before = before.step(move)
        if progress:
            progress()
    return total


def unrank(
    board: Board, number: int, *, progress: Callable[[], None] | None = None
) -> Position:
    """Return the complete walk of a rank: the inverse of `rank`.

    Raises
    ------
    OptionError
        If the board has not so many walks.

    Examples
    --------
    >>> walk = unrank(Board.square(5), 46)
    >>> walk.moves, rank(walk)
    ('RDLDDDRUURRULURRDDDLLDRR', 46)
    """
    position = Position(board)
    left = count_completions(position)
    if not 0 <= number < left:
        raise OptionError(
            f"rank {number:,} is not below the {left:,} walks of {board.notation}"
        )
    while not position.complete:
        moves = left_first(position)
        for move in moves:
            ways = left if move == moves[-1] else count_completions(position.step(move))
            if number < ways:
                position, left = position.step(move), ways
                break
            number -= ways
            left -= ways
        if progress:
            progress()
    return position
