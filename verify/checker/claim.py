"""What a certificate claims: drawings, as its file has them, and in words.

A drawing forbids moves in every position that looks as drawn. Cells are ``(row, col)``
around the live end at ``(0, 0)``, row -1 ahead of it; people see them as [left, ahead].
A record that exists has been checked. Two drawings that claim different things print
differently.

Values of a file are read by the types that they must have, or are a `Fault`.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import chain, pairwise
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

T = TypeVar("T")
Name = Annotated[str, Meta(min_length=1, max_length=200)]  # of a rule or a family
States = Annotated[int, Meta(ge=1, le=7)]  # bits: 1 free, 2 visited, 4 out


class Fault(ValueError):  # noqa: N818 (its text is what is printed)
    """What is wrong with a certificate."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A table of a file: it has these keys and no others."""


def refuse(wrong: object, why: str) -> None:
    """Raise `Fault` if something is wrong."""
    if wrong:
        raise Fault(why)


def read_as(value: Any, kind: type[T]) -> T:
    """Read a JSON value as a type; raises `Fault` at the first other thing."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise Fault(str(error)) from None


def check_name(name: str) -> None:
    """Refuse a name that does not print as one line."""
    refuse(not name.isprintable(), "the name is not one line that can be printed")


def once(values: Iterable[T], what: str) -> tuple[T, ...]:
    """Return values as a tuple, none of them twice."""
    found = tuple(values)
    refuse(len(set(found)) < len(found), f"{what}: a value stands twice")
    return found


FORMAT = 7  # of certificates; `verify.checker.proof` reads no other
FAR = 200  # no cell of a drawing lies farther from the live end
COUNT = 1 << 20  # no bound of an area is larger
AREAS, ORDERS = 6, 4  # of a drawing, at most: the views of a cell double with each

_Number = Annotated[int, Meta(ge=-FAR, le=FAR)]
_Bound = Annotated[int, Meta(ge=-COUNT, le=COUNT)]
Spot = tuple[_Number, _Number]
Pair = tuple[Spot, Spot]

LIVE = (0, 0)
NEAR = ((-1, 0), (0, 1), (1, 0), (0, -1))
ROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
Word = Literal["passes", "lacks", "before", "joined", "mates", "dead"]
WORDS: dict[Word, str] = {  # what the completion does
    "passes": "passes from {} to {}",
    "lacks": "does not pass from {} to {}",
    "before": "comes to {} before {}",
    "joined": "uses the edge {} to {}",
    "mates": "follows one forced line from {} to {}, or back",
    "dead": "cannot begin with {} to {}: the step is dead when it is followed",
}
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
LETTERS = {1: ".", 2: "#", 4: "B", 6: "%", 3: "o", 5: "/", 7: "?"}


class Area(Record, frozen=True):
    """Free cells cut off by a line of marked ones, and what is counted of them.

    `line` comes from `base` and runs into `wall`; the area lies on a `side` of it and
    has at least `least` cells. `kind` is the condition on its surplus, white cells less
    black ones; `low` and `high` are its bounds, `entry` the cell whose colour
    ``odd-determined`` speaks of.
    """

    line: Annotated[tuple[Spot, ...], Meta(min_length=1)]
    side: Literal["left", "right"]
    base: Spot
    wall: Spot
    kind: Literal["closed", "even", "odd", "odd-determined", "within", "beyond"]
    low: _Bound
    high: _Bound
    entry: Spot
    least: Annotated[int, Meta(ge=0, le=COUNT)]

    def __post_init__(self) -> None:
        once(self.line, "an area's line")
        way = [self.base, *self.line, self.wall]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)}
        row = self.base != self.wall and steps <= set(ROUND)
        refuse(not row, "an area's line is not cells in a row between base and wall")
        both = self.inside & self.outside
        refuse(both, "a cell lies on both sides of an area's line")
        none = self.kind == "within" and self.low > self.high
        refuse(none, "an area's bounds leave nothing")
        refuse(self.entry not in self.line, "an area's entry is not on its line")

    @cached_property
    def inside(self) -> frozenset[Spot]:
        """Other cells next to the line on the area's side."""
        return self._beside(-1 if self.side == "left" else 1)

    @cached_property
    def outside(self) -> frozenset[Spot]:
        """Other cells next to the line on the far side."""
        return self._beside(1 if self.side == "left" else -1)

    def _beside(self, turn: int) -> frozenset[Spot]:
        """Return the cells from each step on round to the step before it."""
        way, found = [self.base, *self.line, self.wall], set[Spot]()
        for come, (row, col), go in zip(way, way[1:], way[2:], strict=False):
            at = ROUND.index((go[0] - row, go[1] - col))
            stop = ROUND.index((come[0] - row, come[1] - col))
            while (at := (at + turn) % 8) != stop:
                if ROUND[at] in NEAR:
                    found.add((row + ROUND[at][0], col + ROUND[at][1]))
        return frozenset(found - {*way, LIVE})

    def allows(self, total: int) -> bool:
        """Return whether the doors may come to a total: twice black less white."""
        black_more, rest = divmod(total, 2)
        odd = black_more % 2 == 1
        within = self.low <= -black_more <= self.high
        return (
            rest == 0
            and {
                "closed": True,
                "even": not odd,
                "odd": odd,
                "odd-determined": odd and black_more != colour(self.entry),
                "within": within,
                "beyond": not within,
            }[self.kind]
        )


