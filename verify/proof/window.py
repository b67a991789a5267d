"""Windows: the cells around the live end, as a rule's drawing shows them.

Cells are those of the page (`heuristic.rules.drawing`). An edge is a pair of touching
cells, the smaller first.

A proof takes some facts of a drawing for *granted*, without asking a position: the
completion ``passes`` from one cell to the next, ``lacks`` that step, comes to one cell
``before`` another, and ends at a given cell. The facts that a position is asked for are
granted too. They restrict nothing, since every completion has them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
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
from solver.board import STEPS, Symmetry

IF_RIGHT = ", where the future lines that it reads are right"

Edge: TypeAlias = tuple[Spot, Spot]

FREE, VISITED, OUT = 1, 2, 4
ANY = FREE | VISITED | OUT
STATE_NAMES = (("free", FREE), ("visited", VISITED), ("out", OUT))
LIVE: Spot = (0, 0)
Node = TypeVar("Node", bound=Hashable)


def granted(drawing: Drawing, word: str) -> tuple[Edge, ...]:
    """Return the pairs of cells with a granted fact.

    A completion passes a line from its near end to its far end.
    """
    pairs = [*drawing.pairs(word)]
    if word == "before" and any(mark.same for mark in drawing.marks):
        near = [m.at for m in drawing.marks if m.end is LineEnd.NEAR]
        far = [m.at for m in drawing.marks if m.end is LineEnd.FAR]
        pairs += product(near, far)
    return tuple(pairs)


def not_end(drawing: Drawing) -> frozenset[Spot]:
    """Return the cells that must not be the end cell; a far end of a line never is."""
    far = {mark.at for mark in drawing.marks if mark.end is LineEnd.FAR}
    return frozenset({need.at for need in drawing.needs if need.not_end} | far)


def assumes(rule: RuleSpec) -> bool:
    """Return whether a rule assumes that earlier future lines are right.

    A drawing of an inference denies what the rule infers, by ``lacks`` or by an end
    cell. That assumes nothing. The same facts of other rules do.
    """
    denies = rule.name in INFERENCES
    words = ("passes", "before") if denies else ("passes", "before", "lacks")
    return rule.kind != "procedure" and any(
        any(granted(drawing, word) for word in words) or (drawing.end and not denies)
        for drawing in rule.drawings
    )


def grants(rule: RuleSpec) -> bool:
    """Return whether a proof assumes facts that no position shows."""
    return rule.kind == "procedure" or any(
        d.facts != d.tested_facts or d.marks or d.end is not None for d in rule.drawings
    )


@dataclass(frozen=True, slots=True)
class Window:
    """The cells around the live end as a drawing shows them, and one forbidden move.

    - `seen`: its cells, the live end and all marked cells among them. Planar scopes
      need them in one piece without holes.
    - `states`: allowed states of cells, as bits; others may be anything.
    - `move`: the forbidden move, 0 to 3 for U, R, D, L of the page.
    - `behind`, `end`: the cell before the live end and the end cell; None if open.
    - `runs`: pairs of visited cells, the second one later.
    - `start_corner`: row sign and column sign of the corner where the start lies;
      (-1, -1) is the upper left of the page. None if that is open.
    - `facts`: see `pairs`.
    - `away`: the live end may lie anywhere. It is no cell of the window, and `LIVE`
      stands for it in `facts` alone.
    """

    seen: frozenset[Spot]
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

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The first row and column, and the last ones."""
        return box_around(self.seen)

    @property
    def target(self) -> Spot:
        """The cell that the forbidden move enters."""
        return neighbours(LIVE)[self.move]

    def pairs(self, word: str) -> tuple[Edge, ...]:
        """Return the pairs of cells with a fact about the completion.

        ``passes``, ``lacks``: it passes the edge in this direction, or does not.
        ``before``: it comes to the first cell before the second. ``joined``: it uses
        the edge. ``mates``: it runs from one cell to the other, inside or outside the
        window, and leaves each by its one joined edge.
        """
        return self.facts.get(word, ())

    def part(self, cells: Iterable[Spot]) -> "Window":
        """Return the window with those of its cells."""
        return replace(self, seen=self.seen.intersection(cells))

    def cells(self) -> list[Spot]:
        """Return all cells, row by row."""
        return sorted(self.seen)

    def holds(self, cell: Spot) -> bool:
        """Return whether the window has the cell."""
        return cell in self.seen

    def state(self, cell: Spot) -> int:
        """Return the allowed states of a cell, as bits."""
        return VISITED if cell == LIVE else self.states.get(cell, ANY)

    def ports(self) -> list[Edge]:
        """Return the edges out of a window in one piece, inner cell first."""
        # follow the rim with one hand on it
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
    """Return the window of a drawing, in one pose of its page and for one move.

    The pose gives the cell before the live end, or the corner of the board's start;
    without a pose both are open. None if the move leads back to the cell before.
    """
    behind, away = drawing.behind(pose), drawing.frame is Frame.AWAY
    if forbidden == behind:
        return None
    corner = None
    if drawing.frame is Frame.BOARD and pose is not None:
        back = [STEPS[d] for d in range(4) if pose.direction(d) in (0, 3)]
        corner = sum(row for row, _ in back), sum(col for _, col in back)
    states = {need.at: int(need.states) for need in drawing.needs}
    page = set(states)
    if not away:
        # a move needs a free cell and the cell behind is visited, whatever is drawn
        states[forbidden] = states.get(forbidden, ANY) & FREE
        if behind is not None:
            states[behind] = states.get(behind, ANY) & VISITED
        marked = [at for area in drawing.areas for at in area.cells]
        page |= {LIVE, *states, *neighbours(LIVE)}
        page.update(near for at in marked for near in neighbours(at))
    facts = {}
    for word, kind in FACTS.items():
        pairs = granted(drawing, word)
        if kind.edge and kind.tested:
            pairs = tuple(edge(a, b) for a, b in pairs)
        if pairs:
            facts[word] = pairs
    return Window(
        frozenset(page) if away else rectangle(*box_around(page)),
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
    )


def rectangle(top: int, left: int, bottom: int, right: int) -> frozenset[Spot]:
    """Return the cells of a rectangle, its first and last row and column included."""
    return frozenset(product(range(top, bottom + 1), range(left, right + 1)))


def neighbours(cell: Spot) -> list[Spot]:
    """Return the cells above, right, below and left."""
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in STEPS]


def edge(a: Spot, b: Spot) -> Edge:
    """Return the edge between two touching cells."""
    return (a, b) if a < b else (b, a)


def reached(begin: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return some nodes and all that steps lead to from them."""
    seen = set(begin)
    todo = list(seen)
    while todo:
        for other in near(todo.pop()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def black(cell: Spot) -> bool:
    """Return whether the cell has the colour of the live end."""
    return (cell[0] + cell[1]) % 2 == 0


def edges_of(window: Window) -> Iterator[Edge]:
    """Yield every edge with a cell in the window, once."""
    for cell in window.cells():
        for other in neighbours(cell):
            if not window.holds(other) or cell < other:
                yield edge(cell, other)
