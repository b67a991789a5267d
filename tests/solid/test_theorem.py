"""The lemmas of docs/explanation/solid.md, on all factors of all small solid graphs."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from solver.solid.grid import CLOSED, CORNERS, PATH, join, label
from tests.doubles.solid import Edge, Graph, alternating, flipped, side
from tests.solid.exhaust import (
    ALIVE,
    DEAD,
    GRAPHS,
    LOOPS,
    LOST,
    MISSED,
    NEEDED,
    ON_THE_WAY,
    PROPER,
    REFLEX,
    WITHIN,
    try_box,
)
from tests.solid.worlds import graphs, loaded, room_of
from website.lemmas import Factor

Ways = tuple[tuple[int, int], ...]
SMALL = [(2, 5, 1), (3, 3, 1), (3, 4, 3)]  # rows, cols, each so many
LARGE = [(3, 4, 1), (3, 5, 1), (4, 4, 11)]


def factors(
    boxes: list[tuple[int, int, int]],
) -> Iterator[tuple[Graph, list[set[Edge]]]]:
    for rows, cols, every in boxes:
        for graph in graphs(rows, cols, every):
            yield graph, list(graph.factors())


def dark_sides(graph: Graph, dark: set[Edge]) -> dict[tuple[int, int], int]:
    return {
        q: sum(side(q, d) in dark for d in range(4))
        for q in graph.squares()
        if graph.is_border(q, dark)
    }


def see(boxes: list[tuple[int, int, int]]) -> Counter[str]:
    """Check L3, L4 and L5 on each factor, and Theorem A; count what was seen."""
    seen = Counter[str]()
    for graph, every in factors(boxes):
        alive = any(len(graph.components(dark)) == 1 for dark in every)
        for dark in every:
            count = len(graph.components(dark))
            parallel = False
            for q in graph.squares():
                if alternating(q, dark):
                    change = -1 if graph.is_border(q, dark) else 1
                    parallel |= change == -1
                    assert len(graph.components(flipped(dark, [q]))) == count + change
                    seen[f"L3 {change}"] += 1
            if count == 1:
                continue
            kinds = dark_sides(graph, dark)
            if not parallel:
                if 0 in kinds.values():
                    assert not alive
                    seen["L5"] += 1
                for q in [q for q, number in kinds.items() if number == 1]:
                    strip = graph.strip(q, dark)
                    if strip:
                        after = flipped(dark, strip)
                        change = -(len(strip) % 2)
                        assert graph.is_factor(after)
                        assert len(graph.components(after)) == count + change
                        seen[f"L4 {change}"] += 1
            s = loaded(graph, dark)
            label(s)
            found = join(s, room_of(s))
            assert found in ((PATH,) if alive else (CLOSED, CORNERS))
            seen["Theorem A" if alive else "closed"] += 1
    return seen


@pytest.mark.parametrize("boxes", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_flips_of_all_factors(boxes: list[tuple[int, int, int]]) -> None:
    seen = see(boxes)

    assert min(seen[name] for name in ("L3 -1", "L3 1", "Theorem A", "closed")) > 0


def of_box(rows: int, cols: int) -> list[int]:
    """Sum what is counted of solid graphs that the theorem speaks of."""
    found = try_box(rows, cols)[0][:, 0, PROPER]
    return [*found[:, :ON_THE_WAY].sum(axis=0), *found[:, ON_THE_WAY:].max(axis=0)]


@pytest.mark.parametrize(("rows", "cols"), [(2, 5), (3, 3)])
def test_factors_are_counted_as_a_slow_double_counts_them(rows: int, cols: int) -> None:
    seen = Counter[int]()
    for graph, every in factors([(rows, cols, 1)]):
        parts = [len(graph.components(dark)) for dark in every]
        seen[GRAPHS] += bool(parts)
        seen[ALIVE] += 1 in parts
        seen[LOOPS if 1 in parts else DEAD] += sum(count > 1 for count in parts)
    assert {name: of_box(rows, cols)[name] for name in seen} == seen


# Factors of several components: of graphs that have a Hamiltonian path, and of others.
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("rows", "cols", "loops", "dead"),
    [
        (2, 5, 44, 33),
        (3, 4, 296, 134),
        (3, 5, 1_879, 914),
        (4, 4, 4_344, 1_676),
        (4, 5, 45_602, 18_125),
        pytest.param(3, 7, 47_838, 25_195, marks=pytest.mark.slow),
        pytest.param(3, 8, 212_974, 116_011, marks=pytest.mark.slow),
        pytest.param(4, 6, 404_802, 170_634, marks=pytest.mark.slow),
        pytest.param(5, 5, 783_842, 307_252, marks=pytest.mark.slow),
    ],
)
def test_theorem_a_on_all_factors_of_all_solid_graphs(
    rows: int, cols: int, loops: int, dead: int
) -> None:
    """Each factor is joined to a path, or there is none, by families of few factors."""
    found = of_box(rows, cols)
    assert found[MISSED] == found[LOST] == 0
    assert (found[LOOPS], found[DEAD]) == (loops, dead)
    assert max(found[ON_THE_WAY], found[NEEDED]) <= 3


# A factor of 30 cells: the path from S to T and two loops. Two even strips lead from
# the small loop to the right, one within the other, to one end square.
NESTED = """
    o-o
    | |
  o-o o-o
  |     |
