"""The lemmas of docs/explanation/solid.md, on all factors of all small solid graphs."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from solver.solid.grid import label
from solver.solid.strips import CLOSED, CORNERS, PATH, join
from tests.naive_solid import Edge, Graph, alternating, flipped, side
from tests.solid.worlds import graphs, loaded, room_of

Ways = tuple[tuple[int, int], ...]
SMALL = [(2, 5, 1), (3, 3, 1), (3, 4, 1), (4, 4, 83)]  # rows, cols, each so many


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
    """Check L3, L4, L5 and Theorem A on each factor; count what was seen."""
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


def test_all_factors_of_small_graphs() -> None:
    seen = see(SMALL)

    assert min(seen[name] for name in ("L3 -1", "L3 1", "Theorem A", "closed")) > 0


@pytest.mark.slow
def test_all_factors_of_3x5_and_some_of_4x4() -> None:
    seen = see([(3, 5, 1), (4, 4, 11)])

    assert min(seen[name] for name in ("L3 -1", "L3 1", "Theorem A", "closed")) > 0


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
    """Read a factor: cells two columns and two rows apart, `-` and `|` dark edges."""
    sign = {
        (r, c): sign
        for r, line in enumerate(text.strip("\n").split("\n"))
        for c, sign in enumerate(line)
        if sign != " "
    }
    dark = {
        frozenset({(r // 2, c // 2), ((r + 1) // 2, (c + 1) // 2)})
        for (r, c), one in sign.items()
        if one in "-|"
    }
    cells = {(r // 2, c // 2): one for (r, c), one in sign.items() if one not in "-|"}
    ends = {one: cell for cell, one in cells.items()}
    return Graph(cells, ends["S"], ends["T"]), dark


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


# A hole, and an end within: a path and a loop that strips join in no way, though there
# is a Hamiltonian path.
HOLE = """
    o-o
    | |
S   o-o
|
o o-T o-o
| |   | |
o o-o-o o
|       |
o   o-o-o
|   |
o-o-o
"""


def test_with_a_hole_strips_may_be_stuck_though_a_path_exists() -> None:
    graph, dark = drawn(HOLE)
    assert graph.is_factor(dark)
    assert min(len(graph.components(one)) for one in graph.factors()) == 1
    s = loaded(graph, dark)
    assert join(s, room_of(s)) == CLOSED
