"""Rows and columns outside, corners, the arc along a side: imports nothing of ours."""

from itertools import product
from typing import Any

from verify.checker.page import NEAR, Cell, Name, Values, edge_of, near
from verify.checker.ports import Ports
from verify.checker.views import Key

Box = tuple[int, int, int, int]  # first and last row, first and last column


class Rim(Ports):
    """A rectangle without walls, start and end in opposite corners."""

    def __init__(self, drawing: dict[str, Any], part: dict[str, Any]) -> None:
        super().__init__(drawing, part)
        self._boards: list[Box] | None = None
        self._placed: dict[tuple[Cell, Box, Key], bool] = {}

    def boards(self) -> list[Box]:
        """Return what of the window can be board, by what is drawn."""
        if self._boards is None:
            heights = (range(self.top - 2, 1), range(self.bottom + 2))
            widths = (range(self.left - 2, 1), range(self.right + 2))
            self._boards = [
                (first, last, west, east)
                for first, last in product(*heights)
                for west, east in product(*widths)
                if all(
                    self.mask.get(c, 7)
                    & (4 if self._outside(("out", c), (first, last, west, east)) else 3)
                    for c in self.cells
                )
            ]
        return self._boards

    def edged(self, false: Values, keys: dict[Cell, Key]) -> bool:
        """Find rows or corners that no rectangle has, or an arc off its side."""
        if self._rim_breaks(false):
            return True
        told = {n: x for n, x in false.items() if n[0] in ("rowout", "colout", "out")}
        cells = [c for c in keys if any(c in name for name in false)]
        return not any(
            all(self._outside(name, box) == value for name, value in told.items())
            and all(self._at_edge(c, keys[c], box) for c in cells)
            for box in self.boards()
        )

    def _outside(self, name: Name, box: Box) -> bool:
        first, last, west, east = box
        if name[0] == "rowout":
            return not first <= name[1] <= last
        if name[0] == "colout":
            return not west <= name[1] <= east
        row, col = name[1]
        return not (first <= row <= last and west <= col <= east)

    def _at_edge(self, cell: Cell, key: Key, box: Box) -> bool:
        at = cell, box, key
        if at not in self._placed:
            self._placed[at] = any(
                self._lies(cell, view, box) for view in self.lawful(cell, key)
            )
        return self._placed[at]

    def _lies(self, cell: Cell, view: Values, box: Box) -> bool:
        if view["out", cell] != self._outside(("out", cell), box):
            return False
        for event, sign in (("S", 1), ("T", -1)):
            if not view[event, cell]:
                continue
            for axis in (0, 1):
                low, high = box[2 * axis] == cell[axis], box[2 * axis + 1] == cell[axis]
                if self.start is None:
                    good = low or high
                else:
                    good = low if sign * self.start[axis] < 0 else high
                if not good:
                    return False
            for other in near(cell):
                arc = view["v", *edge_of(cell, other)]
                if arc and not self._outside(("out", other), box):
                    return False
        return True

    def _rim_breaks(self, false: Values) -> bool:
        sides, earlier = self.sides, list[Cell]()
        for d in self.order:
            for c in sides[d]:
                known = self.mask.get(c, 7) == 4 or false.get(("out", c)) is True
                for turn in (1, 3):
                    step = NEAR[(d + turn) % 4]
                    edge = edge_of(c, (c[0] + step[0], c[1] + step[1]))
                    if known and false.get(("v", *edge)) is False:
                        return True
            earlier = sides[d]
            if any(false.get(("out", c)) is not False for c in earlier):
                break
        return False
