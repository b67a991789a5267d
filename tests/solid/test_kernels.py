"""Every kernel of `solver.solid` against its double, on all factors of small graphs."""

from collections.abc import Iterator

import pytest

from solver.board import Board, Position
from solver.oracles.exact import exact_walk, oracle_walk, strips_walk
from solver.oracles.oracle import get_oracle
from solver.solid.grid import (
    COMPONENTS,
    WIDTH,
    augment,
    is_parallel,
    join_parallel,
    label,
)
from solver.solid.static import NO_FACTOR, PATH, finish, solve
from solver.solid.strips import GIVEN_UP, NEVER, read_strip
from solver.solid.witness import flip, is_square, sides
from tests.doubles.solid import Edge, Graph, alternating, flipped, side
from tests.solid.worlds import dark_of, graph_of, graphs, loaded, padded, room_of


def some() -> Iterator[tuple[Graph, set[Edge]]]:
    for graph in [*graphs(3, 4, every=7), *graphs(4, 4, every=151)]:
        for dark in graph.factors():
            yield graph, dark
    for text in ("9:RDLDDDDRRRRUU", "7:RRDRURRRDDLULDDLULLULDDDDDRUR"):
        graph = graph_of(Position.parse(text))
        s = loaded(graph)
        augment(s)
        yield graph, dark_of(s, graph)


def test_there_is_enough_to_see() -> None:
    seen = list(some())
    assert len(seen) > 200
    strips = [
        graph.strip(q, dark)
        for graph, dark in seen
        for q in graph.squares()
        if sum(side(q, d) in dark for d in range(4)) == 1
    ]
    assert {len(strip) for strip in strips} >= {0, 2, 3}


def test_squares_strips_and_flips() -> None:
    for graph, dark in some():
        s = loaded(graph, dark)
        w = room_of(s)
        assert dark_of(s, graph) == dark
        assert label(s) == len(graph.components(dark)) == s.info[COMPONENTS]
        for q in graph.cells:
            at = padded(s, q)
            assert is_square(s.near, s.info[WIDTH], at) == (q in graph.squares())
            if q not in graph.squares():
                continue
            bits = sides(s.dark, s.info[WIDTH], at)
            assert [bits >> d & 1 for d in range(4)] == [
                side(q, d) in dark for d in range(4)
            ]
            assert is_parallel(s, at) == graph.is_parallel(q, dark)
            if bits in (1, 2, 4, 8):
                d, length = read_strip(w, at)
                assert length == len(graph.strip(q, dark))
                assert length == 0 or d == [4, 8, 1, 2].index(bits)
            flip(s.dark, s.info[WIDTH], at)
            assert dark_of(s, graph) == flipped(dark, [q])
            flip(s.dark, s.info[WIDTH], at)


def test_components_of_the_same_cells_have_the_same_number() -> None:
    for graph, dark in some():
        s = loaded(graph, dark)
        label(s)
        numbers = {
            frozenset(
                cell for cell in graph.cells if s.component[padded(s, cell)] == number
            )
            for number in range(s.info[COMPONENTS])
        }
        assert numbers == graph.components(dark)
        assert s.component[padded(s, graph.live)] == 0


def test_joining_leaves_no_parallel_square() -> None:
    joined = 0
    for graph, dark in some():
        s = loaded(graph, dark)
        before = label(s)
        count = join_parallel(s)
        joined += before - count
        after = dark_of(s, graph)
        assert graph.is_factor(after)
        assert count == len(graph.components(after))
        if count > 1:
            assert not any(graph.is_parallel(q, after) for q in graph.squares())
        if any(graph.is_parallel(q, dark) for q in graph.squares()):
            assert count < before
    assert joined > 30


@pytest.mark.parametrize(("rows", "cols", "every"), [(3, 4, 1), (4, 4, 97)])
def test_verdicts_and_factors(rows: int, cols: int, every: int) -> None:
    verdicts = set()
    for graph in graphs(rows, cols, every):
        factors = list(graph.factors())
        whole = any(len(graph.components(dark)) == 1 for dark in factors)
        s = loaded(graph)
        w = room_of(s)
        found, _ = finish(s, w, solve(s, w, True), "")
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
    for graph, dark in list(some())[::5]:
        for q in graph.squares():
            assert graph.is_factor(flipped(dark, [q])) == alternating(q, dark)


# Seeds whose walks on 21 x 21 come to even strips of two squares.
@pytest.mark.parametrize("seed", [383, 516, 565, 612, 715, 819])
def test_walks_with_even_strips(seed: int) -> None:
    board, strips = Board.square(21), get_oracle("strips")
    walk = strips_walk(board, seed)
    assert walk == oracle_walk(board, seed, strips).position


def test_walks_are_those_of_the_exact_walker() -> None:
    strips = get_oracle("strips")
    for size in (5, 9, 13):
        board = Board.square(size)
        for seed in range(10):
            walk = strips_walk(board, seed)
            assert walk == exact_walk(board, seed).position
            assert walk == oracle_walk(board, seed, strips).position
    assert strips_walk(Board.square(4), 1) is None
