"""Arguments: why the universal rules refute a position, step by step.

The kernels leave a trail: the edges that they decided, in order, each with the rule
that decided it. Here the trail is read once more, and every decision keeps what it
stands on, so that only the steps that the conflict needs are listed. A step is a
`Reason` of one of these kinds; edges out are never listed, a cell that has its edges
drops the others by itself:

=============  =====================================================================
``forced``     the cell ``cells[0]`` has no more possible edges than it needs: all
               of them, ``edges``, are in
``no-loop``    the edge ``edges[0]`` would close a loop, or end the walk too early:
               it is out
``tight``      the border of ``area`` offers just what its imbalance wants: all its
               possible edges at cells of one colour are in, at the other out
=============  =====================================================================

and the last one is a conflict:

=============  =====================================================================
``starved``    the cell ``cells[0]`` has fewer possible edges than it needs
``crowded``    the cell ``cells[0]`` has more edges in than it may have
``loop``       the edges in, ``edges``, close a loop or join start and end too early
``cut-off``    no possible edge joins ``area`` and the other cells, but at
               ``cells``, at most one; if one, live end and end cell lie elsewhere
``block``      ``area`` can be reached from the two ``cells`` alone, and its
               imbalance (``facts``: black, white) is not what a way between them has
``overdrawn``  the border of ``area`` cannot carry its imbalance (``facts``)
=============  =====================================================================

Counting edges by colour over an area, edges inside cancel: what its black cells need
less what its white cells need equals crossing edges at black cells less crossing edges
at white cells. Two times black minus white, but for start and end cell, which need one
edge each, not two. An edge that the flow decided lies on the border of such an area:
the cells that the residual graph of the kernels' choice reached from one of its ends.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import networkx as nx

from heuristic.rule import Reason
from solver.board import Board, Cell, Position, Walk
from solver.propagation.propagate import Propagator
from solver.propagation.state import (
    BLOCKS,
    CULPRIT,
    FIRST,
    FLOW,
    FORCED,
    FRAGMENTS,
    HEAD_MATCH,
    IN,
    RULES,
    SECOND,
    STATE,
    TRAIL,
    WHICH,
    WHY,
)
from solver.solid.certificate import find_certificate

Edge = tuple[Cell, Cell]


def strips_reason(after: Position) -> Reason:
    """Return the certificate that a position is dead, as the reason of a move to it."""
    found = find_certificate(after)
    if found is None:
        raise AssertionError(f"no certificate that {after.notation} is dead")
    return Reason(
        found.sentence,
        area=found.region,
        kind="certificate",
        certificate=json.dumps(found.data),
    )


class Conflict(Exception):  # noqa: N818 (no error, the wanted outcome)
    """No completion can have the edges that are decided; knows why."""

    def __init__(
        self, kind: str, sentence: str, deps: Iterable[Edge], **shown: Any
    ) -> None:
        self.reason = Reason(sentence, kind=kind, **shown)
        self.deps = tuple(deps)


def edge(a: Cell, b: Cell) -> Edge:
    """Return the edge of two touching cells."""
    return (a, b) if a < b else (b, a)


class Grounds:
    """Decided edges of a board, each with the edges and the step it stands on."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.near = [[v for v in row if v >= 0] for row in board.neighbours.tolist()]
        self._edges = [[edge(c, v) for v in row] for c, row in enumerate(self.near)]
        self.degree = [2] * board.cells
        self.degree[board.start] -= 1
        self.degree[board.end] -= 1
        for wall in board.walls:
            self.degree[wall] = 0
        self.value: dict[Edge, bool] = {}
        self.deps: dict[Edge, tuple[Edge, ...]] = {}
        self.step: dict[Edge, int] = {}  # index in steps; none: the walk, or dropped
        self.steps: list[Reason] = []
        self.changed = set(range(board.cells))  # their edges are to be looked at

    def taken(self, cell: Cell) -> list[Edge]:
        """Return the edges of a cell that are in."""
        return [e for e in self._edges[cell] if self.value.get(e)]

    def dropped(self, cells: set[Cell]) -> list[Edge]:
        """Return the edges that leave some cells and are out."""
        return [e for e in self.rim(cells) if self.value.get(e) is False]

    def unknown(self, cell: Cell) -> list[Edge]:
        """Return the edges of a cell that are not decided."""
        return [e for e in self._edges[cell] if e not in self.value]

    def put(
        self,
        decisions: Iterable[tuple[Edge, bool]],
        deps: Iterable[Edge],
        step: Reason | None = None,
    ) -> None:
        """Decide edges that are unknown, then drop what their cells cannot have."""
        deps = tuple(deps)
        if step is not None:
            self.steps.append(step)
        cells: list[Cell] = []
        for e, value in decisions:
            self.value[e] = value
            self.deps[e] = deps
            if step is not None:
                self.step[e] = len(self.steps) - 1
            cells += e
        self.changed.update(cells)
        for cell in cells:
            taken = self.taken(cell)
            if len(taken) > self.degree[cell]:
                why = f"{self.at(cell)} would have {len(taken)} edges"
                raise Conflict("crowded", why, taken, cells=(cell,))
            if len(taken) == self.degree[cell]:
                for e in self.unknown(cell):
                    self.value[e], self.deps[e] = False, tuple(taken)
                    self.changed.update(e)

    def at(self, cell: Cell) -> str:
        """Name a cell for people."""
        return f"cell {self.board.name(cell)}"

    def rim(self, area: set[Cell]) -> list[Edge]:
        """Return the edges that cross the border of an area."""
        return [
            e for c in area for e in self._edges[c] if (e[0] in area) != (e[1] in area)
        ]

    def explain(self, conflict: Conflict) -> Reason:
        """Return the conflict with the steps it needs, and the edges to be drawn."""
        wanted = set(conflict.deps)
        indices: set[int] = set()
        todo = list(wanted)
        while todo:
            e = todo.pop()
            if e in self.step:
                indices.add(self.step[e])
            fresh = [f for f in self.deps[e] if f not in wanted]
            wanted.update(fresh)
            todo += fresh
        steps = tuple(self.steps[i] for i in sorted(indices))
        last = conflict.reason
        lines = [
            e for step in steps if step.kind in ("forced", "tight") for e in step.edges
        ]
        lines += [e for e in last.edges if e not in lines]
        return replace(last, edges=tuple(lines), steps=steps)


