"""Ports: which of them can be one piece of the path outside the cells looked at."""

from itertools import combinations, product

from verify.checker.reading import LIVE
from verify.checker.scene import Values, edge_of
from verify.checker.views import Views


def crossed(false: Values) -> bool:
    """Find two pairs of ports that cross or share a port."""
    pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
    return any(
        len({a, b, c, d}) < 4 or a < c < b < d
        for (a, b), (c, d) in combinations(sorted(pairs), 2)
    )


def mispaired(views: Views, false: Values) -> bool:
    """Find ports that pair up wrongly, or do not keep what they carry."""
    edges, ports = views.scene.port_of, range(len(views.scene.ports))
    pairs = [name[1:] for name, value in false.items() if value and name[0] == "p"]
    numbers = {i for name in false if name[0] == "p" for i in name[1:]}
    numbers |= {edges[n[-2:]] for n in false if len(n) > 2 and n[-2:] in edges}
    numbers |= {name[1] for name in false if name[0] in ("s", "t")}
    for i in numbers:
        if not any(_alone(views, i, kind, false) for kind in "-cwv"):
            return True
        if not views.carries(i, "-", false) and all(
            j == i
            or false.get(("p", min(i, j), max(i, j))) is False
            or not any(views.carries(j, kind, false) for kind in "cwv")
            for j in ports
        ):
            return True
    return any(
        not any(
            _one_piece(views, i, j, one, two, false)
            for one, two in product("cwv", repeat=2)
        )
        for i, j in pairs
    )


def _alone(views: Views, i: int, kind: str, false: Values) -> bool:
    """Tell whether port i can carry the kind, given what is said beyond it."""
    if not views.carries(i, kind, false):
        return False
    paired = any(v and n[0] == "p" and i in n[1:] for n, v in false.items())
    if paired and kind == "-":
        return False
    scene = views.scene
    if kind == "c" and false.get(("t", i)):
        areas = range(len(scene.areas))
        return all(False in _beyond(views, k, i, false) for k in areas)
    if kind == "w" and false.get(("s", i)):
        edge = edge_of(*scene.ports[i])
        return not any(false.get(("l", k, *edge)) for k in scene.runs)
    return True


def _beyond(views: Views, k: int, i: int, false: Values) -> set[bool]:
    """Return whether the unseen cell beyond port i can belong to area k, or not.

    The port carries the completion: a free cell's neighbour lies in the area with it,
    but for marked cells, and for the live end, whose only edge is the move.
    """
    scene = views.scene
    area, (cell, other) = scene.areas[k], scene.ports[i]
    if cell in area.line:
        return {other in area.inside}
    name = ("a", k, other if cell == LIVE else cell)
    if name in false:
        return {false[name]}
    if cell == LIVE:
        known = False if other in area.outside else scene.entered[k]
        return {False, True} if known is None else {known}
    return {view["a", k, cell] for view in views.all(cell) if view["free", cell]}


def _one_piece(views: Views, i: int, j: int, one: str, two: str, false: Values) -> bool:
    """Tell whether ports i and j can be one piece that carries two kinds."""
    if not (views.carries(i, one, false) and views.carries(j, two, false)):
        return False
    starts = {p for p, kind in ((i, one), (j, two)) if kind == "w" and one != two}
    ends = {p for p, kind in ((i, one), (j, two)) if kind == "c" and one != two}
    if any(false.get(("s", p)) is False for p in starts):
        return False
    if any(false.get(("t", p)) is False for p in ends):
        return False
    scene = views.scene
    for k in range(len(scene.areas)):
        sides = {p: _beyond(views, k, p, false) for p in (i, j)}
        if one == two == "c" and not sides[i] & sides[j]:
            return False
        if any(False not in sides[p] for p in ends):
            return False
    edges = {p: edge_of(*scene.ports[p]) for p in (i, j)}
    for k in scene.runs:
        late = {p: false.get(("l", k, *edge)) for p, edge in edges.items()}
        if one == two == "w" and set(late.values()) == {False, True}:
            return False
        if any(late[p] for p in starts):
            return False
    if scene.scope == "CORNERS" and scene.rim is not None:
        half = [false.get(("u", *edge)) for edge in edges.values()]
        if one == two == "v":
            return set(half) != {False, True}
        for a, b, x in ((one, two, half[1]), (two, one, half[0])):
            if b == "v" and ((a == "w" and x) or (a == "c" and x is False)):
                return False
    return True
