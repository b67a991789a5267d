"""Why a position is dead, as data that independent code can judge in linear time.

Every path factor has `need` edges at each cell. So of any region the edges that leave
it from cells of one colour are more than those that leave from the other by a number
that the colours alone decide, its *surplus*. The kinds, as docs/explanation/solid.md
proves them, and `verify.checker.dead` judges them:

* ``colours``: a region whose surplus is greater than its doors of that colour;
* ``cuts``: regions, each with as many doors of one colour as its surplus. They must all
  be used, and no door of the other colour. So closed are all doors of another region;
* ``apart``: a region that only the two ends connect to the other cells;
* ``static``: a path factor of several components that no path of strips improves, and
  factors of smaller graphs if it leaves an end with three neighbours sideways.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.solid.grid import (
    IN_SCOPE,
    ROOT,
    STAMP,
    Solid,
    augment,
    enter,
    load,
    new_solid,
    pad,
    scope,
    unpad,
)
from solver.solid.static import Factor, stuck_factors
from solver.solid.strips import is_open

Edge = tuple[Cell, Cell]
_COLOURS = ("white", "black")  # black is the colour of the upper left cell


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that a position is dead.

    - `kind`: ``colours``, ``cuts``, ``apart`` or ``static``.
    - `sentence`: for a person.
    - `data`: what `verify.checker.dead.find_dead_fault` reads; JSON.
    - `region`: cells to mark on a picture.
    - `doors`: edges that lead out of the region, the cell inside first.
    """

    kind: str
    sentence: str
    data: dict[str, Any]
    region: tuple[Cell, ...] = ()
    doors: tuple[Edge, ...] = ()


def find_certificate(position: Position) -> Certificate | None:
    """Return why a position is dead; None if it is not, or no kind says why.

    The kinds that a person can check without the theorem are tried first. O(cells) for
    these; for ``static`` see `solver.solid.static`.

    >>> found = find_certificate(Position.parse("5:RRDLD"))
    >>> found.kind
    'colours'
    """
    board, s = position.board, new_solid(position.board)
    load(s, position)
    if not augment(s):
        return _colours(_Graph(s, board), s)
    if found := _cuts(_Graph(s, board)):
        return found
    if position.live_end == board.end:
        return None
    if found := _apart(_Graph(s, board), {position.live_end, board.end}):
        return found
    if scope(s) != IN_SCOPE:
        return None
    factors = stuck_factors(position)
    return static_certificate(factors, board) if factors else None


class _Graph:
    """The graph and its dark edges as Python reads them, cells as on the board.

    - `colour`, `need`, `mark`: of every cell, as in `Solid`.
    - `around`: the cells beside a cell of the graph, and whether the edge is dark.
    """

    def __init__(self, s: Solid, board: Board) -> None:
        def unpadded(array: npt.NDArray[np.generic]) -> list[int]:
            frame = array.reshape(board.rows + 2, board.cols + 2)
            return cast(list[int], frame[1:-1, 1:-1].ravel().tolist())

        self.board = board
        self.colour = [int(board.black(c)) for c in range(board.cells)]
        self.need = unpadded(s.need)
        self.mark = unpadded(s.mark)
        self.cells = [c for c, inside in enumerate(unpadded(s.inside)) if inside]
        near, dark = unpadded(s.near), unpadded(s.dark)
        sides = [
            (1 << d, step) for d, step in enumerate((-board.cols, 1, board.cols, -1))
        ]
        self.around = {
            c: [(c + step, dark[c] & bit > 0) for bit, step in sides if near[c] & bit]
            for c in self.cells
        }

    def doors(self, region: set[Cell]) -> list[Edge]:
        return [
            (a, b) for a in sorted(region) for b, _ in self.around[a] if b not in region
        ]

    def surplus(self, region: set[Cell], colour: int) -> int:
        needs = (self.need[c] * (1 if self.colour[c] == colour else -1) for c in region)
        return sum(needs)

    def arcs(self, a: Cell) -> list[Cell]:
        """Return where exchanges lead: from white by dark, from black by light."""
        dark_out = self.colour[a] == 0
        return [b for b, dark in self.around[a] if dark == dark_out]

    def pieces(self, region: set[Cell], closed: set[Edge]) -> list[set[Cell]]:
        """Return the connected parts of a region, some edges left out."""
        left, found = set(region), []
        while left:
            first = min(left)
            left.remove(first)
            seen, stack = {first}, [first]
            while stack:
                a = stack.pop()
                for b, _ in self.around[a]:
                    if b in left and (a, b) not in closed and (b, a) not in closed:
                        left.remove(b)
                        seen.add(b)
                        stack.append(b)
            found.append(seen)
        return found


