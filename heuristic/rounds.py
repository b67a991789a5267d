"""The rounds of a left-first walk: what they work on, and why they come back.

`heuristic.walks.leftfirst` says what the walk is. A round is a step forward or a step
back; a rule set makes its rounds as fast as it can.
"""

from enum import Enum
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

FRESH = -1  # in `Run.todo`: the moves of this cell were not asked for yet
RIGHT = 1  # the direction that the walk counts as heading before its first step
LENGTH, COMPLETED, STUCK, STEPS = range(4)  # entries of `Run.counts`


class Event(Enum):
    """Why a run of the walker came back."""

    BUDGET = 0
    FINISHED = 1
    STUCK = 2
    COMPLETE = 3
    NEEDED = 4
    WALKS = 5


class Run(NamedTuple):
    """Where a left-first walk stands, as kernels take it.

    Attributes
    ----------
    walk : (cells,) int32
        The cells visited, as many as `counts` says.
    todo : (cells,) int32
        Moves left to try at each of them, as bits; `FRESH` if not asked for yet.
    counts : (4,) int64
        Cells of the walk, walks completed, positions stuck, steps made.
    firsts : (rules,) int64
        Walks completed when each rule was first needed, -1 if it was not.
    root : int
        Cells of the position that the walk began with.
    open_cells : int
        Of the board.
    """

    walk: Ints
    todo: Ints
    counts: Longs
    firsts: Longs
    root: int
    open_cells: int


class Stops(NamedTuple):
    """When to come back: at which events, and behind how many rounds and walks."""

    stuck: bool
    complete: bool
    needed: bool
    rounds: int
    walks: int


class Rounds(Protocol):
    """Makes rounds for a left-first walk, and leaves in its `Run` where it stands."""

    @property
    def pace(self) -> int:
        """About how many rounds it makes a second."""
        ...

    @property
    def forgets(self) -> bool:
        """Whether all that is ahead follows from visited cells, live end and heading.

        Then walks that agree in these have the same walks ahead of them, and what was
        met in one run may be kept for the next one on the board.
        """
        ...

    def go(self, run: Run, stops: Stops) -> Event:
        """Make rounds until an event that is asked for."""
        ...
