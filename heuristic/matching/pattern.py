"""The matching of a whole rule set at a position, in one kernel call.

`heuristic.matching.tables` has the placements of drawings, and a tree of their needs
for each heading. The kernel visits the nodes below the needs that hold.

The state of a walk is the array `order`: -1 for a free cell, -2 for a wall, else the
index of the cell in the walk.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heuristic.matching.areas import (
    Place,
    Room,
    area_holds,
    look_around,
    look_place,
    new_room,
    offset,
    turned,
)
from heuristic.matching.forced import Forced, new_forced, ties_hold
from heuristic.matching.sequence import REACH, SequenceTables, sequence_moves
from heuristic.matching.tables import (
    AREAS,
    COL_BIT,
    FREE_CELL,
    HAS_LEAVES,
    LEAVES,
    MASK,
    MIDDLE,
    MOVES,
    NEXT_BIT,
    NODES,
    NOT_END_CELL,
    ROW_BIT,
    RULE,
    RUNS,
    STATES,
    STATES_BIT,
    THEN,
    WALL_CELL,
    WAYS,
    Ints,
    Tables,
)
from solver.board import Board
from solver.jit import njit, njit_within

_NEED_STATES = 15  # bits of the look that are those of a need
ALL_MOVES = 15


class Drawn(NamedTuple):
    """Rules on one board, and the working memory of their kernels.

    - `neighbours`, (cells, 4): those of the board.
    - `order`, (cells,): the walk; see the module.
    - `board`: rows, columns, end.
    - `forced`, `sequence`: None if no rule needs forced edges, or is the sequence.
    - `masks`, (rules,): the moves that each rule forbids, as bits U = 1, R = 2, D = 4,
      L = 8. If it has one place, that is for all rules together. Then no rule may
      switch off another.
    """

    tables: Tables
    neighbours: Ints
    order: Ints
    board: tuple[int, int, int]
    room: Room
    forced: Forced | None
    sequence: SequenceTables | None
    masks: Ints
    open_cells: int


def new_drawn(
    tables: Tables, board: Board, sequence: SequenceTables | None = None
) -> Drawn:
    """Return rules on a board without visited cells."""
    reach = 1 if sequence is None else REACH
    for table in (tables.needs[:, :STATES], tables.offsets[:, :WAYS]):
        reach = max(reach, int(abs(table).max(initial=0)))
    return Drawn(
        tables,
        board.neighbours,
        new_order(board),
        (board.rows, board.cols, board.end),
        new_room(board, len(tables.shapes), reach),
        new_forced(tables, board),
        sequence,
        np.zeros(tables.blocks.shape[1], dtype=np.int32),
        board.open_cells,
    )


def new_order(board: Board, walk: Sequence[int] = ()) -> Ints:
    """Return the order array of a walk on a board, (cells,) int32.

    >>> new_order(Board.parse("2x2"), [0, 1])
    array([ 0,  1, -1, -1], dtype=int32)
    """
    order = np.full(board.cells, FREE_CELL, dtype=np.int32)
    order[list(board.walls)] = WALL_CELL
    order[list(walk)] = np.arange(len(walk), dtype=np.int32)
    return order


@njit_within
def _rest_matches(drawn: Drawn, placement: Ints, live_end: int, heading: int) -> bool:
    """Kernel: whether runs, areas and ties of a placement hold; its needs do."""
    tables, order, room = drawn.tables, drawn.order, drawn.room
    place = Place(drawn.board, live_end, heading)
    down, right = turned(drawn.board[1], heading)
    for r in range(placement[RUNS], placement[RUNS + 1]):
        first = live_end + offset(tables.runs[r], down, right)
        then = live_end + offset(tables.runs[r, THEN:], down, right)
        if order[first] >= order[then]:
            return False
    for a in range(placement[AREAS], placement[AREAS + 1]):
        if not area_holds(tables, tables.areas[a], room, place):
            return False
    return ties_hold(drawn.forced, tables, placement, order, room, place)


@njit
def free_neighbours(drawn: Drawn, live_end: int) -> int:
    """Kernel: the directions of free cells next to the live end, as bits."""
    free = 0
    for d in range(4):
        cell = drawn.neighbours[live_end, d]
        if cell >= 0 and drawn.order[cell] == FREE_CELL:
            free |= 1 << d
    return free


@njit
def list_matching(
    drawn: Drawn, live_end: int, heading: int, moves: int, matching: Ints
) -> int:
    """Kernel: visit the tree below the needs that hold, and return a number.

    `moves` are those in question, as bits. With `matching` of `new_matching`, the
    kernel lists there the leaves that match and forbid a move. It ignores precedence
    and marks, and returns the number of leaves. With an empty array it fills
    `drawn.masks` and returns the united mask.
    """
    tables, room, masks = drawn.tables, drawn.room, drawn.masks
    free = free_neighbours(drawn, live_end) & moves
    look_around(drawn.order, drawn.board, room)
    down, right = turned(room.width, heading)
    here = look_place(room, live_end) - MIDDLE * (down + right)
    nodes, firsts, leaves = tables.nodes, tables.firsts, tables.leaves
    at, end = tables.trees[heading, NODES], tables.trees[heading, NODES + 1]
    head, count, listing = tables.trees[heading, LEAVES], 0, len(matching) > 0
    united, last, wanted = 0, len(masks) - 1, free * 17 >> heading & ALL_MOVES
    while at < end:
        node = nodes[at]
        place = (
            here + (node >> ROW_BIT & MASK) * down + (node >> COL_BIT & MASK) * right
        )
        states = node >> STATES_BIT & room.look[place] & _NEED_STATES
        if node & wanted == 0 or not 0 < states < NOT_END_CELL:
            at = node >> NEXT_BIT
            continue
        if node & HAS_LEAVES:
            for leaf in range(head + firsts[at], head + firsts[at + 1]):
                placed = leaves[leaf]
                rule = min(placed[RULE], last)
                against = (placed[MOVES] * 17 << heading) >> 4 & free
                if not listing:
                    against &= ~masks[rule]
                if against == 0 or not _rest_matches(drawn, placed, live_end, heading):
                    continue
                if listing:
                    matching[count] = leaf
                    count += 1
                    continue
                masks[rule] |= against
                united |= against
                if last == 0:
                    wanted = (free & ~united) * 17 >> heading & ALL_MOVES
        at += 1
    return count if listing else united


@njit
def _with_precedence(blocks: Ints, masks: Ints) -> int:
    """Kernel: clear the masks of switched off rules; return the united mask."""
    united = 0
    for rule in range(len(masks)):
        if masks[rule] != 0:
            united |= masks[rule]
            for later in range(rule + 1, len(masks)):
                if blocks[rule, later] != 0:
                    masks[later] = 0
    return united


@njit
def evaluate(drawn: Drawn, live_end: int, heading: int, moves: int) -> int:
    """Kernel: apply a whole rule set at one position; return the united mask.

    Fills `drawn.masks`. Before the first step, with `heading` -1, no rule applies.
    `moves` are those in question, as bits: all if a rule can switch off others.
    """
    masks = drawn.masks
    masks[:] = 0
    if heading < 0:
        return 0
    united = list_matching(drawn, live_end, heading, moves, masks[:0])
    if len(drawn.tables.blocks) > 0:
        united = _with_precedence(drawn.tables.blocks, masks)
    place = look_place(drawn.room, live_end)
    return united | sequence_moves(
        drawn.sequence, drawn.room, place, heading, moves, masks
    )


def new_matching(tables: Tables) -> Ints:
    """Return an array for the leaves of `list_matching`."""
    return np.zeros(1 + len(tables.leaves), dtype=np.int32)
