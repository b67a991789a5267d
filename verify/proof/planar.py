"""The planar part of the window theorem: pairs of ports, the rim.

See `verify.proof.window` for the variables. For `CORNERS` there are three more kinds:

``("rowout", row)``, ``("colout", col)``
    the row, the column lies outside the board. Without walls a cell is outside exactly
    when its row or its column is.
``("u", a, b)``
    the edge of the virtual arc lies on the end's side of the rim cell drawn.

The virtual arc may be chosen freely outside the board. Take it along the ring of cells
around the board, by the way that passes the first side of the board that the window
is sure to see: start and end lie in opposite corners, so the whole side is passed, and
where the page says which corner is the start it also says in which direction.
"""

from itertools import combinations

from verify.proof.formula import TRUE, Formula, Scope
from verify.proof.view import (
    LIVE,
    OUT,
    STEPS,
    Spot,
    Window,
    edge,
    neighbours,
)

EAGER = 60  # ports up to which their pairs are kept apart beforehand, not by cuts


def encode_planar(formula: Formula, window: Window) -> None:
    """Add what holds in the plane: walk, arc, pairs of ports."""
    _walk(formula, window)
    _pairing(formula, window)
    _crossings(formula, len(window.ports()))
    for k in range(len(window.areas)):
        _area_ports(formula, window, k)
    if formula.scope is Scope.CORNERS:
        _rectangle(formula, window)
        _rim(formula, window)


def _walk(formula: Formula, window: Window) -> None:
    """Every visited cell has two edges of the walk; the arc ends at start and end."""
    for cell in window.cells():
        sides = [edge(cell, other) for other in neighbours(cell)]
        walk = [formula.var("w", *side) for side in sides]
        arc = [formula.var("v", *side) for side in sides]
        visited, out = formula.var("visited", cell), formula.var("out", cell)
        start, end = formula.var("S", cell), formula.var("T", cell)
        if cell == LIVE:
            formula.at_most(1, walk)
            formula.at_most(0, walk, -start)
            formula.at_least(1, walk, start)
        else:
            formula.at_most(2, walk)
            formula.at_most(1, walk, -start)
            formula.at_least(2, walk, -visited, start)
            formula.at_least(1, walk, -visited)
        formula.at_most(2, arc)
        formula.at_most(1, arc, out)
        formula.at_least(1, arc, -start)
        formula.at_least(1, arc, -end)
        for side in arc:  # an arc that comes in at a place outside the board goes on
            formula.add(-side, -out, *(other for other in arc if other != side))


def _pairing(formula: Formula, window: Window) -> None:
    """Pair the used ports; a pair keeps its kind unless it holds start or end."""
    ports = [edge(*port) for port in window.ports()]
    kinds = [[formula.var(kind, *port) for kind in "wcv"] for port in ports]
    usable = [i for i, kind in enumerate(kinds) if any(x != -TRUE for x in kind)]
    for i in range(len(ports)):
        if i not in usable:
            formula.constants["s", i] = formula.constants["t", i] = -TRUE
    for i in usable:
        pairs = [formula.var("p", *sorted((i, j))) for j in usable if j != i]
        for kind in kinds[i]:
            formula.add(-kind, *pairs)
        if len(ports) <= EAGER:
            formula.at_most(1, pairs)
        for pair in pairs:
            formula.add(-pair, *kinds[i])
        formula.at_most(1, kinds[i])
    for i in usable:
        for j in usable:
            if i == j:
                continue
            pair = formula.var("p", *sorted((i, j)))
            formula.add(-pair, -kinds[i][0], kinds[j][0], formula.var("s", i))
            formula.add(-pair, -kinds[i][1], kinds[j][1], formula.var("t", i))
    cells = window.cells()
    for event, flag in (("S", "s"), ("T", "t")):
        places = [formula.var(event, cell) for cell in cells]
        places += [formula.var(flag, i) for i in usable]
        formula.at_most(1, places)


def _crossings(formula: Formula, ports: int) -> None:
    """Exclude crossing pairs beforehand, when there are not too many."""
    if ports > EAGER:
        return
    named = formula.names
    pair = [[-named.get(("p", i, j), 0) for j in range(ports)] for i in range(ports)]
    add = formula.clauses.append  # up to half a million clauses
    for a, c in combinations(range(ports), 2):
        first = pair[a][c]
        if first:
            for b in range(a + 1, c):
                for second in pair[b][c + 1 :]:
                    if second:
                        add((first, second))


def _area_ports(formula: Formula, window: Window, k: int) -> None:
    """Bring a path that leaves the window inside an area back inside it."""
    ports = window.ports()
    members = [_far_side(formula, window, k, *port) for port in ports]
    at = [formula.var("c", *edge(*port)) for port in ports]
    for i, j in combinations(range(len(ports)), 2):
        if -TRUE not in (at[i], at[j]):
            pair = formula.var("p", i, j)
            formula.add(-pair, -at[i], -at[j], -members[i], members[j])
            formula.add(-pair, -at[i], -at[j], members[i], -members[j])
    for i in range(len(ports)):
        formula.add(-at[i], -formula.var("t", i), -members[i])


