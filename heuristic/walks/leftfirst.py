"""The exhaustive walk of the seeds: left first, with back-stepping, obeying rules.

At every cell the allowed moves are tried left of the heading first, then straight,
then right; before the first step the walk counts as heading right. A walk that fills
the board is counted, and so is every stuck position; then the walker steps back. With
sound rules every walk of the board is found once, with complete ones nothing is stuck.

Walks ahead of a position like one before are counted, not walked
(`heuristic.walks.tried`). What is counted and when a rule is first needed are the same
as if they were walked.
"""

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from heuristic.matching.drawn import DrawnRuleSet
from heuristic.matching.pattern import board_numbers, new_order, new_scratch
from heuristic.rule import RuleSet, union_mask
from heuristic.walks.leftrounds import RIGHT, Event, note_needed, run_rounds
from heuristic.walks.runstate import FRESH, read_state
from heuristic.walks.tried import MOST_CELLS, new_tries, turn_cell
from heuristic.walks.walker import free_moves
from solver.board import Board, Position
from solver.errors import OptionError

_EVER = 1 << 62  # more walks than there are
_TRIES = 1 << 22  # rows of `heuristic.walks.tried`, 160 MB when all are used


class LeftFirstWalk:
    """A left-first walk that can be run in pieces, saved and resumed.

    Attributes
    ----------
    completed, stuck, steps : int
        Walks completed, positions stuck, and steps made so far.

    Examples
    --------
    >>> from heuristic.groups import load_rules
    >>> walk = LeftFirstWalk(load_rules("seed-5,seed-close"), Position.parse("5:"))
    >>> walk.run(), walk.completed
    (<Event.FINISHED: 1>, 104)
    """

    def __init__(self, rules: RuleSet, root: Position) -> None:
        self.rules, self.root, board = rules, root, root.board
        self._walk = np.zeros(board.cells, dtype=np.int32)
        self._todo = np.zeros(board.cells, dtype=np.int32)
        self._counts = np.zeros(4, dtype=np.int64)
        self._marks = np.full((board.cells, 3), -1, dtype=np.int64)
        length = len(root.walk)
        self._walk[:length] = root.walk
        self._todo[length - 1] = FRESH
        self._counts[0] = length
        self._order = new_order(board, root.walk)
        self._masks = np.zeros(len(rules.rules), dtype=np.int32)
        self._firsts = np.full(len(rules.rules), -1, dtype=np.int64)
        if isinstance(rules, DrawnRuleSet):
            tables = rules.tables_on(board)
            self._scratch = new_scratch(tables, board)
            runs = (tables.placements[:, 6] < tables.placements[:, 7]).any()
            small = board.cells <= MOST_CELLS
            self._tries = new_tries(_TRIES if small and not runs else 0)
        else:
            self._tracker = rules.tracker(board)
            for cell in root.walk[1:]:
                self._tracker.push(cell)

    @property
    def board(self) -> Board:
        """The board that is walked."""
        return self.root.board

    @property
    def position(self) -> Position:
        """Where the walker stands."""
        walk = self._walk[: self._counts[0]].tolist()
        return Position(self.board, tuple(walk))

    @property
    def completed(self) -> int:
        """Number of walks completed so far."""
        return int(self._counts[1])

    @property
    def stuck(self) -> int:
        """Number of stuck positions so far."""
        return int(self._counts[2])

    @property
    def steps(self) -> int:
        """Number of steps made so far, steps back not counted."""
        return int(self._counts[3])

    @property
    def needed(self) -> dict[str, int]:
        """Walks completed when each rule was first needed, in the order of the rules.

        A rule is needed when it forbids a move that no other rule of the set forbids;
        rules that never were are left out.
        """
        pairs = zip(self.rules.rules, self._firsts.tolist(), strict=True)
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
        called about every million rounds.

        Raises
        ------
        OptionError
            If the budget is negative.
        """
        if budget is not None and budget < 0:
            raise OptionError(f"budget is {budget}, expected 0 or more")
        piece = 1_000_000 if isinstance(self.rules, DrawnRuleSet) else 2_000
        stops = stop_stuck, stop_complete, stop_needed
        while budget is None or budget > 0:
            now = piece if budget is None else min(piece, budget)
            event = self._piece(now, stops, _EVER if walks is None else walks)
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

    def _piece(self, budget: int, stops: tuple[bool, bool, bool], walks: int) -> Event:
        if isinstance(self.rules, DrawnRuleSet):
            words = np.zeros(2, dtype=np.int64)
            tries = self._tries[: 0 if stops[1] else None]
            for cell in self._walk[: self._counts[0]].tolist() if len(tries) else ():
                turn_cell(words, cell)
            return Event(
                run_rounds(
                    self.rules.tables_on(self.board),
                    self.board.neighbours,
                    self._order,
                    board_numbers(self.board),
                    self._walk,
                    self._todo,
                    (len(self.root.walk), self.board.open_cells),
                    self._scratch,
                    self._masks,
                    self._counts,
                    self._firsts,
                    (self._marks, words, tries),
                    stops,
                    (budget, walks),
                )
            )
        for _ in range(budget):
            event = self._step(stops, walks)
            if event is not Event.BUDGET:
                return event
        return Event.BUDGET

    def _step(self, stops: tuple[bool, bool, bool], walks: int) -> Event:
        """Do one round of the kernel, asking the tracker."""
        walk: list[int] = self._walk[: self._counts[0]].tolist()
        at = len(walk) - 1
        if self._todo[at] == FRESH:
            if len(walk) == self.board.open_cells:
                self._todo[at] = 0
                self._counts[1] += 1
                if stops[1]:
                    return Event.COMPLETE
            else:
                if self.completed >= walks:
                    return Event.WALKS
                moves, new = self._ask(walk)
                if new and stops[2]:
                    return Event.NEEDED
                self._todo[at] = moves
                if moves == 0:
                    self._counts[2] += 1
                    if stops[0]:
                        return Event.STUCK
        if self._todo[at] == 0:
            if len(walk) <= len(self.root.walk):
                return Event.FINISHED
            self._order[walk[-1]] = -1
            self._counts[0] -= 1
            self._tracker.pop()
            return Event.BUDGET
        heading = self.board.direction(*walk[-2:]) if at else RIGHT
        turned = ((heading + 3 + turn) % 4 for turn in range(4))
        d = next(d for d in turned if self._todo[at] >> d & 1)
        self._todo[at] &= ~(1 << d)
        cell = int(self.board.neighbours[walk[-1], d])
        self._walk[at + 1], self._todo[at + 1] = cell, FRESH
        self._order[cell] = at + 1
        self._counts[0] += 1
        self._counts[3] += 1
        self._tracker.push(cell)
        return Event.BUDGET

    def _ask(self, walk: list[int]) -> tuple[int, bool]:
        moves = free_moves(self.board, walk, set(walk))
        self._masks[:] = self._tracker.masks() if moves else 0
        new = bool(note_needed(self._masks, self._firsts, self.completed))
        forbidden = union_mask(self._masks.tolist())
        return sum(1 << d for d in moves if not forbidden >> d & 1), new

    def save(self) -> dict[str, Any]:
        """Return the state as plain values, for a JSON file; see `resume`."""
        length = int(self._counts[0])
        return {
            "rules": self.rules.name,
            "root": self.root.notation,
            "position": self.position.notation,
            "todo": self._todo[len(self.root.walk) - 1 : length].tolist(),
            "completed": self.completed,
            "stuck": self.stuck,
            "steps": self.steps,
            "needed": self.needed,
        }

    @classmethod
    def resume(cls, rules: RuleSet, state: dict[str, Any]) -> Self:
        """Return a walker that goes on where `save` was called.

        Raises
        ------
        OptionError
            If the state was saved with other rules or is no state.
        """
        saved = read_state(state, rules.name)
        root, position = saved.root, saved.position
        first, length = len(root.walk) - 1, len(position.walk)
        walker = cls(rules, root)
        walker._walk[:length] = position.walk
        walker._todo[first:length] = saved.todo
        walker._counts[:] = [length, saved.completed, saved.stuck, saved.steps]
        walker._order[:] = new_order(position.board, position.walk)
        walker._firsts[:] = [saved.needed.get(rule.name, -1) for rule in rules.rules]
        if not isinstance(rules, DrawnRuleSet):
            for cell in position.walk[len(root.walk) :]:
                walker._tracker.push(cell)
        return walker
