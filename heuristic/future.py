"""Kernels: future lines along a walk, as linked cells, and how their ends grow.

A *line* is a chain of free cells that the walk is said to pass in order, from its
*near end*, which the walk is said to meet first, to its *far end*. Lines begin beside
the walk, in pockets whose cells have two open sides left. Their ends grow as the seeds'
program lets them, one forced cell after the other, the two ends in turns (`grow`). The
inferences are the nine records of the seeds, carried out as their program does it. Left
and ahead are those of a drawing around the cell before the live end, or around the live
end where that is said.

Links are kept a cell: the cell before it and the cell after it; NONE where a cell is in
no line, END where the line ends there. Every change goes on a trail, so that a step
back undoes exactly what its step did. The walk itself keeps its links: a line is walked
on from cell to cell.

The lines depend on the way the walk was made, not on the visited cells alone: a line is
begun at the step that leaves its pocket behind and is kept from then on. Two walks over
the same cells to the same live end may know different lines; so a position is asked by
following its walk.

Known lines may prove a position dead: an end has no way to grow, or the walk leaves a
line or enters one at a cell that is not its near end. From such a step on nothing is
claimed, and no line begins, until the step is taken back.

Nothing here is a theorem: which of the lines are in every completion is measured in
`docs/tables/milestones.md`, and what was found wrong is in the corpus.

Rules that read future lines, and the inferences that draw them, as a rule set.

Lines depend on the whole walk, so a position is asked by following its walk. The bans
are drawings with ends of lines among their cells; two rules speak of the lines alone:
``future-follow`` forbids leaving a line and entering one inside, ``future-dead-end``
forbids a step after which an end of a line cannot grow. The inferences forbid nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from heuristic.matching.areas import turned
from heuristic.matching.drawn import first_leaf, placed_reason
from heuristic.matching.pattern import (
    ALL_MOVES,
    Drawn,
    list_matching,
    new_drawn,
    new_matching,
)
from heuristic.matching.tables import (
    COL,
    IS_FAR,
    MARKS,
    MOVES,
    ROW,
    RULE,
    SAME_LINE,
    STATES,
    Ints,
    Tables,
    compile_rules,
)
from heuristic.rule import Reason, Rule
from heuristic.rules.drawing import DEAD_END, FOLLOW, RuleSpec, inference_bits
from heuristic.walker import Walker
from solver.board import Board, Cell, Position
from solver.jit import njit

NONE, END = -2, -1
ORDER, BEFORE, AFTER, WALK, TRAILED, DOUBTED, AROUND = range(7)
SEAM, INFO = 10, 11  # behind the four rows of AROUND
LENGTH, TRAIL, CONTRADICTED, BITS, LAST, OPEN_CELLS = 0, 1, 2, 3, 4, 5
CONNECT = 1 << 6


class Lines(NamedTuple):
    """The state of the future lines along one walk: two int32 arrays for kernels.

    - `table`, (12, cells + 6): a row a quantity. By cell: ORDER, the index in the walk,
      -1 free, -2 wall; BEFORE and AFTER, the links; SEAM, 1 where two lines were joined
      behind the cell; AROUND and the next three, the neighbours U, R, D and L, -1 for
      none. By index in the walk: WALK, the cell; TRAILED and DOUBTED, the length of the
      trail and CONTRADICTED before that step. INFO: length of the walk; length of the
      trail; 1 when the walk has contradicted its lines; inferences in use as bits; end
      cell; cells without walls.
    - `trail`, (8 * cells, 3): links that were changed: row and column in `table`, and
      what was there.
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
def _ways(s: Lines, cell: int, near: bool, tied: bool) -> tuple[int, int, int]:
    """Kernel: where an end of a line can grow: how many ways, the first, the second.

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
    count, first, second = 0, -1, -1
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
                first = other
            elif count == 1:
                second = other
            count += 1
    return count, first, second


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
def grow(
    s: Lines, near_end: int, far_end: int, near: bool, tied: bool, once: bool
) -> bool:
    """Kernel: let the ends of a line grow while they have one way each.

    - `near_end`, `far_end`: the ends of the line; the near end may be visited.
    - `near`: the near end begins.
    - `tied`: the near end is known to follow the live end, so the far end may not take
      the end cell while it has another way.
    - `once`: only the end that begins grows.

    Returns False when an end has no way: the position is dead, if the lines are right.
    """
    last = s.table[INFO, LAST]
    live = s.table[WALK, s.table[INFO, LENGTH] - 1]
    done = near and far_end == last  # the near end may not take the live end
    near_rests, far_rests = tied, done
    while True:
        grown = joined = False
        while not joined:
            if near and s.table[ORDER, near_end] >= 0:
                tied = near_rests = True
                if far_rests:
                    return True
                break
            if not near and far_end == last:
                done = far_rests = True
                if near_rests:
                    return True
                break
            end = near_end if near else far_end
            count, cell, other = _ways(s, end, near, tied)
            for barred, holds in ((last, tied), (live, done)):
                if holds and count == 2 and barred in (cell, other):
                    cell, count = cell + other - barred, 1
            if count == 0 and not (near and near_end == live):
                return False
            if count != 1:
                break
            if cell == live:
                if done:
                    return True
                tied, near_rests, far_rests = True, True, False
                break
            if near and cell == last:
                return False
            joined = s.table[BEFORE, cell] != NONE
            if joined and s.table[INFO, BITS] & CONNECT == 0:
                return True
            near_end, far_end = _join_on(s, near_end, far_end, near, cell)
            grown = grown or not joined
            if cell == last and not joined:
                if tied:
                    return True
                done, far_rests, near_rests = True, True, False
                break
        if joined:  # the joined line grows, at this side if it can
            near = s.table[ORDER, near_end] == -1 if near else far_end == last
            continue
        if grown:
            if done if near else tied:
                return True
            near_rests, far_rests = near and tied, done and not near
        else:
            near_rests, far_rests = near_rests or near, far_rests or not near
            if near_rests and far_rests:
                return True
        if once:
            return True
        near = not near


_1X3, _1X2, _PASS, _STEP_ON, _FAR_CORNER = 1, 2, 4, 8, 16
_STEP_AWAY, _2_SIDE, _1_THIN = 32, 128, 256
# Those that begin a line or make one longer, in the order in which they are tried.
_THIN, _AWAY, _SIDE, _TWO, _THREE = range(5)
_BITS = (_1_THIN, _STEP_AWAY, _2_SIDE, _1X2, _1X3)
_NOTHING, _DEAD = -1, -2  # what an inference found, if no line


@njit
def _frame(s: Lines, back: int, number: int) -> tuple[int, int]:
    """Kernel: (left, ahead) of placement 0 to 3: plain, turned cw, both mirrored.

    Ahead is the direction of the last step, or of the one before if `back` is 1.
    """
    length, heading = s.table[INFO, LENGTH], 0
    for d in range(4):
        before = s.table[WALK, length - 2 - back]
        if s.table[AROUND + d, before] == s.table[WALK, length - 1 - back]:
            heading = d
    left = (heading + (3 if number < 2 else 1)) % 4
    if number % 2 == 0:
        return left, heading
    return heading, (left + 2) % 4


@njit
def _shut(s: Lines, cell: int, near: int) -> bool:
    """Kernel: tell whether a cell is no way out for the near end of a line.

    A free cell is none inside a line, or at the far end of the line itself.
    """
    if not is_free(s, cell):
        return True
    if not is_future(s, cell):
        return False
    return not is_far(s, cell) or end_of(s, near, True) == cell


@njit
def _inside(s: Lines, cell: int) -> bool:
    """Kernel: tell whether a free cell has both its steps in a line that is ahead."""
    return is_free(s, s.table[BEFORE, cell]) and s.table[AFTER, cell] >= 0


@njit
def _must_grow(s: Lines, cell: int) -> bool:
    """Kernel: tell whether the far end grows when the walk steps on the near end.

    future-step-on: the far end is two cells away in a row or diagonal to the near end;
    future-far-end-corner: it lies beside the end cell.
    """
    far, bits = end_of(s, cell, True), s.table[INFO, BITS]
    close, corner = False, False
    for d in range(4):
        side = s.table[AROUND + d, cell]
        for turn in (0, 1, 3):
            close = close or beside(s, side, (d + turn) % 4) == far
        corner = corner or s.table[AROUND + d, far] == s.table[INFO, LAST]
    return (close and bits & _STEP_ON != 0) or (corner and bits & _FAR_CORNER != 0)


@njit
def _thin(s: Lines, left: int, ahead: int) -> int:
    """Kernel: future-1-thin, around the live end.

    A line that ends in the end cell begins on the left with the cell beyond shut: it
    is not entered now, so it grows ahead.
    """
    near = int(s.table[AROUND + left, s.table[WALK, s.table[INFO, LENGTH] - 1]])
    if not is_near(s, near) or end_of(s, near, True) != s.table[INFO, LAST]:
        return _NOTHING
    side = beside(s, near, ahead)
    if is_free(s, beside(s, near, left)) or is_far(s, beside(s, near, (ahead + 2) % 4)):
        return _NOTHING
    if not is_free(s, side) or is_future(s, side):
        return _NOTHING
    join(s, side, near)
    return near


@njit
def _beside_the_walk(s: Lines, left: int, ahead: int, two: bool) -> int:
    """Kernel: future-step-away, or future-2-side if `two`.

    Left of the cell before the live end stands a near end that has one way left,
    ahead; with `two` a free cell lies between that has two ways left, the near end
    beyond it and the cell ahead.
    """
    between = s.table[AROUND + left, s.table[WALK, s.table[INFO, LENGTH] - 2]]
    near = beside(s, between, left) if two else between
    if not is_near(s, near) or not is_free(s, between):
        return _NOTHING
    if two and (is_future(s, between) or between == s.table[INFO, LAST]):
        return _NOTHING
    behind = beside(s, between, (ahead + 2) % 4)
    if two and is_free(s, behind) and not _inside(s, behind):
        return _NOTHING
    beyond = beside(s, near, left)
    if not two and not (_shut(s, beyond, near) and _shut(s, behind, near)):
        return _NOTHING
    side = beside(s, between, ahead)
    if not is_free(s, side) or side == s.table[INFO, LAST]:
        return _DEAD
    free_side = not is_future(s, side)
    if two:
        join(s, between, near)
    if free_side:
        join(s, side, between)
    return near


@njit
def _pocket(s: Lines, left: int, ahead: int, size: int) -> int:
    """Kernel: future-1x2 or future-1x3.

    Left of the cell before the live end lie `size` free cells in no line, shut behind
    and at the far side: each has two ways left, so the line runs along them all.
    """
    last, here = s.table[INFO, LAST], s.table[WALK, s.table[INFO, LENGTH] - 2]
    cell = here
    for _ in range(size):
        cell = beside(s, cell, left)
        if not is_free(s, cell) or is_free(s, beside(s, cell, (ahead + 2) % 4)):
            return _NOTHING
        if cell == last or is_future(s, cell):
            return _NOTHING
    first, mouth = int(s.table[AROUND + left, here]), beside(s, cell, ahead)
    entry = beside(s, first, ahead)
    if is_free(s, beside(s, cell, left)) or mouth == last or entry == last:
        return _NOTHING
    if not is_free(s, entry) or not is_free(s, mouth):
        return _DEAD
    enters, leaves = not is_future(s, entry), not is_future(s, mouth)
    cell = first
    for _ in range(size - 1):
        join(s, cell, beside(s, cell, left))
        cell = beside(s, cell, left)
    if enters:
        join(s, entry, first)
    if leaves:
        join(s, cell, mouth)
    return first


@njit
def _pass_the_end(s: Lines, left: int, ahead: int) -> None:
    """Kernel: future-corner-pass, around the live end: the end cell lies behind left.

    Its one free neighbour is the cell on the left, entered from ahead of that.
    """
    length, last = s.table[INFO, LENGTH], s.table[INFO, LAST]
    cell = s.table[AROUND + left, s.table[WALK, length - 1]]
    if not is_free(s, cell) or is_future(s, cell):
        return
    entry, behind = beside(s, cell, ahead), beside(s, cell, (ahead + 2) % 4)
    if behind != last or not is_free(s, entry) or is_future(s, entry):
        return
    others = 0
    for d in range(4):
        others += is_free(s, s.table[AROUND + d, last])
    more = length + 2 < s.table[INFO, OPEN_CELLS]
    if more and others == 1 and not is_free(s, beside(s, cell, left)):
        join(s, entry, cell)


@njit
def _infer(s: Lines, stepped_on: bool) -> bool:
    """Kernel: all inferences of a step, in the program's order; False when dead."""
    bits, live, shorter = (
        s.table[INFO, BITS],
        s.table[WALK, s.table[INFO, LENGTH] - 1],
        False,
    )
    if stepped_on and _must_grow(s, live):
        near, far = end_of(s, live, False), end_of(s, live, True)
        if not grow(s, near, far, False, True, True):
            return False
    for turn in range(20):
        kind, line = turn // 4, _NOTHING
        left, ahead = _frame(s, 0 if kind == _THIN else 1, turn % 4)
        if bits & _BITS[kind] == 0 or (kind == _THREE and shorter):
            continue
        if kind == _THIN:
            line = _thin(s, left, ahead)
        elif kind in (_AWAY, _SIDE):
            line = _beside_the_walk(s, left, ahead, kind == _SIDE)
        else:
            line = _pocket(s, left, ahead, 2 if kind == _TWO else 3)
            shorter = shorter or (kind == _TWO and line != _NOTHING)
        if line == _DEAD:
            return False
        if line >= 0:
            near, far = end_of(s, line, False), end_of(s, line, True)
            if not grow(s, near, far, kind <= _SIDE, False, False):
                return False
    if bits & _PASS != 0:
        for number in (0, 2):
            left, ahead = _frame(s, 0, number)
            _pass_the_end(s, left, ahead)
    return True