def _colours(graph: _Graph, s: Solid) -> Certificate:
    """Return the smallest region with too few doors of a colour."""
    colour = graph.colour[unpad(graph.board, int(s.info[ROOT]))]
    marked = {c for c in graph.cells if graph.mark[c] == s.info[STAMP]}
    found = []
    for region, side in ((marked, colour), (set(graph.cells) - marked, 1 - colour)):
        for piece in graph.pieces(region, set()):
            doors = [(a, b) for a, b in graph.doors(piece) if graph.colour[a] == side]
            needed = graph.surplus(piece, side)
            if needed > len(doors):
                found.append((len(piece), sorted(piece), side, needed, doors))
    _, chosen, side, needed, doors = min(found)
    name = _COLOURS[side]
    black = sum(graph.colour[c] for c in chosen)
    return Certificate(
        "colours",
        f"the marked region has {black} black and {len(chosen) - black} white cells: "
        f"the walk must use at least {needed} of its {name} doors, and there "
        f"{'is' if len(doors) == 1 else 'are'} {len(doors)}",
        {"kind": "colours", "colour": name, "region": chosen},
        tuple(chosen),
        tuple(doors),
    )


def _cuts(graph: _Graph) -> Certificate | None:
    """Return regions that close all doors of another, if there are any."""
    strong = _strong_components(graph)
    closed = {
        (a, b)
        for a in graph.cells
        for b, dark in graph.around[a]
        if not dark and strong[a] != strong[b]
    }
    pieces = graph.pieces(set(graph.cells), closed)
    if len(pieces) == 1:
        return None
    region = min(pieces, key=lambda piece: (len(piece), min(piece)))
    doors = graph.doors(region)
    for side in (0, 1):  # the region may close its doors itself
        if all(graph.colour[a] != side for a, _ in doors):
            other = _COLOURS[1 - side]
            why = (
                f"all doors of the marked region are {other}: each visit eats one "
                f"{other} cell more than {_COLOURS[side]}, and none is to spare"
            )
            if graph.surplus(region, side) == 0:
                level = {c: int(c in region) for c in range(graph.board.cells)}
                return _cuts_of(level, side, why, region, doors)
    level = _levels(graph, strong, {frozenset(edge) for edge in doors})
    why = (
        f"none of the {len(doors)} doors of the marked region can be used: beside them "
        "lie regions that need all of their white doors, so none of their black ones "
        "is used"
    )
    return _cuts_of(level, 0, why, region, doors)


def _cuts_of(
    level: dict[Cell, int], side: int, why: str, region: set[Cell], doors: list[Edge]
) -> Certificate:
    data = {
        "kind": "cuts",
        "colour": _COLOURS[side],
        "levels": [level[c] for c in sorted(level)],
        "region": sorted(region),
    }
    return Certificate("cuts", why, data, tuple(sorted(region)), tuple(doors))


def _strong_components(graph: _Graph) -> dict[Cell, int]:
    """Return numbers of the strong components, in their order: arcs lead back."""
    import networkx as nx  # only who asks why pays for it

    # Tarjan's algorithm finds a component after those that arcs lead to.
    arcs = nx.DiGraph({a: graph.arcs(a) for a in graph.cells})
    parts = enumerate(nx.strongly_connected_components(arcs))
    return {cell: number for number, part in parts for cell in part}


