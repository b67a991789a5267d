"""Ctrl-C and SIGTERM at any moment: 130 or 143, one line, two seconds, nothing left."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
LONG = [  # work for minutes
    *("count -", "demo", "demo --warm", "discover 9", "draw 1001: --witness"),
    *("fuzz seed-5 --seconds 600", "knight enumerate --start c3", "selftest"),
    *("lab 9: --no-browser", "milestones 9 -n 1000000000", "verify universal-4 7"),
    *("mine 13 --rules universal-4 -n 10000000", "prove seed-composite --jobs 2"),
    *("report --all 7 --jobs 2", "stats 31 --rules universal -n 100000"),
    *("walk 13 --uniform -n 1000000", "walk 1001 --exact"),
]
ALLOWED = 2.0  # seconds, on a machine with nothing else to do
BUSY = 15.0  # seconds where other tests run
BAD_WORDS = ("Traceback", "Exception ignored", "Warning", "internal error")
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


class Moment(NamedTuple):
    """A command, and when it is stopped, by what; `cold` if no kernel is compiled."""

    line: str
    seconds: float
    number: signal.Signals = signal.SIGINT
    cold: bool = False


def random_moments(rng: random.Random) -> Iterator[Moment]:
    for line in 3 * LONG:
        cold = rng.random() < 0.5
        seconds = rng.choice([0.5, 2, 4, 12 if cold else 6]) * rng.random()
        yield Moment(line, seconds, rng.choice([*WORDS]), cold)


def listens(process: subprocess.Popen[str]) -> bool:
    """Whether a process handles SIGTERM: before that Python itself starts."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def assert_stops(moment: Moment, folder: Path, allowed: float) -> None:
    """Run a command, stop it, and assert that it ends as it should."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "ONEWAY_CORPUS": str(folder / "c")}
    if moment.cold:
        env["NUMBA_CACHE_DIR"] = str(folder / "cache")
    process = subprocess.Popen(
        [sys.executable, "-m", "verify.start", *moment.line.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=env,
        start_new_session=True,
    )
    try:
        while not listens(process):
            time.sleep(0.001)
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment.seconds)
        early, began = process.poll() is not None, time.monotonic()
        with suppress(ProcessLookupError):
            if moment.number == signal.SIGINT:
                os.killpg(process.pid, signal.SIGINT)  # all of the terminal's
            else:
                process.terminate()
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert time.monotonic() - began < allowed
    assert (early, process.returncode) == (False, 128 + moment.number), err
    assert not any(bad in err for bad in BAD_WORDS), err
    *before, last = err.splitlines()
    assert last.startswith(f"oneway: {WORDS[moment.number]}; ")
    assert not any(line.startswith("oneway: ") for line in before), err
    assert_nothing_is_left(folder, process.pid)


def assert_nothing_is_left(folder: Path, group: int) -> None:
    """Assert that no process, no part of a file and no broken ledger is left."""
    until = time.monotonic() + BUSY
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
        pytest.fail("processes are left")
    for ledger in folder.rglob("*.ledger"):
        with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as db:
            assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    assert [*folder.rglob("*.part")] == []


@pytest.mark.parametrize(
    "moment",
    [
        Moment("verify universal-4 7", 1.2, signal.SIGTERM),
        Moment("prove seed-composite --jobs 2", 1.4),
        Moment("stats 31 --rules universal -n 100000", 1.2),
        Moment("puzzle 25 -n 50", 1.5),
        Moment("walk 401 --exact", 0.05),
        Moment("discover 5", 1.5, cold=True),
    ],
    ids=lambda moment: moment.line.split()[0],
)
def test_a_signal_ends_what_takes_long(moment: Moment, tmp_path: Path) -> None:
    assert_stops(moment, tmp_path, BUSY)


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment", [*random_moments(random.Random(1))], ids=lambda moment: moment.line
)
def test_a_signal_ends_every_command_at_any_moment(
    moment: Moment, tmp_path: Path
) -> None:
    assert_stops(moment, tmp_path, ALLOWED)
