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
is filled at most once each time that the rules are asked.

Scratch is one int32 array from `blank_scratch`: `HEAD` numbers, four a shape (step,
state, size, black), what is forced, a stack of cells, and last the *look*: the board
with a margin, so wide that no cell of a drawing lies beyond, as bits of a need. Most
tests are one look there, without a division or a test of bounds.
"""

from collections.abc import Sequence

import numpy as np

from heuristic.matching.contour import (
    contour_of,
    contour_size,
    count_shape,
    trace,
)
from heuristic.matching.forced import fill_lines, is_dead, lines_of, lines_size
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    BEGIN,
    BEYOND,
    COL,
    COL_BIT,
    DETERMINED,
    END,
    FREE_CELL,
    HAS_LEAVES,
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
    MASK,
    MIDDLE,
    MOVES,
    NEEDS,
    NEEDS_END,
    NEXT_BIT,
    NOT_END_CELL,
    OF_RULE,
    OUTSIDE,
    OUTSIDE_END,
    PAIR,
    ROW,
    ROW_BIT,
    RULE,
    RUNS,
    RUNS_END,
    SAME_COLOUR,
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
    WITHIN,
    Ints,
    Tables,
)
from solver.board import Board
from solver.jit import njit, njit_within

CLOSED, OPEN = 1, 2  # states of a shape
# Entries of scratch: the number of the step, and of the step that the look is of; the
# stamp of the last fill; where stack and first cell of the look are; its and the
# board's columns.
STEP, LOOKED, STAMP, STACK, ORIGIN, WIDTH, COLS, CONTOUR, TRACED, HOLES = range(10)
HEAD = 10
FILLED_IN, FILLED, SIZE, BLACK = range(4)  # entries of a shape: step, state, counts
_STAMPED = -16  # bits of the look that are a stamp; the others are those of a need
_NEED_STATES = 15
ALL_MOVES = 15
_MANY = 1 << 30  # steps before scratch is cleared


def blank_scratch(
    board: Board, shapes: int, reach: int, more: int = 0, contour: int = 0
) -> Ints:
    """Return what the kernels write on between steps.

    `reach` is how far from the live end a cell may be looked at, `more` the room for
    what is forced, `contour` that for the contour of the free cells.
    """
    width = board.cols + 2 * reach
    width += 1 - width % 2  # odd: cells have the colours of their numbers
    stack = HEAD + 4 * shapes + more
    look = stack + board.cells
    end = look + width * (board.rows + 2 * reach)
    scratch = np.zeros(end + contour, dtype=np.int32)
    scratch[look:end] = IS_OUTSIDE
    begin = look + reach * (width + 1)
    scratch[STACK : CONTOUR + 1] = stack, begin, width, board.cols, end
    return scratch


@njit
def slot_of(shape: int) -> int:
    """Kernel: where the four numbers of a shape begin in scratch."""
    return HEAD + 4 * shape


@njit
def place_of(scratch: Ints, cell: int) -> int:
    """Kernel: where a cell stands in the look."""
    cols = scratch[COLS]
    return int(scratch[ORIGIN] + cell // cols * scratch[WIDTH] + cell % cols)


@njit
def next_step(scratch: Ints) -> None:
    """Forget the shapes of the last step; called once before a step's first fill."""
    if scratch[STEP] > _MANY:
        scratch[STEP] = scratch[LOOKED] = scratch[TRACED] = 0
        scratch[HEAD : scratch[STACK]] = 0
    scratch[STEP] += 1


