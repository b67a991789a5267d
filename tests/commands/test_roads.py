"""The roads that commands take: no detour, nothing done twice."""

import subprocess
import sys
from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Answer
from solver.oracles.sat import SatOracle
from tests.runner import run

NO_NUMBA = """
import sys
from verify.cli import app
try:
    app(sys.argv[1:])
except SystemExit as leave:
    assert not leave.code, leave.code
assert "numba" not in sys.modules
"""


@pytest.mark.parametrize("rule", ["c-shape", "near-border-side"])
def test_a_rule_is_proved_without_numba(rule: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", NO_NUMBA, "prove", rule, "--proofs", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert [file.name for file in tmp_path.iterdir()] == [f"{rule}.proof.xz"]
    without = [file.read_bytes() for file in tmp_path.iterdir()]
    assert run("prove", rule, "--proofs", str(tmp_path / "with")).code == 0
    assert [file.read_bytes() for file in (tmp_path / "with").iterdir()] == without


def test_check_decides_each_position_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    decide = SatOracle.decide

    def noted(self: SatOracle, position: Position) -> Answer:
        asked.append(position.notation)
        return decide(self, position)

    monkeypatch.setattr(SatOracle, "decide", noted)
    assert run("check", "7:RRDRURDDLD", "--oracle", "sat").code == 0
    assert len(asked) == len(set(asked)) >= 3
