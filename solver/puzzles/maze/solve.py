"""Fewest moves from every entry to the goal, by one search backward from the goal.

A node has one successor, or up to four on a ``?``, and as few predecessors: whoever
enters a cell with a heading came from the cell behind, whose letter says with which
headings. One breadth-first search from the four nodes of the goal therefore gives the
fewest moves of every node and every entry, in time and memory linear in the cells.
Coming back to a cell with another heading is another node, so it is allowed; coming
back with the same heading never helps.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.errors import WitnessError
from solver.jit import njit
from solver.puzzles.maze.board import ANY, GOAL, HEADINGS, LOST, Entry, Maze


def counted(moves: int) -> str:
    """Return a number of moves as people say it.

    >>> counted(1), counted(34)
    ('1 move', '34 moves')
    """
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
    """What one search says of a maze.

    `steps`, (maze.nodes,) and read-only, are the moves still to make from each node, 0
    on the goal, -1 where it cannot be reached.
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

        If left out, the entry is the first of those with the fewest. Among equals it
        takes the first heading in the order S, R, U, L of the turn. The route is
        checked move by move before it is handed out.
        """
        if entry is None and (fewest := self.fewest) is not None:
            entry = self.maze.entries[self.moves.index(fewest)]
        if entry is None or (left := int(self.steps[entry.node])) < 0:
            return None
        nodes = [entry.inside]
        for rest in range(left - 2, -1, -1):
            ahead = self.maze.moves(nodes[-1])
            nodes.append(next(node for node in ahead if self.steps[node] == rest))
        route = Route(entry, tuple(nodes))
        check_route(self.maze, route)
        return route

    def headline(self, entry: Entry | None = None) -> str:
        """Return in a line what `route` finds."""
        if route := self.route(entry):
            return f"{counted(len(route.nodes))}: {route.entry}"
        away = "the goal cannot be reached"
        return away if entry is None else f"{entry}: {away} from here"


@njit
def _search(
    codes: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    steps: npt.NDArray[np.int32],
    queue: npt.NDArray[np.int32],
    fewest: npt.NDArray[np.int32],
    whole: bool,
) -> None:
    """Kernel of `solve` and `fewest_moves`: searches one board after the other.

    `codes` are (mazes, cells); `steps` and `queue` have room for the nodes of a board
    but its entries. Unless `whole`, the search of a board ends at the first entry, and
    `fewest` gets its moves, or -1 without a way.
    """
    for board in range(codes.shape[0]):
        letters, goal = codes[board], 0
        while letters[goal] != GOAL:
            goal += 1
        steps[:] = -1
        for heading in range(4):
            steps[4 * goal + heading] = 0
            queue[heading] = 4 * goal + heading
        head, tail = 0, 4
        fewest[board] = -1
        while head < tail:
            node = queue[head]
            head += 1
            cell, heading = node >> 2, node & 3
            row, col = cell // cols, cell % cols
            if heading % 2:
                col += heading - 2
            else:
                row += 1 - heading
            if row < 0 or row >= rows or col < 0 or col >= cols:  # came from outside
                if whole:
                    continue
                fewest[board] = steps[node] + 1
                break
            behind = row * cols + col
            code = letters[behind]
            if code < LOST or code == ANY:
                for turned in range(1 if code < LOST else 4):
                    before = 4 * behind + ((heading - code + turned) & 3)
                    if steps[before] < 0:
                        steps[before] = steps[node] + 1
                        queue[tail] = before
                        tail += 1


def solve(maze: Maze) -> Solution:
    """Find the fewest moves from every node; linear in the cells.

    >>> found = solve(Maze.parse("XRX/XGX/?LX"))
    >>> found.headline(), found.route().compass
    ('3 moves: bottom, column 1', 'NEN')
    """
    inner = np.empty(4 * maze.cells, dtype=np.int32)
    boards = maze.codes.reshape(1, -1)
    queue, fewest = np.empty_like(inner), np.empty(1, dtype=np.int32)
    _search(boards, maze.rows, maze.cols, inner, queue, fewest, True)
    left = inner[[entry.inside for entry in maze.entries]]
    steps = np.concatenate([inner, np.where(left < 0, -1, left + 1)], dtype=np.int32)
    steps.setflags(write=False)
    return Solution(maze, steps)


def check_route(maze: Maze, route: Route) -> None:
    """Raise `WitnessError` unless every move of the route obeys the letters.

    It walks by rows and columns on its own and shares nothing with the search.
    """
    last = route.entry.index - 1
    row, col, allowed = {
        "top": (-1, last, "S"),
        "right": (last, maze.cols, "W"),
        "bottom": (maze.rows, last, "N"),
        "left": (last, -1, "E"),
    }[route.entry.side]
    letter = "outside"
    for move, node in enumerate(route.nodes, start=1):
        cell, compass = node // 4, HEADINGS[node % 4]
        row += (compass == "S") - (compass == "N")
        col += (compass == "E") - (compass == "W")
        inside = 0 <= row < maze.rows and 0 <= col < maze.cols
        if compass not in allowed or not inside or cell != row * maze.cols + col:
            why = f"no move leads {compass} from {letter} into cell {cell}"
            raise WitnessError(f"move {move}: {why}")
        letter = maze.lines[row][col]
        ahead = HEADINGS[node % 4 :] + HEADINGS[: node % 4]
        ways = dict(zip("SRUL", ahead, strict=True)) | {"?": HEADINGS}
        allowed = ways.get(letter, "")
    if letter != "G":
        raise WitnessError("the route does not end on the goal")


def check_steps(maze: Maze, steps: npt.NDArray[np.int32]) -> None:
    """Raise `WitnessError` unless `steps` are the moves still to make from each node.

    The goal needs none; every other node one more than the best that a move leads to,
    and where none leads on there is no way. Only the true numbers are so: no way falls
    faster, and one falls so fast. Shares nothing with the search.
    """
    after = {entry.node: [entry.inside] for entry in maze.entries}
    for node in range(maze.nodes):
        ahead = [int(steps[to]) for to in after.get(node) or maze.moves(node)]
        least = 1 + min((one for one in ahead if one >= 0), default=-2)
        if steps[node] != (0 if node // 4 == maze.goal else least):
            why = f"{steps[node]} moves to go, not {least}"
            raise WitnessError(f"{maze.name(node)}: {why}")


def fewest_moves(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Find the fewest moves of many mazes of one shape; -1 without a way to the goal.

    `codes`, (mazes, rows, cols), are the places of letters in `LETTERS`. About 1.5
    microseconds for an 8 x 8 maze: the search ends at the first entry.

    Each maze has one goal.
    """
    mazes, rows, cols = codes.shape
    flat = np.ascontiguousarray(codes, dtype=np.uint8).reshape(mazes, rows * cols)
    fewest = np.empty(mazes, dtype=np.int32)
    steps = np.empty(4 * rows * cols, dtype=np.int32)
    _search(flat, rows, cols, steps, np.empty_like(steps), fewest, False)
    return fewest
