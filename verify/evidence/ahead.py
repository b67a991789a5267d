"""What a left-first run finds ahead of a position, and how such finds are joined.

Whatever lies ahead of a position is what lies ahead of its moves, one after the other
from the left. So a run may be cut into pieces that are walked apart, in any order, and
joined to the numbers of the one run.
"""

from dataclasses import dataclass, field
from typing import Any

from heuristic.rounds import Event, Rounds
from heuristic.rule import RuleSet
from heuristic.walks.leftfirst import LeftFirstWalk
from solver.board import Position

KEPT = 5  # stuck positions that are remembered


@dataclass(slots=True)
class Ahead:
    """What is ahead of a position.

    Attributes
    ----------
    completed, stuck, steps : int
        Walks completed, positions stuck, steps made.
    needed : dict of str to (int, str)
        For each rule that was needed: walks completed before its first need, and the
        moves from the position to there.
    stuck_at : list of (int, str)
        The first stuck positions, in the same way.
    cut : bool
        Whether a limit came before the end.
    """

    completed: int = 0
    stuck: int = 0
    steps: int = 0
    needed: dict[str, tuple[int, str]] = field(default_factory=dict)
    stuck_at: list[tuple[int, str]] = field(default_factory=list)
    cut: bool = False

    def add(self, other: "Ahead", moves: str, steps: int = 0) -> None:
        """Add what comes next from the left: ahead of the moves, after so many steps.

        >>> one = Ahead(3, needed={"a": (1, "L")})
        >>> one.add(Ahead(2, needed={"a": (0, ""), "b": (1, "U")}), "R")
        >>> one.completed, one.needed
        (5, {'a': (1, 'L'), 'b': (4, 'RU')})
        """
        before = self.completed
        for rule, (walks, way) in other.needed.items():
            if rule not in self.needed:
                self.needed[rule] = before + walks, moves + way
        for walks, way in other.stuck_at[: KEPT - len(self.stuck_at)]:
            self.stuck_at.append((before + walks, moves + way))
        self.completed += other.completed
        self.stuck += other.stuck
        self.steps += steps + other.steps
        self.cut = other.cut

    def plain(self) -> list[Any]:
        """Return it as JSON values; `ahead_of` reads them."""
        needed = {rule: [*first] for rule, first in self.needed.items()}
        stuck_at = [[*one] for one in self.stuck_at]
        numbers = [self.completed, self.stuck, self.steps]
        return [*numbers, needed, stuck_at, self.cut]


def ahead_of(value: list[Any]) -> Ahead:
    """Return what `Ahead.plain` made the values of.

    >>> one = Ahead(3, 1, 9, {"a": (1, "L")}, [(2, "RU")])
    >>> ahead_of(one.plain()) == one
    True
    """
    completed, stuck, steps, needed, stuck_at, cut = value
    return Ahead(
        completed,
        stuck,
        steps,
        {rule: (walks, way) for rule, (walks, way) in needed.items()},
        [(walks, way) for walks, way in stuck_at],
        cut,
    )


def walk_ahead(
    rules: RuleSet,
    position: Position,
    *,
    walks: int | None = None,
    stop_stuck: bool = False,
    rounds: Rounds | None = None,
) -> Ahead:
    """Walk left first all that is ahead of a position.

    At most so many `walks`, if that is said, or to the first stuck position. `rounds`
    are those of a walk before, with what it met: that changes the time alone.
    """
    walker, found = LeftFirstWalk(rules, position, rounds), Ahead()
    known = len(position.walk) - 1
    event = Event.BUDGET
    while event is not Event.FINISHED and not found.cut:
        remembers = len(found.stuck_at) < KEPT
        event = walker.run(
            stop_stuck=stop_stuck or remembers, stop_needed=True, walks=walks
        )
        if event is Event.NEEDED:
            here = walker.completed, walker.position.moves[known:]
            for rule in walker.needed:
                found.needed.setdefault(rule, here)
        elif event is Event.STUCK:
            if remembers:
                here = walker.completed, walker.position.moves[known:]
                found.stuck_at.append(here)
            found.cut = stop_stuck
        else:
            found.cut = event is Event.WALKS
    found.completed, found.stuck = walker.completed, walker.stuck
    found.steps = walker.steps
    return found
