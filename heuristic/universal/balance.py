"""The two-factor rule, arguing: areas whose border cannot carry their imbalance.

A flow of chosen edges finds them, on the edges that `Grounds` have not decided.
"""

from collections import deque

from heuristic.rule import Reason
from heuristic.universal.grounds import Conflict, Edge, Grounds, edge
from solver.board import Cell


def weigh(grounds: Grounds) -> bool:
    """Decide the border of one tight area; True if there was one."""
    black = grounds.board.black
    lack = [n - len(grounds.taken(c)) for c, n in enumerate(grounds.degree)]
    grounds.chosen = {e for e in grounds.chosen if e not in grounds.value}
    for e in [*grounds.chosen]:
        lack[e[0]] -= 1
        lack[e[1]] -= 1
    for e in [*grounds.chosen]:
        if lack[e[0]] < 0 or lack[e[1]] < 0:
            grounds.chosen.remove(e)
            lack[e[0]] += 1
            lack[e[1]] += 1
    for c in range(grounds.board.cells):
        while black(c) and lack[c] > 0:
            area = _augment(grounds, c, lack)
            if area:
                _overdrawn(grounds, area)
    if any(lack):
        _overdrawn(
            grounds, _backward(grounds, next(c for c, n in enumerate(lack) if n))
        )
    ahead = {c: _ahead(grounds, c) for c in range(grounds.board.cells)}
    for area in _components(grounds, ahead):
        rim = [e for e in grounds.rim(area) if e not in grounds.value]
        if rim:
            _tight(grounds, area, rim)
            return True
    return False


def _ahead(grounds: Grounds, cell: Cell) -> list[Cell]:
    """Return the residual neighbours: other choices are closed walks of these."""
    chosen = not grounds.board.black(cell)
    return [
        v
        for v in grounds.near[cell]
        if (e := edge(cell, v)) not in grounds.value and (e in grounds.chosen) == chosen
    ]


def _augment(grounds: Grounds, root: Cell, lack: list[int]) -> set[Cell]:
    """Choose one more edge at a black cell; else return the area in the way."""
    parent = {root: -1}
    queue = deque([root])
    while queue:
        c = queue.popleft()
        if lack[c] > 0 and not grounds.board.black(c):
            lack[root] -= 1
            lack[c] -= 1
            while parent[c] >= 0:
                grounds.chosen.symmetric_difference_update([edge(c, parent[c])])
                c = parent[c]
            return set()
        for v in _ahead(grounds, c):
            if v not in parent:
                parent[v] = c
                queue.append(v)
    return set(parent)


def _backward(grounds: Grounds, root: Cell) -> set[Cell]:
    """Return the cells from which a residual way leads to the root."""
    seen, stack = {root}, [root]
    while stack:
        c = stack.pop()
        for v in grounds.near[c]:
            if v not in seen and c in _ahead(grounds, v):
                seen.add(v)
                stack.append(v)
    return seen


def _components(grounds: Grounds, ahead: dict[Cell, list[Cell]]) -> list[set[Cell]]:
    """Return closed sets whose borders are the edges between components.

    The smallest closed set around a component is what it reaches.
    """
    import networkx as nx  # only who asks for reasons pays for it

    graph = nx.DiGraph((c, v) for c, beside in ahead.items() for v in beside)
    areas = []
    for part in nx.strongly_connected_components(graph):
        if any(e not in grounds.value for e in grounds.rim(part)):
            areas.append(_forward(part, ahead))
            areas.append(_backward(grounds, min(part)))
    return sorted(areas, key=len)


def _forward(part: set[Cell], ahead: dict[Cell, list[Cell]]) -> set[Cell]:
    seen, stack = set(part), list(part)
    while stack:
        for v in ahead[stack.pop()]:
            if v not in seen:
                seen.add(v)
                stack.append(v)
    return seen


def _count(grounds: Grounds, area: set[Cell]) -> tuple[tuple[str, int], ...]:
    """Return what the area wants and what its border offers, by colour."""
    black = grounds.board.black
    rim = [e for e in grounds.rim(area) if grounds.value.get(e, True)]
    at_black = sum(black(e[0] if e[0] in area else e[1]) for e in rim)
    return (
        ("black", sum(black(c) for c in area)),
        ("white", sum(not black(c) for c in area)),
        ("wanted", sum(grounds.degree[c] * (1 if black(c) else -1) for c in area)),
        ("at-black", at_black),
        ("at-white", len(rim) - at_black),
    )


def _overdrawn(grounds: Grounds, area: set[Cell]) -> None:
    facts = _count(grounds, area)
    n = dict(facts)
    colour = "black" if n["wanted"] > 0 else "white"
    raise Conflict(
        Reason(
            f"{n['black']} black and {n['white']} white cells want "
            f"{abs(n['wanted'])} more edges out at {colour} cells than at the "
            f"others, and the border offers {n['at-' + colour]}",
            area=tuple(sorted(area)),
            kind="overdrawn",
            facts=facts,
        ),
        [e for e in grounds.rim(area) if e in grounds.value],
    )


def _tight(grounds: Grounds, area: set[Cell], unknown: list[Edge]) -> None:
    facts = _count(grounds, area)
    n = dict(facts)
    # All possible edges at one colour and, of the other, those in already.
    taken = [e for e in unknown if e in grounds.chosen]
    colour = "black" if n["wanted"] > 0 else "white"
    step = Reason(
        f"{n['black']} black and {n['white']} white cells want "
        f"{abs(n['wanted'])} more edges out at {colour} cells than at the others, "
        "which is all that the border offers",
        area=tuple(sorted(area)),
        edges=tuple(taken),
        kind="tight",
        facts=facts,
    )
    deps = [e for e in grounds.rim(area) if e in grounds.value]
    grounds.put([(e, e in grounds.chosen) for e in unknown], deps, step)
