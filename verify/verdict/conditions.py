"""Conditions that a rule lacks: the weakest single ones that make it provable.

One condition is tried at a time: a cell is free, visited or outside, or not the end
cell; an area has an even or odd number of cells, or more cells. Weaker conditions come
first. The list skips a condition that implies another one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from heuristic.rule import Boards
from heuristic.rules.drawing import (
    ANY,
    LIVE_END,
    CellNeed,
    CellState,
    Drawing,
    Frame,
    Kind,
    Spot,
    box_around,
    left_ahead,
    written,
)
from heuristic.rules.letters import fact_lines, page_text
from solver.board import Symmetry
from verify.proof.decision import NoModel
from verify.proof.prove import EarlierProofs, Proved, scope_for
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
_MOST = 6  # conditions listed for one part


@dataclass(frozen=True, slots=True)
class Change:
    """A drawing with one more condition, and the condition in words."""

    drawing: Drawing
    text: str


def missing(
    drawing: Drawing,
    pose: Symmetry,
    move: Spot,
    *,
    seconds: float = _SECONDS,
    within: Boards = Boards.UPPER_LEFT,
) -> list[Change]:
    """Return the weakest single conditions that make one part provable.

    `seconds` limit the time for one; proofs must hold for all boards `within` a kind.
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
        if len(changes) == _MOST:
            break
    return changes


def _is_proved(
    drawing: Drawing, pose: Symmetry, move: Spot, seconds: float, within: Boards
) -> bool:
    # the board frame shows where the start lies, unless it may lie in any corner
    anywhere = within is not Boards.UPPER_LEFT and drawing.frame is Frame.BOARD
    window = from_drawing(drawing, None if anywhere else pose, move)
    if window is None:
        return True
    return isinstance(EarlierProofs(scope_for(within)).search(window, seconds), NoModel)


def advice_lines(verdict: Judgement, *, seconds: float = _SECONDS) -> list[str]:
    """Return lines of text: the conditions that a rule without a proof lacks."""
    rule, lines = verdict.rule, list[str]()
    if isinstance(verdict, Proved):
        return []
    for part in verdict.open_parts:
        drawing, limit = rule.drawings[part.drawing], min(seconds, _SECONDS)
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
    """Yield the drawing with one more condition, and its need if of a cell."""
    for number, area in enumerate(drawing.areas):
        where, more = f"area {number + 1}", len(area.cells) + 1
        if area.kind is Kind.CLOSED:
            for kind, word in ((Kind.EVEN, "even"), (Kind.ODD, "odd")):
                text = f"{where} has an {word} number of cells"
                yield Change(_with_area(drawing, number, kind=kind), text), None
        if area.least < more:
            text = f"{where} has at least {more} cells"
            yield Change(_with_area(drawing, number, least=more), text), None
    needs = [drawing.need(at) for at in _page_cells(drawing)]
    for need in needs:
        free = need.states == CellState.FREE and not need.not_end
        if free and need.at not in drawing.forbidden:
            last = replace(need, not_end=True)
            text = f"{written(need.at)} is not the end cell"
            yield Change(with_need(drawing, last), text), last
    for (states, word), need in product(_STATES, needs):
        # A cell that may be free is not moved outside: that is a rule of the rim. The
        # cell of a forbidden move stays free, or nothing would be forbidden.
        rim = states == CellState.OUTSIDE and CellState.FREE in need.states
        idle = need.at in drawing.forbidden and CellState.FREE not in states
        if states in need.states and states != need.states and not rim | idle:
            fewer = replace(need, states=states)
            text = f"{written(need.at)} is {word}"
            yield Change(with_need(drawing, fewer), text), fewer


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


def _page_cells(drawing: Drawing) -> list[Spot]:
    """Return the cells of the page that are not marked, near ones first."""
    drawn = {LIVE_END, *(need.at for need in drawing.needs), *drawing.forbidden}
    drawn |= {at for area in drawing.areas for at in (*area.inside, *area.outside)}
    top, left, bottom, right = box_around(drawn)
    page = {*product(range(top, bottom + 1), range(left, right + 1))} - {LIVE_END}
    page -= {at for area in drawing.areas for at in area.cells}
    return sorted(page, key=lambda at: (abs(at[0]) + abs(at[1]), left_ahead(at)))
