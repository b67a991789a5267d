"""The static search on all factors of small graphs without holes, and on patterns.

Kernels, a slow double and brute force agree: each verdict, and that the least area of a
path of strips is the distance to the nearest factor with fewer components.
"""

from collections import Counter

import pytest

from solver.board import Board, Position
from solver.oracles.exact import oracle_walk, strips_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.strips import StripsOracle, always_in_scope, why_not
from solver.solid import factor, static, strips
from solver.solid.factor import IN_SCOPE, KEY, Solid
from solver.solid.static import GIVEN_UP, MERGED, NEVER, NO_FACTOR, PATH
from tests.doubles import static as double
from tests.doubles.solid import Cell, Edge, Graph, alternating, flipped, side
from tests.solid import patterns
from tests.solid.patterns import chain, drawn, grown, position_of
from tests.solid.worlds import dark_of, graph_of, graphs, loaded, padded

SAT, STRIPS = get_oracle("sat"), StripsOracle()


def some_factors() -> list[tuple[Graph, set[Edge]]]:
    few = [*graphs(3, 4, every=11), *graphs(4, 4, every=401)]
    pairs = [(graph, dark) for graph in few for dark in graph.factors()]
    for text in ("9:RDLDDDDRRRRUU", "7:RRDRURRRDDLULDDLULLULDDDDDRUR"):
        graph = graph_of(Position.parse(text))
        s = loaded(graph)
        factor.augment(s)
        pairs.append((graph, dark_of(s, graph)))
    return pairs


FACTORS = some_factors()


def test_squares_strips_and_flips() -> None:
    for graph, dark in FACTORS:
        s = loaded(graph, dark)
        assert dark_of(s, graph) == dark
        squares = set(graph.squares())
        for q in graph.cells:
            at = padded(s, q)
            assert factor.is_square(s.near, s.info[KEY.width], at) == (q in squares)
            if q not in squares:
                continue
            bits = factor.dark_sides(s.dark, s.info[KEY.width], at)
            assert [bits >> d & 1 for d in range(4)] == [
                side(q, d) in dark for d in range(4)
            ]
            if bits in (1, 2, 4, 8):
                d, length = strips.read_strip(s, at)
                assert length == len(graph.strip(q, dark))
                assert length == 0 or d == [4, 8, 1, 2].index(bits)
                for e in squares if length else ():
                    near = double.touch(tuple(graph.strip(q, dark)), e)
                    assert strips._touches(s, 4 * at + d, length, padded(s, e)) == near
            factor.flip(s.dark, s.info[KEY.width], at)
            after = dark_of(s, graph)
            assert after == flipped(dark, [q])
            assert graph.is_factor(after) == alternating(q, dark)
            factor.flip(s.dark, s.info[KEY.width], at)


def test_components_and_squares_that_join_them() -> None:
    joined = 0
    for graph, dark in FACTORS:
        s = loaded(graph, dark)
        count = strips.find_components(s)
        parts: dict[int, set[Cell]] = {}
        for cell in graph.cells:
            parts.setdefault(strips.part_of(s, padded(s, cell)), set()).add(cell)
        assert {frozenset(cells) for cells in parts.values()} == graph.components(dark)
        assert count == len(parts)
        assert all(s.size[k] == len(cells) for k, cells in parts.items())
        other = loaded(graph, dark)
        strips.find_components(other)
        joins = any(strips.join_part(other, x) for x in range(count))
        assert joins == any(graph.is_parallel(q, dark) for q in graph.squares())
        assert graph.number(dark_of(other, graph)) == count - joins
        left = strips.join_parallel(s)
        after = dark_of(s, graph)
        assert graph.is_factor(after)
        assert left == graph.number(after)
        if left > 1:
            assert not any(graph.is_parallel(q, after) for q in graph.squares())
        if any(graph.is_parallel(q, dark) for q in graph.squares()):
            assert left < count
            joined += 1
    assert joined > 10


