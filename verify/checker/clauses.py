"""The judge of a proof's names and clauses: each is the drawing's, or is a fault.

A clause is accepted when every world satisfies it. Suppose it fails: that gives its
names values. Then some cell is left no view, or two touching cells no views that go
together (`views`). Or the pieces outside cannot join, or the board is no rectangle
(`outside`). Or one of the reasons of this module applies: wrong sums, loops, early
ends, sealed areas. A clause without a reason is a fault. The prover's statements are
those of `verify.proof.encoding`; this is a second reading of them.

An edge is named by its cells in order, a pair of ports by numbers in order, a sum by
what its doors can come to. So no two names mean one thing, and none means nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from verify.checker import outside
from verify.checker.claim import LIVE, Area, Fault, Spot
from verify.checker.scene import Edge, Name, Scene, Values, edge_of, near
from verify.checker.views import Views

Clause = tuple[int, ...]  # literals: names by number, from 1, negated or not
Ties = dict[Any, list[Any]]

# The words, by the scopes whose formulas have them.
PLAIN = ("free", "visited", "out", "T", "c", "d", "a", "n", "l")
PLANAR = ("S", "w", "v", "s", "t", "p")
CORNERS = ("rowout", "colout")


def check_names(scene: Scene, names: tuple[Name, ...]) -> None:
    """Raise `Fault` at the first name that this scene does not have."""
    words = PLAIN + PLANAR * scene.planar + CORNERS * (scene.scope == "CORNERS")
    for name in names:
        if name[0] not in words or not _has(scene, *name):
            raise Fault(f"a formula about these cells has no name {text_of(name)}")


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
    """Raise `Fault` at the first clause that nothing explains.

    The names must be the scene's (`check_names`). Microseconds to milliseconds
    a clause.
    """
    judge = Judge(scene)
    # what a literal says if it fails
    fails = {i: (name, False) for i, name in enumerate(names, 1)}
    fails |= {-i: (name, True) for i, name in enumerate(names, 1)}
    for number, clause in enumerate(clauses, 1):
        false = dict(map(fails.__getitem__, clause))
        if len(false) < len(clause):
            raise Fault(f"clause {number} names a variable twice")
        if not judge.explains(false):
            literals = ["not " * value + text_of(name) for name, value in false.items()]
            text = " or ".join(literals) or "the empty clause"
            raise Fault(f"clause {number} does not follow: {text}")


class Judge:
    """All the ways in which a clause can follow from a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.views = scene, Views(scene)
        self.ports, self.boxes = outside.Ports(self.views), outside.Boxes(self.views)
        # there is no world: the move is dead when it is followed, or an area without
        # doors has a sum that it must not have
        self.none = (LIVE, scene.move) in scene.sketch.pairs["dead"] or any(
            not doors and not area.allows(0)
            for doors, area in zip(scene.doors, scene.sketch.areas, strict=True)
        )

    def explains(self, false: Values) -> bool:
        """Return whether no world gives these values; cheap ways first."""
        scene = self.scene
        if self.none or (scene.planar and outside.crossed(false)):
            return True
        if miscounted(scene, false) or twice(false):
            return True
        spots = {x for name in false for x in name[1:] if type(x) is tuple}
        spots = spots & scene.cells if false else set(scene.cells)
        left = self.views.left(false, spots)
        return (
            not all(left.values())
            or stepped_over(scene, false)
            or looped(scene, false)
            or (scene.planar and self.ports.mispaired(false, left))
            or (not scene.planar and ended_early(scene, false))
            or (not scene.planar and sealed(scene, false))
            or wrongly_entered(scene, false)
            or too_small(scene, false)
            or self.views.torn(left)
            or (
                scene.scope == "CORNERS"
                and (outside.leaves_side(scene, false) or self.boxes.none(false, left))
            )
        )


# Reasons: each finds one way in which no world gives the values ----------------------


def twice(false: Values) -> bool:
    """Find a second start or end, at a cell or beyond a port."""
    true = [name[0] for name, value in false.items() if value]
    return any(true.count(a) + true.count(b) > 1 for a, b in ("Ss", "Tt"))


def too_small(scene: Scene, false: Values) -> bool:
    """Find an area larger than its line without a free cell inside."""
    return any(
        area.least > len(area.line)
        and all(
            false.get(("free", cell)) is False or not scene.mask.get(cell, 7) & 1
            for cell in area.inside
        )
        for area in scene.sketch.areas
    )


def wrongly_entered(scene: Scene, false: Values) -> bool:
    """Find the move on the other side of walk and line than it is."""
    return any(
        entered is not None and false.get(("a", k, scene.move)) == (not entered)
        for k, entered in enumerate(scene.entered)
    )


def miscounted(scene: Scene, false: Values) -> bool:
    """Find a sum over the doors of an area that goes on wrongly or ends wrongly."""
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
    """Return the edges that the clause takes to be used, as ties of cells and ports.

    The tie of a port is between the cell and the port's number.
    """
    used = {edge_of(LIVE, scene.move), *scene.joined & scene.edges}
    used |= {n[1:] for n, value in false.items() if value and n[0] in "cwv"}
    tied = [_nodes(scene, edge) for edge in used]
    tied += [n[1:] for n, value in false.items() if value and n[0] == "p"]
    ties: Ties = {}
    for a, b in tied:
        ties.setdefault(a, []).append(b)
        ties.setdefault(b, []).append(a)
    return ties


def _nodes(scene: Scene, edge: Edge) -> tuple[Any, Any]:
    port = scene.port_of.get(edge)
    return edge if port is None else (scene.ports[port][0], port)


def _reached(begin: Iterable[Any], onward: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """Return some nodes, those onward from them, and so on."""
    piece = set(begin)
    todo = list(piece)
    while todo:
        for other in onward(todo.pop()):
            if other not in piece:
                piece.add(other)
                todo.append(other)
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
            ties[a] = [x for x in ties.get(a, ()) if x != b]
            ties[b] = [x for x in ties.get(b, ()) if x != a]
            ties.setdefault(end, []).append(("line", number))
            ties.setdefault(("line", number), []).append(end)
    seen: set[Any] = set()
    for begin in ties:
        piece = _reached([begin], ties.__getitem__) if begin not in seen else set()
        seen |= piece
        if piece and LIVE not in piece and all(len(ties[x]) == 2 for x in piece):
            return True
    return False


def _ends(scene: Scene, false: Values) -> list[Spot]:
    """Return the end cell, if the drawing or the clause says which it is."""
    ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
    return ends + ([scene.sketch.end] if scene.sketch.end is not None else [])


def ended_early(scene: Scene, false: Values) -> bool:
    """Find the end cell too early: a free cell is left out, or is to come later."""
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


def sealed(scene: Scene, false: Values) -> bool:
    """Find an area part of which no path leaves.

    Begin with the cells that may have a door, and add what they may lead on to. Part of
    the area is sealed if that ends inside the cells looked at and leaves it out.
    """
    return any(
        _is_sealed(scene, k, area, false) for k, area in enumerate(scene.sketch.areas)
    )


def _is_sealed(scene: Scene, k: int, area: Area, false: Values) -> bool:
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
