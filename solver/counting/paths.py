"""Hamiltonian paths of a board between any two cells, counted in a single sweep.

The sweep adds cells in the order of `layers`, and each cell may be an end of the path,
twice in all. A state is a word as in `layers`, with two bits for each open edge across
the frontier, 0 for an unused edge. Above the word stand the numbers of ends of each
colour. Colours alternate along a path, so the cells of the board determine the colours
of both ends. States are sparse: a hash table holds those that occur, each with the
number of ways to reach it.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from solver.board import Board
from solver.counting.count import MAX_OPEN, MEMORY, TooLargeError, gigabytes
from solver.counting.layers import (
    Ints,
    Numbers,
    Word,
    joined,
    partner,
    with_letter,
    with_room,
    without,
)
from solver.jit import njit

SLOT, LEFT, UP, DOWN, RIGHT, SHADE = 0, 1, 2, 3, 4, 5  # the columns of cells
_ENDS = 2 * MAX_OPEN  # the bit above the word: ends of shade 0, then those of shade 1
_WORD = (1 << _ENDS) - 1
_DONE, _FULL, _CARRY = 0, 1, 2  # results of a step


@njit
def _put(keys: Ints, sums: Numbers, key: Word, ways: Numbers, room: Ints) -> int:
    """Add ways to a state; return the result. `room[0]` counts the states."""
    at = np.int64(np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32))
    at &= len(keys) - 1
    while keys[at] != key:
        if keys[at] < 0:
            room[0] += 1
            if 4 * room[0] > 3 * len(keys):
                return _FULL
            keys[at] = key
            break
        at = (at + 1) & (len(keys) - 1)
    carry = np.uint64(0)
    for limb in range(len(ways)):
        part = ways[limb] + carry
        carry = np.uint64(part < carry)
        part += sums[at, limb]
        carry += np.uint64(part < sums[at, limb])
        sums[at, limb] = part
    return _CARRY if carry else _DONE


@njit
def _add_cell(
    keys: Ints,
    ways: Numbers,
    cell: Ints,
    most: Ints,
    room: Ints,
    after: Ints,
    sums: Numbers,
) -> int:
    """Kernel: fill the table `after`, `sums` with the states after a cell.

    `keys` (size,) are states, -1 for none, `ways` (size, limbs) their numbers. `most`
    (2,) are the ends of each shade, `room` (4,) is zero. The new table comes empty. It
    is complete only if the result is `_DONE`.
    """
    slot, down, right = cell[SLOT], cell[DOWN], cell[RIGHT]
    old, new = cell[LEFT] + cell[UP], down + right
    to_down, to_right = 2 * slot, 2 * (slot + down)
    shade = _ENDS + 2 * cell[SHADE]
    for i in range(len(keys)):
        if keys[i] < 0:
            continue
        ends, word = keys[i] & ~_WORD, keys[i] & _WORD
        first = word >> 2 * slot & 3 if cell[LEFT] else np.int64(0)
        second = word >> 2 * (slot + cell[LEFT]) & 3 if cell[UP] else np.int64(0)
        letter = first | second
        onward = ends | with_room(without(word, slot, old), slot, new)
        may_end = keys[i] >> shade & 3 < most[cell[SHADE]]
        ended = np.int64(1) << shade
        many = 1
        if first and second:
            word = joined(word, slot)
            if word < 0:
                continue
            room[many] = ends | with_room(word, slot, new)
            many += 1
        elif letter:
            if down:
                room[many] = onward | letter << to_down
                many += 1
            if right:
                room[many] = onward | letter << to_right
                many += 1
            if may_end and letter != 3:
                place = slot if first else slot + cell[LEFT]
                word = with_letter(word, partner(word, place), 3)
                word = with_room(without(word, slot, old), slot, new)
                room[many] = ends + ended | word
                many += 1
        else:
            if down and right:
                room[many] = onward | np.int64(9) << to_down
                many += 1
            if may_end and down:
                room[many] = onward + ended | np.int64(3) << to_down
                many += 1
            if may_end and right:
                room[many] = onward + ended | np.int64(3) << to_right
                many += 1
        for k in range(1, many):
            status = _put(after, sums, room[k], ways[i], room)
            if status != _DONE:
                return status
    return _DONE


def count_paths(
    board: Board,
    *,
    memory: int = MEMORY,
    progress: Callable[[int, int], object] | None = None,
) -> int:
    """Count the undirected Hamiltonian paths of a board between any two cells.

    It takes 0.02 s on 9 x 9, 0.3 s on 11 x 11. Each column of the shorter side makes it
    four times as long; walls make it shorter.

    - `memory`: bytes for all arrays.
    - `progress`: called with the number of added cells and of all cells.

    Raises `TooLargeError` if more edges can cross a frontier than a word has letters,
    or during the count if the states do not fit.

    >>> [count_paths(Board.square(n)) for n in (1, 2, 3, 4)]
    [1, 4, 20, 276]
    """
    if board.open_cells == 1:
        return 1
    grid = np.ones((board.rows, board.cols), dtype=np.bool_)
    grid.flat[list(board.walls)] = False
    cells = _add_order(grid if board.cols <= board.rows else grid.T)
    whites = int(cells[:, SHADE].sum())
    more = len(cells) - 2 * whites
    if abs(more) > 1:
        return 0
    cells[:, SHADE] ^= more < 0  # shade 0 is the colour with more cells
    most = np.array([2, 0] if more else [1, 1], dtype=np.int64)
    keys, ways = _table(1 << 10, 1, memory)
    keys[0], ways[0, 0] = 0, 1
    for done, cell in enumerate(cells[:-1], 1):
        size = 1 << int(2 * np.count_nonzero(keys >= 0) + 1000).bit_length()
        while True:
            after, sums = _table(size, ways.shape[1], memory)
            room = np.zeros(4, dtype=np.int64)
            status = _add_cell(keys, ways, cell, most, room, after, sums)
            if status == _DONE:
                break
            if status == _FULL:
                size *= 2
            else:
                ways = np.pad(ways, ((0, 0), (0, 1)))
        keys, ways = after, sums
        if progress is not None:
            progress(done, len(cells))
    # The last cell joins two ties, or ends at one.
    both = most[0] + 4 * most[1]
    short = both - (1, 4)[cells[-1, SHADE]]
    last = [both << _ENDS | 15, short << _ENDS | 3, short << _ENDS | 12]
    closed = ways[np.isin(keys, last)].tolist()
    return sum(number << 64 * limb for row in closed for limb, number in enumerate(row))


def _table(size: int, limbs: int, memory: int) -> tuple[Ints, Numbers]:
    room = 2 * size * 8 * (1 + limbs)  # the old table is as large
    if room > memory:
        limit = f"over the limit of {gigabytes(memory)}"
        raise TooLargeError(f"a count of paths takes {gigabytes(room)}, {limit}")
    return np.full(size, -1, dtype=np.int64), np.zeros((size, limbs), dtype=np.uint64)


def _add_order(grid: npt.NDArray[np.bool_]) -> Ints:
    """Return the open cells, row by row, with the columns `SLOT` to `SHADE`.

    `SLOT` is the number of open edges that cross the frontier left of the cell.
    """
    rows, cols = grid.shape
    crossed = np.zeros(cols, dtype=np.int64)  # whether an edge leads down, by column
    cells = []
    for row, col in np.argwhere(grid).tolist():
        down = int(row + 1 < rows and grid[row + 1, col])
        right = int(col + 1 < cols and grid[row, col + 1])
        left = int(col > 0 and grid[row, col - 1])
        slot = int(crossed[:col].sum())
        cells.append((slot, left, int(crossed[col]), down, right, (row + col) % 2))
        crossed[col] = down
        width = int(crossed.sum()) + right
        if width > MAX_OPEN:
            why = f"{width} edges can cross one frontier: {MAX_OPEN} at most"
            raise TooLargeError(why)
    return np.array(cells, dtype=np.int64)
