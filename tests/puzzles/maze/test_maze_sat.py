"""A SAT oracle, a naive double and the search agree on mazes, also on the cases."""

from typing import Any

import pytest
from hypothesis import example, given, settings

from solver.puzzles.maze import Maze, draw, solve
from tests.doubles.maze_sat import sat_moves
from tests.puzzles.maze import naive_maze
from tests.puzzles.maze.naive_maze import check_route, check_steps
from tests.puzzles.samples import RIDDLER, ROOT, cases


def agree(maze: Maze) -> dict[str, int]:
    """Return the moves of workable entries, on which all three must agree."""
    found = solve(maze)
    check_steps(maze, found.steps)
    routes = [found.route(entry) for entry in maze.entries]
    for route in filter(None, routes):
        check_route(maze, route)
    moves = {str(r.entry): len(r.nodes) for r in routes if r}
    assert moves == naive_maze.all_moves(maze.lines) == sat_moves(maze)
    assert found.moves == [moves.get(str(entry)) for entry in maze.entries]
    assert found.fewest == min(moves.values(), default=None)
    return moves


@given(naive_maze.mazes())
@example(Maze.parse("GX/R?"))
@example(Maze.parse("UX/LG"))
@settings(deadline=None, max_examples=80)
def test_oracle_double_and_search_agree(maze: Maze) -> None:
    agree(maze)


@pytest.mark.parametrize("case", cases("maze"), ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    assert set(case) <= {"name", "why", "source", "board", "compass", "moves"}
    maze = Maze.parse(case["board"])
    assert agree(maze) == case["moves"]
    if "compass" in case:
        best = solve(maze).route()
        assert best is not None
        assert best.compass == case["compass"]


def test_board_and_picture_of_the_page() -> None:
    (case,) = (one for one in cases("maze") if one["name"] == "riddler-2019-02-01")
    page = (ROOT / "docs" / "explanation" / "maze.md").read_text("utf-8")
    assert f'```text title="riddler.txt"\n{case["board"]}```' in page
    maze = Maze.parse(case["board"])
    assert maze == Maze.parse(RIDDLER)
    assert (ROOT / "docs" / "img" / "maze.svg").read_text("utf-8") == draw(solve(maze))
