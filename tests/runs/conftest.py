"""Ledgers of each test lie in a folder of its own, and are made at once."""

from pathlib import Path

import pytest

from verify.runs import longrun


@pytest.fixture(autouse=True)
def ledgers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ONEWAY_RUNS", str(tmp_path))
    monkeypatch.setattr(longrun, "KEEP_AFTER", 0.0)
    return tmp_path
