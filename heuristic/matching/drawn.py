"""Walkers of drawn rules and the sequence: kernels in place of Python.

The kernels walk at random, along a given walk, through all positions of a tree, and
left first. `DrawnWalker` is their Python side. It makes a reason on request, from the
first placement that matches and forbids the move.

A left-first walk returns to most positions many times. The walks ahead of a position
depend on the visited cells, the live end and the heading. Only drawings with *runs*
look at the order of the visited cells. So the kernel stores each position after it has
tried all walks ahead, with their counts. When it meets the position again, it adds the
counts and does not walk. The key of a position is the position itself, so the kernel
never confuses two of them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from heuristic.matching.areas import (
    Place,
    board_cells,
    count_text,
    fill_number,
    filled_cells,
    look_place,
    turned,
)
from heuristic.matching.pattern import (
    ALL_MOVES,
    Drawn,
    evaluate,
    free_neighbours,
    list_matching,
    new_drawn,
    new_matching,
    new_order,
)
from heuristic.matching.sequence import SequenceRule, new_work, sequence_reason
from heuristic.matching.tables import (
    AREAS,
    FREE_CELL,
    MOVES,
    NEEDS,
    NUMBER,
    RULE,
    RUNS,
    SHAPE,
    STATES,
    Ints,
    Longs,
    Tables,
    compile_rules,
)
from heuristic.rule import Reason, Rule
from heuristic.rules.drawing import RuleSpec
from heuristic.walker import (
    CHUNK,
    COMPLETED,
    FRESH,
    LENGTH,
    RIGHT,
    STEPS,
    STUCK,
    Event,
    LeftFirstState,
    Stops,
    TreeMasks,
    Walker,
)
from solver.board import LETTERS, Board, Cell, Position
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import seeded, shuffle

Bytes = npt.NDArray[np.uint8]
State = npt.NDArray[np.uint64]  # of a generator
Key: TypeAlias = tuple[int, int, int]

SLICE = 20_000  # steps of a random walk between two looks at the keyboard
MOST_CELLS = 174  # of a board whose positions have keys: 63 + 63 + 48 bits
_BITS, _LAST = 63, 48
_ROWS = 1 << 22  # of the table, 200 MB when all are used
# Columns of the table: the key, then the counts of the walks ahead.
KEY_LOW, KEY_MIDDLE, KEY_HIGH, WALKS_AHEAD, STUCK_AHEAD, STEPS_AHEAD = range(6)


@njit
def _options(drawn: Drawn, here: int, length: int) -> int:
    """Kernel: the moves of `heuristic.rule.choices`, as bits."""
    options = free_neighbours(drawn, here)
    if length < drawn.open_cells - 1:
        for d in range(4):
            if drawn.neighbours[here, d] == drawn.board[2]:
                options &= ~(1 << d)
    return options


@njit
def heading_of(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: the direction of the last step, -1 before the first one."""
    if length > 1:
        for d in range(4):
            if drawn.neighbours[walk[length - 2], d] == walk[length - 1]:
                return d
    return -1


@njit_within
def allowed_moves(drawn: Drawn, walk: Ints, length: int, moves: int) -> int:
    """Kernel: which of some moves a walker may make; fills `drawn.masks`."""
    here = walk[length - 1]
    free = _options(drawn, here, length) & moves
    if free == 0:
        drawn.masks[:] = 0
        return 0
    return free & ~evaluate(drawn, here, heading_of(drawn, walk, length), moves)


@njit
def _random_move(
    drawn: Drawn, walk: Ints, length: int, directions: Longs, rng: State
) -> int:
    """Kernel: the first allowed move in random order, or -1. Mostly asks about one."""
    count, decided, allowed = 0, 0, 0
    for d in range(4):
        cell = drawn.neighbours[walk[length - 1], d]
        if cell >= 0 and drawn.order[cell] == FREE_CELL:
            directions[count] = d
            count += 1
    shuffle(rng, directions, count)
    for i in range(count):
        move = 1 << directions[i]
        if decided & move == 0:
            moves = ALL_MOVES if len(drawn.tables.blocks) > 0 else move
            allowed |= allowed_moves(drawn, walk, length, moves)
            decided |= moves
        if allowed & move != 0:
            return int(directions[i])
    return -1


