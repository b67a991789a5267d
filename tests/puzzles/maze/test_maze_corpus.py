"""Replay the saved mazes: search, oracle and naive double must give the answer."""

import tomllib
from pathlib import Path

import pytest

from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.sat import MazeSat
from solver.puzzles.maze.solve import solve
from tests.puzzles.maze import naive_maze

CASES = sorted((Path(__file__).parents[3] / "corpus" / "maze").glob("*.toml"))


def test_there_are_cases() -> None:
    assert len(CASES) >= 7


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case = tomllib.loads(path.read_text())
    assert path.read_text().startswith("#"), "the file says why it exists"
    assert set(case) <= {"source", "board", "compass", "moves"}
    assert case["source"]
    maze = Maze.parse(case["board"])
    found = solve(maze)
    moves = {
        str(entry): count
        for entry, count in zip(maze.entries, found.moves, strict=True)
        if count is not None
    }
    assert moves == case["moves"]
    assert naive_maze.all_moves(maze.lines) == case["moves"]
    routes = [route for route in MazeSat(maze).routes() if route]
    assert {str(one.entry): len(one.cells) for one in routes} == moves
    if not moves:
        assert found.best is None
        return
    assert found.best is not None
    route = min(routes, key=lambda one: len(one.cells))
    assert len(route.cells) == found.fewest == min(moves.values())
    if "compass" in case:
        assert found.best.compass == route.compass == case["compass"]
