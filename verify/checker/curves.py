"""Doors, loops, early ends, sealed areas.

Each function finds one way in which no true world gives the values that would make a
clause false.
"""

from typing import Any

from verify.checker.reading import LIVE, Spot
from verify.checker.scene import Scene, Values, allowed, edge_of, near

Ties = dict[Any, list[Any]]


def twice(false: Values) -> bool:
    """Find a second start or end, at a cell or beyond a port."""
    for event, beyond in (("S", "s"), ("T", "t")):
        held = [n for n, value in false.items() if value and n[0] in (event, beyond)]
        if len(held) > 1:
            return True
    return False


def too_small(scene: Scene, false: Values) -> bool:
    """Find an area larger than its line without a free cell inside."""
    return any(
        area.least > len(area.line)
        and all(
            false.get(("free", cell)) is False or not scene.mask.get(cell, 7) & 1
            for cell in area.inside
        )
        for area in scene.areas
    )


def wrongly_entered(scene: Scene, false: Values) -> bool:
    """Find the move on the other side of walk and line than it is."""
    return any(
        known is not None and false.get(("a", k, scene.target)) == (not known)
        for k, known in enumerate(scene.entered)
    )


def miscounted(scene: Scene, false: Values) -> bool:
    """Find a sum over the doors of an area that goes on wrongly or ends wrongly."""
    for name, value in false.items():
        if name[0] == "n":
            _, k, i, total = name
            if value:
                if _goes_wrong(scene, false, k, i, total):
                    return True
            elif i == 1 and _goes_wrong(scene, false, k, 0, 0):
                return True
    return any(
        not doors and not allowed(area, 0)
        for doors, area in zip(scene.doors, scene.areas, strict=True)
    )


def _goes_wrong(scene: Scene, false: Values, k: int, i: int, total: int) -> bool:
    """Return whether the first i doors cannot come to a total, as the next sum is."""
    doors = scene.doors[k]
    if i == len(doors):
        return not allowed(scene.areas[k], total)
    door, sign, certain = doors[i]
    used = True if certain else false.get(door)
    return (used is True or false.get(("n", k, i + 1, total)) is False) and (
        used is False or false.get(("n", k, i + 1, total + sign)) is False
    )


def ties_of(scene: Scene, false: Values) -> Ties:
    """Return what the clause takes to be used: cells and ports, and their ties."""
    ties: Ties = {}
    used = {edge_of(LIVE, scene.target), *scene.joined & scene.edges}
    used |= {n[1:] for n, value in false.items() if value and n[0] in "cwv"}
    joined: list[tuple[Any, Any]] = [
        n[1:] for n, value in false.items() if value and n[0] == "p"
    ]
    for a, b in used:
        port = scene.port_of.get((a, b))
        if port is None:
            joined.append((a, b))
        else:
            joined.append((a if a in scene.cells else b, port))
    for a, b in joined:
        ties.setdefault(a, []).append(b)
        ties.setdefault(b, []).append(a)
    return ties


def looped(scene: Scene, false: Values) -> bool:
    """Find a closed curve without the live end; it has three ties at least."""
    if sum(false.values()) + len(scene.joined) < 3:
        return False
    return _closed(ties_of(scene, false))


def looped_by_lines(scene: Scene, false: Values) -> bool:
    """Find a closed curve without the live end that runs along forced lines.

    A line is tied to its two ends in place of the edges by which it leaves them. So the
    curve never goes back by the edge by which it came: no path is closed like that.
    """
    if not scene.mates:
        return False
    ties = ties_of(scene, false)
    for number, (ends, *first) in enumerate(scene.mates):
        line = "line", number
        for end, side in zip(ends, first, strict=True):
            port = scene.port_of.get(side)
            a, b = (
                side
                if port is None
                else (x if x in scene.cells else port for x in side)
            )
            ties[a] = [x for x in ties.get(a, ()) if x != b]
            ties[b] = [x for x in ties.get(b, ()) if x != a]
            ties.setdefault(end, []).append(line)
            ties.setdefault(line, []).append(end)
    return _closed(ties)


def _closed(ties: Ties) -> bool:
    """Return whether some ties are a closed curve without the live end."""
    seen: set[Any] = set()
    for begin in ties:
        if begin not in seen:
            piece = _piece(ties, begin)
            seen |= piece
            if LIVE not in piece and all(
                len(set(ties[x])) == len(ties[x]) == 2 for x in piece
            ):
                return True
    return False


def ended_early(scene: Scene, false: Values) -> bool:
    """Find the end cell too early: a free cell is left out, or is to come later."""
    piece = _piece(ties_of(scene, false), LIVE)
    ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
    ends += [scene.end] if scene.end is not None else []
    left_out = [n[1] for n, value in false.items() if value and n[0] == "free"]
    left_out += [cell for cell in scene.cells if scene.mask.get(cell, 7) == 1]
    return any(x in piece for x in ends) and any(x not in piece for x in left_out)


def stepped_over(scene: Scene, false: Values) -> bool:
    """Find the end right behind a cell that comes before another one."""
    ends = [n[1] for n, value in false.items() if value and n[0] == "T"]
    ends += [scene.end] if scene.end is not None else []
    tests = [(cut, far) for kind, cut, far in scene.orders.values() if kind == "c"]
    return any(
        far != end and false.get(("c", *edge_of(cut, end)))
        for cut, far in tests
        for end in ends
    )


def sealed(scene: Scene, false: Values) -> bool:
    """Find an area part of which no path leaves.

    Begin with the cells that may have a door, and add what they may lead on to; if that
    ends inside the cells looked at and something of the area is left, it is sealed.
    """
    return any(_sealed(scene, k, false) for k in range(len(scene.areas)))


def _sealed(scene: Scene, k: int, false: Values) -> bool:
    area = scene.areas[k]
    line, near_line = set(area.line), {*area.line, *area.inside}

    def within(cell: Spot) -> list[Spot]:
        around = [x for x in near(cell) if x != LIVE]
        return [x for x in around if cell not in line or x in near_line]

    reached = {
        cell
        for cell in line
        for x in set(near(cell)) - set(within(cell))
        if not _unused(scene, cell, x, false)
    }
    if scene.target not in area.outside and false.get(("a", k, scene.target), True):
        reached.add(scene.target)
    todo = list(reached)
    while todo:
        cell = todo.pop()
        if cell not in scene.cells:
            return False
        for other in within(cell):
            if other not in reached and not _unused(scene, cell, other, false):
                reached.add(other)
                todo.append(other)
    held = {n[2] for n, value in false.items() if value and n[:2] == ("a", k)}
    return bool((line | held) - reached)


def _unused(scene: Scene, a: Spot, b: Spot, false: Values) -> bool:
    if LIVE in (a, b):
        return scene.target not in (a, b)
    if false.get(("c", *edge_of(a, b))) is False:
        return True
    return not (scene.may(a, 1) and scene.may(b, 1))


def _piece(ties: Ties, begin: Any) -> set[Any]:
    """Return what is tied to a node, and to that, and so on."""
    piece, todo = {begin}, [begin]
    while todo:
        for other in ties.get(todo.pop(), ()):
            if other not in piece:
                piece.add(other)
                todo.append(other)
    return piece
