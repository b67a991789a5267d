"""True worlds for the window formula: what its variables are on a real board.

A world is a Hamiltonian path cut at a live end, seen through a window. Every variable
gets the value that its definition gives it; nothing is taken from the encoder but the
names.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from heuristic.rules.drawing import AreaSpec, Placement
from solver.board import STEPS, Board, Cell, Position
from verify.proof.formula import Formula, Name, Scope
from verify.proof.window import LIVE, OUT, Window, edge, neighbours

Spot = tuple[int, int]  # a cell of the window, or beyond it


@dataclass
class World:
    """A position with a completion, and how the window's page lies on the board."""

    position: Position
    completion: tuple[Cell, ...]
    placement: Placement

    def spot(self, cell: Cell) -> Spot:
        """Return the window's coordinates of a board cell."""
        row, col = divmod(cell, self.position.board.cols)
        return self.spot_at(row, col)

    def spot_at(self, row: int, col: int) -> Spot:
        """Return the window's coordinates of a place, on the board or not."""
        row0, col0 = divmod(self.position.live_end, self.position.board.cols)
        way = row - row0, col - col0
        up, right = map(self.placement.turn.turn, ((1, 0), (0, 1)))
        return way[0] * up[0] + way[1] * up[1], way[0] * right[0] + way[1] * right[1]

    def place(self, spot: Spot) -> tuple[int, int]:
        """Return row and column, from 0, of a cell of the window."""
        dr, dc = self.placement.turn.turn(spot)
        row0, col0 = divmod(self.position.live_end, self.position.board.cols)
        return row0 + dr, col0 + dc

    def state(self, spot: Spot) -> str:
        """Return free, visited or out."""
        board = self.position.board
        row, col = self.place(spot)
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            return "out"
        cell = row * board.cols + col
        if cell in board.walls:
            return "out"
        return "visited" if cell in self.position.walk else "free"


def truth(world: World, window: Window, formula: Formula) -> dict[Name, bool]:
    """Return the value of every named variable but the counters."""
    board = world.position.board
    walk = [world.spot(cell) for cell in world.position.walk]
    rest = [world.spot(cell) for cell in world.completion]
    path = walk + rest
    kinds: Any = {edge(a, b): "w" for a, b in pairwise(walk)}
    kinds |= {edge(a, b): "c" for a, b in pairwise([walk[-1], *rest])}
    arc = _arc(world, window, formula)
    ring = [path[-1], *arc, path[0]]
    kinds |= {edge(a, b): "v" for a, b in pairwise(ring)}
    pairs, starts, ends = _pairs(window, path, arc, kinds) if arc else (set(),) * 3
    late: Any = _late(window, walk)
    passed = {step: i for i, step in enumerate(pairwise([walk[-1], *rest]))}
    for first, _ in window.pairs("before"):  # what is passed on the way there
        late.append(
            {edge(a, b): i <= rest.index(first) for (a, b), i in passed.items()}
        )
    areas: Any = [_flood(world, area) for area in window.areas]
    late.append(_side_of_arc(window, ring))
    values: dict[Name, bool] = {}
    name: Any
    for name in formula.names:
        match name:
            case ("free" | "visited" | "out" as state, spot):
                values[name] = world.state(spot) == state
            case ("c" | "w" | "v" as kind, a, b):
                values[name] = kinds.get((a, b)) == kind
            case ("T", spot):
                values[name] = spot == path[-1]
            case ("S", spot):
                values[name] = spot == path[0]
            case ("p", i, j):
                values[name] = (i, j) in pairs
            case ("s", i):
                values[name] = i in starts
            case ("t", i):
                values[name] = i in ends
            case ("l", k, a, b) if (a, b) in kinds:
                values[name] = late[k].get((a, b), False)
            case ("d", a, b) if kinds.get((a, b)) == "c":
                values[name] = (a, b) in passed
            case ("a", k, spot):
                values[name] = spot in areas[k]
            case ("rowout", row):
                r, c = world.place((row, 0))
                values[name] = not (0 <= r < board.rows and 0 <= c < board.cols)
            case ("colout", col):
                r, c = world.place((0, col))
                values[name] = not (0 <= r < board.rows and 0 <= c < board.cols)
    return values


