"""Walks that are forced step by step: the sequence, and the stair down and up again.

**Sequence.** An area with as many white as black cells lies at the live end. Entered
now, it is left at a known cell, and from there every step is forced as long as an
obstacle on the left closes an area, or leaves a cell with two open sides. Where an
obstacle on the right closes an area as well, both had to be entered next: the position
is dead. The source follows it to any length, drawings only as far as it was observed.

**Stair.** A step to the left is forced down a stair, around its foot and back up
beside it. At each step of the way back an obstacle on the left is looked for, mid
across or across. It closes an area that would have to be entered there, while the next
cell of the stair has two open sides and has to be entered as well. An obstacle ahead
closes the area on the left at the beginning. With two free cells before it, the step
straight on and the step to the right end the same way if the stair begins a cell ahead.

Where the source tests the order of the walk at an obstacle, an area must be closed by
flood fill, with all cells that the forced walk would have passed taken as visited.

**A look one step ahead**: moves after which the rules leave none. The source proposed
it in place of a list of all pairs of areas, one on either side of the live end, that
force two different moves. It was switched off in the program, and replaced by the rules
of the next step that are drawn.
"""

from collections.abc import Callable
from functools import cached_property

from heuristic.boards import Boards
from heuristic.procedures.corners import (
    FREE,
    OUTSIDE,
    VISITED,
    View,
    Work,
    area_surplus,
    cell_at,
    closes,
    exchanged,
    fill_line,
    forget,
    free_moves,
    lay_line,
    look,
    mirror,
    moved,
    pass_area,
    pass_cell,
    put,
    view_from,
)
from heuristic.rule import Forbid, Reason, Rule, RuleSet, Tracker, letters, union_mask
from heuristic.walks.rounds import moves_to_try
from heuristic.walks.walker import ByTracker
from solver.board import Board, Cell, Position
from solver.jit import njit

