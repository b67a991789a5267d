"""Mutants of a rule: its drawings with one thing changed.

A cell's state, an area's condition, bound or side, a move, an order test, what is
forced, a turn.
`verify.mutation.mutation` puts them through prover and refuter.
"""

from collections.abc import Iterator
from dataclasses import replace

from heuristic.rules.drawing import (
    ANY,
    TAKEN,
    AreaSpec,
    CellState,
    Drawing,
    Frame,
    Kind,
    Offset,
    RuleSpec,
    Run,
    Turn,
)
from verify.verdict.sharpen import looser, with_area, with_need

_MOVES: tuple[Offset, ...] = ((0, 1), (1, 0), (-1, 0), (0, -1))
_STATES = (CellState.FREE, CellState.VISITED, TAKEN, ANY)
_KINDS = (Kind.PAIR, Kind.IMPAIR, Kind.CLOSED)


def mutants(rule: RuleSpec) -> Iterator[tuple[str, RuleSpec]]:
    """Yield every one-change mutant of a rule, with the change in words.

    A mutant is the changed drawing alone: it is wrong exactly when the rule with this
    drawing in place of its own is, the others being proved. Its name is that of the
    rule with a number behind a tilde.
    """
    number = 0
    for index, drawing in enumerate(rule.drawings):
        for change, mutant in _changes(drawing):
            if _sensible(mutant):
                number += 1
                yield (
                    f"drawing {index + 1}: {change}",
                    replace(
                        rule,
                        name=f"{rule.name}~{number}",
                        drawings=(mutant,),
                        unless=(),
                        stops=False,
                    ),
                )


def _changes(drawing: Drawing) -> Iterator[tuple[str, Drawing]]:
    fixed = {at for area in drawing.areas for at in (*area.cells, area.wall, area.base)}
    fixed |= {at for run in drawing.runs for at in (run.first, run.then)}
    fixed |= {at for pair in drawing.joined for at in pair}
    for need in drawing.needs:
        if need.not_end:
            changed = replace(need, not_end=False)
            yield f"{list(need.at)} may be the end", with_need(drawing, changed)
        for states in _STATES:
            if need.at not in fixed and states != need.states:
                told = f"{list(need.at)} is {_name(states)}"
                fewer = need.not_end and CellState.FREE in states
                changed = replace(need, states=states, not_end=fewer)
                yield told, with_need(drawing, changed)
    for number, area in enumerate(drawing.areas):
        for told, changed_area in _area_changes(area):
            yield f"area {number + 1}: {told}", with_area(drawing, number, changed_area)
    for number, run in enumerate(drawing.runs):
        runs = list(drawing.runs)
        runs[number] = Run(run.then, run.first)
        yield f"run {number + 1} turned round", replace(drawing, runs=tuple(runs))
    for change in looser(drawing):
        yield change.told, change.drawing
    for move in _MOVES:
        if move not in drawing.forbidden and move != (0, -1):
            told = f"forbids {list(move)} too"
            yield told, replace(drawing, forbidden=(*drawing.forbidden, move))
    if drawing.frame is Frame.HEADING:
        for turn in Turn:
            if turn not in drawing.turns:
                turns = (*drawing.turns, turn)
                yield f"turned {turn.name.lower()} too", replace(drawing, turns=turns)


def _area_changes(area: AreaSpec) -> Iterator[tuple[str, AreaSpec]]:
    for kind in _KINDS:
        if kind is not area.kind:
            yield kind.value, replace(area, kind=kind)
    if area.kind in (Kind.WITHIN, Kind.BEYOND):
        for step in (-1, 1):
            if area.kind is Kind.BEYOND or area.low + step <= area.high:
                yield f"low {area.low + step}", replace(area, low=area.low + step)
            if area.kind is Kind.BEYOND or area.low <= area.high + step:
                yield f"high {area.high + step}", replace(area, high=area.high + step)
    other = "right" if area.side == "left" else "left"
    yield f"on the {other}", replace(area, side=other)
    if area.least > len(area.cells):
        yield "of any size", replace(area, least=len(area.cells))


def _name(states: CellState) -> str:
    known = {CellState.FREE: "free", CellState.VISITED: "visited", ANY: "anything"}
    return known.get(states, "not free")


def _sensible(drawing: Drawing) -> bool:
    """Tell whether the drawing could stand in a rule file."""
    return not any(set(area.inside) & set(area.outside) for area in drawing.areas)
