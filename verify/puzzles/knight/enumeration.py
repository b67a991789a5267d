"""The enumeration of semi-magic tours of 8 x 8 as a long run.

A unit is a prefix of seven cells; its result is the tours below it and the steps of the
search. The answer lists the tours in the order of the units, so it does not depend on
where a run was interrupted. An independent judge checks every tour.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import WitnessError
from solver.puzzles.knight.search import (
    STARTS,
    Tour,
    canonical,
    start_class,
)
from solver.puzzles.knight.semimagic import below
from verify.puzzles.knight.judge import Judgement, board_of, judge
from verify.runs.longrun import Advance, LongRun, Unit, work_of

SIDE = 8
_PREFIX = 7  # cells of a unit
# Hours of each start class on one core at 3.8e7 steps a second, by the estimate of
# 100,000 walks for each first move (docs/explanation/knight.md). They only weigh units.
_HOURS = {"a1": 19.4, "b1": 10.5, "c1": 5.1, "d1": 5.2, "b2": 1.3}
_HOURS |= {"c2": 1.3, "d2": 1.9, "c3": 0.6, "d3": 1.5, "d4": 0.8}


def tally(tours: Sequence[Tour]) -> dict[str, int]:
    """Return how many tours the search met, and how many classes of them there are.

    A class is a tour under the 8 symmetries of the board and reversal.
    """
    classes = {canonical(tour, SIDE) for tour in tours}
    judged = [judge(board_of(tour, SIDE, SIDE)) for tour in classes]
    closed = sum(one.holds(5) for one in judged)
    return {
        "hits": len(tours),
        "classes": len(classes),
        "closed": closed,
        "open": len(classes) - closed,
        "symmetric": sum(one.holds(6) for one in judged),
        "magic": sum(one.holds(7) for one in judged),
    }


_WORDS = {
    "hits": "met by the search",
    "classes": "up to the 8 symmetries of the board and reversal",
    "closed": "of these closed",
    "open": "of these open",
    "symmetric": "of these symmetric",
    "magic": "of these with both diagonals 260",
}


def tally_lines(tours: Sequence[Tour], work: str) -> list[str]:
    """Return the counts and the work done as lines."""
    counts = tally(tours).items()
    return [*(f"{count:>6,} {_WORDS[name]}" for name, count in counts), work]


@dataclass(frozen=True, slots=True)
class Enumerated:
    """All tours of some start classes, in the order of the units, and the work done."""

    tours: tuple[Tour, ...]
    tried: int
    taken: tuple[int, ...]


def prefixes(start: str) -> list[Tour]:
    """Return the units of a start class, in the order of their cells."""
    first = start_class(start)
    pairs = [(first.cell, second) for second in first.second]
    return [tour for pair in pairs for tour in below(pair, stop=_PREFIX).tours]


def enumeration(starts: Sequence[str]) -> LongRun[Enumerated]:
    """Enumerate the semi-magic tours that begin in `starts`, names of start classes."""
    units = [
        Unit(list(prefix), _HOURS[start] * 3600 / len(cells))
        for start in STARTS
        if start in starts
        for cells in [prefixes(start)]
        for prefix in cells
    ]
    # not the whole package: an update of the program need not end a run of days
    rooms = "solver.puzzles.knight.semimagic", "solver.puzzles.knight.search"
    work = work_of(_searching, {}, *rooms, "verify.puzzles.knight.judge", __name__)
    return LongRun("knight-enumerate", work, units, _fold)


def _fold(results: Iterator[list[Any]]) -> Enumerated:
    tours: list[Tour] = []
    tried, taken = 0, [0] * (SIDE * SIDE + 1)
    for some, steps, levels in results:
        tours += [tuple(tour) for tour in some]
        tried += steps
        taken = [a + b for a, b in zip(taken, levels, strict=True)]
    return Enumerated(tuple(tours), tried, tuple(taken))


def _searching() -> Callable[[list[int], Advance], list[Any]]:
    """Return what searches below a prefix and judges every tour."""

    def searched(cells: list[int], _: Advance) -> list[Any]:
        tours, tried, taken = below(tuple(cells))
        for tour in tours:
            check_semimagic(tour)
        return [[list(tour) for tour in tours], tried, list(taken)]

    return searched


def check_semimagic(tour: Tour) -> Judgement:
    """Return the judgement of a semi-magic tour of 8 x 8.

    Raises `WitnessError` if it is not one.
    """
    found = judge(board_of(tour, SIDE, SIDE))
    if not found.semimagic:
        raise WitnessError(f"the search returned a tour that is not semi-magic: {tour}")
    return found
