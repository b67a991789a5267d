"""Arguments: why the universal rules refute a position, step by step.

The kernels only say that a position is refuted. Here the same rules are applied again,
slowly, on one position, and every decision keeps what it stands on, so that only the
steps that the conflict needs are listed. A step is a `Reason` of one of these kinds;
edges out are never listed, a cell that has its edges drops the others by itself:

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
edge each, not two. Areas whose border cannot carry their imbalance are found by a flow
of chosen edges, on those that `Grounds` have not decided.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from heuristic.rule import Reason
from solver.board import Board, Cell, Position
from solver.propagation.propagate import Rules

Edge = tuple[Cell, Cell]


def edge(a: Cell, b: Cell) -> Edge:
    """Return the edge of two touching cells."""
    return (a, b) if a < b else (b, a)


class Conflict(Exception):  # noqa: N818 (no error, the wanted outcome)
    """No completion can have the edges that are decided; knows why."""

    def __init__(
        self, kind: str, sentence: str, deps: Iterable[Edge], **shown: Any
    ) -> None:
        self.reason = Reason(sentence, kind=kind, **shown)
        self.deps = tuple(deps)


class Grounds:
    """Decided edges of a position, each with the edges and the step it stands on.

    - `rules`: the rules that may argue.
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        self.board, self.walk, self.rules = position.board, position.walk, rules
        self.near, self._edges, self.degree = _ground(self.board)
        self.value: dict[Edge, bool] = {}
        self.deps: dict[Edge, tuple[Edge, ...]] = {}
        self.step: dict[Edge, int] = {}  # index in steps; none: the walk, or dropped
        self.steps: list[Reason] = []
        self.dirty = deque(range(self.board.cells))
        self.chosen: set[Edge] = set()

    def edges(self, cell: Cell) -> tuple[Edge, ...]:
        """Return the edges of a cell."""
        return self._edges[cell]

    def taken(self, cell: Cell) -> list[Edge]:
        """Return those that are in."""
        value = self.value
        return [e for e in self._edges[cell] if value.get(e)]

    def dropped(self, cell: Cell) -> list[Edge]:
        """Return those that are out."""
        value = self.value
        return [e for e in self._edges[cell] if value.get(e) is False]

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
        for cell in cells:
            self.dirty.append(cell)
            taken = self.taken(cell)
            if len(taken) > self.degree[cell]:
                why = f"{self.at(cell)} would have {len(taken)} edges"
                raise Conflict("crowded", why, taken, cells=(cell,))
            if len(taken) == self.degree[cell]:
                for e in self.edges(cell):
                    if e not in self.value:
                        self.value[e], self.deps[e] = False, tuple(taken)
                        self.dirty += e

    def at(self, cell: Cell) -> str:
        """Name a cell for people."""
        return f"cell {self.board.name(cell)}"

    def rim(self, area: set[Cell]) -> list[Edge]:
        """Return the edges that cross the border of an area."""
        return [
            e for c in area for e in self.edges(c) if (e[0] in area) != (e[1] in area)
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


@lru_cache(maxsize=8)
def _ground(board: Board) -> tuple[list[list[Cell]], list[tuple[Edge, ...]], list[int]]:
    """Return what each cell touches, its edges, and how many of them it needs."""
    near = [[v for v in row if v >= 0] for row in board.neighbours.tolist()]
    degree = [2] * board.cells
    degree[board.start] -= 1
    degree[board.end] -= 1
    for wall in board.walls:
        degree[wall] = 0
    edges = [tuple(edge(c, v) for v in beside) for c, beside in enumerate(near)]
    return near, edges, degree


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


def _backward(grounds: Grounds, root: Cell) -> set[Cell]:
    """Return the cells from which a residual way leads to the root."""
    near = grounds.near
    return _reached([root], lambda c: (v for v in near[c] if c in _ahead(grounds, v)))


def _components(grounds: Grounds, ahead: dict[Cell, list[Cell]]) -> list[set[Cell]]:
    """Return closed sets whose borders are the edges between components.

    The smallest closed set around a component is what it reaches.
    """
    import networkx as nx  # only who asks for reasons pays for it

    graph = nx.DiGraph((c, v) for c, beside in ahead.items() for v in beside)
    areas = []
    for part in nx.strongly_connected_components(graph):
        if any(e not in grounds.value for e in grounds.rim(part)):
            areas.append(_reached(part, ahead.__getitem__))
            areas.append(_backward(grounds, min(part)))
    return sorted(areas, key=len)


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


def _overdrawn(grounds: Grounds, area: set[Cell]) -> None:
    facts = _count(grounds, area)
    words, offers = _wanting(facts)
    why = f"{words}, and the border offers {offers}"
    deps = [e for e in grounds.rim(area) if e in grounds.value]
    raise Conflict("overdrawn", why, deps, area=tuple(sorted(area)), facts=facts)


def _tight(grounds: Grounds, area: set[Cell], unknown: list[Edge]) -> None:
    facts = _count(grounds, area)
    step = Reason(
        f"{_wanting(facts)[0]}, which is all that the border offers",
        area=tuple(sorted(area)),
        # All possible edges at one colour and, of the other, those in already.
        edges=tuple(e for e in unknown if e in grounds.chosen),
        kind="tight",
        facts=facts,
    )
    deps = [e for e in grounds.rim(area) if e in grounds.value]
    grounds.put([(e, e in grounds.chosen) for e in unknown], deps, step)


def reach(grounds: Grounds, root: Cell, cells: set[Cell]) -> set[Cell]:
    """Return the cells that possible edges among some cells lead to."""
    return _reached(
        [root],
        lambda a: (
            b
            for b in grounds.near[a]
            if b in cells and grounds.value.get(edge(a, b), True)
        ),
    )


def cross_blocks(grounds: Grounds) -> None:
    """Raise the conflict of a cell cut off or of a block's colours, if there is one."""
    live, end = grounds.walk[-1], grounds.board.end
    cells = set(range(grounds.board.cells)).difference(
        grounds.walk, grounds.board.walls
    )
    cells.add(live)
    if live == end:
        if len(cells) > 1:
            _cut_off(grounds, cells - {end}, ())
        return
    rest = cells - reach(grounds, live, cells)
    if rest:
        # The end cell may be in the part that is cut off: then name the other.
        away = rest - reach(grounds, end, rest) if end in rest else rest
        part = reach(grounds, min(away), away) if away else cells - rest
        _cut_off(grounds, part, ())
    cuts = [(0, live, set[Cell]())]
    for cut in _cut_cells(grounds, live, cells):
        ahead = cells - {cut}
        before = reach(grounds, live, ahead) if cut != live else set()
        after = reach(grounds, end, ahead) if cut != end else set()
        lost = ahead - before - after
        if lost:
            _cut_off(grounds, reach(grounds, min(lost), lost), (cut,))
        if cut not in (live, end):
            cuts.append((len(before), cut, before))
    cuts.append((len(cells), end, cells - {end}))
    cuts.sort()
    for (_, x, done), (_, y, there) in pairwise(cuts):
        _block(grounds, there - done - {x, y}, x, y)


def _cut_cells(grounds: Grounds, root: Cell, cells: set[Cell]) -> list[Cell]:
    """Return the cut cells of the possible edges on the cells, and the root."""
    import networkx as nx  # only who asks for reasons pays for it

    graph = nx.Graph(
        (a, b)
        for a in reach(grounds, root, cells)
        for b in grounds.near[a]
        if b in cells and grounds.value.get(edge(a, b), True)
    )
    return sorted({root, *nx.articulation_points(graph)})


def _cut_off(grounds: Grounds, area: set[Cell], cut: tuple[Cell, ...]) -> None:
    cells = "1 cell is" if len(area) == 1 else f"{len(area)} cells are"
    sentence = f"{cells} cut off: no possible edge leads there"
    if cut:
        cells = "1 cell" if len(area) == 1 else f"{len(area)} cells"
        sentence = f"the region of {cells} has one entrance, {grounds.at(cut[0])}"
    deps = [e for e in grounds.rim(area) if grounds.value.get(e) is False]
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
        [e for e in grounds.rim(area) if grounds.value.get(e) is False],
        cells=(x, y),
        area=tuple(sorted(area)),
        facts=(("black", black), ("white", white)),
    )


