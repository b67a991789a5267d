"""Every kernel of `solver.solid` against its double, on all factors of small graphs."""

from collections.abc import Iterator

import pytest

from solver.board import Board, Position
from solver.oracles.exact import oracle_walk, strips_walk
from solver.oracles.oracle import get_oracle
from solver.solid.factor import WIDTH, augment, dark_sides, flip, is_square
from solver.solid.static import (
    GIVEN_UP,
    NEVER,
    NO_FACTOR,
    PATH,
    decide_graph,
    decide_levels,
)
from solver.solid.strips import (
    components,
    join_parallel,
    part_of,
    read_strip,
)
from tests.doubles.solid import Cell, Edge, Graph, alternating, flipped, side
from tests.solid.worlds import dark_of, graph_of, graphs, loaded, padded


def some() -> Iterator[tuple[Graph, set[Edge]]]:
    for graph in [*graphs(3, 4, every=11), *graphs(4, 4, every=401)]:
        for dark in graph.factors():
            yield graph, dark
    for text in ("9:RDLDDDDRRRRUU", "7:RRDRURRRDDLULDDLULLULDDDDDRUR"):
        graph = graph_of(Position.parse(text))
        s = loaded(graph)
        augment(s)
        yield graph, dark_of(s, graph)


SOME = list(some())


def test_squares_strips_and_flips() -> None:
    for graph, dark in SOME:
        s = loaded(graph, dark)
        assert dark_of(s, graph) == dark
        for q in graph.cells:
            at = padded(s, q)
            assert is_square(s.near, s.info[WIDTH], at) == (q in graph.squares())
            if q not in graph.squares():
                continue
            bits = dark_sides(s.dark, s.info[WIDTH], at)
            assert [bits >> d & 1 for d in range(4)] == [
                side(q, d) in dark for d in range(4)
            ]
            if bits in (1, 2, 4, 8):
                d, length = read_strip(s, at)
                assert length == len(graph.strip(q, dark))
                assert length == 0 or d == [4, 8, 1, 2].index(bits)
            flip(s.dark, s.info[WIDTH], at)
            assert dark_of(s, graph) == flipped(dark, [q])
            flip(s.dark, s.info[WIDTH], at)


def test_components() -> None:
    for graph, dark in SOME:
        s = loaded(graph, dark)
        count = components(s)
        parts: dict[int, set[Cell]] = {}
        for cell in graph.cells:
            parts.setdefault(part_of(s, padded(s, cell)), set()).add(cell)
        assert {frozenset(cells) for cells in parts.values()} == graph.components(dark)
        assert count == len(parts)
        assert all(s.size[k] == len(cells) for k, cells in parts.items())


def test_joining_leaves_no_parallel_square() -> None:
    joined = 0
    for graph, dark in SOME:
        s = loaded(graph, dark)
        before = components(s)
        count = join_parallel(s)
        joined += before - count
        after = dark_of(s, graph)
        assert graph.is_factor(after)
        assert count == len(graph.components(after))
        if count > 1:
            assert not any(graph.is_parallel(q, after) for q in graph.squares())
        if any(graph.is_parallel(q, dark) for q in graph.squares()):
            assert count < before
    assert joined > 10


@pytest.mark.parametrize(("rows", "cols", "every"), [(3, 4, 1), (4, 4, 97)])
def test_verdicts_and_factors(rows: int, cols: int, every: int) -> None:
    verdicts = set()
    for graph in graphs(rows, cols, every):
        factors = list(graph.factors())
        whole = any(len(graph.components(dark)) == 1 for dark in factors)
        s = loaded(graph)
        found, _ = decide_levels(s, decide_graph(s, True), Position(Board(1, 2)))
        verdicts.add(found)
        if found == GIVEN_UP:
            continue
        assert (found == PATH) == whole
        assert (found == NO_FACTOR) == (not factors)
        if factors:
            after = dark_of(s, graph)
            assert graph.is_factor(after)
        s = loaded(graph, factors[0] if factors else None)
        assert augment(s) == bool(factors)
        if factors:  # a factor is left as it is
            assert dark_of(s, graph) == factors[0]
    assert {PATH, NO_FACTOR, NEVER} <= verdicts


def test_only_squares_that_alternate_keep_the_degrees() -> None:
    for graph, dark in SOME[::5]:
        for q in graph.squares():
            assert graph.is_factor(flipped(dark, [q])) == alternating(q, dark)


# Seeds whose walks on 21 x 21 come to even strips of two squares.
@pytest.mark.parametrize("seed", [383, 715])
def test_walks_with_even_strips(seed: int) -> None:
    board, strips = Board.square(21), get_oracle("strips")
    walk = strips_walk(board, seed)
    assert walk == oracle_walk(board, seed, strips).position
