"""The maze's board and search: checked steps, SAT oracle and search agree."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from solver.errors import GridFileError
from solver.puzzles import maze as module
from solver.puzzles.maze import LETTERS, Maze, draw_maze, solve
from tests.doubles.maze_sat import sat_moves
from tests.puzzles import naive_maze
from tests.puzzles.naive_maze import check_route, check_steps
from tests.puzzles.samples import RIDDLER, ROOT, cases
from verify.puzzles.maze import to_json


def agree(maze: Maze) -> dict[str, int]:
    """Return the moves of workable entries, on which all must agree."""
    solution = solve(maze)
    check_steps(maze, solution.steps)
    routes = [solution.route(entry) for entry in maze.entries]
    for route in filter(None, routes):
        check_route(maze, route)
    moves = {str(r.entry): len(r.nodes) for r in routes if r}
    assert moves == sat_moves(maze)
    assert solution.moves == [moves.get(str(entry)) for entry in maze.entries]
    assert solution.fewest == min(moves.values(), default=None)
    return moves


@given(naive_maze.mazes())
@example(Maze.parse("GX/R?"))
@example(Maze.parse("UX/LG"))
@settings(deadline=None, max_examples=80)
def test_oracle_and_search_agree(maze: Maze) -> None:
    agree(maze)


@pytest.mark.parametrize("case", cases("maze"), ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    maze = Maze.parse(case["board"])
    assert agree(maze) == case["moves"]
    if "compass" in case:
        headings = to_json(solve(maze), None)["route"]["headings"]
        assert headings == case["compass"]
    if case["name"] == "riddler-2019-02-01":
        page = (ROOT / "docs" / "explanation" / "maze.md").read_text("utf-8")
        assert f'```text title="riddler.txt"\n{case["board"]}```' in page
        assert maze == Maze.parse(RIDDLER)
        picture = (ROOT / "docs" / "img" / "maze.svg").read_text("utf-8")
        assert picture == draw_maze(solve(maze))


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=25)
def test_text_and_back(maze: Maze) -> None:
    assert eval(repr(maze)) == maze
    assert Maze.parse(str(maze)) == maze
    assert Maze.parse(f"\n\n{str(maze).replace('G', '*')}  \r\n\n") == maze


@pytest.mark.parametrize(
    ("text", "line", "col", "why"),
    [
        (" \n\n", 1, 1, "no letters"),
        ("SLG\nSL\n", 2, 3, "a row of 2 letters, the first has 3"),
        ("SLG\n\nSLS\n", 2, 1, "a row of 0 letters"),
        ("SG\nSLR\n", 2, 3, "a row of 3 letters, the first has 2"),
        ("\nSLS\nSQG\n", 3, 2, "'Q' is none of"),
        (" SG", 1, 1, "' ' is none of"),
        ("SS/LL", 1, 1, "no goal"),
        ("SG\nS*\n", 2, 2, "a second goal"),
        ("SLG/SQL/GGG", 2, 2, "'Q' is none of"),
        ("SG\nS/L\n", 2, 2, "a row of 1 letters, the first has 2"),
    ],
)
def test_bad_text(text: str, line: int, col: int, why: str) -> None:
    with pytest.raises(GridFileError) as caught:
        Maze.parse(text, file="board.txt")
    assert (caught.value.line, caught.value.col) == (line, col)
    assert caught.value.why.startswith(why)
    assert str(caught.value).startswith(f"board.txt, line {line}, column {col}: ")


def test_the_picture_has_a_route_that_begins_at_the_entry_and_keeps_right() -> None:
    solution = solve(Maze.parse("UX/LG"))
    svg = draw_maze(solution, entry=solution.maze.entry("left2"))
    assert "<title>4 moves: left, row 2</title>" in svg
    assert 'points="40,126 78,88 50,88 88,126 112,112"' in svg
    assert 'class="route"' not in draw_maze(solve(Maze.parse("XXX/XGX/XXX")))


KERNEL: Callable[..., None] = module._search
PYTHON: Callable[..., None] = getattr(KERNEL, "py_func", KERNEL)


@pytest.mark.parametrize("kernel", [KERNEL, PYTHON], ids=["compiled", "python"])
def test_kernel_compiled_and_as_python(kernel: Callable[..., None]) -> None:
    codes = np.array([LETTERS.index(letter) for letter in "UXLG"], dtype=np.uint8)
    steps, queue = (np.empty(16, dtype=np.int32) for _ in range(2))
    kernel(codes, 2, 2, 3, steps, queue)
    assert steps[4 * 2 + 1] == 3  # in (2, 1) heading E: U, back, and on to the goal
    assert steps[12:].tolist() == [0, 0, 0, 0]
