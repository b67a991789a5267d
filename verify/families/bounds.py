"""Distance families: the bounds of an area's surplus for every distance, proved.

A family is a drawing with a straight border of D marked cells, or with a stair to a
corner H cells to the left and V ahead. The *bounds* of a member, for one way to go on,
are the lowest and the highest surplus (white cells less black ones) with which the
formula has a model: every surplus beyond them is proved impossible, on every board.
They are found by proofs alone; no table is put in, and no other member's bounds.

>>> bounds(get_family("up-small").drawing(5), "left")
(-1, 1)
>>> bounds(corner(4, 4), "left"), bounds(corner(4, 4), "straight")
((-2, 0), (-2, -1))
"""

from dataclasses import dataclass

from heuristic.rules.drawing import (
    LIMIT,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellNeed,
    CellState,
    Drawing,
    Kind,
    Offset,
    Turn,
)
from solver.errors import OptionError, UnknownNameError
from verify.proof.formula import Scope
from verify.proof.surplus import Bounds, bounds_of, strip
from verify.proof.view import from_drawing

LEAST = 2  # cells of a border, and from the live end to a corner, either way

# How the walk goes on, and whence it comes if not from below the page: then the drawing
# is turned, as the pose says where the cell before the live end lies.
WAYS: dict[str, tuple[Turn, Offset]] = {
    "straight": (Turn.NONE, (0, 1)),
    "left": (Turn.NONE, (1, 0)),
    "right": (Turn.NONE, (-1, 0)),
    "straight from the right": (Turn.CW, (0, 1)),
    "left from the right": (Turn.CW, (1, 0)),
    "behind from the right": (Turn.CW, (0, -1)),
    "straight from the left": (Turn.CCW, (0, 1)),
    "right from the left": (Turn.CCW, (-1, 0)),
    "behind from the left": (Turn.CCW, (0, -1)),
}


@dataclass(frozen=True, slots=True)
class Family:
    """A straight border: where it begins, what it runs into, and on which side it lies.

    Attributes
    ----------
    name : str
    column : int
        Cells to the left of the live end's column; the border is its cells 1 to D.
    wall : (left, ahead)
        From the border's last cell.
    wall_states : CellState
    side : str
        Side of the area, walking up the border.
    beside : tuple of ((left, ahead), CellState)
        More needs, from the border's last cell.
    """

    name: str
    column: int
    wall: Offset
    wall_states: CellState
    side: str
    beside: tuple[tuple[Offset, CellState], ...] = ()

    def drawing(self, distance: int) -> Drawing:
        """Return the member with a border of that many cells, area not counted.

        Raises
        ------
        OptionError
            If there is no such member.
        """
        if distance < LEAST:
            raise OptionError(f"family {self.name!r} has no distance {distance}")
        line = tuple((self.column, ahead) for ahead in range(1, distance + 1))
        last = line[-1]
        wall = last[0] + self.wall[0], last[1] + self.wall[1]
        beside = {
            (last[0] + left, last[1] + ahead): states
            for (left, ahead), states in self.beside
        }
        told = f"{self.name}-{distance}"
        return border_drawing(
            told, line, wall, {wall: self.wall_states} | beside, self.side
        )


def border_drawing(
    told: str,
    line: tuple[Offset, ...],
    wall: Offset,
    known: dict[Offset, CellState],
    side: str,
) -> Drawing:
    """Return a drawing whose border is so many marked cells, area not counted.

    `known` are needs of other cells, the wall's among them.
    """
    needs = dict.fromkeys(line, CellState.FREE) | known
    area = AreaSpec(
        cells=line,
        side=side,
        base=LIVE_END,
        wall=wall,
        kind=Kind.CLOSED,
        low=-LIMIT,
        high=LIMIT,
        entry=line[0],
        least=len(line),
    )
    return Drawing(
        text=told,
        needs=tuple(CellNeed(at, states) for at, states in sorted(needs.items())),
        areas=(area,),
        runs=(),
        forbidden=((0, 1), (1, 0), (-1, 0), (0, -1)),
    )


def corner(left: int, ahead: int) -> Drawing:
    """Return the drawing of a corner so many cells to the left and ahead.

    The border is a stair from the cell left ahead of the live end to the corner, with
    its straight piece first if the corner lies farther to the left, last if it lies
    farther ahead; the area is on its left.

    Raises
    ------
    OptionError
        If the corner is nearer than two cells, or touches the live end's own corner.
    """
    if min(left, ahead) < LEAST or left == ahead == LEAST:
        raise OptionError(f"there is no corner {left} to the left and {ahead} ahead")
    steps = [(1, 0)] * (left - ahead)
    steps += [(1, 0), (0, 1)] * (min(left, ahead) - 2)
    steps += [(0, 1)] * (ahead - left)
    line = [(1, 1)]
    for step in steps:
        line.append((line[-1][0] + step[0], line[-1][1] + step[1]))
    known = {
        (left, ahead): CellState.VISITED,
        (left - 1, ahead): CellState.FREE,
        (left, ahead - 1): CellState.FREE,
    }
    told = f"corner-{left}-{ahead}"
    return border_drawing(told, tuple(line), (left, ahead), known, "left")


FAMILIES = {
    family.name: family
    for family in (
        Family("straight", 0, (0, 1), TAKEN, "left", (((-1, 0), CellState(3)),)),
        Family(
            "up-small",
            1,
            (0, 1),
            CellState.VISITED,
            "left",
            (((-1, 1), CellState.FREE),),
        ),
        Family(
            "up-big", 0, (1, 1), CellState.VISITED, "right", (((0, 1), CellState.FREE),)
        ),
    )
}


def get_family(name: str) -> Family:
    """Return a family by name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in FAMILIES:
        raise UnknownNameError("family", name, list(FAMILIES))
    return FAMILIES[name]


def scope_of(drawing: Drawing) -> Scope:
    """Return the boards that bounds speak of: every one, if the wall is visited.

    A wall that may lie outside the board shuts the area off only where there are no
    walls inside the board and the start lies on its rim.
    """
    wall = drawing.need(drawing.areas[0].wall).states
    return Scope.PLAIN if wall == CellState.VISITED else Scope.RIM


def bounds(drawing: Drawing, way: str, *, seconds: float = 60.0) -> Bounds:
    """Return the lowest and highest surplus that is not proved impossible.

    Raises
    ------
    UnknownNameError
        If there is no such way.
    """
    if way not in WAYS:
        raise UnknownNameError("way", way, list(WAYS))
    window = from_drawing(drawing, *WAYS[way])
    assert window is not None
    return bounds_of(strip(window), scope_of(drawing), seconds=seconds)
