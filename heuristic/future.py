"""Future lines along a walk, and the rules that read them.

A *future line* is a chain of free cells that every completion passes in order, from its
*near end* to its *far end*. Nine *inferences* of the researcher's program begin lines
and let their ends grow. Lines begin next to the walk, in pockets whose cells have two
open sides left. An end grows while it has one way (`grow`).

A line begins at the step that leaves its pocket behind, and stays from then on. So the
lines depend on the order of the walk, and no fixpoint of forced edges can replace them.
Lines also have a direction, which forced edges lack.

A step contradicts the lines if it leaves a line, enters one elsewhere than at its near
end, or lets an end without a way. Then nothing is claimed, and no line begins, until
the walk takes that step back.

Bans that read lines are drawings with ends of lines among their cells. Two rules need
no drawing: ``future-follow`` forbids steps that leave a line or enter one inside, and
``future-dead-end`` steps after which an end has no way. Inferences forbid nothing.
docs/explanation/future-lines.md lists what is proved of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from heuristic.matching.areas import turned
from heuristic.matching.drawn import placed_reason
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
from heuristic.rules.drawing import DEAD_END, FOLLOW, INFERENCES, RuleSpec
from heuristic.walker import Edges, Walker
from solver.board import Board, Cell, Position
from solver.jit import njit

NONE, END = -2, -1  # links of a cell in no line, and of an end
ORDER, BEFORE, AFTER, WALK, TRAILED, DOUBTED, AROUND = range(7)
SEAM, INFO = 10, 11  # after the four rows of AROUND
LENGTH, TRAIL, CONTRADICTED, BITS, LAST, OPEN_CELLS = 0, 1, 2, 3, 4, 5
# Bits of the inferences, in the order of `heuristic.rules.drawing.INFERENCES`.
_1X3, _1X2, _PASS, _STEP_ON, _FAR_CORNER = 1, 2, 4, 8, 16
_STEP_AWAY, _CONNECT, _2_SIDE, _1_THIN = 32, 64, 128, 256
# Those that look around the walk at each step, in this order.
_THIN, _AWAY, _SIDE, _TWO, _THREE = range(5)
_BITS = (_1_THIN, _STEP_AWAY, _2_SIDE, _1X2, _1X3)
_NOTHING, _DEAD = -1, -2  # results of an inference that found no line


class Lines(NamedTuple):
    """The future lines along one walk: two int32 arrays for kernels.

    - `table`, (12, cells + 6). Rows by cell: ORDER, the index in the walk, -1 free, -2
      wall; BEFORE and AFTER, the links; SEAM, 1 where two lines were joined after the
      cell; AROUND and the next three, the neighbours U, R, D and L, -1 for none. Rows
      by index in the walk: WALK, the cell; TRAILED and DOUBTED, the length of the trail
      and CONTRADICTED before that step. INFO: length of the walk; length of the trail;
      1 if the walk contradicts its lines; inferences in use as bits; end cell; cells
      without walls. Visited cells keep their links.
    - `trail`, (8 * cells, 3): changed links, so that a step back undoes its step: row
      and column in `table`, and the old value.
    """

    table: Ints
    trail: Ints


def new_future_lines(board: Board, bits: int) -> Lines:
    """Return the state before the first line, with the walk on the start cell."""
    table = np.full((INFO + 1, board.cells + 6), NONE, dtype=np.int32)
    table[ORDER] = -1
    table[ORDER, list(board.walls)] = -2
    table[ORDER, board.start] = 0
    table[WALK, 0] = board.start
    table[AROUND : AROUND + 4, : board.cells] = board.neighbours.T
    table[INFO, :6] = [1, 0, 0, bits, board.end, board.open_cells]
    return Lines(table, np.zeros((8 * board.cells, 3), dtype=np.int32))


@njit
def _set_link(s: Lines, row: int, cell: int, value: int) -> None:
    """Kernel: change a link, with the old value on the trail."""
    top = s.table[INFO, TRAIL]
    s.trail[top, 0], s.trail[top, 1] = row, cell
    s.trail[top, 2] = s.table[row, cell]
    s.table[INFO, TRAIL] = top + 1
    s.table[row, cell] = value


@njit
def _join(s: Lines, a: int, b: int) -> None:
    """Kernel: let cell b follow cell a; a cell in no line becomes an end."""
    if s.table[BEFORE, a] == NONE:
        _set_link(s, BEFORE, a, END)
    _set_link(s, AFTER, a, b)
    _set_link(s, BEFORE, b, a)
    if s.table[AFTER, b] == NONE:
        _set_link(s, AFTER, b, END)


@njit
def _is_free(s: Lines, cell: int) -> bool:
    """Kernel: whether a cell, -1 for none, is free."""
    return cell >= 0 and s.table[ORDER, cell] == -1


@njit
def _is_future(s: Lines, cell: int) -> bool:
    return _is_free(s, cell) and s.table[BEFORE, cell] != NONE


@njit
def _is_near(s: Lines, cell: int) -> bool:
    return _is_free(s, cell) and s.table[BEFORE, cell] == END


@njit
def _is_far(s: Lines, cell: int) -> bool:
    return _is_free(s, cell) and s.table[AFTER, cell] == END


@njit
def _end_of(s: Lines, cell: int, far: bool) -> int:
    """Kernel: one end of the line of a cell; it may be visited."""
    row = AFTER if far else BEFORE
    while s.table[row, cell] >= 0:
        cell = s.table[row, cell]
    return cell


@njit
def _section_of(s: Lines, cell: int) -> int:
    """Kernel: the first cell after the last seam before a cell."""
    before = s.table[BEFORE, cell]
    while before >= 0 and s.table[SEAM, before] != 1:
        cell, before = before, s.table[BEFORE, before]
    return cell


@njit
def _live_end(s: Lines) -> int:
    return int(s.table[WALK, s.table[INFO, LENGTH] - 1])


@njit
def _on_a_line(s: Lines) -> bool:
    """Kernel: whether the live end is on a line, and not at its far end."""
    return bool(s.table[AFTER, _live_end(s)] >= 0)


@njit
def _beside(s: Lines, cell: int, d: int) -> int:
    """Kernel: the neighbour in a direction; -1 off the board, and of -1."""
    return int(s.table[AROUND + d, cell]) if cell >= 0 else -1


@njit
def _is_shut(s: Lines, cell: int, tied: bool) -> bool:
    """Kernel: whether a pocket is closed towards a cell next to it.

    Towards the live end it is closed only if the next step is decided. Then the live
    end is on a line, or `tied` to one.
    """
    if _is_free(s, cell):
        ends = _is_near(s, cell) or _is_far(s, cell)
        return _is_future(s, cell) and not ends
    return cell != _live_end(s) or tied or _on_a_line(s)


@njit
def _ways_taken(s: Lines, cell: int, inner: int, tied: bool) -> int:
    """Kernel: directions in which an end cannot grow, as bits.

    A free cell next to the end, closed on its other two sides, must follow the end. So
    the other ways of the end fall away. `inner` is the cell of the line at the end.
    """
    forward = taken = 0
    for d in range(4):
        if s.table[AROUND + d, inner] == cell:
            forward = d
    for mirrored in range(2):
        left, ahead = (forward + (1 if mirrored == 1 else 3)) % 4, forward
        for _ in range(2):
            pocket = s.table[AROUND + left, cell]
            if (
                _is_free(s, pocket)
                and not _is_future(s, pocket)
                and pocket != s.table[INFO, LAST]
                and _is_shut(s, _beside(s, pocket, left), tied)
                and _is_shut(s, _beside(s, pocket, (ahead + 2) % 4), tied)
            ):
                taken |= 1 << ahead | 1 << ((left + 2) % 4)
            left, ahead = ahead, (left + 2) % 4
    return taken


@njit
def _ways(s: Lines, cell: int, near: bool, tied: bool) -> tuple[int, int, int]:
    """Kernel: where an end can grow: the number of ways, the first, the second.

    It can to free cells in no line, and to the opposite end of another line. The near
    end can also follow the live end, unless that stands on a line.
    """
    inner = s.table[AFTER, cell] if near else s.table[BEFORE, cell]
    taken = _ways_taken(s, cell, inner, tied)
    count, first, second = 0, -1, -1
    for d in range(4):
        other = s.table[AROUND + d, cell]
        if other < 0 or other == inner or (taken >> d) & 1:
            continue
        if not _is_free(s, other):
            good = near and other == _live_end(s) and not _on_a_line(s)
        elif s.table[BEFORE, other] == NONE:
            good = True
        else:
            far = _is_far(s, other) and other != s.table[INFO, LAST]
            good = far if near else _is_near(s, other)
            good = good and _end_of(s, other, not near) != cell
        if good:
            if count == 0:
                first = other
            elif count == 1:
                second = other
            count += 1
    return count, first, second


@njit
def _grow(s: Lines, cell: int, near: bool, tied: bool) -> bool:
    """Kernel: let the ends of a cell's line grow in turns while they have one way.

    - `near`: the near end begins.
    - `tied`: the near end follows the live end. So the far end takes the end cell only
      if it has no other way.

    Returns False if an end has no way: dead, if the lines are right.
    """
    last, live = s.table[INFO, LAST], _live_end(s)
    near_end, far_end = _end_of(s, cell, False), _end_of(s, cell, True)
    done = near and far_end == last  # the near end may not follow the live end
    near_rests, far_rests, grown = tied, done, False
    while True:
        if near and s.table[ORDER, near_end] >= 0:
            tied = True
        elif not near and far_end == last:
            done = True
        else:
            end = near_end if near else far_end
            count, cell, other = _ways(s, end, near, tied)
            for barred, holds in ((last, tied), (live, done)):
                if holds and count == 2 and barred in (cell, other):
                    cell, count = cell + other - barred, 1
            if count == 0 or (count == 1 and near and cell == last):
                return False
            if count == 1 and cell == live:
                if done:
                    return True
                tied = grown = True
            elif count == 1:
                joined = s.table[BEFORE, cell] != NONE
                if joined and s.table[INFO, BITS] & _CONNECT == 0:
                    return True
                before = cell if near else far_end
                _join(s, before, near_end if near else cell)
                if near:
                    near_end = _end_of(s, cell, False)
                else:
                    far_end = _end_of(s, cell, True)
                grown = not joined
                if joined:  # the joined line grows, at this side if it can
                    _set_link(s, SEAM, before, 1)
                    near = s.table[ORDER, near_end] == -1 if near else far_end == last
                if joined or cell != last:
                    continue
                done = True
        if grown:
            if done if near else tied:
                return True
            near_rests, far_rests = near and tied, done and not near
        else:
            near_rests, far_rests = near_rests or near, far_rests or not near
            if near_rests and far_rests:
                return True
        near, grown = not near, False


@njit
def _frame(s: Lines, back: int, number: int) -> tuple[int, int]:
    """Kernel: (left, ahead) of placement 0 to 3: plain, turned cw, both mirrored.

    Ahead is the direction of the last step, or of the step before if `back` is 1.
    """
    at, heading = s.table[INFO, LENGTH] - 1 - back, 0
    for d in range(4):
        if s.table[AROUND + d, s.table[WALK, at - 1]] == s.table[WALK, at]:
            heading = d
    left = (heading + (3 if number < 2 else 1)) % 4
    if number % 2 == 0:
        return left, heading
    return heading, (left + 2) % 4


@njit
def _is_no_way(s: Lines, cell: int, near: int) -> bool:
    """Kernel: whether a near end cannot grow into a cell.

    It cannot into the inside of a line, or to the far end of its own line.
    """
    if not _is_free(s, cell):
        return True
    if not _is_future(s, cell):
        return False
    return not _is_far(s, cell) or _end_of(s, near, True) == cell


@njit
def _must_grow(s: Lines, cell: int) -> bool:
    """Kernel: whether the far end grows when the walk steps on the near end.

    future-step-on: the far end is two cells away in a row, or diagonal to the near end.
    future-far-end-corner: it lies next to the end cell.
    """
    far, bits = _end_of(s, cell, True), s.table[INFO, BITS]
    close = corner = False
    for d in range(4):
        side = s.table[AROUND + d, cell]
        for turn in (0, 1, 3):
            close = close or _beside(s, side, (d + turn) % 4) == far
        corner = corner or s.table[AROUND + d, far] == s.table[INFO, LAST]
    return (close and bits & _STEP_ON != 0) or (corner and bits & _FAR_CORNER != 0)


@njit
def _thin(s: Lines, left: int, ahead: int) -> int:
    """Kernel: future-1-thin, around the live end.

    On the left a line begins that ends in the end cell, and the cell beyond is closed.
    The walk does not enter the line now, so the line grows ahead.
    """
    near = int(s.table[AROUND + left, _live_end(s)])
    if not _is_near(s, near) or _end_of(s, near, True) != s.table[INFO, LAST]:
        return _NOTHING
    side, behind = _beside(s, near, ahead), _beside(s, near, (ahead + 2) % 4)
    if _is_free(s, _beside(s, near, left)) or _is_far(s, behind):
        return _NOTHING
    if not _is_free(s, side) or _is_future(s, side):
        return _NOTHING
    _join(s, side, near)
    return near


@njit
def _near_end_beside(s: Lines, left: int, ahead: int, two: bool) -> int:
    """Kernel: future-step-away, or future-2-side if `two`.

    Left of the cell before the live end is a near end with one way left, ahead. With
    `two` a free cell lies between them. It has two ways left, the near end beyond it
    and the cell ahead.
    """
    between = s.table[AROUND + left, s.table[WALK, s.table[INFO, LENGTH] - 2]]
    near = _beside(s, between, left) if two else between
    behind = _beside(s, between, (ahead + 2) % 4)
    if not _is_near(s, near) or not _is_free(s, between):
        return _NOTHING
    if two:
        if _is_future(s, between) or between == s.table[INFO, LAST]:
            return _NOTHING
        inside = _is_free(s, s.table[BEFORE, behind]) and s.table[AFTER, behind] >= 0
        if _is_free(s, behind) and not inside:
            return _NOTHING
    elif not (
        _is_no_way(s, behind, near) and _is_no_way(s, _beside(s, near, left), near)
    ):
        return _NOTHING
    side = _beside(s, between, ahead)
    if not _is_free(s, side) or side == s.table[INFO, LAST]:
        return _DEAD
    grows = not _is_future(s, side)
    if two:
        _join(s, between, near)
    if grows:
        _join(s, side, between)
    return near


@njit
def _pocket(s: Lines, left: int, ahead: int, size: int) -> int:
    """Kernel: future-1x2 or future-1x3.

    Left of the cell before the live end lie `size` free cells in no line, closed behind
    and at the far side. Each has two ways left, so the line runs along them all.
    """
    last, here = s.table[INFO, LAST], s.table[WALK, s.table[INFO, LENGTH] - 2]
    cell = here
    for _ in range(size):
        cell = _beside(s, cell, left)
        if not _is_free(s, cell) or _is_free(s, _beside(s, cell, (ahead + 2) % 4)):
            return _NOTHING
        if cell == last or _is_future(s, cell):
            return _NOTHING
    first, mouth = int(s.table[AROUND + left, here]), _beside(s, cell, ahead)
    entry = _beside(s, first, ahead)
    if _is_free(s, _beside(s, cell, left)) or mouth == last or entry == last:
        return _NOTHING
    if not _is_free(s, entry) or not _is_free(s, mouth):
        return _DEAD
    enters, leaves = not _is_future(s, entry), not _is_future(s, mouth)
    cell = first
    for _ in range(size - 1):
        _join(s, cell, _beside(s, cell, left))
        cell = _beside(s, cell, left)
    if enters:
        _join(s, entry, first)
    if leaves:
        _join(s, cell, mouth)
    return first


@njit
def _pass_the_end(s: Lines, left: int, ahead: int) -> None:
    """Kernel: future-corner-pass, around the live end: the end cell is behind left.

    Its one free neighbour is the cell on the left, entered from the cell ahead of it.
    """
    last = s.table[INFO, LAST]
    cell = s.table[AROUND + left, _live_end(s)]
    if not _is_free(s, cell) or _is_future(s, cell):
        return
    entry, behind = _beside(s, cell, ahead), _beside(s, cell, (ahead + 2) % 4)
    if behind != last or not _is_free(s, entry) or _is_future(s, entry):
        return
    doors = 0
    for d in range(4):
        doors += _is_free(s, s.table[AROUND + d, last])
    more = s.table[INFO, LENGTH] + 2 < s.table[INFO, OPEN_CELLS]
    if more and doors == 1 and not _is_free(s, _beside(s, cell, left)):
        _join(s, entry, cell)


@njit
def _infer(s: Lines, stepped_on: bool) -> bool:
    """Kernel: all inferences of a step, in the program's order; False if dead."""
    bits, live, shorter = s.table[INFO, BITS], _live_end(s), False
    if stepped_on and _must_grow(s, live) and not _grow(s, live, False, True):
        return False
    for turn in range(20):
        kind = turn // 4
        if bits & _BITS[kind] == 0 or (kind == _THREE and shorter):
            continue
        left, ahead = _frame(s, 0 if kind == _THIN else 1, turn % 4)
        if kind == _THIN:
            line = _thin(s, left, ahead)
        elif kind in (_AWAY, _SIDE):
            line = _near_end_beside(s, left, ahead, kind == _SIDE)
        else:
            line = _pocket(s, left, ahead, 2 if kind == _TWO else 3)
            shorter = shorter or (kind == _TWO and line != _NOTHING)
        if line == _DEAD:
            return False
        if line >= 0 and not _grow(s, line, kind <= _SIDE, False):
            return False
    if bits & _PASS != 0:
        for number in (0, 2):
            left, ahead = _frame(s, 0, number)
            _pass_the_end(s, left, ahead)
    return True


