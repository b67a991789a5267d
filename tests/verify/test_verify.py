"""Soundness, stuck positions and blame, against what a naive look at 5x5 says."""

from pathlib import Path

import pytest

from heuristic.groups import load_rules, rules_together
from heuristic.rule import RuleSet, choices
from heuristic.rules.rulefile import parse_rules
from heuristic.walker import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import get_oracle
from solver.oracles.reference import BruteOracle
from solver.positions import completable_positions
from tests.doubles.positions import completable
from tests.runs.sums import answer_of
from tests.samples import NEVER_RIGHT
from verify.evidence.evidence import (
    Evidence,
    blocks,
    sampled_positions,
    trials,
    verify_exhaustive,
    verify_positions,
)
from verify.truth import blame, truth

SAT = get_oracle("sat")
WRONG = Path(__file__).parents[2] / "docs/examples/first-rule.toml"


def naive_evidence(rule_set: RuleSet, board: Board) -> dict[str, object]:
    """Count by the definitions, position by position."""
    gaps, missed, dead_moves = 0, 0, 0
    fired = dict.fromkeys((rule.name for rule in rule_set.rules), 0)
    wrong, caught, only = dict(fired), dict(fired), dict(fired)
    for position, good in completable_positions(board):
        moves = choices(position)
        by_rule = {rule.name: "" for rule in rule_set.rules}
        for f in rule_set.forbids(position):
            by_rule[f.rule] += f.move
        dead = [move for move in moves if move not in good]
        allowed = [m for m in dead if not any(m in f for f in by_rule.values())]
        dead_moves += len(dead)
        missed += len(allowed)
        gaps += bool(allowed)
        for name, forbidden in by_rule.items():
            fired[name] += any(m in forbidden for m in moves)
            wrong[name] += any(m in forbidden for m in good)
            caught[name] += sum(m in forbidden for m in dead)
            others = "".join(f for n, f in by_rule.items() if n != name)
            only[name] += sum(m in forbidden and m not in others for m in dead)
    counts = {"gaps": gaps, "missed": missed, "dead_moves": dead_moves}
    return counts | {"fired": fired, "wrong": wrong, "caught": caught, "only": only}


def summary(evidence: Evidence) -> dict[str, object]:
    keys = "gaps", "missed", "dead_moves"
    counts: dict[str, object] = {key: getattr(evidence, key) for key in keys}
    for key in ("fired", "wrong", "caught", "only"):
        counts[key] = {rule.name: getattr(rule, key) for rule in evidence.rules}
    return counts


@pytest.mark.parametrize("rules", ["seed-5,seed-close", f"{WRONG},seed-5"])
def test_exhaustive_evidence_counts_by_the_definitions(rules: str) -> None:
    rule_set = load_rules(rules)
    evidence = verify_exhaustive(rule_set, Board.square(5))
    assert summary(evidence) == naive_evidence(rule_set, Board.square(5))


def test_the_examples_of_drawn_positions_are_the_smallest_of_all_walks() -> None:
    rule_set = rules_together("wrong", parse_rules(NEVER_RIGHT))
    known = list(sampled_positions(Board.square(5), 120, seed=3, oracle=SAT))
    evidence = verify_positions(rule_set, known, "five walks")
    gaps, wrong = [], []
    for position, good in known:
        forbidden = "".join(f.move for f in rule_set.forbids(position))
        if set(forbidden) & set(good):
            wrong.append(position)
        if any(m not in good + forbidden for m in choices(position)):
            gaps.append(position)
    assert len({position.notation[:6] for position in wrong}) > 2  # of several walks
    firsts = evidence.first_gap, evidence.rules[0].first_wrong
    assert [x and x.position for x in firsts] == [
        min(all_such, key=lambda one: len(one.walk)) for all_such in (gaps, wrong)
    ]


def test_drawn_positions_are_completable_and_repeatable() -> None:
    board = Board.parse("5x4@1,1>5,1!3,2")
    found = list(sampled_positions(board, 60, seed=3, oracle=SAT))
    assert found == list(sampled_positions(board, 60, seed=3, oracle=SAT))
    assert len(found) == 60
    for position, good in found:
        options = position.options()
        assert good == "".join(m for m in options if completable(position.step(m)))
        assert completable(position)
    dead = Board.parse("2x2@1,1>2,2")
    with pytest.raises(NoWalkError, match="no Hamiltonian walk"):
        next(sampled_positions(dead, 1, seed=0, oracle=SAT))


def test_units_give_what_one_look_at_all_positions_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, board = "seed-5,close-side-straight", Board.square(7)
    monkeypatch.setattr("verify.evidence.evidence.BLOCK", 90)
    boards = [("5", "sat", None), ("7", "search", 200)]
    whole, drawn = answer_of(trials([rules], boards, seed=4))
    assert whole == verify_exhaustive(load_rules(rules), Board.square(5))
    known = [
        one
        for many, drawn_by in blocks(200, 90, 4)
        for one in sampled_positions(board, many, seed=drawn_by, oracle=SAT)
    ]
    scope = "200 random positions of 7, seed 4"
    assert drawn == verify_positions(load_rules(rules), known, scope)
    assert drawn.gaps


@pytest.mark.slow
def test_all_of_7x7() -> None:
    evidence = verify_exhaustive(load_rules("seed-5"), Board.square(7))
    assert evidence.positions == 2_043_335
    assert evidence.sound
    assert not evidence.complete


def test_blame_finds_the_last_completable_prefix() -> None:
    walker = LeftFirstWalk(load_rules("c-shape"), Position(Board.square(5)))
    assert walker.run(stop_stuck=True) is Event.STUCK
    walker_end = walker.position
    prefixes = [walker_end.back(k) for k in range(len(walker_end.walk))]
    assert blame(walker_end, SAT) == next(p for p in prefixes if completable(p))
    assert blame(Position.parse("2:R"), SAT) is None
    assert blame(Position.parse("2:"), SAT) is None
    alive = Position.parse("5:RRD")
    assert blame(alive, SAT) == alive


def test_truth_is_the_truth_or_an_error() -> None:
    assert truth(Position.parse("3:R"), SAT) == {"R": "completable", "D": "dead"}
    with pytest.raises(OptionError, match="does not know"):
        truth(Position.parse("9:RRDD"), BruteOracle(limit=5))


def test_an_early_move_onto_the_end_cell_is_no_gap() -> None:
    """Entering the end cell before the last step is dead, but no rule has to say it."""
    silent = rules_together(
        "silent", parse_rules(NEVER_RIGHT.replace("@ x", ". . . . .\n@ x ? ? ?"))
    )
    early = Position.parse("3@1,1>1,3:R")
    evidence = verify_positions(silent, [(early, "D")], "one")
    assert (evidence.gaps, evidence.missed, evidence.dead_moves) == (0, 0, 0)
    board = Board.parse("3@1,1>1,3")
    whole = verify_exhaustive(silent, board)
    known = list(completable_positions(board))
    gaps = sum(any(m not in good for m in choices(one)) for one, good in known)
    assert whole.gaps == gaps
