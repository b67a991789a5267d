"""Match a whole rule set in one kernel call, by flat tables.

`heuristic.matching.tables` lays every drawing on the board in every placement and makes
a tree of what they need; at a position the kernel looks below the needs that hold, in
the tree of the walk's heading.

The state of a walk is the array `order`: for each cell -1 when free, -2 for a wall,
else its index in the walk.

Areas are found by `heuristic.matching.areas`, which also says what scratch is; what is
forced by `heuristic.matching.forced`.
"""

from collections.abc import Sequence

import numpy as np

from heuristic.matching.areas import (
    BLACK,
    CLOSED,
    FILLED,
    FILLED_IN,
    SIZE,
    STEP,
    WIDTH,
    blank_scratch,
    condition_holds,
    count_area,
    fill_shape,
    look_around,
    next_step,
    place_of,
    slot_of,
)
from heuristic.matching.contour import contour_size
from heuristic.matching.following import room_to_follow, steps_are_dead
from heuristic.matching.forced import fill_lines, lines_of, lines_size
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    COL,
    COL_BIT,
    FREE_CELL,
    HAS_LEAVES,
    MASK,
    MIDDLE,
    MOVES,
    NEXT_BIT,
    NOT_END_CELL,
    ROW,
    ROW_BIT,
    RULE,
    RUNS,
    RUNS_END,
    SHAPE,
    STATES,
    STATES_BIT,
    STOPS,
    THEN_COL,
    THEN_ROW,
    TIES,
    TIES_END,
    UNLESS,
    UNLESS_END,
    WALL_CELL,
    WAY,
    WAYS,
    Ints,
    Tables,
)
from solver.board import Board
from solver.jit import njit, njit_within

_NEED_STATES = 15  # bits of the look that are those of a need
ALL_MOVES = 15