def _arc(world: World, window: Window, formula: Formula) -> list[Spot]:
    """Return places outside the board that lead from the end to the start."""
    if not formula.scope.planar:
        return []
    board = world.position.board
    start, end = (divmod(cell, board.cols) for cell in (board.start, board.end))
    if formula.scope is Scope.PLANAR:
        far = 3 * (board.rows + board.cols)
        out = _ray(board, end, far)
        back = _ray(board, start, far)[::-1]
        # the two rays join beyond the reach of the window
        return [world.spot_at(*place) for place in out + back]
    ring = [(-1, c) for c in range(-1, board.cols)]
    ring += [(r, board.cols) for r in range(-1, board.rows)]
    ring += [(board.rows, c) for c in range(board.cols, -1, -1)]
    ring += [(r, -1) for r in range(board.rows, -1, -1)]
    ways = {}
    for turn in (1, -1):  # clockwise or counter-clockwise from the start to the end
        first = _beside(board, start, ring, -turn)  # round the corner, then the side
        last = _beside(board, end, ring, turn)
        at, way = ring.index(first), [first]
        while way[-1] != last:
            at = (at + turn) % len(ring)
            way.append(ring[at])
        ways[turn] = [world.spot_at(*place) for place in way[::-1]]
    for d in _side_order(window):
        shown = [spot for spot in _side_cells(window, d) if world.state(spot) == "out"]
        if shown:  # the whole side is passed, not only a neighbour of a corner
            dr, dc = STEPS[(d + 1) % 4]
            row, col = shown[0]
            passed = {(row - dr, col - dc), (row, col), (row + dr, col + dc)}
            return next(way for way in ways.values() if passed <= set(way))
    return ways[1]


def _beside(
    board: Board, corner: tuple[int, int], ring: list[tuple[int, int]], turn: int
) -> tuple[int, int]:
    """Return the ring cell next to a corner, later or earlier clockwise."""
    near = [(corner[0] + dr, corner[1] + dc) for dr, dc in STEPS]
    a, b = [place for place in near if place in ring]
    later = (ring.index(b) - ring.index(a)) % len(ring) < len(ring) / 2
    order = [a, b] if later else [b, a]
    return order[1] if turn == 1 else order[0]


def _ray(board: Board, place: tuple[int, int], far: int) -> list[tuple[int, int]]:
    for dr, dc in STEPS:
        row, col = place[0] + dr, place[1] + dc
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            return [(place[0] + dr * i, place[1] + dc * i) for i in range(1, far)]
    raise AssertionError(f"{place} is not on the rim")


def _side_cells(window: Window, d: int) -> list[Spot]:
    cells = []
    for spot in window.cells():
        beyond = spot[0] + STEPS[d][0], spot[1] + STEPS[d][1]
        on_board = not window.state(spot) & OUT
        if on_board and window.holds(beyond) and window.state(beyond) & OUT:
            cells.append(beyond)
    return cells


def _side_order(window: Window) -> list[int]:
    def drawn(d: int) -> bool:
        return any(window.state(spot) == OUT for spot in _side_cells(window, d))

    return [d for d in range(4) if drawn(d)] + [d for d in range(4) if not drawn(d)]


def _side_of_arc(window: Window, ring: list[Spot]) -> dict[tuple[Spot, Spot], bool]:
    """Return which arc edges lie between the drawn rim cell and the end."""
    drawn = _side_cells(window, _side_order(window)[0])
    drawn = [spot for spot in drawn if window.state(spot) == OUT]
    sides, late = {}, True  # from the end towards the start
    for a, b in pairwise(ring):
        if drawn and a == drawn[0]:
            late = False
        sides[edge(a, b)] = late
    return sides


def _pairs(
    window: Window,
    path: list[Spot],
    arc: list[Spot],
    kinds: dict[tuple[Spot, Spot], str],
) -> tuple[set[tuple[int, int]], set[int], set[int]]:
    """Follow the closed curve once and note where it leaves and comes back."""
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    curve = path + arc
    begin = curve.index(LIVE)
    curve = curve[begin:] + curve[:begin] + [LIVE]
    pairs: set[tuple[int, int]] = set()
    starts: set[int] = set()
    ends: set[int] = set()
    out: tuple[int, str, list[Spot]] | None = None
    for a, b in pairwise(curve):
        if out is not None:
            out[2].append(a)
        if window.holds(a) == window.holds(b):
            continue
        port, kind = ports[edge(a, b)], kinds[edge(a, b)]
        if out is None:
            out = port, kind, []
            continue
        pairs.add((min(port, out[0]), max(port, out[0])))
        for event, touched, tie in ((path[0], starts, "w"), (path[-1], ends, "c")):
            if event in out[2]:
                touched |= {p for p, k in ((out[0], out[1]), (port, kind)) if k == tie}
        out = None
    return pairs, starts, ends


def _late(window: Window, walk: list[Spot]) -> list[dict[tuple[Spot, Spot], bool]]:
    halves = []
    for _, second in window.runs:
        at = walk.index(second)
        halves.append({edge(a, b): i >= at for i, (a, b) in enumerate(pairwise(walk))})
    return halves


def _flood(world: World, area: AreaSpec) -> set[Spot]:
    todo = [spot for spot in area.inside if world.state(spot) == "free"]
    filled = set(area.cells) | set(todo)
    while todo:
        for other in neighbours(todo.pop()):
            if other not in filled and world.state(other) == "free":
                filled.add(other)
                todo.append(other)
    return filled
