"""Clauses that a model of a window's formula shows to be missing.

`verify.window.encode` leaves out what would need too many clauses: loops, crossing
pairs of ports, an end met too early, areas that nothing leaves. A model that breaks one
of these gives a *cut*, a clause that every true world satisfies and the model does not.
Solving and cutting in turns ends, because each cut excludes a different set of models.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from verify.view import LIVE, Cell, Edge, Window, edge, neighbours
from verify.window import TRUE, Clause, Formula

Node = Cell | int  # a cell of the window, or a port by its number


def cuts(window: Window, formula: Formula, true: set[int]) -> list[Clause]:
    """Return clauses that the model breaks; none if it breaks no statement.

    `true` are the variables that the model sets. Linear in the window but for the
    pairs of ports, which are quadratic.
    """
    if formula.scope.planar:
        crossing = list(_crossings(formula, true))
        return crossing or list(_loops(window, formula, true))
    found = list(_loops(window, formula, true))
    found += _early_end(window, formula, true)
    for k in range(len(window.areas)):
        found += _sealed(window, formula, true, k)
    return found


def _crossings(formula: Formula, true: set[int]) -> Iterator[Clause]:
    pairs = sorted(pair for pair in formula.pairs if pair[2] in true)
    for (a, b, first), (c, d, second) in combinations(pairs, 2):
        if a < c < b < d or len({a, b, c, d}) < 4:
            yield -first, -second


def used_edges(formula: Formula, true: set[int]) -> dict[Edge, int]:
    """Return the edges that the model uses, each with its variable (1: known)."""
    return {side: number for side, number in formula.usable if number in true}


def _curves(
    window: Window, formula: Formula, true: set[int]
) -> Iterator[tuple[set[Node], list[int], list[Edge]]]:
    """Yield each piece of the path: its nodes, its variables, its window edges."""
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    links: dict[Node, list[tuple[Node, int, Edge | None]]] = {}

    def join(a: Node, b: Node, number: int, side: Edge | None) -> None:
        links.setdefault(a, []).append((b, number, side))
        links.setdefault(b, []).append((a, number, side))

    for (a, b), number in used_edges(formula, true).items():
        if (a, b) in ports:
            join(a if window.holds(a) else b, ports[a, b], number, (a, b))
        else:
            join(a, b, number, (a, b))
    for i, j, number in formula.pairs:
        if number in true:
            join(i, j, number, None)
    seen: set[Node] = set()
    for begin in sorted(links, key=str):
        if begin in seen:
            continue
        nodes, numbers, sides, todo = {begin}, set(), set(), [begin]
        while todo:
            for other, number, side in links[todo.pop()]:
                numbers.add(number)
                if side is not None:
                    sides.add(side)
                if other not in nodes:
                    nodes.add(other)
                    todo.append(other)
        seen |= nodes
        yield nodes, sorted(numbers), sorted(sides)


def _loops(window: Window, formula: Formula, true: set[int]) -> Iterator[Clause]:
    """No closed piece but the one through the live end."""
    for nodes, numbers, sides in _curves(window, formula, true):
        if LIVE in nodes:
            continue
        if not formula.scope.planar and len(sides) < len(nodes):
            continue  # it has loose ends
        yield _none_but(numbers)


def _none_but(numbers: Iterable[int]) -> Clause:
    return tuple(sorted(-number for number in numbers if number != 1))


def _early_end(window: Window, formula: Formula, true: set[int]) -> Iterator[Clause]:
    """When the piece of the live end holds the end, no free cell is left out."""
    for nodes, numbers, _ in _curves(window, formula, true):
        ends = [formula.var("T", n) for n in nodes if not isinstance(n, int)]
        ends = [end for end in ends if end in true]
        if LIVE not in nodes or not ends:
            continue
        for cell in window.cells():
            free = formula.var("free", cell)
            if cell not in nodes and free in true:
                yield tuple(sorted({*_none_but([*numbers, *ends, free])}))
                return


def _sealed(
    window: Window, formula: Formula, true: set[int], k: int
) -> Iterator[Clause]:
    """Find cells of an area that no piece with a used door visits.

    Let P be the cells of area k on pieces with a door. If none of these pieces goes on
    into unseen cells, and some cell of the area is not in P, the path must cross from P
    to such cells, or they have a door of their own.
    """
    used = used_edges(formula, true)
    member = {c for c in window.cells() if formula.var("a", k, c) in true}
    line, inside = set(window.areas[k].line), window.areas[k].inside
    target = neighbours(LIVE)[window.move]

    def within(cell: Cell) -> list[Cell]:
        """Return the neighbours that belong to the area whenever they are free."""
        near = [other for other in neighbours(cell) if other != LIVE]
        return [x for x in near if cell not in line or x in line or x in inside]

    outer = {cell: set(neighbours(cell)) - set(within(cell)) for cell in line}
    reached = {c for c in line if any(edge(c, x) in used for x in outer[c])}
    reached |= {target} & member
    todo = list(reached)
    while todo:
        cell = todo.pop()
        for other in within(cell):
            if edge(cell, other) in used and other not in reached:
                if not window.holds(other):
                    return
                reached.add(other)
                todo.append(other)
    left_out = sorted(member - reached, key=lambda cell: (cell not in line, cell))
    if not left_out:
        return
    out = {
        formula.var("c", *edge(cell, other))
        for cell in reached
        for other in within(cell)
        if other not in reached
    }
    out |= {
        formula.var("c", *edge(cell, other))
        for cell in line - reached
        for other in outer[cell]
    }
    if target not in reached:
        out.add(formula.var("a", k, target))
    out.add(-formula.var("a", k, left_out[0]))  # a marked cell is certain
    yield tuple(sorted(out - {-TRUE}))
