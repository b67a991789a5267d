"""The letters of the maze without walls, and the ways in."""

from dataclasses import dataclass
from enum import Enum

HEADINGS = "NESW"
LETTERS = "SRULX?G"  # the first four by the quarter turns to the right they ask for
LOST, ANY, GOAL = 4, 5, 6  # codes: the place of a letter in LETTERS
TURNS = ((0,), (1,), (2,), (3,), (), (0, 1, 2, 3), ())  # quarter turns, by code


class Side(Enum):
    """A side of the board, in the order in which entries are listed."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"

    @property
    def inward(self) -> int:
        """The heading of a walker who enters here."""
        return {"top": 2, "right": 3, "bottom": 0, "left": 1}[self.value]


@dataclass(frozen=True, slots=True)
class Entry:
    """A way in: a side, and the column (top, bottom) or row (left, right) from 1."""

    side: Side
    index: int

    def __str__(self) -> str:
        line = "row" if self.side.inward % 2 else "column"
        return f"{self.side.value}, {line} {self.index}"