_C_LEFT, _C_AHEAD, _MID_ACROSS, _ACROSS = 1, 2, 3, 4


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
            work.found[1] = here
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
            pass_area(view, work, -1)
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
def _begin(view: View, start: int, work: Work) -> int:
    """Lay the line of a sequence's first area; return its cells, 0 if not there.

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
        return 0
    count = 2 if start == 3 else 4 - start
    column = 1 if start == 3 else 0
    wall = (column, count + 1)
    if start == 1 and look(view, 0, 4) == FREE:
        wall = (-1, 4)
    if look(view, wall[0], wall[1]) == FREE:
        return 0
    lay_line(work, view, column, count, wall[0], wall[1])
    work.found[0] = count
    return count


@njit
def sequence_mask(here: View, work: Work, wanted: int) -> int:
    """Kernel of `sequence-recursion`; see `kernelrule`."""
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
                count = _begin(view, start, work)
                if count == 0 or not fill_line(view, work, count):
                    continue
                if area_surplus(work) != 0:
                    continue
                pass_area(view, work, -1)
                if start == 3:
                    pass_cell(view, work, cell_at(view, 0, 1))
                first = moved(view, 0 if start == 3 else -1, 2, True)
                dies = look(first, 0, 0) == FREE and forced_walk_dies(first, work)
                forget(view, work)
                if dies:
                    mask |= now
                    if wanted:  # the area and its line, for the reason
                        fill_line(view, work, _begin(view, start, work))
                        return mask
    return mask


@njit
def _stair_area(view: View, h: int, v: int, work: Work) -> bool:
    """Follow the way back up from the foot of a stair; tell if an obstacle stops it.

    (h, v) is the visited cell that ends the stair, below the middle of the foot. The
    line of the area is the way itself, from the foot to the door of the area.
    """
    put(work, 0, view, h + 2, v + 1)
    put(work, 1, view, h + 1, v + 1)
    count, left, ahead = 1, h + 1, v + 2  # a cell of the way back
    while ahead <= 0 and look(view, left, ahead) == FREE:
        count += 1
        put(work, count, view, left, ahead)
        put(work, count + 1, view, left + 1, ahead + 1)
        work.found[0] = count + 1
        mid = look(view, left + 1, ahead + 2)
        if mid == VISITED:
            put(work, count + 2, view, left + 1, ahead + 2)
            passable = look(view, left, ahead + 2) == FREE
            if passable and fill_line(view, work, count + 1):
                return True
        elif (
            mid == FREE
            and look(view, left + 2, ahead + 2) == VISITED
            and look(view, left + 2, ahead + 1) == FREE
        ):
            put(work, count + 2, view, left + 2, ahead + 2)
            if fill_line(view, work, count + 1):
                return True
        left, ahead = left - 1, ahead + 1
    return False


@njit
def _stair_down(view: View, work: Work) -> bool:
    """Tell if the step to the left leads down a stair and back up to an obstacle."""
    h, v = 1, -1
    while look(view, h, v) == FREE and look(view, h, v - 1) == VISITED:
        h, v = h + 1, v - 1
    return (
        h > 1
        and look(view, 1, 0) == FREE
        and look(view, h, v) == VISITED
        and look(view, h + 1, v + 1) == FREE
        and look(view, h + 2, v + 1) == VISITED
        and _stair_area(view, h, v, work)
    )


@njit
def _obstacle_ahead(view: View, count: int, work: Work) -> bool:
    """Tell if the area on the left is closed by an obstacle behind `count` cells."""
    ahead = look(view, 0, count + 1)
    return ahead != FREE and closes(view, work, 0, count, 0, count + 1)


@njit
def _obstacle_across(view: View, work: Work) -> bool:
    """Tell if the area on the left is closed by an obstacle mid across, 2 cells on."""
    mid = look(view, 0, 3) == FREE and look(view, 1, 3) == VISITED
    return mid and closes(view, work, 0, 2, 1, 3)


@njit
def stair_mask(here: View, work: Work, wanted: int, always: bool) -> int:
    """Kernel of the two stairs down; see `kernelrule`.

    `always`: whether the way is followed where nothing forces the walk to take it, and
    from the live end alone.
    """
    free, mask = free_moves(here), 0
    for turn in range(2):
        for side in range(2):
            view = view_from(here, turn, side == 1)
            now = 1 << view.left & free & ~mask
            if now and (not wanted or now & wanted):
                begins = (
                    always
                    or _obstacle_ahead(view, 1, work)
                    or _obstacle_ahead(view, 2, work)
                    or _obstacle_across(view, work)
                )
                if begins and _stair_down(view, work):
                    mask |= now
                    if wanted:
                        return mask
            if always:
                continue
            right = (view.left + 2) % 4
            now = (1 << view.ahead | 1 << right) & free & ~mask
            if now and (not wanted or now & wanted):
                begins = _obstacle_ahead(view, 2, work)
                if begins and _stair_down(moved(view, 0, 1, False), work):
                    mask |= now
                    if wanted:
                        return mask
    return mask


class NextStepRule(ByTracker):
    """Forbids every move after which all rules of `seed-2024` together leave no move.

    A `Rule`, and the `RuleSet` of itself. It can be no better than those rules: where
    one of them is wrong, this rule is wrong one step before.
    """

    name = "sa-next-step"
    claim = "withdrawn"
    origin = "one-way labyrinth, read-me text; program, NextStepPossibilities"
    boards = Boards.CORNERS

    def __init__(self, load: Callable[[str], RuleSet]) -> None:
        self._load = load  # of the book; it is read only when the rule is asked
        self.rules: tuple[Rule, ...] = (self,)

    @cached_property
    def base(self) -> RuleSet:
        """The rules that it asks after the step."""
        return self._load("seed-2024")

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        tracker = self.tracker(position.board)
        for cell in position.walk[1:]:
            tracker.push(cell)
        return tuple(
            Forbid(self.name, move, self._reason(position.step(move)))
            for move in letters(tracker.masks()[0])
        )

    def _reason(self, after: Position) -> Reason:
        forbids = self.base.forbids(after)
        words = [
            f"{move} by {next(f.rule for f in forbids if f.move == move)}"
            for move in after.options()
            if any(f.move == move for f in forbids)
        ]
        cells = {cell for f in forbids for cell in f.reason.cells}
        return Reason(
            f"after it the rules leave no move: {', '.join(words) or 'none is free'}",
            cells=tuple(sorted(cells)),
            steps=tuple(forbid.reason for forbid in forbids),
        )

    def tracker(self, board: Board) -> "NextStepTracker":
        """Return a fresh tracker at the board's start."""
        return NextStepTracker(self.base.tracker(board), board)


class NextStepTracker:
    """The rules along a walk, asked once more after every free step; a `Tracker`."""

    def __init__(self, base: Tracker, board: Board) -> None:
        self._base, self._board = base, board
        self._neighbours = board.neighbours.tolist()
        self._walk, self._visited = [board.start], {board.start}

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._base.push(cell)
        self._walk.append(cell)
        self._visited.add(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._base.pop()
        self._visited.remove(self._walk.pop())

    def masks(self) -> list[int]:
        """Return the forbidden moves as bits, one mask."""
        mask = 0
        for d in self._options():
            self.push(self._neighbours[self._walk[-1]][d])
            if len(self._walk) < self._board.open_cells:
                allowed = sum(1 << e for e in self._options())
                if not allowed & ~union_mask(self._base.masks()):
                    mask |= 1 << d
            self.pop()
        return [mask]

    def _options(self) -> list[int]:
        around = self._neighbours[self._walk[-1]]
        return moves_to_try(self._board, around, self._visited)
