"""Rules written as drawings, as objects: they forbid, and say why.

Masks come from the kernel. A reason is put together afterwards, for the moves that
somebody asks about, from the first placement that matches and forbids the move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from time import process_time
from typing import Any

import numpy as np

from heuristic.matching.pattern import board_numbers, evaluate, new_order, new_scratch
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    COL,
    MOVES,
    NEEDS,
    NEEDS_END,
    ROW,
    SHAPE,
    Ints,
    Tables,
    compile_rules,
    fitting,
)
from heuristic.matching.walks import DrawnRounds, DrawnWalker, followed
from heuristic.rule import Followed, Forbid, Reason, Rule, letters
from heuristic.rules.drawing import Drawing, RuleSpec, WrittenRule
from heuristic.rules.picture import rules_html
from heuristic.walks.walker import ByTracker
from solver.board import LETTERS, Board, Cell, Position
from solver.errors import RuleError
from solver.jit import compiled_before, plain
from solver.positions import PositionTree

# as Python: a reason is asked for seldom, and compiling would take a second
_PATTERN, _AREAS = "heuristic.matching.pattern", "heuristic.matching.areas"
_PATIENCE = 2.0  # seconds that `evaluate` may take as Python; compiling takes longer
_spent = [0.0]  # seconds that it took so far


class DrawnRule(WrittenRule):
    """One rule written as drawings; a `Rule`.

    Alone it is asked at every position: `stops` and `unless` speak of a rule set.
    `spec` is all that its file says.
    """

    @cached_property
    def tables(self) -> Tables:
        """The rule compiled alone."""
        return compile_rules([self.spec])

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return the forbidden moves with reasons, in the order U, R, D, L."""
        masks = np.zeros(1, dtype=np.int32)
        mask = _ask(self.tables, position, masks)
        return tuple(self.explain(position, move) for move in letters(mask))

    def explain(self, position: Position, move: str) -> Forbid:
        """Say why the rule forbids a move of the position, which it must do."""
        board, tables = position.board, self.tables
        order, scratch = new_order(board, position.walk), new_scratch(tables, board)
        pattern = plain(_PATTERN)
        pattern.next_step(scratch)
        bit = 1 << LETTERS.index(move)
        numbers = board_numbers(board)
        heads = tables.heads
        for p in range(heads[position.heading], heads[position.heading + 1]):
            if tables.placements[p, MOVES] & bit and pattern.placement_matches(
                tables, p, order, numbers, position.live_end, scratch
            ):
                reason = placed_reason(self.spec, tables, p, position, order, scratch)
                return Forbid(self.name, move, reason)
        raise ValueError(f"{self.name} does not forbid {move} at {position.notation}")

    def __repr__(self) -> str:
        return f"<DrawnRule {self.name}>"

    def _repr_html_(self) -> str:
        return rules_html(self.name, [self])


def placed_reason(
    spec: RuleSpec,
    tables: Tables,
    p: int,
    position: Position,
    order: Ints,
    scratch: Ints,
) -> Reason:
    """Return the reason of a rule whose placement `p` matches, areas counted."""
    board = position.board
    row, col = divmod(position.live_end, board.cols)
    cells = []
    for n in range(*tables.placements[p, [NEEDS, NEEDS_END]]):
        r, c = row + tables.needs[n, ROW], col + tables.needs[n, COL]
        if 0 <= r < board.rows and 0 <= c < board.cols:
            cells.append(int(r * board.cols + c))
    sentence, facts, areas = spec.reason, [], list[tuple[Cell, ...]]()
    first, last = (int(at) for at in tables.placements[p, [AREAS, AREAS_END]])
    for a in range(first, last):
        filled = tuple(_area_cells(position, tables, a, order, scratch))
        areas.append(filled)
        black = sum(board.black(cell) for cell in filled)
        white = len(filled) - black
        facts += [(f"black {len(areas)}", black), (f"white {len(areas)}", white)]
        which = f"area {len(areas)}" if last - first > 1 else "its area"
        sentence += f"; {which} has {len(filled)} cells, {black} black"
        sentence += f" and {white} white"
    return Reason(
        sentence=sentence,
        cells=tuple(sorted(cells)),
        area=tuple(sorted({cell for filled in areas for cell in filled})),
        facts=tuple(facts),
        areas=tuple(areas),
    )


@cache
def _is_compiled() -> bool:
    return compiled_before(_PATTERN, "evaluate")


def ask_compiled() -> None:
    """Compile `evaluate` when it is asked next, even for one position."""
    _spent[0] = _PATIENCE


def _evaluate(*asked: Any) -> int:
    """Ask `evaluate`, as Python if few positions are asked and it is not compiled."""
    if _spent[0] >= _PATIENCE or _is_compiled():
        return int(evaluate(*asked))
    began = process_time()
    try:
        return int(plain(_PATTERN).evaluate(*asked))
    finally:
        _spent[0] += process_time() - began


def _ask(tables: Tables, position: Position, masks: Ints) -> int:
    board = position.board
    return _evaluate(
        tables,
        new_order(board, position.walk),
        board_numbers(board),
        position.live_end,
        position.heading,
        new_scratch(tables, board),
        masks,
    )


