"""The first position at which each of many rules forbids a move known to be good.

Thousands of rules are asked together, in one kernel, along the positions of a tree;
nothing is counted, so this is for refuting, not for evidence.
"""

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
from solver.board import Cell, Walk
from solver.jit import njit
from solver.positions import PositionTree

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

    - `left`, (rules,) bool: those not refuted yet; only they are asked.
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
