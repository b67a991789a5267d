"""The maze: a board of letters, its entries, and the moves that the letters allow.

A walker enters through a side of a border cell, moving inward. The letter of the cell
just entered turns the walker: S straight on, R right, L left, U back, ? any of the
four. On X and off the board the walker is lost. Entering is move 1.

Headings are 0 to 3 in the order of `solver.board.STEPS`, printed as N, E, S, W. A cell
with a heading is a *node*, ``4 * cell + heading``. The entries are the nodes after
those, in the order of `Maze.entries`. A move leads from node to node.

The puzzle is the Riddler Express of 1 February 2019, by Tom Hanrahan
(fivethirtyeight.com/features/can-you-escape-a-maze-without-walls).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from solver.board import MAX_CELLS, STEPS, Cell
from solver.errors import GridFileError, OptionError

HEADINGS = "NESW"
LETTERS = "SRULX?G"  # the first four by their quarter turns to the right
_TURNS = {"S": (0,), "R": (1,), "U": (2,), "L": (3,), "?": (0, 1, 2, 3)}
_UNKNOWN = re.compile(r"[^SRULX?G]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A way in, from `node` outside to the node `inside`.

    `index` is the column, or on the left and right the row, from 1.
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
    """A board of letters: `lines` are its rows, with one goal ``G``.

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
        """Parse rows of letters, separated by line ends or ``/``; ``*`` is a goal too.

        Blanks at the ends of rows and blank lines around the board are ignored.

        Raises `GridFileError`, which calls the text `file`.
        """
        whole = text.replace("*", "G").rstrip(" \t\r\n/")
        lines = [line.rstrip() for line in re.split("[\n/]", whole)]
        first = next((at for at, line in enumerate(lines) if line), 0)
        _check(lines[first:], file, first + 1)
        return cls(tuple(lines[first:]))

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
        """All entries: top, right, bottom, left, each by column or row."""
        cells, cols = self.cells, self.cols
        borders = {
            "top": range(cols),
            "right": range(cols - 1, cells, cols),
            "bottom": range(cells - cols, cells),
            "left": range(0, cells, cols),
        }
        places = [
            (side, index, 4 * cell + (out + 2) % 4)
            for out, (side, border) in enumerate(borders.items())
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
        where = f"{self.rows} x {self.cols}"
        raise OptionError(f"{text!r} is no entry of {where}; write top1, right2, ...")

    def name(self, node: int) -> str:
        """Return the printed name of a node: ``(row, col) heading`` or the entry."""
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
        """Return the next nodes of a walker in a cell, in the order S, R, U, L.

        The list is empty where the walker is lost or has arrived.
        """
        cell, heading = divmod(node, 4)
        row, col = divmod(cell, self.cols)
        found = []
        for turn in _TURNS.get(self.letter(cell), ()):
            ahead = (heading + turn) % 4
            r, c = row + STEPS[ahead][0], col + STEPS[ahead][1]
            if 0 <= r < self.rows and 0 <= c < self.cols:
                found.append(4 * (r * self.cols + c) + ahead)
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"Maze.parse({'/'.join(self.lines)!r})"


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
    if len(goals) > 1:
        raise GridFileError(file, *goals[1], "a second goal")