def check_by_the_double(graph: Graph, seen: Counter[str]) -> None:
    """Compare kernels, double and brute force on all factors of a graph."""
    every = list(graph.factors())
    fewest = min((graph.number(dark) for dark in every), default=0)
    ends = sum(double.middle(graph, p) is not None for p in (graph.live, graph.end))
    s = loaded(graph)
    decided, position = static.decide_graph(s, True), position_of(graph)
    outcome, _ = static.decide_levels(s, decided, position)
    open_ = ends == 2 and outcome == GIVEN_UP
    assert open_ or (outcome == PATH) == (fewest == 1)
    assert (outcome == NO_FACTOR) == (fewest == 0)
    seen[f"outcome {outcome}"] += 1
    s = loaded(graph, every[0] if every else None)
    assert factor.augment(s) == bool(every)
    if every:  # a factor is left as it is
        assert dark_of(s, graph) == every[0]
    for dark in every:
        if graph.number(dark) == 1:
            continue
        path = double.least_path(graph, dark)
        area = None if path is None else sum(map(len, path))
        far = double.distance(graph, dark)
        if ends == 0:
            assert area == far
        seen[f"{ends} ends, area {area}, distance {far}"] += 1
        if path and len(path[0]) == 1:
            continue
        s = loaded(graph, dark)
        strips.find_components(s)
        assert strips.search_strips(s, False) == (path is not None)
        assert int(s.info[KEY.area]) == (area or 0)
        if path:
            strips.flip_path(s)
            assert strips.find_components(s) == graph.number(dark) - 1
            assert graph.is_factor(dark_of(s, graph))


@pytest.mark.parametrize(
    "boxes",
    [
        [(3, 4, 3), (4, 4, 199)],
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
    assert all(seen[f"outcome {x}"] for x in (PATH, NO_FACTOR, NEVER))


def searched(graph: Graph, dark: set[Edge]) -> Solid:
    """Search a factor for a path of strips."""
    assert graph.is_factor(dark)
    s = loaded(graph, dark)
    strips.find_components(s)
    strips.search_strips(s, False)
    return s


def test_strips_with_one_end_are_counted_once() -> None:
    graph, dark = drawn(patterns.NESTED)
    s = searched(graph, dark)
    assert s.info[KEY.area] == 0
    assert double.least_path(graph, dark) is None
    assert min(graph.number(other) for other in graph.factors()) == 3


def test_a_lateral_factor_may_be_stuck() -> None:
    """Section 13: the plain search alone is not enough for an end with three."""
    graph, dark = drawn(patterns.TURN)
    s = searched(graph, dark)
    assert s.info[KEY.area] == 0
    assert s.info[KEY.expanded] > 1
    assert double.least_path(graph, dark) is None
    assert double.distance(graph, dark) == 5
    assert static.merge(s, 1, False) == GIVEN_UP
    assert static.decide_levels(s, GIVEN_UP, position_of(graph))[0] == PATH
    assert graph.number(dark_of(s, graph)) == 1


def test_without_an_edge_at_an_end_there_may_be_squares_of_type_four() -> None:
    """Section 13: smaller graphs must be induced."""
    graph, dark = drawn(patterns.CUT)
    gone = {frozenset({(r, c), (r + 1, c)}) for r, c in (graph.live, graph.end)}
    squares = [q for q in graph.squares() if not gone & {side(q, d) for d in range(4)}]
    assert graph.is_factor(dark)
    assert not gone & dark
    assert graph.number(dark) > 1
    border = [q for q in squares if graph.is_border(q, dark)]
    assert not any(alternating(q, dark) for q in border)
    lengths = [len(strip) for q in border for strip in double.strips(graph, dark, q)]
    assert all(length % 2 == 0 for length in lengths)
    assert 0 in [sum(side(q, d) in dark for d in range(4)) for q in border]
    paths = [other for other in graph.factors() if graph.number(other) == 1]
    assert any(not gone & path for path in paths)


@pytest.mark.parametrize(
    "text", [patterns.HOLE, patterns.INNER], ids=["a hole", "an end inside"]
)
def test_outside_the_theorem_strips_may_be_stuck(text: str) -> None:
    graph, dark = drawn(text)
    s = searched(graph, dark)
    assert s.info[KEY.area] == 0
    assert static.merge(s, 1, False) != MERGED
    assert factor.theorem_scope(s) != IN_SCOPE
    assert any(graph.number(other) == 1 for other in graph.factors())


def test_a_gadget_needs_three_strips() -> None:
    graph, dark = drawn(patterns.GADGET)
    assert (len(graph.cells), graph.number(dark)) == (27, 2)
    path = double.least_path(graph, dark)
    assert path is not None
    assert [len(strip) for strip in path] == [2, 2, 1]
    assert searched(graph, dark).info[KEY.area] == double.distance(graph, dark) == 5
    assert sum(graph.number(other) == 1 for other in graph.factors()) == 4


def improve(graph: Graph, dark: set[Edge], seen: Counter[str]) -> None:
    """Improve a planted factor by kernels, each round beside the double."""
    position = position_of(graph)
    s = loaded(graph, dark)
    assert factor.theorem_scope(s) == IN_SCOPE
    assert why_not(position) is None
    while (count := strips.find_components(s)) > 1:
        now = dark_of(s, graph)
        path = double.least_path(graph, now)
        if path is None or len(path[0]) == 1:
            break
        seen[f"{len(path)} strips"] += 1
        assert strips.search_strips(s, False)
        assert s.info[KEY.area] == sum(map(len, path))
        strips.flip_path(s)
        assert strips.find_components(s) == count - 1
    outcome, factors = static.decide_levels(s, static.merge(s, 1, True), position)
    truth = SAT.decide(position).verdict
    seen[truth.name] += 1
    seen["levels"] += len(factors) > 1
    if outcome == GIVEN_UP:
        seen["unknown"] += 1
    else:
        assert (outcome == PATH) == (truth is Verdict.COMPLETABLE)
    assert STRIPS.decide(position).verdict in (truth, Verdict.UNKNOWN)


@pytest.mark.parametrize("many", [3, pytest.param(200, marks=pytest.mark.slow)])
def test_grown_patterns(many: int) -> None:
    seen = Counter[str]()
    texts = patterns.GADGET, patterns.NESTED, patterns.TURN
    for graph, dark in (*map(drawn, texts), chain(2), chain(3)):
        for seed in range(many):
            larger, factor = grown(graph, dark, seed, 30)
            assert larger.is_factor(factor)
            assert larger.number(factor) == graph.number(dark)
            improve(larger, factor, seen)
    assert min(seen[name] for name in ("3 strips", "COMPLETABLE", "DEAD")) > 0
    assert many < 100 or seen["levels"] > 0
    assert seen["unknown"] <= many / 10


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5:RRD", None),
        ("5@1,1>1,3:RRR", None),
        ("5!2,2:RRR", None),  # the walk is all round the wall
        ("5!3,3:RRR", "the free cells enclose a hole"),
        ("7@4,4>7,7:", "the live end has four free neighbours"),
        ("7@4,4>7,7:RRRU", None),  # the walk has left the rim again: no hole
        ("7@1,1>4,4:", "the end cell has four free neighbours"),
    ],
)
def test_scope_is_a_property_of_the_position(text: str, why: str | None) -> None:
    position = Position.parse(text)
    assert why_not(position) == why
    answer = STRIPS.decide(position)
    assert (answer.verdict is Verdict.UNKNOWN) == (why is not None)
    assert answer.why == (why or "")
    if why is None:
        assert answer.verdict is SAT.decide(position).verdict
    assert always_in_scope(position.board) == (text[:5] in ("5:RRD", "5@1,1"))


