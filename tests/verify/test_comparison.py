"""Rules that imply each other by their drawings, and what they forbid."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.positions import completable_positions
from tests.heuristic.test_ties import FULL, loop
from tests.proof.test_prove import rule
from tests.samples import specs
from verify.proof.counterexample import alone
from verify.verdict.comparison import implies, kin_of

C_SHAPE = "? ? x\n% K @\n? % ?"
AREA = "? ? ? x\n% e s @"


def masks(rule: RuleSpec) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    tree = completable_positions(Board.square(5))
    parts = alone(rule).walker(tree.board).tree(tree)
    return np.concatenate([part.masks[:, 0] for part in parts])


def test_implications_are_true_of_every_position() -> None:
    rules = [*specs("seed-7"), *specs("seed-2024"), *specs("seed-superseded")]
    rules = list({rule.name: rule for rule in rules}.values())
    pairs = [(a, b) for a, b in product(rules, rules) if a != b and implies(a, b)]
    assert len(pairs) > 4
    forbidden = {rule.name: masks(rule) for pair in pairs for rule in pair}
    for a, b in pairs:
        assert not (forbidden[b.name] & ~forbidden[a.name]).any(), (a.name, b.name)


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        pytest.param(C_SHAPE, "? # x\n% K @\n? % ?", id="one more cell"),
        pytest.param("? ? x\n% . @\n? % ?", C_SHAPE, id="not the end cell"),
        pytest.param("? ? x\n% . @\n? % ?", "? ? x\nB . @\n? # ?", id="states"),
    ],
)
def test_a_weaker_drawing_implies_a_stronger_one(weak: str, strong: str) -> None:
    assert implies(rule(weak), rule(strong))
    assert not implies(rule(strong), rule(weak))


def test_a_turned_or_mirrored_drawing_is_the_same() -> None:
    first, mirrored = rule(C_SHAPE), rule("x ? ?\n@ K %\n? % ?")
    assert kin_of(first, [mirrored]) == (["mine"], [], [])
    single = rule(C_SHAPE, "mirror = false")
    assert kin_of(single, [first]) == ([], ["mine"], [])
    assert kin_of(first, [single]) == ([], [], ["mine"])


def test_areas_differ_by_the_numbers_that_their_kind_reads() -> None:
    bounded = 'area = [{{ side = "left", kind = "within", low = {} }}]'
    even = rule(AREA, 'area = [{ side = "left", kind = "even" }]')
    within = [rule(AREA, bounded.format(low)) for low in (0, 1)]
    closed = rule(AREA, 'area = [{ side = "left", kind = "closed" }]')
    assert kin_of(even, [*within, closed]) == ([], ["mine"], [])
    assert not implies(*within)
    right = rule(AREA, 'area = [{ side = "right", kind = "even" }]')
    assert not implies(even, right)


def test_less_that_is_forced_implies_more_never_the_other_way() -> None:
    (full,) = parse_rules(FULL)
    weaker = replace(
        full, drawings=tuple(replace(d, facts=d.facts[:1]) for d in full.drawings)
    )
    assert implies(full, full)
    assert implies(weaker, full)
    assert not implies(full, weaker)
    assert implies(loop(mates=""), loop())
    assert not implies(loop(), loop(mates=""))
    shut = 'area = [{ side = "left", kind = "closed" }]'
    followed = rule(AREA, f"dead = [[[0, 0], [1, 0]]]\n{shut}")
    assert implies(followed, followed)
    bare = replace(followed.drawings[0], areas=())  # a step is dead there with more
    assert not implies(replace(followed, drawings=(bare,)), followed)
