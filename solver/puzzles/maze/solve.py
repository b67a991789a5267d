"""Fewest moves from every entry to the goal, by one search backward from the goal.

A node has one successor, or up to four on a ``?``, and as few predecessors: whoever
enters a cell with a heading came from the cell behind, whose letter says with which
headings. One breadth-first search from the four nodes of the goal therefore gives the
fewest moves of every node and every entry, in time and memory linear in the cells.
Coming back to a cell with another heading is another node, so it is allowed; coming
back with the same heading never helps.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from solver.board import Cell
from solver.errors import OptionError, WitnessError
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
    """A way from an entry to the goal: a cell and a heading, 0 to 3, for each move."""

    entry: Entry
    cells: tuple[Cell, ...]
    headings: tuple[int, ...]

    @property
    def compass(self) -> str:
        """The headings as letters of N, E, S, W."""
        return "".join(HEADINGS[heading] for heading in self.headings)


@dataclass(frozen=True, slots=True)
class Solution:
    """What one search says of a maze.

    `moves` are the fewest from each of `Maze.entries`, None where the goal cannot be
    reached; `best` is a route of fewest over all entries, from the first such entry.
    `steps`, (4 * cells,) and read-only, are the moves still to make from each node
    ``4 * cell + heading``, 0 on the goal, -1 where it cannot be reached.
    """

    maze: Maze
    moves: tuple[int | None, ...]
    best: Route | None
    steps: npt.NDArray[np.int32] = field(repr=False, compare=False)

    @property
    def all_steps(self) -> npt.NDArray[np.int32]:
        """The same of all nodes of the network, the entries following."""
        entries = [-1 if moves is None else moves for moves in self.moves]
        return np.concatenate([self.steps, np.array(entries, dtype=np.int32)])

    @property
    def fewest(self) -> int | None:
        """The fewest moves over all entries."""
        return None if self.best is None else len(self.best.cells)

    def route(self, entry: Entry) -> Route | None:
        """Return a route of fewest moves from an entry, or None if there is none.

        Among equals it takes the first heading in the order S, R, U, L of the turn.

        Raises `OptionError` if the maze has no such entry.
        """
        if entry not in self.maze.entries:
            size = f"{self.maze.rows} x {self.maze.cols}"
            raise OptionError(f"no entry {entry} in a maze of {size}")
        return _route(self.maze, self.steps, entry)


@njit
def _backward(
    codes: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    goal: int,
    steps: npt.NDArray[np.int32],
    queue: npt.NDArray[np.int32],
    whole: bool,
) -> int:
    """Kernel of `solve` and `fewest_moves`: fills `steps`, which must be -1 all over.

    Returns the fewest moves over all entries, or -1; unless `whole`, it stops there.
    """
    for heading in range(4):
        steps[4 * goal + heading] = 0
        queue[heading] = 4 * goal + heading
    head, tail = 0, 4
    fewest = np.int32(-1)
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
            if fewest < 0:
                fewest = np.int32(steps[node] + 1)
                if not whole:
                    break
            continue
        behind = row * cols + col
        code = codes[behind]
        if code < LOST or code == ANY:
            for turned in range(1 if code < LOST else 4):
                before = 4 * behind + ((heading - code + turned) & 3)
                if steps[before] < 0:
                    steps[before] = steps[node] + 1
                    queue[tail] = before
                    tail += 1
    return int(fewest)


def solve(maze: Maze) -> Solution:
    """Find the fewest moves from every entry, and a route from the best.

    Linear in the cells; a route is checked move by move before it is handed out.

    >>> found = solve(Maze.parse("XRX/XGX/?LX"))
    >>> found.fewest, str(found.best.entry), found.best.compass
    (3, 'bottom, column 1', 'NEN')
    """
    steps = np.full(4 * maze.cells, -1, dtype=np.int32)
    queue = np.empty_like(steps)
    _backward(maze.codes, maze.rows, maze.cols, maze.goal, steps, queue, True)
    steps.setflags(write=False)
    entries = maze.entries
    left = [int(steps[4 * maze.entry_cell(e) + e.side.inward]) for e in entries]
    moves = tuple(None if more < 0 else more + 1 for more in left)
    reached = [(count, at) for at, count in enumerate(moves) if count is not None]
    best = _route(maze, steps, entries[min(reached)[1]]) if reached else None
    return Solution(maze, moves, best, steps)


def _route(maze: Maze, steps: npt.NDArray[np.int32], entry: Entry) -> Route | None:
    cell, heading = maze.entry_cell(entry), entry.side.inward
    left = int(steps[4 * cell + heading])
    if left < 0:
        return None
    cells, headings = [cell], [heading]
    for rest in range(left - 1, -1, -1):
        cell, heading = next(
            (there, ahead)
            for there, ahead in maze.moves(cell, heading)
            if steps[4 * there + ahead] == rest
        )
        cells.append(cell)
        headings.append(heading)
    route = Route(entry, tuple(cells), tuple(headings))
    check_route(maze, route)
    return route


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
    }[route.entry.side.value]
    letter = ""
    for move, (cell, compass) in enumerate(
        zip(route.cells, route.compass, strict=True), start=1
    ):
        row += {"N": -1, "S": 1}.get(compass, 0)
        col += {"W": -1, "E": 1}.get(compass, 0)
        inside = 0 <= row < maze.rows and 0 <= col < maze.cols
        if compass not in allowed or not inside or cell != row * maze.cols + col:
            before = letter or "outside"
            why = f"no move leads {compass} from {before} into cell {cell}"
            raise WitnessError(f"move {move}: {why}")
        letter = maze.lines[row][col]
        turned = HEADINGS[HEADINGS.index(compass) :] + HEADINGS
        ways = {"S": turned[0], "R": turned[1], "U": turned[2], "L": turned[3]}
        allowed = (ways | {"?": HEADINGS}).get(letter, "")
    if letter != "G":
        raise WitnessError("the route does not end on the goal")


def check_steps(maze: Maze, steps: npt.NDArray[np.int32]) -> None:
    """Raise `WitnessError` unless `steps` are the moves still to make from each node.

    The goal needs none; every other node one more than the best that a move leads to,
    and where none leads on there is no way. Only the true numbers are so: no way falls
    faster, and one falls so fast. Shares nothing with the search.
    """
    for node in range(4 * maze.cells):
        cell, heading = node >> 2, node & 3
        after = [int(steps[4 * to + ahead]) for to, ahead in maze.moves(cell, heading)]
        least = 1 + min((one for one in after if one >= 0), default=-2)
        if steps[node] != (0 if cell == maze.goal else least):
            where = f"{maze.row_col(cell)} {HEADINGS[heading]}"
            raise WitnessError(f"{where}: {steps[node]} moves to go, not {least}")


@njit
def _fewest_moves(
    codes: npt.NDArray[np.uint8],
    rows: int,
    cols: int,
    steps: npt.NDArray[np.int32],
    queue: npt.NDArray[np.int32],
    fewest: npt.NDArray[np.int32],
) -> None:
    """Kernel of `fewest_moves`: one board after the other, in the same two arrays."""
    cells = rows * cols
    for board in range(codes.shape[0]):
        goal = 0
        while codes[board, goal] != GOAL:
            goal += 1
        for node in range(4 * cells):
            steps[node] = -1
        fewest[board] = _backward(codes[board], rows, cols, goal, steps, queue, False)


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
    _fewest_moves(flat, rows, cols, steps, np.empty_like(steps), fewest)
    return fewest
