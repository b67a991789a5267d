"""Directed search: a board, a walk and a completion on which a drawing goes wrong.

Everything is unknown but the drawing: a Hamiltonian path of an n x n board is cut at a
live end so that the cells around it are as drawn and the path goes on with the
forbidden move. The live end and the placement are fixed one by one, the rest is left
to a SAT solver. The formula shares no code with the prover's.

The formula takes the edges that a drawing asks to be forced, not that they are forced.
That is seen only at a whole position, so there the drawing itself is asked.

A solver that only knows degrees leaves dozens of closed loops on a large board. Where
two pieces pass a unit square on opposite sides, leading them over the other two sides
makes one piece of them, and every cell keeps two edges. Nearly all loops go this way,
and cutting off the few that are left takes far fewer models.
"""

import math
import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, count, product

from heuristic.rule import RuleSet
from heuristic.rules.drawing import (
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Placement,
    RuleSpec,
    Spot,
)
from solver.board import Board, Cell, Position, Walk
from solver.symmetry import Symmetry
from verify.proof.view import pieces


def landed(placement: Placement, board: Board, live: Cell, at: Spot) -> Cell | None:
    """Return where a cell of the page lies; None if not on the board."""
    dr, dc = placement.turn.turn(at)
    row, col = live // board.cols + dr, live % board.cols + dc
    inside = 0 <= row < board.rows and 0 <= col < board.cols
    return row * board.cols + col if inside else None


Edge = tuple[Cell, Cell]


def joined(
    board: Board,
    edges: Iterable[Edge],
    locked: Collection[Edge],
    alike: Callable[[Cell], bool],
) -> set[Edge]:
    """Return edges with the same degrees, in fewer pieces if possible.

    - `edges`, iterable of (int, int): the smaller cell first.
    - `locked`, collection of (int, int): edges that stay.
    - `alike`: no edge is led between cells for which it differs.

    Linear in the board for each of a few rounds, but that every join renames a piece.

    Two loops around unit squares become one:

    >>> loops = [(0, 1), (0, 4), (1, 5), (4, 5), (2, 3), (2, 6), (3, 7), (6, 7)]
    >>> sorted(joined(Board.parse("2x4"), loops, [], lambda cell: True))
    [(0, 1), (0, 4), (1, 2), (2, 3), (3, 7), (4, 5), (5, 6), (6, 7)]
    """
    used, piece = set(edges), dict[Cell, int]()
    near: list[list[Cell]] = [[] for _ in range(board.cells)]
    for a, b in used:
        near[a].append(b)
        near[b].append(a)
    members: dict[int, list[Cell]] = {}
    for cells in pieces(range(board.cells), near.__getitem__):
        members[min(cells)] = [*cells]
        piece.update(dict.fromkeys(cells, min(cells)))
    squares = [
        (cell, cell + 1, cell + board.cols, cell + board.cols + 1)
        for cell in range(board.cells - board.cols)
        if (cell + 1) % board.cols
    ]
    squares = [square for square in squares if len({*map(alike, square)}) == 1]
    count = len(members) + 1
    while 1 < len(members) < count:
        count = len(members)
        for a, b, c, d in squares:
            for one, two, left, right in (
                ((a, b), (c, d), (a, c), (b, d)),
                ((a, c), (b, d), (a, b), (c, d)),
            ):
                if piece[one[0]] == piece[two[0]] or not {one, two} <= used:
                    continue
                if one in locked or two in locked:
                    continue
                used -= {one, two}
                used |= {left, right}
                less, more = sorted(
                    (piece[one[0]], piece[two[0]]), key=lambda n: len(members[n])
                )
                for cell in members[less]:
                    piece[cell] = more
                members[more] += members.pop(less)
    return used


_SOLVER = "glucose4"
_CONFLICTS = 4_000, 40_000  # for a live end and placement at first, and then


def placements_of(drawing: Drawing, pose: Symmetry) -> tuple[Placement, ...]:
    """Return the ways to lay a drawing on a board in one pose of its page."""
    return replace(drawing, turns=(pose,)).placements()