def test_without_a_straight_factor_two_ends_with_three_are_left_open() -> None:
    position = Position.parse("4x4@2,3>3,1!1,3;1,4;4,3;4,4:")
    s = factor.new_solid(position.board)
    factor.load_position(s, position)
    assert (
        static.decide_levels(s, static.decide_graph(s, False), position)[0] == GIVEN_UP
    )
    assert SAT.decide(position).verdict is Verdict.DEAD


@pytest.mark.parametrize(
    ("text", "cut"),
    [("3@1,2>2,1:", True), ("2x4@1,2>2,2:", True), ("4@1,2>3,1:", False)],
)
def test_ends_that_cut_the_graph(text: str, cut: bool) -> None:
    position = Position.parse(text)
    s = factor.new_solid(position.board)
    factor.load_position(s, position)
    assert strips.ends_cut(s) == cut


def test_a_contradiction_is_an_error_that_names_the_position() -> None:
    s = loaded(*drawn(patterns.GADGET))
    with pytest.raises(static.StaticError, match=r"strips fails at 9:RRD$"):
        static.decide_levels(s, static.BROKEN, Position.parse("9:RRD"))


# Seeds whose walks on 21 x 21 come to even strips of two squares.
@pytest.mark.parametrize("seed", [383, 715])
def test_walks_with_even_strips(seed: int) -> None:
    board = Board.square(21)
    assert strips_walk(board, seed) == oracle_walk(board, seed, STRIPS).position
