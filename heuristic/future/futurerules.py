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
from heuristic.walks.walker import Walker
from solver.board import Board, Cell, Position
from solver.jit import njit


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
            return Reason(spec.reason, edges=edges, kind="future")
        position = Position(self.board, tuple(self.path))
        number = self._roles[2:].tolist().index(rule)
        matching = self._matching[: self._count]
        tables = self._drawn.tables
        leaf = first_leaf(tables, matching, number, position.heading, move)
        reason = placed_reason(spec, self._drawn, leaf, position)
        return replace(reason, edges=edges, kind="future")
