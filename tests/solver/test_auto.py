"""The oracle `auto`: which oracle it asks, and that it judges no rule of its own."""

import pytest

from heuristic.groups import load_rules
from heuristic.rule import related_oracles
from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.oracle import (
    ORDER,
    AutoOracle,
    Verdict,
    decide_all,
    get_oracle,
)
from tests.heuristic.test_universal import ALL
from verify.commands.options import unrelated_oracle
from verify.commands.verify import oracle_for

# Of the oracles that `auto` asks, those made of the kernels of a rule.
SHARED = {"strips": "strips"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("7:RRD", "strips"),
        ("7:RRDRURDDLDL", "strips"),
        ("5!2,2:RRR", "strips"),  # the wall is at the walk: no hole
        ("5!3,3:RRR", "search"),
        ("5@3,3>1,1:", "search"),
    ],
)
def test_which_oracle_answers(text: str, name: str) -> None:
    position = Position.parse(text)
    answer, moves = decide_all(AutoOracle(), position)
    assert answer.oracle == name
    assert {one.oracle for one in moves.values()} <= {*ORDER}
    by_sat, sat_moves = decide_all(get_oracle("sat"), position)
    assert answer.verdict is by_sat.verdict
    assert [one.verdict for one in moves.values()] == [
        one.verdict for one in sat_moves.values()
    ]


def test_the_next_oracle_is_asked_where_one_does_not_know() -> None:
    position = Position.parse("7!4,4;4,5:RRD")
    for left_out in ([], ["strips"], ["search"], ["strips", "search"]):
        answer = AutoOracle(without=left_out).decide(position)
        assert answer.oracle == next(
            name for name in ("search", "sat") if name not in left_out
        )
        assert answer.verdict is Verdict.COMPLETABLE
    assert AutoOracle(without=ORDER).decide(position).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("oracle", ["strips", "search", "auto"])
@pytest.mark.parametrize("rule", [*ALL, "universal", "universal-4"])
def test_no_universal_rule_is_judged_by_its_own_kernels(rule: str, oracle: str) -> None:
    rules = load_rules(rule)
    shared = {SHARED.get(name, "search") for name in [r.name for r in rules.rules]}
    assert shared == {*related_oracles(rules)}
    judge = unrelated_oracle(rules, "auto")
    assert judge.decide(Position.parse("7:RRD")).oracle not in shared
    for side in (7, 61):
        assert oracle_for(rules, Board.square(side), None).name not in shared
    if oracle in shared or oracle == "auto":
        with pytest.raises(OptionError, match="shares its kernels"):
            oracle_for(rules, Board.square(7), oracle)
    else:
        assert oracle_for(rules, Board.square(7), oracle).name == oracle


def test_drawn_rules_may_be_judged_by_any() -> None:
    rules = load_rules("seed-5")
    assert oracle_for(rules, Board.square(7), "auto").name == "auto"
    judge = unrelated_oracle(rules, "auto")
    assert judge.decide(Position.parse("7:RRD")).oracle == "strips"
