"""Left-first walks under drawn rules, in a kernel, and what they tried before.

Drawings without runs, and procedures, look at the visited cells, the live end and the
heading, not at the order of the walk. So do forced edges: turned with the board, they
are those of the turned position. Two walks that agree in these have the same walks
ahead of them: as many are complete, as many get stuck, and the same rules forbid the
same moves. On 9 x 9 most positions come back many times.

A *try* is such a position whose walks were all walked; it is counted and not walked
again. A row of the table is its key, three numbers, then the walks completed, the
positions stuck and the steps made in it, and the rules needed there. The key is the
position itself, not a hash of it, so what is found is never another one. Two rows share
a bucket: the first keeps the larger try, the second the last one.

If rules and board are their own mirror images, a position and its image have as many
walks ahead and need the same rules: they share a key.
"""

from typing import NamedTuple

import numpy as np

from heuristic.matching.pattern import new_order
from heuristic.matching.tables import RUNS, RUNS_END, Ints, Tables
from heuristic.matching.walks import Drawn, allowed_moves, new_drawn
from heuristic.walks.rounds import (
    COMPLETED,
    FRESH,
    LENGTH,
    RIGHT,
    STEPS,
    STUCK,
    Event,
    Longs,
    Run,
    Stops,
    note_needed,
    noted,
)
from solver.board import Board
from solver.jit import njit, njit_within

MOST_CELLS = 174  # of a board whose positions have keys: 63 + 63 + 48 bits
WORDS = 3  # numbers of a key
_BITS, _LAST = 63, 48
# Columns of a row: the key, then what the walks ahead came to.
KEY_LOW, KEY_MIDDLE, KEY_HIGH, TRY_WALKS, TRY_STUCK, TRY_STEPS, TRY_NEEDS = range(7)
Key = tuple[int, int, int]


def new_tries(rows: int) -> Longs:
    """Return an empty table, (rows, 7) int64; `rows` is 0 or a power of two from 2 on.

    Memory is used only for rows that are used, 56 bytes each.

    >>> new_tries(4).shape
    (4, 7)
    """
    return np.zeros((rows, 7), dtype=np.int64)


@njit
def turn_cell(words: Longs, image: Ints, cell: int) -> None:
    """Kernel: put a cell among the visited ones of a key, or take it out again.

    `words` is (6,), the visited cells and their images as bits; `image` gives the image
    of each cell, or is empty if there is none.
    """
    words[cell // _BITS] ^= np.int64(1) << (cell % _BITS)
    if len(image) > 0:
        other = image[cell]
        words[WORDS + other // _BITS] ^= np.int64(1) << (other % _BITS)


@njit
def key_of(words: Longs, image: Ints, live_end: int, heading: int) -> Key:
    """Kernel: the key of a position, or that of its image if it is the smaller one.

    The image is the transposed board, on which U is L and R is D.
    """
    low, middle = words[0], words[1]
    high = words[2] | np.int64(4 * live_end + heading) << _LAST
    if len(image) > 0:
        turned = np.int64(4 * image[live_end] + 3 - heading) << _LAST
        other = words[3], words[4], words[5] | turned
        if other < (low, middle, high):
            low, middle, high = other
    return low, middle, high


@njit
def _bucket(tries: Longs, key: Key) -> int:
    """Kernel: the first row of the bucket of a key."""
    mixed = key[0] * -7046029254386353131 + key[2] * -4658895280553007687
    mixed += key[1] * -5840758589994634535
    mixed ^= mixed >> 31
    mixed *= -7723592293110705685
    mixed ^= mixed >> 29
    return mixed & (len(tries) - 2)


@njit
def find_try(tries: Longs, key: Key) -> int:
    """Kernel: the row of a try, -1 if it is not known."""
    row = _bucket(tries, key)
    for at in range(row, row + 2):
        # what was tried ended somewhere: an empty row has neither walks nor stuck ones
        used = tries[at, TRY_WALKS] + tries[at, TRY_STUCK] > 0
        same = tries[at, KEY_LOW] == key[0] and tries[at, KEY_MIDDLE] == key[1]
        if used and same and tries[at, KEY_HIGH] == key[2]:
            return at
    return -1


@njit
def keep_try(tries: Longs, key: Key, found: tuple[int, int, int, int]) -> None:
    """Kernel: keep a try; `found` is walks completed, stuck, steps, rules needed."""
    row = _bucket(tries, key)
    if tries[row, TRY_STEPS] > found[2]:
        row += 1
    tries[row, KEY_LOW] = key[0]
    tries[row, KEY_MIDDLE] = key[1]
    tries[row, KEY_HIGH] = key[2]
    tries[row, TRY_WALKS] = found[0]
    tries[row, TRY_STUCK] = found[1]
    tries[row, TRY_STEPS] = found[2]
    tries[row, TRY_NEEDS] = found[3]


_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
_STUCK, _COMPLETE = Event.STUCK.value, Event.COMPLETE.value
_NEEDED, _WALKS = Event.NEEDED.value, Event.WALKS.value
ASK = -1  # no event: nothing is known of the cell
_TRIES = 1 << 22  # rows of the table, 235 MB when all are used


class Memory(NamedTuple):
    """What was tried before; see the module.

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


def forgets(tables: Tables, board: Board) -> bool:
    """Whether all ahead follows from visited cells, live end and heading, in a key.

    What is forced follows from what is visited, as areas do. Runs do not.
    """
    runs = (tables.leaves[:, RUNS] < tables.leaves[:, RUNS_END]).any()
    return bool(board.cells <= MOST_CELLS and not runs)


class DrawnRounds:
    """Rounds of left-first walks under drawn rules.

    - `symmetric`: whether the rules say of a transposed position the transposed.
    """

    def __init__(
        self, tables: Tables, board: Board, *, symmetric: bool = False
    ) -> None:
        self._board, self._drawn = board, new_drawn(tables, board)
        self._marks = np.full((board.cells, 3), -1, dtype=np.int64)
        self._needs = np.zeros(board.cells + 1, dtype=np.int64)
        self._tries = new_tries(_TRIES if forgets(tables, board) else 0)
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
