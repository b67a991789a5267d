"""What many random walks under a rule set show.

A rule set has its own walker (`heuristic.rule.Walker`); walk number k of a run from
seed s is the walk of seed s + k, in every command. Below are the walks of a rule set
that has nothing but a tracker, at the speed of Python.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np

from heuristic.rule import (
    Followed,
    Rounds,
    RuleSet,
    Tracker,
    Walker,
    WalkResult,
    union_mask,
)
from heuristic.walks.rounds import TrackedRounds
from solver.board import Board, Cell, Position
from solver.interval import wilson
from solver.positions import PositionTree
from solver.splitmix import seeded, shuffle


@dataclass(frozen=True, slots=True)
class Statistics:
    """What many random walks showed.

    - `error_rate`: share of walks that got stuck.
    - `error_low`, `error_high`: its 95 % interval (Wilson, JASA 22, 1927).
    """

    walks: int
    stuck: int
    error_rate: float
    error_low: float
    error_high: float

    @property
    def before_error(self) -> float:
        """Mean number of walks completed before one gets stuck; inf if none did."""
        return _before(self.error_rate)

    @property
    def before_error_interval(self) -> tuple[float, float]:
        """Its 95 % interval: walks are independent, so it follows the error rate's."""
        return _before(self.error_high), _before(self.error_low)

    def in_words(self) -> tuple[str, str]:
        """Return both as people read them, without infinities.

        >>> summarise(1000, 0).in_words()
        ('none stuck', '260 to no end')
        """
        low, high = map(_number, self.before_error_interval)
        before = _number(self.before_error) if self.stuck else "none stuck"
        return before, f"{low} to {high}"


def _number(value: float) -> str:
    if value == inf:
        return "no end"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _before(rate: float) -> float:
    return inf if rate <= 0 else (1 - rate) / rate


def summarise(walks: int, stuck: int) -> Statistics:
    """Return the statistics of so many walks of which so many got stuck.

    >>> round(summarise(1000, 50).before_error, 6)
    19.0
    >>> [round(x, 1) for x in summarise(1000, 50).before_error_interval]
    [14.3, 25.2]
    """
    low, high = wilson(stuck, walks)
    return Statistics(walks, stuck, stuck / walks, low, high)


CHUNK = 1 << 17  # positions reported at a time: a few megabytes for a hundred rules


class ByTracker:
    """The roads of a `RuleSet` by its tracker; what it has faster it replaces.

    It knows no edges and no precedence.
    """

    @property
    def kin(self) -> tuple[str, ...]:
        """Oracles that share its kernels: none."""
        return ()

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges that it finds in every completion: none."""
        return ()

    def asked_always(self: RuleSet) -> RuleSet:
        """Return the set itself."""
        return self

    def walker(self: RuleSet, board: Board) -> Walker:
        """Return a walker that asks the tracker at every step."""
        return TrackedWalker(self, board)

    def followed(self: RuleSet, tree: PositionTree) -> Iterator[Followed]:
        """Yield what the tracker says at all positions of a tree."""
        return followed(self.tracker(tree.board), tree)

    def rounds(self: RuleSet, board: Board) -> Rounds:
        """Return the rounds of a left-first walk, by the tracker."""
        return TrackedRounds(board, self.tracker(board), [board.start])


class TrackedWalker:
    """Random walks of any rule set; `heuristic.rule.Walker`.

    >>> from heuristic.groups import load_rules
    >>> walker = TrackedWalker(load_rules("seed-5"), Board.square(5))
    >>> walker.walk(seed=1) == load_rules("seed-5").walker(Board.square(5)).walk(seed=1)
    True
    """

    def __init__(self, rules: RuleSet, board: Board) -> None:
        self._rules, self._board = rules, board
        self._neighbours = board.neighbours.tolist()

    def walk(self, seed: int) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""
        return self.walk_on(Position(self._board), seed)

    def walk_on(self, position: Position, seed: int) -> WalkResult:
        """Walk on from a position of the board, as `walk` does from the start."""
        board, neighbours, rng = self._board, self._neighbours, seeded(seed)
        moves = np.zeros(4, dtype=np.int64)
        walk, visited = list(position.walk), set(position.walk)
        tracker = self._rules.tracker(board)
        for cell in walk[1:]:
            tracker.push(cell)
        while len(walk) < board.open_cells:
            count = 0
            for d, cell in enumerate(neighbours[walk[-1]]):
                if cell >= 0 and cell not in visited:
                    moves[count] = d
                    count += 1
            if count == 0:
                break
            shuffle(rng, moves, count)
            forbidden = union_mask(tracker.masks())
            last = len(walk) == board.open_cells - 1
            for d in moves[:count].tolist():
                cell = neighbours[walk[-1]][d]
                if not forbidden >> d & 1 and (cell != board.end or last):
                    break
            else:
                break
            walk.append(cell)
            visited.add(cell)
            tracker.push(cell)
        end = Position(board, tuple(walk))
        return WalkResult(end, not end.complete)


def followed(tracker: Tracker, tree: PositionTree) -> Iterator[Followed]:
    """Yield what a tracker, fresh at the start, says at all positions of a tree."""
    board = tree.board
    neighbours = board.neighbours.tolist()
    free = [cell not in board.walls for cell in range(board.cells)]
    walk: list[int] = []
    for begin in range(0, len(tree), CHUNK):
        depth = tree.depth[begin : begin + CHUNK].astype(np.int32)
        cells = tree.cell[begin : begin + CHUNK].tolist()
        rows = []
        options = np.zeros(len(depth), np.uint8)
        for i, (steps, cell) in enumerate(zip(depth.tolist(), cells, strict=True)):
            while len(walk) > steps:
                free[walk.pop()] = True
                if walk:
                    tracker.pop()
            if walk:
                tracker.push(cell)
            walk.append(cell)
            free[cell] = False
            rows.append(tracker.masks())
            for d, other in enumerate(neighbours[cell]):
                early = other == board.end and len(walk) < board.open_cells - 1
                if other >= 0 and free[other] and not early:
                    options[i] |= 1 << d
        masks = np.array(rows, dtype=np.uint8)
        yield Followed(masks, options, tree.good[begin : begin + CHUNK], depth)
