"""The great comparison: what is drawn is fair, and a wrong answer is comparison."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from solver.board import Board, Position
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_moves, get_oracle
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


class Wrong:
    """An oracle that errs in one way."""

    name = "sat"

    def __init__(self, way: str) -> None:
        self._way, self._oracle = way, get_oracle("sat")

    def decide(self, position: Position) -> Answer:
        """Decide, wrongly."""
        answer = self._oracle.decide(position)
        if self._way == "witness" and answer.witness:
            return replace(answer, witness=answer.witness[:-1])
        if self._way == "verdict" and answer.verdict is Verdict.COMPLETABLE:
            return Answer(Verdict.DEAD)
        return answer


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


def test_an_oracle_that_errs_is_found() -> None:
    position = Position.parse("7:RRD")
    right: dict[str, Oracle] = dict(comparing._oracles())
    assert compare(position, 0)[1] == []
    wrong = dict(right) | {"strips": Wrong("verdict")}
    assert "search COMPLETABLE strips DEAD" in compare(position, 0, wrong)[1][0]
    ways = {"witness": "witness of sat: ", "verdict": "verdicts differ: "}
    for way, sentence in ways.items():
        oracles: dict[str, Oracle] = right | {"sat": Wrong(way)}
        faults = compare(position, 0, oracles)[1]
        assert faults
        assert sentence in faults[0]
        assert faults[0].startswith("7:RRD ")


def test_moves_that_contradict_their_position_are_a_fault() -> None:
    wrong = dict(comparing._oracles()) | {"search": Wrong("verdict")}
    faults = compare(Position.parse("5:RD"), 0, wrong)[1]
    assert "5:RD is COMPLETABLE, its moves R DEAD D DEAD L DEAD" in faults


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
    wrong = load_rules("docs/examples/first-rule.toml")
    monkeypatch.setattr(comparing, "_rules", lambda: wrong)
    counts, faults = compare(Position.parse("3:DDR"), 0)
    assert counts["forbidden"] == 1
    assert faults == ["3:DDR corner-ahead forbids U, which is completable"]


def test_a_disagreement_becomes_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = dict(comparing._oracles()) | {"sat": Wrong("verdict")}
    monkeypatch.setattr(comparing, "_oracles", lambda: wrong)
    words = ("selftest", "-n", "12", "--corpus", str(tmp_path))
    ran = run(*words)
    assert ran.code == 1
    assert "a disagreement: " in ran.err
    cases = [*load_corpus(tmp_path)]
    assert cases
    assert {case.kind for case in cases} == {"verdict"}
    assert all("verdicts differ: sat DEAD" in case.why for case in cases)
    for case in cases:
        truth = decide_moves(get_oracle("frontier"), case.position)
        verdicts = {move: answer.verdict.name.lower() for move, answer in truth.items()}
        assert case.moves == verdicts
    for case in cases:
        assert case.path
        case.path.unlink()
    assert "case saved: " in run(*words).err  # printed again from the ledger
    assert len([*load_corpus(tmp_path)]) == len(cases)


def test_a_rule_that_is_wrong_becomes_a_case_against_it() -> None:
    line = "7:RRD c-shape forbids R, which is completable"
    case = disagreement_case(line, "a test")
    assert case
    assert (case.kind, case.rules, case.subject) == ("unsound", "c-shape", "R")
    line = "7:RRD c-shape forbids R: its area is not closed"
    case = disagreement_case(line, "a test")
    assert case
    assert (case.kind, case.rules) == ("verdict", "")


def test_a_ban_of_a_dead_move_becomes_a_case_of_the_truth() -> None:
    line = "7:RRDRURDDLD c-shape forbids L, which is completable"
    case = disagreement_case(line, "a test")
    assert case
    assert (case.kind, case.rules, case.moves["L"]) == ("verdict", "", "dead")
