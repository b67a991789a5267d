"""How commands conduct long runs: progress, where it is kept, and how it ends."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import typer

from verify.commands.console import note, progress, shown, warn
from verify.commands.ending import set_hint
from verify.runs.execute import execute
from verify.runs.ledger import ledger_file, other_versions
from verify.runs.work import LongRun
from verify.words import counted, span

A = TypeVar("A")

_PRINTED = 20  # failed units that are printed


def conduct(
    run: LongRun[A],
    jobs: int,
    cluster: str | None = None,
    *,
    seconds: float | None = None,
    arrived: Callable[[Any], None] = lambda _: None,
    partial: bool = False,
) -> A:
    """Execute a run with progress, and return its answer.

    Ctrl-C and failed units end the command with a line that says how to resume.

    - `jobs`: processes.
    - `cluster`: address of a Dask scheduler.
    - `seconds`: time limit; then the answer is of what is done.
    - `arrived`: called with each new result.
    - `partial`: whether failed units are printed, and the answer is of the rest.
    """
    command = shlex.join(["oneway", *sys.argv[1:]])
    kept = f"what was written is kept; to resume: {command}"
    file = ledger_file(run.name, run.work)
    if file.exists():
        set_hint(kept)
    elif others := other_versions(file):
        what = "was made by another version of the program or of the rules"
        note(f"{shown(others[0])} {what}; starting again")
    if cluster and not cluster.startswith(("tls://", "wss://")):
        warn(
            f"warning: {cluster} does not use TLS: whoever reaches the scheduler "
            "can run any program on its machines; see docs/long-runs.md"
        )

    def report(share: float, failed: int, left: float | None) -> None:
        words = f"{100 * share:.1f} %"
        words += "" if left is None else f", {span(left)} left"
        words += f", {failed:,} failed" if failed else ""
        bar.update(share, words=words)

    def report_ledger(ledger: Path, why: str) -> None:
        if why:
            warn(f"this run cannot be resumed: {why}")
        else:
            note(f"what is done is kept in {shown(ledger)}; to resume: {command}")
            set_hint(kept)

    with progress(run.name, 1.0) as bar:
        outcome = execute(
            run,
            jobs=jobs,
            cluster=cluster,
            seconds=seconds,
            progress=report,
            arrived=arrived,
            kept=report_ledger,
        )
    if outcome.answer is None:
        if outcome.ledger is not None:
            units = counted(outcome.units, "unit")
            set_hint(f"{outcome.done:,} of {units} are kept; to resume: {command}")
        raise KeyboardInterrupt
    for unit, error in outcome.failures[:_PRINTED]:
        warn(f"{run.name} {unit}: {error}")
    if outcome.failures:
        warn(f"{counted(len(outcome.failures), 'unit')} failed; to retry: {command}")
        if not partial:
            raise typer.Exit(1)
    return outcome.answer
