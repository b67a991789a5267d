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

        >>> Boards.CORNERS.admits(Board.parse("5x7"))
        True
        >>> Boards.PLAIN.admits(Board.parse("5!3,3"))
        False
        """
        (row, col), (end_row, end_col) = (
            divmod(cell, board.cols) for cell in (board.start, board.end)
        )
        last_row, last_col = board.rows - 1, board.cols - 1
        rows_on_rim = row in (0, last_row), end_row in (0, last_row)
        cols_on_rim = col in (0, last_col), end_col in (0, last_col)
        rim = all(a or b for a, b in zip(rows_on_rim, cols_on_rim, strict=True))
        corner = rows_on_rim[0] and cols_on_rim[0]
        opposite = row + end_row == last_row and col + end_col == last_col
        conditions = rim, not board.walls, corner and opposite, (row, col) == (0, 0)
        return all(conditions[: _ORDER.index(self)])


_TEXTS = {
    Boards.ANY: "boards with any walls and ends",
    Boards.RIM: "rectangles with any walls, start and end on the rim",
    Boards.PLAIN: "rectangles without walls, start and end on the rim",
    Boards.CORNERS: "rectangles without walls, start and end in opposite corners",
    Boards.UPPER_LEFT: "rectangles without walls, start upper left, end lower right",
}
WORDS = tuple(kind.value for kind in Boards if kind is not Boards.UPPER_LEFT)
_ORDER = list(Boards)


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
