"""Walks under drawn rules, in kernels: random, along a walk, and down a tree."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import (
    ALL_MOVES,
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
)
from heuristic.matching.tables import FREE_CELL, Ints, Tables
from heuristic.walks.walker import CHUNK, TreeMasks
from solver.board import Board
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import shuffle

Bytes = npt.NDArray[np.uint8]


class Drawn(NamedTuple):
    """Drawn rules on one board, and what their kernels write on.

    - `neighbours`, (cells, 4): as the board has them.
    - `order`, (cells,): the walk; see `heuristic.matching.pattern`.
    - `board`: rows, columns, end.
    - `masks`, (rules,): what each rule forbids at the last position asked.
    """

    tables: Tables
    neighbours: Ints
    order: Ints
    board: tuple[int, int, int]
    scratch: Ints
    masks: Ints


def new_drawn(tables: Tables, board: Board) -> Drawn:
    """Return drawn rules on a board that nobody has walked on."""
    return Drawn(
        tables,
        board.neighbours,
        new_order(board),
        board_numbers(board),
        new_scratch(tables, board),
        np.zeros(len(tables.rules), dtype=np.int32),
    )


@njit_within
def allowed_moves(
    drawn: Drawn, walk: Ints, length: int, open_cells: int, asked: int = ALL_MOVES
) -> int:
    """Kernel: which of some moves a walker may make; the end cell is entered last."""
    order, end = drawn.order, drawn.board[2]
    here = walk[length - 1]
    free, heading = 0, -1
    for d in range(4):
        cell = drawn.neighbours[here, d]
        if cell < 0:
            continue
        if order[cell] == FREE_CELL and (cell != end or length == open_cells - 1):
            free |= 1 << d
        elif length > 1 and cell == walk[length - 2]:
            heading = (d + 2) % 4
    free &= asked
    if free == 0:
        drawn.masks[:] = 0
        return 0
    forbidden = evaluate(
        drawn.tables,
        order,
        drawn.board,
        here,
        heading,
        drawn.scratch,
        drawn.masks,
        asked,
    )
    return free & ~forbidden


@njit
def _draw(
    drawn: Drawn,
    walk: Ints,
    length: int,
    open_cells: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: the first allowed move, in an order drawn as every walker draws it.

    Moves are asked for one by one where they may be: most often the first is made.
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
            asked = ALL_MOVES if len(drawn.tables.ordered) > 0 else move
            allowed |= allowed_moves(drawn, walk, length, open_cells, asked)
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
    open_cells: int,
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
        d = _draw(drawn, walk, length, open_cells, directions, rng)
        if d < 0:
            break
        walk[length] = drawn.neighbours[walk[length - 1], d]
        order[walk[length]] = length
        length += 1
    return length


@njit
def step_to(drawn: Drawn, walk: Ints, length: int, depth: int, cell: int) -> int:
    """Kernel: go back to a depth of the tree and on to a cell; the walk's length."""
    while length > depth:
        length -= 1
        drawn.order[walk[length]] = FREE_CELL
    walk[length] = cell
    drawn.order[cell] = length
    return length + 1


@njit
def forbidden_moves(drawn: Drawn, here: int, heading: int) -> int:
    """Kernel: what the rules forbid at a live end, as bits; masks are left."""
    return evaluate(
        drawn.tables,
        drawn.order,
        drawn.board,
        here,
        heading,
        drawn.scratch,
        drawn.masks,
    )


@njit
def ask(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: what the rules forbid at the end of a walk, as bits; masks are left."""
    here, heading = walk[length - 1], -1
    if length > 1:
        for d in range(4):
            if drawn.neighbours[here, d] == walk[length - 2]:
                heading = (d + 2) % 4
    return forbidden_moves(drawn, here, heading)


@njit
def _follow(
    drawn: Drawn,
    depth: Ints,
    cell: Ints,
    masks: Bytes,
    options: Bytes,
    walk: Ints,
    length: int,
    open_cells: int,
) -> int:
    """Kernel: fill masks and options of positions of a tree; return the walk's length.

    `drawn.order`, `walk` and its length carry the walk from one run to the next.
    """
    end = drawn.board[2]
    for i in range(len(depth)):
        length = step_to(drawn, walk, length, depth[i], cell[i])
        free = 0
        for d in range(4):
            other = drawn.neighbours[cell[i], d]
            early = other == end and length < open_cells - 1
            if other >= 0 and drawn.order[other] == FREE_CELL and not early:
                free |= 1 << d
        options[i] = free
        ask(drawn, walk, length)
        for rule in range(len(drawn.masks)):
            masks[i, rule] = drawn.masks[rule]
    return length


def tree_masks(tables: Tables, tree: PositionTree) -> Iterator[TreeMasks]:
    """Yield what drawn rules forbid at all positions, a microsecond each or less."""
    drawn, board = new_drawn(tables, tree.board), tree.board
    walk, length = np.zeros(board.cells, np.int32), 0
    for begin in range(0, len(tree), CHUNK):
        part = slice(begin, begin + CHUNK)
        depth, cell = tree.depth[part].astype(np.int32), tree.cell[part]
        masks = np.zeros((len(depth), len(drawn.masks)), np.uint8)
        options = np.zeros(len(depth), np.uint8)
        room = masks, options, walk
        length = _follow(drawn, depth, cell, *room, length, board.open_cells)
        yield TreeMasks(masks, options, tree.good[part], depth)


def masks_along(drawn: Drawn, walk: Ints) -> Bytes:
    """Return what rules forbid before each step of a walk, (steps, rules).

    `drawn.order` is without visited cells before.
    """
    steps = len(walk) - 1
    masks = np.zeros((steps, len(drawn.masks)), np.uint8)
    options, made = np.zeros(steps, np.uint8), np.zeros(len(walk), np.int32)
    depth = np.arange(steps, dtype=np.int32)
    _follow(drawn, depth, walk[:-1], masks, options, made, 0, len(walk))
    return masks
