"""The board and the picture of the page on mazes; `test_examples` runs the rest."""

import tomllib
from pathlib import Path

from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.solve import solve
from solver.puzzles.maze.svg import draw

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "explanation" / "maze.md").read_text("utf-8")
CASE = tomllib.loads((ROOT / "corpus/maze/riddler-2019-02-01.toml").read_text("utf-8"))


def test_board_of_the_page() -> None:
    assert f'```text title="riddler.txt"\n{CASE["board"]}```' in TEXT


def test_pictures_of_the_page() -> None:
    found = solve(Maze.parse(CASE["board"]))
    assert (ROOT / "docs" / "img" / "maze.svg").read_text("utf-8") == draw(found)
