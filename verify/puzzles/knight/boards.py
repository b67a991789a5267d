"""Reads boards of numbers as people write them down, and says what is true of them.

Three ways are understood, in this order:

- cells in chess notation, in the order of the walk: ``a1 c2 e3``;
- rows of numbers, each on a line or parted by ``/``, with anything between the numbers;
  ``.``, ``_`` or ``?`` alone stand for a cell without a number;
- a stream of digits, all numbers with as many digits as the largest: ``0102...``.

Without line breaks and ``/`` the board is square, unless its shape is given.
"""

import re
from collections.abc import Sequence
from math import isqrt
from typing import Any

from solver.errors import GridFileError, OptionError
from solver.files import read_most
from solver.puzzles.knight.tour import Tour, canonical, canonical_cycle, numbers
from verify.puzzles.knight.judge import Judgement, judge

Rows = tuple[tuple[int, ...], ...]
Board = Sequence[Sequence[int]]

MOST_CELLS = 4_000_000
_MOST_CHARACTERS = 40_000_000
_WORD = re.compile(r"[0-9]+|[._?]+")
_CELL = re.compile(r"[a-z][0-9]{1,2}")
_CHESS = re.compile(r"(?:[\s,;>-]*[a-z][0-9]{1,2})+[\s,;.]*", re.IGNORECASE)


def read_board(file: str, *, shape: tuple[int, int] | None = None) -> Rows:
    """Read a board of numbers from a file, or from standard input for ``-``.

    Raises
    ------
    OptionError
        If the file cannot be read or is too large.
    GridFileError
        As `read_numbers`.
    """
    name = "standard input" if file == "-" else file
    try:
        text = read_most(file, _MOST_CHARACTERS).decode("utf-8")
    except UnicodeDecodeError:
        raise GridFileError(name, 1, 1, "is no text in UTF-8") from None
    return read_numbers(text, name, shape=shape)


def read_numbers(
    text: str, file: str = "board", *, shape: tuple[int, int] | None = None
) -> Rows:
    """Read a board of numbers; 0 where a cell has none.

    `file` is how errors name it; `shape`, rows and columns, if they are known.

    Raises
    ------
    GridFileError
        If the text is none of the three, or does not fit the shape.

    >>> read_numbers("1 4 / 3, 2")
    ((1, 4), (3, 2))
    >>> read_numbers("0104" "0302" "0908" "0506" * 2)[1]
    (9, 8, 5, 6)
    """
    if len(text) > _MOST_CHARACTERS:
        raise GridFileError(file, 1, 1, "the text is too long for a board")
    if _CHESS.fullmatch(text):
        return _from_cells(_CELL.findall(text.lower()), file, shape)
    found: list[tuple[int, int, list[int]]] = []  # line, its length, a row of numbers
    for number, whole in enumerate(text.splitlines(), start=1):
        for line in whole.split("/"):
            words = [*_WORD.finditer(line)]
            for word in words:
                if word[0][0] in "._?" and len(word[0]) > 1:
                    why = f"{word[0][:12]!r} is no number"
                    raise GridFileError(file, number, word.start() + 1, why)
            if words:
                row = [_number(word[0]) for word in words]
                found.append((number, len(line), row))
    if not found:
        raise GridFileError(file, 1, 1, "no number is there")
    flat = [one for _, _, row in found for one in row]
    if -1 in flat or max(flat) > len(flat):
        stream = _from_stream("".join(re.findall("[0-9]+", text)))
        if stream is None and -1 in flat:
            raise GridFileError(file, 1, 1, "a number has more than 9 digits")
        if stream is not None:
            flat, found = stream, []
    if shape is None and len(found) > 1:
        shape = len(found), len(found[0][2])
        for number, length, row in found:
            if len(row) != shape[1]:
                why = f"a row of {len(row)} numbers after rows of {shape[1]}"
                raise GridFileError(file, number, length, why)
    side = isqrt(len(flat))
    if shape is None and side * side != len(flat):
        why = f"{len(flat)} numbers make no square board; write rows, or its shape"
        raise GridFileError(file, 1, 1, why)
    rows, cols = shape or (side, side)
    if rows * cols != len(flat) or len(flat) > MOST_CELLS:
        why = f"{len(flat)} numbers, {rows} x {cols} needs {rows * cols}"
        if len(flat) > MOST_CELLS:
            why = f"{len(flat)} cells are more than {MOST_CELLS}"
        raise GridFileError(file, 1, 1, why)
    return tuple(tuple(flat[r * cols : (r + 1) * cols]) for r in range(rows))


def _number(word: str) -> int:
    """Return a number, 0 where none is known, -1 for a run too long: a stream."""
    return 0 if word in "._?" else int(word) if len(word) < 10 else -1


