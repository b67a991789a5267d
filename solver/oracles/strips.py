"""The exact oracle `strips`: path factors and the static search, no search tree.

It answers if the free cells with the live end have no hole. The live end and the end
cell must have at most three free neighbours. A completion is then a path factor of one
component (`solver.solid.static`). A flow gives a factor. The static search of strips
joins its components, or shows that no factor has fewer. It is polynomial, and near
linear on random positions; docs/explanation/solid.md has the proof. The proof has a gap
if both ends have three neighbours: the answer may then be UNKNOWN.

It shares kernels with the rule `strips` alone. So `search` and `sat` can confirm its
answers, and it can judge the other universal rules.
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
    theorem_scope,
)
from solver.solid.static import GIVEN_UP, PATH, decide_position

_SCOPES = {
    HOLE: "the free cells enclose a hole",
    LIVE_INSIDE: "the live end has four free neighbours",
    END_INSIDE: "the end cell has four free neighbours",
}
_UNSETTLED = "both ends have three neighbours, and the proof does not reach this far"


def always_in_scope(board: Board) -> bool:
    """Return whether all positions are in scope: no walls, both ends on the rim."""
    rows, cols = (0, board.rows - 1), (0, board.cols - 1)
    ends = [divmod(cell, board.cols) for cell in (board.start, board.end)]
    return not board.walls and all(row in rows or col in cols for row, col in ends)


def why_not(position: Position) -> str | None:
    """Return why the oracle has no answer; None if it has. O(cells).

    >>> why_not(Position.parse("5!3,3:"))
    'the free cells enclose a hole'
    """
    return _outside(new_solid(position.board), position)


def _outside(s: Solid, position: Position) -> str | None:
    if position.live_end == position.board.end or always_in_scope(position.board):
        return None
    load_position(s, position)
    return _SCOPES.get(theorem_scope(s))


class StripsOracle:
    """The exact oracle `strips`; out of scope UNKNOWN, with the reason.

    >>> StripsOracle().decide(Position.parse("5:RRDLD")).verdict.name
    'DEAD'
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
