"""One tour of any rectangle, and completions of partly numbered ones.

For a tour theorems, rules, search and weaving are asked in turn. Each way is cheap
where it works. Boards of three or four rows are settled column by column. Small boards
are done in plain Python, by the same code that numba compiles for larger ones:
importing numba takes longer. Whatever found the tour, `verify.puzzles.knight.judge`
looks at it before it is believed.

A partly numbered board is completed to a semi-magic tour. `sat` is a formula of
`solver.puzzles.knight.sat`. Where the numbers given on 8 x 8 are 1 to k, `search` is
that of `solver.puzzles.knight.semimagic`, much faster. Tests hold the two together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from solver.errors import BoardError, OptionError, UnknownNameError, WitnessError
from solver.puzzles.knight.sat import semimagic_tours
from solver.puzzles.knight.search import (
    ROWS,
    Status,
    search,
    strip_tour,
    walk,
    weave,
    why_no_closed_tour,
    why_no_open_tour,
    why_not_from,
)
from solver.puzzles.knight.tour import Tour, neighbours
from verify.puzzles.knight.judge import MOST_CELLS, touch, tour_fault

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
    tour: Tour | None
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

    Raises `BoardError` if the board has more than four million cells.
    """
    cells = rows * cols
    if cells > MOST_CELLS:
        raise BoardError(f"{rows} x {cols} has more than {MOST_CELLS:,} cells")
    why = why_no_open_tour(rows, cols) or why_not_from(rows, cols, start)
    if closed:
        why = why_no_closed_tour(rows, cols) or why
    if why is not None:
        return Answer(Status.NONE, None, why)
    for status, tour, by in _ways(rows, cols, start, closed, rule, seed):
        if status is Status.NONE:
            return Answer(status, None, by)
        if tour is None or (closed and not touch(tour[0], tour[-1], cols)):
            continue
        if fault := tour_fault(tour, rows, cols):
            raise WitnessError(f"the tour that {by} made is none: {fault}")
        return Answer(Status.FOUND, tuple(tour), by)
    return Answer(Status.UNKNOWN, None, "no way that is known here found one")


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
        if len(walked) == cells:
            seeds = f", seed {attempt}" if rule != "first" else ""
            yield unknown, walked.tolist(), f"the rule {rule}{seeds}"
    if min(rows, cols) in ROWS:
        if narrow := strip_tour(rows, cols, start, closed=closed):
            yield Status.FOUND, narrow, "going through the columns"
        yield Status.NONE, None, "every way to go through the columns was tried"
    for attempt in range(seed, seed + _SEEDS) if cells <= _SEARCHED else ():
        got = search(rows, cols, (start,), closed=closed, steps=_STEPS, seed=attempt)
        none = "every walk was tried: " if got.status is Status.NONE else ""
        yield got.status, got.tour, f"{none or 'the exact search, '}{got.steps:,} steps"
    woven = weave(rows, cols, start)
    found = None if woven is None else woven.tolist()
    yield unknown, found, "weaving the tours of small blocks"


Rows = Sequence[Sequence[int]]
ORACLES = ("sat", "search")
_MOST_SIDE = 20
_LEAST = 16  # numbers given in a row; with fewer a search may take long


@dataclass(frozen=True, slots=True)
class Completed:
    """Completions found, and whether it is sure that no other exists."""

    tours: tuple[Tour, ...]
    all: bool

    @property
    def status(self) -> Status:
        """UNKNOWN if the time was up before anything was found."""
        if self.tours:
            return Status.FOUND
        return Status.NONE if self.all else Status.UNKNOWN


def given_numbers(board: Rows) -> dict[int, int]:
    """Return the numbers of a square board and their cells.

    Raises `BoardError` if the board is not square, a number is out of range or stands
    there twice, or two that follow each other are no knight's move apart.
    """
    side = len(board)
    if not 1 <= side <= _MOST_SIDE or any(len(row) != side for row in board):
        raise BoardError(f"only square boards of 1 to {_MOST_SIDE} rows are completed")
    given: dict[int, int] = {}
    for cell, number in enumerate(one for row in board for one in row):
        if number == 0:
            continue
        if not 1 <= number <= side * side:
            where = f"({cell // side + 1}, {cell % side + 1})"
            raise BoardError(f"{number} at {where} is not among 1 to {side * side}")
        if number in given:
            raise BoardError(f"{number} stands there more than once")
        given[number] = cell
    near = neighbours(side, side)
    for number in sorted(given):
        if number + 1 in given and given[number + 1] not in near[given[number]]:
            raise BoardError(f"{number} and {number + 1} are no knight's move apart")
    return given


def complete(
    board: Rows, *, oracle: str | None = None, seconds: float = 60.0, most: int = 1
) -> Completed:
    """Complete a board to semi-magic tours by an oracle.

    The oracle is one of `ORACLES`; None is the search where it is made for the board,
    or SAT, which stops after `most` tours or so many `seconds`; the search has none.

    Raises `BoardError` if the board is not square, its numbers are wrong, or its side
    is odd; `UnknownNameError` if there is no such oracle; `OptionError` if the search
    is not made for the board.
    """
    if oracle not in (None, *ORACLES):
        raise UnknownNameError("oracle", str(oracle), ORACLES)
    given = given_numbers(board)
    if oracle != "sat" and (found := searched(given, len(board))):
        return found
    if oracle == "search":
        raise OptionError(
            "--oracle search completes 8 x 8 with the numbers 1 to 16 or more, or with "
            "the last 16 or more"
        )
    some = [*islice(semimagic_tours(len(board), given, seconds=seconds), most)]
    tours = tuple(one for one in some if one)
    return Completed(tours, len(some) < most and None not in some)


def searched(given: dict[int, int], side: int) -> Completed | None:
    """Return all completions by the search; None if it is not made for the board.

    It is made for 8 x 8 with the numbers 1 to k, or 64 down to 65 - k, k at least 16.
    """
    from solver.puzzles.knight.semimagic import completions  # SAT needs no kernels

    count = len(given)
    if side != 8 or not _LEAST <= count < 64:
        return None
    for order in (range(1, count + 1), range(64, 64 - count, -1)):
        if given.keys() == {*order}:
            found = completions(tuple(given[k] for k in order)).tours
            return Completed(tuple(sorted(one[:: order.step] for one in found)), True)
    return None
