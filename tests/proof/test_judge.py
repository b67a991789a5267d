"""What the judge of clauses accepts of small drawings, condition by condition."""

import re
from itertools import permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from tests.proof.clause_search import honest_names, hostile_names
from tests.proof.scenes import AREA, follows, scene, sketch
from verify.checker import family
from verify.checker.claim import NEAR, Flaw
from verify.checker.clauses import Boxes, check_names
from verify.checker.family import Border
from verify.checker.scene import edge_of
from verify.checker.views import Views

UP, LEFT = (-1, 0), (0, -1)  # cells ahead and to the left of the live end


# Orders and ends ----------------------------------------------------------------


def test_there_is_one_start_and_one_end() -> None:
    plain, planar = scene(), scene("PLANAR")
    assert follows(plain, ("T", UP), ("T", LEFT))
    assert not follows(plain, ("T", LEFT))
    assert follows(planar, ("S", (1, 1)), ("S", (1, -1)))
    assert follows(planar, ("S", (1, 1)), ("s", 0))
    assert follows(planar, ("t", 0), ("t", 1))
    assert not follows(planar, ("S", (1, 1)), ("T", (-1, 1)))
    drawn = scene("PLANAR", needs=[[0, 1, 1, False]], end=[0, 1])
    assert follows(drawn, ("t", 0))
    assert not follows(planar, ("t", 0))
    assert not follows(drawn, ("T", UP))
    far = scene("PLANAR", needs=[[5, 5, 1, False]], end=[5, 5])
    assert not follows(far, ("t", 0))


def test_one_port_alone_carries_nothing() -> None:
    one = scene("PLANAR", radius=1)
    used, *others = (edge_of(*port) for port in one.ports)
    shut = [(word, *edge) for word in "cwv" for edge in others]
    assert follows(one, ("c", *used), false=tuple(shut))
    assert not follows(one, ("c", *used), false=tuple(shut[1:]))


# The arc ------------------------------------------------------------------------


def test_the_arc_joins_no_two_cells_of_the_board() -> None:
    one = scene("PLANAR")
    a, b = (-2, 1), (-1, 1)
    arc = ("v", a, b)
    assert follows(one, arc, false=(("out", a), ("out", b)))
    assert not follows(one, arc, ("out", a), false=(("out", b),))
    assert not follows(one, arc, ("out", a), ("out", b))


@pytest.mark.parametrize("start", [None, (-1, -1), (1, -1)])
def test_start_and_end_lie_in_corners_and_the_arc_outside(start: Any) -> None:
    """Rows -1 to 2, columns -3 to 4: opposite corners, known ones if the pose is."""
    one, box = scene("PLANAR", radius=5), (range(-1, 3), range(-3, 5))
    one.start = start
    corners = {(row, col) for row in (-1, 2) for col in (-3, 4)}
    first = (-1 if start != (1, -1) else 2, -3)
    last = (1 - first[0], 4)
    boxes = Boxes(Views(one))
    for cell in product(range(-2, 4), range(-4, 6)):
        looks, fits = boxes.views.looks(cell), boxes.fits(cell, box)
        inside = -1 <= cell[0] <= 2 and -3 <= cell[1] <= 4
        assert not fits & looks.where(("out",), inside)
        may = (corners, corners) if start is None else ({first}, {last})
        for event, corner in zip("ST", may, strict=True):
            there = fits & looks.where((event,), True)
            possible = looks.where((event,), True) & looks.where(("out",), False)
            assert bool(there) == (bool(possible) and cell in corner)
            for d, (row, col) in enumerate(NEAR):
                beyond = -1 <= cell[0] + row <= 2 and -3 <= cell[1] + col <= 4
                assert not (beyond and there & looks.where(("v", d), True))
        assert fits


# Which side the move enters ------------------------------------------------------