def colour(cell: Spot) -> int:
    """Return 1 for a cell of the live end's colour, black, and -1 for a white one."""
    return -1 if sum(cell) % 2 else 1


class Sketch(Record, frozen=True):
    """One drawing.

    - `needs`: cells, what each may be, and whether it must not be the end cell.
    - `runs`: visited cells, the first visited before the second.
    - `lines`: what the completion does (`WORDS`) at two free cells. Every completion
      uses the ``joined`` edges, and runs from one of two ``mates`` to the other,
      leaving each by the one joined edge that it has.
    - `end`: the end cell. `moves`: cells that the live end must not step to.
    - `frame`: up the page is the way of the last step, or up the ``board``, where the
      last step led in direction `heading`. Or the live end may lie anywhere: ``away``;
      then LIVE stands for it where a line speaks of the next step.
    - `poses`: turns of the page.
    """

    needs: tuple[tuple[Spot, States, bool], ...]
    areas: Annotated[tuple[Area, ...], Meta(max_length=AREAS)]
    runs: tuple[Pair, ...]
    lines: tuple[tuple[Word, Spot, Spot], ...]
    end: Spot | None
    moves: Annotated[tuple[Spot, ...], Meta(min_length=1)]
    frame: Literal["heading", "board", "away"]
    heading: Annotated[int, Meta(ge=0, le=3)]
    poses: Annotated[tuple[str, ...], Meta(min_length=1)]

    @cached_property
    def mask(self) -> dict[Spot, int]:
        """What cells may be, as bits: 1 free, 2 visited, 4 a wall or off the board."""
        return {cell: states for cell, states, _ in self.needs}

    @cached_property
    def not_end(self) -> frozenset[Spot]:
        """Cells that must not be the end."""
        return frozenset(cell for cell, _, other in self.needs if other)

    @cached_property
    def said(self) -> dict[str, tuple[Pair, ...]]:
        """The pairs of cells of each word."""
        return {
            word: tuple((a, b) for other, a, b in self.lines if other == word)
            for word in WORDS
        }

    @property
    def grants(self) -> bool:
        """Whether something is granted of the completion that no position shows."""
        words = ("passes", "lacks", "before")
        return self.end is not None or any(self.said[word] for word in words)

    def behind(self, pose: str | None) -> Spot | None:
        """Return the cell before the live end; None if an unknown pose decides."""
        if self.frame == "board":
            row, col = NEAR[self.heading]
            return -row, -col
        return None if pose is None else TURNS[pose]

    def __post_init__(self) -> None:
        for key in ("runs", "lines", "moves", "poses"):
            once(getattr(self, key), key)
        once((LIVE, *(cell for cell, _, _ in self.needs)), "the cells of needs")
        nothing = any(states == 7 and not other for _, states, other in self.needs)
        refuse(nothing, "a need asks for nothing")
        free = {cell for cell, states in self.mask.items() if states == 1}
        taken = {cell for cell in self.mask if not self.mask[cell] & 1}
        for area in self.areas:
            ends = {area.wall} if area.base == LIVE else {area.base, area.wall}
            good = free.issuperset(area.line) and taken >= ends
            refuse(not good, "an area's line is not free cells between taken ones")
        runs = set(chain.from_iterable(self.runs))
        refuse(any(a == b for a, b in self.runs), "a run is one cell twice")
        seen = all(self.mask.get(cell) == 2 for cell in runs)
        refuse(not seen, "a run is not two cells that are needed visited")
        orders = len(self.runs) + len(self.said["before"])
        refuse(orders > ORDERS, f"a drawing has more than {ORDERS} orders")
        self._check_lines(free)
        last = self.end is None or (self.end in free and self.end not in self.not_end)
        refuse(not last, "the end is not a cell that is needed free")
        steps = set(self.moves)
        refuse(not steps <= set(NEAR), "a forbidden move does not touch the live end")
        other = any(self.mask.get(move, 1) not in (1, 7) for move in steps)
        refuse(other, "a forbidden cell is needed other than free")
        known = CORNERS if self.frame == "board" else TURNS
        refuse(not set(self.poses) <= set(known), "a pose is not one of the frame")
        turns = self.heading and self.frame != "board"
        refuse(turns, "a page that turns with the last step has a heading")

    def _check_lines(self, free: set[Spot]) -> None:
        away = self.frame == "away"
        for word, a, b in self.lines:
            step = a == LIVE and word in ("passes", "lacks", "dead")
            far = word in ("before", "mates") or (step and away)
            edge = far or (b[0] - a[0], b[1] - a[1]) in NEAR
            cells = b in free and (a in free or step)
            good = edge and cells and a != b and (word != "dead" or step)
            refuse(not good, "a line is not two cells that are needed free, or no edge")
        once(map(frozenset, self.said["joined"]), "forced edges")
        joined = list(chain.from_iterable(self.said["joined"]))
        ends = list(chain.from_iterable(self.said["mates"]))
        wrong = any(joined.count(cell) != 1 or ends.count(cell) != 1 for cell in ends)
        refuse(wrong, "an end of a forced line has not one forced edge, or two lines")
        if away:
            near = any(abs(row) + abs(col) < 4 for row, col in self.mask)
            spoken = self.areas or self.runs or joined or self.said["dead"]
            why = "a drawing away from the live end speaks of more than far cells"
            refuse(near or spoken, why)


