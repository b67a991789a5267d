"""The positions that the pages of rules show: there the rule fires."""

import pytest

from heuristic.groups import load_rules, rule_names
from solver.board import Position
from website.casepages import corpus_cases
from website.examples import Example, examples

UNDRAWN = ["fragments", "two-factor", "sequence-recursion"]


@pytest.fixture(scope="module")
def shown() -> dict[str, Example]:
    small = [case for case in corpus_cases() if case.position.board.cells <= 81]
    return examples(small, [*rule_names("seed-7"), *UNDRAWN])


def forbidden(rule: str, position: Position) -> str:
    return "".join(forbid.move for forbid in load_rules(rule).forbids(position))


def test_a_rule_forbids_alone_what_its_page_says(shown: dict[str, Example]) -> None:
    assert shown.keys() >= {"c-shape", "fragments", "two-factor"}
    assert len(shown) > 15
    for name, example in shown.items():
        assert example.moves
        assert forbidden(name, example.position) == example.moves
