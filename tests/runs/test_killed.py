"""Runs that are killed, interrupted or out of disk space, and then resume."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.runs.sums import squares
from verify.runs.longrun import LongRun, execute

ROOT = Path(__file__).parents[2]
RUN = """
from tests.runs.sums import squares
from verify.runs import longrun
longrun.KEEP_AFTER = 0.0
longrun.execute(squares({count}, seconds={seconds}), jobs={jobs})
"""
CONDUCT = """
from tests.runs.sums import spinning
from verify.commands import console
from verify.commands.exits import exit_code_of
from verify.commands.console import conduct
console.EVERY = 0.0
def work():
    conduct(spinning(4, 300_000_000_000), 2)
    return 0
raise SystemExit(exit_code_of(work))
"""


def started(code: str, **options: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def alive(group: int) -> bool:
    """Return whether a process of the group runs; the dead need not be buried."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            return True
    return False


def gone(group: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while alive(group) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(group)


def results(run: LongRun[Any]) -> dict[str, str]:
    ledger = run.ledger()
    ledger.open()
    ledger.close()
    return ledger.results


@pytest.mark.parametrize(
    ("kills", "count", "most"),
    [(3, 60, 1.0), pytest.param(50, 4000, 4.0, marks=pytest.mark.slow)],
    ids=str,
)
def test_a_killed_run_resumes_to_the_same_answer(
    ledgers: Path, kills: int, count: int, most: float
) -> None:
    rng, done = random.Random(kills), 0
    run = squares(count, seconds=0.02)
    for _ in range(kills):
        process = started(RUN.format(count=count, seconds=0.02, jobs=2))
        time.sleep(rng.uniform(0.0, most))
        process.kill()  # the parent alone: its workers must notice
        process.communicate()
        assert gone(process.pid, 10.0), "workers outlive their parent"
        if run.ledger().file.exists():
            assert len(results(run)) >= done, "results were lost"
            done = len(results(run))
    outcome = execute(run, jobs=2)
    assert outcome.answer == [n * n for n in range(count)]
    assert outcome.ledger is not None
    assert [path.name for path in ledgers.iterdir()] == [outcome.ledger.name]


def test_ctrl_c_ends_a_running_kernel(ledgers: Path) -> None:
    process = started(CONDUCT)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("spinning: 0.0 %"):
                break
        time.sleep(1.5)  # workers start, and are inside the kernel
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers get it too
        printed = process.stderr.read()
        process.wait()
        process.stderr.close()
        assert time.monotonic() - begun < 10.0  # 2 s on a quiet machine
        assert process.returncode == 130, printed
        assert gone(process.pid, 1.0)
    finally:
        if alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    last = printed.splitlines()[-1]
    assert last == "oneway: interrupted; run the same command to start again", printed
    assert not list(ledgers.iterdir())
    assert "Traceback" not in printed


def test_a_full_disk_ends_the_run_in_a_line(ledgers: Path) -> None:
    run = squares(3000)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    process = started(RUN.format(count=3000, seconds=0.0, jobs=2), preexec_fn=limited)
    _, printed = process.communicate()
    assert process.returncode == 1
    assert ".ledger cannot be written: " in printed
    assert "what was written before is kept" in printed
    assert len(results(run)) < 3000
    assert execute(run, jobs=2).done == 3000