def entered(
    scope: str = "RIM", states: int = 2, move: Any = (0, 1), **of: Any
) -> bool | None:
    """Return whether a move enters an area beside a line, from (1, 1) by default."""
    area = AREA | of
    needs = [[*at, 1, False] for at in area["line"]]
    needs.append([*area["wall"], states, False])
    one = scene(scope, radius=4, needs=needs, areas=[area], moves=[[*move]])
    return one.entered[0]


ROUND: dict[str, Any] = {"side": "right", "line": [[1, 0], [1, 1]], "entry": [1, 0]}
LONG = {"line": [[1, 0], [2, 0]], "wall": [2, 1], "entry": [1, 0], "side": "right"}
HIGH = {"line": [[0, 1], [0, 2]], "wall": [1, 2], "entry": [0, 1], "side": "right"}


@pytest.mark.parametrize(
    ("enters", "of"),
    [
        (False, {}),  # the line goes left ahead, so the area lies behind it
        (True, {"side": "right"}),
        (False, {"scope": "PLAIN"}),
        (None, {"scope": "PLAIN", "states": 4}),  # there walls decide nothing
        (None, {"scope": "PLAIN", "states": 6}),
        (None, {"scope": "PLANAR", "states": 6}),
        (False, {"states": 4}),
        (False, {"states": 6}),
        (False, {"line": [[1, 0]], "wall": [1, 1], "entry": [1, 0]}),
        # with the live end one square: the walk need not enclose anything
        (None, ROUND | {"wall": [0, 1], "move": (-1, 0)}),
        (True, LONG | {"move": (-1, 0)}),
        (False, HIGH | {"move": (1, 0)}),
    ],
)
def test_walk_and_line_decide_which_area_is_entered(
    enters: bool | None, of: dict[str, Any]
) -> None:
    assert entered(**of) is enters


def test_the_move_enters_what_lies_between_line_and_walk() -> None:
    """By angles, from the cell ahead to the left; the walk came from behind, at 180."""
    angle = {(1, 1): 45, (1, 0): 90, (1, -1): 135, (-1, -1): 225, (-1, 0): 270}
    angle |= {(0, 1): 0, (-1, 1): 315}
    moves = ((0, 1), (1, 0), (-1, 0))
    for first, side, move in product(angle, ("left", "right"), moves):
        turn, wall = 1 if side == "left" else -1, [2 * first[0], 2 * first[1]]
        wall = wall if 0 in first else [wall[0], first[1]]
        line: Any = {"line": [[*first]], "entry": [*first], "wall": wall, "side": side}
        to, back = ((x - angle[first]) * turn % 360 for x in (angle[move], 180))
        assert entered(move=move, **line) is (None if move == first else to < back)


def test_what_the_doors_of_an_area_may_come_to() -> None:
    """The doors' sum is twice what black has more, which is the surplus, negated."""
    area = sketch(needs=[[1, 1, 1, False], [2, 1, 2, False]], areas=[AREA]).areas[0]
    for black, entry in product(range(-5, 6), ((1, 1), (1, 2))):
        colour, inside = (-1) ** sum(entry), -1 <= black <= 2
        right = {"closed": True, "within": inside, "beyond": not inside}
        right |= {"even": black % 2 == 0, "odd": black % 2 == 1}
        right |= {"odd-determined": black % 2 == 1 and black != colour}
        for kind, good in right.items():
            of: Any = {"kind": kind, "entry": entry, "low": -2, "high": 1}
            one = replace(area, line=((1, 1), (1, 2)), wall=(1, 3), **of)
            assert one.allows(2 * black) == good
            assert not one.allows(2 * black + 1)


# Chains --------------------------------------------------------------------------

FIRSTS = ((-1, 0), (-1, -1))
SIDES: Any = ("left", "right")
ENDS: Any = (-1, 0), 2, ()  # wall, its states, nothing beside


