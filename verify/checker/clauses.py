"""The judge of a proof's names and clauses: each is the drawing's, or is a fault.

A clause is accepted when every world satisfies it. Suppose it fails: that gives its
names values. Then some cell has no view left, or two touching cells have no views that
go together (`views`). Or one of the reasons of this module applies: wrong sums, loops,
early ends, sealed areas, pieces outside that cannot join, a board without corners. A
clause without a reason is a fault. This is a second reading of `verify.proof.encoding`.

The name of an edge has its cells in order, that of a pair of ports its numbers in
order. A sum has a value that its doors can come to. So no two names mean the same.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from verify.checker.claim import LIVE, Flaw, Spot, refuse
from verify.checker.scene import Edge, Name, Scene, Values, edge_of, near
from verify.checker.views import Views

Clause = tuple[int, ...]  # literals: names by number, from 1, negated or not
Ties = dict[Any, set[Any]]
Box = tuple[range, range]  # its rows and its columns
Left = dict[Spot, int]  # the views of cells that a clause leaves
Beyond = tuple[bool | None, ...]  # per area
_MOST = 1 << 18  # boxes to try
_FLAGS = {"c": "t", "w": "s", "v": ""}  # the names for an end or a start beyond

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "d", "a", "n", "l")
PLANAR = ("S", "w", "v", "s", "t", "p")
CORNERS = ("rowout", "colout")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Flaw` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _has(scene, *name):
            raise Flaw(f"a formula about these cells has no name {text_of(name)}")


def _has(scene: Scene, word: str, *rest: Any) -> bool:
    ports, areas = range(len(scene.ports)), range(len(scene.sketch.areas))
    match word, *rest:
        case "c" | "w" | "v", a, b:
            return (a, b) in scene.edges
        case "d", a, b:
            return scene.directed and (a, b) in scene.edges
        case "l", k, a, b:
            return k in scene.orders and (a, b) in scene.edges
        case "a", k, cell:
            return k in areas and (cell in scene.cells or cell == scene.move)
        case "n", k, i, total:
            sums = scene.sums[k] if k in areas else []
            return i in range(1, len(sums)) and total in sums[i]
        case "p", i, j:
            return i in ports and j in ports[i + 1 :]
        case "s" | "t", i:
            return i in ports
        case "rowout" | "colout", i:
            spots = [cell[word == "colout"] for cell in scene.cells]
            return i != 0 and i in range(min(spots) - 1, max(spots) + 2)
        case "free" | "visited" | "out" | "T" | "S", cell:
            return cell in scene.cells
    return False


def text_of(name: Name) -> str:
    """Return a name as a fault prints it."""
    return " ".join(str(x).replace(" ", "") for x in name)


def check_clauses(
    scene: Scene, names: tuple[Name, ...], clauses: tuple[Clause, ...]
) -> None:
    """Raise `Flaw` at the first clause that nothing explains; names are checked."""
    judge = Judge(scene)
    fails = {s * i: (x, s < 0) for i, x in enumerate(names, 1) for s in (1, -1)}
    for number, clause in enumerate(clauses, 1):
        false = dict(map(fails.__getitem__, clause))
        if len(false) < len(clause):
            raise Flaw(f"clause {number} names a variable twice")
        if not judge.explains(false):
            literals = ["not " * value + text_of(name) for name, value in false.items()]
            text = " or ".join(literals) or "the empty clause"
            raise Flaw(f"clause {number} does not follow: {text}")


class Judge:
    """The reasons why a clause can follow: each finds that no world gives values."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.views = scene, Views(scene)
        self.ports, self.boxes = Ports(self.views), Boxes(self.views)
        self.areas = range(len(scene.sketch.areas))
        # No world exists if the move is dead when followed, or if an area without doors
        # has a sum that it must not have.
        self.none = (LIVE, scene.move) in scene.sketch.pairs["dead"] or any(
            not doors and not area.allows(0)
            for doors, area in zip(scene.doors, scene.sketch.areas, strict=True)
        )

    def explains(self, false: Values) -> bool:
        """Return whether no world gives these values; cheap ways first."""
        scene = self.scene
        if self.none or (scene.planar and crossed(false)):
            return True
        if miscounted(scene, false) or twice(scene, false):
            return True
        spots = {x for name in false for x in name[1:] if type(x) is tuple}
        left = self.views.left(false, spots & scene.cells if false else scene.cells)
        return (
            not all(left.values())
            or stepped_over(scene, false)
            or looped(scene, false)
            or (scene.planar and self.ports.mispaired(false, left))
            or (not scene.planar and ended_early(scene, false))
            or (not scene.planar and any(sealed(scene, k, false) for k in self.areas))
            or wrongly_entered(scene, false)
            or too_small(scene, false)
            or self.views.torn(left)
            or (scene.scope == "CORNERS" and self.boxes.none(false, left))
        )


