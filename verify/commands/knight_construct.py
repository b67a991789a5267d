"""`oneway knight construct`: symmetric semi-magic tours of larger boards."""

from itertools import islice
from typing import Annotated

import typer

from verify.commands.console import (
    JsonOption,
    PictureOption,
    SeedOption,
    emit,
    note,
    progress_bar,
    say,
)


def construct(
    side: Annotated[int, typer.Argument(help="12, 16 or 8.")] = 12,
    most: Annotated[
        int, typer.Option("--count", "-n", min=0, help="Find so many; 0 is all.")
    ] = 1,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Make symmetric semi-magic tours of 12 x 12, 16 x 16 or 8 x 8 from quads.

    A quad is a circle of four knight's moves in a block of 4 x 4 cells; the tours found
    walk each quad whole, but the middle ones of 12 x 12. The first tour of 12 x 12
    takes some seconds, more come every few seconds; 8 x 8 is searched to its end at
    once. On 16 x 16 the quarters of a tour are images of each other under quarter turns
    of the board; there are four of these up to turns, found in seconds. Every tour is
    judged before it is printed.

    Exit code 0 if one was found, 1 if not.

    Try: oneway knight construct 12 -o tour.svg
    """
    from solver.errors import OptionError
    from solver.puzzles.knight.quads import QuadTours
    from solver.puzzles.knight.tour import diagonal_sums
    from solver.puzzles.knight.turned import TurnedTours
    from solver.svg import write_pictures
    from verify.commands.console import numbered
    from verify.puzzles.knight.draw import draw, numbered_text
    from verify.puzzles.knight.enumeration import check_semimagic
    from verify.puzzles.knight.tell import as_rows

    if side not in (8, 12, 16):
        raise OptionError(f"tours are made of 8, 12 and 16 rows, not of {side}")
    quads = (TurnedTours if side == 16 else QuadTours)(side, seed=seed)
    what = "beginnings tried" if side == 16 else "sets of quads tried"
    shown = []
    with progress_bar() as bar:
        task = bar.add_task(what, total=quads.sets)
        tours = quads.tours(lambda met: bar.advance(task))
        for tour in islice(tours, most or None):
            check_semimagic(tour, side)
            rows = as_rows(tour, side)
            down, up = diagonal_sums(tour, side)
            shown.append(rows)
            if as_json:
                emit({"numbers": rows, "diagonal_sums": [down, up]})
                continue
            say(numbered_text(rows))
            note(f"symmetric, semi-magic; diagonals {down} and {up}")
    if picture and shown:
        files = numbered(picture, len(shown))
        write_pictures(zip(files, map(draw, shown), strict=True))
    if not shown:
        note("none was found")
        raise typer.Exit(1)
