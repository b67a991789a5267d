"""Certificates of kind `static`: against all factors of small graphs, and forged."""

import json
import random
import re
from collections import Counter
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.solid.certificate import _static, find_certificate
from solver.solid.factor import new_solid
from tests.doubles.solid import Cell, Edge, Graph, alternating, flipped
from tests.solid.forgers import Data, chains, leading, next_level, numbered, spoiled
from tests.solid.patterns import GADGET, TURN, drawn, grown, position_of
from tests.solid.test_dead import dead_of_five
from tests.solid.worlds import graph_of, graphs
from verify.checker.dead import find_dead_fault
from verify.corpus.cases import corpus_folder

STRIPS, SEARCH, SAT = map(get_oracle, ("strips", "search", "sat"))


@pytest.mark.parametrize(
    ("rows", "cols", "count", "proved"),
    [
        (2, 5, 159, 28),
        (3, 3, 158, 12),
        (3, 4, 784, 130),
        pytest.param(4, 4, 6164, 1392, marks=pytest.mark.slow),
        pytest.param(3, 6, 13045, 3691, marks=pytest.mark.slow),
    ],
)
def test_just_dead_positions_have_a_certificate(
    rows: int, cols: int, count: int, proved: int
) -> None:
    """Every row of factors of every graph is tried."""
    seen = Counter[str]()
    for graph in graphs(rows, cols):
        if not graph.all_factors:
            continue
        text = position_of(graph).notation
        believed = any(find_dead_fault(text, x) is None for x in chains(graph, cols))
        alive = any(graph.number(dark) == 1 for dark in graph.all_factors)
        wide = all(len(graph.around(p)) == 3 for p in (graph.live, graph.end))
        assert not (alive and believed), text
        assert alive or believed or wide, text
        seen["graphs"] += 1
        seen["proved"] += believed
    assert seen == {"graphs": count, "proved": proved}


@pytest.mark.parametrize(
    ("rows", "cols", "every", "dead"),
    [
        (3, 4, 3, {1: 38, 2: 4}),
        pytest.param(4, 4, 1, {1: 1184, 2: 208}, marks=pytest.mark.slow),
        pytest.param(4, 5, 30, {1: 350, 2: 59}, marks=pytest.mark.slow),
    ],
)
def test_the_search_gives_one_for_just_the_dead_positions(
    rows: int, cols: int, every: int, dead: dict[int, int]
) -> None:
    """Counted by the number of factors."""
    levels = Counter[int]()
    for graph in list(graphs(rows, cols))[::every]:
        if not graph.all_factors:
            continue
        position = position_of(graph)
        text, answer = position.notation, STRIPS.decide(position)
        alive = any(graph.number(dark) == 1 for dark in graph.all_factors)
        assert alive == (answer.witness is not None), text
        static = _static(new_solid(position.board), position)
        fault = static and find_dead_fault(text, static.data)
        if static and fault != CUT_GRAPH:
            assert fault is None, text
            levels[len(static.data["factors"]) + ("no_factor" in static.data)] += 1
        best = find_certificate(position)
        unsettled = answer.verdict is Verdict.UNKNOWN
        assert (best is None) == alive or (unsettled and not alive), text
        if best is not None:
            assert find_dead_fault(text, best.data) is None, text
    assert levels == dead


@pytest.mark.parametrize("path", sorted((corpus_folder() / "dead").glob("*.json")))
def test_certificates_of_the_corpus(path: Path) -> None:
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert find_dead_fault(saved["position"], saved["certificate"]) is None
    position = Position.parse(saved["position"])
    assert SEARCH.decide(position).verdict is Verdict.DEAD


CUT_GRAPH = "both ends have three neighbours, and they cut the graph"


def certificate(*factors: str, **more: Any) -> Data:
    """Return a certificate of factors such as ``0-1 0-4 1-5``."""
    edges = [[list(map(int, e.split("-"))) for e in f.split()] for f in factors]
    return {"kind": "static", "factors": edges, **more}


