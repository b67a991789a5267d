"""The whole enumeration of semi-magic tours of 8 x 8 as a campaign.

A unit is a prefix (`solver.puzzles.knight.tour`); its result says which tours lie
below and how much was searched. The answer names every tour in the order of the
units, so it is the same list however the run was stopped, split or merged. Every tour
is judged by `verify.puzzles.knight.judge`, which shares no code with the search.
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
    class_of,
    images,
    stored,
)
from verify.campaign.campaign import Campaign, Unit, deciding
from verify.puzzles.knight.judge import Judgement, board_of, judge, tour_fault

SIDE = 8
_RATE = 3.8e7  # steps a second, about; for weights alone, as what follows
# Steps of each start class by 100,000 walks for each pair of cells, in units of 10^12
# (docs/explanation/knight.md). The few walks of each unit miss its rare deep parts, so
# that they add up to two thirds of this.
_STEPS = {"a1": 2.66, "b1": 1.44, "c1": 0.70, "d1": 0.71, "b2": 0.18}
_STEPS |= {"c2": 0.18, "d2": 0.26, "c3": 0.08, "d3": 0.21, "d4": 0.11}


@dataclass(frozen=True, slots=True)
class Tally:
    """Tours counted under the equivalences by which they are distinguished.

    `hits` are tours as the search met them: one whose ends lie in one start class
    (`same_ends`) is met from both ends, so it counts twice unless it is its own image.
    `labelled` are numbered boards; `up_to_board` counts up to the 8 symmetries of the
    board, `classes` up to these and reversal, `cycles` up to these and, for closed
    tours, the cell that bears 1. Of classes are `closed`, `open`, `symmetric` and, with
    both diagonals, `magic`; `best_diagonals` are the pair nearest to the magic sum.
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
    """Count semi-magic tours of 8 x 8, met in any orientation, any number of times."""
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


def enumeration(parameters: dict[str, Any]) -> Campaign[Enumerated]:
    """Enumerate the semi-magic tours that begin in `starts`, names of start classes."""
    starts = [start for start in STARTS if start in parameters["starts"]]

    def units() -> Iterator[Unit]:
        for start in starts:
            prefixes = stored()[start]
            steps = sum(prefix.steps for prefix in prefixes)
            second = steps / (_STEPS[start] * 1e12) * _RATE  # as they are stored
            for prefix in prefixes:
                weight = max(prefix.steps / second, 1e-4)
                yield Unit(prefix.name, list(prefix.cells), weight)

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

    texts = [" ".join(prefix.name for prefix in stored()[one]) for one in starts]
    rooms = "solver.puzzles.knight.semimagic", "solver.puzzles.knight.tour"
    what = deciding(*rooms, texts=texts)
    return Campaign("knight-enumerate", parameters, what, units, work, fold, summary)


def summary(found: Enumerated) -> list[str]:
    """Return the counts as lines."""
    work = f"starts {' '.join(found.starts)}: {found.tried:,} steps tried"
    return tally_lines(tally(found.tours), work)


def tally_lines(count: Tally, work: str) -> list[str]:
    """Return the counts with what is taken for equal, and the work done, as lines."""
    lines = [
        (count.hits, "met by the search: ten starts, the end in no earlier class"),
        (count.same_ends, "with both ends in one class of cells: met twice"),
        (count.labelled, "numbered boards, nothing taken for equal"),
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


def check_semimagic(tour: Tour, side: int = SIDE) -> Judgement:
    """Have the judge look at a tour that was found; return what it says.

    Raises `WitnessError` if it is no semi-magic tour.
    """
    if (fault := tour_fault(tour, side, side)) is None:
        found = judge(board_of(tour, side, side))
        if found.semimagic:
            return found
        fault = "rows and columns have different sums"
    raise WitnessError(f"a tour that was found is none: {fault}")
