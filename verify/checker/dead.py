"""Certificates that a position is dead, judged by its text alone.

Nothing in a certificate is believed. The *graph* has the unvisited cells and the live
end. Every completion is a *factor*: a set of edges, one at the live end, one at the end
cell and two at every other cell. Of any region, count the edges of a factor that leave
it from cells of one colour, less those that leave it from the other. That is the
region's *surplus*, for it is also the sum of what the cells need, by colour.
docs/explanation/solid.md proves what each kind claims.
"""

from collections.abc import Iterator, Mapping
from itertools import accumulate, cycle
from typing import Annotated, Any, Literal

from msgspec import Meta

from verify.checker.claim import Flaw, Record, read_as, refuse
from verify.checker.position import Graph, read_position

Cells = Annotated[tuple[int, ...], Meta(min_length=1)]
Edges = tuple[tuple[int, int], ...]
_SIDES = {"black": 1, "white": -1}  # as `Graph.colour`


def find_dead_fault(text: str, certificate: object) -> str | None:
    """Return the first fault of a certificate that the position is dead, or None.

    >>> white = {"kind": "colours", "colour": "white", "region": [0, 1, 2, 3]}
    >>> find_dead_fault("2:", white)
    >>> find_dead_fault("2@1,1>2,1:", white)
    'the region needs 0 such doors and has 0'
    """
    board, walk = read_position(text)
    if fault := board.walk_fault(walk):
        return fault
    kinds: Any = Colours | Apart | Cuts | Static
    try:
        graph = board.without(set(walk[:-1]), (walk[-1], board.ends[1]))
        read_as(certificate, kinds).check(graph)
    except Flaw as fault:
        return str(fault)
    return None


def _region(graph: Graph, cells: Cells) -> set[int]:
    region = set(cells)
    good = len(region) == len(cells) and region <= graph.cells
    refuse(not good, "the region names a cell twice or a visited one")
    return region


class Colours(Record, frozen=True, tag_field="kind", tag="colours"):
    """A region that needs more doors of a colour than it has: there is no factor."""

    colour: Literal["black", "white"]
    region: Cells

    def check(self, graph: Graph) -> None:
        """Raise `Flaw` if the graph has enough doors. Linear time."""
        side, region = _SIDES[self.colour], _region(graph, self.region)
        surplus = sum(side * graph.colour(c) * graph.need(c) for c in region)
        cells = [a for a in region if graph.colour(a) == side]
        doors = sum(b not in region for a in cells for b in graph.around[a])
        why = f"the region needs {surplus} such doors and has {doors}"
        refuse(surplus <= doors, why)


class Apart(Record, frozen=True, tag_field="kind", tag="apart"):
    """A region that only the ends touch: without them a completion is in one piece."""

    region: Cells

    def check(self, graph: Graph) -> None:
        """Raise `Flaw` if a completion may reach the region."""
        region, ends = _region(graph, self.region), set(graph.ends)
        doors = {b for a in region for b in graph.around[a]} - region
        why = "the region holds an end, or all cells but the ends"
        refuse(region & ends or (doors and graph.cells <= region | ends), why)
        for cell in sorted(doors - ends):
            raise Flaw(f"cell {cell} touches the region and is no end")


class Cuts(Record, frozen=True, tag_field="kind", tag="cuts"):
    """A region whose doors are closed by those of the cells of each level up."""

    colour: Literal["black", "white"]
    region: Cells
    levels: tuple[Annotated[int, Meta(ge=0)], ...]

    def check(self, graph: Graph) -> None:
        """Raise `Flaw` if a door is open, or a level has a wrong surplus."""
        side, region = _SIDES[self.colour], _region(graph, self.region)
        refuse(region == graph.cells, "the region is the whole graph")
        level, size = self.levels, graph.rows * graph.cols
        why = "the levels are not one for each cell, up to their number"
        refuse(len(level) != size or max(level) > size, why)
        over = [0] * (max(level) + 2)  # surplus less doors, as differences by level
        for near in graph.cells:
            needed = side * graph.colour(near) * graph.need(near)
            over[1] += needed
            over[level[near] + 1] -= needed
            if graph.colour(near) != side:
                continue
            for far in graph.around[near]:
                if level[near] > level[far]:
                    over[level[far] + 1] -= 1
                    over[level[near] + 1] += 1
                if (near in region) != (far in region) and level[near] >= level[far]:
                    raise Flaw(f"nothing closes the door {near}-{far}")
        for number, much in enumerate(accumulate(over[1:-1]), 1):
            refuse(much, f"level {number}: its surplus is not the number of its doors")


