"""The roads that commands take: no detour, nothing done twice."""

from pathlib import Path

import pytest

from solver.board import Position
from solver.oracles.oracle import Answer
from solver.oracles.sat import SatOracle
from tests.runner import python, run

NO_NUMBA = """
import sys
from verify.cli import app
try:
    app(sys.argv[1:])
except SystemExit as leave:
    assert not leave.code, leave.code
assert "numba" not in sys.modules
"""


def test_rules_are_proved_without_numba(tmp_path: Path) -> None:
    words = ["prove", "c-shape", "near-border-side", "--proofs"]
    python(NO_NUMBA, *words, str(tmp_path), check=True)
    without = [file.read_bytes() for file in sorted(tmp_path.iterdir())]
    assert len(without) == 2
    assert run(*words, str(tmp_path / "with")).code == 0
    assert [f.read_bytes() for f in sorted((tmp_path / "with").iterdir())] == without


def test_check_decides_each_position_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    decide = SatOracle.decide

    def noted(self: SatOracle, position: Position) -> Answer:
        asked.append(position.notation)
        return decide(self, position)

    monkeypatch.setattr(SatOracle, "decide", noted)
    assert run("check", "7:RRDRURDDLD", "--oracle", "sat").code == 0
    assert len(asked) == len(set(asked)) >= 3