@njit
def fill_random_walk(
    drawn: Drawn, walk: Ints, length: int, most: int, directions: Longs, rng: State
) -> int:
    """Kernel: extend a walk at random from `length` cells to at most `most`.

    A walk of one cell clears `drawn.order` first; a longer one must be there. Returns
    the new length, which is less than `most` if the walk is stuck.
    """
    order = drawn.order
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = FREE_CELL
        order[walk[0]] = 0
    while length < most:
        d = _random_move(drawn, walk, length, directions, rng)
        if d < 0:
            break
        walk[length] = drawn.neighbours[walk[length - 1], d]
        order[walk[length]] = length
        length += 1
    return length


@njit
def follow_tree(
    drawn: Drawn,
    depth: Ints,
    cells: Ints,
    masks: Bytes,
    options: Bytes,
    matching: Ints,
    walk: Ints,
    length: int,
) -> tuple[int, int]:
    """Kernel: ask the rules at positions of a tree, each a depth and the last cell.

    Fills a row of `masks` and an entry of `options` for each. `drawn.order`, `walk` and
    `length` carry the walk from one call to the next; returns the new length. If
    `matching` has room, the kernel lists there the leaves that match at the last
    position, returns their number as well, and fills no masks.
    """
    count = 0
    for i in range(len(depth)):
        while length > depth[i]:
            length -= 1
            drawn.order[walk[length]] = FREE_CELL
        here = cells[i]
        walk[length] = here
        drawn.order[here] = length
        length += 1
        heading = heading_of(drawn, walk, length)
        options[i] = _options(drawn, here, length)
        if len(matching) > 0:
            count = list_matching(drawn, here, heading, ALL_MOVES, matching)
            continue
        evaluate(drawn, here, heading, ALL_MOVES)
        for rule in range(len(drawn.masks)):
            masks[i, rule] = drawn.masks[rule]
    return length, count


def tree_masks(drawn: Drawn, tree: PositionTree) -> Iterator[TreeMasks]:
    """Yield what rules forbid at all positions of a tree, in its order.

    `drawn.order` must have no visited cell. A microsecond a position or less.
    """
    walk, length = np.zeros(tree.board.cells, np.int32), 0
    for begin in range(0, len(tree), CHUNK):
        part = slice(begin, begin + CHUNK)
        depth, cells = tree.depth[part].astype(np.int32), tree.cell[part]
        masks, options, length = _masks_at(drawn, depth, cells, walk, length)
        yield TreeMasks(masks, options, tree.good[part], depth)


def _masks_at(
    drawn: Drawn, depth: Ints, cells: Ints, walk: Ints, length: int
) -> tuple[Bytes, Bytes, int]:
    masks = np.zeros((len(depth), len(drawn.masks)), np.uint8)
    options, nothing = np.zeros(len(depth), np.uint8), drawn.order[:0]
    place = masks, options, nothing, walk
    length, _ = follow_tree(drawn, depth, cells, *place, length)
    return masks, options, length


class Tried(NamedTuple):
    """The positions that a left-first walk has tried.

    - `marks`, (cells, 3) int64: walks completed, positions stuck and steps made when
      the walk entered each of its cells; -1 first where nothing is to be stored.
    - `words`, (3,) int64: the visited cells as bits.
    - `table`, (rows, 6) int64: the positions tried. The number of rows is a power of
      two from 2 on, or 0 if positions have no keys. Rows 2k and 2k + 1 share a bucket:
      the first holds the position with more steps ahead, the second the latest one.
    """

    marks: Longs
    words: Longs
    table: Longs


def new_tried(tables: Tables, board: Board, rows: int = _ROWS) -> Tried:
    """Return empty memory: 48 bytes for each row in use."""
    runs = (tables.leaves[:, RUNS] < tables.leaves[:, RUNS + 1]).any()
    if runs or board.cells > MOST_CELLS:
        rows = 0
    return Tried(
        marks=np.full((board.cells, 3), -1, dtype=np.int64),
        words=np.zeros(3, dtype=np.int64),
        table=np.zeros((rows, STEPS_AHEAD + 1), dtype=np.int64),
    )


