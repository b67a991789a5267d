"""The board, the position on it, and the eight symmetries of the grid.

A *cell* is the number ``row * cols + col``, both from 0 with row 0 on top. People see
``(row, col)`` from 1. A *walk* is the tuple of visited cells; its last cell is the
*live end*. Directions are numbered 0 to 3 in the order U, R, D, L, so ``(d + 1) % 4``
turns right and ``(d + 3) % 4`` turns left.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from solver.errors import BoardError
from solver.notation import (
    LETTERS,
    MAX_CELLS,
    STEPS,
    Cell,
    Walk,
    parse_board,
    parse_walk,
    position_text,
    print_board,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["LETTERS", "MAX_CELLS", "STEPS", "Board", "Cell", "Position", "Walk"]


@dataclass(frozen=True, slots=True)
class Board:
    """A rectangle of cells with a start, an end, and walls if any.

    Raises `BoardError` if a side or a cell is not a whole number, a side is below 1, or
    a cell lies outside. Start and end must be open, and differ on larger boards.

    >>> Board.parse("5@1,2>5,4!3,3").walls
    (12,)
    """

    rows: int
    cols: int
    start: Cell = 0
    end: Cell = -1
    walls: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        for name in ("rows", "cols", "start", "end"):
            object.__setattr__(self, name, _whole(getattr(self, name), name))
        walls = tuple(sorted(set(_cells(self.walls, "walls"))))
        object.__setattr__(self, "walls", walls)
        size = f"a board of {self.rows} x {self.cols}"
        if self.rows < 1 or self.cols < 1:
            raise BoardError(f"{size} has no cells")
        if self.cells > MAX_CELLS:
            raise BoardError(f"{size} has more than {MAX_CELLS} cells")
        if self.end == -1:
            object.__setattr__(self, "end", self.cells - 1)
        for name, cell in [("start", self.start), ("end", self.end)]:
            if not 0 <= cell < self.cells:
                raise BoardError(f"{name} {cell} lies outside the board")
            if cell in walls:
                raise BoardError(f"{name} {self.row_col(cell)} is a wall")
        if walls and not 0 <= walls[0] <= walls[-1] < self.cells:
            raise BoardError(f"a wall of {walls} lies outside the board")
        if self.start == self.end and self.open_cells > 1:
            where = self.row_col(self.end)
            raise BoardError(f"start and end are the same cell {where}")

    @classmethod
    def square(cls, n: int) -> Self:
        """Return the n x n board with start and end in opposite corners."""
        return cls(n, n)

    @classmethod
    def parse(cls, text: str, *, without_ends: bool = False) -> "Board":
        """Read the board part of the notation, else raise `NotationError`.

        With `without_ends` start and end are the first and last open cell, whatever the
        text says. Questions about cells and walls alone need that.

        >>> Board.parse("3!1,1", without_ends=True)
        Board.parse('3@1,2>3,3!1,1')
        """
        return parse_board(text, Board, without_ends=without_ends)

    def __hash__(self) -> int:
        # Boards are keys of caches at every step: some walls are enough.
        walls = self.walls
        few = (len(walls), walls[:4], walls[-1:])
        return hash((self.rows, self.cols, self.start, self.end, few))

    @property
    def cells(self) -> int:
        """Number of cells, walls included."""
        return self.rows * self.cols

    @property
    def open_cells(self) -> int:
        """Number of cells that a completed walk visits."""
        return self.cells - len(self.walls)

    @property
    def notation(self) -> str:
        """The canonical text of the board; `parse` reads it back."""
        return print_board(self)

    @property
    def neighbours(self) -> "npt.NDArray[np.int32]":
        """The neighbours of every cell, shape (cells, 4), -1 for none; read-only.

        Columns are U, R, D, L. Walls have no neighbours, and are not neighbours.
        """
        return _neighbours(self)

    def row_col(self, cell: Cell) -> tuple[int, int]:
        """Return (row, col) from 1."""
        return cell // self.cols + 1, cell % self.cols + 1

    def name(self, cell: Cell) -> str:
        """Return a cell as text: row and column, from 1."""
        return "{},{}".format(*self.row_col(cell))

    def cell(self, row: int, col: int) -> Cell:
        """Return the cell at (row, col), counted from 1."""
        if not (1 <= row <= self.rows and 1 <= col <= self.cols):
            raise BoardError(f"({row}, {col}) lies outside the board {self.notation}")
        return (row - 1) * self.cols + col - 1

    def black(self, cell: Cell) -> bool:
        """Return whether the cell has the colour of cell 0: row + col even."""
        return (cell // self.cols + cell % self.cols) % 2 == 0

    def direction(self, a: Cell, b: Cell) -> int:
        """Return the direction of the step a -> b, or -1 if they do not touch."""
        step, cols = b - a, self.cols
        if not 0 <= b < self.cells:
            return -1
        if step in (-cols, cols):  # before the others: a board may be one column wide
            return 0 if step < 0 else 2
        if step == 1 and b % cols:
            return 1
        return 3 if step == -1 and a % cols else -1

    def __str__(self) -> str:
        return str(Position(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({self.notation!r})"

    def _repr_svg_(self) -> str:
        return Position(self)._repr_svg_()


_SIDES = ("ahead", "right", "back", "left")  # clockwise, as LETTERS are


@dataclass(frozen=True, slots=True)
class Position:
    """A board and a walk on it; `repr` is a call that makes it, `str` a picture.

    Raises `BoardError` unless the walk begins at the start, and steps from cell to open
    cell without visiting any twice.

    >>> p = Position.parse("3:RRD")
    >>> p.moves, p.walk, p.board.row_col(p.live_end)
    ('RRD', (0, 1, 2, 5), (2, 3))
    >>> print(p)
    ○───────┐
    ·   ·   ▼
    ·   ·   ◎
    """

    board: Board
    walk: Walk = field(default=())

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise BoardError(f"board is {_short(self.board)}, expected a Board")
        board = self.board
        walk = _cells(self.walk, "walk") or (board.start,)
        object.__setattr__(self, "walk", walk)
        if walk[0] != board.start:
            raise BoardError(f"the walk begins at cell {walk[0]}, not at the start")
        if len(walk) == 1 or self._is_plain():
            return
        seen, before = set(board.walls), -1
        for index, cell in enumerate(walk):
            if cell in seen:
                what = "a wall" if cell in board.walls else "visited already"
                raise BoardError(f"step {index}: cell {cell} is {what}")
            if index and board.direction(before, cell) < 0:
                raise BoardError(f"step {index}: {before} and {cell} do not touch")
            seen.add(cell)
            before = cell

    def _is_plain(self) -> bool:
        """Return whether the walk has no fault: five times as fast as the loop."""
        walk, board, cols = self.walk, self.board, self.board.cols
        cells = set(walk)
        if len(cells) < len(walk) or not cells.isdisjoint(board.walls):
            return False
        if min(cells) < 0 or max(cells) >= board.cells:
            return False
        for a, b in pairwise(walk):
            step = b - a
            if step == cols or step == -cols or (step == 1 and b % cols):
                continue
            if step != -1 or a % cols == 0:
                return False
        return True

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the one-line notation, else raise `NotationError`."""
        return cls(*parse_walk(text, Board))

    @property
    def live_end(self) -> Cell:
        """The last cell of the walk."""
        return self.walk[-1]

    @property
    def heading(self) -> int:
        """Direction of the last step, or -1 before the first."""
        if len(self.walk) < 2:
            return -1
        return self.board.direction(self.walk[-2], self.walk[-1])

    @property
    def moves(self) -> str:
        """The steps of the walk as letters."""
        cols = self.board.cols
        letter = {1: "R", -1: "L", cols: "D", -cols: "U"}  # of one column only D and U
        return "".join([letter[b - a] for a, b in pairwise(self.walk)])

    @property
    def notation(self) -> str:
        """The canonical one-line text; `parse` reads it back."""
        return f"{self.board.notation}:{self.moves}"

    @property
    def free(self) -> "npt.NDArray[np.bool_]":
        """True where the walk may still step, shape (cells,); a new array."""
        import numpy as np

        free = np.ones(self.board.cells, dtype=np.bool_)
        free[list(self.board.walls)] = False
        free[list(self.walk)] = False
        return free

    @property
    def unvisited(self) -> int:
        """Number of cells still to visit."""
        return self.board.open_cells - len(self.walk)

    @property
    def complete(self) -> bool:
        """True if the walk visits every open cell and stands on the end cell."""
        return self.unvisited == 0 and self.live_end == self.board.end

    def options(self) -> dict[str, Cell]:
        """Return the moves, letter to cell: the unvisited neighbours of the live end.

        >>> Position.parse("3:RRD").options()
        {'D': 8, 'L': 4}
        """
        near, visited = self.neighbours(self.live_end), set(self.walk)
        return {move: cell for move, cell in near.items() if cell not in visited}

    def turn(self, side: str) -> str:
        """Return the move to a side, ``ahead``, ``right``, ``back`` or ``left``.

        Raises `BoardError` if there is no such side, or the walk has no step yet.

        >>> Position.parse("5:RRD").turn("left")
        'R'
        """
        if side not in _SIDES:
            raise BoardError(f"{side!r} is not a side; sides are {', '.join(_SIDES)}")
        if len(self.walk) < 2:
            raise BoardError(f"{self.notation} has no heading before its first step")
        return LETTERS[(self.heading + _SIDES.index(side)) % 4]

    def neighbours(self, cell: Cell) -> dict[str, Cell]:
        """Return the open cells next to a cell, letter to cell, visited or not.

        Raises `BoardError` if the cell is not on the board.

        >>> Position.parse("3:RRD").neighbours(4)
        {'U': 1, 'R': 5, 'D': 7, 'L': 3}
        """
        if not 0 <= cell < self.board.cells:
            raise BoardError(f"cell {cell} is not on board {self.board.notation}")
        row = self.board.neighbours[cell].tolist()
        return {LETTERS[d]: other for d, other in enumerate(row) if other >= 0}

    def is_free(self, cell: Cell | None) -> bool:
        """Return whether a cell is on the board, no wall, and unvisited.

        >>> [Position.parse("3:RRD").is_free(cell) for cell in (4, 5, 9, None)]
        [True, False, False, False]
        """
        if cell is None or not 0 <= cell < self.board.cells:
            return False
        return cell not in self.walk and cell not in self.board.walls

    def step(self, move: str) -> "Position":
        """Return the position after one more move, given by its letter."""
        options = self.options()
        if move not in options:
            raise BoardError(f"{move!r} is no move of {self.notation}")
        return _unchecked(self.board, (*self.walk, options[move]))

    def back(self, steps: int = 1) -> "Position":
        """Return the position `steps` moves earlier."""
        if not 0 <= steps < len(self.walk):
            raise BoardError(f"cannot go back {steps} of {len(self.walk) - 1} steps")
        return _unchecked(self.board, self.walk[: len(self.walk) - steps])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({self.notation!r})"

    def __str__(self) -> str:
        return position_text(self)

    def _repr_svg_(self) -> str:
        from solver.svg import draw  # only a notebook pays for this

        return draw(self)