# Dead positions with their certificates: the ends have two neighbours; one has three,
# and no factor leaves it straight; or one with more components.
SMALL = "2x4@1,3>1,4!2,3;2,4:"
RIGHT = certificate("0-1 0-4 1-5 2-3 4-5")
SIDEWAYS = "3x4@1,3>2,3!1,1;1,2;3,3;3,4:"
NONE = {"kind": "colours", "colour": "black", "region": [4, 5, 7, 8, 9]}
ALONE = certificate("2-3 3-7 4-5 4-8 5-9 6-7 8-9")
TWO = "3x6@1,3>2,3!1,1;1,2;3,3;3,4;3,5;3,6:"
PAIR = certificate(
    "2-3 3-4 4-5 5-11 6-7 6-12 7-13 8-9 9-10 10-11 12-13",
    "3-4 3-9 4-5 5-11 6-7 6-12 7-13 9-10 10-11 12-13",
)
FIRST, THEN = PAIR["factors"]
# Completable, and a factor of two components that no path of strips improves: what the
# theorem asks of the position does not hold. The last end has three neighbours.
HOLE = "4x5@1,3>1,4!1,5;2,3;3,1;4,1;4,4;4,5:"
INSIDE = "3x5@1,3>2,2!3,4;3,5:"
CUT = "2x4@1,2>2,2:"
BOTH = "4x4@1,2>3,1!3,3;3,4;4,3;4,4:"
ODD = "3x6@1,1>1,4!2,1;3,1;3,5;3,6:"
EQUAL = "4x5@2,3>4,3!1,3;1,4;1,5;3,1;3,2;4,1;4,2:"
HOLED = "0-1 0-5 1-6 2-3 5-6 8-9 8-13 9-14 11-12 11-16 12-17 13-14 16-17"
LEFT = "the last factor leaves an end sideways"
FEW = "factor {} has too few components".format
EDGES = "cell {} has not {} edges of a factor".format
ENDS = "the region holds an end, or all cells but the ends"
REFUSED = [
    (SMALL, RIGHT | {"factors": []}, "Expected `array` of length >= 1"),
    (SMALL, certificate(*["0-1 0-4 1-5 2-3 4-5"] * 2), "factor 1 needs no other"),
    ("5:RRRRDDDD", RIGHT, "the walk has been at its end"),
    ("5:RRRRDDDDL", RIGHT, "the walk has been at its end"),
    (HOLE, certificate(HOLED), "the unvisited cells have a hole"),
    (
        INSIDE,
        certificate("0-1 0-5 1-2 3-4 3-8 4-9 5-10 6-7 7-12 8-9 10-11 11-12"),
        "an end has four neighbours",
    ),
    (CUT, certificate("0-1 0-4 2-3 2-6 3-7 4-5 6-7"), CUT_GRAPH),
    (
        BOTH,
        certificate("0-1 0-4 2-3 2-6 3-7 4-5 5-9 6-7 8-12 9-13 12-13"),
        "both ends have three neighbours, and one is left sideways",
    ),
    (SMALL, certificate("0-1 0-4 1-5 2-3"), EDGES(4, 2)),
    (SMALL, certificate("0-1 0-4 1-5 2-6 4-5"), "an edge is none of the graph"),
    (SMALL, certificate("0-1 0-4 1-5 2-3-7 4-5"), "Expected `array` of length 2"),
    (SMALL, certificate("0-1 0-4 1-5 1-2 4-5"), EDGES(1, 2)),
    (SMALL, certificate("0-1 0-4 1-5 2-3 5-1"), EDGES(1, 2)),
    (SMALL, certificate("0-1 1-0 4-5 2-3 5-4"), EDGES(0, 2)),
    (
        EQUAL,
        certificate(
            "0-1 0-5 1-6 5-6 7-8 8-9 9-14 12-13 12-17 13-18 14-19 18-19",
            "0-1 0-5 1-6 5-6 8-9 8-13 9-14 12-13 14-19 17-18 18-19",
        ),
        FEW(2),
    ),
    ("2x2@1,1>1,2:", certificate("0-2 2-3 1-3"), FEW(1)),
    (TWO, PAIR | {"factors": [THEN, FIRST]}, EDGES(2, 1)),
    (
        "2x4@1,4>2,3!2,4:",
        certificate("0-1 0-4 1-5 2-3 2-6 4-5"),
        "square 1 joins two components",
    ),
    (
        ODD,
        certificate("0-1 1-7 2-3 2-8 4-5 4-10 5-11 7-13 8-9 9-15 10-11 13-14 14-15"),
        "an odd strip is reached, from square 3",
    ),
    (SIDEWAYS, ALONE, LEFT),
    (TWO, PAIR | {"factors": [FIRST]}, LEFT),
    (SMALL, RIGHT | {"no_factor": NONE}, "no_factor is not needed"),
    (
        SIDEWAYS,
        ALONE | {"no_factor": NONE | {"colour": "white"}},
        "the region needs -2 such doors and has 0",
    ),
    (
        SIDEWAYS,
        ALONE | {"no_factor": NONE | {"region": [6]}},
        "the region names a cell twice or a visited one",
    ),
    (
        "3x4@2,1>2,2!1,1;1,2;3,3;3,4:",
        certificate("2-3 2-6 3-7 4-8 5-9 6-7 8-9", "2-3 2-6 3-7 4-8 6-7 8-9"),
        "factor 1 needs no other after it",
    ),
    ("5:RRRRDDDLL", {"kind": "apart", "region": [24]}, ENDS),
    ("2x5@1,1>2,1!1,3;2,3:", {"kind": "apart", "region": [1, 3, 4, 6, 8, 9]}, ENDS),
    (SMALL, {"kind": "apart", "region": [0, 1]}, "cell 4 touches the region"),
]


