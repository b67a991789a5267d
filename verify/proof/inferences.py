"""What the inferences of future lines say, as drawings that a proof can speak of.

An inference says: every completion passes from this cell to that one. So a drawing
denies it: it shows the cells around, *grants* that the completion lacks the step, and
forbids every move; if it is proved, no completion lacks the step. Of lines that are
known already only what is needed is granted: the step by which the near end is left,
for instance.

Offsets ``(left, ahead)`` are those of the records: around the cell before the live end,
or around the live end. The records' drawings say nothing of where the live end lies
from there, so there is a drawing for each place that the kernel allows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

from heuristic.rules.drawing import (
    DEAD_END,
    LIVE_END,
    TAKEN,
    CellNeed,
    CellState,
    Drawing,
    Offset,
    RuleSpec,
    Turn,
)
from verify.proof.ends import ENDS

Step = tuple[Offset, Offset]
Place = tuple[Offset, ...]  # cells of the walk, the live end first

FREE = CellState.FREE
# Where the live end, the cell before it and the one before that lie: in the frame of
# the step to the previous cell, or of this step turned clockwise; around the live end
# in that of the last step, or of this turned.
PREVIOUS: tuple[Place, ...] = (
    ((0, 1), (0, 0), (0, -1)),
    ((-1, 0), (0, 0), (0, -1)),
    ((0, 1), (0, 0), (-1, 0)),
    ((0, -1), (0, 0), (-1, 0)),
)
HERE: tuple[Place, ...] = (((0, 0), (0, -1)), ((0, 0), (-1, 0)))
_MOVES = ((0, 1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class Pocket:
    """Cells around a line that is begun or grows, and the steps that are inferred.

    Attributes
    ----------
    free, taken : tuple of offsets
    steps : tuple of steps
        What every completion passes.
    known : tuple of (word, offset, offset)
        What is granted of the lines known before.
    end : offset or None
        The end cell; no other free cell named is the end.
    """

    free: tuple[Offset, ...]
    taken: tuple[Offset, ...]
    steps: tuple[Step, ...]
    known: tuple[tuple[str, Offset, Offset], ...] = ()
    end: Offset | None = None


def _row(size: int) -> Pocket:
    """Lay so many cells beside the walk, shut behind and at the far side."""
    cells = [(i, 0) for i in range(1, size + 1)]
    way = [(1, 1), *cells, (size, 1)]
    below = [(i, -1) for i in range(1, size + 1)]
    return Pocket(tuple(way), (*below, (size + 1, 0)), tuple(pairwise(way)))


def _step_away() -> Iterator[Pocket]:
    """Shut a near end beside the previous cell on two sides, one of them its line."""
    near, side = (1, 0), (1, 1)
    for inner, other in (((2, 0), (1, -1)), ((1, -1), (2, 0))):
        step, line = ((side, near),), ("passes", near, inner)
        yield Pocket((near, side, inner), (other,), step, (line,))
        for beyond in _around(other):
            if beyond not in (near, (0, 0)):
                cells = tuple(dict.fromkeys((near, side, inner, other, beyond)))
                inside = ("passes", other, beyond)
                yield Pocket(cells, (), step, (line, inside))
                if beyond != side:
                    far = ("passes", beyond, other), ("before", near, other)
                    yield Pocket(cells, (), step, (line, *far))


def _two_side() -> Iterator[Pocket]:
    """Leave a cell between the previous cell and a near end two ways."""
    between, near, side, behind = (1, 0), (2, 0), (1, 1), (1, -1)
    steps = (between, near), (side, between)
    for inner in ((3, 0), (2, 1), (2, -1)):
        line = ("passes", near, inner)
        yield Pocket((between, near, side, inner), (behind,), steps, (line,))
        for a, b in permutations([x for x in _around(behind) if x != between], 2):
            inside = ("passes", a, behind), ("passes", behind, b)
            cells = dict.fromkeys((between, near, side, inner, behind, a, b))
            yield Pocket(tuple(cells), (), steps, (line, *inside))


def _thin() -> Iterator[Pocket]:
    """Lay a line that runs to the end cell beside the live end.

    The cell ahead is not in the line, so it comes before all of it.
    """
    near, side, inner = (1, 0), (1, 1), (1, -1)
    known = ("passes", near, inner), ("before", side, near)
    yield Pocket((near, side, inner), ((2, 0),), ((side, near),), known)


def _corner_pass() -> Iterator[Pocket]:
    """Leave the end cell one free neighbour, the cell on the left."""
    cell, entry, last = (1, 0), (1, 1), (1, -1)
    shut = ((2, 0), (0, -1), (2, -1), (1, -2))
    yield Pocket((cell, entry, last), shut, ((entry, cell),), end=last)


def _around(cell: Offset) -> list[Offset]:
    return [(cell[0] + a, cell[1] + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]


POCKETS: dict[str, tuple[tuple[Place, ...], tuple[Pocket, ...]]] = {
    "future-1x2": (PREVIOUS, (_row(2),)),
    "future-1x3": (PREVIOUS, (_row(3),)),
    "future-step-away": (PREVIOUS, tuple(_step_away())),
    "future-2-side": (PREVIOUS, tuple(_two_side())),
    "future-1-thin": (HERE, tuple(_thin())),
    "future-corner-pass": (HERE[:1], tuple(_corner_pass())),
}


DENYING = (*POCKETS, *ENDS)  # all that a proof can speak of


def as_rule(record: RuleSpec) -> RuleSpec:
    """Return the rule whose proof proves a rule of lines: all that its drawings deny.

    Raises
    ------
    KeyError
        If it is none of `DENYING`.
    """
    drawings = list(ENDS.get(record.name, ()))
    if record.name in POCKETS:
        places, pockets = POCKETS[record.name]
        drawings += _drawings(places, ((p, step) for p in pockets for step in p.steps))
    if record.name == DEAD_END:
        for name in ("future-1x2", "future-1x3", "future-step-away", "future-2-side"):
            places, pockets = POCKETS[name]
            dead = ((x, None) for pocket in pockets for x in _dead(pocket))
            drawings += _drawings(places, dead)
    return RuleSpec(
        name=record.name,
        claim=record.claim,
        origin=record.origin,
        reason=record.reason,
        drawings=tuple(dict.fromkeys(drawings)),
    )


def _drawings(
    places: tuple[Place, ...], shown: Iterator[tuple[Pocket, Step | None]]
) -> list[Drawing]:
    found = [_drawing(p, place, step) for p, step in shown for place in places]
    return [one for one in found if one is not None]


def _dead(pocket: Pocket) -> Iterator[Pocket]:
    """Shut the cell that a line would have to take, or make it the end cell."""
    told = {at for _, a, b in pocket.known for at in (a, b)}
    for outer in {pocket.steps[0][0], pocket.steps[-1][0], pocket.steps[-1][1]} - told:
        ways = [step for step in pocket.steps if outer in step]
        if len(ways) == 1:
            free = tuple(at for at in pocket.free if at != outer)
            yield replace(pocket, free=free, taken=(*pocket.taken, outer))
            if pocket.known:
                yield replace(pocket, end=outer)


def _drawing(pocket: Pocket, walk: Place, denied: Step | None) -> Drawing | None:
    """Return the page: the live end in the middle, its last step up the page.

    None if the walk lies where the pocket needs a free cell.
    """
    if {*walk} & {*pocket.free}:
        return None
    live, before = walk[:2]
    up = live[0] - before[0], live[1] - before[1]

    def laid(at: Offset) -> Offset:
        left, ahead = at[0] - live[0], at[1] - live[1]
        return left * up[1] - ahead * up[0], left * up[0] + ahead * up[1]

    needs = {laid(at): CellState.VISITED for at in walk}
    needs |= {laid(at): TAKEN for at in pocket.taken if at not in walk}
    needs |= {laid(at): FREE for at in pocket.free}
    del needs[LIVE_END]
    moves = [move for move in _MOVES if needs.get(move, FREE) & FREE]
    end = None if pocket.end is None else laid(pocket.end)
    facts = (*pocket.known, *([("lacks", *denied)] if denied else []))
    return Drawing(
        text="",
        needs=tuple(
            CellNeed(at, states, states == FREE and at != end)
            for at, states in sorted(needs.items())
        ),
        areas=(),
        runs=(),
        forbidden=tuple(moves),
        turns=(Turn.NONE,),
        granted=tuple((word, laid(a), laid(b)) for word, a, b in facts),
        end=end,
    )
