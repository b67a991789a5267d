"""`oneway knight`: knight's tours, above all the semi-magic ones of 8 x 8."""

import re
from collections.abc import Sequence

import typer

from solver.errors import OptionError, WitnessError
from solver.puzzles.knight.search import find_tour
from solver.puzzles.knight.tour import STARTS, Tour, canonical, chess_name, named_cell
from solver.svg import write_picture
from verify.commands import options
from verify.commands.console import emit, note, say
from verify.commands.options import argument, flag, option
from verify.commands.running import CORES, How, conduct
from verify.puzzles.knight import boards
from verify.puzzles.knight.judge import board_of, judge

app = typer.Typer(
    no_args_is_help=True,
    help="Knight's tours. A tour is semi-magic if all rows and columns of its numbers "
    "have one sum, 260 on 8 x 8.\n\n"
    "Try: oneway knight symmetric | head -9",
)

_SIDE = 8
_MOST = 100  # rows and columns of a board that is toured


def _shape(text: str) -> tuple[int, int]:
    """Return the rows and columns of ``8`` or ``5x4``."""
    found = re.fullmatch("([1-9][0-9]{0,2})(?:x([1-9][0-9]{0,2}))?", text.lower())
    rows, cols = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not (1 <= rows <= _MOST and 1 <= cols <= _MOST):
        raise OptionError(f"{text!r} is not a board such as 8 or 5x4, at most 100x100")
    return rows, cols


def _start(text: str, rows: int, cols: int) -> int:
    """Return the cell of a name as in chess, or of row,col from 1."""
    place = re.fullmatch(" *([0-9]{1,3}) *, *([0-9]{1,3}) *", text)
    if not place:
        return named_cell(text, rows, cols)
    row, col = int(place[1]), int(place[2])
    if not (1 <= row <= rows and 1 <= col <= cols):
        raise OptionError(f"--start {text} lies outside {rows} x {cols}")
    return (row - 1) * cols + col - 1


