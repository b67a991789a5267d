"""Wrong rules that never get a walker stuck: that shows nothing of what is wrong."""

from functools import cache
from pathlib import Path

import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rule import RuleSet
from heuristic.rules.drawing import RuleSpec
from heuristic.rules.rulefile import load_file
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Position
from verify.corpus.cases import corpus_folder, load_corpus

FILE = Path(__file__).parents[2] / "docs" / "examples" / "never-stuck.toml"
WRONG = {spec.name: spec for spec in load_file(FILE)}


@cache
def with_the_book(rule: str) -> RuleSet:
    book = [one for one in load_rules("seed-2024").rules if type(one) is RuleSpec]
    return rules_together("both", [*book, WRONG[rule]])


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("rule", "board", "completed"),
    [
        ("wrong-and-free", "5:", 98),
        ("wrong-and-free", "7:", 96_188),
        ("all-but-two", "5:", 2),
        ("all-but-two", "7:", 2),
        ("all-but-two", "9:", 2),
    ],
)
def test_walks_are_lost_and_nothing_is_stuck(
    rule: str, board: str, completed: int
) -> None:
    walk = LeftFirstWalk(with_the_book(rule), Position.parse(board))
    assert walk.run() is Event.FINISHED
    assert (walk.completed, walk.stuck) == (completed, 0)


def test_both_are_refuted_by_cases_of_the_corpus() -> None:
    cases = {case.accused: case for case in load_corpus(corpus_folder()) if case.text}
    for name in WRONG:
        assert cases[name].kind == "unsound"
        assert "never" in cases[name].why
