"""The static search as docs/explanation/solid.md has it: sets and Dijkstra, all plain.

Components and halves are searched again for each factor; a strip is a tuple of squares.
"""

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from tests.doubles import solid
from tests.doubles.solid import AROUND, Cell, Edge, Graph, Square

Strip = tuple[Square, ...]
NOWHERE: Cell = (-9, -9)  # the ends of a graph that has none


def strips(graph: Graph, dark: set[Edge], q: Square) -> Iterator[Strip]:
    """Yield the strip that begins at a square, if there is one."""
    if not set(solid.corners(q)) <= graph.cells:
        return
    if solid.alternating(q, dark):
        yield (q,)
    elif sum(solid.side(q, d) in dark for d in range(4)) == 1:
        strip = tuple(graph.strip(q, dark))
        if strip:
            yield strip


def touch(strip: Strip, e: Square) -> bool:
    """Whether a square of a strip is e or has a side in common with it."""
    return any(abs(q[0] - e[0]) + abs(q[1] - e[1]) <= 1 for q in strip)


def successors(graph: Graph, dark: set[Edge], e: Square) -> Iterator[Strip]:
    """Yield what may follow a reachable even strip with end e: R2a, then R2b."""
    before, after = graph.parts(dark), graph.parts(solid.flipped(dark, [e]))
    whole = before[e]
    for q in graph.squares():
        halves = {after[c] for c in solid.corners(q) if before[c] == whole}
        if len(halves) > 1:
            yield from (s for s in strips(graph, dark, q) if not touch(s, e))
    turned = solid.flipped(dark, [e])
    for d, (r, c) in enumerate(AROUND):
        if solid.side(e, d) in dark:
            u = (e[0] + r, e[1] + c)
            yield from (s for s in strips(graph, turned, u) if e not in s)


def least_path(graph: Graph, dark: set[Edge]) -> list[Strip] | None:
    """Return a path of strips to an odd one, of the fewest squares; None if none.

    A square of type III, if there is one, is such a path.
    """
    for q in graph.squares():
        if graph.is_parallel(q, dark):
            return [(q,)]
    ties, queue = count(), list[tuple[int, int, list[Strip]]]()
    own = graph.parts(dark)
    for q in graph.squares():
        if len({own[c] for c in solid.corners(q)}) > 1:
            for strip in strips(graph, dark, q):
                heappush(queue, (len(strip), next(ties), [strip]))
    expanded = set[Square]()
    while queue:
        area, _, path = heappop(queue)
        if len(path[-1]) % 2:
            return path
        e = path[-1][-1]
        if e not in expanded:
            expanded.add(e)
            for strip in successors(graph, dark, e):
                heappush(queue, (area + len(strip), next(ties), [*path, strip]))
    return None


def middle(graph: Graph, p: Cell) -> Cell | None:
    """Return the middle neighbour of an end with three neighbours, else None."""
    near = [(d, c) for d, c in enumerate(solid.neighbours(p)) if c in graph.cells]
    if len(near) != 3:
        return None
    ((missing,),) = [set(range(4)) - {d for d, _ in near}]
    return next(c for d, c in near if d == (missing + 2) % 4)


def without_end(graph: Graph, p: Cell) -> Graph:
    """Return the graph of the next level, without an end that has three neighbours."""
    q = graph.end if p == graph.live else graph.live
    ahead = middle(graph, p)
    if ahead == q:
        return Graph(graph.cells - {p, q}, NOWHERE, NOWHERE)
    return Graph(graph.cells - {p}, ahead or NOWHERE, q)


def distance(graph: Graph, dark: set[Edge]) -> int | None:
    """Return flips to the nearest factor with fewer components; None: there is none."""
    wanted = graph.number(dark)
    seen, queue = {frozenset(dark)}, deque([(frozenset(dark), 0)])
    while queue:
        here, far = queue.popleft()
        if graph.number(set(here)) < wanted:
            return far
        for q in graph.squares():
            if solid.alternating(q, set(here)):
                after = frozenset(solid.flipped(set(here), [q]))
                if after not in seen:
                    seen.add(after)
                    queue.append((after, far + 1))
    return None