# Kind `static`: factors that no path of strips improves.
# docs/explanation/solid.md has the theorem. It speaks of graphs without holes whose
# ends have at most two neighbours, one of them three, and says when a factor has the
# fewest components of all. What follows repeats the search for strips in its own words.
# A *square* is four cells around a point, named by the upper left one. Its sides are
# bits: top 1, right 2, bottom 4, left 8. It is *alternating* if two opposite sides are
# dark, edges of the factor, and the other two are light.

_ALTERNATING = (5, 10)


class Static(Record, frozen=True, tag_field="kind", tag="static"):
    """Factors that have two components or more, and the fewest of all.

    The first is a factor of the graph. It may leave an end with three neighbours
    sideways. Then the next one is a factor of the graph without that end, whose middle
    neighbour is the end instead. It must have more components, and so on. After the
    last one `no_factor` may show that no next one exists.
    """

    factors: Annotated[tuple[Edges, ...], Meta(min_length=1)]
    no_factor: Colours | None = None

    def check(self, graph: Graph) -> None:
        """Raise `Flaw` if nothing is proved; O(cells) a factor and an even strip."""
        _check_scope(graph)
        here: Graph | None = graph
        fewer = 1
        for number, edges in enumerate(self.factors, 1):
            if here is None:
                raise Flaw(f"factor {number - 1} needs no other after it")
            factor = _Factor(here, edges)
            components = len(factor.circles) + (not here.ends)  # the path is an edge
            refuse(components <= fewer, f"factor {number} has too few components")
            fewer = components
            factor.search()
            here = _onward(here, factor)
        if here is None:
            refuse(self.no_factor, "no_factor is not needed")
        elif self.no_factor is None:
            raise Flaw("the last factor leaves an end sideways")
        else:
            self.no_factor.check(here)


def _check_scope(graph: Graph) -> None:
    """Raise `Flaw` if the theorem does not speak of the graph and its ends."""
    live, end = graph.ends
    refuse(live == end or end not in graph.cells, "the walk has been at its end")
    # Euler's formula: as many bounded faces as unit squares, so all are unit squares.
    edges = sum(map(len, graph.around.values())) // 2
    squares = sum(_corners(graph, q) is not None for q in graph.cells)
    holes = _parts(graph) - len(graph.cells) + edges - squares
    refuse(holes != 0, "the unvisited cells have a hole")
    few, many = sorted(len(graph.around[cell]) for cell in graph.ends)
    refuse(many == 4, "an end has four neighbours")
    cut = few == 3 and _parts(graph.without(graph.ends, ())) != 1
    refuse(cut, "both ends have three neighbours, and they cut the graph")


def _parts(graph: Graph) -> int:
    """Return the number of connected parts."""
    left, parts = set(graph.cells), 0
    while left:
        parts += 1
        stack = [left.pop()]
        while stack:
            near = left.intersection(graph.around[stack.pop()])
            left -= near
            stack += near
    return parts


def _corners(graph: Graph, q: int) -> tuple[int, int, int, int] | None:
    """Return the cells of square `q`, clockwise; None if one is missing."""
    four = (q, q + 1, q + graph.cols + 1, q + graph.cols)
    whole = (q + 1) % graph.cols and all(cell in graph.cells for cell in four)
    return four if whole else None


def _onward(graph: Graph, factor: "_Factor") -> Graph | None:
    """Return the graph that the next factor is of; None if the proof needs none."""
    wide = [cell for cell in graph.ends if len(graph.around[cell]) == 3]
    if all(factor.beside[x] == [_middle(graph, x)] for x in wide):
        return None
    why = "both ends have three neighbours, and one is left sideways"
    refuse(len(wide) == 2, why)
    (end,), (other,) = wide, set(graph.ends).difference(wide)
    middle = _middle(graph, end)
    step = end - middle
    # Are both cells next to the missing neighbour missing, or beyond the board's rim?
    beside = {near + step for near in graph.around[end] if near != middle}
    at_rim = abs(step) == 1 and (end + step) // graph.cols != end // graph.cols
    if at_rim or not graph.cells & beside:
        return None
    if middle == other:
        return graph.without((end, other), ())
    return graph.without((end,), (middle, other))


def _middle(graph: Graph, cell: int) -> int:
    """Return the one of three neighbours that is opposite to the missing one."""
    a, b, c = graph.around[cell]
    return {a + b: c, a + c: b, b + c: a}[2 * cell]


