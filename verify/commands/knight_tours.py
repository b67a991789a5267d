"""`oneway knight tour` and `complete`: tours of any board."""

from typing import Annotated

import typer

from verify.commands.console import (
    JsonOption,
    PictureOption,
    SeedOption,
    emit,
    note,
    say,
)

_SHOWN = 40  # columns of a board that is printed
_COUNTED = 42  # cells of a board whose tours are counted

RuleOption = Annotated[
    str | None,
    typer.Option(
        "--rule",
        help="Tried first: warnsdorff, first, outermost or isolated. If left out, "
        "warnsdorff on boards of up to 1,024 cells.",
    ),
]


def shape(text: str) -> tuple[int, int]:
    """Read a shape, ``5x4`` or ``8``.

    Raises
    ------
    OptionError
        If it is none.
    """
    from solver.errors import OptionError

    rows, _, cols = text.lower().partition("x")
    cols = cols or rows
    sizes = [one.isascii() and one.isdecimal() and len(one) < 8 for one in (rows, cols)]
    if not all(sizes) or not (int(rows) and int(cols)):
        raise OptionError(f"{text!r} is no board such as 8 or 5x4")
    return int(rows), int(cols)


def _start(text: str, rows: int, cols: int) -> int:
    """Read a start: a name as in chess, or row,col from 1."""
    from solver.errors import OptionError
    from solver.puzzles.knight.tour import named_cell

    if "," not in text:
        return named_cell(text, rows, cols)
    words = text.split(",")
    if len(words) != 2 or not all(one.strip().isdecimal() for one in words):
        raise OptionError(f"--start {text!r} is no cell such as c3 or 1,1")
    row, col = (int(one) for one in words)
    if not (1 <= row <= rows and 1 <= col <= cols):
        raise OptionError(f"--start {text} lies outside {rows} x {cols}")
    return (row - 1) * cols + col - 1


def tour(
    board: Annotated[str, typer.Argument(help="Rows x columns: 5x4, or 8 for 8x8.")],
    start: Annotated[
        str, typer.Option("--start", help="First cell: c3, or row,col from 1.")
    ] = "1,1",
    closed: Annotated[
        bool, typer.Option("--closed", help="The last cell is to touch the first.")
    ] = False,
    rule: RuleOption = None,
    seed: SeedOption = 0,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print what found it alone.")
    ] = False,
    how_many: Annotated[
        bool, typer.Option("--how-many", help="Count all tours of a small board.")
    ] = False,
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Find a knight's tour of any board, or say why there is none.

    Theorems come first, then a rule; boards of three or four rows are then settled
    column by column, others by an exact search and the weaving of blocks (1000x1000
    takes a few seconds). Every tour is judged before it is printed. If every cell may
    be the start, leave --start out and try others on failure: on odd boards half of the
    cells begin no tour.

    With --how-many tours are counted exactly, from every start; 6 x 6 takes a few
    seconds. A tour and its reversal are two; with --closed, each is counted once a
    direction, wherever it begins.

    Exit code 0 if found, 1 if there is none or none was found.

    Try: oneway knight tour 8 --closed -o tour.svg
    """
    from solver.puzzles.knight.search import Status
    from solver.svg import write_picture
    from verify.puzzles.knight.draw import draw, numbered_text
    from verify.puzzles.knight.finding import find_tour

    rows, cols = shape(board)
    if how_many:
        _count(rows, cols, closed, as_json)
        return
    found = find_tour(
        rows, cols, _start(start, rows, cols), closed=closed, rule=rule, seed=seed
    )
    cells = None if found.tour is None else found.tour.tolist()
    if as_json:
        data = {"rows": rows, "cols": cols, "status": found.status.name.lower()}
        emit(data | {"by": found.by, "tour": cells})
    else:
        words = {
            Status.FOUND: "found by",
            Status.NONE: "none exists:",
            Status.UNKNOWN: "unknown:",
        }
        note(f"{rows} x {cols}: {words[found.status]} {found.by}")
    if cells is None:
        raise typer.Exit(1)
    numbers = [[0] * cols for _ in range(rows)]
    for number, cell in enumerate(cells, start=1):
        numbers[cell // cols][cell % cols] = number
    if not (quiet or as_json):
        say(numbered_text(numbers))
    if picture:
        write_picture(draw(numbers), picture)


def _count(rows: int, cols: int, closed: bool, as_json: bool) -> None:
    """Print how many tours a small board has."""
    from solver.errors import OptionError
    from solver.puzzles.knight.search import count_tours

    if rows * cols > _COUNTED:
        raise OptionError(
            f"{rows} x {cols} has more than {_COUNTED} cells; its tours are too many "
            "to walk them all"
        )
    total = count_tours(rows, cols, closed=closed)
    if as_json:
        emit({"rows": rows, "cols": cols, "closed": closed, "directed": total})
    else:
        kind = "closed tours" if closed else "tours"
        say(f"{rows} x {cols}: {total:,} directed {kind}, {total // 2:,} undirected")


def complete(
    file: Annotated[
        str,
        typer.Argument(
            help="Rows of numbers, . where none is known; - is standard input."
        ),
    ],
    most: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Find up to so many.")
    ] = 1,
    oracle: Annotated[
        str | None,
        typer.Option("--oracle", help="sat or search; the faster if left out."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Give up after so long.")
    ] = 60.0,
    closed: Annotated[
        bool, typer.Option("--closed", help="Number 1 is to touch the last number.")
    ] = False,
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> None:
    """Complete a partly numbered square board to a semi-magic tour.

    A SAT formula does it; where 16 or more first numbers of 8 x 8 are given, the search
    of `enumerate`, which is faster and shares nothing with it. Printed too, if it was
    found out: that there is no other.

    Exit code 0 if one was found, 1 if there is none or the time was up.

    Try: oneway knight complete board.txt -n 5
    """
    from solver.puzzles.knight.search import Status
    from solver.svg import write_picture
    from verify.puzzles.knight.boards import as_rows, read_board
    from verify.puzzles.knight.completing import complete as by_oracle
    from verify.puzzles.knight.draw import draw, numbered_text
    from verify.puzzles.knight.enumeration import check_semimagic

    board = read_board(file)
    side = len(board)
    found = by_oracle(board, oracle=oracle, seconds=seconds, most=most, closed=closed)
    shown = found.tours[:most]
    for tour in shown:
        check_semimagic(tour, side)
        rows = as_rows(tour, side)
        if as_json:
            emit({"numbers": rows})
        else:
            say(numbered_text(rows))
            say()
    if as_json:
        emit(
            {
                "status": found.status.name.lower(),
                "found": len(shown),
                "no_other": found.all and len(shown) == len(found.tours),
            }
        )
    elif found.status is Status.UNKNOWN:
        note(f"unknown: nothing was found in {seconds:g} seconds")
    elif found.status is Status.NONE:
        note("none: no semi-magic tour has these numbers")
    elif found.all and len(shown) == len(found.tours):
        note("there is no other")
    if picture and shown:
        write_picture(draw(as_rows(shown[0], side)), picture)
    if not shown:
        raise typer.Exit(1)
