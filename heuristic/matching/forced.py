"""Forced edges and forced lines of a position: what every completion shares.

Edges join adjacent cells, each free or the live end. A completion uses two edges at
every free cell, and one at the end cell and at the live end. At first every edge is
*possible*. These rules apply until nothing changes:

1. A cell with as many possible edges as it needs uses them all: they are *forced*.
2. A cell with all the edges it needs drops its others.
3. Forced edges form lines; a single live end or end cell is a line too. The edge that
   joins the two open ends of one line is dropped. So is the edge that joins the lines
   of the live end and of the end cell, unless these two hold all cells that are left.

To *follow* a step, the same rules apply at the position after it, with one more for
each area. An *area* is a set of free cells without the end cell, and its *doors* are
the edges that leave it. All its cells need two edges. So the used doors at black cells,
less those at white cells, are twice its black cells less its white cells. Some door is
used. Doors that this decides are forced or dropped. If a cell or an area cannot have
what it needs, no completion begins with the step.

A decision is never taken back, so the order of the rules does not matter. In a dead
position a cell may be left with too few edges; then nothing is forced. The rules are
those of `solver.propagation` without blocks and flow (Vandegriend & Culberson, JAIR 9,
1998), for one position at a time.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from heuristic.matching.areas import (
    BLACK,
    SIZE,
    STEP,
    Place,
    Room,
    fill_number,
    is_filled,
    offset,
    turned,
)
from heuristic.matching.tables import (
    AREAS,
    BESIDE,
    FREE_CELL,
    IS_WHITE,
    LINE,
    MATES,
    SECOND,
    SHAPE,
    STEP_DEAD,
    THEN,
    TIES,
    WAY,
    WAYS,
    Ints,
    Longs,
    Tables,
)
from solver.board import Board
from solver.jit import njit

_QUEUED = 16  # a bit of `possible`: the cell waits in the queue
# Entries of an area, before two for each cell with doors; see `areas_of`.
TWICE, ENTERED, CELLS, DOORS = range(4)


class ForcedLines(NamedTuple):
    """The decided edges, and working memory: int32 arrays by cell.

    - `ways`, (cells,): forced edges of each cell, as bits U = 1, R = 2, D = 4, L = 8.
    - `mates`, (cells,): the other open end of the forced line that ends at a cell; -1
      for all other cells. During the work: the other end of each line, open or not.
    - `possible`, (cells,): edges that are not dropped, as bits.
    - `sizes`, (cells,): the number of cells of the line that ends at a cell.
    - `queue`, (cells + 2,): a ring of cells to decide; then its start and its length.
    """

    ways: Ints
    mates: Ints
    possible: Ints
    sizes: Ints
    queue: Ints


def new_lines(cells: int) -> ForcedLines:
    """Return empty arrays for a board of `cells` cells."""
    ways, mates, possible, sizes = np.zeros((4, cells), dtype=np.int32)
    queue = np.zeros(cells + 2, dtype=np.int32)
    return ForcedLines(ways, mates, possible, sizes, queue)


class Forced(NamedTuple):
    """The forced edges at a position, and after each step.

    - `filled`, (5, 2) int64: the step of the walk in which each entry of `lines` was
      filled, and the result of `follow_step`.
    - `lines`: after a step in each direction, at the position, and a copy to work on.
    - `areas`, (n,) int32: room for the areas of a placement.
    """

    filled: Longs
    lines: tuple[ForcedLines, ...]
    areas: Ints


_HERE, _COPY = 4, 5  # entries of `Forced.lines`


def new_forced(tables: Tables, board: Board) -> Forced | None:
    """Return fresh memory; None if no drawing of the tables needs forced edges."""
    if not len(tables.ties):
        return None
    lengths = tables.shapes[:, LINE + 1] - tables.shapes[:, LINE]
    begins = np.zeros(len(tables.areas) + 1, dtype=np.int32)
    np.cumsum(DOORS + 2 * lengths[tables.areas[:, SHAPE]], out=begins[1:])
    begin, end = begins[tables.leaves[:, [AREAS, AREAS + 1]]].T
    return Forced(
        filled=np.zeros((5, 2), dtype=np.int64),
        lines=tuple(new_lines(board.cells) for _ in range(6)),
        areas=np.zeros(int((end - begin).max(initial=0)), dtype=np.int32),
    )


@njit
def _step(direction: int, cols: int) -> int:
    """Kernel: the difference of cell numbers for a step U, R, D or L."""
    if direction % 2 == 0:
        return cols if direction == 2 else -cols
    return 1 if direction == 1 else -1


@njit
def _count(ways: int) -> int:
    return (ways & 1) + (ways >> 1 & 1) + (ways >> 2 & 1) + (ways >> 3 & 1)


@njit
def _need(cell: int, end: int, live_end: int) -> int:
    """Kernel: the number of edges that a completion uses at a cell."""
    return 2 - (cell == end) - (cell == live_end)


@njit
def _push(lines: ForcedLines, cell: int) -> None:
    if lines.possible[cell] & _QUEUED == 0:
        lines.possible[cell] |= _QUEUED
        queue, cells = lines.queue, len(lines.ways)
        queue[(queue[cells] + queue[cells + 1]) % cells] = cell
        queue[cells + 1] += 1


@njit
def _drop(lines: ForcedLines, cell: int, direction: int, cols: int) -> None:
    other = cell + _step(direction, cols)
    lines.possible[cell] &= ~(1 << direction)
    lines.possible[other] &= ~(1 << (direction ^ 2))
    _push(lines, cell)
    _push(lines, other)


@njit
def _part(lines: ForcedLines, first: int, last: int, cols: int) -> None:
    """Kernel: drop the undecided edge between two ends of lines, if there is one."""
    for d in range(4):
        undecided = lines.possible[first] & ~lines.ways[first]
        if undecided >> d & 1 and first + _step(d, cols) == last:
            _drop(lines, first, d, cols)


@njit
def _part_ends(
    lines: ForcedLines, board: tuple[int, int, int], live_end: int, left: int
) -> None:
    """Kernel: keep the lines of live end and end cell apart while cells are left."""
    first, last = lines.mates[live_end], lines.mates[board[2]]
    if first != board[2] and lines.sizes[first] + lines.sizes[last] < left:
        _part(lines, first, last, board[1])


@njit
def _take(
    lines: ForcedLines,
    cell: int,
    direction: int,
    board: tuple[int, int, int],
    live_end: int,
    left: int,
) -> None:
    """Kernel: force an edge, join the lines of its cells, drop edges against it."""
    _, cols, end = board
    other = cell + _step(direction, cols)
    lines.ways[cell] |= 1 << direction
    lines.ways[other] |= 1 << (direction ^ 2)
    first, last = lines.mates[cell], lines.mates[other]
    size = lines.sizes[first] + lines.sizes[last]
    lines.mates[first], lines.mates[last] = last, first
    lines.sizes[first] = lines.sizes[last] = size
    for k in range(2):
        full = cell if k == 0 else other
        if _count(lines.ways[full]) == _need(full, end, live_end):
            for d in range(4):
                if (lines.possible[full] & ~lines.ways[full]) >> d & 1:
                    _drop(lines, full, d, cols)
    if _need(first, end, live_end) == 1 or _need(last, end, live_end) == 1:
        _part_ends(lines, board, live_end, left)
    else:
        _part(lines, first, last, cols)


@njit
def _start(
    lines: ForcedLines, order: Ints, board: tuple[int, int, int], live_end: int
) -> int:
    """Kernel: make all edges possible; return the number of cells not visited."""
    rows, cols, end = board
    cells, left, sizes = rows * cols, 0, lines.sizes
    lines.queue[cells] = lines.queue[cells + 1] = 0
    for cell in range(cells):
        sizes[cell] = order[cell] == FREE_CELL or cell == live_end
        left += sizes[cell]
        lines.mates[cell], lines.ways[cell] = cell, 0
    cell = -1
    for row in range(rows):
        for col in range(cols):
            cell += 1
            lines.possible[cell] = 0
            if sizes[cell] == 0:
                continue
            possible = sizes[cell - cols] if row > 0 else 0
            possible |= sizes[cell + 1] << 1 if col + 1 < cols else 0
            possible |= sizes[cell + cols] << 2 if row + 1 < rows else 0
            possible |= sizes[cell - 1] << 3 if col > 0 else 0
            lines.possible[cell] = possible
            if _count(possible) <= _need(cell, end, live_end):
                _push(lines, cell)
    return left


@njit
def _settle(
    lines: ForcedLines, board: tuple[int, int, int], live_end: int, left: int
) -> bool:
    """Kernel: empty the queue; False if a cell is left with too few edges."""
    cells, queue, possible = len(lines.ways), lines.queue, lines.possible
    alive = True
    while queue[cells + 1] > 0 and alive:
        cell = queue[queue[cells]]
        queue[cells] = (queue[cells] + 1) % cells
        queue[cells + 1] -= 1
        possible[cell] &= ~_QUEUED
        need = _need(cell, board[2], live_end)
        if _count(possible[cell]) == need:
            for d in range(4):  # the line of one edge may drop the next
                if (possible[cell] & ~lines.ways[cell]) >> d & 1:
                    _take(lines, cell, d, board, live_end, left)
        alive = _count(possible[cell]) >= need
    return alive


@njit
def follow_step(
    order: Ints, board: tuple[int, int, int], live_end: int, lines: ForcedLines
) -> int:
    """Kernel: decide the edges at a live end, or at a free cell next to it.

    `order` is that of `heuristic.matching.pattern`, `board` is (rows, cols, end).
    Returns the number of cells not visited, with the live end; 0 if that is dead, and
    -1 if the end cell is visited, so that nothing is decided. O(cells) time.
    """
    if live_end == board[2] or order[board[2]] != FREE_CELL:
        return -1
    left = _start(lines, order, board, live_end)
    _part_ends(lines, board, live_end, left)
    return left if _settle(lines, board, live_end, left) else 0


@njit
def fill_lines(
    order: Ints, board: tuple[int, int, int], live_end: int, lines: ForcedLines
) -> bool:
    """Kernel: fill `ways` and `mates` at a position; False if it is dead by the rules.

    Then nothing is forced, nor if the end cell is visited.
    """
    if follow_step(order, board, live_end, lines) <= 0:
        lines.ways[:] = 0
        lines.mates[:] = -1
        return False
    for cell in range(len(lines.ways)):
        mate = lines.mates[cell]
        needs = _need(cell, board[2], live_end) + _need(mate, board[2], live_end)
        if _count(lines.ways[cell]) != 1 or needs < 4:
            lines.mates[cell] = -1
    return True


@njit
def _weigh(lines: ForcedLines, areas: Ints, at: int) -> int:
    """Kernel: decided doors as bits: white used, white not, black used, black not."""
    white = white_used = areas[at + ENTERED]  # the step leads to a white cell
    black = black_used = 0
    for k in range(at + DOORS, at + DOORS + 2 * areas[at + CELLS], 2):
        cell, ways = areas[k], areas[k + 1]
        doors = _count(lines.possible[cell] & ways)
        used = _count(lines.ways[cell] & ways)
        if ways & IS_WHITE:
            white, white_used = white + doors, white_used + used
        else:
            black, black_used = black + doors, black_used + used
    # bounds of the number of white doors in use; of black doors it is `more` less
    more = areas[at + TWICE]
    least = max(white_used, black_used + more, 1 if more == 0 else 0)
    most = min(white, black + more)
    if least > most:
        return -1
    decided = 0  # -1: nothing fits
    if white_used < white:
        decided = 1 if least == white else 2 if most == white_used else 0
    if black_used < black:
        taken = least - more == black
        decided |= 4 if taken else 8 if most - more == black_used else 0
    return decided


@njit
def _decide(
    lines: ForcedLines,
    board: tuple[int, int, int],
    live_end: int,
    left: int,
    areas: Ints,
    at: int,
    decided: int,
) -> None:
    for k in range(at + DOORS, at + DOORS + 2 * areas[at + CELLS], 2):
        cell, ways = areas[k], areas[k + 1]
        way = decided if ways & IS_WHITE else decided >> 2
        for d in range(4):
            undecided = lines.possible[cell] & ~lines.ways[cell] & ways
            if undecided >> d & 1 and way & 1:
                _take(lines, cell, d, board, live_end, left)
            elif undecided >> d & 1 and way & 2:
                _drop(lines, cell, d, board[1])


@njit
def is_dead(
    lines: ForcedLines,
    work: ForcedLines,
    board: tuple[int, int, int],
    live_end: int,
    left: int,
    areas: Ints,
    count: int,
) -> bool:
    """Kernel: whether a step is dead when followed, with `count` areas.

    `lines` and `left` are from `follow_step`, `areas` from `areas_of`. When an area
    decides a door, the kernel copies the lines to `work`.
    """
    if left <= 0:
        return left == 0
    copied, k, at = False, 0, 0
    while k < count:
        decided = _weigh(work if copied else lines, areas, at)
        if decided < 0:
            return True
        if decided == 0:
            k, at = k + 1, at + DOORS + 2 * areas[at + CELLS]
            continue
        if not copied:
            for cell in range(len(lines.ways)):
                work.ways[cell], work.mates[cell] = lines.ways[cell], lines.mates[cell]
                work.possible[cell] = lines.possible[cell]
                work.sizes[cell] = lines.sizes[cell]
            work.queue[-2:] = 0
        _decide(work, board, live_end, left, areas, at, decided)
        if not _settle(work, board, live_end, left):
            return True
        copied, k, at = True, 0, 0
    return False


def areas_of(
    board: tuple[int, int, int], live_end: int, areas: Iterable[Collection[int]]
) -> Ints:
    """Return areas, given as sets of cells, as one array for `is_dead`.

    For each area: twice the surplus; 1 if the step enters it; the number of cells; each
    cell, with the directions of its doors and `IS_WHITE` as bits. `live_end`, the cell
    after the step, counts as white.
    """
    _, cols, _ = board
    numbers = list[int]()
    for area in areas:
        twice, rows = 0, list[int]()
        for cell in area:
            tones = cell // cols + cell % cols + live_end // cols + live_end % cols
            twice += -2 if tones % 2 else 2
            ways = 0 if tones % 2 else IS_WHITE
            for d, step in enumerate((-cols, 1, cols, -1)):
                ways |= (cell + step not in area) << d
            rows += cell, ways
        numbers += twice, live_end in area, len(area), *rows
    return np.array(numbers, dtype=np.int32)


@njit
def _lay_areas(
    tables: Tables,
    placement: Ints,
    way: int,
    target: int,
    room: Room,
    place: Place,
    areas: Ints,
) -> None:
    """Kernel: write the areas of a placement, which are closed, by their lines."""
    board, live_end, heading = place
    at, offsets = 0, tables.offsets
    down, right = turned(board[1], heading)
    for a in range(placement[AREAS], placement[AREAS + 1]):
        number = tables.areas[a, SHAPE]
        counts, shape = room.shapes[number], tables.shapes[number]
        near = shape[BESIDE] >> way
        areas[at + ENTERED] = near & 1
        if near & (1 | 1 << SECOND) == 0:
            fill_number(tables, number, room, place)
            areas[at + ENTERED] = is_filled(room, target)
        areas[at + TWICE] = 2 * (counts[SIZE] - 2 * counts[BLACK])
        areas[at + CELLS] = shape[LINE + 1] - shape[LINE]
        at += DOORS
        for k in range(shape[LINE], shape[LINE + 1]):
            ways = offsets[k, WAYS]
            areas[at] = live_end + offset(offsets[k], down, right)
            areas[at + 1] = (ways & 15) * 17 << heading >> 4 & 15 | ways & IS_WHITE
            at += 2


@njit
def ties_hold(
    forced: Forced | None,
    tables: Tables,
    placement: Ints,
    order: Ints,
    room: Room,
    place: Place,
) -> bool:
    """Kernel: whether a placement's ties hold: forced edges, lines, dead steps.

    Its areas must be there. Edges are decided once a step of the walk, for the first
    placement that needs them. Kernels without `forced` compile without this.
    """
    if forced is None:
        return True
    board, live_end, heading = place
    down, right = turned(board[1], heading)
    for t in range(placement[TIES], placement[TIES + 1]):
        tie = tables.ties[t]
        first = live_end + offset(tie, down, right)
        then = live_end + offset(tie[THEN:], down, right)
        step = STEP_DEAD - tie[WAY]  # the direction to follow, if not negative
        row = (step + heading) % 4 if step >= 0 else _HERE
        lines = forced.lines[row]
        if forced.filled[row, 0] != room.steps[STEP]:
            forced.filled[row, 0] = room.steps[STEP]
            if step < 0:
                fill_lines(order, board, live_end, lines)
            else:
                forced.filled[row, 1] = follow_step(order, board, then, lines)
        if tie[WAY] >= 0:
            if lines.ways[first] >> (tie[WAY] + heading) % 4 & 1 == 0:
                return False
        elif tie[WAY] == MATES:
            if lines.mates[first] != then:
                return False
        else:
            left, areas = forced.filled[row, 1], forced.areas
            if left > 0:
                _lay_areas(tables, placement, step, then, room, place, areas)
            count = placement[AREAS + 1] - placement[AREAS]
            work = forced.lines[_COPY]
            if not is_dead(lines, work, board, then, left, areas, count):
                return False
    return True
