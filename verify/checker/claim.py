"""Drawings, as the file of a certificate has them: what is claimed.

A drawing forbids moves in every position that looks as drawn. Cells are ``(row, col)``
around the live end at ``(0, 0)``, row -1 ahead of it; people see them as [left, ahead].
Values of a file are read by the types that they must have. A record that exists has
been checked, and anything else is a `Flaw`.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import chain, pairwise
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

T = TypeVar("T")
States = Annotated[int, Meta(ge=1, le=7)]  # bits: 1 free, 2 visited, 4 out


class Flaw(ValueError):  # noqa: N818 (its text is what is printed)
    """A fault of a certificate, in words."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A table of a file: it has these keys and no others."""


def refuse(wrong: object, why: str) -> None:
    """Raise `Flaw` if something is wrong."""
    if wrong:
        raise Flaw(why)


def read_as(value: Any, kind: type[T]) -> T:
    """Read a JSON value as a type; raises `Flaw` at the first other thing."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise Flaw(str(error)) from None


FAR = 200  # cells from the live end to a cell of a drawing, at most
COUNT = 1 << 20  # no bound of an area is larger
AREAS, ORDERS = 6, 4  # of a drawing, at most: the views of a cell double with each

_Number = Annotated[int, Meta(ge=-FAR, le=FAR)]
Bound = Annotated[int, Meta(ge=-COUNT, le=COUNT)]
Spot = tuple[_Number, _Number]
Pair = tuple[Spot, Spot]

LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
ROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
# What the completion does at two cells: it passes from the first to the second, does
# not pass so, comes to the first before the second, uses the edge, follows one forced
# line from the one to the other, cannot begin with the step: it is dead when followed.
Word = Literal["passes", "lacks", "before", "joined", "mates", "dead"]
WORDS: tuple[Word, ...] = get_args(Word)
# Where the cell before the live end lies when the page is turned so.
TURNS = {"NONE": (1, 0), "CW": (0, 1), "CCW": (0, -1), "HALF": (-1, 0)}
# Directions on the page that lead out of the board at the start corner.
CORNERS = {
    "IDENTITY": (-1, -1),
    "TRANSPOSE": (-1, -1),
    "FLIP_ROWS": (1, -1),
    "FLIP_COLS": (-1, 1),
    "ROTATE_HALF": (1, 1),
    "ANTI_TRANSPOSE": (1, 1),
    "ROTATE_RIGHT": (1, -1),
    "ROTATE_LEFT": (-1, 1),
}
Side = Literal["left", "right"]


def directions_between(side: Side, go: Spot, come: Spot) -> list[Spot]:
    """Return the directions between two, turning to the left on the left side."""
    turn = -1 if side == "left" else 1
    at, stop = ROUND.index(go), ROUND.index(come)
    return [ROUND[(at + turn * k) % 8] for k in range(1, turn * (stop - at) % 8)]


def colour(cell: Spot) -> int:
    """Return 1 for a black cell, of the live end's colour, and -1 for a white one."""
    return -1 if sum(cell) % 2 else 1


def differences(path: Iterable[Spot]) -> list[Spot]:
    """Return the differences between cells and the next ones."""
    return [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]


class ClaimedArea(Record, frozen=True):
    """Free cells cut off by a line of marked ones, and what is counted of them."""

    line: Annotated[tuple[Spot, ...], Meta(min_length=1)]
    side: Side  # of the line, on which the area lies
    base: Spot  # from which the line comes
    wall: Spot  # into which it runs
    # the condition on the area's surplus, white cells less black ones; its bounds
    kind: Literal["closed", "even", "odd", "odd-determined", "within", "beyond"]
    low: Bound
    high: Bound
    entry: Spot  # the cell whose colour ``odd-determined`` speaks of
    least: Annotated[int, Meta(ge=0, le=COUNT)]  # cells of the area

    def __post_init__(self) -> None:
        cells = set(self.line)
        refuse(len(cells) < len(self.line), "an area's line has a cell twice")
        row = self.base != self.wall and {*differences(self.path)} <= {*ROUND}
        refuse(not row, "an area's line is not cells in a row between base and wall")
        both = self.inside & self.outside
        refuse(both, "a cell lies on both sides of an area's line")
        none = self.kind == "within" and self.low > self.high
        refuse(none, "an area's bounds leave nothing")
        refuse(self.entry not in cells, "an area's entry is not on its line")

    @property
    def path(self) -> tuple[Spot, ...]:
        """The line, with base and wall."""
        return self.base, *self.line, self.wall

    @cached_property
    def inside(self) -> frozenset[Spot]:
        """Other cells next to the line on the area's side."""
        return self._beside(self.side)

    @cached_property
    def outside(self) -> frozenset[Spot]:
        """Those on the far side."""
        return self._beside("right" if self.side == "left" else "left")

    def _beside(self, side: Side) -> frozenset[Spot]:
        steps = differences(self.path)
        cells = {
            (row + d[0], col + d[1])
            for (row, col), came, go in zip(self.line, steps, steps[1:], strict=False)
            for d in directions_between(side, go, (-came[0], -came[1]))
            if d in NEAR
        }
        return frozenset(cells - {*self.path, LIVE})

    def allows(self, total: int) -> bool:
        """Return whether the doors may come to a total: twice black less white."""
        surplus, rest = divmod(-total, 2)
        odd, within = surplus % 2 == 1, self.low <= surplus <= self.high
        good = {
            "closed": True,
            "even": not odd,
            "odd": odd,
            "odd-determined": odd and surplus != -colour(self.entry),
            "within": within,
            "beyond": not within,
        }
        return rest == 0 and good[self.kind]


