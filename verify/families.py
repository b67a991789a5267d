"""Distance families: the bounds of an area's surplus for every distance, proved.

A family is a drawing with a straight border of D marked cells, or with a stair to a
corner H cells to the left and V ahead. For a move, the *bounds* of D are the lowest and
the highest surplus (white cells less black ones) with which the formula has a model:
every surplus beyond them is proved impossible, on every board. The bounds are found by
proofs alone, no table is put in; four cells further both are one larger, and the table
says from which D on.

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
from verify.settle import NoModel, Survivor, decide
from verify.view import from_drawing
from verify.window import Scope

MOVES: dict[str, Offset] = {
    "straight": (0, 1),
    "left": (1, 0),
    "right": (-1, 0),
    "behind": (0, -1),  # in a drawing turned clockwise: the walk comes from elsewhere
}
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
        beside = {
            (last[0] + left, last[1] + ahead): states
            for (left, ahead), states in self.beside
        }
        told = f"{self.name}, D {distance}"
        return _drawing(told, line, wall, {wall: self.wall_states} | beside, self.side)


def _drawing(
    told: str,
    line: tuple[Offset, ...],
    wall: Offset,
    known: dict[Offset, State],
    side: str,
) -> Drawing:
    needs = dict.fromkeys(line, State.FREE) | known
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
        forbidden=tuple(MOVES.values()),
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
    if min(left, ahead) < 2 or left == ahead == 2:
        raise OptionError(f"there is no corner {left} to the left and {ahead} ahead")
    steps = [(1, 0)] * (left - ahead)
    steps += [(1, 0), (0, 1)] * (min(left, ahead) - 2)
    steps += [(0, 1)] * (ahead - left)
    line = [(1, 1)]
    for step in steps:
        line.append((line[-1][0] + step[0], line[-1][1] + step[1]))
    known = {
        (left, ahead): State.VISITED,
        (left - 1, ahead): State.FREE,
        (left, ahead - 1): State.FREE,
    }
    told = f"corner {left}, {ahead}"
    return _drawing(told, tuple(line), (left, ahead), known, "left")


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


def excluded(drawing: Drawing, move: str, kind: Kind, low: int, high: int) -> bool:
    """Tell whether no position has such a surplus and is completable by the move.

    Proved, on every rectangle with start and end on its rim at least; a False is the
    answer of a model, never of a time limit.

    Raises
    ------
    OptionError
        If the time limit came first.
    """
    area = replace(drawing.areas[0], kind=kind, low=low, high=high)
    turn = Turn.CW if move == "behind" else Turn.NONE
    window = from_drawing(replace(drawing, areas=(area,)), turn, MOVES[move])
    assert window is not None
    for scope in (Scope.PLAIN, Scope.RIM):
        outcome = decide(window, scope)
        if isinstance(outcome, NoModel):
            return True
    if not isinstance(outcome, Survivor):
        raise OptionError(f"{drawing.text}: the time limit came first")
    return False


def bounds(
    drawing: Drawing, move: str, guess: tuple[int, int] | None = None
) -> tuple[int, int]:
    """Return the lowest and highest surplus that is not excluded.

    With a right guess this takes three proofs or models, else about a dozen.
    """

    def beyond(low: int, high: int) -> bool:
        return excluded(drawing, move, Kind.BEYOND, low, high)

    def reached(surplus: int) -> bool:
        return not excluded(drawing, move, Kind.WITHIN, surplus, surplus)

    if guess and beyond(*guess) and reached(guess[0]) and reached(guess[1]):
        return guess
    most = len(drawing.areas[0].cells) + 1
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
    return bounds(get_family(name).drawing(distance), move, guess)


@cache
def corner_bounds(left: int, ahead: int, move: str) -> tuple[int, int]:
    """Return the proved bounds of a corner; see `corner`.

    >>> corner_bounds(4, 4, "left"), corner_bounds(4, 4, "straight")
    ((-2, 0), (-2, -1))

    The guess is the bounds of the corner one step down the stair, with the one of them
    larger that grew last: black by the outer corners of an even excess, and where the
    straight piece is last; white else.

    Raises
    ------
    OptionError
        If there is no such corner.
    UnknownNameError
        If there is no such move.
    """
    if move not in MOVES:
        raise UnknownNameError("move", move, list(MOVES))
    guess = None
    if min(left, ahead) > 2 and (left - 1, ahead - 1) != (2, 2):
        low, high = corner_bounds(left - 1, ahead - 1, move)
        white = (left - ahead) % 2 == 1 and left > ahead
        guess = (low, high + 1) if white else (low - 1, high)
    elif abs(left - ahead) > PERIOD:
        far = (PERIOD, 0) if left > ahead else (0, PERIOD)
        low, high = corner_bounds(left - far[0], ahead - far[1], move)
        guess = low - 1, high + 1
    return bounds(corner(left, ahead), move, guess)


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
