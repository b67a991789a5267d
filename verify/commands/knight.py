"""`oneway knight`: knight's tours, above all the semi-magic ones of 8 x 8."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option, Typer

from solver.errors import OptionError, WitnessError
from solver.puzzles.knight import STARTS, Tour, canonical_tour, chess_name, find_tour
from solver.puzzles.semimagic import all_symmetric
from solver.puzzles.semimagic import estimate as estimate_search
from solver.svg import write_pictures
from verify.commands import console, options
from verify.puzzles import knight
from verify.puzzles.judge import NAMES, board_of, judge_board

ABOUT = """Make and check knight's tours, above all semi-magic ones.

A tour is semi-magic if all rows and columns of its numbers have the same sum, 260
on 8 x 8."""
app = Typer(no_args_is_help=True, help=ABOUT)
_STARTS = " ".join(STARTS)
_WORDS = {"found": "found by", "none": "none exists:", "unknown": "unknown:"}


def _shape(text: str) -> tuple[int, int]:
    side = "([1-9][0-9]?|100)"
    match = re.fullmatch(f"{side}(?:x{side})?", text)
    if not match:
        raise OptionError(f"{text!r} is not a board such as 8 or 5x4, at most 100x100")
    return int(match[1]), int(match[2] or match[1])


def _start(text: str, rows: int, cols: int) -> int:
    """Return the cell of row,col from 1."""
    place = re.fullmatch("([0-9]{1,3}),([0-9]{1,3})", text)
    row, col = (int(place[1]), int(place[2])) if place else (0, 0)
    if not (1 <= row <= rows and 1 <= col <= cols):
        raise OptionError(f"--start {text!r} is not a row,col of {rows} x {cols}")
    return (row - 1) * cols + col - 1


@app.command()
def tour(
    board: Annotated[
        str, Argument(help="Rows x columns: 5x4, or 8 for 8x8, at most 100x100.")
    ],
    start: str = Option("1,1", help="First cell: row,col from 1."),
    closed: bool = Option(
        False, "--closed", help="The last cell is a move from the first."
    ),
    seed: options.Seed = 0,
    as_json: options.Json = False,
    output: Path | None = options.PICTURE,
) -> None:
    """Find a knight's tour of a board, or the reason why there is none.

    `oneway` applies theorems first, then Warnsdorff's rule, then an exact search on
    small boards. An independent judge checks every tour. On odd boards no tour starts
    in half of the cells, so try another --start.

    Exit code 0 if there is a tour, 1 if not.

    \b
    A closed tour:
      oneway knight tour 8 --closed -o tour.svg
    """
    rows, cols = _shape(board)
    cell = _start(start, rows, cols)
    result = find_tour(rows, cols, cell, closed=closed, seed=seed)
    cells, status = result.tour, result.status.name.lower()
    console.note(f"{rows} x {cols}: {_WORDS[status]} {result.by}")
    if as_json:
        about = {"rows": rows, "cols": cols, "status": status, "by": result.by}
        console.emit(about | {"tour": cells})
    if cells is None:
        raise Exit(1)
    numbers = board_of(cells, rows, cols)
    judgement = judge_board(numbers)
    if not judgement.tour or cells[0] != cell or (closed and not judgement.holds(5)):
        raise WitnessError(f"the search returned a wrong tour: {cells}")
    if not as_json:
        console.say(knight.numbered_text(numbers))
    if output:
        write_pictures([(output, knight.draw_board(numbers))])


@app.command()
def check(
    file: Annotated[
        str, Argument(help="Rows of numbers with any separators; - is standard input.")
    ],
    as_json: options.Json = False,
    output: Path | None = options.PICTURE,
) -> None:
    """Check seven conditions of a numbered board, and explain which fail.

    1: consecutive numbers are a knight's move apart. 2: every number occurs once.
    3: equal column sums. 4: equal row sums. 5: closed. 6: symmetric about the centre.
    7: both diagonals have the sum of the rows.

    Exit code 0 if the board is a tour, 1 if not.

    \b
    A tour from another command:
      oneway knight symmetric -n 1 | oneway knight check -
    """
    numbers = knight.read_numbered_board(file)
    judgement = judge_board(numbers)
    if as_json:
        conditions = {
            str(n): {"holds": fault is None, "name": NAMES[n], "fault": fault}
            for n, fault in judgement.faults.items()
        }
        value = {
            "conditions": conditions,
            "tour": judgement.tour,
            "semimagic": judgement.semimagic,
            "row_sums": judgement.rows,
            "column_sums": judgement.columns,
            "diagonal_sums": judgement.diagonals,
        }
        console.emit(value)
    else:
        if len(numbers[0]) <= 20 and len(numbers) <= 40:
            console.say(knight.numbered_text(numbers))
        console.say(*knight.judgement_lines(judgement))
    if not judgement.tour:
        raise Exit(1)
    if output:
        write_pictures([(output, knight.draw_board(numbers))])


@app.command()
def symmetric(
    count: int = options.count(0, "Tours to print; 0 is all.", least=0),
    as_json: options.Json = False,
    output: Path | None = options.PICTURE,
) -> None:
    """Find all symmetric semi-magic tours of 8 x 8.

    Symmetric: opposite numbers differ by 32. Ten starts represent all cells, and the
    end lies in no class of cells before the start's. A tour whose ends lie in one class
    is met twice. So the search meets 18 tours, 17 of them different.

    \b
    The first one:
      oneway knight symmetric -n 1 -o tour.svg
    """
    tours, steps = all_symmetric()
    _print_tours(tours[: count or None], as_json)
    if output:
        write_pictures([(output, knight.draw_board(board_of(tours[0], 8, 8)))])
    if as_json or not count:
        value = knight.tally(tours) | {"steps": steps}
        console.answer(value, knight.tally_lines(tours, steps), as_json)


def _print_tours(tours: Sequence[Tour], as_json: bool) -> None:
    numbers: dict[Tour, int] = {}
    for number, cells in enumerate(tours, start=1):
        judgement, rows = knight.check_semimagic(cells), board_of(cells, 8, 8)
        twin = numbers.setdefault(canonical_tour(cells), number)
        sums = judgement.diagonals or ()
        if as_json:
            value = {
                "tour": number,
                "same_as": twin if twin != number else None,
                "numbers": rows,
                "closed": judgement.holds(5),
                "symmetric": judgement.holds(6),
                "diagonal_sums": list(sums),
            }
            console.emit(value)
            continue
        console.say(knight.numbered_text(rows))
        ends = " to ".join(chess_name(cells[at]) for at in (0, -1))
        diagonals = " and ".join(map(str, sums))
        again = f", the same as tour {twin}" if twin != number else ""
        console.note(f"tour {number}: {ends}, diagonals {diagonals}{again}")
        console.say()


@app.command("enumerate")
def enumerate_all(
    start: list[str] | None = Option(None, help=f"Only from: {_STARTS}. Default: all."),
    estimate: int = options.number(0, "Only estimate the search by this many walks."),
    seed: options.Seed = 0,
    jobs: options.Jobs = options.CORES,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Find all semi-magic tours of 8 x 8: a search of about 45 core-hours.

    Ten starts represent all cells, and the end lies in no class of cells before the
    start's. Run the same command again to resume. d4 and c3 take less than an hour of
    one core each, a1 almost half of everything.

    --estimate prints the branching and the width of the search at each level, with 95 %
    intervals (D. E. Knuth, 1975).

    \b
    An estimate:
      oneway knight enumerate --start c3 --estimate 20000
    """
    for name in start or ():
        if name not in STARTS:
            raise OptionError(f"--start {name!r} is none of {_STARTS}")
    starts = [name for name in STARTS if name in (start or STARTS)]
    if estimate:
        _print_estimate(starts, estimate, seed, as_json)
        return
    tours, steps, taken = console.conduct(knight.enumeration(starts), jobs, cluster)
    _print_tours(tours, as_json)
    value = knight.tally(tours) | {"starts": starts, "steps": steps, "taken": taken}
    console.answer(value, knight.tally_lines(tours, steps), as_json)


def _print_estimate(starts: list[str], walks: int, seed: int, as_json: bool) -> None:
    width, error = (x.tolist() for x in estimate_search(starts, walks=walks, seed=seed))
    lines = ["level  branching  width"]
    for level in range(3, len(width)):
        branching = width[level] / (width[level - 1] or 1)
        spread = 1.96 * error[level]
        lines.append(f"{level:5}  {branching:9.3f}  {width[level]:.3g} ± {spread:.1g}")
    lines.append(f"all levels: {sum(width):.3g} ± {1.96 * sum(error):.1g}")
    values = {"starts": starts, "walks": walks, "seed": seed}
    console.answer(values | {"width": width, "error": error}, lines, as_json)
