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
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONG = [  # work for minutes
    "count -",
    "demo",
    "demo --warm",
    "discover 9",
    "draw 401: --witness",
    "fuzz seed-5 --seconds 600",
    "knight enumerate --start c3",
    "lab 9: --no-browser",
    "milestones 9 -n 1000000000",
    "mine 13 --rules universal-4 -n 10000000",
    "prove seed-composite --jobs 2",
    "report --all 7 --jobs 2",
    "stats 31 --rules universal -n 100000",
    "verify universal-4 7",
    "walk 13 --uniform -n 1000000",
    "walk 1001 --exact",
]
SHORT = [  # may end before the signal
    "check 31: --blame --rules universal --oracle search",
    "corpus add 9x9-8589 --any-board --dry-run",
    "corpus replay",
    "export 5:RD -o x.cnf",
    "maze random:8,seed=4 -o maze.svg",
    "proof check out/proofs --lrat lrat",
    "puzzle 5 --seed 7",
    "selftest -n 1000",
]
ALLOWED = 2.0  # seconds, on a machine with nothing else to do
BESIDE = 15.0  # where tests run beside
BAD_WORDS = ("Traceback", "Exception ignored", "Warning", "internal error")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups")


@dataclass(frozen=True, slots=True)
class Moment:
    """A command, and when it is stopped, by what; `cold` if no kernel is compiled."""

    line: str
    seconds: float
    number: signal.Signals
    cold: bool


def moments(count: int, seed: int) -> Iterator[Moment]:
    """Yield random moments: every line once before one comes again."""
    rng = random.Random(seed)
    lines: list[str] = []
    for _ in range(count):
        if not lines:
            lines = rng.sample(LONG + SHORT, len(LONG + SHORT))
        cold = rng.random() < 0.5
        seconds = rng.choice([0.5, 2, 4, 12 if cold else 6]) * rng.random()
        number = rng.choice([signal.SIGINT, signal.SIGTERM])
        yield Moment(lines.pop(), seconds, number, cold)


def hears(process: subprocess.Popen[str]) -> bool:
    """Tell whether a process listens to SIGTERM: before that Python itself begins."""
    if process.poll() is not None:
        return True
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except OSError:
        time.sleep(0.5)  # no Linux
        return True
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def stopped(moment: Moment, folder: Path, allowed: float) -> str:
    """Run a command, stop it, and return what was not right."""
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
    while not hears(process):
        time.sleep(0.001)
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment.seconds)
    early, began = process.poll() is not None, time.monotonic()
    with suppress(ProcessLookupError):
        if moment.number == signal.SIGINT:
            os.killpg(process.pid, signal.SIGINT)  # all of the terminal's
        else:
            process.terminate()
    try:
        _, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"{moment}: not ended after 30 s"
    took = time.monotonic() - began
    said = [line for line in err.splitlines() if line.startswith("oneway: ")]
    code, word = 128 + moment.number, f"oneway: {_WORDS[moment.number]}; "
    if any(bad in err for bad in BAD_WORDS):
        return f"{moment}: {err}"
    if moment.line in SHORT and process.returncode in (0, 1, 2):
        return ""  # before the signal, or while it came
    if early or process.returncode != code:
        return f"{moment}: code {process.returncode}, ended before: {early}: {err}"
    if len(said) != 1 or not said[0].startswith(word) or err.splitlines()[-1:] != said:
        return f"{moment}: {err}"
    if took > allowed:
        return f"{moment}: {took:.1f} s"
    return left_behind(folder, process.pid)


_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def left_behind(folder: Path, group: int) -> str:
    """Return what is left of an ended command: processes, parts, broken ledgers."""
    until = time.monotonic() + BESIDE
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        os.killpg(group, signal.SIGKILL)
        return "processes are left"
    for ledger in folder.rglob("*.ledger"):
        with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as book:
            found = book.execute("pragma integrity_check").fetchone()
        if found != ("ok",):
            return f"{ledger}: {found}"
    return " ".join(str(part) for part in folder.rglob("*.part"))


@pytest.mark.parametrize(
    "moment",
    [
        Moment("verify universal-4 7", 1.2, signal.SIGTERM, cold=False),
        Moment("prove seed-composite --jobs 2", 1.4, signal.SIGINT, cold=False),
        Moment("stats 31 --rules universal -n 100000", 1.2, signal.SIGINT, cold=False),
        Moment("puzzle 25 -n 50", 1.5, signal.SIGINT, cold=False),
        Moment("walk 401 --exact", 0.05, signal.SIGINT, cold=False),
        Moment("discover 5", 1.5, signal.SIGINT, cold=True),
    ],
    ids=lambda moment: moment.line.split()[0],
)
def test_a_signal_ends_what_takes_long(moment: Moment, tmp_path: Path) -> None:
    assert stopped(moment, tmp_path, BESIDE) == ""


@pytest.mark.slow
@pytest.mark.parametrize("moment", [*moments(75, seed=1)], ids=lambda one: one.line)
def test_a_signal_ends_every_command_at_any_moment(
    moment: Moment, tmp_path: Path
) -> None:
    assert stopped(moment, tmp_path, ALLOWED) == ""
