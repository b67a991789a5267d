"""Distance families: the bounds of an area's surplus for every distance, proved.

A family is a drawing with a straight border of D marked cells. For a move, the *bounds*
of D are the lowest and the highest surplus (white cells less black ones) with which the
formula has a model: every surplus beyond them is proved impossible, on every board.
The bounds are found by proofs alone, no table is put in; four cells further both are
one larger, and the table says from which D on.

>>> table("up-small", "left", range(2, 11)).bounds[5]
(-1, 1)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from heuristic.drawing import (
    LIMIT,
    LIVE_END,
    TAKEN,
    AreaSpec,
    CellNeed,
    Drawing,
    Kind,
    Offset,
    State,
    Turn,
)
from solver.errors import OptionError, UnknownNameError
from verify.settle import Impossible, Survivor, settle
from verify.view import from_drawing
from verify.window import Scope

MOVES: dict[str, Offset] = {"straight": (0, 1), "left": (1, 0), "right": (-1, 0)}
PERIOD = 4  # cells after which the bounds repeat, one larger


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
    wall_states : State
    side : str
        Side of the area, walking up the border.
    beside : tuple of ((left, ahead), State)
        More needs, from the border's last cell.
    """

    name: str
    column: int
    wall: Offset
    wall_states: State
    side: str
    beside: tuple[tuple[Offset, State], ...] = ()

    def drawing(self, distance: int) -> Drawing:
        """Return the member with a border of that many cells, area not counted.

        Raises
        ------
        OptionError
            If there is no such member.
        """
        if distance < 2:
            raise OptionError(f"family {self.name!r} has no distance {distance}")
        line = tuple((self.column, ahead) for ahead in range(1, distance + 1))
        last = line[-1]
        wall = last[0] + self.wall[0], last[1] + self.wall[1]
        needs = dict.fromkeys(line, State.FREE) | {wall: self.wall_states}
        for (left, ahead), states in self.beside:
            needs[last[0] + left, last[1] + ahead] = states
        area = AreaSpec(
            cells=line,
            side=self.side,
            base=LIVE_END,
            wall=wall,
            kind=Kind.CLOSED,
            low=-LIMIT,
            high=LIMIT,
            entry=line[0],
            least=distance,
        )
        return Drawing(
            text=f"{self.name}, D {distance}",
            needs=tuple(CellNeed(at, states) for at, states in sorted(needs.items())),
            areas=(area,),
            runs=(),
            forbidden=tuple(MOVES.values()),
        )


FAMILIES = {
    family.name: family
    for family in (
        Family("straight", 0, (0, 1), TAKEN, "left", (((-1, 0), State(3)),)),
        Family("up-small", 1, (0, 1), State.VISITED, "left", (((-1, 1), State.FREE),)),
        Family("up-big", 0, (1, 1), State.VISITED, "right", (((0, 1), State.FREE),)),
    )
}


@dataclass(frozen=True, slots=True)
class Table:
    """The bounds of a family for one move.

    Attributes
    ----------
    family, move : str
    bounds : dict of int to (int, int)
        Lowest and highest surplus by distance.
    """

    family: str
    move: str
    bounds: dict[int, tuple[int, int]]

    @property
    def regular_from(self) -> int | None:
        """The distance from which four more cells make both bounds one larger.

        None if the table is too short to show it, or does not become regular.
        """
        first = None
        for distance in sorted(self.bounds, reverse=True):
            if distance + PERIOD not in self.bounds:
                continue
            low, high = self.bounds[distance]
            if self.bounds[distance + PERIOD] != (low - 1, high + 1):
                break
            first = distance
        return first


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


def excluded(
    family: Family, distance: int, move: str, kind: Kind, low: int, high: int
) -> bool:
    """Tell whether no position has such a surplus and is completable by the move.

    Proved, on every rectangle with start and end on its rim at least; a False is the
    answer of a model, never of a time limit.

    Raises
    ------
    OptionError
        If the time limit came first.
    """
    drawing = family.drawing(distance)
    area = replace(drawing.areas[0], kind=kind, low=low, high=high)
    window = from_drawing(replace(drawing, areas=(area,)), Turn.NONE, MOVES[move])
    assert window is not None
    for scope in (Scope.PLAIN, Scope.RIM):
        outcome = settle(window, scope)
        if isinstance(outcome, Impossible):
            return True
    if not isinstance(outcome, Survivor):
        raise OptionError(f"{family.name}, D {distance}: the time limit came first")
    return False


def bounds(
    family: Family, distance: int, move: str, guess: tuple[int, int] | None = None
) -> tuple[int, int]:
    """Return the lowest and highest surplus that is not excluded.

    With a right guess this takes three proofs or models, else about a dozen.
    """

    def beyond(low: int, high: int) -> bool:
        return excluded(family, distance, move, Kind.BEYOND, low, high)

    def reached(surplus: int) -> bool:
        return not excluded(family, distance, move, Kind.WITHIN, surplus, surplus)

    if guess and beyond(*guess) and reached(guess[0]) and reached(guess[1]):
        return guess
    most = distance + 1
    high = _last(lambda value: not beyond(-LIMIT, value - 1), -most, most)
    low = -_last(lambda value: not beyond(-value + 1, LIMIT), -most, most)
    return low, high


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last value for which `holds`, true up to there, false behind."""
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


@cache
def _bounds_of(name: str, move: str, distance: int) -> tuple[int, int]:
    guess = None
    if distance - PERIOD >= 2:
        low, high = _bounds_of(name, move, distance - PERIOD)
        guess = low - 1, high + 1
    return bounds(get_family(name), distance, move, guess)


def table(name: str, move: str, distances: Iterable[int]) -> Table:
    """Return the proved bounds of a family's members for one move."""
    return Table(name, move, {d: _bounds_of(name, move, d) for d in distances})


def markdown(tables: Iterable[Table]) -> str:
    """Write tables as Markdown, the most white as W, the most black as B."""
    shown = list(tables)
    distances = sorted({d for one in shown for d in one.bounds})
    head = [f"{one.family}, {one.move}" for one in shown]
    lines = [f"| D | {' | '.join(head)} |", f"|{'---|' * (len(head) + 1)}"]
    for distance in distances:
        cells = []
        for one in shown:
            low, high = one.bounds.get(distance, (0, 0))
            cells.append(f"{high}W to {-low}B" if distance in one.bounds else "")
        lines.append(f"| {distance} | {' | '.join(cells)} |")
    regular = [str(one.regular_from or "-") for one in shown]
    lines.append(f"| regular from | {' | '.join(regular)} |")
    return "\n".join(lines) + "\n"
