"""The maze: a board of letters, the entries round it, and the moves they allow.

A walker enters from outside through a side of a border cell, moving inward. The letter
of the cell just entered decides the next *heading* from the present one: S straight on,
R a right turn, L a left turn, U back, ? any of the four. On X and off the board the
walker is lost; on the goal it has arrived. Entering is move 1.

Cells are numbered as everywhere, ``row * cols + col`` from 0. Headings are 0 to 3 in
the order of `solver.board.STEPS`, but people read them as N, E, S, W: U, R and L are
letters of the maze. Where the walker stands is a *node*, ``4 * cell + heading``; the
entries are the nodes after those, in the order of `Maze.entries`, and a move leads from
node to node. So an n x n board has ``4n(n + 1)`` nodes.

The puzzle is the Riddler Express of 1 February 2019, by Tom Hanrahan
(fivethirtyeight.com/features/can-you-escape-a-maze-without-walls).

Random mazes have one goal anywhere, every other letter is drawn on its own by weights.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
_CODES = bytes.maketrans(LETTERS.encode(), bytes(range(len(LETTERS))))
SIDES = ("top", "right", "bottom", "left")  # in the order of the headings out of them


@dataclass(frozen=True, slots=True)
class Entry:
    """A way in: `node` is its number, `inside` the node that it leads to.

    `side` is one of `SIDES`, `index` a column or, left and right, a row, from 1.
    """

    side: str
    index: int
    inside: int
    node: int

    def __str__(self) -> str:
        line = "row" if self.inside % 2 else "column"
        return f"{self.side}, {line} {self.index}"


@dataclass(frozen=True, slots=True)
class Maze:
    """A board of letters; `repr` is the call that makes it, `str` the rows.

    - `lines`: the letters, row by row, the goal as ``G``.

    Raises `GridFileError` if there is no cell, the rows differ in length, a letter is
    unknown, or there is not exactly one goal. It names line and column.

    >>> maze = Maze.parse("SL/RG")
    >>> maze.rows, maze.cols, maze.goal, len(maze.entries)
    (2, 2, 3, 8)
    >>> print(maze.entries[0], maze.moves(maze.entries[0].inside))
    top, column 1 [10]
    """

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self.lines, "maze", 1)

    @classmethod
    def parse(cls, text: str, *, file: str = "maze") -> "Maze":
        """Read rows of letters, each on a line of its own or parted by ``/``.

        ``*`` is a goal too. Blanks at the ends of rows do not count, nor do blank lines
        before and after the board. Errors call the text `file`, and a ``/`` ends a line
        for them.

        Raises `GridFileError` as the class says.
        """
        whole = text.replace("*", "G").rstrip(" \t\r\n/")
        lines = [line.rstrip() for line in re.split("[\n/]", whole)]
        first = next((at for at, line in enumerate(lines) if line), 0)
        _check(lines[first:], file, first + 1)
        return cls(tuple(lines[first:]))

    @classmethod
    def from_codes(cls, codes: npt.NDArray[np.uint8]) -> "Maze":
        """Make the maze of codes, places in `LETTERS`, shape (rows, cols)."""
        letters = np.frombuffer(LETTERS.encode(), dtype=np.uint8)[codes]
        return cls(tuple(row.tobytes().decode() for row in letters))

    @property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The place of each cell's letter in `LETTERS`, shape (cells,); a new array."""
        codes = bytearray("".join(self.lines).encode().translate(_CODES))
        return np.frombuffer(codes, dtype=np.uint8)

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
    def nodes(self) -> int:
        """Number of nodes: four a cell, one an entry."""
        return 4 * self.cells + 2 * (self.rows + self.cols)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries: top, right, bottom, left, each by its column or row."""
        cells, cols = self.cells, self.cols
        borders = (
            range(cols),
            range(cols - 1, cells, cols),
            range(cells - cols, cells),
            range(0, cells, cols),
        )
        places = [
            (SIDES[out], index, 4 * cell + (out + 2) % 4)
            for out, border in enumerate(borders)
            for index, cell in enumerate(border, start=1)
        ]
        return tuple(Entry(*one, node) for node, one in enumerate(places, 4 * cells))

    def entry(self, text: str) -> Entry:
        """Return the entry called ``top4``.

        Raises `OptionError` if the maze has none of that name.
        """
        for entry in self.entries:
            if text == f"{entry.side}{entry.index}":
                return entry
        raise OptionError(
            f"{text!r} is no entry of a maze of {self.rows} x {self.cols}; "
            "write top, right, bottom or left and a number, such as top1"
        )

    def name(self, node: int) -> str:
        """Return what people call a node: ``(row, col) heading`` or the entry."""
        if node >= 4 * self.cells:
            return str(self.entries[node - 4 * self.cells])
        row, col = self.row_col(node // 4)
        return f"({row}, {col}) {HEADINGS[node % 4]}"

    def row_col(self, cell: Cell) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.cols + 1, cell % self.cols + 1

    def letter(self, cell: Cell) -> str:
        """Return the letter of a cell."""
        return self.lines[cell // self.cols][cell % self.cols]

    def moves(self, node: int) -> list[int]:
        """Return the nodes that a walker in a cell can go to next.

        There is none where the walker is lost or has arrived, and up to four on a
        ``?``, in the order S, R, U, L of the turn.
        """
        cell, heading = divmod(node, 4)
        row, col = divmod(cell, self.cols)
        found = []
        for turn in TURNS[LETTERS.index(self.letter(cell))]:
            ahead = (heading + turn) % 4
            r, c = row + STEPS[ahead][0], col + STEPS[ahead][1]
            if 0 <= r < self.rows and 0 <= c < self.cols:
                found.append(4 * (r * self.cols + c) + ahead)
        return found

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
    goals = []
    for number, line in enumerate(lines, start=first):
        if unknown := _UNKNOWN.search(line):
            why = f"{unknown.group()!r} is none of S, L, R, U, X, ?, G and *"
            raise GridFileError(file, number, unknown.start() + 1, why)
        if len(line) != cols:
            why = f"a row of {len(line)} letters, the first has {cols}"
            raise GridFileError(file, number, min(len(line), cols) + 1, why)
        goals += [(number, found.end()) for found in re.finditer("G", line)]
    if not goals:
        raise GridFileError(file, first, 1, "no goal; one letter must be G or *")
    if goals[1:]:
        raise GridFileError(file, *goals[1], "a second goal")


DRAWN = LETTERS.replace("G", "")  # the letters that can be drawn


@dataclass(frozen=True, slots=True)
class Weights:
    """How often each letter of `DRAWN` comes, as weights in that order.

    Raises `OptionError` if a weight is negative, not finite, or all are 0.

    >>> Weights.parse("S=2,?=0.5")
    Weights.parse('S=2,?=0.5')
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
                how = f"write letter=number with a letter of {', '.join(DRAWN)}"
                raise OptionError(f"{part!r} is no weight; {how}")
            if letter in given:
                raise OptionError(f"{letter} has two weights in {text!r}")
            try:
                given[letter] = float(number)
            except ValueError:
                raise OptionError(f"{number!r} in {part!r} is no number") from None
        return cls(tuple(given.get(letter, 0.0) for letter in DRAWN))

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
    sums = np.cumsum((weights or Weights()).values)
    limits = sums[:-1] / sums[-1]
    draws = rng.random((mazes, rows * cols), dtype=np.float32)
    codes = np.searchsorted(limits, draws, side="right").astype(np.uint8)
    codes[np.arange(mazes), rng.integers(rows * cols, size=mazes)] = GOAL
    return codes.reshape(mazes, rows, cols)
