"""The exact oracle `strips`: path factors and the static search, no search tree.

It answers for positions whose free cells, with the live end, have no hole, and whose
live end and end cell have three free neighbours at most. There a completion is a path
factor of one component (`solver.solid.static`). The factor is a flow, and the static
search of strips joins its components, or shows that no factor has fewer. Polynomial,
and on random positions near linear time; docs/explanation/solid.md has the proof. If
both ends have three neighbours, the proof has a gap, and the answer may be UNKNOWN.

It shares its kernels with the rule `strips` alone: `search` and `sat` may vouch for it,
and it for the other universal rules.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.oracles.answer import Answer, Verdict, check_witness
from solver.solid.grid import (
    END_INSIDE,
    HOLE,
    LIVE_INSIDE,
    Solid,
    enter_walk,
    follow,
    new_solid,
    scope,
)
from solver.solid.static import (
    PATH,
    Outcome,
    finish,
    new_room,
    solve,
)
from solver.solid.strips import GIVEN_UP
from solver.solid.witness import Witness

_SCOPES = {
    HOLE: "the free cells enclose a hole",
    LIVE_INSIDE: "the live end has four free neighbours",
    END_INSIDE: "the end cell has four free neighbours",
}


class _Room(NamedTuple):
    """Arrays for the positions of a board, and whether all of them are in scope."""

    solid: Solid
    witness: Witness
    path: npt.NDArray[np.int32]
    always: bool


def always_in_scope(board: Board) -> bool:
    """Whether all positions of a board are in scope: no walls, ends on the rim."""
    rim = True
    for cell in (board.start, board.end):
        row, col = divmod(cell, board.cols)
        rim &= row in (0, board.rows - 1) or col in (0, board.cols - 1)
    return rim and not board.walls


def why_not(position: Position) -> str | None:
    """Return why the oracle has no answer for a position; None if it has. O(cells).

    >>> why_not(Position.parse("5!3,3:"))
    'the free cells enclose a hole'
    """
    if always_in_scope(position.board) or position.live_end == position.board.end:
        return None
    s = new_solid(position.board)
    _enter(s, position)
    return _SCOPES.get(scope(s))


def _enter(s: Solid, position: Position) -> None:
    board = position.board
    enter_walk(s, np.array(position.walk, np.int32), board.cols, board.end)


class StripsOracle:
    """Exact on positions without holes, near the rim; else UNKNOWN, with the reason.

    >>> answer = StripsOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict
    <Verdict.DEAD: 'no completion exists'>
    """

    name = "strips"

    def __init__(self) -> None:
        self._prepared = lru_cache(maxsize=8)(_new_room)

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; O(cells) in practice."""
        board = position.board
        s, w, path, always = self._prepared(board)
        _enter(s, position)
        inside = always or position.live_end == board.end
        if not inside and (why := _SCOPES.get(scope(s))):
            return Answer(Verdict.UNKNOWN, why=why)
        found = solve(s, w, True)
        if found < 0:
            found, _ = finish(s, w, found, position.notation)
        if found == GIVEN_UP:
            return Answer(Verdict.UNKNOWN, why=Outcome.UNSETTLED.value)
        if found != PATH:
            return Answer(Verdict.DEAD)
        witness = tuple(path[: follow(s, path, board.cols)].tolist())
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness)


def _new_room(board: Board) -> _Room:
    path = np.zeros(board.cells, np.int32)
    return _Room(*new_room(board), path, always_in_scope(board))
