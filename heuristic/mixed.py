"""Several rule sets as one, whatever they are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from heuristic.rule import Followed, Forbid, Rounds, RuleSet, Tracker
from heuristic.walks.walker import ByTracker
from solver.board import Board, Cell, Position
from solver.errors import RuleError
from solver.positions import PositionTree


class MixedRuleSet(ByTracker):
    """Rule sets one after the other; a `RuleSet`.

    Each part keeps its own precedence: a rule that stops, stops its own part.

    Raises `RuleError` if two rules have the same name.
    """

    def __init__(self, name: str, parts: Sequence[RuleSet]) -> None:
        self.name, self.parts = name, tuple(parts)
        self.rules = tuple(rule for part in parts for rule in part.rules)
        names = [rule.name for rule in self.rules]
        for rule in names:
            if names.count(rule) > 1:
                raise RuleError(name, rule, "two rules of the set have this name")

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        return tuple(f for part in self.parts for f in part.forbids(position))

    def _repr_html_(self) -> str:
        parts = (getattr(part, "_repr_html_", None) for part in self.parts)
        return "".join(part() for part in parts if part)

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges that the parts know to come, each once."""
        edges = [edge for part in self.parts for edge in part.edges(position)]
        return tuple(dict.fromkeys(edges))

    @property
    def kin(self) -> tuple[str, ...]:
        """Oracles that share kernels with a part."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.kin))

    def asked_always(self) -> "MixedRuleSet":
        """Return the set without precedence: each rule asked at every position."""
        return MixedRuleSet(self.name, [part.asked_always() for part in self.parts])

    def followed(self, tree: PositionTree) -> Iterator[Followed]:
        """Follow every part on its own, so that each takes its own road."""
        parts = [part.followed(tree) for part in self.parts]
        for found in zip(*parts, strict=True):
            masks = np.hstack([one.masks for one in found])
            yield replace(found[0], masks=masks)

    def rounds(self, board: Board) -> Rounds:
        """Return the rounds of a left-first walk; by one kernel, if the last part can.

        That is a part that makes them together with the one part before it.
        """
        together: Rounds | None = None
        if len(self.parts) == 2 and hasattr(self.parts[1], "rounds_behind"):
            together = self.parts[1].rounds_behind(self.parts[0], board)
        return together or super().rounds(board)

    def tracker(self, board: Board) -> "MixedTracker":
        """Return a fresh tracker at the board's start."""
        return MixedTracker([part.tracker(board) for part in self.parts])


class MixedTracker:
    """Trackers side by side; masks are strung together."""

    def __init__(self, trackers: Sequence[Tracker]) -> None:
        self._trackers = tuple(trackers)

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        for tracker in self._trackers:
            tracker.push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        for tracker in self._trackers:
            tracker.pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        return [mask for tracker in self._trackers for mask in tracker.masks()]
