"""The lemmas of docs/explanation/solid.md, on all factors of all small solid graphs."""

from collections import Counter
from collections.abc import Iterator

import pytest

from solver.solid.grid import label
from solver.solid.strips import CLOSED, CORNERS, PATH, join
from tests.naive_solid import Edge, Graph, alternating, flipped, side
from tests.solid.worlds import graphs, loaded, room_of

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
