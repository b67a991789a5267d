"""What an oracle is, the oracles by name, and what to ask them.

An oracle says whether a position has a completion. It answers with a value, never
with an exception and never with a guess: `COMPLETABLE` with a witness, `DEAD`, or an
honest `UNKNOWN` when a limit came first. The module of an oracle is imported when that
oracle is asked for the first time, and here alone.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from solver.board import Cell, Position, Walk
from solver.errors import OptionError, UnknownNameError, WitnessError
from solver.nowalk import why_dead


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
    - `proof`: a proof of DEAD, if the oracle was made to give one.
    - `work`: nodes, conflicts or calls, whatever the oracle counts.
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
        """The name by which `get_oracle` makes it."""

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


# name -> "module:class"; the class takes options as keywords and is an `Oracle`
ORACLES = {
    "auto": "solver.oracles.oracle:AutoOracle",
    "frontier": "solver.counting.count:FrontierOracle",
    "sat": "solver.oracles.sat:SatOracle",
    "search": "solver.oracles.search:SearchOracle",
    "strips": "solver.oracles.strips:StripsOracle",
}
ORACLE_NAMES = " or ".join(", ".join(ORACLES).rsplit(", ", 1))


def get_oracle(name: str, **options: Any) -> Oracle:
    """Make the oracle of that name.

    Raises `UnknownNameError` if no oracle has the name; `OptionError` if the oracle
    does not take an option.
    """
    if name not in ORACLES:
        raise UnknownNameError("oracle", name, [*ORACLES])
    module, attribute = ORACLES[name].split(":")
    factory: Callable[..., Oracle] = getattr(import_module(module), attribute)
    try:
        return factory(**options)
    except TypeError as error:
        raise OptionError(f"oracle {name!r}: {error}") from None


def decide_moves(oracle: Oracle, position: Position) -> dict[str, Answer]:
    """Decide every move of a position, in the order U, R, D, L; see `decide_all`."""
    return decide_all(oracle, position)[1]


def decide_all(oracle: Oracle, position: Position) -> tuple[Answer, dict[str, Answer]]:
    """Decide a position and every move of it, in the order U, R, D, L.

    A witness of the position answers for the move it begins with, so it is asked first:
    a dead position costs one question, others at most one a move.
    """
    moves = position.options()
    whole = oracle.decide(position)
    answers = {}
    for move, cell in moves.items():
        if whole.verdict is Verdict.DEAD:
            answers[move] = Answer(Verdict.DEAD, work=whole.work, oracle=whole.oracle)
        elif whole.witness and whole.witness[0] == cell:
            answers[move] = replace(whole, witness=whole.witness[1:])
        else:
            answers[move] = oracle.decide(position.step(move))
    return whole, answers


def decide_with_reason(
    oracle: Oracle, position: Position
) -> tuple[str, Answer, dict[str, Answer]]:
    """Decide as `decide_all`, but only where nothing is plainly dead.

    Returns first why the position is plainly dead, which is empty if it is not.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)


ORDER = ("strips", "search", "sat")
LIMIT_NODES = 200_000  # of a search, before the answer is UNKNOWN


class AutoOracle:
    """The exact oracle `auto`: `strips` where it answers, else `search`, else `sat`.

    Each answer says which of them gave it. A rule is never judged by an oracle that
    shares its kernels: `without` leaves such oracles out.

    - `without`: names of oracles that are not asked, such as `Rule.related`.

    >>> answer = AutoOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict.name, answer.oracle
    ('DEAD', 'strips')
    >>> AutoOracle(without=["strips"]).decide(Position.parse("5:RRDLD")).oracle
    'search'
    """

    name = "auto"

    def __init__(self, *, without: Collection[str] = ()) -> None:
        self._names = [name for name in ORDER if name not in without]
        self._oracles: dict[str, Oracle] = {}

    def decide(self, position: Position) -> Answer:
        """Ask the oracles in turn, until one knows."""
        answer = Answer(Verdict.UNKNOWN)
        for name in self._names:
            if name not in self._oracles:
                self._oracles[name] = get_oracle(name)
            answer = replace(self._oracles[name].decide(position), oracle=name)
            if answer.verdict is not Verdict.UNKNOWN:
                break
        return answer
