"""What an argument has shown so far, and what each part of it stands on.

Edges are pairs of touching cells, the smaller first.
"""

from collections import deque
from collections.abc import Iterable
from functools import lru_cache

from heuristic.rule import Reason
from solver.board import Board, Cell, Position
from solver.propagation.propagate import Rules

Edge = tuple[Cell, Cell]


def edge(a: Cell, b: Cell) -> Edge:
    """Return the edge of two touching cells."""
    return (a, b) if a < b else (b, a)


class Conflict(Exception):  # noqa: N818 (no error, the wanted outcome)
    """No completion can have the edges that are decided; knows why."""

    def __init__(self, reason: Reason, deps: Iterable[Edge]) -> None:
        self.reason, self.deps = reason, tuple(deps)


class Grounds:
    """Decided edges of a position, each with the edges and the step it stands on.

    Parameters
    ----------
    position : Position
    rules : Rules
        The rules that may argue.
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        self.board, self.walk, self.rules = position.board, position.walk, rules
        self.near, self._edges, self.degree = _ground(self.board)
        self.value: dict[Edge, bool] = {}
        self.deps: dict[Edge, tuple[Edge, ...]] = {}
        self.step: dict[Edge, int] = {}  # index in steps; none: the walk, or dropped
        self.steps: list[Reason] = []
        self.dirty = deque(range(self.board.cells))
        self.chosen: set[Edge] = set()

    def assume(self) -> "Grounds":
        """Return grounds of their own with the same edges decided, to argue from."""
        trial = Grounds(Position(self.board, self.walk), self.rules)
        trial.value, trial.chosen = dict(self.value), set(self.chosen)
        trial.dirty.clear()
        return trial

    def edges(self, cell: Cell) -> tuple[Edge, ...]:
        """Return the edges of a cell."""
        return self._edges[cell]

    def taken(self, cell: Cell) -> list[Edge]:
        """Return those that are in."""
        value = self.value
        return [e for e in self._edges[cell] if value.get(e)]

    def dropped(self, cell: Cell) -> list[Edge]:
        """Return those that are out."""
        value = self.value
        return [e for e in self._edges[cell] if value.get(e) is False]

    def put(
        self,
        decisions: Iterable[tuple[Edge, bool]],
        deps: Iterable[Edge],
        step: Reason | None = None,
    ) -> None:
        """Decide edges that are unknown, then drop what their cells cannot have."""
        deps = tuple(deps)
        if step is not None:
            self.steps.append(step)
        cells: list[Cell] = []
        for e, value in decisions:
            self.value[e] = value
            self.deps[e] = deps
            if step is not None:
                self.step[e] = len(self.steps) - 1
            cells += e
        for cell in cells:
            self.dirty.append(cell)
            taken = self.taken(cell)
            if len(taken) > self.degree[cell]:
                raise Conflict(
                    Reason(
                        f"{self.at(cell)} would have {len(taken)} edges",
                        cells=(cell,),
                        kind="crowded",
                    ),
                    taken,
                )
            if len(taken) == self.degree[cell]:
                for e in self.edges(cell):
                    if e not in self.value:
                        self.value[e], self.deps[e] = False, tuple(taken)
                        self.dirty += e

    def at(self, cell: Cell) -> str:
        """Name a cell for people."""
        row, col = self.board.row_col(cell)
        return f"cell {row},{col}"

    def rim(self, area: set[Cell]) -> list[Edge]:
        """Return the edges that cross the border of an area."""
        return [
            e for c in area for e in self.edges(c) if (e[0] in area) != (e[1] in area)
        ]

    def needed(self, conflict: Conflict) -> tuple[tuple[Reason, ...], set[Edge]]:
        """Return the steps that a conflict needs, itself last, and given edges."""
        wanted, given = set(conflict.deps), set[Edge]()
        steps: set[int] = set()
        todo = list(wanted)
        while todo:
            e = todo.pop()
            if e not in self.deps:
                given.add(e)
                continue
            if e in self.step:
                steps.add(self.step[e])
            fresh = [f for f in self.deps[e] if f not in wanted]
            wanted.update(fresh)
            todo += fresh
        told = tuple(self.steps[i] for i in sorted(steps))
        return (*told, conflict.reason), given

    def tell(self, conflict: Conflict) -> Reason:
        """Return the conflict with its steps, all forced edges gathered to be drawn."""
        told, _ = self.needed(conflict)
        *steps, last = told
        lines = [
            e for step in steps if step.kind in ("forced", "tight") for e in step.edges
        ]
        lines += [e for e in last.edges if e not in lines]
        return Reason(
            last.sentence,
            cells=last.cells,
            area=last.area,
            edges=tuple(lines),
            kind=last.kind,
            facts=last.facts,
            steps=tuple(steps),
        )


@lru_cache(maxsize=8)
def _ground(
    board: Board,
) -> tuple[list[list[Cell]], list[tuple[Edge, ...]], list[int]]:
    """Return what each cell touches, its edges, and how many of them it needs."""
    near = [[v for v in row if v >= 0] for row in board.neighbours.tolist()]
    degree = [2] * board.cells
    degree[board.start] -= 1
    degree[board.end] -= 1
    for wall in board.walls:
        degree[wall] = 0
    edges = [tuple(edge(c, v) for v in beside) for c, beside in enumerate(near)]
    return near, edges, degree
