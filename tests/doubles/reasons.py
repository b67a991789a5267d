"""A judge of the universal rules' reasons, which shares no code with the rules.

A reason is an argument in steps, given by `heuristic.universal.reasons`. Each step is
checked against the position's text and the steps before it, by counting and looking
alone: nothing is searched for. What is known is a set of edges in and a set of edges
out; a cell that has the edges it needs drops its others.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from verify.checker.claim import Fault
from verify.checker.dead import find_dead_fault
from verify.checker.position import Graph, read_position

Edge = tuple[int, int]


class _Board(Graph):
    """A board with its start and end, and the walk on it."""

    def __init__(self, text: str) -> None:
        graph, self.walk = read_position(text)
        super().__init__(graph.rows, graph.cols, graph.around, graph.ends)
        self.start, self.end = graph.ends
        self.open = set(graph.cells)

    def touch(self, a: int, b: int) -> bool:
        """Return whether two cells share a side."""
        return b in self.around.get(a, ())


def find_reason_fault(text: str, move: str, reason: Any) -> str | None:
    """Return the first fault of a reason why a move of the position is dead, or None.

    The reason has the fields of `heuristic.rule.Reason`.

    >>> from heuristic.rule import Reason
    >>> starved = Reason("", cells=(6,), kind="starved")
    >>> find_reason_fault("3:RRDL", "D", starved)
    'starved: cell 6 can still have 2 edges of the 2 it needs'
    >>> find_reason_fault("3:R", "D", Reason("", cells=(2,), kind="starved"))
    """
    if reason.kind == "certificate":
        try:
            return find_dead_fault(text + move, json.loads(reason.certificate))
        except ValueError:
            return "certificate: it is no JSON"
    board = _Board(text + move)
    known = _Known(board)
    try:
        _check_names(board, reason)
        for a, b in pairwise(board.walk):
            known.put(_edge(a, b), True, "walk")
        known.drop(board.walk)
        for step in reason.steps:
            known.learn(step)
        known.conflict(reason)
    except Fault as fault:
        return str(fault)
    return None


def _check_names(board: _Board, reason: Any) -> None:
    """Raise the fault of a cell or edge that the board lacks or that is named twice.

    The checks after this one count edges, so an edge has one name: its smaller cell
    first.
    """
    if not board.open.issuperset(reason.cells):
        raise Fault(f"{reason.kind}: it names no open cell")
    if not board.open.issuperset(reason.area):
        raise Fault(f"{reason.kind}: its area names no open cells")
    for cells in (reason.cells, reason.area):
        if len(set(cells)) < len(cells):
            raise Fault(f"{reason.kind}: a cell is named twice")
    for a, b in reason.edges:
        if not board.touch(a, b):
            raise Fault(f"{reason.kind}: cells {a} and {b} do not touch")
        if a > b:
            raise Fault(f"{reason.kind}: edge {a}-{b} must be named {b}-{a}")
    if len(set(reason.edges)) < len(reason.edges):
        raise Fault(f"{reason.kind}: an edge is named twice")
    for step in reason.steps:
        _check_names(board, step)


class _Known:
    """What the steps so far have shown."""

    def __init__(self, board: _Board) -> None:
        self.board = board
        self.value: dict[Edge, bool] = {}

    def put(self, edge: Edge, value: bool, kind: str) -> None:
        if not self.board.touch(*edge):
            raise Fault(f"{kind}: cells {edge[0]} and {edge[1]} do not touch")
        if self.value.setdefault(edge, value) != value:
            raise Fault(f"{kind}: edge {edge[0]}-{edge[1]} was shown otherwise")

    def drop(self, cells: Iterable[int]) -> None:
        """Decide that cells with all their edges use no others.

        A cell gets its last edge by one that is in: no others need to be looked at.
        """
        for cell in cells:
            if len(self.taken(cell)) >= self.board.need(cell):
                for e in self.unknown(cell):
                    self.value[e] = False

    def around(self, cell: int) -> list[Edge]:
        return [_edge(cell, other) for other in self.board.around[cell]]

    def taken(self, cell: int) -> list[Edge]:
        return [e for e in self.around(cell) if self.value.get(e) is True]

    def unknown(self, cell: int) -> list[Edge]:
        return [e for e in self.around(cell) if e not in self.value]

    def possible(self, cell: int) -> int:
        return len(self.taken(cell)) + len(self.unknown(cell))

    # Steps that decide edges -----------------------------------------------------

    def learn(self, step: Any) -> None:
        if step.kind == "forced":
            cell = self.one(step.cells, step.kind)
            if self.possible(cell) > self.board.need(cell):
                raise Fault(f"forced: cell {cell} has more edges than it needs")
            if not set(step.edges) <= set(self.unknown(cell)):
                raise Fault(f"forced: an edge is none that cell {cell} may still get")
            decided = dict.fromkeys(step.edges, True)
        elif step.kind == "no-loop":
            decided = {self.closing(step): False}
        elif step.kind == "tight":
            decided = self.tight(step)
        else:
            raise Fault(f"unknown step {step.kind!r}")
        for edge, value in decided.items():
            self.put(edge, value, step.kind)
        self.drop({cell for edge in decided for cell in edge})

    def one(self, cells: Sequence[int], kind: str) -> int:
        if len(cells) != 1 or cells[0] not in self.board.open:
            raise Fault(f"{kind}: it names no open cell")
        return cells[0]

    def closing(self, step: Any) -> Edge:
        if len(step.edges) != 1:
            raise Fault("no-loop: it names no edge")
        (a, b), board = step.edges[0], self.board
        seen, stack = {a}, [a]
        while stack:
            cell = stack.pop()
            ahead = [x + y - cell for x, y in self.taken(cell)]
            if cell in (board.start, board.end):
                ahead.append(board.start + board.end - cell)
            for other in ahead:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        if b not in seen:
            raise Fault(f"no-loop: edges in do not lead from cell {a} to cell {b}")
        if len(seen) == len(board.open):
            raise Fault("no-loop: the loop would leave no cell out")
        return a, b

    def crossing(self, area: set[int], kind: str) -> list[tuple[int, Edge]]:
        """Return the edges across an area's border, with the cell inside."""
        if not area or not area <= self.board.open:
            raise Fault(f"{kind}: its area names no open cells")
        return [
            (cell, _edge(cell, other))
            for cell in sorted(area)
            for other in self.board.around[cell]
            if other not in area
        ]

    def budget(self, reason: Any) -> tuple[int, int, int]:
        """Return what an area wants, and the least and most that its border gives."""
        area, colour = set(reason.area), self.board.colour
        rim = self.crossing(area, reason.kind)
        wanted = sum(colour(c) * self.board.need(c) for c in area)
        least = most = 0
        offer = {1: 0, -1: 0}
        for cell, edge in rim:
            sides = [self.value[edge]] if edge in self.value else [False, True]
            least += min(colour(cell) * side for side in sides)
            most += max(colour(cell) * side for side in sides)
            offer[colour(cell)] += max(sides)
        facts = {
            "black": sum(colour(c) == 1 for c in area),
            "white": sum(colour(c) == -1 for c in area),
            "wanted": wanted,
            "at-black": offer[1],
            "at-white": offer[-1],
        }
        self.compare(reason, facts)
        return wanted, least, most

    def compare(self, reason: Any, facts: dict[str, int]) -> None:
        for name, number in reason.facts:
            if facts.get(name) != number:
                raise Fault(f"{reason.kind}: {name} is {facts.get(name)}, not {number}")

    def tight(self, step: Any) -> dict[Edge, bool]:
        wanted, least, most = self.budget(step)
        if wanted not in (least, most):
            raise Fault(f"tight: {wanted} wanted, {least} to {most} possible")
        side = 1 if wanted == most else -1
        decided = {
            edge: self.board.colour(cell) == side
            for cell, edge in self.crossing(set(step.area), "tight")
            if edge not in self.value
        }
        if {e for e in decided if decided[e]} != set(step.edges):
            raise Fault("tight: the edges in are not those of its border")
        return decided

    # Conflicts -------------------------------------------------------------------

    def conflict(self, reason: Any) -> None:
        if reason.kind == "starved":
            cell = self.one(reason.cells, reason.kind)
            has, wants = self.possible(cell), self.board.need(cell)
            if has >= wants:
                raise Fault(
                    f"starved: cell {cell} can still have {has} edges of the {wants} "
                    "it needs"
                )
        elif reason.kind == "crowded":
            cell = self.one(reason.cells, reason.kind)
            if len(self.taken(cell)) <= self.board.need(cell):
                raise Fault(f"crowded: cell {cell} has no edge too many")
        elif reason.kind == "loop":
            self.loop(reason)
        elif reason.kind == "cut-off":
            self.cut_off(reason)
        elif reason.kind == "block":
            self.block(reason)
        elif reason.kind == "overdrawn":
            wanted, least, most = self.budget(reason)
            if least <= wanted <= most:
                raise Fault(f"overdrawn: {wanted} lies in {least} to {most}")
        else:
            raise Fault(f"unknown conflict {reason.kind!r}")

    def loop(self, reason: Any) -> None:
        near: dict[int, list[int]] = {}
        for edge in reason.edges:
            if self.value.get(edge) is not True:
                continue  # pictures show the steps' edges, too
            near.setdefault(edge[0], []).append(edge[1])
            near.setdefault(edge[1], []).append(edge[0])
        start, end = self.board.start, self.board.end
        if start in near and end in near:
            near[start].append(end)
            near[end].append(start)
        for root in near:
            piece, todo = {root}, [root]
            while todo:
                new = set(near[todo.pop()]) - piece
                piece |= new
                todo += new
            closed = all(len(near[cell]) == 2 for cell in piece)
            if closed and len(piece) < len(self.board.open):
                return
        raise Fault("loop: the edges close no loop that leaves cells out")

    def ahead(self, area: set[int], kind: str) -> list[tuple[int, int]]:
        """Return possible steps out of an area: cell inside, cell outside.

        Cells that the walk has left behind are no part of what is to come.
        """
        gone = set(self.board.walk[:-1])
        if area & gone:
            raise Fault(f"{kind}: the walk was in its area already")
        return [
            (cell, a + b - cell)
            for cell, (a, b) in self.crossing(area, kind)
            if a + b - cell not in gone and self.value.get((a, b), True)
        ]

    def cut_off(self, reason: Any) -> None:
        area, cut = set(reason.area), set(reason.cells)
        live, end = self.board.walk[-1], self.board.end
        inside = len({live, end} & area)
        if len(cut) > 1 or cut & area or (inside if cut else {live, end} <= area):
            raise Fault("cut-off: live end or end cell lie in its area")
        for cell, other in self.ahead(area, "cut-off"):
            if other not in cut:
                raise Fault(f"cut-off: cell {cell} can be reached from cell {other}")

    def block(self, reason: Any) -> None:
        area, ends = set(reason.area), set(reason.cells)
        if (
            len(ends) != 2
            or ends & area
            or {self.board.walk[-1], self.board.end} & area
        ):
            raise Fault("block: an end lies in its area")
        for cell, other in self.ahead(area, "block"):
            if other not in ends:
                raise Fault(f"block: cell {cell} can be reached from cell {other}")
        colour = self.board.colour
        black = sum(colour(c) == 1 for c in area)
        white = len(area) - black
        self.compare(reason, {"black": black, "white": white})
        if 2 * (black - white) == -sum(colour(c) for c in ends):
            raise Fault("block: its colours are as they should be")


def _edge(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)
