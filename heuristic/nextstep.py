"""A look one step ahead: moves after which the rules leave none.

The source proposed it in place of a list of all pairs of areas, one on either side of
the live end, that force two different moves. It was switched off in the program, and
replaced by rules of the next step that are drawn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from heuristic.rule import Boards, Reason, Rule, RuleSet, union_mask
from heuristic.walks.walker import Walker
from solver.board import Board, Cell, Position


@dataclass(frozen=True)
class NextStepRule(Rule):
    """Forbids every move after which all rules of `seed-2024` together leave no move.

    It can be no better than those rules: where one of them is wrong, this rule is wrong
    one step before.
    """

    name: ClassVar[str] = "sa-next-step"
    claim: ClassVar[str] = "withdrawn"
    origin: ClassVar[str] = (
        "one-way labyrinth, read-me text; program, NextStepPossibilities"
    )
    reason: ClassVar[str] = "after it the rules leave no move"
    boards: ClassVar[Boards] = Boards.CORNERS
    engine: ClassVar[str] = f"{__name__}:next_step"

    base: RuleSet = field(compare=False)  # the rules that it asks after the step


def next_step_rules(names: Sequence[str], base: RuleSet) -> list[Rule]:
    """Return the look ahead; the factory of its group."""
    return [NextStepRule(base)]


def next_step(rules: Sequence[Rule]) -> Callable[[Board], "NextStepWalker"]:
    """Return what makes walkers of the one rule; a `heuristic.rule.Engine`."""
    base = cast(NextStepRule, rules[0]).base
    return lambda board: NextStepWalker(base, board)


class NextStepWalker(Walker):
    """Rules on a board, asked once more after every free step."""

    def __init__(self, base: RuleSet, board: Board) -> None:
        super().__init__(board)
        self._rules, self._base = base, base.walker(board)

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._base.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._base.pop()
        super().pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves as bits, one mask."""
        mask, options = 0, self.options()
        for d, cell in enumerate(self.board.neighbours[self.path[-1]].tolist()):
            if options >> d & 1:
                self.push(cell)
                if len(self.path) < self.board.open_cells:
                    stuck = not self.options() & ~union_mask(self._base.masks())
                    mask |= stuck << d
                self.pop()
        return [mask]

    def reason(self, rule: int, move: str) -> Reason:
        """Return what forbids each move after a step."""
        after = Position(self.board, tuple(self.path)).step(move)
        forbids = self._rules.forbids(after)
        rules = {forbid.move: forbid.rule for forbid in reversed(forbids)}
        words = [f"{m} by {rules[m]}" for m in after.options() if m in rules]
        cells = {cell for forbid in forbids for cell in forbid.reason.cells}
        return Reason(
            f"{NextStepRule.reason}: {', '.join(words) or 'none is free'}",
            cells=tuple(sorted(cells)),
            steps=tuple(forbid.reason for forbid in forbids),
        )
