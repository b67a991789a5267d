"""What an oracle is and what it answers, and the check every witness must pass.

An oracle says whether a position has a completion. It answers with a value, never
with an exception and never with a guess: `COMPLETABLE` with a witness, `DEAD`, or an
honest `UNKNOWN` when a limit came first.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from solver.board import Cell, Position, Walk
from solver.errors import WitnessError


class Verdict(Enum):
    """What is known of a position, or of a move: of the position after it."""

    COMPLETABLE = "a completion exists"
    DEAD = "no completion exists"
    UNKNOWN = "a limit came first"


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a clause of a proof's formula is true of every completion.

    - `kind`: ``degree``: the cell has one edge if it is the start or the end, else two;
      ``cut``: a walk over all cells leaves or enters the set of cells; ``count``:
      degrees of the set's black cells minus those of its white cells are its crossing
      edges at black cells minus those at white cells; ``walk``: the step is part of the
      walk.
    - `cells`: the cell, the set, or the two cells of the step.
    """

    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate of DEAD: a formula and a DRAT proof that it has no model.

    The formula is about this position alone. Every clause says on what ground it holds,
    so `verify.checker.position` can judge it by the text of the position.

    - `clauses`, tuple of tuples of int: the formula, DIMACS literals.
    - `lines`: the proof in DRAT text, a line each, the empty clause last.
    - `edges`, tuple of (int, int): variable v says that the walk uses edge ``edges[v -
      1]``, two touching cells.
    - `grounds`: one for every clause.
    """

    clauses: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    edges: tuple[tuple[Cell, Cell], ...] = ()
    grounds: tuple[Ground, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An oracle's answer.

    - `witness`, tuple of int or None: a completion: the cells after the live end, up to
      the end cell. Always there when the verdict is COMPLETABLE.
    - `proof`: only when it was asked for, and only of oracles that can.
    - `work`: nodes, conflicts or calls, whatever the oracle counts; for comparing
      itself.
    - `why`: why it is UNKNOWN, if not because of a limit.
    - `oracle`: the oracle that gave it, if `auto` asked several.
    """

    verdict: Verdict
    witness: Walk | None = None
    proof: Proof | None = None
    work: int = 0
    why: str = ""
    oracle: str = ""

    @property
    def sentence(self) -> str:
        """The verdict for a person, with the reason if it is UNKNOWN."""
        return f"not known: {self.why}" if self.why else self.verdict.value


class Oracle(Protocol):
    """An exact decision procedure."""

    @property
    def name(self) -> str:
        """The name it is looked up by."""

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion of the position exists."""


def check_witness(position: Position, witness: Walk) -> None:
    """Raise `WitnessError` unless walk and witness together are a Hamiltonian path.

    Linear time. Every oracle calls it before it answers COMPLETABLE.
    """
    board, cols = position.board, position.board.cols
    path = np.array((*position.walk, *witness), np.int64)
    inside = path.min() >= 0 and path.max() < board.cells
    visits = np.bincount(path if inside else path[:0], minlength=board.cells)
    steps, rows = np.abs(np.diff(path)), path // cols
    beside = (steps == 1) & (rows[1:] == rows[:-1])
    jumps = np.flatnonzero((steps != cols) & ~beside)
    why = ""
    if len(path) != board.open_cells or visits.max() > 1:
        why = "misses or repeats a cell"
    elif path[-1] != board.end:
        why = f"ends at cell {path[-1]}"
    elif not inside or visits[list(board.walls)].any():
        why = "leaves the board or enters a wall"
    elif len(jumps):
        why = "steps {} -> {}".format(*path[jumps[0] : jumps[0] + 2])
    if why:
        raise WitnessError(f"{position.notation}: witness {why}")
