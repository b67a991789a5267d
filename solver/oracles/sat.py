"""The exact oracle `sat`: a SAT solver on edges, with cuts when a model breaks them.

The formula is about the board, and the walk comes in as assumptions. So a single solver
serves all positions of a board. Each cut, count and learnt clause of a position helps
the next.

Every walk over all cells of a board satisfies all clauses. A variable is an edge
between two open cells, true if the walk uses it. Degree clauses give the start and the
end an edge each and every other cell two. A model of them is a path from start to end
and perhaps loops. Cuts and counts rule out the loops:

- *cut*: a walk over all cells crosses the rim of every set of cells, so it uses some
  crossing edge;
- *count*: every edge joins black and white. So over any set of cells, the degrees of
  the black cells minus those of the white cells are the used crossing edges at its
  black cells minus those at its white cells. Resolution alone needs exponentially many
  steps for such a sum (mutilated chessboards).

Both hold for the board, whatever the walk, so they stay from position to position.
"""

from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple, TypeAlias
from weakref import finalize

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position, Walk
from solver.errors import OptionError, WitnessError
from solver.jit import njit, njit_making
from solver.oracles.oracle import Answer, Ground, Proof, Verdict, check_witness

Clause: TypeAlias = tuple[int, ...]
Ints: TypeAlias = npt.NDArray[np.int32]
Bools: TypeAlias = npt.NDArray[np.bool_]


class Edges(NamedTuple):
    """The edges of a board and their variables."""

    ends: Ints  # (variables + 1, 2): the two cells of each variable's edge
    near: Ints  # (cells, 4): the neighbour in direction U, R, D, L
    variable: Ints  # (cells, 4): the edge in that direction, 0 for none


class Parts(NamedTuple):
    """Arrays for the parts of a model and the edges that leave each."""

    cells: Ints  # part by part; part 0 is the path from the start
    rims: Ints  # the variables of the edges that leave a part, part by part
    ends: Ints  # (parts, 2): where a part ends in `cells` and in `rims`


@njit_making
def _cut_loops(
    model: Ints, edges: Edges, is_open: Bools, start: int, parts: Parts
) -> int:
    """Kernel: write path, loops and rims of a model to `parts`; return their number."""
    link = np.full((is_open.size, 2), -1, np.int32)
    for v in model:
        if v > 0:
            for side in range(2):
                a, b = edges.ends[v, side], edges.ends[v, 1 - side]
                link[a, 1 if link[a, 0] >= 0 else 0] = b
    part = np.full(is_open.size, -1, np.int32)
    count, size, at = 0, 0, 0
    for k in range(-1, is_open.size):
        first = size
        cell = start if k < 0 else k
        if not is_open[cell]:
            continue
        while cell >= 0 and part[cell] < 0:
            part[cell] = count
            parts.cells[size] = cell
            size += 1
            a, b = link[cell, 0], link[cell, 1]
            cell = a if a >= 0 and part[a] < 0 else b
        if size == first:
            continue
        for cell in parts.cells[first:size]:
            for d in range(4):
                v = edges.variable[cell, d]
                if v and part[edges.near[cell, d]] != count:
                    parts.rims[at] = v
                    at += 1
        parts.ends[count, 0] = size
        parts.ends[count, 1] = at
        count += 1
    return count


