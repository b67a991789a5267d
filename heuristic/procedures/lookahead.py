"""A look one step ahead: moves after which the rules leave none.

The source proposed it in place of a list of all pairs of areas, one on either side of
the live end, that force two different moves. It was switched off in the program, and
replaced by the rules of the next step that are drawn.
"""

from collections.abc import Callable
from functools import cached_property

from heuristic.rule import Forbid, Reason, Rule, RuleSet, Tracker, letters, union_mask
from heuristic.walks.tracked import ByTracker
from solver.board import Board, Cell, Position


class NextStepRule(ByTracker):
    """Forbids every move after which all rules of `seed-2024` together leave no move.

    A `Rule`, and the `RuleSet` of itself. It can be no better than those rules: where
    one of them is wrong, this rule is wrong one step before.
    """

    name = "sa-next-step"
    claim = "withdrawn"
    origin = "one-way labyrinth, read-me text; program, NextStepPossibilities"

    def __init__(self, load: Callable[[str], RuleSet]) -> None:
        self._load = load  # of the book; it is read only when the rule is asked

    @cached_property
    def base(self) -> RuleSet:
        """The rules that it asks after the step."""
        return self._load("seed-2024")

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rule itself."""
        return (self,)

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
        words = [
            f"{move} by {next(f.rule for f in forbids if f.move == move)}"
            for move in after.options()
            if any(f.move == move for f in forbids)
        ]
        cells = {cell for f in forbids for cell in f.reason.cells}
        return Reason(
            f"after it the rules leave no move: {', '.join(words) or 'none is free'}",
            cells=tuple(sorted(cells)),
            steps=tuple(forbid.reason for forbid in forbids),
        )

    def tracker(self, board: Board) -> "NextStepTracker":
        """Return a fresh tracker at the board's start."""
        return NextStepTracker(self.base.tracker(board), board)


class NextStepTracker:
    """The rules along a walk, asked once more after every free step; a `Tracker`."""

    def __init__(self, base: Tracker, board: Board) -> None:
        self._base, self._board = base, board
        self._neighbours = board.neighbours.tolist()
        self._free = [cell not in board.walls for cell in range(board.cells)]
        self._free[board.start] = False
        self._walk = [board.start]

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._base.push(cell)
        self._walk.append(cell)
        self._free[cell] = False

    def pop(self) -> None:
        """Take the last cell back."""
        self._base.pop()
        self._free[self._walk.pop()] = True

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
        """Return the directions that a walker chooses among before any rule."""
        last = len(self._walk) == self._board.open_cells - 1
        return [
            d
            for d, cell in enumerate(self._neighbours[self._walk[-1]])
            if cell >= 0 and self._free[cell] and (cell != self._board.end or last)
        ]
