"""The book against the list of its records, and its bounds against counting."""

import tomllib
from itertools import product
from pathlib import Path

import pytest

from heuristic.groups import load_rules, rule_names
from heuristic.rules.drawing import DEAD_END, FOLLOW, MOVES, AreaSpec, Kind, Spot
from tests.samples import book
from verify.evidence.evidence import GROUPS

IDS = tomllib.loads((Path(__file__).parents[1] / "data/seed_ids.toml").read_text())
KERNELS = ("seed-kernels", "seed-kernels-old", "seed-2024-full")
FUTURE = ("seed-future", "seed-7-future", "seed-9-future", "seed-future-refuted")
BOOK = {name for group in (*GROUPS, *KERNELS, *FUTURE) for name in rule_names(group)}
CROSSED = tuple(f"straight-mid-across-3-end-{last}-crossed" for last in ("area", "c"))
IN_USE = [group for group in GROUPS if group not in ("seed-superseded", *KERNELS)]


def test_every_record_is_in_the_book_or_says_why_not() -> None:
    assert len(IDS) == 138
    for name, record in IDS.items():
        assert (name in BOOK) == ("missing" not in record), name
        if "missing" not in record:
            (rule,) = load_rules(name).rules
            assert rule.claim == record.get("claim", "sound"), name
        if record["kind"] == "inference":
            assert book(name).kind == "inference"
    whole = {record["whole"] for record in IDS.values() if "whole" in record}
    assert whole <= BOOK
    # the stair as one state of the program ran it is told beside the record's own,
    # what follows from lines beside the records that find them, and two pictures beside
    # the form that the source ran
    beside = {"down-stair-program", FOLLOW, DEAD_END, *CROSSED}
    assert BOOK - set(IDS) - whole == beside


def test_groups_in_use_claim_to_be_sound() -> None:
    for group in IN_USE:
        assert {rule.claim for rule in load_rules(group).rules} == {"sound"}


# The bounds of the single-area families, recomputed without any area: along the line
# each marked cell has two links, to its neighbours in the line, into the area, or out
# of it as an end of a line through the area. White ends less black ends, halved, is the
# surplus that the line can deliver.


def deliverable(area: AreaSpec, entered: Spot | None, late: bool) -> set[int]:
    """Return every surplus that the line of an area can deliver.

    `entered` is the first cell of a walk that enters now; `late` that it enters later.
    """
    cells = area.cells
    # seen from the live end, the walk may come from nowhere but the line's outside
    inside, outside = set(area.inside), set(area.outside)

    def touching(cell: Spot, among: set[Spot]) -> int:
        return sum((cell[0] + a, cell[1] + b) in among for a, b in MOVES.values())

    def white(cell: Spot) -> int:
        return 1 if sum(cell) % 2 else -1

    # states: link to the next cell, twice the surplus, links into the area, then of the
    # piece at hand and of any piece: an end, and an end together with a link inside
    states = {(0, 0, 0, False, False, False)}
    for cell in cells:
        before, states = states, set()
        first = cell == entered and not late
        aheads = (0,) if cell == cells[-1] else (0, 1)
        for state, ends, ahead in product(before, range(first, 3), aheads):
            link, twice, inner, ended, inward, good = state
            into = 2 - ends - link - ahead
            if not 0 <= into <= touching(cell, inside):
                continue
            if ends > touching(cell, outside) + first:
                continue
            end, within = ended or ends > 0, inward or into > 0
            fine, more = good or (end and within), twice + ends * white(cell)
            piece = (end, within) if ahead else (False, False)
            states.add((ahead, more, inner + into, *piece, fine))
    start = entered is not None and entered not in cells and not late
    extra = white(entered) if start and entered else 0
    return {
        (twice + extra) // 2
        for _, twice, inner, _, _, good in states
        if (inner + start) % 2 == (twice + extra) % 2 == 0
        if good or start or not inner
    }


STRAIGHT, LEFT, BEHIND, RIGHT = MOVES.values()
NOW_AND_LATER = {
    "sa-straight": ([STRAIGHT, LEFT], RIGHT),
    "sa-up-small": ([LEFT], STRAIGHT),
    "sa-up-big": ([STRAIGHT, RIGHT], LEFT),
    "sa-corner-small": ([LEFT, BEHIND], STRAIGHT),
    "sa-corner-big": ([STRAIGHT, RIGHT], LEFT),
}


def differences(name: str) -> set[tuple[str, Spot]]:
    """Return variant and move of every bound that counting does not give."""
    now, late = NOW_AND_LATER[name]
    found = set()
    for drawing in book(name).drawings:
        area = drawing.areas[0]
        # none in a turned form of a case that is looked at
        moves = [move for move in (*now, late) if move in drawing.forbidden]
        for move in moves[:1] if area.kind is Kind.BEYOND else ():
            counted = deliverable(area, None if move == late else move, move == late)
            if counted != set(range(area.low, area.high + 1)):
                found.add((drawing.variant, move))
    return found


LONGER = {"sa-corner-small": "row longer, x ", "sa-corner-big": "column longer, x "}


@pytest.mark.parametrize("name", NOW_AND_LATER)
def test_bounds_follow_from_counting(name: str) -> None:
    # of corners one white line more is possible in the smallest excess, but only where
    # the area is its border and the first cell: the book keeps the tighter number
    for variant, move in differences(name):
        assert variant.startswith(LONGER[name]), variant
        assert variant.endswith(("excess 1", "excess 2")), variant
        assert move == NOW_AND_LATER[name][0][0]
