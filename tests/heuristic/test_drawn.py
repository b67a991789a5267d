"""Rules written as drawings, as objects: names, errors, pictures, symmetry."""

from random import Random

import pytest

from heuristic.matching import drawn
from heuristic.matching.drawn import DrawnRule, DrawnRuleSet, _is_transposed
from heuristic.rules.drawing import CellNeed, CellState, Drawing, Frame, Turn
from heuristic.rules.rulefile import parse_rules
from solver.board import LETTERS, Position
from solver.errors import RuleError
from solver.symmetry import Symmetry
from tests.doubles.rules import layouts
from tests.samples import NEVER_AHEAD, NEVER_RIGHT, specs

LINES = NEVER_AHEAD.replace("x\n@", "F x\n? @")


def test_rules_and_sets_say_who_they_are() -> None:
    (spec,) = parse_rules(NEVER_RIGHT)
    rule = DrawnRule(spec)
    rules = DrawnRuleSet("mine", [rule])
    assert repr(rule) == "<DrawnRule never-right>"
    assert repr(rules) == "<DrawnRuleSet mine: 1 rules>"
    head, shown = rule._repr_html_().split("<caption>never-right: 1 rules</caption>")
    assert rules._repr_html_() == f"{head}<caption>mine: 1 rules</caption>{shown}"
    assert "<b>never-right</b>" in shown
    assert rules.rules == (rule,)
    for asked in (rule, rules):
        forbids = asked.forbids(Position.parse("5:R"))
        assert [(f.rule, f.move) for f in forbids] == [("never-right", "D")]
    for move, place in (("R", "5:R"), ("D", "5:D")):  # free, and the wrong board
        with pytest.raises(ValueError, match=f"never-right does not forbid {move} at"):
            rule.explain(Position.parse(place), move)


def test_sets_refuse_rules_that_they_cannot_ask() -> None:
    (first,) = parse_rules(NEVER_AHEAD, "first.toml")
    (second,) = parse_rules("\n" + NEVER_RIGHT.replace("right", "ahead"), "second.toml")
    (lines,) = parse_rules(LINES, "lines.toml")
    again = DrawnRuleSet("twice", [DrawnRule(first), DrawnRule(first)])
    assert [rule.name for rule in again.rules] == ["never-ahead"]
    with pytest.raises(RuleError) as error:
        DrawnRuleSet("set", [DrawnRule(first), DrawnRule(second)])
    why = "another rule of the set has this name"
    assert str(error.value) == f"second.toml, line 3, rule 'never-ahead': {why}"
    with pytest.raises(RuleError) as error:
        DrawnRuleSet("set", [DrawnRule(lines)])
    why = "it reads future lines, which no drawing alone can show"
    assert str(error.value) == f"lines.toml, line 2, rule 'never-ahead': {why}"


def test_a_set_without_precedence_asks_every_rule() -> None:
    rules = DrawnRuleSet("size", [DrawnRule(spec) for spec in specs("seed-9-size")])
    always = rules.asked_always()
    assert always.name == "size"
    assert any(rule.spec.stops for rule in rules.drawn)
    assert any(rule.spec.unless for rule in rules.drawn)
    for one, other in zip(always.drawn, rules.drawn, strict=True):
        assert (one.name, one.spec.stops, one.spec.unless) == (other.name, False, ())
        assert one.spec.drawings == other.spec.drawings


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
            forbidden=((0, 1),),
            frame=rng.choice([Frame.HEADING, Frame.BOARD]),
            turns=tuple(rng.sample(list(Turn), rng.randrange(1, 4))),
            mirror=rng.random() < 0.5,
            heading=rng.randrange(4),
            symmetries=tuple(rng.sample(list(Symmetry), rng.choice([1, 2, 4, 8]))),
        )
        assert _is_transposed(drawing) == is_transposed(drawing), drawing
        seen.add(is_transposed(drawing))
    assert seen == {True, False}
    away = (Symmetry.IDENTITY, Symmetry.TRANSPOSE)
    both = Drawing(needs=tuple(needs), frame=Frame.BOARD, heading=1, symmetries=away)
    assert _is_transposed(both) is is_transposed(both) is True


def test_few_positions_are_asked_without_a_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = DrawnRuleSet("five", [DrawnRule(spec) for spec in specs("seed-5")])
    position = Position.parse("5:RDLDDDRRRU")
    monkeypatch.setattr(drawn, "_spent", spent := [0.0])
    for compiled in (True, False):
        monkeypatch.setattr(drawn, "_is_compiled", lambda said=compiled: said)
        assert [f.move for f in rules.forbids(position)] == ["R"]
        assert (spent[0] > 0) != compiled

    def used(*asked: object) -> int:
        raise AssertionError("the kernel is asked")

    monkeypatch.setattr(drawn, "evaluate", used)
    rules.forbids(position)
    drawn.ask_compiled()
    with pytest.raises(AssertionError, match="the kernel is asked"):
        rules.forbids(position)
