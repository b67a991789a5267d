"""The commands that judge and check whole books: progress, processes, resuming."""

from pathlib import Path
from typing import Any

import pytest

from solver.board import Position
from tests.runner import Ran, assert_refused, run
from verify.commands import console
from verify.proof import certificate
from verify.proof.formula import Scope
from verify.refute.found import Refutation
from verify.verdict import verdict as judge
from verify.verdict.report import with_precedence


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reported(*words: str) -> Ran:
    return run("report", *words, "-o", "table", "-b", "5x3")


def test_a_report_of_one_rule_says_rule() -> None:
    ran = reported("c-shape")
    assert ran.code == 0
    assert "1 rule: 1 PROVED, 0 REFUTED, 0 OPEN." in ran.out


def test_a_report_shares_processes_with_prove_and_judges_what_is_not_there(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[list[str], int]] = []
    real = judge.judge_all

    def spy(rules: Any, *, jobs: int, **options: Any) -> Any:
        asked.append(([rule.name for rule in rules], jobs))
        return real(rules, jobs=1, **options)

    monkeypatch.setattr(judge, "judge_all", spy)
    first, second = "near-border-side", "c-shape"
    assert reported(first, "--jobs", "3").code == 0
    ran = reported(first, second, "--resume", "--jobs", "2")
    assert asked == [([first], 3), ([second], 2)]
    rows = (here / "table/verdicts.md").read_text().splitlines()
    names = [row.split(" | ")[0] for row in rows if "| PROVED |" in row]
    assert names == [f"| {first}", f"| {second}"]
    assert "2 rules: 2 PROVED" in ran.out
    asked.clear()
    run("prove", second, "--jobs", "4")
    assert asked == [([second], 4)]


@pytest.mark.parametrize(
    "words",
    [
        ("report", "c-shape"),
        ("prove", "c-shape"),
        ("mutants", "c-shape"),
        ("proof", "check", "."),
    ],
    ids=" ".join,
)
def test_no_processes_are_refused_by_all_alike(words: tuple[str, ...]) -> None:
    ran = run(*words, "--jobs", "0")
    assert_refused(ran)
    assert ran.err == "oneway: --jobs 0 is not above 0\n"


def test_checking_certificates_tells_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("prove", "c-shape", "near-border-front")
    monkeypatch.setattr(console, "EVERY", 0.0)
    good = certificate.Checked("some", None, Scope.PLAIN, (), True)
    monkeypatch.setattr(certificate, "check_certificate", lambda *_, **__: good)
    ran = run("proof", "check", "out/proofs")
    assert ran.err.splitlines()[-1] == "certificates: 2 of 2"
    assert ran.out.count(" is proved, as in the book\n") == 2


def test_a_case_says_whether_its_groups_are_wrong_there_too() -> None:
    wrong = Position.parse("7:DRURRRRRDDDDLL")
    found = Refutation("count-area-across-border-c", wrong, "U", (), "")
    assert with_precedence(found) == ["wrong in seed-superseded"]
    found = Refutation("count-area-across-border-c", wrong, "L", (), "")
    assert with_precedence(found) == ["not in seed-superseded"]
