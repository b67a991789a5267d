"""Areas behind lines that a kernel has found, as drawings have them.

A drawing names its line once for all; the kernel rules find theirs while they look at a
position. `Work` holds the line as (row, col): first the base, then the marked cells,
then the wall. What closes the area and what belongs to it is the same as for drawings:
`heuristic.matching.pattern.fill_shape` decides.
"""

from typing import NamedTuple

import numpy as np

from heuristic.matching.pattern import (
    CLOSED,
    HEAD,
    STAMP,
    fill_shape,
    next_step,
    scratch_size,
    slot_of,
)
from heuristic.procedures.facing import Ints, Numbers, View, spot
from solver.board import Board
from solver.jit import njit

# Steps to the eight cells around, counter-clockwise on the board beginning above, and
# the number of each by 3 * (row + 1) + column + 1.
_ROWS = (-1, -1, 0, 1, 1, 1, 0, -1)
_COLS = (0, -1, -1, -1, 0, 1, 1, 1)
_NUMBER = (1, 0, 7, 2, -1, 6, 3, 4, 5)

_PASSED = 1 << 24  # the order of a cell that a forced walk would pass


class Work(NamedTuple):
    """What kernel rules write on, kept between calls; int32 arrays.

    Attributes
    ----------
    scratch : (n,)
        For `fill_shape`, with one shape.
    line : (n, 2)
        Row and column of base, marked cells and wall.
    shape, offsets : (6,), (n, 2)
        The line as `fill_shape` takes it.
    corners : (cells, 2)
        Corners that were discovered, as offsets (left, ahead).
    trail : (cells + 1,)
        Number of cells passed in thought, then the cells.
    found : (12,)
        What a rule tells of the hit that it was asked for: marked cells of its line,
        then what it likes.
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
        scratch=zeros(scratch_size(board.cells, 1)),
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
def fill_line(
    order: Ints, board: Numbers, work: Work, count: int, view: View, left: bool
) -> bool:
    """Kernel: fill the area of a line of `count` marked cells; tell if it is closed.

    The area lies on the left or the right of the line as the view sees it. False too
    when a marked cell is not free. `area_size` and `area_black` tell its counts, with
    the view's own cell as black.
    """
    rows, cols, _ = board
    line, offsets, shape = work.line, work.offsets, work.shape
    for k in range(1, count + 1):
        row, col = line[k, 0], line[k, 1]
        inside = 0 <= row < rows and 0 <= col < cols
        if not inside or order[row * cols + col] != -1:
            return False
        offsets[k - 1, 0], offsets[k - 1, 1] = row - view[0], col - view[1]
    shape[0], shape[1] = 0, count
    counter = left == (view[3] == (view[2] + 3) % 4)  # counter-clockwise on the board
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
                    offsets[top, 0] = row + _ROWS[at] - view[0]
                    offsets[top, 1] = col + _COLS[at] - view[1]
                    top += 1
                at = (at + turn) % 8
        shape[3 + 2 * part] = top
    next_step(work.scratch)
    cell, slot = view[0] * cols + view[1], slot_of(0, rows * cols)
    state = fill_shape(order, board, cell, shape, offsets, work.scratch, slot)
    return state == CLOSED


@njit
def area_size(work: Work) -> int:
    """Kernel: the cells of the area that was filled last."""
    return int(work.scratch[-2])


@njit
def area_black(work: Work) -> int:
    """Kernel: its cells of the colour of the cell looked from."""
    return int(work.scratch[-1])


@njit
def area_surplus(work: Work) -> int:
    """Kernel: its white cells less its black ones."""
    return area_size(work) - 2 * area_black(work)


@njit
def in_area(work: Work, cell: int) -> bool:
    """Kernel: whether a cell belongs to the closed area that was filled last."""
    return bool(work.scratch[HEAD + cell] == work.scratch[STAMP])


@njit
def forget(order: Ints, work: Work) -> None:
    """Kernel: take back every cell passed in thought."""
    for k in range(1, work.trail[0] + 1):
        order[work.trail[k]] = -1
    work.trail[0] = 0


@njit
def pass_cell(order: Ints, work: Work, cell: int) -> None:
    """Kernel: pass a cell in thought, if it is free."""
    if order[cell] == -1:
        order[cell] = _PASSED
        work.trail[0] += 1
        work.trail[work.trail[0]] = cell


@njit
def pass_area(order: Ints, work: Work, but: int) -> None:
    """Kernel: pass the area that was filled last in thought, one cell left out."""
    for cell in range(len(order)):
        if cell != but and in_area(work, cell):
            pass_cell(order, work, cell)
