"""Dask: a double of its client, and a real cluster that loses a worker and more."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver.errors import OptionError, RunError
from tests.runs.sums import squares
from verify.runs import longrun
from verify.runs.longrun import execute

ROOT = Path(__file__).parents[2]


class Double:
    """A client of Dask whose workers are threads; it may lose its scheduler."""

    lasting = 1000  # units that are taken before the scheduler is lost

    def __init__(self, address: str, **_: Any) -> None:
        if address == "tcp://nobody:1":
            raise OSError("no route")
        self._threads = ThreadPoolExecutor(2)
        self.taken = 0

    def get_executor(self, **_: Any) -> "Double":
        return self

    def submit(self, function: Callable[..., Any], *values: Any) -> "Future[Any]":
        self.taken += 1
        if self.taken > self.lasting:
            raise RuntimeError("cannot schedule new futures")
        return self._threads.submit(function, *values)

    def nthreads(self) -> dict[str, int]:
        return {"one": 1, "two": 1}

    def close(self, **_: Any) -> None:
        self._threads.shutdown(cancel_futures=True)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> type[Double]:
    double = type("Client", (Double,), {})
    module = SimpleNamespace(Client=double)
    monkeypatch.setitem(sys.modules, "distributed", module)
    return double


@pytest.mark.usefixtures("double")
def test_a_cluster_gives_the_same_answer() -> None:
    outcome = execute(squares(50, wrong=[3]), cluster="tcp://some:8786")
    assert outcome.answer == [n * n for n in range(50) if n != 3]
    assert [name for name, _ in outcome.failures] == ["3"]


def test_a_lost_scheduler_ends_the_run_and_the_same_command_resumes(
    double: type[Double],
) -> None:
    double.lasting = 20
    with pytest.raises(RunError, match="the scheduler at tcp://some:8786 is gone"):
        execute(squares(50), cluster="tcp://some:8786")
    done: list[int] = []
    double.lasting = 1000
    outcome = execute(squares(50), cluster="tcp://some:8786", arrived=done.append)
    assert outcome.done == 50
    assert len(done) < 50


def test_workers_that_die_as_they_start_end_the_run(
    double: type[Double], monkeypatch: pytest.MonkeyPatch
) -> None:
    dead: Future[Any] = Future()
    dead.set_exception(BrokenExecutor())
    monkeypatch.setattr(double, "submit", lambda *_: dead)
    with pytest.raises(RunError, match="worker processes die as they start"):
        execute(squares(1, weight=9), cluster="tcp://some:8786")


@pytest.mark.usefixtures("double")
def test_workers_of_another_version_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = squares(50, version=2)
    monkeypatch.setattr(longrun, "digest_of", lambda *_: "another")
    with pytest.raises(RunError, match="another version of the program"):
        execute(run, cluster="tcp://some:8786")


@pytest.mark.usefixtures("double")
def test_nobody_at_the_address_is_refused() -> None:
    with pytest.raises(OptionError, match="--cluster tcp://nobody:1: no route"):
        execute(squares(5), cluster="tcp://nobody:1")


@contextmanager
def started(kind: str, file: Path) -> Iterator[int]:
    """Start a part of a cluster; `file` has the address of its scheduler."""
    words = ["--scheduler-file", str(file), "--no-dashboard"]
    words += ["--host", "127.0.0.1", "--port", "0"] if kind == "scheduler" else []
    words += ["--nthreads", "1", "--no-nanny"] if kind == "worker" else []
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", kind, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=file.parent,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def address_in(file: Path) -> str:
    until = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    return str(json.loads(file.read_text())["address"])


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    run, done, file = squares(300, seconds=0.02), 0, tmp_path / "scheduler.json"
    with (
        started("scheduler", file) as first,
        started("worker", file) as lost,
        started("worker", file),
    ):

        def arrived(_: int) -> None:
            nonlocal done
            done += 1
            if done == 60:
                os.killpg(lost, signal.SIGKILL)
            if done == 130:
                os.killpg(first, signal.SIGKILL)

        with pytest.raises(RunError, match=r"the scheduler at .* is gone"):
            execute(run, cluster=address_in(file), arrived=arrived)
    assert 130 <= done < 300
    file.unlink()
    with started("scheduler", file), started("worker", file):
        outcome = execute(run, cluster=address_in(file))
    assert outcome.answer == [n * n for n in range(300)]
