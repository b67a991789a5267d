"""The bounds of distance families as tables: how they go on, and as text for people.

Bounds are kept by *member*, named as its drawing: ``up-small-7``, ``corner-4-9`` (so
many cells to the left, so many ahead); for each member by the way to go on.

Four cells farther both bounds are one larger, and one step more of a corner's stair
makes one of them one larger. From where on that holds, up to the last member, is read
off what was proved, nothing more.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, TypeAlias

from heuristic.rules.drawing import Drawing
from solver.errors import UnknownNameError
from verify.families.bounds import FAMILIES, LEAST, WAYS, bounds, corner, get_family
from verify.proof.surplus import Bounds, NoBounds

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
    name : str
    bounds : dict of place to dict of str to Bounds
        By member and way.
    every : bool
        Whether they are proved for every distance, so that they go on as they begin.
    """

    name: str
    bounds: dict[Place, dict[str, Bounds]]
    every: bool = False

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

    def unknown(self) -> list[str]:
        """Return the members, with the way, for which a time limit came first."""
        return [
            f"{member(self.name, place).text}, {way}"
            for place, ways in self.bounds.items()
            for way, one in ways.items()
            if one is NoBounds.UNKNOWN
        ]

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


def find_bounds(name: str, most: int, *, seconds: float = 60.0) -> Table:
    """Prove the bounds of all members up to a distance."""
    found = {
        place: member_bounds(name, place, seconds=seconds)
        for place in places(name, most)
    }
    return Table(name, found)


def member_bounds(name: str, place: Place, *, seconds: float) -> dict[str, Bounds]:
    """Prove the bounds of one member, for each way to go on."""
    drawing = member(name, place)
    return {way: bounds(drawing, way, seconds=seconds) for way in WAYS}