def test_the_move_is_a_door_if_it_goes_into_the_area() -> None:
    """By angles from the cell ahead: the area lies from the first cell to the walk."""
    angle = {(-1, 0): 0, (-1, -1): 45, (0, -1): 90, (1, 0): 180, (0, 1): 270}
    for first, side in product(FIRSTS, SIDES):
        for move, behind in permutations(angle.keys() - {(-1, -1)}, 2):
            if first == behind:
                continue
            turn, border = 1 if side == "left" else -1, Border(first, side, *ENDS)
            to, back = ((angle[x] - angle[first]) * turn % 360 for x in (move, behind))
            beside = first == (-1, -1) and move in ((0, -1), (-1, 0))
            start = {(family.NONE, family.ENTERED if beside else family.IN): 7}
            right = start if 0 < to < back else {(family.NONE, family.NOTHING): 0}
            assert family.starts(border, move, behind, 7) == right


def test_edges_off_the_border_lead_inside_or_out() -> None:
    up, left_of, below = (-1, 0), (0, -1), (1, 0)
    left = Border((-1, -1), "left", left_of, 2, ())
    right = Border((-1, -1), "right", *ENDS)
    front = Border((-1, 0), "left", *ENDS)
    for border, move, behind, come, go, sides in (
        (left, up, below, "", "A", "DII"),
        (left, left_of, below, "", "L", "DDT"),
        (left, up, left_of, "", "A", "DI"),
        (left, up, below, "A", "", "DD"),
        (right, up, below, "", "A", "DDT"),
        (right, up, below, "L", "", "DD"),
        (front, up, below, "", "A", "DFI"),
        (front, left_of, below, "", "A", "DI"),
    ):
        found = family.sides_of(border, move, behind, come, go)
        assert sorted(found) == sorted(sides), (border, move, behind, come, go)
    for border, at, states in product((left, right), (left_of, up), (1, 3)):
        beside = replace(border, wall=(-1, -1), beside=((at, states),))
        inside = states == 1 and at == (left_of if border.side == "left" else up)
        assert family.visits_all(beside, (family.NONE, family.NOTHING)) != inside
        assert family.visits_all(beside, (family.NONE, family.IN))
        assert not family.visits_all(beside, (family.NONE, family.STRAY))


# Names --------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["PLAIN", "PLANAR", "CORNERS"])
def test_a_scene_has_the_names_of_its_formula_and_no_other(scope: str) -> None:
    board: dict[str, Any] = {"frame": "board", "poses": ["IDENTITY"]}
    needs = [[1, 1, 1, False], [2, 1, 2, False], [-1, -1, 2, False], [1, -1, 2, False]]
    rim = [[0, 2, 4, False]] if scope == "CORNERS" else [[0, 2, 1, False]]
    far = [[1, 2, 1, False], [2, 2, 1, False]]
    line = [["passes", 1, 2, 2, 2], ["before", 1, 1, 2, 2]]
    one = scene(
        scope,
        needs=[*needs, *rim, *far],
        areas=[AREA],
        runs=[[-1, -1, 1, -1]],
        lines=line,
        pose="IDENTITY" if scope == "CORNERS" else "NONE",
        **(board if scope == "CORNERS" else {}),
    )
    walked = {} if scope == "PLAIN" else {0: ("w", (1, -1), (1, 1))}
    arc = {2: ("v", (-2, 0), None)} if scope == "CORNERS" else {}
    assert one.orders == walked | {1: ("c", (-1, -1), (-2, -2))} | arc
    right = set(honest_names(one))
    asked = set(hostile_names(one)) | set(hostile_names(scene(scope, radius=3)))
    for i, sums in enumerate(one.sums[0]):
        asked |= {("n", 0, i, sums[0] - 1), ("n", 0, i, sums[-1] + 1)}
    asked |= {("rowout", -4), ("rowout", 4), ("u", *min(one.edges)), ("S", (0, 0))}
    asked |= {("p", 0, 1, 2), ("a", 0, (0, 0), 1), ("l", 0), ("n", 0, 1), ("c",)}
    for name in right:
        check_names(one, (name,))
    for name in asked - right:
        said = " ".join(str(x).replace(" ", "") for x in name)
        with pytest.raises(Flaw, match=f"no name {re.escape(said)}$"):
            check_names(one, (name,))
