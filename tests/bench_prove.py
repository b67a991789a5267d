"""What proofs cost: time and size of every proof of the book, and of its check."""

import statistics
import time
from pathlib import Path

import pytest

from heuristic.groups import load_rules
from heuristic.rules.drawing import RuleSpec
from tests.doubles.mutation import contradictions, mutants
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import Proved, prove_rule

QUICK = ("c-shape", "near-border-side", "close-straight-left-left")
GROUPS = ("seed-9-size", "seed-superseded")


def measure(spec: str, folder: Path) -> list[tuple[str, float, float, int]]:
    """Return (rule, seconds to prove, seconds to check, bytes) of the proved rules."""
    rows = []
    for rule in load_rules(spec).rules:
        assert isinstance(rule, RuleSpec)
        attempt = prove_rule(rule)
        if isinstance(attempt, Proved):
            path = save_certificate(attempt, folder)
            began = time.perf_counter()
            assert check_certificate(path, {rule.name: rule}).fault is None
            checked = time.perf_counter() - began
            row = rule.name, attempt.seconds, checked, path.stat().st_size
            rows.append(row)
    return rows


def table(rows: list[tuple[str, float, float, int]]) -> str:
    lines = [f"{'rule':<34} {'prove':>8} {'check':>8} {'bytes':>8}"]
    lines += [f"{n:<34} {p:8.2f} {c:8.2f} {b:8,}" for n, p, c, b in rows]
    proofs, checks = [row[1] for row in rows], [row[2] for row in rows]
    lines.append(
        f"median proof {statistics.median(proofs):.2f} s, all {sum(proofs):.1f} s, "
        f"slowest check {max(checks):.2f} s"
    )
    return "\n".join(lines)


def test_small_proofs_are_made_and_checked(tmp_path: Path) -> None:
    rows = measure(",".join(QUICK), tmp_path)
    assert [row[0] for row in rows] == list(QUICK)
    assert "median proof" in table(rows)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_all_proofs_of_a_group(
    group: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = measure(group, tmp_path)
    with capsys.disabled():
        print(f"\n{group}\n{table(rows)}")


@pytest.mark.slow
def test_no_mutant_of_the_close_rules_is_proved_and_wrong() -> None:
    for rule in load_rules("seed-close").rules:
        assert isinstance(rule, RuleSpec)
        count, wrong = contradictions(rule, list(mutants(rule)))
        assert count
        assert not wrong
