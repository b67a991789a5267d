"""Match a whole rule set in one kernel call, by flat tables.

`heuristic.matching.tables` lays every drawing on the board in every placement
beforehand; at a position only the placements of the walk's heading are tried, rule by
rule. Most of them fail at their first or second cell, so a step costs little more than
one look a placement.

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
    BEGIN,
    COL,
    COL_BIT,
    END,
    FREE_CELL,
    HAS_LEAVES,
    IS_FREE,
    IS_OUTSIDE,
    IS_VISITED,
    MASK,
    MIDDLE,
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT_BIT,
    NOT_END_CELL,
    OF_RULE,
    ROW,
    ROW_BIT,
    RULE,
    RUNS,
    RUNS_END,
    SHAPE,
    SKIP,
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
def need_holds(
    allowed: int, row: int, col: int, order: Ints, board: tuple[int, int, int]
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
    ) and rest_matches(tables, tables.placements[p], order, board, live_end, scratch)


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
            if len(tables.nodes) == 0 or not count_area(
                order, board, live_end, row, offsets, scratch, slot
            ):
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
) -> int:
    """Kernel of `evaluate` for rules with a tree of needs: look below what holds."""
    free = free_neighbours(order, board, live_end) & asked
    next_step(scratch)
    look_around(order, board, scratch)
    down, right = _turned(scratch[WIDTH], heading)
    here = place_of(scratch, live_end) - MIDDLE * (down + right)
    nodes, firsts, leaves = tables.nodes, tables.firsts, tables.leaves
    at, end, more = tables.node_heads[heading]
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
            for leaf in range(more + firsts[at], more + firsts[at + 1]):
                placed = leaves[leaf]
                rule = min(placed[RULE], last)
                wanted = placed[MOVES] & free & ~masks[rule]
                if wanted != 0 and rest_matches(
                    tables, placed, order, board, live_end, scratch
                ):
                    masks[rule] |= wanted
                    united |= wanted
                    if last == 0:
                        turned = (free & ~united) * 17 >> heading & ALL_MOVES
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
        One number is enough for all rules together where there is a tree of needs.
        Filled: the forbidden free neighbours of the live end, one mask a rule, bits
        U = 1, R = 2, D = 4, L = 8.
    moves : int
        Those that are asked for, as bits; of use where there is a tree of needs.
    """
    masks[:] = 0
    if heading < 0:
        return 0
    if len(tables.nodes) > 0:
        return _climb(tables, order, board, live_end, heading, scratch, masks, moves)
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
                if rest_matches(tables, placements[p], order, board, live_end, scratch):
                    masks[rule] |= wanted
                    united |= wanted
            p += 1
    return united


@njit
def first_match(
    tables: Tables,
    rule: int,
    move: int,
    live_end: int,
    heading: int,
    order: Ints,
    board: tuple[int, int, int],
    scratch: Ints,
) -> int:
    """Kernel: the first placement of a rule that forbids a move, as a bit; or -1."""
    next_step(scratch)
    for p in range(tables.heads[heading], tables.heads[heading + 1]):
        if (
            tables.placements[p, RULE] == rule
            and tables.placements[p, MOVES] & move != 0
            and placement_matches(tables, p, order, board, live_end, scratch)
        ):
            return p
    return -1


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
    contour = contour_size(board.cells) if len(tables.nodes) else 0
    return blank_scratch(board, len(tables.shapes), int(reach), more, contour)
