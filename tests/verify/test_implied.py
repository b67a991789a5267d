"""What drawings say of each other is true of completable and of random positions."""

from itertools import product

import numpy as np
import pytest

from heuristic.groups import rules_together, without_precedence
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from solver.board import Board
from solver.positions import completable_positions
from tests.samples import specs
from verify.verdict.comparison import implies, kin_of


def one(drawing: str, more: str = "") -> RuleSpec:
    text = f'[[rule]]\nname = "a"\nclaim = "sound"\n{more}\ndrawing = "{drawing}"\n'
    return parse_rules(text)[0]


def masks(rule: RuleSpec) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    tree = completable_positions(Board.square(5))
    found = (
        without_precedence(rules_together(rule.name, [rule]))
        .walker(tree.board)
        .tree(tree)
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