@njit
def push_cell(s: Lines, cell: int) -> bool:
    """Kernel: extend the walk by one cell; False if that contradicts the lines."""
    length, due = s.table[INFO, LENGTH], s.table[AFTER, _live_end(s)]
    doubted = s.table[INFO, CONTRADICTED]
    s.table[TRAILED, length] = s.table[INFO, TRAIL]
    s.table[DOUBTED, length] = doubted
    near, inside = _is_near(s, cell), _is_future(s, cell)
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
def pop_cell(s: Lines) -> None:
    """Kernel: take the last cell back, and all links that its step changed."""
    length, top = s.table[INFO, LENGTH] - 1, s.table[INFO, TRAIL]
    s.table[ORDER, s.table[WALK, length]] = -1
    while top > s.table[TRAILED, length]:
        top -= 1
        s.table[s.trail[top, 0], s.trail[top, 1]] = s.trail[top, 2]
    s.table[INFO, LENGTH], s.table[INFO, TRAIL] = length, top
    s.table[INFO, CONTRADICTED] = s.table[DOUBTED, length]


@njit
def _marks_hold(drawn: Drawn, leaf: int, s: Lines, heading: int) -> bool:
    """Kernel: whether the ends of lines of a leaf are there; their cells are free."""
    tables, (_, cols, last) = drawn.tables, drawn.board
    down, right = turned(cols, heading)
    line = -1
    for m in range(tables.leaves[leaf, MARKS], tables.leaves[leaf, MARKS + 1]):
        mark = tables.marks[m]
        cell = _live_end(s) + mark[ROW] * down + mark[COL] * right
        if mark[STATES] & IS_FAR != 0:
            if not _is_far(s, cell) or cell == last:
                return False
        elif not _is_near(s, cell):
            return False
        section = _section_of(s, cell)
        if mark[STATES] & SAME_LINE != 0 and section != line:
            return False
        line = section if line < 0 else line
    return True


