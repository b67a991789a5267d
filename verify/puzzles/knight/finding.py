"""One tour of any board: theorems, rules, search and weaving in turn.

Each way is cheap where it works. Boards of three or four rows are settled column by
column. Small boards are done in plain Python, by the same code that numba compiles for
larger ones: importing numba takes longer. Whatever found the tour,
`verify.puzzles.knight.judge` looks at it before it is believed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError, WitnessError
from solver.puzzles.knight import search, strip, weave
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
_SEARCHED = 400  # cells of a board that is searched


@dataclass(frozen=True, slots=True)
class Answer:
    """A tour, or why there is none, or that nothing was found.

    `by` is what found it, or what says that there is none.
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
    are settled by columns, and others by an exact search with a limit and the weaving
    of blocks.

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
    for status, tour, by in _ways(rows, cols, start, closed, rule, seed):
        if status is Status.NONE:
            return Answer(status, None, by)
        if tour is None or (closed and not _closes(tour, cols)):
            continue
        if fault := tour_fault(tour, rows, cols):
            raise WitnessError(f"the tour that {by} made is none: {fault}")
        return Answer(Status.FOUND, np.array(tour, dtype=np.int32), by)
    return Answer(Status.UNKNOWN, None, "no way that is known here found one")


def _closes(tour: Sequence[int], cols: int) -> bool:
    (r, c), (y, x) = divmod(int(tour[0]), cols), divmod(int(tour[-1]), cols)
    return abs(r - y) * abs(c - x) == 2


_Tried = tuple[Status, Sequence[int] | None, str]


def _ways(
    rows: int, cols: int, start: int, closed: bool, rule: str | None, seed: int
) -> Iterator[_Tried]:
    """Yield what each way finds: how it ended, a tour or None, and what found it."""
    cells, unknown = rows * cols, Status.UNKNOWN
    tries = 1 if cells > _SMALL else _TRIES
    if rule is None:
        rule, tries = "warnsdorff", _TRIES if cells <= _RULED else 0
    for attempt in range(seed, seed + (1 if rule == "first" else tries)):
        walked = walk(rows, cols, start, rule=rule, seed=attempt)
        if not walked.stuck:
            seeds = f", seed {attempt}" if rule != "first" else ""
            yield unknown, walked.cells.tolist(), f"the rule {rule}{seeds}"
    if min(rows, cols) in strip.ROWS:
        if narrow := strip.strip_tour(rows, cols, start, closed=closed):
            yield Status.FOUND, narrow, "going through the columns"
        yield Status.NONE, None, "every way to go through the columns was tried"
    for attempt in range(seed, seed + _SEEDS) if cells <= _SEARCHED else ():
        got = search.search(
            rows, cols, (start,), closed=closed, steps=_STEPS, seed=attempt
        )
        none = "every walk was tried: " if got.status is Status.NONE else ""
        yield got.status, got.tour, f"{none or 'the exact search, '}{got.steps:,} steps"
    woven = weave.weave(rows, cols, start)
    found = None if woven is None else woven.tolist()
    yield unknown, found, "weaving the tours of small blocks"
