"""Rules with the same drawings, more or fewer, and what they forbid."""

import numpy as np
import pytest

from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.positions import completable_positions
from tests.samples import specs
from verify.proof.counterexample import alone
from verify.verdict.comparison import forms, kin_of

C_SHAPE = "? ? x\\n% K @\\n? % ?"


def rule(drawing: str, more: str = "") -> RuleSpec:
    text = f'[[rule]]\nname = "a"\nclaim = "sound"\n{more}\ndrawing = "{drawing}"\n'
    return parse_rules(text)[0]


def masks(rule: RuleSpec) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    tree = completable_positions(Board.square(5))
    walker = alone(rule).walker(tree.board)
    parts = walker.tree(tree)
    return np.concatenate([part.masks[:, 0] for part in parts])


@pytest.mark.parametrize(
    ("more", "fewer"),
    [("sa-up-small", "sa-side-big"), ("sa-corner-small", "sa-corner-big")],
)
def test_a_rule_with_more_drawings_forbids_all_that_another_does(
    more: str, fewer: str
) -> None:
    rules = specs(f"{more},{fewer}")
    first, second = (next(x for x in rules if x.name == name) for name in (more, fewer))
    assert kin_of(first, rules) == ([more], [], [fewer])
    assert kin_of(second, rules) == ([fewer], [more], [])
    assert not (masks(second) & ~masks(first)).any()


def test_a_turned_or_mirrored_drawing_is_the_same() -> None:
    first, mirrored = rule(C_SHAPE), rule("x ? ?\\n@ K %\\n? % ?")
    assert kin_of(first, [mirrored]) == (["a"], [], [])
    single = rule(C_SHAPE, "mirror = false")
    assert kin_of(single, [first]) == ([], ["a"], [])
    assert kin_of(first, [single]) == ([], [], ["a"])


AREA = "? ? ? x\\n% e s @"


@pytest.mark.parametrize(
    ("drawing", "more"),
    [
        pytest.param("? ? x\\n% . @\\n? % ?", "", id="end cell"),
        pytest.param("? ? x\\n# K @\\n? % ?", "", id="state"),
        pytest.param("? ? .\\n% x @\\n? % ?", "", id="move"),
        pytest.param(C_SHAPE, 'frame = "board"', id="frame"),
    ],
)
def test_another_condition_is_another_form(drawing: str, more: str) -> None:
    assert forms(rule(drawing, more)) != forms(rule(C_SHAPE))


def test_areas_differ_by_the_numbers_that_their_kind_reads() -> None:
    bounded = 'area = [{{ side = "left", kind = "within", low = {} }}]'
    even = rule(AREA, 'area = [{ side = "left", kind = "even" }]')
    within = [forms(rule(AREA, bounded.format(low))) for low in (0, 1)]
    assert within[0] != within[1]
    assert forms(even) not in within
    right = rule(AREA, 'area = [{ side = "right", kind = "even" }]')
    assert forms(right) != forms(even)
