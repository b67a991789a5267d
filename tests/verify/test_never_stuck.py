"""Wrong rules with which no walk gets stuck: walks alone do not show the error."""

from pathlib import Path

import pytest

from heuristic.groups import rules_together
from heuristic.rules.rulefile import load_file
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Position
from tests.samples import specs

FILE = Path(__file__).parents[2] / "docs" / "examples" / "never-stuck.toml"
WRONG = {spec.name: spec for spec in load_file(FILE)}


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("rule", "board", "completed"),
    [
        ("wrong-and-free", "5:", 98),
        ("wrong-and-free", "7:", 96_188),
        ("all-but-two", "5:", 2),
        ("all-but-two", "9:", 2),
    ],
)
def test_walks_are_lost_and_nothing_is_stuck(
    rule: str, board: str, completed: int
) -> None:
    rules = rules_together("both", [*specs("seed-2024"), WRONG[rule]])
    walk = LeftFirstWalk(rules, Position.parse(board))
    assert walk.run() is Event.FINISHED
    assert (walk.completed, walk.stuck) == (completed, 0)
