"""Walkers: a rule set on one board, for random walks and for all walks left first.

A `Walker` stands at the end of a walk and moves cell by cell. Each kind of rules
defines `push`, `pop`, `masks` and `reason`. Walkers of drawn rules replace the other
methods by kernels, with the same results.

A `LeftFirstWalk` is the exhaustive walk of the book. At every cell it tries the allowed
moves left of the heading first, then straight, then right. Before its first step it
counts as heading right. It counts each walk that fills the board and each stuck
position, and then steps back. Under sound rules it completes every walk of the board
once. Under complete rules it is never stuck.

Walk number k of a run from seed s is the walk of seed s + k, in every command.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from math import inf, sqrt
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from heuristic.rule import Reason, RuleSet, choices, mask_of, union_mask
from solver.board import LETTERS, Board, Cell, Position
from solver.errors import OptionError
from solver.positions import PositionTree
from solver.splitmix import seeded, shuffle

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Edges = tuple[tuple[Cell, Cell], ...]

CHUNK = 1 << 17  # positions in one batch: a few megabytes for a hundred rules
FRESH = -1  # in `LeftFirstState.todo`: the rules were not asked at this cell yet
RIGHT = 1  # the heading of a left-first walk before its first step
LENGTH, COMPLETED, STUCK, STEPS = range(4)  # entries of `LeftFirstState.counts`
UNLIMITED = 1 << 62  # steps or walks
_PAUSES = 5  # a second, for progress and the keyboard


class Event(Enum):
    """Why a left-first walk paused."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    WALKS = 4


class LeftFirstState(NamedTuple):
    """The state of a left-first walk, as kernels take it.

    - `walk`, (cells,) int32: the visited cells in order.
    - `todo`, (cells,) int32: at each of them the moves left to try, as bits, or
      `FRESH`.
    - `counts`, (4,) int64: length of the walk, walks completed, stuck positions, steps.
    - `firsts`, (rules,) int64: walks completed before each rule was first needed; -1
      if it was not needed. A rule is needed where no other rule forbids the same move.
    - `root`: the length of the walk at the beginning.
    """

    walk: Ints
    todo: Ints
    counts: Longs
    firsts: Longs
    root: int


class Stops(NamedTuple):
    """When to pause: at a stuck or complete walk, after steps or completed walks."""

    stuck: bool
    complete: bool
    rounds: int  # steps forward or back
    walks: int  # completed since the beginning


@dataclass(frozen=True, slots=True)
class TreeMasks:
    """Sets of moves at a batch of positions of a tree, and the steps of each walk."""

    masks: npt.NDArray[np.uint8]  # that each rule forbids, (positions, rules)
    options: npt.NDArray[np.uint8]  # those of `heuristic.rule.choices`
    good: npt.NDArray[np.uint8]  # completable
    depth: Ints