@njit
def push(s: Lines, cell: int) -> bool:
    """Kernel: follow the walk one cell on; False when that contradicts the lines."""
    length = s.table[INFO, LENGTH]
    doubted = s.table[INFO, CONTRADICTED]
    s.table[TRAILED, length] = s.table[INFO, TRAIL]
    s.table[DOUBTED, length] = doubted
    due = s.table[AFTER, s.table[WALK, length - 1]]
    near, inside = is_near(s, cell), is_future(s, cell)
    s.table[WALK, length], s.table[ORDER, cell] = cell, length
    s.table[INFO, LENGTH] = length + 1
    if doubted != 0:
        return True
    good = cell == due if due >= 0 else near or not inside
    if good and (length < 2 or _infer(s, near and due < 0)):
        return True
    s.table[INFO, CONTRADICTED] = 1
    return False


@njit
def pop(s: Lines) -> None:
    """Kernel: take the last cell back, and all that its step brought."""
    length, top = s.table[INFO, LENGTH] - 1, s.table[INFO, TRAIL]
    s.table[ORDER, s.table[WALK, length]] = -1
    while top > s.table[TRAILED, length]:
        top -= 1
        s.table[s.trail[top, 0], s.trail[top, 1]] = s.trail[top, 2]
    s.table[INFO, LENGTH], s.table[INFO, TRAIL] = length, top
    s.table[INFO, CONTRADICTED] = s.table[DOUBTED, length]


