"""The first position at which each of many rules forbids a move known to be good.

Thousands of rules are asked together, in one kernel, along the positions of a tree;
nothing is counted, so this is for refuting, not for evidence.

Trees of large boards are made of random complete walks: every position of a complete
walk is completable, and by its next step. Walks are *rewired*: where one passes a unit
square on two opposite sides, it can be led over the other two sides instead. Either
that is a complete walk again, a stretch of it turned round; or a closed loop comes off,
which is then taken in at another such square. Ends stay where they are (Oberdorf,
Ferguson, Jacobsen & Kondev, "Secondary structures in long compact polymers", Phys. Rev.
E 74, 2006, use such changes of loops and ends). No claim is made of how they are
distributed.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from heuristic.matching.tables import (
    RULE,
    SKIP,
    Ints,
    Tables,
    compile_rules,
    fitting,
    grouped,
)
from heuristic.matching.walks import Drawn, ask, new_drawn, step_to
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Cell, Walk
from solver.errors import OptionError
from solver.jit import njit
from solver.positions import PositionTree
from solver.splitmix import below, seeded

_PARTS = 1 << 20
_FIRST, _NEXT = 40, 2  # tries a cell before the first walk, and from walk to walk


@njit
def _turns(walk: Ints) -> int:
    """Count the corners of a walk."""
    count = 0
    for i in range(2, len(walk)):
        count += walk[i] - walk[i - 1] != walk[i - 1] - walk[i - 2]
    return count


@njit
def _take_in(
    walk: Ints, at: Ints, size: tuple[int, int], i: int, j: int, skip: int, other: Ints
) -> bool:
    """Write to `other` the walk without its cells i + 1 ... j, and these taken in.

    They are a loop; the first place on its rim, from cell `skip` on, is taken.
    """
    rows, cols = size
    n, loop = len(walk), j - i
    for k in range(loop):
        index = (skip + k) % loop
        u = walk[i + 1 + index]
        v = walk[i + 1 + (index + 1) % loop]
        across = cols if abs(u - v) == 1 else 1
        for step in (-across, across):
            x, y = u + step, v + step
            if min(x, y) < 0 or max(x, y) >= rows * cols:
                continue
            if across == 1 and x // cols != u // cols:
                continue
            p, q = at[x], at[y]
            if i < p <= j or i < q <= j or abs(p - q) != 1:
                continue
            # the rest of the walk, in order, with the loop between x and y
            first = min(p, q)
            forward = first != p  # leave it at u: enter at v, and run on
            count = 0
            for m in range(n):
                if i < m <= j:
                    continue
                other[count] = walk[m]
                count += 1
                if m == first:
                    for t in range(loop):
                        o = index + 1 + t if forward else index - t + loop
                        other[count] = walk[i + 1 + o % loop]
                        count += 1
            return True
    return False


@njit
def _rewire(
    walk: Ints,
    at: Ints,
    other: Ints,
    size: tuple[int, int],
    rng: npt.NDArray[np.uint64],
    chances: Ints,
    tries: int,
) -> None:
    """Rewire a walk so many times; `chances[k]` for one with k more corners."""
    rows, cols = size
    corners = _turns(walk)
    for _ in range(tries):
        a = below(rng, rows - 1) * cols + below(rng, cols - 1)
        b, c, d = a + 1, a + cols, a + cols + 1
        top, bottom = abs(at[a] - at[b]) == 1, abs(at[c] - at[d]) == 1
        left, right = abs(at[a] - at[c]) == 1, abs(at[b] - at[d]) == 1
        if top and bottom and not left and not right:
            i, j = min(at[a], at[b]), min(at[c], at[d])
            across = cols
        elif left and right and not top and not bottom:
            i, j = min(at[a], at[c]), min(at[b], at[d])
            across = 1
        else:
            continue
        if i > j:
            i, j = j, i
        if abs(walk[i] - walk[j]) == across:
            for k in range(len(walk)):
                other[k] = walk[j + i + 1 - k] if i < k <= j else walk[k]
        elif not _take_in(walk, at, size, i, j, below(rng, j - i), other):
            continue
        more = _turns(other) - corners
        if more > 0 and below(rng, _PARTS) >= chances[min(more, len(chances) - 1)]:
            continue
        corners += more
        for k in range(len(walk)):
            walk[k] = other[k]
            at[walk[k]] = k


def complete_walks(
    board: Board, count: int, *, seed: int, straightness: float = 0.0
) -> Ints:
    """Return complete walks from the board's start to its end, (count, cells) int32.

    Each is the one before, rewired; half a millisecond a walk on 21x21.

    Parameters
    ----------
    board : Board
        Without walls, start in the upper left corner, end in the lower right one, rows
        or columns odd.
    straightness : float
        A rewiring that makes k corners more is kept with chance exp(-k straightness):
        0 for walks that wind much, 1 for walks with long straight stretches.

    Raises
    ------
    OptionError
        If the board is of another kind.

    Examples
    --------
    >>> complete_walks(Board.parse("3x3"), 2, seed=1).tolist()
    [[0, 3, 6, 7, 4, 1, 2, 5, 8], [0, 1, 2, 5, 4, 3, 6, 7, 8]]
    """
    rows, cols = board.rows, board.cols
    plain = board == Board.parse(f"{rows}x{cols}") and min(rows, cols) > 1
    if not plain or rows % 2 + cols % 2 == 0:
        raise OptionError(f"board {board.notation} has no plain walk to begin with")
    lines = np.arange(board.cells, dtype=np.int32).reshape(rows, cols)
    if rows % 2 == 0:
        lines = lines.T.copy()
    lines[1::2] = lines[1::2, ::-1].copy()
    walk = lines.reshape(-1).copy()
    at = np.empty_like(walk)
    at[walk] = np.arange(board.cells, dtype=np.int32)
    chances = np.array(
        [math.exp(-more * straightness) * _PARTS for more in range(9)], dtype=np.int32
    )
    rng, other, size = seeded(seed), np.empty_like(walk), (rows, cols)
    found = np.empty((count, board.cells), dtype=np.int32)
    for number in range(count):
        tries = board.cells * (_NEXT if number else _FIRST)
        _rewire(walk, at, other, size, rng, chances, tries)
        found[number] = walk
    return found


def walked(board: Board, walks: Ints) -> PositionTree:
    """Return all positions of complete walks; of each, its next step is `good`."""
    steps = np.diff(walks, axis=1)
    good = np.zeros(walks.shape, dtype=np.uint8)
    for direction, step in enumerate((-board.cols, 1, board.cols, -1)):
        good[:, :-1][steps == step] = 1 << direction
    depth = np.tile(np.arange(walks.shape[1], dtype=np.int16), len(walks))
    return PositionTree(
        board, depth, walks.reshape(-1), good.reshape(-1), walks=len(walks)
    )


_CHUNK = 1 << 15  # positions, before the rules that are refuted are left out
_LARGE = 13  # on boards from this side on hardly any drawing is too large


@njit
def _first_wrong(
    drawn: Drawn,
    depths: npt.NDArray[np.int16],
    cells: Ints,
    good: npt.NDArray[np.uint8],
    walk: Ints,
    length: int,
    first: npt.NDArray[np.int64],
    base: int,
) -> int:
    """Note in `first` where a rule is wrong for the first time; return the length.

    `drawn.order`, `walk` and its length carry the walk from one chunk to the next.
    """
    masks = drawn.masks
    for i in range(len(depths)):
        length = step_to(drawn, walk, length, depths[i], cells[i])
        if ask(drawn, walk, length) & good[i] != 0:
            for rule in range(len(masks)):
                if masks[rule] & good[i] != 0 and first[rule] < 0:
                    first[rule] = base + i
    return length


class Trier:
    """Rules on trial, each alone: `stops` and `unless` are to be left out before.

    Attributes
    ----------
    left : (rules,) bool
        Those not refuted yet; only they are asked.
    """

    def __init__(self, rules: Sequence[RuleSpec]) -> None:
        self._tables = compile_rules(rules)
        self.left = np.ones(len(rules), dtype=np.bool_)

    def run(self, tree: PositionTree) -> Iterator[tuple[int, int]]:
        """Try the rules that are left on all positions; yield (rule, position) numbers.

        A tenth of a microsecond a position and a hundred rules, about.
        """
        board = tree.board
        tables = self._without_refuted(self._tables)
        if min(board.rows, board.cols) < _LARGE:
            tables = fitting(tables, board)
        drawn = new_drawn(tables, board)
        walk = np.zeros(board.cells, np.int32)
        first = np.full(len(self.left), -1, np.int64)
        length = 0
        for begin in range(0, len(tree), _CHUNK):
            if not drawn.tables.heads[4]:
                return
            part = slice(begin, begin + _CHUNK)
            length = _first_wrong(
                drawn,
                tree.depth[part],
                tree.cell[part],
                tree.good[part],
                walk,
                length,
                first,
                begin,
            )
            found = np.flatnonzero(self.left & (first >= 0))
            if len(found):
                self.left[found] = False
                yield from ((int(rule), int(first[rule])) for rule in found)
                drawn = drawn._replace(tables=self._without_refuted(drawn.tables))

    def _without_refuted(self, tables: Tables) -> Tables:
        """Leave out the placements of refuted rules."""
        keep = self.left[tables.placements[:, RULE]]
        if keep.all():
            return tables
        position = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
        kept = tables.placements[keep].copy()
        kept[:, SKIP] = position[kept[:, SKIP]]
        return grouped(tables._replace(heads=position[tables.heads], placements=kept))


def completion(tree: PositionTree, index: int, move: int) -> Walk:
    """Return a completion of a position of the tree that begins with a good move.

    `move` counts U, R, D, L from 0. The tree is in preorder and all its positions are
    completable, so the first children lead to the end.
    """
    depth, cell = tree.depth, tree.cell
    wanted = int(tree.board.neighbours[cell[index], move])
    at = index + 1
    while depth[at] != depth[index] + 1 or cell[at] != wanted:
        at += 1
    found: list[Cell] = []
    while True:
        found.append(int(cell[at]))
        at += 1
        if found[-1] == tree.board.end:
            return tuple(found)
