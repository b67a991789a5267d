"""Match a whole rule set in one kernel call, by flat tables.

`heuristic.matching.compiling` lays every drawing on the board in every placement
beforehand; at a position only the placements of the walk's heading are tried, rule by
rule. Most of them fail at their first or second cell, so a step costs little more than
one look a placement.

The state of a walk is the array `order`: for each cell -1 when free, -2 for a wall,
else its index in the walk.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.matching.areas import CLOSED, HEAD, fill_shape, next_step, scratch_size
from solver.board import Board
from solver.jit import njit

Ints = npt.NDArray[np.int32]

PAIR, IMPAIR, DETERMINED, WITHIN, BEYOND = 1, 2, 3, 4, 5


class Tables(NamedTuple):
    """A compiled rule set, plain int32 arrays for kernels.

    Attributes
    ----------
    heads : (5,)
        Placements of heading h are rows ``heads[h]`` to ``heads[h + 1]``.
    placements : (n, 12)
        Rule, forbidden moves as bits, then begin and end of needs, areas, runs and
        marks, then the number of the drawing, then the next row with other needs or
        another rule. In the order of the rules.
    group_heads : (5,)
        Groups of heading h are rows ``group_heads[h]`` to ``group_heads[h + 1]``.
    groups : (n, 6)
        Placements of one rule that share their first need: row, column and states of
        the need, begin and end in `placements`, and the rule. Most groups fail here.
    needs : (n, 3)
        Row, column from the live end; allowed states as bits, 8 = not the end cell.
    areas : (n, 6)
        Shape, kind, low, high, 1 if the entry has the live end's colour, least size.
    shapes : (n, 6)
        Begin and end in `offsets` of the line, the inside and the outside cells.
    offsets : (n, 2)
    runs : (n, 4)
        Row, column of the first visited cell, then of the later one.
    marks : (n, 3)
        Row, column of an end of a future line; 1 near, 2 far, 4 of the first mark's
        line. `evaluate` does not look at them: `heuristic.future.futurerules` does.
    rules : (n, 3)
        1 if the rule stops, then begin and end in `unless`.
    unless : (n,)
        Numbers of earlier rules.
    """

    heads: Ints
    placements: Ints
    group_heads: Ints
    groups: Ints
    needs: Ints
    areas: Ints
    shapes: Ints
    offsets: Ints
    runs: Ints
    marks: Ints
    rules: Ints
    unless: Ints


@njit
def condition_holds(area: Ints, size: int, black: int) -> bool:
    """Kernel: judge a row of `Tables.areas` by the counts of a closed area."""
    kind, surplus = area[1], size - 2 * black
    if size < area[5]:
        return False
    if kind == PAIR:
        return size % 2 == 0
    if kind == IMPAIR:
        return size % 2 == 1
    if kind == DETERMINED:
        more = -surplus if area[4] == 1 else surplus
        return size % 2 == 1 and more != 1
    if kind == WITHIN:
        return bool(area[2] <= surplus <= area[3])
    if kind == BEYOND:
        return bool(surplus < area[2] or surplus > area[3])
    return True


@njit
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
        return allowed & 4 != 0
    cell = row * cols + col
    at = order[cell]
    bit = 1 if at == -1 else (2 if at >= 0 else 4)
    return allowed & bit != 0 and not (allowed & 8 != 0 and cell == end)


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
        row, col = row0 + needs[n, 0], col0 + needs[n, 1]
        if not need_holds(needs[n, 2], row, col, order, board):
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
    """Kernel: test needs, then runs, then areas of placement `p` at a live end."""
    begin, end = tables.placements[p, 2], tables.placements[p, 3]
    return needs_hold(
        tables.needs, begin, end, order, board, live_end
    ) and rest_matches(tables, p, order, board, live_end, scratch)


@njit
def rest_matches(
    tables: Tables,
    p: int,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: test runs and areas of placement `p`, whose needs hold."""
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    placement = tables.placements[p]
    for r in range(placement[6], placement[7]):
        first = (row0 + tables.runs[r, 0]) * cols + col0 + tables.runs[r, 1]
        then = (row0 + tables.runs[r, 2]) * cols + col0 + tables.runs[r, 3]
        if order[first] >= order[then]:
            return False
    for a in range(placement[4], placement[5]):
        shape = tables.areas[a, 0]
        slot = HEAD + 2 * rows * cols + 4 * shape
        if scratch[slot] != scratch[1]:
            fill_shape(
                order,
                board,
                live_end,
                tables.shapes[shape],
                tables.offsets,
                scratch,
                slot,
            )
        if scratch[slot + 1] != CLOSED or not condition_holds(
            tables.areas[a], scratch[slot + 2], scratch[slot + 3]
        ):
            return False
    return True


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
        Filled: the forbidden free neighbours of the live end, one mask a rule, bits
        U = 1, R = 2, D = 4, L = 8.
    """
    masks[:] = 0
    if heading < 0:
        return 0
    rows, cols, _ = board
    row0, col0 = live_end // cols, live_end % cols
    free = 0
    if row0 > 0 and order[live_end - cols] == -1:
        free |= 1
    if col0 + 1 < cols and order[live_end + 1] == -1:
        free |= 2
    if row0 + 1 < rows and order[live_end + cols] == -1:
        free |= 4
    if col0 > 0 and order[live_end - 1] == -1:
        free |= 8
    next_step(scratch)
    # plain arrays: a call that takes all tables costs as much as many needs
    groups, placements, needs = tables.groups, tables.placements, tables.needs
    united, asked, current = 0, True, -1
    for g in range(tables.group_heads[heading], tables.group_heads[heading + 1]):
        rule = groups[g, 5]
        if rule != current:
            if current >= 0 and masks[current] != 0 and tables.rules[current, 0] == 1:
                break
            current, asked = rule, True
            for u in range(tables.rules[rule, 1], tables.rules[rule, 2]):
                if masks[tables.unless[u]] != 0:
                    asked = False
        row, col = row0 + groups[g, 0], col0 + groups[g, 1]
        if not asked or not need_holds(groups[g, 2], row, col, order, board):
            continue
        p = groups[g, 3]
        while p < groups[g, 4]:
            wanted = placements[p, 1] & free & ~masks[rule]
            if wanted != 0:
                begin, end = placements[p, 2], placements[p, 3]
                if not needs_hold(needs, begin, end, order, board, live_end):
                    p = placements[p, 11]
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
    order = np.full(board.cells, -1, dtype=np.int32)
    order[list(board.walls)] = -2
    order[list(walk)] = np.arange(len(walk), dtype=np.int32)
    return order


def new_scratch(tables: Tables, board: Board) -> Ints:
    """Return the scratch array for a rule set on a board."""
    return np.zeros(scratch_size(board.cells, len(tables.shapes)), dtype=np.int32)