@njit
def toggle_cell(memory: Tried, cell: int) -> None:
    """Kernel: add a cell to the visited ones, or take it out again."""
    if len(memory.table) > 0:  # a larger board has no words for its cells
        memory.words[cell // _BITS] ^= np.int64(1) << (cell % _BITS)


@njit
def key_of(memory: Tried, live_end: int, heading: int) -> Key:
    """Kernel: the key of a position: visited cells, live end and heading."""
    words = memory.words
    high = words[2] | np.int64(4 * live_end + heading) << _LAST
    return words[0], words[1], high


@njit
def _bucket(table: Longs, key: Key) -> int:
    mixed = key[0] * -7046029254386353131 + key[2] * -4658895280553007687
    mixed += key[1] * -5840758589994634535
    mixed ^= mixed >> 31
    mixed *= -7723592293110705685
    mixed ^= mixed >> 29
    return mixed & (len(table) - 2)


@njit
def find_row(table: Longs, key: Key) -> int:
    """Kernel: the row of a position, -1 if the table lacks it."""
    first = _bucket(table, key)
    for row in range(first, first + 2):
        # each walk ahead ends complete or stuck, so an unused row has neither
        used = table[row, WALKS_AHEAD] + table[row, STUCK_AHEAD] > 0
        same = table[row, KEY_LOW] == key[0] and table[row, KEY_MIDDLE] == key[1]
        if used and same and table[row, KEY_HIGH] == key[2]:
            return row
    return -1


@njit
def store_row(table: Longs, key: Key, walks: int, stuck: int, steps: int) -> None:
    """Kernel: store a position and the counts of the walks ahead of it."""
    row = _bucket(table, key)
    if table[row, STEPS_AHEAD] > steps:
        row += 1
    table[row, KEY_LOW], table[row, KEY_MIDDLE], table[row, KEY_HIGH] = key
    table[row, WALKS_AHEAD], table[row, STUCK_AHEAD] = walks, stuck
    table[row, STEPS_AHEAD] = steps


_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
_STUCK, _COMPLETE = Event.STUCK.value, Event.COMPLETE.value
_WALKS = Event.WALKS.value


@njit_within
def _row_to_count(
    run: LeftFirstState, memory: Tried, heading: int, stops: Stops
) -> int:
    """Kernel: the row of a position to count, not to walk, or -1; no stop is within."""
    length, table = run.counts[LENGTH], memory.table
    if len(table) == 0 or length <= run.root:
        return -1
    row = find_row(table, key_of(memory, run.walk[length - 1], heading))
    if row < 0 or (stops.stuck and table[row, STUCK_AHEAD] > 0):
        return -1
    if run.counts[COMPLETED] + table[row, WALKS_AHEAD] >= stops.walks:
        return -1
    return row


@njit
def _note_needed(masks: Ints, firsts: Longs, completed: int) -> None:
    """Kernel: note in `firsts` the rules that alone forbid a move."""
    once, twice = 0, 0
    for rule in range(len(masks)):
        twice |= once & masks[rule]
        once |= masks[rule]
    alone = once & ~twice
    if alone != 0:
        for rule in range(len(masks)):
            if masks[rule] & alone != 0 and firsts[rule] < 0:
                firsts[rule] = completed


@njit_within
def _arrive(
    drawn: Drawn, run: LeftFirstState, memory: Tried, heading: int, stops: Stops
) -> int:
    """Kernel: decide what to try from the cell that was just entered; an event."""
    counts, length = run.counts, run.counts[LENGTH]
    at = length - 1
    if length == drawn.open_cells:
        run.todo[at] = 0
        counts[COMPLETED] += 1
        return _COMPLETE if stops.complete else _BUDGET
    if counts[COMPLETED] >= stops.walks:
        return _WALKS
    row = _row_to_count(run, memory, heading, stops)
    if row >= 0:
        run.todo[at] = 0
        counts[COMPLETED] += memory.table[row, WALKS_AHEAD]
        counts[STUCK] += memory.table[row, STUCK_AHEAD]
        counts[STEPS] += memory.table[row, STEPS_AHEAD]
        memory.marks[at, 0] = -1  # stored already
        return _BUDGET
    moves = allowed_moves(drawn, run.walk, length, ALL_MOVES)
    _note_needed(drawn.masks, run.firsts, counts[COMPLETED])
    run.todo[at] = moves
    if moves == 0:
        counts[STUCK] += 1
        if stops.stuck:
            return _STUCK
    return _BUDGET


@njit_within
def _step_back(drawn: Drawn, run: LeftFirstState, memory: Tried, heading: int) -> None:
    """Kernel: leave a cell from which all was tried, and store what it led to."""
    counts, marks = run.counts, memory.marks
    at = counts[LENGTH] - 1
    here = run.walk[at]
    if len(memory.table) > 0 and marks[at, 0] >= 0 and at + 1 < drawn.open_cells:
        store_row(
            memory.table,
            key_of(memory, here, heading),
            counts[COMPLETED] - marks[at, 0],
            counts[STUCK] - marks[at, 1],
            counts[STEPS] - marks[at, 2],
        )
    drawn.order[here] = FREE_CELL
    toggle_cell(memory, here)
    counts[LENGTH] = at


@njit_within
def _step_on(drawn: Drawn, run: LeftFirstState, memory: Tried, heading: int) -> None:
    """Kernel: make the first move that is left to try, from the left."""
    counts, length = run.counts, run.counts[LENGTH]
    here = run.walk[length - 1]
    for turn in range(4):
        d = (heading + 3 + turn) % 4
        if (run.todo[length - 1] >> d) & 1:
            run.todo[length - 1] &= ~(1 << d)
            here = drawn.neighbours[here, d]
            break
    run.walk[length], run.todo[length] = here, FRESH
    drawn.order[here] = length
    toggle_cell(memory, here)
    counts[LENGTH] = length + 1
    counts[STEPS] += 1
    for k in range(3):
        memory.marks[length, k] = counts[COMPLETED + k]


@njit
def make_rounds(drawn: Drawn, run: LeftFirstState, memory: Tried, stops: Stops) -> int:
    """Kernel: make steps until an event that stops the run; return its value.

    `drawn.order` must hold the walk of the run.
    """
    memory.words[:] = 0
    for at in range(run.counts[LENGTH]):
        toggle_cell(memory, run.walk[at])
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(drawn, run.walk, at + 1)
        if heading < 0:
            heading = RIGHT
        if run.todo[at] == FRESH:
            event = _arrive(drawn, run, memory, heading, stops)
            if event != _BUDGET:
                return event
        if run.todo[at] != 0:
            _step_on(drawn, run, memory, heading)
        elif at < run.root:
            return _FINISHED
        else:
            _step_back(drawn, run, memory, heading)
    return _BUDGET


def drawn_rules(rules: Sequence[Rule]) -> Callable[[Board], "DrawnWalker"]:
    """Return what makes walkers of drawn rules; a `heuristic.rule.Engine`.

    One rule may be the sequence.
    """
    sequences = [k for k, rule in enumerate(rules) if isinstance(rule, SequenceRule)]
    specs = [
        rule.spec if isinstance(rule, SequenceRule) else cast(RuleSpec, rule)
        for rule in rules
    ]
    tables = compile_rules(specs)

    def walker(board: Board) -> DrawnWalker:
        work = new_work(board, sequences[0]) if sequences else None
        return DrawnWalker(specs, new_drawn(tables, board, work), board)

    return walker


class DrawnWalker(Walker):
    """Drawn rules on a board; its kernels make about a million steps a second."""

    pace = 1_000_000

    def __init__(self, specs: Sequence[RuleSpec], drawn: Drawn, board: Board) -> None:
        super().__init__(board)
        self._specs, self._drawn = specs, drawn
        self._walk = np.full(board.cells, board.start, dtype=np.int32)
        self._depth, self._cell = np.zeros((2, 1), dtype=np.int32)
        self._row = np.zeros((1, len(drawn.masks)), np.uint8), np.zeros(1, np.uint8)
        self._nothing = drawn.order[:0]
        self._memory: Tried | None = None
        drawn.order[board.start] = 0

    def push(self, cell: Cell) -> None:
        """Extend the walk by one cell."""
        self._drawn.order[cell] = len(self.path)
        self._walk[len(self.path)] = cell
        self.path.append(cell)

    def pop(self) -> None:
        """Remove the last cell of the walk."""
        self._drawn.order[self.path.pop()] = FREE_CELL

    def masks(self) -> list[int]:
        """Return the forbidden moves of each rule as bits."""
        self._ask(self._nothing)
        masks: list[int] = self._drawn.masks.tolist()
        return masks

    def _ask(self, matching: Ints) -> Ints:
        """Fill the masks, or list what matches, at the end of the walk."""
        length = len(self.path)
        self._depth[0], self._cell[0] = length - 1, self.path[-1]
        place = self._drawn, self._depth, self._cell
        _, count = follow_tree(*place, *self._row, matching, self._walk, length)
        return matching[:count]

    def reason(self, rule: int, move: str) -> Reason:
        """Return why the rule of a number forbids a move."""
        drawn, position = self._drawn, Position(self.board, tuple(self.path))
        work = drawn.sequence
        if work is not None and work.rule == rule:
            self._ask(self._nothing)
            return sequence_reason(work, drawn.room, position, move)
        matching = self._ask(new_matching(drawn.tables))
        return placed_reason(self._specs[rule], drawn, matching, rule, position, move)

    def walk(self, seed: int, position: Position | None = None) -> Position:
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
            length = fill_random_walk(drawn, self._walk, length, most, directions, rng)
        self.path = self._walk[:length].tolist()
        return Position(board, tuple(self.path))

    def tree(self, tree: PositionTree) -> Iterator[TreeMasks]:
        """Yield what the rules forbid at all positions of a tree, in its order."""
        return tree_masks(self._with_walk([]), tree)

    def along(self, walk: Sequence[Cell]) -> Ints:
        """Return what each rule forbids before each step of a walk, (steps, rules)."""
        cells, made = np.array(walk[:-1], np.int32), np.zeros(len(walk), np.int32)
        depth = np.arange(len(cells), dtype=np.int32)
        masks, _, _ = _masks_at(self._with_walk([]), depth, cells, made, 0)
        return masks.astype(np.int32)

    def go(self, run: LeftFirstState, stops: Stops) -> Event:
        """Continue a left-first walk until one of `stops`.

        The memory is that of one run, so all calls must be for the same one.
        """
        if self._memory is None:
            self._memory = new_tried(self._drawn.tables, self.board)
        memory = self._memory
        if stops.complete:  # each walk is wanted, so none may be counted unseen
            memory = memory._replace(table=memory.table[:0])
        drawn = self._with_walk(run.walk[: run.counts[LENGTH]].tolist())
        return Event(make_rounds(drawn, run, memory, stops))

    def _with_walk(self, walk: Sequence[Cell]) -> Drawn:
        return self._drawn._replace(order=new_order(self.board, walk))


def placed_reason(
    spec: RuleSpec,
    drawn: Drawn,
    matching: Ints,
    rule: int,
    position: Position,
    move: str,
) -> Reason:
    """Return the reason of a rule against a move, with its areas counted.

    - `matching`: the leaves that match at the position.
    - `rule`: the number of the rule in the tables.
    """
    board, tables, room = position.board, drawn.tables, drawn.room
    rows = tables.leaves[matching]
    bit = 1 << (LETTERS.index(move) - position.heading) % 4
    rows = rows[(rows[:, RULE] == rule) & (rows[:, MOVES] & bit != 0)]
    leaf = rows[rows[:, NUMBER].argmin()]
    place = Place(drawn.board, position.live_end, position.heading)
    needs = tables.needs[leaf[NEEDS] : leaf[NEEDS + 1], :STATES]
    places = needs @ turned(room.width, place.heading)
    places += look_place(room, place.live_end)
    sentence, areas = spec.reason, list[tuple[Cell, ...]]()
    shapes = tables.areas[leaf[AREAS] : leaf[AREAS + 1], SHAPE]
    for number, shape in enumerate(shapes, 1):
        fill_number(tables, shape, room, place)
        areas.append(filled_cells(room, board))
        which = f"area {number}" if len(shapes) > 1 else "its area"
        sentence += f"; {which} has {count_text(board, areas[-1])}"
    cells = board_cells(room, board, places)
    return Reason(sentence, cells=cells, areas=tuple(areas))
