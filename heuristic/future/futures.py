"""Future lines along a walk: pieces of the solution that the seeds call forced.

A line is passed from its near end, which the walk is said to meet first, to its far
end. Lines begin beside the walk, in pockets whose cells have two open sides left; their
ends grow while they have one way each (`heuristic.future.lines`). The inferences are
the nine records of the seeds, carried out as their program does it. Left and ahead are
those of a drawing around the cell before the live end, or around the live end where
that is said.

The lines depend on the way the walk was made, not on the visited cells alone: a line is
begun at the step that leaves its pocket behind and is kept from then on. Two walks over
the same cells to the same live end may know different lines; so a position is asked by
following its walk. A step back takes back what the step brought.

Known lines may prove a position dead: an end has no way to grow, or the walk leaves a
line or enters one at a cell that is not its near end. From such a step on nothing is
claimed, and no line begins, until the step is taken back.

Nothing here is a theorem: which of the lines are in every completion is measured in
`docs/tables/milestones.md`, and what was found wrong is in the corpus.
"""

from collections.abc import Sequence
from itertools import pairwise

from heuristic.future.lines import (
    AFTER,
    AROUND,
    BEFORE,
    BITS,
    CONTRADICTED,
    DONE,
    DOUBTED,
    FROM_NEAR,
    INFO,
    LAST,
    LENGTH,
    ONCE,
    OPEN_CELLS,
    ORDER,
    TIED,
    TRAIL,
    TRAILED,
    WALK,
    Lines,
    beside,
    end_of,
    grow,
    is_far,
    is_free,
    is_future,
    is_near,
    join,
    new_lines,
    on_a_line,
)
from solver.board import Board, Cell
from solver.jit import njit

_1X3, _1X2, _PASS, _STEP_ON, _FAR_CORNER = 1, 2, 4, 8, 16
_STEP_AWAY, _2_SIDE, _1_THIN = 32, 128, 256
# The inferences in the order in which they are tried; lines of the first four begin
# at the live end.
STEPPED, _THIN, _AWAY, _SIDE, _TWO, _THREE = range(6)
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
    bits, last = s.table[INFO, BITS], s.table[INFO, LAST]
    live, shorter = s.table[WALK, s.table[INFO, LENGTH] - 1], False
    for turn in range(24):
        kind, number, line = turn // 4, turn % 4, _NOTHING
        left, ahead = _frame(s, 0 if kind < 2 else 1, number)
        if kind == STEPPED:
            if number == 0 and stepped_on and _must_grow(s, live):
                line = live
        elif kind == _THIN and bits & _1_THIN != 0:
            line = _thin(s, left, ahead)
        elif kind == _AWAY and bits & _STEP_AWAY != 0:
            line = _beside_the_walk(s, left, ahead, False)
        elif kind == _SIDE and bits & _2_SIDE != 0:
            line = _beside_the_walk(s, left, ahead, True)
        elif kind == _TWO and bits & _1X2 != 0:
            line = _pocket(s, left, ahead, 2)
            shorter = shorter or line != _NOTHING
        elif kind == _THREE and bits & _1X3 != 0 and not shorter:
            line = _pocket(s, left, ahead, 3)
        if line == _DEAD:
            return False
        if line >= 0:
            near, far = end_of(s, line, False), end_of(s, line, True)
            how = 0
            if kind == STEPPED:
                how = TIED | ONCE
            elif kind < 4:
                how = FROM_NEAR | (DONE if far == last else 0)
            if not grow(s, near, far, how):
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

    Parameters
    ----------
    board : Board
    bits : int
        The inferences in use; see `heuristic.rules.drawing`.

    Examples
    --------
    >>> from solver.board import Position
    >>> known = FutureLines(Board.square(5))
    >>> known.follow(Position.parse("5:RDRR").walk)
    >>> known.contradicted
    True
    >>> known.pop()
    >>> known.lines()[0][:5]
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

    def follow(self, walk: Sequence[Cell]) -> None:
        """Go to a walk from the start, from wherever the lines are now."""
        while self.state.table[INFO, LENGTH] > 1:
            pop(self.state)
        for cell in walk[1:]:
            push(self.state, cell)

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
