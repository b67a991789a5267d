"""`oneway families`: the bounds of distance families, proved for every distance."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solver.errors import OptionError
from solver.files import write_whole
from verify.commands.console import JsonOption, emit, note, progress_bar, say
from verify.commands.ending import one_line
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def _advance(bar: "Progress", task: "TaskID", done: int) -> None:
    bar.update(task, completed=done)


@campaigning
def families(
    how: How,
    names: Annotated[
        list[str] | None,
        typer.Argument(help="straight, up-small, up-big, corner; all if left out."),
    ] = None,
    most: Annotated[
        int,
        typer.Option("--most", help="Border cells, and cells to a corner."),
    ] = 11,
    corners: Annotated[
        int | None,
        typer.Option("--corners", help="The same for corners alone, which are many."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the page to this Markdown file."),
    ] = None,
    proofs: Annotated[
        Path | None,
        typer.Option(
            "--proofs",
            help="Folder for certificates, one for each member; those there are kept.",
        ),
    ] = None,
    every_distance: Annotated[
        bool,
        typer.Option(
            "--every-distance",
            help="Prove the bounds for all distances at once; --most says how many "
            "are shown.",
        ),
    ] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", help="Limit for the bounds of one way.")
    ] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """Prove the bounds of distance families: which surplus an area can have.

    A border of D cells, or a stair to a corner, cuts off an area. For each way to go
    on, the lowest and the highest surplus of white cells that a completion leaves
    possible are found by proofs, for every distance up to --most, and from where on
    they repeat. `oneway proof check` judges the certificates.

    With --every-distance the border is a chain of like cells. What one more cell can
    add is judged once, for all distances. A whole family has one certificate.

    Exit code 0 if all bounds were found, 1 if a limit came first, 2 on bad input.

    Try: oneway families up-small up-big --most 16

    The page of the project: oneway families --every-distance --most 43 --corners 31
    -o docs/tables/families.md

    The same bounds member by member, half an hour, resumable:
    oneway families --most 43 --corners 31 -o out/families.md
    """
    from verify.families.every import prove_every_distance
    from verify.families.page import markdown
    from verify.families.tables import CORNER, NAMES, certify, family_bounds, places

    if not seconds > 0:
        raise OptionError(f"--seconds {seconds} is not above 0")
    for option, far in (("--most", most), ("--corners", corners)):
        if far is not None and far < 3:
            raise OptionError(f"{option} {far} is not at least 3")
    wanted = dict.fromkeys(names or NAMES, most)
    if corners is not None and CORNER in wanted:
        wanted[CORNER] = corners
    for name in wanted:
        places(name, most)  # an unknown one is refused now
    if every_distance:
        with progress_bar() as bar:
            tables = [
                prove_every_distance(name, far, proofs)
                for name, far in bar.track(wanted.items(), description="families")
            ]
    else:
        families = [list(pair) for pair in wanted.items()]
        parameters = {"families": families, "seconds": seconds}
        tables = conduct(family_bounds, parameters, how)
    missing = [f"{one}: no bounds" for table in tables for one in table.unknown()]
    if proofs and not every_distance:
        with progress_bar() as bar:
            for table in tables:
                task = bar.add_task(f"{table.name}, proofs", total=len(table.bounds))
                tick = partial(_advance, bar, task)
                left = certify(table, proofs, seconds=seconds, progress=tick)
                missing += [f"{one}: no certificate" for one in left]
    page = markdown(tables)
    if out:
        write_whole(out, page)
    if as_json:
        for table in tables:
            for line in table.plain():
                emit(line)
    else:
        say(f"written: {one_line(out)}" if out else page.rstrip())
    for one in missing:
        note(f"{one}: the time limit came first")
    raise typer.Exit(1 if missing else 0)
