"""Counterexamples: positions that a rule matches, completable by a forbidden move.

`refute` tries the cases of the corpus, then all positions of 5x5. Then the *directed
search* tries larger and larger boards, for the parts without a proof. The checker
(`verify.checker.position`), which shares no code with the searches, confirms each
counterexample, and the shrinker makes it smaller.

The directed search fixes the live end and the placement of the drawing. A SAT solver
looks for a Hamiltonian path that is cut at the live end: the cells around are as drawn,
and the path continues with the forbidden move. The formula of the path is that of the
oracle `sat`; nothing is shared with the prover. A drawing that asks for forced edges is
matched at the position itself: the formula only says that the path uses these edges.
"""

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations, count, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from heuristic.groups import load_rules, rules_together
from heuristic.rule import Forbid, RuleSet
from heuristic.rules.drawing import (
    INFERENCES,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    Placement,
    RuleSpec,
    Spot,
)
from solver.board import LETTERS, Board, Cell, Position, Symmetry, Walk
from solver.errors import WitnessError
from solver.oracles.oracle import Oracle, Verdict, get_oracle
from solver.oracles.sat import BoardFormula
from solver.positions import completable_positions
from verify.checker.position import find_fault
from verify.corpus.cases import Case
from verify.proof.window import reached
from verify.shrink import minimise

if TYPE_CHECKING:  # `fuzz` searches without the prover
    from verify.proof.prove import ProvedPart

SIZES = (7, 9, 11, 13)  # sides of the boards of the directed search
_SOLVER = "glucose4"
_CONFLICTS = 4_000, 40_000  # for one live end and placement: first pass, second pass


def directed_search(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    board: Board,
    *,
    seed: int = 0,
    seconds: float = 10.0,
) -> tuple[Position, Walk] | None:
    """Return a position that a drawing matches, with a completion by the given move.

    None if the board has none, or the limit of processor time came first. Live ends and
    placements are tried in random order; the hard ones get a second pass.
    """
    until = time.process_time() + seconds
    placements = replace(drawing, turns=(pose,)).placements()
    places = list(product(placements, range(board.cells)))
    random.Random(seed).shuffle(places)
    for conflicts in _CONFLICTS:
        undecided = []
        for placement, cell in places:
            if time.process_time() > until:
                return None
            search = _Search(drawing, placement, move, board, cell)
            if hit := search.solve(conflicts, until):
                return hit
            if not search.impossible:
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
    """Return a position with this live end that a drawing matches, and a completion.

    It begins with the move, forbidden or not. None if there is none, or after a number
    of conflicts.
    """
    search = _Search(drawing, placement, move, board, live)
    return search.solve(conflicts, math.inf)