class FutureLines:
    """The future lines along one walk, which starts on the board's start cell.

    - `bits`: the inferences in use; see `heuristic.rules.drawing`.

    >>> from solver.board import Position
    >>> lines = FutureLines(Board.square(5))
    >>> [lines.push(cell) for cell in Position.parse("5:RDRR").walk[1:]]
    [True, True, True, False]
    >>> lines.pop()
    >>> lines.lines()[0][:5]
    (7, 2, 3, 4, 9)
    """

    def __init__(self, board: Board, bits: int = 511) -> None:
        self.board = board
        self.state = new_lines(board, bits)

    def push(self, cell: Cell) -> bool:
        """Follow the walk one cell on; False when the step contradicts the lines."""
        return bool(push(self.state, cell))

    def pop(self) -> None:
        """Take the last cell back."""
        pop(self.state)

    @property
    def contradicted(self) -> bool:
        """Whether the walk contradicts its lines: dead, if the lines are right."""
        return bool(self.state.table[INFO, CONTRADICTED])

    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the lines from near end to far end, none if contradicted.

        A line that is being walked begins with the live end.
        """
        if self.contradicted:
            return ()
        s = self.state
        live = s.table[WALK, s.table[INFO, LENGTH] - 1]
        found = []
        for cell in range(self.board.cells):
            if is_near(s, cell) or (cell == live and on_a_line(s)):
                line = [cell]
                while s.table[AFTER, line[-1]] >= 0:
                    line.append(int(s.table[AFTER, line[-1]]))
                found.append(tuple(line))
        return tuple(found)

    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges of all lines, as pairs of cells."""
        return tuple(pair for line in self.lines() for pair in pairwise(line))


