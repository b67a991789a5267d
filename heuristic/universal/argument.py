"""Arguments: why the universal rules refute a position, step by step.

The kernels only say that a position is refuted. Here the same rules are applied again,
slowly, on one position, and every decision keeps what it stands on, so that only the
steps that the conflict needs are told. A step is a `Reason` of one of these kinds;
edges out are never listed, a cell that has its edges drops the others by itself:

=============  =====================================================================
``forced``     the cell ``cells[0]`` has no more possible edges than it needs: all
               of them, ``edges``, are in
``no-loop``    the edge ``edges[0]`` would close a loop, or end the walk too early:
               it is out
``tight``      the border of ``area`` offers just what its imbalance wants: all its
               possible edges at cells of one colour are in, at the other out
``probe``      with the edge ``edges[0]`` in (``facts``: assumed 1) or out (assumed
               0), ``steps`` end in a conflict: it is out, or in
=============  =====================================================================

and the last one is a conflict:

=============  =====================================================================
``starved``    the cell ``cells[0]`` has fewer possible edges than it needs
``crowded``    the cell ``cells[0]`` has more edges in than it may have
``loop``       the edges in, ``edges``, close a loop or join start and end too early
``cut-off``    no possible edge joins ``area`` and the other cells, but at
               ``cells``, at most one; if one, live end and end cell lie elsewhere
``block``      ``area`` can be reached from the two ``cells`` alone, and its
               imbalance (``facts``: black, white) is not what a way between them has
``overdrawn``  the border of ``area`` cannot carry its imbalance (``facts``)
=============  =====================================================================

Counting edges by colour over an area, edges inside cancel: what its black cells need
less what its white cells need equals crossing edges at black cells less crossing edges
at white cells. Two times black minus white, but for start and end cell, which need one
edge each, not two.
"""

from itertools import pairwise

from heuristic.rule import Reason
from heuristic.universal.balance import Balance
from heuristic.universal.grounds import Conflict, Edge, edge
from solver.board import Cell, Position
from solver.propagation.probe import REACH
from solver.propagation.propagate import Rules


