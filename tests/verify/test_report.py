"""The commands that judge and check whole books: progress, processes, resuming."""

from pathlib import Path
from typing import Any

import pytest

from tests.runner import Ran, run
from verify.commands import console
from verify.runs import longrun
from verify.verdict import report, verdict


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


def test_a_report_resumes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longrun, "KEEP_AFTER", 0.0)
    wrong = "straight-mid-across-3-end-c-crossed"
    words = ("near-border-side", "c-shape", wrong)
    ran = reported(*words)
    assert ran.code == 1
    assert "3 rules: 2 PROVED, 1 REFUTED" in ran.out
    table = (here / "table/verdicts.md").read_text()
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    assert [row[0] for row in rows] == [f"| {name}" for name in words]
    assert sum(float(row[-2]) for row in rows) > 0  # seconds
    (here / "out/proofs/c-shape.proof.xz").unlink()
    monkeypatch.setattr(report, "judge", None)  # nothing is judged again
    again = reported(*words)
    assert again.out == ran.out
    assert (here / "table/verdicts.md").read_text() == table
    assert "c-shape is proved" in run("proof", "check", "out/proofs").out


def test_prove_shares_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[str], int]] = []
    real = verdict.judge_all

    def spy(rules: Any, *, jobs: int, **options: Any) -> Any:
        calls.append(([rule.name for rule in rules], jobs))
        return real(rules, jobs=1, **options)

    monkeypatch.setattr("verify.commands.prove.judge_all", spy)
    run("prove", "c-shape", "--jobs", "4")
    assert calls == [(["c-shape"], 4)]


def test_checking_certificates_tells_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("prove", "c-shape", "near-border-front")
    monkeypatch.setattr(console, "EVERY", 0.0)
    ran = run("proof", "check", "out/proofs")
    assert ran.err.splitlines()[-1].startswith("certificates: 2 of 2")
    assert ran.out.count(" is proved, as in the book\n") == 2