@njit_making
def _count_area(
    used: Ints, edges: Edges, need: Ints, black: Bools, area: Bools, rim: Ints
) -> int:
    """Kernel of `BoardFormula.count_area`: the size of the clause in `rim`, -1 if none.

    Used edges are fixed, and cells that need no more drop the others. The rest is a
    maximum flow from black to white cells along shortest paths of chosen edges.
    """
    ends, near, variable = edges.ends, edges.near, edges.variable
    state = np.zeros(ends.shape[0], np.int8)  # 1 used, -1 dropped
    lack = need.copy()  # edges still to choose
    for v in used:
        state[v] = 1
        lack[ends[v, 0]] -= 1
        lack[ends[v, 1]] -= 1
    for v in range(1, state.size):
        if state[v] == 0 and min(lack[ends[v, 0]], lack[ends[v, 1]]) < 1:
            state[v] = -1
    flow = np.zeros(state.size, np.bool_)
    stack = np.empty(need.size, np.int32)
    before = np.empty(need.size, np.int32)
    stamp = np.zeros(need.size, np.int32)
    now = 0
    for root in range(2 * need.size):
        # Black roots first, then white roots, whose lack proves a count as well.
        colour, source = root < need.size, root % need.size
        if black[source] != colour:
            continue
        while lack[source] > 0:
            now += 1
            stamp[source] = now
            stack[0] = source
            head, size, target = 0, 1, -1
            while head < size and target < 0:
                cell = stack[head]
                head += 1
                chosen = black[cell] != colour
                for d in range(4):
                    v, other = variable[cell, d], near[cell, d]
                    if v == 0 or state[v] != 0 or flow[v] != chosen:
                        continue
                    if stamp[other] != now:
                        stamp[other] = now
                        before[other] = v
                        stack[size] = other
                        size += 1
                        if not chosen and lack[other] > 0:
                            target = other
                            break
            if target < 0:  # the reached cells are the area
                for cell in stack[:size]:
                    area[cell] = True
                return _count_rim(edges, need, black, state, area, colour, rim)
            lack[source] -= 1
            lack[target] -= 1
            cell = target
            while cell != source:
                v = before[cell]
                flow[v] = not flow[v]
                cell = ends[v, 0] + ends[v, 1] - cell
    return -1


@njit
def _count_rim(
    edges: Edges,
    need: Ints,
    black: Bools,
    state: npt.NDArray[np.int8],
    area: Bools,
    colour: bool,
    rim: Ints,
) -> int:
    """Kernel: write the count clause of an area to `rim`; return its size."""
    slack, at = 0, 0
    for cell in range(need.size):
        if not area[cell]:
            continue
        same = black[cell] == colour
        slack += need[cell] if same else -need[cell]
        for d in range(4):
            v = edges.variable[cell, d]
            if v == 0 or area[edges.near[cell, d]]:
                continue
            if same and state[v] >= 0:
                slack -= 1
            elif same:
                rim[at] = v
                at += 1
            elif state[v] > 0:
                slack += 1
                rim[at] = -v
                at += 1
    return int(at - max(0, min(at, slack - 1)))


