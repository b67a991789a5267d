"""A Dask cluster on this machine that loses a worker, then its scheduler."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.sums import squares
from verify.campaign.campaign import CampaignError
from verify.campaign.engine import Outcome, run

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="it is not installed"
)
ROOT = Path(__file__).parents[2]
COUNT = {"count": 300, "seconds": 0.02}
WHOLE = [n * n for n in range(300)]


@contextmanager
def _started(*words: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _scheduler(folder: Path) -> Any:
    file = folder / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    return _started("scheduler", *words, "--scheduler-file", str(file), folder=folder)


def _worker(folder: Path, number: int) -> Any:
    words = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--name", str(number))
    file = str(folder / "scheduler.json")
    return _started("worker", "--scheduler-file", file, *words, folder=folder)


def _address(folder: Path) -> str:
    import json

    file, until = folder / "scheduler.json", time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.05)
    return str(json.loads(file.read_text())["address"])


def _run(folder: Path, **options: Any) -> Outcome[list[int]]:
    return run(
        squares,
        COUNT,
        cluster=_address(folder),
        ledger=folder / "squares.ledger",
        **options,
    )


def test_a_cluster_that_loses_a_worker_and_the_scheduler(tmp_path: Path) -> None:
    here = run(squares, {"count": 300, "seconds": 0}, ledger=tmp_path / "here")
    assert here.answer == WHOLE
    done = 0

    with _scheduler(tmp_path) as scheduler:
        with _worker(tmp_path, 1) as first, _worker(tmp_path, 2):

            def arrived(place: int, result: int) -> None:
                nonlocal done
                done += 1
                if done == 60:
                    os.killpg(first.pid, signal.SIGKILL)
                if done == 130:
                    os.killpg(scheduler.pid, signal.SIGKILL)

            with pytest.raises(CampaignError, match=r"the scheduler at .* is gone"):
                _run(tmp_path, arrived=arrived)
        assert 130 <= done < 300
    (tmp_path / "scheduler.json").unlink()
    with _scheduler(tmp_path), _worker(tmp_path, 3):
        outcome = _run(tmp_path)
        assert outcome.answer == WHOLE
        assert threading.current_thread() is threading.main_thread()


@pytest.mark.slow
def test_a_cluster_of_another_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.campaign.sums.deciding", lambda *_, **__: "other")
    with (
        _scheduler(tmp_path),
        _worker(tmp_path, 1),
        pytest.raises(CampaignError, match="has another version of the program"),
    ):
        _run(tmp_path)
