"""Walks under drawn rules, in kernels: random, left first, and all ways down a tree.

`heuristic.walks.rounds` says what a round of a left-first walk is, and makes the same
ones by a tracker.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heuristic.matching.pattern import (
    ALL_MOVES,
    board_numbers,
    evaluate,
    new_order,
    new_scratch,
)
from heuristic.matching.tables import FREE_CELL, RUNS, RUNS_END, Ints, Tables
from heuristic.walks.rounds import (
    COMPLETED,
    FRESH,
    LENGTH,
    MOST_CELLS,
    RIGHT,
    STEPS,
    STUCK,
    TRY_NEEDS,
    TRY_STUCK,
    TRY_WALKS,
    WORDS,
    Event,
    Longs,
    Run,
    Stops,
    find_try,
    keep_try,
    key_of,
    new_tries,
    note_needed,
    noted,
    turn_cell,
)
from heuristic.walks.walker import CHUNK, TreeMasks
from solver.board import Board
from solver.jit import njit, njit_within
from solver.positions import PositionTree
from solver.splitmix import shuffle

Bytes = npt.NDArray[np.uint8]


class Drawn(NamedTuple):
    """Drawn rules on one board, and what their kernels write on.

    - `neighbours`, (cells, 4): as the board has them.
    - `order`, (cells,): the walk; see `heuristic.matching.pattern`.
    - `board`: rows, columns, end.
    - `masks`, (rules,): what each rule forbids at the last position asked.
    """

    tables: Tables
    neighbours: Ints
    order: Ints
    board: tuple[int, int, int]
    scratch: Ints
    masks: Ints


def new_drawn(tables: Tables, board: Board) -> Drawn:
    """Return drawn rules on a board that nobody has walked on."""
    return Drawn(
        tables,
        board.neighbours,
        new_order(board),
        board_numbers(board),
        new_scratch(tables, board),
        np.zeros(len(tables.rules), dtype=np.int32),
    )


@njit_within
def allowed_moves(
    drawn: Drawn, walk: Ints, length: int, open_cells: int, asked: int = ALL_MOVES
) -> int:
    """Kernel: which of some moves a walker may make; the end cell is entered last."""
    order, end = drawn.order, drawn.board[2]
    here = walk[length - 1]
    free, heading = 0, -1
    for d in range(4):
        cell = drawn.neighbours[here, d]
        if cell < 0:
            continue
        if order[cell] == FREE_CELL and (cell != end or length == open_cells - 1):
            free |= 1 << d
        elif length > 1 and cell == walk[length - 2]:
            heading = (d + 2) % 4
    free &= asked
    if free == 0:
        drawn.masks[:] = 0
        return 0
    forbidden = evaluate(
        drawn.tables,
        order,
        drawn.board,
        here,
        heading,
        drawn.scratch,
        drawn.masks,
        asked,
    )
    return free & ~forbidden


@njit
def _draw(
    drawn: Drawn,
    walk: Ints,
    length: int,
    open_cells: int,
    directions: npt.NDArray[np.int64],
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: the first allowed move, in an order drawn as every walker draws it.

    Moves are asked for one by one where they may be: most often the first is made.
    """
    count, known, allowed = 0, 0, 0
    for d in range(4):
        cell = drawn.neighbours[walk[length - 1], d]
        if cell >= 0 and drawn.order[cell] == FREE_CELL:
            directions[count] = d
            count += 1
    shuffle(rng, directions, count)
    for i in range(count):
        move = 1 << directions[i]
        if known & move == 0:
            asked = ALL_MOVES if len(drawn.tables.ordered) > 0 else move
            allowed |= allowed_moves(drawn, walk, length, open_cells, asked)
            known |= asked
        if allowed & move != 0:
            return int(directions[i])
    return -1


