"""The exhaustive walk of the book: left first, with back-stepping, obeying rules.

At every cell the allowed moves are tried left of the heading first, then straight,
then right; before the first step the walk counts as heading right. A walk that fills
the board is counted, and so is every stuck position; then the walker steps back. With
sound rules every walk of the board is found once, with complete ones nothing is stuck.

A *round* is a step forward or a step back. A rule is *needed* at a position if it
forbids a move there that no other rule of the set forbids.

Kernels of drawn rules count walks ahead of a position like one before, and do not walk
them (`heuristic.matching.walks`). The counts are the same.
"""

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from heuristic.rule import RuleSet, choices, mask_of, union_mask
from solver.board import LETTERS, Position
from solver.errors import OptionError

if TYPE_CHECKING:
    from heuristic.walks.walker import Walker

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

FRESH = -1  # in `Run.todo`: the moves of this cell were not asked for yet
RIGHT = 1  # the direction that the walk counts as heading before its first step
LENGTH, COMPLETED, STUCK, STEPS = range(4)  # entries of `Run.counts`
_EVER = 1 << 62  # more walks than there are
_SLICES = 5  # of a second, between two looks at the keyboard


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    NEEDED = 4
    WALKS = 5


class Run(NamedTuple):
    """Where a left-first walk stands, as kernels take it.

    - `walk`, (cells,) int32: the cells visited, as many as `counts` says.
    - `todo`, (cells,) int32: moves left to try at each of them, as bits; `FRESH` if not
      asked for yet.
    - `counts`, (4,) int64: cells of the walk, walks completed, positions stuck, steps
      made.
    - `firsts`, (rules,) int64: walks completed when each rule was first needed, -1 if
      it was not.
    - `root`: cells of the position that the walk began with.
    """

    walk: Ints
    todo: Ints
    counts: Longs
    firsts: Longs
    root: int


class Stops(NamedTuple):
    """When to come back: at which events, and behind how many rounds and walks."""

    stuck: bool
    complete: bool
    needed: bool
    rounds: int
    walks: int


class LeftFirstWalk:
    """A left-first walk from a position, the root, that can be run in pieces.

    - `walker`: that of an earlier walk under the same rules on the same board. It knows
      what that walk met: a walk ahead that was met there is counted, not walked, with
      the same results.

    >>> from heuristic.groups import load_rules
    >>> walk = LeftFirstWalk(load_rules("seed-5,seed-close"), Position.parse("5:"))
    >>> walk.run(), walk.completed
    (<Event.FINISHED: 1>, 104)
    """

    def __init__(
        self, rules: RuleSet, root: Position, walker: "Walker | None" = None
    ) -> None:
        self.rules, self.root = rules, root
        self._walker = walker or rules.walker(root.board)
        cells, length = root.board.cells, len(root.walk)
        self._run = Run(
            np.zeros(cells, dtype=np.int32),
            np.zeros(cells, dtype=np.int32),
            np.zeros(4, dtype=np.int64),
            np.full(len(rules.rules), -1, dtype=np.int64),
            length,
        )
        self._run.walk[:length] = root.walk
        self._run.todo[length - 1] = FRESH
        self._run.counts[LENGTH] = length

    @property
    def position(self) -> Position:
        """Where the walker stands."""
        walk = self._run.walk[: self._run.counts[LENGTH]].tolist()
        return Position(self.root.board, tuple(walk))

    @property
    def completed(self) -> int:
        """Number of walks completed."""
        return int(self._run.counts[COMPLETED])

    @property
    def stuck(self) -> int:
        """Number of stuck positions."""
        return int(self._run.counts[STUCK])

    @property
    def steps(self) -> int:
        """Number of steps made, steps back not counted."""
        return int(self._run.counts[STEPS])

    @property
    def pace(self) -> int:
        """About how many rounds a second it makes."""
        return self._walker.pace

    @property
    def needed(self) -> dict[str, int]:
        """Walks completed when each rule was first needed, in the order of the rules.

        Rules that never were needed are left out.
        """
        pairs = zip(self.rules.rules, self._run.firsts.tolist(), strict=True)
        return {rule.name: first for rule, first in pairs if first >= 0}

    def run(
        self,
        *,
        budget: int | None = None,
        stop_stuck: bool = False,
        stop_complete: bool = False,
        stop_needed: bool = False,
        walks: int | None = None,
        progress: Callable[["LeftFirstWalk"], None] | None = None,
    ) -> Event:
        """Walk until everything was tried, or an event that is asked for.

        A stuck or complete walk is counted before the run comes back with it; the
        next run resumes behind it. Before a move that a rule is the first time needed
        for, the run comes back with the position as it was, the rule noted. `walks`
        bounds the walks completed in all, `budget` the rounds of this call: steps
        forward or back and walks ahead that are counted, not walked. `progress` is
        called several times a second.

        Raises `OptionError` if the budget is negative.
        """
        if budget is not None and budget < 0:
            raise OptionError(f"budget is {budget}, expected 0 or more")
        until = _EVER if walks is None else walks
        while budget is None or budget > 0:
            rounds = self.pace // _SLICES
            if budget is not None:
                rounds = min(rounds, budget)
                budget -= rounds
            stops = Stops(stop_stuck, stop_complete, stop_needed, rounds, until)
            event = self._walker.go(self._run, stops)
            if event is not Event.BUDGET:
                return event
            if progress is not None:
                progress(self)
        return Event.BUDGET

    @classmethod
    def standing(
        cls, rules: RuleSet, position: Position, *, counted: bool = False
    ) -> Self:
        """Return a walk from the start of the board that has come to a position.

        Walks, positions stuck and steps are counted from there on. The position itself,
        complete or stuck, may be `counted` already. A millisecond for each step.
        """
        walk = cls(rules, Position(position.board))
        run, length = walk._run, len(position.walk)
        for at, made in enumerate(position.moves):
            before = position.back(length - 1 - at)
            forbidden = {forbid.move for forbid in rules.forbids(before)}
            heading = before.heading if at else RIGHT
            order = [LETTERS[(heading + 3 + turn) % 4] for turn in range(4)]
            later = set(order[order.index(made) + 1 :]) & set(choices(before))
            run.todo[at] = mask_of(later - forbidden)
        run.walk[:length] = position.walk
        run.todo[length - 1] = 0 if counted else FRESH
        run.counts[LENGTH] = length
        return walk


