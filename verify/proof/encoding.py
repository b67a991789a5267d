"""The window theorem: what a rule's surroundings must look like, as a formula.

A rule speaks of a *window*, cells in one piece around the live end. Suppose that it is
wrong: on some board a position matches, with a completion that begins with the
forbidden move. Start cell, walk, live end, completion and end cell are then one path,
and the window sees pieces of it. The clauses hold for these pieces in every such world.
If they have no model, there is no such position, on no board of any size.
`docs/explanation/proofs.md` explains why each clause holds.

Cells are ``(row, col)`` with the live end at ``(0, 0)`` and row -1 ahead of it. An edge
joins two touching cells, at least one of them in the window; an edge with one cell
outside is a *port*. Variables, by name:

``("free" | "visited" | "out", cell)``
    exactly one of the three; *out* is a wall or a place outside the board.
``("c" | "w" | "v", a, b)``
    the edge belongs to the completion, to the walk, to the virtual arc (below).
``("T", cell)``, ``("S", cell)``
    the cell is the end, the start. ``("t", port)``, ``("s", port)``: the path that
    leaves through the port meets the end, the start, before it comes back.
``("p", i, j)``
    the path that leaves through port i comes back through port j.
``("l", k, a, b)``
    the edge lies on the live end's half of order test k. The test cuts the walk after
    its second cell, or the completion before its first cell. One half holds the live
    end, the other one the start or the end.
``("d", a, b)``
    the completion passes the edge from a to b; only where a drawing grants a direction.
``("a", k, cell)``, ``("n", k, i, d)``
    the free cell belongs to area k; among its first i doors, black less white is d.
``("rowout", row)``, ``("colout", col)``
    the row, the column lies outside the board. Only in `CORNERS`, where without walls a
    cell is outside exactly when its row or its column is.

In `CORNERS` the arc may be cut too, at a rim cell that is drawn. Then ``("l", k, a,
b)`` is true on the end's side of that cell; k follows the numbers of the tests.

In planar scopes start and end lie on the rim, and a *virtual arc* outside the board
joins them to one closed curve with the path. In `CORNERS` the arc follows the ring of
cells around the board, past the first side of the board that the window shows. Start
and end lie in opposite corners, so the arc passes the whole side.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from heuristic.rules.drawing import Spot
from verify.proof.formula import TRUE, Formula, Name, Node, Scope
from verify.proof.window import (
    ANY,
    FREE,
    LIVE,
    OUT,
    STATE_NAMES,
    VISITED,
    Window,
    black,
    edge,
    edges_of,
    neighbours,
)

UPPER_LEFT = "every rectangle without walls, start upper left and end lower right"


def encode(window: Window, scope: Scope) -> Formula:
    """Return the clauses that hold in every world of the window, without cuts.

    O(cells + ports^2) clauses, and those on crossing pairs if there are few ports.
    """
    formula, areas = Formula(scope), range(len(window.areas))
    _states(formula, window)
    _degrees(formula, window)
    for k in areas:
        _area(formula, window, k)
    if scope.planar:
        _walk(formula, window)
        _pairing(formula, window)
        _crossings(formula, len(window.ports()))
        for k in areas:  # a path that leaves the window inside an area comes back there
            members = [_far_side(formula, window, k, *port) for port in window.ports()]
            _outside(formula, window, "c", members, members)
    if scope is Scope.CORNERS:
        _rectangle(formula, window)
        _rim(formula, window)
    if window.pairs("passes") or window.pairs("lacks"):
        _directions(formula, window)
    _orders(formula, window)
    if edge(LIVE, window.target) in window.pairs("dead"):
        formula.add()  # no completion begins with a step that is dead when followed
    _links(formula, window)
    return formula


def _links(formula: Formula, window: Window) -> None:
    kinds = "cwv" if formula.scope.planar else "c"
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    for side in edges_of(window):
        nodes: tuple[Node, Node] = side
        if formula.scope.planar and side in ports:
            nodes = next(filter(window.holds, side)), ports[side]
        for kind in kinds:
            number = formula.var(kind, *side)
            if number != -TRUE:
                formula.usable.append((side, number))
                formula.links.append((*nodes, number))
    pairs: Any = [(*x[1:], n) for x, n in formula.names.items() if x[0] == "p"]
    formula.pairs += pairs
    formula.links += pairs


def _states(formula: Formula, window: Window) -> None:
    """Add that cells have one state, and that edges join cells of their kind."""
    planar, joined = formula.scope.planar, window.pairs("joined")
    lines = {cell for area in window.areas for cell in area.cells}
    for cell in window.cells():
        allowed = window.state(cell)
        for name, bit in STATE_NAMES:
            if not allowed & bit:
                formula.constants[name, cell] = -TRUE
            elif allowed == bit:
                formula.constants[name, cell] = TRUE
        literals = [formula.var(name, cell) for name, _ in STATE_NAMES]
        formula.at_most(1, literals)
        formula.at_least(1, literals)
        if not allowed & FREE or cell in window.not_end | lines:
            formula.constants["T", cell] = -TRUE
        elif cell == window.end:
            formula.constants["T", cell] = TRUE
        if not planar or not allowed & VISITED:
            formula.constants["S", cell] = -TRUE
        formula.add(-formula.var("T", cell), formula.var("free", cell))
        formula.add(-formula.var("S", cell), formula.var("visited", cell))
    for a, b in edges_of(window):
        seen = [cell for cell in (a, b) if window.holds(cell)]
        live = LIVE in (a, b)
        forced = live and edge(LIVE, window.target) == (a, b)
        others = [cell for cell in seen if cell != LIVE]
        if forced or (a, b) in joined:
            formula.constants["c", a, b] = TRUE
        elif live or not all(window.state(cell) & FREE for cell in others):
            formula.constants["c", a, b] = -TRUE
        for cell in others:
            formula.add(-formula.var("c", a, b), formula.var("free", cell))
        if not planar:
            continue
        if not all(window.state(cell) & VISITED for cell in seen):
            formula.constants["w", a, b] = -TRUE
        w, v = formula.var("w", a, b), formula.var("v", a, b)
        for cell in seen:
            ends = formula.var("S", cell), formula.var("T", cell)
            formula.add(-w, formula.var("visited", cell))
            formula.add(-v, formula.var("out", cell), *ends)
        if len(seen) == 2:
            formula.add(-v, formula.var("out", a), formula.var("out", b))
    if window.behind is not None and planar:
        formula.add(formula.var("w", *edge(LIVE, window.behind)))
    formula.at_most(1, [formula.var("T", cell) for cell in window.cells()])


def _degrees(formula: Formula, window: Window) -> None:
    """Add that free cells have two edges, the end one; one less after the live end."""
    passes, lacks = window.pairs("passes"), window.pairs("lacks")
    for cell in window.cells():
        if cell == LIVE:
            continue
        around = formula.around(cell, "c")
        free, end = formula.var("free", cell), formula.var("T", cell)
        entered = window.away and (LIVE, cell) in passes
        perhaps = window.away and not entered and (LIVE, cell) not in lacks
        formula.degree(around, free, end, 2 - entered, perhaps)


def _area(formula: Formula, window: Window, k: int) -> None:
    """Add the members of area k, and its surplus as its doors give it."""
    area = window.areas[k]
    line, inside = set(area.cells), set(area.inside)
    for cell in (window.target, *window.cells()):
        if cell in line:
            formula.constants["a", k, cell] = TRUE
        elif not window.state(cell) & FREE or cell in {*area.outside} - inside:
            formula.constants["a", k, cell] = -TRUE
    for cell in window.cells():
        member = formula.var("a", k, cell)
        formula.add(-member, formula.var("free", cell))
        formula.add(-member, -formula.var("T", cell))
        if cell in inside:
            formula.add(member, -formula.var("free", cell))
    wall = window.states.get(area.wall, ANY)
    # walk and line keep the area from the far side of the live end
    shut = wall == VISITED or (not formula.scope.walled and not wall & FREE)
    faced = area.faces(window.target, window.behind)
    if faced is not None and shut:
        entered = formula.var("a", k, window.target)
        formula.add(entered if faced else -entered)
    for a, b in edges_of(window):
        if window.holds(a) and window.holds(b) and not {a, b} & (line | {LIVE}):
            free = -formula.var("free", a), -formula.var("free", b)
            formula.same(formula.var("a", k, a), formula.var("a", k, b), *free)
    doors = list(door_literals(formula, window, k))
    sums = {0: TRUE}
    for i, (door, sign) in enumerate(doors, 1):
        after = {d: formula.var("n", k, i, d) for s in sums for d in (s, s + sign)}
        for total, reached in sums.items():
            formula.add(-reached, door, after[total])
            formula.add(-reached, -door, after[total + sign])
        sums = after
    for total, reached in sums.items():
        if total % 2 or not area.allows(-total // 2):
            formula.add(-reached)
    if area.least > len(line) and all(map(window.holds, inside)):
        formula.add(*(formula.var("free", cell) for cell in area.inside))


def door_literals(
    formula: Formula, window: Window, k: int
) -> Iterator[tuple[int, int]]:
    """Yield the edges that may leave area k, with +1 at black cells and -1 at white.

    One of them may be the forbidden move into the area.
    """
    area = window.areas[k]
    for cell in area.cells:
        for other in neighbours(cell):
            if other not in area.inside and other not in area.cells:
                door = formula.var("c", *edge(cell, other))
                if door != -TRUE:
                    yield door, 1 if black(cell) else -1
    if window.target not in area.cells:
        entered = formula.var("a", k, window.target)
        if entered != -TRUE:
            yield entered, 1 if black(window.target) else -1


def surpluses(formula: Formula, window: Window, k: int) -> dict[int, Name]:
    """Return the names of the variables that give the surplus of area k, by surplus."""
    last = len(list(door_literals(formula, window, k)))
    sums: Any = [name for name in formula.names if name[:3] == ("n", k, last)]
    return {-name[3] // 2: name for name in sums if name[3] % 2 == 0}


def _orders(formula: Formula, window: Window) -> None:
    """Add the order tests whose cells are in the window."""
    tests = [("w", then, first) for first, then in window.runs]
    tests += [("c", first, then) for first, then in window.pairs("before")]
    for k, (kind, *cells) in enumerate(tests):
        if window.seen.issuperset(cells) and (kind == "c" or formula.scope.planar):
            _order(formula, window, k, kind, *cells)


def _order(
    formula: Formula, window: Window, k: int, kind: str, cut: Spot, far: Spot
) -> None:
    """Add order test k: a cut of the path leaves the far cell without the live end."""
    tail = "S" if kind == "w" else "T"
    directed = window.pairs("passes") or window.pairs("lacks")
    for cell in window.cells():
        used, halves = formula.around(cell, kind), formula.around(cell, "l", k)
        path = list(zip(used, halves, strict=True))
        if cell == cut != LIVE:
            formula.add(-formula.var(tail, cell))
            _tie(formula, path, -1)
            if kind == "c":
                for c, other in zip(used, neighbours(cell), strict=True):
                    if window.holds(other) and other != far:
                        # nothing follows the end
                        formula.add(-c, -formula.var("T", other))
                for (c, late), other in zip(path, neighbours(cell), strict=True):
                    if directed:
                        formula.same(late, -passed(formula, cell, other), -c)
            continue
        _tie(formula, path)
        entered = window.away and (LIVE, cell) in window.pairs("passes")
        for w, late in path:
            if cell == LIVE != cut or entered:
                formula.add(-w, late)
            if cell == far:
                formula.add(-w, -late)
            formula.add(-formula.var(tail, cell), -w, -late)
    if formula.scope.planar:
        behind = [formula.var("l", k, *edge(*port)) for port in window.ports()]
        _outside(formula, window, kind, behind, behind)


def _outside(
    formula: Formula, window: Window, kind: str, here: list[int], there: list[int]
) -> None:
    """Add that a literal holds at both ports of a piece outside, or neither."""
    at = [formula.var(kind, *edge(*port)) for port in window.ports()]
    for i, j in combinations(range(len(at)), 2):
        if -TRUE not in (at[i], at[j]):
            pair = formula.var("p", i, j)
            formula.same(here[i], there[j], -pair, -at[i], -at[j])
    for i, used in enumerate(at):
        formula.add(-used, -formula.var("s" if kind == "w" else "t", i), -here[i])


def _tie(formula: Formula, path: list[tuple[int, int]], sign: int = 1) -> None:
    """Add that two used edges of a cell lie on the same half, or on different ones."""
    for (w1, l1), (w2, l2) in combinations(path, 2):
        formula.same(sign * l1, l2, -w1, -w2)


def passed(formula: Formula, a: Spot, b: Spot) -> int:
    """Return the literal that the completion, if it uses the edge, goes from a to b."""
    return formula.var("d", a, b) if a < b else -formula.var("d", b, a)


def _directions(formula: Formula, window: Window) -> None:
    """Add one edge in and one out; the live end has none in, the end cell none out."""
    for cell in window.cells():
        out = [passed(formula, cell, other) for other in neighbours(cell)]
        edges = list(zip(formula.around(cell, "c"), out, strict=True))
        for c, outward in edges:
            if cell == LIVE:
                formula.add(-c, outward)
            else:
                formula.add(-c, -formula.var("T", cell), -outward)
        _tie(formula, edges, -1)  # in and out
        for c, outward in edges if window.away else ():
            others = [other for other, _ in edges if other != c]  # entered, if none is
            formula.add(-c, outward, formula.var("T", cell), *others)
    for word in ("passes", "lacks"):
        for a, b in window.pairs(word):
            seen = window.holds(a) or window.holds(b)
            if not seen or (a == LIVE and window.away):
                continue
            used, along = formula.var("c", *edge(a, b)), passed(formula, a, b)
            if word == "lacks":
                formula.add(-used, -along)
            else:
                formula.add(used)
                formula.add(along)
    if formula.scope.planar:
        out = [passed(formula, *port) for port in window.ports()]
        _outside(formula, window, "c", [-x for x in out], out)


EAGER = 60  # ports up to which clauses exclude crossing pairs; above, cuts do


def _walk(formula: Formula, window: Window) -> None:
    """Add two edges of the walk for visited cells, and two ends of the arc."""
    for cell in window.cells():
        walk, arc = formula.around(cell, "w"), formula.around(cell, "v")
        visited, out = formula.var("visited", cell), formula.var("out", cell)
        start, end = formula.var("S", cell), formula.var("T", cell)
        formula.degree(walk, visited, start, most=1 if cell == LIVE else 2)
        formula.at_most(2, arc)
        formula.at_most(1, arc, out)
        formula.at_least(1, arc, -start)
        formula.at_least(1, arc, -end)
        for side in arc:  # an arc that comes in at a place outside the board continues
            formula.add(-side, -out, *(other for other in arc if other != side))


def _pairing(formula: Formula, window: Window) -> None:
    """Add pairs of the used ports; a pair has one kind unless it holds start or end."""
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
    for i, j in permutations(usable, 2):
        pair = formula.var("p", *sorted((i, j)))
        formula.add(-pair, -kinds[i][0], kinds[j][0], formula.var("s", i))
        formula.add(-pair, -kinds[i][1], kinds[j][1], formula.var("t", i))
    for event, flag in ("Ss", "Tt"):
        places = [formula.var(event, cell) for cell in window.cells()]
        places += [formula.var(flag, i) for i in usable]
        formula.at_most(1, places)


def _crossings(formula: Formula, ports: int) -> None:
    """Exclude crossing pairs, unless there are too many of them for clauses."""
    if ports > EAGER:
        return
    named = formula.names
    pair = [[-named.get(("p", i, j), 0) for j in range(ports)] for i in range(ports)]
    for a, c in combinations(range(ports), 2):
        first = pair[a][c]
        for b in range(a + 1, c) if first else ():  # up to half a million clauses
            later = filter(None, pair[b][c + 1 :])
            formula.clauses.extend((first, second) for second in later)


def _far_side(formula: Formula, window: Window, k: int, cell: Spot, other: Spot) -> int:
    """Return the literal that the cell beyond a used port belongs to area k."""
    # free cells have neighbours on their side only, but marked ones and the live end
    area = window.areas[k]
    if cell in area.cells:
        return TRUE if other in area.inside else -TRUE
    return formula.var("a", k, other if cell == LIVE else cell)


def _rectangle(formula: Formula, window: Window) -> None:
    """Add that the board is a rectangle with start and end in opposite corners."""
    top, left, bottom, right = window.box
    spans = (
        ("rowout", range(top - 1, bottom + 2)),
        ("colout", range(left - 1, right + 2)),
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
        for sign, event in ((1, "S"), (-1, "T")):
            for axis, (name, _) in enumerate(spans):
                beyond = [formula.var(name, cell[axis] + d) for d in (-1, 1)]
                if window.start_corner:
                    beyond = [beyond[sign * window.start_corner[axis] > 0]]
                formula.add(-formula.var(event, cell), *beyond)
    for cell, other in window.ports():
        axis = 0 if cell[0] != other[0] else 1
        beyond_port = formula.var(spans[axis][0], other[axis])
        arc = formula.var("v", *edge(cell, other))
        for event in "ST":
            formula.add(-arc, -formula.var(event, cell), beyond_port)


def _rim(formula: Formula, window: Window) -> None:
    """Add that the arc follows the first side of the board in the window."""
    on_board = [cell for cell in window.cells() if not window.state(cell) & OUT]
    sides = [
        [
            at
            for cell in on_board
            if window.holds(at := neighbours(cell)[d]) and window.state(at) & OUT
        ]
        for d in range(4)
    ]
    drawn = [[at for at in side if window.state(at) == OUT] for side in sides]
    order = sorted(range(4), key=lambda d: not drawn[d])
    earlier: list[int] = []
    for d in order:
        for cell in sides[d]:
            for turn in (1, 3):
                arc = edge(cell, neighbours(cell)[(d + turn) % 4])
                out = formula.var("out", cell)
                formula.add(-out, *earlier, formula.var("v", *arc))
        earlier += [formula.var("out", cell) for cell in sides[d]]
    first = order[0]
    if window.start_corner and drawn[first]:
        _sides_of_arc(formula, window, first, drawn[first][0])


def _sides_of_arc(formula: Formula, window: Window, d: int, rim: Spot) -> None:
    """Add that the arc has two halves at a rim cell, to the start and to the end."""
    assert window.start_corner is not None
    towards_start = window.start_corner[1 if d % 2 == 0 else 0]
    k = len(window.runs) + len(window.pairs("before"))
    for cell in window.cells():
        used, halves = formula.around(cell, "v"), formula.around(cell, "l", k)
        arcs = list(zip(used, halves, strict=True))
        if cell == rim:
            for other, (arc, late) in zip(neighbours(cell), arcs, strict=True):
                along = other[1] - cell[1] if d % 2 == 0 else other[0] - cell[0]
                if along:
                    formula.add(-arc, -late if along == towards_start else late)
            continue
        _tie(formula, arcs)
        for arc, late in arcs:
            formula.add(-arc, -formula.var("S", cell), -late)
            formula.add(-arc, -formula.var("T", cell), late)
    ports = [edge(*port) for port in window.ports()]
    for i, j in permutations(range(len(ports)), 2):
        a, b = ports[i], ports[j]
        arc, late = formula.var("v", *b), formula.var("l", k, *b)
        if arc == -TRUE:
            continue
        pair = formula.var("p", *sorted((i, j)))
        formula.add(-pair, -formula.var("w", *a), -arc, -late)
        formula.add(-pair, -formula.var("c", *a), -arc, late)
        if i < j:
            given = -pair, -formula.var("v", *a), -arc
            formula.same(formula.var("l", k, *a), late, *given)
