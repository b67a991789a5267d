"""The stops of the researcher's first pass on 9 x 9, with future lines."""

import pytest

from heuristic.groups import load_rules
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Position
from solver.counting.count import rank

LINES = "seed-7-future,-future-corner-pass,-future-dead-end"
EDGE = "9:RRRRRRRRDDDDDDDLLLLL"
CORNER = f"{EDGE}LLURURDRURDRRULURULURU"

# The rules made at each stop, in their order: see docs/tables/milestones.md.
FAR = "straight-left mid-across-left across-left straight-right mid-across-right "
FAR += "across-right side-up side-down side-mid-across-up side-mid-across-down "
FAR += "side-across-up side-across-down"
MADE = [
    "future-3x3-start-end-9",
    "future-2x2-start-end-9",
    "future-2x3-start-end-9",
    "double-c-shape-orig",
    "square-4x2-orig",
    "count-area-2-across",
    "two-sided-straight,two-sided-side-down,two-sided-side-up",
    "double-c-shape",
    "square-4x2",
    "far-across-left-end-c,far-side-across-up-end-c",
    ",".join(f"far-{name}-start-c" for name in FAR.split())
    + ",across-3-impair-determined",
    "double-area-c-shape,double-c-shape-rotated,square-4x2-2,triple-area",
    "straight-across-end-area",
    "straight-across-3-end-area",
    "square-4x2-c-shape",
    "square-4x2-area",
    "double-area-stair",
    "double-area-stair-2",
    "mid-across-3-impair-determined",
    "straight-mid-across-3-end-area,straight-mid-across-3-end-c",
    "mid-mid-across-3-determined",
    "double-c-shape-start-c",
    "double-c-shape-determined",
    "triple-area-stair",
    "double-area-stair-area",
]

# rules made before, walks completed, where the walk below begins, moves to that saved
STOPS = [
    (0, 13_848, f"{EDGE}LLURURDRUU", "LURURRDLDR"),
    (1, 14_014, f"{CORNER}LLD", "LULDL"),
    (3, 57_399, f"{EDGE}ULDLUURURDRDRUU", "LURU"),
    (6, 234_326, "9:RRRRRRRRDDDDDDDLLLLURURDRUUUUULLLLLLLDDD", "DDRDLDRRUUULUUURRR"),
    (9, 626_313, "9:RRRRRRRRDDDDDDDLLLURRULURULLURRULLLDLULLLDDD", "DRR"),
    (12, 725_579, "9:RRRRRRRRDDDDDDDLLLURRUUULLURRULLLDLULLLDDD", "DRR"),
    (16, 2_023_047, "9:RRRRRRRRDDDDDDDLULURULLULURRDRUULLLLDL", "ULLDRDLDDDDDRRULU"),
    (21, 8_079_552, "9:RRRRRRRRDDDDDLDRDLLULURURULURULLLLL", "LLDRDLDD"),
    (25, 23_325_066, "9:RRRRRRRRDDDDLUUULLLLDDDLULURULLDDDRDLDRDL", "DRRURDRRRRUU"),
]


@pytest.mark.parametrize(("more", "walks", "begin", "saved"), STOPS)
def test_a_stop_comes_again(more: int, walks: int, begin: str, saved: str) -> None:
    rules = load_rules(",".join([LINES, *MADE[:more]]))
    root = Position.parse(begin)
    walk = LeftFirstWalk(rules, root)
    assert walk.run(stop_stuck=True) is Event.STUCK
    assert rank(root) + walk.completed == walks
    assert walk.position.moves.startswith(root.moves + saved)


def test_the_corner_pass_would_have_forbidden_the_second_stop() -> None:
    position = Position.parse(f"{CORNER}LLDLULD")
    group = f"seed-7-future,{MADE[0]}"

    def against(rules: str) -> list[str]:
        return [f.rule for f in load_rules(rules).forbids(position) if f.move == "L"]

    assert against(group) == ["future-follow"]
    assert against(f"{group},-future-corner-pass") == ["future-dead-end"]
    assert against(f"{group},-future-corner-pass,-future-dead-end") == []
