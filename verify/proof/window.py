"""The window theorem: what a rule's surroundings must look like, as a formula.

A rule speaks of a *window*, cells in one piece around the live end. Suppose it is
wrong: some board has a position that matches, with a completion that begins with the
forbidden move. Start cell, walk, live end, completion and end cell are then one path,
and the window sees pieces of it. This module writes down what is true of these pieces;
if that formula has no model, there is no such position, on no board of any size.

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
``("l", k, a, b)``, ``("d", a, b)``
    order and direction along walk and completion: `verify.proof.orders`.
``("a", k, cell)``, ``("n", k, i, d)``
    the free cell belongs to area k; among its first i doors, black less white is d.

True in every such world, hence the clauses:

* **degrees**: a free cell has two edges of the completion, the end cell one, the live
  end exactly the forbidden move; a visited cell has two edges of the walk, start and
  live end one (start cell = live end: none);
* **no loop**, and no early end: added when a model has one. A forced line counts as one
  edge between its ends: the completion leaves each of them by the line's own edge, so
  used edges that lead from the one to the other by their other edges close a loop;
* **areas**: an area is flooded from inside its line of marked cells, so two touching
  free cells that are not marked lie both in it or both outside, and the path passes
  its rim at marked cells and with the forbidden move only. It holds neither live end
  nor end cell, so all its cells have degree two, and summing degrees by colour gives
  2 * imbalance = doors used at black cells - doors used at white cells: a number of
  cells fixes the imbalance mod 2. What goes in must come out: a set of cells of the
  area with a known member has a used door (added when a model has none);
* **the far side**: let an area's line come from the live end and run into a visited
  cell. The walk from that cell to the live end, and back along the line, is a closed
  curve; what floods from the line's inside cannot cross it, so the area holds no
  neighbour of the live end on the curve's other side. A move on the area's own side
  enters it: other cells there touch no marked cell, so they would be all that is left
  to visit. A wall outside the board does as well when the walk begins at the rim: the
  curve then cuts the board in two;
* **planarity** (`PLANAR` and `CORNERS`). Let start and end lie on the rim of a
  rectangle. Join them outside the board by a *virtual arc*: with the path it is one
  closed curve on the sphere. The window is a disk, so the pieces of that curve outside
  it pair the used ports without crossing; and all of it is a single loop. A piece keeps
  its kind (walk, completion, arc) unless it holds the start or the end. Order tests
  follow: cut the walk behind cell b; cell a must lie on the start's part.

Adding cells to the window only adds true statements, so a formula without a model for
a small window settles every larger one. Turning or mirroring a position is a symmetry
of all of this (boards, rims, colours and areas are), so a drawing needs one proof for
all of its orientations; only rules that name the sides of the board are tied to one.
"""

from collections.abc import Iterator

from verify.proof.formula import TRUE, Formula, Node, Scope
from verify.proof.orders import encode_orders
from verify.proof.planar import encode_planar
from verify.proof.view import (
    ANY,
    FREE,
    LIVE,
    STATE_NAMES,
    VISITED,
    Area,
    Window,
    black,
    edge,
    edges_of,
    neighbours,
)

UPPER_LEFT = "every rectangle without walls, start upper left and end lower right"


def encode(window: Window, scope: Scope) -> Formula:
    """Write the clauses that hold in every world of the window (see the module).

    Loops, early ends and sealed areas are not among them: `verify.proof.cuts` adds
    those that a model shows. O(cells + ports^2) clauses, and those of crossing pairs of
    ports: of many ports (`verify.proof.planar.EAGER`) they are cuts too.
    """
    formula = Formula(scope)
    _states(formula, window)
    _degrees(formula, window)
    for k in range(len(window.areas)):
        _area(formula, window, k)
    if scope.planar:
        encode_planar(formula, window)
    encode_orders(formula, window)
    _links(formula, window)
    return formula


def _links(formula: Formula, window: Window) -> None:
    """List what models are read by."""
    kinds = "cwv" if formula.scope.planar else "c"
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    for side in edges_of(window):
        one: Node = side[0]
        two: Node = side[1]
        if formula.scope.planar and side in ports:
            one, two = (one if window.holds(side[0]) else two), ports[side]
        for kind in kinds:
            number = formula.var(kind, *side)
            if number != -TRUE:
                formula.usable.append((side, number))
                formula.links.append((one, two, number))
    for name, number in formula.names.items():
        if name[0] == "p":
            _, i, j = name
            formula.pairs.append((i, j, number))  # type: ignore[arg-type] # ports
    formula.links += formula.pairs


