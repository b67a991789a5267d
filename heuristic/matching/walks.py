"""Walks under drawn rules, in kernels: random, along a walk, and down a tree."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import (
    ALL_MOVES,
    Drawn,
    evaluate,
    list_matching,
)
from heuristic.matching.tables import FREE_CELL, Ints
from heuristic.walks.walker import CHUNK, TreeMasks
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import shuffle

Bytes = npt.NDArray[np.uint8]


@njit
def _options(drawn: Drawn, here: int, length: int) -> int:
    """Kernel: the moves of a walker before any rule; the end cell is entered last."""
    free = 0
    for d in range(4):
        cell = drawn.neighbours[here, d]
        early = cell == drawn.board[2] and length < drawn.open_cells - 1
        if cell >= 0 and drawn.order[cell] == FREE_CELL and not early:
            free |= 1 << d
    return free


@njit
def heading_of(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: the direction of the last step, -1 before the first one."""
    if length > 1:
        for d in range(4):
            if drawn.neighbours[walk[length - 2], d] == walk[length - 1]:
                return d
    return -1


@njit_within
def allowed_moves(drawn: Drawn, walk: Ints, length: int, asked: int) -> int:
    """Kernel: which of some moves a walker may make; `drawn.masks` is filled."""
    here = walk[length - 1]
    free = _options(drawn, here, length) & asked
    if free == 0:
        drawn.masks[:] = 0
        return 0
    return free & ~evaluate(drawn, here, heading_of(drawn, walk, length), asked)


@njit
def _random_move(
    drawn: Drawn,
    walk: Ints,
    length: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: the first allowed move, in a random order as every walker makes it.

    Rules are asked for move by move where they may be: most often the first is made.
    """
    count, known, allowed = 0, 0, 0
    for d in range(4):
        cell = drawn.neighbours[walk[length - 1], d]
        if cell >= 0 and drawn.order[cell] == FREE_CELL:
            directions[count] = d
            count += 1
    shuffle(rng, directions, count)
    for i in range(count):
        move = 1 << directions[i]
        if known & move == 0:
            asked = ALL_MOVES if len(drawn.tables.blocks) > 0 else move
            allowed |= allowed_moves(drawn, walk, length, asked)
            known |= asked
        if allowed & move != 0:
            return int(directions[i])
    return -1


@njit
def fill_walk(
    drawn: Drawn,
    walk: Ints,
    length: int,
    most: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: extend a walk at random from `length` cells to `most`.

    `drawn.order` has the walk, or any if it is one cell. Returns the new length, which
    is `most` if the walk can go on.
    """
    order = drawn.order
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = FREE_CELL
        order[walk[0]] = 0
    while length < most:
        d = _random_move(drawn, walk, length, directions, rng)
        if d < 0:
            break
        walk[length] = drawn.neighbours[walk[length - 1], d]
        order[walk[length]] = length
        length += 1
    return length


@njit
def follow_tree(
    drawn: Drawn,
    depth: Ints,
    cells: Ints,
    masks: Bytes,
    options: Bytes,
    matching: Ints,
    walk: Ints,
    length: int,
) -> tuple[int, int]:
    """Kernel: ask the rules at positions of a tree, each a depth and the last cell.

    Fills a row of `masks` and an entry of `options` for each. `drawn.order`, `walk` and
    its length carry the walk from one call to the next; the length is returned. If
    `matching` has room it gets the leaves that match at the last position, and their
    number is returned too; masks are not filled then.
    """
    count = 0
    for i in range(len(depth)):
        while length > depth[i]:
            length -= 1
            drawn.order[walk[length]] = FREE_CELL
        here = cells[i]
        walk[length] = here
        drawn.order[here] = length
        length += 1
        heading = heading_of(drawn, walk, length)
        options[i] = _options(drawn, here, length)
        if len(matching) > 0:
            count = list_matching(drawn, here, heading, ALL_MOVES, matching)
            continue
        evaluate(drawn, here, heading, ALL_MOVES)
        for rule in range(len(drawn.masks)):
            masks[i, rule] = drawn.masks[rule]
    return length, count


def tree_masks(drawn: Drawn, tree: PositionTree) -> Iterator[TreeMasks]:
    """Yield what rules forbid at all positions, a microsecond each or less.

    `drawn.order` is without visited cells.
    """
    walk, length = np.zeros(tree.board.cells, np.int32), 0
    for begin in range(0, len(tree), CHUNK):
        part = slice(begin, begin + CHUNK)
        depth, cells = tree.depth[part].astype(np.int32), tree.cell[part]
        masks = np.zeros((len(depth), len(drawn.masks)), np.uint8)
        options = np.zeros(len(depth), np.uint8)
        length, _ = follow_tree(
            drawn, depth, cells, masks, options, drawn.order[:0], walk, length
        )
        yield TreeMasks(masks, options, tree.good[part], depth)