class BoardFormula:
    """The clauses of a board; `cut_loops` and `count_area` add more.

    - `edges`: the edge of variable v is ``edges[v - 1]``, a pair of cells.
    - `step`: the variable of a step, a pair of cells in either order.
    - `clauses`: clauses with their grounds, in the order they were added.
    - `cells`: whether the ground of a cut or a count names its cells. Only a proof
      needs them, and they can be half of the board for each of thousands of cuts.
    """

    def __init__(self, board: Board, *, cells: bool = True) -> None:
        self.board, self._cells = board, cells
        near, n = board.neighbours, board.cells
        self.open = np.ones(n, np.bool_)
        self.open[list(board.walls)] = False
        variable = np.zeros((n, 4), np.int32)
        edges = []
        for cell in range(n):
            for d in (1, 2):
                other = int(near[cell, d])
                if other >= 0:
                    edges.append((cell, other))
                    variable[cell, d] = variable[other, d + 2 & 3] = len(edges)
        self.edges = tuple(edges)
        self._edges = Edges(np.array([(0, 0), *edges], np.int32), near, variable)
        self.step = {edge: v for v, edge in enumerate(edges, 1)}
        self.step.update({(b, a): v for v, (a, b) in enumerate(edges, 1)})
        self._need = np.full(n, 2, np.int32)
        self._need[[board.start, board.end]] = 1 if board.open_cells > 1 else 0
        self._need[~self.open] = 0
        rows, cols = np.divmod(np.arange(n), board.cols)
        self._black = (rows + cols) % 2 == 0
        self.clauses: dict[Clause, Ground] = {}
        self._around = [[v for v in row if v] for row in variable.tolist()]
        for cell in np.flatnonzero(self.open).tolist():
            self._add_degrees(cell)
        self._parts = Parts(*(np.empty(size, np.int32) for size in (n, 4 * n, (n, 2))))

    def _add_degrees(self, cell: Cell) -> None:
        around = self._around[cell]
        need, ground = int(self._need[cell]), Ground("degree", (cell,))
        for some in combinations(around, max(0, len(around) - need + 1)):
            self.clauses.setdefault(some, ground)
        for some in combinations(around, need + 1):
            self.clauses.setdefault(tuple(-v for v in some), ground)

    def cut_squares(self) -> None:
        """Add the cuts around all 2 x 2 squares: the smallest loops, and most loops."""
        cols, is_open = self.board.cols, self.open.tolist()
        around = [set(row) for row in self._around]
        if self.board.open_cells == 4:
            return  # a square may be all there is
        for cell in range(self.board.cells - cols - 1):
            square = (cell, cell + 1, cell + cols, cell + cols + 1)
            if (cell + 1) % cols and all(is_open[c] for c in square):
                a, b, c, d = (around[c] for c in square)
                rim = a ^ b ^ c ^ d  # edges between two of them cancel
                self.clauses.setdefault(tuple(sorted(rim)), Ground("cut", square))

    def cut_loops(self, model: list[int]) -> tuple[list[Clause], Ints]:
        """Return new cuts that the model breaks, and its path from the start.

        Without cuts the path visits every open cell. O(cells).
        """
        parts, literals = self._parts, np.array(model, np.int32)
        count = _cut_loops(literals, self._edges, self.open, self.board.start, parts)
        cuts: list[Clause] = []
        inside, rim = 0, 0
        for cells_end, rim_end in parts.ends[:count].tolist() if count > 1 else ():
            clause = tuple(sorted(parts.rims[rim:rim_end].tolist()))
            if clause not in self.clauses:
                area = parts.cells[inside:cells_end]
                self.clauses[clause] = self._ground("cut", area)
                cuts.append(clause)
            inside, rim = cells_end, rim_end
        return cuts, parts.cells

    def count_area(self, used: list[int]) -> Clause | None:
        """Return a count clause that the used edges break, if a flow gives one.

        A maximum flow between black and white cells gives every cell its edges, or its
        smallest cut is a set of cells whose count is impossible (Konig, Hall). At worst
        O(cells^2) time, near linear in practice.
        """
        area = np.zeros(self.board.cells, np.bool_)
        rim = np.zeros(len(self.edges) + 1, np.int32)
        chosen = np.array(used, np.int32)
        size = _count_area(chosen, self._edges, self._need, self._black, area, rim)
        if size < 0:
            return None
        clause = tuple(sorted(rim[:size].tolist()))
        ground = self._ground("count", np.flatnonzero(area))
        return None if self.clauses.setdefault(clause, ground) is not ground else clause

    def _ground(self, kind: str, area: npt.NDArray[Any]) -> Ground:
        return Ground(kind, tuple(sorted(area.tolist())) if self._cells else ())


_SOLVER = "cadical153"
_BOARDS = 8  # boards whose solvers stay in memory
_CUTS = 16  # most cuts of a solver, in multiples of the cells
_SHORT = 12  # literals of a cut that is never dropped
_PATIENCE = 100  # conflicts before the areas of a position are counted


