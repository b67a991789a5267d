"""`oneway knight`: knight's tours, above all the semi-magic ones of 8 x 8."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING

import typer

from solver.errors import OptionError
from verify.commands import console, options
from verify.commands.console import emit, note, say, table
from verify.commands.options import argument, flag, option
from verify.commands.running import How, campaigning, conduct

if TYPE_CHECKING:
    from solver.puzzles.knight.tour import Tour


app = typer.Typer(
    no_args_is_help=True,
    help="Knight's tours. A tour is semi-magic if all rows and columns of its numbers "
    "have one sum, 260 on 8 x 8.\n\n"
    "Try: oneway knight symmetric | head -9",
)

_COUNTED = 42  # cells of a board whose tours are counted


def shape(text: str) -> tuple[int, int]:
    """Read a shape, ``5x4`` or ``8``.

    Raises `OptionError` if it is none.
    """
    found = re.fullmatch("([1-9][0-9]{0,6})(?:x([1-9][0-9]{0,6}))?", text.lower())
    if not found:
        raise OptionError(f"{text!r} is no board such as 8 or 5x4")
    return int(found[1]), int(found[2] or found[1])


def _start(text: str, rows: int, cols: int) -> int:
    """Read a start: a name as in chess, or row,col from 1."""
    from solver.puzzles.knight.tour import named_cell

    place = re.fullmatch(" *([0-9]{1,7}) *, *([0-9]{1,7}) *", text)
    if not place:
        return named_cell(text, rows, cols)
    row, col = int(place[1]), int(place[2])
    if not (1 <= row <= rows and 1 <= col <= cols):
        raise OptionError(f"--start {text} lies outside {rows} x {cols}")
    return (row - 1) * cols + col - 1


@app.command()
def tour(
    board: str = argument("Rows x columns: 5x4, or 8 for 8x8."),
    start: str = option("--start", "First cell: c3, or row,col from 1.", "1,1"),
    closed: bool = flag("--closed", "The last cell is to touch the first."),
    rule: str | None = option(
        "--rule",
        "Tried first: warnsdorff, first, outermost or isolated. If left out, "
        "warnsdorff on boards of up to 1,024 cells.",
        None,
    ),
    seed: options.Seed = 0,
    quiet: bool = flag("--quiet -q", "Print what found it alone."),
    how_many: bool = flag("--how-many", "Count all tours of a small board."),
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Find a knight's tour of any rectangle, or say why there is none.

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
    from solver.svg import write_picture
    from verify.puzzles.knight.boards import as_rows, draw, numbered_text
    from verify.puzzles.knight.finding import find_tour

    rows, cols = shape(board)
    if how_many:
        _count(rows, cols, closed, as_json)
        return
    found = find_tour(
        rows, cols, _start(start, rows, cols), closed=closed, rule=rule, seed=seed
    )
    cells, status = found.tour, found.status.name.lower()
    if as_json:
        emit(rows=rows, cols=cols, status=status, by=found.by, tour=cells)
    else:
        words = {"found": "found by", "none": "none exists:", "unknown": "unknown:"}
        note(f"{rows} x {cols}: {words[status]} {found.by}")
    if cells is None:
        raise typer.Exit(1)
    numbers = as_rows(cells, cols)
    if not (quiet or as_json):
        say(numbered_text(numbers))
    if picture:
        write_picture(draw(numbers), picture)


def _count(rows: int, cols: int, closed: bool, as_json: bool) -> None:
    """Print how many tours a small board has."""
    from solver.puzzles.knight.search import count_tours

    if rows * cols > _COUNTED:
        why = f"more than {_COUNTED} cells; its tours are too many to walk them all"
        raise OptionError(f"{rows} x {cols} has {why}")
    total = count_tours(rows, cols, closed=closed)
    if as_json:
        emit(rows=rows, cols=cols, closed=closed, directed=total)
    else:
        kind = "closed tours" if closed else "tours"
        say(f"{rows} x {cols}: {total:,} directed {kind}, {total // 2:,} undirected")


@app.command()
def complete(
    file: str = argument(
        "Rows of numbers, . where none is known; - is standard input."
    ),
    most: int = option("--count -n", "Find up to so many.", 1, min=1),
    oracle: str | None = option(
        "--oracle", "sat or search; the faster if left out.", None
    ),
    seconds: float = option("--seconds", "Give up after so long.", 60.0, min=0.1),
    as_json: options.Json = False,
    picture: options.Picture = None,
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
    from verify.puzzles.knight.boards import as_rows, draw, numbered_text, read_board
    from verify.puzzles.knight.enumeration import check_semimagic
    from verify.puzzles.knight.finding import complete as by_oracle

    board = read_board(file)
    side = len(board)
    found = by_oracle(board, oracle=oracle, seconds=seconds, most=most)
    shown = found.tours[:most]
    no_other = found.all and len(shown) == len(found.tours)
    for tour in shown:
        check_semimagic(tour, side)
        rows = as_rows(tour, side)
        if as_json:
            emit(numbers=rows)
        else:
            say(numbered_text(rows))
            say()
    if as_json:
        emit(status=found.status.name.lower(), found=len(shown), no_other=no_other)
    elif found.status is Status.UNKNOWN:
        note(f"unknown: nothing was found in {seconds:g} seconds")
    elif found.status is Status.NONE:
        note("none: no semi-magic tour has these numbers")
    elif no_other:
        note("there is no other")
    if picture and shown:
        write_picture(draw(as_rows(shown[0], side)), picture)
    if not shown:
        raise typer.Exit(1)


@app.command()
def check(
    file: str = argument(
        "Numbers in rows with any separators, a stream of digits, or cells "
        "a1 c2 ... in order; - is standard input."
    ),
    board: str = option("--size", "Shape, 5x4, if the text does not show it.", ""),
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Judge a numbered board: which of seven conditions hold, and why others fail.

    1 consecutive numbers lie a knight's move apart, 2 every number stands there once, 3
    equal column sums, 4 equal row sums, 5 closed, 6 symmetric about the centre, 7 both
    diagonals too. Printed as well: all sums, the shifts by which a closed tour can be
    renumbered and is semi-magic again, and with --json the canonical form.

    Exit code 0 if it is a tour, 1 if not, 2 on bad input.

    Try: oneway knight symmetric --first 1 | oneway knight check -
    """
    from solver.svg import write_picture
    from verify.puzzles.knight.boards import as_json as to_json
    from verify.puzzles.knight.boards import (
        as_lines,
        draw,
        judged,
        numbered_text,
        read_board,
    )

    numbers = read_board(file, shape=shape(board) if board else None)
    found = judged(numbers, file)
    if as_json:
        emit(to_json(numbers, found))
    else:
        if len(numbers[0]) <= 20 and len(numbers) <= 40:
            say(numbered_text(numbers))
        for line in as_lines(numbers, found):
            say(line)
    if picture:
        write_picture(draw(numbers), picture)
    if not found.tour:
        raise typer.Exit(1)


