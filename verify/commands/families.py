"""`oneway families`: the bounds of distance families, proved for every distance."""

from pathlib import Path
from typing import Annotated

import typer

from solver.errors import OptionError
from solver.files import write_whole
from verify.commands.console import JsonOption, emit, progress_bar, say
from verify.commands.ending import one_line


def families(
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
        typer.Option("--proofs", help="Folder for certificates, one a family."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Prove the bounds of distance families: which surplus an area can have.

    A border of D cells, or a stair to a corner, cuts off an area. For each way to go
    on, the lowest and the highest surplus of white cells that a completion leaves
    possible are proved for every distance at once. The border is a chain of like cells:
    what one more cell can add is judged once. The tables show distances up to --most,
    and from where on they repeat. `oneway proof check` judges the certificates.

    Exit code 0, or 2 on bad input.

    Try: oneway families up-small up-big --most 16

    The page of the project: oneway families --most 43 --corners 31 -o
    docs/tables/families.md
    """
    from verify.families.every import prove_every_distance
    from verify.families.page import markdown
    from verify.families.tables import CORNER, NAMES, places

    for option, far in (("--most", most), ("--corners", corners)):
        if far is not None and far < 3:
            raise OptionError(f"{option} {far} is not at least 3")
    wanted = dict.fromkeys(names or NAMES, most)
    if corners is not None and CORNER in wanted:
        wanted[CORNER] = corners
    for name in wanted:
        places(name, most)  # an unknown one is refused now
    with progress_bar() as bar:
        tables = [
            prove_every_distance(name, far, proofs)
            for name, far in bar.track(wanted.items(), description="families")
        ]
    page = markdown(tables)
    if out:
        write_whole(out, page)
    if as_json:
        for line in (line for table in tables for line in table.plain()):
            emit(line)
    else:
        say(f"written: {one_line(out)}" if out else page.rstrip())
