"""The judge of numbered boards. It imports nothing of ours.

A *board* is a list of rows of numbers. The judge tests seven conditions (`NAMES`). A
*tour* satisfies the first two. It is *semi-magic* if all rows and columns have the same
sum. The judge names the first fault of each condition that fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Rows = Sequence[Sequence[int]]
_Cell = tuple[int, int]

NAMES = {
    1: "consecutive numbers a knight's move apart",
    2: "every number once",
    3: "equal column sums",
    4: "equal row sums",
    5: "closed",
    6: "symmetric about the centre",
    7: "both diagonals sum like a row",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The conditions that a board satisfies, and its sums."""

    faults: dict[int, str | None]  # by number of the condition, None if it holds
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    diagonals: tuple[int, int] | None  # from the upper left, from the upper right

    def holds(self, number: int) -> bool:
        """Return True if a condition, 1 to 7, holds."""
        return self.faults[number] is None

    @property
    def tour(self) -> bool:
        """Conditions 1 and 2."""
        return self.holds(1) and self.holds(2)

    @property
    def semimagic(self) -> bool:
        """A tour all of whose rows and columns have the same sum."""
        return self.tour and len({*self.rows, *self.columns}) == 1


def judge_board(board: Rows) -> Judgement:
    """Judge a board; raises `ValueError` if rows differ in length or have no cells."""
    rows, cols = len(board), len(board[0]) if board else 0
    if not cols or any(len(row) != cols for row in board):
        raise ValueError("a board has rows of one length, and at least one cell")
    place: dict[int, _Cell] = {}
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            place.setdefault(number, (r, c))
    row_sums = tuple(map(sum, board))
    col_sums = tuple(map(sum, zip(*board, strict=True)))
    diagonals = None
    if rows == cols:
        down = sum(board[i][i] for i in range(rows))
        diagonals = down, sum(board[i][rows - 1 - i] for i in range(rows))
    count = rows * cols
    moves = (_move_fault(place, n, n + 1) for n in range(1, count))
    faults = {
        1: next(filter(None, moves), None),
        2: _number_fault(board, place, count),
        3: _sum_fault("column", col_sums),
        4: _sum_fault("row", row_sums),
        5: _move_fault(place, count, 1),
        6: _symmetry_fault(board, rows, cols),
        7: _diagonal_fault(diagonals, row_sums[0]),
    }
    return Judgement(faults, row_sums, col_sums, diagonals)


def board_of(cells: Sequence[int], rows: int, cols: int) -> list[list[int]]:
    """Return the board of cells (``row * cols + col``), numbered in order."""
    board = [[0] * cols for _ in range(rows)]
    for number, cell in enumerate(cells, start=1):
        board[cell // cols][cell % cols] = number
    return board


def _name(cell: _Cell) -> str:
    return f"({cell[0] + 1}, {cell[1] + 1})"


def _move_fault(place: dict[int, _Cell], first: int, second: int) -> str | None:
    for number in sorted((first, second)):
        if number not in place:
            return f"number {number} is missing"
    a, b = place[first], place[second]
    if abs(a[0] - b[0]) * abs(a[1] - b[1]) == 2:
        return None
    where = f"{first} at {_name(a)} and {second} at {_name(b)}"
    return f"{where} are no knight's move apart"


def _number_fault(board: Rows, place: dict[int, _Cell], count: int) -> str | None:
    for number, cell in place.items():
        if not 1 <= number <= count:
            return f"{number} at {_name(cell)} is not among 1 to {count}"
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            if place[number] != (r, c):
                return f"{number} occurs more than once"
    return None


def _sum_fault(line: str, sums: tuple[int, ...]) -> str | None:
    for k, total in enumerate(sums, start=1):
        if total != sums[0]:
            return f"{line} 1 sums to {sums[0]}, {line} {k} to {total}"
    return None


def _symmetry_fault(board: Rows, rows: int, cols: int) -> str | None:
    half, odd = divmod(rows * cols, 2)
    if odd:
        return "an odd number of cells has no half"
    for r, row in enumerate(board):
        for c, here in enumerate(row):
            there = board[rows - 1 - r][cols - 1 - c]
            if abs(here - there) != half:
                both = f"{here} at {_name((r, c))} and {there} opposite"
                return f"{both} differ by {abs(here - there)}, not {half}"
    return None


def _diagonal_fault(diagonals: tuple[int, int] | None, expected: int) -> str | None:
    if diagonals is None:
        return "the board is not square"
    for total in diagonals:
        if total != expected:
            return f"a diagonal sums to {total}, row 1 to {expected}"
    return None