@njit
def look_around(order: Ints, board: tuple[int, int, int], scratch: Ints) -> None:
    """Kernel: fill the look and forget all stamps, once a step."""
    if scratch[LOOKED] == scratch[STEP]:
        return
    scratch[LOOKED], scratch[STAMP] = scratch[STEP], 0
    rows, cols, end = board
    for row in range(rows):
        first, place = row * cols, scratch[ORIGIN] + row * scratch[WIDTH]
        for col in range(cols):
            at = order[first + col]
            bit = IS_VISITED if at >= 0 else IS_OUTSIDE
            scratch[place + col] = IS_FREE if at == FREE_CELL else bit
    scratch[place_of(scratch, end)] |= NOT_END_CELL


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
    look_around(order, board, scratch)
    width, end = scratch[WIDTH], place_of(scratch, board[2])
    here, bottom = place_of(scratch, live_end), scratch[STACK]
    scratch[STAMP] += -2 * _STAMPED
    stamp = scratch[STAMP]
    beyond = stamp + _STAMPED  # marks the outside cells: one reached, the area is open
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN
    for k in range(shape[OUTSIDE], shape[OUTSIDE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        scratch[at] = scratch[at] & ~_STAMPED | beyond
    size, black, top = 0, 0, bottom
    for k in range(shape[LINE], shape[LINE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        if at == end:
            return OPEN
        scratch[at] = scratch[at] & ~_STAMPED | stamp
        size += 1
        black += 1 - ((at - here) & 1)
    for k in range(shape[INSIDE], shape[INSIDE_END]):
        at = here + offsets[k, ROW] * width + offsets[k, COL]
        if scratch[at] & IS_FREE == 0 or scratch[at] & _STAMPED == stamp:
            continue
        if at == end:
            return OPEN
        scratch[at] = scratch[at] & ~_STAMPED | stamp
        scratch[top] = at
        top += 1
    # the steps towards the end cell are pushed last and tried first: an area that
    # holds the end cell shows it soon, instead of after most of the board
    down = width if live_end // board[1] < board[2] // board[1] else -width
    right = 1 if live_end % board[1] < board[2] % board[1] else -1
    while top > bottom:
        top -= 1
        at = scratch[top]
        size += 1
        black += 1 - ((at - here) & 1)
        for d in range(4):
            other = at + (down if d == 3 else right if d == 2 else 0)
            other -= down if d == 0 else right if d == 1 else 0
            state = scratch[other]
            if state & IS_FREE == 0 or state & _STAMPED == stamp:
                continue
            if other == end or state & _STAMPED == beyond:
                return OPEN
            scratch[other] = state & ~_STAMPED | stamp
            scratch[top] = other
            top += 1
    scratch[slot + FILLED] = CLOSED
    scratch[slot + SIZE] = size
    scratch[slot + BLACK] = black
    return CLOSED


@njit
def _counted(
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    shape: Ints,
    offsets: Ints,
    scratch: Ints,
    slot: int,
) -> bool:
    """Kernel: do as `fill_shape` along the contour, if that says it; stamps nothing."""
    contour = contour_of(scratch, scratch[CONTOUR], board[0] * board[1])
    if scratch[TRACED] != scratch[STEP]:
        look_around(order, board, scratch)
        scratch[TRACED] = scratch[STEP]
        whole = trace(scratch, scratch[ORIGIN], scratch[WIDTH], board, contour)
        scratch[HOLES] = not whole
    if scratch[HOLES]:
        return False
    size, black = count_shape(board, live_end, shape, offsets, contour)
    if size < -1:
        return False
    scratch[slot + FILLED_IN] = scratch[STEP]
    scratch[slot + FILLED] = OPEN if size < 0 else CLOSED
    scratch[slot + SIZE], scratch[slot + BLACK] = size, black
    return True


@njit
def is_filled(scratch: Ints, cell: int) -> bool:
    """Kernel: tell whether a cell belongs to the closed area that was filled last."""
    return bool(scratch[place_of(scratch, cell)] & _STAMPED == scratch[STAMP])


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


@njit
def _steps_are_dead(
    tables: Tables,
    placement: Ints,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: follow the steps that a placement whose areas are there asks to be dead.

    What a step forces without any area is found once a step of the walk.
    """
    rows, cols, _ = board
    cells, areas = rows * cols, placement[AREAS_END] - placement[AREAS]
    found_in = slot_of(len(tables.shapes)) + 1 + lines_size(cells)
    lines = lines_of(scratch, found_in + 2, cells)
    if scratch[found_in] != scratch[STEP]:
        scratch[found_in], scratch[found_in + 1] = scratch[STEP], 0
    marked = False
    for t in range(placement[TIES], placement[TIES_END]):
        tie = tables.ties[t]
        if tie[WAY] >= 0:
            continue
        target, bit = live_end + tie[THEN_ROW] * cols + tie[THEN_COL], 1 << ~tie[WAY]
        known = scratch[found_in + 1]
        if known & bit == 0:
            dead = is_dead(order, board, target, lines, 0)
            scratch[found_in + 1] |= bit | (bit << 4 if dead else 0)
        if scratch[found_in + 1] & bit << 4:
            continue
        if areas == 0:
            return False
        if not marked:
            lines.areas[:] = 0
            marked = True
            for k in range(areas):
                shape = tables.areas[placement[AREAS] + k, SHAPE]
                slot, rule = slot_of(shape), tables.shapes[shape]
                offsets = tables.offsets
                fill_shape(order, board, live_end, rule, offsets, scratch, slot)
                for cell in range(cells):
                    lines.areas[cell] |= is_filled(scratch, cell) << k
        if not is_dead(order, board, target, lines, areas):
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
            if len(tables.nodes) == 0 or not _counted(
                order, board, live_end, row, offsets, scratch, slot
            ):
                fill_shape(order, board, live_end, row, offsets, scratch, slot)
        if scratch[slot + FILLED] != CLOSED or not condition_holds(
            tables.areas[a], scratch[slot + SIZE], scratch[slot + BLACK]
        ):
            return False
    last = placement[TIES_END] - 1  # steps that are followed come last
    if placement[TIES] <= last and tables.ties[last, WAY] < 0:
        return _steps_are_dead(tables, placement, order, board, live_end, scratch)
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
    for table in (tables.needs[:, :STATES], tables.offsets):
        reach = max(reach, table.max(initial=0), -table.min(initial=0))
    more = 3 + 2 * lines_size(board.cells) if len(tables.ties) else 0
    contour = contour_size(board.cells) if len(tables.nodes) else 0
    return blank_scratch(board, len(tables.shapes), int(reach), more, contour)