@njit_within
def _ties_hold(
    tables: Tables,
    placement: Ints,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test forced edges and ends of forced lines of a placement.

    What is forced is found once a step, when the first placement asks.
    """
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    found_in = slot_of(len(tables.shapes))
    lines = lines_of(scratch, found_in + 1, rows * cols)
    if scratch[found_in] != scratch[STEP]:
        scratch[found_in] = scratch[STEP]
        fill_lines(order, board, live_end, lines)
    for t in range(placement[TIES], placement[TIES_END]):
        tie = tables.ties[t]
        one = (row0 + tie[ROW]) * cols + col0 + tie[COL]
        other = (row0 + tie[THEN_ROW]) * cols + col0 + tie[THEN_COL]
        if tie[WAY] > 0:
            if lines.ways[one] & tie[WAY] == 0:
                return False
        elif tie[WAY] == 0 and lines.mates[one] != other:
            return False
    return True


@njit_within
def rest_matches(
    tables: Tables,
    placement: Ints,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test runs, ties and areas of a placement whose needs hold."""
    cols = board[1]
    row0, col0 = live_end // cols, live_end % cols
    for r in range(placement[RUNS], placement[RUNS_END]):
        run = tables.runs[r]
        first = (row0 + run[ROW]) * cols + col0 + run[COL]
        then = (row0 + run[THEN_ROW]) * cols + col0 + run[THEN_COL]
        if order[first] >= order[then]:
            return False
    if placement[TIES] < placement[TIES_END] and not _ties_hold(
        tables, placement, order, board, live_end, scratch
    ):
        return False
    for a in range(placement[AREAS], placement[AREAS_END]):
        shape = tables.areas[a, SHAPE]
        slot = slot_of(shape)
        if scratch[slot + FILLED_IN] != scratch[STEP]:
            row, offsets = tables.shapes[shape], tables.offsets
            if not count_area(order, board, live_end, row, offsets, scratch, slot):
                fill_shape(order, board, live_end, row, offsets, scratch, slot)
        if scratch[slot + FILLED] != CLOSED or not condition_holds(
            tables.areas[a], scratch[slot + SIZE], scratch[slot + BLACK]
        ):
            return False
    last = placement[TIES_END] - 1  # steps that are followed come last
    if placement[TIES] <= last and tables.ties[last, WAY] < 0:
        return steps_are_dead(tables, placement, order, board, live_end, scratch)
    return True


@njit_within
def free_neighbours(order: Ints, board: tuple[int, int, int], live_end: int) -> int:
    """Kernel: the directions of free cells beside the live end, as bits."""
    rows, cols, _ = board
    row, col, free = live_end // cols, live_end % cols, 0
    if row > 0 and order[live_end - cols] == FREE_CELL:
        free |= 1
    if col + 1 < cols and order[live_end + 1] == FREE_CELL:
        free |= 2
    if row + 1 < rows and order[live_end + cols] == FREE_CELL:
        free |= 4
    if col > 0 and order[live_end - 1] == FREE_CELL:
        free |= 8
    return free


@njit
def _turned(width: int, heading: int) -> tuple[int, int]:
    """Kernel: steps in the look, one down and one right if the heading were U."""
    if heading % 2 == 0:
        return (width, 1) if heading == 0 else (-width, -1)
    return (-1, width) if heading == 1 else (1, -width)


@njit
def _climb(
    tables: Tables,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    scratch: Ints,
    masks: Ints,
    asked: int,
    matching: Ints,
) -> int:
    """Kernel of `evaluate` and `list_matching`: look below the needs that hold.

    `matching` has no room, or is filled; then masks are not.
    """
    free = free_neighbours(order, board, live_end) & asked
    next_step(scratch)
    look_around(order, board, scratch)
    down, right = _turned(scratch[WIDTH], heading)
    here = place_of(scratch, live_end) - MIDDLE * (down + right)
    nodes, firsts, leaves = tables.nodes, tables.firsts, tables.leaves
    at, end = tables.node_heads[heading]
    head, count, listing = tables.heads[heading], 0, len(matching) > 0
    united, last, turned = 0, len(masks) - 1, free * 17 >> heading & ALL_MOVES
    while at < end:
        node = nodes[at]
        place = (
            here + (node >> ROW_BIT & MASK) * down + (node >> COL_BIT & MASK) * right
        )
        states = node >> STATES_BIT & scratch[place] & _NEED_STATES
        if node & turned == 0 or not 0 < states < NOT_END_CELL:
            at = node >> NEXT_BIT
            continue
        if node & HAS_LEAVES:
            for leaf in range(head + firsts[at], head + firsts[at + 1]):
                placed = leaves[leaf]
                rule = min(placed[RULE], last)
                wanted = placed[MOVES] & free
                if not listing:
                    wanted &= ~masks[rule]
                if wanted == 0 or not rest_matches(
                    tables, placed, order, board, live_end, scratch
                ):
                    continue
                if listing:
                    matching[count] = leaf
                    count += 1
                    continue
                masks[rule] |= wanted
                united |= wanted
                if last == 0:
                    turned = (free & ~united) * 17 >> heading & ALL_MOVES
        at += 1
    return count if listing else united


@njit
def _with_precedence(tables: Tables, masks: Ints) -> int:
    """Kernel: clear the masks of rules that are not asked; return the united mask.

    A rule is not asked behind one that stops and forbids a move, nor where one of
    those that it excludes does.
    """
    united, stopped = 0, False
    for rule in range(len(masks)):
        asked = not stopped
        for u in range(tables.rules[rule, UNLESS], tables.rules[rule, UNLESS_END]):
            asked &= masks[tables.unless[u]] == 0
        if not asked:
            masks[rule] = 0
        united |= masks[rule]
        stopped |= masks[rule] != 0 and tables.rules[rule, STOPS] == 1
    return united


@njit
def evaluate(
    tables: Tables,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    scratch: Ints,
    masks: Ints,
    moves: int = ALL_MOVES,
) -> int:
    """Kernel: ask a whole rule set at one position; return the united mask.

    Parameters
    ----------
    tables : Tables
        From `compile_rules`.
    order : (cells,) int32
        Index in the walk of every cell; -1 free, -2 wall.
    board : (rows, cols, end) ints
        See `board_numbers`.
    live_end, heading : int
        The last cell and the direction of the last step, -1 before the first step:
        then no rule is asked.
    scratch : int32
        From `new_scratch`, kept between calls on one board and rule set.
    masks : (rules,) int32
        Filled: the forbidden free neighbours of the live end, one mask a rule, bits
        U = 1, R = 2, D = 4, L = 8. One number is enough for all rules together where
        none stops or excludes others.
    moves : int
        Those that are asked for, as bits; all where a rule stops or excludes others.
    """
    masks[:] = 0
    if heading < 0:
        return 0
    united = _climb(
        tables, order, board, live_end, heading, scratch, masks, moves, scratch[:0]
    )
    return _with_precedence(tables, masks) if len(tables.ordered) > 0 else united


@njit
def list_matching(
    tables: Tables,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    scratch: Ints,
    matching: Ints,
) -> int:
    """Kernel: list the leaves that match and forbid a move; return how many.

    Precedence is left out, and marks are not tested. `matching` has room for all
    leaves of a heading, and for one.
    """
    return _climb(
        tables,
        order,
        board,
        live_end,
        heading,
        scratch,
        scratch[:0],
        ALL_MOVES,
        matching,
    )


def board_numbers(board: Board) -> tuple[int, int, int]:
    """Return (rows, cols, end), as kernels take a board."""
    return board.rows, board.cols, board.end


def new_order(board: Board, walk: Sequence[int] = ()) -> Ints:
    """Return the order array of a walk on a board, (cells,) int32.

    >>> new_order(Board.parse("2x2"), [0, 1])
    array([ 0,  1, -1, -1], dtype=int32)
    """
    order = np.full(board.cells, FREE_CELL, dtype=np.int32)
    order[list(board.walls)] = WALL_CELL
    order[list(walk)] = np.arange(len(walk), dtype=np.int32)
    return order


def new_scratch(tables: Tables, board: Board) -> Ints:
    """Return the scratch array for a rule set on a board.

    It knows cells as far from the live end as a need or an area of the tables lies.
    """
    reach = 1
    for table in (tables.needs[:, :STATES], tables.offsets[:, :WAYS]):
        reach = max(reach, table.max(initial=0), -table.min(initial=0))
    more = 1 + lines_size(board.cells) if len(tables.ties) else 0
    more += room_to_follow(tables, board.cells)
    contour = contour_size(board.cells) if len(tables.shapes) else 0
    return blank_scratch(board, len(tables.shapes), int(reach), more, contour)


def new_matching(tables: Tables) -> Ints:
    """Return room for `list_matching`."""
    return np.zeros(1 + int(np.diff(tables.heads).max()), dtype=np.int32)
