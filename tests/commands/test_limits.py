"""Limits are said before, and what takes long is asked for."""

import json

import pytest

from heuristic.groups import load_rules
from solver.board import Board
from solver.oracles.oracle import get_oracle
from solver.oracles.registry import ORACLES
from tests.runner import assert_refused, run
from verify.commands.verify import print_stuck


def test_ways_that_are_too_many_are_said_to_be_limited(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules, oracle = load_rules("seed-5"), get_oracle("sat")
    print_stuck(rules, Board.square(5), oracle, seconds=0)
    assert capsys.readouterr().out == (
        "\nthe ways tried in 0 rounds, the limit: 0 walks completed, 0 stuck\n"
    )


def test_every_allowed_way_is_walked_when_asked_for() -> None:
    plain = run("verify", "seed-5", "5")
    asked = run("verify", "seed-5", "5", "--ways")
    assert "allowed way" not in plain.out
    assert "every allowed way: 104 walks completed, 28 stuck" in asked.out
    assert "its mistake was move 12, U, at 5:RRRRDDDLLLU" in asked.out
    whole = run("verify", "seed-5", "seed-close", "5", "--ways")
    assert whole.out.endswith("every allowed way: 104 walks completed, 0 stuck\n")
    assert_refused(run("verify", "seed-5", "9", "--ways"))


def test_verify_says_that_it_draws_and_how_many() -> None:
    ran = run("verify", "c-shape", "3x17")
    assert "above 49 cells positions are drawn, 2,000 here; -n draws more" in ran.err
    assert "above" not in run("verify", "c-shape", "9", "-n", "5").err


def test_brute_has_a_limit_of_its_own() -> None:
    from solver.oracles.brute import LIMIT, BruteOracle
    from solver.oracles.oracle import get_oracle

    oracle = get_oracle("brute")
    assert isinstance(oracle, BruteOracle)
    assert oracle.limit == LIMIT


def test_large_boards_are_judged_without_a_formula(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(ORACLES, "sat")  # the one that builds a formula
    ran = run("check", "103:RRD", "--json")
    assert ran.code == 0
    assert {move["verdict"] for move in json.loads(ran.out)["moves"].values()} == {
        "COMPLETABLE"
    }
