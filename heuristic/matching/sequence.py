"""The sequence: a walk that is forced step by step, to any length.

An area with as many white as black cells lies at the live end. Entered now, it is left
at a known cell. From there every step is forced as long as an obstacle on the left
closes an area, or leaves a cell with two open sides. Where an obstacle on the right
closes an area as well, both had to be entered next: the position is dead. A drawing
holds a walk of known length only, so this rule is a kernel. The source tests the order
of the walk at an obstacle; here a fill decides, with all cells that the forced walk
would have passed taken as visited.

Cells are seen from a cell, as on the page of a drawing. A `View` holds that cell, the
direction that is ahead and the one that is left. An offset (left, ahead) counts from
there. In a mirrored view left is where right was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from heuristic.boards import Boards
from heuristic.matching.areas import (
    BLACK,
    SIZE,
    Room,
    fill_shape,
    is_filled,
    look_around,
    new_room,
)
from heuristic.matching.tables import (
    FREE_CELL,
    INSIDE,
    LINE,
    OUTSIDE,
    WALL_CELL,
    Ints,
)
from heuristic.rule import Reason, Rule, mask_of
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.jit import njit

FREE, VISITED, BEYOND = 1, 2, 4  # what `_look` answers; walls are beyond the board
_PASSED = 1 << 24  # the order of a cell that a forced walk would pass
# How a sequence begins, in this order: turns of the page, mirrored or not, the start.
_STARTS = tuple(
    (turn, mirrored, start)
    for turn in (0, 3, 1)
    for mirrored in (False, True)
    for start in (1, 2, 3)
    if turn != 1 or start == 3
)
_C_LEFT, _C_AHEAD, _MID_ACROSS, _ACROSS = 1, 2, 3, 4  # obstacles that force a step


class Work(NamedTuple):
    """What the kernel writes on, kept between calls; int32 arrays.

    - `rule`: the number of the sequence in its rule set.
    - `room`: of one shape, the area of a line.
    - `shape`, `offsets`, (6,), (12, 2): the line as `fill_shape` takes it.
    - `ends`, (2,): the cells where the line comes from and what it runs into, -1 off
      the board.
    - `trail`, (cells + 1,): number of cells passed, then the cells.
    """

    rule: int
    room: Room
    shape: Ints
    offsets: Ints
    ends: Ints
    trail: Ints


def new_work(board: Board, rule: int) -> Work:
    """Return fresh arrays for a board, and a rule of that number."""
    return Work(
        rule,
        new_room(board, 1, max(board.rows, board.cols) + 1),
        np.zeros(6, dtype=np.int32),
        np.zeros((12, 2), dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        np.zeros(board.cells + 1, dtype=np.int32),
    )


class View(NamedTuple):
    """A position as seen from a cell; `order` and `board` are those of `Drawn`."""

    order: Ints
    board: tuple[int, int, int]
    row: int
    col: int
    ahead: int
    left: int


@njit
def _spot(view: View, left: int, ahead: int) -> tuple[int, int]:
    """Kernel: (row, col) of an offset, on the board or not."""
    row, col = view.row, view.col
    for d, count in ((view.ahead, ahead), (view.left, left)):
        if d % 2 == 0:
            row += count if d == 2 else -count
        else:
            col += count if d == 1 else -count
    return row, col


@njit
def _cell_at(view: View, left: int, ahead: int) -> int:
    """Kernel: the cell of an offset; -1 when it is not on the board."""
    row, col = _spot(view, left, ahead)
    if not (0 <= row < view.board[0] and 0 <= col < view.board[1]):
        return -1
    return row * view.board[1] + col


@njit
def _look(view: View, left: int, ahead: int) -> int:
    """Kernel: FREE, VISITED or BEYOND, the state of an offset."""
    cell = _cell_at(view, left, ahead)
    if cell < 0 or view.order[cell] == WALL_CELL:
        return BEYOND
    return FREE if view.order[cell] == FREE_CELL else VISITED


@njit
def _moved(view: View, left: int, ahead: int, turned: bool) -> View:
    """Kernel: the view from an offset; turned, what was right is ahead."""
    row, col = _spot(view, left, ahead)
    if turned:
        right = (view.left + 2) % 4
        return View(view.order, view.board, row, col, right, view.ahead)
    return View(view.order, view.board, row, col, view.ahead, view.left)


@njit
def _facing(view: View, ahead: int, left: int) -> View:
    """Kernel: the view from the same cell in other directions."""
    return View(view.order, view.board, view.row, view.col, ahead, left)


@njit
def _mirror(view: View) -> View:
    """Kernel: the view with left and right exchanged."""
    return _facing(view, view.ahead, (view.left + 2) % 4)


@njit
def _put(view: View, work: Work, at: int, left: int, ahead: int) -> int:
    """Kernel: write an offset as `fill_shape` takes it; return the next place."""
    row, col = _spot(view, left, ahead)
    work.offsets[at, 0], work.offsets[at, 1] = row - view.row, col - view.col
    return at + 1


@njit
def _closes(view: View, work: Work, column: int, count: int, wall: int) -> bool:
    """Kernel: fill the area of a straight line; tell if it is closed.

    The line begins at the cell looked from. Its marked cells are the first `count` of
    a column, 0 or 1, counted to the left; False if one is not free. It runs into the
    cell ahead of the last one, in column `wall`. The area lies on the left.
    """
    shape, top = work.shape, 0
    for k in range(1, count + 1):
        if _look(view, column, k) != FREE:
            return False
        top = _put(view, work, top, column, k)
    shape[LINE + 1] = shape[INSIDE] = top
    for k in range(1, count + 1):
        top = _put(view, work, top, column + 1, k)
    if column == 1:
        top = _put(view, work, top, column, 0)
    if wall < column:
        top = _put(view, work, top, column, count + 1)
    shape[INSIDE + 1] = shape[OUTSIDE] = top
    for k in range(1, count + 1):
        top = _put(view, work, top, column - 1, k)
    if wall > column:
        top = _put(view, work, top, column, count + 1)
    shape[OUTSIDE + 1] = top
    here = _cell_at(view, 0, 0)
    work.ends[0], work.ends[1] = here, _cell_at(view, wall, count + 1)
    room = work.room
    look_around(view.order, view.board, room)
    offsets, counts = work.offsets, room.shapes[0]
    return fill_shape(room, view.board, here, 0, shape, offsets, counts)


@njit
def _pass_cell(view: View, work: Work, cell: int) -> None:
    """Kernel: take a cell as visited, if it is free."""
    if view.order[cell] == FREE_CELL:
        view.order[cell] = _PASSED
        work.trail[0] += 1
        work.trail[work.trail[0]] = cell


@njit
def _pass_area(view: View, work: Work) -> None:
    """Kernel: take the area filled last as visited."""
    for cell in range(len(view.order)):
        if is_filled(work.room, cell):
            _pass_cell(view, work, cell)


@njit
def _close_obstacle(view: View, work: Work) -> int:
    """Kernel: a close obstacle on the left: mid across, across, or 0.

    Its area has one door, the cell diagonal to the live end, and is closed.
    """
    if _look(view, 1, 1) != FREE or _look(view, 1, 2) == BEYOND:
        return 0
    if _look(view, 1, 2) == VISITED:
        passable = _look(view, 0, 1) == FREE and _look(view, 0, 2) == FREE
        return _MID_ACROSS if passable and _closes(view, work, 1, 1, 1) else 0
    if _look(view, 2, 2) != VISITED or _look(view, 2, 1) != FREE:
        return 0
    return _ACROSS if _closes(view, work, 1, 1, 2) else 0


@njit
def _two_open_sides(view: View) -> bool:
    """Kernel: whether the cell ahead has two open sides, a C-shape."""
    there = _cell_at(view, 0, 1)
    if _look(view, 0, 1) != FREE or there == view.board[2]:
        return False
    return _look(view, 0, 2) != FREE and _look(view, 1, 1) != FREE


@njit
def _forced_walk_dies(view: View, work: Work) -> bool:
    """Kernel: follow the forced walk from a view; tell if it is closed on both sides.

    Cells that it passes stay marked in `order`.
    """
    for _ in range(len(view.order)):
        here = _cell_at(view, 0, 0)
        if here < 0 or here == view.board[2]:
            return False
        _pass_cell(view, work, here)
        right = _close_obstacle(_mirror(view), work)
        left = _close_obstacle(view, work)
        if left == 0 and _two_open_sides(view):
            left = _C_AHEAD
        elif left == 0 and _two_open_sides(
            _facing(view, view.left, (view.ahead + 2) % 4)
        ):
            left = _C_LEFT
        if left == 0:
            return False
        if right != 0:
            return True
        if left == _MID_ACROSS:
            following = _moved(view, 0, 1, True)
        elif left == _ACROSS:
            following = _moved(view, 1, 1, True)
        elif left == _C_AHEAD:
            following = _moved(view, -1, 1, True)
        else:
            following = _moved(view, 1, 1, False)
        if _look(following, 0, 0) != FREE:
            return False
        if left >= _MID_ACROSS:
            _pass_area(view, work)
        elif left == _C_AHEAD:
            _pass_cell(view, work, _cell_at(view, 0, 1))
        else:
            _pass_cell(view, work, _cell_at(view, 1, 0))
        view = following
    return False


@njit
def _begins(view: View, start: int, work: Work) -> bool:
    """Kernel: fill the first area of a sequence; tell if it is closed and even.

    Starts 1 and 2 have the border straight ahead, of three cells and of two, start 3
    has it one column to the left. Beyond it stands the first obstacle.
    """
    if start == 3:
        cells = ((1, 1), (1, 2), (0, 1), (0, 2), (0, 3), (0, 1))
    elif start == 2:
        cells = ((0, 1), (0, 2), (-1, 2), (-1, 3), (0, 1), (0, 1))
    else:
        cells = ((0, 1), (0, 2), (0, 3), (1, 1), (1, 3), (-1, 3))
    for left, ahead in cells:
        if _look(view, left, ahead) != FREE:
            return False
    count = 2 if start == 3 else 4 - start
    column = 1 if start == 3 else 0
    wall = -1 if start == 1 and _look(view, 0, 4) == FREE else column
    if _look(view, wall, count + 1) == FREE:
        return False
    if not _closes(view, work, column, count, wall):
        return False
    counts = work.room.shapes[0]
    return bool(counts[SIZE] == 2 * counts[BLACK])


@njit
def sequence_moves(
    work: Work | None,
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    asked: int,
    masks: Ints,
) -> int:
    """Kernel: the moves that the sequence forbids, as bits, which it adds to `masks`.

    `heading` is known. With `asked`, a mask of moves, it stops at the first ground
    against one of them, whose line and area `work` has then. Kernels without `work`
    are compiled without the sequence.
    """
    if work is None:
        return 0
    row, col, free, mask = live_end // board[1], live_end % board[1], 0, 0
    for d in range(4):
        free |= (_look(View(order, board, row, col, d, d), 0, 1) == FREE) << d
    for turn, mirrored, start in _STARTS:
        ahead = (heading + (4 - turn if mirrored else turn)) % 4
        left = (ahead + (1 if mirrored else 3)) % 4
        view = View(order, board, row, col, ahead, left)
        now = 1 << ahead | (0 if start == 3 else 1 << left)
        now &= free & ~mask
        if now & asked == 0 or not _begins(view, start, work):
            continue
        _pass_area(view, work)
        if start == 3:
            _pass_cell(view, work, _cell_at(view, 0, 1))
        first = _moved(view, 0 if start == 3 else -1, 2, True)
        dies = _look(first, 0, 0) == FREE and _forced_walk_dies(first, work)
        for k in range(1, work.trail[0] + 1):
            order[work.trail[k]] = FREE_CELL
        work.trail[0] = 0
        if dies:
            mask |= now
            if asked & ~mask == 0:
                _begins(view, start, work)  # its line and area, for the reason
                break
    masks[min(work.rule, len(masks) - 1)] |= mask
    return mask


def sequence_reason(
    work: Work,
    order: Ints,
    numbers: tuple[int, int, int],
    position: Position,
    move: str,
) -> Reason:
    """Return the line and the area of a move that the sequence forbids."""
    board, masks = position.board, np.zeros(1, dtype=np.int32)
    here, heading, bit = position.live_end, position.heading, mask_of(move)
    sequence_moves(work, order, numbers, here, heading, bit, masks)
    line = work.offsets[: work.shape[LINE + 1]] @ (board.cols, 1) + here
    area = tuple(c for c in range(board.cells) if is_filled(work.room, c))
    black = sum(board.black(cell) for cell in area)
    white = len(area) - black
    counts = f"{len(area)} cells, {black} black and {white} white"
    return Reason(
        f"{SequenceRule.reason}; its area has {counts}",
        cells=tuple(sorted({*line.tolist(), *work.ends.tolist()} - {-1})),
        area=area,
        facts=(("black 1", black), ("white 1", white)),
    )


@dataclass(frozen=True)
class SequenceRule(Rule):
    """Follows the forced walk behind an even area until obstacles stand on both sides.

    Begins as `sequence-1`, `sequence-2` and `sequence-3`. From the cell where the even
    area is left the walk is followed while it is forced: by a C-shape ahead or on the
    left, or by a close obstacle on the left, mid across or across. Where a close
    obstacle stands on the right too, the step into the area is forbidden.
    """

    name: ClassVar[str] = "sequence-recursion"
    claim: ClassVar[str] = "sound"
    origin: ClassVar[str] = (
        "one-way labyrinth, read-me text; program, CheckSequence and "
        "CheckSequenceRecursive"
    )
    reason: ClassVar[str] = (
        "behind the even area every step is forced until the walk has an obstacle on "
        "either side"
    )
    boards: ClassVar[Boards] = Boards.CORNERS
    engine: ClassVar[str] = "heuristic.matching.drawn:drawn_rules"

    @property
    def spec(self) -> RuleSpec:
        """The rule as one of a rule file, without drawings."""
        return RuleSpec(self.name, self.claim, self.origin, self.reason, ())


def sequence_rules(names: Sequence[str]) -> list[Rule]:
    """Return the sequence; the factory of its group."""
    return [SequenceRule()]
