"""The maze: a board of letters, the entries round it, and the moves they allow.

A walker enters from outside through a side of a border cell, moving inward. The letter
of the cell just entered decides the next *heading* from the present one: S straight on,
R a right turn, L a left turn, U back, ? any of the four. On X and off the board the
walker is lost; on the goal it has arrived. Entering is move 1.

Cells are numbered as everywhere, ``row * cols + col`` from 0. Headings are 0 to 3 in
the order of `solver.board.STEPS`, but people read them as N, E, S, W: U, R and L are
letters of the maze. Where the walker stands is a *node*, ``4 * cell + heading``; the
entries are the nodes after those, in the order of `Maze.entries`.

The puzzle is the Riddler Express of 1 February 2019, by Tom Hanrahan
(fivethirtyeight.com/features/can-you-escape-a-maze-without-walls).

Random mazes have one goal anywhere, every other letter is drawn on its own by weights.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.board import MAX_CELLS, STEPS, Cell
from solver.errors import GridFileError, OptionError

HEADINGS = "NESW"
LETTERS = "SRULX?G"  # the first four by the quarter turns to the right they ask for
LOST, ANY, GOAL = 4, 5, 6  # codes: the place of a letter in LETTERS
TURNS = ((0,), (1,), (2,), (3,), (), (0, 1, 2, 3), ())  # quarter turns, by code
_UNKNOWN = re.compile(r"[^SRULX?G]")
_CODES = np.full(256, 255, dtype=np.uint8)
_CODES[[ord(letter) for letter in LETTERS]] = range(len(LETTERS))


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


@dataclass(frozen=True, slots=True)
class Maze:
    """A board of letters; `repr` is the call that makes it, `str` the rows.

    - `lines`: the letters, row by row, the goal as ``G``.

    Raises `GridFileError` if there is no cell, the rows differ in length, a letter is
    unknown, or there is not exactly one goal. It names line and column.

    >>> maze = Maze.parse("SL/RG")
    >>> maze.rows, maze.cols, maze.goal, len(maze.entries)
    (2, 2, 3, 8)
    >>> print(maze.entries[0], maze.moves(0, 2))
    top, column 1 ((2, 2),)
    """

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.lines, "maze", 1)

    @classmethod
    def parse(cls, text: str, *, file: str = "maze") -> "Maze":
        """Read rows of letters, each on a line of its own or parted by ``/``.

        ``*`` is a goal too. Blanks at the ends of lines do not count, nor do blank
        lines before and after the board. Errors call the text `file`.

        Raises `GridFileError` as the class says.
        """
        lines = [line.rstrip() for line in text.replace("*", "G").split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        first = next((at for at, line in enumerate(lines) if line), 0)
        flat = len(lines) == 1
        rows = lines[0].split("/") if flat else lines[first:]
        try:
            _check(rows, file, 1 if flat else first + 1)
        except GridFileError as error:
            if not flat:
                raise
            before = sum(len(row) + 1 for row in rows[: error.line - 1])
            raise GridFileError(file, 1, before + error.col, error.why) from None
        return cls(tuple(rows))

    @classmethod
    def from_codes(cls, codes: npt.NDArray[np.uint8]) -> "Maze":
        """Make the maze of codes, places in `LETTERS`, shape (rows, cols)."""
        letters = np.frombuffer(LETTERS.encode(), dtype=np.uint8)[codes]
        return cls(tuple(row.tobytes().decode() for row in letters))

    @property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The place of each cell's letter in `LETTERS`, shape (cells,); a new array."""
        return _CODES[np.frombuffer("".join(self.lines).encode(), dtype=np.uint8)]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.lines)

    @property
    def cols(self) -> int:
        """Number of columns."""
        return len(self.lines[0])

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    @property
    def goal(self) -> Cell:
        """The cell of the goal."""
        return "".join(self.lines).index("G")

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries: top, right, bottom, left, each by its column or row."""
        return tuple(
            Entry(side, index)
            for side in Side
            for index in range(1, (self.rows if side.inward % 2 else self.cols) + 1)
        )

    def entry_cell(self, entry: Entry) -> Cell:
        """Return the cell that is entered through `entry`."""
        last = entry.index - 1
        row, col = {
            Side.TOP: (0, last),
            Side.RIGHT: (last, self.cols - 1),
            Side.BOTTOM: (self.rows - 1, last),
            Side.LEFT: (last, 0),
        }[entry.side]
        return row * self.cols + col

    def row_col(self, cell: Cell) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.cols + 1, cell % self.cols + 1

    def letter(self, cell: Cell) -> str:
        """Return the letter of a cell."""
        return self.lines[cell // self.cols][cell % self.cols]

    def moves(self, cell: Cell, heading: int) -> tuple[tuple[Cell, int], ...]:
        """Return where a walker goes who has entered `cell` with `heading`.

        Each item is the cell entered next and the heading of that move. There is none
        where the walker is lost or has arrived, and up to four on a ``?``.
        """
        row, col = divmod(cell, self.cols)
        found = []
        for turn in TURNS[LETTERS.index(self.letter(cell))]:
            ahead = (heading + turn) % 4
            r, c = row + STEPS[ahead][0], col + STEPS[ahead][1]
            if 0 <= r < self.rows and 0 <= c < self.cols:
                found.append((r * self.cols + c, ahead))
        return tuple(found)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Maze.parse({'/'.join(self.lines)!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


def _check(lines: Sequence[str], file: str, first: int) -> None:
    """Raise `GridFileError` at the first fault; row 0 stands on line `first`."""
    if not lines or not lines[0]:
        raise GridFileError(file, first, 1, "no letters; a maze has at least one row")
    cols = len(lines[0])
    if len(lines) * cols > MAX_CELLS:
        why = f"a maze of {len(lines)} x {cols} has more than {MAX_CELLS} cells"
        raise GridFileError(file, first, 1, why)
    goal = None
    for number, line in enumerate(lines, start=first):
        unknown = _UNKNOWN.search(line)
        if unknown:
            why = f"{unknown.group()!r} is none of S, L, R, U, X, ?, G and *"
            raise GridFileError(file, number, unknown.start() + 1, why)
        if len(line) != cols:
            why = f"a row of {len(line)} letters, the first has {cols}"
            raise GridFileError(file, number, min(len(line), cols) + 1, why)
        for found in re.finditer("G", line):
            if goal is not None:
                why = f"a second goal, the first is ({goal[0]}, {goal[1]})"
                raise GridFileError(file, number, found.start() + 1, why)
            goal = (number - first + 1, found.start() + 1)
    if goal is None:
        raise GridFileError(file, first, 1, "no goal; one letter must be G or *")


DRAWN = LETTERS.replace("G", "")  # the letters that can be drawn


@dataclass(frozen=True, slots=True)
class Weights:
    """How often each letter of `DRAWN` comes, as weights in that order.

    Raises `OptionError` if a weight is negative, not finite, or all are 0.

    >>> Weights.parse("S=2,?=0.5")
    Weights.parse('S=2,?=0.5')
    >>> Weights.parse("S=2,?=0.5").probabilities
    (0.8, 0.0, 0.0, 0.0, 0.0, 0.2)
    """

    values: tuple[float, ...] = (1.0,) * len(DRAWN)

    def __post_init__(self) -> None:
        for letter, value in zip(DRAWN, self.values, strict=True):
            if not 0 <= value <= 1e9:  # not a number fails too
                raise OptionError(f"weight {value} of {letter} is not in 0 to 1e9")
        if not any(self.values):
            raise OptionError("every weight is 0")

    @classmethod
    def parse(cls, text: str) -> "Weights":
        """Read ``S=2,L=1``; letters that are not named have weight 0.

        Raises `OptionError` if a part is no ``letter=number``, or a letter is unknown
        or comes twice.
        """
        given: dict[str, float] = {}
        for part in text.split(","):
            letter, equals, number = part.strip().partition("=")
            if not equals or letter not in DRAWN or len(letter) != 1:
                raise OptionError(
                    f"{part!r} is no weight; write letter=number with a letter of "
                    f"{', '.join(DRAWN)}"
                )
            if letter in given:
                raise OptionError(f"{letter} has two weights in {text!r}")
            try:
                given[letter] = float(number)
            except ValueError:
                raise OptionError(f"{number!r} in {part!r} is no number") from None
        return cls(tuple(given.get(letter, 0.0) for letter in DRAWN))

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The chance of each letter of `DRAWN`."""
        total = sum(self.values)
        return tuple(value / total for value in self.values)

    def __str__(self) -> str:
        return ",".join(
            f"{letter}={float(value)!r}".removesuffix(".0")  # it reads back the same
            for letter, value in zip(DRAWN, self.values, strict=True)
            if value
        )

    def __repr__(self) -> str:
        return f"Weights.parse({str(self)!r})"


def sample(
    mazes: int,
    rows: int,
    cols: int,
    *,
    weights: Weights | None = None,
    seed: int | np.random.Generator = 0,
) -> npt.NDArray[np.uint8]:
    """Draw mazes as codes, shape (mazes, rows, cols).

    The goal is equally likely on every cell; the other letters are drawn independently.

    Raises `OptionError` if a maze has no cell, or more than a board may have.

    >>> codes = sample(1000, 1, 2, weights=Weights.parse("S=1"), seed=7)
    >>> np.unique(codes.reshape(1000, 2), axis=0).tolist()
    [[0, 6], [6, 0]]
    """
    if not 1 <= rows * cols <= MAX_CELLS:
        raise OptionError(f"{rows} x {cols} is not between 1 and {MAX_CELLS} cells")
    rng = np.random.default_rng(seed)
    limits = np.cumsum((weights or Weights()).probabilities)[:-1]
    draws = rng.random((mazes, rows * cols), dtype=np.float32)
    codes = np.searchsorted(limits, draws, side="right").astype(np.uint8)
    codes[np.arange(mazes), rng.integers(rows * cols, size=mazes)] = GOAL
    return codes.reshape(mazes, rows, cols)
