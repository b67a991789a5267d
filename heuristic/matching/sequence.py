"""The sequence: a rule that follows a forced walk of any length.

An area with as many white as black cells lies at the live end. If the walk enters it
now, it leaves at one certain cell. From there every step is forced as long as an
obstacle on the left closes an area, or leaves a cell with two open sides. Where an
obstacle on the right closes an area too, the walk would have to enter both next, so the
position is dead. A drawing holds a walk of fixed length, so this rule is a kernel.

The researcher's program tests the order of the walk at an obstacle. The kernel fills
areas instead, with all cells of the forced walk marked as visited. It marks them in the
look of `Room` and clears the marks before it returns.

A `View` is a place in the look with the steps ahead and left. An offset (left, ahead)
counts from there. In a mirrored view, left is where right was.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from heuristic.matching.areas import (
    BLACK,
    SIZE,
    STAMP,
    STAMPED,
    Room,
    board_cells,
    count_text,
    fill_shape,
    filled_cells,
    look_place,
    offset,
    turned,
)
from heuristic.matching.tables import (
    IS_FREE,
    IS_VISITED,
    LINE,
    NOT_END_CELL,
    Ints,
    Longs,
    shape_tables,
)
from heuristic.rule import Boards, Reason, Rule, mask_of
from heuristic.rules.drawing import RuleSpec, area_behind, spot
from solver.board import Board, Position, Symmetry
from solver.jit import njit

REACH = 6  # the look needs this margin around the board
# How a sequence begins, in this order: turns of the page, mirrored or not, the start.
# Starts 1 and 2 have the border straight ahead, of three cells and of two. Start 3 has
# it one column to the left. The first obstacle stands beyond it.
_STARTS = tuple(
    (turn, mirrored, start)
    for turn in (0, 3, 1)
    for mirrored in (False, True)
    for start in (1, 2, 3)
    if turn != 1 or start == 3
)
# The lines that close areas on the left, as (left, ahead), and what they run into.
_LINES = (
    ([(0, 1), (0, 2), (0, 3)], (0, 4)),
    ([(0, 1), (0, 2), (0, 3)], (-1, 4)),
    ([(0, 1), (0, 2)], (0, 3)),
    ([(1, 1), (1, 2)], (1, 3)),
    ([(1, 1)], (1, 2)),
    ([(1, 1)], (2, 2)),
)
_STRAIGHT_3, _CORNER_3, _STRAIGHT_2, _LEFT_2, _MID_ACROSS, _ACROSS = range(6)
_C_AHEAD, _C_LEFT = 6, 7  # other obstacles that force a step
_FOLLOWING = ((0, 1), (1, 1), (-1, 1), (1, 1))  # the next cell, from `_MID_ACROSS` on


class SequenceTables(NamedTuple):
    """Tables and working memory of the kernel.

    - `rule`: the number of the sequence in its rule set.
    - `shapes`, `offsets`: the areas of `_LINES`, as in `Tables`.
    - `counts`, (4,) int64: of the last area, as in `Room.shapes`.
    - `trail`, (cells + 1,): number of cells passed, then their places.
    - `ground`, (3,): the line of the first area against a move, and the steps ahead and
      left of the view.
    """

    rule: int
    shapes: Ints
    offsets: Ints
    counts: Longs
    trail: Ints
    ground: Ints


def new_work(board: Board, rule: int) -> SequenceTables:
    """Return fresh arrays for a board; `rule` is the number of the sequence."""
    areas = [
        area_behind([spot(*at) for at in line], spot(*wall)) for line, wall in _LINES
    ]
    shapes, _, offsets = shape_tables([(area, Symmetry.IDENTITY) for area in areas])
    trail, ground = np.zeros(board.cells + 1, np.int32), np.zeros(3, np.int32)
    return SequenceTables(rule, shapes, offsets, np.zeros(4, np.int64), trail, ground)


class View(NamedTuple):
    """A place in the look, and the steps ahead and left."""

    place: int
    ahead: int
    left: int


@njit
def _at(view: View, left: int, ahead: int) -> int:
    return view.place + left * view.left + ahead * view.ahead


@njit
def _is_free(room: Room, view: View, left: int, ahead: int) -> bool:
    return bool(room.look[_at(view, left, ahead)] & IS_FREE)


@njit
def _is_visited(room: Room, view: View, left: int, ahead: int) -> bool:
    return bool(room.look[_at(view, left, ahead)] & IS_VISITED)


@njit
def _is_end(room: Room, place: int) -> bool:
    return bool(room.look[place] & NOT_END_CELL)


@njit
def _moved(view: View, left: int, ahead: int, turned: bool) -> View:
    """Kernel: the view from an offset; turned, what was right is ahead."""
    ways = (-view.left, view.ahead) if turned else (view.ahead, view.left)
    return View(_at(view, left, ahead), *ways)


@njit
def _closes(view: View, room: Room, work: SequenceTables, line: int) -> bool:
    """Kernel: fill the area of a line; whether its cells are free and it is closed."""
    (here, ahead, left), shape, offsets = view, work.shapes[line], work.offsets
    for k in range(shape[LINE], shape[LINE + 1]):
        if room.look[here + offset(offsets[k], -ahead, -left)] & IS_FREE == 0:
            return False
    return fill_shape(room, here, -ahead, -left, shape, offsets, work.counts)


@njit
def _pass_cell(room: Room, work: SequenceTables, place: int) -> None:
    if room.look[place] & IS_FREE:
        room.look[place] ^= IS_FREE | IS_VISITED
        work.trail[0] += 1
        work.trail[work.trail[0]] = place


@njit
def _pass_area(room: Room, work: SequenceTables) -> None:
    """Kernel: mark the area filled last as visited."""
    for place in range(len(room.look)):
        if room.look[place] & STAMPED == room.steps[STAMP]:
            _pass_cell(room, work, place)


@njit
def _close_obstacle(view: View, room: Room, work: SequenceTables) -> int:
    """Kernel: an obstacle on the left, its area closed, its door diagonal; or -1."""
    if not _is_free(room, view, 1, 1):
        return -1
    if _is_visited(room, view, 1, 2):
        holds = _is_free(room, view, 0, 1) and _is_free(room, view, 0, 2)
        obstacle = _MID_ACROSS
    else:
        holds = _is_free(room, view, 1, 2) and _is_free(room, view, 2, 1)
        holds = holds and _is_visited(room, view, 2, 2)
        obstacle = _ACROSS
    return obstacle if holds and _closes(view, room, work, obstacle) else -1


@njit
def _two_open_sides(view: View, room: Room) -> bool:
    """Kernel: whether the cell ahead has two open sides, a C-shape."""
    if not _is_free(room, view, 0, 1) or _is_end(room, _at(view, 0, 1)):
        return False
    return not _is_free(room, view, 0, 2) and not _is_free(room, view, 1, 1)


@njit
def _forced_walk_dies(view: View, room: Room, work: SequenceTables) -> bool:
    """Kernel: follow the forced walk; whether obstacles close areas on both sides."""
    while not _is_end(room, view.place):
        _pass_cell(room, work, view.place)
        mirrored = View(view.place, view.ahead, -view.left)
        right = _close_obstacle(mirrored, room, work)
        left = _close_obstacle(view, room, work)
        if left < 0:
            if _two_open_sides(view, room):
                left = _C_AHEAD
            elif _two_open_sides(View(view.place, view.left, -view.ahead), room):
                left = _C_LEFT
            else:
                return False
        if right >= 0:
            return True
        aside, ahead = _FOLLOWING[left - _MID_ACROSS]
        following = _moved(view, aside, ahead, left != _C_LEFT)
        if not _is_free(room, following, 0, 0):
            return False
        if left == _C_AHEAD:
            _pass_cell(room, work, _at(view, 0, 1))
        elif left == _C_LEFT:
            _pass_cell(room, work, _at(view, 1, 0))
        else:
            _pass_area(room, work)
        view = following
    return False


@njit
def _begins(view: View, room: Room, work: SequenceTables, start: int) -> bool:
    """Kernel: fill the first area of a start; whether it is closed and even."""
    if start == 3:
        cells, line = ((0, 1), (0, 2), (0, 3), (1, 3)), _LEFT_2
    elif start == 2:
        cells, line = ((-1, 2), (-1, 3), (0, 1), (0, 3)), _STRAIGHT_2
    elif _is_free(room, view, 0, 4):
        cells, line = ((1, 1), (1, 3), (-1, 3), (-1, 4)), _CORNER_3
    else:
        cells, line = ((1, 1), (1, 3), (-1, 3), (0, 4)), _STRAIGHT_3
    for k in range(4):  # the last cell is the obstacle
        if _is_free(room, view, cells[k][0], cells[k][1]) == (k == 3):
            return False
    work.ground[0], work.ground[1], work.ground[2] = line, view.ahead, view.left
    if not _closes(view, room, work, line):
        return False
    return bool(work.counts[SIZE] == 2 * work.counts[BLACK])


@njit
def sequence_moves(
    work: SequenceTables | None,
    room: Room,
    place: int,
    heading: int,
    moves: int,
    masks: Ints,
) -> int:
    """Kernel: the moves that the sequence forbids, as bits; adds them to `masks`.

    `place` is that of the live end in the look, which shows the position. Stops at the
    first ground against all of `moves`, a mask, and leaves that ground in `work`.
    Kernels without `work` compile without the sequence.
    """
    if work is None:
        return 0
    free, mask = 0, 0
    for d in range(4):
        ahead, _ = turned(room.width, d)
        free |= (room.look[place - ahead] & IS_FREE != 0) << d
    for turn, mirrored, start in _STARTS:
        ahead = (heading + (4 - turn if mirrored else turn)) % 4
        now = 1 << ahead
        if start != 3:
            now |= 1 << (ahead + (1 if mirrored else 3)) % 4
        now &= free & ~mask
        down, right = turned(room.width, ahead)
        view = View(place, -down, right if mirrored else -right)
        if now & moves == 0 or not _begins(view, room, work, start):
            continue
        _pass_area(room, work)
        if start == 3:
            _pass_cell(room, work, _at(view, 0, 1))
        first = _moved(view, 0 if start == 3 else -1, 2, True)
        dies = _is_free(room, first, 0, 0) and _forced_walk_dies(first, room, work)
        for k in range(1, work.trail[0] + 1):
            room.look[work.trail[k]] ^= IS_FREE | IS_VISITED
        work.trail[0] = 0
        if dies:
            mask |= now
            if moves & ~mask == 0:
                _begins(view, room, work, start)  # its area, for the reason
                break
    masks[min(work.rule, len(masks) - 1)] |= mask
    return mask


def sequence_reason(
    work: SequenceTables, room: Room, position: Position, move: str
) -> Reason:
    """Return the line and the area of a move that the sequence forbids.

    The look must show the position.
    """
    board, masks = position.board, np.zeros(1, dtype=np.int32)
    here = look_place(room, position.live_end)
    sequence_moves(work, room, here, position.heading, mask_of(move), masks)
    number, ahead, left = work.ground
    line, wall = _LINES[number]
    places = here + np.array([(0, 0), *line, wall]) @ (left, ahead)
    area = filled_cells(room, board)
    sentence = f"{SequenceRule.reason}; its area has {count_text(board, area)}"
    return Reason(sentence, cells=board_cells(room, board, places), areas=(area,))


@dataclass(frozen=True)
class SequenceRule(Rule):
    """Follows the forced walk behind an even area until obstacles stand on both sides.

    Begins as `sequence-1`, `sequence-2` and `sequence-3`. After the even area, a
    C-shape ahead or on the left forces each step of the walk. So does a close obstacle
    on the left, mid across or across. Where a close obstacle stands on the right too,
    the rule forbids the step into the area.
    """

    name: str = "sequence-recursion"
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