def _levels(
    graph: _Graph, strong: dict[Cell, int], doors: set[frozenset[Cell]]
) -> dict[Cell, int]:
    """Return levels so that no arc leads up, and arcs across doors lead down."""
    high = [0] * len(strong)
    for a, number in strong.items():
        for b in graph.arcs(a):
            if strong[b] != number:
                level = high[strong[b]] + (frozenset((a, b)) in doors)
                high[number] = max(high[number], level)
    return {c: high[strong[c]] if c in strong else 0 for c in range(graph.board.cells)}


def _apart(graph: _Graph, ends: set[Cell]) -> Certificate | None:
    """Return cells that only the ends connect to the others, if there are any."""
    pieces = graph.pieces(set(graph.cells) - ends, set())
    region = min(pieces, key=lambda piece: (len(piece), min(piece)), default=set())
    doors = graph.doors(region)
    if len(pieces) < 2 and (doors or not pieces):
        return None
    return Certificate(
        "apart",
        "only the live end and the end cell connect the marked cells to the others: no "
        "path between these two visits both",
        {"kind": "apart", "region": sorted(region)},
        tuple(sorted(region)),
        tuple(doors),
    )


def static_certificate(factors: tuple[Factor, ...], board: Board) -> Certificate:
    """Return a certificate of the factors of `stuck_factors`; it marks a loop.

    O(cells) for each factor.
    """
    lists = [[[a, b] for a, b in sorted(factor.edges)] for factor in factors]
    data: dict[str, Any] = {"kind": "static", "factors": lists}
    if below := _level_below(factors[-1], board):
        if augment(below):
            raise AssertionError("a level below the last one has a factor")
        data["no_factor"] = _colours(_Graph(below, board), below).data
    loops = _loops(factors[0])
    region = min(loops, key=lambda loop: (len(loop), min(loop)))
    s = new_solid(board)
    _enter(s, factors[0].cells, factors[0].ends, board)
    return Certificate(
        "static",
        "a path and loops cover the cells, and no strips of squares join the marked "
        "loop to the rest: so no path covers them",
        data,
        tuple(sorted(region)),
        tuple(_Graph(s, board).doors(region)),
    )


def _loops(factor: Factor) -> list[set[Cell]]:
    """Return the cells of each component of a factor but the path."""
    import networkx as nx  # as above

    parts = nx.connected_components(nx.Graph(factor.edges))
    return [part for part in parts if part.isdisjoint(factor.ends)]


def _level_below(factor: Factor, board: Board) -> Solid | None:
    """Return the graph without an end that a factor leaves sideways, if there is one.

    Only for an end that may need it: with three neighbours, and not corner-free.
    """
    s = new_solid(board)
    _enter(s, factor.cells, factor.ends, board)
    for end, other in (factor.ends, factor.ends[::-1]) if factor.ends else ():
        p = pad(board, end)
        if not is_open(s, p):
            continue
        missing = (15 ^ int(s.near[p])).bit_length() - 1
        middle = unpad(board, p - int(s.step[missing]))
        if (min(end, middle), max(end, middle)) in factor.edges:
            continue
        gone = {end, other} if middle == other else {end}
        ends = () if middle == other else (middle, other)
        _enter(s, factor.cells - gone, ends, board)
        return s
    return None


def _enter(
    s: Solid, cells: frozenset[Cell], ends: tuple[Cell, ...], board: Board
) -> None:
    """Make the graph of some cells, with two ends or with none."""
    s.inside[:] = 0
    s.inside[[pad(board, c) for c in cells]] = 1
    live, end = (
        (pad(board, c) for c in ends) if ends else (0, 0)
    )  # no cell of the graph
    enter(s, live, end)