class _Search:
    """Clauses over edges and visited cells for one placement at one live end."""

    def __init__(
        self,
        drawing: Drawing,
        placement: Placement,
        move: Spot,
        board: Board,
        live: Cell,
    ) -> None:
        self.drawing, self.move = drawing, move
        self.board, self.live = board, live
        self.turn = placement.turn
        self.behind = int(board.neighbours[live, (placement.heading + 2) % 4])
        self.target = self.cell(move)
        self.impossible = not self.fits()  # or the solver has proved it

    def cell(self, at: Spot) -> Cell:
        """Return the cell of the board under a cell of the page; -1 if outside."""
        row, col = divmod(self.live, self.board.cols)
        down, right = self.turn.turn(at)
        row, col = row + down, col + right
        inside = 0 <= row < self.board.rows and 0 <= col < self.board.cols
        return row * self.board.cols + col if inside else -1

    def cells(self, spots: Iterable[Spot]) -> list[Cell]:
        return [cell for cell in map(self.cell, spots) if cell >= 0]

    def fits(self) -> bool:
        """Return whether rim, start and end of the board allow the drawing."""
        start, end = self.board.start, self.board.end
        if self.live in (start, end):
            return False
        if self.behind in (-1, end, self.target) or self.target in (-1, start):
            return False
        certain = {-1: CellState.OUTSIDE, start: CellState.VISITED, end: CellState.FREE}
        for need in self.drawing.needs:
            cell = self.cell(need.at)
            possible = certain.get(cell, CellState.FREE | CellState.VISITED)
            if not need.states & possible or (need.not_end and cell == end):
                return False
        areas = self.drawing.areas
        return end not in self.cells(at for area in areas for at in area.cells)

    def write(self) -> None:
        board = self.board
        self.formula = BoardFormula(board, cells=False)
        self.formula.cut_squares()
        self.clauses: list[Sequence[int]] = list(self.formula.clauses)
        self.around = [[int(x) for x in row if x >= 0] for row in board.neighbours]
        # Returns a variable that no clause names yet.
        self.new: Callable[[], int] = partial(next, count(len(self.formula.edges) + 1))
        self.visited = [self.new() for _ in range(board.cells)]
        self.cut_path()
        for need in self.drawing.needs:
            for cell in self.cells([need.at]):
                if not need.states & CellState.FREE:
                    self.clauses.append([self.visited[cell]])
                if not need.states & CellState.VISITED:
                    self.clauses.append([-self.visited[cell]])
        for a, b in self.drawing.pairs("joined"):
            self.clauses.append([self.formula.step[self.cell(a), self.cell(b)]])
        self.members = [self.area(area) for area in self.drawing.areas]
        for run in self.drawing.runs:
            first, then = self.cell(run.first), self.cell(run.then)
            if -1 not in (first, then) and then != self.live:
                self.order(first, then)

    def same(self, unless: Sequence[int], a: int, b: int) -> None:
        """Add that both literals hold or neither, unless one of the others holds."""
        self.clauses += [*unless, -a, b], [*unless, a, -b]

    def cut_path(self) -> None:
        """Cut the path at the live end into the walk and the completion."""
        board, visited, step = self.board, self.visited, self.formula.step
        for a, b in self.formula.edges:
            if self.live not in (a, b):
                self.same([-step[a, b]], visited[a], visited[b])
        for cell in (board.start, self.live, self.behind):
            self.clauses.append([visited[cell]])
        for cell in (board.end, self.target):
            self.clauses.append([-visited[cell]])
        for cell in (self.behind, self.target):
            self.clauses.append([step[self.live, cell]])

    def area(self, area: AreaSpec) -> list[int]:
        """Add a closed area with its condition; return the variables of membership."""
        add, visited = self.clauses.append, self.visited
        member = [self.new() for _ in range(self.board.cells)]
        line, inside, outside = map(self.cells, (area.cells, area.inside, area.outside))
        for cell, inner in enumerate(member):
            add([-inner, -visited[cell]])
        for cell in line:
            add([member[cell]])
        for cell in inside:
            add([member[cell], visited[cell]])
        for cell in outside:
            add([-member[cell]])
        if area.least > len(line):
            add([-visited[cell] for cell in inside])
        for a, b in self.formula.edges:
            if a not in line and b not in line:
                self.same([visited[a], visited[b]], member[a], member[b])
        add([-member[self.board.end]])
        if area.kind is not Kind.CLOSED:
            self.balance(area, line, member)
        return member

    def balance(
        self, area: AreaSpec, line: Sequence[Cell], member: Sequence[int]
    ) -> None:
        """Add the condition of an area by the doors that the path uses.

        Doors used at black cells less those at white ones are twice the imbalance. That
        takes far fewer terms than counting cells.
        """
        add, black = self.clauses.append, self.board.black
        terms = []
        for cell in line:
            for other in self.around[cell]:
                if other not in line and other != self.live:
                    door, used = self.new(), self.formula.step[cell, other]
                    add([-door, used])
                    add([-door, -member[other]])
                    add([door, -used, member[other]])
                    terms.append((door, cell))
        terms.append((member[self.target], self.target))
        sums: dict[int, list[int]] = {0: []}  # literals, false if the sum is reached
        for literal, cell in terms:
            sign = 1 if black(cell) == black(self.live) else -1
            after = {s + d: self.new() for s in sums for d in (0, sign)}
            for total, given in sums.items():
                add([*given, literal, after[total]])
                add([*given, -literal, after[total + sign]])
            sums = {total: [-variable] for total, variable in after.items()}
        for total, given in sums.items():
            if total % 2 or not area.allows(-total // 2):
                add(given)

    def order(self, first: Cell, then: Cell) -> None:
        """Add that the walk visits `first` before `then`: cut the walk at `then`."""
        step, late = self.formula.step, [self.new() for _ in range(self.board.cells)]
        self.clauses += [-late[first]], [late[self.live]]
        for a, b in self.formula.edges:
            if then not in (a, b):
                given = [-step[a, b], -self.visited[a], -self.visited[b]]
                self.same(given, late[a], late[b])
        for a, b in combinations(self.around[then], 2):
            self.same([-step[then, a], -step[then, b]], -late[a], late[b])

    def solve(self, conflicts: int, until: float) -> tuple[Position, Walk] | None:
        """Solve and cut loops and stray cells of areas, until a path is left.

        Stops at the limit of conflicts, and at a processor time.
        """
        from pysat.solvers import Solver

        if self.impossible:
            return None
        self.write()
        with Solver(name=_SOLVER, bootstrap_with=self.clauses) as solver:
            while time.process_time() < until:
                solver.conf_budget(conflicts + 1 - solver.accum_stats()["conflicts"])
                answer = solver.solve_limited()
                if not answer:
                    self.impossible = answer is False
                    return None
                model = solver.get_model()
                loops, path = self.formula.cut_loops(model[: len(self.formula.edges)])
                cuts = [*loops, *self.stray_cells(set(model))]
                if not cuts:
                    end = path.tolist().index(self.live) + 1
                    walk, rest = tuple(path[:end].tolist()), tuple(path[end:].tolist())
                    position = Position(self.board, walk)
                    if self.matches(position):
                        return position, rest
                    cuts.append(self.other_cells(walk, rest))
                for clause in cuts:
                    solver.add_clause(clause)
        return None

    def matches(self, position: Position) -> bool:
        """Return whether the edges that the drawing requires are forced there."""
        facts = self.drawing.tested_facts
        if not facts:
            return True
        drawing = replace(self.drawing, forbidden=(self.move,), facts=facts)
        rules = alone(RuleSpec("searched", "unargued", "", "", (drawing,)))
        step = position.board.direction(position.live_end, self.target)
        return bool(rules.masks(position)[0] >> step & 1)

    def other_cells(self, walk: Walk, completion: Walk) -> list[int]:
        """Return the clause that more cells are visited, or others if lines end there.

        A forced edge stays forced where more cells are visited, an end need not.
        """
        clause = [self.visited[cell] for cell in completion]
        if self.drawing.pairs("mates"):
            clause += [-self.visited[cell] for cell in walk]
        return clause

    def flooded(self, begin: set[Cell], within: set[Cell]) -> set[Cell]:
        return reached(begin, lambda cell: within.intersection(self.around[cell]))

    def stray_cells(self, true: set[int]) -> Iterator[list[int]]:
        """Exclude cells of an area that are not connected with its marked cells."""
        for member, area in zip(self.members, self.drawing.areas, strict=True):
            line, inside = (set(self.cells(x)) for x in (area.cells, area.inside))
            inner = {cell for cell, x in enumerate(member) if x in true} - line
            if stray := inner - self.flooded(inside & inner, inner):
                rim = {x for cell in stray for x in self.around[cell]} - stray - line
                yield [
                    *(-member[cell] for cell in stray),
                    *(-self.visited[x] for x in rim),
                ]


@dataclass(frozen=True, slots=True)
class Refutation:
    """A position, and a forbidden move that begins a completion.

    - `completion`: cells after the live end, beginning with that move, to the end cell.
    - `method`: how it was obtained, in words.
    - `case`: the case of the corpus that it is.
    - `among`: names of rules, the rule last: the inferences whose future lines the rule
      reads there. Empty if it reads those of all nine, or none.
    """

    rule: str
    position: Position
    move: str
    completion: Walk
    method: str
    case: Path | None = None
    among: str = ""

    @property
    def lines(self) -> str:
        """The inferences of `among`, in words; empty if all."""
        used = self.among.split(",")[:-1]
        left_out = [name for name in INFERENCES if name not in used]
        if not used or not left_out:
            return ""
        if len(left_out) < len(used):
            return f"with the lines of all inferences but {', '.join(left_out)}"
        return f"with the lines of {', '.join(used)} alone"


@lru_cache(maxsize=4)
def alone(rule: RuleSpec) -> RuleSet:
    """Return a drawn rule as a rule set of its own, without its precedence."""
    return rules_together(rule.name, [replace(rule, stops=False, unless=())])


def _forbids(rule: RuleSpec, position: Position, among: str) -> list[Forbid]:
    by_name = rule.kind == "procedure" or among
    rules = load_rules(among or rule.name) if by_name else alone(rule)
    return [forbid for forbid in rules.forbids(position) if forbid.rule == rule.name]


def confirmed(
    rule: RuleSpec, position: Position, completion: Walk, method: str, among: str = ""
) -> Refutation:
    """Return a counterexample that the rule and the independent checker confirm.

    Raises `WitnessError` if one of them does not: an internal error.
    """
    if fault := find_fault(position.notation, completion):
        raise WitnessError(f"{position.notation}: {fault}")
    move = LETTERS[position.board.direction(position.live_end, completion[0])]
    if move not in {forbid.move for forbid in _forbids(rule, position, among)}:
        why = f"{rule.name} does not forbid {move} there"
        raise WitnessError(f"{position.notation}: {why}")
    return Refutation(rule.name, position, move, completion, method, among=among)


def wrong_move(
    rule: RuleSpec, position: Position, oracle: Oracle, among: str = ""
) -> Walk | None:
    """Return a completion that begins with a forbidden move, or None."""
    options = position.options()
    for forbid in _forbids(rule, position, among):
        answer = oracle.decide(position.step(forbid.move))
        if answer.verdict is Verdict.COMPLETABLE and answer.witness is not None:
            return (options[forbid.move], *answer.witness)
    return None


def refute_by_cases(rule: RuleSpec, cases: Iterable[Case]) -> Refutation | None:
    """Return the first case that is a counterexample, or None."""
    for case in cases:
        lines = rule.reads_lines and "," in case.rules and case.of_the_book
        among = case.rules if lines else ""
        completion = wrong_move(rule, case.position, get_oracle("sat"), among)
        if completion:
            name = case.path.stem if case.path else case.position.notation
            wrong = confirmed(rule, case.position, completion, f"case {name}", among)
            return replace(wrong, case=case.path)
    return None


def refute_on(rule: RuleSpec, board: Board) -> Refutation | None:
    """Return a counterexample among all completable positions of a small board."""
    tree, begin = completable_positions(board), 0
    for part in alone(rule).walker(board).tree(tree):
        wrong = np.flatnonzero(part.masks[:, 0] & part.good)
        if len(wrong):
            position = tree.position(begin + int(wrong[0]))
            completion = wrong_move(rule, position, get_oracle("sat"))
            assert completion is not None, position
            return confirmed(rule, position, completion, f"all of {board.notation}")
        begin += len(part.good)
    return None


def refute_part(
    rule: RuleSpec, part: "ProvedPart", board: Board, *, seed: int, seconds: float
) -> Refutation | None:
    """Return a counterexample to one part of a rule, by the directed search."""
    place = rule.drawings[part.drawing], part.pose, part.move, board
    hit = directed_search(*place, seed=seed, seconds=seconds)
    method = f"directed search on {board.notation}, seed {seed}"
    return confirmed(rule, *hit, method) if hit else None


def refute(
    rule: RuleSpec,
    parts: Sequence["ProvedPart"],
    *,
    seed: int,
    seconds: float,
    cases: Iterable[Case],
) -> Refutation | None:
    """Return a counterexample to one of the open parts; None proves nothing.

    `seconds` limit the processor time for one part on one board. `cases` come first.
    """
    if wrong := refute_by_cases(rule, cases):
        return wrong
    if wrong := refute_on(rule, Board.square(5)):
        return wrong
    for size, part in product(SIZES, parts):
        board = Board.square(size)
        if wrong := refute_part(rule, part, board, seed=seed, seconds=seconds):
            return _minimal(rule, wrong)
    return None


def _minimal(rule: RuleSpec, refutation: Refutation) -> Refutation:
    """Return a counterexample on a smaller board or with a shorter walk."""
    oracle = get_oracle("sat")

    def holds(position: Position) -> bool:
        return position.heading >= 0 and wrong_move(rule, position, oracle) is not None

    position = minimise(refutation.position, holds)
    completion = wrong_move(rule, position, oracle)
    if position == refutation.position or completion is None:
        return refutation
    return confirmed(rule, position, completion, f"{refutation.method}, made smaller")