o-o o-o o-o T-o-o
|   | |   |     |
o-o o-o o-o S-o-o
  |     |
  o-o o-o
    | |
    o-o
"""


def drawn(text: str) -> tuple[Graph, set[Edge]]:
    """Read a factor, written as the pictures of the lemmas are."""
    factor = Factor(text)
    return Graph(factor.cells, factor.live, factor.end), factor.dark


def by_counting(graph: Graph, dark: set[Edge]) -> str:
    """Decide by Algorithm S: `joined`, `dead`, or `fails` to do what it promises."""
    before, known = len(graph.components(dark)), list[tuple[Ways, Ways]]()
    while True:
        ways = list[Ways]()
        for q in graph.squares():
            if graph.is_border(q, dark):
                bits = sum(side(q, d) in dark for d in range(4))
                ways += [(q,)] if alternating(q, dark) else []
                ways += [tuple(graph.strip(q, dark))] if bits == 1 else []
        new = [way for way in ways if way and all(way not in pair for pair in known)]
        odd = [way for way in new if len(way) % 2]
        for way in odd:
            for chosen in product(*known):
                after = flipped(dark, way)
                for one in chosen:
                    after = flipped(after, one)
                if graph.is_factor(after) and len(graph.components(after)) < before:
                    return "joined"
        if odd:
            return "fails"
        if not new:
            return "dead"
        known.append((new[0][-1:], new[0][:-1]))
        dark = flipped(dark, new[0][-1:])


def test_counting_strips_is_not_enough() -> None:
    graph, dark = drawn(NESTED)
    assert graph.is_factor(dark)
    assert min(len(graph.components(one)) for one in graph.factors()) == 3
    assert by_counting(graph, dark) == "fails"
    s = loaded(graph, dark)
    assert join(s, room_of(s)) == CLOSED


def lost(most: int) -> Counter[tuple[int, int, int]]:
    """Count graphs from one of whose factors the method finds no path, though it is.

    By cells, holes and kind of ends, rows of the box at most as many as columns. A
    graph that one cell cuts in two is two graphs, and is counted in small boxes only.
    The outer face of another is a circle, of 2 (rows + cols) - 4 cells at least.
    """
    seen = Counter[tuple[int, int, int]]()
    for rows in range(2, most):
        for cols in range(rows, most // 2 + 3 - rows):
            counts, _ = try_box(rows, cols, most)
            for n, holes, kind in np.argwhere(counts[..., LOST]).tolist():
                seen[n, holes, kind] += counts[n, holes, kind, LOST]
    return seen


# Two pieces that strips join in no way, though there is a Hamiltonian path: the
# smallest with a hole, and the smallest without one, an end of the path within.
HOLE = """
o-o S-T
| |
o-o   o-o
      | |
  o-o o-o
  | |
  o-o
"""
INNER = """
o-o S-o-o
| |     |
o-o T-o o
      | |
  o-o o-o
  | |
  o-o
"""


@pytest.mark.parametrize("text", [HOLE, INNER])
def test_with_a_hole_or_an_end_within_strips_may_be_stuck(text: str) -> None:
    graph, dark = drawn(text)
    assert graph.is_factor(dark)
    assert min(len(graph.components(one)) for one in graph.factors()) == 1
    s = loaded(graph, dark)
    assert join(s, room_of(s)) == CLOSED


@pytest.mark.no_cover
def test_the_smallest_graph_with_a_hole_on_which_strips_are_stuck() -> None:
    assert lost(14) == {(14, 1, PROPER): 4}  # one, and its mirror images


@pytest.mark.slow
@pytest.mark.no_cover
def test_the_smallest_graphs_without_a_hole_on_which_strips_are_stuck() -> None:
    """Ends within the board; and at the outer face, but with four neighbours."""
    seen = lost(17)
    assert seen[15, 1, WITHIN] == 4
    solid = {key: n for key, n in seen.items() if key[1] == 0}
    assert solid == {(16, 0, WITHIN): 4, (17, 0, REFLEX): 20, (17, 0, WITHIN): 16}