@njit
def _masks(drawn: Drawn, roles: Ints, s: Lines, matching: Ints) -> int:
    """Kernel: ask all rules at the live end; return how many leaves match.

    Fills `drawn.masks`, and `matching` with the leaves whose marks hold. `roles` holds
    the places of follow and dead end in the masks, -1 for none, then that of every rule
    of the tables.
    """
    masks = drawn.masks
    masks[:] = 0
    if s.table[INFO, LENGTH] < 2 or s.table[INFO, CONTRADICTED] != 0:
        return 0
    live, free, leaving = _live_end(s), 0, 0
    due = s.table[AFTER, live]
    for d in range(4):
        cell = s.table[AROUND + d, live]
        if _is_free(s, cell):
            free |= 1 << d
            inside = _is_future(s, cell) and not _is_near(s, cell)
            leaving |= ((cell != due) if due >= 0 else inside) << d
    if roles[0] >= 0:
        masks[roles[0]] = leaving
    for d in range(4):
        if roles[1] >= 0 and ((free & ~leaving) >> d) & 1:
            if not push_cell(s, s.table[AROUND + d, live]):
                masks[roles[1]] |= 1 << d
            pop_cell(s)
    _, heading = _frame(s, 0, 0)
    count = 0
    for k in range(list_matching(drawn, live, heading, ALL_MOVES, matching)):
        leaf = matching[k]
        if _marks_hold(drawn, leaf, s, heading):
            moves = drawn.tables.leaves[leaf, MOVES] * 17 << heading >> 4
            masks[roles[2 + drawn.tables.leaves[leaf, RULE]]] |= moves & free
            matching[count] = leaf
            count += 1
    return count


