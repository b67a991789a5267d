"""Puzzles: a board, and just enough clues that one walk through all cells is left.

A clue is a step of the walk that is given, or a side of a cell that is closed. The
clues of a puzzle are *irreducible*: without any of them there is a second walk. They
are a minimal unsatisfiable subset of "all clues of this walk hold, and it is another
walk". The subset is made by deletion from the core that a SAT solver returns
(Marques-Silva, "Minimal unsatisfiability", ISMVL 2010).
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

import numpy as np

from solver.board import Board, Cell, Position
from solver.errors import OptionError, UnknownNameError, WitnessError
from solver.labyrinth import (
    SOLUTION,
    Side,
    filled_walls,
    mark,
    side,
    side_path,
    white_page,
)
from solver.oracles.sat import BoardFormula
from solver.svg import line

Clue: TypeAlias = tuple[Cell, Cell]  # two neighbours, the smaller cell first
_DRAW = "Draw one line from the dot to the ring through every cell once."
INSTRUCTIONS = {
    "steps": f"{_DRAW} The thick pieces are parts of it.",
    "walls": f"{_DRAW} It crosses no thick wall.",
}
KINDS = tuple(INSTRUCTIONS)
MAX_CELLS = 31 * 31
_TRIES = 8  # orders of deletion; the smallest set of clues wins


class Grade(Enum):
    """The difficulty of a puzzle: the arguments that solve it."""

    FORCED = "forced steps alone"
    COUNTED = "forced steps and counting"
    TRIED = "trial"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Clues that leave one walk, and that walk."""

    solution: Position
    kind: str
    clues: tuple[Clue, ...]
    grade: Grade


def make_puzzle(board: Board, seed: int, kind: str = "steps") -> Puzzle:
    """Return the puzzle of a seed.

    Raises `OptionError` if the board has more than 961 cells; `UnknownNameError` if the
    kind is not among `KINDS`; errors as `complete_walk`.
    """
    from solver.oracles.exact import complete_walk

    if kind not in KINDS:
        raise UnknownNameError("kind of clues", kind, KINDS)
    if board.open_cells > MAX_CELLS:
        why = f"a puzzle has up to {MAX_CELLS} cells, not {board.open_cells}"
        raise OptionError(why)
    solution = complete_walk(board, seed)
    with closing(_Rivals(solution, kind)) as rivals:
        clues = rivals.fewest(Random(seed))
    return Puzzle(solution, kind, clues, grade_of(board, kind, clues))


class _Rivals:
    """A solver that looks for other walks that the clues admit."""

    def __init__(self, solution: Position, kind: str) -> None:
        from pysat.solvers import Solver

        board = solution.board
        self._formula = BoardFormula(board, cells=False)
        self._formula.cut_squares()
        step = self._formula.step
        steps = {(min(pair), max(pair)) for pair in pairwise(solution.walk)}
        if kind == "steps":
            self._literal = {clue: step[clue] for clue in sorted(steps)}
        else:  # the sides that the walk does not cross
            near = board.neighbours.tolist()
            sides = {(a, b) for a in range(board.cells) for b in near[a] if a < b}
            self._literal = {clue: -step[clue] for clue in sorted(sides - steps)}
        self._solver: Any = Solver(name="glucose4")
        self.close = self._solver.delete
        for clause in self._formula.clauses:
            self._solver.add_clause(clause)
        self._solver.add_clause([-step[pair] for pair in pairwise(solution.walk)])

    def core(self, clues: Sequence[Clue]) -> list[Clue] | None:
        """Return which of these clues exclude all other walks; None if one is left."""
        assumed = [self._literal[clue] for clue in clues]
        while self._solver.solve(assumptions=assumed):
            cuts, _ = self._formula.cut_loops(self._solver.get_model())
            if not cuts:
                return None
            for clause in cuts:
                self._solver.add_clause(clause)
        core = set(self._solver.get_core() or ())
        return [clue for clue in clues if self._literal[clue] in core]

    def fewest(self, random: Random) -> tuple[Clue, ...]:
        """Return the smallest of some irreducible sets of clues, sorted."""
        sets = []
        for _ in range(_TRIES):
            order = list(self._literal)
            random.shuffle(order)
            clues = self.core(order)
            if clues is None:
                raise WitnessError("a walk is not the only one of all its clues")
            at = 0
            while at < len(clues):
                fewer = self.core(clues[:at] + clues[at + 1 :])
                if fewer is None:
                    at += 1
                else:
                    clues = fewer  # clues before `at` are needed by fewer clues, too
            sets.append(clues)
        best = min(sets, key=len)
        return tuple(sorted(best))


def grade_of(board: Board, kind: str, clues: Sequence[Clue]) -> Grade:
    """Return which universal rules decide every edge of a puzzle.

    Forced edges and fragments, then block chain and flow as well, or none.
    """
    from solver.propagation import state as edges
    from solver.propagation.propagate import Propagator, Rules, close

    value = np.int64(edges.IN if kind == "steps" else edges.OUT)
    forced = Rules.FORCED_EDGES | Rules.FRAGMENTS
    for grade, rules in ((Grade.FORCED, forced), (Grade.COUNTED, Rules.FOUR)):
        state = Propagator(board, rules).state
        decided = state.edge[:, edges.STATE]
        for a, b in clues:
            edge = edges.edge_between(state, np.int64(a), np.int64(b))
            if decided[edge] == edges.UNKNOWN:
                edges.decide_edge(state, np.int64(edge), value, np.int64(0))
        close(state)
        if not (decided == edges.UNKNOWN).any():
            return grade
    return Grade.TRIED


def draw_puzzle(puzzle: Puzzle, *, solved: bool = False) -> str:
    """Draw a puzzle with its clues, and its walk if `solved`, as an SVG document."""
    board = puzzle.solution.board
    near = board.neighbours.tolist()
    inner, rim = set[Side](), set[Side]()
    for cell in puzzle.solution.walk:
        for d in range(4):
            (inner if near[cell][d] >= 0 else rim).add(side(board, cell, d))
    parts = [side_path(inner, 'stroke="#bfbfbf" stroke-width="0.5"')]
    parts += filled_walls(board)
    parts.append(side_path(rim, 'stroke="#000000" stroke-width="2"'))
    if solved:
        parts.append(line(board, puzzle.solution.walk, SOLUTION))
    style = 'class="clue" stroke="#000000" stroke-width='
    if puzzle.kind == "steps":
        parts += [line(board, clue, f'{style}"5"') for clue in puzzle.clues]
    else:
        closed = [side(board, a, board.direction(a, b)) for a, b in puzzle.clues]
        parts.append(side_path(closed, f'{style}"3"'))
    parts += [mark(board, board.start), mark(board, board.end)]
    title = f"puzzle {board.notation}"
    return white_page(board, title, parts, INSTRUCTIONS[puzzle.kind])
