"""Kernels: future lines as linked cells, and how their ends grow.

A *line* is a chain of free cells that the walk is said to pass in order, from its
*near end* to its *far end*. Links are kept a cell: the cell before it and the cell
after it; NONE where a cell is in no line, END where the line ends there. Every change
goes on a trail, so that a step back undoes exactly what its step did. The walk itself
keeps its links: a line is walked on from cell to cell.

The ends grow as the seeds' program lets them, one forced cell after the other, the two
ends in turns; see `grow`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.board import Board
from solver.jit import njit

Ints = npt.NDArray[np.int32]

NONE, END = -2, -1
ORDER, BEFORE, AFTER, WALK, TRAILED, DOUBTED, AROUND = range(7)
SEAM, INFO = 10, 11  # behind the four rows of AROUND
LENGTH, TRAIL, CONTRADICTED, BITS, LAST, OPEN_CELLS = 0, 1, 2, 3, 4, 5
CONNECT = 1 << 6
# How a line grows: see `grow`; the last two are kept while it does.
FROM_NEAR, TIED, DONE, ONCE, NEAR_RESTS, FAR_RESTS = 1, 2, 4, 8, 16, 32
_LOST, _ENDED, _JOINED, _STILL, _GREW = range(5)  # what became of one end


class Lines(NamedTuple):
    """The state of the future lines along one walk: two int32 arrays for kernels.

    Attributes
    ----------
    table : (12, cells + 6)
        A row a quantity. By cell: ORDER, the index in the walk, -1 free, -2 wall;
        BEFORE and AFTER, the links; SEAM, 1 where two lines were joined behind the
        cell; AROUND and the next three, the neighbours U, R, D
        and L, -1 for none. By index in the walk: WALK, the cell; TRAILED and DOUBTED,
        the length of the trail and CONTRADICTED before that step. INFO: length of the
        walk; length of the trail; 1 when the walk has contradicted its lines;
        inferences in use as bits; end cell; cells without walls.
    trail : (8 * cells, 3)
        Links that were changed: row and column in `table`, and what was there.
    """

    table: Ints
    trail: Ints


def new_lines(board: Board, bits: int) -> Lines:
    """Return the state before any line is known, the walk on the start cell."""
    table = np.full((INFO + 1, board.cells + 6), NONE, dtype=np.int32)
    table[ORDER] = -1
    table[ORDER, list(board.walls)] = -2
    table[ORDER, board.start] = 0
    table[WALK, 0] = board.start
    table[AROUND : AROUND + 4, : board.cells] = board.neighbours.T
    table[INFO, :6] = [1, 0, 0, bits, board.end, board.open_cells]
    return Lines(table, np.zeros((8 * board.cells, 3), dtype=np.int32))


@njit
def put(s: Lines, row: int, cell: int, value: int) -> None:
    """Kernel: change a link, noting the old one on the trail."""
    top = s.table[INFO, TRAIL]
    s.trail[top, 0], s.trail[top, 1] = row, cell
    s.trail[top, 2] = s.table[row, cell]
    s.table[INFO, TRAIL] = top + 1
    s.table[row, cell] = value


@njit
def join(s: Lines, a: int, b: int) -> None:
    """Kernel: let cell b follow cell a; either begins a line if it is in none."""
    if s.table[BEFORE, a] == NONE:
        put(s, BEFORE, a, END)
    put(s, AFTER, a, b)
    put(s, BEFORE, b, a)
    if s.table[AFTER, b] == NONE:
        put(s, AFTER, b, END)


@njit
def is_free(s: Lines, cell: int) -> bool:
    """Kernel: tell whether a cell, -1 for none, is free."""
    return cell >= 0 and s.table[ORDER, cell] == -1


@njit
def is_future(s: Lines, cell: int) -> bool:
    """Kernel: tell whether a cell, -1 for none, is free and in a line."""
    return cell >= 0 and s.table[ORDER, cell] == -1 and s.table[BEFORE, cell] != NONE


@njit
def is_near(s: Lines, cell: int) -> bool:
    """Kernel: tell whether a cell, -1 for none, is the near end of a line."""
    return cell >= 0 and s.table[ORDER, cell] == -1 and s.table[BEFORE, cell] == END


@njit
def is_far(s: Lines, cell: int) -> bool:
    """Kernel: tell whether a cell, -1 for none, is the far end of a line."""
    return cell >= 0 and s.table[ORDER, cell] == -1 and s.table[AFTER, cell] == END


@njit
def end_of(s: Lines, cell: int, far: bool) -> int:
    """Kernel: follow the line of a cell to one end, which may be visited."""
    row = AFTER if far else BEFORE
    while s.table[row, cell] >= 0:
        cell = s.table[row, cell]
    return cell


@njit
def section_of(s: Lines, cell: int) -> int:
    """Kernel: the first cell of the section of a cell: of its line before any seam."""
    before = s.table[BEFORE, cell]
    while before >= 0 and s.table[SEAM, before] != 1:
        cell, before = before, s.table[BEFORE, before]
    return cell


@njit
def on_a_line(s: Lines) -> bool:
    """Kernel: tell whether the live end stands on a line that goes on."""
    live = s.table[WALK, s.table[INFO, LENGTH] - 1]
    return bool(s.table[AFTER, live] >= 0)


@njit
def beside(s: Lines, cell: int, d: int) -> int:
    """Kernel: the neighbour in a direction; -1 off the board, and of -1."""
    return int(s.table[AROUND + d, cell]) if cell >= 0 else -1


@njit
def _shuts(s: Lines, cell: int, tied: bool, live: int) -> bool:
    """Kernel: tell whether a cell beside a pocket leaves it closed on that side.

    The live end does when its next step is known: on a line, or `tied` to one.
    """
    if cell >= 0 and s.table[ORDER, cell] == -1:
        ends = is_near(s, cell) or is_far(s, cell)
        return is_future(s, cell) and not ends
    return cell != live or tied or on_a_line(s)


@njit
def _ways(s: Lines, cell: int, near: bool, tied: bool) -> tuple[int, int, int, int]:
    """Kernel: where an end of a line can grow: (count, first, second, third).

    To free cells in no line; to the opposite end of another line; the near end also to
    the live end, unless that stands on a line. A free cell beside the end that is shut
    on its other two sides must be taken, so the other ways fall away.
    """
    last = s.table[INFO, LAST]
    live = s.table[WALK, s.table[INFO, LENGTH] - 1]
    inner = s.table[AFTER, cell] if near else s.table[BEFORE, cell]
    forward = 0
    for d in range(4):
        if s.table[AROUND + d, inner] == cell:
            forward = d
    banned = 0
    for mirrored in range(2):
        left = (forward + (1 if mirrored == 1 else 3)) % 4
        ahead = forward
        for _ in range(2):
            pocket = s.table[AROUND + left, cell]
            if (
                is_free(s, pocket)
                and not is_future(s, pocket)
                and pocket != last
                and _shuts(s, beside(s, pocket, left), tied, live)
                and _shuts(s, beside(s, pocket, (ahead + 2) % 4), tied, live)
            ):
                banned |= 1 << ahead | 1 << ((left + 2) % 4)
            left, ahead = ahead, (left + 2) % 4
    count, a, b, c = 0, -1, -1, -1
    for d in range(4):
        other = s.table[AROUND + d, cell]
        if other < 0 or other == inner or (banned >> d) & 1:
            continue
        if s.table[ORDER, other] == -1:
            good = s.table[BEFORE, other] == NONE
            if not good:
                far = is_far(s, other) and other != last
                good = far if near else is_near(s, other)
                good = good and end_of(s, other, not near) != cell
        else:
            good = near and other == live and not on_a_line(s)
        if good:
            if count == 0:
                a = other
            elif count == 1:
                b = other
            else:
                c = other
            count += 1
    return count, a, b, c


@njit
def _without(ways: tuple[int, int, int, int], cell: int) -> tuple[int, int, int, int]:
    """Kernel: take one cell out of two ways."""
    count, a, b, c = ways
    if count == 2 and a == cell:
        return 1, b, -1, c
    if count == 2 and b == cell:
        return 1, a, -1, c
    return ways


@njit
def _join_on(
    s: Lines, near_end: int, far_end: int, near: bool, cell: int
) -> tuple[int, int]:
    """Kernel: let an end take a cell, or the line that the cell ends; the new ends."""
    joined = s.table[BEFORE, cell] != NONE
    if near:
        join(s, cell, near_end)
        if joined:
            put(s, SEAM, cell, 1)
        return end_of(s, cell, False), far_end
    join(s, far_end, cell)
    if joined:
        put(s, SEAM, far_end, 1)
    return near_end, end_of(s, cell, True)


@njit
def _grow_side(
    s: Lines, near_end: int, far_end: int, near: bool, how: int
) -> tuple[int, int, int, int]:
    """Kernel: let one end grow while it has one way; outcome, ends and `how` then."""
    last = s.table[INFO, LAST]
    live = s.table[WALK, s.table[INFO, LENGTH] - 1]
    outcome = _STILL
    while True:
        if s.table[ORDER, near_end] >= 0 if near else far_end == last:
            how |= NEAR_RESTS | TIED if near else FAR_RESTS | DONE
            both = how & NEAR_RESTS != 0 and how & FAR_RESTS != 0
            return _ENDED if both else outcome, near_end, far_end, how
        tied = how & TIED != 0
        ways = _ways(s, near_end if near else far_end, near, tied)
        if tied:
            ways = _without(ways, last)
        if how & DONE != 0:
            ways = _without(ways, live)
        if ways[0] != 1:
            lost = ways[0] == 0 and not (near and near_end == live)
            return _LOST if lost else outcome, near_end, far_end, how
        cell = ways[1]
        if cell == live:
            if how & DONE != 0:
                return _ENDED, near_end, far_end, how
            how = (how | NEAR_RESTS | TIED) & ~FAR_RESTS
            return outcome, near_end, far_end, how
        if near and cell == last:
            return _LOST, near_end, far_end, how
        joined = s.table[BEFORE, cell] != NONE
        if joined and s.table[INFO, BITS] & CONNECT == 0:
            return _ENDED, near_end, far_end, how
        near_end, far_end = _join_on(s, near_end, far_end, near, cell)
        if joined:
            return _JOINED, near_end, far_end, how
        outcome = _GREW
        if cell == last:
            if how & TIED != 0:
                return _ENDED, near_end, far_end, how
            how = (how | FAR_RESTS | DONE) & ~NEAR_RESTS
            return outcome, near_end, far_end, how


@njit
def grow(s: Lines, near_end: int, far_end: int, how: int) -> bool:
    """Kernel: let the ends of a line grow while they have one way each.

    Parameters
    ----------
    near_end, far_end : int
        The ends of the line; the near end may be visited.
    how : int
        Bits. FROM_NEAR: the near end begins. TIED: the near end is known to follow the
        live end, so the far end may not take the end cell while it has another way.
        DONE: the far end is the end cell, so the near end may not take the live end
        while it has another way. ONCE: only the end that begins grows.

    Returns
    -------
    bool
        False when an end has no way: the position is dead, if the lines are right.
    """
    last = s.table[INFO, LAST]
    near = how & FROM_NEAR != 0
    how |= (NEAR_RESTS if how & TIED != 0 else 0) | (FAR_RESTS if how & DONE else 0)
    while True:
        outcome, near_end, far_end, how = _grow_side(s, near_end, far_end, near, how)
        if outcome < _JOINED:
            return outcome == _ENDED
        if outcome == _JOINED:  # the joined line grows on, at this side if it can
            near = s.table[ORDER, near_end] == -1 if near else far_end == last
            continue
        if outcome == _STILL:
            how |= NEAR_RESTS if near else FAR_RESTS
            if how & NEAR_RESTS != 0 and how & FAR_RESTS != 0:
                return True
        else:
            if how & (DONE if near else TIED) != 0:
                return True
            how &= ~(NEAR_RESTS | FAR_RESTS)
            if near and how & TIED != 0:
                how |= NEAR_RESTS
            elif not near and how & DONE != 0:
                how |= FAR_RESTS
        if how & ONCE != 0:
            return True
        near = not near
