"""What lies outside the window: pieces of the path from port to port, and the board.

A piece that leaves through a port comes back through another one. It carries one kind
of edge, unless the start, the end or both lie on it; what holds of its edges holds at
both ports. A board of scope ``CORNERS`` is a rectangle with its start and end in
opposite corners.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

from verify.checker.claim import LIVE, Fault, Spot
from verify.checker.scene import Name, Scene, Values, edge_of, near
from verify.checker.views import Views

Box = tuple[range, range]  # its rows and its columns
Left = dict[Spot, int]  # the views of cells that a clause leaves
Beyond = tuple[bool | None, ...]  # per area
_MOST = 1 << 18  # boxes that are looked at
_FLAGS = {"c": "t", "w": "s", "v": ""}  # the names for an end or a start beyond


def crossed(false: Values) -> bool:
    """Find two pairs of ports that cross or share a port."""
    pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
    return len(pairs) > 1 and any(
        len({a, b, c, d}) < 4 or a < c < b < d
        for (a, b), (c, d) in combinations(sorted(pairs), 2)
    )


class Way(NamedTuple):
    """What a port may carry, ``-`` for nothing, and what holds on both sides of it.

    - `marks`: halves of its edge, by name.
    - `leaves`: whether the completion leaves the cells here; None if that is open.
    - `members`: of the completion, whether the unseen cell belongs to each area; None
      if that is open.
    - `ends`: whether start or end can lie beyond.
    """

    kind: str
    marks: dict[Name, bool]
    leaves: bool | None
    members: Beyond
    ends: bool


class Ports:
    """The ports of a scene."""

    def __init__(self, views: Views) -> None:
        self.views, self.scene = views, views.scene
        areas = self.scene.sketch.areas
        self.areas = list(zip(areas, self.scene.entered, strict=True))
        self._by_key: dict[tuple[Any, ...], list[Way]] = {}

    def mispaired(self, false: Values, left: Left) -> bool:
        """Find ports that pair up wrongly, or do not keep what they carry."""
        pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
        paired = {i for pair in pairs for i in pair}
        numbers = set(paired)
        for name in false:
            if name[0] in ("p", "s", "t"):
                numbers.update(name[1:])
            elif name[-2:] in self.scene.port_of:
                numbers.add(self.scene.port_of[name[-2:]])
        ways = {i: self.ways(i, false, left) for i in numbers}
        return (
            any(not any(_lone(x, i, false, paired) for x in ways[i]) for i in numbers)
            or any(
                not any(is_piece(x, i, y, j, false) for x in ways[i] for y in ways[j])
                for i, j in pairs
            )
            or any(
                all(way.kind != "-" for way in ways[i]) and self._alone(i, false, left)
                for i in numbers
            )
        )

    def _alone(self, i: int, false: Values, left: Left) -> bool:
        """Return whether no other port can be the pair of port i."""
        return all(
            j == i
            or false.get(("p", min(i, j), max(i, j))) is False
            or all(way.kind == "-" for way in self.ways(j, false, left))
            for j in range(len(self.scene.ports))
        )

    def ways(self, i: int, false: Values, left: Left) -> list[Way]:
        """Return what port i may carry."""
        cell, other = self.scene.ports[i]
        beyond: Beyond = ()
        if cell == LIVE:
            beyond = tuple(
                false.get(("a", k, other), False if other in area.outside else entered)
                for k, (area, entered) in enumerate(self.areas)
            )
        key = i, left.get(cell), beyond
        if key not in self._by_key:
            self._by_key[key] = list(self._all(cell, other, left, beyond))
        return self._by_key[key]

    def _all(
        self, cell: Spot, other: Spot, left: Left, beyond: Beyond
    ) -> Iterator[Way]:
        looks, d = self.views.looks(cell), near(cell).index(other)
        for end, views in looks.ends[d].items():
            if not views & left.get(cell, looks.all):
                continue
            # a free cell's neighbour lies in an area with it, but for marked cells, and
            # for the live end, whose only edge is the move
            members = tuple(
                other in area.inside if cell in area.line else member
                for (area, _), member in zip(
                    self.areas, beyond or end.members, strict=True
                )
                if end.kind == "c"
            )
            marks = dict(end.marks)
            onward = marks.pop(("d",), None)
            leaves = None if onward is None else onward == (d in (1, 2))
            late = any(marks.values())
            ends = not late and leaves is not False and True not in members
            yield Way(end.kind, marks, leaves, members, ends)


def _lone(way: Way, i: int, false: Values, paired: set[int]) -> bool:
    """Return whether port i can carry this, given what is said beyond it."""
    if way.kind == "-":
        return i not in paired
    return way.ends or not false.get((_FLAGS[way.kind], i))


def is_piece(a: Way, i: int, b: Way, j: int, false: Values) -> bool:
    """Return whether ports i and j can be one piece that carries the two kinds."""
    if "-" in (a.kind, b.kind):
        return False
    if a.kind == b.kind:
        members = zip(a.members, b.members, strict=True)
        return (
            all(b.marks.get(name, x) == x for name, x in a.marks.items())
            and (a.leaves is None or a.leaves != b.leaves)
            and not any({*pair} == {True, False} for pair in members)
        )
    for way, port, other in ((a, i, b), (b, j, a)):
        if way.kind == "v":
            continue
        if not way.ends or false.get((_FLAGS[way.kind], port)) is False:
            return False
        # the arc goes on from the end on its late half, from the start on the other
        late = way.kind == "c"
        if other.kind == "v" and any(x != late for x in other.marks.values()):
            return False
    return True


class Boxes:
    """The rectangles that the board can be, by what is drawn of it."""

    def __init__(self, views: Views) -> None:
        self.views, self.scene = views, views.scene
        self._boxes: list[Box] | None = None
        self._fitting: dict[tuple[Spot, Box], int] = {}

    def none(self, false: Values, left: Left) -> bool:
        """Find rows or corners that no rectangle has.

        `left` are the cells that the clause speaks of, all if it is empty, with the
        views that agree with its values.
        """
        outside = {n: x for n, x in false.items() if n[0] in ("rowout", "colout")}
        return not any(
            all((n[1] not in box[n[0] == "colout"]) == x for n, x in outside.items())
            and all(self.fits(cell, box) & views for cell, views in left.items())
            for box in self._all()
        )

    def _all(self) -> list[Box]:
        if self._boxes is None:
            cells, mask = self.scene.cells, self.scene.mask
            spans = []
            for axis in (0, 1):
                least, most = (end(cell[axis] for cell in cells) for end in (min, max))
                firsts, lasts = range(least - 2, 1), range(most + 2)
                spans.append([range(a, b + 1) for a, b in product(firsts, lasts)])
            if len(spans[0]) * len(spans[1]) > _MOST:
                raise Fault("the cells are too many for a board with corners")
            drawn = [(cell, bits) for cell, bits in mask.items() if cell in cells]
            self._boxes = [
                box
                for box in product(spans[0], spans[1])
                if all(bits & (3 if _on(cell, box) else 4) for cell, bits in drawn)
            ]
        return self._boxes

    def fits(self, cell: Spot, box: Box) -> int:
        """Return the views that a cell can have on a rectangle."""
        if (cell, box) in self._fitting:
            return self._fitting[cell, box]
        looks = self.views.looks(cell)
        views = looks.where(("out",), not _on(cell, box))
        for event, sign in (("S", 1), ("T", -1)):
            if not self._is_corner(cell, box, sign):
                views &= looks.where((event,), False)
        ends = looks.where(("S",), True) | looks.where(("T",), True)
        for d, other in enumerate(near(cell)) if ends & views else ():
            if _on(other, box):
                views &= ~(ends & looks.where(("v", d), True))
        self._fitting[cell, box] = views
        return views

    def _is_corner(self, cell: Spot, box: Box, sign: int) -> bool:
        """Return whether a cell can be the start (1) or the end (-1): a corner."""
        for axis, span in enumerate(box):
            first, last = (cell[axis] == span[i] for i in (0, -1))
            if self.scene.start is None:
                fits = first or last
            else:
                fits = first if sign * self.scene.start[axis] < 0 else last
            if not fits:
                return False
        return True


def _on(cell: Spot, box: Box) -> bool:
    return cell[0] in box[0] and cell[1] in box[1]


def leaves_side(scene: Scene, false: Values) -> bool:
    """Find a cell just outside, on the first side seen, that the arc does not pass."""
    for d, cells in scene.sides:
        for cell in cells:
            out = scene.mask.get(cell, 7) == 4 or false.get(("out", cell)) is True
            for turn in (1, 3):
                edge = edge_of(cell, near(cell)[(d + turn) % 4])
                if out and false.get(("v", *edge)) is False:
                    return True
        if any(false.get(("out", cell)) is not False for cell in cells):
            break
    return False
