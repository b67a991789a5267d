"""Rules, rule sets, and the reasons they give.

A rule looks at a position and *forbids* moves at its live end. Every forbidden move
comes with a `Reason` that a person can check on a picture. Moves are letters U, R, D,
L; a *mask* is a set of moves as bits 1, 2, 4, 8 in that order.

A *round* of a left-first walk (`heuristic.walks.leftfirst`) is a step forward or a step
back; a rule set makes its rounds as fast as it can.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from heuristic.boards import Boards
from solver.board import LETTERS, Board, Cell, Position

if TYPE_CHECKING:
    from solver.positions import PositionTree


Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

FRESH = -1  # in `Run.todo`: the moves of this cell were not asked for yet
RIGHT = 1  # the direction that the walk counts as heading before its first step
LENGTH, COMPLETED, STUCK, STEPS = range(4)  # entries of `Run.counts`


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    NEEDED = 4
    WALKS = 5


class Run(NamedTuple):
    """Where a left-first walk stands, as kernels take it.

    - `walk`, (cells,) int32: the cells visited, as many as `counts` says.
    - `todo`, (cells,) int32: moves left to try at each of them, as bits; `FRESH` if not
      asked for yet.
    - `counts`, (4,) int64: cells of the walk, walks completed, positions stuck, steps
      made.
    - `firsts`, (rules,) int64: walks completed when each rule was first needed, -1 if
      it was not.
    - `root`: cells of the position that the walk began with.
    - `open_cells`: of the board.
    """

    walk: Ints
    todo: Ints
    counts: Longs
    firsts: Longs
    root: int
    open_cells: int


class Stops(NamedTuple):
    """When to come back: at which events, and behind how many rounds and walks."""

    stuck: bool
    complete: bool
    needed: bool
    rounds: int
    walks: int


class Rounds(Protocol):
    """Makes rounds for a left-first walk, and leaves in its `Run` where it stands."""

    @property
    def pace(self) -> int:
        """About how many rounds it makes a second."""

    @property
    def forgets(self) -> bool:
        """Whether all that is ahead follows from visited cells, live end and heading.

        Then walks that agree in these have the same walks ahead of them, and what was
        met in one run may be kept for the next one on the board.
        """

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds until an event that is asked for."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is forbidden: what to look at, and one sentence.

    - `sentence`: one sentence, for a person, without full stop.
    - `cells`: cells to mark on the picture: the walls, gaps or marked cells it speaks
      of.
    - `area`: cells of the area it counts, if any; of all of them, if several.
    - `areas`, tuple of tuples of int: each area by itself, in the order of the rule;
      pictures show the black and white cells of each. Empty where `area` is all there
      is to say.
    - `edges`, tuple of (int, int): forced edges it uses, pairs of touching cells;
      pictures draw them blue.
    - `kind`: what sort of argument it is, for independent checkers: ``drawing`` for
      rules written as drawings, other kinds are named where they are made.
    - `facts`, tuple of (str, int): the numbers of the argument by name, so that a
      checker can compare them.
    - `steps`: what must be shown first, in order, where the argument needs more than
      one step.
    - `certificate`: JSON that `verify.checker.dead` judges, where the kind is
      ``certificate``.
    """

    sentence: str
    cells: tuple[Cell, ...] = ()
    area: tuple[Cell, ...] = ()
    edges: tuple[tuple[Cell, Cell], ...] = ()
    kind: str = "drawing"
    facts: tuple[tuple[str, int], ...] = ()
    steps: tuple["Reason", ...] = ()
    areas: tuple[tuple[Cell, ...], ...] = ()
    certificate: str = ""

    @property
    def counted(self) -> tuple[tuple[Cell, ...], ...]:
        """The areas, each by itself; empty if nothing is counted."""
        return self.areas or ((self.area,) if self.area else ())


@dataclass(frozen=True, slots=True)
class Forbid:
    """One forbidden move: which rule, which move (a letter), and why."""

    rule: str
    move: str
    reason: Reason


