"""Mazes, and checks of their solutions that share nothing with the search."""

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from solver.puzzles.maze import HEADINGS, Maze, Route

COMPASS = "NESW"
MOVE = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
NEXT = {  # letter -> present heading -> next headings
    "S": {"N": "N", "E": "E", "S": "S", "W": "W"},
    "R": {"N": "E", "E": "S", "S": "W", "W": "N"},
    "L": {"N": "W", "E": "N", "S": "E", "W": "S"},
    "U": {"N": "S", "E": "W", "S": "N", "W": "E"},
    "?": dict.fromkeys(COMPASS, COMPASS),
    "X": dict.fromkeys(COMPASS, ""),
}

Place = tuple[int, int, str]


def entries(rows: int, cols: int) -> dict[str, Place]:
    """Name and first place (row, col, heading) of every entry, from 0."""
    places = {}
    for col in range(cols):
        places[f"top, column {col + 1}"] = (0, col, "S")
        places[f"bottom, column {col + 1}"] = (rows - 1, col, "N")
    for row in range(rows):
        places[f"left, row {row + 1}"] = (row, 0, "E")
        places[f"right, row {row + 1}"] = (row, cols - 1, "W")
    return places


@st.composite
def mazes(draw: st.DrawFn, most: int = 6) -> Maze:
    """Valid mazes; they shrink towards few cells and straight letters."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    goal = draw(st.integers(0, rows * cols - 1))
    text = draw(st.text("SRLUX?", min_size=rows * cols, max_size=rows * cols))
    text = text[:goal] + "G" + text[goal + 1 :]
    return Maze(tuple(text[r * cols : (r + 1) * cols] for r in range(rows)))


def check_route(maze: Maze, route: Route) -> None:
    """Walk a route by rows and columns; every move obeys the letters."""
    row, col, heading = entries(maze.rows, maze.cols)[str(route.entry)]
    for node, after in zip(route.nodes, (*route.nodes[1:], None), strict=True):
        assert divmod(node, 4) == (row * maze.cols + col, HEADINGS.index(heading))
        if after is not None:
            ahead = HEADINGS[after % 4]
            assert ahead in NEXT[maze.lines[row][col]][heading]
            row, col, heading = row + MOVE[ahead][0], col + MOVE[ahead][1], ahead
    assert maze.lines[row][col] == "G"


def check_steps(maze: Maze, steps: npt.NDArray[np.int32]) -> None:
    """Check that `steps` are the fewest moves from each node, -1 for no way.

    The goal needs none. Every other node needs one more than the best node that a move
    leads to. Only the true numbers satisfy this: no way falls faster than by one a
    move, and one way falls so fast.
    """
    after = {entry.node: [entry.inside] for entry in maze.entries}
    assert len(steps) == 4 * maze.cells + len(maze.entries)
    for node in range(len(steps)):
        ahead = [int(steps[to]) for to in after.get(node) or maze.moves(node)]
        least = 1 + min((left for left in ahead if left >= 0), default=-2)
        assert steps[node] == (0 if node // 4 == maze.goal else least), maze.name(node)
