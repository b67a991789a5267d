"""What drawings say of each other is true of completable and of random positions."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from heuristic.groups import drawn_rules, without_precedence
from heuristic.rules.drawing import ASKED, RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.positions import completable_positions
from tests.heuristic.test_forced import random_positions
from tests.heuristic.test_ties import FULL, LOOP
from tests.samples import specs
from verify.verdict.implied import implies, kin_of
from verify.verdict.sharpen import removals


def one(drawing: str, more: str = "") -> RuleSpec:
    text = f'[[rule]]\nname = "a"\nclaim = "sound"\n{more}\ndrawing = "{drawing}"\n'
    return parse_rules(text)[0]


def masks(rule: RuleSpec) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    tree = completable_positions(Board.square(5))
    found = (
        without_precedence(drawn_rules(rule.name, [rule])).walker(tree.board).tree(tree)
    )
    return np.concatenate([part.masks[:, 0] for part in found])


def test_who_implies_whom_is_true_of_every_position() -> None:
    rules = [*specs("seed-7"), *specs("seed-2024"), *specs("seed-superseded")]
    rules = list({rule.name: rule for rule in rules}.values())
    pairs = [(a, b) for a, b in product(rules, rules) if a != b and implies(a, b)]
    assert len(pairs) > 4
    said = {rule.name: masks(rule) for pair in pairs for rule in pair}
    for a, b in pairs:
        assert not (said[b.name] & ~said[a.name]).any(), (a.name, b.name)


@pytest.mark.parametrize(
    ("weak", "strong", "more"),
    [
        ("? ? x\\n% K @\\n? % ?", "? # x\\n% K @\\n? % ?", ""),
        ("? ? x\\n% . @\\n? % ?", "? ? x\\n% K @\\n? % ?", ""),
        ("? ? x\\n% . @\\n? % ?", "? ? x\\nB . @\\n? # ?", ""),
    ],
)
def test_a_stronger_condition_is_implied_and_not_the_other_way(
    weak: str, strong: str, more: str
) -> None:
    first, second = one(weak, more), one(strong, more)
    assert implies(first, second)
    assert not implies(second, first)


def test_a_turned_or_mirrored_drawing_is_the_same() -> None:
    first, second = one("? ? x\\n% K @\\n? % ?"), one("x ? ?\\n@ K %\\n? % ?")
    assert kin_of(first, [second]) == (["a"], [], [])
    unturned = one("? ? x\\n% K @\\n? % ?", "mirror = false")
    assert implies(first, unturned)
    assert not implies(unturned, first)


# Facts --------------------------------------------------------------------------

FOLLOWED = (
    """
[[rule]]
name = "followed"
claim = "sound"
turns = ["0", "cw", "ccw"]
dead = [[[0, 0], [0, 1]]]
drawing = """
    + "'''\nX\n@\n'''"
)
BESIDE_AREA = """
[[rule]]
name = "beside-area"
claim = "sound"
dead = [[[0, 0], [0, 1]]]
area = [{ side = "left", kind = "closed" }]
drawing = '''
? ? X
% s @
'''
"""
RUN = """
[[rule]]
name = "run"
claim = "unargued"
runs = [[[1, 0], [-1, 0]]]
drawing = '''
? x ?
% @ %
'''
"""
PLACES = [Board.square(5), Board.parse("4x7@4,4>4,5"), Board.parse("6x7@2,1>5,6!3,4")]


def weaker_forms(rule: RuleSpec) -> list[RuleSpec]:
    """Return a rule, and the rule without one condition at a time."""
    (drawing,) = rule.drawings
    fewer = [
        replace(rule, name=f"{rule.name}, {change.text}", drawings=(change.drawing,))
        for change in removals(drawing)
    ]
    without = [
        replace(drawing, areas=drawing.areas[:k] + drawing.areas[k + 1 :])
        for k in range(len(drawing.areas))
    ]
    bare = [
        replace(rule, name=f"{rule.name}, fewer areas", drawings=(one,))
        for one in without
    ]
    return [rule, *fewer, *bare]


def test_implication_holds_for_every_kind_of_fact() -> None:
    """Each rule beside itself with one condition less, in random walks, dead ends too.

    Without an area `dead` asks for more, so the rule with the area implies the other.
    """
    texts = (LOOP, FULL, FOLLOWED, BESIDE_AREA, RUN)
    rules = [
        form
        for text in texts
        for rule in parse_rules(text)
        for form in weaker_forms(rule)
    ]
    rules += specs("found-13")[:6]
    kinds = {fact[0] for rule in rules for one in rule.drawings for fact in one.asked}
    assert kinds == set(ASKED)
    pairs = [(a, b) for a, b in product(rules, rules) if a is not b and implies(a, b)]
    assert len(pairs) > 20
    ran = without_precedence(drawn_rules("all", rules))
    number = {id(rule): column for column, rule in enumerate(rules)}
    fired = set[int]()
    for board in PLACES:
        for position in random_positions(board, 3, walks=80):
            if len(position.walk) == 1:
                tracker = ran.walker(board)
                continue
            tracker.push(position.live_end)
            said = tracker.masks()
            fired |= {column for column, mask in enumerate(said) if mask}
            for a, b in pairs:
                more = int(said[number[id(b)]]) & ~int(said[number[id(a)]])
                assert not more, (position.notation, a.name, b.name)
    assert len({number[id(b)] for _, b in pairs} & fired) > 12