def twice(scene: Scene, false: Values) -> bool:
    """Find a second start or end, at a cell or beyond a port."""
    true = [name[0] for name, value in false.items() if value]
    end = scene.sketch.end
    true += ["T"] if end in scene.cells and ("T", end) not in false else []
    return any(true.count(a) + true.count(b) > 1 for a, b in ("Ss", "Tt"))


def too_small(scene: Scene, false: Values) -> bool:
    """Find an area larger than its line without a free cell inside."""
    taken = {cell for cell, bits in scene.mask.items() if not bits & 1}
    taken |= {n[1] for n, value in false.items() if n[0] == "free" and not value}
    return any(
        area.least > len(area.line) and area.inside <= taken
        for area in scene.sketch.areas
    )


def wrongly_entered(scene: Scene, false: Values) -> bool:
    """Find the move on the other side of walk and line than it is."""
    return any(
        entered is not None and false.get(("a", k, scene.move)) == (not entered)
        for k, entered in enumerate(scene.entered)
    )


def miscounted(scene: Scene, false: Values) -> bool:
    """Find a sum over the doors of an area with a wrong next or last sum."""
    for name, value in false.items():
        if name[0] == "n":
            _, k, i, total = name
            if i == 1 and _goes_wrong(scene, false, k, 0, 0):
                return True
            if value and _goes_wrong(scene, false, k, i, total):
                return True
    return False


def _goes_wrong(scene: Scene, false: Values, k: int, i: int, total: int) -> bool:
    """Return whether the first i doors cannot come to a total, as the next sum is."""
    doors = scene.doors[k]
    if i == len(doors):
        return not scene.sketch.areas[k].allows(total)
    door, sign, certain = doors[i]
    used = True if certain else false.get(door)
    return (used is True or false.get(("n", k, i + 1, total)) is False) and (
        used is False or false.get(("n", k, i + 1, total + sign)) is False
    )


def _ties(scene: Scene, false: Values) -> Ties:
    """Return the used edges as ties of cells; a port ties its cell and its number."""
    used = {edge_of(LIVE, scene.move), *scene.joined & scene.edges}
    used |= {n[1:] for n, value in false.items() if value and n[0] in "cwv"}
    tied = [_nodes(scene, edge) for edge in used]
    tied += [n[1:] for n, value in false.items() if value and n[0] == "p"]
    ties: Ties = defaultdict(set)
    for a, b in tied:
        ties[a].add(b)
        ties[b].add(a)
    return ties


def _nodes(scene: Scene, edge: Edge) -> tuple[Any, Any]:
    port = scene.port_of.get(edge)
    return edge if port is None else (scene.ports[port][0], port)


