"""The rounds of a left-first walk under drawn rules and procedures, as kernels.

Procedures look at the cells that are visited, the live end and the heading, as drawings
do. So walks that agree in these share what is ahead here too
(`heuristic.walks.tried`). Whether a procedure says of a transposed position the
transposed was never shown: positions and their images are kept apart.
"""

from collections.abc import Sequence

import numpy as np

from heuristic.matching.tables import Ints, Tables
from heuristic.matching.walks import (
    ASK,
    Drawn,
    DrawnRounds,
    Memory,
    allowed_moves,
    go_on,
    heading_of,
    look,
    settle,
)
from heuristic.procedures.corners import corners_by_rows_mask, corners_by_wall_mask
from heuristic.procedures.forcedwalk import sequence_mask, stair_always_mask, stair_mask
from heuristic.procedures.line import Work, new_work
from heuristic.procedures.secondcorner import second_corner_mask
from heuristic.rounds import FRESH, LENGTH, Event, Run, Stops
from solver.board import Board
from solver.jit import njit

_BUDGET, _FINISHED = Event.BUDGET.value, Event.FINISHED.value
# The kernels by the number that stands for each in `_ask`.
KERNELS = (
    corners_by_wall_mask,
    sequence_mask,
    stair_mask,
    second_corner_mask,
    stair_always_mask,
    corners_by_rows_mask,
)


@njit
def _ask(
    which: Ints, drawn: Drawn, live_end: int, heading: int, work: Work, masks: Ints
) -> int:
    """Kernel: what procedures forbid, each in its place of masks, and all together."""
    order, board, together = drawn.order, drawn.board, 0
    for k in range(len(which)):
        if which[k] == 0:
            mask = corners_by_wall_mask(order, board, live_end, heading, work, 0)
        elif which[k] == 1:
            mask = sequence_mask(order, board, live_end, heading, work, 0)
        elif which[k] == 2:
            mask = stair_mask(order, board, live_end, heading, work, 0)
        elif which[k] == 3:
            mask = second_corner_mask(order, board, live_end, heading, work, 0)
        elif which[k] == 4:
            mask = stair_always_mask(order, board, live_end, heading, work, 0)
        else:
            mask = corners_by_rows_mask(order, board, live_end, heading, work, 0)
        masks[k] = mask
        together |= mask
    return together


@njit
def _leaves_none(drawn: Drawn, run: Run) -> bool:
    """Kernel: whether no cell beside the live end may be entered, before any rule."""
    length = run.counts[LENGTH]
    here = run.walk[length - 1]
    for d in range(4):
        cell = drawn.neighbours[here, d]
        early = cell == drawn.board[2] and length < run.open_cells - 1
        if cell >= 0 and drawn.order[cell] == -1 and not early:
            return False
    return True


@njit
def _rounds(
    drawn: Drawn,
    which: Ints,
    work: Work,
    masks: Ints,
    run: Run,
    memory: Memory,
    stops: Stops,
) -> int:
    """Kernel of `BookRounds.go`; returns the value of an `Event`.

    `masks` has a place for each drawn rule, which `drawn.masks` is, then for each
    procedure.
    """
    first = len(masks) - len(which)
    for _ in range(stops.rounds):
        at = run.counts[LENGTH] - 1
        heading = heading_of(run, drawn.neighbours)
        if run.todo[at] == FRESH:
            event = look(run, memory, heading, stops)
            if event == ASK:
                masks[:] = 0
                moves = 0
                if not _leaves_none(drawn, run):
                    moves = allowed_moves(drawn, run.walk, at + 1, run.open_cells)
                    if at > 0:
                        here = run.walk[at]
                        moves &= ~_ask(which, drawn, here, heading, work, masks[first:])
                event = settle(masks, moves, run, memory, stops)
            if event != _BUDGET:
                return event
        if not go_on(drawn, run, memory, heading):
            return _FINISHED
    return _BUDGET


class BookRounds(DrawnRounds):
    """Rounds of drawn rules and of procedures behind them.

    Parameters
    ----------
    tables : Tables
    board : Board
    which : sequence of int
        The procedures, by their place in `KERNELS`.
    """

    pace = 300_000

    def __init__(self, tables: Tables, board: Board, which: Sequence[int]) -> None:
        super().__init__(tables, board)
        self._which, self._work = np.array(which, dtype=np.int32), new_work(board)
        rules = len(tables.rules)
        self._masks = np.zeros(rules + len(which), dtype=np.int32)
        self._drawn = self._drawn._replace(masks=self._masks[:rules])

    def _make(self, run: Run, memory: Memory, stops: Stops) -> int:
        parts = self._drawn, self._which, self._work, self._masks
        return _rounds(*parts, run, memory, stops)
