"""Certificates of kind `static` by trying every factor: right ones and forged ones.

Nothing here is shared with the solver or the checker. Certificates number the cells of
a graph as on the board of `position_of`.
"""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import networkx as nx

from tests.doubles.solid import Cell, Edge, Graph, Pairs, corners, side
from tests.doubles.static import NOWHERE, middle, without_end

Data = dict[str, Any]


def numbered(graph: Graph, cols: int, dark: set[Edge]) -> Pairs:
    """Return the edges of a factor as pairs of numbers."""
    return sorted(sorted(r * cols + c for r, c in edge) for edge in dark)


def next_level(graph: Graph) -> Graph | None:
    """Return the graph without an end with three neighbours, if there is one."""
    wide = [p for p in (graph.live, graph.end) if p != NOWHERE and middle(graph, p)]
    return without_end(graph, wide[0]) if wide else None


def no_factor(graph: Graph, cols: int) -> Data | None:
    """Return a region that needs more doors of a colour than it has, by a flow."""
    for odd, colour in enumerate(("black", "white")):
        flow, wanted = nx.DiGraph(), 0
        flow.add_nodes_from(["from", "to"])
        for cell in graph.cells:
            if sum(cell) % 2 == odd:
                wanted += graph.need(cell)
                flow.add_edge("from", cell, capacity=graph.need(cell))
                pairs = [(cell, near) for near in graph.around(cell)]
                flow.add_edges_from(pairs, capacity=1)
            else:
                flow.add_edge(cell, "to", capacity=graph.need(cell))
        value, (near, _) = nx.minimum_cut(flow, "from", "to")
        if value < wanted:
            region = sorted(r * cols + c for r, c in near - {"from"})
            return {"kind": "colours", "colour": colour, "region": region}
    return None


def chains(graph: Graph, cols: int) -> Iterator[Data]:
    """Yield what a forger can write: each row of factors, a level each."""

    def rows_of(here: Graph) -> Iterator[tuple[list[Pairs], Graph | None]]:
        onward = next_level(here)
        for factor in here.all_factors:
            first = numbered(here, cols, factor)
            yield [first], onward
            for others, last in rows_of(onward) if onward else ():
                yield [first, *others], last

    for factors, last in rows_of(graph):
        first = {frozenset(divmod(cell, cols) for cell in edge) for edge in factors[0]}
        if graph.number(first) > 1:
            data = {"kind": "static", "factors": factors}
            yield data
            if last and (region := no_factor(last, cols)):
                yield data | {"no_factor": region}


def leading(graph: Graph, cols: int, dark: set[Edge]) -> list[Data]:
    """Return a factor with one for the next level, made by a flip at an end."""
    onward = next_level(graph)
    if onward is None:
        return []
    gone: set[Cell] = set(graph.cells - onward.cells)
    pairs_of_levels = []
    for q in graph.squares():
        if gone.intersection(corners(q)):
            four = {side(q, d) for d in range(4)}
            other = {edge for edge in dark ^ four if not gone & edge}
            if 2 * len(other) == sum(map(onward.need, onward.cells)):
                pairs = [numbered(graph, cols, some) for some in (dark, other)]
                pairs_of_levels.append({"kind": "static", "factors": pairs})
    return pairs_of_levels


def lists_in(value: Any) -> Iterator[list[Any]]:
    """Yield the lists in a JSON value that hold something."""
    inner = list(value.values()) if isinstance(value, dict) else value
    if isinstance(inner, list):
        yield from [value] if value is inner and value else []
        for one in inner:
            yield from lists_in(one)


def spoiled(rng: random.Random, data: Data, cells: int) -> Data:
    """Return a certificate with a random change; it is unchanged itself."""
    data = deepcopy(data)
    some = rng.choice([*lists_in(data), [0]])  # the last is of no certificate
    at, what = rng.randrange(len(some)), rng.randrange(8)
    if what == 0:
        del some[at]
    elif what == 1:
        some.insert(at, deepcopy(rng.choice(some)))
    elif what == 2:
        some[at] = deepcopy(rng.choice(some))
    elif what == 3 and type(some[at]) is int:
        some[at] += rng.choice([-2, -1, 1, 2, 5])
    elif what == 4 and "colour" in data:
        data["colour"] = rng.choice(["black", "white"])
    elif what == 5 and "factors" in data:
        region = rng.sample(range(cells), rng.randrange(1, cells))
        colour = rng.choice(["black", "white"])
        data["no_factor"] = {"kind": "colours", "colour": colour, "region": region}
    elif what == 6:
        data.pop("no_factor", None)
    elif data.get("factors") and data["factors"][0]:
        # four edges around a square are exchanged
        factor = rng.choice(data["factors"])
        q, other = rng.choice(factor)
        cols = other - q if other - q > 1 else rng.randrange(2, 14)
        around = [[q, q + 1], [q + 1, q + cols + 1], [q + cols, q + cols + 1]]
        for pair in (*around, [q, q + cols]):
            factor.remove(pair) if pair in factor else factor.append(pair)
    return data
