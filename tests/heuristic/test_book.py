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


def test_searches_find_every_obstacle_up_to_their_bound() -> None:
    counts = {
        "sa-corner-discovery-2024-07": 482,
        "sa-corner-discovery-2024-06": 482,
        "end-obstacle-corners": 312,
        "down-stair-scan": 48,
        "down-stair-program": 12,
    }
    for name, count in counts.items():
        assert len(book(name).drawings) == count, name


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
    cells, line = area.cells, set(area.cells)
    # seen from the live end, the walk may come from nowhere but the line's outside
    inside, outside = set(area.inside), set(area.outside)

    def touching(cell: Spot, among: set[Spot]) -> int:
        return sum((cell[0] + a, cell[1] + b) in among for a, b in MOVES.values())

    def white(cell: Spot) -> int:
        return 1 if sum(cell) % 2 else -1

    # states: link to the next cell, twice the surplus, links into the area, then of the
    # piece at hand and of any piece: an end, and an end together with a link inside
    states = {(0, 0, 0, False, False, False)}
    for number, cell in enumerate(cells):
        following = set()
        last = number == len(cells) - 1
        room_in, room_out = touching(cell, inside), touching(cell, outside)
        for link, twice, inner, ended, inward, good in states:
            for ends, ahead in product(range(3), (0, 1)):
                into = 2 - ends - link - ahead
                first = cell == entered and not late
                if (last and ahead) or not 0 <= into <= room_in:
                    continue
                if ends > room_out + first or (first and ends == 0):
                    continue
                end, within = ended or ends > 0, inward or into > 0
                fine = good or (end and within)
                if not ahead:
                    end = within = False
                more = twice + ends * white(cell)
                following.add((ahead, more, inner + into, end, within, fine))
        states = following
    start = entered is not None and entered not in line and not late
    found = set()
    for _, twice, inner, _, _, good in states:
        both = twice + (white(entered) if start and entered else 0)
        if (inner + start) % 2 == 0 and both % 2 == 0 and (good or start or not inner):
            found.add(both // 2)
    return found


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


@pytest.mark.parametrize("name", ["sa-straight", "sa-up-small", "sa-up-big"])
def test_bounds_of_straight_borders_follow_from_counting(name: str) -> None:
    assert not differences(name)


@pytest.mark.parametrize(
    ("name", "longer"),
    [("sa-corner-small", "row"), ("sa-corner-big", "column")],
)
def test_bounds_of_corners_follow_from_counting(name: str, longer: str) -> None:
    # one white line more is possible in the smallest excess, but only where the area
    # is its border and the first cell: the book keeps the tighter number
    form = f"{longer} longer, x "
    for variant, move in differences(name):
        assert variant.startswith(form), variant
        assert variant.endswith(("excess 1", "excess 2")), variant
        assert move == NOW_AND_LATER[name][0][0]
