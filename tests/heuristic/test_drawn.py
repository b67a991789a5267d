"""Rules written as drawings, as objects: names, errors, pictures, symmetry."""

from dataclasses import replace
from random import Random

import pytest

from heuristic.groups import drawings_of, without_precedence
from heuristic.matching.drawn import _is_transposed
from heuristic.rule import RuleSet
from heuristic.rules.drawing import CellNeed, CellState, Drawing, Frame
from heuristic.rules.rulefile import parse_rules
from solver.board import LETTERS, Position
from solver.errors import RuleError
from solver.symmetry import ROTATIONS, Symmetry
from tests.doubles.rules import layouts
from tests.samples import NEVER_AHEAD, NEVER_RIGHT, specs

LINES = NEVER_AHEAD.replace("x\n@", "F x\n? @")


def test_rules_and_sets_say_who_they_are() -> None:
    (rule,) = parse_rules(NEVER_RIGHT)
    rules = RuleSet("mine", [rule])
    assert repr(rule) == "<RuleSpec never-right>"
    assert repr(rules) == "<RuleSet mine: 1 rules>"
    assert rules.rules == (rule,)
    forbids = rules.forbids(Position.parse("5:R"))
    assert [(f.rule, f.move) for f in forbids] == [("never-right", "D")]


def test_a_set_without_precedence_asks_every_rule() -> None:
    rules = RuleSet("size", specs("seed-9-size"))
    always = without_precedence(rules)
    assert always.name == "size"
    assert any(spec.stops for spec in drawings_of(rules))
    assert any(spec.unless for spec in drawings_of(rules))
    for one, other in zip(drawings_of(always), drawings_of(rules), strict=True):
        assert (one.name, one.stops, one.unless) == (other.name, False, ())
        assert one.drawings == other.drawings


def test_two_different_rules_of_one_name_are_refused() -> None:
    (first,) = parse_rules(NEVER_AHEAD, "first.toml")
    (second,) = parse_rules("\n" + NEVER_RIGHT.replace("right", "ahead"), "second.toml")
    again = RuleSet("twice", [first, first])
    assert [rule.name for rule in again.rules] == ["never-ahead"]
    with pytest.raises(RuleError, match="another rule of the set has this name"):
        RuleSet("set", [first, second])


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