def _whole(value: Any, name: str) -> int:
    """Return a whole number, of numpy or not, as `int`; True and 3.0 are none."""
    if type(value) is int:
        return value
    if not isinstance(value, bool):
        with suppress(TypeError):
            return as_index(value)
    raise BoardError(f"{name} is {_short(value)}, expected a whole number")


def _cells(value: Any, name: str) -> tuple[Cell, ...]:
    """Return cells as a tuple of `int`; quick for such a tuple."""
    if type(value) is tuple and set(map(type, value)) <= {int}:
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise BoardError(f"{name} is {_short(value)}, expected a sequence of cells")
    return tuple(_whole(cell, f"a cell of {name}") for cell in value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _unchecked(board: Board, walk: Walk) -> Position:
    """Return a position of a valid walk, without the linear check."""
    position = object.__new__(Position)
    object.__setattr__(position, "board", board)
    object.__setattr__(position, "walk", walk)
    return position


@lru_cache(maxsize=256)
def _neighbours(board: Board) -> "npt.NDArray[np.int32]":
    import numpy as np

    rows, cols = board.rows, board.cols
    grid = np.full((rows + 2, cols + 2), -1, dtype=np.int32)
    inner = np.arange(rows * cols, dtype=np.int32)
    inner[list(board.walls)] = -1
    grid[1:-1, 1:-1] = inner.reshape(rows, cols)
    result = np.stack(
        [grid[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols] for dr, dc in STEPS],
        axis=-1,
    ).reshape(rows * cols, 4)
    result[list(board.walls)] = -1
    result.setflags(write=False)
    return result


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

    @cached_property
    def matrix(self) -> Matrix:
        """The matrix that turns a step (down, right), row by row."""
        transpose, flip_rows, flip_cols = self.value
        down, right = (-1 if flip_rows else 1), (-1 if flip_cols else 1)
        return (0, down, right, 0) if transpose else (down, 0, 0, right)

    @property
    def mirrors(self) -> bool:
        """True if the symmetry exchanges left and right."""
        return bool(sum(self.value) % 2)

    def turn(self, step: Step) -> Step:
        """Return the image of a step (down, right)."""
        a, b, c, d = self.matrix
        return a * step[0] + b * step[1], c * step[0] + d * step[1]

    @cache
    def then(self, other: "Symmetry") -> "Symmetry":
        """Return the symmetry that has the effect of this one, then the other.

        >>> Symmetry.TRANSPOSE.then(Symmetry.FLIP_COLS).name
        'ROTATE_RIGHT'
        """
        steps = (1, 0), (0, 1)
        images = [other.turn(self.turn(step)) for step in steps]
        return next(s for s in Symmetry if [*map(s.turn, steps)] == images)

    def cell(self, board: Board, cell: Cell) -> Cell:
        """Return the image of a cell of `board`, on the image board."""
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
        """Return the image of a board, with its start, end and walls."""
        sides = (board.cols, board.rows) if self.value[0] else (board.rows, board.cols)
        start, end, *walls = (
            self.cell(board, cell) for cell in (board.start, board.end, *board.walls)
        )
        return Board(*sides, start, end, tuple(walls))

    def position(self, position: Position) -> Position:
        """Return the image of a position, on the image of its board."""
        board = position.board
        walk = tuple(self.cell(board, cell) for cell in position.walk)
        return Position(self.board(board), walk)


# By the direction U, R, D or L to which the upper side of the page turns.
ROTATIONS = (
    Symmetry.IDENTITY,
    Symmetry.ROTATE_RIGHT,
    Symmetry.ROTATE_HALF,
    Symmetry.ROTATE_LEFT,
)


def canonical_position(position: Position) -> Position:
    """Return the image with the shortest notation, the first of equally short ones.

    So positions between the default corners stay between them.
    """
    images = (s.position(position) for s in Symmetry)
    return min(images, key=lambda p: (len(p.notation), p.notation))
