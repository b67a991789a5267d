"""Which rules forbid at least what another forbids, as their drawings say.

A rule implies another when, wherever the other forbids a move, the first forbids that
move too. What is shown here is sufficient, not necessary: every drawing of the other,
in each of its poses, has for each of its moves a pose of one drawing of the first that
asks for no more and forbids that move. No position is tried, so what is found holds on
all boards. Families are compared drawing by drawing; one with more than `MOST` is left
out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from heuristic.rules.drawing import (
    CellState,
    Drawing,
    Kind,
    Placement,
    RuleSpec,
)

MOST = 60  # drawings of a rule that is compared
Spot: TypeAlias = tuple[int, int]  # rows down, cols right of the live end


@dataclass(frozen=True, slots=True)
class LaidArea:
    """An area of a drawing that is laid on the board; a line's sides by their cells."""

    line: tuple[Spot, ...]
    inside: frozenset[Spot]
    outside: frozenset[Spot]
    kind: Kind
    low: int
    high: int
    least: int
    entry: Spot


@dataclass(frozen=True, slots=True)
class Laid:
    """A drawing laid on the board in one placement."""

    heading: int
    needs: dict[Spot, tuple[int, bool]]
    areas: tuple[LaidArea, ...]
    runs: frozenset[tuple[Spot, Spot]]
    facts: frozenset[tuple[str, frozenset[Spot]]]
    moves: frozenset[Spot]


@dataclass(frozen=True, slots=True)
class Kin:
    """The rules that forbid the same as a rule, at least it, at most it."""

    same: tuple[str, ...]
    implied_by: tuple[str, ...]
    implies: tuple[str, ...]


def _lay(drawing: Drawing, placement: Placement) -> Laid:
    on = placement.on_board
    areas = tuple(
        LaidArea(
            (on(area.base), *map(on, area.cells), on(area.wall)),
            frozenset(map(on, area.inside)),
            frozenset(map(on, area.outside)),
            area.kind,
            area.low,
            area.high,
            area.least,
            on(area.entry),
        )
        for area in drawing.areas
    )
    return Laid(
        placement.heading,
        {on(n.at): (int(n.states), n.not_end) for n in drawing.needs},
        areas,
        frozenset((on(run.first), on(run.then)) for run in drawing.runs),
        frozenset((word, frozenset(map(on, pair))) for word, *pair in drawing.asked),
        frozenset(map(on, drawing.forbidden)),
    )


@lru_cache(maxsize=512)
def _laid(drawing: Drawing) -> tuple[Laid, ...]:
    return tuple(_lay(drawing, placement) for placement in drawing.placements())


def _asks_no_more(weak: Laid, strong: Laid, move: Spot) -> bool:
    """Tell whether one matches and forbids a move wherever the other does."""
    if weak.heading != strong.heading or move not in weak.moves:
        return False
    for at, (states, not_end) in weak.needs.items():
        known, kept = strong.needs.get(at, (7, False))
        if at == move:
            known &= int(CellState.FREE)  # a move is forbidden only where it is free
        if known & ~states or (not_end and not kept):
            return False
    # what more the cells of the stronger one force is not thought of
    if not (weak.runs <= strong.runs and weak.facts <= strong.facts):
        return False
    return all(
        any(_area_follows(one, other) for other in strong.areas) for one in weak.areas
    )


def _area_follows(weak: LaidArea, strong: LaidArea) -> bool:
    """Tell whether an area is there, and its condition holds, if another's does."""
    mine = weak.line, weak.inside, weak.outside
    if mine != (strong.line, strong.inside, strong.outside):
        return False
    if weak.least > strong.least:
        return False
    if weak.kind is Kind.CLOSED:
        return True
    if weak.kind is Kind.IMPAIR and strong.kind is Kind.DETERMINED:
        return True
    if weak.kind is not strong.kind:
        return False
    if weak.kind is Kind.WITHIN:
        return weak.low <= strong.low and strong.high <= weak.high
    if weak.kind is Kind.BEYOND:
        return weak.low >= strong.low and weak.high <= strong.high
    return weak.kind is not Kind.DETERMINED or weak.entry == strong.entry


def implies(rule: RuleSpec, other: RuleSpec) -> bool:
    """Tell whether a rule forbids wherever another does, as their drawings show.

    `stops` and `unless` are left out: each rule is asked alone.

    >>> from heuristic.groups import load_rules
    >>> shape = load_rules("c-shape").rules[0].spec
    >>> implies(shape, shape)
    True
    """
    if rule.reads_lines or other.reads_lines:
        return False
    if max(len(rule.drawings), len(other.drawings)) > MOST:
        return False
    mine = [laid for drawing in rule.drawings for laid in _laid(drawing)]
    return all(
        any(_asks_no_more(one, laid, move) for one in mine)
        for drawing in other.drawings
        for laid in _laid(drawing)
        for move in laid.moves
    )


def kin_of(rule: RuleSpec, book: Sequence[RuleSpec]) -> Kin:
    """Return which rules of a book forbid the same as a rule, more, or less."""
    up = [one.name for one in book if implies(one, rule)]
    down = [one.name for one in book if implies(rule, one)]
    same = tuple(name for name in up if name in down)
    return Kin(
        same,
        tuple(name for name in up if name not in same),
        tuple(name for name in down if name not in same),
    )
