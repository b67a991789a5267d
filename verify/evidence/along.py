"""Rules along complete walks: no step that a complete walk makes may be forbidden.

A complete walk is its own witness, so no oracle is needed: every rule is asked at every
step whether it forbids the next one.

Boards with walls are pieces of rectangles. A piece is cut out of a random walk through
a whole rectangle, and the cells before and after it become walls.

A *firing* is a position at which a rule forbids something. Its *pattern* is the rule,
the moves, and the 5 x 5 cells around the live end, all as seen from the walk.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heuristic.boards import Boards
from heuristic.matching.tables import FREE_CELL, WALL_CELL, Ints
from heuristic.rule import RuleSet
from solver.board import Board, Walk
from solver.jit import njit
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict

Longs = npt.NDArray[np.int64]

RADIUS = 2  # cells that a pattern shows on each side of the live end
_FREE, _TAKEN, _OUTSIDE = 0, 1, 2


@njit
def _pattern(order: Ints, shape: tuple[int, int], here: int, heading: int) -> int:
    """Kernel: the cells around a live end as one number, the heading turned up."""
    rows, cols = shape
    row0, col0 = here // cols, here % cols
    code = 0
    for down in range(-RADIUS, RADIUS + 1):
        for right in range(-RADIUS, RADIUS + 1):
            row, col = row0 + down, col0 + right
            if heading == 1:
                row, col = row0 + right, col0 - down
            elif heading == 2:
                row, col = row0 - down, col0 - right
            elif heading == 3:
                row, col = row0 - right, col0 + down
            state = _OUTSIDE
            if 0 <= row < rows and 0 <= col < cols:
                at = order[row * cols + col]
                if at == FREE_CELL:
                    state = _FREE
                elif at >= 0:
                    state = _TAKEN
            code = code * 3 + state
    return code


@njit
def _count(
    masks: Ints,
    walk: Ints,
    order: Ints,
    shape: tuple[int, int],
    counts: Longs,
    firings: Longs,
) -> int:
    """Kernel: count what rules forbid along a walk; return how many firings are listed.

    `counts`, (rules, 3), is added to: steps at which a rule fired, steps at which it
    forbade the step that the walk makes, and the first of the latter, -1 if none.
    `firings`, (places, 3), lists step, rule and pattern of firings as far as there are
    places. `order` is left as it was.
    """
    listed = 0
    for k in range(len(masks)):
        here = walk[k]
        order[here] = k
        step = walk[k + 1] - here
        taken = 1 if step == -shape[1] else (4 if step == shape[1] else 2)
        if step == -1 and shape[1] > 1:
            taken = 8
        heading, code = 0, -1
        if k > 0:
            came = here - walk[k - 1]
            heading = 1 if came == 1 else 3
            if came == -shape[1]:
                heading = 0
            elif came == shape[1]:
                heading = 2
        for rule in range(masks.shape[1]):
            mask = np.int64(masks[k, rule])
            if mask == 0:
                continue
            counts[rule, 0] += 1
            if mask & taken != 0:
                counts[rule, 1] += 1
                if counts[rule, 2] < 0:
                    counts[rule, 2] = k
            if listed < len(firings):
                if code < 0:
                    code = _pattern(order, shape, here, heading)
                turned = mask * 17 >> heading & 15
                firings[listed, 0] = k
                firings[listed, 1] = rule
                firings[listed, 2] = (code * masks.shape[1] + rule) * 16 + turned
                listed += 1
    for k in range(len(masks)):
        order[walk[k]] = FREE_CELL
    return listed


@dataclass(frozen=True, slots=True)
class Along:
    """What rules said along one complete walk.

    - `masks`, (steps, rules) int32: the moves that each rule forbids before each step
      of the walk.
    - `fired`: by rule: steps at which it forbade a move.
    - `wrong`: rule by number: the first step at which it forbade the step of the walk.
    - `firings`, (firings, 3) int64: step, rule and pattern of each firing.
    """

    masks: Ints
    fired: Longs
    wrong: dict[int, int]
    firings: Longs


class Follower:
    """Asks a rule set along complete walks.

    It takes microseconds a step for drawn rules, and Python's time for others.
    """

    def __init__(self, rule_set: RuleSet) -> None:
        self._rule_set = rule_set

    def follow(
        self, board: Board, walk: Sequence[int], accused: npt.NDArray[np.bool_]
    ) -> Along:
        """Ask the rules along a complete walk of a board.

        - `accused`, (rules,) bool: the rules that count; others say nothing.
        """
        masks = self._rule_set.walker(board).along(walk)
        masks[:, ~accused] = 0
        order = np.full(board.cells, WALL_CELL, np.int32)
        cells = np.array(walk, np.int32)
        order[cells] = FREE_CELL
        counts = np.zeros((masks.shape[1], 3), np.int64)
        counts[:, 2] = -1
        firings = np.zeros((8 * len(walk), 3), np.int64)
        shape = board.rows, board.cols
        listed = _count(masks, cells, order, shape, counts, firings)
        wrong = {
            int(rule): int(counts[rule, 2]) for rule in np.flatnonzero(counts[:, 1])
        }
        return Along(masks, counts[:, 0], wrong, firings[:listed])


@dataclass(frozen=True, slots=True)
class Source:
    """A complete walk as few numbers, each of which may be made smaller.

    - `board`: a rectangle without walls, both ends on its rim.
    - `kind`: the kind of boards that is asked for.
    - `seed`, `choices`: the walk of `exact_walk`.
    - `cut`, (first, last): which piece of the walk is kept, as shares of its length in
      units of 1 / `SHARES`; boards without walls keep it whole.
    """

    board: Board
    kind: Boards
    seed: int
    choices: bytes = b""
    cut: tuple[int, int] = (0, 1024)


SHARES = 1024


def walk_of(source: Source) -> tuple[Board, Walk] | None:
    """Return a board of the kind and a complete walk of it; None if there is none.

    The same source gives the same walk on every machine.
    """
    made = exact_walk(source.board, source.seed, choices=source.choices)
    if made.verdict is not Verdict.COMPLETABLE:
        return None
    board, walk = source.board, made.position.walk
    if source.kind not in (Boards.ANY, Boards.RIM):
        return board, walk
    return piece(board, walk, source.cut, source.kind)


def piece(
    board: Board, walk: Walk, cut: tuple[int, int], kind: Boards
) -> tuple[Board, Walk]:
    """Return a piece of a complete walk; the other cells are walls.

    On boards of the kind `RIM` the piece begins and ends on the rim.
    """
    ends: Sequence[int] = range(len(walk))
    if kind is Boards.RIM:
        ends = [k for k in ends if _on_rim(board, walk[k])]
    first, last = sorted(min(at * len(ends) // SHARES, len(ends) - 1) for at in cut)
    begin, end = ends[first], ends[last]
    if end - begin < 2 or end - begin == len(walk) - 1:
        return board, walk
    kept = walk[begin : end + 1]
    walls = tuple(sorted(set(walk) - set(kept)))
    return Board(board.rows, board.cols, kept[0], kept[-1], walls), kept


def _on_rim(board: Board, cell: int) -> bool:
    row, col = divmod(cell, board.cols)
    return row in (0, board.rows - 1) or col in (0, board.cols - 1)


def more_walks(source: Source, count: int) -> Iterator[Source]:
    """Yield a source and walks of the same board by other seeds, without choices."""
    yield source
    rng = np.random.default_rng([source.seed, *source.cut])
    for _ in range(count - 1):
        cut = int(rng.integers(SHARES + 1)), int(rng.integers(SHARES + 1))
        seed = int(rng.integers(1 << 32))
        yield Source(source.board, source.kind, seed, cut=cut)
