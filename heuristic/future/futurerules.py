"""Rules that read future lines, and the inferences that draw them, as a rule set.

Lines depend on the whole walk, so a position is asked by following its walk. The bans
are drawings with ends of lines among their cells; two rules speak of the lines alone:
``future-follow`` forbids leaving a line and entering one inside, ``future-dead-end``
forbids a step after which an end of a line cannot grow. The inferences forbid nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np

from heuristic.future.lines import (
    AFTER,
    AROUND,
    CONTRADICTED,
    INFO,
    LENGTH,
    ORDER,
    WALK,
    FutureLines,
    Lines,
    is_far,
    is_free,
    is_future,
    is_near,
    pop,
    push,
    section_of,
)
from heuristic.matching.areas import next_step
from heuristic.matching.drawn import placed_reason
from heuristic.matching.pattern import board_numbers, new_scratch, placement_matches
from heuristic.matching.tables import (
    COL,
    IS_FAR,
    MARKS,
    MARKS_END,
    MOVES,
    ROW,
    RULE,
    SAME_LINE,
    STATES,
    Ints,
    Tables,
    compile_rules,
    fitting,
)
from heuristic.rule import Reason, Rule
from heuristic.rules.drawing import DEAD_END, FOLLOW, RuleSpec, inference_bits
from heuristic.walks.walker import Walker
from heuristic.written import WrittenRule
from solver.board import LETTERS, Board, Cell, Position
from solver.jit import njit


@njit
def marks_hold(
    tables: Tables, p: int, s: Lines, board: tuple[int, int, int], live_end: int
) -> bool:
    """Kernel: test the ends of lines of placement `p`, all on free cells."""
    rows, cols, last = board
    row0, col0 = live_end // cols, live_end % cols
    line = -1
    for m in range(tables.placements[p, MARKS], tables.placements[p, MARKS_END]):
        mark = tables.marks[m]
        row, col = row0 + mark[ROW], col0 + mark[COL]
        if not (0 <= row < rows and 0 <= col < cols):
            return False
        cell, want = row * cols + col, mark[STATES]
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
def _masks(
    tables: Tables,
    roles: Ints,
    s: Lines,
    board: tuple[int, int, int],
    scratch: Ints,
    masks: Ints,
) -> int:
    """Kernel: ask all rules at the live end; return the heading.

    `roles` holds the places of follow and dead end in `masks`, -1 for none, then that
    of every rule of the tables.
    """
    masks[:] = 0
    length = s.table[INFO, LENGTH]
    if length < 2 or s.table[INFO, CONTRADICTED] != 0:
        return -1
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
    next_step(scratch)
    for p in range(tables.heads[heading], tables.heads[heading + 1]):
        at = roles[2 + tables.placements[p, RULE]]
        wanted = tables.placements[p, MOVES] & free & ~masks[at]
        if (
            wanted != 0
            and marks_hold(tables, p, s, board, live)
            and placement_matches(tables, p, s.table[ORDER], board, live, scratch)
        ):
            masks[at] |= wanted
    return heading


def future_rules(rules: Sequence[Rule]) -> Callable[[Board], "FutureWalker"]:
    """Return what makes walkers of rules that read lines; a `heuristic.rule.Engine`.

    They know the lines that the inferences among them find, all nine if none is there.

    >>> from heuristic.groups import load_rules
    >>> from heuristic.rule import known_edges
    >>> known_edges(load_rules("future-dead-end"), Position.parse("5:RD"))
    ((7, 2), (2, 3), (3, 4), (4, 9))
    """
    specs = [cast(WrittenRule, rule).spec for rule in rules]
    names = [spec.name for spec in specs]
    bans = [spec for spec in specs if spec.kind == "ban"]
    alone = [names.index(n) if n in names else -1 for n in (FOLLOW, DEAD_END)]
    places = [names.index(spec.name) for spec in bans]
    roles = np.array([*alone, *places], dtype=np.int32)

    @cache
    def tables(side: int) -> Tables:
        return fitting(compile_rules(bans), side)

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
        self._specs, self._roles, self._tables = specs, roles, tables
        self._numbers = board_numbers(board)
        self._scratch = new_scratch(tables, board)
        self._row = np.zeros(len(specs), dtype=np.int32)

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
        rules, room = (self._tables, self._roles), (self._scratch, self._row)
        _masks(*rules, self._lines.state, self._numbers, *room)
        masks: list[int] = self._row.tolist()
        return masks

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move: the lines as edges."""
        spec, edges = self._specs[rule], self.edges()
        if spec.kind == "inference":
            return Reason(spec.reason, edges=edges, kind="future")
        position = Position(self.board, tuple(self.path))
        tables, state, live = self._tables, self._lines.state, position.live_end
        order = state.table[ORDER]
        number = self._roles[2:].tolist().index(rule)
        next_step(self._scratch)
        for p in range(*tables.heads[position.heading : position.heading + 2]):
            row = tables.placements[p]
            if (
                row[RULE] == number
                and row[MOVES] >> LETTERS.index(move) & 1
                and marks_hold(tables, p, state, self._numbers, live)
                and placement_matches(
                    tables, p, order, self._numbers, live, self._scratch
                )
            ):
                break
        drawn = placed_reason(spec, tables, p, position, order, self._scratch)
        return replace(drawn, edges=edges, kind="future")
