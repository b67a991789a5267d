"""Rules that read future lines, and the inferences that draw them, as a rule set.

Lines depend on the whole walk, so a position is asked by following its walk. The bans
are drawings with ends of lines among their cells; two rules speak of the lines alone:
``future-follow`` forbids leaving a line and entering one inside, ``future-dead-end``
forbids a step after which an end of a line cannot grow. The inferences forbid nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

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
from heuristic.rule import Forbid, Reason, letters
from heuristic.rules.drawing import (
    DEAD_END,
    FOLLOW,
    RuleSpec,
    WrittenRule,
    inference_bits,
)
from heuristic.rules.picture import rules_html
from heuristic.walks.walker import ByTracker
from solver.board import LETTERS, Board, Cell, Position
from solver.errors import RuleError
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


class FutureRule(WrittenRule):
    """One rule of a `FutureRuleSet`, standing alone; a `Rule`.

    Alone a ban knows the lines of all nine inferences. `spec` is what its file says.
    """

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        return FutureRuleSet(self.name, [self.spec]).forbids(position)

    def __repr__(self) -> str:
        return f"<FutureRule {self.name}>"

    def _repr_html_(self) -> str:
        return rules_html(self.name, [self])


class FutureRuleSet(ByTracker):
    """Rules that read future lines, with the inferences that find them; a `RuleSet`.

    The lines are those of the inferences among the rules, of all nine if none is.

    >>> from heuristic.groups import load_rules
    >>> rules = load_rules("future-1x3")
    >>> rules.edges(Position.parse("5:RD"))
    ((7, 2), (2, 3), (3, 4), (4, 9))

    Raises `RuleError` if two different rules have the same name, or one names
    precedence.
    """

    def __init__(self, name: str, specs: Sequence[RuleSpec]) -> None:
        self.name = name
        kept: dict[str, RuleSpec] = {}
        for spec in specs:
            if kept.setdefault(spec.name, spec) != spec:
                why = "another rule of the set has this name"
                raise RuleError(spec.file, spec.name, why, line=spec.line)
            if spec.stops or spec.unless:
                why = "a rule that reads future lines has no stops and no unless"
                raise RuleError(spec.file, spec.name, why, line=spec.line)
        self.rules = tuple(FutureRule(spec) for spec in kept.values())
        self.bits = inference_bits(tuple(kept))
        self._fitting: dict[tuple[int, int], Tables] = {}

    @cached_property
    def _bans(self) -> list[RuleSpec]:
        return [rule.spec for rule in self.rules if rule.spec.kind == "ban"]

    @cached_property
    def roles(self) -> Ints:
        """Where the kernel finds the mask of each rule that can forbid."""
        names = [rule.name for rule in self.rules]
        alone = [names.index(n) if n in names else -1 for n in (FOLLOW, DEAD_END)]
        bans = [names.index(spec.name) for spec in self._bans]
        return np.array([*alone, *bans], dtype=np.int32)

    def tables_on(self, board: Board) -> Tables:
        """Return the tables of the bans with the drawings that fit a board."""
        size = board.rows, board.cols
        if size not in self._fitting:
            self._fitting[size] = fitting(compile_rules(self._bans), board)
        return self._fitting[size]

    def tracker(self, board: Board) -> "FutureTracker":
        """Return a fresh tracker at the board's start."""
        return FutureTracker(self, board)

    def edges(self, position: Position) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges of the lines that the walk of a position has left."""
        return self._followed(position).edges()

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        tracker = self._followed(position)
        return tuple(
            Forbid(rule.name, move, tracker.reason(rule.spec, position, move))
            for rule, mask in zip(self.rules, tracker.masks(), strict=True)
            for move in letters(mask)
        )

    def _followed(self, position: Position) -> "FutureTracker":
        tracker = self.tracker(position.board)
        tracker.follow(position.walk)
        return tracker

    def __repr__(self) -> str:
        return f"<FutureRuleSet {self.name}: {len(self.rules)} rules>"

    def _repr_html_(self) -> str:
        return rules_html(self.name, self.rules)


class FutureTracker(FutureLines):
    """The lines along a walk, and what the rules say of them; a `Tracker`."""

    def __init__(self, rules: FutureRuleSet, board: Board) -> None:
        super().__init__(board, rules.bits)
        self._bans = rules._bans
        self._tables, self._roles = rules.tables_on(board), rules.roles
        self._numbers = board_numbers(board)
        self._scratch = new_scratch(self._tables, board)
        self._row = np.zeros(len(rules.rules), dtype=np.int32)

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        rules, room = (self._tables, self._roles), (self._scratch, self._row)
        _masks(*rules, self.state, self._numbers, *room)
        masks: list[int] = self._row.tolist()
        return masks

    def reason(self, spec: RuleSpec, position: Position, move: str) -> Reason:
        """Say why a rule forbids a move, which it must do: the lines as edges."""
        edges = self.edges()
        if spec.kind == "inference":
            return Reason(spec.reason, edges=edges, kind="future")
        tables, state, live = self._tables, self.state, position.live_end
        order, number = state.table[ORDER], self._bans.index(spec)
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