@njit
def _marks_hold(drawn: Drawn, leaf: int, s: Lines, live_end: int, heading: int) -> bool:
    """Kernel: test the ends of lines of a leaf, all on free cells."""
    tables, (_, cols, last) = drawn.tables, drawn.board
    down, right = turned(cols, heading)
    line = -1
    for m in range(tables.leaves[leaf, MARKS], tables.leaves[leaf, MARKS + 1]):
        mark = tables.marks[m]
        cell = live_end + mark[ROW] * down + mark[COL] * right
        want = mark[STATES]
        if want & IS_FAR != 0:
            if not is_far(s, cell) or cell == last:
                return False
        elif not is_near(s, cell):
            return False
        root = section_of(s, cell)
        if want & SAME_LINE != 0 and root != line:
            return False
        line = root if line < 0 else line
    return True


@njit
def _follow(s: Lines, live: int) -> int:
    """Kernel: the moves that leave a line, or enter one inside, as bits."""
    due, mask = s.table[AFTER, live], 0
    for d in range(4):
        cell = s.table[AROUND + d, live]
        if is_free(s, cell):
            inside = is_future(s, cell) and not is_near(s, cell)
            mask |= ((cell != due) if due >= 0 else inside) << d
    return mask


@njit
def _masks(drawn: Drawn, roles: Ints, s: Lines, matching: Ints) -> int:
    """Kernel: ask all rules at the live end; return how many leaves match.

    `drawn.masks` is filled, and `matching` with those whose marks hold. `roles` holds
    the places of follow and dead end in the masks, -1 for none, then that of every rule
    of the tables.
    """
    masks = drawn.masks
    masks[:] = 0
    length = s.table[INFO, LENGTH]
    if length < 2 or s.table[INFO, CONTRADICTED] != 0:
        return 0
    live, heading, free = s.table[WALK, length - 1], 0, 0
    for d in range(4):
        if s.table[AROUND + d, s.table[WALK, length - 2]] == live:
            heading = d
        if is_free(s, s.table[AROUND + d, live]):
            free |= 1 << d
    left = _follow(s, live)
    if roles[0] >= 0:
        masks[roles[0]] = left
    for d in range(4):
        if roles[1] >= 0 and ((free & ~left) >> d) & 1:
            if not push(s, s.table[AROUND + d, live]):
                masks[roles[1]] |= 1 << d
            pop(s)
    listed = list_matching(drawn, live, heading, ALL_MOVES, matching)
    count = 0
    for k in range(listed):
        leaf = matching[k]
        if _marks_hold(drawn, leaf, s, live, heading):
            moves = drawn.tables.leaves[leaf, MOVES] * 17 << heading >> 4
            masks[roles[2 + drawn.tables.leaves[leaf, RULE]]] |= moves & free
            matching[count] = leaf
            count += 1
    return count


