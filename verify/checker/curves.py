"""What no world has beyond one cell: wrong sums, loops, early ends, sealed areas.

Each function finds one way in which no world gives the values that would make a clause
false.
"""

from collections.abc import Callable, Iterator
from typing import Any

from verify.checker.claim import LIVE, Spot
from verify.checker.scene import Edge, Scene, Values, edge_of, near

Ties = dict[Any, list[Any]]


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


# Pieces of the path -------------------------------------------------------------


def _ties(scene: Scene, false: Values) -> Ties:
    """Return what the clause takes to be used: cells and ports, and their ties.

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
    if port is None:
        return edge
    return scene.ports[port][0], port


def looped(scene: Scene, false: Values) -> bool:
    """Find a closed curve without the live end, along used edges and forced lines.

    A line is tied to its two ends in place of the edges by which it leaves them. So the
    curve never goes back by the edge by which it came: no path is closed like that.
    """
    if sum(false.values()) + len(scene.joined) < 3:  # the ties of a loop, at least
        return False
    ties = _ties(scene, false)
    for number, ends in enumerate(scene.sketch.said["mates"]):
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


def _reached(begin: list[Any], onward: Callable[[Any], Any]) -> set[Any]:
    """Return some nodes, those onward from them, and so on."""
    piece, todo = set(begin), list(begin)
    while todo:
        for other in onward(todo.pop()):
            if other not in piece:
                piece.add(other)
                todo.append(other)
    return piece


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
    """Find an area part of which no path leaves."""
    return any(_sealed(scene, k, false) for k in range(len(scene.sketch.areas)))


def _sealed(scene: Scene, k: int, false: Values) -> bool:
    """Find part of an area that its doors do not lead to.

    Begin with the cells that may have a door, and add what they may lead on to. It is
    sealed if that ends inside the cells looked at and leaves part of the area out.
    """
    area = scene.sketch.areas[k]
    line, own = set(area.line), {*area.line, *area.inside}

    def crossing(cell: Spot, other: Spot) -> bool:
        return other == LIVE or (cell in line and other not in own)

    def usable(cell: Spot, other: Spot) -> bool:
        if LIVE in (cell, other):
            return scene.move in (cell, other)
        open_ = scene.may(cell, 1) and scene.may(other, 1)
        return open_ and false.get(("c", *edge_of(cell, other))) is not False

    def onward(cell: Spot) -> Iterator[Spot]:
        if cell in scene.cells:
            for other in near(cell):
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
    held = {n[2] for n, value in false.items() if value and n[:2] == ("a", k)}
    return reached <= scene.cells and not line | held <= reached