@app.command()
def symmetric(
    side: int = argument("8, 12 or 16.", 8),
    first: int | None = option(
        "--count -n --first", "So many; 0 is all, but of 12.", None, min=0
    ),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Find all symmetric semi-magic tours of 8 x 8, or some of 12 x 12 or 16 x 16.

    Symmetric: the half turn of the board adds half of the numbers to every number, so
    all are closed. On 8 x 8 the search takes a second or two. It begins in ten cells
    that stand for all, and wants the end in no class of cells before the start's. That
    rule meets a tour twice, from both ends, if both lie in one class: so 18 are met,
    and 17 are different up to the 8 symmetries of the board and reversal. The last line
    of --json has all counts.

    Larger boards are walked by quads, circles of four knight's moves in a block of 4 x
    4 cells. The first tour of 12 x 12 takes some seconds, more come every few seconds;
    one is found unless -n says more. On 16 x 16 the quarters of a tour are images of
    each other under quarter turns; there are four of these, found in seconds. --seed
    says in which order they come. Every tour is judged before it is printed.

    Exit code 0 if one was found, 1 if not.

    Try: oneway knight symmetric 12 -o tour.svg
    """
    from solver.puzzles.knight.symmetric import all_symmetric
    from solver.svg import write_pictures
    from verify.puzzles.knight.boards import as_rows, draw
    from verify.puzzles.knight.enumeration import tally, tally_lines

    if side not in (8, 12, 16):
        raise OptionError(f"tours are made of 8, 12 and 16 rows, not of {side}")
    most = int(side == 12) if first is None else first
    met, tried = all_symmetric() if side == 8 else ([], 0)
    shown = _show_tours(islice(met or _quad_tours(side, seed), most or None), as_json)
    if met and as_json:
        emit(asdict(tally(met)) | {"steps": tried})
    elif met and not most:
        for line in tally_lines(tally(met), f"{tried:,} steps tried"):
            say(line)
    if picture:
        files = console.numbered(picture, len(shown))
        drawn = [draw(as_rows(tour, side)) for tour in shown]
        write_pictures(zip(files, drawn, strict=True))


def _quad_tours(side: int, seed: int) -> "Iterator[Tour]":
    """Yield tours made of quads while a bar says how much was tried."""
    from solver.puzzles.knight.quads import quad_tours

    tries, tours = quad_tours(side, seed=seed)
    with console.ticking("tried", tries) as tick:
        for tour in tours:
            if tour is None:
                tick()
            else:
                yield tour


def _show_tours(tours: "Iterable[Tour]", as_json: bool) -> "list[Tour]":
    """Judge and print the tours that were met; return one of each class."""
    from solver.puzzles.knight.tour import canonical, chess_name
    from verify.puzzles.knight.boards import as_rows, numbered_text
    from verify.puzzles.knight.enumeration import check_semimagic

    seen: dict[Tour, int] = {}
    shown = []
    for number, tour in enumerate(tours, start=1):
        side = isqrt(len(tour))
        found, rows = check_semimagic(tour, side), as_rows(tour, side)
        twin = seen.setdefault(canonical(tour, side), number)
        if twin == number:
            shown.append(tour)
        sums = found.diagonals or ()
        if as_json:
            emit(
                tour=number,
                same_as=twin if twin != number else None,
                numbers=rows,
                closed=found.holds(5),
                symmetric=found.holds(6),
                diagonal_sums=list(sums),
            )
            continue
        say(numbered_text(rows))
        ends = " to ".join(chess_name(tour[at], side, side) for at in (0, -1))
        again = f", the same as tour {twin}" if twin != number else ""
        note(f"tour {number}: {ends}, diagonals {' and '.join(map(str, sums))}{again}")
        say()
    return shown


@app.command("enumerate")
@campaigning
def enumerate_all(
    how: How,
    start: list[str] | None = option(
        "--start",
        "Only tours that begin in this cell: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4; "
        "may be said again. All ten if left out.",
        None,
    ),
    as_json: options.Json = False,
) -> None:
    """Find all semi-magic tours of 8 x 8: a search of about 45 core-hours.

    Ten starts stand for all cells, and the end lies in no class of cells before the
    start's. The work is cut into thousands of units, kept in a ledger. Stop it at any
    time and run the same command again to resume; the list of tours is the same.

    d4 and c3 take less than an hour of one core each, a1 almost half of everything.

    Try: oneway knight enumerate --start c3
    """
    from solver.puzzles.knight.tour import STARTS
    from verify.puzzles.knight.enumeration import enumeration, summary, tally

    chosen = start or list(STARTS)
    for name in chosen:
        if name not in STARTS:
            raise OptionError(f"--start {name!r} is none of {' '.join(STARTS)}")
    names = sorted(set(chosen), key=STARTS.index)
    found = conduct(enumeration, {"starts": names}, how)
    _show_tours(found.tours, as_json)
    if as_json:
        work = {"starts": names, "steps": found.tried, "taken": found.taken}
        emit(asdict(tally(found.tours)) | work)
    else:
        for line in summary(found):
            say(line)


@app.command()
def estimate(
    rules: list[str] | None = option(
        "--rules -r", "none, ends, sums, lines or all; all of them if left out.", None
    ),
    start: list[str] | None = option(
        "--start", "Only these start classes: c3; may be said again.", None
    ),
    probes: int = option("--count -n", "Walks for each set of rules.", 20_000, min=1),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Estimate the tree of `enumerate` by level, under sets of rules.

    Knuth's method: random walks, each weighted by the steps it could choose from. The
    sets: none; ends, no cell may be cut off; sums, the published plan's test of the
    lines touched; lines, deadlines of all 16 lines; all, the two-neighbour rule too.
    Intervals hold 95 % of the time where many walks reach a level; where few do, the
    width is likely too small.

    Try: oneway knight estimate --start c3 -o onion.svg
    """
    from solver.puzzles.knight.probing import SETS, Widths
    from solver.puzzles.knight.probing import estimate as sample
    from solver.puzzles.knight.tour import STARTS
    from solver.svg import write_picture
    from verify.puzzles.knight.boards import onion

    starts = tuple(start or STARTS)
    layers: list[Widths] = []
    with console.progress_bar() as bar:
        for name in bar.track(list(rules or SETS), description="sets of rules"):
            layers.append(sample(starts, name, probes=probes, seed=seed))
    levels = (*range(2, 16), *range(16, 64, 4), 64)
    columns, header = [[str(level) for level in levels]], ["level"]
    totals = []
    for layer in layers:
        width, error = layer.width.tolist(), layer.error.tolist()
        if as_json:
            more = {"probes": probes, "seed": seed, "width": width, "error": error}
            emit({"rules": layer.rules, "starts": list(starts)} | more)
        before = [0, 0, 0, *width[2:]]  # by level: the width of the one before
        columns += [
            [f"{width[k] / before[k]:.2f}" if before[k] else "" for k in levels],
            [
                f"{width[k]:.2g} ± {1.96 * error[k]:.1g}" if width[k] else "0"
                for k in levels
            ],
        ]
        header += ["steps", layer.rules]
        spread = 1.96 * sum(error)  # levels of a walk go together
        totals.append(f"{layer.rules:>6}: {sum(width):.3g} ± {spread:.1g} in all")
    if not as_json:
        lines = [list(line) for line in zip(*columns, strict=True)]
        table(f"Branching and width by level, starts {' '.join(starts)}", header, lines)
        for total in totals:
            say(total)
    if picture and layers:
        order = sorted(layers, key=lambda one: SETS.index(one.rules))
        write_picture(onion(order), picture)
