"""A part of a certificate as a scene: what its drawing says, in its poses.

A part that speaks of several poses is read as if the pose were unknown: where the cell
before the live end lies, or the board's start. So what follows, follows in each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from verify.checker.reading import (
    CORNERS,
    LIVE,
    NEAR,
    ROUND,
    SCOPES,
    Area,
    Name,
    Part,
    Sketch,
    Spot,
)
from verify.checker.values import Fault

Edge = tuple[Spot, Spot]
Values = dict[Name, bool]
Door = tuple[Name, int, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One drawing in one pose, or in several, with one forbidden move.

    - `edges`: those with a cell looked at, by their cells in order.
    - `mask`: what each cell may be: 1 free, 2 visited, 4 out; 7 where nothing is said.
    - `ports`: edges out of the cells, clockwise around them, inner cell first; planar
      scopes only.
    - `end`: the cell that must be the end, if there is one.
    - `orders`: order tests whose cells are both looked at, by number: of walk (``w``)
      or completion (``c``), where it is cut, and the cell that lies on the other side
      of the cut than the live end.
    - `passes`, `lacks`: edges, with a direction, that the completion passes, or does
      not.
    - `joined`: edges that the completion uses.
    - `mates`: ends of forced lines, each with the edges by which the line leaves them.
    - `dead`: whether the move is dead when it is followed: there is no such world.
    - `away`: the live end is not looked at: the next step may enter any free cell.
    - `start`: directions out of the board at its start corner, if the pose says.
    - `entered`: per area whether the move enters it; None if walk and line do not
      decide.
    - `doors`: per area its doors: name, sign of the cell's colour, whether the drawing
      alone makes it used.
    - `sums`: per area what its first doors can come to: of none, of one, and so on.
    - `sides`: per direction the cells that may lie just outside a known cell.
    - `order`: directions, those with a cell drawn outside first.
    - `rim`: the drawn cell at which the arc is cut, and its direction.
    """

    scope: str
    planar: bool
    cells: frozenset[Spot]
    edges: frozenset[Edge]
    mask: dict[Spot, int]
    not_end: frozenset[Spot]
    target: Spot
    behind: Spot | None
    start: Spot | None
    areas: tuple[Area, ...]
    lines: frozenset[Spot]
    end: Spot | None
    orders: dict[int, tuple[str, Spot, Spot]]
    passes: frozenset[Edge]
    lacks: frozenset[Edge]
    joined: frozenset[Edge]
    mates: tuple[tuple[Edge, Edge, Edge], ...]
    dead: bool
    away: bool
    ports: list[Edge]
    port_of: dict[Edge, int]
    entered: list[bool | None]
    doors: list[list[Door]]
    sums: list[list[range]]
    sides: list[list[Spot]]
    order: list[int]
    rim: tuple[Spot, int] | None

    @property
    def directed(self) -> bool:
        """Whether anything is said of the way in which the completion passes edges."""
        return bool(self.passes or self.lacks)

    def may(self, cell: Spot, bit: int) -> bool:
        """Return whether the cell may be free (1), visited (2) or out (4)."""
        return cell not in self.cells or bool(self.mask.get(cell, 7) & bit)


def edge_of(a: Spot, b: Spot) -> Edge:
    """Name the edge between two touching cells."""
    return (a, b) if a < b else (b, a)


@lru_cache(1 << 16)
def near(cell: Spot) -> tuple[Spot, ...]:
    """Return the four cells that touch a cell."""
    return tuple((cell[0] + dr, cell[1] + dc) for dr, dc in NEAR)


def scene_of(sketch: Sketch, part: Part) -> Scene:
    """Return a part as a scene.

    Raises `Fault` if its cells are none that a proof can look at.
    """
    planar, cells = part.scope in ("PLANAR", "CORNERS"), part.cells
    pose = part.poses[0] if len(part.poses) == 1 else None
    behind = sketch.behind(pose)
    if part.move == behind:
        raise Fault("the move leads back to the cell before the live end")
    mask = dict(sketch.mask)
    for known, bit in ((part.move, 1), (behind, 2), (LIVE, 2)):
        if known is not None:
            mask[known] = mask.get(known, 7) & bit
    lines = frozenset(cell for area in sketch.areas for cell in area.line)
    marked = {LIVE, *lines}
    if sketch.away:
        if planar or not cells <= set(sketch.mask):
            raise Fault("away from the live end cells are drawn, and no rim is known")
        marked = set()
    if not marked <= cells:
        raise Fault("the cells leave out the live end or a marked cell")
    if not planar and any(not set(near(cell)) <= cells for cell in marked):
        raise Fault("the cells leave out a neighbour of a marked cell")
    ports = _ports(cells) if planar else []
    rim = {(c, x) for c in cells for x in near(c) if x not in cells}
    if planar and rim != set(ports):
        raise Fault("the cells are not one piece without holes")
    start = CORNERS[pose] if sketch.board and pose is not None else None
    sides = _sides(cells, mask)
    drawn = [[cell for cell in side if mask.get(cell, 7) == 4] for side in sides]
    order = sorted(range(4), key=lambda d: not drawn[d])
    first, corners = order[0], part.scope == "CORNERS"
    joined = frozenset(edge_of(a, b) for a, b in sketch.lines["joined"])
    doors = [_doors(k, x, part, (mask, joined)) for k, x in enumerate(sketch.areas)]
    tests = [("w", then, first) for first, then in sketch.runs]
    tests += [("c", first, then) for first, then in sketch.lines["before"]]
    return Scene(
        scope=part.scope,
        planar=planar,
        cells=cells,
        edges=frozenset(edge_of(cell, other) for cell in cells for other in near(cell)),
        mask=mask,
        not_end=sketch.not_end,
        target=part.move,
        behind=behind,
        start=start,
        areas=sketch.areas,
        lines=lines,
        end=sketch.end,
        orders={
            k: test
            for k, test in enumerate(tests)
            if cells >= set(test[1:]) and (planar or test[0] == "c")
        },
        passes=frozenset(sketch.lines["passes"]),
        lacks=frozenset(sketch.lines["lacks"]),
        joined=joined,
        mates=tuple((x, *_leaves(sketch, x)) for x in sketch.lines["mates"]),
        dead=(LIVE, part.move) in sketch.lines["dead"],
        away=sketch.away,
        ports=ports,
        port_of={edge_of(*port): i for i, port in enumerate(ports)},
        entered=[_entered(x, part, behind, mask) for x in sketch.areas],
        doors=doors,
        sums=[list(_sums(x)) for x in doors],
        sides=sides,
        order=order,
        rim=(drawn[first][0], first) if drawn[first] and start and corners else None,
    )


