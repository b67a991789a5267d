"""Campaigns that are killed, interrupted or run out of disk, and then go on."""

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

from tests.campaign.sums import squares
from verify.campaign.engine import run
from verify.campaign.ledger import Ledger

ROOT = Path(__file__).parents[2]
RUN = """
import sys
from pathlib import Path
from tests.campaign.sums import squares
from verify.campaign.engine import run
run(squares, {parameters}, ledger=Path({file!r}), jobs=2, small=0.0)
"""
CONDUCT = """
from verify.commands import console
console.EVERY = 0.0
from tests.campaign.sums import naps
from verify.commands.ending import ended
from verify.commands.running import How, conduct
wanted = {"count": 4, "rounds": 300_000_000_000}
raise SystemExit(ended(lambda: conduct(naps, wanted, How(jobs=2))))
"""


def _start(code: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def _alive(group: int) -> bool:
    """Tell whether a process of the group runs; the dead need not be buried."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            return True
    return False


def _gone(group: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while _alive(group) and time.monotonic() < until:
        time.sleep(0.02)
    return not _alive(group)


def _killed(folder: Path, parameters: dict[str, Any], kills: int, most: float) -> None:
    """Kill a run so many times, then let it end; compare with an unbroken one."""
    file, draw = folder / "killed", random.Random(kills)
    code = RUN.format(parameters=parameters, file=str(file))
    done = -1
    for _ in range(kills):
        process = _start(code)
        time.sleep(draw.uniform(0.0, most))
        process.kill()  # the parent alone: its workers must notice
        process.communicate()
        assert _gone(process.pid, 10.0), "workers outlive their parent"
        if file.exists():
            with Ledger(file) as ledger:
                counts = ledger.counts()
            assert counts.failed == 0
            assert counts.done >= done, "results were lost"
            done = counts.done
    outcome = run(squares, parameters, ledger=file, jobs=2, small=0.0)
    whole = run(squares, parameters, ledger=folder / "whole", jobs=2, small=0.0)
    assert outcome.answer == whole.answer == [n * n for n in range(parameters["count"])]
    with Ledger(file) as one, Ledger(folder / "whole") as other:
        assert list(one.rows()) == list(other.rows())
        assert list(one.found()) == list(other.found())


def test_killed_a_few_times(tmp_path: Path) -> None:
    _killed(tmp_path, {"count": 100, "seconds": 0.02}, kills=4, most=1.5)


@pytest.mark.slow
def test_killed_a_hundred_times(tmp_path: Path) -> None:
    _killed(tmp_path, {"count": 6000, "seconds": 0.02}, kills=100, most=4.0)


def test_ctrl_c_ends_a_running_kernel(tmp_path: Path) -> None:
    environment = os.environ | {"ONEWAY_CAMPAIGNS": str(tmp_path)}
    process = _start(CONDUCT, env=environment)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line.startswith("naps: 0.0 %"):
                break
        time.sleep(3.0)  # workers start, and are inside the kernel
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers hear it too
        told = process.stderr.read()
        process.wait()
        process.stderr.close()
        assert time.monotonic() - begun < 10.0  # 2 s where nothing runs beside
        assert process.returncode == 130, told
        assert _gone(process.pid, 1.0)
    finally:
        if _alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    last = told.splitlines()[-1]
    assert last == "oneway: interrupted; run the same command to start again", told
    assert not list(tmp_path.iterdir())
    assert "Traceback" not in told


def test_a_disk_that_fills_up_ends_the_run_in_a_line(tmp_path: Path) -> None:
    file, parameters = tmp_path / "x", {"count": 3000}
    run(squares, parameters, ledger=file, seconds=0.0)
    size = file.stat().st_size

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40_000, size + 40_000))

    code = RUN.format(parameters=parameters, file=str(file)).replace("small=0.0", "")
    process = _start(code, preexec_fn=limited)
    _, told = process.communicate()
    assert process.returncode == 1
    assert "x: cannot be written: disk I/O error; what was written" in told
    with Ledger(file) as ledger:
        assert 0 < ledger.counts().done < 3000
    assert run(squares, parameters, ledger=file).complete
