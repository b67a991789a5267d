"""The model of a drawn rule: needs of cells, areas, facts, forbidden moves.

A rule is drawn around the live end ``@``. A cell of the page is a *spot* ``(row, col)``
counted from the live end: the cell ahead is ``(-1, 0)``, the cell on the left
``(0, -1)``. Rule files and messages write it ``[left, ahead]``: see `left_ahead`. In
the heading frame the page is turned until the walk's last step runs up the page. In
the board frame up the page is up the board. `docs/reference/rules.md` has the legend
and the semantics with examples; `heuristic.rules.rulefile` reads the files.

Proofs rely on these semantics of an area. Its *line* of marked cells comes from the
cell `base` and runs into the cell `wall`, neither of which is free. The line has two
sides: `inside` are the neighbours of marked cells on the named side, `outside` those on
the other. The area is the line and every free cell that a flood fill from the free
cells of `inside` reaches without passing marked cells. The area must be *closed*: no
free cell of `outside` belongs to it, and neither does the end cell. Then free cells
outside the area touch it at marked cells alone.
"""

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, IntFlag
from functools import cache, cached_property
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from heuristic.rule import Boards
from solver.board import ROTATIONS, STEPS, Symmetry

Spot: TypeAlias = tuple[int, int]  # rows down and columns right of the live end
Pair: TypeAlias = tuple[Spot, Spot]
Fact: TypeAlias = tuple[str, Spot, Spot]  # a word of `FACTS`, and two cells

LIVE_END: Spot = (0, 0)
# Counter-clockwise on the page, beginning ahead.
AROUND = ((-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1))
MOVES = {"straight": (-1, 0), "left": (0, -1), "behind": (1, 0), "right": (0, 1)}


def left_ahead(at: Spot) -> tuple[int, int]:
    """Return a cell as rule files write it: cells to the left, cells ahead.

    >>> left_ahead((-1, 0)), left_ahead((0, -2))
    ((0, 1), (2, 0))
    """
    return -at[1], -at[0]


def written(at: Spot) -> list[int]:
    """Return a cell as rule files and messages show it."""
    return list(left_ahead(at))


def spot(left: int, ahead: int) -> Spot:
    """Return the cell of ``[left, ahead]``; the inverse of `left_ahead`."""
    return -ahead, -left


def step(a: Spot, b: Spot) -> Spot:
    """Return the difference b - a."""
    return b[0] - a[0], b[1] - a[1]


def box_around(cells: Collection[Spot]) -> tuple[int, int, int, int]:
    """Return the first row and column of some cells, then the last ones."""
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    return min(rows), min(cols), max(rows), max(cols)


@cache
def between(after: Spot, before: Spot, left: bool) -> tuple[Spot, ...]:
    """Return the side steps on the left or right of a line that bends at a cell.

    The line comes from `before` and leaves to `after`, steps to any of the eight
    cells around. The left side lies counter-clockwise from `after` to `before`, the
    right side clockwise.
    """
    at, stop, turn = AROUND.index(after), AROUND.index(before), 1 if left else -1
    met = [(at + turn * k) % 8 for k in range(1, turn * (stop - at) % 8 or 8)]
    return tuple(AROUND[i] for i in met if i % 2 == 0)


class CellState(IntFlag):
    """The state of a cell; a need is a set of states."""

    FREE = 1
    VISITED = 2
    OUTSIDE = 4  # beyond the edge of the board, or a wall


ANY = CellState.FREE | CellState.VISITED | CellState.OUTSIDE
TAKEN = CellState.VISITED | CellState.OUTSIDE


@dataclass(frozen=True, slots=True)
class CellNeed:
    """The states that a cell may have: not all three unless it must not be the end."""

    at: Spot
    states: CellState
    not_end: bool = False


def needs_of(
    states: Mapping[Spot, CellState], not_end: Container[Spot] = ()
) -> tuple[CellNeed, ...]:
    """Return the needs of cells, sorted as `left_ahead`."""
    cells = sorted(states, key=left_ahead)
    return tuple(CellNeed(at, states[at], at in not_end) for at in cells)


