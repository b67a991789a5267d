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

from heuristic.boards import Boards
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
from verify.proof.prove import Proved, parts_of_drawing, scope_of, search_window
from verify.proof.settle import NoModel
from verify.proof.view import from_drawing
from verify.verdict.verdict import Judgement

_TRIALS = (
    (CellState.FREE | CellState.VISITED, "on the board"),
    (CellState.VISITED | CellState.OUTSIDE, "not free"),
    (CellState.FREE, "free"),
    (CellState.VISITED, "visited"),
    (CellState.OUTSIDE, "outside"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """A drawing with one condition more or less, and the change in words."""

    drawing: Drawing
    text: str


def is_proved(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    *,
    seconds: float = 2.0,
    within: Boards = Boards.UPPER_LEFT,
) -> bool:
    """Tell whether one part of a drawing has a proof, for all boards of a kind.

    A drawing in the board frame is proved in one pose with the start in one corner.
    For starts in all four corners a proof must not use the corner.
    """
    anywhere = within is not Boards.UPPER_LEFT and drawing.frame is Frame.BOARD
    window = from_drawing(drawing, None if anywhere else pose, move)
    if window is None:
        return True
    found = search_window(window, seconds=seconds, within=scope_of(within))
    return isinstance(found, NoModel)


def _holds(drawing: Drawing, number: int, seconds: float, within: Boards) -> bool:
    """Tell whether all parts of a drawing have a proof, for all boards of a kind."""
    return all(
        is_proved(drawing, part.pose, part.move, seconds=seconds, within=within)
        for part in parts_of_drawing(drawing, number)
    )


def with_need(drawing: Drawing, need: CellNeed) -> Drawing:
    """Return the drawing with another need of one cell."""
    others = tuple(one for one in drawing.needs if one.at != need.at)
    if need.states == ANY and not need.not_end:
        return replace(drawing, needs=others)
    return replace(
        drawing, needs=tuple(sorted((*others, need), key=lambda n: left_ahead(n.at)))
    )


def with_area(drawing: Drawing, number: int, **more: Any) -> Drawing:
    """Return the drawing with one of its areas changed in some values."""
    areas = list(drawing.areas)
    areas[number] = replace(areas[number], **more)
    return replace(drawing, areas=tuple(areas))


def additions(drawing: Drawing) -> Iterator[Change]:
    """Yield the drawing with one more condition, weaker conditions first."""
    cells = sorted(_around(drawing), key=_near)
    for number, area in enumerate(drawing.areas):
        where = f"area {number + 1}"
        if area.kind is Kind.CLOSED:
            for kind, word in ((Kind.PAIR, "even"), (Kind.IMPAIR, "odd")):
                text = f"{where} has an {word} number of cells"
                yield Change(with_area(drawing, number, kind=kind), text)
        more = len(area.cells) + 1
        if area.least < more:
            text = f"{where} has at least {more} cells"
            yield Change(with_area(drawing, number, least=more), text)
    for at in cells:
        need = drawing.need(at)
        free = need.states == CellState.FREE and not need.not_end
        if free and at not in drawing.forbidden:
            text = f"{written(at)} is not the end cell"
            yield Change(with_need(drawing, replace(need, not_end=True)), text)
    for states, word in _TRIALS:
        for at in cells:
            need = drawing.need(at)
            fewer = need.states & states
            if states == CellState.OUTSIDE and CellState.FREE in need.states:
                continue  # hardly ever what is meant: it moves the rule to the rim
            if at in drawing.forbidden and CellState.FREE not in states:
                continue  # would take the ban away, not sharpen it
            if fewer and fewer != need.states and fewer == states:
                changed = with_need(drawing, replace(need, states=fewer))
                yield Change(changed, f"{written(at)} is {word}")


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
            yield Change(with_area(drawing, number, kind=Kind.CLOSED), text)
        if area.least > len(area.cells):
            text = f"area {number + 1} may have no further cell"
            yield Change(with_area(drawing, number, least=len(area.cells)), text)
    for number, run in enumerate(drawing.runs):
        runs = drawing.runs[:number] + drawing.runs[number + 1 :]
        text = f"{written(run.first)} need not come before {written(run.then)}"
        yield Change(replace(drawing, runs=runs), text)
    yield from looser(drawing)


def looser(drawing: Drawing) -> Iterator[Change]:
    """Yield the drawing with one fact less; lines leave their ends by an edge each."""
    ends = {at for pair in drawing.pairs("mates") for at in pair}
    for fact in drawing.asked:
        word, *pair = fact
        if word != "joined" or ends.isdisjoint(pair):
            left = tuple(one for one in drawing.facts if one != fact)
            text = FACTS[word].dropped.format(*map(written, pair))
            yield Change(replace(drawing, facts=left), text)


def drawn_by(drawing: Drawing) -> set[Spot]:
    """Return the cells that areas, runs and facts are drawn by: their needs stay."""
    found = {at for area in drawing.areas for at in (*area.cells, area.base, area.wall)}
    found |= {at for run in drawing.runs for at in (run.first, run.then)}
    return found | {at for _, *pair in drawing.asked for at in pair}


def _near(at: Spot) -> tuple[int, Spot]:
    return abs(at[0]) + abs(at[1]), left_ahead(at)


def _around(drawing: Drawing) -> set[Spot]:
    """Return the cells of the page: everything drawn, and what touches that."""
    known = {LIVE_END, *(need.at for need in drawing.needs), *drawing.forbidden}
    known |= {at for area in drawing.areas for at in (*area.inside, *area.outside)}
    top, left, bottom, right = box_around(known)
    page = product(range(top, bottom + 1), range(left, right + 1))
    return {*page} - {at for area in drawing.areas for at in area.cells} - {LIVE_END}


def missing(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    *,
    seconds: float = 2.0,
    most: int = 6,
    within: Boards = Boards.UPPER_LEFT,
) -> list[Change]:
    """Return single conditions that make one part provable, the weakest ones.

    The proof is for all boards of a kind, `within`. A condition on a cell is left out
    when a weaker one on that cell suffices. No change contradicts the drawing.
    """
    found: list[Change] = []
    enough: dict[Spot, CellState] = {}
    for change in additions(drawing):
        new = [need for need in change.drawing.needs if need not in drawing.needs]
        at = new[0].at if new else LIVE_END
        states = change.drawing.need(at).states
        if at in enough and states in enough[at]:
            continue
        if is_proved(change.drawing, pose, move, seconds=seconds, within=within):
            found.append(change)
            if states != drawing.need(at).states:
                enough[at] = states
        if len(found) == most:
            break
    return found


def spared(
    rule: RuleSpec, *, seconds: float = 2.0, within: Boards = Boards.UPPER_LEFT
) -> list[tuple[int, Change]]:
    """Return the conditions, one at a time, that a proved rule does not need.

    Without one of them it is still proved for all boards of a kind, `within`.
    """
    return [
        (number, change)
        for number, drawing in enumerate(rule.drawings)
        for change in removals(drawing)
        if _holds(change.drawing, number, seconds, within)
    ]


def advice(verdict: Judgement, *, seconds: float = 2.0) -> list[str]:
    """Return lines for a person: what the rule lacks, or what it could spare."""
    rule, lines = verdict.rule, list[str]()
    limit = min(seconds, 2.0)
    if isinstance(verdict, Proved):
        boards = verdict.admitted
        spare = spared(rule, seconds=limit, within=boards)
        more = [] if boards is Boards.UPPER_LEFT else spared(rule, seconds=limit)
        for number, change in spare:
            lines.append(f"drawing {number + 1} does not need all: {change.text}")
        for number, change in (one for one in more if one not in spare):
            for_fewer = "for fewer boards than it is proved for"
            lines.append(f"drawing {number + 1}, {for_fewer}: {change.text}")
        return lines or ["every condition is needed for the proof"]
    for part in verdict.open_parts:
        drawing = rule.drawings[part.drawing]
        changes = missing(
            drawing, part.pose, part.move, seconds=limit, within=rule.boards
        )
        lines.append(f"{part}:")
        for change in changes:
            lines.append(f"  proved if {change.text}")
            lines += _indented(change.drawing)
        if not changes:
            lines.append("  no single condition tried makes it provable")
    return lines


def _indented(drawing: Drawing) -> list[str]:
    rows = [*page_text(drawing).splitlines(), *fact_lines(drawing)]
    return ["    " + row for row in rows]
