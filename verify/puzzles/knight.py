"""Numbered boards of knight's tours read and drawn, and the enumeration as a long run.

A board as text is rows of numbers, a row a line or separated by ``/``, with anything
between the numbers. A unit of the enumeration of semi-magic tours is a prefix of seven
cells; its result is the tours below it and the steps of the search. The answer lists
the tours in the order of the units, so it does not depend on where a run was
interrupted. An independent judge checks every tour.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solver.errors import GridFileError, WitnessError
from solver.files import read_most
from solver.puzzles.knight import STARTS, Tour, canonical_tour, start_class
from solver.puzzles.semimagic import Below, tours_below
from solver.svg import document, text_path
from verify.puzzles.judge import NAMES, Judgement, Rows, board_of, judge_board
from verify.runs.longrun import Advance, LongRun, Unit, work_of

SIDE = 8
_PREFIX = 7  # cells of a unit
# Hours of each start class on one core at 3.8e7 steps a second, by the estimate of
# 100,000 walks for each first move (docs/explanation/knight.md). They only weigh units.
_HOURS = {"a1": 19.4, "b1": 10.5, "c1": 5.1, "d1": 5.2, "b2": 1.3}
_HOURS |= {"c2": 1.3, "d2": 1.9, "c3": 0.6, "d3": 1.5, "d4": 0.8}

_MOST_BYTES = 10_000_000  # of a file that is read
_MOST_CELLS = 1_000_000  # of a board that is read
_NUMBERED = 40  # rows or columns of a board whose numbers can be read in a picture
_PIXELS, _WIDEST = 36, 1500  # of a cell, and of a picture
_DARK, _LIGHT, _LINE = "#e3cfa8", "#f7efdf", "#b03a3a"


def read_numbered_board(file: str) -> list[list[int]]:
    """Return the board of a file, or of standard input for ``-``.

    Errors as `read_most` and `read_numbers`.
    """
    name = "standard input" if file == "-" else file
    try:
        text = read_most(file, _MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise GridFileError(name, 1, 1, "is not text in UTF-8") from None
    return read_numbers(text, name)


def read_numbers(text: str, file: str = "board") -> list[list[int]]:
    """Return a board of numbers; errors call the text `file`.

    Raises `GridFileError` if the text is not a board.

    >>> read_numbers("1 4 / 3, 2")
    [[1, 4], [3, 2]]
    """
    board = []
    for number, line in enumerate(text.splitlines(), start=1):
        rows = (re.findall("[0-9]+", part) for part in line.split("/"))
        for words in filter(None, rows):
            if max(map(len, words)) > 9:
                raise GridFileError(file, number, 1, "a number of more than 9 digits")
            board.append([*map(int, words)])
            if len(words) != len(board[0]):
                why = f"a row of {len(words)} numbers after rows of {len(board[0])}"
                raise GridFileError(file, number, 1, why)
    if not board:
        raise GridFileError(file, 1, 1, "no number; write rows of numbers")
    if len(board) * len(board[0]) > _MOST_CELLS:
        raise GridFileError(file, 1, 1, f"more than {_MOST_CELLS:,} cells")
    return board


def numbered_text(board: Rows) -> str:
    """Return the board as rows of numbers."""
    width = max(len(str(number)) for row in board for number in row)
    return "\n".join(" ".join(f"{number:>{width}}" for number in row) for row in board)


def judgement_lines(judgement: Judgement) -> list[str]:
    """Return a judgement as lines for people."""
    lines = []
    for number, fault in judgement.faults.items():
        why = f": {fault}" if fault else ""
        lines.append(f"{number} {'no ' if fault else 'yes'} {NAMES[number]}{why}")
    lines.append(f"rows      {_sums(judgement.rows)}")
    lines.append(f"columns   {_sums(judgement.columns)}")
    if judgement.diagonals:
        lines.append(f"diagonals {_sums(judgement.diagonals)}")
    words = {
        "closed" if judgement.holds(5) else "open": True,
        "symmetric": judgement.holds(6),
        "semi-magic": judgement.semimagic,
        "diagonally magic": judgement.semimagic and judgement.holds(7),
    }
    kinds = ", ".join(word for word, true in words.items() if true)
    return [*lines, f"a tour: {kinds}" if judgement.tour else "not a tour"]


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))


def draw_board(board: Rows) -> str:
    """Draw a board full of numbers as SVG, at most about 1,500 pixels wide.

    The line of the tour runs from centre to centre. The first cell is a disc, the last
    a ring. Boards of up to 40 rows and columns show their numbers.
    """
    rows, cols = len(board), len(board[0])
    large = max(rows, cols)
    dark = "".join(
        f"M{c} {r}h1v1h-1z" for r in range(rows) for c in range(cols) if (r + c) % 2
    )
    cells = [(n, r, c) for r, row in enumerate(board) for c, n in enumerate(row)]
    points = [f"{c + 0.5:g} {r + 0.5:g}" for _, r, c in sorted(cells)]
    thin = f'fill="none" stroke="{_LINE}" stroke-width="0.09"'
    (x, y), (u, v) = points[0].split(), points[-1].split()
    parts = [
        f'<rect width="{cols}" height="{rows}" fill="{_LIGHT}"/>',
        f'<path d="{dark}" fill="{_DARK}"/>',
        f'<path class="tour" d="M{"L".join(points)}" {thin} stroke-opacity="0.5"/>',
        f'<circle cx="{x}" cy="{y}" r="0.42" fill="{_LINE}" fill-opacity="0.35"/>',
        f'<circle cx="{u}" cy="{v}" r="0.4" {thin}/>',
    ]
    if large <= _NUMBERED:
        numbers = [text_path(str(n), c + 0.5, r + 0.5, 0.34) for n, r, c in cells]
        style = 'fill="none" stroke="#222222" stroke-width="0.045"'
        parts.append(f'<path class="numbers" d="{"".join(numbers)}" {style}/>')
    title = f"a knight's tour of {rows} x {cols}"
    return document(cols, rows, title, parts, min(_PIXELS, _WIDEST / large))


def prefixes(start: str) -> list[Tour]:
    """Return the units of a start class, in the order of their cells."""
    first = start_class(start)
    pairs = [(first.cell, second) for second in first.second]
    return [tour for pair in pairs for tour in tours_below(pair, stop=_PREFIX).tours]


def enumeration(starts: Sequence[str]) -> LongRun[Below]:
    """Enumerate the semi-magic tours that begin in `starts`, names of start classes."""
    units = [
        Unit(list(prefix), _HOURS[start] * 3600 / len(cells))
        for start in STARTS
        if start in starts
        for cells in [prefixes(start)]
        for prefix in cells
    ]
    # Not the whole package: an update of the program need not end a run of days.
    rooms = "solver.puzzles.semimagic", "solver.puzzles.knight"
    work = work_of(_searching, {}, *rooms, "verify.puzzles.judge", __name__)
    return LongRun("knight-enumerate", work, units, _fold)


def _fold(results: Iterator[list[Any]]) -> Below:
    parts = [*results]
    tours = tuple(tuple(tour) for cells, _, _ in parts for tour in cells)
    taken = map(sum, zip(*(levels for _, _, levels in parts), strict=True))
    return Below(tours, sum(steps for _, steps, _ in parts), tuple(taken))


def _searching() -> Callable[[list[int], Advance], list[Any]]:
    def search(cells: list[int], _: Advance) -> list[Any]:
        tours, tried, taken = tours_below(tuple(cells))
        for tour in tours:
            check_semimagic(tour)
        return [[list(tour) for tour in tours], tried, list(taken)]

    return search


def check_semimagic(tour: Tour) -> Judgement:
    """Return the judgement of a tour; raises `WitnessError` if not semi-magic."""
    judgement = judge_board(board_of(tour, SIDE, SIDE))
    if not judgement.semimagic:
        raise WitnessError(f"the search returned a tour that is not semi-magic: {tour}")
    return judgement


_COUNTS = {
    "hits": "met by the search",
    "classes": "up to the 8 symmetries of the board and reversal",
    "closed": "of these closed",
    "open": "of these open",
    "symmetric": "of these symmetric",
    "magic": "of these with both diagonals 260",
}


def tally(tours: Sequence[Tour]) -> dict[str, int]:
    """Return how many tours the search met, and how many classes of them."""
    classes = {canonical_tour(tour) for tour in tours}
    judged = [judge_board(board_of(tour, SIDE, SIDE)) for tour in classes]
    closed, symmetric, magic = (sum(j.holds(n) for j in judged) for n in (5, 6, 7))
    sizes = len(tours), len(classes), closed, len(classes) - closed, symmetric, magic
    return dict(zip(_COUNTS, sizes, strict=True))


def tally_lines(tours: Sequence[Tour], steps: int) -> list[str]:
    """Return the counts and the steps of the search as lines."""
    lines = [f"{count:>6,} {_COUNTS[name]}" for name, count in tally(tours).items()]
    return [*lines, f"{steps:,} steps tried"]
