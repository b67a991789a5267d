"""Rules written as drawings, and the sequence: one kernel applies all of a set.

A reason is made afterwards, on request, from the first placement that matches and
forbids the move.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import cast

import numpy as np

from heuristic.matching.areas import fill_shape, is_filled
from heuristic.matching.pattern import Drawn, new_drawn, new_matching, new_order
from heuristic.matching.sequence import SequenceRule, new_work, sequence_reason
from heuristic.matching.tables import (
    AREAS,
    FREE_CELL,
    MOVES,
    NEEDS,
    NUMBER,
    RULE,
    SHAPE,
    STATES,
    Ints,
    Tables,
    compile_rules,
)
from heuristic.matching.walks import (
    Memory,
    fill_walk,
    follow_tree,
    make_rounds,
    new_memory,
    tree_masks,
)
from heuristic.rule import Reason, Rule
from heuristic.rules.drawing import Drawing, Placement, RuleSpec
from heuristic.walks.leftfirst import LENGTH, Event, Run, Stops
from heuristic.walks.walker import TreeMasks, Walker, WalkResult
from solver.board import LETTERS, Board, Cell, Position
from solver.positions import PositionTree
from solver.splitmix import seeded
from solver.symmetry import ROTATIONS, Symmetry

SLICE = 20_000  # steps of a walk between two looks at the keyboard


def drawn_rules(rules: Sequence[Rule]) -> Callable[[Board], "DrawnWalker"]:
    """Return what makes walkers of written rules; a `heuristic.rule.Engine`.

    One of them may be the sequence. Tables are made once for each longer side of a
    board, without larger drawings.
    """
    sequences = [k for k, rule in enumerate(rules) if isinstance(rule, SequenceRule)]
    specs = [
        rule.spec if isinstance(rule, SequenceRule) else cast(RuleSpec, rule)
        for rule in rules
    ]

    @cache
    def tables(side: int) -> Tables:
        return compile_rules(specs, side)

    @cache
    def symmetric() -> bool:
        # of the sequence it was never shown
        drawings = (d for spec in specs for d in spec.drawings)
        return not sequences and all(map(_is_transposed, drawings))

    def walker(board: Board) -> DrawnWalker:
        work = new_work(board, sequences[0]) if sequences else None
        drawn = new_drawn(tables(max(board.rows, board.cols)), board, work)
        return DrawnWalker(specs, drawn, board, symmetric)

    return walker


def _is_transposed(drawing: Drawing) -> bool:
    """Whether a drawing is laid on a board in the same ways if that is transposed."""
    ways = set(drawing.placements())
    return ways == {
        Placement(3 - heading, turn.then(Symmetry.TRANSPOSE)) for heading, turn in ways
    }


class DrawnWalker(Walker):
    """Drawn rules on a board, by kernels.

    - `symmetric`: whether the rules say of a transposed position the transposed.
    """

    pace = 1_000_000

    def __init__(
        self,
        specs: Sequence[RuleSpec],
        drawn: Drawn,
        board: Board,
        symmetric: Callable[[], bool],
    ) -> None:
        super().__init__(board)
        self._specs, self._drawn, self._symmetric = specs, drawn, symmetric
        self._walk = np.full(board.cells, board.start, dtype=np.int32)
        self._depth, self._cell = np.zeros((2, 1), dtype=np.int32)
        masks = np.zeros((1, len(drawn.masks)), np.uint8)
        self._found = masks, np.zeros(1, np.uint8)
        self._none = drawn.order[:0]
        self._memory: Memory | None = None
        drawn.order[board.start] = 0

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._drawn.order[cell] = len(self.path)
        self._walk[len(self.path)] = cell
        self.path.append(cell)

    def pop(self) -> None:
        """Take the last cell back."""
        self._drawn.order[self.path.pop()] = FREE_CELL

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        self._ask(self._none)
        masks: list[int] = self._drawn.masks.tolist()
        return masks

    def _ask(self, matching: Ints) -> Ints:
        """Fill the masks, or list what matches at the end of the walk."""
        length = len(self.path)
        self._depth[0], self._cell[0] = length - 1, self.path[-1]
        place = self._drawn, self._depth, self._cell
        _, count = follow_tree(*place, *self._found, matching, self._walk, length)
        return matching[:count]

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        drawn, position = self._drawn, Position(self.board, tuple(self.path))
        work = drawn.sequence
        if work is not None and work.rule == rule:
            self._ask(self._none)
            return sequence_reason(work, drawn.room, position, move)
        matching = self._ask(new_matching(drawn.tables))
        leaf = first_leaf(drawn.tables, matching, rule, position.heading, move)
        return placed_reason(self._specs[rule], drawn, leaf, position)

    def walk(self, seed: int, position: Position | None = None) -> WalkResult:
        """Walk at random until the board is full or no move is allowed."""
        board, rng, drawn = self.board, seeded(seed), self._drawn
        if not len(drawn.tables.blocks):  # which rule forbids a move does not matter
            drawn = drawn._replace(masks=drawn.masks[:1])
        most = length = 1
        if position is not None:
            self.follow(position.walk)
            most = length = len(position.walk)
        directions = np.zeros(4, dtype=np.int64)
        while length == most and length < board.open_cells:  # else full, or stuck
            most = min(length + SLICE, board.open_cells)
            length = fill_walk(drawn, self._walk, length, most, directions, rng)
        self.path = self._walk[:length].tolist()
        end = Position(board, tuple(self.path))
        return WalkResult(end, not end.complete)

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Yield what the rules forbid at all positions, a microsecond each or less."""
        return tree_masks(self._standing([]), tree)

    def along(self, walk: Sequence[Cell]) -> Ints:
        """Return what each rule forbids before each step of a walk, (steps, rules)."""
        steps, drawn = len(walk) - 1, self._standing([])
        masks = np.zeros((steps, len(drawn.masks)), np.uint8)
        depth, cells = np.arange(steps, dtype=np.int32), np.array(walk[:-1], np.int32)
        options, made = np.zeros(steps, np.uint8), np.zeros(len(walk), np.int32)
        follow_tree(drawn, depth, cells, masks, options, self._none, made, 0)
        return masks.astype(np.int32)

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds of a left-first walk until an event that is asked for."""
        if self._memory is None:
            symmetric = self._symmetric()
            tables = self._drawn.tables
            self._memory = new_memory(tables, self.board, symmetric=symmetric)
        memory = self._memory
        if stops.complete:
            memory = memory._replace(tries=memory.tries[:0])
        drawn = self._standing(run.walk[: run.counts[LENGTH]].tolist())
        return Event(make_rounds(drawn, run, memory, stops))

    def _standing(self, walk: Sequence[Cell]) -> Drawn:
        """Return the rules with another walk."""
        return self._drawn._replace(order=new_order(self.board, walk))


def first_leaf(
    tables: Tables, matching: Ints, rule: int, heading: int, move: str
) -> int:
    """Return the leaf of a rule that gives the reason against a move."""
    rows = tables.leaves[matching]
    bit = 1 << (LETTERS.index(move) - heading) % 4
    good = (rows[:, RULE] == rule) & (rows[:, MOVES] & bit != 0)
    return int(matching[good][rows[good, NUMBER].argmin()])


def placed_reason(
    spec: RuleSpec, drawn: Drawn, leaf: int, position: Position
) -> Reason:
    """Return the reason of a rule of which a leaf matches, areas counted."""
    board, tables = position.board, drawn.tables
    row, col = divmod(position.live_end, board.cols)
    turn, cells = ROTATIONS[position.heading], list[Cell]()
    needs = slice(*tables.leaves[leaf, [NEEDS, NEEDS + 1]])
    for at in tables.needs[needs, :STATES].tolist():
        down, right = turn.turn(tuple(at))
        if 0 <= row + down < board.rows and 0 <= col + right < board.cols:
            cells.append((row + down) * board.cols + col + right)
    sentence, facts, areas = spec.reason, [], list[tuple[Cell, ...]]()
    shapes = tables.areas[slice(*tables.leaves[leaf, [AREAS, AREAS + 1]]), SHAPE]
    for number, shape in enumerate(shapes, 1):
        filled = tuple(_area_cells(drawn, int(shape), position))
        areas.append(filled)
        black = sum(board.black(cell) for cell in filled)
        white = len(filled) - black
        facts += [(f"black {number}", black), (f"white {number}", white)]
        which = f"area {number}" if len(shapes) > 1 else "its area"
        sentence += f"; {which} has {len(filled)} cells, {black} black"
        sentence += f" and {white} white"
    return Reason(
        sentence=sentence,
        cells=tuple(sorted(cells)),
        area=tuple(sorted({cell for filled in areas for cell in filled})),
        facts=tuple(facts),
        areas=tuple(areas),
    )


def _area_cells(drawn: Drawn, shape: int, position: Position) -> list[Cell]:
    """Return the cells of a matching area; the rules were asked at the position."""
    tables, room = drawn.tables, drawn.room
    row, col = divmod(position.live_end, position.board.cols)
    here = room.origin + row * room.width + col
    turn = ROTATIONS[position.heading].turn
    down, right = (a * room.width + b for a, b in map(turn, ((1, 0), (0, 1))))
    line = tables.shapes[shape]
    fill_shape(room, here, down, right, line, tables.offsets, room.shapes[shape])
    return [cell for cell in range(position.board.cells) if is_filled(room, cell)]
