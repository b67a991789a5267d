"""The SAT oracle of the maze agrees with the search and proves what it denies."""

import numpy as np
import pytest
from hypothesis import example, given, settings

from solver.errors import WitnessError
from solver.puzzles.maze import sat as module
from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.letters import Entry, Side
from solver.puzzles.maze.sat import MazeSat, check_closed
from solver.puzzles.maze.solve import solve
from tests.puzzles.maze import naive_maze


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


def test_routes_of_the_published_board() -> None:
    maze = Maze.parse(
        "LUU?ULXL/RLRLU*UU/SLRLULXR/UR?RSL?R/RUURRRSL/S?SLSSLR/RLR?RL?L/LRSRSLRL"
    )
    routes = [route for route in MazeSat(maze).routes() if route]
    told = {str(route.entry): len(route.cells) for route in routes}
    assert told == {"top, column 4": 34, "right, row 6": 45, "left, row 2": 42}


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
