"""Rules written as drawings: one kernel applies all of a set on a board.

A reason is made afterwards, on request, from the first placement that matches and
forbids the move.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import cast

import numpy as np

from heuristic.matching.areas import fill_shape, is_filled, slot_of
from heuristic.matching.leftfirst import DrawnRounds, forgets
from heuristic.matching.pattern import (
    board_numbers,
    list_matching,
    new_matching,
    new_order,
)
from heuristic.matching.tables import (
    AREAS,
    AREAS_END,
    COL,
    FREE_CELL,
    MOVES,
    NEEDS,
    NEEDS_END,
    NUMBER,
    ROW,
    RULE,
    SHAPE,
    Ints,
    Tables,
    compile_rules,
)
from heuristic.matching.walks import (
    fill_walk,
    forbidden_moves,
    masks_along,
    new_drawn,
    tree_masks,
)
from heuristic.rule import Reason, Rule
from heuristic.rules.drawing import Drawing, Placement, RuleSpec
from heuristic.walks.rounds import Event, Run, Stops
from heuristic.walks.walker import TreeMasks, Walker, WalkResult
from solver.board import LETTERS, Board, Cell, Position
from solver.positions import PositionTree
from solver.splitmix import seeded
from solver.symmetry import Symmetry

SLICE = 20_000  # steps of a walk, before Ctrl-C is heard


def drawn_rules(rules: Sequence[Rule]) -> Callable[[Board], "DrawnWalker"]:
    """Return what makes walkers of written rules; a `heuristic.rule.Engine`.

    Tables are made once for each longer side of a board, without larger drawings.
    """
    specs = tuple(cast(RuleSpec, rule) for rule in rules)

    @cache
    def tables(side: int) -> Tables:
        return compile_rules(specs, side)

    @cache
    def symmetric() -> bool:
        return all(_is_transposed(d) for spec in specs for d in spec.drawings)

    def walker(board: Board) -> DrawnWalker:
        return DrawnWalker(specs, tables(max(board.rows, board.cols)), board, symmetric)

    return walker


class DrawnWalker(Walker):
    """Drawn rules on a board, by kernels.

    - `symmetric`: whether the rules say of a transposed position the transposed.
    """

    pace = 1_000_000

    def __init__(
        self,
        specs: Sequence[RuleSpec],
        tables: Tables,
        board: Board,
        symmetric: Callable[[], bool],
    ) -> None:
        super().__init__(board)
        self.drawn = new_drawn(tables, board)
        self._specs, self._symmetric = specs, symmetric
        self.forgets = forgets(tables, board)
        self.drawn.order[board.start] = 0
        self._walk = np.full(board.cells, board.start, dtype=np.int32)
        self._directions = np.zeros(4, dtype=np.int64)

    def push(self, cell: Cell) -> None:
        """Follow the walk one cell on."""
        self.drawn.order[cell] = len(self.path)
        self.path.append(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self.drawn.order[self.path.pop()] = FREE_CELL

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        self.drawn.masks[:] = 0
        if len(self.path) > 1:
            forbidden_moves(self.drawn, self.path[-1], self._heading())
        masks: list[int] = self.drawn.masks.tolist()
        return masks

    def _heading(self) -> int:
        return self.board.direction(*self.path[-2:])

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        drawn = self.drawn
        matching = new_matching(drawn.tables)
        count = list_matching(
            drawn.tables,
            drawn.order,
            drawn.board,
            self.path[-1],
            self._heading(),
            drawn.scratch,
            matching,
        )
        first = first_leaf(drawn.tables, matching[:count], rule, move)
        position = Position(self.board, tuple(self.path))
        rest = drawn.tables, first, position, drawn.order, drawn.scratch
        return placed_reason(self._specs[rule], *rest)

    def walk(self, seed: int, position: Position | None = None) -> WalkResult:
        """Walk at random until the board is full or no move is allowed."""
        board, rng = self.board, seeded(seed)
        drawn, directions, walk = self.drawn, self._directions, self._walk
        if position is not None:
            self._stand(position.walk)
            walk[: len(self.path)] = self.path
        if not len(drawn.tables.ordered):  # which rule forbids a move does not matter
            drawn = drawn._replace(masks=drawn.masks[:1])
        most = length = 1 if position is None else len(self.path)
        while length == most and length < board.open_cells:  # else full, or stuck
            most = min(length + SLICE, board.open_cells)
            length = fill_walk(
                drawn, walk, length, most, board.open_cells, directions, rng
            )
        self.path = walk[:length].tolist()
        end = Position(board, tuple(self.path))
        return WalkResult(end, not end.complete)

    def _stand(self, walk: Sequence[Cell]) -> None:
        """Go to the end of a walk at once."""
        self.path = list(walk)
        self.drawn.order[:] = new_order(self.board, walk)

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Yield what the rules forbid at all positions, a microsecond each or less."""
        return tree_masks(self.drawn.tables, tree)

    def along(self, walk: Sequence[Cell]) -> Ints:
        """Return what each rule forbids before each step of a walk, (steps, rules)."""
        self._stand(())
        masks = masks_along(self.drawn, np.array(walk, dtype=np.int32))
        self._stand(walk[:-1])
        return masks.astype(np.int32)

    @cached_property
    def _rounds(self) -> DrawnRounds:
        return DrawnRounds(self.drawn.tables, self.board, symmetric=self._symmetric())

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds of a left-first walk until an event that is asked for."""
        return self._rounds.go(run, stops)


def first_leaf(tables: Tables, matching: Ints, rule: int, move: str) -> int:
    """Return the leaf of a rule that gives the reason against a move."""
    rows = tables.leaves[matching]
    bit = 1 << LETTERS.index(move)
    good = (rows[:, RULE] == rule) & (rows[:, MOVES] & bit != 0)
    numbers = rows[good, NUMBER]
    return int(matching[good][numbers.argmin()])


def placed_reason(
    spec: RuleSpec,
    tables: Tables,
    leaf: int,
    position: Position,
    order: Ints,
    scratch: Ints,
) -> Reason:
    """Return the reason of a rule of which a leaf matches, areas counted."""
    board = position.board
    row, col = divmod(position.live_end, board.cols)
    cells = []
    for n in range(*tables.leaves[leaf, [NEEDS, NEEDS_END]]):
        r, c = row + tables.needs[n, ROW], col + tables.needs[n, COL]
        if 0 <= r < board.rows and 0 <= c < board.cols:
            cells.append(int(r * board.cols + c))
    sentence, facts, areas = spec.reason, [], list[tuple[Cell, ...]]()
    first, last = (int(at) for at in tables.leaves[leaf, [AREAS, AREAS_END]])
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


def _area_cells(
    position: Position, tables: Tables, a: int, order: Ints, scratch: Ints
) -> list[Cell]:
    """Return the cells of a matching area, from the stamps of a fresh fill."""
    board, shape = position.board, int(tables.areas[a, SHAPE])
    fill_shape(
        order,
        board_numbers(board),
        position.live_end,
        tables.shapes[shape],
        tables.offsets,
        scratch,
        slot_of(shape),
    )
    return [cell for cell in range(board.cells) if is_filled(scratch, cell)]


def _is_transposed(drawing: Drawing) -> bool:
    """Whether a drawing is laid on a board in the same ways if that is transposed."""
    ways = set(drawing.placements())
    return ways == {
        Placement(3 - heading, turn.then(Symmetry.TRANSPOSE)) for heading, turn in ways
    }
