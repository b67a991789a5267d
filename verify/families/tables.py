"""Distance families: their members as drawings, their bounds as tables and a page.

A family is a drawing with a straight border of D marked cells, or with a stair to a
corner H cells to the left and V ahead. The *bounds* of a member, for one way to go on,
are the lowest and the highest surplus (white cells less black ones) of its area that
are not proved impossible (`verify.families.every`).

Bounds are kept by *member*, named as its drawing: ``up-small-7``, ``corner-4-9`` (so
many cells to the left, so many ahead); for each member by the way to go on. Four cells
farther both bounds are one larger, and one step more of a corner's stair makes one of
them one larger. From where on that holds, up to the last member, is read off the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from heuristic.rules.drawing import (
    TAKEN,
    CellState,
    Drawing,
    Offset,
    Turn,
    area_behind,
    needs_of,
)
from heuristic.rules.writing import page_text
from solver.errors import OptionError, UnknownNameError
from verify.proof.formula import Scope
from verify.proof.surplus import Bounds, NoBounds

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
    column : int
        Cells to the left of the live end's column; the border is its cells 1 to D.
    wall : (left, ahead)
        From the border's last cell.
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
        phrase = f"{self.name}-{distance}"
        return border_drawing(
            phrase, line, wall, {wall: self.wall_states} | beside, self.side
        )


def border_drawing(
    phrase: str,
    line: tuple[Offset, ...],
    wall: Offset,
    known: dict[Offset, CellState],
    side: str,
) -> Drawing:
    """Return a drawing whose border is so many marked cells, area not counted.

    `known` are needs of other cells, the wall's among them.
    """
    needs = dict.fromkeys(line, CellState.FREE) | known
    return Drawing(
        text=phrase,
        needs=needs_of(needs),
        areas=(area_behind(line, wall, side),),
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
    phrase = f"corner-{left}-{ahead}"
    return border_drawing(phrase, tuple(line), (left, ahead), known, "left")


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


PERIOD = 4  # cells after which both bounds are one larger
CORNER = "corner"
NAMES = (*FAMILIES, CORNER)

Place: TypeAlias = tuple[int, ...]  # a distance, or cells to the left and ahead


def places(name: str, most: int) -> list[Place]:
    """Return the members of a family up to a distance, the near ones first.

    >>> places("corner", 3), places("straight", 3)
    ([(2, 3), (3, 2), (3, 3)], [(2,), (3,)])

    Raises
    ------
    UnknownNameError
        If there is no such family.
    """
    sides = range(LEAST, most + 1)
    if name not in NAMES:
        raise UnknownNameError("family", name, list(NAMES))
    if name != CORNER:
        return [(distance,) for distance in sides]
    found = [(left, ahead) for left in sides for ahead in sides]
    found.remove((LEAST, LEAST))  # it touches the corner of the live end
    return sorted(found, key=lambda place: (max(place), place))


def member(name: str, place: Place) -> Drawing:
    """Return the drawing of a member."""
    if name == CORNER:
        return corner(*place)
    return get_family(name).drawing(*place)


@dataclass(frozen=True, slots=True)
class Table:
    """The bounds of a family.

    Attributes
    ----------
    bounds : dict of place to dict of str to Bounds
        By member and way.
    """

    name: str
    bounds: dict[Place, dict[str, Bounds]]

    def columns(self) -> list[tuple[str, ...]]:
        """Return the ways in groups that have the same bounds throughout."""
        columns: list[list[str]] = []
        for way in WAYS:
            for column in columns:
                if all(at[way] == at[column[0]] for at in self.bounds.values()):
                    column.append(way)
                    break
            else:
                columns.append([way])
        return [tuple(column) for column in columns]

    def at(self, place: Place, way: str) -> Bounds | None:
        """Return the bounds of a member, None if it is not in the table."""
        return self.bounds.get(place, {}).get(way)

    def plain(self) -> Iterator[dict[str, Any]]:
        """Yield one object a member and way, for programs; no bounds are null."""
        for place, ways in self.bounds.items():
            keys = ("left", "ahead") if self.name == CORNER else ("distance",)
            where: dict[str, Any] = {"family": self.name}
            where |= zip(keys, place, strict=False)
            for way, one in ways.items():
                if isinstance(one, NoBounds):
                    ends: dict[str, Any] = {
                        "low": None,
                        "high": None,
                        "none": one.name.lower(),
                    }
                else:
                    ends = {"low": one[0], "high": one[1]}
                yield where | {"way": way} | ends

    def regular_from(self, way: str, side: int = 0) -> int | None:
        """Return from where on four cells more make both bounds one larger.

        For a straight border that is a distance. For corners it is the number of cells
        that the corner lies farther to the left than ahead, if `side` is 1, or farther
        ahead than to the left, if it is -1; the farther of the two grows.

        None if the table is too short to show it, or does not become regular.
        """

        def excess(place: Place) -> int:
            return side * (place[0] - place[1]) if side else place[0]

        def farther(place: Place) -> Place:
            if not side:
                return (place[0] + PERIOD,)
            grown = (PERIOD, 0) if side > 0 else (0, PERIOD)
            return place[0] + grown[0], place[1] + grown[1]

        return _from(
            (excess(place), grows(old, new))
            for place, ways in self.bounds.items()
            if not side or excess(place) >= 0
            for old, new in [(ways[way], self.at(farther(place), way))]
            if new is not None
        )

    def stair(self, way: str, difference: int) -> "Stair | None":
        """Return how the bounds grow with the stair, for corners of one difference."""
        line = [
            (place, ways[way])
            for place, ways in sorted(self.bounds.items())
            if place[0] - place[1] == difference
        ]
        steps = list(pairwise(line))
        for white in (True, False):
            first = _from(
                (place[1], grows(old, new, white=white, black=not white))
                for (place, old), (_, new) in steps
            )
            if first is not None:
                return Stair(white, (first + difference, first))
        return None


@dataclass(frozen=True, slots=True)
class Stair:
    """From the corner `since` on, each step of the stair adds one cell of a colour."""

    white: bool
    since: Place


def grows(old: Bounds, new: Bounds, *, white: bool = True, black: bool = True) -> bool:
    """Tell whether the highest surplus is one more, the lowest one less, as asked."""
    if isinstance(old, NoBounds) or isinstance(new, NoBounds):
        return False
    return new == (old[0] - black, old[1] + white)


def _from(steps: Iterable[tuple[int, bool]]) -> int | None:
    """Return the least number from which on all steps are right; None if none is."""
    first = None
    ordered = sorted(steps, reverse=True)
    for number, group in groupby(ordered, key=lambda step: step[0]):
        if not all(right for _, right in group):
            break
        first = number
    return first


_DRAWN: dict[bool, Place] = {True: (5, 3), False: (4,)}  # corner or not: the picture
_HEAD = """# Distance families