@njit
def fill_walk(
    drawn: Drawn,
    walk: Ints,
    length: int,
    most: int,
    open_cells: int,
    directions: Longs,
    rng: npt.NDArray[np.uint64],
) -> int:
    """Kernel: extend a walk at random from `length` cells to `most`.

    `drawn.order` has the walk, or any if it is one cell. Returns the new length, which
    is `most` if the walk can go on.
    """
    order = drawn.order
    if length == 1:
        for cell in range(len(order)):
            if order[cell] >= 0:
                order[cell] = FREE_CELL
        order[walk[0]] = 0
    while length < most:
        d = _draw(drawn, walk, length, open_cells, directions, rng)
        if d < 0:
            break
        walk[length] = drawn.neighbours[walk[length - 1], d]
        order[walk[length]] = length
        length += 1
    return length


class _Places(NamedTuple):
    """A run of positions of a tree, and what is found there; see `TreeMasks`."""

    depth: Ints
    cell: Ints
    masks: Bytes
    options: Bytes


@njit
def step_to(drawn: Drawn, walk: Ints, length: int, depth: int, cell: int) -> int:
    """Kernel: go back to a depth of the tree and on to a cell; the walk's length."""
    while length > depth:
        length -= 1
        drawn.order[walk[length]] = FREE_CELL
    walk[length] = cell
    drawn.order[cell] = length
    return length + 1


@njit
def forbidden_moves(drawn: Drawn, here: int, heading: int) -> int:
    """Kernel: what the rules forbid at a live end, as bits; masks are left."""
    return evaluate(
        drawn.tables,
        drawn.order,
        drawn.board,
        here,
        heading,
        drawn.scratch,
        drawn.masks,
    )


@njit
def ask(drawn: Drawn, walk: Ints, length: int) -> int:
    """Kernel: what the rules forbid at the end of a walk, as bits; masks are left."""
    here, heading = walk[length - 1], -1
    if length > 1:
        for d in range(4):
            if drawn.neighbours[here, d] == walk[length - 2]:
                heading = (d + 2) % 4
    return forbidden_moves(drawn, here, heading)


@njit
def _follow(
    drawn: Drawn, places: _Places, walk: Ints, length: int, open_cells: int
) -> int:
    """Kernel: fill masks and options of some places; return the walk's length.

    `drawn.order`, `walk` and its length carry the walk from one run to the next.
    """
    end = drawn.board[2]
    for i in range(len(places.depth)):
        cell = places.cell[i]
        length = step_to(drawn, walk, length, places.depth[i], cell)
        free = 0
        for d in range(4):
            other = drawn.neighbours[cell, d]
            early = other == end and length < open_cells - 1
            if other >= 0 and drawn.order[other] == FREE_CELL and not early:
                free |= 1 << d
        places.options[i] = free
        ask(drawn, walk, length)
        for rule in range(len(drawn.masks)):
            places.masks[i, rule] = drawn.masks[rule]
    return length


def tree_masks(tables: Tables, tree: PositionTree) -> Iterator[TreeMasks]:
    """Yield what drawn rules say at all positions, a microsecond each or less."""
    drawn = new_drawn(tables, tree.board)
    walk = np.zeros(tree.board.cells, np.int32)
    length = 0
    for begin in range(0, len(tree), CHUNK):
        depth = tree.depth[begin : begin + CHUNK].astype(np.int32)
        places = _Places(
            depth,
            tree.cell[begin : begin + CHUNK],
            np.zeros((len(depth), len(drawn.masks)), np.uint8),
            np.zeros(len(depth), np.uint8),
        )
        length = _follow(drawn, places, walk, length, tree.board.open_cells)
        good = tree.good[begin : begin + CHUNK]
        yield TreeMasks(places.masks, places.options, good, depth)


@njit
def ask_along(drawn: Drawn, walk: Ints, masks: Ints) -> None:
    """Kernel: fill `masks`, (steps, rules), with what rules forbid before each step.

    `drawn.order` is without visited cells before and after.
    """
    for k in range(len(masks)):
        drawn.order[walk[k]] = k
        ask(drawn, walk, k + 1)
        for rule in range(masks.shape[1]):
            masks[k, rule] = drawn.masks[rule]
    for k in range(len(masks)):
        drawn.order[walk[k]] = FREE_CELL


_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
_STUCK, _COMPLETE = Event.STUCK.value, Event.COMPLETE.value
_NEEDED, _WALKS = Event.NEEDED.value, Event.WALKS.value
ASK = -1  # no event: nothing is known of the cell
_TRIES = 1 << 22  # rows of `heuristic.walks.rounds`, 235 MB when all are used


