"""The comparison of oracles: its positions, what it finds, and the cases of that."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.oracles.oracle import Answer, Verdict, get_oracle
from tests.runner import run
from tests.runs.sums import answer_of
from verify.corpus.cases import load_corpus
from verify.corpus.faults import disagreement_case
from verify.evidence import comparing
from verify.evidence.comparing import (
    A_BOARD,
    KINDS,
    compare,
    oracles_for,
    random_positions,
)
from verify.truth import truth


def wrong(way: str) -> SimpleNamespace:
    """Return an oracle that errs in one way."""
    sat = get_oracle("sat")

    def decide(position: Position) -> Answer:
        answer = sat.decide(position)
        if way == "witness" and answer.witness:
            return replace(answer, witness=answer.witness[:-1])
        if way == "verdict" and answer.verdict is Verdict.COMPLETABLE:
            return Answer(Verdict.DEAD)
        return answer

    return SimpleNamespace(name="sat", decide=decide)


def test_random_positions_are_of_every_kind() -> None:
    boards_of = [random_positions(3, number) for number in range(75)]
    assert [kind for kind, _ in boards_of[:5]] == list(KINDS)
    drawn = [position for _, some in boards_of for position in some]
    assert len(drawn) == 75 * A_BOARD == 600
    search = get_oracle("search")
    share = Counter(search.decide(position).verdict for position in drawn)
    assert 0.3 < share[Verdict.DEAD] / 600 < 0.6
    boards = [position.board for position in drawn]
    sides = {side for board in boards for side in (board.rows, board.cols)}
    assert {5, 9, 10, 13} <= sides <= set(range(5, 22))
    assert max(sides) > 13
    assert any(board.walls for board in boards)
    names = Counter(n for k, x in enumerate(drawn) for n in oracles_for(x, k))
    assert names["sat"] == names["search"] == 600
    assert names["frontier"] > 200
    assert names["cpsat"] > 20


def test_all_agree_on_a_few() -> None:
    comparison = answer_of(comparing.oracles(100, seed=9))
    assert (comparison.positions, comparison.faults) == (100, ())
    assert comparison.counts["proofs"] > 0
    assert comparison.counts["forbidden"] > 30


@pytest.mark.parametrize(
    ("place", "name", "way", "fault"),
    [
        ("7:RRD", "sat", "witness", "7:RRD witness of sat: cell 48 is never visited"),
        ("7:RRD", "strips", "verdict", "7:RRD verdicts differ: .* strips DEAD"),
        ("7:RRD", "sat", "verdict", "7:RRD verdicts differ: sat DEAD search COMPL"),
        ("5:RD", "search", "verdict", "5:RD is COMPLETABLE, its moves R DEAD D DEAD L"),
    ],
)
def test_an_oracle_that_errs_is_found(
    place: str, name: str, way: str, fault: str
) -> None:
    right, position = comparing._oracles(), Position.parse(place)
    assert compare(position, 0, right)[1] == []
    faults = compare(position, 0, right | {name: wrong(way)})[1]
    assert any(re.match(fault, line) for line in faults), faults


@pytest.mark.parametrize(
    ("board", "number", "frontier"),
    [("8x21", 5, True), ("11", 4, True), ("11", 5, False), ("13", 4, False)],
)
def test_the_frontier_decides_narrow_boards_and_a_sample(
    board: str, number: int, frontier: bool
) -> None:
    names = oracles_for(Position(Board.parse(board)), number)
    assert ("frontier" in names) is frontier
    assert names[:2] == ["sat", "search"]


def test_a_rule_that_forbids_a_completable_move_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = load_rules("docs/examples/first-rule.toml")
    monkeypatch.setattr(comparing, "_rules", lambda: rules)
    counts, faults = compare(Position.parse("3:DDR"), 0)
    assert counts["forbidden"] == 1
    assert faults == ["3:DDR corner-ahead forbids U, which is completable"]


def test_a_disagreement_becomes_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracles = comparing._oracles() | {"sat": wrong("verdict")}
    monkeypatch.setattr(comparing, "_oracles", lambda: oracles)
    words = ("selftest", "-n", "12", "--corpus", str(tmp_path))
    ran = run(*words)
    assert ran.code == 1
    assert "a disagreement: " in ran.err
    cases = [*load_corpus(tmp_path)]
    assert cases
    assert {case.kind for case in cases} == {"verdict"}
    assert all("verdicts differ: sat DEAD" in case.why for case in cases)
    for case in cases:
        assert case.moves == truth(case.position, get_oracle("frontier"))
        assert case.path
        case.path.unlink()
    assert "case saved: " in run(*words).err  # printed again from the ledger
    assert len([*load_corpus(tmp_path)]) == len(cases)


@pytest.mark.parametrize(
    ("line", "kind", "rule", "subject"),
    [
        ("7:RRD c-shape forbids R, which is completable", "unsound", "c-shape", "R"),
        ("7:RRD c-shape forbids R: its area is not closed", "verdict", "", ""),
        ("7:RRDRURDDLD c-shape forbids L, which is completable", "verdict", "", ""),
    ],
    ids=["wrong", "wrong reason", "dead move"],
)
def test_the_case_of_a_disagreement(
    line: str, kind: str, rule: str, subject: str
) -> None:
    case = disagreement_case(line, "a test")
    assert case is not None
    assert (case.kind, case.rules, case.subject) == (kind, rule, subject)
    assert case.moves == truth(case.position, get_oracle("frontier"))
    assert case.why == f"the comparison of oracles disagreed: {line.split(' ', 1)[1]}"
