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
    LIMIT,
    AreaSpec,
    CellState,
    Drawing,
    Frame,
    Kind,
    LineEnd,
    RuleSpec,
    Spot,
)
from solver.symmetry import Symmetry

MOST = 60  # drawings of a rule that is compared


@dataclass(frozen=True, slots=True)
class Laid:
    """A drawing laid on the board in one placement.

    - `needs`: cells with their states, and whether they are not the end.
    - `marks`: ends of future lines: cell, end, whether all are of one line.
    """

    frame: Frame
    heading: int
    needs: frozenset[tuple[Spot, int, bool]]
    areas: frozenset[AreaSpec]
    runs: frozenset[tuple[Spot, Spot]]
    marks: frozenset[tuple[Spot, LineEnd, bool]]
    facts: frozenset[tuple[str, frozenset[Spot]]]
    moves: frozenset[Spot]


def _turned(area: AreaSpec, turn: Symmetry) -> AreaSpec:
    sides = ["left", "right"]
    entry = area.entry if area.kind is Kind.DETERMINED else area.cells[0]
    bounds = (area.low, area.high) if area.kind.bounded else (-LIMIT, LIMIT)
    return replace(
        area,
        low=bounds[0],
        high=bounds[1],
        cells=tuple(map(turn.turn, area.cells)),
        side=sides[sides.index(area.side) ^ turn.mirrors],
        base=turn.turn(area.base),
        wall=turn.turn(area.wall),
        entry=turn.turn(entry),
    )


@lru_cache(maxsize=512)
def laid(drawing: Drawing) -> tuple[Laid, ...]:
    """Return a drawing laid on the board, in all of its placements."""
    forms = []
    for heading, turn in drawing.placements():
        on = turn.turn
        form = Laid(
            drawing.frame,
            heading,
            frozenset((on(n.at), int(n.states), n.not_end) for n in drawing.needs),
            frozenset(_turned(area, turn) for area in drawing.areas),
            frozenset((on(run.first), on(run.then)) for run in drawing.runs),
            frozenset((on(mark.at), mark.end, mark.same) for mark in drawing.marks),
            frozenset(
                (word, frozenset({on(a), on(b)})) for word, a, b in drawing.asked
            ),
            frozenset(map(on, drawing.forbidden)),
        )
        forms.append(form)
    return tuple(forms)


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


def implies(rule: RuleSpec, other: RuleSpec) -> bool:
    """Whether a rule forbids wherever another does, as their drawings show.

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
    mine = [form for drawing in rule.drawings for form in laid(drawing)]
    return all(
        any(_asks_no_more(weak, strong, move) for weak in mine)
        for drawing in other.drawings
        for strong in laid(drawing)
        for move in strong.moves
    )


def _asks_no_more(weak: Laid, strong: Laid, move: Spot) -> bool:
    """Whether one matches and forbids a move wherever the other does."""
    if weak.heading != strong.heading or move not in weak.moves:
        return False
    asks = {at: (states, not_end) for at, states, not_end in strong.needs}
    for at, states, not_end in weak.needs:
        possible, never_end = asks.get(at, (7, False))
        if at == move:
            possible &= int(CellState.FREE)  # a move is forbidden only where it is free
        if possible & ~states or (not_end and not never_end):
            return False
    # what more the cells of the stronger one force is not thought of
    if not (weak.runs <= strong.runs and weak.facts <= strong.facts):
        return False
    shut = {_uncounted(area) for area in strong.areas}
    # a step is followed with the areas of the drawing: more of them force more
    follows = any(FACTS[word].step for word, _ in weak.facts)
    if follows and not shut <= {_uncounted(area) for area in weak.areas}:
        return False
    return weak.areas <= strong.areas | shut


def _uncounted(area: AreaSpec) -> AreaSpec:
    """Return an area of any size whose condition always holds."""
    first, size = area.cells[0], len(area.cells)
    return replace(
        area, kind=Kind.CLOSED, low=-LIMIT, high=LIMIT, least=size, entry=first
    )


def kin_of(
    rule: RuleSpec, book: Sequence[RuleSpec]
) -> tuple[list[str], list[str], list[str]]:
    """Return which rules of a book forbid the same as a rule, more, and less."""
    more = [other.name for other in book if implies(other, rule)]
    fewer = [other.name for other in book if implies(rule, other)]
    same = [name for name in more if name in fewer]
    more, fewer = ([x for x in names if x not in same] for names in (more, fewer))
    return same, more, fewer