class SatOracle:
    """The exact oracle `sat`, incremental between positions of a board.

    - `conflicts`: most conflicts of a question before the answer is UNKNOWN.
    - `proof`: whether DEAD comes with a `Proof`. A second solver (CaDiCaL) makes it
      from this position alone, in a few milliseconds and more.

    >>> answer = SatOracle(proof=True).decide(Position.parse("9:RRDLD"))
    >>> answer.verdict.name, answer.proof.lines[-1]
    ('DEAD', '0')

    Not for several threads at once.
    """

    name = "sat"

    def __init__(self, *, conflicts: int | None = None, proof: bool = False) -> None:
        if conflicts is not None and conflicts < 1:
            raise OptionError(f"the conflict limit is at least 1, not {conflicts}")
        self.conflicts, self.proof = conflicts, proof
        self._incremental = lru_cache(maxsize=_BOARDS)(_Incremental)

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of conflicts.

        The solver's last walk of a board also decides every position on its way.
        """
        walk, board = position.walk, position.board
        state = self._incremental(board)
        size, work = len(walk), 0
        if state.path[:size] != walk:
            verdict, work = state.solve(walk, self.conflicts)
            if verdict is Verdict.DEAD and self.proof:
                return Answer(verdict, proof=prove_dead(position), work=work)
            if verdict is not Verdict.COMPLETABLE:
                return Answer(verdict, work=work)
            check_witness(Position(board), state.path[1:])
            if state.path[:size] != walk:
                raise WitnessError(f"{position.notation}: witness leaves the walk")
        return Answer(Verdict.COMPLETABLE, state.path[size:], work=work)


class _Incremental:
    """The solver of a board, with its formula and its last walk."""

    def __init__(self, board: Board, *, proof: bool = False) -> None:
        self._board, self._proof = board, proof
        self._build({})

    def _build(self, clauses: dict[Clause, Ground]) -> None:
        from pysat.solvers import Solver

        self.formula = BoardFormula(self._board, cells=self._proof)
        self.formula.cut_squares()
        self.formula.clauses.update(clauses)
        self._base = len(self.formula.clauses)
        self.impossible = () in self.formula.clauses
        self.path: Walk = ()
        self._solver = Solver(name=_SOLVER, with_proof=self._proof)
        # PySAT frees a solver noisily when the interpreter is half gone already.
        self.close = finalize(self, self._solver.delete)
        for clause in self.formula.clauses:
            self._add(clause)

    def _renew(self) -> None:
        """Drop long cuts once they slow down a verdict, as 16,000 do on 21 x 21."""
        clauses = self.formula.clauses
        if len(clauses) > self._base + _CUTS * self._board.cells:
            self.close()
            short = {c: g for c, g in clauses.items() if len(c) <= _SHORT}
            counts = {c: g for c, g in clauses.items() if g.kind == "count"}
            self._build(short | counts)

    def solve(self, walk: Walk, limit: int | None) -> tuple[Verdict, int]:
        """Return verdict and conflicts of a walk; a completed one is in `path`."""
        self._renew()
        formula, solver = self.formula, self._solver
        used = [formula.step[edge] for edge in pairwise(walk)]
        begin = solver.accum_stats()["conflicts"]
        work, patience = 0, _PATIENCE
        while not self.impossible:
            budget = patience if limit is None else min(patience, limit - work)
            solver.conf_budget(budget)
            outcome = solver.solve_limited(assumptions=used)
            work = int(solver.accum_stats()["conflicts"] - begin)
            if outcome is False:
                return Verdict.DEAD, work
            if outcome:
                if self._is_tour():
                    return Verdict.COMPLETABLE, work
                continue
            count = formula.count_area(used) if patience == _PATIENCE else None
            if count is not None:
                self._add(count)
            elif limit is not None and work >= limit:
                return Verdict.UNKNOWN, work
            patience *= 2
        return Verdict.DEAD, work

    def prove(self, position: Position) -> Proof:
        """Refute a position: its steps as clauses, a count if any, then cuts."""
        formula = self.formula
        steps = [(formula.step[edge], edge) for edge in pairwise(position.walk)]
        count = formula.count_area([variable for variable, _ in steps])
        if count is not None:
            self._add(count)
        for variable, _ in steps:
            self._add((variable,))
        while not self.impossible and self._solver.solve():
            if self._is_tour():
                raise WitnessError(f"{position.notation}: not dead, cannot be proved")
        clauses = dict(formula.clauses)
        for variable, edge in steps:
            clauses.setdefault((variable,), Ground("walk", edge))
        lines = ["0"] if self.impossible else self._solver.get_proof()
        if "0" not in lines:
            raise WitnessError(f"{position.notation}: the solver's proof was cut short")
        lines = lines[: lines.index("0") + 1]  # deletions may follow
        grounds = tuple(clauses.values())
        return Proof(tuple(clauses), tuple(lines), formula.edges, grounds)

    def _is_tour(self) -> bool:
        """Set `path` if the model is a single walk; else add its cuts."""
        cuts, path = self.formula.cut_loops(self._solver.get_model())
        for clause in cuts:
            self._add(clause)
        if not cuts:
            self.path = tuple(path[: self.formula.board.open_cells].tolist())
        return not cuts

    def _add(self, clause: Clause) -> None:
        if clause:
            self._solver.add_clause(clause)
        else:
            self.impossible = True


def prove_dead(position: Position) -> Proof:
    """Return a proof that a position is dead: a formula of its own and a DRAT proof.

    Raises `WitnessError` if the position is not dead.
    """
    state = _Incremental(position.board, proof=True)
    try:
        return state.prove(position)
    finally:
        state.close()
