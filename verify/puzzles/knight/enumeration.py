"""The enumeration of semi-magic tours of 8 x 8 as a campaign.

A unit is a prefix of seven cells; its result is the tours below it and the steps of the
search. The answer lists the tours in the order of the units, so it does not depend on
where a run was interrupted. An independent judge checks every tour.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import WitnessError
from solver.puzzles.knight.semimagic import below
from solver.puzzles.knight.tour import (
    STARTS,
    Tour,
    canonical,
    canonical_cycle,
    chess_name,
    class_of,
    images,
    start_class,
)
from verify.campaign.campaign import Campaign, Unit, deciding
from verify.puzzles.knight.judge import Judgement, board_of, judge, tour_fault

SIDE = 8
_PREFIX = 7  # cells of a unit
# Hours of each start class on one core at 3.8e7 steps a second, by the estimate of
# 100,000 walks for each first move (docs/explanation/knight.md). They only weigh units.
_HOURS = {"a1": 19.4, "b1": 10.5, "c1": 5.1, "d1": 5.2, "b2": 1.3}
_HOURS |= {"c2": 1.3, "d2": 1.9, "c3": 0.6, "d3": 1.5, "d4": 0.8}


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of tours under several equivalences.

    `hits` are the tours that the search met; those with both ends in one start class
    (`same_ends`) may be met twice. `labelled` are numbered boards. `up_to_board` counts
    up to the 8 symmetries of the board, `classes` up to these and reversal, `cycles` up
    to these and renumbering of closed tours. The other numbers are classes;
    `best_diagonals` are the diagonal sums nearest to 260.
    """

    hits: int
    same_ends: int
    labelled: int
    up_to_board: int
    classes: int
    cycles: int
    closed: int
    open: int
    closed_cycles: int
    symmetric: int
    magic: int
    best_diagonals: tuple[int, int] | None


def tally(tours: Sequence[Tour]) -> Tally:
    """Count semi-magic tours of 8 x 8."""
    classes = sorted({canonical(tour, SIDE) for tour in tours})
    found = [judge(board_of(tour, SIDE, SIDE)) for tour in classes]
    closed = [tour for tour, one in zip(classes, found, strict=True) if one.holds(5)]
    cycles = {canonical_cycle(tour, SIDE) for tour in closed}
    labelled = {image for tour in classes for image in images(tour, SIDE)}
    forward = {min(list(images(tour, SIDE))[::2]) for tour in labelled}
    diagonals = [(min(pair), max(pair)) for one in found if (pair := one.diagonals)]
    order = sorted(diagonals, key=lambda pair: (sum(abs(d - 260) for d in pair), pair))
    return Tally(
        hits=len(tours),
        same_ends=sum(class_of(tour[0]) == class_of(tour[-1]) for tour in classes),
        labelled=len(labelled),
        up_to_board=len(forward),
        classes=len(classes),
        cycles=len(cycles) + len(classes) - len(closed),
        closed=len(closed),
        open=len(classes) - len(closed),
        closed_cycles=len(cycles),
        symmetric=sum(one.holds(6) for one in found),
        magic=sum(pair == (260, 260) for pair in diagonals),
        best_diagonals=order[0] if order else None,
    )


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


def enumeration(parameters: dict[str, Any]) -> Campaign[Enumerated]:
    """Enumerate the semi-magic tours that begin in `starts`, names of start classes."""
    starts = [start for start in STARTS if start in parameters["starts"]]

    def units() -> Iterator[Unit]:
        for start in starts:
            cells = prefixes(start)
            weight = _HOURS[start] * 3600 / len(cells)
            for prefix in cells:
                yield Unit("".join(map(chess_name, prefix)), list(prefix), weight)

    def work(cells: list[int]) -> list[Any]:
        found = below(tuple(cells))
        for tour in found.tours:
            check_semimagic(tour)
        return [[list(tour) for tour in found.tours], found.tried, list(found.taken)]

    def fold(results: Iterator[list[Any]]) -> Enumerated:
        tours: list[Tour] = []
        tried, taken = 0, [0] * (SIDE * SIDE + 1)
        for some, steps, levels in results:
            tours += [tuple(tour) for tour in some]
            tried += steps
            taken = [a + b for a, b in zip(taken, levels, strict=True)]
        return Enumerated(tuple(starts), tuple(tours), tried, tuple(taken))

    rooms = "solver.puzzles.knight.semimagic", "solver.puzzles.knight.tour"
    what = deciding(*rooms, __name__)
    return Campaign("knight-enumerate", parameters, what, units, work, fold, summary)


def summary(found: Enumerated) -> list[str]:
    """Return the counts as lines."""
    work = f"starts {' '.join(found.starts)}: {found.tried:,} steps tried"
    return tally_lines(tally(found.tours), work)


def tally_lines(count: Tally, work: str) -> list[str]:
    """Return the counts and the work done as lines."""
    lines = [
        (count.hits, "met by the search"),
        (count.same_ends, "with both ends in one class of cells: met twice"),
        (count.labelled, "numbered boards"),
        (count.up_to_board, "up to the 8 symmetries of the board"),
        (
            count.classes,
            f"up to these and reversal: {count.closed:,} closed, {count.open:,} open, "
            f"{count.symmetric:,} symmetric",
        ),
        (
            count.cycles,
            "up to these and renumbering of closed tours "
            f"({count.closed_cycles:,} cycles)",
        ),
        (count.magic, "with both diagonals 260"),
    ]
    out = [f"{number:>6,} {what}" for number, what in lines]
    if count.best_diagonals:
        out.append("nearest diagonals: {} and {}".format(*count.best_diagonals))
    return [*out, work]


def check_semimagic(tour: Tour) -> Judgement:
    """Return the judgement of a semi-magic tour of 8 x 8.

    Raises `WitnessError` if it is not one.
    """
    if (fault := tour_fault(tour, SIDE, SIDE)) is None:
        found = judge(board_of(tour, SIDE, SIDE))
        if found.semimagic:
            return found
        fault = "rows and columns have different sums"
    raise WitnessError(f"the search returned a wrong tour: {fault}")