def find_reason(propagator: Propagator) -> Reason:
    """Return the conflict of a refuted walk, with the steps that lead to it.

    Milliseconds on 21 x 21.
    """
    s, walk = propagator.state, propagator.walk
    rules, culprit = int(s.info[RULES]), int(s.info[CULPRIT])
    ends = s.edge[:-1, [FIRST, SECOND]].tolist()
    match = {(a, b): bool(x) for (a, b), x in zip(ends, s.match.tolist(), strict=False)}
    trail = s.trail[: s.info[TRAIL], WHICH].tolist()
    edges = {e: edge(*ends[e]) for e in trail}
    loops = [edges[e] for e in trail if s.edge[e, WHY] == FRAGMENTS]
    grounds, decided = Grounds(propagator.board), set[Edge]()
    try:
        for a, b in pairwise(walk):
            grounds.put([(edge(a, b), True)], ())
        _settle(grounds, rules, loops)
        for e in trail:
            value = bool(s.edge[e, STATE] == IN)
            if s.edge[e, WHY] == FLOW and grounds.value.get(edges[e]) is not value:
                _decide_border(grounds, edges[e], match, decided)
                _settle(grounds, rules, loops)
            decided.add(edges[e])
        if culprit == FRAGMENTS:
            _raise_loop(grounds, edges[trail[-1]])
        if rules & BLOCKS:
            cross_blocks(grounds, walk)
        if culprit == FLOW:
            first = int(s.info[HEAD_MATCH]) - 1  # which the choice cannot obey
            _raise_no_choice(grounds, match, edges[trail[first]] if trail else None)
    except Conflict as conflict:
        return grounds.explain(conflict)
    raise AssertionError(f"no argument against {walk} on {propagator.board.notation}")


def _settle(grounds: Grounds, rules: int, loops: Iterable[Edge]) -> None:
    """Apply forced edges until nothing changes, and drop edges that close `loops`."""
    while grounds.changed:
        cells, grounds.changed = grounds.changed, set()
        if rules & FORCED:
            for cell in cells:
                _force(grounds, cell)
        if not grounds.changed:
            for e in loops:
                _close_no_loop(grounds, e)


# Forced edges, and loops ------------------------------------------------------------


