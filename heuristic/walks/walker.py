"""Random walks that obey a rule set, and what many of them show.

A walker looks at no rule but those of its set, with one exception that belongs to the
problem itself: it steps on the end cell only when no other cell is left.

Kernels walk when all rules are drawings; any other rule set is asked through its
tracker. Both make the same choices, so the same seed gives the same walk. The walk
that tries everything, left first, stands in `heuristic.walks.leftfirst`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from heuristic.matching.drawn import DrawnRuleSet
from heuristic.matching.pattern import (
    Ints,
    Tables,
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
)
from heuristic.rule import RuleSet, union_mask
from solver.board import Board, Cell, Position
from solver.errors import OptionError
from solver.interval import wilson
from solver.jit import njit
from solver.splitmix import below, seeded

_STEPS = 20_000  # of a walk, before Ctrl-C is heard


@dataclass(frozen=True, slots=True)
class WalkResult:
    """Where a walk ended.

    Attributes
    ----------
    position : Position
        The last position: complete, or with no allowed move.
    stuck : bool
        Whether cells were left.
    """

    position: Position
    stuck: bool


@njit
def allowed_moves(
    tables: Tables,
    neighbours: Ints,
    order: Ints,
    board: tuple[int, int, int],
    walk: Ints,
    length: int,
    open_cells: int,
    scratch: Ints,
    masks: Ints,
) -> int:
    """Kernel: the moves a walker may make, as bits; see the module on the end cell."""
    here, end = walk[length - 1], board[2]
    free, heading = 0, -1
    for d in range(4):
        cell = neighbours[here, d]
        if cell < 0:
            continue
        if order[cell] == -1 and (cell != end or length == open_cells - 1):
            free |= 1 << d
        elif length > 1 and cell == walk[length - 2]:
            heading = (d + 2) % 4
    if free == 0:
        return 0
    return free & ~evaluate(tables, order, board, here, heading, scratch, masks)


@njit
def _random_walk(
    tables: Tables,
    neighbours: Ints,
    order: Ints,
    board: tuple[int, int, int],
    walk: Ints,
    open_cells: int,
    scratch: Ints,
    masks: Ints,
    state: npt.NDArray[np.uint64],
    length: int,
    most: int,
) -> int:
    """Kernel of `random_walk`: fill `walk` from `length` on, 1 is a new walk.

    Returns the new length, which is `most` if the walk can go on.
    """
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = -1
        order[walk[0]] = 0
    while length < most:
        moves = allowed_moves(
            tables,
            neighbours,
            order,
            board,
            walk,
            length,
            open_cells,
            scratch,
            masks,
        )
        count = 0
        for d in range(4):
            count += (moves >> d) & 1
        if count == 0:
            break
        pick = below(state, count)
        for d in range(4):
            if (moves >> d) & 1:
                if pick == 0:
                    walk[length] = neighbours[walk[length - 1], d]
                pick -= 1
        order[walk[length]] = length
        length += 1
    return length


class RandomWalker:
    """Random walks one after the other, uniform among the allowed moves of each step.

    >>> from heuristic.groups import load_rules
    >>> walker = RandomWalker(load_rules("seed-5"), Board.square(5), seed=1)
    >>> walker.walk().position.board
    Board.parse('5')
    """

    def __init__(self, rules: RuleSet, board: Board, *, seed: int) -> None:
        self.rules, self.board, self.seed = rules, board, seed
        self._state = seeded(seed)
        if isinstance(rules, DrawnRuleSet):
            self._walk = np.full(board.cells, board.start, dtype=np.int32)
            self._order = new_order(board)
            self._scratch = new_scratch(rules.tables_on(board), board)
            self._masks = np.zeros(len(rules.rules), dtype=np.int32)

    def walk(self) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""
        if isinstance(self.rules, DrawnRuleSet):
            walk = self._walk_by_kernel()
        else:
            walk = self._walk_by_tracker()
        position = Position(self.board, tuple(walk))
        return WalkResult(position, not position.complete)

    def _walk_by_kernel(self) -> list[Cell]:
        assert isinstance(self.rules, DrawnRuleSet)
        board, length, most = self.board, 1, 1
        tables = self.rules.tables_on(board)
        while length == most and length < board.open_cells:  # else full, or stuck
            most = min(length + _STEPS, board.open_cells)
            length = _random_walk(
                tables,
                board.neighbours,
                self._order,
                board_numbers(board),
                self._walk,
                board.open_cells,
                self._scratch,
                self._masks,
                self._state,
                length,
                most,
            )
        found: list[Cell] = self._walk[:length].tolist()
        return found

    def _walk_by_tracker(self) -> list[Cell]:
        board = self.board
        walk, visited = [board.start], {board.start}
        tracker = self.rules.tracker(board)
        while len(walk) < board.open_cells:
            moves = free_moves(board, walk, visited)
            forbidden = union_mask(tracker.masks()) if moves else 0
            moves = [d for d in moves if not forbidden >> d & 1]
            if not moves:
                break
            d = moves[below(self._state, len(moves))]
            walk.append(int(board.neighbours[walk[-1], d]))
            visited.add(walk[-1])
            tracker.push(walk[-1])
        return walk


def free_moves(board: Board, walk: list[Cell], visited: set[Cell]) -> list[int]:
    """Return the directions a walker may try, before any rule; U, R, D, L order."""
    last = len(walk) == board.open_cells - 1
    row = board.neighbours[walk[-1]].tolist()
    return [
        d
        for d, cell in enumerate(row)
        if cell >= 0 and cell not in visited and (cell != board.end or last)
    ]


def random_walk(rules: RuleSet, board: Board, *, seed: int) -> WalkResult:
    """Make one random walk; see `RandomWalker`."""
    return RandomWalker(rules, board, seed=seed).walk()


@dataclass(frozen=True, slots=True)
class Statistics:
    """What many random walks showed.

    Attributes
    ----------
    walks, stuck : int
    error_rate : float
        Share of walks that got stuck.
    error_low, error_high : float
        Its 95 % interval (Wilson, JASA 22, 1927).
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

    def told(self) -> tuple[str, str]:
        """Return both as people read them, without infinities.

        >>> summarise(1000, 0).told()
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


def statistics(
    rules: RuleSet,
    board: Board,
    *,
    count: int,
    seed: int,
    progress: Callable[[WalkResult], None] | None = None,
) -> Statistics:
    """Make `count` random walks, tell `progress` of each, and sum up.

    Raises
    ------
    OptionError
        If `count` is below 1.
    """
    if count < 1:
        raise OptionError(f"count is {count}, expected 1 or more")
    walker = RandomWalker(rules, board, seed=seed)
    stuck = 0
    for _ in range(count):
        result = walker.walk()
        stuck += result.stuck
        if progress is not None:
            progress(result)
    return summarise(count, stuck)
