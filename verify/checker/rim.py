"""Rows and columns outside, corners, the arc along a side: boards without walls."""

from dataclasses import dataclass, field
from itertools import product

from verify.checker.reading import NEAR, Name, Spot
from verify.checker.scene import Scene, Values, edge_of, near
from verify.checker.views import Key, Views

Box = tuple[int, int, int, int]  # first and last row, first and last column


@dataclass(slots=True, eq=False)
class Boxes:
    """What of the cells can be board, by what is drawn; what lies where, remembered."""

    views: Views
    _boxes: list[Box] | None = None
    _fit: dict[tuple[Spot, Key, Box], bool] = field(default_factory=dict)

    def all(self) -> list[Box]:
        """Return the rectangles that the board can be, as far as can be seen."""
        if self._boxes is None:
            cells, mask = self.views.scene.cells, self.views.scene.mask
            rows, cols = [row for row, _ in cells], [col for _, col in cells]
            self._boxes = [
                (first, last, west, east)
                for first, last in product(
                    range(min(rows) - 2, 1), range(max(rows) + 2)
                )
                for west, east in product(range(min(cols) - 2, 1), range(max(cols) + 2))
                if all(
                    bits & (3 if first <= row <= last and west <= col <= east else 4)
                    for (row, col), bits in mask.items()
                    if (row, col) in cells
                )
            ]
        return self._boxes

    def fits(self, cell: Spot, key: Key, box: Box) -> bool:
        """Tell whether a cell has a view with the values in `key` on a rectangle."""
        at = cell, key, box
        if at not in self._fit:
            views = self.views.lawful(cell, key)
            scene = self.views.scene
            self._fit[at] = any(_lies(scene, cell, view, box) for view in views)
        return self._fit[at]


def off_board(boxes: Boxes, false: Values, keys: dict[Spot, Key]) -> bool:
    """Find rows or corners that no rectangle has, or an arc off its side."""
    if _leaves_side(boxes.views.scene, false):
        return True
    told = {n: x for n, x in false.items() if n[0] in ("rowout", "colout", "out")}
    cells = [cell for cell in keys if any(cell in name for name in false)]
    return not any(
        all(_outside(name, box) == value for name, value in told.items())
        and all(boxes.fits(cell, keys[cell], box) for cell in cells)
        for box in boxes.all()
    )


def _outside(name: Name, box: Box) -> bool:
    first, last, west, east = box
    if name[0] == "rowout":
        return not first <= name[1] <= last
    if name[0] == "colout":
        return not west <= name[1] <= east
    row, col = name[1]
    return not (first <= row <= last and west <= col <= east)


def _lies(scene: Scene, cell: Spot, view: Values, box: Box) -> bool:
    """Tell whether a view is one of a cell on a board: start and end are corners."""
    if view["out", cell] != _outside(("out", cell), box):
        return False
    for event, sign in (("S", 1), ("T", -1)):
        if not view[event, cell]:
            continue
        for axis in (0, 1):
            low, high = box[2 * axis] == cell[axis], box[2 * axis + 1] == cell[axis]
            if scene.start is None:
                good = low or high
            else:
                good = low if sign * scene.start[axis] < 0 else high
            if not good:
                return False
        for other in near(cell):
            arc = view["v", *edge_of(cell, other)]
            if arc and not _outside(("out", other), box):
                return False
    return True


def _leaves_side(scene: Scene, false: Values) -> bool:
    """Find a cell just outside, on the first side seen, that the arc does not pass."""
    earlier: list[Spot] = []
    for d in scene.order:
        for cell in scene.sides[d]:
            known = scene.mask.get(cell, 7) == 4 or false.get(("out", cell)) is True
            for turn in (1, 3):
                row, col = NEAR[(d + turn) % 4]
                edge = edge_of(cell, (cell[0] + row, cell[1] + col))
                if known and false.get(("v", *edge)) is False:
                    return True
        earlier = scene.sides[d]
        if any(false.get(("out", cell)) is not False for cell in earlier):
            break
    return False