def make_rounds(walker: "Walker", run: Run, stops: Stops) -> Event:
    """Make rounds with any walker until an event that is asked for."""
    board, counts = walker.board, run.counts
    walker.follow(run.walk[: counts[LENGTH]].tolist())
    for _ in range(stops.rounds):
        path = walker.path
        at = len(path) - 1
        if run.todo[at] == FRESH:
            event = _arrive(walker, run, stops)
            if event is not Event.BUDGET:
                return event
        if run.todo[at]:
            heading = board.direction(*path[-2:]) if at else RIGHT
            turns = ((heading + 3 + turn) % 4 for turn in range(4))
            d = next(d for d in turns if run.todo[at] >> d & 1)
            run.todo[at] &= ~(1 << d)
            cell = int(board.neighbours[path[-1], d])
            walker.push(cell)
            run.walk[at + 1], run.todo[at + 1] = cell, FRESH
            counts[STEPS] += 1
            counts[LENGTH] += 1
        elif at < run.root:
            return Event.FINISHED
        else:
            walker.pop()
            counts[LENGTH] -= 1
    return Event.BUDGET


def _arrive(walker: "Walker", run: Run, stops: Stops) -> Event:
    """Decide what to try from a cell that was just stepped on."""
    counts, at = run.counts, len(walker.path) - 1
    if at + 1 == walker.board.open_cells:
        run.todo[at] = 0
        counts[COMPLETED] += 1
        return Event.COMPLETE if stops.complete else Event.BUDGET
    if counts[COMPLETED] >= stops.walks:
        return Event.WALKS
    moves = walker.options()
    masks = walker.masks() if moves else []
    new = False
    for rule, mask in enumerate(masks):
        others = union_mask(masks[:rule] + masks[rule + 1 :]) if mask else 0
        if mask & ~others and run.firsts[rule] < 0:
            run.firsts[rule] = counts[COMPLETED]
            new = True
    if new and stops.needed:
        return Event.NEEDED  # still fresh: the next run asks again
    run.todo[at] = moves & ~union_mask(masks)
    if not run.todo[at]:
        counts[STUCK] += 1
        return Event.STUCK if stops.stuck else Event.BUDGET
    return Event.BUDGET
