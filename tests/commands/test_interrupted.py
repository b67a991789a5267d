"""Ctrl-C ends every command at once: 130, one line how to go on, nothing left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FEW = [
    "verify seed-5 --size 7 --ways",
    "prove seed-composite --jobs 2",
    "stats 31 --rules universal -n 100000",
    "walk 401 --exact",
]
MANY = [
    *FEW,
    "walk 1001 --rules seed-5 -n 50",
    "walk 101 --rules universal -n 100",
    "check 21@1,1>21,20: --oracle cpsat",
    "count 13:",
    "walk 13 --uniform",
    "prove seed-composite",
    "maze stats 64 -n 10000000",
    "maze check -n 100000",
    "path check -n 1000000",
    "count -",
    "rules closing 9 -n 2000000",
    "draw 401: --witness --oracle sat",
    "stats 31 --rules universal -n 1000000",
    "milestones 9 -n 1000000000",
    "mine --rules universal-4 --size 13 -n 10000000",
    "evidence 9 -n 1000000 -g seed-5 -o report",
    "mutants seed-close --jobs 2",
    "demo",
]
ALLOWED = 2.0  # seconds, on a machine with nothing else to do


def interrupted(
    lines: list[str], folder: Path, wait: float, allowed: float = ALLOWED
) -> list[str]:
    """Run commands side by side, press Ctrl-C, and return what was not right."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "ONEWAY_CORPUS": str(folder / "c")}
    running = []
    for number, line in enumerate(lines):
        here = folder / str(number)
        here.mkdir()
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "verify.start", *line.split()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                cwd=here,
                env=env,
                start_new_session=True,
            )
        )
    time.sleep(wait)
    faults = []
    for line, process in zip(lines, running, strict=True):
        if process.poll() is not None:
            faults.append(f"{line}: ended before, code {process.returncode}")
            continue
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # all of the terminal's, as Ctrl-C does
        try:
            _, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            faults.append(f"{line}: not ended after 20 s")
            continue
        took = time.monotonic() - began
        told = [one for one in err.splitlines() if not one.startswith("compiling")]
        if process.returncode != 130 or "Traceback" in err:
            faults.append(f"{line}: code {process.returncode}: {err}")
        elif not any("same command" in one or "go on" in one for one in told):
            faults.append(f"{line}: does not say how to go on: {err}")
        elif took > allowed:
            faults.append(f"{line}: {took:.1f} s")
    left = list(folder.rglob("*.part"))
    return faults + [f"left behind: {one}" for one in left]


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_control_c_ends_what_takes_long(tmp_path: Path) -> None:
    assert interrupted(FEW, tmp_path, 6, allowed=15.0) == []  # tests run beside


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
@pytest.mark.parametrize("line", MANY)
def test_control_c_ends_every_command(line: str, tmp_path: Path) -> None:
    assert interrupted([line], tmp_path, 6) == []
