"""The rule `strips`: a move after which the loops of a factor cannot be joined.

Rules 1 to 4 see that no factor is left, and edges that are in all or in none. This one
takes any factor after a move and joins its components by flips and strips
(`solver.solid.strips`). Where strips lead from some factors to each other only, a
closed family, no factor can be one path: the move is dead, and the family is its
reason. No completion is searched for, and what is not shown is not forbidden. The rule
speaks of the boards that the oracle `strips` knows; elsewhere it forbids nothing.
"""

import json

import numpy as np

from heuristic.rule import Reason
from solver.board import Board, Cell, Position
from solver.oracles.strips import why_not
from solver.solid.certificate import find_certificate
from solver.solid.grid import enter_walk
from solver.solid.strips import CLOSED, CORNERS, new_room, solve


class StripsTracker:
    """The rule along one walk; a factor is where the next one begins.

    >>> tracker = StripsTracker(Board.square(5))
    >>> tracker.push(1)
    >>> tracker.mask()
    0
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._room = None if why_not(board) else new_room(board)
        self._walk = np.full(board.cells + 1, board.start, dtype=np.int32)
        self._length = 1

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._walk[self._length] = cell
        self._length += 1

    def pop(self) -> None:
        """Take the last cell back."""
        self._length -= 1

    def mask(self, but: int = 0) -> int:
        """Return the moves, but for some, with a factor and no strips to join it.

        O(cells) a move.
        """
        board, length = self.board, self._length
        walk, end, dead = self._walk, self.board.end, 0
        if self._room is None or end in walk[:length]:
            return 0
        for d, cell in enumerate(board.neighbours[walk[length - 1]].tolist()):
            if but >> d & 1 or cell in (-1, end) or cell in walk[:length]:
                continue
            walk[length] = cell
            enter_walk(self._room[0], walk[: length + 1], board.cols, end)
            dead |= (solve(*self._room) in (CLOSED, CORNERS)) << d
        return dead


def strips_reason(after: Position) -> Reason:
    """Return the certificate that a position is dead, as the reason of a move to it."""
    found = find_certificate(after, solid=True)
    if found is None:
        raise AssertionError(f"no certificate that {after.notation} is dead")
    return Reason(
        found.sentence,
        area=found.region,
        kind="certificate",
        certificate=json.dumps(found.data),
    )
