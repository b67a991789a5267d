"""Walkers that use `push`, `pop` and `masks` alone, and no other kernel."""

from heuristic.rule import Reason, RuleSet
from heuristic.walker import Walker
from solver.board import Board, Cell


class SlowWalker(Walker):
    """Follows another walker cell by cell; all else is that of `Walker`."""

    def __init__(self, walker: Walker) -> None:
        super().__init__(walker.board)
        self._walker = walker

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._walker.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        self._walker.pop()
        super().pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        return self._walker.masks()

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        return self._walker.reason(rule, move)


class SlowRules(RuleSet):
    """The rules of a set, with slow walkers."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules.name, rules.rules)

    def walker(self, board: Board) -> Walker:
        """Return a slow walker under these rules."""
        return SlowWalker(super().walker(board))
