"""The fewest moves from every entry to the goal.

A walker who enters a cell came from the cell behind it, and the letter there allows one
previous heading, or four on a ``?``. So one breadth-first search backward from the goal
finds the fewest moves of every node and entry, in linear time and memory.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.puzzles.maze.board import HEADINGS, LETTERS, Entry, Maze

_CODES = bytes.maketrans(LETTERS.encode(), bytes(range(len(LETTERS))))
_ONE_WAY = 4  # letters with smaller codes turn by as many quarters
_ANY = LETTERS.index("?")


def counted(moves: int) -> str:
    """Return a number of moves in words."""
    return "1 move" if moves == 1 else f"{moves} moves"


@dataclass(frozen=True, slots=True)
class Route:
    """A way from an entry to the goal: the node after each move."""

    entry: Entry
    nodes: tuple[int, ...]

    @property
    def compass(self) -> str:
        """The headings as letters of N, E, S, W."""
        return "".join(HEADINGS[node % 4] for node in self.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The answer for a maze.

    `steps`, (maze.nodes,), are the fewest moves from each node, -1 if there is no way.
    """

    maze: Maze
    steps: npt.NDArray[np.int32]

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
        """Return a route of fewest moves from an entry, or None if there is none.

        The default entry is the first with the fewest moves. Among equals the route
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
            return f"{counted(len(route.nodes))}: {route.entry}"
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
    >>> solution.headline(), solution.route().compass
    ('3 moves: bottom, column 1', 'NEN')
    """
    text = "".join(maze.lines).encode().translate(_CODES)
    codes = np.frombuffer(bytearray(text), dtype=np.uint8)
    inner = np.empty(4 * maze.cells, dtype=np.int32)
    _search(codes, maze.rows, maze.cols, maze.goal, inner, np.empty_like(inner))
    left = inner[[entry.inside for entry in maze.entries]]
    steps = np.concatenate([inner, np.where(left < 0, -1, left + 1)], dtype=np.int32)
    return Solution(maze, steps)
