"""Why a position is dead, as data that independent code can judge in linear time.

A path factor has `need` edges at each cell. Count the edges that leave a region from
its cells of one colour, less those from the other colour. The number is the same for
all factors: the *surplus* of the region. docs/explanation/solid.md proves the kinds,
and `verify.checker.dead` judges them:

* ``colours``: a region whose surplus is greater than its doors of that colour;
* ``cuts``: regions, each with as many doors of one colour as its surplus. The walk must
  use them all, and no door of the other colour. So another region has no open door;
* ``apart``: a region that only the two ends connect to the other cells;
* ``static``: a path factor of several components that no path of strips improves, and
  factors of smaller graphs if it leaves an end with three neighbours sideways.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.solid.factor import (
    IN_SCOPE,
    KEY,
    Solid,
    augment,
    load_position,
    make_graph,
    new_solid,
    theorem_scope,
    unpad,
)
from solver.solid.static import (
    NEVER,
    decide_graph,
    decide_levels,
    is_open,
    missing_side,
)

Edge = tuple[Cell, Cell]
_COLOURS = ("white", "black")  # black is the colour of the upper left cell


@dataclass(frozen=True, slots=True)
class DeadCertificate:
    """A proof that a position is dead."""

    kind: str  # ``colours``, ``cuts``, ``apart`` or ``static``
    sentence: str  # the reason in words
    data: dict[str, Any]  # JSON values for `verify.checker.dead.find_dead_fault`
    region: tuple[Cell, ...]  # cells to mark on a picture
    doors: tuple[Edge, ...]  # edges that lead out of the region, the cell inside first


def _certificate(
    kind: str, why: str, region: Iterable[Cell], doors: list[Edge], data: dict[str, Any]
) -> DeadCertificate:
    cells = tuple(sorted(region))
    return DeadCertificate(kind, why, {"kind": kind, **data}, cells, tuple(doors))


def find_certificate(position: Position) -> DeadCertificate | None:
    """Return why a position is dead; None if it is not, or no kind says why.

    The kinds that need no theorem come first. O(cells) for
    these; for ``static`` see `solver.solid.static`.

    >>> find_certificate(Position.parse("5:RRDLD")).kind
    'colours'
    """
    board, s = position.board, new_solid(position.board)
    load_position(s, position)
    if not augment(s):
        return _colours(_Graph(s, board), s)
    graph = _Graph(s, board)
    if certificate := _cuts(graph):
        return certificate
    if position.live_end == board.end:
        return None
    if certificate := _apart(graph, {position.live_end, board.end}):
        return certificate
    return _static(s, position) if theorem_scope(s) == IN_SCOPE else None


class _Graph:
    """The graph and its dark edges as Python reads them, cells as on the board."""

    def __init__(self, s: Solid, board: Board) -> None:
        def unpadded(array: npt.NDArray[np.generic]) -> list[int]:
            frame = array.reshape(board.rows + 2, board.cols + 2)
            return cast(list[int], frame[1:-1, 1:-1].ravel().tolist())

        self.board = board
        self.colour = [int(board.black(c)) for c in range(board.cells)]
        self.need, self.mark = unpadded(s.need), unpadded(s.mark)
        self.cells = {c for c, inside in enumerate(unpadded(s.inside)) if inside}
        near, dark = unpadded(s.near), unpadded(s.dark)
        steps = ((1, -board.cols), (2, 1), (4, board.cols), (8, -1))
        self.around = {  # the neighbours of a cell, and whether the edge is dark
            c: [(c + step, dark[c] & bit > 0) for bit, step in steps if near[c] & bit]
            for c in sorted(self.cells)
        }

    def doors(self, region: set[Cell]) -> list[Edge]:
        """Return the edges that lead out of a region, the cell inside first."""
        return [
            (a, b) for a in sorted(region) for b, _ in self.around[a] if b not in region
        ]

    def surplus(self, region: set[Cell], colour: int) -> int:
        """Return what cells of a colour need less what the others need."""
        needs = (self.need[c] * (1 if self.colour[c] == colour else -1) for c in region)
        return sum(needs)

    def arcs(self, a: Cell) -> list[Cell]:
        """Return where exchanges lead: from white by dark, from black by light."""
        dark_out = self.colour[a] == 0
        return [b for b, dark in self.around[a] if dark == dark_out]

    def pieces(self, region: set[Cell], closed: set[Edge]) -> list[set[Cell]]:
        """Return the connected parts of a region without the closed edges."""
        left, pieces = set(region), []
        while left:
            stack = [min(left)]
            piece = {stack[0]}
            left -= piece
            while stack:
                a = stack.pop()
                for b, _ in self.around[a]:
                    if b in left and (a, b) not in closed and (b, a) not in closed:
                        left.remove(b)
                        piece.add(b)
                        stack.append(b)
            pieces.append(piece)
        return pieces


def _first(pieces: Iterable[set[Cell]]) -> set[Cell]:
    """Return the smallest piece."""
    return min(pieces, key=lambda piece: (len(piece), min(piece)), default=set())


def _colours(graph: _Graph, s: Solid) -> DeadCertificate:
    """Return the smallest region with too few doors of a colour."""
    colour = graph.colour[unpad(graph.board, int(s.info[KEY.root]))]
    marked = {c for c in graph.cells if graph.mark[c] == s.info[KEY.stamp]}
    regions = []
    for region, side in ((marked, colour), (graph.cells - marked, 1 - colour)):
        for piece in graph.pieces(region, set()):
            doors = [(a, b) for a, b in graph.doors(piece) if graph.colour[a] == side]
            needed = graph.surplus(piece, side)
            if needed > len(doors):
                regions.append((len(piece), sorted(piece), side, needed, doors))
    _, cells, side, needed, doors = min(regions)
    name = _COLOURS[side]
    black = sum(graph.colour[c] for c in cells)
    why = (
        f"the marked region has {black} black and {len(cells) - black} white cells: "
        f"the walk must use at least {needed} of its {name} doors, and there "
        f"{'is' if len(doors) == 1 else 'are'} {len(doors)}"
    )
    return _certificate("colours", why, cells, doors, {"colour": name, "region": cells})


def _cuts(graph: _Graph) -> DeadCertificate | None:
    """Return regions that close all doors of another, if there are any."""
    strong = _strong_components(graph)
    closed = {
        (a, b)
        for a in graph.cells
        for b, dark in graph.around[a]
        if not dark and strong[a] != strong[b]
    }
    pieces = graph.pieces(graph.cells, closed)
    if len(pieces) == 1:
        return None
    region = _first(pieces)
    doors = graph.doors(region)
    side, level = 0, _levels(graph, strong, {frozenset(edge) for edge in doors})
    why = (
        f"none of the {len(doors)} doors of the marked region can be used: beside them "
        "lie regions that need all of their white doors, so none of their black ones "
        "is used"
    )
    for colour, other in ((0, "black"), (1, "white")):
        alike = all(graph.colour[a] != colour for a, _ in doors)
        if alike and graph.surplus(region, colour) == 0:  # it closes its doors itself
            side, level = colour, [int(c in region) for c in range(graph.board.cells)]
            why = (
                f"all doors of the marked region are {other}: each visit eats one "
                f"{other} cell more than {_COLOURS[side]}, and none is to spare"
            )
            break
    data = {"colour": _COLOURS[side], "levels": level, "region": sorted(region)}
    return _certificate("cuts", why, region, doors, data)


def _strong_components(graph: _Graph) -> dict[Cell, int]:
    """Return numbers of the strong components, in their order: arcs lead back."""
    import networkx as nx  # a tenth of a second, which other kinds need not spend

    # Tarjan's algorithm finds a component after those that arcs lead to.
    arcs = nx.DiGraph({a: graph.arcs(a) for a in graph.around})
    parts = enumerate(nx.strongly_connected_components(arcs))
    return {cell: number for number, part in parts for cell in part}


def _levels(
    graph: _Graph, strong: dict[Cell, int], doors: set[frozenset[Cell]]
) -> list[int]:
    """Return levels so that no arc leads up, and arcs across doors lead down."""
    high = [0] * len(strong)
    for a, number in strong.items():
        for b in graph.arcs(a):
            if strong[b] != number:
                level = high[strong[b]] + (frozenset((a, b)) in doors)
                high[number] = max(high[number], level)
    return [high[strong[c]] if c in strong else 0 for c in range(graph.board.cells)]


def _apart(graph: _Graph, ends: set[Cell]) -> DeadCertificate | None:
    """Return cells that only the ends connect to the others, if there are any."""
    pieces = graph.pieces(graph.cells - ends, set())
    region = _first(pieces)
    doors = graph.doors(region)
    if len(pieces) < 2 and (doors or not pieces):
        return None
    why = (
        "only the live end and the end cell connect the marked cells to the others: no "
        "path between these two visits both"
    )
    return _certificate("apart", why, region, doors, {"region": sorted(region)})


def _static(s: Solid, position: Position) -> DeadCertificate | None:
    """Return the factors that no path of strips improves; they mark a loop.

    There is one factor for each level; see `solver.solid.static`. The last one may
    leave its end sideways. Then the next level has no factor, which a region shows.
    """
    load_position(s, position)
    outcome, factors = decide_levels(s, decide_graph(s, False), position)
    if outcome != NEVER:
        return None
    board, graph = position.board, _Graph(s, position.board)
    light = {(a, b) for a in graph.cells for b, dark in graph.around[a] if not dark}
    loops = graph.pieces(graph.cells, light)
    ends = {position.live_end, board.end}
    region = _first(loop for loop in loops if loop.isdisjoint(ends))
    live, end = int(s.info[KEY.live]), int(s.info[KEY.end])
    p, q = (live, end) if is_open(s, live) else (end, live)
    missing = int(missing_side(s, p))
    sideways, down = is_open(s, p), int(s.step[2])
    cells = set(np.flatnonzero(s.inside).tolist())
    lists = []
    for dark in factors:
        onward = ((c, v, d) for c in cells for d, v in ((2, c + 1), (4, c + down)))
        edges = [(c, v) for c, v, bit in onward if dark[c] & bit and v in cells]
        lists.append(sorted([unpad(board, c), unpad(board, v)] for c, v in edges))
        three = sideways and p != q and int(s.near[p]) | 1 << missing == 15
        sideways = three and not dark[p] >> (missing ^ 2) & 1
        if not sideways:
            break
        cells.remove(p)
        p += int(s.step[missing ^ 2])
        if p == q:
            cells.remove(q)
    data: dict[str, Any] = {"factors": lists}
    if sideways:
        s.inside[:] = 0
        s.inside[list(cells)] = 1
        make_graph(s, p if p != q else 0, q if p != q else 0)  # a frame cell: no ends
        if augment(s):
            raise AssertionError("a level below the last one has a factor")
        data["no_factor"] = _colours(_Graph(s, board), s).data
    why = (
        "a path and loops cover the cells, and no strips of squares join the marked "
        "loop to the rest: so no path covers them"
    )
    return _certificate("static", why, region, graph.doors(region), data)
