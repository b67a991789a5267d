"""What campaigns cost: `python -m tests.bench_campaign [UNITS | overhead]` prints.

Overhead of processes for units that take half a second; time and memory of `show` and
of resuming with a ledger of a million units, half of them done. Seconds are by the
clock, and of the processor, which say more on a busy machine.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaign.sums import squares
from verify.campaign.campaign import Campaign, Report, Unit
from verify.campaign.engine import run
from verify.campaign.ledger import Ledger
from verify.campaign.schema import create

_BATCH = 10_000


def many(parameters: dict[str, Any]) -> Campaign[int]:
    """Make a campaign of many small units; each doubles a number."""

    def units() -> Iterator[Unit]:
        for number in range(parameters["count"]):
            yield Unit(f"number {number}", [number, number + 1])

    return Campaign(
        "many", parameters, "1", units, lambda pair: pair[0] * 2, lambda all: sum(all)
    )


def fill(file: Path, count: int) -> tuple[str, str]:
    """Write a ledger of `count` units, half of them done; tell the seconds of both."""
    begun = clock()
    create(file, many({"count": count}), maker="tests.bench_campaign:many")
    created = since(begun)
    begun = clock()
    with Ledger(file, write=True) as ledger:
        for first in range(0, count // 2, _BATCH):
            last = min(first + _BATCH, count // 2)
            ledger.record(
                [Report(n, "bench 1", 0.5, str(2 * n)) for n in range(first, last)]
            )
    return created, since(begun)


def clock() -> tuple[float, float]:
    """Return the time by the clock and of the processor."""
    return time.perf_counter(), time.process_time()


def since(begun: tuple[float, float]) -> str:
    """Tell the seconds since then, by the clock and of the processor."""
    now = clock()
    return f"{now[0] - begun[0]:.2f} s, processor {now[1] - begun[1]:.2f} s"


def show(file: Path) -> None:
    """Do what `oneway campaign show` does, in this process."""
    from tests.runner import run as command

    assert command("campaign", "show", str(file)).code == 0


def resume(file: Path, count: int) -> str:
    """Go on for no time at all; tell the seconds until a unit was handed out."""
    from tests.bench_campaign import many as maker  # not of `__main__`

    begun = clock()
    told: list[str] = []
    run(
        maker,
        {"count": count},
        ledger=file,
        small=1e9,
        seconds=0.05,
        progress=lambda _: told.append(since(begun)),
    )
    return told[0]


def overhead(units: int, seconds: float, jobs: int, folder: Path) -> float:
    """Return by how much longer than its units a campaign of sleeping units takes.

    From the first result on, without the start of processes; units as long as they were
    in the worker, since on a busy machine a sleep is longer than it should be.
    """
    times: list[float] = []
    run(
        squares,
        {"count": units, "seconds": seconds},
        ledger=folder / "sleep",
        jobs=jobs,
        small=0.0,
        progress=lambda progress: (
            times.append(time.perf_counter())
            if progress.done >= jobs and progress.done < units
            else None
        ),
    )
    spent = time.perf_counter() - times[0]
    with Ledger(folder / "sleep") as ledger:
        mean = ledger.spent()[0] / units
    return spent / ((units - jobs) * mean / jobs) - 1


def measured(words: list[str]) -> str:
    """Run this module in a process of its own; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench_campaign", *words],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()


def main(words: list[str]) -> None:
    """Print the table, or one figure for `measured`."""
    if words and words[0] in ("show", "resume"):
        file, count = Path(words[1]), int(words[2])
        begun = clock()
        if words[0] == "show":
            show(file)
            told = since(begun)
        else:
            told = resume(file, count)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{told}, {memory:.0f} MB")
        return
    if words == ["overhead"]:
        overheads()
        return
    count = int(words[0]) if words else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "many.ledger"
        created, filled = fill(file, count)
        size = file.stat().st_size
        print(f"{count:,} units listed and written: {created}")
        print(f"{count // 2:,} results written: {filled}")
        print(f"ledger: {size / 1e6:.0f} MB, {size / count:.0f} bytes a unit")
        for what in ("show", "resume"):
            print(f"{what}: {measured([what, str(file), str(count)])}")
    overheads()


def overheads() -> None:
    """Print the overhead of one and of two processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for jobs in (1, 2):
            extra = overhead(24 * jobs, 0.5, jobs, folder / f"{jobs}")
            print(f"overhead, units of 0.5 s, {jobs} processes: {100 * extra:.1f} %")


def test_the_figures_can_be_measured(tmp_path: Path) -> None:
    file = tmp_path / "many.ledger"
    fill(file, 2000)
    show(file)
    assert "processor" in resume(file, 2000)
    assert overhead(8, 0.02, 2, tmp_path / "o") > -0.5


if __name__ == "__main__":
    main(sys.argv[1:])
