"""Clauses that a model of a window's formula shows to be missing.

`verify.window.encode` leaves out what would need too many clauses: loops, crossing
pairs of ports, an end met too early, areas that nothing leaves. A model that breaks one
of these gives a *cut*, a clause that every true world satisfies and the model does not.
Solving and cutting in turns ends, because each cut excludes a different set of models.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from verify.view import LIVE, Cell, Edge, Window, edge, edges_of, neighbours
from verify.window import Clause, Formula

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
    pairs = [
        (name[1], name[2], number)
        for name, number in formula.names.items()
        if name[0] == "p" and number in true
    ]
    for (a, b, first), (c, d, second) in combinations(sorted(pairs), 2):
        if a < c < b < d:  # type: ignore[operator]
            yield -first, -second


def used_edges(window: Window, formula: Formula, true: set[int]) -> dict[Edge, int]:
    """Return the edges that the model uses, each with its variable (1: known)."""
    kinds = "cwv" if formula.scope.planar else "c"
    used = {}
    for a, b in edges_of(window):
        for kind in kinds:
            number = formula.var(kind, a, b)
            if number in true:
                used[a, b] = number
    return used


def _curves(
    window: Window, formula: Formula, true: set[int]
) -> Iterator[tuple[set[Node], list[int], list[Edge]]]:
    """Yield each piece of the path: its nodes, its variables, its window edges."""
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    links: dict[Node, list[tuple[Node, int, Edge | None]]] = {}

    def join(a: Node, b: Node, number: int, side: Edge | None) -> None:
        links.setdefault(a, []).append((b, number, side))
        links.setdefault(b, []).append((a, number, side))

    for (a, b), number in used_edges(window, formula, true).items():
        if (a, b) in ports:
            join(a if window.holds(a) else b, ports[a, b], number, (a, b))
        else:
            join(a, b, number, (a, b))
    for name, number in formula.names.items():
        if name[0] == "p" and number in true:
            join(name[1], name[2], number, None)  # type: ignore[arg-type]
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
    """Find an unseen part of an area that no piece of the path leaves."""
    member = {c for c in window.cells() if formula.var("a", k, c) in true}
    used = used_edges(window, formula, true)
    entries = [
        (cell, formula.var("c", *edge(cell, other)))
        for cell, other in window.ports()
        if cell in member and edge(cell, other) in used
    ]
    if not entries:
        return
    joined, todo = {cell for cell, _ in entries}, [cell for cell, _ in entries]
    while todo:
        cell = todo.pop()
        for other in neighbours(cell):
            if edge(cell, other) in used and window.holds(other):
                if other not in member:
                    return  # a used door
                if other not in joined:
                    joined.add(other)
                    todo.append(other)
    inside = [-formula.var("a", k, cell) for cell in joined]
    out = sealing_literals(window, formula, true, joined, k)
    yield tuple(sorted({-entries[0][1], *inside, *out} - {-1}))


def sealing_literals(
    window: Window, formula: Formula, true: set[int], joined: set[Cell], k: int
) -> set[int]:
    """Return a literal, false in the model, for each edge that might leave.

    An edge leads from a cell of `joined`, or from an unseen cell of the area, to a cell
    that is neither. From an unseen cell it leads to a cell of the area, so that either
    that cell's membership or the edge may stand for it.
    """
    found = set()
    for a, b in edges_of(window):
        number = formula.var("c", a, b)
        inner = [cell for cell in (a, b) if window.holds(cell)]
        if len(inner) == 2:
            if (a in joined) != (b in joined):
                found.add(number)
        elif inner[0] not in joined:
            if number in true:
                number = formula.var("a", k, inner[0])
            found.add(number)
    return found
