"""What commands that are campaigns share: options, progress, and how a run ends."""

import inspect
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer

from solver.errors import OptionError
from solver.system import cores
from verify.commands import console, options
from verify.commands.console import note, shown, warn
from verify.commands.ending import going_on
from verify.commands.options import option
from verify.words import counted, span

if TYPE_CHECKING:
    from verify.campaign.campaign import Campaign, Maker
    from verify.campaign.engine import Outcome, Progress

A = TypeVar("A")

CORES = cores()
_TOLD = 20  # failed units named at the end


class How(NamedTuple):
    """How a campaign is executed, each an option; nothing of it changes the answer."""

    jobs: options.Jobs = CORES
    ledger: Annotated[
        Path | None,
        option(
            "--ledger",
            "File that remembers what was done (default: after a minute, in "
            "out/campaigns or the folder ONEWAY_CAMPAIGNS).",
        ),
    ] = None
    fresh: options.Fresh = False
    cluster: Annotated[
        str | None,
        option(
            "--cluster", "Let the workers of this Dask scheduler work: tcp://host:8786."
        ),
    ] = None
    share: Annotated[
        str | None,
        option(
            "--share",
            "Do only this part of the units, 2/3 for the second of three; `oneway "
            "campaign merge` joins ledgers.",
        ),
    ] = None


def campaigning(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that takes ``how`` the options that say how it is executed."""
    signature = inspect.signature(command)
    given = [one for one in signature.parameters.values() if one.name != "how"]
    parameters = [
        *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in given),
        *(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=How._field_defaults[name],
                annotation=kind,
            )
            for name, kind in get_type_hints(How, include_extras=True).items()
        ),
    ]

    @wraps(command)
    def taking(**given: Any) -> None:
        how = How(**{name: given.pop(name) for name in How._fields})
        command(**given, how=how)

    taking.__annotations__ = {one.name: one.annotation for one in parameters}
    taking.__dict__["__signature__"] = signature.replace(parameters=parameters)
    del taking.__dict__["__wrapped__"]  # its signature is not ours
    return taking


def _share(text: str | None) -> tuple[int, int]:
    """Read a share, ``2/3``."""
    if text is None:
        return 1, 1
    part, _, parts = text.partition("/")
    if part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts):
        return int(part), int(parts)
    raise OptionError(f"--share {text} is not like 2/3")


def resuming() -> str:
    """Return the command that resumes this one."""
    words = [word for word in sys.argv[1:] if word != "--fresh"]
    return shlex.join(["oneway", *words])


def conduct(
    maker: "Maker[A]",
    parameters: dict[str, Any],
    how: How,
    *,
    seconds: float | None = None,
    arrived: Callable[[int, Any], None] | None = None,
    partial: bool = False,
    efforts: dict[str, float] | None = None,
) -> A:
    """Run a campaign to its end, showing progress, and return the answer.

    Ctrl-C, and units set aside, end the command with a line that says how to resume.

    - `seconds`: time limit; then the answer is of what is done.
    - `arrived`: called with the place and the result of each unit.
    - `partial`: whether units set aside are reported, and the answer is of the rest.
    - `efforts`: receives the seconds that each unit took, by its name.
    """
    from verify.campaign.engine import run

    campaign = maker(parameters)
    _announce(campaign, how)
    with _watched(campaign.name) as progress:
        outcome: Outcome[A] = run(
            *(maker, parameters),
            **how._asdict() | {"share": _share(how.share)},
            seconds=seconds,
            command=resuming(),
            progress=progress,
            arrived=arrived or (lambda *_: None),
            kept=_tell_kept,
            partial=partial,
            timed=efforts is not None,
        )
    if efforts is not None:
        efforts.update(outcome.efforts)
    if outcome.interrupted and not outcome.complete:
        if outcome.kept:
            done, units = outcome.counts.done, counted(outcome.counts.units, "unit")
            going_on(f"{done:,} of {units} are kept; to resume: {resuming()}")
        raise KeyboardInterrupt
    if outcome.counts.open and not outcome.stopped:
        done, left = outcome.counts.done, counted(outcome.counts.open, "unit")
        note(f"share {how.share} is done; {done:,} units are kept, {left} left")
        note(f"{shown(outcome.ledger)} waits for `oneway campaign merge`")
        raise typer.Exit(1)
    _tell_failures(outcome)
    if outcome.answer is None or (outcome.failures and not partial):
        raise typer.Exit(1)
    return outcome.answer


def _tell_failures(outcome: "Outcome[A]") -> None:
    """Print the units that were set aside, and how to try them again."""
    if not outcome.failures:
        return
    for failure in outcome.failures[:_TOLD]:
        warn(f"{failure.unit}: {failure.error.splitlines()[0]}")
    units = counted(len(outcome.failures), "unit")
    name = shown(outcome.ledger)
    warn(f"{units} failed three times and were set aside: {name}")
    if outcome.kept:
        warn(f"to try them again: oneway campaign retry {shlex.quote(name)}")


def _tell_kept(ledger: Path, why: str) -> None:
    """Print where a long run is kept, or why it cannot be resumed."""
    if why:
        warn(f"this run cannot be resumed: {why}")
        return
    note(f"what is done is kept in {shown(ledger)}; to resume: {resuming()}")
    going_on(f"what was written is kept; to resume: {resuming()}")


def unkept(maker: "Maker[A]", parameters: dict[str, Any], _: How) -> A:
    """Return the answer of a campaign made here and now, of which nothing is kept."""
    campaign = maker(parameters)
    with console.progress_bar() as bar:
        units = [*campaign.units()]
        done = bar.track(units, description=campaign.name)
        return campaign.fold(campaign.work(unit.payload) for unit in done)


def _announce(campaign: "Campaign[A]", how: How) -> None:
    """Warn of an open scheduler, and of a ledger that another version made."""
    from verify.campaign.cluster import open_to_all
    from verify.campaign.places import ledger_of, left_behind

    there = how.ledger is not None or ledger_of(campaign).exists()
    if there or how.share is not None:
        going_on(f"what was written is kept; to resume: {resuming()}")
    if how.cluster is not None and open_to_all(how.cluster):
        warn(
            f"warning: {how.cluster} is no TLS: whoever reaches the scheduler can run "
            "any program on all its machines; docs/campaigns.md shows --host and TLS"
        )
    if not there:
        old = left_behind(campaign)
        if old is not None:
            note(
                f"{shown(old)} was made by another version of the program or of the "
                "rules; this begins anew"
            )


@contextmanager
def _watched(name: str) -> "Iterator[Callable[[Progress], None]]":
    """Show progress on standard error: a bar, or a line now and then."""
    with console.progress_bar() as bar:
        task = bar.add_task(name, total=1.0)

        def moved(progress: "Progress") -> None:
            share = progress.done_weight / progress.weight if progress.weight else 1.0
            bar.update(task, completed=share, told=_told(progress, share))

        yield moved


def _told(progress: "Progress", share: float) -> str:
    """Return how far it is: the share, what is done a second, and the time left."""
    rate = f"{progress.rate:,.0f}" if progress.rate >= 10 else f"{progress.rate:.1f}"
    parts = [
        f"{100 * share:.1f} %",
        f"{rate} {progress.noun} a second" if progress.noun and progress.rate else "",
        "" if progress.left is None else f"{span(progress.left)} left",
        f"{progress.failed:,} failed" if progress.failed else "",
    ]
    return ", ".join(filter(None, parts))