class Rule(Record, frozen=True):
    """A rule: its name, and its drawings."""

    name: Name
    drawings: Annotated[tuple[Sketch, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        check_name(self.name)


# In words -----------------------------------------------------------------------


def drawing_lines(sketch: Sketch) -> list[str]:
    """Return the cells in the letters of rule files, and the rest as sentences.

    ``/`` is a cell free or outside. Cells are given as [left, ahead].
    """
    marks: dict[Spot, str] = {LIVE: "@"}
    marks |= dict.fromkeys((c for area in sketch.areas for c in area.line), "m")
    cells = {LIVE, *sketch.mask, *sketch.moves}
    rows, cols = [row for row, _ in cells], [col for _, col in cells]

    def letter(cell: Spot) -> str:
        sign = marks.get(cell, LETTERS[sketch.mask.get(cell, 7)])
        if cell in sketch.moves:
            return {"m": "M", ".": "X"}.get(sign, "x")
        return "K" if sign == "." and cell in sketch.not_end else sign

    lines = [
        " ".join(letter((row, col)) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    ]
    lines += map(_area_line, sketch.areas)
    lines += [f"{_at(a)} is visited before {_at(b)}" for a, b in sketch.runs]
    lines += [
        f"the completion {words.format(_at(a), _at(b))}"
        for word, words in WORDS.items()
        for a, b in sketch.said[word]
    ]
    lines += [f"the end: {_at(sketch.end)}"] if sketch.end is not None else []
    ends = sorted(sketch.not_end)
    lines += [f"not the end: {' '.join(map(_at, ends))}"] if ends else []
    frame = "the last step runs up the page"
    if sketch.frame == "board":
        frame = "up the page is up the board, heading " + "URDL"[sketch.heading]
    elif sketch.frame == "away":
        frame = "the live end, [0,0], may lie anywhere"
    return [*lines, f"{frame}; laid {', '.join(sketch.poses).lower()}"]


def _area_line(area: Area) -> str:
    bounds = entry = ""
    if area.kind in ("within", "beyond"):
        bounds = f" {area.low} to {area.high}"
    if area.kind == "odd-determined":
        entry = f", entry {_at(area.entry)}"
    return (
        f"area {area.side} of the line "
        f"{' '.join(map(_at, area.line))} from {_at(area.base)} to {_at(area.wall)}"
        f": {area.kind}{bounds}{entry}, at least {area.least} cells"
    )


def _at(cell: Spot) -> str:
    return f"[{-cell[1]},{-cell[0]}]"
