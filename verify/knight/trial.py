"""Rules for knight's tours on trial: on which boards does a rule get stuck, and where.

Every start of a board is walked under a rule. Where the walk gets stuck, two exact
oracles that share no code, the search and the SAT formula, say whether a tour from
there exists, and which step of the walk was the first that cannot be completed.
"""

from dataclasses import dataclass

from heuristic.knight.rules import walk
from solver.errors import WitnessError
from solver.knight.sat import sat_tour
from solver.knight.search import Searched, Status, search
from solver.knight.tour import Tour
from verify.knight.judge import tour_fault

_STEPS = 300_000


@dataclass(frozen=True, slots=True)
class Stuck:
    """A walk under a rule that got stuck although a tour from its start exists.

    `blame` is the number of the first cell after which no tour exists, from 1.
    """

    rows: int
    cols: int
    rule: str
    seed: int
    walk: Tour
    blame: int


@dataclass(frozen=True, slots=True)
class Trial:
    """A rule on one board: starts with a tour, those served, and where it failed."""

    rows: int
    cols: int
    rule: str
    starts: int
    served: int
    stuck: tuple[Stuck, ...]


def completable(rows: int, cols: int, begun: Tour) -> bool:
    """Tell whether a walk can be completed to a tour; both oracles are asked.

    Raises
    ------
    WitnessError
        If they disagree, or a tour that one of them shows is none.
    """
    found = search(rows, cols, begun, steps=_STEPS)
    asked = sat_tour(rows, cols, begun)
    for name, one in (("search", found), ("sat", asked)):
        _believed(name, one, rows, cols, begun)
    said = {found.status, asked.status} - {Status.UNKNOWN}
    if len(said) > 1:
        raise WitnessError(
            f"search says {found.status.name}, sat {asked.status.name} of "
            f"{rows} x {cols} after {begun}"
        )
    return Status.FOUND in (found.status, asked.status)


def _believed(name: str, one: Searched, rows: int, cols: int, begun: Tour) -> None:
    if one.tour is None:
        return
    fault = tour_fault(one.tour, rows, cols)
    if fault is None and one.tour[: len(begun)] != begun:
        fault = "it does not begin like the walk"
    if fault is not None:
        raise WitnessError(f"{name} shows a tour that is none: {fault}")


def blame(rows: int, cols: int, cells: Tour) -> int:
    """Return the number of the first cell after which no tour exists.

    The walk's start must have a tour, its whole none; what is dead stays dead, so the
    place is found by halving.
    """
    alive, dead = 1, len(cells)
    while dead - alive > 1:
        middle = (alive + dead) // 2
        if completable(rows, cols, cells[:middle]):
            alive = middle
        else:
            dead = middle
    return dead


def trial(rows: int, cols: int, *, rule: str, seed: int, keep: int = 8) -> Trial:
    """Put a rule on trial on every start of a board; blame the first failures."""
    starts = served = 0
    stuck: list[Stuck] = []
    for start in range(rows * cols):
        walked = walk(rows, cols, start, rule=rule, seed=seed)
        if walked.stuck:
            if not completable(rows, cols, (start,)):
                continue
            starts += 1
            if len(stuck) < keep:
                cells = tuple(map(int, walked.cells))
                at = blame(rows, cols, cells)
                stuck.append(Stuck(rows, cols, rule, seed, cells, at))
        else:
            fault = tour_fault(walked.cells.tolist(), rows, cols)
            if fault is not None:
                raise WitnessError(f"the rule {rule} made a tour that is none: {fault}")
            starts += 1
            served += 1
    return Trial(rows, cols, rule, starts, served, tuple(stuck))