def _area_cells(
    position: Position, tables: Tables, a: int, order: Ints, scratch: Ints
) -> list[Cell]:
    """Return the cells of a matching area, from the stamps of a fresh fill."""
    board, shape = position.board, int(tables.areas[a, SHAPE])
    areas = plain(_AREAS)
    areas.fill_shape(
        order,
        board_numbers(board),
        position.live_end,
        tables.shapes[shape],
        tables.offsets,
        scratch,
        areas.slot_of(shape),
    )
    return [cell for cell in range(board.cells) if areas.is_filled(scratch, cell)]


class DrawnRuleSet(ByTracker):
    """Rules written as drawings, matched together in one kernel; a `RuleSet`.

    `stops` and `unless` are obeyed: a rule that is not asked forbids nothing.

    Raises
    ------
    RuleError
        If two different rules have the same name, or one reads future lines: those go
        into a `heuristic.future.futurerules.FutureRuleSet`.
    """

    def __init__(self, name: str, rules: Sequence[DrawnRule]) -> None:
        self.name = name
        kept: dict[str, DrawnRule] = {}
        for rule in rules:
            why = ""
            if rule.spec.reads_lines:
                why = "it reads future lines, which no drawing alone can show"
            elif kept.setdefault(rule.name, rule).spec != rule.spec:
                why = "another rule of the set has this name"
            if why:
                raise RuleError(rule.spec.file, rule.name, why, line=rule.spec.line)
        self.drawn = tuple(kept.values())
        self._fitting: dict[tuple[int, int], Tables] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, in the order they are asked."""
        return self.drawn

    @cached_property
    def tables(self) -> Tables:
        """All rules compiled together, for kernels; see `pattern`."""
        return compile_rules([rule.spec for rule in self.drawn])

    def tables_on(self, board: Board) -> Tables:
        """Return the tables with the drawings that fit a board, made once a size."""
        size = board.rows, board.cols
        if size not in self._fitting:
            self._fitting[size] = fitting(self.tables, board)
        return self._fitting[size]

    def forbids(self, position: Position) -> tuple[Forbid, ...]:
        """Return what every rule forbids, by rule and then by move."""
        masks = np.zeros(len(self.drawn), dtype=np.int32)
        _ask(self.tables, position, masks)
        return tuple(
            rule.explain(position, move)
            for rule, mask in zip(self.drawn, masks, strict=True)
            for move in letters(int(mask))
        )

    def tracker(self, board: Board) -> "DrawnTracker":
        """Return a fresh tracker at the board's start."""
        return DrawnTracker(self.tables_on(board), board)

    def walker(self, board: Board) -> DrawnWalker:
        """Return a walker that makes random walks in one kernel."""
        return DrawnWalker(self.tables_on(board), board)

    def followed(self, tree: PositionTree) -> Iterator[Followed]:
        """Yield what the rules say at all positions of a tree, by one kernel."""
        return followed(self.tables_on(tree.board), tree)

    def rounds(self, board: Board) -> DrawnRounds:
        """Return the rounds of a left-first walk, made by a kernel."""
        same = all(_is_transposed(d) for rule in self.drawn for d in rule.spec.drawings)
        return DrawnRounds(self.tables_on(board), board, symmetric=same)

    def asked_always(self) -> "DrawnRuleSet":
        """Return the set without precedence: each rule asked at every position."""
        specs = [replace(rule.spec, stops=False, unless=()) for rule in self.drawn]
        return DrawnRuleSet(self.name, [DrawnRule(spec) for spec in specs])

    def __repr__(self) -> str:
        return f"<DrawnRuleSet {self.name}: {len(self.drawn)} rules>"

    def _repr_html_(self) -> str:
        return rules_html(self.name, self.drawn)


def _is_transposed(drawing: Drawing) -> bool:
    """Whether a drawing is laid on a board in the same ways if that is transposed."""
    ways = {(one.heading, one.left, one.ahead) for one in drawing.placements()}
    turned = {(3 - heading, left[::-1], ahead[::-1]) for heading, left, ahead in ways}
    return ways == turned


class OrderTracker:
    """A walk that kernels see as an order array."""

    def __init__(self, board: Board) -> None:
        self.board, self.walk = board, [board.start]
        self._numbers, self._order = board_numbers(board), new_order(board, self.walk)

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self._order[cell] = len(self.walk)
        self.walk.append(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._order[self.walk.pop()] = -1


class DrawnTracker(OrderTracker):
    """Drawn rules along a walk."""

    def __init__(self, tables: Tables, board: Board) -> None:
        super().__init__(board)
        self._tables = tables
        self._scratch = new_scratch(tables, board)
        self._masks = np.zeros(len(tables.rules), dtype=np.int32)

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        heading = -1
        if len(self.walk) > 1:
            heading = self.board.direction(self.walk[-2], self.walk[-1])
        _evaluate(
            self._tables,
            self._order,
            self._numbers,
            self.walk[-1],
            heading,
            self._scratch,
            self._masks,
        )
        masks: list[int] = self._masks.tolist()
        return masks
