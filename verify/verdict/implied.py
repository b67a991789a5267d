"""Which rules forbid at least what another does, as their drawings show.

A rule implies another when, wherever the other forbids a move, the first forbids that
move too. What is shown here is sufficient, not necessary: every drawing of the other,
in each of its poses, has for each of its moves a pose of one drawing of the first that
asks for no more and forbids that move. No position is tried, so it holds on all boards.
Families are compared drawing by drawing; one with more than `MOST` is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from heuristic.rules.drawing import (
    FACTS,
    CellState,
    Drawing,
    Frame,
    Kind,
    LineEnd,
    Placement,
    RuleSpec,
    Spot,
)

MOST = 60  # drawings of a rule that is compared


@dataclass(frozen=True, slots=True)
class LaidArea:
    """An area of a drawing that is laid on the board; `left` as seen there."""

    line: tuple[Spot, ...]
    left: bool
    kind: Kind
    low: int
    high: int
    least: int
    entry: Spot | None  # where the kind speaks of it


@dataclass(frozen=True, slots=True)
class Laid:
    """A drawing laid on the board in one placement.

    - `needs`: cells with their states, and whether they are not the end.
    - `marks`: ends of future lines: cell, end, whether all are of one line.
    """

    frame: Frame
    heading: int
    needs: frozenset[tuple[Spot, int, bool]]
    areas: frozenset[LaidArea]
    runs: frozenset[tuple[Spot, Spot]]
    marks: frozenset[tuple[Spot, LineEnd, bool]]
    facts: frozenset[tuple[str, frozenset[Spot]]]
    moves: frozenset[Spot]


@dataclass(frozen=True, slots=True)
class Kin:
    """The rules that forbid the same as a rule, at least it, at most it."""

    same: tuple[str, ...]
    implied_by: tuple[str, ...]
    implies: tuple[str, ...]


def _lay(drawing: Drawing, placement: Placement) -> Laid:
    on = placement.turn.turn
    areas = [
        LaidArea(
            (on(area.base), *map(on, area.cells), on(area.wall)),
            (area.side == "left") != placement.turn.mirrors,
            *(area.kind, area.low, area.high, area.least),
            on(area.entry) if area.kind is Kind.DETERMINED else None,
        )
        for area in drawing.areas
    ]
    return Laid(
        drawing.frame,
        placement.heading,
        frozenset((on(n.at), int(n.states), n.not_end) for n in drawing.needs),
        frozenset(areas),
        frozenset((on(run.first), on(run.then)) for run in drawing.runs),
        frozenset((on(mark.at), mark.end, mark.same) for mark in drawing.marks),
        frozenset((word, frozenset(map(on, pair))) for word, *pair in drawing.asked),
        frozenset(map(on, drawing.forbidden)),
    )


@lru_cache(maxsize=512)
def laid(drawing: Drawing) -> tuple[Laid, ...]:
    """Return a drawing laid on the board, in all of its placements."""
    return tuple(_lay(drawing, placement) for placement in drawing.placements())


def _asks_no_more(weak: Laid, strong: Laid, move: Spot) -> bool:
    """Tell whether one matches and forbids a move wherever the other does."""
    if weak.heading != strong.heading or move not in weak.moves:
        return False
    asked = {at: (states, not_end) for at, states, not_end in strong.needs}
    for at, states, not_end in weak.needs:
        known, kept = asked.get(at, (7, False))
        if at == move:
            known &= int(CellState.FREE)  # a move is forbidden only where it is free
        if known & ~states or (not_end and not kept):
            return False
    # what more the cells of the stronger one force is not thought of
    if not (weak.runs <= strong.runs and weak.facts <= strong.facts):
        return False
    if any(FACTS[word].step for word, _ in weak.facts):
        counted = {(area.line, area.left) for area in weak.areas}
        if not counted.issuperset((area.line, area.left) for area in strong.areas):
            return False
    return all(
        any(_area_follows(one, other) for other in strong.areas) for one in weak.areas
    )


def _area_follows(weak: LaidArea, strong: LaidArea) -> bool:
    """Tell whether an area is there, and its condition holds, if another's does."""
    if (weak.line, weak.left) != (strong.line, strong.left):
        return False
    if weak.least > strong.least:
        return False
    odd = weak.kind is Kind.IMPAIR and strong.kind is Kind.DETERMINED
    if odd or weak.kind is Kind.CLOSED:
        return True
    if weak.kind is not strong.kind:
        return False
    if weak.kind is Kind.WITHIN:
        return weak.low <= strong.low and strong.high <= weak.high
    if weak.kind is Kind.BEYOND:
        return weak.low >= strong.low and weak.high <= strong.high
    return weak.entry == strong.entry


def implies(rule: RuleSpec, other: RuleSpec) -> bool:
    """Tell whether a rule forbids wherever another does, as their drawings show.

    `stops` and `unless` are left out: each rule is asked alone.

    >>> from heuristic.groups import load_rules
    >>> shape = load_rules("c-shape").rules[0]
    >>> implies(shape, shape)
    True
    """
    if rule.reads_lines or other.reads_lines:
        return False
    if max(len(rule.drawings), len(other.drawings)) > MOST:
        return False
    mine, others = (
        [one for drawing in some.drawings for one in laid(drawing)]
        for some in (rule, other)
    )
    return all(
        any(_asks_no_more(one, strong, move) for one in mine)
        for strong in others
        for move in strong.moves
    )


def kin_of(rule: RuleSpec, book: Sequence[RuleSpec]) -> Kin:
    """Return which rules of a book forbid the same as a rule, more, or less."""
    up = [one.name for one in book if implies(one, rule)]
    down = [one.name for one in book if implies(rule, one)]
    same = tuple(name for name in up if name in down)
    more, fewer = (tuple(x for x in names if x not in same) for names in (up, down))
    return Kin(same, more, fewer)


def forms(rule: RuleSpec) -> frozenset[Laid]:
    """Return all that a rule asks: a form a drawing, placement and forbidden move.

    Placements that differ by the walk's heading alone give one form.
    """
    return frozenset(
        replace(form, moves=frozenset({at}))
        for drawing in rule.drawings
        for form in laid(drawing)
        for at in form.moves
        if form.frame is Frame.BOARD or (form.heading == 0 and at != (1, 0))
    )
