"""One tour of any board: theorems, rules, search, weaving and the SAT oracle in turn.

Each way is cheap where it works. Boards of three or four rows are settled column by
column. Small boards are done in plain Python, by the same code that numba compiles for
larger ones: importing numba takes longer. Whatever found the tour,
`verify.puzzles.knight.judge` looks at it before it is believed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError, WitnessError
from solver.puzzles.knight import sat, search, strip, weave
from solver.puzzles.knight.search import Status
from solver.puzzles.knight.theorems import (
    why_no_closed_tour,
    why_no_open_tour,
    why_not_from,
)
from solver.puzzles.knight.warnsdorff import walk
from verify.puzzles.knight.judge import tour_fault

MOST_CELLS = 4_000_000
_TRIES = 20  # walks under the rule
_SMALL = 4096  # cells of a board that is walked more than once
_RULED = 1024  # cells of a board where a rule that nobody named is tried
_SEEDS, _STEPS = 8, 300_000
_SAT_CELLS = 400


@dataclass(frozen=True, slots=True)
class Answer:
    """A tour, or why there is none, or that nothing was found.

    Attributes
    ----------
    status : Status
    tour : (cells,) int array or None
    by : str
        What found it, or what says that there is none.
    """

    status: Status
    tour: npt.NDArray[np.int32] | None
    by: str


def find_tour(
    rows: int,
    cols: int,
    start: int,
    *,
    closed: bool = False,
    rule: str | None = None,
    seed: int = 0,
) -> Answer:
    """Find a tour of a board from a cell.

    The rule is tried first; None is Warnsdorff's up to 1,024 cells, and none on larger
    boards, where it gets stuck more and more often. Then boards of three or four rows
    are settled by columns, and others by an exact search with a limit, the weaving of
    blocks and the SAT oracle.

    Raises
    ------
    BoardError
        If the cell lies outside, or the board has more than four million cells.
    """
    cells = rows * cols
    if cells > MOST_CELLS:
        raise BoardError(f"{rows} x {cols} has more than {MOST_CELLS:,} cells")
    if not 0 <= start < cells:
        raise BoardError(f"cell {start} lies outside {rows} x {cols}")
    why = why_no_open_tour(rows, cols) or why_not_from(rows, cols, start)
    if closed:
        why = why_no_closed_tour(rows, cols) or why
    if why is not None:
        return Answer(Status.NONE, None, why)
    found = _found(rows, cols, start, closed, rule, seed)
    if found.tour is not None:
        fault = tour_fault(found.tour.tolist(), rows, cols)
        if fault is None and closed and not _closes(found.tour, cols):
            fault = "it is not closed"
        if fault is not None:
            raise WitnessError(f"the tour that {found.by} made is none: {fault}")
    return found


def _closes(tour: npt.NDArray[np.int32], cols: int) -> bool:
    (r, c), (y, x) = divmod(int(tour[0]), cols), divmod(int(tour[-1]), cols)
    return abs(r - y) * abs(c - x) == 2


def _found(
    rows: int, cols: int, start: int, closed: bool, rule: str | None, seed: int
) -> Answer:
    cells = rows * cols
    tries = 1 if cells > _SMALL else _TRIES
    if rule is None:
        rule, tries = "warnsdorff", _TRIES if cells <= _RULED else 0
    for attempt in range(tries):
        walked = walk(rows, cols, start, rule=rule, seed=seed + attempt)
        if not walked.stuck and (not closed or _closes(walked.cells, cols)):
            seeds = f", seed {seed + attempt}" if rule != "first" else ""
            return Answer(Status.FOUND, walked.cells, f"the rule {rule}{seeds}")
        if rule == "first":
            break
    if min(rows, cols) in strip.ROWS:
        narrow = strip.strip_tour(rows, cols, start, closed=closed)
        if narrow is None:
            by = "every way to go through the columns was tried"
            return Answer(Status.NONE, None, by)
        tour = np.array(narrow, dtype=np.int32)
        return Answer(Status.FOUND, tour, "going through the columns")
    one = (start,)
    if cells <= _SAT_CELLS:
        for attempt in range(_SEEDS):
            got = search.search(
                rows, cols, one, closed=closed, steps=_STEPS, seed=seed + attempt
            )
            if got.tour is not None:
                tour = np.array(got.tour, dtype=np.int32)
                by = f"the exact search, {got.steps:,} steps"
                return Answer(Status.FOUND, tour, by)
            if got.status is Status.NONE:
                by = f"every walk was tried: {got.steps:,} steps"
                return Answer(Status.NONE, None, by)
    woven = weave.weave(rows, cols, start)
    if woven is not None and (not closed or _closes(woven, cols)):
        return Answer(Status.FOUND, woven, "weaving the tours of small blocks")
    if cells <= _SAT_CELLS:
        asked = sat.sat_tour(rows, cols, one, closed=closed)
        if asked.tour is not None:
            tour = np.array(asked.tour, dtype=np.int32)
            return Answer(Status.FOUND, tour, f"the SAT oracle, {asked.steps:,} cuts")
        if asked.status is Status.NONE:
            by = f"the SAT oracle says so, with {asked.steps:,} cuts"
            return Answer(Status.NONE, None, by)
    return Answer(Status.UNKNOWN, None, "no way that is known here found one")