def future_rules(rules: Sequence[Rule]) -> Callable[[Board], "FutureWalker"]:
    """Return what makes walkers of rules that read lines; a `heuristic.rule.Engine`.

    Their lines are those of the inferences among them, or of all nine if none is there.

    >>> from heuristic.groups import load_rules
    >>> walker = future_rules(load_rules("future-dead-end").rules)(Board.square(5))
    >>> walker.follow(Position.parse("5:RD").walk)
    >>> walker.lines()
    ((7, 2, 3, 4, 9),)
    """
    specs = [cast(RuleSpec, rule) for rule in rules]
    names = [spec.name for spec in specs]
    bans = [spec for spec in specs if spec.kind == "ban"]
    alone = [names.index(n) if n in names else -1 for n in (FOLLOW, DEAD_END)]
    places = [names.index(spec.name) for spec in bans]
    roles = np.array([*alone, *places], dtype=np.int32)
    tables = compile_rules(bans)
    return lambda board: FutureWalker(specs, roles, tables, board)


class FutureWalker(Walker):
    """The future lines along a walk, and what rules forbid because of them."""

    def __init__(
        self, specs: Sequence[RuleSpec], roles: Ints, tables: Tables, board: Board
    ) -> None:
        super().__init__(board)
        names = {spec.name for spec in specs}
        bits = sum(1 << i for i, name in enumerate(INFERENCES) if name in names)
        self._lines = new_future_lines(board, bits or (1 << len(INFERENCES)) - 1)
        self._specs, self._roles = specs, roles
        self._drawn = new_drawn(tables, board)._replace(
            order=self._lines.table[ORDER], masks=np.zeros(len(specs), dtype=np.int32)
        )
        self._matching, self._count = new_matching(tables), 0

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        push_cell(self._lines, cell)
        super().push(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        pop_cell(self._lines)
        super().pop()

    @property
    def contradicted(self) -> bool:
        """True if the walk contradicts its lines: it is dead if they are right."""
        return bool(self._lines.table[INFO, CONTRADICTED])

    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the lines from near end to far end; none if contradicted.

        A line that the walk is on begins with the live end.
        """
        order, before, after = self._lines.table[:3].tolist()
        lines = []
        for cell in range(0 if self.contradicted else self.board.cells):
            near = order[cell] == -1 and before[cell] == END
            if near or (cell == self.path[-1] and after[cell] >= 0):
                line = [cell]
                while after[line[-1]] >= 0:
                    line.append(after[line[-1]])
                lines.append(tuple(line))
        return tuple(lines)

    def edges(self) -> Edges:
        """Return the edges of all lines."""
        return tuple(pair for line in self.lines() for pair in pairwise(line))

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        self._count = _masks(self._drawn, self._roles, self._lines, self._matching)
        masks: list[int] = self._drawn.masks.tolist()
        return masks

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move, with the lines as edges."""
        spec, edges = self._specs[rule], self.edges()
        if spec.kind == "inference":
            return Reason(spec.reason, edges=edges)
        position = Position(self.board, tuple(self.path))
        number = self._roles[2:].tolist().index(rule)
        matching = self._matching[: self._count]
        reason = placed_reason(spec, self._drawn, matching, number, position, move)
        return replace(reason, edges=edges)
