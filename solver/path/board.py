"""The board of PATH, its two players and the five things a referee can say."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from solver.errors import BoardError

LETTERS = b"WBU"
MAX_SIDE = 4096  # sixteen times the cells of n = 1000; more is a typing error


class Player(Enum):
    """A player, by the letter of the pieces."""

    WHITE = "W"
    BLACK = "B"

    @property
    def label(self) -> str:
        """The name as the referee's sentences have it."""
        return self.name.capitalize()

    @property
    def edges(self) -> str:
        """Home edge and target edge, for people."""
        return "left to right" if self is Player.WHITE else "top to bottom"


class Outcome(Enum):
    """What the referee says of a board: the first of these that is true.

    >>> print(Outcome.WHITE_MOVE.value)
    White can win in one move.
    """

    WHITE_PATH = "White has a winning path."
    BLACK_PATH = "Black has a winning path."
    WHITE_MOVE = "White can win in one move."
    BLACK_MOVE = "Black can win in one move."
    NONE = "There is no winning path."

    @property
    def player(self) -> Player | None:
        """The player it is said of, if any."""
        if self is Outcome.NONE:
            return None
        white = self in (Outcome.WHITE_PATH, Outcome.WHITE_MOVE)
        return Player.WHITE if white else Player.BLACK

    @property
    def won(self) -> bool:
        """Whether a winning path is there."""
        return self in (Outcome.WHITE_PATH, Outcome.BLACK_PATH)


@dataclass(frozen=True, slots=True)
class PathBoard:
    """An n x n board: `cells` holds n * n letters W, B or U, row by row.

    >>> board = PathBoard.parse("WBB/WWU/WBB")
    >>> board
    PathBoard.parse('WBB/WWU/WBB')
    >>> print(board)
    WBB
    WWU
    WBB

    Raises
    ------
    BoardError
        If the side lies outside 1 to 4096, or `cells` has another length or letter.
    """

    n: int
    cells: bytes

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MAX_SIDE:
            raise BoardError(f"a side of {self.n} lies outside 1 to {MAX_SIDE}")
        if len(self.cells) != self.n * self.n:
            raise BoardError(
                f"{len(self.cells)} letters do not fill a board of {self.n} x {self.n}"
            )
        if others := self.cells.translate(None, LETTERS):
            letter = chr(others[0])
            raise BoardError(f"letter {letter!r} is none of W, B and U")

    @classmethod
    def parse(cls, text: str) -> "PathBoard":
        """Read rows joined by ``/``; bad text raises `BoardError`."""
        rows = text.split("/")
        for number, row in enumerate(rows, start=1):
            if len(row) != len(rows):
                raise BoardError(
                    f"row {number} has {len(row)} letters, but there are "
                    f"{len(rows)} rows"
                )
        cells = "".join(rows)
        if set(cells) - set(LETTERS.decode()):
            letter = cells.lstrip(LETTERS.decode())[0]
            raise BoardError(f"letter {letter!r} is none of W, B and U")
        return cls(len(rows), cells.encode())

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows from the top, as text."""
        text = self.cells.decode("ascii")
        return tuple(text[i : i + self.n] for i in range(0, len(text), self.n))

    def row_col(self, cell: int) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.n + 1, cell % self.n + 1

    def place(self, player: Player, cell: int) -> "PathBoard":
        """Return the board with one more piece, on an unfilled cell."""
        if not 0 <= cell < len(self.cells):
            raise BoardError(f"cell {cell} lies outside the board")
        if self.cells[cell : cell + 1] != b"U":
            raise BoardError(f"cell {self.row_col(cell)} is filled")
        piece = player.value.encode()
        return PathBoard(self.n, self.cells[:cell] + piece + self.cells[cell + 1 :])

    def mirrored(self) -> "PathBoard":
        """Return the board with rows and columns, and the two players, exchanged.

        Left edge becomes top edge, so whatever White has here Black has there.

        >>> PathBoard.parse("WW/BU").mirrored()
        PathBoard.parse('BW/BU')
        """
        n = self.n
        turned = b"".join(self.cells[col::n] for col in range(n))
        return PathBoard(n, turned.translate(bytes.maketrans(b"WB", b"BW")))

    @property
    def contest_text(self) -> str:
        """The board in the contest's format, without the closing 0."""
        return f"{self.n}\n\n" + "\n".join(self.rows) + "\n"

    def __str__(self) -> str:
        return "\n".join(self.rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({'/'.join(self.rows)!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))