class _Factor:
    """A factor with its components."""

    def __init__(self, graph: Graph, edges: Edges) -> None:
        self.beside = _dark_edges(graph, edges)
        self.circles: list[list[int]] = []  # the cells of components, in their order
        self.place: dict[int, tuple[int, int]] = {}  # of a cell: component and index
        for begin in (*graph.ends, *sorted(graph.cells)):  # the path from an end on
            here = None if begin in self.place else begin
            while here is not None:
                if here == begin:
                    self.circles.append([])
                self.place[here] = len(self.circles) - 1, len(self.circles[-1])
                self.circles[-1].append(here)
                here = next((b for b in self.beside[here] if b not in self.place), None)
        self.steps = (-graph.cols, 1, graph.cols, -1)  # to the next square, by side
        self.corners = {q: x for q in graph.cells if (x := _corners(graph, q))}
        self.squares = {  # with their dark sides
            q: sum(
                (b in self.beside[a]) << d
                for d, (a, b) in enumerate(zip(x, x[1:] + x[:1], strict=True))
            )
            for q, x in self.corners.items()
        }

    def search(self) -> None:
        """Raise `Flaw` if a square joins two components, or an odd strip is reached.

        A strip is reached if it begins at a square with corners in two components, or
        an even strip that is reached leads to it.
        """
        reached, stack = set[int](), list[list[int]]()
        for q, dark in self.squares.items():
            if len({self.place[cell][0] for cell in self.corners[q]}) > 1:
                refuse(dark in _ALTERNATING, f"square {q} joins two components")
                stack.append(self._strip(q, {}))
        while stack:
            strip = stack.pop()
            if len(strip) % 2:
                raise Flaw(f"an odd strip is reached, from square {strip[0]}")
            if strip and strip[-1] not in reached:
                reached.add(strip[-1])
                stack += self._successors(strip[-1])

    def _successors(self, end: int) -> Iterator[list[int]]:
        """Yield the strips that an even strip with this end leads to."""
        around = [(d, end + step) for d, step in enumerate(self.steps)]
        touching = {end, *(q for _, q in around)}
        for q in self._split(end):
            strip = self._strip(q, {})
            if touching.isdisjoint(strip):
                yield strip
        beside = [(d, q) for d, q in around if q in self.squares]
        flipped = {q: self.squares[q] ^ 1 << (d + 2) % 4 for d, q in beside}
        flipped[end] = 15 - self.squares[end]
        for d, q in beside:
            if self.squares[end] >> d & 1:
                strip = self._strip(q, flipped)
                if end not in strip:
                    yield strip

    def _split(self, end: int) -> set[int]:
        """Return the squares with corners in both halves of an alternating square.

        The dark sides of the square are two gaps in the circle of its component, which
        fall it apart in two. O(cells of the smaller half).
        """
        d = 0 if self.squares[end] == 5 else 1
        four = self.corners[end]
        gaps = []
        for a, b in ((four[d], four[d + 1]), (four[d - 2], four[d - 1])):
            (mine, i), (_, j) = self.place[a], self.place[b]
            gaps.append(min(i, j) if abs(i - j) == 1 else max(i, j))
        low, high = sorted(gaps)
        circle = self.circles[mine]
        half = circle[low + 1 : high + 1]
        if 2 * len(half) > len(circle):
            half = circle[: low + 1] + circle[high + 1 :]
        inside, up = set(half), self.steps[0]
        return {
            q
            for cell in half
            for q in (cell, cell - 1, cell + up, cell + up - 1)
            if any(
                self.place[c][0] == mine and c not in inside
                for c in self.corners.get(q, ())
            )
        }

    def _strip(self, first: int, flipped: Mapping[int, int]) -> list[int]:
        """Return the strip that begins at a square; empty if there is none.

        Of the factor with the sides of some squares `flipped`. A strip has one dark
        side at its back; the squares in turn have dark sides at back and front, or at
        neither and at one or both of the other two.
        """
        dark = flipped.get(first, self.squares.get(first))
        if dark in _ALTERNATING:
            return [first]
        if dark not in (1, 2, 4, 8):
            return []
        ahead = (dark.bit_length() + 1) % 4
        back, front, lateral = dark, 1 << ahead, 15 - dark - (1 << ahead)
        strip = [first]
        for stop, go in cycle(((lateral, lateral | front), (back | front, back))):
            strip.append(strip[-1] + self.steps[ahead])
            dark = flipped.get(strip[-1], self.squares.get(strip[-1]))
            if dark == stop:
                return strip
            if dark != go:
                break
        return []


def _dark_edges(graph: Graph, edges: Edges) -> dict[int, list[int]]:
    """Return the cells to which each cell has a dark edge."""
    beside: dict[int, list[int]] = {cell: [] for cell in graph.cells}
    for a, b in edges:
        refuse(b not in graph.around.get(a, ()), "an edge is none of the graph")
        beside[a].append(b)
        beside[b].append(a)
    for cell, near in beside.items():
        need = graph.need(cell)
        good = len(near) == need == len(set(near))
        refuse(not good, f"cell {cell} has not {need} edges of a factor")
    return beside
