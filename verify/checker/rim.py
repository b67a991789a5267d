"""Rows and columns outside, corners, the arc along a side: boards without walls."""

from dataclasses import dataclass, field
from itertools import product

from verify.checker.reading import NEAR, Name, Spot
from verify.checker.scene import Scene, Values, edge_of
from verify.checker.values import Fault
from verify.checker.views import Place, Views

Box = tuple[int, int, int, int]  # first and last row, first and last column
_MOST = 1 << 18  # boxes that are looked at


@dataclass(slots=True, eq=False)
class Boxes:
    """What of the cells can be board, by what is drawn; what lies where, remembered."""

    views: Views
    _boxes: list[Box] | None = None
    _fit: dict[tuple[Spot, Box], int] = field(default_factory=dict)

    def all(self) -> list[Box]:
        """Return the rectangles that the board can be, as far as can be seen."""
        if self._boxes is None:
            cells, mask = self.views.scene.cells, self.views.scene.mask
            rows, cols = [row for row, _ in cells], [col for _, col in cells]
            far = (2 - min(rows)) * (2 + max(rows)) * (2 - min(cols)) * (2 + max(cols))
            if far > _MOST:
                raise Fault("the cells are too many for a board with corners")
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

    def fits(self, cell: Spot, box: Box) -> int:
        """Return the views that a cell can have on a rectangle."""
        if (cell, box) not in self._fit:
            self._fit[cell, box] = sum(
                views
                for at, views in self.views.looks(cell).places.items()
                if _lies(self.views.scene, cell, at, box)
            )
        return self._fit[cell, box]


def off_board(boxes: Boxes, false: Values, left: dict[Spot, int]) -> bool:
    """Find rows or corners that no rectangle has, or an arc off its side.

    `left` are the cells that the clause speaks of, all if it is empty, with the views
    that agree with its values.
    """
    if _leaves_side(boxes.views.scene, false):
        return True
    said = {n: x for n, x in false.items() if n[0] in ("rowout", "colout", "out")}
    return not any(
        all(_outside(name, box) == value for name, value in said.items())
        and (not false or all(boxes.fits(x, box) & views for x, views in left.items()))
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


def _lies(scene: Scene, cell: Spot, at: Place, box: Box) -> bool:
    """Return whether a cell can be so on a board: start and end are corners."""
    out, start, end, arcs = at
    if out != _outside(("out", cell), box):
        return False
    for event, sign in ((start, 1), (end, -1)):
        if not event:
            continue
        for axis in (0, 1):
            low, high = box[2 * axis] == cell[axis], box[2 * axis + 1] == cell[axis]
            if scene.start is None:
                good = low or high
            else:
                good = low if sign * scene.start[axis] < 0 else high
            if not good:
                return False
        for d in arcs:
            beyond = cell[0] + NEAR[d][0], cell[1] + NEAR[d][1]
            if not _outside(("out", beyond), box):
                return False
    return True


def _leaves_side(scene: Scene, false: Values) -> bool:
    """Find a cell just outside, on the first side seen, that the arc does not pass."""
    for d in scene.order:
        for cell in scene.sides[d]:
            known = scene.mask.get(cell, 7) == 4 or false.get(("out", cell)) is True
            for turn in (1, 3):
                row, col = NEAR[(d + turn) % 4]
                edge = edge_of(cell, (cell[0] + row, cell[1] + col))
                if known and false.get(("v", *edge)) is False:
                    return True
        if any(false.get(("out", cell)) is not False for cell in scene.sides[d]):
            break
    return False