class Kind(Enum):
    """The condition of a closed area.

    Colours are those of the chessboard; the colour of the live end is *black*. The
    surplus is the number of white cells minus that of black cells.
    """

    CLOSED = "closed"  # always; nothing is counted
    EVEN = "even"  # the number of cells is even
    ODD = "odd"  # the number of cells is odd
    DETERMINED = "odd-determined"  # odd, but not one more of the entry's colour
    WITHIN = "within"  # low <= surplus <= high
    BEYOND = "beyond"  # surplus < low or surplus > high

    @classmethod
    def _missing_(cls, value: object) -> "Kind | None":
        """Read the words of version 0.2."""
        old = {"pair": cls.EVEN, "impair": cls.ODD, "impair-determined": cls.DETERMINED}
        return old.get(str(value))

    @property
    def bounded(self) -> bool:
        """Return whether the condition needs `low` and `high`."""
        return self in (Kind.WITHIN, Kind.BEYOND)


LIMIT = 1 << 20  # an imbalance no board has


@dataclass(frozen=True)
class AreaSpec:
    """An area that the walk and a line of marked cells cut off; see the module.

    - `cells`: the marked cells in order, each touching the next; all are needed free.
    - `side`: ``left`` or ``right`` of the line, walking from its first cell to its
      last.
    - `base`, `wall`: where the line comes from and what it runs into, touching the
      first and the last cell by a side or a corner. The base is the live end, or
      needed taken; the wall is always needed taken.
    - `kind`: the condition; `low` and `high` bound the surplus for WITHIN and BEYOND,
      an infinite bound is -LIMIT or LIMIT.
    - `entry`: the marked cell whose colour DETERMINED speaks of.
    - `least`: the fewest cells of the area, the line among them; by default the number
      of marked cells.
    """

    cells: tuple[Spot, ...]
    side: str
    base: Spot
    wall: Spot
    kind: Kind
    low: int
    high: int
    entry: Spot
    least: int

    def allows(self, surplus: int) -> bool:
        """Return whether the condition holds for that surplus."""
        match self.kind:
            case Kind.EVEN:
                return surplus % 2 == 0
            case Kind.ODD:
                return surplus % 2 == 1
            case Kind.DETERMINED:
                return surplus % 2 == 1 and surplus != 2 * (sum(self.entry) % 2) - 1
            case Kind.WITHIN:
                return self.low <= surplus <= self.high
            case Kind.BEYOND:
                return not self.low <= surplus <= self.high
        return True

    @cached_property
    def inside(self) -> tuple[Spot, ...]:
        """Neighbours of marked cells on the named side, not marked themselves."""
        return self._beside(self.side == "left")

    @cached_property
    def outside(self) -> tuple[Spot, ...]:
        """Neighbours of marked cells on the other side, not marked themselves."""
        return self._beside(self.side == "right")

    def _beside(self, left: bool) -> tuple[Spot, ...]:
        line = (self.base, *self.cells, self.wall)
        cells: dict[Spot, None] = {}
        for before, here, after in zip(line, line[1:], line[2:], strict=False):
            for d in between(step(here, after), step(here, before), left):
                cells[here[0] + d[0], here[1] + d[1]] = None
        return tuple(at for at in cells if at not in line and at != LIVE_END)

    def turned(self, turn: Symmetry) -> "AreaSpec":
        """Return the area as it lies when the page is turned."""
        return replace(
            self,
            cells=tuple(map(turn.turn, self.cells)),
            side="left" if (self.side == "right") == turn.mirrors else "right",
            base=turn.turn(self.base),
            wall=turn.turn(self.wall),
            entry=turn.turn(self.entry),
        )

    def faces(self, target: Spot, behind: Spot | None) -> bool | None:
        """Return whether a move leads to the area's side of walk and line.

        None if that is open: the line does not come from the live end, the move leads
        to a marked cell, or the walk need not come from `behind`.
        """
        near = {LIVE_END, self.cells[0], self.cells[-1], self.wall}
        top, left, bottom, right = box_around(near)
        crossed = len(near) == 4 and max(bottom - top, right - left) == 1
        if self.base != LIVE_END or crossed or behind is None:
            return None
        if self.cells[0] == behind or target == behind or target in self.cells:
            return None
        return target in between(self.cells[0], behind, left=self.side == "left")


def area_behind(
    line: Sequence[Spot],
    wall: Spot,
    side: str = "left",
    *,
    base: Spot = LIVE_END,
    kind: Kind = Kind.CLOSED,
    bounds: tuple[int, int] = (-LIMIT, LIMIT),
) -> AreaSpec:
    """Return the area behind a line of marked cells, of any size."""
    ends = tuple(line), side, base, wall
    return AreaSpec(*ends, kind, *bounds, line[0], len(line))