def _reached(begin: Iterable[Any], onward: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """Return some nodes, those onward from them, and so on."""
    piece = set(begin)
    todo = list(piece)
    while todo:
        new = set(onward(todo.pop())) - piece
        piece |= new
        todo += new
    return piece


def looped(scene: Scene, false: Values) -> bool:
    """Find a closed curve without the live end, along used edges and forced lines.

    A line is tied to its two ends in place of the edges by which it leaves them. So the
    curve never goes back by the edge by which it came: no path is closed like that.
    """
    if sum(false.values()) + len(scene.joined) < 3:  # the ties of a loop, at least
        return False
    ties = _ties(scene, false)
    for number, ends in enumerate(scene.sketch.pairs["mates"]):
        for end in ends:
            a, b = _nodes(scene, next(edge for edge in scene.joined if end in edge))
            ties[a].discard(b)
            ties[b].discard(a)
            ties[end].add(("line", number))
            ties["line", number].add(end)
    # what hangs together with no loose end is a closed curve
    loose = [node for node in ties if node == LIVE or len(ties[node]) != 2]
    return len(_reached(loose, ties.__getitem__)) < len(ties)


def _ends(scene: Scene, false: Values) -> list[Spot]:
    """Return the end cell, if the drawing or the clause shows it."""
    ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
    return ends + ([scene.sketch.end] if scene.sketch.end is not None else [])


def ended_early(scene: Scene, false: Values) -> bool:
    """Find the end cell too early: a free cell comes later, or never."""
    ends = _ends(scene, false)
    if not ends:
        return False
    ties = _ties(scene, false)
    piece = _reached([LIVE], lambda node: ties.get(node, ()))
    free = [n[1] for n, value in false.items() if value and n[0] == "free"]
    free += [cell for cell in scene.cells if scene.mask.get(cell, 7) == 1]
    return not piece.isdisjoint(ends) and not piece.issuperset(free)


def stepped_over(scene: Scene, false: Values) -> bool:
    """Find the end right behind a cell that comes before another one."""
    return any(
        far != end and false.get(("c", *edge_of(cut, end)), False)
        for kind, cut, far in scene.orders.values()
        for end in _ends(scene, false)
        if kind == "c"
    )


def sealed(scene: Scene, k: int, false: Values) -> bool:
    """Find a part of area k that no path leaves.

    Begin with the cells that may have a door, and add what they may lead on to. Part of
    the area is sealed if that ends inside the cells looked at and leaves it out.
    """
    area = scene.sketch.areas[k]
    line, own = set(area.line), {*area.line, *area.inside}

    def crossing(cell: Spot, other: Spot) -> bool:
        return other == LIVE or (cell in line and other not in own)

    def usable(cell: Spot, other: Spot) -> bool:
        if LIVE in (cell, other):
            return scene.move in (cell, other)
        both = scene.may(cell, 1) and scene.may(other, 1)
        return both and false.get(("c", *edge_of(cell, other))) is not False

    def onward(cell: Spot) -> Iterator[Spot]:
        for other in near(cell) if cell in scene.cells else ():
            if not crossing(cell, other) and usable(cell, other):
                yield other

    begin = [
        cell
        for cell in area.line
        if any(crossing(cell, x) and usable(cell, x) for x in near(cell))
    ]
    if scene.move not in area.outside and false.get(("a", k, scene.move), True):
        begin.append(scene.move)
    reached = _reached(begin, onward)
    members = {n[2] for n, value in false.items() if value and n[:2] == ("a", k)}
    return reached <= scene.cells and not line | members <= reached


# Outside the window: pieces of the path from port to port, and the board --------------
# A piece that leaves through a port comes back through another one. It carries one kind
# of edge, unless the start, the end or both lie on it. What holds of its edges holds at
# both ports. A board of scope ``CORNERS`` is a rectangle with its start and end in
# opposite corners.


def crossed(false: Values) -> bool:
    """Find two pairs of ports that cross or share a port."""
    pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
    return len(pairs) > 1 and any(
        len({a, b, c, d}) < 4 or a < c < b < d
        for (a, b), (c, d) in combinations(sorted(pairs), 2)
    )


class Carried(NamedTuple):
    """A kind of edge that a port may carry, and what holds on both sides of it."""

    kind: str  # ``-`` for none
    marks: dict[Name, bool]  # halves of its edge
    leaves: bool | None  # whether the completion leaves the cells here, if known
    members: Beyond  # whether the completion's unseen cell lies in each area, if known
    ends: bool  # whether start or end can lie beyond


class Ports:
    """The ports of a scene."""

    def __init__(self, views: Views) -> None:
        self.views, self.scene = views, views.scene
        self.areas = self.scene.sketch.areas
        self._carried = cache(lambda *of: list(self._all(*of)))

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

    def ways(self, i: int, false: Values, left: Left) -> list[Carried]:
        """Return what port i may carry."""
        cell, other = self.scene.ports[i]
        beyond: Beyond = ()
        if cell == LIVE:
            areas = zip(self.areas, self.scene.entered, strict=True)
            beyond = tuple(
                false.get(("a", k, other), False if other in area.outside else entered)
                for k, (area, entered) in enumerate(areas)
            )
        views: int = left.get(cell, self.views.looks(cell).all)
        return self._carried(i, views, beyond)

    def _all(self, i: int, left: int, beyond: Beyond) -> Iterator[Carried]:
        cell, other = self.scene.ports[i]
        shown = self.views.looks(cell).ends[near(cell).index(other)]
        for end in (end for end, views in shown.items() if views & left):
            # a free cell's neighbour lies in an area with it, but for marked cells, and
            # for the live end, whose only edge is the move
            members = tuple(
                other in area.inside if cell in area.line else member
                for area, member in zip(self.areas, beyond or end.members, strict=True)
                if end.kind == "c"
            )
            marks = dict(end.marks)
            onward = marks.pop(("d",), None)
            leaves = None if onward is None else onward == (cell < other)
            late = any(marks.values())
            ends = not late and leaves is not False and True not in members
            yield Carried(end.kind, marks, leaves, members, ends)


def _lone(way: Carried, i: int, false: Values, paired: set[int]) -> bool:
    """Return whether port i can carry this, given the values beyond it."""
    if way.kind == "-":
        return i not in paired
    return way.ends or not false.get((_FLAGS[way.kind], i))


def is_piece(a: Carried, i: int, b: Carried, j: int, false: Values) -> bool:
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
        # the arc leaves the end on its late half, the start on the other
        late = way.kind == "c"
        if other.kind == "v" and any(x != late for x in other.marks.values()):
            return False
    return True


class Boxes:
    """The rectangles that the board can be, by what is drawn of it."""

    def __init__(self, views: Views) -> None:
        self.views, self.scene = views, views.scene
        self.fits = cache(self._fits)

    def none(self, false: Values, left: Left) -> bool:
        """Find that no rectangle has such rows, columns and views of cells."""
        outside = {n: x for n, x in false.items() if n[0] in ("rowout", "colout")}
        return self._leaves_side(false) or not any(
            all((n[1] not in box[n[0] == "colout"]) == x for n, x in outside.items())
            and all(self.fits(cell, box) & views for cell, views in left.items())
            for box in self._boxes
        )

    @cached_property
    def _boxes(self) -> list[Box]:
        cells, mask = self.scene.cells, self.scene.mask
        spans = []
        for axis in zip(*cells, strict=True):
            firsts, lasts = range(min(axis) - 2, 1), range(max(axis) + 2)
            spans.append([range(a, b + 1) for a, b in product(firsts, lasts)])
        many = len(spans[0]) * len(spans[1]) > _MOST
        refuse(many, "the cells are too many for a board with corners")
        drawn = [(cell, bits) for cell, bits in mask.items() if cell in cells]
        return [
            box
            for box in product(spans[0], spans[1])
            if all(bits & (3 if _on(cell, box) else 4) for cell, bits in drawn)
        ]

    def _fits(self, cell: Spot, box: Box) -> int:
        """Return the views that a cell can have on a rectangle."""
        looks = self.views.looks(cell)
        views = looks.where(("out",), not _on(cell, box))
        for event, sign in (("S", 1), ("T", -1)):
            if not self._is_corner(cell, box, sign):
                views &= looks.where((event,), False)
        ends = looks.where(("S",), True) | looks.where(("T",), True)
        for d, other in enumerate(near(cell)) if ends & views else ():
            if _on(other, box):
                views &= ~(ends & looks.where(("v", d), True))
        return views

    def _is_corner(self, cell: Spot, box: Box, sign: int) -> bool:
        """Return whether a cell can be the start (1) or the end (-1): a corner."""
        for axis, span in enumerate(box):
            ends = span[0], span[-1]
            if self.scene.start is not None:
                ends = (ends[sign * self.scene.start[axis] > 0],) * 2
            if cell[axis] not in ends:
                return False
        return True

    def _leaves_side(self, false: Values) -> bool:
        """Find a cell just outside, on the first side seen, that the arc leaves out."""
        for d, cells in self.scene.sides:
            for cell, turn in product(cells, (1, 3)):
                drawn = self.scene.mask.get(cell, 7) == 4
                edge = edge_of(cell, near(cell)[(d + turn) % 4])
                out = drawn or false.get(("out", cell)) is True
                if out and false.get(("v", *edge)) is False:
                    return True
            if any(false.get(("out", cell)) is not False for cell in cells):
                break
        return False


def _on(cell: Spot, box: Box) -> bool:
    return cell[0] in box[0] and cell[1] in box[1]
