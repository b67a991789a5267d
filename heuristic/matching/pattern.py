"""Match a whole rule set in one kernel call, by flat tables.

`heuristic.matching.tables` lays every drawing on the board in every placement
beforehand; at a position only the placements of the walk's heading are tried, rule by
rule. Most of them fail at their first or second cell, so a step costs little more than
one look a placement.

The state of a walk is the array `order`: for each cell -1 when free, -2 for a wall,
else its index in the walk.

The semantics of areas stand in `heuristic.rules.drawing`; here they are carried out. A
*shape* is an area's line with its inside and outside cells, as (rows down, cols right)
from the live end. Areas that differ in their condition alone share a shape, and a shape
is filled at most once a step.

Scratch, one int32 array of `scratch_size` entries, all zero at first:
``[0]`` the stamp of the last fill, ``[1]`` the number of the last step, then a stamp
a cell, a stack of cells, and four numbers a shape: step, state, size, black.
"""

from collections.abc import Sequence

import numpy as np

from heuristic.matching.forced import fill_lines, lines_of, lines_size
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    BEGIN,
    BELOW,
    BEYOND,
    COL,
    DETERMINED,
    END,
    FREE_CELL,
    HIGH,
    IMPAIR,
    INSIDE,
    INSIDE_END,
    IS_FREE,
    IS_OUTSIDE,
    IS_VISITED,
    KIND,
    LEAST,
    LINE,
    LINE_END,
    LOW,
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT,
    NOT_END_CELL,
    OF_RULE,
    OUTSIDE,
    OUTSIDE_END,
    PAIR,
    ROW,
    RULE,
    RUNS,
    RUNS_END,
    SAME_COLOUR,
    SHAPE,
    SKIP,
    STATES,
    STOPS,
    THEN_COL,
    THEN_ROW,
    TIES,
    TIES_END,
    UNLESS,
    UNLESS_END,
    WALL_CELL,
    WAY,
    WITHIN,
    Ints,
    Tables,
)
from solver.board import Board
from solver.jit import njit, njit_within

CLOSED, OPEN = 1, 2  # states of a shape
STAMP, STEP = 0, 1  # entries of scratch
HEAD = 2  # entries of scratch before the stamps
FILLED_IN, FILLED, SIZE, BLACK = range(4)  # entries of a shape: step, state, counts
_MANY = 1 << 30  # stamps before scratch is cleared


def scratch_size(cells: int, shapes: int) -> int:
    """Return the number of int32 entries that the kernels need between steps.

    >>> scratch_size(25, 3)
    64
    """
    return HEAD + 2 * cells + 4 * shapes


@njit
def slot_of(shape: int, cells: int) -> int:
    """Kernel: where the four numbers of a shape begin in scratch."""
    return HEAD + 2 * cells + 4 * shape


@njit
def next_step(scratch: Ints) -> None:
    """Forget the shapes of the last step; called once before a step's first fill."""
    if scratch[STAMP] > _MANY or scratch[STEP] > _MANY:
        scratch[:] = 0
    scratch[STEP] += 1


@njit
def on_board_free(order: Ints, rows: int, cols: int, row: int, col: int) -> bool:
    """Tell whether (row, col) lies on the board and is free; checks nothing else."""
    inside = 0 <= row < rows and 0 <= col < cols
    return inside and order[row * cols + col] == FREE_CELL


