"""The maze done slowly and plainly, sharing no code with `solver.puzzles.maze`."""

from collections import deque

import numpy as np
from hypothesis import strategies as st

from solver.puzzles.maze.board import Maze

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
    found = {}
    for col in range(cols):
        found[f"top, column {col + 1}"] = (0, col, "S")
        found[f"bottom, column {col + 1}"] = (rows - 1, col, "N")
    for row in range(rows):
        found[f"left, row {row + 1}"] = (row, 0, "E")
        found[f"right, row {row + 1}"] = (row, cols - 1, "W")
    return found


def fewest(lines: tuple[str, ...], first: Place) -> int | None:
    """Search forward from one entry; None if the goal is out of reach."""
    queue, seen = deque([(first, 1)]), {first}
    while queue:
        (row, col, heading), moves = queue.popleft()
        if lines[row][col] == "G":
            return moves
        for ahead in NEXT[lines[row][col]][heading]:
            r, c = row + MOVE[ahead][0], col + MOVE[ahead][1]
            inside = 0 <= r < len(lines) and 0 <= c < len(lines[0])
            if inside and (r, c, ahead) not in seen:
                seen.add((r, c, ahead))
                queue.append(((r, c, ahead), moves + 1))
    return None


def all_moves(lines: tuple[str, ...]) -> dict[str, int]:
    """Fewest moves of every workable entry, by name."""
    found = {}
    for name, first in entries(len(lines), len(lines[0])).items():
        moves = fewest(lines, first)
        if moves is not None:
            found[name] = moves
    return found


def random_maze(rng: np.random.Generator, most: int, letters: str) -> Maze:
    """A maze of at most `most` rows and columns, letters equally likely."""
    rows, cols = (int(side) for side in rng.integers(1, most + 1, size=2))
    cells = [letters[at] for at in rng.integers(len(letters), size=rows * cols)]
    cells[rng.integers(rows * cols)] = "G"
    text = "".join(cells)
    return Maze(tuple(text[r * cols : (r + 1) * cols] for r in range(rows)))


@st.composite
def mazes(draw: st.DrawFn, most: int = 6) -> Maze:
    """Valid mazes; they shrink towards few cells and straight letters."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    goal = draw(st.integers(0, rows * cols - 1))
    text = draw(st.text("SRLUX?", min_size=rows * cols, max_size=rows * cols))
    text = text[:goal] + "G" + text[goal + 1 :]
    return Maze(tuple(text[r * cols : (r + 1) * cols] for r in range(rows)))
