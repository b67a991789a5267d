"""Stuck positions of a rule set on a small board: all of them, counted."""

from collections.abc import Callable
from dataclasses import dataclass

from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.leftrounds import Event
from solver.board import Board, Position
from solver.oracles.oracle import Oracle
from verify.evidence.completeness import blame

BUDGET = 50_000_000  # rounds of the walker: 7x7 under any useful rules


@dataclass(frozen=True, slots=True)
class StuckEvidence:
    """What a walker met that tried every allowed move.

    Attributes
    ----------
    completed, stuck : int
        Complete walks, and positions without an allowed move though cells are left.
    finished : bool
        Whether everything was tried; if not, both numbers are lower bounds.
    first : Position or None
        The first stuck position of the left-first order.
    mistake : Position or None
        The last completable position on the way there: the next move was the mistake.
        The same as `first` if a completion still exists there; None if the oracle
        knows no completion of the start.
    """

    completed: int
    stuck: int
    finished: bool
    first: Position | None
    mistake: Position | None


def stuck_positions(
    rule_set: RuleSet,
    board: Board,
    oracle: Oracle,
    *,
    budget: int = BUDGET,
    progress: Callable[[LeftFirstWalk], None] | None = None,
) -> StuckEvidence:
    """Try every move that the rules allow, and count where that ends.

    A sound rule set completes every walk of the board; a complete one is never stuck.
    Microseconds a round for drawn rules; bounded by `budget` rounds, see
    `LeftFirstWalk.run`.
    """
    walker = LeftFirstWalk(rule_set, Position(board))
    event = walker.run(budget=budget, stop_stuck=True, progress=progress)
    first = walker.position if event is Event.STUCK else None
    if first is not None:
        event = walker.run(budget=budget, progress=progress)
    return StuckEvidence(
        walker.completed,
        walker.stuck,
        event is Event.FINISHED,
        first,
        blame(first, oracle) if first else None,
    )
