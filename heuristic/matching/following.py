"""Steps that are followed: whether a placement's steps come to what cannot be.

An area that is there is closed, so its doors leave it at marked cells alone, to the
cells beside these on the other side of the line: a question about one area looks at its
line, not at the board.
"""

import numpy as np

from heuristic.matching.areas import (
    BLACK,
    SIZE,
    STACK,
    STEP,
    fill_shape,
    is_filled,
    slot_of,
)
from heuristic.matching.forced import (
    CELLS,
    DOORS,
    ENTERED,
    TWICE,
    follow,
    is_dead,
    lines_of,
    lines_size,
)
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    BESIDE,
    COL,
    LINE,
    LINE_END,
    ROW,
    SECOND,
    SHAPE,
    THEN_COL,
    THEN_ROW,
    TIES,
    TIES_END,
    WAY,
    WAYS,
    Ints,
    Tables,
)
from solver.jit import njit

_KNOWN = 8  # numbers in front: when each step was followed, and what `follow` said


def room_to_follow(tables: Tables, cells: int) -> int:
    """Return how much of scratch `steps_are_dead` asks for, behind forced lines.

    The numbers above, the lines of each direction and those to work on, and last the
    areas of a placement.
    """
    if not (tables.ties[:, WAY] < 0).any():
        return 0
    lengths = tables.shapes[:, LINE_END] - tables.shapes[:, LINE]
    begins = np.zeros(len(tables.areas) + 1, dtype=np.int32)
    np.cumsum(DOORS + 2 * lengths[tables.areas[:, SHAPE]], out=begins[1:])
    begin, end = begins[tables.leaves[:, [AREAS, AREAS_END]]].T
    most = int((end - begin).max(initial=0))
    return _KNOWN + 5 * lines_size(cells) + most


@njit
def _is_entered(
    tables: Tables,
    shape: int,
    tie: Ints,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
) -> bool:
    """Kernel: tell whether a step leads into the closed area of a shape.

    The drawing says it of a cell beside the line. Otherwise the area is filled.
    """
    beside = tables.shapes[shape, BESIDE] >> ~tie[WAY]
    if beside & (1 | 1 << SECOND):
        return bool(beside & 1)
    row, slot = tables.shapes[shape], slot_of(shape)
    fill_shape(order, board, live_end, row, tables.offsets, scratch, slot)
    return is_filled(scratch, live_end + tie[THEN_ROW] * board[1] + tie[THEN_COL])


@njit
def _lay_areas(
    tables: Tables,
    placement: Ints,
    tie: Ints,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    scratch: Ints,
    room: Ints,
) -> None:
    """Kernel: write the areas of a placement as `areas_of` does, their lines alone."""
    at, offsets = 0, tables.offsets
    for a in range(placement[AREAS], placement[AREAS_END]):
        shape = tables.areas[a, SHAPE]
        row, slot = tables.shapes[shape], slot_of(shape)
        room[at + TWICE] = 2 * (scratch[slot + SIZE] - 2 * scratch[slot + BLACK])
        room[at + ENTERED] = _is_entered(
            tables, shape, tie, order, board, live_end, scratch
        )
        room[at + CELLS] = row[LINE_END] - row[LINE]
        at += DOORS
        for k in range(row[LINE], row[LINE_END]):
            room[at] = live_end + offsets[k, ROW] * board[1] + offsets[k, COL]
            room[at + 1] = offsets[k, WAYS]
            at += 2


@njit
def steps_are_dead(
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
    cells, areas = len(order), placement[AREAS_END] - placement[AREAS]
    size = lines_size(cells)
    found_in = slot_of(len(tables.shapes)) + 1 + size
    first = found_in + _KNOWN
    work = lines_of(scratch, first + 4 * size, cells)
    room = scratch[first + 5 * size : scratch[STACK]]
    for t in range(placement[TIES], placement[TIES_END]):
        tie = tables.ties[t]
        if tie[WAY] >= 0:
            continue
        target = live_end + tie[THEN_ROW] * board[1] + tie[THEN_COL]
        lines = lines_of(scratch, first + ~tie[WAY] * size, cells)
        known = found_in + 2 * ~tie[WAY]
        if scratch[known] != scratch[STEP]:
            scratch[known] = scratch[STEP]
            scratch[known + 1] = follow(order, board, target, lines)
        left = scratch[known + 1]
        if left > 0:
            _lay_areas(tables, placement, tie, order, board, live_end, scratch, room)
        if not is_dead(lines, work, board, target, left, room, areas):
            return False
    return True
