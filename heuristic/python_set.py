"""Python rules together, along a walk."""

from collections.abc import Sequence

from heuristic.python_rule import PythonRule
from heuristic.rule import Forbid, Rule, mask_of
from heuristic.walks.walker import ByTracker
from solver.board import LETTERS, Board, Cell, Position
from solver.errors import RuleError


class PythonRuleSet(ByTracker):
    """Python rules asked one after the other; a `RuleSet`.

    Raises `RuleError` if two different functions have the same name.
    """

    def __init__(self, name: str, rules: Sequence[PythonRule]) -> None:
        self.name = name
        kept: dict[str, PythonRule] = {}
        for rule in rules:
            if kept.setdefault(rule.name, rule) != rule:
                why = "another rule of the set has this name"
                raise RuleError(rule.origin, rule.name, why)
        self.rules: tuple[Rule, ...] = tuple(kept.values())

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        return tuple(f for rule in self.rules for f in rule.forbids(position))

    def tracker(self, board: Board) -> "PythonTracker":
        """Return a fresh tracker at the board's start."""
        return PythonTracker(self.rules, board)


class PythonTracker:
    """Python rules along one walk."""

    def __init__(self, rules: Sequence[Rule], board: Board) -> None:
        self._rules = rules
        self._positions = [Position(board)]

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        position = self._positions[-1]
        move = LETTERS[position.board.direction(position.live_end, cell)]
        self._positions.append(position.step(move))

    def pop(self) -> None:
        """Take the last cell back."""
        self._positions.pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        position = self._positions[-1]
        return [
            mask_of(forbid.move for forbid in rule.forbids(position))
            for rule in self._rules
        ]