def close_no_loop(grounds: Grounds) -> bool:
    """Drop one edge that would close a loop; True if there was one."""
    board = grounds.board
    taken = [e for e, value in grounds.value.items() if value]
    along: dict[Cell, list[Cell]] = {board.start: [], board.end: []}
    for a, b in taken:
        along.setdefault(a, []).append(b)
        along.setdefault(b, []).append(a)
    along[board.start].append(board.end)
    along[board.end].append(board.start)
    seen: set[Cell] = set()
    for root in [c for c in along if len(along[c]) == 1] + list(along):
        if root in seen:
            continue
        path = _follow(root, along)
        seen.update(path)
        edges = [e for e in map(edge, path, path[1:]) if grounds.value.get(e)]
        last = edge(path[-1], path[0])
        closed = along[path[-1]].count(path[0]) > (len(path) == 2)
        if closed and len(path) < board.open_cells:
            if grounds.value.get(last) and last not in edges:
                edges.append(last)
            sentence = "the edges close a loop that leaves cells out"
            raise Conflict("loop", sentence, edges, edges=tuple(edges))
        open_still = not closed and last not in grounds.value
        touch = path[-1] in grounds.near[path[0]]
        if touch and open_still and len(path) < board.open_cells:
            step = Reason(
                f"an edge from {grounds.at(path[0])} to {grounds.at(path[-1])} would "
                "close a loop that leaves cells out",
                edges=(last,),
                kind="no-loop",
            )
            grounds.put([(last, False)], edges, step)
            return True
    return False


