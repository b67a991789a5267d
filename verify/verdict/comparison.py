"""Rules compared by what their drawings ask.

A drawing asks the same in other words when it is turned, mirrored or written in another
order. Its *forms* do not depend on that: one for each placement and forbidden move.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from heuristic.rules.drawing import LIMIT, AreaSpec, Drawing, Frame, Kind, RuleSpec
from solver.symmetry import Symmetry


@lru_cache(maxsize=512)
def forms(rule: RuleSpec) -> frozenset[Hashable]:
    """Return everything that a rule asks, in a form that only equality is meant for.

    A rule whose forms are all among those of another forbids nothing that the other
    does not. Placements that differ by the walk's heading alone give the same form.
    """
    return frozenset(form for drawing in rule.drawings for form in _forms(drawing))


def _forms(drawing: Drawing) -> Iterator[Hashable]:
    on_board = drawing.frame is Frame.BOARD
    for heading, turn in drawing.placements():
        if heading and not on_board:
            continue
        on = turn.turn
        conditions = (
            drawing.frame,
            heading,
            frozenset((on(x.at), int(x.states), x.not_end) for x in drawing.needs),
            frozenset(_turned(area, turn) for area in drawing.areas),
            frozenset((on(run.first), on(run.then)) for run in drawing.runs),
            frozenset((on(mark.at), mark.end, mark.same) for mark in drawing.marks),
            frozenset(
                (x, frozenset((on(a), on(b)))) for x, a, b in drawing.tested_facts
            ),
        )
        for move in map(on, drawing.forbidden):
            if on_board or move != (1, 0):
                yield conditions, move


def _turned(area: AreaSpec, turn: Symmetry) -> AreaSpec:
    """Return an area on the board; numbers that its kind does not read are left out."""
    sides = ["left", "right"]
    entry = area.entry if area.kind is Kind.DETERMINED else area.cells[0]
    return replace(
        area,
        low=area.low if area.kind.bounded else -LIMIT,
        high=area.high if area.kind.bounded else LIMIT,
        cells=tuple(map(turn.turn, area.cells)),
        side=sides[sides.index(area.side) ^ turn.mirrors],
        base=turn.turn(area.base),
        wall=turn.turn(area.wall),
        entry=turn.turn(entry),
    )


def kin_of(
    rule: RuleSpec, book: Sequence[RuleSpec]
) -> tuple[list[str], list[str], list[str]]:
    """Return the names of the rules of a book with the same drawings, more, and fewer.

    Rules that imply each other by different drawings are not recognised.
    """
    same, more, fewer = list[str](), list[str](), list[str]()
    own = forms(rule)
    for other in book:
        theirs = forms(other)
        if own == theirs:
            same.append(other.name)
        elif own < theirs:
            more.append(other.name)
        elif theirs < own:
            fewer.append(other.name)
    return same, more, fewer
