"""True worlds for the window formula: what its variables are on a real board.

A world is a Hamiltonian path cut at a live end, seen through a window. Every variable
gets the value that its definition gives it; nothing is taken from the encoder but the
names.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from heuristic.rules.drawing import AreaSpec, Placement
from solver.board import STEPS, Board, Cell, Position
from verify.proof.formula import Formula, Name, Scope
from verify.proof.window import LIVE, OUT, Window, edge, neighbours, reached

Spot = tuple[int, int]  # a cell of the window, or beyond it


@dataclass
class World:
    """A position with a completion, and how the window's page lies on the board."""

    position: Position
    completion: tuple[Cell, ...]
    placement: Placement

    def spot(self, cell: Cell) -> Spot:
        """Return the window's coordinates of a board cell."""
        return self.spot_at(*divmod(cell, self.position.board.cols))

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
        cell = row * board.cols + col
        inside = 0 <= row < board.rows and 0 <= col < board.cols
        if not inside or cell in board.walls:
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
    pairs, beyond = _pairs(window, path, arc, kinds) if arc else (set(), {})
    late: Any = [
        {edge(a, b): i >= walk.index(second) for i, (a, b) in enumerate(pairwise(walk))}
        for _, second in window.runs
    ]
    passed = {step: i for i, step in enumerate(pairwise([walk[-1], *rest]))}
    for first, _ in window.pairs("before"):  # what is passed on the way there
        late.append(
            {edge(a, b): i <= rest.index(first) for (a, b), i in passed.items()}
        )
    areas: Any = [flooded(world, area) for area in window.areas]
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
            case ("s" | "t" as event, i):
                values[name] = i in beyond["w" if event == "s" else "c"]
            case ("l", k, a, b) if (a, b) in kinds:
                values[name] = late[k].get((a, b), False)
            case ("d", a, b) if kinds.get((a, b)) == "c":
                values[name] = (a, b) in passed
            case ("a", k, spot):
                values[name] = spot in areas[k]
            case ("rowout" | "colout" as word, i):
                r, c = world.place((i, 0) if word == "rowout" else (0, i))
                values[name] = not (0 <= r < board.rows and 0 <= c < board.cols)
    return values


def _arc(world: World, window: Window, formula: Formula) -> list[Spot]:
    """Return places outside the board that lead from the end to the start."""
    if not formula.scope.planar:
        return []
    board = world.position.board
    start, end = (divmod(cell, board.cols) for cell in (board.start, board.end))
    if formula.scope is Scope.PLANAR:
        out, back = _ray(board, end), _ray(board, start)[::-1]
        # the two rays join beyond the reach of the window
        return [world.spot_at(*place) for place in out + back]
    ring = [(-1, c) for c in range(-1, board.cols)]
    ring += [(r, board.cols) for r in range(-1, board.rows)]
    ring += [(board.rows, c) for c in range(board.cols, -1, -1)]
    ring += [(r, -1) for r in range(board.rows, -1, -1)]
    ways = []
    for circle in (ring[::-1] * 2, ring * 2):  # round both corners, by either side
        at_end, at_start = (
            [i for i, at in enumerate(circle) if abs(at[0] - r) + abs(at[1] - c) == 1]
            for r, c in (end, start)
        )
        first = next(i for i in at_end if i + 2 in at_end)
        last = next(i for i in at_start if i > first and i - 2 in at_start)
        ways.append([world.spot_at(*place) for place in circle[first : last + 1]])
    for d in _side_order(window):
        shown = [spot for spot in _side_cells(window, d) if world.state(spot) == "out"]
        if shown:  # the whole side is passed, not only a neighbour of a corner
            dr, dc = STEPS[(d + 1) % 4]
            row, col = shown[0]
            passed = {(row - dr, col - dc), (row, col), (row + dr, col + dc)}
            return next(way for way in ways if passed <= set(way))
    return ways[0]


def _ray(board: Board, place: tuple[int, int]) -> list[tuple[int, int]]:
    """Return places from one on the rim straight out, beyond the reach of a window."""
    (row, col), far = place, range(1, 3 * (board.rows + board.cols))
    rays = ([(row + dr * i, col + dc * i) for i in far] for dr, dc in STEPS)
    rows, cols = range(board.rows), range(board.cols)
    return next(ray for ray in rays if ray[0][0] not in rows or ray[0][1] not in cols)


def _side_cells(window: Window, d: int) -> list[Spot]:
    cells = []
    for spot in window.cells():
        beyond = spot[0] + STEPS[d][0], spot[1] + STEPS[d][1]
        on_board = not window.state(spot) & OUT
        if on_board and window.holds(beyond) and window.state(beyond) & OUT:
            cells.append(beyond)
    return cells


def _drawn(window: Window, d: int) -> list[Spot]:
    return [spot for spot in _side_cells(window, d) if window.state(spot) == OUT]


def _side_order(window: Window) -> list[int]:
    return sorted(range(4), key=lambda d: not _drawn(window, d))


def _side_of_arc(window: Window, ring: list[Spot]) -> dict[tuple[Spot, Spot], bool]:
    """Return which arc edges lie between the drawn rim cell and the end."""
    drawn = _drawn(window, _side_order(window)[0])[:1]
    sides, late = {}, True  # from the end towards the start
    for a, b in pairwise(ring):
        late = late and a not in drawn
        sides[edge(a, b)] = late
    return sides


def _pairs(
    window: Window,
    path: list[Spot],
    arc: list[Spot],
    kinds: dict[tuple[Spot, Spot], str],
) -> tuple[set[tuple[int, int]], dict[str, set[int]]]:
    """Follow the closed curve once and note where it leaves and comes back.

    The second value has the ports of walk and completion that lead to start and end.
    """
    ports = {edge(*port): i for i, port in enumerate(window.ports())}
    begin = path.index(LIVE)
    curve = [*path[begin:], *arc, *path[: begin + 1]]
    steps = [edge(a, b) for a, b in pairwise(curve)]
    crossed = [k for k, side in enumerate(steps) if side in ports]
    pairs, beyond = set(), {"w": set[int](), "c": set[int]()}
    for i, j in zip(crossed[::2], crossed[1::2], strict=True):
        sides = steps[i], steps[j]
        first, second = sorted(ports[side] for side in sides)
        pairs.add((first, second))
        for kind, event in (("w", path[0]), ("c", path[-1])):
            if event in curve[i + 1 : j + 1]:
                beyond[kind] |= {ports[x] for x in sides if kinds[x] == kind}
    return pairs, beyond


def flooded(world: World, area: AreaSpec) -> set[Spot]:
    """Return the cells of an area in a world: its line, and all that lies behind."""

    def free(spots: Iterable[Spot]) -> list[Spot]:
        return [x for x in spots if x not in area.cells and world.state(x) == "free"]

    inner = reached(free(area.inside), lambda spot: free(neighbours(spot)))
    return inner | set(area.cells)
