"""Bounds of distance families: what windows and positions say of them."""

from dataclasses import replace

import pytest

from heuristic.rules.drawing import Drawing, Kind
from solver.board import Board
from tests.doubles.exhaustion import refute_exhaustive
from tests.doubles.members import as_rule, bounds, scope_of
from verify.proof.counterexample import confirmed
from verify.proof.directed import directed
from verify.proof.families import FAMILIES, WAYS, corner, places
from verify.proof.settle import Impossible, Survivor, settle
from verify.proof.surplus import NoBounds, bounds_of, strip
from verify.proof.view import from_drawing

# Not met on boards up to 13 x 13: a bound that a better proof might exclude.
UNSEEN = [
    ("up-big-3", "behind from the left", 0),
    ("up-big-4", "behind from the left", 0),
]
SMALL = [FAMILIES[name].drawing(d) for name in FAMILIES for d in (2, 3, 5)]
SMALL += [corner(*at) for at in ((3, 2), (2, 4), (3, 3), (5, 3))]


@pytest.mark.parametrize("drawing", SMALL, ids=lambda drawing: drawing.text)
def test_the_whole_rectangle_and_another_solver_say_the_same(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    for way, posed in WAYS.items():
        window = from_drawing(drawing, *posed)
        assert window is not None
        found = bounds(drawing, way)
        with monkeypatch.context() as patch:
            patch.setattr("verify.proof.surplus.SOLVER", "glucose4")
            assert bounds_of(window, scope_of(drawing)) == found
        for low, high, beyond in _questions(found):
            kind = Kind.BEYOND if beyond else Kind.WITHIN
            area = replace(window.areas[0], kind=kind, low=low, high=high)
            outcome = settle(replace(window, areas=(area,)), scope_of(drawing))
            assert isinstance(outcome, Impossible if beyond else Survivor), (way, low)


def _questions(found: tuple[int, int] | NoBounds) -> list[tuple[int, int, bool]]:
    """Beyond the bounds nothing is possible, and each bound alone is."""
    if isinstance(found, NoBounds):
        return [(0, -1, True)]
    return [(*found, True), (found[0],) * 2 + (False,), (found[1],) * 2 + (False,)]


def test_a_strip_keeps_what_a_window_knows() -> None:
    window = from_drawing(corner(9, 9), *WAYS["left"])
    assert window is not None
    part = strip(window)
    assert set(part.cells()) < set(window.cells())
    assert all(part.holds(cell) for cell in window.areas[0].cells)
    assert not part.holds((-9, 1))
    same = {name: getattr(window, name) for name in ("top", "left", "bottom", "right")}
    assert replace(part, **same, kept=None) == window


@pytest.mark.parametrize("board", ["5x5", "5x7", "7x5"])
def test_no_completable_position_is_beyond_the_bounds(board: str) -> None:
    rules = [as_rule(d, {way: bounds(d, way) for way in WAYS}) for d in SMALL]
    refuted, evidence = refute_exhaustive(rules, Board.parse(board))
    assert not refuted
    assert any(one.fired for one in evidence.rules)
    # one cell less on either side is refuted somewhere: the bounds are not idle
    closer = [as_rule(d, {way: _closer(bounds(d, way)) for way in WAYS}) for d in SMALL]
    assert refute_exhaustive(closer, Board.parse(board))[0]


def _closer(found: tuple[int, int] | NoBounds) -> tuple[int, int] | NoBounds:
    return found if isinstance(found, NoBounds) else (found[0] + 1, found[1] - 1)


def test_a_limit_leaves_the_bounds_unknown() -> None:
    window = from_drawing(corner(9, 9), *WAYS["left"])
    assert window is not None
    found = bounds_of(strip(window), scope_of(corner(9, 9)), seconds=0.0)
    assert found is NoBounds.UNKNOWN


@pytest.mark.slow
def test_no_completable_position_of_7x7_is_beyond_the_bounds() -> None:
    drawings = [FAMILIES[name].drawing(d) for name in FAMILIES for d in range(2, 7)]
    drawings += [corner(*place) for place in places("corner", 6)]
    rules = [as_rule(d, {way: bounds(d, way) for way in WAYS}) for d in drawings]
    assert not refute_exhaustive(rules, Board.parse("7"))[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "drawing",
    [
        *(FAMILIES[name].drawing(d) for name in FAMILIES for d in (2, 3, 4)),
        *(corner(*place) for place in ((3, 2), (2, 3))),
    ],
    ids=lambda drawing: drawing.text,
)
def test_positions_reach_the_bounds(drawing: Drawing) -> None:
    """What is not excluded does occur: both bounds of every way, on small boards."""
    (area,) = drawing.areas
    for way, (turn, move) in WAYS.items():
        found = bounds(drawing, way)
        for surplus in set() if isinstance(found, NoBounds) else set(found):
            if (drawing.text, way, surplus) in UNSEEN:
                continue
            exactly = replace(area, kind=Kind.WITHIN, low=surplus, high=surplus)
            one = replace(drawing, areas=(exactly,), forbidden=(move,), turns=(turn,))
            tries = (
                directed(one, turn, move, Board.parse(size), seconds=20.0)
                for size in ("7", "9", "11", "13")
            )
            place = next(filter(None, tries), None)
            assert place is not None, (way, surplus)
            rule = replace(as_rule(drawing, {}), drawings=(one,))
            confirmed(rule, *place, found="directed search")  # the checker agrees
