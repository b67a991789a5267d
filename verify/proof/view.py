"""What a rule's drawing knows of the cells around the live end.

A *spot* is a cell as ``(row, col)``: the live end at ``(0, 0)``, row -1 ahead of it on
the page, column -1 to its left. An edge is a pair of touching cells, the smaller first.

Facts of a drawing that no position is asked for are *granted* to a proof: the
completion ``passes`` from one cell to the next, ``lacks`` that step, comes to a cell
``before`` another; and its `end` is the end cell. Those that a position is asked for
are granted too, but every completion has them: they are no condition.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from heuristic.rules.drawing import (
    FACTS,
    INFERENCES,
    LIVE_END,
    AreaSpec,
    Drawing,
    Frame,
    Kind,
    LineEnd,
    Offset,
    RuleSpec,
    Turn,
    between,
)
from solver.symmetry import Symmetry

IF_RIGHT = ", where the future lines that it reads are right"

Spot: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[Spot, Spot]

FREE, VISITED, OUT = 1, 2, 4
ANY = FREE | VISITED | OUT
STATE_NAMES = (("free", FREE), ("visited", VISITED), ("out", OUT))
LIVE: Spot = (0, 0)
Pose: TypeAlias = Turn | Symmetry
Node = TypeVar("Node", bound=Hashable)

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # U, R, D, L of the window
BACK = 2  # the move that does not exist


def granted(drawing: Drawing, word: str) -> tuple[tuple[Offset, Offset], ...]:
    """Return what is granted of the completion, by its word.

    A line is passed from its near end to its far end.
    """
    found = [*drawing.pairs(word)]
    if word == "before" and any(mark.same for mark in drawing.marks):
        near = [m.at for m in drawing.marks if m.end is LineEnd.NEAR]
        far = [m.at for m in drawing.marks if m.end is LineEnd.FAR]
        found += [(a, b) for a in near for b in far]
    return tuple(found)


def not_end(drawing: Drawing) -> frozenset[Offset]:
    """Return the cells that must not be the end cell; a far end never is."""
    far = {mark.at for mark in drawing.marks if mark.end is LineEnd.FAR}
    return frozenset({need.at for need in drawing.needs if need.not_end} | far)


def assumes(rule: RuleSpec) -> bool:
    """Say whether a rule takes future lines for granted that are known before.

    The drawings of an inference deny what it infers by ``lacks`` or an end: nothing is
    taken for granted by that. In other rules it is.
    """
    words = ("passes", "before") + ("lacks",) * (rule.name not in INFERENCES)
    known = (granted(d, word) for d in rule.drawings for word in words)
    ends = rule.name not in INFERENCES and any(d.end for d in rule.drawings)
    return rule.kind != "procedure" and (ends or any(known))


def grants(rule: RuleSpec) -> bool:
    """Tell whether a proof grants more than a position shows: no position refutes it.

    A rule that is asked of positions is `heuristic.written.WrittenRule`.
    """
    if rule.kind == "procedure":
        return True
    return any(
        d.facts != d.asked or d.marks or d.end is not None for d in rule.drawings
    )


@dataclass(frozen=True, slots=True)
class Area:
    """An area of a window: its marked line, and what is known of its numbers.

    - `line`: the marked cells, all free, all in the area.
    - `inside`, `outside`: neighbours of marked cells: if free they lie in the area, or
      not in it.
    - `kind`, `low`, `high`, `entry`, `least`: the condition, as in
      `heuristic.rules.drawing.AreaSpec`; `entry` is a cell.
    - `wall`: what the line runs into, if it comes from the live end.
    - `facing`, `averted`: neighbours of the live end on the area's side of walk and
      line, and on the far side; empty if the line does not come from the live end.
    """

    line: tuple[Spot, ...]
    inside: frozenset[Spot]
    outside: frozenset[Spot]
    kind: Kind
    low: int
    high: int
    entry: Spot
    least: int = 1
    wall: Spot | None = None
    facing: frozenset[Spot] = frozenset()
    averted: frozenset[Spot] = frozenset()

    def allows(self, imbalance: int) -> bool:
        """Tell whether the condition holds: black less white, black as the live end."""
        return self.kind.allows(-imbalance, self.low, self.high, black(self.entry))


@dataclass(frozen=True, slots=True)
class Window:
    """What a drawing knows of the cells around the live end, and one forbidden move.

    - `top`, `left`, `bottom`, `right`: the rectangle, both ends included; it holds the
      live end and all marked cells.
    - `states`, dict of cell to int: allowed states as bits; a cell that is not named
      may be anything.
    - `move`: the forbidden move, 0 to 3 for U, R, D, L of the window.
    - `not_end`: cells known not to be the end.
    - `back`: direction of the cell before the live end, if known.
    - `runs`, tuple of (cell, cell): order tests: both visited, the second later than
      the first.
    - `start_corner`, (int, int) or None: where the start lies: row sign and column
      sign, (-1, -1) for the upper left of the page; None if the drawing does not say
      how it lies on the board.
    - `facts`, dict of str to tuple of (cell, cell): the pairs that a fact is said of,
      by its word: see `said`.
    - `end`: the end cell, if it is known.
    - `away`: whether the live end may lie anywhere: it is not looked at, and LIVE only
      stands for it in `passes` and `lacks`.
    - `kept`, frozenset of cells, or None: the cells looked at, if not the whole
      rectangle; for planar scopes in one piece without holes.
    """

    top: int
    left: int
    bottom: int
    right: int
    states: dict[Spot, int]
    move: int
    not_end: frozenset[Spot] = frozenset()
    back: int | None = None
    runs: tuple[tuple[Spot, Spot], ...] = ()
    areas: tuple[Area, ...] = ()
    start_corner: Spot | None = None
    facts: dict[str, tuple[Edge, ...]] = field(default_factory=dict)
    end: Spot | None = None
    away: bool = False
    kept: frozenset[Spot] | None = None

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Top, left, bottom and right."""
        return self.top, self.left, self.bottom, self.right

    def said(self, word: str) -> tuple[Edge, ...]:
        """Return the pairs of cells that are known of the completion, by the word.

        ``passes``, ``lacks``: it passes the edge in this direction, or does not.
        ``before``: it comes to the first cell before the second. ``joined``: it uses
        the edge. ``mates``: it runs from the one to the other, over cells looked at or
        not, and leaves each by the one joined edge that the cell has.
        """
        return self.facts.get(word, ())

    def cropped(self, top: int, left: int, bottom: int, right: int) -> "Window":
        """Return the same knowledge in another rectangle, clipped to this one."""
        return replace(
            self,
            top=max(top, self.top),
            left=max(left, self.left),
            bottom=min(bottom, self.bottom),
            right=min(right, self.right),
        )

    def part(self, cells: Iterable[Spot]) -> "Window":
        """Return the same knowledge of some of the cells."""
        kept = frozenset(cells)
        return replace(self.cropped(*box_around(kept)), kept=kept)

    def cells(self) -> list[Spot]:
        """Return all cells, row by row."""
        if self.kept is not None:
            return sorted(self.kept)
        return [
            (row, col)
            for row in range(self.top, self.bottom + 1)
            for col in range(self.left, self.right + 1)
        ]

    def holds(self, cell: Spot) -> bool:
        """Tell whether the cell is looked at."""
        if self.kept is not None:
            return cell in self.kept
        return self.top <= cell[0] <= self.bottom and self.left <= cell[1] <= self.right

    def state(self, cell: Spot) -> int:
        """Return the allowed states of a cell, as bits."""
        return VISITED if cell == LIVE else self.states.get(cell, ANY)

    def ports(self) -> list[Edge]:
        """Return the edges out of the window, inner cell first, clockwise.

        Following the rim by the hand; it is one closed line when the cells are in one
        piece without holes.
        """
        first = self.cells()[0], 0
        cell, side = first
        found = []
        while True:
            found.append((cell, neighbours(cell)[side]))
            ahead = neighbours(cell)[(side + 1) % 4]
            beside = neighbours(ahead)[side]
            if not self.holds(ahead):
                side = (side + 1) % 4
            elif not self.holds(beside):
                cell = ahead
            else:
                cell, side = beside, (side + 3) % 4
            if (cell, side) == first:
                return found


