"""Corner discovery: find the obstacle corners around the live end, and count there.

Cells are seen from a cell, as on the page of a drawing. A *view* is four numbers: row
and column of the cell looked from, the direction that is ahead and the one that is
left. An offset (left, ahead) counts from there. In a mirrored view left is where right
was.

A drawing names its line once for all; the kernel rules find theirs while they look at a
position. `Work` holds the line as (row, col): first the base, then the marked cells,
then the wall. What closes the area and what belongs to it is the same as for drawings:
`heuristic.matching.areas.fill_shape` decides.

A *corner* is a visited cell (h, v), h cells left and v cells ahead, whose neighbours
towards the live end are free. From the live end a stair of free cells leads to it; it
may close an area on its left, and the surplus of white over black cells that lines
through this area can make up is known for every h and v (`small_bounds`). Where the
source finds the closed side by the order of the walk, flood fill decides here.

Two ways of finding corners are known. The first, of June 2024, looks along every row
until it meets something; corners behind a wall in the same row are missed. The second,
of July 2024, follows the wall of the area. Drawings hold corners up to 12 cells away;
these kernels find them at any distance, but only those that the search comes by.

A second corner is looked for where the first area is left (`end-obstacle-corners`): the
surplus of the first area fixes the cell where the walk turns away from it. Where a
corner seen from there closes an area that could not be entered later, the step into the
first area is forbidden. A drawing holds the nearest second corner only.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.matching.areas import (
    BLACK,
    CLOSED,
    SIZE,
    blank_scratch,
    fill_shape,
    is_filled,
    next_step,
    slot_of,
)
from solver.board import Board
from solver.jit import njit

Ints: TypeAlias = npt.NDArray[np.int32]
Numbers: TypeAlias = tuple[int, int, int]

FREE, VISITED, OUTSIDE = 1, 2, 4  # what `look` answers, as `drawing.State`

_DOWN = (-1, 0, 1, 0)
_ACROSS = (0, 1, 0, -1)


class View(NamedTuple):
    """A position as seen from a cell: the cell, and the directions ahead and left.

    `order` and `board` are those of `heuristic.matching.pattern`.
    """

    order: Ints
    board: Numbers
    row: int
    col: int
    ahead: int
    left: int


@njit
def view_from(here: View, turn: int, mirrored: bool) -> View:
    """Kernel: look from a cell with the page turned clockwise `turn` times, 0 to 3.

    As placements of drawings: the page is turned, then mirrored, then laid along the
    heading, so a mirrored page is turned the other way round.
    """
    ahead = (here.ahead + (4 - turn if mirrored else turn)) % 4
    left = (ahead + (1 if mirrored else 3)) % 4
    return View(here.order, here.board, here.row, here.col, ahead, left)


@njit
def spot(view: View, left: int, ahead: int) -> tuple[int, int]:
    """Kernel: (row, col) of an offset, on the board or not."""
    row = view.row + ahead * _DOWN[view.ahead] + left * _DOWN[view.left]
    col = view.col + ahead * _ACROSS[view.ahead] + left * _ACROSS[view.left]
    return row, col


@njit
def cell_at(view: View, left: int, ahead: int) -> int:
    """Kernel: the cell of an offset; -1 when it is not on the board."""
    row, col = spot(view, left, ahead)
    if not (0 <= row < view.board[0] and 0 <= col < view.board[1]):
        return -1
    return row * view.board[1] + col


@njit
def look(view: View, left: int, ahead: int) -> int:
    """Kernel: FREE, VISITED or OUTSIDE, the state of an offset."""
    cell = cell_at(view, left, ahead)
    if cell < 0 or view.order[cell] == -2:
        return OUTSIDE
    return FREE if view.order[cell] == -1 else VISITED


@njit
def moved(view: View, left: int, ahead: int, turned: bool) -> View:
    """Kernel: the view from an offset; turned, what was right is ahead."""
    row, col = spot(view, left, ahead)
    if turned:
        right = (view.left + 2) % 4
        return View(view.order, view.board, row, col, right, view.ahead)
    return View(view.order, view.board, row, col, view.ahead, view.left)


@njit
def mirror(view: View) -> View:
    """Kernel: the view with left and right exchanged."""
    right = (view.left + 2) % 4
    return View(view.order, view.board, view.row, view.col, view.ahead, right)


@njit
def exchanged(view: View) -> View:
    """Kernel: the view with ahead and left exchanged."""
    return View(view.order, view.board, view.row, view.col, view.left, view.ahead)


@njit
def free_moves(here: View) -> int:
    """Kernel: the free neighbours of the cell looked from as bits, U = 1 ... L = 8."""
    mask = 0
    for d in range(4):
        around = View(here.order, here.board, here.row, here.col, d, (d + 3) % 4)
        mask |= (look(around, 0, 1) == FREE) << d
    return mask


# Steps to the eight cells around, counter-clockwise on the board beginning above, and
# the number of each by 3 * (row + 1) + column + 1.
_ROWS = (-1, -1, 0, 1, 1, 1, 0, -1)
_COLS = (0, -1, -1, -1, 0, 1, 1, 1)
_NUMBER = (1, 0, 7, 2, -1, 6, 3, 4, 5)

_PASSED = 1 << 24  # the order of a cell that a forced walk would pass


class Work(NamedTuple):
    """What kernel rules write on, kept between calls; int32 arrays.

    - `scratch`, (n,): for `fill_shape`, with one shape.
    - `line`, (n, 2): row and column of base, marked cells and wall.
    - `shape`, `offsets`, (6,), (n, 2): the line as `fill_shape` takes it.
    - `corners`, (cells, 2): corners that were discovered, as offsets (left, ahead).
    - `trail`, (cells + 1,): number of cells passed in thought, then the cells.
    - `found`, (12,): what a rule says of the hit that it was asked for: marked cells of
      its line, then what it likes.
    """

    scratch: Ints
    line: Ints
    shape: Ints
    offsets: Ints
    corners: Ints
    trail: Ints
    found: Ints


def new_work(board: Board) -> Work:
    """Return fresh arrays for a board."""
    longest = 2 * (board.rows + board.cols) + 8

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    return Work(
        scratch=blank_scratch(board, 1, max(board.rows, board.cols) + 1),
        line=zeros(longest, 2),
        shape=zeros(6),
        offsets=zeros(8 * longest, 2),
        corners=zeros(board.cells, 2),
        trail=zeros(board.cells + 1),
        found=zeros(12),
    )


@njit
def put(work: Work, number: int, view: View, left: int, ahead: int) -> None:
    """Kernel: make an offset the cell `number` of the line."""
    work.line[number, 0], work.line[number, 1] = spot(view, left, ahead)


@njit
def lay_line(
    work: Work, view: View, column: int, count: int, left: int, ahead: int
) -> None:
    """Kernel: lay a straight line from the live end into the wall at (left, ahead).

    Its marked cells are the first `count` of a column, 0 or 1, counted to the left.
    """
    put(work, 0, view, 0, 0)
    for k in range(1, count + 1):
        put(work, k, view, column, k)
    put(work, count + 1, view, left, ahead)


@njit
def fill_line(view: View, work: Work, count: int) -> bool:
    """Kernel: fill the area of a line of `count` marked cells; tell if it is closed.

    The area lies on the left of the line as the view sees it. False too when a marked
    cell is not free.
    """
    order, board = view.order, view.board
    rows, cols, _ = board
    line, offsets, shape = work.line, work.offsets, work.shape
    for k in range(1, count + 1):
        row, col = line[k, 0], line[k, 1]
        inside = 0 <= row < rows and 0 <= col < cols
        if not inside or order[row * cols + col] != -1:
            return False
        offsets[k - 1, 0], offsets[k - 1, 1] = row - view.row, col - view.col
    shape[0], shape[1] = 0, count
    counter = view.left == (view.ahead + 3) % 4  # counter-clockwise on the board
    top = count
    for part in range(2):  # inside, outside
        shape[2 + 2 * part] = top
        turn = 1 if counter == (part == 0) else 7
        for k in range(1, count + 1):
            row, col = line[k, 0], line[k, 1]
            at = _NUMBER[3 * (line[k + 1, 0] - row) + line[k + 1, 1] - col + 4]
            stop = _NUMBER[3 * (line[k - 1, 0] - row) + line[k - 1, 1] - col + 4]
            at = (at + turn) % 8
            while at != stop:
                if at % 2 == 0:
                    offsets[top, 0] = row + _ROWS[at] - view.row
                    offsets[top, 1] = col + _COLS[at] - view.col
                    top += 1
                at = (at + turn) % 8
        shape[3 + 2 * part] = top
    next_step(work.scratch)
    cell = view.row * cols + view.col
    state = fill_shape(order, board, cell, shape, offsets, work.scratch, slot_of(0))
    return state == CLOSED


@njit
def closes(
    view: View, work: Work, column: int, count: int, left: int, ahead: int
) -> bool:
    """Kernel: whether the straight line of `lay_line` closes an area, and fill it."""
    lay_line(work, view, column, count, left, ahead)
    return fill_line(view, work, count)


@njit
def area_surplus(work: Work) -> int:
    """Kernel: the white cells of the area that was filled last, less its black ones.

    Black is the colour of the cell looked from.
    """
    slot = slot_of(0)
    return int(work.scratch[slot + SIZE] - 2 * work.scratch[slot + BLACK])


@njit
def forget(view: View, work: Work) -> None:
    """Kernel: take back every cell passed in thought."""
    for k in range(1, work.trail[0] + 1):
        view.order[work.trail[k]] = -1
    work.trail[0] = 0


@njit
def pass_cell(view: View, work: Work, cell: int) -> None:
    """Kernel: pass a cell in thought, if it is free."""
    if view.order[cell] == -1:
        view.order[cell] = _PASSED
        work.trail[0] += 1
        work.trail[work.trail[0]] = cell


@njit
def pass_area(view: View, work: Work, but: int) -> None:
    """Kernel: pass the area that was filled last in thought, one cell left out."""
    for cell in range(len(view.order)):
        if cell != but and is_filled(work.scratch, cell):
            pass_cell(view, work, cell)


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
def corners_by_rows(view: View, corners: Ints) -> int:
    """Kernel: look along the rows ahead; fill `corners` and return their number."""
    count, v = 0, 2
    while look(view, 1, v) == FREE:
        h = 2
        while look(view, h, v) == FREE:
            h += 1
        if look(view, h, v) == VISITED and look(view, h, v - 1) == FREE:
            corners[count, 0], corners[count, 1] = h, v
            count += 1
        v += 1
    return count


@njit
def corners_by_wall(view: View, corners: Ints) -> int:
    """Kernel: follow the wall on the left; fill `corners` and return their number.

    From (1, 1) along the row to its last free cell, then ahead with the wall on the
    left hand, until straight ahead of the live end or back where the wall was met.
    A corner is found where a step to the right is followed by one ahead.
    """
    if look(view, 1, 1) != FREE:
        return 0
    x = 1
    while look(view, x + 1, 1) == FREE:
        x += 1
    first, y, count, heading = x, 1, 0, 0
    for _ in range(4 * len(view.order)):
        before = heading
        heading = (heading + 1) % 4  # ahead 0, left 1, behind 2, right 3
        tried = 0
        while look(view, x + _LEFTWARDS[heading], y + _ONWARDS[heading]) != FREE:
            heading = (heading + 3) % 4
            tried += 1
            if tried == 4:
                return count
        if (
            before == 3
            and heading == 0
            and y >= 1
            and count < len(corners)
            and look(view, x + 1, y + 1) == VISITED
        ):
            corners[count, 0], corners[count, 1] = x + 1, y + 1
            count += 1
        x, y = x + _LEFTWARDS[heading], y + _ONWARDS[heading]
        if x == 0 or (x == first and y == 1):
            return count
    return count


@njit
def fill_corner(view: View, h: int, v: int, work: Work) -> bool:
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
    return fill_line(view, work, count)


@njit
def judge_corner(view: View, h: int, v: int, turn: int, work: Work) -> int:
    """Kernel: what the area of a corner forbids, as bits.

    `turn` is how often the page is turned clockwise: it says which moves the source
    speaks of. A close corner, (2, 2), forbids all but the step to the left.
    """
    if not fill_corner(view, h, v, work):
        return 0
    surplus = area_surplus(work)
    low, high, back, later_low, later_high = small_bounds(h, v)
    straight, left = 1 << view.ahead, 1 << view.left
    right, behind = 1 << (view.left + 2) % 4, 1 << (view.ahead + 2) % 4
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
def corners_mask(here: View, work: Work, wanted: int, by_wall: bool) -> int:
    """Kernel of the two corner discoveries; see `kernelrule`."""
    free, mask = free_moves(here), 0
    for turn in range(4 if by_wall else 3):
        for side in range(2):
            view = view_from(here, turn, side == 1)
            if by_wall:
                count = corners_by_wall(view, work.corners)
            else:
                # the page as the source held it then, ahead and left exchanged
                page = exchanged(view)
                count = corners_by_rows(page, work.corners)
            for k in range(count):
                h, v = work.corners[k, 0], work.corners[k, 1]
                if not by_wall:
                    h, v = v, h
                mask |= judge_corner(view, h, v, turn, work) & free
                if wanted and mask & wanted:
                    return mask
    return mask


@njit
def _first_area(view: View, closed: bool, distance: int, work: Work) -> bool:
    """Tell if the first area is there with the surplus that fixes the way out.

    Open corner: `distance` cells straight ahead, the wall beyond them on the left.
    Closed corner: as many one column to the left, the wall one farther left.
    """
    column, count = 1 if closed else 0, distance
    lay_line(work, view, column, count, column + 1, count + 1)
    surplus = -((count - 2) // 4) if closed else -(count // 4)
    if closed and (look(view, 2, count) != FREE or look(view, 0, count) != FREE):
        return False
    return (
        look(view, column, count + 1) == FREE
        and fill_line(view, work, count)
        and area_surplus(work) == surplus
    )


@njit
def _second_excluded(view: View, work: Work) -> bool:
    """Tell if a corner seen from here closes an area that cannot be entered later."""
    for k in range(corners_by_wall(view, work.corners)):
        h, v = work.corners[k, 0], work.corners[k, 1]
        if fill_corner(view, h, v, work):
            surplus = area_surplus(work)
            _, _, _, low, high = small_bounds(h, v)
            if h + v == 4 or surplus < low or surplus > high:
                return True
    return False


@njit
def second_corner_mask(here: View, work: Work, wanted: int) -> int:
    """Kernel of `end-obstacle-corners`; see `kernelrule`."""
    free, mask = free_moves(here), 0
    for form in range(10):  # open corner: turns 0, cw, ccw; closed corner: 0, cw
        closed = form >= 6
        turn = (0, 1, 3)[form // 2 % 3]
        view = view_from(here, turn, form % 2 == 1)
        step = 1 << (view.left if closed else view.ahead) & free & ~mask
        if step == 0 or (wanted and not step & wanted):
            continue
        column = 1 if closed else 0
        distance = 0
        while look(view, column, distance + 1) == FREE:
            distance += 1
            # the wall stands beside the cell beyond the border
            if (
                distance % 4 != (2 if closed else 0)
                or look(view, column + 1, distance + 1) != VISITED
                or not _first_area(view, closed, distance, work)
            ):
                continue
            out = distance if closed else distance - 1
            corner = -1 if closed else cell_at(view, 0, distance)
            pass_area(view, work, corner)
            pass_cell(view, work, cell_at(view, column, out))
            beyond = moved(view, column, out, True)
            dies = _second_excluded(beyond, work)
            forget(view, work)
            if dies:
                mask |= step
                if wanted:
                    return mask
                break
    return mask