@njit
def fill_shape(
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    shape: Ints,
    offsets: Ints,
    scratch: Ints,
    slot: int,
) -> int:
    """Kernel: fill one shape around the live end and say CLOSED or OPEN.

    `board` is (rows, cols, end); `shape` is a row of `Tables.shapes`: bounds of its
    line, inside and outside cells in `offsets`. Size and black cells (colour of the
    live end) are left in ``scratch[slot + SIZE]`` and ``[slot + BLACK]``; cells of a
    closed area carry the stamp ``scratch[STAMP]``. At most 4 x cells steps; stops at
    the first cell that shows the area open.
    """
    rows, cols, end = board
    row0, col0 = live_end // cols, live_end % cols
    end_row, end_col = end // cols, end % cols
    seen, stack = HEAD, HEAD + rows * cols
    scratch[STAMP] += 2
    stamp = scratch[STAMP]
    beyond = stamp - 1  # marks the outside cells: reaching one shows the area open
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
        if on_board_free(order, rows, cols, row, col):
            scratch[seen + row * cols + col] = beyond
    size, black, top = 0, 0, 0
    for k in range(shape[LINE], shape[LINE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
        cell = row * cols + col
        if cell == end:
            return OPEN
        scratch[seen + cell] = stamp
        size += 1
        black += 1 - ((row + col + row0 + col0) & 1)
    for k in range(shape[INSIDE], shape[INSIDE_END]):
        row, col = row0 + offsets[k, ROW], col0 + offsets[k, COL]
        if not on_board_free(order, rows, cols, row, col):
            continue
        cell = row * cols + col
        if cell == end:
            return OPEN
        if scratch[seen + cell] != stamp:
            scratch[seen + cell] = stamp
            scratch[stack + top] = cell
            top += 1
    while top > 0:
        top -= 1
        cell = scratch[stack + top]
        row, col = cell // cols, cell % cols
        size += 1
        black += 1 - ((row + col + row0 + col0) & 1)
        # the steps towards the end cell are pushed last and tried first: an area that
        # holds the end cell shows it soon, instead of after most of the board
        down, right = 1 if row < end_row else -1, 1 if col < end_col else -1
        for d in range(4):
            r = row + (down if d == 3 else -down if d == 0 else 0)
            c = col + (right if d == 2 else -right if d == 1 else 0)
            if not on_board_free(order, rows, cols, r, c):
                continue
            other = r * cols + c
            if scratch[seen + other] == stamp:
                continue
            if other == end or scratch[seen + other] == beyond:
                return OPEN
            scratch[seen + other] = stamp
            scratch[stack + top] = other
            top += 1
    scratch[slot + FILLED] = CLOSED
    scratch[slot + SIZE] = size
    scratch[slot + BLACK] = black
    return CLOSED


@njit
def condition_holds(area: Ints, size: int, black: int) -> bool:
    """Kernel: judge a row of `Tables.areas` by the counts of a closed area."""
    kind, surplus = area[KIND], size - 2 * black
    if size < area[LEAST]:
        return False
    if kind == PAIR:
        return size % 2 == 0
    if kind == IMPAIR:
        return size % 2 == 1
    if kind == DETERMINED:
        more = -surplus if area[SAME_COLOUR] == 1 else surplus
        return size % 2 == 1 and more != 1
    if kind == WITHIN:
        return bool(area[LOW] <= surplus <= area[HIGH])
    if kind == BEYOND:
        return bool(surplus < area[LOW] or surplus > area[HIGH])
    return True


@njit_within
def need_holds(
    allowed: int,
    row: int,
    col: int,
    order: Ints,
    board: tuple[int, int, int],
) -> bool:
    """Kernel: test the state of a cell against the bits of a row of `Tables.needs`."""
    rows, cols, end = board
    if not (0 <= row < rows and 0 <= col < cols):
        return allowed & IS_OUTSIDE != 0
    cell = row * cols + col
    at = order[cell]
    bit = IS_FREE if at == FREE_CELL else (IS_VISITED if at >= 0 else IS_OUTSIDE)
    return allowed & bit != 0 and not (allowed & NOT_END_CELL != 0 and cell == end)


@njit
def needs_hold(
    needs: Ints,
    begin: int,
    end: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
) -> bool:
    """Kernel: test rows `begin` to `end` of `Tables.needs` at a live end."""
    row0, col0 = live_end // board[1], live_end % board[1]
    for n in range(begin, end):
        row, col = row0 + needs[n, ROW], col0 + needs[n, COL]
        if not need_holds(needs[n, STATES], row, col, order, board):
            return False
    return True


@njit
def placement_matches(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test needs, then all else of placement `p` at a live end."""
    begin, end = tables.placements[p, NEEDS], tables.placements[p, NEEDS_END]
    return needs_hold(
        tables.needs, begin, end, order, board, live_end
    ) and rest_matches(tables, p, order, board, live_end, scratch)


@njit
def _ties_hold(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test forced edges and ends of forced lines of placement `p`.

    What is forced is found once a step, when the first placement asks.
    """
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    found_in = slot_of(len(tables.shapes), rows * cols)
    lines = lines_of(scratch, found_in + 1, rows * cols)
    if scratch[found_in] != scratch[STEP]:
        scratch[found_in] = scratch[STEP]
        fill_lines(order, board, live_end, lines)
    for t in range(tables.placements[p, TIES], tables.placements[p, TIES_END]):
        tie = tables.ties[t]
        one = (row0 + tie[ROW]) * cols + col0 + tie[COL]
        other = (row0 + tie[THEN_ROW]) * cols + col0 + tie[THEN_COL]
        if tie[WAY] != 0:
            if lines.ways[one] & tie[WAY] == 0:
                return False
        elif lines.mates[one] != other:
            return False
    return True


@njit
def rest_matches(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test runs, ties and areas of placement `p`, whose needs hold."""
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    placement = tables.placements[p]
    for r in range(placement[RUNS], placement[RUNS_END]):
        run = tables.runs[r]
        first = (row0 + run[ROW]) * cols + col0 + run[COL]
        then = (row0 + run[THEN_ROW]) * cols + col0 + run[THEN_COL]
        if order[first] >= order[then]:
            return False
    if placement[TIES] < placement[TIES_END] and not _ties_hold(
        tables, p, order, board, live_end, scratch
    ):
        return False
    for a in range(placement[AREAS], placement[AREAS_END]):
        shape = tables.areas[a, SHAPE]
        slot = slot_of(shape, rows * cols)
        if scratch[slot + FILLED_IN] != scratch[STEP]:
            fill_shape(
                order,
                board,
                live_end,
                tables.shapes[shape],
                tables.offsets,
                scratch,
                slot,
            )
        if scratch[slot + FILLED] != CLOSED or not condition_holds(
            tables.areas[a], scratch[slot + SIZE], scratch[slot + BLACK]
        ):
            return False
    return True


@njit_within
def is_asked(rule: Ints, unless: Ints, masks: Ints) -> bool:
    """Kernel: tell whether none of the rules in front forbade anything, by a row."""
    forbade = 0
    for u in range(rule[UNLESS], rule[UNLESS_END]):
        forbade |= masks[unless[u]]
    return bool(forbade == 0)


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
def _climb(
    tables: Tables,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    scratch: Ints,
    masks: Ints,
) -> int:
    """Kernel of `evaluate` for rules with a tree of needs: look below what holds."""
    row0, col0 = live_end // board[1], live_end % board[1]
    free = free_neighbours(order, board, live_end)
    next_step(scratch)
    nodes, placements, last = tables.nodes, tables.placements, len(masks) - 1
    united, at, end = 0, tables.node_heads[heading], tables.node_heads[heading + 1]
    while at < end:
        wanted = nodes[at, BELOW] & free
        if last == 0:
            wanted &= ~united
        row, col = row0 + nodes[at, ROW], col0 + nodes[at, COL]
        if wanted == 0 or not need_holds(nodes[at, STATES], row, col, order, board):
            at = nodes[at, NEXT]
            continue
        for leaf in range(nodes[at, BEGIN], nodes[at, END]):
            p = tables.leaves[leaf]
            rule = min(placements[p, RULE], last)
            wanted = placements[p, MOVES] & free & ~masks[rule]
            if wanted != 0 and rest_matches(tables, p, order, board, live_end, scratch):
                masks[rule] |= wanted
                united |= wanted
        at += 1
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
        One number is enough for all rules together where there is a tree of needs.
        Filled: the forbidden free neighbours of the live end, one mask a rule, bits
        U = 1, R = 2, D = 4, L = 8.
    """
    masks[:] = 0
    if heading < 0:
        return 0
    if len(tables.nodes) > 0:
        return _climb(tables, order, board, live_end, heading, scratch, masks)
    row0, col0 = live_end // board[1], live_end % board[1]
    free = free_neighbours(order, board, live_end)
    next_step(scratch)
    # plain arrays: a call that takes all tables costs as much as many needs
    groups, placements, needs = tables.groups, tables.placements, tables.needs
    united, asked, current = 0, True, -1
    for g in range(tables.group_heads[heading], tables.group_heads[heading + 1]):
        rule = groups[g, OF_RULE]
        if rule != current:
            if (
                current >= 0
                and masks[current] != 0
                and tables.rules[current, STOPS] == 1
            ):
                break
            current, asked = rule, is_asked(tables.rules[rule], tables.unless, masks)
        row, col = row0 + groups[g, ROW], col0 + groups[g, COL]
        if not asked or not need_holds(groups[g, STATES], row, col, order, board):
            continue
        p = groups[g, BEGIN]
        while p < groups[g, END]:
            wanted = placements[p, MOVES] & free & ~masks[rule]
            if wanted != 0:
                begin, end = placements[p, NEEDS], placements[p, NEEDS_END]
                if not needs_hold(needs, begin, end, order, board, live_end):
                    p = placements[p, SKIP]
                    continue
                if rest_matches(tables, p, order, board, live_end, scratch):
                    masks[rule] |= wanted
                    united |= wanted
            p += 1
    return united


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

    Behind what areas need, where there are ties: the number of the step that found what
    is forced, and the room for that.
    """
    size = scratch_size(board.cells, len(tables.shapes))
    size += 1 + lines_size(board.cells) if len(tables.ties) else 0
    return np.zeros(size, dtype=np.int32)