def poses(drawing: Drawing) -> tuple[Pose, ...]:
    """Return the ways to lay the page that need a window of their own."""
    return drawing.symmetries if drawing.frame is Frame.BOARD else drawing.turns


def from_drawing(
    drawing: Drawing, pose: Pose | None, forbidden: Offset
) -> Window | None:
    """Return what a drawing knows, in one pose of its page and for one move.

    The window is the page itself; the pose says where the cell before the live end
    lies, or where the board's start does. None if the move is void there: the cell was
    visited just before. Without a pose, only what is known in each.
    """
    behind: Spot | None = None
    corner, away = None, drawing.frame is Frame.AWAY
    if drawing.frame is Frame.BOARD:
        behind = neighbours(LIVE)[(drawing.heading + 2) % 4]
    elif isinstance(pose, Turn) and not away:
        behind = page_cell(pose, BACK)
    if isinstance(pose, Symmetry):
        back = [STEPS[d] for d in range(4) if pose.direction(d) in (0, 3)]
        corner = sum(row for row, _ in back), sum(col for _, col in back)
    target = rc(forbidden)
    if target == behind:
        return None
    states = {rc(need.at): int(need.states) for need in drawing.needs}
    areas = tuple(area_of(area, behind) for area in drawing.areas)
    seen = set(states)
    if not away:
        # a move needs a free cell and the cell behind is visited, whatever is drawn
        states[target] = states.get(target, ANY) & FREE
        if behind is not None:
            states[behind] = states.get(behind, ANY) & VISITED
        seen |= {LIVE, *states, *neighbours(LIVE)}
        seen.update(near for one in areas for at in one.line for near in neighbours(at))
    return Window(
        *box_around(seen),
        states=states,
        move=0 if away else neighbours(LIVE).index(target),
        not_end=frozenset(rc(at) for at in not_end(drawing)),
        back=None if behind is None else neighbours(LIVE).index(behind),
        runs=tuple((rc(run.first), rc(run.then)) for run in drawing.runs),
        areas=areas,
        start_corner=corner,
        facts=_facts(drawing),
        end=drawing.end and rc(drawing.end),
        away=away,
        kept=frozenset(seen) if away else None,
    )