def _force(grounds: Grounds, cell: Cell) -> None:
    """Take the edges of a cell if it needs all of them; it may need more."""
    unknown, taken = grounds.unknown(cell), len(grounds.taken(cell))
    wants = grounds.degree[cell]
    if wants > taken + len(unknown):
        has = taken + len(unknown)
        place = f"{grounds.at(cell)} needs {wants} edges and can have {has}"
        why = f"dead end: {place}" if has == 1 else place
        raise Conflict("starved", why, grounds.dropped({cell}), cells=(cell,))
    if unknown and wants == taken + len(unknown):
        step = Reason(
            f"{grounds.at(cell)} needs all edges that are left to it",
            cells=(cell,),
            edges=tuple(unknown),
            kind="forced",
        )
        grounds.put([(e, True) for e in unknown], grounds.dropped({cell}), step)


def _close_no_loop(grounds: Grounds, e: Edge) -> None:
    """Drop an edge between the two ends of a line, if it is one."""
    line = _line(grounds, e)
    if line is None or grounds.value.get(e) is False:
        return
    if e in grounds.value:
        _raise_loop(grounds, e)
    step = Reason(
        f"an edge from {grounds.at(e[0])} to {grounds.at(e[1])} would close a loop "
        "that leaves cells out",
        edges=(e,),
        kind="no-loop",
    )
    grounds.put([(e, False)], line, step)


def _raise_loop(grounds: Grounds, e: Edge) -> None:
    edges = (*(_line(grounds, e) or ()), e)
    sentence = "the edges close a loop that leaves cells out"
    raise Conflict("loop", sentence, edges, edges=edges)


def _line(grounds: Grounds, e: Edge) -> list[Edge] | None:
    """Return the edges in that lead from one end of an edge to the other without it.

    None if there is no such line. Start and end cell are joined, too, by the virtual
    edge, which is not listed.
    """
    start, end = grounds.board.start, grounds.board.end
    before, at = e
    if {before, at} == {start, end}:
        return []
    line: list[Edge] = []
    while at != e[0]:
        ahead = [a + b - at for a, b in grounds.taken(at)]
        if at in (start, end):
            ahead.append(start + end - at)
        ahead = [cell for cell in ahead if cell != before]
        if not ahead or ahead[0] == e[1]:
            return None
        before, at = at, ahead[0]
        if {before, at} != {start, end}:
            line.append(edge(before, at))
    return line


# Areas whose border carries their imbalance, or cannot --------------------------------


def _decide_border(
    grounds: Grounds, e: Edge, match: dict[Edge, bool], decided: set[Edge]
) -> None:
    """Decide the border of an area that has an edge of the flow on it."""
    near, black = grounds.near, grounds.board.black

    def ahead(cell: Cell) -> list[Cell]:
        chosen = not black(cell)
        return [
            v
            for v in near[cell]
            if (f := edge(cell, v)) not in decided and match[f] == chosen
        ]

    # The residual graph has the edge from one end to the other, and no way back.
    first, last = e if match[e] != black(e[0]) else e[::-1]
    behind = _reached([first], lambda c: (v for v in near[c] if c in ahead(v)))
    area = min(_reached([last], ahead), behind, key=len)
    rim = [f for f in grounds.rim(area) if f not in decided]
    if any(grounds.value.get(f, match[f]) != match[f] for f in rim):
        _raise_overdrawn(grounds, area)
    facts = _count(grounds, area)
    unknown = [f for f in rim if f not in grounds.value]
    step = Reason(
        f"{_wanting(facts)[0]}, which is all that the border offers",
        area=tuple(sorted(area)),
        # All possible edges at one colour and, of the other, those in already.
        edges=tuple(f for f in unknown if match[f]),
        kind="tight",
        facts=facts,
    )
    deps = [f for f in grounds.rim(area) if f in grounds.value]
    grounds.put([(f, match[f]) for f in unknown], deps, step)


def _raise_no_choice(
    grounds: Grounds, match: dict[Edge, bool], first: Edge | None
) -> None:
    """Raise the conflict of an area that lets no choice obey all decisions.

    - `first`: the decided edge that the choice cannot obey; None if there was no choice
      to begin with.
    """
    black, near = grounds.board.black, grounds.near
    lack = list(grounds.degree)
    for a, b in (e for e, chosen in match.items() if chosen):
        lack[a] -= 1
        lack[b] -= 1

    def ahead(cell: Cell) -> list[Cell]:
        chosen = not black(cell)
        return [
            v
            for v in near[cell]
            if match[f := edge(cell, v)] == chosen
            and grounds.value.get(f, not chosen) != chosen
        ]

    if sum(lack[c] if black(c) else -lack[c] for c in range(len(lack))):
        _raise_overdrawn(grounds, {c for c, n in enumerate(grounds.degree) if n})
    if first:
        root = next(c for c in first if black(c) != grounds.value[first])
    else:
        root = next(c for c, n in enumerate(lack) if n and black(c))
    _raise_overdrawn(grounds, _reached([root], ahead))