def directed(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    board: Board,
    *,
    seed: int = 0,
    seconds: float = 10.0,
) -> tuple[Position, Walk] | None:
    """Look for a position that the drawing matches, completable by the forbidden move.

    Returns the position and the completion, or None when there is none on this board
    or the limit of processor time came first. Live ends and placements are tried in
    random order: shortly at first, for most are settled in a moment, and the few hard
    ones would take all the time.
    """
    until = time.process_time() + seconds
    places = list(product(placements_of(drawing, pose), range(board.cells)))
    random.Random(seed).shuffle(places)
    for conflicts in _CONFLICTS:
        undecided = []
        for placement, cell in places:
            if time.process_time() > until:
                return None
            if not _fits(drawing, placement, move, board, cell):
                continue
            search = _Search(drawing, placement, move, board, cell)
            found = search.run(conflicts, until)
            if found is not None:
                return found
            if not search.settled:
                undecided.append((placement, cell))
        places = undecided
    return None


def position_at(
    drawing: Drawing,
    placement: Placement,
    move: Spot,
    board: Board,
    live: Cell,
    *,
    conflicts: int,
) -> tuple[Position, Walk] | None:
    """Return a position that a drawing matches at a live end, completable by a move.

    With it the completion, which begins with the move, forbidden or not. None if there
    is none, or so many conflicts came first.
    """
    if not _fits(drawing, placement, move, board, live):
        return None
    return _Search(drawing, placement, move, board, live).run(conflicts, math.inf)


def _fits(
    drawing: Drawing, placement: Placement, move: Spot, board: Board, live: Cell
) -> bool:
    """Tell whether no cell of the drawing contradicts the board's edge or its ends."""
    if live in (board.start, board.end):
        return False

    at = partial(landed, placement, board, live)
    for need in drawing.needs:
        cell = at(need.at)
        if cell is None:
            possible = CellState.OUTSIDE
        elif cell == board.start:
            possible = CellState.VISITED
        elif cell == board.end:
            possible = CellState.FREE
        else:
            possible = CellState.FREE | CellState.VISITED
        if not need.states & possible or (need.not_end and cell == board.end):
            return False
    target = at(move)
    behind = board.neighbours[live, (placement.heading + 2) % 4]
    if target is None or behind < 0 or int(behind) in (target, board.end):
        return False
    lines = [at(spot) for area in drawing.areas for spot in area.cells]
    return target != board.start and board.end not in lines


