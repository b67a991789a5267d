"""A second corner seen from where the first area is left: `end-obstacle-corners`.

The surplus of the first area fixes the cell where the walk turns away from it. Seen
from there, corners are discovered as for the first area; where one of them closes an
area that could not be entered later, the step into the first area is forbidden. A
drawing holds the nearest second corner only.
"""

from heuristic.procedures.corners import corners_by_wall, fill_corner, small_bounds
from heuristic.procedures.facing import (
    FREE,
    VISITED,
    Ints,
    Numbers,
    View,
    cell_at,
    free_moves,
    look,
    moved,
    view_from,
)
from heuristic.procedures.line import (
    Work,
    area_surplus,
    fill_line,
    forget,
    lay_line,
    pass_area,
    pass_cell,
)
from solver.jit import njit


@njit
def _first_area(
    order: Ints, board: Numbers, view: View, closed: bool, distance: int, work: Work
) -> bool:
    """Tell if the first area is there with the surplus that fixes the way out.

    Open corner: `distance` cells straight ahead, the wall beyond them on the left.
    Closed corner: as many one column to the left, the wall one farther left.
    """
    column, count = 1 if closed else 0, distance
    lay_line(work, view, column, count, column + 1, count + 1)
    surplus = -((count - 2) // 4) if closed else -(count // 4)
    if closed and (
        look(order, board, view, 2, count) != FREE
        or look(order, board, view, 0, count) != FREE
    ):
        return False
    return (
        look(order, board, view, column, count + 1) == FREE
        and fill_line(order, board, work, count, view, True)
        and area_surplus(work) == surplus
    )


@njit
def _second_excluded(order: Ints, board: Numbers, view: View, work: Work) -> bool:
    """Tell if a corner seen from here closes an area that cannot be entered later."""
    for k in range(corners_by_wall(order, board, view, work.corners)):
        h, v = work.corners[k, 0], work.corners[k, 1]
        if fill_corner(order, board, view, h, v, work):
            surplus = area_surplus(work)
            _, _, _, low, high = small_bounds(h, v)
            if h + v == 4 or surplus < low or surplus > high:
                return True
    return False


@njit
def second_corner_mask(
    order: Ints, board: Numbers, live_end: int, heading: int, work: Work, wanted: int
) -> int:
    """Kernel of `end-obstacle-corners`; see `heuristic.procedures.kernelrule`."""
    free, mask = free_moves(order, board, live_end), 0
    for form in range(10):  # open corner: turns 0, cw, ccw; closed corner: 0, cw
        closed = form >= 6
        turn = (0, 1, 3)[form // 2 % 3]
        view = view_from(live_end, board[1], heading, turn, form % 2 == 1)
        step = 1 << (view[3] if closed else view[2]) & free & ~mask
        if step == 0 or (wanted and not step & wanted):
            continue
        column = 1 if closed else 0
        distance = 0
        while look(order, board, view, column, distance + 1) == FREE:
            distance += 1
            # the wall stands beside the cell beyond the border
            if (
                distance % 4 != (2 if closed else 0)
                or look(order, board, view, column + 1, distance + 1) != VISITED
                or not _first_area(order, board, view, closed, distance, work)
            ):
                continue
            out = distance if closed else distance - 1
            corner = -1 if closed else cell_at(board, view, 0, distance)
            pass_area(order, work, corner)
            pass_cell(order, work, cell_at(board, view, column, out))
            beyond = moved(view, column, out, True)
            dies = _second_excluded(order, board, beyond, work)
            forget(order, work)
            if dies:
                mask |= step
                if wanted:
                    return mask
                break
    return mask
