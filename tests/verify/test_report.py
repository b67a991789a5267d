"""The commands that judge and check whole books: progress, processes, resuming."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.board import Position
from tests.runner import Ran, assert_refused, run
from tests.samples import book
from verify.campaign import engine
from verify.commands import console
from verify.proof import certificate
from verify.proof.counterexample import Refutation
from verify.proof.formula import Scope
from verify.proof.prove import Proved, prove_rule
from verify.verdict import verdict as judge
from verify.verdict.report import cells_of, pictures_of, rows_of, with_precedence


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reported(*words: str) -> Ran:
    return run("report", *words, "-o", "table", "5x3")


def test_a_report_of_one_rule_says_rule() -> None:
    ran = reported("c-shape")
    assert ran.code == 0
    assert "1 rule: 1 PROVED, 0 REFUTED, 0 OPEN." in ran.out


def test_a_report_is_a_campaign(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "KEEP_AFTER", 0.0)
    wrong = "straight-mid-across-3-end-c-crossed"
    words = ("near-border-side", "c-shape", wrong)
    ran = reported(*words)
    assert ran.code == 1
    assert "3 rules: 2 PROVED, 1 REFUTED" in ran.out
    table = (here / "table/verdicts.md").read_text()
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    assert [row[0] for row in rows] == [f"| {name}" for name in words]
    (here / "out/proofs/c-shape.proof.xz").unlink()
    monkeypatch.setattr(judge, "judge", None)  # nothing is judged again
    again = reported(*words)
    assert again.out == ran.out
    assert (here / "table/verdicts.md").read_text() == table
    assert all(float(row[-2]) > 0 for row in rows)  # seconds, kept with the units
    told = run("campaign", "export", "report").out
    results = [json.loads(line)["result"] for line in told.splitlines()]
    assert len(results) == 3
    assert not any("seconds" in json.loads(result) for result in results)
    assert "c-shape is proved" in run("proof", "check", "out/proofs").out
    shown = run("campaign", "show", "report").out
    assert f"{wrong}: REFUTED, " in shown


def test_what_is_open_is_read_from_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "straight-mid-across-3-end-c-crossed"
    campaign = judge.judging(
        {"rules": name, "seconds": 5.0, "seed": 0, "corpus": "none"}
    )
    spec = book(name)
    attempt = prove_rule(spec, seconds=5.0)
    assert not isinstance(attempt, Proved)
    found = judge.left_open(attempt, "nothing", 1.5)
    assert found.models > 0
    monkeypatch.setattr(judge, "judge", lambda *_, **__: found)
    results = [campaign.work(unit.payload) for unit in campaign.units()]
    [told] = campaign.fold(iter(json.loads(json.dumps(results))))
    assert isinstance(told, judge.Open)
    alike, kept = rows_of([replace(found, seconds=math.nan), told])
    assert cells_of(kept) == cells_of(alike)
    assert pictures_of(told) == pictures_of(found)


def test_prove_shares_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[str], int]] = []
    real = judge.judge_all

    def spy(rules: Any, *, jobs: int, **options: Any) -> Any:
        asked.append(([rule.name for rule in rules], jobs))
        return real(rules, jobs=1, **options)

    monkeypatch.setattr(judge, "judge_all", spy)
    run("prove", "c-shape", "--jobs", "4")
    assert asked == [(["c-shape"], 4)]


@pytest.mark.parametrize(
    "words",
    [
        ("report", "c-shape"),
        ("prove", "c-shape"),
        ("proof", "check", "."),
    ],
    ids=" ".join,
)
def test_no_processes_are_refused_by_all_alike(words: tuple[str, ...]) -> None:
    ran = run(*words, "--jobs", "0")
    assert_refused(ran)
    assert "a whole number of at least 1" in ran.err


def test_checking_certificates_tells_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("prove", "c-shape", "near-border-front")
    monkeypatch.setattr(console, "EVERY", 0.0)
    good = certificate.Checked("some", None, Scope.PLAIN, (), True)
    monkeypatch.setattr(certificate, "check_certificate", lambda *_, **__: good)
    ran = run("proof", "check", "out/proofs")
    assert ran.err.splitlines()[-1].startswith("certificates: 2 of 2")
    assert ran.out.count(" is proved, as in the book\n") == 2


def test_a_case_says_whether_its_groups_are_wrong_there_too() -> None:
    wrong = Position.parse("7:DRURRRRRDDDDLL")
    found = Refutation("count-area-across-border-c", wrong, "U", (), "")
    assert with_precedence(found) == ["wrong in seed-superseded"]
    found = Refutation("count-area-across-border-c", wrong, "L", (), "")
    assert with_precedence(found) == ["not in seed-superseded"]
