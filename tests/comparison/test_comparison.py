"""The great comparison: what is drawn is fair, and a wrong answer is found."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_moves, get_oracle
from tests.runner import run
from tests.runs.sums import answer_of
from verify.corpus.cases import load_corpus
from verify.corpus.making import disagreement_case
from verify.evidence import comparing
from verify.evidence.comparing import A_BOARD, KINDS, asked, compare, draw_positions


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


def test_what_is_drawn_is_of_every_kind() -> None:
    drawn = [one for number in range(75) for one in draw_positions(3, number)]
    assert len(drawn) == 75 * A_BOARD == 600
    assert [one.kind for one in drawn[::A_BOARD]][:5] == list(KINDS)
    search = get_oracle("search")
    share = Counter(search.decide(one.position).verdict for one in drawn)
    assert 0.3 < share[Verdict.DEAD] / 600 < 0.6
    boards = [one.position.board for one in drawn]
    sides = {side for board in boards for side in (board.rows, board.cols)}
    assert {5, 9, 10, 13} <= sides <= set(range(5, 22))
    assert max(sides) > 17
    assert any(one.position.board.walls for one in drawn)
    names = Counter(n for k, one in enumerate(drawn) for n in asked(one.position, k))
    assert names["sat"] == names["search"] == 600
    assert names["frontier"] > 200


def test_every_sample_has_boards_of_every_kind_and_positions_on_and_off_walks() -> None:
    drawn = [one for number in range(400) for one in draw_positions(5, number)]
    for name, most in (("frontier", 121),):
        met = [
            (one.kind, k % A_BOARD)
            for k, one in enumerate(drawn)
            if name in asked(one.position, k) and one.position.board.cells <= most
        ]
        assert {kind for kind, _ in met} == set(KINDS)
        assert {place for _, place in met} == set(range(A_BOARD))


def test_all_agree_on_a_few() -> None:
    found = answer_of(comparing.oracles(100, seed=9))
    assert (found.positions, found.faults) == (100, 0)
    assert found.counts["proofs"] > 0
    assert found.counts["forbidden"] > 30


def test_an_oracle_that_errs_is_found() -> None:
    position = Position.parse("7:RRD")
    right: dict[str, Oracle] = dict(comparing._oracles())
    assert compare(position, 0).faults == []
    wrong = dict(right) | {"strips": Wrong("verdict")}
    assert "search COMPLETABLE strips DEAD" in compare(position, 0, wrong).faults[0]
    ways = {"witness": "witness of sat: ", "verdict": "verdicts differ: "}
    for way, told in ways.items():
        oracles: dict[str, Oracle] = right | {"sat": Wrong(way)}
        faults = compare(position, 0, oracles).faults
        assert faults
        assert told in faults[0]
        assert faults[0].startswith("7:RRD ")


def test_the_command_says_what_came_of_it() -> None:
    ran = run("selftest", "-n", "20")
    assert ran.code == 0
    assert ran.out.startswith("20 positions compared, 0 disagreements\n")
    assert run("selftest", "-n", "0").code == 2


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
        told = {move: one.verdict.name.lower() for move, one in truth.items()}
        assert case.moves == told
    for case in cases:
        assert case.path
        case.path.unlink()
    assert "case saved: " in run(*words).err  # told again from the ledger
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
