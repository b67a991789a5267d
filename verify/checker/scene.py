"""The view of a proof: a drawing with a forbidden move, through a window of cells.

Suppose a rule is wrong: in some position that looks as drawn, a completion begins with
the forbidden move. Start, walk, live end, completion and end are one path then, and the
window sees pieces of it: such a view is a *world*. An edge with one cell outside the
window is a *port*.

A part may speak of several poses. Then the pose is unknown, and with it the cell before
the live end, or the board's start. What follows holds in each pose.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

from verify.checker.claim import (
    CORNERS,
    LIVE,
    NEAR,
    ClaimedArea,
    Sketch,
    Spot,
    colour,
    directions_between,
    refuse,
)

Edge = tuple[Spot, Spot]
Name = tuple[Any, ...]
Values = dict[Name, bool]


def edge_of(a: Spot, b: Spot) -> Edge:
    """Return the name of the edge between two touching cells: the cells in order."""
    return (a, b) if a < b else (b, a)


@lru_cache(1 << 16)
def near(cell: Spot) -> tuple[Spot, ...]:
    """Return the four cells that touch a cell: above, right, below, left."""
    return tuple((cell[0] + dr, cell[1] + dc) for dr, dc in NEAR)


class Scene:
    """A drawing in some of its poses, one forbidden move, and the cells of the window.

    - `planar`: start and end lie on the rim of a rectangle. Outside the board a virtual
      arc joins them to one closed curve, so pieces outside the window do not cross.
    - `sides`: directions, those with a cell drawn outside first, each with the cells
      that may lie just outside a cell of the board.
    - `orders`: by number the line that is cut in two halves: walk (``w``), completion
      (``c``) or arc (``v``); the cell where it is cut; the cell that lies on the other
      half than the live end. The arc is cut at a cell drawn outside, if the drawing
      shows the start.
    - `doors`: per area the edges that may leave it: name, colour of the cell inside,
      whether the drawing alone makes the completion use it.
    - `sums`: per area what its first doors can come to: of none, of one, and so on.

    Raises `Flaw` if a proof cannot look at these cells.
    """

    def __init__(
        self,
        sketch: Sketch,
        poses: tuple[str, ...],
        move: Spot,
        scope: str,
        cells: frozenset[Spot],
    ) -> None:
        pose = poses[0] if len(poses) == 1 else None
        self.sketch, self.move, self.scope, self.cells = sketch, move, scope, cells
        self.planar = scope in ("PLANAR", "CORNERS")
        self.behind = sketch.behind(pose)  # None if the poses differ
        why = "the move leads back to the cell before the live end"
        refuse(move == self.behind, why)
        # directions out of the board at its start corner; None if unknown
        self.start = CORNERS[pose] if sketch.frame == "board" and pose else None
        self.mask = dict(sketch.mask)
        for cell, bit in ((move, 1), (self.behind, 2), (LIVE, 2)):
            if cell is not None:
                self.mask[cell] = self.mask.get(cell, 7) & bit
        self.lines = {cell for area in sketch.areas for cell in area.line}
        self.edges = {edge_of(cell, other) for cell in cells for other in near(cell)}
        self.joined = {edge_of(a, b) for a, b in sketch.pairs["joined"]}
        self.directed = bool(sketch.pairs["passes"] or sketch.pairs["lacks"])
        self._check_cells()
        out = {(cell, x) for cell in cells for x in near(cell) if x not in cells}
        self.ports = _ports(cells) if self.planar else []  # the inner cell first
        whole = not self.planar or out == set(self.ports)
        refuse(not whole, "the cells are not one piece without holes")
        self.port_of = {edge_of(*port): i for i, port in enumerate(self.ports)}
        self.sides = self._sides()
        # by direction: the half of the arc that each edge lies on, where it is cut
        self.along: tuple[bool | None, ...] = (None,) * 4
        self.orders = dict(self._orders())
        self.entered = [self._is_entered(area) for area in sketch.areas]
        self.doors = [list(self._doors(k, x)) for k, x in enumerate(sketch.areas)]
        self.sums = [_sums([sign for _, sign, _ in doors]) for doors in self.doors]

    def may(self, cell: Spot, bit: int) -> bool:
        """Return whether the cell may be free (1), visited (2) or out (4)."""
        return cell not in self.cells or bool(self.mask.get(cell, 7) & bit)

    def _check_cells(self) -> None:
        """Refuse a window without the cells that the clauses rely on."""
        marked = {LIVE, *self.lines}
        if self.sketch.frame == "away":
            seen = not self.planar and self.cells <= set(self.sketch.mask)
            why = "away from the live end only drawn cells are seen, and no rim"
            refuse(not seen, why)
            marked = set()
        why = "the cells leave out the live end or a marked cell"
        refuse(not marked <= self.cells, why)
        beside = {other for cell in marked for other in near(cell)}
        why = "the cells leave out a neighbour of a marked cell"
        refuse(not self.planar and not beside <= self.cells, why)

    def _sides(self) -> list[tuple[int, list[Spot]]]:
        rim = {cell for cell in self.cells if self.mask.get(cell, 7) & 4}
        board = sorted(self.cells - rim)
        sides = [[x for cell in board if (x := near(cell)[d]) in rim] for d in range(4)]
        return sorted(enumerate(sides), key=lambda side: not self._drawn(side[1]))

    def _drawn(self, cells: list[Spot]) -> list[Spot]:
        """Return the cells that are drawn outside."""
        return [cell for cell in cells if self.mask.get(cell, 7) == 4]

    def _orders(self) -> Iterator[tuple[int, tuple[str, Spot, Spot | None]]]:
        tests = [("w", then, first) for first, then in self.sketch.runs]
        tests += [("c", first, then) for first, then in self.sketch.pairs["before"]]
        for k, (kind, cut, far) in enumerate(tests):
            if self.cells >= {cut, far} and (self.planar or kind == "c"):
                yield k, (kind, cut, far)
        d, cells = self.sides[0]
        rim = self._drawn(cells)
        if rim and self.start and self.scope == "CORNERS":
            axis = 1 - d % 2
            back = self.start[axis]
            self.along = tuple(x[axis] != back if x[axis] else None for x in NEAR)
            yield len(tests), ("v", rim[0], None)

    def _is_entered(self, area: ClaimedArea) -> bool | None:
        """Return whether the move enters an area, if walk and line decide it.

        A closed curve runs from the cell behind over the live end and the line to the
        wall. It leads back along the walk, or outside the board. On the area's side of
        it lie the cells from the line's first cell round to the cell behind.
        """
        behind, first = self.behind, area.line[0]
        tight = {LIVE, first, area.line[-1], area.wall}
        square = all(max(axis) - min(axis) < 2 for axis in zip(*tight, strict=True))
        # a wall that is outside shuts nothing off where there are walls
        shut = self.mask.get(area.wall, 7) == 2 or self.scope in ("RIM", "CORNERS")
        if area.base != LIVE or not shut or (len(tight) == 4 and square):
            return None
        if behind is None or behind == first or self.move in area.line:
            return None
        return self.move in directions_between(area.side, first, behind)

    def _doors(self, k: int, area: ClaimedArea) -> Iterator[tuple[Name, int, bool]]:
        shut = {LIVE, *area.line, *area.inside}
        for cell in area.line:
            for other in near(cell):
                edge = edge_of(cell, other)
                if other == LIVE and cell == self.move:
                    yield ("c", *edge), colour(cell), True
                elif other not in shut and self.may(other, 1):
                    yield ("c", *edge), colour(cell), edge in self.joined
        if self.move not in area.line and self.move not in area.outside:
            yield ("a", k, self.move), colour(self.move), self.move in area.inside


def _ports(cells: frozenset[Spot]) -> list[Edge]:
    """Return the edges out of the cells, in their order around them, clockwise.

    The rim is walked along the sides of cells, from corner to corner; the piece lies
    on the right hand. Where it touches itself in a corner, it is not joined.
    """
    first = min(cells), 0
    (cell, side), ports = first, list[Edge]()
    while not ports or (cell, side) != first:
        ports.append((cell, near(cell)[side]))
        ahead = near(cell)[(side + 1) % 4]
        corner = near(ahead)[side]
        if ahead not in cells:
            side = (side + 1) % 4
        elif corner in cells:
            cell, side = corner, (side - 1) % 4
        else:
            cell = ahead
    return ports


def _sums(signs: list[int]) -> list[range]:
    lows = accumulate((min(sign, 0) for sign in signs), initial=0)
    highs = accumulate((max(sign, 0) for sign in signs), initial=0)
    return [range(low, high + 1) for low, high in zip(lows, highs, strict=True)]
