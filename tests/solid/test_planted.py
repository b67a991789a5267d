"""Graphs grown round the patterns of the page, and positions with walls."""

from collections import Counter

import pytest

from solver.board import Position
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.strips import StripsOracle, always_in_scope, why_not
from solver.solid.factor import (
    AREA,
    EXPANDED,
    IN_SCOPE,
    load_position,
    new_solid,
    scope_of,
)
from solver.solid.static import (
    BROKEN,
    GIVEN_UP,
    PATH,
    StaticError,
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
from tests.doubles.solid import Edge, Graph
from tests.doubles.static import Strip
from tests.solid.patterns import (
    GADGET,
    NESTED,
    TURN,
    chain,
    drawn,
    grown,
    position_of,
)
from tests.solid.worlds import dark_of, loaded

PATTERNS = [drawn(GADGET), drawn(NESTED), drawn(TURN), chain(2), chain(3)]
SAT, STRIPS = get_oracle("sat"), StripsOracle()


def improve(graph: Graph, dark: set[Edge], seen: Counter[str]) -> None:
    """Improve a planted factor by kernels, each round beside the double."""
    position = position_of(graph)
    s = loaded(graph, dark)
    assert scope_of(s) == IN_SCOPE
    assert why_not(position) is None
    while (count := components(s)) > 1:
        now = dark_of(s, graph)
        path = static.least_path(graph, now)
        if path is None or len(path[0]) == 1:
            break
        seen[f"{len(path)} strips"] += 1
        check_least_path(graph, now, path)
        assert search_strips(s, False)
        assert s.info[AREA] == sum(map(len, path))
        flip_path(s)
        assert components(s) == count - 1
    found, factors = decide_levels(s, merge(s, 1, True), position)
    truth = SAT.decide(position).verdict
    seen[truth.name] += 1
    seen["levels"] += len(factors) > 1
    if found == GIVEN_UP:
        seen["unknown"] += 1
    else:
        assert (found == PATH) == (truth is Verdict.COMPLETABLE)
    assert STRIPS.decide(position).verdict in (truth, Verdict.UNKNOWN)


def check_least_path(graph: Graph, dark: set[Edge], path: list[Strip]) -> None:
    """Lemma 4, the claim of section 7 that no pair is bad, and Theorem 1."""
    ends = [strip[-1] for strip in path]
    assert len(set(ends)) == len(ends)
    assert [len(strip) % 2 for strip in path] == [0] * (len(path) - 1) + [1]
    for i, first in enumerate(path):
        for j in range(i + 1, len(path)):
            contacts = [q for q in path[j] if static.touch(first, q)]
            by_r2b = contacts == [path[j][0]] and j == i + 1
            assert not contacts or by_r2b
            if by_r2b:  # nothing but the end touches it
                assert [q for q in first if static.touch(path[j], q)] == [ends[i]]
    count = static.number(graph, dark)
    for strip in path:
        assert static.number(graph, dark) == count
        dark = static.flip_path(dark, [strip])
    assert static.number(graph, dark) == count - 1


@pytest.mark.parametrize("many", [3, pytest.param(200, marks=pytest.mark.slow)])
def test_grown_patterns(many: int) -> None:
    seen = Counter[str]()
    for graph, dark in PATTERNS:
        for seed in range(many):
            larger, factor = grown(graph, dark, seed, 30)
            assert larger.is_factor(factor)
            assert static.number(larger, factor) == static.number(graph, dark)
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
    s = new_solid(position.board)
    load_position(s, position)
    assert decide_levels(s, decide_graph(s, False), position)[0] == GIVEN_UP
    assert SAT.decide(position).verdict is Verdict.DEAD


def test_a_contradiction_is_an_error_that_names_the_position() -> None:
    s = loaded(*drawn(GADGET))
    with pytest.raises(StaticError, match=r"strips fails at 9:RRD$"):
        decide_levels(s, BROKEN, Position.parse("9:RRD"))


def test_expansions_of_a_chain_grow_with_its_square() -> None:
    """Each round expands the ends of the gadgets that are left."""
    counts = []
    for many in (4, 8, 16):
        graph, dark = chain(many)
        s = loaded(graph, dark)
        assert merge(s, 1, False) == PATH
        counts.append(int(s.info[EXPANDED]))
    assert counts == [many * (many + 3) // 2 for many in (4, 8, 16)]