@dataclass(frozen=True, slots=True)
class VisitOrder:
    """Both cells are visited, `first` before `then`."""

    first: Spot
    then: Spot


class LineEnd(IntFlag):
    """The role of a cell in a future line (`heuristic.future`)."""

    NEAR = 1
    FAR = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """The cell is an end of a future line.

    With `same` it belongs to the section of the first mark: the two were ends of one
    line before that line was joined with others.
    """

    at: Spot
    end: LineEnd
    same: bool = False


@dataclass(frozen=True, slots=True)
class FactKind:
    """A kind of statement about two free cells, and its words.

    - `text`: the fact in words; the cells go into the braces.
    - `edge`: whether the cells touch and the fact speaks of the edge between them.
    - `tested`: whether a position is tested for it; the others are granted to proofs
      alone.
    - `step`: whether the first cell is the live end, and the fact is about the step. It
      is followed with the areas of the drawing: more areas make the fact weaker.
    """

    text: str = ""
    edge: bool = True
    tested: bool = False
    step: bool = False


# All kinds of facts about two cells; the tested ones are keys of a rule file. Each end
# of a forced line (`mates`) has one `joined` edge, by which the line leaves it.
FACTS = {
    "passes": FactKind(),  # the completion steps from the one to the other
    "lacks": FactKind(),  # it does not
    "before": FactKind(edge=False),  # it comes to the one before the other
    "joined": FactKind("forced: {} to {}", tested=True),
    "mates": FactKind("one forced line ends at {} and {}", edge=False, tested=True),
    "dead": FactKind(
        "dead when followed: the step from {} to {}", tested=True, step=True
    ),
}
TESTED = tuple(word for word, kind in FACTS.items() if kind.tested)
MOST_COUNTED = 30  # areas with which a step is followed; the book has two at most


class Frame(Enum):
    """The way the page lies on the board."""

    HEADING = "heading"  # the walk's last step runs up the page
    BOARD = "board"  # up the page is up the board
    AWAY = "away"  # the live end may lie anywhere: in proofs alone


# Quarter turns as certificates and saved pictures name them.
POSES = {
    "NONE": Symmetry.IDENTITY,
    "CW": Symmetry.ROTATE_RIGHT,
    "CCW": Symmetry.ROTATE_LEFT,
    "HALF": Symmetry.ROTATE_HALF,
}
POSE_NAMES = {turn: name for name, turn in POSES.items()}


