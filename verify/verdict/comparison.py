"""Rules compared by their drawings: which rule forbids at least what another forbids.

A rule implies another if it forbids a move wherever the other forbids it. The test here
is sufficient, not necessary: for each drawing of the other rule, in each pose and for
each move, one drawing of the first asks for no more and forbids that move. No position
is tried, so the result holds on all boards.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from heuristic.rules.drawing import (
    FACTS,
    LIMIT,
    AreaSpec,
    CellState,
    Drawing,
    Kind,
    RuleSpec,
    Spot,
)
from solver.board import Symmetry

_MOST = 60  # drawings of a rule that is compared; larger families are skipped


class Form(NamedTuple):
    """A drawing laid on the board in one placement, independent of its wording."""

    heading: int
    needs: frozenset[tuple[Spot, int, bool]]
    areas: frozenset[AreaSpec]
    runs: frozenset[tuple[Spot, Spot]]
    marks: frozenset[Hashable]
    facts: frozenset[tuple[str, frozenset[Spot]]]
    moves: frozenset[Spot]


@lru_cache(maxsize=512)
def _placed(drawing: Drawing) -> tuple[Form, ...]:
    return tuple(
        Form(
            heading,
            frozenset((on(x.at), int(x.states), x.not_end) for x in drawing.needs),
            frozenset(_turned(area, turn) for area in drawing.areas),
            frozenset((on(run.first), on(run.then)) for run in drawing.runs),
            frozenset((on(mark.at), mark.end, mark.same) for mark in drawing.marks),
            frozenset((x, frozenset((on(a), on(b)))) for x, a, b in facts),
            frozenset(map(on, drawing.forbidden)),
        )
        for heading, turn in drawing.placements()
        for on, facts in [(turn.turn, drawing.tested_facts)]
    )


def _turned(area: AreaSpec, turn: Symmetry) -> AreaSpec:
    """Return an area on the board, without the numbers that its kind does not read."""
    if not area.kind.bounded:
        area = replace(area, low=-LIMIT, high=LIMIT)
    if area.kind is not Kind.DETERMINED:
        area = replace(area, entry=area.cells[0])
    return area.turned(turn)


def implies(rule: RuleSpec, other: RuleSpec) -> bool:
    """Return whether the drawings show that a rule forbids wherever another does.

    Both are taken alone. False for rules that read future lines.
    """
    if rule.reads_lines or other.reads_lines:
        return False
    if max(len(rule.drawings), len(other.drawings)) > _MOST:
        return False
    mine = [form for drawing in rule.drawings for form in _placed(drawing)]
    return all(
        any(_asks_no_more(weak, strong, move) for weak in mine)
        for drawing in other.drawings
        for strong in _placed(drawing)
        for move in strong.moves
    )


def _asks_no_more(weak: Form, strong: Form, move: Spot) -> bool:
    if weak.heading != strong.heading or move not in weak.moves:
        return False
    asks = {at: (states, not_end) for at, states, not_end in strong.needs}
    for at, states, not_end in weak.needs:
        possible, never_end = asks.get(at, (7, False))
        if at == move:
            possible &= int(CellState.FREE)  # a move is forbidden only where it is free
        if possible & ~states or (not_end and not never_end):
            return False
    if not (weak.runs <= strong.runs and weak.facts <= strong.facts):
        return False
    shut = {_uncounted(area) for area in strong.areas}
    # more areas in the drawing make a step dead more often
    follows = any(FACTS[word].step for word, _ in weak.facts)
    if follows and not shut <= {_uncounted(area) for area in weak.areas}:
        return False
    return weak.areas <= strong.areas | shut


def _uncounted(area: AreaSpec) -> AreaSpec:
    """Return the same area of any size, with a condition that always holds."""
    first, size = area.cells[0], len(area.cells)
    return replace(
        area, kind=Kind.CLOSED, low=-LIMIT, high=LIMIT, least=size, entry=first
    )


def kin_of(
    rule: RuleSpec, book: Sequence[RuleSpec]
) -> tuple[list[str], list[str], list[str]]:
    """Return the rules of a book that forbid the same as a rule, more, and less."""
    more = [other.name for other in book if implies(other, rule)]
    fewer = [other.name for other in book if implies(rule, other)]
    same = [name for name in more if name in fewer]
    more, fewer = ([x for x in names if x not in same] for names in (more, fewer))
    return same, more, fewer
