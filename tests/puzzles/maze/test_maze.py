"""The maze's board, parser and search."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import GridFileError
from solver.puzzles import maze as module
from solver.puzzles.maze import LETTERS, Maze, solve
from tests.puzzles.maze import naive_maze


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=25)
def test_text_and_back(maze: Maze) -> None:
    assert eval(repr(maze)) == maze
    assert Maze.parse(str(maze)) == maze
    assert Maze.parse(f"\n\n{str(maze).replace('G', '*')}  \r\n\n") == maze
    assert maze.letter(maze.goal) == "G"


@pytest.mark.parametrize(
    ("text", "line", "col", "why"),
    [
        ("", 1, 1, "no letters"),
        (" \n\n", 1, 1, "no letters"),
        ("SLG\nSL\n", 2, 3, "a row of 2 letters, the first has 3"),
        ("SLG\n\nSLS\n", 2, 1, "a row of 0 letters"),
        ("SG\nSLR\n", 2, 3, "a row of 3 letters, the first has 2"),
        ("\nSLS\nSQG\n", 3, 2, "'Q' is none of"),
        ("SlG", 1, 2, "'l' is none of"),
        (" SG", 1, 1, "' ' is none of"),
        ("SS/LL", 1, 1, "no goal"),
        ("SG\nS*\n", 2, 2, "a second goal"),
        ("SLG/SL", 2, 3, "a row of 2 letters, the first has 3"),
        ("SLG/SQL/GGG", 2, 2, "'Q' is none of"),
        ("GG", 1, 2, "a second goal"),
        ("S\u00dfG", 1, 2, "'\u00df' is none of"),
        ("SG\nS/L\n", 2, 2, "a row of 1 letters, the first has 2"),
    ],
)
def test_bad_text(text: str, line: int, col: int, why: str) -> None:
    with pytest.raises(GridFileError) as caught:
        Maze.parse(text, file="board.txt")
    assert (caught.value.line, caught.value.col) == (line, col)
    assert caught.value.why.startswith(why)
    assert str(caught.value).startswith(f"board.txt, line {line}, column {col}: ")


@given(st.text("SLRUX?G*/\n q\u20ac", max_size=30) | st.text(max_size=20))
@settings(deadline=None, max_examples=120)
def test_any_text_is_a_maze_or_a_clear_error(text: str) -> None:
    try:
        maze = Maze.parse(text)
    except GridFileError as error:
        fault = error
    else:
        solve(maze)
        return
    assert fault.line >= 1
    assert fault.col >= 1
    assert "\n" not in str(fault)


KERNEL: Callable[..., None] = module._search
PYTHON: Callable[..., None] = getattr(KERNEL, "py_func", KERNEL)


@pytest.mark.parametrize("kernel", [KERNEL, PYTHON], ids=["compiled", "python"])
def test_kernel_compiled_and_as_python(kernel: Callable[..., None]) -> None:
    codes = np.array([LETTERS.index(letter) for letter in "UXLG"], dtype=np.uint8)
    steps, queue = (np.empty(16, dtype=np.int32) for _ in range(2))
    kernel(codes, 2, 2, 3, steps, queue)
    assert steps[4 * 2 + 1] == 3  # in (2, 1) heading E: U, back, and on to the goal
    assert steps[12:].tolist() == [0, 0, 0, 0]
