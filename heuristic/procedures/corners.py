"""Corner discovery: find the obstacle corners around the live end, and count there.

A *corner* is a visited cell (h, v), h cells left and v cells ahead, whose neighbours
towards the live end are free. From the live end a stair of free cells leads to it; it
may close an area on its left, and the surplus of white over black cells that lines
through this area can make up is known for every h and v (`small_bounds`). Where the
source tells the closed side by the order of the walk, flood fill decides here.

Two ways of finding corners are known. The first, of June 2024, looks along every row
until it meets something; corners behind a wall in the same row are missed. The second,
of July 2024, follows the wall of the area. Drawings hold corners up to 12 cells away;
these kernels find them at any distance, but only those that the search comes by.
"""

from heuristic.procedures.facing import (
    FREE,
    VISITED,
    Ints,
    Numbers,
    View,
    free_moves,
    look,
    view_from,
)
from heuristic.procedures.line import Work, area_surplus, fill_line, put
from solver.jit import njit

_LEFTWARDS = (0, 1, 0, -1)  # offsets (left, ahead) of the steps ahead, left, behind ...
_ONWARDS = (1, 0, -1, 0)


@njit
def small_bounds(h: int, v: int) -> tuple[int, int, int, int, int]:
    """Return how much more white than black the area of a corner can hold.

    Five numbers: low and high when it is entered now by a step to the left, high by a
    step back, and low and high when it is entered later. The book of 2024, with the
    greater numbers where worked case and general formula differ, as its program has it;
    `tests/heuristic/test_book.py` counts the drawn ones again.

    >>> small_bounds(4, 4), small_bounds(3, 4)
    ((-2, 0, 0, -2, -1), (-1, 1, 1, -1, 0))
    """
    x = min(h, v) - 1
    n = abs(h - v) // 2
    if h == v:
        return 1 - x, 0, 0, 1 - x, -1
    if (h - v) % 2 == 0:
        now = (n + 1) // 2
        least, late = -x - (n - 1) // 2, n // 2
        if h > v and n == 1:
            return least, 0, now, -x - late, late
        return least, now, now, -x - late, late
    if h > v:
        now = x + n // 2
        late = (n + 2) // 2 if n > 0 else 0
        first = now if n > 0 else x - 1
        return -((n + 1) // 2), first, now, -late, x - 1 + (n + 1) // 2
    now, late = 1 + (n + 1) // 2, 1 + n // 2 if n > 0 else 0
    return 1 - x - n // 2, now, now, 1 - x - (n + 1) // 2, late


@njit
def corners_by_rows(order: Ints, board: Numbers, view: View, corners: Ints) -> int:
    """Kernel: look along the rows ahead; fill `corners` and return their number."""
    count, v = 0, 2
    while look(order, board, view, 1, v) == FREE:
        h = 2
        while look(order, board, view, h, v) == FREE:
            h += 1
        if (
            look(order, board, view, h, v) == VISITED
            and look(order, board, view, h, v - 1) == FREE
        ):
            corners[count, 0], corners[count, 1] = h, v
            count += 1
        v += 1
    return count


@njit
def corners_by_wall(order: Ints, board: Numbers, view: View, corners: Ints) -> int:
    """Kernel: follow the wall on the left; fill `corners` and return their number.

    From (1, 1) along the row to its last free cell, then ahead with the wall on the
    left hand, until straight ahead of the live end or back where the wall was met.
    A corner is found where a step to the right is followed by one ahead.
    """
    if look(order, board, view, 1, 1) != FREE:
        return 0
    x = 1
    while look(order, board, view, x + 1, 1) == FREE:
        x += 1
    first, y, count, heading = x, 1, 0, 0
    for _ in range(4 * len(order)):
        before = heading
        heading = (heading + 1) % 4  # ahead 0, left 1, behind 2, right 3
        tried = 0
        while (
            look(order, board, view, x + _LEFTWARDS[heading], y + _ONWARDS[heading])
            != FREE
        ):
            heading = (heading + 3) % 4
            tried += 1
            if tried == 4:
                return count
        if (
            before == 3
            and heading == 0
            and y >= 1
            and count < len(corners)
            and look(order, board, view, x + 1, y + 1) == VISITED
        ):
            corners[count, 0], corners[count, 1] = x + 1, y + 1
            count += 1
        x, y = x + _LEFTWARDS[heading], y + _ONWARDS[heading]
        if x == 0 or (x == first and y == 1):
            return count
    return count


@njit
def fill_corner(
    order: Ints, board: Numbers, view: View, h: int, v: int, work: Work
) -> bool:
    """Kernel: fill the area of corner (h, v); tell if it is there and closed.

    The line: left along row 1 while the corner is farther left than ahead, then a
    stair, to the left first, then ahead.
    """
    left, ahead, count, was_left = 1, 1, 1, False
    put(work, 0, view, 0, 0)
    put(work, 1, view, 1, 1)
    while left < h - 1 or ahead < v - 1:
        was_left = left < h - 1 and (h - left >= v - ahead or not was_left)
        if was_left:
            left += 1
        else:
            ahead += 1
        count += 1
        put(work, count, view, left, ahead)
    put(work, count + 1, view, h, v)
    work.found[0] = count
    return fill_line(order, board, work, count, view, True)


@njit
def judge_corner(
    order: Ints, board: Numbers, view: View, h: int, v: int, turn: int, work: Work
) -> int:
    """Kernel: what the area of a corner forbids, as bits.

    `turn` is how often the page is turned clockwise: it tells which moves the source
    speaks of. A close corner, (2, 2), forbids all but the step to the left.
    """
    if not fill_corner(order, board, view, h, v, work):
        return 0
    surplus = area_surplus(work)
    low, high, back, later_low, later_high = small_bounds(h, v)
    straight, left = 1 << view[2], 1 << view[3]
    right, behind = 1 << (view[3] + 2) % 4, 1 << (view[2] + 2) % 4
    mask = 0
    if surplus < later_low or surplus > later_high or h + v == 4:
        mask |= straight
        if turn == 0:
            mask |= right
    if turn != 3 and h + v > 4:
        if surplus < low or surplus > high:
            mask |= left
        if turn != 0 and (surplus < low or surplus > back):
            mask |= behind
    return mask


@njit
def _corners(
    order: Ints,
    board: Numbers,
    live_end: int,
    heading: int,
    work: Work,
    wanted: int,
    by_wall: bool,
) -> int:
    free, mask = free_moves(order, board, live_end), 0
    for turn in range(4 if by_wall else 3):
        for side in range(2):
            view = view_from(live_end, board[1], heading, turn, side == 1)
            if by_wall:
                count = corners_by_wall(order, board, view, work.corners)
            else:
                # the page as the source held it then, ahead and left exchanged
                page = view[0], view[1], view[3], view[2]
                count = corners_by_rows(order, board, page, work.corners)
            for k in range(count):
                h, v = work.corners[k, 0], work.corners[k, 1]
                if not by_wall:
                    h, v = v, h
                mask |= judge_corner(order, board, view, h, v, turn, work) & free
                if wanted and mask & wanted:
                    return mask
    return mask


@njit
def corners_by_wall_mask(
    order: Ints, board: Numbers, live_end: int, heading: int, work: Work, wanted: int
) -> int:
    """Kernel of `sa-corner-discovery-2024-07`; see `kernelrule`."""
    return _corners(order, board, live_end, heading, work, wanted, True)


@njit
def corners_by_rows_mask(
    order: Ints, board: Numbers, live_end: int, heading: int, work: Work, wanted: int
) -> int:
    """Kernel of `sa-corner-discovery-2024-06`; see `kernelrule`."""
    return _corners(order, board, live_end, heading, work, wanted, False)