def _from_stream(digits: str) -> list[int] | None:
    """Cut digits into numbers of one width, if that makes 1 to n in some order."""
    for width in range(1, 8):
        count, rest = divmod(len(digits), width)
        if rest or not count or len(str(count)) != width:
            continue
        numbers = [int(digits[i : i + width]) for i in range(0, len(digits), width)]
        if max(numbers) <= count:
            return numbers
    return None


def _from_cells(names: list[str], file: str, shape: tuple[int, int] | None) -> Rows:
    cells = [(ord(name[0]) - ord("a"), int(name[1:])) for name in names]
    if shape is None:
        shape = max(rank for _, rank in cells), max(col for col, _ in cells) + 1
    rows, cols = shape
    board = [[0] * cols for _ in range(rows)]
    for number, (name, (col, rank)) in enumerate(zip(names, cells, strict=True), 1):
        if rank < 1:
            raise GridFileError(file, 1, 1, f"there is no cell {name!r}")
        if col >= cols or rank > rows:
            why = f"cell {name!r} lies outside {rows} x {cols}"
            raise GridFileError(file, 1, 1, why)
        if board[rows - rank][col]:
            raise GridFileError(file, 1, 1, f"cell {name!r} is visited twice")
        board[rows - rank][col] = number
    return tuple(map(tuple, board))


def tour_of(board: Board) -> Tour:
    """Return the cells of a board that the judge found to be a tour, in order."""
    flat = [number for row in board for number in row]
    return tuple(sorted(range(len(flat)), key=flat.__getitem__))


def judged(board: Board, file: str) -> Judgement:
    """Judge a board that is full.

    Raises
    ------
    OptionError
        If a cell bears no number.
    """
    for r, row in enumerate(board, start=1):
        if 0 in row:
            raise OptionError(
                f"{file}: cell ({r}, {row.index(0) + 1}) bears no number; `oneway "
                "knight complete` fills a board"
            )
    return judge(board)


def canonical_forms(board: Board, found: Judgement) -> dict[str, list[list[int]]]:
    """Return the least image of a tour on a square board, as rows of numbers.

    Under the 8 symmetries and reversal, and, if it is closed, renumbering as well.
    """
    side = len(board)
    if not found.tour or side != len(board[0]):
        return {}
    tour = tour_of(board)
    forms = {"canonical": canonical(tour, side)}
    if found.holds(5):
        forms["canonical_cycle"] = canonical_cycle(tour, side)
    return {name: as_rows(form, side) for name, form in forms.items()}


def as_rows(tour: Tour, cols: int) -> list[list[int]]:
    """Return a tour as rows of numbers."""
    flat = numbers(tour)
    return [list(flat[i : i + cols]) for i in range(0, len(flat), cols)]


def as_json(board: Board, found: Judgement) -> dict[str, Any]:
    """Return a judgement as a JSON object."""
    return {
        "rows": len(board),
        "cols": len(board[0]),
        "conditions": {
            str(one.number): {"holds": one.holds, "name": one.name, "fault": one.fault}
            for one in found.conditions
        },
        "tour": found.tour,
        "semimagic": found.semimagic,
        "row_sums": list(found.rows),
        "column_sums": list(found.columns),
        "diagonal_sums": list(found.diagonals) if found.diagonals else None,
        "magic_shifts": list(found.shifts),
        **canonical_forms(board, found),
    }


def as_lines(board: Board, found: Judgement) -> list[str]:
    """Return a judgement as lines for people."""
    out = []
    for one in found.conditions:
        why = "" if one.fault is None else f": {one.fault}"
        out.append(f"{one.number} {'yes' if one.holds else 'no '} {one.name}{why}")
    out += [f"rows      {_sums(found.rows)}", f"columns   {_sums(found.columns)}"]
    if found.diagonals:
        out.append(f"diagonals {_sums(found.diagonals)}")
    kind = "a tour" if found.tour else "no tour"
    if found.tour:
        words = ["closed" if found.holds(5) else "open"]
        words += ["symmetric"] if found.holds(6) else []
        words += ["semi-magic"] if found.semimagic else []
        words += ["diagonally magic"] if found.semimagic and found.holds(7) else []
        kind += ": " + ", ".join(words)
    out.append(kind)
    if found.shifts:
        shifts = " ".join(map(str, found.shifts))
        out.append(f"semi-magic when turned by {shifts} numbers")
    return out


def _sums(sums: Sequence[int]) -> str:
    if len(sums) > 16:
        return f"{len(sums)} from {min(sums):,} to {max(sums):,}"
    return " ".join(map(str, sums))
