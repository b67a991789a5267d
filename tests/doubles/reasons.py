"""A judge of the reasons of universal rules, by counting decided edges.

The edges come from the propagation after the forbidden move, which has its own double.
"""

from collections import Counter
from itertools import pairwise

from heuristic.rule import Reason
from solver.propagation.propagate import Propagator
from solver.propagation.state import IN, OUT, STATE
from tests.doubles.propagate import Edge, all_edges, neighbours


class Judge:
    """A refuted walk with the edges that are decided, and the last step."""

    def __init__(self, propagator: Propagator) -> None:
        self.board, walk = propagator.board, propagator.walk
        rows = propagator.state.edge[:, : STATE + 1].tolist()
        self.walked = {frozenset(pair) for pair in pairwise(walk)}
        full = walk if walk[-1] == self.board.end else walk[:-1]
        ahead = [row for row in rows if not {*full}.intersection(row[:2])]
        self.chosen = {frozenset(row[:2]) for row in ahead if row[STATE] == IN}
        self.chosen |= self.walked
        self.possible = {frozenset(row[:2]) for row in ahead if row[STATE] != OUT}
        self.possible = (self.possible | self.chosen) & {*all_edges(self.board)}
        self.ends = walk[-1], self.board.end
        self.gone = {*walk[:-1], *self.board.walls}
        cells = {*range(self.board.cells)}.difference(self.board.walls)
        self.need = dict.fromkeys(cells, 2)
        for cell in (self.board.start, self.board.end):
            self.need[cell] -= 1

    def at(self, cell: int, edges: set[Edge]) -> int:
        return sum(cell in edge for edge in edges)

    def accepts(self, reason: Reason) -> bool:
        """Return whether the reason names a conflict, with its numbers."""
        edges = {frozenset(pair) for pair in reason.edges}
        if not edges <= self.chosen:
            return False
        text, cells = reason.sentence, reason.cells
        if not reason.areas:
            return self.cell(text, cells[0]) if cells else self.loop(edges)
        (area,) = map(set, reason.areas)
        if "can leave" in text:
            return self.border(text, area)
        beyond = {
            other
            for cell in area
            for other in neighbours(self.board, cell)
            if frozenset((cell, other)) in self.possible and other not in self.gone
        }
        sealed = not area & {*self.gone, *cells} and beyond - area <= {*cells}
        if len(cells) < 2:
            lost = not area & set(self.ends) if cells else not area >= {*self.ends}
            return sealed and lost and f"{len(area)} cell" in text
        return sealed and not area & set(self.ends) and self.colours(text, area, cells)

    def cell(self, text: str, cell: int) -> bool:
        need, has = self.need[cell], self.at(cell, self.possible)
        if "would have" in text:
            taken = self.at(cell, self.chosen)
            return taken > need and text.endswith(f"would have {taken} edges")
        return has < need and text.endswith(f"needs {need} edges and can have {has}")

    def loop(self, edges: set[Edge]) -> bool:
        """Edges close a loop where each end of one is an end of another."""
        uses = Counter(cell for edge in edges for cell in edge)
        virtual = Counter((self.board.start, self.board.end))
        part = {*next(iter(edges))}
        for _ in edges:
            part |= {cell for edge in edges if edge & part for cell in edge}
            part |= set(virtual) if part & set(virtual) else set()
        closed = all(uses[cell] + virtual[cell] == 2 for cell in part)
        return part >= set(uses) and closed and len(part) < self.board.open_cells

    def border(self, text: str, area: set[int]) -> bool:
        left = {c: n - self.at(c, self.chosen) for c, n in self.need.items()}
        for name, other, black in (("black", "white", True), ("white", "black", False)):
            side = {cell for cell in area if self.board.black(cell) is black}
            needs = sum(left[cell] for cell in side)
            others = sum(left[cell] for cell in area - side)
            free = self.possible - self.chosen
            doors = sum(len(e & area) == 1 and bool(e & side) for e in free)
            if text == (
                f"the {name} cells of the area still need {needs} edges and its "
                f"{other} cells {others}, and {doors} can leave at {name} cells"
            ):
                return needs - others > doors
        return False

    def colours(self, text: str, area: set[int], ends: tuple[int, ...]) -> bool:
        black = sum(map(self.board.black, area))
        white = len(area) - black
        wanted = 1 - sum(map(self.board.black, ends))
        claim = f"black minus white {wanted:+d} between them, not {black} minus {white}"
        return black - white != wanted and claim in text
