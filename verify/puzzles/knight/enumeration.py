"""The enumeration of semi-magic tours of 8 x 8 as a long run.

A unit is a prefix of seven cells; its result is the tours below it and the steps of the
search. The answer lists the tours in the order of the units, so it does not depend on
where a run was interrupted. An independent judge checks every tour.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import WitnessError
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import (
    STARTS,
    Tour,
    canonical,
    canonical_cycle,
    class_of,
    images,
    start_class,
)
from verify.puzzles.knight.judge import Judgement, board_of, judge
from verify.runs.work import Advance, LongRun, Unit, work_of

SIDE = 8
_PREFIX = 7  # cells of a unit
# Hours of each start class on one core at 3.8e7 steps a second, by the estimate of
# 100,000 walks for each first move (docs/explanation/knight.md). They only weigh units.
_HOURS = {"a1": 19.4, "b1": 10.5, "c1": 5.1, "d1": 5.2, "b2": 1.3}
_HOURS |= {"c2": 1.3, "d2": 1.9, "c3": 0.6, "d3": 1.5, "d4": 0.8}


COUNTS = {
    "hits": "met by the search",
    "same_ends": "with both ends in one class of cells: met twice",
    "labelled": "numbered boards",
    "up_to_board": "up to the 8 symmetries of the board",
    "classes": "up to these and reversal",
    "closed": "of these closed",
    "open": "of these open",
    "symmetric": "of these symmetric",
    "magic": "of these with both diagonals 260",
    "cycles": "up to renumbering of closed tours too",
}


def tally(tours: Sequence[Tour]) -> dict[str, int]:
    """Return how many tours there are under the equivalences of `COUNTS`."""
    classes = sorted({canonical(tour, SIDE) for tour in tours})
    found = [judge(board_of(tour, SIDE, SIDE)) for tour in classes]
    closed = [tour for tour, one in zip(classes, found, strict=True) if one.holds(5)]
    cycles = {canonical_cycle(tour, SIDE) for tour in closed}
    labelled = {image for tour in classes for image in images(tour, SIDE)}
    return {
        "hits": len(tours),
        "same_ends": sum(class_of(tour[0]) == class_of(tour[-1]) for tour in classes),
        "labelled": len(labelled),
        "up_to_board": len({min([*images(tour, SIDE)][::2]) for tour in labelled}),
        "classes": len(classes),
        "closed": len(closed),
        "open": len(classes) - len(closed),
        "symmetric": sum(one.holds(6) for one in found),
        "magic": sum(one.holds(7) for one in found),
        "cycles": len(cycles) + len(classes) - len(closed),
    }


def tally_lines(tours: Sequence[Tour], work: str) -> list[str]:
    """Return the counts and the work done as lines."""
    lines = [f"{count:>6,} {COUNTS[name]}" for name, count in tally(tours).items()]
    return [*lines, work]


@dataclass(frozen=True, slots=True)
class Enumerated:
    """All tours of some start classes, in the order of the units, and the work done."""

    starts: tuple[str, ...]
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
    named = [start for start in STARTS if start in starts]

    def units() -> Iterator[Unit]:
        for start in named:
            cells = prefixes(start)
            weight = _HOURS[start] * 3600 / len(cells)
            for prefix in cells:
                yield Unit(list(prefix), weight)

    def fold(results: Iterator[list[Any]]) -> Enumerated:
        tours: list[Tour] = []
        tried, taken = 0, [0] * (SIDE * SIDE + 1)
        for some, steps, levels in results:
            tours += [tuple(tour) for tour in some]
            tried += steps
            taken = [a + b for a, b in zip(taken, levels, strict=True)]
        return Enumerated(tuple(named), tuple(tours), tried, tuple(taken))

    # not the whole package: an update of the program need not end a run of days
    rooms = "solver.puzzles.knight.semimagic", "solver.puzzles.knight.tour"
    work = work_of(_searching, {}, *rooms, "verify.puzzles.knight.judge", __name__)
    return LongRun("knight-enumerate", work, [*units()], fold)


def _searching() -> Callable[[list[int], Advance], list[Any]]:
    """Return what searches below a prefix and judges every tour."""

    def searched(cells: list[int], _: Advance) -> list[Any]:
        below_prefix = below(tuple(cells))
        tours = [list(tour) for tour in below_prefix.tours]
        for tour in below_prefix.tours:
            check_semimagic(tour)
        return [tours, below_prefix.tried, list(below_prefix.taken)]

    return searched


def summary(found: Enumerated) -> list[str]:
    """Return the counts as lines."""
    work = f"starts {' '.join(found.starts)}: {found.tried:,} steps tried"
    return tally_lines(found.tours, work)


def check_semimagic(tour: Tour) -> Judgement:
    """Return the judgement of a semi-magic tour of 8 x 8.

    Raises `WitnessError` if it is not one.
    """
    found = judge(board_of(tour, SIDE, SIDE))
    if not found.semimagic:
        raise WitnessError(f"the search returned a tour that is not semi-magic: {tour}")
    return found
