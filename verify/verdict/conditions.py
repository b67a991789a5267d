"""Sharpen a rule: the weakest conditions that make it provable, and those it can spare.

For a rule that is not proved, one more condition is tried at a time: a cell known free,
visited or outside, not the end; an area's number of cells even or odd, or its size. The
weakest come first: among those that suffice, a condition that another one implies is
left out. For a proved rule each condition is dropped in turn; what is still proved, for
as many boards, did not need it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from heuristic.rule import Boards
from heuristic.rules.drawing import (
    ANY,
    FACTS,
    LIVE_END,
    CellNeed,
    CellState,
    Drawing,
    Frame,
    Kind,
    RuleSpec,
    Spot,
    box_around,
    left_ahead,
    written,
)
from heuristic.rules.letters import fact_lines, page_text
from solver.symmetry import Symmetry
from verify.proof.decision import NoModel
from verify.proof.prove import Proved, scope_of, search_window
from verify.proof.window import from_drawing
from verify.verdict.verdict import Judgement

_STATES = (
    (CellState.FREE | CellState.VISITED, "on the board"),
    (CellState.VISITED | CellState.OUTSIDE, "not free"),
    (CellState.FREE, "free"),
    (CellState.VISITED, "visited"),
    (CellState.OUTSIDE, "outside"),
)
_SECONDS = 2.0  # of processor time for one condition


@dataclass(frozen=True, slots=True)
class Change:
    """A drawing with one condition more or less, and the change in words."""

    drawing: Drawing
    text: str


def _is_proved(
    drawing: Drawing, pose: Symmetry, move: Spot, seconds: float, within: Boards
) -> bool:
    """Whether one part of a drawing has a proof, for all boards of a kind.

    A drawing in the board frame is proved in one pose with the start in one corner.
    For starts in all four corners a proof must not use the corner.
    """
    anywhere = within is not Boards.UPPER_LEFT and drawing.frame is Frame.BOARD
    window = from_drawing(drawing, None if anywhere else pose, move)
    if window is None:
        return True
    decision = search_window(window, seconds=seconds, within=scope_of(within))
    return isinstance(decision, NoModel)


def missing(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    *,
    seconds: float = _SECONDS,
    most: int = 6,
    within: Boards = Boards.UPPER_LEFT,
) -> list[Change]:
    """Return single conditions that make one part provable, the weakest ones.

    The proof is for all boards of a kind, `within`. A condition on a cell is left out
    when a weaker one on that cell suffices. No change contradicts the drawing.
    """
    changes: list[Change] = []
    enough: dict[Spot, CellState] = {}
    for change, need in _additions(drawing):
        if need and need.at in enough and need.states in enough[need.at]:
            continue
        if _is_proved(change.drawing, pose, move, seconds, within):
            changes.append(change)
            if need and not need.not_end:
                enough[need.at] = need.states
        if len(changes) == most:
            break
    return changes


def spared(
    rule: RuleSpec, *, seconds: float = _SECONDS, within: Boards = Boards.UPPER_LEFT
) -> list[tuple[int, Change]]:
    """Return the conditions, one at a time, that a proved rule does not need.

    With each goes the number of its drawing. Without one of them the rule is still
    proved for all boards of a kind, `within`.
    """
    return [
        (number, change)
        for number, drawing in enumerate(rule.drawings)
        for change in removals(drawing)
        if all(
            _is_proved(change.drawing, pose, move, seconds, within)
            for pose, move in product(drawing.turns, drawing.forbidden)
        )
    ]


def advice(verdict: Judgement, *, seconds: float = _SECONDS) -> list[str]:
    """Return lines for a person: what the rule lacks, or what it could spare."""
    rule, lines = verdict.rule, list[str]()
    limit = min(seconds, _SECONDS)
    if isinstance(verdict, Proved):
        for number, change in spared(rule, seconds=limit, within=verdict.admitted):
            lines.append(f"drawing {number + 1} does not need all: {change.text}")
        return lines or ["every condition is needed for the proof"]
    for part in verdict.open_parts:
        drawing = rule.drawings[part.drawing]
        changes = missing(
            drawing, part.pose, part.move, seconds=limit, within=rule.boards
        )
        lines.append(f"{part}:")
        for change in changes:
            lines.append(f"  proved if {change.text}")
            rows = page_text(change.drawing).splitlines()
            lines += [f"    {row}" for row in (*rows, *fact_lines(change.drawing))]
        if not changes:
            lines.append("  no single condition tried makes it provable")
    return lines


def _additions(drawing: Drawing) -> Iterator[tuple[Change, CellNeed | None]]:
    """Yield the drawing with one more condition, with the need of a cell if it is one.

    Weaker conditions come first.
    """
    for number, area in enumerate(drawing.areas):
        where, more = f"area {number + 1}", len(area.cells) + 1
        if area.kind is Kind.CLOSED:
            for kind, word in ((Kind.EVEN, "even"), (Kind.ODD, "odd")):
                text = f"{where} has an {word} number of cells"
                yield Change(_with_area(drawing, number, kind=kind), text), None
        if area.least < more:
            text = f"{where} has at least {more} cells"
            yield Change(_with_area(drawing, number, least=more), text), None
    needs = [drawing.need(at) for at in sorted(_around(drawing), key=_near)]
    for need in needs:
        free = need.states == CellState.FREE and not need.not_end
        if free and need.at not in drawing.forbidden:
            last = replace(need, not_end=True)
            text = f"{written(need.at)} is not the end cell"
            yield Change(with_need(drawing, last), text), last
    for (states, word), need in product(_STATES, needs):
        # That a cell is outside where it may be free moves a rule to the rim. A cell of
        # a forbidden move that is not free takes the ban away.
        rim = states == CellState.OUTSIDE and CellState.FREE in need.states
        idle = need.at in drawing.forbidden and CellState.FREE not in states
        if states in need.states and states != need.states and not rim | idle:
            fewer = replace(need, states=states)
            text = f"{written(need.at)} is {word}"
            yield Change(with_need(drawing, fewer), text), fewer


def removals(drawing: Drawing) -> Iterator[Change]:
    """Yield the drawing with one condition less; what others are drawn by stays."""
    fixed = drawn_by(drawing)
    for need in drawing.needs:
        if need.not_end:
            text = f"{written(need.at)} may be the end cell"
            yield Change(with_need(drawing, replace(need, not_end=False)), text)
        if need.at not in fixed and need.states != ANY:
            text = f"{written(need.at)} may be anything"
            yield Change(with_need(drawing, replace(need, states=ANY)), text)
    for number, area in enumerate(drawing.areas):
        if area.kind is not Kind.CLOSED:
            text = f"area {number + 1} need not be counted"
            yield Change(_with_area(drawing, number, kind=Kind.CLOSED), text)
        if area.least > len(area.cells):
            text = f"area {number + 1} may have no further cell"
            yield Change(_with_area(drawing, number, least=len(area.cells)), text)
    for run in drawing.runs:
        runs = tuple(other for other in drawing.runs if other != run)
        text = f"{written(run.first)} need not come before {written(run.then)}"
        yield Change(replace(drawing, runs=runs), text)
    yield from looser(drawing)


def looser(drawing: Drawing) -> Iterator[Change]:
    """Yield the drawing with one fact less; lines leave their ends by an edge each."""
    ends = {at for pair in drawing.pairs("mates") for at in pair}
    for fact in drawing.asked:
        word, *pair = fact
        if word != "joined" or ends.isdisjoint(pair):
            left = tuple(other for other in drawing.facts if other != fact)
            text = FACTS[word].dropped.format(*map(written, pair))
            yield Change(replace(drawing, facts=left), text)


def with_need(drawing: Drawing, need: CellNeed) -> Drawing:
    """Return the drawing with another need of one cell."""
    needs = [other for other in drawing.needs if other.at != need.at]
    if need.states != ANY or need.not_end:
        needs = sorted([*needs, need], key=lambda other: left_ahead(other.at))
    return replace(drawing, needs=tuple(needs))


def _with_area(drawing: Drawing, number: int, **more: Any) -> Drawing:
    areas = list(drawing.areas)
    areas[number] = replace(areas[number], **more)
    return replace(drawing, areas=tuple(areas))


def drawn_by(drawing: Drawing) -> set[Spot]:
    """Return the cells that areas, runs and facts are drawn by: their needs stay."""
    cells = {at for area in drawing.areas for at in (*area.cells, area.base, area.wall)}
    cells |= {at for run in drawing.runs for at in (run.first, run.then)}
    return cells | {at for _, *pair in drawing.asked for at in pair}


def _near(at: Spot) -> tuple[int, Spot]:
    return abs(at[0]) + abs(at[1]), left_ahead(at)


def _around(drawing: Drawing) -> set[Spot]:
    """Return the cells of the page: everything drawn, and what touches that."""
    drawn = {LIVE_END, *(need.at for need in drawing.needs), *drawing.forbidden}
    drawn |= {at for area in drawing.areas for at in (*area.inside, *area.outside)}
    top, left, bottom, right = box_around(drawn)
    page = product(range(top, bottom + 1), range(left, right + 1))
    return {*page} - {at for area in drawing.areas for at in area.cells} - {LIVE_END}
