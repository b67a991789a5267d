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

from solver.board import Board, Position
from solver.oracles.oracle import Answer, Verdict, check_witness
from solver.solid.factor import (
    END_INSIDE,
    HOLE,
    LIVE_INSIDE,
    Solid,
    load_position,
    new_solid,
    path_of,
    scope_of,
)
from solver.solid.static import GIVEN_UP, PATH, decide_position

_SCOPES = {
    HOLE: "the free cells enclose a hole",
    LIVE_INSIDE: "the live end has four free neighbours",
    END_INSIDE: "the end cell has four free neighbours",
}
_UNSETTLED = "both ends have three neighbours, and the proof does not reach this far"


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
    return _outside(new_solid(position.board), position)


def _outside(s: Solid, position: Position) -> str | None:
    if position.live_end == position.board.end or always_in_scope(position.board):
        return None
    load_position(s, position)
    return _SCOPES.get(scope_of(s))


class StripsOracle:
    """Exact on positions without holes, near the rim; else UNKNOWN, with the reason.

    >>> answer = StripsOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict
    <Verdict.DEAD: 'no completion exists'>
    """

    name = "strips"

    def __init__(self) -> None:
        self._prepared = lru_cache(maxsize=8)(new_solid)

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; O(cells) in practice."""
        s = self._prepared(position.board)
        if why := _outside(s, position):
            return Answer(Verdict.UNKNOWN, why=why)
        outcome = decide_position(s, position)
        if outcome == GIVEN_UP:
            return Answer(Verdict.UNKNOWN, why=_UNSETTLED)
        if outcome != PATH:
            return Answer(Verdict.DEAD)
        witness = path_of(s, position.board)
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness)
