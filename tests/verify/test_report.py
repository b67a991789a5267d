"""The commands that judge and check whole books: progress, processes, resuming."""

from pathlib import Path
from typing import Any

import pytest

from tests.runner import run
from verify.commands import console
from verify.runs import longrun
from verify.verdict import report, verdict


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_report_resumes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longrun, "KEEP_AFTER", 0.0)
    wrong = "straight-mid-across-3-end-c-crossed"
    rules = ("near-border-side", "c-shape", wrong)
    words = ("report", *rules, "-o", "table", "5x3")
    ran = run(*words)
    assert ran.code == 1
    assert "3 rules: 2 PROVED, 1 REFUTED, 0 OPEN." in ran.out
    table = (here / "table/verdicts.md").read_text()
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    assert [row[0] for row in rows] == [f"| {name}" for name in rules]
    assert sum(float(row[-2]) for row in rows) > 0  # seconds
    monkeypatch.setattr(report, "judge", None)  # nothing is judged again
    (here / "out/proofs/c-shape.proof.xz").unlink()
    assert run(*words).out == ran.out
    assert (here / "table/verdicts.md").read_text() == table
    monkeypatch.setattr(console, "EVERY", 0.0)
    checked = run("proof", "check", "out/proofs")
    assert checked.out.count(" is proved, as in the book\n") == 2
    assert checked.err.splitlines()[-1].startswith("certificates: 2 of 2")


def test_prove_shares_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def spy(rules: Any, *, jobs: int, **options: Any) -> Any:
        calls.append(jobs)
        return verdict.judge_all(rules, jobs=1, **options)

    monkeypatch.setattr("verify.commands.prove.judge_all", spy)
    run("prove", "c-shape", "--jobs", "4")
    assert calls == [4]
