"""What all tests share."""

import gc
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long examples take to draw says more of a busy machine than of a test.
settings.register_profile(
    "oneway", max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oneway")
NUMBERS = count()

gc.disable()  # until all tests are collected


def pytest_collection_finish() -> None:
    """Spare the collector all that lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(scope="session")
def _runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(autouse=True)
def _ledgers_apart(_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the ledgers of each test in a folder of its own."""
    monkeypatch.setenv("ONEWAY_RUNS", str(_runs / str(next(NUMBERS))))