def _far_side(formula: Formula, window: Window, k: int, cell: Spot, other: Spot) -> int:
    """Return whether the unseen cell beyond a used port belongs to area k.

    A cell touches free cells of its own side, but for marked cells, whose neighbours
    are drawn inside or outside, and the live end, which may look into the area.
    """
    area = window.areas[k]
    if cell in area.line:
        return TRUE if other in area.inside else -TRUE
    return formula.var("a", k, other if cell == LIVE else cell)


def _rectangle(formula: Formula, window: Window) -> None:
    """Cells outside lie in rows and columns outside; start and end are corners."""
    spans = (
        ("rowout", range(window.top - 1, window.bottom + 2)),
        ("colout", range(window.left - 1, window.right + 2)),
    )
    for name, span in spans:
        formula.constants[name, 0] = -TRUE
        for i in span:
            further = i + (1 if i > 0 else -1)
            if i and further in span:
                formula.add(-formula.var(name, i), formula.var(name, further))
    for cell in window.cells():
        out = formula.var("out", cell)
        by_row, by_col = formula.var("rowout", cell[0]), formula.var("colout", cell[1])
        formula.add(-out, by_row, by_col)
        formula.add(out, -by_row)
        formula.add(out, -by_col)
        start, end = formula.var("S", cell), formula.var("T", cell)
        for sign, event in ((1, start), (-1, end)):
            for axis, name in enumerate(("rowout", "colout")):
                beyond = [formula.var(name, cell[axis] + d) for d in (-1, 1)]
                if window.start_corner:
                    beyond = [beyond[sign * window.start_corner[axis] > 0]]
                formula.add(-event, *beyond)
    for cell, other in window.ports():
        axis = 0 if cell[0] != other[0] else 1
        beyond_port = formula.var(("rowout", "colout")[axis], other[axis])
        arc = formula.var("v", *edge(cell, other))
        formula.add(-arc, -formula.var("S", cell), beyond_port)
        formula.add(-arc, -formula.var("T", cell), beyond_port)


def _rim(formula: Formula, window: Window) -> None:
    """Lay the arc along the first side of the board that shows in the window."""
    sides: list[list[Spot]] = []
    for step in STEPS:
        side = []
        for cell in window.cells():
            beyond = cell[0] + step[0], cell[1] + step[1]
            on_board = not window.state(cell) & OUT
            if on_board and window.holds(beyond) and window.state(beyond) & OUT:
                side.append(beyond)
        sides.append(side)
    order = sorted(range(4), key=lambda d: not _drawn(window, sides[d]))
    earlier: list[int] = []
    for d in order:
        for cell in sides[d]:
            for turn in (1, 3):
                along = STEPS[(d + turn) % 4]
                arc = edge(cell, (cell[0] + along[0], cell[1] + along[1]))
                out = formula.var("out", cell)
                formula.add(-out, *earlier, formula.var("v", *arc))
        earlier += [formula.var("out", cell) for cell in sides[d]]
    first = order[0]
    if window.start_corner and _drawn(window, sides[first]):
        _sides_of_arc(formula, window, first, _drawn(window, sides[first])[0])


def _drawn(window: Window, side: list[Spot]) -> list[Spot]:
    return [cell for cell in side if window.state(cell) == OUT]


def _sides_of_arc(formula: Formula, window: Window, d: int, rim: Spot) -> None:
    """Cut the arc at a rim cell: one half leads to the start, the other to the end."""
    assert window.start_corner is not None
    towards_start = window.start_corner[1 if d % 2 == 0 else 0]
    for cell in window.cells():
        sides = [edge(cell, other) for other in neighbours(cell)]
        arcs = [(formula.var("v", *side), formula.var("u", *side)) for side in sides]
        if cell == rim:
            for other, (arc, late) in zip(neighbours(cell), arcs, strict=True):
                along = other[1] - cell[1] if d % 2 == 0 else other[0] - cell[0]
                if along:
                    formula.add(-arc, -late if along == towards_start else late)
            continue
        for (v1, u1), (v2, u2) in combinations(arcs, 2):
            formula.add(-v1, -v2, -u1, u2)
            formula.add(-v1, -v2, u1, -u2)
        for arc, late in arcs:
            formula.add(-arc, -formula.var("S", cell), -late)
            formula.add(-arc, -formula.var("T", cell), late)
    ports = [edge(*port) for port in window.ports()]
    for i, a in enumerate(ports):
        for j, b in enumerate(ports):
            arc, late = formula.var("v", *b), formula.var("u", *b)
            if i == j or arc == -TRUE:
                continue
            pair = formula.var("p", *sorted((i, j)))
            formula.add(-pair, -formula.var("w", *a), -arc, -late)
            formula.add(-pair, -formula.var("c", *a), -arc, late)
            if i < j:
                v, u = formula.var("v", *a), formula.var("u", *a)
                formula.add(-pair, -v, -arc, -u, late)
                formula.add(-pair, -v, -arc, u, -late)
