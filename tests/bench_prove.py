"""What proofs cost: time and size of every proof of the book, and of its check."""

import time
from pathlib import Path

import pytest

from tests.doubles.mutation import contradictions, mutants
from tests.samples import specs
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import Proved, prove_rule


@pytest.mark.slow
@pytest.mark.parametrize("group", ["seed-9-size", "seed-superseded"])
def test_all_proofs_of_a_group(
    group: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"\n{group:<34} {'prove':>8} {'check':>8} {'bytes':>8}"]
    for rule in specs(group):
        attempt = prove_rule(rule)
        if isinstance(attempt, Proved):
            path = save_certificate(attempt, tmp_path)
            began = time.perf_counter()
            assert check_certificate(path, {rule.name: rule}).fault is None
            times = f"{attempt.seconds:8.2f} {time.perf_counter() - began:8.2f}"
            lines.append(f"{rule.name:<34} {times} {path.stat().st_size:8,}")
    with capsys.disabled():
        print("\n".join(lines))


@pytest.mark.slow
def test_no_mutant_of_the_close_rules_is_proved_and_wrong() -> None:
    for rule in specs("seed-close"):
        count, wrong = contradictions(rule, list(mutants(rule)))
        assert count
        assert not wrong
