"""How commands conduct long runs: progress, where it is kept, and how it ends."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import typer

from solver.system import cores
from verify.commands.console import note, progress, shown, warn
from verify.commands.ending import going_on
from verify.runs.execute import execute
from verify.runs.ledger import ledger_file, other_versions
from verify.runs.work import LongRun
from verify.words import counted, span

A = TypeVar("A")

CORES = cores()
_PRINTED = 20  # failed units that are printed


class How(NamedTuple):
    """Who works at a run; nothing of it changes the answer.

    - `jobs`: processes.
    - `cluster`: address of a Dask scheduler.
    """

    jobs: int = CORES
    cluster: str | None = None


def conduct(
    run: LongRun[A],
    how: How,
    *,
    seconds: float | None = None,
    arrived: Callable[[Any], None] = lambda _: None,
    partial: bool = False,
) -> A:
    """Execute a run with progress, and return its answer.

    Ctrl-C and failed units end the command with a line that says how to resume.

    - `seconds`: time limit; then the answer is of what is done.
    - `arrived`: called with each new result.
    - `partial`: whether failed units are printed, and the answer is of the rest.
    """
    file = ledger_file(run.name, run.work)
    if file.exists():
        going_on(f"what was written is kept; to resume: {resuming()}")
    elif others := other_versions(file):
        what = "was made by another version of the program or of the rules"
        note(f"{shown(others[0])} {what}; starting again")
    if how.cluster is not None and not how.cluster.startswith(("tls://", "wss://")):
        warn(
            f"warning: {how.cluster} does not use TLS: whoever reaches the scheduler "
            "can run any program on its machines; see docs/long-runs.md"
        )
    with progress(run.name, 1.0) as bar:
        outcome = execute(
            run,
            jobs=how.jobs,
            cluster=how.cluster,
            seconds=seconds,
            progress=lambda share, *rest: bar.update(share, words=_state(share, *rest)),
            arrived=arrived,
            kept=_print_kept,
        )
    if outcome.answer is None:
        if outcome.ledger is not None:
            units = counted(outcome.units, "unit")
            going_on(f"{outcome.done:,} of {units} are kept; to resume: {resuming()}")
        raise KeyboardInterrupt
    for unit, error in outcome.failures[:_PRINTED]:
        warn(f"{run.name} {unit}: {error}")
    if outcome.failures:
        warn(f"{counted(len(outcome.failures), 'unit')} failed; to retry: {resuming()}")
        if not partial:
            raise typer.Exit(1)
    return outcome.answer


def resuming() -> str:
    """Return the command that resumes this one."""
    return shlex.join(["oneway", *sys.argv[1:]])


def _print_kept(ledger: Path, why: str) -> None:
    """Print where a long run is kept, or why it cannot be resumed."""
    if why:
        warn(f"this run cannot be resumed: {why}")
        return
    note(f"what is done is kept in {shown(ledger)}; to resume: {resuming()}")
    going_on(f"what was written is kept; to resume: {resuming()}")


def _state(share: float, failed: int, left: float | None) -> str:
    parts = [f"{100 * share:.1f} %"]
    if left is not None:
        parts.append(f"{span(left)} left")
    if failed:
        parts.append(f"{failed:,} failed")
    return ", ".join(parts)
