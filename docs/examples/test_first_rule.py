"""Tests of a rule of your own: run with `python -m pytest docs/examples`."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from heuristic import load_rules
from solver import Position, Verdict, get_oracle
from verify import assert_complete, assert_sound, completable_positions

HERE = Path(__file__).parent
MENDED = HERE / "second-rule.toml"
SEARCH = get_oracle("search")


def test_the_mended_rule_is_sound() -> None:
    """No position of 5 x 5 and 3 x 7, and none drawn on 9 x 9, speaks against it."""
    assert_sound(MENDED)


def test_the_first_rule_is_not() -> None:
    """It forbids the way into the end cell."""
    with pytest.raises(AssertionError, match="corner-ahead forbids"):
        assert_sound(HERE / "first-rule.toml")


def test_two_groups_leave_no_gap_on_5x5() -> None:
    """Every dead move of every completable position is forbidden."""
    assert_complete("seed-5,seed-close", "5")


@settings(max_examples=50, deadline=None)
@given(completable_positions(max_side=7))
def test_the_mended_rule_forbids_dead_moves_only(position: Position) -> None:
    """The same said with a strategy, for what the helpers do not ask."""
    for forbid in load_rules(str(MENDED)).forbids(position):
        after = position.step(forbid.move)
        assert SEARCH.decide(after).verdict is Verdict.DEAD