class Memory(NamedTuple):
    """What was tried before; see `heuristic.walks.rounds`.

    - `marks`, (cells, 3): walks completed, positions stuck and steps made when each
      cell was stepped on; -1 in front where nothing is to be kept.
    - `needs`, (cells + 1,): the rules needed from each cell of the walk on, as bits; in
      the last place those whose first need is known.
    - `words`, (6,): the visited cells as bits, and their images.
    - `tries`, (rows, 7): the table, without rows if nothing may be kept.
    - `image`, (cells,) or (0,): the image of each cell on the transposed board, if that
      is the same for all.
    """

    marks: Longs
    needs: Longs
    words: Longs
    tries: Longs
    image: Ints


@njit_within
def heading_of(run: Run, neighbours: Ints) -> int:
    """Kernel: the direction of the last step."""
    length = run.counts[LENGTH]
    heading = RIGHT
    if length > 1:
        for d in range(4):
            if neighbours[run.walk[length - 2], d] == run.walk[length - 1]:
                heading = d
    return heading


@njit_within
def _known(run: Run, memory: Memory, heading: int, stops: Stops) -> int:
    """Kernel: the row of a try that can be counted in place of walking, or -1."""
    length, tries = run.counts[LENGTH], memory.tries
    if len(tries) == 0 or length <= run.root:
        return -1
    live_end = run.walk[length - 1]
    known = find_try(tries, key_of(memory.words, memory.image, live_end, heading))
    if known < 0 or (stops.stuck and tries[known, TRY_STUCK] > 0):
        return -1
    if run.counts[COMPLETED] + tries[known, TRY_WALKS] >= stops.walks:
        return -1  # it stops there, perhaps before the last of those that get stuck
    if tries[known, TRY_NEEDS] & ~memory.needs[-1] != 0:
        return -1  # met in another walk: here a rule is first needed in it
    return known


@njit_within
def look(run: Run, memory: Memory, heading: int, stops: Stops) -> int:
    """Kernel: see a cell that was just stepped on; ASK if the rules must be asked."""
    counts, length = run.counts, run.counts[LENGTH]
    at = length - 1
    if length == run.open_cells:
        run.todo[at] = 0
        counts[COMPLETED] += 1
        return _COMPLETE if stops.complete else _BUDGET
    if counts[COMPLETED] >= stops.walks:
        return _WALKS
    known = _known(run, memory, heading, stops)
    if known < 0:
        return ASK
    run.todo[at] = 0
    for k in range(3):
        counts[COMPLETED + k] += memory.tries[known, TRY_WALKS + k]
    memory.marks[at, 0] = -1  # kept already
    memory.needs[at] = memory.tries[known, TRY_NEEDS]
    return _BUDGET


@njit_within
def settle(masks: Ints, moves: int, run: Run, memory: Memory, stops: Stops) -> int:
    """Kernel: take what the rules said, in masks, and the moves that they leave."""
    at = run.counts[LENGTH] - 1
    new, needs = note_needed(masks, run.firsts, run.counts[COMPLETED])
    memory.needs[at] |= needs
    if new:
        memory.needs[-1] = noted(run.firsts)
        if stops.needed:
            return _NEEDED  # still fresh: the next run asks again
    run.todo[at] = moves
    if moves == 0:
        run.counts[STUCK] += 1
        if stops.stuck:
            return _STUCK
    return _BUDGET


@njit_within
def _step_back(drawn: Drawn, run: Run, memory: Memory, heading: int) -> None:
    """Kernel: leave a cell from which all was tried, and keep what it led to."""
    counts, marks = run.counts, memory.marks
    at = counts[LENGTH] - 1
    here = run.walk[at]
    if len(memory.tries) > 0 and marks[at, 0] >= 0 and at + 1 < run.open_cells:
        found = (
            counts[COMPLETED] - marks[at, 0],
            counts[STUCK] - marks[at, 1],
            counts[STEPS] - marks[at, 2],
            memory.needs[at],
        )
        key = key_of(memory.words, memory.image, here, heading)
        keep_try(memory.tries, key, found)
    memory.needs[at - 1] |= memory.needs[at]
    drawn.order[here] = -1
    turn_cell(memory.words, memory.image, here)
    counts[LENGTH] = at