@pytest.mark.parametrize(("text", "data", "why"), REFUSED)
def test_each_condition_refuses(text: str, data: Data, why: str) -> None:
    assert str(find_dead_fault(text, data)).startswith(why)
    if text in (HOLE, INSIDE):  # the theorem needs its conditions
        assert SAT.decide(Position.parse(text)).verdict is Verdict.COMPLETABLE


# At the end with three neighbours both cells next to the missing one are missing.
FREE = "3x4@1,2>3,2!3,1;3,3;3,4:"
FREED = certificate("0-1 0-4 2-3 2-6 3-7 4-5 5-9 6-7")
RIGHT_ONES = [
    (SMALL, RIGHT),
    (SIDEWAYS, ALONE | {"no_factor": NONE}),
    (TWO, PAIR),
    (
        "3x5@1,2>2,3!1,1;3,3;3,4;3,5:",
        certificate(
            "1-2 2-3 3-4 4-9 5-6 5-10 6-11 7-8 8-9 10-11",
            "1-2 3-4 3-8 4-9 5-6 5-10 6-11 8-9 10-11",
        ),
    ),
    (FREE, FREED),
    (
        "4x4@2,1>2,4!1,3;1,4;3,3;3,4;4,3;4,4:",
        certificate("0-1 0-4 1-5 5-6 6-7 8-9 8-12 9-13 12-13"),
    ),
]
APART = [
    ("2x5@1,1>2,1!1,3;2,3:", {"kind": "apart", "region": [3, 4, 8, 9]}),
    (CUT, {"kind": "apart", "region": [0, 4]}),
]


@pytest.mark.parametrize(("text", "data"), RIGHT_ONES + APART)
def test_right_ones(text: str, data: Data) -> None:
    assert find_dead_fault(text, data) is None
    assert SAT.decide(Position.parse(text)).verdict is Verdict.DEAD


