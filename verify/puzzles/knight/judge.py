"""The judge of numbered boards. It imports nothing of ours.

A *board* is a list of rows of numbers. The judge tests seven conditions:

1. consecutive numbers are a knight's move apart;
2. every number from 1 to the number of cells occurs once;
3. all columns have the same sum;
4. all rows have the same sum;
5. the last number is a knight's move from 1: the tour is *closed*;
6. numbers of opposite cells differ by half of the number of cells: it is *symmetric*;
7. both diagonals have the sum of the rows (square boards).

A tour satisfies 1 and 2. It is *semi-magic* if all rows and columns have one sum. The
judge names the first fault of each condition that fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Rows = Sequence[Sequence[int]]
MOST_CELLS = 1_000_000  # of a board that is read

NAMES = (
    "consecutive numbers a knight's move apart",
    "every number once",
    "equal column sums",
    "equal row sums",
    "closed",
    "symmetric about the centre",
    "both diagonals sum like a row",
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One of the seven conditions; `fault` is None if it holds."""

    number: int
    name: str
    fault: str | None

    @property
    def holds(self) -> bool:
        """Whether it holds."""
        return self.fault is None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is true of a board: the seven conditions and the sums.

    `diagonals` are the sums from the upper left and the upper right, None if the board
    is not square.
    """

    conditions: tuple[Condition, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    diagonals: tuple[int, int] | None

    def holds(self, number: int) -> bool:
        """Whether a condition, 1 to 7, holds."""
        return self.conditions[number - 1].holds

    @property
    def tour(self) -> bool:
        """Conditions 1 and 2."""
        return self.holds(1) and self.holds(2)

    @property
    def semimagic(self) -> bool:
        """A tour all of whose rows and columns have one sum."""
        return self.tour and len({*self.rows, *self.columns}) == 1


def judge(board: Rows) -> Judgement:
    """Judge a board.

    Raises `ValueError` if the rows have different lengths, or there is no cell.
    """
    rows, cols = len(board), len(board[0]) if board else 0
    if not cols or any(len(row) != cols for row in board):
        raise ValueError("a board has rows of one length, and at least one cell")
    place: dict[int, tuple[int, int]] = {}
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            place.setdefault(number, (r, c))
    row_sums = tuple(map(sum, board))
    col_sums = tuple(sum(row[c] for row in board) for c in range(cols))
    diagonals = None
    if rows == cols:
        down = sum(board[i][i] for i in range(rows))
        diagonals = down, sum(board[i][rows - 1 - i] for i in range(rows))
    count = rows * cols
    faults = (
        next(filter(None, (_move(place, n, n + 1) for n in range(1, count))), None),
        _number_fault(board, place, count),
        _sum_fault("column", col_sums),
        _sum_fault("row", row_sums),
        _move(place, count, 1),
        _symmetry_fault(board, rows, cols),
        _diagonal_fault(diagonals, row_sums[0]),
    )
    named = zip(NAMES, faults, strict=True)
    conditions = tuple(Condition(k, *one) for k, one in enumerate(named, start=1))
    return Judgement(conditions, row_sums, col_sums, diagonals)


def board_of(cells: Sequence[int], rows: int, cols: int) -> list[list[int]]:
    """Return the board of a list of cells (``row * cols + col``), numbered in order."""
    board = [[0] * cols for _ in range(rows)]
    for number, cell in enumerate(cells, start=1):
        board[cell // cols][cell % cols] = number
    return board


def _said(cell: tuple[int, int]) -> str:
    return f"({cell[0] + 1}, {cell[1] + 1})"


def _move(place: dict[int, tuple[int, int]], one: int, two: int) -> str | None:
    """Return why no knight's move leads from a number to another."""
    for number in sorted((one, two)):
        if number not in place:
            return f"number {number} is missing"
    a, b = place[one], place[two]
    if abs(a[0] - b[0]) * abs(a[1] - b[1]) == 2:
        return None
    where = f"{one} at {_said(a)} and {two} at {_said(b)}"
    return f"{where} are no knight's move apart"


def _number_fault(
    board: Rows, place: dict[int, tuple[int, int]], count: int
) -> str | None:
    for number, cell in place.items():
        if not 1 <= number <= count:
            return f"{number} at {_said(cell)} is not among 1 to {count}"
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            if place[number] != (r, c):
                return f"{number} occurs more than once"
    return None


def _sum_fault(line: str, sums: tuple[int, ...]) -> str | None:
    for k, one in enumerate(sums, start=1):
        if one != sums[0]:
            return f"{line} 1 sums to {sums[0]}, {line} {k} to {one}"
    return None


def _symmetry_fault(board: Rows, rows: int, cols: int) -> str | None:
    half, odd = divmod(rows * cols, 2)
    if odd:
        return "an odd number of cells has no half"
    for r, row in enumerate(board):
        for c, here in enumerate(row):
            there = board[rows - 1 - r][cols - 1 - c]
            if abs(here - there) != half:
                both = f"{here} at {_said((r, c))} and {there} opposite"
                return f"{both} differ by {abs(here - there)}, not {half}"
    return None


def _diagonal_fault(diagonals: tuple[int, int] | None, wanted: int) -> str | None:
    if diagonals is None:
        return "the board is not square"
    for one in diagonals:
        if one != wanted:
            return f"a diagonal sums to {one}, row 1 to {wanted}"
    return None