@app.command()
def tour(
    board: str = argument("Rows x columns: 5x4, or 8 for 8x8, at most 100x100."),
    start: str = option("--start", "First cell: c3, or row,col from 1.", "1,1"),
    closed: bool = flag("--closed", "The last cell must be a move from the first."),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Find a knight's tour of a board, or the reason why there is none.

    Theorems come first, then Warnsdorff's rule, then an exact search on small boards.
    An independent judge checks every tour. On odd boards half of the cells begin no
    tour, so try another --start.

    Exit code 0 if a tour was found, 1 if not.

    Try: oneway knight tour 8 --closed -o tour.svg
    """
    rows, cols = _shape(board)
    cell = _start(start, rows, cols)
    found = find_tour(rows, cols, cell, closed=closed, seed=seed)
    cells, status = found.tour, found.status.name.lower()
    words = {"found": "found by", "none": "none exists:", "unknown": "unknown:"}
    note(f"{rows} x {cols}: {words[status]} {found.by}")
    if as_json and cells is None:
        emit(rows=rows, cols=cols, status=status, by=found.by, tour=cells)
    if cells is None:
        raise typer.Exit(1)
    numbers = board_of(cells, rows, cols)
    judgement = judge(numbers)
    if not judgement.tour or cells[0] != cell or (closed and not judgement.holds(5)):
        raise WitnessError(f"the search returned a wrong tour: {cells}")
    if as_json:
        emit(rows=rows, cols=cols, status=status, by=found.by, tour=cells)
    else:
        say(boards.numbered_text(numbers))
    if picture:
        write_picture(boards.draw(numbers), picture)


@app.command()
def check(
    file: str = argument(
        "Rows of numbers with any separators, a stream of digits, or cells a1 c2 ... "
        "in order; - is standard input."
    ),
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Judge a numbered board: which of seven conditions hold, and why others fail.

    1 consecutive numbers are a knight's move apart, 2 every number occurs once, 3 equal
    column sums, 4 equal row sums, 5 closed, 6 symmetric about the centre, 7 both
    diagonals have the sum of the rows.

    Exit code 0 if the board is a tour, 1 if not, 2 on bad input.

    Try: oneway knight symmetric -n 1 | oneway knight check -
    """
    numbers = boards.read_board(file)
    found = judge(numbers)
    if as_json:
        emit(boards.as_json(numbers, found))
    else:
        if len(numbers[0]) <= 20 and len(numbers) <= 40:
            say(boards.numbered_text(numbers))
        for line in boards.as_lines(found):
            say(line)
    if picture and found.tour:
        write_picture(boards.draw(numbers), picture)
    if not found.tour:
        raise typer.Exit(1)


@app.command()
def symmetric(
    first: int = option("--count -n", "Print only so many; 0 is all.", 0, min=0),
    as_json: options.Json = False,
    picture: options.Picture = None,
) -> None:
    """Find all symmetric semi-magic tours of 8 x 8.

    Symmetric: opposite numbers differ by 32. The search begins in ten cells that stand
    for all, and the end lies in no class of cells before the start's. It meets a tour
    twice if both ends lie in one class. So it meets 18 tours, 17 of them different.

    Try: oneway knight symmetric -n 1 -o tour.svg
    """
    from solver.puzzles.knight.symmetric import all_symmetric
    from verify.puzzles.knight.enumeration import tally, tally_lines

    met, steps = all_symmetric()
    _show_tours(met[: first or None], as_json)
    if picture:
        write_picture(boards.draw(board_of(met[0], _SIDE, _SIDE)), picture)
    if as_json:
        emit(tally(met) | {"steps": steps})
    elif not first:
        say("\n".join(tally_lines(met, f"{steps:,} steps tried")))


def _show_tours(tours: Sequence[Tour], as_json: bool) -> None:
    """Judge and print semi-magic tours of 8 x 8."""
    from verify.puzzles.knight.enumeration import check_semimagic

    seen: dict[Tour, int] = {}
    for number, tour in enumerate(tours, start=1):
        found, rows = check_semimagic(tour), board_of(tour, _SIDE, _SIDE)
        twin = seen.setdefault(canonical(tour, _SIDE), number)
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
        say(boards.numbered_text(rows))
        ends = " to ".join(chess_name(tour[at]) for at in (0, -1))
        again = f", the same as tour {twin}" if twin != number else ""
        note(f"tour {number}: {ends}, diagonals {' and '.join(map(str, sums))}{again}")
        say()


@app.command("enumerate")
def enumerate_all(
    start: list[str] | None = option(
        "--start",
        "Only tours that begin in this cell: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4. Repeat it "
        "for several; the default is all ten.",
        None,
    ),
    estimate: int = option(
        "--estimate", "Only estimate the search, by this many walks.", 0, min=0
    ),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    jobs: options.Jobs = CORES,
    cluster: options.Cluster = None,
) -> None:
    """Find all semi-magic tours of 8 x 8: a search of about 45 core-hours.

    Ten starts stand for all cells, and the end lies in no class of cells before the
    start's. A ledger keeps the finished units. Run the same command again to resume.
    d4 and c3 take less than an hour of one core each, a1 almost half of everything.

    --estimate 20000 prints the branching and the width of the search at each level,
    with 95 % intervals (D. E. Knuth, 1975).

    Try: oneway knight enumerate --start c3 --estimate 20000
    """
    from verify.puzzles.knight.enumeration import enumeration, summary, tally

    for name in start or ():
        if name not in STARTS:
            raise OptionError(f"--start {name!r} is none of {' '.join(STARTS)}")
    starts = [name for name in STARTS if name in (start or STARTS)]
    if estimate:
        _estimate(starts, estimate, seed, as_json)
        return
    found = conduct(enumeration(starts), How(jobs, cluster))
    _show_tours(found.tours, as_json)
    if as_json:
        work = {"starts": starts, "steps": found.tried, "taken": found.taken}
        emit(tally(found.tours) | work)
    else:
        say("\n".join(summary(found)))


def _estimate(starts: list[str], walks: int, seed: int, as_json: bool) -> None:
    """Print the estimated branching and width of the search by level."""
    from solver.puzzles.knight.probing import estimate

    width, error = (one.tolist() for one in estimate(starts, walks=walks, seed=seed))
    if as_json:
        emit(starts=starts, walks=walks, seed=seed, width=width, error=error)
        return
    say("level  branching  width")
    for level in range(3, len(width)):
        branching = width[level] / (width[level - 1] or 1)
        spread = 1.96 * error[level]
        say(f"{level:5}  {branching:9.3f}  {width[level]:.3g} ± {spread:.1g}")
    say(f"all levels: {sum(width):.3g} ± {1.96 * sum(error):.1g}")
