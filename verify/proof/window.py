"""What a rule's drawing knows of the cells around the live end.

Cells are those of the page (`heuristic.rules.drawing`). An edge is a pair of touching
cells, the smaller first.

Facts of a drawing that no position is asked for are *granted* to a proof: the
completion ``passes`` from one cell to the next, ``lacks`` that step, comes to a cell
``before`` another; and its `end` is the end cell. Those that a position is asked for
are granted too, but every completion has them: they are no condition.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from heuristic.rules.drawing import (
    FACTS,
    INFERENCES,
    AreaSpec,
    Drawing,
    Frame,
    LineEnd,
    RuleSpec,
    Spot,
    box_around,
)
from solver.board import STEPS
from solver.symmetry import Symmetry

IF_RIGHT = ", where the future lines that it reads are right"

Edge: TypeAlias = tuple[Spot, Spot]

FREE, VISITED, OUT = 1, 2, 4
ANY = FREE | VISITED | OUT
STATE_NAMES = (("free", FREE), ("visited", VISITED), ("out", OUT))
LIVE: Spot = (0, 0)
Node = TypeVar("Node", bound=Hashable)


def granted(drawing: Drawing, word: str) -> tuple[Edge, ...]:
    """Return what is granted of the completion, by its word.

    A line is passed from its near end to its far end.
    """
    pairs = [*drawing.pairs(word)]
    if word == "before" and any(mark.same for mark in drawing.marks):
        near = [m.at for m in drawing.marks if m.end is LineEnd.NEAR]
        far = [m.at for m in drawing.marks if m.end is LineEnd.FAR]
        pairs += [(a, b) for a in near for b in far]
    return tuple(pairs)


def not_end(drawing: Drawing) -> frozenset[Spot]:
    """Return the cells that must not be the end cell; a far end never is."""
    far = {mark.at for mark in drawing.marks if mark.end is LineEnd.FAR}
    return frozenset({need.at for need in drawing.needs if need.not_end} | far)


def assumes(rule: RuleSpec) -> bool:
    """Whether a rule takes future lines for granted that are known before.

    The drawings of an inference deny what it infers by ``lacks`` or an end: nothing is
    taken for granted by that. In other rules it is.
    """
    denies = rule.name in INFERENCES
    words = ("passes", "before") if denies else ("passes", "before", "lacks")
    return rule.kind != "procedure" and any(
        any(granted(drawing, word) for word in words) or (drawing.end and not denies)
        for drawing in rule.drawings
    )


def grants(rule: RuleSpec) -> bool:
    """Whether a proof grants more than a position shows: no position refutes it."""
    return rule.kind == "procedure" or any(
        d.facts != d.tested_facts or d.marks or d.end is not None for d in rule.drawings
    )


@dataclass(frozen=True, slots=True)
class Window:
    """What a drawing knows of the cells around the live end, and one forbidden move.

    - `top`, `left`, `bottom`, `right`: the rectangle, both ends included; it holds the
      live end and all marked cells.
    - `states`, dict of cell to int: allowed states as bits; a cell that is not named
      may be anything.
    - `move`: the forbidden move, 0 to 3 for U, R, D, L of the window.
    - `not_end`: cells known not to be the end.
    - `behind`: the cell before the live end, if known.
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
    behind: Spot | None = None
    runs: tuple[tuple[Spot, Spot], ...] = ()
    areas: tuple[AreaSpec, ...] = ()
    start_corner: Spot | None = None
    facts: dict[str, tuple[Edge, ...]] = field(default_factory=dict)
    end: Spot | None = None
    away: bool = False
    kept: frozenset[Spot] | None = None

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Top, left, bottom and right."""
        return self.top, self.left, self.bottom, self.right

    @property
    def target(self) -> Spot:
        """The cell that the forbidden move enters."""
        return neighbours(LIVE)[self.move]

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
        """Whether the cell is looked at."""
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
        ports = []
        while True:
            ports.append((cell, neighbours(cell)[side]))
            ahead = neighbours(cell)[(side + 1) % 4]
            beside = neighbours(ahead)[side]
            if not self.holds(ahead):
                side = (side + 1) % 4
            elif not self.holds(beside):
                cell = ahead
            else:
                cell, side = beside, (side + 3) % 4
            if (cell, side) == first:
                return ports


def from_drawing(
    drawing: Drawing, pose: Symmetry | None, forbidden: Spot
) -> Window | None:
    """Return what a drawing knows, in one pose of its page and for one move.

    The window is the page itself; the pose says where the cell before the live end
    lies, or where the board's start does. None if the move is void there: the cell was
    visited just before. Without a pose, only what is known in each.
    """
    behind, away = drawing.behind(pose), drawing.frame is Frame.AWAY
    if forbidden == behind:
        return None
    corner = None
    if drawing.frame is Frame.BOARD and pose is not None:
        back = [STEPS[d] for d in range(4) if pose.direction(d) in (0, 3)]
        corner = sum(row for row, _ in back), sum(col for _, col in back)
    states = {need.at: int(need.states) for need in drawing.needs}
    seen = set(states)
    if not away:
        # a move needs a free cell and the cell behind is visited, whatever is drawn
        states[forbidden] = states.get(forbidden, ANY) & FREE
        if behind is not None:
            states[behind] = states.get(behind, ANY) & VISITED
        marked = [at for area in drawing.areas for at in area.cells]
        seen |= {LIVE, *states, *neighbours(LIVE)}
        seen.update(near for at in marked for near in neighbours(at))
    facts = {}
    for word, kind in FACTS.items():
        pairs = granted(drawing, word)
        if kind.edge and kind.tested:
            pairs = tuple(edge(a, b) for a, b in pairs)
        if pairs:
            facts[word] = pairs
    return Window(
        *box_around(seen),
        states=states,
        move=0 if away else neighbours(LIVE).index(forbidden),
        not_end=not_end(drawing),
        behind=behind,
        runs=tuple((run.first, run.then) for run in drawing.runs),
        areas=drawing.areas,
        start_corner=corner,
        facts=facts,
        end=drawing.end,
        away=away,
        kept=frozenset(seen) if away else None,
    )


def neighbours(cell: Spot) -> list[Spot]:
    """Return the cells above, right, below and left."""
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in STEPS]


def edge(a: Spot, b: Spot) -> Edge:
    """Name the edge between two touching cells."""
    return (a, b) if a < b else (b, a)


def reached(begin: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return the nodes that steps lead to from some, these among them."""
    seen = set(begin)
    todo = list(seen)
    while todo:
        for other in near(todo.pop()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def black(cell: Spot) -> bool:
    """Whether the cell has the colour of the live end."""
    return (cell[0] + cell[1]) % 2 == 0


def edges_of(window: Window) -> Iterator[Edge]:
    """Yield every edge with a cell in the window once."""
    for cell in window.cells():
        for other in neighbours(cell):
            if not window.holds(other) or cell < other:
                yield edge(cell, other)
