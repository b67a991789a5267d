"""What a proof sees: one drawing with one forbidden move, through a window of cells.

Suppose a rule is wrong: in some position that looks as drawn, a completion begins with
the forbidden move. Start, walk, live end, completion and end are one path then, and the
window sees pieces of it: such a view is a *world*. An edge with one cell outside the
window is a *port*. A part that speaks of several poses is read as if the pose were
unknown: where the cell before the live end lies, or the board's start. What follows
then, follows in each.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from verify.checker.claim import (
    CORNERS,
    LIVE,
    NEAR,
    ROUND,
    Area,
    Sketch,
    Spot,
    colour,
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
    """One drawing in some of its poses, one forbidden move, and the cells looked at.

    - `planar`: start and end lie on the rim of a rectangle. Outside the board a virtual
      arc joins them to one closed curve, so pieces outside the window do not cross.
    - `mask`: what each cell may be, as in a sketch; 7 where nothing is drawn.
    - `behind`: the cell before the live end, `start`: directions out of the board at
      its start corner; None if the poses differ.
    - `joined`: edges that each completion uses.
    - `orders`: order tests whose cells are both looked at, by number: of walk (``w``)
      or completion (``c``), the cell where it is cut, and the cell that lies on the
      other side of the cut than the live end.
    - `ports`: edges out of the window, clockwise, inner cell first; planar ones only.
    - `entered`: per area whether the move enters it; None if walk and line leave it
      open.
    - `doors`: per area the edges that may leave it: name, colour of the cell inside,
      whether the drawing alone makes the completion use it.
    - `sums`: per area what its first doors can come to: of none, of one, and so on.
    - `sides`: directions, those with a cell drawn outside first, each with the cells
      that may lie just outside a cell of the board.
    - `rim`: the cell drawn outside at which the arc is cut, and its direction, if any.

    Raises `Fault` if a proof cannot look at these cells.
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
        self.behind = sketch.behind(pose)
        why = "the move leads back to the cell before the live end"
        refuse(move == self.behind, why)
        self.start = CORNERS[pose] if sketch.frame == "board" and pose else None
        self.mask = dict(sketch.mask)
        for cell, bit in ((move, 1), (self.behind, 2), (LIVE, 2)):
            if cell is not None:
                self.mask[cell] = self.mask.get(cell, 7) & bit
        self.lines = {cell for area in sketch.areas for cell in area.line}
        self.edges = {edge_of(cell, other) for cell in cells for other in near(cell)}
        self.joined = {edge_of(a, b) for a, b in sketch.said["joined"]}
        self.directed = bool(sketch.said["passes"] or sketch.said["lacks"])
        self._check_cells()
        self.ports = _ports(cells) if self.planar else []
        out = {(cell, x) for cell in cells for x in near(cell) if x not in cells}
        refuse(
            self.planar and out != set(self.ports),
            "the cells are not one piece without holes",
        )
        self.port_of = {edge_of(*port): i for i, port in enumerate(self.ports)}
        tests = [("w", then, first) for first, then in sketch.runs]
        tests += [("c", first, then) for first, then in sketch.said["before"]]
        self.orders = {
            k: (kind, cut, far)
            for k, (kind, cut, far) in enumerate(tests)
            if cells >= {cut, far} and (self.planar or kind == "c")
        }
        self.entered = [self._is_entered(area) for area in sketch.areas]
        self.doors = [list(self._doors(k, x)) for k, x in enumerate(sketch.areas)]
        self.sums = [list(_sums(doors)) for doors in self.doors]
        self._lay_arc()

    def may(self, cell: Spot, bit: int) -> bool:
        """Return whether the cell may be free (1), visited (2) or out (4)."""
        return cell not in self.cells or bool(self.mask.get(cell, 7) & bit)

    def _check_cells(self) -> None:
        """Refuse cells that leave out what the clauses take to be seen."""
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

    def _is_entered(self, area: Area) -> bool | None:
        """Return whether the move enters an area, if walk and line decide it.

        A closed curve runs from the cell behind over the live end along the line to the
        wall, and back along the walk or outside the board. Going round the live end
        from the line's first cell, the area's side comes before the cell behind, the
        far side after it.
        """
        behind, first = self.behind, area.line[0]
        tight = {LIVE, first, area.line[-1], area.wall}
        rows, cols = [row for row, _ in tight], [col for _, col in tight]
        square = max(rows) - min(rows) < 2 and max(cols) - min(cols) < 2
        # a wall that is outside shuts nothing off where there are walls
        shut = self.mask.get(area.wall, 7) == 2 or self.scope in ("RIM", "CORNERS")
        if area.base != LIVE or not shut or (len(tight) == 4 and square):
            return None
        if behind is None or behind == first or self.move in area.line:
            return None
        turn = -1 if area.side == "left" else 1
        move, back = (
            turn * (ROUND.index(cell) - ROUND.index(first)) % 8
            for cell in (self.move, behind)
        )
        return move < back

    def _doors(self, k: int, area: Area) -> Iterator[tuple[Name, int, bool]]:
        for cell in area.line:
            for other in near(cell):
                edge = edge_of(cell, other)
                if other in area.inside or other in area.line:
                    continue
                if other == LIVE:
                    if cell == self.move:
                        yield ("c", *edge), colour(cell), True
                elif self.may(other, 1):
                    yield ("c", *edge), colour(cell), edge in self.joined
        if self.move not in area.line and self.move not in area.outside:
            yield ("a", k, self.move), colour(self.move), self.move in area.inside

    def _lay_arc(self) -> None:
        """Find where the cells show that the board ends."""
        sides = []
        for dr, dc in NEAR:
            beyond = [(r + dr, c + dc) for r, c in sorted(self.cells) if self._on(r, c)]
            seen = [cell for cell in beyond if cell in self.cells]
            sides.append([cell for cell in seen if self.mask.get(cell, 7) & 4])
        drawn = [[x for x in side if self.mask.get(x, 7) == 4] for side in sides]
        order = sorted(range(4), key=lambda d: not drawn[d])
        self.sides = [(d, sides[d]) for d in order]
        self.rim: tuple[Spot, int] | None = None
        if drawn[order[0]] and self.start and self.scope == "CORNERS":
            self.rim = drawn[order[0]][0], order[0]

    def _on(self, row: int, col: int) -> bool:
        return not self.mask.get((row, col), 7) & 4


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


def _sums(doors: list[tuple[Name, int, bool]]) -> Iterator[range]:
    low = high = 0
    yield range(1)
    for _, sign, _ in doors:
        low, high = low - (sign < 0), high + (sign > 0)
        yield range(low, high + 1)
