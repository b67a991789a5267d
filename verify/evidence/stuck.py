"""Stuck positions of a rule set on a small board: all of them, counted."""

from collections.abc import Callable
from dataclasses import dataclass

from heuristic.rounds import Event
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Board, Position
from solver.oracles.oracle import Oracle
from verify.evidence.completeness import blame

SECONDS = 50  # of the walker at its pace: 7x7 under any useful drawn rules


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
    budget : int
        Rounds that the walker had.
    """

    completed: int
    stuck: int
    finished: bool
    first: Position | None
    mistake: Position | None
    budget: int


def stuck_positions(
    rule_set: RuleSet,
    board: Board,
    oracle: Oracle,
    *,
    budget: int | None = None,
    progress: Callable[[LeftFirstWalk], None] | None = None,
) -> StuckEvidence:
    """Try every move that the rules allow, and count where that ends.

    A sound rule set completes every walk of the board; a complete one is never stuck.
    Microseconds a round for drawn rules; bounded by `budget` rounds, by default those
    of `SECONDS`, see `LeftFirstWalk.run`.
    """
    walker = LeftFirstWalk(rule_set, Position(board))
    if budget is None:
        budget = SECONDS * walker.pace
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
        budget,
    )
