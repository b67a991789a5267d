"""The eight symmetries of the grid, and which of them a board allows."""

from enum import Enum

from solver.board import STEPS, Board, Cell, Position


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
        transpose, flip_rows, flip_cols = self.value
        row, col = STEPS[d]
        if transpose:
            row, col = col, row
        return STEPS.index((-row if flip_rows else row, -col if flip_cols else col))

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


def symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return the symmetries that map the board to itself: shape, ends and walls.

    >>> [s.name for s in symmetries(Board.square(5))]
    ['IDENTITY', 'TRANSPOSE']
    """
    return tuple(s for s in Symmetry if s.board(board) == board)


def canonical(position: Position) -> Position:
    """Return the representative of the position's class under all 8 symmetries.

    Among the images the one with the shortest notation, then the first in
    lexicographic order: positions between the default corners stay between them.
    """
    images = (s.position(position) for s in Symmetry)
    return min(images, key=lambda p: (len(p.notation), p.notation))
