"""What a window says of order and direction along walk and completion.

An order test cuts the walk behind its second cell, or the completion before its first:
then one half holds the live end, the other the start or the end, and a cell that comes
before another lies on the half that it must. Variables beside those of
`verify.proof.window`:

``("l", k, a, b)``
    the edge lies on the live end's half of order test k.
``("d", a, b)``
    the completion passes the edge from a to b; only where a drawing takes something
    for granted of the way in which it passes edges.
"""

from itertools import combinations

from verify.proof.formula import TRUE, Formula
from verify.proof.view import LIVE, Spot, Window, edge, neighbours


def encode_orders(formula: Formula, window: Window) -> None:
    """Add the order tests whose cells are looked at, and directions."""
    if window.said("passes") or window.said("lacks"):
        _directions(formula, window)
    tests = [("w", then, first) for first, then in window.runs]
    tests += [("c", first, then) for first, then in window.said("before")]
    for k, (kind, cut, far) in enumerate(tests):
        seen = window.holds(cut) and window.holds(far)
        if seen and (kind == "c" or formula.scope.planar):
            _order(formula, window, k, kind, cut, far)


def _order(
    formula: Formula, window: Window, k: int, kind: str, cut: Spot, far: Spot
) -> None:
    """Order test k: cut the path at a cell; the far cell is not with the live end."""
    tail = "S" if kind == "w" else "T"
    for cell in window.cells():
        sides = [edge(cell, other) for other in neighbours(cell)]
        path = [
            (formula.var(kind, *side), formula.var("l", k, *side)) for side in sides
        ]
        if cell == cut != LIVE:
            formula.add(-formula.var(tail, cell))
            for (w1, l1), (w2, l2) in combinations(path, 2):
                formula.add(-w1, -w2, l1, l2)
                formula.add(-w1, -w2, -l1, -l2)
            for other in neighbours(cell):
                if kind == "c" and window.holds(other) and other != far:
                    # nothing comes behind the end
                    c = formula.var("c", *edge(cell, other))
                    formula.add(-c, -formula.var("T", other))
            if kind == "c" and (window.said("passes") or window.said("lacks")):
                for (c, late), other in zip(path, neighbours(cell), strict=True):
                    out = passed(formula, cell, other)
                    formula.add(-c, -late, -out)
                    formula.add(-c, late, out)
            continue
        for (w1, l1), (w2, l2) in combinations(path, 2):
            formula.add(-w1, -w2, -l1, l2)
            formula.add(-w1, -w2, l1, -l2)
        entered = window.away and (LIVE, cell) in window.said("passes")
        for w, late in path:
            if cell == LIVE != cut or entered:
                formula.add(-w, late)
            if cell == far:
                formula.add(-w, -late)
            formula.add(-formula.var(tail, cell), -w, -late)
    if not formula.scope.planar:
        return
    ports = [edge(*port) for port in window.ports()]
    behind = [formula.var("l", k, *port) for port in ports]
    at = [formula.var(kind, *port) for port in ports]
    for i, j in combinations(range(len(ports)), 2):
        if -TRUE not in (at[i], at[j]):
            pair = formula.var("p", i, j)
            formula.add(-pair, -at[i], -at[j], -behind[i], behind[j])
            formula.add(-pair, -at[i], -at[j], behind[i], -behind[j])
    for i in range(len(ports)):
        formula.add(-at[i], -formula.var(tail.lower(), i), -behind[i])


def passed(formula: Formula, a: Spot, b: Spot) -> int:
    """Return the literal: if the completion uses the edge, it passes it from a to b."""
    return formula.var("d", a, b) if a < b else -formula.var("d", b, a)


def _directions(formula: Formula, window: Window) -> None:
    """One edge in, one out; the live end's leads away from it, the end's to it."""
    for cell in window.cells():
        edges = [
            (formula.var("c", *edge(cell, other)), passed(formula, cell, other))
            for other in neighbours(cell)
        ]
        for c, outward in edges:
            if cell == LIVE:
                formula.add(-c, outward)
            else:
                formula.add(-c, -formula.var("T", cell), -outward)
        for (c1, out1), (c2, out2) in combinations(edges, 2):
            formula.add(-c1, -c2, out1, out2)
            formula.add(-c1, -c2, -out1, -out2)
        for c, outward in edges if window.away else ():
            others = [other for other, _ in edges if other != c]  # entered, if none is
            formula.add(-c, outward, formula.var("T", cell), *others)
    for a, b in window.said("passes"):
        if a == LIVE and window.away:
            continue
        if window.holds(a) or window.holds(b):
            formula.add(formula.var("c", *edge(a, b)))
            formula.add(passed(formula, a, b))
    for a, b in window.said("lacks"):
        if a == LIVE and window.away:
            continue
        if window.holds(a) or window.holds(b):
            formula.add(-formula.var("c", *edge(a, b)), -passed(formula, a, b))
    if not formula.scope.planar:
        return
    doors = window.ports()
    at = [formula.var("c", *edge(*port)) for port in doors]
    out = [passed(formula, *port) for port in doors]
    for i, j in combinations(range(len(doors)), 2):
        if -TRUE not in (at[i], at[j]):
            pair = formula.var("p", i, j)
            formula.add(-pair, -at[i], -at[j], out[i], out[j])
            formula.add(-pair, -at[i], -at[j], -out[i], -out[j])
    for i in range(len(doors)):
        formula.add(-at[i], -formula.var("t", i), out[i])
