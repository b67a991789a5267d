"""The static search on all factors of all small graphs without holes, and on patterns.

Kernels, a slow double and brute force agree: each verdict, and that the least area of a
path of strips is the distance to the nearest factor with fewer components.
"""

from collections import Counter

import pytest

from solver.solid.factor import AREA, EXPANDED, IN_SCOPE, Solid, scope_of
from solver.solid.static import (
    GIVEN_UP,
    MERGED,
    NO_FACTOR,
    PATH,
    decide_graph,
    decide_levels,
    merge,
)
from solver.solid.strips import (
    components,
    flip_path,
    search_strips,
)
from tests.doubles import static
from tests.doubles.solid import Edge, Graph, alternating, side
from tests.solid.patterns import (
    CUT,
    GADGET,
    HOLE,
    INNER,
    NESTED,
    TURN,
    chain,
    drawn,
    position_of,
)
from tests.solid.worlds import dark_of, graphs, loaded


def three(graph: Graph) -> int:
    """Return how many ends have three neighbours."""
    return sum(static.middle(graph, p) is not None for p in (graph.live, graph.end))


def check_by_the_double(graph: Graph, seen: Counter[str]) -> None:
    """Compare kernels, double and brute force on all factors of a graph."""
    every = list(graph.factors())
    fewest = min((static.number(graph, dark) for dark in every), default=0)
    ends = three(graph)
    s = loaded(graph)
    found, _ = decide_levels(s, decide_graph(s, True), position_of(graph))
    assert (found == PATH) == (fewest == 1) or (ends == 2 and found == GIVEN_UP)
    assert (found == NO_FACTOR) == (fewest == 0)
    if ends < 2:
        best = static.least(graph)
        assert (0 if best is None else static.number(graph, best)) == fewest
    for dark in every:
        if static.number(graph, dark) == 1:
            continue
        path = static.least_path(graph, dark)
        area = None if path is None else sum(map(len, path))
        far = static.distance(graph, dark)
        if ends == 0:
            assert area == far
        seen[f"{ends} ends, area {area}, distance {far}"] += 1
        if path and len(path[0]) == 1:
            continue
        s = loaded(graph, dark)
        components(s)
        assert search_strips(s, False) == (path is not None)
        assert int(s.info[AREA]) == (area or 0)
        if path:
            flip_path(s)
            assert components(s) == static.number(graph, dark) - 1
            assert graph.is_factor(dark_of(s, graph))


@pytest.mark.parametrize(
    "boxes",
    [
        [(3, 4, 7), (4, 4, 499)],
        pytest.param([(3, 4, 1), (3, 5, 1), (4, 4, 1)], marks=pytest.mark.slow),
    ],
)
def test_kernels_double_and_brute_force(boxes: list[tuple[int, int, int]]) -> None:
    seen = Counter[str]()
    for rows, cols, every in boxes:
        for graph in graphs(rows, cols, every):
            check_by_the_double(graph, seen)
    assert seen["0 ends, area 1, distance 1"] > 0
    assert seen["0 ends, area None, distance None"] > 0


def searched(graph: Graph, dark: set[Edge]) -> Solid:
    """Search a factor for a path of strips."""
    assert graph.is_factor(dark)
    s = loaded(graph, dark)
    components(s)
    search_strips(s, False)
    return s


def test_strips_with_one_end_are_counted_once() -> None:
    graph, dark = drawn(NESTED)
    s = searched(graph, dark)
    assert s.info[AREA] == 0
    assert static.least_path(graph, dark) is None
    assert min(static.number(graph, one) for one in graph.factors()) == 3


def test_a_lateral_factor_may_be_stuck() -> None:
    """Section 13: the plain search alone is not enough for an end with three."""
    graph, dark = drawn(TURN)
    s = searched(graph, dark)
    assert s.info[AREA] == 0
    assert s.info[EXPANDED] > 1
    assert static.least_path(graph, dark) is None
    assert static.distance(graph, dark) == 5
    assert merge(s, 1, False) == GIVEN_UP
    assert decide_levels(s, GIVEN_UP, position_of(graph))[0] == PATH
    assert static.number(graph, dark_of(s, graph)) == 1
    best = static.least(graph)
    assert best is not None
    assert static.number(graph, best) == 1


def test_without_an_edge_at_an_end_there_may_be_squares_of_type_four() -> None:
    """Section 13: smaller graphs must be induced."""
    graph, dark = drawn(CUT)
    gone = {frozenset({(r, c), (r + 1, c)}) for r, c in (graph.live, graph.end)}
    squares = [q for q in graph.squares() if not gone & {side(q, d) for d in range(4)}]
    assert graph.is_factor(dark)
    assert not gone & dark
    assert static.number(graph, dark) > 1
    border = [q for q in squares if graph.is_border(q, dark)]
    assert not any(alternating(q, dark) for q in border)
    lengths = [len(strip) for q in border for strip in static.strips(graph, dark, q)]
    assert all(length % 2 == 0 for length in lengths)
    assert 0 in [sum(side(q, d) in dark for d in range(4)) for q in border]
    paths = [one for one in graph.factors() if static.number(graph, one) == 1]
    assert any(not gone & path for path in paths)


@pytest.mark.parametrize("text", [HOLE, INNER])
def test_with_a_hole_or_an_end_within_strips_may_be_stuck(text: str) -> None:
    graph, dark = drawn(text)
    s = searched(graph, dark)
    assert s.info[AREA] == 0
    assert merge(s, 1, False) != MERGED
    assert scope_of(s) != IN_SCOPE
    assert any(static.number(graph, one) == 1 for one in graph.factors())


def test_a_gadget_needs_three_strips() -> None:
    graph, dark = drawn(GADGET)
    assert len(graph.cells) == 27
    assert static.number(graph, dark) == 2
    path = static.least_path(graph, dark)
    assert path is not None
    assert [len(strip) for strip in path] == [2, 2, 1]
    s = searched(graph, dark)
    assert s.info[AREA] == 5
    assert static.distance(graph, dark) == 5
    assert sum(static.number(graph, one) == 1 for one in graph.factors()) == 4


@pytest.mark.parametrize("count", [2, 12, pytest.param(256, marks=pytest.mark.slow)])
def test_a_chain_of_gadgets(count: int) -> None:
    graph, dark = chain(count)
    s = loaded(graph, dark)
    assert components(s) == count + 1
    assert merge(s, 1, False) == MERGED
    assert components(s) == 1
    assert s.info[EXPANDED] == count * (count + 3) // 2