class Placement(NamedTuple):
    """A placement: a drawing on a board, turned or mirrored.

    - `heading`: the direction (0 to 3: U, R, D, L) of the walk's last step.
    - `turn`: how the page is turned to lie on the board.
    """

    heading: int
    turn: Symmetry


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture of a rule, with everything that a position is tested for.

    A position matches in a placement when every need, area, run, mark and tested fact
    holds there. Then the forbidden cells that are free are forbidden.

    - `text`: the picture as drawn, one line a row.
    - `needs`: at most one a cell, the live end left out; those of areas and runs are
      among them.
    - `forbidden`: neighbours of the live end.
    - `turns`: how the page is turned before it is laid: in the heading frame among
      `ROTATIONS`.
    - `mirror`: in the heading frame: whether each turn is tried once more with left
      and right exchanged.
    - `heading`: in the board frame: the direction of the last step as drawn.
    - `variant`: distinguishes the pictures of one rule.
    - `end`: the end cell, granted to a proof.
    """

    text: str = ""
    needs: tuple[CellNeed, ...] = ()
    areas: tuple[AreaSpec, ...] = ()
    runs: tuple[VisitOrder, ...] = ()
    forbidden: tuple[Spot, ...] = ()
    frame: Frame = Frame.HEADING
    turns: tuple[Symmetry, ...] = (Symmetry.IDENTITY,)
    mirror: bool = True
    heading: int = 0
    variant: str = ""
    marks: tuple[Mark, ...] = ()
    facts: tuple[Fact, ...] = ()
    end: Spot | None = None

    def need(self, at: Spot) -> CellNeed:
        """Return the need of a cell; without a need it may be anything."""
        return next((need for need in self.needs if need.at == at), CellNeed(at, ANY))

    def pairs(self, word: str) -> tuple[Pair, ...]:
        """Return the pairs of cells of one kind of fact."""
        return tuple((a, b) for fact, a, b in self.facts if fact == word)

    @property
    def tested_facts(self) -> tuple[Fact, ...]:
        """The facts that a position is tested for."""
        return tuple(fact for fact in self.facts if fact[0] in TESTED)

    def placements(self) -> tuple[Placement, ...]:
        """Return every way to lay the drawing on a board, up to 32.

        Heading frame: for each heading, turn the page, then perhaps mirror it (so the
        turn is mirrored too), then turn up the page into the heading. Board frame: lay
        the page with up on up, then apply the symmetry to cells and heading.
        """
        if self.frame is Frame.BOARD:
            return tuple(Placement(s.direction(self.heading), s) for s in self.turns)
        mirrors = (Symmetry.IDENTITY, Symmetry.FLIP_COLS)[: 1 + self.mirror]
        return tuple(
            Placement(heading, turn.then(mirror).then(ROTATIONS[heading]))
            for heading in range(4)
            for turn in self.turns
            for mirror in mirrors
        )

    @property
    def poses(self) -> dict[str, Symmetry]:
        """The turns of the page by the names that certificates give them."""
        if self.frame is Frame.BOARD:
            return {turn.name: turn for turn in self.turns}
        return {POSE_NAMES[turn]: turn for turn in self.turns}

    def behind(self, turn: Symmetry | None) -> Spot | None:
        """Return the cell before the live end in a turn of the page.

        None if it may be any cell. In the board frame no turn matters.
        """
        if self.frame is Frame.BOARD:
            row, col = STEPS[self.heading]
            return -row, -col
        if turn is None or self.frame is Frame.AWAY:
            return None
        return page_cell(turn, 2)


def page_cell(turn: Symmetry, move: int) -> Spot:
    """Return the cell of the page that a turn lays on a move U, R, D or L."""
    return next(way for way in STEPS if turn.turn(way) == STEPS[move])


Claim: TypeAlias = Literal[
    "sound", "superseded", "withdrawn", "rejected", "refuted", "unargued"
]


@dataclass(frozen=True, slots=True, repr=False)
class RuleSpec:
    """One rule of a rule file; a `heuristic.rule.Rule`.

    A rule that reads future lines uses the lines of all nine inferences if its set has
    none.

    - `claim`: a `Claim`.
    - `reason`: one sentence for people, without full stop.
    - `drawings`: the rule forbids whatever one of them forbids.
    - `stops`: when it forbids a move, the set asks no later rule.
    - `unless`: earlier rules of the set; when one forbids a move, this rule is skipped.
    - `source`: the digest of the file's text; empty for a rule that `replace` made.
    - `kind`: ``ban``; ``inference``: one of `LINE_RULES`, which kernels carry out and
      drawings explain; ``procedure``: drawings in place of a procedure.
    """

    name: str
    claim: str
    origin: str
    reason: str
    drawings: tuple[Drawing, ...]
    stops: bool = False
    unless: tuple[str, ...] = ()
    note: str = ""
    file: str = ""
    kind: str = "ban"
    boards: Boards = Boards.CORNERS
    line: int = field(default=0, compare=False)
    source: str = field(default="", compare=False, init=False)
    related: ClassVar[tuple[str, ...]] = ()  # no oracle shares its kernels

    @property
    def reads_lines(self) -> bool:
        """Whether it depends on future lines, and so on the whole walk."""
        return self.kind == "inference" or any(d.marks for d in self.drawings)

    @property
    def engine(self) -> str:
        """The walkers of drawings, or of future lines."""
        if self.reads_lines:
            return "heuristic.future:future_rules"
        return "heuristic.matching.drawn:drawn_rules"

    def __repr__(self) -> str:
        return f"<RuleSpec {self.name}>"


# Each begins a line, extends it or joins it with another; bits in this order.
INFERENCES = (
    "future-1x3",
    "future-1x2",
    "future-corner-pass",
    "future-step-on",
    "future-far-end-corner",
    "future-step-away",
    "future-connect",
    "future-2-side",
    "future-1-thin",
)
# Rules about the walk that follow from the lines.
FOLLOW, DEAD_END = "future-follow", "future-dead-end"
LINE_RULES = (*INFERENCES, FOLLOW, DEAD_END)