def exchanged(rng: random.Random, graph: Graph, dark: set[Edge]) -> set[Edge]:
    """Flip some squares of a factor, then those that join two components.

    What is left is hard to tell from a factor with the fewest components. The flip that
    would make it one path is left out.
    """
    squares = graph.squares()
    for _ in range(rng.randrange(1, 12)):
        if now := [q for q in squares if alternating(q, dark)]:
            dark = flipped(dark, [rng.choice(now)])
    count = graph.number(dark)
    for q in rng.sample(squares, len(squares)) * 2:
        if count > 1 and alternating(q, dark):
            other = flipped(dark, [q])
            fewer = graph.number(other)
            if fewer == 1:
                break
            if fewer < count:
                dark, count = other, fewer
    return dark


@cache
def honest() -> list[Data]:
    """Return right certificates of dead positions: walks on 5x5, and with walls."""
    dead = [(position, graph_of(position)) for position in dead_of_five()[::3]]
    dead += [(position_of(graph), graph) for graph in list(graphs(3, 4))[::5]]
    some = []
    for position, graph in dead:
        every = chains(graph, position.board.cols)
        right = (x for x in every if find_dead_fault(position.notation, x) is None)
        some += list(islice(right, 1))
    return some


@cache
def alive() -> list[tuple[Position, Graph, set[Edge]]]:
    """Return completable positions, each with a factor: most of them a completion."""
    easy = []
    for seed, side in enumerate([5, 5, 7, 7, 9, 9, 13]):
        walk = exact_walk(Board.square(side), seed).position.walk
        for n in range(1, len(walk) - 4):
            position = Position(Board.square(side), walk[:n])
            steps = pairwise(divmod(cell, side) for cell in walk[n - 1 :])
            easy.append(
                (position, graph_of(position), set(map(frozenset[Cell], steps)))
            )
    for graph in graphs(3, 4):
        paths = [dark for dark in graph.all_factors if graph.number(dark) == 1]
        easy += [(position_of(graph), graph, paths[0])] if paths else []
    bred = [
        grown(*drawn(p), seed, 2 * seed) for p in (TURN, GADGET) for seed in range(9)
    ]
    hard = [(position_of(graph), graph, dark) for graph, dark in bred]
    for position, _, _ in hard:
        assert SEARCH.decide(position).verdict is Verdict.COMPLETABLE
    return easy + hard * 6


def forged(rng: random.Random) -> tuple[str, Data]:
    """Return a completable position with a certificate that it is dead."""
    position, graph, dark = rng.choice(alive())
    board, onward = position.board, next_level(graph)
    if rng.random() < 0.3:  # the certificate of another position
        fit = [x for x in honest() if len(x["factors"][0]) == len(dark)]
        data = rng.choice(fit or honest())
    else:
        other = dark if rng.random() < 0.2 else exchanged(rng, graph, dark)
        data = {"kind": "static", "factors": [numbered(graph, board.cols, other)]}
        more = leading(graph, board.cols, other) if rng.random() < 0.5 else []
        data = rng.choice(more) if more else data
        if len(data["factors"]) == 1 and onward and rng.random() < 0.5:
            cells = sorted(r * board.cols + c for r, c in onward.cells)
            some = rng.sample(cells, rng.randrange(1, len(cells)))
            colour = rng.choice(["black", "white"])
            data["no_factor"] = {"kind": "colours", "colour": colour, "region": some}
    for _ in range(rng.choice([0, 0, 0, 1])):
        data = spoiled(rng, data, board.cells)
    return position.notation, data


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_forged_certificate_is_believed(count: int) -> None:
    rng = random.Random(count)
    why = Counter(
        re.sub(r"\d+", "N", str(find_dead_fault(*forged(rng)))) for _ in range(count)
    )
    assert "None" not in why
    assert why["square N joins two components"] > count // 10
    assert why["an odd strip is reached, from square N"] > count // 100