Written by `oneway prove straight up-small up-big corner`.

The walk and a border of marked cells cut off an area. Its
*surplus* is the number of its white cells less that of its black ones; black is the
colour of the live end. If a completion goes on in a certain way, only some surpluses
are possible. A cell of the table names the lowest and the highest. Each surplus below
the first number or above the second is proved impossible. The two numbers themselves
are not excluded. *Never*: no completion begins so.

The walk comes from below the page if nothing else is said: *from the right*, *from the
left* of the live end. The letters are those of
[the rule language](../reference/rules.md): `@` live end, `s`, `m`, `e` the border, `.`
free, `#` visited, `%` visited or outside, `o` free or visited. The same holds mirrored.
"""


def markdown(tables: Iterable[Table]) -> str:
    """Write the page: each family's drawing, bounds, and from where on they repeat."""
    pages = [
        _corners(table) if table.name == CORNER else _straight(table)
        for table in tables
    ]
    return "\n".join([_HEAD, *pages])


def shown(one: Bounds | None) -> str:
    """Return bounds as people read them.

    >>> shown((-1, 2)), shown(NoBounds.NEVER), shown(None)
    ('-1 to 2', 'never', '')
    """
    if one is None:
        return ""
    return "never" if isinstance(one, NoBounds) else f"{one[0]} to {one[1]}"


def _straight(table: Table) -> str:
    columns = table.columns()
    rows = [
        _row(place[0], *(shown(table.at(place, column[0])) for column in columns))
        for place in sorted(table.bounds)
    ]
    regular = [table.regular_from(column[0]) for column in columns]
    return "\n".join(
        [
            *_begin(table, "Drawn with a border of 4 cells; D is their number."),
            *_titles("D", *(", ".join(column) for column in columns)),
            *rows,
            _row("regular from", *("-" if at is None else at for at in regular)),
            "",
            f"Regular: {PERIOD} cells more make both one larger, for every D.\n",
        ]
    )


def _corners(table: Table) -> str:
    columns = table.columns()
    ways = [column[0] for column in columns]
    regular = {
        side: [table.regular_from(way, side) for way in ways] for side in (1, -1)
    }
    rows = []
    for difference in sorted({place[0] - place[1] for place in table.bounds}):
        known = regular[1 if difference > 0 else -1]
        if all(at is not None and abs(difference) >= at + PERIOD for at in known):
            continue  # a row nearer by so much says it
        nearest = min(at for at in table.bounds if at[0] - at[1] == difference)
        cells = [_corner(table, nearest, way) for way in ways]
        rows.append(_row(difference, f"{nearest[0]}, {nearest[1]}", *cells))
    ends = [
        _row(
            f"regular from, farther {word}", "", *("-" if x is None else x for x in of)
        )
        for word, of in (("left", regular[1]), ("ahead", regular[-1]))
    ]
    key = """Drawn with a corner 5 cells to the left and 3 ahead. For each difference
of the two the nearest corner. W, B: each step of the stair, one cell more to the left
and one more ahead, makes one white, one black cell more possible, for every corner;
where that holds only from a later corner on, it is named."""
    return "\n".join(
        [
            *_begin(table, key),
            *_titles(
                "left - ahead", "nearest", *(", ".join(column) for column in columns)
            ),
            *rows,
            *ends,
            "",
            "Regular: where a corner lies so much farther to one side, or more, "
            f"{PERIOD} cells\n"
            "more there make both bounds one larger, for every corner.\n",
        ]
    )


def _corner(table: Table, nearest: Place, way: str) -> str:
    text = shown(table.at(nearest, way))
    stair = table.stair(way, nearest[0] - nearest[1])
    if stair is None:
        return text
    letter = "W" if stair.white else "B"
    if stair.since == nearest:
        return f"{text}, {letter}"
    since = ", ".join(map(str, stair.since))
    return f"{text}; from {since}: {shown(table.at(stair.since, way))}, {letter}"


def _begin(table: Table, key: str) -> list[str]:
    name = table.name
    drawing = member(name, _DRAWN[name == CORNER])
    page = page_text(replace(drawing, forbidden=()))
    side, scope = drawing.areas[0].side, scope_of(drawing)
    key += f"\nThe area lies {side} of the border. Proved for {scope.value}."
    key += "\nProved for every distance at once."
    return [f"## {name}", "", "```text", page, "```", "", key, ""]


def _titles(*cells: object) -> Sequence[str]:
    return _row(*cells), "|---" * len(cells) + "|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
