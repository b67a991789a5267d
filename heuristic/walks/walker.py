"""One rule set on one board: random walks, walks left first, and trees of walks.

A `Walker` stands at the end of a walk and is moved cell by cell. Everything is made of
`push`, `pop` and `masks`; walkers of drawn rules have kernels in their place, with the
same results.

What many random walks under a rule set show.

Walk number k of a run from seed s is the walk of seed s + k, in every command.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from heuristic.rule import Reason, union_mask
from heuristic.walks.leftfirst import Event, Run, Stops, make_rounds
from solver.board import Board, Cell, Position
from solver.positions import PositionTree
from solver.splitmix import seeded, shuffle

CHUNK = 1 << 17  # positions reported at a time: a few megabytes for a hundred rules

Edges = tuple[tuple[Cell, Cell], ...]


@dataclass(frozen=True, slots=True)
class WalkResult:
    """Where a walk ended.

    - `position`: the last position: complete, or with no allowed move.
    - `stuck`: whether cells were left.
    """

    position: Position
    stuck: bool


@dataclass(frozen=True, slots=True)
class TreeMasks:
    """What a rule set forbids at a run of positions of a tree.

    - `masks`, (positions, rules) uint8: the moves that each rule forbids.
    - `options`, (positions,) uint8: what a walker chooses among before any rule; see
      `heuristic.rule.choices`.
    - `good`, (positions,) uint8: the completable moves.
    - `depth`, (positions,) int32: steps of the walk.
    """

    masks: npt.NDArray[np.uint8]
    options: npt.NDArray[np.uint8]
    good: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.int32]


class Walker(ABC):
    """Rules on a board, at the end of a walk.

    A kind of rules defines `push`, `pop`, `masks` and `reason`.

    - `path`: the cells of the walk; from the start cell.
    - `pace`: about how many rounds of a left-first walk it makes a second.
    """

    pace = 10_000

    def __init__(self, board: Board) -> None:
        self.board, self.path = board, [board.start]

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self.path.append(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self.path.pop()

    @abstractmethod
    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits, U = 1 ... L = 8."""

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move; `masks` was asked before.

        Walkers of rule sets have reasons; one that only walks needs none.
        """
        raise NotImplementedError

    def edges(self) -> Edges:
        """Return the edges, not walked yet, that it finds in every completion."""
        return ()

    def options(self) -> int:
        """Return the moves before any rule, as bits; the end cell is entered last."""
        path, moves = self.path, 0
        last = len(path) == self.board.open_cells - 1
        for d, cell in enumerate(self.board.neighbours[path[-1]].tolist()):
            early = cell == self.board.end and not last
            moves |= (cell >= 0 and not early and cell not in path) << d
        return moves

    def follow(self, walk: Sequence[Cell]) -> None:
        """Go to the end of a walk from the start of the board."""
        common = 0
        for mine, other in zip(self.path, walk, strict=False):
            if mine != other:
                break
            common += 1
        while len(self.path) > common:
            self.pop()
        for cell in walk[common:]:
            self.push(cell)

    def walk(self, seed: int, position: Position | None = None) -> WalkResult:
        """Walk at random until the board is full or no move is allowed.

        From the start of the board or from a position of it. At every step the
        unvisited neighbours of the live end, in the order U, R, D, L, are put in random
        order (`solver.splitmix.shuffle`), and the walk goes to the first that is
        allowed: uniform among the allowed moves. The end cell is entered only when no
        other cell is left. So the same seed gives the same walk with every kind of
        rules.
        """
        board, rng = self.board, seeded(seed)
        neighbours = board.neighbours.tolist()
        moves = np.zeros(4, dtype=np.int64)
        self.follow(position.walk if position else [board.start])
        visited = set(self.path)
        while len(self.path) < board.open_cells:
            around, count = neighbours[self.path[-1]], 0
            for d, cell in enumerate(around):
                if cell >= 0 and cell not in visited:
                    moves[count] = d
                    count += 1
            if count == 0:
                break
            shuffle(rng, moves, count)
            forbidden = union_mask(self.masks())
            last = len(self.path) == board.open_cells - 1
            for d in moves[:count].tolist():
                cell = around[d]
                if not forbidden >> d & 1 and (cell != board.end or last):
                    break
            else:
                break
            self.push(cell)
            visited.add(cell)
        end = Position(board, tuple(self.path))
        return WalkResult(end, not end.complete)

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

    def along(self, walk: Sequence[Cell]) -> npt.NDArray[np.int32]:
        """Return what each rule forbids before each step of a walk, (steps, rules)."""
        self.follow(walk[:1])
        masks = np.zeros((len(walk) - 1, len(self.masks())), dtype=np.int32)
        for length in range(1, len(walk)):
            self.follow(walk[:length])
            masks[length - 1] = self.masks()
        return masks

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds of a left-first walk until an event that is asked for.

        `run` holds where the walk stands, before and after.
        """
        return make_rounds(self, run, stops)

    def joined(self, before: "Walker") -> "Walker":
        """Return the walker of other rules and of these behind them."""
        return MixedWalker(before, self)


class MixedWalker(Walker):
    """Two walkers, one behind the other; their masks are strung together."""

    def __init__(self, first: Walker, second: Walker) -> None:
        super().__init__(first.board)
        self._parts = first, second

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        super().push(cell)
        for part in self._parts:
            part.push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        super().pop()
        for part in self._parts:
            part.pop()

    def follow(self, walk: Sequence[Cell]) -> None:
        """Go to the end of a walk from the start of the board."""
        for part in self._parts:
            part.follow(walk)
        self.path = list(walk)

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        first, second = (part.masks() for part in self._parts)
        self._rules_before = len(first)
        return first + second

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        first, second = self._parts
        if rule < self._rules_before:
            return first.reason(rule, move)
        return second.reason(rule - self._rules_before, move)

    def edges(self) -> Edges:
        """Return the edges that a part finds in every completion, each once."""
        edges = [edge for part in self._parts for edge in part.edges()]
        return tuple(dict.fromkeys(edges))

    def along(self, walk: Sequence[Cell]) -> npt.NDArray[np.int32]:
        """Ask each part on its own, so that each uses its kernels."""
        return np.hstack([part.along(walk) for part in self._parts])

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Ask each part on its own, so that each uses its kernels."""
        parts = [part.tree(tree) for part in self._parts]
        for batches in zip(*parts, strict=True):
            masks = np.hstack([batch.masks for batch in batches])
            yield replace(batches[0], masks=masks)


_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


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
    """Return the statistics of some walks, of which some got stuck.

    >>> [round(x, 1) for x in summarise(1000, 50).before_error_interval]
    [14.3, 25.2]
    """
    share = stuck / walks
    spread = _Z * sqrt(share * (1 - share) / walks + _Z**2 / (4 * walks**2))
    middle, scale = share + _Z**2 / (2 * walks), 1 + _Z**2 / walks
    low = 0.0 if stuck == 0 else (middle - spread) / scale
    high = 1.0 if stuck == walks else (middle + spread) / scale
    return Statistics(walks, stuck, share, low, high)