def future_rules(rules: Sequence[Rule]) -> Callable[[Board], "FutureWalker"]:
    """Return what makes walkers of rules that read lines; a `heuristic.rule.Engine`.

    They know the lines that the inferences among them find, all nine if none is there.

    >>> from heuristic.groups import load_rules
    >>> from heuristic.rule import completion_edges
    >>> completion_edges(load_rules("future-dead-end"), Position.parse("5:RD"))
    ((7, 2), (2, 3), (3, 4), (4, 9))
    """
    specs = [cast(RuleSpec, rule) for rule in rules]
    names = [spec.name for spec in specs]
    bans = [spec for spec in specs if spec.kind == "ban"]
    alone = [names.index(n) if n in names else -1 for n in (FOLLOW, DEAD_END)]
    places = [names.index(spec.name) for spec in bans]
    roles = np.array([*alone, *places], dtype=np.int32)

    @cache
    def tables(side: int) -> Tables:
        return compile_rules(bans, side)

    def walker(board: Board) -> FutureWalker:
        return FutureWalker(specs, roles, tables(max(board.rows, board.cols)), board)

    return walker


class FutureWalker(Walker):
    """The future lines along a walk, and what rules forbid because of them.

    - `roles`: where the kernel finds the mask of each rule that can forbid.
    - `tables`: of the bans.
    """

    def __init__(
        self, specs: Sequence[RuleSpec], roles: Ints, tables: Tables, board: Board
    ) -> None:
        super().__init__(board)
        self._lines = FutureLines(board, inference_bits(tuple(s.name for s in specs)))
        self._specs, self._roles = specs, roles
        self._drawn = new_drawn(tables, board)._replace(
            order=self._lines.state.table[ORDER],
            masks=np.zeros(len(specs), dtype=np.int32),
        )
        self._matching, self._count = new_matching(tables), 0

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._lines.push(cell)
        super().push(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._lines.pop()
        super().pop()

    def edges(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges of the lines that the walk has left."""
        return self._lines.edges()

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        state = self._lines.state
        self._count = _masks(self._drawn, self._roles, state, self._matching)
        masks: list[int] = self._drawn.masks.tolist()
        return masks

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move: the lines as edges."""
        spec, edges = self._specs[rule], self.edges()
        if spec.kind == "inference":
            return Reason(spec.reason, edges=edges)
        position = Position(self.board, tuple(self.path))
        number = self._roles[2:].tolist().index(rule)
        matching = self._matching[: self._count]
        tables = self._drawn.tables
        leaf = first_leaf(tables, matching, number, position.heading, move)
        reason = placed_reason(spec, self._drawn, leaf, position)
        return replace(reason, edges=edges)