@njit_within
def _step_on(drawn: Drawn, run: Run, memory: Memory, heading: int) -> None:
    """Kernel: make the first move that is left to try, from the left."""
    counts, length = run.counts, run.counts[LENGTH]
    here = run.walk[length - 1]
    for turn in range(4):
        d = (heading + 3 + turn) % 4
        if (run.todo[length - 1] >> d) & 1:
            run.todo[length - 1] &= ~(1 << d)
            here = drawn.neighbours[here, d]
            break
    run.walk[length] = here
    drawn.order[here] = length
    turn_cell(memory.words, memory.image, here)
    memory.needs[length] = 0
    run.todo[length] = FRESH
    counts[LENGTH] = length + 1
    counts[STEPS] += 1
    for k in range(3):
        memory.marks[length, k] = counts[COMPLETED + k]


@njit_within
def go_on(drawn: Drawn, run: Run, memory: Memory, heading: int) -> bool:
    """Kernel: make a step on, or back if nothing is left to try; False at the end."""
    at = run.counts[LENGTH] - 1
    if run.todo[at] != 0:
        _step_on(drawn, run, memory, heading)
    elif at < run.root:
        return False
    else:
        _step_back(drawn, run, memory, heading)
    return True


@njit
def _rounds(drawn: Drawn, run: Run, memory: Memory, stops: Stops) -> int:
    """Kernel of `DrawnRounds.go`; returns the value of an `Event`."""
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(run, drawn.neighbours)
        if run.todo[at] == FRESH:
            event = look(run, memory, heading, stops)
            if event == ASK:
                moves = allowed_moves(drawn, run.walk, at + 1, run.open_cells)
                event = settle(drawn.masks, moves, run, memory, stops)
            if event != _BUDGET:
                return event
        if not go_on(drawn, run, memory, heading):
            return _FINISHED
    return _BUDGET


class DrawnRounds:
    """Rounds of left-first walks under drawn rules.

    - `symmetric`: whether the rules say of a transposed position the transposed.
    """

    pace = 1_000_000

    def __init__(
        self, tables: Tables, board: Board, *, symmetric: bool = False
    ) -> None:
        self._board, self._drawn = board, new_drawn(tables, board)
        self._marks = np.full((board.cells, 3), -1, dtype=np.int64)
        self._needs = np.zeros(board.cells + 1, dtype=np.int64)
        # what is forced follows from what is visited, as areas do; runs do not
        runs = (tables.leaves[:, RUNS] < tables.leaves[:, RUNS_END]).any()
        small = board.cells <= MOST_CELLS
        self.forgets = small and not runs
        self._tries = new_tries(_TRIES if self.forgets else 0)
        image = _transposed(board) if symmetric else ()
        self._image = np.array(image, dtype=np.int32)
        self._run: Run | None = None  # whose walk the order is that of

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds until an event that is asked for."""
        walk = run.walk[: run.counts[LENGTH]]
        if run is not self._run:
            self._drawn.order[:] = new_order(self._board, walk.tolist())
            self._run = run
        tries = self._tries[: 0 if stops.complete else None]
        words = np.zeros(2 * WORDS, dtype=np.int64)
        for cell in walk.tolist() if len(tries) else ():
            turn_cell(words, self._image, cell)
        self._needs[-1] = noted(run.firsts)
        memory = Memory(self._marks, self._needs, words, tries, self._image)
        return Event(self._make(run, memory, stops))

    def _make(self, run: Run, memory: Memory, stops: Stops) -> int:
        return _rounds(self._drawn, run, memory, stops)


def _transposed(board: Board) -> list[int]:
    """Return the image of each cell on the transposed board if that is the same."""
    if board.rows != board.cols:
        return []
    side = board.rows
    image = [cell % side * side + cell // side for cell in range(board.cells)]
    ends = image[board.start] == board.start and image[board.end] == board.end
    same = ends and {image[wall] for wall in board.walls} == {*board.walls}
    return image if same else []
