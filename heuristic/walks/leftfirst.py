"""The exhaustive walk of the book: left first, with back-stepping, obeying rules.

At every cell the allowed moves are tried left of the heading first, then straight,
then right; before the first step the walk counts as heading right. A walk that fills
the board is counted, and so is every stuck position; then the walker steps back. With
sound rules every walk of the board is found once, with complete ones nothing is stuck.

Walks ahead of a position like one before are counted, not walked
(`heuristic.walks.rounds`). What is counted and when a rule is first needed are the same
as if they were walked.
"""

from collections.abc import Callable, Iterator
from typing import Self

import numpy as np

from heuristic.rule import RuleSet, choices
from heuristic.walks.rounds import (
    COMPLETED,
    FRESH,
    LENGTH,
    RIGHT,
    STEPS,
    STUCK,
    Event,
    Run,
    Stops,
)
from heuristic.walks.walker import Walker
from solver.board import LETTERS, Board, Position
from solver.errors import OptionError

_EVER = 1 << 62  # more walks than there are
_SLICES = 5  # in which a second is cut, so that Ctrl-C is heard under many rules too


class LeftFirstWalk:
    """A left-first walk from a position, the root, that can be run in pieces.

    - `walker`: that of an earlier walk under the same rules on the same board. It knows
      what that walk met: a walk ahead that was met there is counted, not walked, with
      the same results.

    - `completed`, `stuck`, `steps`: walks completed, positions stuck, and steps made so
      far.

    >>> from heuristic.groups import load_rules
    >>> walk = LeftFirstWalk(load_rules("seed-5,seed-close"), Position.parse("5:"))
    >>> walk.run(), walk.completed
    (<Event.FINISHED: 1>, 104)
    """

    def __init__(
        self, rules: RuleSet, root: Position, walker: Walker | None = None
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
            root.board.open_cells,
        )
        self._run.walk[:length] = root.walk
        self._run.todo[length - 1] = FRESH
        self._run.counts[LENGTH] = length

    @property
    def board(self) -> Board:
        """The board that is walked."""
        return self.root.board

    @property
    def position(self) -> Position:
        """Where the walker stands."""
        walk = self._run.walk[: self._run.counts[LENGTH]].tolist()
        return Position(self.board, tuple(walk))

    @property
    def completed(self) -> int:
        """Number of walks completed so far."""
        return int(self._run.counts[COMPLETED])

    @property
    def stuck(self) -> int:
        """Number of stuck positions so far."""
        return int(self._run.counts[STUCK])

    @property
    def steps(self) -> int:
        """Number of steps made so far, steps back not counted."""
        return int(self._run.counts[STEPS])

    @property
    def pace(self) -> int:
        """About how many rounds a second it makes."""
        return self._walker.pace

    @property
    def needed(self) -> dict[str, int]:
        """Walks completed when each rule was first needed, in the order of the rules.

        A rule is needed when it forbids a move that no other rule of the set forbids;
        rules that never were are left out.
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
        """Walk on until everything was tried, or an event that is asked for.

        A stuck or complete walk is counted before the run comes back with it; the
        next run goes on behind it. Before a move that a rule is the first time needed
        for, the run comes back with the position as it was, the rule noted. `walks`
        bounds the walks completed in all, `budget` the rounds of this call: steps
        forward or back and walks ahead that are counted, not walked. `progress` is
        called several times a second.

        Raises `OptionError` if the budget is negative.
        """
        if budget is not None and budget < 0:
            raise OptionError(f"budget is {budget}, expected 0 or more")
        until = _EVER if walks is None else walks
        slice_ = self.pace // _SLICES
        while budget is None or budget > 0:
            now = slice_ if budget is None else min(slice_, budget)
            stops = Stops(stop_stuck, stop_complete, stop_needed, now, until)
            event = self._walker.go(self._run, stops)
            if event is not Event.BUDGET:
                return event
            budget = None if budget is None else budget - now
            if progress is not None:
                progress(self)
        return Event.BUDGET

    def walks(self) -> Iterator[Position]:
        """Walk to the end and yield every completed walk."""
        while self.run(stop_complete=True) is Event.COMPLETE:
            yield self.position

    def moves(self) -> str:
        """Ask at the root; return the moves to try there, in their order.

        Rules needed there are noted. For a walk that was not run yet.
        """
        self.run(budget=1, stop_stuck=True)
        todo = int(self._run.todo[len(self.root.walk) - 1])
        if len(self.root.walk) < self._run.counts[LENGTH]:  # the first was made
            made = LETTERS.index(self.position.moves[-1])
            todo |= 1 << made
        return "".join(d for d in _in_order(self.root) if todo >> LETTERS.index(d) & 1)

    @classmethod
    def standing(
        cls,
        rules: RuleSet,
        position: Position,
        completed: int,
        *,
        counted: bool = False,
    ) -> Self:
        """Return a walk from the start of the board that has come to a position.

        It counts so many walks completed; positions stuck and steps are counted from
        there on. The position itself, complete or stuck, may be `counted` already. A
        millisecond for each step.
        """
        walker = cls(rules, Position(position.board))
        run, length = walker._run, len(position.walk)
        for at, made in enumerate(position.moves):
            before = position.back(length - 1 - at)
            forbidden = {forbid.move for forbid in rules.forbids(before)}
            order = _in_order(before)
            later = set(order[order.index(made) + 1 :]) & set(choices(before))
            run.todo[at] = sum(1 << LETTERS.index(d) for d in later - forbidden)
        run.walk[:length] = position.walk
        run.todo[length - 1] = 0 if counted else FRESH
        run.counts[:2] = length, completed
        return walker


def _in_order(position: Position) -> str:
    """Return the four directions in the order in which they are tried."""
    heading = position.heading if len(position.walk) > 1 else RIGHT
    return "".join(LETTERS[(heading + 3 + turn) % 4] for turn in range(4))