class Walker(ABC):
    """Rules on a board, at the end of a walk from the start cell.

    - `path`: the cells of the walk.
    - `pace`: steps of a left-first walk in a second, roughly.
    """

    pace = 10_000

    def __init__(self, board: Board) -> None:
        self.board, self.path = board, [board.start]

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self.path.append(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        self.path.pop()

    @abstractmethod
    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits, U = 1 ... L = 8."""

    @abstractmethod
    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move; call `masks` first."""

    def edges(self) -> Edges:
        """Return the edges ahead that the rules know in every completion."""
        return ()

    def joined(self, others: Sequence["Walker"]) -> "Walker":
        """Return the walker of these rules followed by those of other walkers."""
        return MixedWalker([self, *others]) if others else self

    def options(self) -> int:
        """Return the moves of `heuristic.rule.choices`, as bits."""
        path, moves = self.path, 0
        last = len(path) == self.board.open_cells - 1
        for d, cell in enumerate(self.board.neighbours[path[-1]].tolist()):
            early = cell == self.board.end and not last
            moves |= (cell >= 0 and not early and cell not in path) << d
        return moves

    def follow(self, walk: Sequence[Cell]) -> None:
        """Move to the end of another walk, from the common beginning."""
        common = 0
        for mine, other in zip(self.path, walk, strict=False):
            if mine != other:
                break
            common += 1
        while len(self.path) > common:
            self.pop()
        for cell in walk[common:]:
            self.push(cell)

    def walk(self, seed: int, position: Position | None = None) -> Position:
        """Walk at random until the board is full or no move is allowed.

        Starts at the start of the board, or at a position of it. At each step
        `solver.splitmix.shuffle` shuffles the unvisited neighbours, taken in the order
        U, R, D, L. The walk steps to the first allowed one, so it chooses uniformly
        among the allowed moves. It enters the end cell last. The same seed gives the
        same walk with every kind of rules.
        """
        board, rng = self.board, seeded(seed)
        neighbours = board.neighbours.tolist()
        moves = np.zeros(4, dtype=np.int64)
        self.follow(position.walk if position else [board.start])
        visited = {-1, *self.path}
        while True:
            around = neighbours[self.path[-1]]
            free = [d for d in range(4) if around[d] not in visited]
            moves[: len(free)] = free
            shuffle(rng, moves, len(free))
            forbidden = union_mask(self.masks()) if free else 0
            if len(self.path) < board.open_cells - 1 and board.end in around:
                forbidden |= 1 << around.index(board.end)
            good = [d for d in moves[: len(free)].tolist() if not forbidden >> d & 1]
            if not good:
                return Position(board, tuple(self.path))
            self.push(around[good[0]])
            visited.add(around[good[0]])

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Yield what the rules forbid at all positions of a tree, in its order."""
        for begin in range(0, len(tree), CHUNK):
            part = slice(begin, begin + CHUNK)
            depth = tree.depth[part].astype(np.int32)
            rows, options = [], np.zeros(len(depth), np.uint8)
            places = zip(depth.tolist(), tree.cell[part].tolist(), strict=True)
            for i, (steps, cell) in enumerate(places):
                while len(self.path) > max(steps, 1):
                    self.pop()
                if steps:
                    self.push(cell)
                rows.append(self.masks())
                options[i] = self.options()
            masks = np.array(rows, dtype=np.uint8)
            yield TreeMasks(masks, options, tree.good[part], depth)

    def along(self, walk: Sequence[Cell]) -> Ints:
        """Return what each rule forbids before each step of a walk, (steps, rules)."""
        rows = []
        self.follow(walk[:1])
        for cell in walk[1:]:
            rows.append(self.masks())
            self.push(cell)
        return np.array(rows, dtype=np.int32).reshape(len(rows), len(self.masks()))

    def go(self, run: LeftFirstState, stops: Stops) -> Event:
        """Continue a left-first walk until one of `stops`; `run` holds its state."""
        board, counts = self.board, run.counts
        self.follow(run.walk[: counts[LENGTH]].tolist())
        for _ in range(stops.rounds):
            at = len(self.path) - 1
            if run.todo[at] == FRESH:
                event = self._arrive(run, stops)
                if event is not Event.BUDGET:
                    return event
            if run.todo[at]:
                heading = board.direction(*self.path[-2:]) if at else RIGHT
                turns = ((heading + 3 + turn) % 4 for turn in range(4))
                d = next(d for d in turns if run.todo[at] >> d & 1)
                run.todo[at] &= ~(1 << d)
                cell = int(board.neighbours[self.path[-1], d])
                self.push(cell)
                run.walk[at + 1], run.todo[at + 1] = cell, FRESH
                counts[STEPS] += 1
                counts[LENGTH] += 1
            elif at < run.root:
                return Event.FINISHED
            else:
                self.pop()
                counts[LENGTH] -= 1
        return Event.BUDGET

    def _arrive(self, run: LeftFirstState, stops: Stops) -> Event:
        """Decide which moves to try from the cell that was just entered."""
        counts, at = run.counts, len(self.path) - 1
        if at + 1 == self.board.open_cells:
            run.todo[at] = 0
            counts[COMPLETED] += 1
            return Event.COMPLETE if stops.complete else Event.BUDGET
        if counts[COMPLETED] >= stops.walks:
            return Event.WALKS
        moves = self.options()
        masks = self.masks() if moves else []
        for rule, mask in enumerate(masks):
            others = union_mask(masks[:rule] + masks[rule + 1 :]) if mask else 0
            if mask & ~others and run.firsts[rule] < 0:
                run.firsts[rule] = counts[COMPLETED]
        run.todo[at] = moves & ~union_mask(masks)
        if run.todo[at]:
            return Event.BUDGET
        counts[STUCK] += 1
        return Event.STUCK if stops.stuck else Event.BUDGET


class MixedWalker(Walker):
    """Walkers of several kinds of rules, their masks one after the other."""

    def __init__(self, parts: Sequence[Walker]) -> None:
        super().__init__(parts[0].board)
        self._parts = parts
        self._counts = list[int]()  # of the rules of each part, by `masks`

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        super().push(cell)
        for part in self._parts:
            part.push(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        super().pop()
        for part in self._parts:
            part.pop()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        masks = [part.masks() for part in self._parts]
        self._counts = [*map(len, masks)]
        return [*chain.from_iterable(masks)]

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        at = 0
        while rule >= self._counts[at]:
            rule -= self._counts[at]
            at += 1
        return self._parts[at].reason(rule, move)

    def edges(self) -> Edges:
        """Return the edges that any of the parts knows in every completion."""
        return tuple(dict.fromkeys(e for part in self._parts for e in part.edges()))

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Yield the masks of all parts; each part uses its kernels."""
        for batches in zip(*(part.tree(tree) for part in self._parts), strict=True):
            masks = np.hstack([batch.masks for batch in batches])
            yield replace(batches[0], masks=masks)


class LeftFirstWalk:
    """A left-first walk from a position, the root, that runs in pieces.

    >>> from heuristic.groups import load_rules
    >>> walk = LeftFirstWalk(load_rules("seed-5,seed-close"), Position.parse("5:"))
    >>> walk.run(), walk.completed
    (<Event.FINISHED: 1>, 104)
    """

    def __init__(self, rules: RuleSet, root: Position) -> None:
        self.rules, self.board = rules, root.board
        self._walker = rules.walker(root.board)
        self.pace, length = self._walker.pace, len(root.walk)
        walk, todo = np.zeros((2, root.board.cells), dtype=np.int32)
        counts = np.zeros(4, dtype=np.int64)
        firsts = np.full(len(rules.rules), -1, dtype=np.int64)
        self._run = LeftFirstState(walk, todo, counts, firsts, length)
        self._run.walk[:length] = root.walk
        self._run.todo[length - 1] = FRESH
        self._run.counts[LENGTH] = length

    @classmethod
    def standing(
        cls, rules: RuleSet, position: Position, *, counted: bool = False
    ) -> Self:
        """Return a walk from the start of the board that has come to a position.

        Its counts begin at 0 there. If the position is complete or stuck, `counted`
        leaves it out of them. Takes a millisecond a step.
        """
        walk = cls(rules, Position(position.board))
        run, length = walk._run, len(position.walk)
        for at, made in enumerate(position.moves):
            before = position.back(length - 1 - at)
            heading = before.heading if at else RIGHT
            order = [LETTERS[(heading + 3 + turn) % 4] for turn in range(4)]
            later = choices(before).keys() & order[order.index(made) + 1 :]
            run.todo[at] = mask_of(later) & ~union_mask(rules.masks(before))
        run.walk[:length] = position.walk
        run.todo[length - 1] = 0 if counted else FRESH
        run.counts[LENGTH] = length
        return walk

    @property
    def position(self) -> Position:
        """The current position."""
        walk = self._run.walk[: self._run.counts[LENGTH]].tolist()
        return Position(self.board, tuple(walk))

    @property
    def completed(self) -> int:
        """Number of walks completed."""
        return int(self._run.counts[COMPLETED])

    @property
    def stuck(self) -> int:
        """Number of stuck positions."""
        return int(self._run.counts[STUCK])

    @property
    def steps(self) -> int:
        """Number of steps forward."""
        return int(self._run.counts[STEPS])

    @property
    def needed(self) -> dict[str, int]:
        """Walks completed before each rule was first needed, in that order."""
        pairs = zip(self.rules.rules, self._run.firsts.tolist(), strict=True)
        firsts = {rule.name: first for rule, first in pairs if first >= 0}
        return dict(sorted(firsts.items(), key=lambda item: item[1]))

    def run(
        self,
        *,
        budget: int = UNLIMITED,
        stop_stuck: bool = False,
        stop_complete: bool = False,
        walks: int = UNLIMITED,
        progress: Callable[["LeftFirstWalk"], None] | None = None,
    ) -> Event:
        """Walk until everything was tried, or until a stop.

        A stuck or complete walk is counted before the walk stops there; the next run
        continues after it.

        - `budget`: steps forward or back in this call.
        - `walks`: walks to complete, counted from the root.
        - `progress`: called several times a second.

        Raises `OptionError` if the budget is negative.
        """
        if budget < 0:
            raise OptionError(f"budget is {budget}, expected 0 or more")
        while budget > 0:
            rounds = min(self.pace // _PAUSES, budget)
            budget -= rounds
            stops = Stops(stop_stuck, stop_complete, rounds, walks)
            event = self._walker.go(self._run, stops)
            if event is not Event.BUDGET:
                return event
            if progress is not None:
                progress(self)
        return Event.BUDGET


_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of random walks, and the walks completed before one gets stuck."""

    walks: int
    stuck: int

    @property
    def error_rate(self) -> float:
        """Share of stuck walks."""
        return self.stuck / self.walks

    def before_error(self) -> tuple[float, float, float]:
        """Return the mean number of walks before a stuck one, and its 95 % interval.

        The interval is Wilson's of the error rate (JASA 22, 1927); inf has no end.

        >>> [round(number, 1) for number in Statistics(1000, 50).before_error()]
        [19.0, 14.3, 25.2]
        """
        share, walks = self.error_rate, self.walks
        spread = _Z * sqrt(share * (1 - share) / walks + _Z**2 / (4 * walks**2))
        middle, scale = share + _Z**2 / (2 * walks), 1 + _Z**2 / walks
        low = (middle - spread) / scale if self.stuck else 0.0
        high = (middle + spread) / scale if self.stuck < walks else 1.0
        mean, least, most = (
            (1 - rate) / rate if rate > 0 else inf for rate in (share, high, low)
        )
        return mean, least, most

    def in_words(self) -> tuple[str, str]:
        """Return the mean and the interval as text.

        >>> Statistics(1000, 0).in_words()
        ('none stuck', '260 to no end')
        """
        mean, least, most = map(_number, self.before_error())
        return mean if self.stuck else "none stuck", f"{least} to {most}"


def _number(value: float) -> str:
    if value == inf:
        return "no end"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
