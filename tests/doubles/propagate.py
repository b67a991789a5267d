"""The universal rules as their definitions have them, until nothing changes.

Edges are pairs of cells.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from ortools.graph.python.max_flow import SimpleMaxFlow

from solver.board import Board, Walk
from solver.propagation.propagate import Propagator, Rules

Edge = frozenset[int]


class Conflict(Exception):  # noqa: N818 (no error, an outcome)
    pass


def follow(propagator: Propagator, walk: Walk) -> None:
    """Change the walk of a propagator; the common beginning stays."""
    while propagator.walk != walk[: len(propagator.walk)]:
        propagator.pop()
    for cell in walk[len(propagator.walk) :]:
        propagator.push(cell)


@lru_cache(maxsize=64)
def around(board: Board) -> list[list[Edge]]:
    """Return the edges of each cell."""
    return [
        [frozenset((cell, v)) for v in row if v >= 0]
        for cell, row in enumerate(board.neighbours.tolist())
    ]


def neighbours(board: Board, cell: int) -> list[int]:
    return [v for e in around(board)[cell] for v in e if v != cell]


def all_edges(board: Board) -> list[Edge]:
    return [e for a, edges in enumerate(around(board)) for e in edges if a == min(e)]


class Naive:
    """Decided edges of one walk; `push` returns whether no conflict was met."""

    def __init__(self, board: Board, rules: Rules) -> None:
        self.board, self.rules = board, rules
        self.walk: Walk = (board.start,)
        self.state: dict[Edge, bool] = {}
        self.refuted = False
        self.before: list[tuple[dict[Edge, bool], bool]] = []
        self._close()

    def push(self, cell: int) -> bool:
        self.before.append((dict(self.state), self.refuted))
        here = self.walk[-1]
        self.walk = (*self.walk, cell)
        if not self.refuted:
            try:
                self.decide(frozenset((here, cell)), True)
            except Conflict:
                self.refuted = True
            self._close()
        return not self.refuted

    def pop(self) -> None:
        self.walk = self.walk[:-1]
        self.state, self.refuted = self.before.pop()

    def _close(self) -> None:
        if self.refuted or self.board.open_cells == 1:
            return
        try:
            self.fixed_point()
        except Conflict:
            self.refuted = True

    def fixed_point(self) -> None:
        size = -1
        while size != len(self.state):
            size = len(self.state)
            self._forced()
            if self.rules & Rules.FRAGMENTS:
                self._fragments()
            if self.rules & Rules.BLOCK_CHAIN:
                self._chain()
            if self.rules & Rules.TWO_FACTOR:
                self._flow()
            if any(self._taken(c) > self._degree(c) for c in range(self.board.cells)):
                raise Conflict

    def decide(self, edge: Edge, value: bool) -> None:
        if self.state.setdefault(edge, value) != value:
            raise Conflict

    def _degree(self, cell: int) -> int:
        if cell in self.board.walls:
            return 0
        return 2 - (cell == self.board.start) - (cell == self.board.end)

    def _around(self, cell: int) -> list[Edge]:
        return around(self.board)[cell]

    def _taken(self, cell: int) -> int:
        return sum(self.state.get(e, False) for e in self._around(cell))

    def _forced(self) -> None:
        for cell in range(self.board.cells):
            unknown = [e for e in self._around(cell) if e not in self.state]
            need = self._degree(cell) - self._taken(cell)
            if need < 0:
                raise Conflict
            rule = bool(self.rules & Rules.FORCED_EDGES)
            if rule and need > len(unknown):
                raise Conflict
            if need == 0 or (rule and need == len(unknown)):
                for e in unknown:
                    self.decide(e, need > 0)

    def _fragments(self) -> None:
        taken = [e for e, value in self.state.items() if value]
        parts = {c: {c} for c in range(self.board.cells)}
        loops = 0
        for e in [*taken, frozenset((self.board.start, self.board.end))]:
            a, b = e
            if parts[a] is parts[b]:
                loops += 1
            else:
                parts[a] |= parts[b]
                for c in parts[b]:
                    parts[c] = parts[a]
        full = len(taken) + 1
        if loops and not (loops == 1 and full == self.board.open_cells):
            raise Conflict
        if full >= self.board.open_cells - 1:
            return
        for e in all_edges(self.board):
            a, b = e
            if e in self.state or parts[a] is not parts[b]:
                continue
            if all(self._taken(c) < self._degree(c) for c in e):
                self.decide(e, False)

    def _chain(self) -> None:
        live, end = self.walk[-1], self.board.end
        cells = set(range(self.board.cells)) - {*self.board.walls, *self.walk} | {live}
        if len(self._reach(live, cells)) < len(cells) or (
            live == end and len(cells) > 1
        ):
            raise Conflict
        if live == end:
            return
        cuts: list[tuple[int, int, set[int]]] = [(0, live, set())]
        for cut in cells:
            rest = cells - {cut}
            if cut in (live, end):
                if len(self._reach(min(rest), rest)) < len(rest):
                    raise Conflict
                continue
            before = self._reach(live, rest)
            if len(before) < len(rest):
                if end in before or len(self._reach(end, rest) | before) < len(rest):
                    raise Conflict
                cuts.append((len(before), cut, before))
        cuts.append((len(cells), end, cells - {end}))
        cuts.sort()
        for (_, x, done), (_, y, there) in pairwise(cuts):
            block = (there - done) | {x, y}
            demand = self._colour([x, y])
            if 2 * self._colour(block) != demand:
                raise Conflict

    def _colour(self, cells: Iterable[int]) -> int:
        return sum(1 if self.board.black(c) else -1 for c in cells)

    def _reach(self, root: int, cells: set[int]) -> set[int]:
        seen, stack = {root}, [root]
        while stack:
            a = stack.pop()
            for b in neighbours(self.board, a):
                possible = self.state.get(frozenset((a, b)), True)
                if b in cells and b not in seen and possible:
                    seen.add(b)
                    stack.append(b)
        return seen

    def _flow(self) -> None:
        self._choice({})
        for e in all_edges(self.board):
            if e not in self.state:
                for value in (True, False):
                    try:
                        self._choice({e: value})
                    except Conflict:
                        self.decide(e, not value)

    def _choice(self, extra: dict[Edge, bool]) -> None:
        """Raise unless edges can give every cell its degree: a flow, black to white."""
        state, board = self.state | extra, self.board
        flow, source, sink = SimpleMaxFlow(), board.cells, board.cells + 1
        wanted = {True: 0, False: 0}
        for cell in range(board.cells):
            lack = self._degree(cell) - sum(state.get(e, 0) for e in self._around(cell))
            if lack < 0:
                raise Conflict
            black = board.black(cell)
            wanted[black] += lack
            ends = (source, cell) if black else (cell, sink)
            flow.add_arc_with_capacity(*ends, lack)
        for e in all_edges(board):
            if e not in state:
                flow.add_arc_with_capacity(*sorted(e, key=board.black, reverse=True), 1)
        flow.solve(source, sink)
        if not wanted[True] == wanted[False] == flow.optimal_flow():
            raise Conflict