def _reached(
    begin: Iterable[Cell], ahead: Callable[[Cell], Iterable[Cell]]
) -> set[Cell]:
    """Return the cells that can be reached from some, they too."""
    seen = set(begin)
    stack = list(seen)
    while stack:
        fresh = set(ahead(stack.pop())) - seen
        seen |= fresh
        stack += fresh
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


def _wanting(facts: tuple[tuple[str, int], ...]) -> tuple[str, int]:
    """Return what an area wants, in words, and what its border offers of it."""
    n = dict(facts)
    colour = "black" if n["wanted"] > 0 else "white"
    words = (
        f"{n['black']} black and {n['white']} white cells want {abs(n['wanted'])} more "
        f"edges out at {colour} cells than at the others"
    )
    return words, n["at-" + colour]


def _raise_overdrawn(grounds: Grounds, area: set[Cell]) -> None:
    facts = _count(grounds, area)
    words, offers = _wanting(facts)
    why = f"{words}, and the border offers {offers}"
    deps = [e for e in grounds.rim(area) if e in grounds.value]
    raise Conflict("overdrawn", why, deps, area=tuple(sorted(area)), facts=facts)


# Blocks -----------------------------------------------------------------------------


def cross_blocks(grounds: Grounds, walk: Walk) -> None:
    """Raise the conflict of a cell cut off or of a block's colours, if there is one."""
    live, end = walk[-1], grounds.board.end
    cells = set(range(grounds.board.cells)).difference(walk[:-1], grounds.board.walls)
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    for a in cells:
        ahead = [b for b in grounds.near[a] if grounds.value.get(edge(a, b), True)]
        graph.add_edges_from((a, b) for b in ahead if b in cells)
    if live == end:
        if len(cells) > 1:
            _cut_off(grounds, cells - {end}, ())
        return
    parts = list(nx.connected_components(graph))
    if len(parts) > 1:  # the part of the live end, if only that of the end cell is left
        lost = [part for part in parts if part.isdisjoint((live, end))]
        mine = [part for part in parts if live in part]
        _cut_off(grounds, min(lost or mine, key=min), ())
    cuts = [(0, live, set[Cell]())]
    for cut in sorted(nx.articulation_points(graph)):
        parts = list(nx.connected_components(graph.subgraph(cells - {cut})))
        lost = [part for part in parts if part.isdisjoint((live, end))]
        if lost:
            _cut_off(grounds, min(lost, key=min), (cut,))
        before = next(part for part in parts if live in part)
        cuts.append((len(before), cut, before))
    cuts.append((len(cells), end, cells - {end}))
    cuts.sort()
    for (_, x, done), (_, y, there) in pairwise(cuts):
        _block(grounds, there - done - {x, y}, x, y)


def _cut_off(grounds: Grounds, area: set[Cell], cut: tuple[Cell, ...]) -> None:
    cells = "1 cell" if len(area) == 1 else f"{len(area)} cells"
    sentence = f"{cells} {'is' if len(area) == 1 else 'are'} cut off: no possible edge "
    sentence += "leads there"
    if cut:
        sentence = f"the region of {cells} has one entrance, {grounds.at(cut[0])}"
    deps = grounds.dropped(area)
    raise Conflict("cut-off", sentence, deps, cells=cut, area=tuple(sorted(area)))


def _block(grounds: Grounds, area: set[Cell], x: Cell, y: Cell) -> None:
    black = sum(grounds.board.black(c) for c in area)
    white = len(area) - black
    wanted = -sum(1 if grounds.board.black(c) else -1 for c in (x, y)) // 2
    if not area or black - white == wanted:
        return
    raise Conflict(
        "block",
        f"a way from {grounds.at(x)} to {grounds.at(y)} has black minus white "
        f"{wanted:+d} between them, not {black} minus {white}",
        grounds.dropped(area),
        cells=(x, y),
        area=tuple(sorted(area)),
        facts=(("black", black), ("white", white)),
    )
