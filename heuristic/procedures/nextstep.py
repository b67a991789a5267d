"""A look one step ahead: moves after which the rules leave none.

The source proposed it in place of a list of all pairs of areas, one on either side of
the live end, that force two different moves. It was switched off in the program, and
replaced by rules of the next step that are drawn.
"""

from collections.abc import Callable
from functools import cached_property

from heuristic.boards import Boards
from heuristic.rule import (
    Forbid,
    Reason,
    Rule,
    RuleSet,
    Tracker,
    letters,
    union_mask,
)
from heuristic.walks.rounds import moves_to_try
from heuristic.walks.walker import ByTracker
from solver.board import Board, Cell, Position


class NextStepRule(ByTracker):
    """Forbids every move after which all rules of `seed-2024` together leave no move.

    It can be no better than those rules: where one of them is wrong, this rule is wrong
    one step before.
    """

    name = "sa-next-step"
    claim = "withdrawn"
    origin = "one-way labyrinth, read-me text; program, NextStepPossibilities"
    reason = "after it the rules leave no move"
    boards = Boards.CORNERS

    def __init__(self, load: Callable[[str], RuleSet]) -> None:
        self._load = load
        self.rules: tuple[Rule, ...] = (self,)

    @cached_property
    def base(self) -> RuleSet:
        """The rules that it asks after the step; read when they are first asked."""
        return self._load("seed-2024")

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        tracker = self.tracker(position.board)
        for cell in position.walk[1:]:
            tracker.push(cell)
        return tuple(
            Forbid(self.name, move, self._reason(position.step(move)))
            for move in letters(tracker.masks()[0])
        )

    def _reason(self, after: Position) -> Reason:
        forbids = self.base.forbids(after)
        rules = {forbid.move: forbid.rule for forbid in reversed(forbids)}
        words = [f"{m} by {rules[m]}" for m in after.options() if m in rules]
        cells = {cell for forbid in forbids for cell in forbid.reason.cells}
        return Reason(
            f"{self.reason}: {', '.join(words) or 'none is free'}",
            cells=tuple(sorted(cells)),
            steps=tuple(forbid.reason for forbid in forbids),
        )

    def tracker(self, board: Board) -> "NextStepTracker":
        """Return a fresh tracker at the board's start."""
        return NextStepTracker(self.base.tracker(board), board)


def next_step_rules(names: tuple[str, ...], load: Callable[[str], RuleSet]) -> RuleSet:
    """Return the rule set of the look ahead; the factory of its group."""
    return NextStepRule(load)


class NextStepTracker:
    """The rules along a walk, asked once more after every free step; a `Tracker`."""

    def __init__(self, base: Tracker, board: Board) -> None:
        self._base, self._board = base, board
        self._neighbours = board.neighbours.tolist()
        self._walk, self._visited = [board.start], {board.start}

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._base.push(cell)
        self._walk.append(cell)
        self._visited.add(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._base.pop()
        self._visited.remove(self._walk.pop())

    def masks(self) -> list[int]:
        """Return the forbidden moves as bits, one mask."""
        mask = 0
        for d in self._options():
            self.push(self._neighbours[self._walk[-1]][d])
            if len(self._walk) < self._board.open_cells:
                allowed = sum(1 << e for e in self._options())
                if not allowed & ~union_mask(self._base.masks()):
                    mask |= 1 << d
            self.pop()
        return [mask]

    def _options(self) -> list[int]:
        around = self._neighbours[self._walk[-1]]
        return moves_to_try(self._board, around, self._visited)
