"""The exact oracle `strips`: path factors, flips and strips, no search tree.

For boards without walls whose walk begins on the rim and ends on it. There the free
cells have no hole, and a completion is a path factor of one component
(`solver.solid.grid`). The factor is a flow; its components are joined by flips. Where
they cannot be joined, a count of strips says why (`solver.solid.grid`). Polynomial,
and on drawn boards near linear time; docs/explanation/solid.md has the proofs.

It shares its kernels with the rule `strips` alone: `search` and `sat` may vouch for it,
and it for the other universal rules.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.oracles.answer import Answer, Verdict, check_witness
from solver.solid.grid import PATH, STUCK, Solid, enter_walk, follow, new_room, solve
from solver.solid.witness import Witness

_VERDICTS = {PATH: Verdict.COMPLETABLE, STUCK: Verdict.UNKNOWN}


def why_not(board: Board) -> str | None:
    """Say why the oracle has no answer for positions of a board; None if it has.

    >>> why_not(Board.parse("5!3,3"))
    'the board has walls'
    """
    if board.walls:
        return "the board has walls"
    for name, cell in (("walk begins", board.start), ("walk must end", board.end)):
        row, col = divmod(cell, board.cols)
        if 0 < row < board.rows - 1 and 0 < col < board.cols - 1:
            return f"the {name} within the board, not on its rim"
    return None


class StripsOracle:
    """Exact on boards without walls, with start and end on the rim; else UNKNOWN.

    >>> answer = StripsOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict
    <Verdict.DEAD: 'no completion exists'>
    """

    name = "strips"

    def __init__(self) -> None:
        self._prepared = lru_cache(maxsize=8)(_prepare)

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; O(cells) in practice."""
        board = position.board
        room = self._prepared(board)
        if isinstance(room, str):
            return Answer(Verdict.UNKNOWN, why=room)
        s, w, path = room
        enter_walk(s, np.array(position.walk, np.int32), board.cols, board.end)
        found = solve(s, w)
        if found != PATH:
            return Answer(_VERDICTS.get(found, Verdict.DEAD))
        witness = tuple(path[: follow(s, path, board.cols)].tolist())
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness)


def _prepare(board: Board) -> tuple[Solid, Witness, npt.NDArray[np.int32]] | str:
    """Return room for a board, or why its positions are UNKNOWN."""
    if why := why_not(board):
        return f"{why}, and strips answers for no such board"
    return *new_room(board), np.zeros(board.cells, np.int32)
