"""Generated rules about forced edges near the rim: proved, checked, and right."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import parse_rules
from tests.doubles.mutation import without_a_fact
from tests.proof.lines import away_drawings, shows, with_less
from tests.proof.tied_worlds import NARROW, board_in, tried, worlds_of
from tests.samples import proof_of
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule

SOME = Path(__file__).parents[1] / "data" / "tied_rules.toml"


def rules_in(scope: Scope) -> list[RuleSpec]:
    """Return generated rules of a scope, which their names begin with."""
    rules = parse_rules(SOME.read_text(encoding="utf-8"), SOME.name)
    return [rule for rule in rules if rule.name.startswith(scope.name.lower())]


def without_a_tie(rule: RuleSpec) -> list[RuleSpec]:
    """Return the rule without one forced edge or line, in all ways."""
    (drawing,) = rule.drawings
    return [replace(rule, drawings=(less,)) for _, less in without_a_fact(drawing)]


@pytest.mark.parametrize("scope", NARROW, ids=lambda scope: scope.name)
def test_kept_rules_need_their_scope_and_what_is_forced(scope: Scope) -> None:
    rule = rules_in(scope)[0]
    assert proof_of(rule, seconds=10.0).scope is scope
    for less in without_a_tie(rule):
        attempt = prove_rule(less, seconds=2.0, most=1, within=scope)
        assert not isinstance(attempt, Proved)


@pytest.mark.parametrize("scope", NARROW, ids=lambda scope: scope.name)
def test_kept_rules_are_right_in_worlds_of_their_scope(scope: Scope) -> None:
    """Without something forced one of them at least is seen to be wrong there."""
    rules = rules_in(scope)
    some = [*rules, *(less for rule in rules for less in without_a_tie(rule))]
    named = [replace(rule, name=f"{number}") for number, rule in enumerate(some)]
    rule_set, totals = RuleSet("tied", named), np.zeros((2, len(some)), np.int64)
    for tree in islice(worlds_of(scope, 5), 20):
        assert board_in(scope, tree.board)
        totals += tried(rule_set, tree)
    fired, wrong = totals
    assert len(rules) >= 3
    assert np.count_nonzero(fired[: len(rules)]) >= len(rules) - 1
    assert (wrong[: len(rules)] == 0).all()
    assert wrong[len(rules) :].any()


def test_no_walk_shows_what_is_said_away_from_the_live_end() -> None:
    """With walls, rims and corners; with one fact less, walks show it."""
    drawings = away_drawings()
    weaker = [less for drawing in drawings[::9] for less in with_less(drawing)]
    seen = set[int]()
    for scope in Scope:
        small = (tree for tree in worlds_of(scope, 3) if tree.board.cells <= 25)
        for tree in islice(small, 2):
            walk = tree.position(int(np.flatnonzero(tree.good == 0)[0])).walk
            assert not any(shows(x, walk, tree.board) for x in drawings[::2])
            seen |= {k for k, x in enumerate(weaker) if shows(x, walk, tree.board)}
    assert len(seen) > len(weaker) // 2
