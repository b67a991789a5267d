"""Certificates that a position is dead, judged by its text alone.

A certificate is what JSON can say, and nothing in it is believed. The *graph* has the
unvisited cells and the live end. Whatever a completion is, it is a *factor*: a set of
edges, one at the live end, one at the end cell and two at every other cell. Of any
region, count the edges of a factor that leave it from cells of one colour, less those
that leave it from the other: that is the region's *surplus*, for it is also the sum of
what the cells need, by colour. docs/explanation/solid.md proves what each kind says.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from verify.checker.position import _Reading, _walk_fault
from verify.checker.values import Fault

_COLOURS = {"black": 1, "white": -1}


def find_dead_fault(text: str, certificate: object) -> str | None:
    """Return the first fault of a certificate that the position is dead, or None.

    >>> white = {"kind": "colours", "colour": "white", "region": [0, 1, 2, 3]}
    >>> find_dead_fault("2:", white)
    >>> find_dead_fault("2@1,1>2,1:", white)
    'the region needs 0 such doors and has 0'
    """
    try:
        _judge(text, certificate)
    except Fault as fault:
        return str(fault)
    return None


def _judge(text: str, certificate: object) -> None:
    if not isinstance(certificate, Mapping):
        raise Fault("the certificate is no table")
    graph, kind = graph_of(text), certificate.get("kind")
    kinds = {
        "apart": _apart,
        "colours": judge_colours,
        "cuts": _cuts,
        "static": judge_static,
    }
    if not isinstance(kind, str) or kind not in kinds:
        raise Fault(f"unknown kind {kind!r}")
    kinds[kind](graph, certificate)


# The graph, and counts in it --------------------------------------------------


class Graph:
    """Cells of a board with the edges between them, and the ends of a completion.

    - `rows`, `cols`: of the board.
    - `around`: the neighbours of each cell.
    - `ends`: two cells, or none if a factor has two edges at every cell. The end cell
      need not be one of `cells`: the walk may have visited it.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        around: Mapping[int, Iterable[int]],
        ends: tuple[int, ...],
    ) -> None:
        self.rows, self.cols, self.ends = rows, cols, ends
        self.cells = set(around)
        self.around = {
            cell: [b for b in near if b in self.cells] for cell, near in around.items()
        }

    def need(self, cell: int) -> int:
        """Return the number of edges that a factor has at a cell."""
        return 2 - self.ends.count(cell)

    def colour(self, cell: int) -> int:
        """Return 1 for the colour of the upper left cell of the board, else -1."""
        return -1 if (cell // self.cols + cell % self.cols) % 2 else 1

    def without(self, gone: tuple[int, ...], ends: tuple[int, ...]) -> "Graph":
        """Return the graph without some cells, with other ends."""
        left = {a: near for a, near in self.around.items() if a not in gone}
        return Graph(self.rows, self.cols, left, ends)

    def corners(self, q: int) -> tuple[int, int, int, int] | None:
        """Return the cells of the square with upper left cell `q`, clockwise.

        None if one is missing.
        """
        four = (q, q + 1, q + self.cols + 1, q + self.cols)
        if (q + 1) % self.cols == 0 or not self.cells.issuperset(four):
            return None
        return four


def graph_of(text: str) -> Graph:
    """Return the graph of a position.

    Raises `Fault` if the text's walk is no walk.
    """
    board = _Reading(text)
    if fault := _walk_fault(board, board.walk):
        raise Fault(fault)
    cells = board.open - set(board.walk[:-1])
    around = {cell: board.around(cell) for cell in cells}
    ends = board.walk[-1], board.end
    return Graph(board.rows, board.cols, around, ends)


def numbers_of(value: object, name: str) -> list[int]:
    """Read a list of whole numbers."""
    if type(value) is not list or any(type(one) is not int for one in value):
        raise Fault(f"the {name} is no list of whole numbers")
    return value


def region_of(graph: Graph, certificate: Mapping[str, Any]) -> set[int]:
    """Read a set of cells of the graph that is not empty."""
    cells = numbers_of(certificate.get("region"), "region")
    region = set(cells)
    if len(region) < max(len(cells), 1) or not region <= graph.cells:
        raise Fault("the region is empty, names a cell twice or a visited one")
    return region


def colour_of(certificate: Mapping[str, Any]) -> int:
    """Read a colour: 1 for black, -1 for white."""
    name = certificate.get("colour")
    if type(name) is not str or name not in _COLOURS:
        raise Fault("the colour is neither black nor white")
    return _COLOURS[name]


def judge_colours(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region that needs more doors of a colour than it has.

    Such a graph has no factor. Raises `Fault`. Linear time.
    """
    side, region = colour_of(certificate), region_of(graph, certificate)
    surplus = sum(side * graph.colour(c) * graph.need(c) for c in region)
    cells = [a for a in region if graph.colour(a) == side]
    doors = sum(b not in region for a in cells for b in graph.around[a])
    if surplus <= doors:
        raise Fault(f"the region needs {surplus} such doors and has {doors}")


def _apart(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region that nothing but the ends of the completion touches.

    Without its ends the rest of a completion is in one piece.
    """
    region, ends = region_of(graph, certificate), set(graph.ends)
    doors = {b for a in region for b in graph.around[a]} - region
    if region & ends or (doors and graph.cells <= region | ends):
        raise Fault("the region holds an end, or all cells but the ends")
    if doors - ends:
        raise Fault(f"cell {min(doors - ends)} touches the region and is no end")


def _cuts(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge a region whose doors are closed by those of the cells of each level up."""
    side, region = colour_of(certificate), region_of(graph, certificate)
    if region == graph.cells:
        raise Fault("the region is the whole graph")
    level, colour = numbers_of(certificate.get("levels"), "levels"), graph.colour
    size = graph.rows * graph.cols
    if len(level) != size or min(level) < 0 or max(level) > size:
        raise Fault("the levels are not one for each cell, from 0 to their number")
    over = [0] * (max(level) + 2)  # surplus less doors, as differences by level
    for cell in graph.cells:
        part = side * colour(cell) * graph.need(cell)
        over[1] += part
        over[level[cell] + 1] -= part
    for near in graph.cells:
        for far in graph.around[near] if colour(near) == side else ():
            door = (near in region) != (far in region)
            if level[near] > level[far]:
                over[level[far] + 1] -= 1
                over[level[near] + 1] += 1
            if door and level[near] >= level[far]:
                raise Fault(f"nothing closes the door {near}-{far}")
    for number, much in enumerate(accumulate(over[1:-1]), 1):
        if much:
            raise Fault(f"level {number}: its surplus is not the number of its doors")


# Kind `static`: factors that no path of strips improves.
#
# docs/explanation/solid.md has the theorem. It speaks of graphs without holes whose
# ends have at most two neighbours, one of them three, and says when a factor has the
# fewest components of all. What follows repeats the search for strips in its own words.
#
# A *square* is four cells around a point, named by the upper left one. Its sides are
# bits: top 1, right 2, bottom 4, left 8. It is *alternating* if two opposite sides are
# dark, edges of the factor, and the other two are light.

_ALTERNATING = (5, 10)
_BACKS = {
    1: 0,
    2: 1,
    4: 2,
    8: 3,
}  # direction of the side, from a square's one dark side


def judge_static(graph: Graph, certificate: Mapping[str, Any]) -> None:
    """Judge factors that have two components or more, and the fewest of all.

    The first is a factor of the graph. If it leaves an end with three neighbours
    sideways, the next one is a factor of the graph without that end, with its middle
    neighbour as the end instead. It must have more components, and so on. After the
    last one `no_factor`, of kind ``colours``, may say that there is no next one.

    Raises `Fault`. O(cells) for each factor and each even strip that is reached.
    """
    if set(certificate) - {"no_factor"} != {"kind", "factors"}:
        raise Fault("the certificate does not hold just its factors")
    _check_scope(graph)
    factors, here = certificate["factors"], graph
    if type(factors) is not list or not 0 < len(factors) <= len(graph.cells):
        raise Fault("the factors are no list, or none or too many")
    fewer = 1  # components that a factor must exceed
    for number, edges in enumerate(factors, 1):
        factor = _Factor(here, edges)
        components = len(factor.circles) + (not here.ends)  # the path is an edge then
        if components <= fewer:
            raise Fault(f"factor {number} has too few components")
        fewer = components
        factor.search()
        onward = _onward(here, factor)
        if number < len(factors):
            if onward is None:
                raise Fault(f"factor {number} needs no other after it")
            here = onward
    if "no_factor" not in certificate:
        if onward is not None:
            raise Fault("the last factor leaves an end sideways")
        return
    none = certificate["no_factor"]
    if onward is None or type(none) is not dict or none.get("kind") != "colours":
        raise Fault("no_factor is not of kind colours, or is not needed")
    judge_colours(onward, none)


def _check_scope(graph: Graph) -> None:
    """Raise `Fault` if the theorem does not speak of the graph and its ends."""
    live, end = graph.ends
    if live == end or end not in graph.cells:
        raise Fault("the walk has been at its end")
    # Euler's formula: as many bounded faces as unit squares, so all are unit squares.
    edges = sum(map(len, graph.around.values())) // 2
    squares = sum(graph.corners(q) is not None for q in graph.cells)
    if _parts(graph) - len(graph.cells) + edges != squares:
        raise Fault("the unvisited cells have a hole")
    near = sorted(len(graph.around[cell]) for cell in graph.ends)
    if near[1] == 4:
        raise Fault("an end has four neighbours")
    if near[0] == 3 and _parts(graph.without(graph.ends, ())) != 1:
        raise Fault("both ends have three neighbours, and they cut the graph")


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


def _onward(graph: Graph, factor: "_Factor") -> Graph | None:
    """Return the graph that the next factor is of; None if the proof needs none."""
    wide = [cell for cell in graph.ends if len(graph.around[cell]) == 3]
    straight = [factor.beside[cell] == [_middle(graph, cell)] for cell in wide]
    if len(wide) == 2 and not all(straight):
        raise Fault("both ends have three neighbours, and one is left sideways")
    if all(straight):  # or there are none
        return None
    (end,), (other,) = wide, set(graph.ends).difference(wide)
    middle = _middle(graph, end)
    if _is_corner_free(graph, end, middle):
        return None
    if middle == other:
        return graph.without((end, other), ())
    return graph.without((end,), (middle, other))


def _middle(graph: Graph, cell: int) -> int:
    """Return the one of three neighbours that is opposite to the missing one."""
    a, b, c = graph.around[cell]
    return {a + b: c, a + c: b, b + c: a}[2 * cell]


def _is_corner_free(graph: Graph, cell: int, middle: int) -> bool:
    """Return whether both cells next to the missing neighbour are missing."""
    step = cell - middle
    beside = [near + step for near in graph.around[cell] if near != middle]
    # At the rim of the board a step sideways would lead to another row.
    at_rim = abs(step) == 1 and (cell + step) // graph.cols != cell // graph.cols
    return at_rim or graph.cells.isdisjoint(beside)


class _Factor:
    """A factor with its components.

    - `beside`: the cells to which a cell has a dark edge.
    - `circles`: the cells of each component in their order along it.
    - `place`: of each cell, the number of its component and its index there.
    - `squares`: the dark sides of each square.
    """

    def __init__(self, graph: Graph, edges: object) -> None:
        needed = sum(map(graph.need, graph.cells))
        if type(edges) is not list or 2 * len(edges) != needed:
            raise Fault(f"a factor is no list of {needed / 2:g} edges")
        self.graph = graph
        self.beside: dict[int, list[int]] = {cell: [] for cell in graph.cells}
        for edge in edges:
            ends = numbers_of(edge, "edge")
            if len(ends) != 2 or ends[1] not in graph.around.get(ends[0], ()):
                raise Fault("an edge is none of the graph")
            for a, b in (ends, ends[::-1]):
                self.beside[a].append(b)
        for cell, near in self.beside.items():
            if len(near) != graph.need(cell) or len(set(near)) < len(near):
                raise Fault(f"cell {cell} has not {graph.need(cell)} edges of a factor")
        self.circles: list[list[int]] = []
        self.place: dict[int, tuple[int, int]] = {}
        for begin in (*graph.ends, *sorted(graph.cells)):
            if begin not in self.place:
                self._follow(begin)
        self.steps = (-graph.cols, 1, graph.cols, -1)  # by direction, as sides are
        self.squares: dict[int, int] = {}
        for q in graph.cells:
            if four := graph.corners(q):
                sides = zip(four, four[1:] + four[:1], strict=True)
                dark = (b in self.beside[a] for a, b in sides)
                self.squares[q] = sum(bit << d for d, bit in enumerate(dark))

    def _follow(self, begin: int) -> None:
        """Trace one component, the path from an end on."""
        circle: list[int] = []
        here: int | None = begin
        while here is not None:
            self.place[here] = len(self.circles), len(circle)
            circle.append(here)
            here = next((b for b in self.beside[here] if b not in self.place), None)
        self.circles.append(circle)

    def search(self) -> None:
        """Raise `Fault` if a square joins two components, or an odd strip is reached.

        A strip is reached if it begins at a square with corners in two components, or
        by `successors` of the end of an even strip that is reached.
        """
        found = set[int]()
        stack = []
        for q, dark in self.squares.items():
            if len({self.place[cell][0] for cell in self._corners(q)}) > 1:
                if dark in _ALTERNATING:
                    raise Fault(f"square {q} joins two components")
                stack.append(self._strip(q, None))
        while stack:
            row = stack.pop()
            if not row:
                continue
            if len(row) % 2:
                raise Fault(f"an odd strip is reached, from square {row[0]}")
            if row[-1] not in found:
                found.add(row[-1])
                stack += self._successors(row[-1])

    def _successors(self, end: int) -> Iterator[list[int]]:
        """Yield the strips that an even strip with this end leads to."""
        touching = {end, *(end + step for step in self.steps)}
        for q in self._split(end):
            row = self._strip(q, None)
            if touching.isdisjoint(row):
                yield row
        for d, step in enumerate(self.steps):
            if self.squares[end] >> d & 1 and end + step in self.squares:
                row = self._strip(end + step, end)
                if end not in row:
                    yield row

    def _split(self, end: int) -> set[int]:
        """Return the squares with corners in both halves of an alternating square.

        The dark sides of the square are two gaps in the circle of its component, which
        fall it apart in two. O(cells of the smaller half).
        """
        d = 0 if self.squares[end] == 5 else 1
        four = self._corners(end)
        gaps = []
        for a, b in ((four[d], four[d + 1]), (four[d - 2], four[d - 1])):
            (mine, i), (_, j) = self.place[a], self.place[b]
            gaps.append(min(i, j) if abs(i - j) == 1 else max(i, j))
        low, high = sorted(gaps)
        circle = self.circles[mine]
        half = circle[low + 1 : high + 1]
        if 2 * len(half) > len(circle):
            half = circle[: low + 1] + circle[high + 1 :]
        inside, found = set(half), set[int]()
        for cell in half:
            for q in (
                cell,
                cell - 1,
                cell - self.graph.cols,
                cell - self.graph.cols - 1,
            ):
                if q in self.squares and any(
                    self.place[c][0] == mine and c not in inside
                    for c in self._corners(q)
                ):
                    found.add(q)
        return found

    def _strip(self, first: int, flipped: int | None) -> list[int]:
        """Return the strip that begins at a square; empty if there is none.

        Of the factor, or of the factor with one square flipped.
        """
        dark = self._sides(first, flipped)
        if dark in _ALTERNATING:
            return [first]
        if dark not in _BACKS:
            return []
        ahead = (_BACKS[dark] + 2) % 4
        back, front, lateral = dark, 1 << ahead, 15 - dark - (1 << ahead)
        row = [first]
        while True:
            row.append(row[-1] + self.steps[ahead])
            dark = self._sides(row[-1], flipped)
            stop, go = (
                (back | front, back) if len(row) % 2 else (lateral, lateral | front)
            )
            if dark == stop:
                return row
            if dark != go:
                return []

    def _sides(self, q: int, flipped: int | None) -> int | None:
        """Return the dark sides of a square; None if it is none."""
        dark = self.squares.get(q)
        if dark is None or flipped is None:
            return dark
        if q == flipped:
            return 15 - dark
        for d, step in enumerate(self.steps):
            if q + step == flipped:
                return dark ^ 1 << d
        return dark

    def _corners(self, q: int) -> tuple[int, int, int, int]:
        four = self.graph.corners(q)
        assert four is not None
        return four
