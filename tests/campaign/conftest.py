"""Ledgers of these tests are files from the start."""

import pytest

from verify.campaign import engine


@pytest.fixture(autouse=True)
def _kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "KEEP_AFTER", 0.0)
