"""Milestones of the book, run again: a left-first run that notes what happens first.

A run walks left first (`heuristic.walks.leftfirst`) under a rule set. It notes the
walks completed when each rule was *first needed*, that is when it alone forbade a move,
and the first stuck positions. Walks ahead of a position that was met before are
counted, not walked, so all of 9 x 9 takes a minute or two.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from heuristic.walks.rounds import Event
from solver.board import Board, Position

SHOWN = 5  # stuck positions that are noted


@dataclass(slots=True)
class Milestones:
    """What a left-first run met.

    - `completed`, `stuck`, `steps`: walks completed, positions stuck, steps made.
    - `needed`: walks completed before each rule was first needed, in that order.
    - `stuck_at`: the first stuck positions, with the walks completed before.
    - `finished`: whether everything was tried.
    """

    completed: int = 0
    stuck: int = 0
    steps: int = 0
    needed: dict[str, int] = field(default_factory=dict)
    stuck_at: list[tuple[int, Position]] = field(default_factory=list)
    finished: bool = False


def milestones(
    rule_set: RuleSet,
    board: Board,
    *,
    walks: int = 0,
    stop_stuck: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Milestones:
    """Walk left first on a board under rules.

    - `walks`: stop after so many completed walks; 0 for no limit.
    - `stop_stuck`: stop at the first stuck position.
    - `progress`: called several times a second with the walks completed.

    >>> from heuristic.groups import load_rules
    >>> found = milestones(load_rules("seed-5,seed-close"), Board.square(5))
    >>> found.completed, found.stuck, found.finished
    (104, 0, True)
    """
    walk, found = LeftFirstWalk(rule_set, Position(board)), Milestones()
    stopped = False
    while not (stopped or found.finished):
        event = walk.run(
            stop_stuck=stop_stuck or len(found.stuck_at) < SHOWN,
            stop_needed=True,
            walks=walks or None,
            progress=lambda walk: progress(walk.completed),
        )
        if event is Event.NEEDED:
            for rule in walk.needed:
                found.needed.setdefault(rule, walk.completed)
        elif event is Event.STUCK:
            if len(found.stuck_at) < SHOWN:
                found.stuck_at.append((walk.completed, walk.position))
            stopped = stop_stuck
        else:
            stopped = event is Event.WALKS
            found.finished = event is Event.FINISHED
    found.completed, found.stuck, found.steps = walk.completed, walk.stuck, walk.steps
    return found
