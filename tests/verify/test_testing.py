"""The helpers for tests of users, and the strategies without Hypothesis."""

from pathlib import Path
from typing import Any

import pytest

from heuristic.groups import load_rules
from solver.board import Position
from solver.errors import NoWalkError, OptionError
from tests.samples import NEVER_RIGHT
from verify.testing import assert_complete, assert_sound

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_sound_rule_passes_and_a_wrong_one_is_shown(tmp_path: Path) -> None:
    assert_sound(load_rules("seed-5"), boards=["5"], drawn=50)
    file = tmp_path / "wrong.toml"
    file.write_text(NEVER_RIGHT)
    with pytest.raises(AssertionError, match=r"never-right forbids \w at ") as told:
        assert_sound(file, boards=["3"], on=None)
    assert "◎" in str(told.value)
    assert "right is never right" in str(told.value)


def test_a_rule_that_is_wrong_on_large_boards_only_is_found_by_drawing() -> None:
    wrong = "count-area-across-border-c"
    assert_sound(wrong, boards=["5"], on=None)
    with pytest.raises(AssertionError, match="random positions of 9, seed 0"):
        assert_sound(wrong, boards=["5"], drawn=400)


def test_a_gap_is_shown_with_its_picture() -> None:
    assert_complete("seed-2024", "5")
    with pytest.raises(AssertionError) as told:
        assert_complete("seed-5", "5")
    first, *lines, last = str(told.value).splitlines()
    gap = Position.parse("5:RDLDDDRRRU")
    assert first == f"seed-5 allows U at {gap.notation}, though dead"
    [reason] = [f.reason.sentence for f in load_rules("seed-5").forbids(gap)]
    assert lines == [*str(gap).splitlines(), f"R: near-border-side: {reason}"]
    assert last == "12 gaps in 1,583 positions, every completable position of 5"
    with pytest.raises(AssertionError, match="random positions of 9"):
        assert_complete("seed-5", "9", drawn=200)
    with pytest.raises(NoWalkError):
        assert_complete("seed-5", "8", drawn=10)


@pytest.mark.parametrize("options", [{"drawn": 0}, {"boards": []}])
def test_nothing_tried_is_an_error(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="no position would be tried"):
        assert_sound("c-shape", **options)


def test_a_rule_is_tried_only_on_boards_it_is_meant_for() -> None:
    upright = "5@5,1>1,5"  # near-border-front is wrong there
    assert_sound("near-border-front,c-shape", boards=upright, on=None)
    with pytest.raises(OptionError, match="no rule is meant for board"):
        assert_sound("near-border-front", boards=[upright], on=None)
