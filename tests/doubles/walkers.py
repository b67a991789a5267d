"""Walkers that use `push`, `pop` and `masks` alone, and no other kernel."""

from heuristic.rule import RuleSet
from heuristic.walker import MixedWalker, Walker
from solver.board import Board


class SlowWalker(MixedWalker):
    """Follows another walker cell by cell; all else is that of `Walker`."""

    tree = Walker.tree

    def __init__(self, walker: Walker) -> None:
        super().__init__([walker])


class SlowRules(RuleSet):
    """The rules of a set, with slow walkers."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules.name, rules.rules)

    def walker(self, board: Board) -> Walker:
        return SlowWalker(super().walker(board))
