"""The maze: a board of letters, its entries, and the moves that the letters allow.

A walker enters through a side of a border cell, moving inward. The letter of the cell
just entered turns the walker: S straight on, R right, L left, U back, ? any of the
four. On X and off the board the walker is lost. Entering is move 1.

Headings are 0 to 3 in the order of `solver.board.STEPS`, printed as N, E, S, W. A cell
with a heading is a *node*, ``4 * cell + heading``. The entries are the nodes after
those, in the order of `Maze.entries`. A move leads from node to node.

The puzzle is the Riddler Express of 1 February 2019, by Tom Hanrahan
(fivethirtyeight.com/features/can-you-escape-a-maze-without-walls).

A walker who enters a cell came from the cell behind it, and the letter there allows one
previous heading, or four on a ``?``. So one breadth-first search backward from the goal
finds the fewest moves of every node and entry, in linear time and memory.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.board import MAX_CELLS, STEPS, Cell
from solver.errors import GridFileError, OptionError, UnknownNameError
from solver.jit import njit
from solver.svg import document, text_path

HEADINGS = "NESW"
LETTERS = "SRULX?G"  # the first four by their quarter turns to the right
_TURNS = {"S": (0,), "R": (1,), "U": (2,), "L": (3,), "?": (0, 1, 2, 3)}
_CODES = bytes.maketrans(LETTERS.encode(), bytes(range(len(LETTERS))))
_ONE_WAY = 4  # letters with smaller codes turn by as many quarters
_ANY = LETTERS.index("?")


@dataclass(frozen=True, slots=True)
class Entry:
    """A way into the maze, from `node` outside to the node `inside`."""

    side: str
    index: int  # the column, or on the left and right the row, from 1
    inside: int
    node: int

    def __str__(self) -> str:
        line = "row" if self.inside % 2 else "column"
        return f"{self.side}, {line} {self.index}"


@dataclass(frozen=True, slots=True)
class Maze:
    """A board of letters with one goal ``G``; `parse` checks them.

    >>> maze = Maze.parse("SL/RG")
    >>> maze.rows, maze.cols, maze.goal, len(maze.entries)
    (2, 2, 3, 8)
    >>> print(maze.entries[0], maze.moves(maze.entries[0].inside))
    top, column 1 [10]
    """

    lines: tuple[str, ...]  # its rows

    @classmethod
    def parse(cls, text: str, *, file: str = "maze") -> "Maze":
        """Parse rows of letters, separated by line ends or ``/``; ``*`` is a goal too.

        Blanks at the ends of rows and blank lines around the board are ignored.

        Raises `GridFileError` if there is no cell, the rows differ in length, a letter
        is unknown, or there is not exactly one goal. It calls the text `file`.
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
    def entries(self) -> tuple[Entry, ...]:
        """The entries: top, right, bottom, left, each by column or row."""
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
        return tuple(Entry(*p, node) for node, p in enumerate(places, 4 * cells))

    def entry(self, text: str) -> Entry:
        """Return the entry called ``top4``.

        Raises `UnknownNameError` if the maze has none of that name.
        """
        named = {f"{entry.side}{entry.index}": entry for entry in self.entries}
        if text not in named:
            raise UnknownNameError("entry", text, [*named], "write top1, right2, ...")
        return named[text]

    def name(self, node: int) -> str:
        """Return the printed name of a node: ``(row, col) heading`` or the entry."""
        if node >= 4 * self.cells:
            return str(self.entries[node - 4 * self.cells])
        row, col = self.row_col(node // 4)
        return f"({row}, {col}) {HEADINGS[node % 4]}"

    def row_col(self, cell: Cell) -> tuple[int, int]:
        """Return (row, col) from 1, as people see the cell."""
        return cell // self.cols + 1, cell % self.cols + 1

    def moves(self, node: int) -> list[int]:
        """Return the next nodes of a walker in a cell, in the order S, R, U, L.

        The list is empty where the walker is lost or has arrived.
        """
        cell, heading = divmod(node, 4)
        row, col = divmod(cell, self.cols)
        nodes = []
        for turn in _TURNS.get(self.lines[row][col], ()):
            ahead = (heading + turn) % 4
            r, c = row + STEPS[ahead][0], col + STEPS[ahead][1]
            if 0 <= r < self.rows and 0 <= c < self.cols:
                nodes.append(4 * (r * self.cols + c) + ahead)
        return nodes

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
        if unknown := re.search(r"[^SRULX?G]", line):
            why = f"{unknown.group()!r} is none of S, L, R, U, X, ?, G and *"
            raise GridFileError(file, number, unknown.start() + 1, why)
        if len(line) != cols:
            why = f"a row of {len(line)} letters, the first has {cols}"
            raise GridFileError(file, number, min(len(line), cols) + 1, why)
        goals += [(number, match.end()) for match in re.finditer("G", line)]
    if not goals:
        raise GridFileError(file, first, 1, "no goal; one letter must be G or *")
    if len(goals) > 1:
        raise GridFileError(file, *goals[1], "a second goal")


@dataclass(frozen=True, slots=True)
class Route:
    """A way from an entry to the goal: the node after each move."""

    entry: Entry
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The answer for a maze."""

    maze: Maze
    steps: npt.NDArray[np.int32]  # the fewest moves from each node, -1 without a way

    @property
    def moves(self) -> list[int | None]:
        """The fewest moves from each of `Maze.entries`, None without a way."""
        steps = self.steps[4 * self.maze.cells :].tolist()
        return [None if count < 0 else count for count in steps]

    @property
    def fewest(self) -> int | None:
        """The fewest moves over all entries."""
        return min((count for count in self.moves if count is not None), default=None)

    def route(self, entry: Entry | None = None) -> Route | None:
        """Return a route of fewest moves from an entry, or None without a way.

        The default entry is the first with the fewest moves. At a choice the route
        takes the first turn in the order S, R, U, L.
        """
        if entry is None and (fewest := self.fewest) is not None:
            entry = self.maze.entries[self.moves.index(fewest)]
        if entry is None or (left := int(self.steps[entry.node])) < 0:
            return None
        nodes = [entry.inside]
        for rest in range(left - 2, -1, -1):
            ahead = self.maze.moves(nodes[-1])
            nodes.append(next(node for node in ahead if self.steps[node] == rest))
        return Route(entry, tuple(nodes))

    def headline(self, entry: Entry | None = None) -> str:
        """Return the result of `route` as one line."""
        if route := self.route(entry):
            moves = "1 move" if len(route.nodes) == 1 else f"{len(route.nodes)} moves"
            return f"{moves}: {route.entry}"
        away = "the goal cannot be reached"
        return away if entry is None else f"{entry}: {away} from here"


@njit
def _search(
    codes: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    goal: int,
    steps: npt.NDArray[np.int32],
    queue: npt.NDArray[np.int32],
) -> None:
    """Kernel of `solve`; `steps` and `queue` have one place for each node in a cell."""
    steps[:] = -1
    for heading in range(4):
        steps[4 * goal + heading] = 0
        queue[heading] = 4 * goal + heading
    head, tail = 0, 4
    while head < tail:
        node = queue[head]
        head += 1
        cell, heading = node >> 2, node & 3
        row, col = cell // cols, cell % cols
        if heading % 2:
            col += heading - 2
        else:
            row += 1 - heading
        if row < 0 or row >= rows or col < 0 or col >= cols:  # an entry
            continue
        behind = row * cols + col
        code = codes[behind]
        if code < _ONE_WAY or code == _ANY:
            for turned in range(1 if code < _ONE_WAY else 4):
                before = 4 * behind + ((heading - code + turned) & 3)
                if steps[before] < 0:
                    steps[before] = steps[node] + 1
                    queue[tail] = before
                    tail += 1


def solve(maze: Maze) -> Solution:
    """Return the fewest moves from every node.

    >>> solution = solve(Maze.parse("XRX/XGX/?LX"))
    >>> solution.headline(), solution.moves[6:8]
    ('3 moves: bottom, column 1', [3, 4])
    """
    text = "".join(maze.lines).encode().translate(_CODES)
    codes = np.frombuffer(bytearray(text), dtype=np.uint8)
    inner = np.empty(4 * maze.cells, dtype=np.int32)
    _search(codes, maze.rows, maze.cols, maze.goal, inner, np.empty_like(inner))
    left = inner[[entry.inside for entry in maze.entries]]
    steps = np.concatenate([inner, np.where(left < 0, -1, left + 1)], dtype=np.int32)
    return Solution(maze, steps)


_CELL, _MARGIN = 48, 40  # side of a cell and margin in SVG units
_LANE = 14.0  # distance of the route from the middle of the sides that it crosses
_MOST = 10_000  # cells in a picture
_AHEAD = (-1j, 1, 1j, -1)  # by heading: a point is x + y j
_FILLS = {"X": "#3a3a3a", "G": "#ffe08a", "?": "#e3f1ff"}


def heat_colour(moves: int | None, fewest: int, most: int) -> str:
    """Return green for the fewest moves, red for the most, grey for None.

    >>> heat_colour(34, 34, 45), heat_colour(45, 34, 45), heat_colour(None, 34, 45)
    ('#2c9f45', '#d62728', '#d0d0d0')
    """
    if moves is None:
        return "#d0d0d0"
    share = 2 * (moves - fewest) / max(1, most - fewest)
    green, yellow, red = (44, 159, 69), (233, 185, 47), (214, 39, 40)
    low, high, at = (green, yellow, share) if share < 1 else (yellow, red, share - 1)
    mixed = (round(a + (b - a) * at) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _centre(maze: Maze, cell: int) -> complex:
    row, col = divmod(cell, maze.cols)
    return complex(_MARGIN + (col + 0.5) * _CELL, _MARGIN + (row + 0.5) * _CELL)


def _text(kind: str, text: str, point: complex, height: float, pen: str) -> str:
    strokes = text_path(text, point.real, point.imag, height)
    style = 'fill="none" stroke-width="2" stroke-linecap="round"'
    return f'<path class="{kind}" d="{strokes}" stroke="{pen}" {style}/>'


def _route(maze: Maze, route: Route) -> str:
    """Draw the route as one line that keeps to the right of its heading.

    A shortest route never crosses a side of a cell twice with one heading, so no two
    crossings lie on each other.
    """
    points = []
    for cell, heading in (divmod(node, 4) for node in route.nodes):
        border = _centre(maze, cell) - _CELL / 2 * _AHEAD[heading]
        points.append(border + _LANE * _AHEAD[heading - 3])
    points.append(_centre(maze, route.nodes[-1] // 4))
    line = " ".join(f"{point.real:g},{point.imag:g}" for point in points)
    style = 'fill="none" stroke="#c0392b" stroke-width="3" stroke-linejoin="round"'
    return f'<polyline class="route" points="{line}" {style}/>'


def draw_maze(solution: Solution, *, entry: Entry | None = None) -> str:
    """Draw a solved maze as an SVG document, with the `Solution.route` of an entry.

    Raises `OptionError` if the maze has more than 10,000 cells.
    """
    maze = solution.maze
    if maze.cells > _MOST:
        raise OptionError(f"a picture of {maze.cells} cells, more than {_MOST}")
    parts = []
    for cell, letter in enumerate("".join(maze.lines)):
        middle = _centre(maze, cell)
        corner = middle - complex(_CELL / 2, _CELL / 2)
        parts.append(
            f'<path d="M{corner.real:g} {corner.imag:g}h{_CELL}v{_CELL}h-{_CELL}z" '
            f'stroke="#c4c4c4" fill="{_FILLS.get(letter, "#ffffff")}"/>'
        )
        pen = "#ffffff" if letter == "X" else "#222222"
        parts[-1] += _text("letter", letter, middle, 15, pen)
    counts = [count for count in solution.moves if count is not None]
    for way, moves in zip(maze.entries, solution.moves, strict=True):
        cell, heading = divmod(way.inside, 4)
        outside = _centre(maze, cell) - (_CELL / 2 + 18) * _AHEAD[heading]
        pen = heat_colour(moves, min(counts, default=0), max(counts, default=0))
        parts.append(_text("entry", str(moves or "-"), outside, 10, pen))
    if route := solution.route(entry):
        parts.append(_route(maze, route))
    width, height = 2 * _MARGIN + maze.cols * _CELL, 2 * _MARGIN + maze.rows * _CELL
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return document(width, height, solution.headline(entry), [ground, *parts])