class _Search:
    """One placement at one live end: clauses over edges and visited cells."""

    def __init__(
        self,
        drawing: Drawing,
        placement: Placement,
        move: Spot,
        board: Board,
        live: Cell,
    ) -> None:
        self.drawing, self.placement, self.move = drawing, placement, move
        self.board, self.live = board, live
        self._rules: dict[str, RuleSet] = {}  # of `_matches`
        self.behind = int(board.neighbours[live, (placement.heading + 2) % 4])
        self.around = [[int(x) for x in row if x >= 0] for row in board.neighbours]
        # Returns a variable that no clause names yet.
        self.new: Callable[[], int] = partial(next, count(1))
        self.clauses: list[list[int]] = []
        self.settled = False  # whether it is sure that there is no path
        self.visited = [self.new() for _ in range(board.cells)]
        self.free = [-visited for visited in self.visited]
        self.edges: dict[Edge, int] = {
            (a, b): self.new()
            for a in range(board.cells)
            for b in self.around[a]
            if a < b
        }
        target = self.cell(move)
        assert target is not None
        self.target: Cell = target
        self._path()
        self.draw()
        self.areas = [self.area(area) for area in drawing.areas]
        self.clauses += ([-late[board.start]] for late in self.orders())

    def same(self, given: Sequence[int], one: int, other: int) -> None:
        """Let both hold or neither, unless a literal given does."""
        self.clauses += [*given, -one, other], [*given, one, -other]

    def edge(self, a: Cell, b: Cell) -> int:
        """Return the variable of the edge between two touching cells."""
        return self.edges[min(a, b), max(a, b)]

    def cell(self, at: Spot) -> Cell | None:
        """Return where a cell of the page lies; None if not on the board."""
        return landed(self.placement, self.board, self.live, at)

    def cells(self, spots: Iterable[Spot]) -> list[Cell]:
        """Return where cells of the page lie, those on the board."""
        return [cell for cell in map(self.cell, spots) if cell is not None]

    def draw(self) -> None:
        """Let cells be as the drawing needs them, and the completion as it asks."""
        for need in self.drawing.needs:
            for cell in self.cells([need.at]):
                if not need.states & CellState.FREE:
                    self.clauses.append([-self.free[cell]])
                if not need.states & CellState.VISITED:
                    self.clauses.append([-self.visited[cell]])
        for pair in self.drawing.pairs("joined"):
            self.clauses.append([self.edge(*self.cells(pair))])

    def area(self, area: AreaSpec) -> list[int]:
        """Fill an area without the end cell; let its imbalance satisfy the condition.

        Returns for each cell the variable "in the area".
        """
        add = self.clauses.append
        member = [self.new() for _ in range(self.board.cells)]
        line, inside, outside = map(self.cells, (area.cells, area.inside, area.outside))
        for one, free in zip(member, self.free, strict=True):
            add([-one, free])
        for cell in line:
            add([member[cell]])
        for cell in inside:
            add([member[cell], -self.free[cell]])
        for cell in outside:
            add([-member[cell]])
        if area.least > len(line):
            add([self.free[cell] for cell in inside])
        for a, b in self.edges:
            if a not in line and b not in line:
                either = [-self.free[a], -self.free[b]]
                self.same(either, member[a], member[b])
        add([-member[self.board.end]])
        if area.kind is not Kind.CLOSED:
            self.balance(area, line, member)
        return member

    def orders(self) -> Iterator[list[int]]:
        """Yield "visited after the cut", of each order test: see `cut_behind`."""
        for run in self.drawing.runs:
            first, then = self.cell(run.first), self.cell(run.then)
            if first is not None and then is not None and then != self.live:
                yield self.cut_behind(first, then)

    def balance(
        self, area: AreaSpec, line: Sequence[Cell], member: Sequence[int]
    ) -> None:
        """Let the condition of a closed area hold, by what its doors come to.

        Doors used at black cells less those at white ones are twice the imbalance:
        far fewer terms than the cells themselves. `line` are the marked cells,
        `member` has a variable for each cell.
        """
        add, black = self.clauses.append, self.board.black
        terms = []
        for cell in line:
            for other in self.around[cell]:
                if other not in line and other != self.live:
                    door, used = self.new(), self.edge(cell, other)
                    add([-door, used])  # used, and leading out
                    add([-door, -member[other]])
                    add([door, -used, member[other]])
                    terms.append((door, cell))
        terms.append((member[self.target], self.target))
        sums: dict[int, list[int]] = {0: []}  # literals that are false if it is reached
        for literal, cell in terms:
            sign = 1 if black(cell) == black(self.live) else -1
            after = {s + d: self.new() for s in sums for d in (0, sign)}
            for total, given in sums.items():
                add([*given, literal, after[total]])
                add([*given, -literal, after[total + sign]])
            sums = {total: [-reached] for total, reached in after.items()}
        for total, given in sums.items():
            if total % 2 or not area.allows(-total // 2):
                add(given)

    def cut_behind(self, first: Cell, then: Cell) -> list[int]:
        """Cut the walk behind `then`; `first` lies before the cut.

        Returns for each cell the variable "visited after the cut". That the start lies
        before it is left to the caller.
        """
        late = [self.new() for _ in range(self.board.cells)]
        self.clauses += [-late[first]], [late[self.live]]
        for (a, b), used in self.edges.items():
            if then not in (a, b):
                given = [-used, -self.visited[a], -self.visited[b]]
                self.same(given, late[a], late[b])
        for a, b in combinations(self.around[then], 2):
            given = [-self.edge(then, a), -self.edge(then, b)]
            self.same(given, -late[a], late[b])
        return late

    def _path(self) -> None:
        """Make degrees right, and let walk and completion meet at the live end only."""
        board, add = self.board, self.clauses.append
        for cell in range(board.cells):
            sides = [self.edge(cell, other) for other in self.around[cell]]
            need = 1 if cell in (board.start, board.end) else 2
            for some in combinations(sides, need + 1):
                add([-x for x in some])
            for some in combinations(sides, len(sides) - need + 1):
                add(list(some))
        for (a, b), used in self.edges.items():
            if self.live not in (a, b):
                self.same([-used], self.visited[a], self.visited[b])
        for cell in (board.start, board.end, self.live, self.behind, self.target):
            free = cell in (board.end, self.target)
            add([-self.visited[cell] if free else self.visited[cell]])
        for other in self.around[self.live]:
            used = self.edge(self.live, other)
            add([used if other in (self.behind, self.target) else -used])

    def run(self, conflicts: int, until: float) -> tuple[Position, Walk] | None:
        """Solve, cutting loops and stray cells of areas, until a path is left.

        Gives up after so many conflicts, and at a time.
        """
        from pysat.solvers import Solver

        with Solver(name=_SOLVER, bootstrap_with=self.clauses) as solver:
            while time.process_time() < until:
                solver.conf_budget(conflicts + 1 - solver.accum_stats()["conflicts"])
                answer = solver.solve_limited()
                if not answer:
                    self.settled = answer is False
                    return None
                true = {x for x in solver.get_model() if x > 0}
                strays = list(self._strays(true))
                found = None if strays else self._read(true)
                if found is not None and self._matches(found[0]):
                    return found
                cuts = [*self._loops(true), *strays]
                if found is not None:
                    cuts.append(self._other_cells(*found))
                for clause in cuts:
                    solver.add_clause(clause)
        return None

    def _matches(self, position: Position, without: str = "") -> bool:
        """Tell whether what the drawing asks to be forced is forced there.

        Facts of the word `without` are left out.
        """
        facts = tuple(fact for fact in self.drawing.asked if fact[0] != without)
        if not facts:
            return True
        if without not in self._rules:
            alone = replace(self.drawing, forbidden=(self.move,), facts=facts)
            spec = RuleSpec("searched", "unargued", "", "", (alone,))
            self._rules[without] = RuleSet(spec.name, [spec])
        rules = self._rules[without]
        step = position.board.direction(position.live_end, self.target)
        return bool(rules.masks(position)[0] >> step & 1)

    def _other_cells(self, position: Position, completion: Walk) -> list[int]:
        """Return the clause that other cells are visited.

        An edge that is forced stays so where more cells are visited: where one is
        missing there must be more of them. The ends of forced lines may move.
        """
        clause = [self.visited[cell] for cell in completion]
        if self._matches(position, "mates"):
            clause += [-self.visited[cell] for cell in position.walk]
        return clause

    def _loops(self, true: set[int]) -> Iterator[list[int]]:
        def near(cell: Cell) -> list[Cell]:
            return [x for x in self.around[cell] if self.edge(cell, x) in true]

        for piece in pieces(range(self.board.cells), near):
            if self.board.start not in piece:
                yield [
                    used
                    for (a, b), used in self.edges.items()
                    if (a in piece) != (b in piece)
                ]

    def _strays(self, true: set[int]) -> Iterator[list[int]]:
        """Take cells out of an area that no way joins to its marked cells."""
        for member, area in zip(self.areas, self.drawing.areas, strict=True):
            line = set(self.cells(area.cells))
            inside = {cell for cell, x in enumerate(member) if x in true} - line
            for piece in pieces(inside, self.around.__getitem__):
                if piece.isdisjoint(self.cells(area.inside)):
                    rim = {x for cell in piece for x in self.around[cell]} - piece
                    yield [
                        *(-member[cell] for cell in piece),
                        *(-self.visited[x] for x in rim - line),
                    ]

    def _read(self, true: set[int]) -> tuple[Position, Walk] | None:
        """Join what the model draws to one path, if it can be, and cut that in two.

        Every cell stays visited or free, so the drawing still matches, but for order
        tests: these are looked at again.
        """
        live = self.live
        used = joined(
            self.board,
            (side for side, number in self.edges.items() if number in true),
            [(min(live, x), max(live, x)) for x in (self.behind, self.target)],
            lambda cell: self.visited[cell] in true,
        )
        path, before = [self.board.start], -1
        while path[-1] != self.board.end:
            here = path[-1]
            step = next(
                other
                for other in self.around[here]
                if other != before and (min(here, other), max(here, other)) in used
            )
            before = here
            path.append(step)
        if len(path) < self.board.cells:
            return None
        for run in self.drawing.runs:
            first, then = self.cell(run.first), self.cell(run.then)
            if first is None or then is None or path.index(first) > path.index(then):
                return None
        at = path.index(live) + 1
        return Position(self.board, tuple(path[:at])), tuple(path[at:])
