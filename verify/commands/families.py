"""`oneway prove` of distance families: their bounds, for every distance."""

from pathlib import Path

from solver.errors import OptionError
from solver.files import write_whole
from verify.commands.console import emit, progress_bar, say
from verify.commands.ending import one_line


def prove_families(
    names: list[str],
    far: tuple[int, int | None],
    out: Path | None,
    proofs: Path,
    as_json: bool,
) -> None:
    """Prove the bounds of families, print or write their page, keep certificates.

    `far` are the distances shown, of corners apart if that is said.
    """
    from verify.families.every import prove_every_distance
    from verify.families.tables import CORNER, markdown, places

    most, corners = far
    for option, cells in (("--most", most), ("--corners", corners)):
        if cells is not None and cells < 3:
            raise OptionError(f"{option} {cells} is not at least 3")
    wanted = dict.fromkeys(names, most)
    if corners is not None and CORNER in wanted:
        wanted[CORNER] = corners
    for name in wanted:
        places(name, most)  # an unknown one is refused now
    with progress_bar() as bar:
        tables = [
            prove_every_distance(name, cells, proofs)
            for name, cells in bar.track(wanted.items(), description="families")
        ]
    page = markdown(tables)
    if out:
        write_whole(out, page)
    if as_json:
        for line in (line for table in tables for line in table.plain()):
            emit(line)
    else:
        say(f"written: {one_line(out)}" if out else page.rstrip())
