"""Lemmas of docs/explanation/solid-proof.md one by one, on all cases of small graphs.

Factors, heights and strips are sets here (`tests.doubles.solid`): no kernel is trusted.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.doubles import solid
from tests.doubles.solid import Cell, Edge, Graph, Square
from tests.solid.worlds import graphs
from website.lemmas import PICTURES

Heights = dict[Square, int]
OUTER: Square = (-9, -9)


def faces(edge: Edge, graph: "World") -> tuple[Square, Square]:
    """Return the faces left and right of an edge, seen from white to black."""
    white, black = sorted(edge, key=lambda cell: (sum(cell) + 1) % 2)
    (r, c), (down, right) = min(edge), (black[0] - white[0], black[1] - white[1])
    two = ((r - 1, c), (r, c)) if right else ((r, c), (r, c - 1))
    if down < 0 or right < 0:
        two = two[::-1]
    x, y = (q if q in graph.corners_of else OUTER for q in two)
    return x, y


class World(Graph):
    """A graph with what the lemmas look up again and again."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.cells, graph.live, graph.end)
        self.corners_of = {q: frozenset(solid.corners(q)) for q in self.squares()}
        self.faces = {edge: faces(edge, self) for edge in self.edges}
        self.all = [frozenset(dark) for dark in self.factors()]

    def arcs(self, dark: frozenset[Edge]) -> Iterator[tuple[Square, Square, Edge]]:
        """Yield across each edge the arc: left to right if dark, else back."""
        for edge, (x, y) in self.faces.items():
            yield (x, y, edge) if edge in dark else (y, x, edge)

    def heights(self, dark: frozenset[Edge], other: frozenset[Edge]) -> Heights:
        """Return f of Fact 1; fails if there are no such numbers."""
        heights, todo = {OUTER: 0}, [OUTER]
        beside: dict[Square, list[tuple[Square, int]]] = {}
        for edge, (x, y) in self.faces.items():
            flow = (edge in dark) - (edge in other)
            beside.setdefault(x, []).append((y, -flow))
            beside.setdefault(y, []).append((x, flow))
        while todo:
            here = todo.pop()
            for there, more in beside.get(here, ()):
                if there not in heights:
                    heights[there] = heights[here] + more
                    todo.append(there)
                assert heights[there] == heights[here] + more
        return heights

    def way(self, q: Square, dark: frozenset[Edge]) -> list[Square]:
        """Return the square if it is alternating, or the strip from it, or nothing."""
        if solid.alternating(q, set(dark)):
            return [q]
        single = sum(solid.side(q, d) in dark for d in range(4)) == 1
        return self.strip(q, set(dark)) if single else []

    def is_source(self, way: list[Square], dark: frozenset[Edge]) -> bool:
        """Return whether a flip lowers: of the last square, which is flipped first."""
        for i in range(len(way) - 1, 0, -1):
            dark = frozenset(solid.flipped(set(dark), [way[i]]))
        back = next(d for d in range(4) if solid.side(way[0], d) in dark)
        return self.faces[solid.side(way[0], back)][0] == way[0]


def worlds(boxes: list[tuple[int, int, int]]) -> Iterator[World]:
    for rows, cols, every in boxes:
        for graph in graphs(rows, cols, every):
            world = World(graph)
            if world.all:
                yield world


def lowered(f: Heights, way: list[Square], by: int) -> Heights:
    return {q: height - by * (q in way) for q, height in f.items()}


def check_heights(world: World, dark: frozenset[Edge], seen: Counter[str]) -> None:
    """Facts 1 and 2."""
    for other in world.all:
        f = world.heights(dark, other)
        for x, y, edge in world.arcs(dark):
            assert f[x] - f[y] == (edge in dark ^ other)
        for q in world.corners_of:
            if solid.alternating(q, set(dark)):
                lower = 1 if world.is_source([q], dark) else -1
                after = frozenset(solid.flipped(set(dark), [q]))
                assert world.heights(after, other) == lowered(f, [q], lower)
                seen["heights"] += 1
    ahead: dict[Square, list[Square]] = {}
    for x, y, _ in world.arcs(dark):
        if OUTER not in (x, y):
            ahead.setdefault(x, []).append(y)
    left = set(world.corners_of)
    while left:  # take away squares without arcs to those that are left
        last = {q for q in left if not left & set(ahead.get(q, ()))}
        assert last
        left -= last
        seen["no circles"] += 1


def check_main_lemma(world: World, dark: frozenset[Edge], seen: Counter[str]) -> None:
    """Fact 5, for every union X of components and every other factor."""
    parts = sorted(world.components(set(dark)), key=sorted)
    ways = {q: world.way(q, dark) for q in world.corners_of}
    for many in range(1, len(parts)):
        for some in combinations(parts, many):
            inside = frozenset[Cell]().union(*some)
            border = [
                q for q, c in world.corners_of.items() if inside & c and c - inside
            ]
            if any(not any(solid.side(q, d) in dark for d in range(4)) for q in border):
                continue
            for other in world.all:
                if all(len(edge & inside) != 1 for edge in other):
                    continue
                f = world.heights(dark, other)
                assert any(_guided(world, dark, other, f, ways[q]) for q in border)
                seen["guided strips"] += 1


def _guided(
    world: World,
    dark: frozenset[Edge],
    other: frozenset[Edge],
    f: Heights,
    way: list[Square],
) -> bool:
    """Return whether a flip leads towards the other factor all along."""
    if not way:
        return False
    lower = 1 if world.is_source(way, dark) else -1
    if any(lower * f[q] < 1 for q in way):
        return False
    after = frozenset(solid.flipped(set(dark), way))
    assert world.heights(after, other) == lowered(f, way, lower)
    return True


MANY = [(2, 5, 1), (3, 4, 1), (3, 5, 1), (2, 7, 1), (4, 4, 11), (4, 5, 997)]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "boxes",
    [[(2, 5, 3), (3, 4, 5), (4, 4, 151)], pytest.param(MANY, marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_lemmas_on_small_graphs(boxes: list[tuple[int, int, int]]) -> None:
    """Prints what was seen; a part of the boxes' graphs is looked at."""
    seen = Counter[str]()
    for world in worlds(boxes):
        for dark in world.all:
            check_heights(world, dark, seen)
            if len(world.components(set(dark))) > 1:
                check_main_lemma(world, dark, seen)
    print(seen)
    assert all(seen[x] for x in ("heights", "no circles", "guided strips"))


def test_the_pictures_of_factors_show_what_they_say() -> None:
    parts = dict[str, list[int]]()
    for name, panels in PICTURES.items():
        for panel in panels:
            factor = panel.factor()
            graph, dark = Graph(factor.cells, factor.live, factor.end), factor.dark
            assert graph.is_factor(dark)
            parts.setdefault(name, []).append(graph.number(dark))
            if panel.towards:
                other = panel.factor(panel.towards)
                f = World(graph).heights(frozenset(dark), frozenset(other.dark))
                assert f == {OUTER: 0} | factor.heights(other)
    assert parts == {
        **{"heights": [2, 1], "arcs": [2], "flip": [3, 2, 1], "linked": [1, 3, 1]},
        **{"strips": [2, 1, 2, 2], "guided": [2], "path": [2, 1], "48": [2]},
        "dead": [2],
    }
