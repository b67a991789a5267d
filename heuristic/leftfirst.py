"""The exhaustive walk of the seeds: left first, with back-stepping, obeying rules.

At every cell the allowed moves are tried left of the heading first, then straight,
then right; before the first step the walk counts as heading right. A walk that fills
the board is counted, and so is every stuck position; then the walker steps back. With
sound rules every walk of the board is found once, with complete ones nothing is stuck.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Self

import numpy as np

from heuristic.drawn import DrawnRuleSet
from heuristic.pattern import Ints, Tables, board_numbers, new_order, new_scratch
from heuristic.rule import RuleSet, union_mask
from heuristic.walker import allowed_moves, free_moves
from solver.board import LETTERS, Board, Position
from solver.errors import OptionError
from solver.jit import njit

_FRESH = -1  # in `todo`: the moves of this cell were not asked for yet
_RIGHT = 1


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3


@njit
def _note_needed(masks: Ints, firsts: Any, completed: int) -> None:
    """Kernel: note in `firsts` the rules that forbid a move which no other does.

    `allowed_moves` leaves the masks of free neighbours, all 0 where no move is free.
    """
    once, twice = 0, 0
    for rule in range(len(masks)):
        twice |= once & masks[rule]
        once |= masks[rule]
    alone = once & ~twice
    if alone != 0:
        for rule in range(len(masks)):
            if firsts[rule] < 0 and masks[rule] & alone != 0:
                firsts[rule] = completed


@njit
def _run(
    tables: Tables,
    neighbours: Ints,
    order: Ints,
    board: tuple[int, int, int],
    walk: Ints,
    todo: Ints,
    sizes: tuple[int, int],
    scratch: Ints,
    masks: Ints,
    counts: Any,
    firsts: Any,
    stops: tuple[bool, bool],
    budget: int,
) -> int:
    """Kernel of `LeftFirstWalk.run`; `sizes` is (root length, open cells).

    `counts` holds length, completed, stuck and steps, int64; `firsts` see `needed`.
    Returns an `Event` value.
    """
    root, open_cells = sizes
    for _ in range(budget):
        length = counts[0]
        if todo[length - 1] == _FRESH:
            todo[length - 1] = 0
            if length == open_cells:
                counts[1] += 1
                if stops[1]:
                    return 3
            else:
                todo[length - 1] = allowed_moves(
                    tables,
                    neighbours,
                    order,
                    board,
                    walk,
                    length,
                    open_cells,
                    scratch,
                    masks,
                )
                _note_needed(masks, firsts, counts[1])
                if todo[length - 1] == 0:
                    counts[2] += 1
                    if stops[0]:
                        return 2
        if todo[length - 1] == 0:
            if length <= root:
                return 1
            order[walk[length - 1]] = -1
            counts[0] = length - 1
            continue
        heading = _RIGHT
        if length > 1:
            for d in range(4):
                if neighbours[walk[length - 2], d] == walk[length - 1]:
                    heading = d
        for turn in range(4):
            d = (heading + 3 + turn) % 4
            if (todo[length - 1] >> d) & 1:
                todo[length - 1] &= ~(1 << d)
                walk[length] = neighbours[walk[length - 1], d]
                break
        order[walk[length]] = length
        todo[length] = _FRESH
        counts[0] = length + 1
        counts[3] += 1
    return 0


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
        length = len(root.walk)
        self._walk[:length] = root.walk
        self._todo[length - 1] = _FRESH
        self._counts[0] = length
        self._order = new_order(board, root.walk)
        self._masks = np.zeros(len(rules.rules), dtype=np.int32)
        self._firsts = np.full(len(rules.rules), -1, dtype=np.int64)
        if isinstance(rules, DrawnRuleSet):
            self._scratch = new_scratch(rules.tables_on(board), board)
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
        progress: Callable[["LeftFirstWalk"], None] | None = None,
    ) -> Event:
        """Walk on until everything was tried, or an event that is asked for.

        A stuck or complete walk is counted before the run comes back with it; the
        next run goes on behind it. `budget` bounds steps forward and back together;
        `progress` is called about every million of them.

        Raises
        ------
        OptionError
            If the budget is negative.
        """
        if budget is not None and budget < 0:
            raise OptionError(f"budget is {budget}, expected 0 or more")
        piece = 1_000_000 if isinstance(self.rules, DrawnRuleSet) else 2_000
        while budget is None or budget > 0:
            now = piece if budget is None else min(piece, budget)
            event = self._piece(now, stop_stuck, stop_complete)
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

    def _piece(self, budget: int, stop_stuck: bool, stop_complete: bool) -> Event:
        if isinstance(self.rules, DrawnRuleSet):
            return Event(
                _run(
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
                    (stop_stuck, stop_complete),
                    budget,
                )
            )
        for _ in range(budget):
            event = self._step(stop_stuck, stop_complete)
            if event is not Event.BUDGET:
                return event
        return Event.BUDGET

    def _step(self, stop_stuck: bool, stop_complete: bool) -> Event:
        """Do one round of the kernel, asking the tracker."""
        walk: list[int] = self._walk[: self._counts[0]].tolist()
        at = len(walk) - 1
        if self._todo[at] == _FRESH:
            self._todo[at] = self._ask(walk)
            if len(walk) == self.board.open_cells:
                self._counts[1] += 1
                if stop_complete:
                    return Event.COMPLETE
            elif self._todo[at] == 0:
                self._counts[2] += 1
                if stop_stuck:
                    return Event.STUCK
        if self._todo[at] == 0:
            if len(walk) <= len(self.root.walk):
                return Event.FINISHED
            self._order[walk[-1]] = -1
            self._counts[0] -= 1
            self._tracker.pop()
            return Event.BUDGET
        heading = self.board.direction(*walk[-2:]) if at else _RIGHT
        turned = ((heading + 3 + turn) % 4 for turn in range(4))
        d = next(d for d in turned if self._todo[at] >> d & 1)
        self._todo[at] &= ~(1 << d)
        cell = int(self.board.neighbours[walk[-1], d])
        self._walk[at + 1], self._todo[at + 1] = cell, _FRESH
        self._order[cell] = at + 1
        self._counts[0] += 1
        self._counts[3] += 1
        self._tracker.push(cell)
        return Event.BUDGET

    def _ask(self, walk: list[int]) -> int:
        moves = free_moves(self.board, walk, set(walk))
        self._masks[:] = self._tracker.masks() if moves else 0
        _note_needed(self._masks, self._firsts, self.completed)
        forbidden = union_mask(self._masks.tolist())
        return sum(1 << d for d in moves if not forbidden >> d & 1)

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
        try:
            if state["rules"] != rules.name:
                raise OptionError(
                    f"the state belongs to rules {state['rules']!r}, not {rules.name!r}"
                )
            root = Position.parse(state["root"])
            position = Position.parse(state["position"])
            todo = np.array(state["todo"], dtype=np.int32)
            numbers = [int(state[key]) for key in ("completed", "stuck", "steps")]
            needed = {str(name): int(n) for name, n in state.get("needed", {}).items()}
        except (
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
            OverflowError,
        ) as error:
            raise OptionError(f"no state of a left-first walk: {error}") from None
        inside = position.walk[: len(root.walk)] == root.walk
        same = position.board == root.board and inside
        first, length = len(root.walk) - 1, len(position.walk)
        if not same or todo.shape != (length - first,) or min(numbers) < 0:
            raise OptionError("no state of a left-first walk: its parts do not fit")
        for index, moves in enumerate(todo.tolist()):
            part = position.back(length - first - 1 - index)
            options = sum(1 << LETTERS.index(move) for move in part.options())
            fresh = moves == _FRESH and part.walk == position.walk
            if not fresh and (moves < 0 or moves & ~options):
                raise OptionError("no state of a left-first walk: no such moves to do")
        walker = cls(rules, root)
        walker._walk[:length] = position.walk
        walker._todo[first:length] = todo
        walker._counts[:] = [length, *numbers]
        walker._order[:] = new_order(position.board, position.walk)
        walker._firsts[:] = [needed.get(rule.name, -1) for rule in rules.rules]
        if not isinstance(rules, DrawnRuleSet):
            for cell in position.walk[len(root.walk) :]:
                walker._tracker.push(cell)
        return walker
