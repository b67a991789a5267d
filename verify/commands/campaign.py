"""`oneway campaign`: the ledgers of long runs: listed, shown, exported, merged."""

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, astuple
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verify.commands import options
from verify.commands.console import emit, note, say, shown, table
from verify.commands.ending import one_line
from verify.commands.options import argument, flag, option
from verify.words import counted, span

if TYPE_CHECKING:
    from verify.campaign.ledger import Ledger

_FOLDED = 100_000  # results that `show` puts together unasked
_CASES = 10  # cases and failures that `show` prints

app = typer.Typer(
    no_args_is_help=True,
    help="Long runs: after a minute a ledger keeps what was done, and the same command "
    "resumes. docs/campaigns.md says how.",
)
NameArgument = Annotated[
    str, argument("A ledger: its file, its name, or how its name begins.")
]


def _list(as_json: bool) -> None:
    from verify.campaign.ledger import Ledger
    from verify.campaign.places import ENDING, folder, ledgers
    from verify.campaign.schema import LedgerError

    rows = []
    for path in ledgers():
        name = path.name.removesuffix(ENDING)
        try:
            with Ledger(path) as ledger:
                counts, spec = ledger.counts(), ledger.spec
        except LedgerError as error:
            note(str(error))
            continue
        if as_json:
            emit({"name": name, "command": spec.command} | _counted(ledger, counts))
            continue
        state = "done" if counts.done == counts.units else f"{100 * counts.share:.1f} %"
        done = f"{counts.done:,} of {counts.units:,}"
        rows.append([name, state, done, f"{counts.failed:,}", one_line(spec.command)])
    if not as_json and rows:
        header = ["campaign", "state", "units", "failed", "command"]
        table(f"Campaigns in {shown(folder())}", header, rows)
    elif not as_json:
        say(f"no campaign in {shown(folder())}")


def _counted(ledger: "Ledger", counts: Any) -> dict[str, Any]:
    return {
        "file": str(ledger.file),
        "parameters": ledger.spec.parameters,
        "units": counts.units,
        "done": counts.done,
        "open": counts.open,
        "failed": counts.failed,
        "weight": counts.weight,
        "open_weight": counts.open_weight,
    }


@app.command()
def show(
    name: str = argument(
        "A ledger: its file, its name, or how its name begins; none: a list "
        "of those in out/campaigns, or in the folder ONEWAY_CAMPAIGNS.",
        "",
    ),
    fold: bool = flag("--fold", f"Put more than {_FOLDED:,} results together too."),
    as_json: options.Json = False,
) -> None:
    """Show how far campaigns are and what came of one so far, without stopping it.

    Try: oneway campaign show stats
    """
    from verify.campaign.known import summary_so_far
    from verify.campaign.ledger import Ledger
    from verify.campaign.places import find

    if not name:
        _list(as_json)
        return
    with Ledger(find(name)) as ledger:
        counts, spec, failures = ledger.counts(), ledger.spec, ledger.failures()
        spent, workers = ledger.spent()
        cases = ledger.found_there()
        if as_json:
            values = {
                "command": spec.command,
                "seconds": round(spent, 3),
                "workers": workers,
                "cases": cases,
                "failures": [
                    {"unit": one.unit, "error": one.error.splitlines()[0]}
                    for one in failures
                ],
            }
            emit(_counted(ledger, counts) | values)
            return
        say(f"{spec.name}: {shown(ledger.file)}")
        for key, value in spec.parameters.items():
            say(f"  {key}: {value}")
        say(f"made with: {spec.program}")
        say(f"command: {one_line(spec.command)}")
        say(
            f"{counts.done:,} of {counted(counts.units, 'unit')} done, "
            f"{counts.failed:,} failed, {counts.open:,} open; "
            f"{span(spent)} of work by {counted(workers, 'worker')}"
        )
        for one in failures[:_CASES]:
            say(f"failed: {one.unit}: {one.error.splitlines()[0]}")
        if cases:
            say(f"{counted(cases, 'case')} found")
            for _, text in zip(range(_CASES), ledger.found(), strict=False):
                say(f"  {text}")
        if counts.done > _FOLDED and not fold:
            say(f"--fold puts {counts.done:,} results together")
            return
        for line in summary_so_far(ledger):
            say(line)


@app.command()
def export(
    name: NameArgument,
    as_csv: bool = flag("--csv", "Comma-separated values, not JSON lines."),
    out: Path | None = option("--output -o", "Write to this file.", None),
) -> None:
    """Write every unit with its result, in order: the same bytes whoever did the work.

    JSON, one object a line, or CSV. A result of bytes is hexadecimal.

    Try: oneway campaign export stats --csv -o stats.csv
    """
    from solver.files import write_whole
    from verify.campaign.ledger import Ledger
    from verify.campaign.places import find

    with Ledger(find(name)) as ledger:
        lines = _csv(ledger) if as_csv else _json_lines(ledger)
        if out is None:
            for line in lines:
                sys.stdout.write(line)
        else:
            write_whole(out, "".join(lines))
            say(f"written: {shown(out)}")


def _csv(ledger: "Ledger") -> Iterator[str]:
    # What `write` returns, `writerow` does.
    plain: Any = SimpleNamespace(write=str)
    writer = csv.writer(plain, lineterminator="\n")
    yield writer.writerow(["place", "unit", "payload", "state", "result"])
    for row in ledger.rows():
        yield writer.writerow(astuple(row))


def _json_lines(ledger: "Ledger") -> Iterator[str]:
    for row in ledger.rows():
        values = asdict(row) | {"payload": json.loads(row.payload)}
        yield json.dumps(values, ensure_ascii=False) + "\n"


@app.command()
def merge(
    target: str = argument("The ledger that is added to."),
    others: list[str] = argument("Ledgers of the same campaign."),
) -> None:
    """Add to a ledger what others of the same campaign know; nothing is changed.

    So machines that do not see each other share the work: each runs the same command
    line with another --share.

    Try: oneway campaign merge out/campaigns/stats-1f2e3d4c.ledger other.ledger
    """
    from verify.campaign.places import find
    from verify.campaign.places import merge as merge_ledgers

    path = find(target)
    new = merge_ledgers(path, [find(other) for other in others])
    say(f"{shown(path)}: {counted(new, 'new result')}")


@app.command()
def retry(name: NameArgument) -> None:
    """Offer the units again that failed three times; then run the command again.

    Try: oneway campaign retry stats
    """
    from verify.campaign.ledger import Ledger
    from verify.campaign.places import find
    from verify.campaign.schema import held

    path = find(name)
    with held(path), Ledger(path, write=True) as ledger:
        count, command = ledger.retry(), ledger.spec.command
    say(f"{shown(path)}: {counted(count, 'unit')} open again")
    if count:
        say(f"to go on: {command or 'the command line that made it'}")
