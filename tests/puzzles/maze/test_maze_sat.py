"""The SAT oracle of the maze, the search and a naive double agree, also on cases."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings

from solver.errors import WitnessError
from solver.puzzles.maze import sat as module
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import Entry, Side
from solver.puzzles.maze.sat import MazeSat, check_closed
from solver.puzzles.maze.solve import solve
from solver.puzzles.maze.svg import draw
from tests.puzzles.maze import naive_maze
from tests.puzzles.samples import RIDDLER, ROOT, cases


def agree(maze: Maze) -> bool:
    """Whether the goal is reached; search and oracle must agree at each entry."""
    routes, moves = MazeSat(maze).routes(), solve(maze).moves
    for entry, route, found in zip(maze.entries, routes, moves, strict=True):
        assert (route and len(route.cells)) == found
        assert route is None or route.entry == entry
    return any(routes)


@given(naive_maze.mazes())
@example(Maze.parse("GX/R?"))
@example(Maze.parse("UX/LG"))
@settings(deadline=None, max_examples=150)
def test_oracle_agrees_with_search(maze: Maze) -> None:
    agree(maze)


@pytest.mark.no_cover
def test_oracle_agrees_on_a_thousand_boards() -> None:
    rng = np.random.default_rng(18)
    reached = sum(
        agree(naive_maze.random_maze(rng, 7, "SRLUXXXXXX?")) for _ in range(1000)
    )
    assert 600 < reached < 975  # both answers came up often


@pytest.mark.slow
def test_oracle_agrees_on_larger_boards() -> None:
    rng = np.random.default_rng(34)
    for _ in range(150):
        agree(naive_maze.random_maze(rng, 14, "SSRLLRUX?"))


@pytest.mark.parametrize("case", cases("maze"), ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    assert set(case) <= {"name", "why", "source", "board", "compass", "moves"}
    maze = Maze.parse(case["board"])
    found = solve(maze)
    assert agree(maze) == bool(case["moves"])
    moves = zip(maze.entries, found.moves, strict=True)
    assert {str(e): n for e, n in moves if n is not None} == case["moves"]
    assert naive_maze.all_moves(maze.lines) == case["moves"]
    assert found.fewest == min(case["moves"].values(), default=None)
    if "compass" in case:
        assert found.best is not None
        assert found.best.compass == case["compass"]


def test_board_and_picture_of_the_page() -> None:
    (case,) = (one for one in cases("maze") if one["name"] == "riddler-2019-02-01")
    page = (ROOT / "docs" / "explanation" / "maze.md").read_text("utf-8")
    assert f'```text title="riddler.txt"\n{case["board"]}```' in page
    found = solve(Maze.parse(case["board"]))
    assert found == solve(Maze.parse(RIDDLER))
    assert (ROOT / "docs" / "img" / "maze.svg").read_text("utf-8") == draw(found)


def test_every_denial_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = Maze.parse("XXX/XGX/XXX")
    checked: list[Entry] = []
    monkeypatch.setattr(module, "check_closed", lambda m, s, e: checked.append(e))
    assert MazeSat(maze).routes() == (None,) * 12
    assert checked == list(maze.entries)


def test_a_wrong_set_is_caught() -> None:
    maze, entry = Maze.parse("XXX/XGX/XXX"), Entry(Side.TOP, 1)
    members = frozenset({(0, 2)})
    check_closed(maze, members, entry)
    with pytest.raises(WitnessError, match="lacks the entry top, column 2"):
        check_closed(maze, members, Entry(Side.TOP, 2))
    with pytest.raises(WitnessError, match="holds the goal"):
        check_closed(maze, members | {(4, 0)}, entry)
    open_maze = Maze.parse("XSX/XGX/XXX")
    with pytest.raises(WitnessError, match=r"from \(1, 2\) leaves the set"):
        check_closed(open_maze, members | {(1, 2)}, entry)