def _follow(root: Cell, along: dict[Cell, list[Cell]]) -> list[Cell]:
    path, before = [root], -1
    while True:
        ahead = [c for c in along[path[-1]] if c != before]
        if not ahead or ahead[0] == root:
            return path
        before = path[-1]
        path.append(ahead[0])


def find_reason(position: Position, rules: Rules) -> Reason | None:
    """Return the conflict of a position, with the steps that lead to it, or None.

    Milliseconds on 21 x 21.
    """
    grounds = Grounds(position, rules)
    if grounds.board.open_cells == 1:
        return None
    try:
        for a, b in pairwise(grounds.walk):
            grounds.put([(edge(a, b), True)], ())
        _close(grounds)
    except Conflict as conflict:
        return grounds.explain(conflict)
    return None


def _close(grounds: Grounds) -> None:
    """Apply rules 1 to 4 until nothing changes."""
    while True:
        _forced(grounds)
        if grounds.rules & Rules.FRAGMENTS and close_no_loop(grounds):
            continue
        if grounds.rules & Rules.BLOCK_CHAIN:
            cross_blocks(grounds)
        if grounds.rules & Rules.TWO_FACTOR and weigh(grounds):
            continue
        return


def _forced(grounds: Grounds) -> None:
    dirty, value = grounds.dirty, grounds.value
    if not grounds.rules & Rules.FORCED_EDGES:
        dirty.clear()
    while dirty:
        cell = dirty.popleft()
        unknown = [e for e in grounds.edges(cell) if e not in value]
        need = grounds.degree[cell] - len(grounds.taken(cell))
        if need > len(unknown):
            has, wants = len(unknown) + len(grounds.taken(cell)), grounds.degree[cell]
            place = f"{grounds.at(cell)} needs {wants} edges and can have {has}"
            why = f"dead end: {place}" if has == 1 else place
            raise Conflict("starved", why, grounds.dropped(cell), cells=(cell,))
        if unknown and need == len(unknown):
            step = Reason(
                f"{grounds.at(cell)} needs all edges that are left to it",
                cells=(cell,),
                edges=tuple(unknown),
                kind="forced",
            )
            grounds.put([(e, True) for e in unknown], grounds.dropped(cell), step)
