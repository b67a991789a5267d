"""What proofs cost: time and size of every proof of the book, and of its check."""

import time
from pathlib import Path

import pytest

from tests.samples import specs
from verify.proof.certificate import save_certificate
from verify.proof.checking import check_certificate
from verify.proof.prove import Proved, prove_rule


@pytest.mark.slow
@pytest.mark.parametrize("group", ["seed-9-size", "seed-superseded"])
def test_all_proofs_of_a_group(group: str, tmp_path: Path) -> None:
    print(f"\n{group:<34} {'prove':>8} {'check':>8} {'bytes':>8}")
    for rule in specs(group):
        attempt = prove_rule(rule)
        if isinstance(attempt, Proved):
            path = save_certificate(attempt, tmp_path)
            began = time.perf_counter()
            assert check_certificate(path, {rule.name: rule}).fault is None
            times = f"{attempt.seconds:8.2f} {time.perf_counter() - began:8.2f}"
            print(f"{rule.name:<34} {times} {path.stat().st_size:8,}")
