"""Bounds of distance families, against positions and the published tables."""

from dataclasses import replace

import pytest

from heuristic.rules.drawing import Drawing, Kind
from solver.board import Board
from tests.doubles.exhaustion import refute_exhaustive
from tests.doubles.members import WAYS, Bounds, as_rule, bounds, bounds_by_chains
from verify.proof.counterexample import confirmed, directed_search
from verify.proof.families import member

# Not met on boards up to 13 x 13: a bound that a better proof might exclude.
UNSEEN = [
    ("up-big-3", "behind from the left", 0),
    ("up-big-4", "behind from the left", 0),
]
STRAIGHT = ("straight", "up-small", "up-big")
SMALL = [member(name, (d,)) for name in STRAIGHT for d in (2, 3, 5)]
SMALL += [member("corner", at) for at in ((3, 2), (2, 4), (3, 3), (5, 3))]


@pytest.mark.parametrize("board", ["5x5", "5x7", "7x5"])
def test_no_completable_position_is_beyond_the_bounds(board: str) -> None:
    rules = [as_rule(d, {way: bounds(d, way) for way in WAYS}) for d in SMALL]
    refuted, evidence = refute_exhaustive(rules, Board.parse(board))
    assert not refuted
    assert any(rule.fired for rule in evidence.rules)
    # one cell less on either side is refuted somewhere: the bounds are not idle
    closer = [as_rule(d, {way: _closer(bounds(d, way)) for way in WAYS}) for d in SMALL]
    assert refute_exhaustive(closer, Board.parse(board))[0]


def _closer(limits: Bounds) -> Bounds:
    return None if limits is None else (limits[0] + 1, limits[1] - 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "drawing",
    [
        *(member(name, (d,)) for name in STRAIGHT for d in (2, 3, 4)),
        *(member("corner", place) for place in ((3, 2), (2, 3))),
    ],
    ids=lambda drawing: drawing.text,
)
def test_positions_reach_the_bounds(drawing: Drawing) -> None:
    """What is not excluded does occur: both bounds of every way, on small boards."""
    (area,) = drawing.areas
    for way, (turn, move) in WAYS.items():
        limits = bounds(drawing, way)
        for surplus in set(limits or ()):
            if (drawing.text, way, surplus) in UNSEEN:
                continue
            exactly = replace(area, kind=Kind.WITHIN, low=surplus, high=surplus)
            page = replace(drawing, areas=(exactly,), forbidden=(move,), turns=(turn,))
            tries = (
                directed_search(page, turn, move, Board.parse(size), seconds=20.0)
                for size in ("7", "9", "11", "13")
            )
            place = next(filter(None, tries), None)
            assert place is not None, (way, surplus)
            rule = replace(as_rule(drawing, {}), drawings=(page,))
            confirmed(rule, *place, method="directed search")  # the checker agrees


BEHIND = "behind from the right"


def published(family: str, move: str, d: int) -> tuple[int, int]:
    """Return most white, most black, by the formulas of the source; all divide.

    The texts and the program of the source disagree on the straight border for D = 6,
    10, ... moving straight on: these are the program's numbers.
    """
    now = {"straight": "straight", "up-small": "left", "up-big": "straight"}
    entered = move == now[family] or (family, move) in (
        ("up-big", "right"),
        ("straight", "left"),
    )
    if d == 2 and family != "up-small":  # the cell entered is the last but one
        sideways = (family, move) in (("up-big", "right"), ("straight", "left"))
        return (1, 0) if sideways else (0, 0)
    q = d // 4
    if family == "up-small":
        numbers = {
            3: ((q + 1, q), (q, q + 1)),
            0: ((q, q - 1), (q, q)),
            1: ((q, q), (q, q)),
            2: ((q + 1, q), (q, q)),
        }
    elif family == "up-big":
        numbers = {
            3: ((q + 1, q), (q + 1, q)),
            0: ((q, q - 1), (q, q)),
            1: ((q + 1, q - 1), (q, q)),
            2: ((q + 1, q), (q, q)),
        }
    else:
        left = move == "left"
        numbers = {
            3: ((q + 1, q - 1 if left else q), (q + 1, q)),
            0: ((q, q - 1), (q, q)),
            1: ((q + 1, q - 1), (q, q - 1)),
            2: ((q + 1 if left else q, q), (q, q)),
        }
    return numbers[d % 4][0 if entered else 1]


def published_corner(h: int, v: int, move: str) -> tuple[int, int]:
    """Return most white, most black, of a corner, by the formulas of the source."""
    x, n, odd = min(h, v) - 1, abs(h - v) // 2, abs(h - v) % 2
    later = move in ("straight", "right")

    def even(k: int) -> int:
        return (k - k % 2) // 2

    if h == v:
        return (-1 if later else 0), x - 1
    if h > v and odd:
        if later:
            return x - 1 + even(n + 1), even(n + 2) if n else 0
        return (x + even(n) if n or move == BEHIND else x - 1), even(n + 1)
    if v > h and odd:
        if later:
            return (1 + even(n) if n else 0), x - 1 + even(n + 1)
        return 1 + even(n + 1), x - 1 + even(n)
    if later:
        return even(n), x + even(n)
    first = h > v and n == 1 and move != BEHIND
    return (0 if first else even(n + 1)), x + even(n - 1)


@pytest.mark.parametrize("name", STRAIGHT)
def test_the_proved_bounds_are_the_published_ones(name: str) -> None:
    for (d,), ways in bounds_by_chains(name, 31).items():
        for way in ("straight", "left", "right"):
            most = published(name, way, d)
            assert ways[way] == (-most[1], most[0]), (d, way)


def test_the_proved_bounds_of_corners_are_the_published_ones() -> None:
    for (h, v), ways in bounds_by_chains("corner", 23).items():
        for way in ("left", BEHIND, "straight"):
            most = published_corner(h, v, way)
            assert ways[way] == (-most[1], most[0]), (h, v, way)
