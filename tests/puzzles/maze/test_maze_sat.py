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
    """Whether the goal is reached; search and oracle must say the same of it."""
    fewest = solve(maze).fewest
    oracle = MazeSat(maze)
    route = oracle.route()
    assert (route and len(route.cells)) == fewest
    assert (oracle.closed_set() is None) == (fewest is not None)
    return fewest is not None


@given(naive_maze.mazes())
@example(Maze.parse("GX/R?"))
@example(Maze.parse("UX/LG"))
@settings(deadline=None, max_examples=150)
def test_oracle_agrees_with_search(maze: Maze) -> None:
    agree(maze)


@given(naive_maze.mazes(most=4))
@settings(deadline=None, max_examples=40)
def test_oracle_agrees_at_every_entry(maze: Maze) -> None:
    found, oracle = solve(maze), MazeSat(maze)
    routes = oracle.routes()
    for entry, moves, one in zip(maze.entries, found.moves, routes, strict=True):
        route = oracle.route([entry])
        assert (route and len(route.cells)) == (one and len(one.cells)) == moves
        assert one is None or one.entry == entry


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
    for _ in range(1500):
        agree(naive_maze.random_maze(rng, 14, "SSRLLRUX?"))


def test_entries_that_come_once_are_all_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maze = Maze.parse("XXX/XGX/XXX")
    checked: list[Entry] = []
    monkeypatch.setattr(module, "check_closed", lambda m, s, e: checked.extend(e))
    assert MazeSat(maze).closed_set(entry for entry in maze.entries[:3])
    assert checked == list(maze.entries[:3])


def test_a_wrong_set_is_caught() -> None:
    maze = Maze.parse("XXX/XGX/XXX")
    members = MazeSat(maze).closed_set()
    assert members is not None
    check_closed(maze, members)
    with pytest.raises(WitnessError, match="lacks the entry top, column 1"):
        check_closed(maze, members - {(0, 2)})
    with pytest.raises(WitnessError, match="holds the goal"):
        check_closed(maze, members | {(4, 0)})
    open_maze = Maze.parse("XSX/XGX/XXX")
    with pytest.raises(WitnessError, match=r"from \(1, 2\) leaves the set"):
        check_closed(open_maze, members | {(1, 2)}, [Entry(Side.TOP, 2)])
