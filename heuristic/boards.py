"""The kinds of boards that a rule is meant for.

A rule file names them by a word, the key ``boards``; without it a rule is meant for the
task of the founding text, `Boards.CORNERS`.
"""

from collections.abc import Iterable
from enum import Enum

from solver.board import Board
from solver.errors import UnknownNameError


class Boards(Enum):
    """Which boards a rule is meant for; each kind contains the next one.

    `UPPER_LEFT` has no word of its own: it is what `CORNERS` means for a drawing in the
    board frame, which knows up from down.
    """

    ANY = "any"
    RIM = "rim"
    PLAIN = "plain"
    CORNERS = "corners"
    UPPER_LEFT = "upper-left"

    @property
    def text(self) -> str:
        """The boards in words.

        >>> Boards.PLAIN.text
        'rectangles without walls, start and end on the rim'
        """
        return _TEXTS[self]

    @property
    def word(self) -> str:
        """The word that rule files and options use."""
        return self.value if self.value in WORDS else Boards.CORNERS.value

    def admits(self, board: Board) -> bool:
        """Whether a board is of this kind.

        >>> Boards.CORNERS.admits(Board.parse("5x7")), Boards.PLAIN.admits(
        ...     Board.parse("5!3,3")
        ... )
        (True, False)
        """
        if self is Boards.ANY:
            return True
        ends = [divmod(cell, board.cols) for cell in (board.start, board.end)]
        if not all(_on_rim(board, row, col) for row, col in ends):
            return False
        if self is Boards.RIM:
            return True
        if board.walls:
            return False
        if self is Boards.PLAIN:
            return True
        (row, col), (end_row, end_col) = ends
        opposite = row + end_row == board.rows - 1 and col + end_col == board.cols - 1
        corner = row in (0, board.rows - 1) and col in (0, board.cols - 1)
        if self is Boards.CORNERS:
            return opposite and corner
        return opposite and (row, col) == (0, 0)


_TEXTS = {
    Boards.ANY: "boards with any walls and ends",
    Boards.RIM: "rectangles with any walls, start and end on the rim",
    Boards.PLAIN: "rectangles without walls, start and end on the rim",
    Boards.CORNERS: "rectangles without walls, start and end in opposite corners",
    Boards.UPPER_LEFT: "rectangles without walls, start upper left, end lower right",
}
WORDS = tuple(kind.value for kind in Boards if kind is not Boards.UPPER_LEFT)
_ORDER = list(Boards)


def _on_rim(board: Board, row: int, col: int) -> bool:
    return row in (0, board.rows - 1) or col in (0, board.cols - 1)


def read_boards(word: str) -> Boards:
    """Return the kind of boards that a word names.

    Raises `UnknownNameError` if the word is not one of `WORDS`.
    """
    if word not in WORDS:
        raise UnknownNameError("kind of boards", word, WORDS)
    return Boards(word)


def narrowest(kinds: Iterable[Boards]) -> Boards:
    """Return the kind whose boards all of the kinds admit; `ANY` of none.

    >>> narrowest([Boards.ANY, Boards.PLAIN]).value
    'plain'
    """
    return max(kinds, key=_ORDER.index, default=Boards.ANY)


def widest(kinds: Iterable[Boards]) -> Boards:
    """Return the kind that holds all boards of the kinds; `UPPER_LEFT` of none.

    >>> widest([Boards.CORNERS, Boards.PLAIN]).value
    'plain'
    """
    return min(kinds, key=_ORDER.index, default=Boards.UPPER_LEFT)