def _leaves(sketch: Sketch, ends: Edge) -> tuple[Edge, Edge]:
    """Return the edges by which a forced line leaves its ends."""
    edges = [edge_of(*pair) for pair in sketch.lines["joined"]]
    one, two = (next(edge for edge in edges if end in edge) for end in ends)
    return one, two


def scope_of(parts: tuple[Part, ...]) -> str:
    """Return the boards for which all parts are proved."""
    return SCOPES[max(SCOPES.index(part.scope) for part in parts)]


def upper_left(sketches: tuple[Sketch, ...], parts: tuple[Part, ...]) -> bool:
    """Return whether a part takes the start for the upper left corner of the board."""
    return any(
        part.scope == "CORNERS"
        and sketches[part.drawing].board
        and len(part.poses) == 1
        for part in parts
    )


def _ports(cells: frozenset[Spot]) -> list[Edge]:
    """Return the edges out of the cells, in their order around them, clockwise.

    The rim is walked along the sides of cells, from corner to corner; the piece lies
    on the right hand. Where it touches itself in a corner, it is not joined.
    """
    first = min(cells), 0
    (cell, side), found = first, list[Edge]()
    while not found or (cell, side) != first:
        out, along = NEAR[side], NEAR[(side + 1) % 4]
        found.append((cell, (cell[0] + out[0], cell[1] + out[1])))
        after = cell[0] + along[0], cell[1] + along[1]
        above = after[0] + out[0], after[1] + out[1]
        if after not in cells:
            side = (side + 1) % 4
        elif above in cells:
            cell, side = above, (side - 1) % 4
        else:
            cell = after
    return found


def _entered(
    area: Area, part: Part, behind: Spot | None, mask: dict[Spot, int]
) -> bool | None:
    """Return whether the move enters an area, if walk and line decide it.

    The curve runs from the cell behind over the live end into the line, and on to its
    wall; going round the live end from the line's first cell, the area's side comes
    before the cell behind, the far side after it.
    """
    tight = {LIVE, area.line[0], area.line[-1], area.wall}
    rows, cols = [row for row, _ in tight], [col for _, col in tight]
    small = max(rows) - min(rows) < 2 and max(cols) - min(cols) < 2
    if area.base != LIVE or (len(tight) == 4 and small):
        return None
    if mask.get(area.wall, 7) != 2 and part.scope in ("PLAIN", "PLANAR"):
        return None  # a wall that is outside shuts nothing off where there are walls
    if behind is None or behind == area.line[0] or part.move in area.line:
        return None
    turn, first = -1 if area.left else 1, ROUND.index(area.line[0])
    move, back = (
        turn * (ROUND.index(cell) - first) % 8 for cell in (part.move, behind)
    )
    return move < back


def _doors(
    k: int, area: Area, part: Part, known: tuple[dict[Spot, int], frozenset[Edge]]
) -> list[Door]:
    """Return the doors of an area in order; `known` are masks and forced edges."""
    mask, joined = known
    found: list[tuple[Name, Spot, bool]] = []
    for c in area.line:
        for other in near(c):
            if other in area.inside or other in area.line:
                continue
            if other == LIVE:
                if c == part.move:
                    found.append((("c", *edge_of(c, other)), c, True))
            elif other not in part.cells or mask.get(other, 7) & 1:
                side = edge_of(c, other)
                found.append((("c", *side), c, side in joined))
    if part.move not in area.line and part.move not in area.outside:
        found.append((("a", k, part.move), part.move, part.move in area.inside))
    return [(name, 1 if sum(c) % 2 == 0 else -1, sure) for name, c, sure in found]


def _sums(doors: list[Door]) -> Iterator[range]:
    low = high = 0
    yield range(1)
    for _, sign, _ in doors:
        low, high = low - (sign < 0), high + (sign > 0)
        yield range(low, high + 1)


def allowed(area: Area, total: int) -> bool:
    """Return whether the doors' sum, twice the imbalance, meets an area's condition."""
    if total % 2:
        return False
    black_more = total // 2
    surplus = -black_more
    if area.kind in ("pair", "impair"):
        return surplus % 2 == (area.kind == "impair")
    if area.kind == "impair-determined":
        return surplus % 2 == 1 and black_more != (
            1 if sum(area.entry) % 2 == 0 else -1
        )
    within = area.low <= surplus <= area.high
    return {"closed": True, "within": within, "beyond": not within}[area.kind]


def _sides(cells: frozenset[Spot], mask: dict[Spot, int]) -> list[list[Spot]]:
    found = []
    for dr, dc in NEAR:
        beside = [
            (row + dr, col + dc)
            for row, col in sorted(cells)
            if not mask.get((row, col), 7) & 4 and (row + dr, col + dc) in cells
        ]
        found.append([cell for cell in beside if mask.get(cell, 7) & 4])
    return found
