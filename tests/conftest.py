"""What all tests share."""

import pytest
from hypothesis import HealthCheck, settings

# How long examples take to draw says more of a busy machine than of a test.
settings.register_profile("oneway", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("oneway")


@pytest.fixture(autouse=True)
def _ledgers_apart(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep the ledgers of each test in a folder of its own."""
    monkeypatch.setenv("ONEWAY_CAMPAIGNS", str(tmp_path_factory.mktemp("campaigns")))
