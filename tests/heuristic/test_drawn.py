"""Drawn rules without precedence, and drawings that a transposition keeps."""

from dataclasses import replace
from random import Random

from heuristic.groups import drawings_of, without_precedence
from heuristic.matching.drawn import _is_transposed
from heuristic.rule import RuleSet
from heuristic.rules.drawing import CellNeed, CellState, Drawing, Frame
from solver.board import LETTERS
from solver.symmetry import ROTATIONS, Symmetry
from tests.doubles.rules import layouts
from tests.samples import specs


def test_a_set_without_precedence_asks_every_rule() -> None:
    rules = RuleSet("size", specs("seed-9-size"))
    always = without_precedence(rules)
    assert always.name == "size"
    assert any(spec.stops for spec in drawings_of(rules))
    assert any(spec.unless for spec in drawings_of(rules))
    for one, other in zip(drawings_of(always), drawings_of(rules), strict=True):
        assert (one.name, one.stops, one.unless) == (other.name, False, ())
        assert one.drawings == other.drawings


def is_transposed(drawing: Drawing) -> bool:
    """Whether the ways to lay a drawing, rows and columns exchanged, are the same."""
    ways = {
        (heading, tuple(landed.values()))
        for heading in LETTERS
        for landed in layouts(drawing, heading)
    }
    exchanged = dict(zip("URDL", "LDRU", strict=True))
    return ways == {
        (exchanged[heading], tuple(-z.imag - z.real * 1j for z in cells))
        for heading, cells in ways
    }


def test_a_drawing_is_transposed_as_the_naive_double_says() -> None:
    rng, seen = Random(8), set[bool]()
    needs = [CellNeed((1, 2), CellState.FREE), CellNeed((3, 1), CellState.VISITED)]
    for _ in range(80):
        drawing = Drawing(
            needs=tuple(needs),
            forbidden=((-1, 0),),
            frame=rng.choice([Frame.HEADING, Frame.BOARD]),
            turns=tuple(rng.sample(list(ROTATIONS), rng.randrange(1, 4))),
            mirror=rng.random() < 0.5,
            heading=rng.randrange(4),
        )
        if drawing.frame is Frame.BOARD:
            turns = tuple(rng.sample(list(Symmetry), rng.choice([1, 2, 4, 8])))
            drawing = replace(drawing, turns=turns)
        assert _is_transposed(drawing) == is_transposed(drawing), drawing
        seen.add(is_transposed(drawing))
    assert seen == {True, False}
    away = (Symmetry.IDENTITY, Symmetry.TRANSPOSE)
    both = Drawing(needs=tuple(needs), frame=Frame.BOARD, heading=1, turns=away)
    assert _is_transposed(both) is is_transposed(both) is True
