"""What a rule set says at every position of a tree, followed step by step."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.drawn import DrawnRuleSet
from heuristic.matching.pattern import (
    Tables,
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
)
from heuristic.mixed import MixedRuleSet
from heuristic.rule import RuleSet
from solver.jit import njit
from solver.positions import PositionTree

Masks: TypeAlias = npt.NDArray[np.uint8]
Depths: TypeAlias = npt.NDArray[np.int32]
Ints: TypeAlias = npt.NDArray[np.int32]
Batch: TypeAlias = tuple[Masks, Masks, Masks, Depths]

_CHUNK = 1 << 17  # positions a batch: a few megabytes for a hundred rules


@njit
def _follow_drawn(
    tables: Tables,
    neighbours: Ints,
    board: tuple[int, int, int],
    depths: Depths,
    cells: Ints,
    order: Ints,
    walk: Ints,
    length: int,
    open_cells: int,
    scratch: Ints,
    row: Ints,
    masks: Masks,
    options: Masks,
) -> int:
    """Fill masks (positions, rules) and options (positions,); return the walk's length.

    `order`, `walk` and its length carry the walk from one batch to the next.
    """
    for i in range(len(depths)):
        while length > depths[i]:
            length -= 1
            order[walk[length]] = -1
        cell = cells[i]
        walk[length] = cell
        order[cell] = length
        length += 1
        heading, free = -1, 0
        for d in range(4):
            other = neighbours[cell, d]
            early = other == board[2] and length < open_cells - 1
            if other >= 0 and order[other] == -1 and not early:
                free |= 1 << d
            if length > 1 and other == walk[length - 2]:
                heading = (d + 2) % 4
        options[i] = free
        evaluate(tables, order, board, cell, heading, scratch, row)
        for rule in range(len(row)):
            masks[i, rule] = row[rule]
    return length


def _drawn(rule_set: DrawnRuleSet, tree: PositionTree) -> Iterator[Batch]:
    board, tables = tree.board, rule_set.tables_on(tree.board)
    order, scratch = new_order(board), new_scratch(tables, board)
    walk = np.zeros(board.cells, np.int32)
    row = np.zeros(len(rule_set.rules), np.int32)
    length = 0
    for begin in range(0, len(tree), _CHUNK):
        depths = tree.depth[begin : begin + _CHUNK].astype(np.int32)
        cells = tree.cell[begin : begin + _CHUNK]
        masks = np.zeros((len(depths), len(row)), np.uint8)
        options = np.zeros(len(depths), np.uint8)
        length = _follow_drawn(
            tables,
            board.neighbours,
            board_numbers(board),
            depths,
            cells,
            order,
            walk,
            length,
            board.open_cells,
            scratch,
            row,
            masks,
            options,
        )
        yield masks, options, tree.good[begin : begin + _CHUNK], depths


def _tracked(rule_set: RuleSet, tree: PositionTree) -> Iterator[Batch]:
    board = tree.board
    neighbours = board.neighbours.tolist()
    tracker = rule_set.tracker(board)
    free = [cell not in board.walls for cell in range(board.cells)]
    walk: list[int] = []
    for begin in range(0, len(tree), _CHUNK):
        depths = tree.depth[begin : begin + _CHUNK].astype(np.int32)
        cells = tree.cell[begin : begin + _CHUNK].tolist()
        masks = np.zeros((len(depths), len(rule_set.rules)), np.uint8)
        options = np.zeros(len(depths), np.uint8)
        for i, (steps, cell) in enumerate(zip(depths.tolist(), cells, strict=True)):
            while len(walk) > steps:
                free[walk.pop()] = True
                if walk:
                    tracker.pop()
            if walk:
                tracker.push(cell)
            walk.append(cell)
            free[cell] = False
            masks[i] = tracker.masks()
            for d, other in enumerate(neighbours[cell]):
                early = other == board.end and len(walk) < board.open_cells - 1
                if other >= 0 and free[other] and not early:
                    options[i] |= 1 << d
        yield masks, options, tree.good[begin : begin + _CHUNK], depths


def masks_along(rule_set: RuleSet, tree: PositionTree) -> Iterator[Batch]:
    """Yield batches (masks, options, good, depths) over all positions of a tree.

    Masks have shape (positions, rules), the others (positions,): what each rule
    forbids, what a walker chooses among, the completable moves, the steps so far. Drawn
    rule sets run in one kernel, a microsecond a position or less; any other is followed
    by its tracker, at the speed of Python. The parts of a mixed set go side by side.
    """
    if isinstance(rule_set, DrawnRuleSet):
        return _drawn(rule_set, tree)
    if isinstance(rule_set, MixedRuleSet):
        return _strung(rule_set, tree)
    return _tracked(rule_set, tree)


def _strung(rule_set: MixedRuleSet, tree: PositionTree) -> Iterator[Batch]:
    """Follow every part on its own, so that drawn parts keep their speed."""
    parts = [masks_along(part, tree) for part in rule_set.parts]
    for batches in zip(*parts, strict=True):
        masks = np.hstack([batch[0] for batch in batches])
        yield masks, *batches[0][1:]