def box_around(cells: Collection[Spot]) -> tuple[int, int, int, int]:
    """Return the first row and column of some cells, and the last ones."""
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    return min(rows), min(cols), max(rows), max(cols)


def _facts(drawing: Drawing) -> dict[str, tuple[Edge, ...]]:
    found = {}
    for word, kind in FACTS.items():
        way = edge if kind.edge and kind.asked else (lambda a, b: (a, b))
        if pairs := tuple(way(rc(a), rc(b)) for a, b in granted(drawing, word)):
            found[word] = pairs
    return found


def area_of(area: AreaSpec, behind: Spot | None) -> Area:
    """Return an area in cells of the window; the walk comes from `behind`."""
    line, wall = tuple(map(rc, area.cells)), rc(area.wall)
    facing, averted = frozenset[Spot](), frozenset[Spot]()
    near = {LIVE, line[0], line[-1], wall}
    top, left, bottom, right = box_around(near)
    crossed = len(near) == 4 and max(bottom - top, right - left) < 2
    tied = area.base == LIVE_END and not crossed
    if tied and behind is not None and behind != line[0]:
        turn = between(area.cells[0], offset(behind), left=area.side == "left")
        sides = frozenset(neighbours(LIVE)) - {behind, *line}
        facing = sides & frozenset(map(rc, turn))
        averted = sides - facing
    return Area(
        line=line,
        inside=frozenset(map(rc, area.inside)),
        outside=frozenset(map(rc, area.outside)),
        kind=area.kind,
        low=area.low,
        high=area.high,
        entry=rc(area.entry),
        least=area.least,
        wall=wall if facing or averted else None,
        facing=facing,
        averted=averted,
    )


def rc(at: Offset) -> Spot:
    """Return the cell of an offset (left, ahead)."""
    return -at[1], -at[0]


def offset(cell: Spot) -> Offset:
    """Return the offset (left, ahead) of a cell."""
    return -cell[1], -cell[0]


def page_cell(turn: Turn, move: int) -> Spot:
    """Return the cell of the page that a turn lays on a move of the heading frame."""
    return next(x for x in STEPS if rc(turn.apply(offset(x))) == STEPS[move])


def neighbours(cell: Spot) -> list[Spot]:
    """Return the cells above, right, below and left."""
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in STEPS]


def edge(a: Spot, b: Spot) -> Edge:
    """Name the edge between two touching cells."""
    return (a, b) if a < b else (b, a)


def reached(begin: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return the cells that steps lead to from some, these among them."""
    seen = set(begin)
    todo = list(seen)
    while todo:
        for other in near(todo.pop()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def pieces(
    cells: Iterable[Node], near: Callable[[Node], Iterable[Node]]
) -> Iterator[set[Node]]:
    """Yield the pieces of some cells, in the order of their first cells."""
    some = list(cells)
    left = set(some)
    for begin in some:
        if begin in left:
            piece = reached([begin], lambda cell: left.intersection(near(cell)))
            left.difference_update(piece)
            yield piece


def black(cell: Spot) -> bool:
    """Tell whether the cell has the colour of the live end."""
    return (cell[0] + cell[1]) % 2 == 0


def edges_of(window: Window) -> Iterator[Edge]:
    """Yield every edge with a cell in the window once."""
    for cell in window.cells():
        for other in neighbours(cell):
            if not window.holds(other) or cell < other:
                yield edge(cell, other)