def _states(formula: Formula, window: Window) -> None:
    """One state a cell; edges only between cells of their kind."""
    planar, joined = formula.scope.planar, window.said("joined")
    for cell in window.cells():
        allowed = window.state(cell)
        known = [name for name, bit in STATE_NAMES if allowed & bit]
        for name, bit in STATE_NAMES:
            if not allowed & bit:
                formula.constants[name, cell] = -TRUE
            elif len(known) == 1:
                formula.constants[name, cell] = TRUE
        literals = [formula.var(name, cell) for name, _ in STATE_NAMES]
        formula.at_most(1, literals)
        formula.at_least(1, literals)
        in_area = any(cell in area.line for area in window.areas)
        if not allowed & FREE or cell in window.not_end or in_area:
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
        forced = live and edge(LIVE, neighbours(LIVE)[window.move]) == (a, b)
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
    if window.back is not None and planar:
        formula.add(formula.var("w", *edge(LIVE, neighbours(LIVE)[window.back])))
    formula.at_most(1, [formula.var("T", cell) for cell in window.cells()])


def _degrees(formula: Formula, window: Window) -> None:
    """Every free cell has two edges of the completion, the end cell one.

    One less where the live end, not looked at itself, enters it, or may.
    """
    passes, lacks = window.said("passes"), window.said("lacks")
    for cell in window.cells():
        if cell == LIVE:
            continue
        around = [formula.var("c", *edge(cell, other)) for other in neighbours(cell)]
        free, end = formula.var("free", cell), formula.var("T", cell)
        entered = window.away and (LIVE, cell) in passes
        perhaps = window.away and not entered and (LIVE, cell) not in lacks
        most = 2 - entered
        least = most - perhaps
        formula.at_most(most, around)
        formula.at_most(most - 1, around, -end)
        formula.at_least(least, around, -free, end)
        formula.at_least(least - 1, around, -free)


def _area(formula: Formula, window: Window, k: int) -> None:
    """Area k: who belongs to it, and what its doors say of its imbalance."""
    area = window.areas[k]
    line = set(area.line)
    target = neighbours(LIVE)[window.move]
    for cell in (target, *window.cells()):
        if cell in line:
            formula.constants["a", k, cell] = TRUE
        elif not window.state(cell) & FREE or cell in area.outside - area.inside:
            formula.constants["a", k, cell] = -TRUE
    for cell in window.cells():
        member = formula.var("a", k, cell)
        formula.add(-member, formula.var("free", cell))
        formula.add(-member, -formula.var("T", cell))
        if cell in area.inside:
            formula.add(member, -formula.var("free", cell))
    if target in area.facing | area.averted and _shut(formula, window, area):
        entered = formula.var("a", k, target)
        formula.add(entered if target in area.facing else -entered)
    for a, b in edges_of(window):
        if window.holds(a) and window.holds(b) and not {a, b} & (line | {LIVE}):
            free = -formula.var("free", a), -formula.var("free", b)
            in_a, in_b = formula.var("a", k, a), formula.var("a", k, b)
            formula.add(*free, -in_a, in_b)
            formula.add(*free, in_a, -in_b)
    doors = list(door_literals(formula, window, k))
    sums = {0: TRUE}
    for i, (door, sign) in enumerate(doors, 1):
        after = {d: formula.var("n", k, i, d) for s in sums for d in (s, s + sign)}
        for total, reached in sums.items():
            formula.add(-reached, door, after[total])
            formula.add(-reached, -door, after[total + sign])
        sums = after
    for total, reached in sums.items():
        if total % 2 or not area.allows(total // 2):
            formula.add(-reached)
    if area.least > len(area.line) and all(map(window.holds, area.inside)):
        formula.add(*(formula.var("free", cell) for cell in area.inside))


def _shut(formula: Formula, window: Window, area: Area) -> bool:
    """Tell whether walk and line keep the area from the far side of the live end.

    See the module: the wall is visited, or, without walls inside the board and with the
    start on its rim, outside.
    """
    assert area.wall is not None
    wall = window.states.get(area.wall, ANY)
    return wall == VISITED or (not formula.scope.walled and not wall & FREE)


def door_literals(
    formula: Formula, window: Window, k: int
) -> Iterator[tuple[int, int]]:
    """Yield the edges that may leave area k, with +1 at black cells and -1 at white.

    A door is an edge between a marked cell and a cell outside, or the forbidden move
    into the area. Every neighbour of a marked cell is known to lie inside or outside.
    """
    area = window.areas[k]
    for cell in area.line:
        for other in neighbours(cell):
            if other not in area.inside and other not in area.line:
                door = formula.var("c", *edge(cell, other))
                if door != -TRUE:
                    yield door, 1 if black(cell) else -1
    target = neighbours(LIVE)[window.move]
    if target not in area.line and formula.var("a", k, target) != -TRUE:
        yield formula.var("a", k, target), 1 if black(target) else -1
