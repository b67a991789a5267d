"""The sequence: a walk that is forced step by step, to any length.

An area with as many white as black cells lies at the live end. Entered now, it is left
at a known cell. From there every step is forced as long as an obstacle on the left
closes an area, or leaves a cell with two open sides. Where an obstacle on the right
closes an area as well, both had to be entered next: the position is dead. A drawing
holds a walk of known length only, so this rule is a kernel. The source tests the order
of the walk at an obstacle; here flood fill decides, with all cells that the forced walk
would have passed taken as visited.

Cells are seen from a cell, as on the page of a drawing. A `View` holds the row and
column of the cell looked from, the direction that is ahead and the one that is left. An
offset (left, ahead) counts from there. In a mirrored view left is where right was.

The kernel returns the moves that it forbids as bits. With `wanted`, a mask of moves, it
stops at the first ground against one of them, and `Work` has the line and the area of
it. So masks and reasons come from the same code.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from heuristic.boards import Boards
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
from heuristic.matching.drawn import DrawnWalker
from heuristic.matching.leftfirst import (
    ASK,
    DrawnRounds,
    Memory,
    go_on,
    heading_of,
    settle,
)
from heuristic.matching.leftfirst import look as look_back
from heuristic.matching.pattern import board_numbers, new_order
from heuristic.matching.tables import Ints, Tables
from heuristic.matching.walks import Drawn, allowed_moves
from heuristic.rule import Reason, Rule
from heuristic.walks.rounds import FRESH, LENGTH, Event, Run, Stops
from heuristic.walks.walker import MixedWalker, Walker
from solver.board import LETTERS, Board, Cell
from solver.jit import njit

FREE, VISITED, OUTSIDE = 1, 2, 4  # what `look` answers

_DOWN = (-1, 0, 1, 0)
_RIGHTWARDS = (0, 1, 0, -1)
# Steps to the eight cells around, counter-clockwise on the board beginning above, and
# the number of each by 3 * (row + 1) + column + 1.
_ROWS = (-1, -1, 0, 1, 1, 1, 0, -1)
_COLS = (0, -1, -1, -1, 0, 1, 1, 1)
_NUMBER = (1, 0, 7, 2, -1, 6, 3, 4, 5)

_PASSED = 1 << 24  # the order of a cell that a forced walk would pass
_C_LEFT, _C_AHEAD, _MID_ACROSS, _ACROSS = 1, 2, 3, 4


class View(NamedTuple):
    """A position as seen from a cell: the cell, and the directions ahead and left.

    `order` and `board` are those of `heuristic.matching.pattern`.
    """

    order: Ints
    board: tuple[int, int, int]
    row: int
    col: int
    ahead: int
    left: int


class Work(NamedTuple):
    """What the kernel writes on, kept between calls; int32 arrays.

    - `scratch`, (n,): for `fill_shape`, with one shape.
    - `line`, (n, 2): row and column of base, marked cells and wall.
    - `shape`, `offsets`, (6,), (n, 2): the line as `fill_shape` takes it.
    - `trail`, (cells + 1,): number of cells passed, then the cells.
    """

    scratch: Ints
    line: Ints
    shape: Ints
    offsets: Ints
    trail: Ints


def new_work(board: Board) -> Work:
    """Return fresh arrays for a board."""
    longest = 5  # base, three marked cells, wall
    return Work(
        scratch=blank_scratch(board, 1, max(board.rows, board.cols) + 1),
        line=np.zeros((longest, 2), dtype=np.int32),
        shape=np.zeros(6, dtype=np.int32),
        offsets=np.zeros((8 * longest, 2), dtype=np.int32),
        trail=np.zeros(board.cells + 1, dtype=np.int32),
    )


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
    col = view.col + ahead * _RIGHTWARDS[view.ahead] + left * _RIGHTWARDS[view.left]
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


@njit
def closes(
    view: View, work: Work, column: int, count: int, left: int, ahead: int
) -> bool:
    """Kernel: fill the area of a straight line; tell if it is closed.

    The line begins at the cell looked from and runs into the wall at (left, ahead). Its
    marked cells are the first `count` of a column, 0 or 1, counted to the left; False
    if one of them is not free. The area lies on the left as the view sees it.
    """
    order, board = view.order, view.board
    line, offsets, shape = work.line, work.offsets, work.shape
    line[0, 0], line[0, 1] = view.row, view.col
    line[count + 1, 0], line[count + 1, 1] = spot(view, left, ahead)
    for k in range(1, count + 1):
        if look(view, column, k) != FREE:
            return False
        line[k, 0], line[k, 1] = spot(view, column, k)
        offsets[k - 1, 0] = line[k, 0] - view.row
        offsets[k - 1, 1] = line[k, 1] - view.col
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
    cell = view.row * board[1] + view.col
    state = fill_shape(order, board, cell, shape, offsets, work.scratch, slot_of(0))
    return state == CLOSED


@njit
def area_is_even(work: Work) -> bool:
    """Kernel: whether the area filled last has as many black as white cells."""
    slot = slot_of(0)
    return bool(work.scratch[slot + SIZE] == 2 * work.scratch[slot + BLACK])


@njit
def forget(view: View, work: Work) -> None:
    """Kernel: take back every cell passed."""
    for k in range(1, work.trail[0] + 1):
        view.order[work.trail[k]] = -1
    work.trail[0] = 0


@njit
def pass_cell(view: View, work: Work, cell: int) -> None:
    """Kernel: take a cell as visited, if it is free."""
    if view.order[cell] == -1:
        view.order[cell] = _PASSED
        work.trail[0] += 1
        work.trail[work.trail[0]] = cell


@njit
def pass_area(view: View, work: Work) -> None:
    """Kernel: take the area filled last as visited."""
    for cell in range(len(view.order)):
        if is_filled(work.scratch, cell):
            pass_cell(view, work, cell)


@njit
def close_obstacle(view: View, work: Work) -> int:
    """Kernel: a close obstacle on the left: mid across, across, or 0.

    Its area has one door, the cell diagonal to the live end, and is closed.
    """
    if look(view, 1, 1) != FREE or look(view, 1, 2) == OUTSIDE:
        return 0
    if look(view, 1, 2) == VISITED:
        passable = look(view, 0, 1) == FREE and look(view, 0, 2) == FREE
        return _MID_ACROSS if passable and closes(view, work, 1, 1, 1, 2) else 0
    if look(view, 2, 2) != VISITED or look(view, 2, 1) != FREE:
        return 0
    return _ACROSS if closes(view, work, 1, 1, 2, 2) else 0


@njit
def _two_open_sides(view: View) -> bool:
    """Whether there is a C-shape at the cell ahead: it has two open sides."""
    there = cell_at(view, 0, 1)
    if look(view, 0, 1) != FREE or there == view.board[2]:
        return False
    return look(view, 0, 2) != FREE and look(view, 1, 1) != FREE


@njit
def forced_walk_dies(view: View, work: Work) -> bool:
    """Kernel: follow the forced walk from a view; tell if it is closed on both sides.

    Cells that it passes stay marked in `order` until `forget`.
    """
    order = view.order
    for _ in range(len(order)):
        here = cell_at(view, 0, 0)
        if here < 0 or here == view.board[2]:
            return False
        pass_cell(view, work, here)
        right = close_obstacle(mirror(view), work)
        left = close_obstacle(view, work)
        if left == 0:
            if _two_open_sides(view):
                left = _C_AHEAD
            elif _two_open_sides(mirror(exchanged(view))):
                left = _C_LEFT
        if left == 0:
            return False
        if right != 0:
            return True
        if left == _MID_ACROSS:
            following = moved(view, 0, 1, True)
        elif left == _ACROSS:
            following = moved(view, 1, 1, True)
        elif left == _C_AHEAD:
            following = moved(view, -1, 1, True)
        else:
            following = moved(view, 1, 1, False)
        if look(following, 0, 0) != FREE:
            return False
        if left >= _MID_ACROSS:
            pass_area(view, work)
        elif left == _C_AHEAD:
            pass_cell(view, work, cell_at(view, 0, 1))
        else:
            pass_cell(view, work, cell_at(view, 1, 0))
        view = following
    return False


@njit
def _all_free(view: View, cells: tuple[tuple[int, int], ...]) -> bool:
    for left, ahead in cells:  # noqa: SIM110 - numba has no all of a generator
        if look(view, left, ahead) != FREE:
            return False
    return True


@njit
def _begins(view: View, start: int, work: Work) -> bool:
    """Fill the first area of a sequence; tell if it is there, closed and even.

    Starts 1 and 2 have the border straight ahead, of three cells and of two, start 3
    has it one column to the left. Beyond it stands the first obstacle.
    """
    if start == 3:
        cells = ((1, 1), (1, 2), (0, 1), (0, 2), (0, 3), (0, 1))
    elif start == 2:
        cells = ((0, 1), (0, 2), (-1, 2), (-1, 3), (0, 1), (0, 1))
    else:
        cells = ((0, 1), (0, 2), (0, 3), (1, 1), (1, 3), (-1, 3))
    if not _all_free(view, cells):
        return False
    count = 2 if start == 3 else 4 - start
    column = 1 if start == 3 else 0
    wall = (column, count + 1)
    if start == 1 and look(view, 0, 4) == FREE:
        wall = (-1, 4)
    if look(view, wall[0], wall[1]) == FREE:
        return False
    return closes(view, work, column, count, wall[0], wall[1]) and area_is_even(work)


@njit
def sequence_mask(here: View, work: Work, wanted: int) -> int:
    """Kernel of `sequence-recursion`; see the module."""
    free, mask = free_moves(here), 0
    for turned in range(3):
        turn = (0, 3, 1)[turned]
        for side in range(2):
            view = view_from(here, turn, side == 1)
            for start in range(1, 4):
                if turn == 1 and start != 3:
                    continue
                now = 1 << view.ahead
                if start != 3:
                    now |= 1 << view.left
                now &= free & ~mask
                if now == 0 or (wanted and not now & wanted):
                    continue
                if not _begins(view, start, work):
                    continue
                pass_area(view, work)
                if start == 3:
                    pass_cell(view, work, cell_at(view, 0, 1))
                first = moved(view, 0 if start == 3 else -1, 2, True)
                dies = look(first, 0, 0) == FREE and forced_walk_dies(first, work)
                forget(view, work)
                if dies:
                    mask |= now
                    if wanted:
                        _begins(view, start, work)  # its line and area, for the reason
                        return mask
    return mask


@njit
def _ask(
    order: Ints,
    board: tuple[int, int, int],
    live_end: int,
    heading: int,
    work: Work,
    wanted: int,
) -> int:
    """Kernel: what the rule forbids at a live end with a known heading."""
    row, col = live_end // board[1], live_end % board[1]
    here = View(order, board, row, col, heading, (heading + 3) % 4)
    return sequence_mask(here, work, wanted)


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
    engine: ClassVar[str] = f"{__name__}:sequence"


def sequence_rules(names: Sequence[str]) -> list[Rule]:
    """Return the sequence; the factory of its group."""
    return [SequenceRule()]


def sequence(rules: Sequence[Rule]) -> Callable[[Board], "SequenceWalker"]:
    """Return what makes walkers of the one rule; a `heuristic.rule.Engine`."""
    return SequenceWalker


class SequenceWalker(Walker):
    """The sequence on a board, and what its kernel writes on."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._order, self._work = new_order(board, self.path), new_work(board)

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._order[cell] = len(self.path)
        self.path.append(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._order[self.path.pop()] = -1

    def _mask(self, wanted: int) -> int:
        if len(self.path) < 2:
            return 0
        place = self.path[-1], self.board.direction(*self.path[-2:])
        numbers = board_numbers(self.board)
        return int(_ask(self._order, numbers, *place, self._work, wanted))

    def masks(self) -> list[int]:
        """Return the forbidden moves as bits, one mask."""
        return [self._mask(0)]

    def reason(self, rule: int, move: str) -> Reason:
        """Return the line and the area of a forbidden move."""
        board, work = self.board, self._work
        self._mask(1 << LETTERS.index(move))
        line = work.line[: work.shape[1] + 2].tolist()
        cells = {
            row * board.cols + col
            for row, col in line
            if 0 <= row < board.rows and 0 <= col < board.cols
        }
        area = tuple(c for c in range(board.cells) if is_filled(work.scratch, c))
        black = sum(board.black(cell) for cell in area)
        white = len(area) - black
        counts = f"{len(area)} cells, {black} black and {white} white"
        return Reason(
            f"{SequenceRule.reason}; its area has {counts}",
            cells=tuple(sorted(cells)),
            area=area,
            facts=(("black 1", black), ("white 1", white)),
        )

    def joined(self, before: Walker) -> Walker:
        """Return the walker of other rules and of the sequence behind them."""
        if isinstance(before, DrawnWalker):
            return BookWalker(before, self)
        return super().joined(before)


_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value


@njit
def _leaves_none(drawn: Drawn, run: Run) -> bool:
    """Kernel: whether no cell beside the live end may be entered, before any rule."""
    length = run.counts[LENGTH]
    here = run.walk[length - 1]
    for d in range(4):
        cell = drawn.neighbours[here, d]
        early = cell == drawn.board[2] and length < run.open_cells - 1
        if cell >= 0 and drawn.order[cell] == -1 and not early:
            return False
    return True


@njit
def _rounds(
    drawn: Drawn, work: Work, masks: Ints, run: Run, memory: Memory, stops: Stops
) -> int:
    """Kernel of `SequenceRounds`; returns the value of an `Event`.

    `masks` has a place for each drawn rule, which `drawn.masks` is, then one for the
    sequence.
    """
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(run, drawn.neighbours)
        if run.todo[at] == FRESH:
            event = look_back(run, memory, heading, stops)
            if event == ASK:
                masks[:] = 0
                moves = 0
                if not _leaves_none(drawn, run):
                    moves = allowed_moves(drawn, run.walk, at + 1, run.open_cells)
                    if at > 0:
                        here, numbers = run.walk[at], drawn.board
                        forbidden = _ask(drawn.order, numbers, here, heading, work, 0)
                        masks[-1] = forbidden
                        moves &= ~forbidden
                event = settle(masks, moves, run, memory, stops)
            if event != _BUDGET:
                return event
        if not go_on(drawn, run, memory, heading):
            return _FINISHED
    return _BUDGET


class SequenceRounds(DrawnRounds):
    """Rounds of drawn rules and of the sequence after them.

    Whether the sequence says of a transposed position the transposed was never shown:
    so positions and their images are kept apart.
    """

    def __init__(self, tables: Tables, board: Board) -> None:
        super().__init__(tables, board)
        self._work = new_work(board)
        rules = len(tables.rules)
        self._masks = np.zeros(rules + 1, dtype=np.int32)
        self._drawn = self._drawn._replace(masks=self._masks[:rules])

    def _make(self, run: Run, memory: Memory, stops: Stops) -> int:
        return _rounds(self._drawn, self._work, self._masks, run, memory, stops)


class BookWalker(MixedWalker):
    """Drawn rules and the sequence behind them: one kernel walks left first."""

    pace = 300_000

    def __init__(self, first: DrawnWalker, second: SequenceWalker) -> None:
        super().__init__(first, second)
        self.forgets, self._tables = first.forgets, first.drawn.tables

    @cached_property
    def _rounds(self) -> SequenceRounds:
        return SequenceRounds(self._tables, self.board)

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds of a left-first walk until an event that is asked for."""
        return self._rounds.go(run, stops)
