"""Proofs against exhaustion of small boards, and against cases of the corpus."""

from collections.abc import Sequence
from functools import cache

import pytest

from heuristic.groups import group_names, load_rules
from heuristic.rules.drawing import RuleSpec
from solver.board import Board
from tests.doubles.exhaustion import refute_exhaustive
from tests.samples import book
from verify.corpus.cases import Case, cases_against, corpus_folder
from verify.proof.counterexample import refute_by_cases
from verify.proof.prove import Proved, prove_rule
from verify.verdict.verdict import Refuted, judge


@cache
def drawn_rules() -> dict[str, RuleSpec]:
    """Return every drawn rule of the book by its name."""
    return {
        rule.name: rule
        for group in group_names()
        for rule in load_rules(group).rules
        if isinstance(rule, RuleSpec)
    }


def small() -> list[RuleSpec]:
    return [spec for spec in drawn_rules().values() if len(spec.drawings) <= 12]


@cache
def cases() -> dict[str, list[Case]]:
    """Return the cases against rules of the book, by the names of the rules."""
    by_rule = cases_against(corpus_folder())
    assert len(by_rule) >= 8
    return {name: by_rule[name] for name in by_rule if name in drawn_rules()}


@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_case_refutes_its_rule(large: bool) -> None:
    names = [name for name in cases() if (book(name) not in small()) == large]
    assert names
    for name in names:
        wrong = refute_by_cases(book(name), cases()[name])
        assert wrong is not None, name
        assert wrong.case in [case.path for case in cases()[name]]


def wrong_on(board: Board, rules: Sequence[RuleSpec]) -> list[str]:
    """Return the rules that are wrong somewhere on a board, after trying them all."""
    refuted, evidence = refute_exhaustive(rules, board)
    assert [rule.name for rule in evidence.rules] == [rule.name for rule in rules]
    assert any(rule.fired for rule in evidence.rules)
    assert set(refuted) == {rule.name for rule in evidence.rules if rule.wrong}
    return list(refuted)


@pytest.mark.parametrize("text", ["5", "3x5"])
def test_no_small_rule_that_is_wrong_on_a_board_is_proved(text: str) -> None:
    """So a small rule that is proved is right there."""
    for name in wrong_on(Board.parse(text), small()):
        assert not isinstance(prove_rule(book(name), most=1), Proved), name


@pytest.mark.slow
@pytest.mark.parametrize("text", ["5", "5x7", "7x5", "7"])
def test_each_rule_that_is_wrong_on_a_board_is_refuted(text: str) -> None:
    wrong = wrong_on(Board.parse(text), list(drawn_rules().values()))
    assert (text != "7") or "count-area-across-border-c" in wrong
    for name in wrong:
        assert isinstance(judge(book(name)), Refuted), name
