"""Walkers that know no road but `push`, `pop` and `masks`."""

from heuristic.walks.walker import Walker
from solver.board import Cell


class SlowWalker(Walker):
    """Follows another walker cell by cell; all else is that of `Walker`."""

    def __init__(self, walker: Walker) -> None:
        super().__init__(walker.board)
        self._walker = walker

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._walker.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._walker.pop()
        super().pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        return self._walker.masks()