class Rule(Protocol):
    """Given a position, the moves it forbids, each with a reason."""

    @property
    def name(self) -> str:
        """Unique within a book; lower case with hyphens."""

    @property
    def claim(self) -> str:
        """What its author claims: ``sound``, or a status such as ``withdrawn``."""

    @property
    def origin(self) -> str:
        """Where it comes from: source and place, or a theorem with its paper."""

    @property
    def boards(self) -> Boards:
        """The boards that it is meant for."""

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves of the position, in the order U, R, D, L."""


class Tracker(Protocol):
    """The state of a rule set along one walk, for asking it at every step.

    A tracker starts on the board's start cell. `push` and `pop` follow the walk,
    `masks` answers for the live end: one mask a rule, in the order of the rule set.
    """

    def push(self, cell: Cell) -> object:
        """Follow the walk one cell on; what it returns is its own affair."""

    def pop(self) -> None:
        """Take the last cell back."""

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits, U = 1 ... L = 8."""


@dataclass(frozen=True, slots=True)
class WalkResult:
    """Where a walk ended.

    - `position`: the last position: complete, or with no allowed move.
    - `stuck`: whether cells were left.
    """

    position: Position
    stuck: bool


class Walker(Protocol):
    """Random walks on one board that obey one rule set.

    At every step the unvisited neighbours of the live end, in the order U, R, D, L,
    are put in random order (`solver.splitmix.shuffle`), and the walk goes to the first
    that is allowed: uniform among the allowed moves, however many are asked about. The
    end cell is entered only when no other cell is left. So the same seed gives the
    same walk, whichever road a rule set takes.
    """

    def walk(self, seed: int) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What a rule set says at a run of positions of a tree.

    - `masks`, (positions, rules) uint8: the moves that each rule forbids.
    - `options`, (positions,) uint8: what a walker chooses among before any rule; see
      `choices`.
    - `good`, (positions,) uint8: the completable moves.
    - `depth`, (positions,) int32: steps of the walk.
    """

    masks: npt.NDArray[np.uint8]
    options: npt.NDArray[np.uint8]
    good: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.int32]


class RuleSet(Protocol):
    """Rules applied together; a walker obeys one rule set.

    A set takes the fastest road it has for each kind of work. One that has only a
    tracker takes its roads from `heuristic.walks.walker.ByTracker`.
    """

    @property
    def name(self) -> str:
        """The group or file it was made from."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, in the order they are asked."""

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""

    @property
    def kin(self) -> tuple[str, ...]:
        """Oracles that share its kernels: neither vouches for the other."""

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges, not walked yet, that it finds in every completion."""

    def asked_always(self) -> "RuleSet":
        """Return the set without precedence: each rule asked at every position."""

    def tracker(self, board: Board) -> Tracker:
        """Return a fresh tracker at the board's start."""

    def walker(self, board: Board) -> Walker:
        """Return a walker that makes random walks."""

    def followed(self, tree: "PositionTree") -> Iterator[Followed]:
        """Yield what the rules say at all positions of a tree, in its order."""

    def rounds(self, board: Board) -> Rounds:
        """Return what makes the rounds of a left-first walk."""


def choices(position: Position) -> dict[str, Cell]:
    """Return the moves a walker chooses among before any rule, letter to cell.

    All moves but one: the end cell is entered last, which is no rule but the problem
    itself. Entering it early is dead, and never counted as a gap.

    >>> choices(Position.parse("2x3:RD")), choices(Position.parse("2x3:DRUR"))
    ({'L': 3}, {'D': 5})
    """
    options = position.options()
    if position.unvisited > 1:
        return {m: cell for m, cell in options.items() if cell != position.board.end}
    return options


def letters(mask: int) -> str:
    """Return the moves of a mask as letters.

    >>> letters(0b1010)
    'RL'
    """
    return "".join(LETTERS[d] for d in range(4) if mask >> d & 1)


def mask_of(moves: Iterable[str]) -> int:
    """Return letters of moves as a mask; the other way round than `letters`.

    >>> mask_of("RL") == 0b1010
    True
    """
    return sum(1 << LETTERS.index(move) for move in moves)


def union_mask(masks: list[int]) -> int:
    """Return the moves that at least one rule forbids."""
    united = 0
    for mask in masks:
        united |= mask
    return united
