"""The rounds of a left-first walk under drawn rules, as kernels.

`heuristic.walks.rounds` says what a round is, and makes the same ones by a tracker.
"""

from typing import NamedTuple

import numpy as np

from heuristic.matching.pattern import new_order
from heuristic.matching.steps import Drawn, allowed_moves, new_drawn
from heuristic.matching.tables import RUNS, RUNS_END, Ints, Tables
from heuristic.rounds import (
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
)
from heuristic.walks.rounds import note_needed, noted
from heuristic.walks.tried import (
    MOST_CELLS,
    TRY_NEEDS,
    TRY_STUCK,
    TRY_WALKS,
    WORDS,
    find_try,
    keep_try,
    key_of,
    new_tries,
    turn_cell,
)
from solver.board import Board
from solver.jit import njit, njit_within

_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
_STUCK, _COMPLETE = Event.STUCK.value, Event.COMPLETE.value
_NEEDED, _WALKS = Event.NEEDED.value, Event.WALKS.value
ASK = -1  # no event: nothing is known of the cell
_TRIES = 1 << 22  # rows of `heuristic.walks.tried`, 235 MB when all are used


class Memory(NamedTuple):
    """What was tried before; see `heuristic.walks.tried`.

    Attributes
    ----------
    marks : (cells, 3) int64
        Walks completed, positions stuck and steps made when each cell was stepped on;
        -1 in front where nothing is to be kept.
    needs : (cells + 1,) int64
        The rules needed from each cell of the walk on, as bits; in the last place those
        whose first need is known.
    words : (6,) int64
        The visited cells as bits, and their images.
    tries : (rows, 7) int64
        The table, without rows if nothing may be kept.
    image : (cells,) or (0,) int32
        The image of each cell on the transposed board, if that is the same for all.
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
    if run.counts[COMPLETED] + tries[known, TRY_WALKS] > stops.walks:
        return -1
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
    """Rounds of drawn rules; `heuristic.walks.rounds.Rounds`.

    Parameters
    ----------
    tables : Tables
    board : Board
    symmetric : bool
        Whether the rules say of a transposed position the transposed.
    """

    pace = 1_000_000

    def __init__(
        self, tables: Tables, board: Board, *, symmetric: bool = False
    ) -> None:
        self._board, self._drawn = board, new_drawn(tables, board)
        self._marks = np.full((board.cells, 3), -1, dtype=np.int64)
        self._needs = np.zeros(board.cells + 1, dtype=np.int64)
        # what is forced follows from what is visited, as areas do; runs do not
        runs = (tables.placements[:, RUNS] < tables.placements[:, RUNS_END]).any()
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
