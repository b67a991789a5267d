"""The search on boards made for a drawing, with walls, and what it does for mutants."""

from dataclasses import replace

import pytest

from heuristic.rules.drawing import Drawing, RuleSpec, Turn
from solver.oracles.oracle import Verdict, get_oracle
from tests.samples import book
from verify.checker.position import find_fault
from verify.proof.formula import Scope
from verify.proof.growth import shape_of
from verify.proof.settle import Survivor, search
from verify.proof.view import from_drawing
from verify.refute.refute import confirmed
from verify.refute.walled import walled
from verify.verdict.mutant_judge import Limits
from verify.verdict.mutants import mutants, try_mutants
from verify.verdict.sharpen import with_area

FIND = Limits(positions=0)


def tightened(rows: int) -> tuple[RuleSpec, Drawing]:
    """Return a corner of `sa-corner-big` that forbids one surplus too many."""
    spec = book("sa-corner-big")
    drawing = next(
        one
        for one in spec.drawings
        if len(one.text.splitlines()) == rows
        and one.areas[0].kind.bounded
        and one.areas[0].low < 0
    )
    area = drawing.areas[0]
    drawing = with_area(drawing, 0, replace(area, low=area.low + 1))
    return replace(spec, drawings=(drawing,)), drawing


@pytest.mark.parametrize("scope", [Scope.PLAIN, Scope.PLANAR])
def test_what_is_found_is_a_counterexample(scope: Scope) -> None:
    spec, drawing = tightened(6)
    move = drawing.forbidden[0]
    hit = walled(drawing, drawing.turns[0], move, scope, seed=1, seconds=20.0)
    assert hit is not None
    position, rest = hit
    assert find_fault(position.notation, rest) is None
    found = confirmed(spec, position, rest, "a test")
    answer = get_oracle("sat").decide(position.step(found.move))
    assert answer.verdict is Verdict.COMPLETABLE
    board = position.board
    assert board.walls
    if scope is Scope.PLANAR:
        for cell in (board.start, board.end):
            row, col = divmod(cell, board.cols)
            assert row in (0, board.rows - 1) or col in (0, board.cols - 1)


def test_a_rule_that_is_right_has_none() -> None:
    spec = book("sa-corner-big")
    drawing = next(one for one in spec.drawings if one.areas[0].kind.bounded)
    for turn in drawing.turns:
        assert not walled(drawing, turn, drawing.forbidden[0], Scope.PLAIN, seconds=0.3)


def test_order_tests_and_several_areas_are_kept() -> None:
    """Whatever a drawing of the book asks for, what is found matches it."""
    found = 0
    for name in ("double-c-shape", "down-stair-next"):
        spec = book(name)
        for _, mutant in list(mutants(spec))[:8]:
            (drawing,) = mutant.drawings
            turn = drawing.turns[0]
            move = drawing.forbidden[0]
            hit = walled(drawing, turn, move, Scope.PLAIN, seconds=0.2)
            if hit is not None:
                confirmed(mutant, *hit, "a test")
                found += 1
    assert found


def test_a_model_leads_the_search() -> None:
    spec, drawing = tightened(6)
    turn, move = drawing.turns[0], drawing.forbidden[0]
    window = from_drawing(drawing, turn, move)
    assert window is not None
    whole = shape_of(window, window.cells())
    model = search(window, Scope.PLANAR, seconds=20.0, first=[whole])
    assert isinstance(model, Survivor)
    assert model.window.cells() == window.cells()
    hit = walled(drawing, turn, move, Scope.PLAIN, model=model, seconds=20.0)
    assert hit is not None
    position, rest = hit
    confirmed(spec, position, rest, "a test")
    free = sum(("free", spot) in model.true for spot in window.cells())
    assert len(rest) >= free > 0


def test_there_are_no_walls_on_plain_rectangles() -> None:
    _, drawing = tightened(6)
    with pytest.raises(ValueError, match="no walls in the scope RIM"):
        walled(drawing, Turn.NONE, drawing.forbidden[0], Scope.RIM)


def test_one_counterexample_refutes_all_that_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A drawing without its bounds is refuted by what refutes a bound."""
    spec = book("sa-corner-big")
    number = spec.drawings.index(
        next(d for d in spec.drawings if d.areas[0].kind.bounded)
    )
    tried = [
        (index, told, mutant)
        for index, (told, mutant) in enumerate(mutants(spec))
        if told.startswith(f"drawing {number + 1}: area 1: ")
    ]
    plain = try_mutants(spec, tried, FIND)
    boards = {t.counterexample for t in plain if t.counterexample}
    assert all("!" not in text for text in boards)
    found = try_mutants(spec, tried, FIND, scope=Scope.PLAIN)
    refuted = [trial for trial in found if trial.word == "refuted"]
    assert {trial.word for trial in found} <= {"refuted", "proved"}
    assert len(refuted) > len({trial.counterexample for trial in refuted})
