"""The eight symmetries of the grid, and which of them a board allows."""

from enum import Enum
from functools import cache
from typing import TypeAlias

from solver.board import STEPS, Board, Cell, Position

Step: TypeAlias = tuple[int, int]  # rows down, columns right
Matrix: TypeAlias = tuple[int, int, int, int]


class Symmetry(Enum):
    """A symmetry as (transpose first, then flip rows, then flip columns).

    >>> Symmetry.TRANSPOSE.position(Position.parse("3:RRD")).notation
    '3:DDR'
    >>> Symmetry.ROTATE_RIGHT.position(Position.parse("2x3:RD")).notation
    '3x2@1,2>3,1:DL'
    """

    IDENTITY = (False, False, False)
    FLIP_COLS = (False, False, True)
    FLIP_ROWS = (False, True, False)
    ROTATE_HALF = (False, True, True)
    TRANSPOSE = (True, False, False)
    ROTATE_RIGHT = (True, False, True)
    ROTATE_LEFT = (True, True, False)
    ANTI_TRANSPOSE = (True, True, True)

    @property
    def matrix(self) -> Matrix:
        """The rows of the matrix that turns a step (down, right)."""
        transpose, flip_rows, flip_cols = self.value
        down, right = (-1 if flip_rows else 1), (-1 if flip_cols else 1)
        return (0, down, right, 0) if transpose else (down, 0, 0, right)

    @property
    def mirrors(self) -> bool:
        """Whether left and right are exchanged, as in a mirror."""
        a, b, c, d = self.matrix
        return a * d - b * c < 0

    def turn(self, step: Step) -> Step:
        """Return where a step (down, right) leads.

        >>> Symmetry.ROTATE_RIGHT.turn((-1, 0))
        (0, 1)
        """
        a, b, c, d = self.matrix
        return a * step[0] + b * step[1], c * step[0] + d * step[1]

    def then(self, other: "Symmetry") -> "Symmetry":
        """Return the symmetry that does the work of both, this one first.

        >>> Symmetry.TRANSPOSE.then(Symmetry.FLIP_COLS).name
        'ROTATE_RIGHT'
        """
        return _product(self, other)

    def cell(self, board: Board, cell: Cell) -> Cell:
        """Return where the cell of `board` lands on the image board."""
        transpose, flip_rows, flip_cols = self.value
        row, col = cell // board.cols, cell % board.cols
        rows, cols = board.rows, board.cols
        if transpose:
            row, col, rows, cols = col, row, cols, rows
        if flip_rows:
            row = rows - 1 - row
        if flip_cols:
            col = cols - 1 - col
        return row * cols + col

    def direction(self, d: int) -> int:
        """Return the image of a direction 0 to 3."""
        return STEPS.index(self.turn(STEPS[d]))

    def board(self, board: Board) -> Board:
        """Return the image of a board; start, end and walls move along."""
        rows, cols = board.rows, board.cols
        if self.value[0]:
            rows, cols = cols, rows
        return Board(
            rows,
            cols,
            self.cell(board, board.start),
            self.cell(board, board.end),
            tuple(self.cell(board, wall) for wall in board.walls),
        )

    def position(self, position: Position) -> Position:
        """Return the image of a position, on the image of its board."""
        board = position.board
        return Position(
            self.board(board), tuple(self.cell(board, cell) for cell in position.walk)
        )


@cache
def _product(first: Symmetry, second: Symmetry) -> Symmetry:
    down, right = (second.turn(first.turn(step)) for step in ((1, 0), (0, 1)))
    matrix = down[0], right[0], down[1], right[1]
    return next(one for one in Symmetry if one.matrix == matrix)


# By the direction U, R, D or L that the turned page's upper side looks to.
ROTATIONS = (
    Symmetry.IDENTITY,
    Symmetry.ROTATE_RIGHT,
    Symmetry.ROTATE_HALF,
    Symmetry.ROTATE_LEFT,
)


def canonical(position: Position) -> Position:
    """Return the representative of the position's class under all 8 symmetries.

    Among the images the one with the shortest notation, then the first in
    lexicographic order: positions between the default corners stay between them.
    """
    images = (s.position(position) for s in Symmetry)
    return min(images, key=lambda p: (len(p.notation), p.notation))