class Argument(Balance):
    """The rules on one position; see `Ledger` for what it is made from."""

    def find(self) -> Reason | None:
        """Return the conflict, with the steps that lead to it; None if there is none.

        From milliseconds to a second on 21 x 21, the more probing is needed.
        """
        if self.board.open_cells == 1:
            return None
        try:
            walk = self.walk
            for a, b in pairwise(walk):
                self._put([((min(a, b), max(a, b)), True)], ())
            self._close()
            if self.rules & Rules.PROBING:
                self._probe_along_walk()
        except Conflict as conflict:
            return self._tell(conflict)
        return None

    def _close(self) -> None:
        """Apply rules 1 to 4 until nothing changes."""
        while True:
            self._forced()
            if self.rules & Rules.FRAGMENTS and self._fragments():
                continue
            if self.rules & Rules.BLOCK_CHAIN:
                self._chain()
            if self.rules & Rules.TWO_FACTOR and self._flow():
                continue
            return

    # Rule 1 ----------------------------------------------------------------------

    def _forced(self) -> None:
        while self.dirty:
            cell = self.dirty.popleft()
            if not self.rules & Rules.FORCED_EDGES:
                continue
            unknown = [e for e in self._edges(cell) if e not in self.value]
            need = self.degree[cell] - len(self._in(cell))
            if need > len(unknown):
                has, wants = len(unknown) + len(self._in(cell)), self.degree[cell]
                raise Conflict(
                    Reason(
                        f"{self._at(cell)} needs {wants} edges and can have {has}",
                        cells=(cell,),
                        kind="starved",
                    ),
                    self._out(cell),
                )
            if unknown and need == len(unknown):
                step = Reason(
                    f"{self._at(cell)} needs all edges that are left to it",
                    cells=(cell,),
                    edges=tuple(unknown),
                    kind="forced",
                )
                self._put([(e, True) for e in unknown], self._out(cell), step)

    # Rule 2 ----------------------------------------------------------------------

    def _fragments(self) -> bool:
        """Drop one edge that would close a loop; True if there was one."""
        board = self.board
        taken = [e for e, value in self.value.items() if value]
        along: dict[Cell, list[Cell]] = {board.start: [], board.end: []}
        for a, b in taken:
            along.setdefault(a, []).append(b)
            along.setdefault(b, []).append(a)
        along[board.start].append(board.end)
        along[board.end].append(board.start)
        seen: set[Cell] = set()
        for root in [c for c in along if len(along[c]) == 1] + list(along):
            if root in seen:
                continue
            path = self._follow(root, along)
            seen.update(path)
            edges = [e for e in map(edge, path, path[1:]) if self.value.get(e)]
            last = edge(path[-1], path[0])
            closed = along[path[-1]].count(path[0]) > (len(path) == 2)
            if closed and len(path) < board.open_cells:
                if self.value.get(last) and last not in edges:
                    edges.append(last)
                sentence = "the edges close a loop that leaves cells out"
                raise Conflict(Reason(sentence, edges=tuple(edges), kind="loop"), edges)
            touch = path[-1] in self.near[path[0]]
            if (
                touch
                and not closed
                and last not in self.value
                and len(path) < board.open_cells
            ):
                step = Reason(
                    f"an edge from {self._at(path[0])} to {self._at(path[-1])} would "
                    "close a loop that leaves cells out",
                    edges=(last,),
                    kind="no-loop",
                )
                self._put([(last, False)], edges, step)
                return True
        return False

    @staticmethod
    def _follow(root: Cell, along: dict[Cell, list[Cell]]) -> list[Cell]:
        path, before = [root], -1
        while True:
            ahead = [c for c in along[path[-1]] if c != before]
            if not ahead or ahead[0] == root:
                return path
            before = path[-1]
            path.append(ahead[0])

    # Rule 3 ----------------------------------------------------------------------

    def _reach(self, root: Cell, cells: set[Cell]) -> set[Cell]:
        seen, stack = {root}, [root]
        while stack:
            a = stack.pop()
            for b in self.near[a]:
                free = b in cells and b not in seen
                if free and self.value.get(edge(a, b), True):
                    seen.add(b)
                    stack.append(b)
        return seen

    def _chain(self) -> None:
        live, end = self.walk[-1], self.board.end
        cells = set(range(self.board.cells)).difference(self.walk, self.board.walls)
        cells.add(live)
        if live == end:
            if len(cells) > 1:
                self._cut_off(cells - {end}, ())
            return
        rest = cells - self._reach(live, cells)
        if rest:
            # The end cell may be in the part that is cut off: then name the other.
            self._cut_off_part(cells, self._reach(live, cells), rest)
        cuts = [(0, live, set[Cell]())]
        for cut in self._cut_cells(live, cells):
            ahead = cells - {cut}
            before = self._reach(live, ahead) if cut != live else set()
            after = self._reach(end, ahead) if cut != end else set()
            lost = ahead - before - after
            if lost:
                self._cut_off(self._reach(min(lost), lost), (cut,))
            if cut not in (live, end):
                cuts.append((len(before), cut, before))
        cuts.append((len(cells), end, cells - {end}))
        cuts.sort()
        for (_, x, done), (_, y, there) in pairwise(cuts):
            self._block(there - done - {x, y}, x, y)

    def _cut_off_part(self, cells: set[Cell], mine: set[Cell], rest: set[Cell]) -> None:
        end = self.board.end
        away = rest - self._reach(end, rest) if end in rest else rest
        self._cut_off(self._reach(min(away), away) if away else mine, ())

    def _cut_cells(self, root: Cell, cells: set[Cell]) -> list[Cell]:
        """Return the cut cells of the possible edges on the cells, and the root."""
        found: dict[Cell, int] = {root: 0}
        low: dict[Cell, int] = {root: 0}
        cuts = {root}
        stack = [(root, -1, iter(self.near[root]))]
        while stack:
            c, parent, rest = stack[-1]
            for v in rest:
                if v not in cells or not self.value.get(edge(c, v), True):
                    continue
                if v not in found:
                    found[v] = low[v] = len(found)
                    stack.append((v, c, iter(self.near[v])))
                    break
                if v != parent:
                    low[c] = min(low[c], found[v])
            else:
                stack.pop()
                if stack:
                    low[parent] = min(low[parent], low[c])
                    if low[c] >= found[parent]:
                        cuts.add(parent)
        return sorted(cuts)

    def _cut_off(self, area: set[Cell], cut: tuple[Cell, ...]) -> None:
        sentence = f"no possible edge joins these {len(area)} cells and the others"
        if cut:
            sentence = (
                f"{self._at(cut[0])} is the only way to {len(area)} cells, and neither "
                "live end nor end cell is among them"
            )
        deps = [e for e in self._rim(area) if self.value.get(e) is False]
        raise Conflict(
            Reason(
                sentence,
                cells=cut,
                area=tuple(sorted(area)),
                kind="cut-off",
            ),
            deps,
        )

    def _block(self, area: set[Cell], x: Cell, y: Cell) -> None:
        black = sum(self.board.black(c) for c in area)
        white = len(area) - black
        wanted = -sum(1 if self.board.black(c) else -1 for c in (x, y)) // 2
        if not area or black - white == wanted:
            return
        raise Conflict(
            Reason(
                f"a way from {self._at(x)} to {self._at(y)} has black minus white "
                f"{wanted:+d} between them, not {black} minus {white}",
                cells=(x, y),
                area=tuple(sorted(area)),
                kind="block",
                facts=(("black", black), ("white", white)),
            ),
            [e for e in self._rim(area) if self.value.get(e) is False],
        )

    # Rule 5 ----------------------------------------------------------------------

    def _probe_along_walk(self) -> None:
        """Probe at the live end; then where the walk was, as it did on the way."""
        for cell in reversed(self.walk):
            while self._probe(cell):
                pass

    def _probe(self, here: Cell) -> bool:
        """Decide one edge near a cell by trying it; True if there was one."""
        cols = self.board.cols
        row, col = divmod(here, cols)
        for cell in range(self.board.cells):
            if abs(cell // cols - row) + abs(cell % cols - col) > REACH:
                continue
            for e in self._edges(cell):
                if e in self.value:
                    continue
                for value in (True, False):
                    if self._try(e, value):
                        self._close()
                        return True
        return False

    def _try(self, e: Edge, value: bool) -> bool:
        trial = Argument(Position(self.board, self.walk), self.rules)
        trial.value, trial.chosen = dict(self.value), set(self.chosen)
        trial.dirty.clear()
        try:
            trial._put([(e, value)], ())
            trial._close()
        except Conflict as conflict:
            told, deps = trial._needed(conflict)
            word = "in" if value else "out"
            step = Reason(
                f"with the edge {self._at(e[0])} to {self._at(e[1])} {word}: "
                f"{conflict.reason.sentence}",
                edges=(e,),
                kind="probe",
                facts=(("assumed", int(value)),),
                steps=told,
            )
            self._put([(e, not value)], deps - {e}, step)
            return True
        return False