class Sketch(Record, frozen=True):
    """A drawing.

    - `lines`: what the completion does (`WORDS`) at two free cells. Every completion
      uses the ``joined`` edges, and runs from one of two ``mates`` to the other,
      leaving each by the one joined edge that it has.
    - `frame`: up the page is the way of the last step, or up the ``board``, where the
      last step led in direction `heading`. Or the live end may lie anywhere: ``away``;
      then LIVE stands for it where a line speaks of the next step.
    """

    needs: tuple[tuple[Spot, States, bool], ...]  # True: it must not be the end cell
    areas: Annotated[tuple[ClaimedArea, ...], Meta(max_length=AREAS)]
    runs: tuple[Pair, ...]  # visited cells, the first visited before the second
    lines: tuple[tuple[Word, Spot, Spot], ...]
    end: Spot | None  # the end cell
    moves: Annotated[tuple[Spot, ...], Meta(min_length=1)]  # forbidden ones
    frame: Literal["heading", "board", "away"]
    heading: Annotated[int, Meta(ge=0, le=3)]
    poses: Annotated[tuple[str, ...], Meta(min_length=1)]  # turns of the page

    @cached_property
    def mask(self) -> dict[Spot, int]:
        """States of cells, as bits: 1 free, 2 visited, 4 a wall or off the board."""
        return {cell: states for cell, states, _ in self.needs}

    @cached_property
    def not_end(self) -> frozenset[Spot]:
        """Cells that must not be the end."""
        return frozenset(cell for cell, _, barred in self.needs if barred)

    @cached_property
    def pairs(self) -> dict[str, list[Pair]]:
        """The pairs of cells of each word."""
        return {word: [(a, b) for x, a, b in self.lines if x == word] for word in WORDS}

    @property
    def grants(self) -> bool:
        """Return whether the drawing grants a fact that no position shows."""
        words = {word for word, _, _ in self.lines}
        return self.end is not None or bool(words & {"passes", "lacks", "before"})

    def behind(self, pose: str | None) -> Spot | None:
        """Return the cell before the live end; None if an unknown pose decides."""
        if self.frame == "board":
            row, col = NEAR[self.heading]
            return -row, -col
        return None if pose is None else TURNS[pose]

    def __post_init__(self) -> None:
        twice = len({LIVE, *self.mask}) <= len(self.needs)
        refuse(twice, "a cell is needed twice, or is the live end")
        free = {cell for cell, states in self.mask.items() if states == 1}
        taken = {cell for cell in self.mask if not self.mask[cell] & 1}
        for area in self.areas:
            ends = area.wall in taken and area.base in taken | {LIVE}
            good = ends and free.issuperset(area.line)
            refuse(not good, "an area's line is not free cells between taken ones")
        refuse(any(a == b for a, b in self.runs), "a run is one cell twice")
        visited = all(self.mask.get(x) == 2 for x in chain.from_iterable(self.runs))
        refuse(not visited, "a run is not two cells that are needed visited")
        orders = len(self.runs) + len(self.pairs["before"])
        refuse(orders > ORDERS, f"a drawing has more than {ORDERS} orders")
        self._check_lines(free)
        last = self.end is None or self.end in free - self.not_end
        refuse(not last, "the end is not a cell that is needed free")
        touching = set(NEAR).issuperset(self.moves)
        refuse(not touching, "a forbidden move does not touch the live end")
        barred = any(self.mask.get(move, 1) not in (1, 7) for move in self.moves)
        refuse(barred, "a forbidden cell is needed other than free")
        poses = set(CORNERS if self.frame == "board" else TURNS)
        refuse(not poses.issuperset(self.poses), "a pose is not one of the frame")

    def _check_lines(self, free: set[Spot]) -> None:
        away = self.frame == "away"
        for word, a, b in self.lines:
            step = a == LIVE and word in ("passes", "lacks", "dead")
            far = word in ("before", "mates") or (step and away)
            edge = far or differences((a, b))[0] in NEAR
            cells = b in free and (a in free or step)
            good = edge and cells and a != b and (word != "dead" or step)
            refuse(not good, "a line is not two cells that are needed free, or no edge")
        edges = set(map(frozenset, self.pairs["joined"]))
        joined = list(chain.from_iterable(edges))
        ends = list(chain.from_iterable(self.pairs["mates"]))
        wrong = any(joined.count(cell) != 1 or ends.count(cell) != 1 for cell in ends)
        refuse(wrong, "an end of a forced line has not one forced edge, or two lines")
        if away:
            near = any(abs(row) + abs(col) < 4 for row, col in self.mask)
            spoken = self.areas or self.runs or joined or self.pairs["dead"]
            why = "a drawing away from the live end speaks of more than far cells"
            refuse(near or spoken, why)
