"""Walks under drawn rules, in kernels: random ones, and all ways down a tree."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import (
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
)
from heuristic.matching.tables import FREE_CELL, Ints, Tables
from heuristic.rule import Followed, WalkResult
from heuristic.walks.tracked import CHUNK
from solver.board import Board, Position
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import seeded, shuffle

Bytes = npt.NDArray[np.uint8]

SLICE = 20_000  # steps of a walk, before Ctrl-C is heard


class Drawn(NamedTuple):
    """Drawn rules on one board, and what their kernels write on.

    Attributes
    ----------
    tables : Tables
    neighbours : (cells, 4) int32
    order : (cells,) int32
        The walk; see `heuristic.matching.pattern`.
    board : (rows, cols, end)
    scratch : int32
    masks : (rules,) int32
        What each rule forbids at the last position asked.
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
def allowed_moves(drawn: Drawn, walk: Ints, length: int, open_cells: int) -> int:
    """Kernel: the moves a walker may make, as bits; the end cell is entered last."""
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
    if free == 0:
        return 0
    forbidden = evaluate(
        drawn.tables, order, drawn.board, here, heading, drawn.scratch, drawn.masks
    )
    return free & ~forbidden


@njit
def _draw(
    moves: int,
    unvisited: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: one of the moves at random, drawn as every walker draws it."""
    count = 0
    for d in range(4):
        if (unvisited >> d) & 1:
            directions[count] = d
            count += 1
    shuffle(rng, directions, count)
    for i in range(count):
        if (moves >> directions[i]) & 1:
            return int(directions[i])
    return -1


@njit
def _random_walk(
    drawn: Drawn,
    walk: Ints,
    length: int,
    most: int,
    open_cells: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel of `DrawnWalker.walk`: fill `walk` from `length` on, 1 is a new walk.

    Returns the new length, which is `most` if the walk can go on.
    """
    order, neighbours = drawn.order, drawn.neighbours
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = FREE_CELL
        order[walk[0]] = 0
    while length < most:
        here, unvisited = walk[length - 1], 0
        for d in range(4):
            cell = neighbours[here, d]
            if cell >= 0 and order[cell] == FREE_CELL:
                unvisited |= 1 << d
        moves = allowed_moves(drawn, walk, length, open_cells)
        d = _draw(moves, unvisited, directions, rng)
        if d < 0:
            break
        walk[length] = neighbours[here, d]
        order[walk[length]] = length
        length += 1
    return length


class DrawnWalker:
    """Random walks under drawn rules; `heuristic.rule.Walker`."""

    def __init__(self, tables: Tables, board: Board) -> None:
        drawn = new_drawn(tables, board)
        if len(tables.nodes):  # which rule forbids a move does not matter here
            drawn = drawn._replace(masks=drawn.masks[:1])
        self._board, self._drawn = board, drawn
        self._walk = np.full(board.cells, board.start, dtype=np.int32)
        self._directions = np.zeros(4, dtype=np.int64)

    def walk(self, seed: int) -> WalkResult:
        """Walk from the start until the board is full or no move is allowed."""
        board, rng, length, most = self._board, seeded(seed), 1, 1
        while length == most and length < board.open_cells:  # else full, or stuck
            most = min(length + SLICE, board.open_cells)
            length = _random_walk(
                self._drawn,
                self._walk,
                length,
                most,
                board.open_cells,
                self._directions,
                rng,
            )
        position = Position(board, tuple(self._walk[:length].tolist()))
        return WalkResult(position, not position.complete)


class _Places(NamedTuple):
    """A run of positions of a tree, and what is found there; see `Followed`."""

    depth: Ints
    cell: Ints
    masks: Bytes
    options: Bytes


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
def ask(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: what the rules forbid at the end of a walk, as bits; masks are left."""
    here, heading = walk[length - 1], -1
    if length > 1:
        for d in range(4):
            if drawn.neighbours[here, d] == walk[length - 2]:
                heading = (d + 2) % 4
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
def _follow(
    drawn: Drawn, places: _Places, walk: Ints, length: int, open_cells: int
) -> int:
    """Kernel: fill masks and options of some places; return the walk's length.

    `drawn.order`, `walk` and its length carry the walk from one run to the next.
    """
    end = drawn.board[2]
    for i in range(len(places.depth)):
        cell = places.cell[i]
        length = step_to(drawn, walk, length, places.depth[i], cell)
        free = 0
        for d in range(4):
            other = drawn.neighbours[cell, d]
            early = other == end and length < open_cells - 1
            if other >= 0 and drawn.order[other] == FREE_CELL and not early:
                free |= 1 << d
        places.options[i] = free
        ask(drawn, walk, length)
        for rule in range(len(drawn.masks)):
            places.masks[i, rule] = drawn.masks[rule]
    return length


def followed(tables: Tables, tree: PositionTree) -> Iterator[Followed]:
    """Yield what drawn rules say at all positions, a microsecond each or less."""
    drawn = new_drawn(tables, tree.board)
    walk = np.zeros(tree.board.cells, np.int32)
    length = 0
    for begin in range(0, len(tree), CHUNK):
        depth = tree.depth[begin : begin + CHUNK].astype(np.int32)
        places = _Places(
            depth,
            tree.cell[begin : begin + CHUNK],
            np.zeros((len(depth), len(drawn.masks)), np.uint8),
            np.zeros(len(depth), np.uint8),
        )
        length = _follow(drawn, places, walk, length, tree.board.open_cells)
        good = tree.good[begin : begin + CHUNK]
        yield Followed(places.masks, places.options, good, depth)
