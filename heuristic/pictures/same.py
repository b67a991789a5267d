"""Whether two drawings say the same, up to turning and mirroring the page.

A drawing is compared by what it asks in one placement, turned so that the walk comes
from below: needs, areas, runs, marks, facts and the forbidden move, one move at a time.
Two rules are the same when they ask the same things for the same moves in all
placements.
"""

from typing import TypeAlias

from heuristic.rules.drawing import Drawing, Frame, Offset, RuleSpec

Form: TypeAlias = tuple[object, ...]


def forms(rule: RuleSpec) -> frozenset[Form]:
    """Return all that a rule asks: a form a drawing, placement and forbidden move.

    Placements that differ by the walk's heading alone give one form.
    """
    return frozenset(form for drawing in rule.drawings for form in _forms_of(drawing))


def _forms_of(drawing: Drawing) -> list[Form]:
    placements = drawing.placements()
    if drawing.frame is not Frame.BOARD:
        placements = tuple(p for p in placements if p.heading == 0)
    found: list[Form] = []
    for placement in placements:
        land = placement.on_board
        mirrored = _mirrored(land((1, 0)), land((0, 1)))
        needs = frozenset((land(n.at), n.states, n.not_end) for n in drawing.needs)
        areas = frozenset(
            (
                tuple(land(at) for at in area.cells),
                (area.side == "left") != mirrored,
                land(area.base),
                land(area.wall),
                area.kind,
                area.low,
                area.high,
                land(area.entry) if area.kind.value == "impair-determined" else None,
                area.least,
            )
            for area in drawing.areas
        )
        runs = frozenset((land(run.first), land(run.then)) for run in drawing.runs)
        marks = frozenset((land(m.at), m.end, m.same) for m in drawing.marks)
        facts = frozenset((x, frozenset(map(land, pair))) for x, *pair in drawing.asked)
        board = (drawing.frame, placement.heading)
        found += [
            (board, needs, areas, runs, marks, facts, land(at))
            for at in drawing.forbidden
            if land(at) != (1, 0) or drawing.frame is Frame.BOARD
        ]
    return found


def _mirrored(left: Offset, ahead: Offset) -> bool:
    """Whether left and right of the page are exchanged on the board."""
    return left[0] * ahead[1] - left[1] * ahead[0] > 0


def compare(mine: RuleSpec, other: RuleSpec) -> str:
    """Say how two rules stand to each other: see `compare_forms`."""
    return compare_forms(forms(mine), forms(other))


def compare_forms(mine: frozenset[Form], other: frozenset[Form]) -> str:
    """Say how what two rules ask stands to each other, empty if they share nothing.

    `equal`; `part` where all that the first asks for is among the second's; `holds`
    where it is the other way round; `overlap`.
    """
    if not mine & other:
        return ""
    if mine == other:
        return "equal"
    return "part" if mine < other else "holds" if other < mine else "overlap"


def borders(rule: RuleSpec) -> frozenset[Form]:
    """Return the lines of all areas that begin at the live end, as placed cells.

    Each stands with its side and its wall; kind and bounds are left out.
    """
    found: set[Form] = set()
    for drawing in rule.drawings:
        if drawing.frame is Frame.BOARD:
            continue
        for placement in drawing.placements():
            if placement.heading:
                continue
            mirrored = _mirrored(placement.on_board((1, 0)), placement.on_board((0, 1)))
            found |= {
                (
                    tuple(placement.on_board(at) for at in area.cells),
                    (area.side == "left") != mirrored,
                    placement.on_board(area.wall),
                )
                for area in drawing.areas
                if area.base == (0, 0)
            }
    return frozenset(found)
