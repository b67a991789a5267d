"""Pictures of mazes: whole documents, every entry, one crossing a move."""

from xml.etree import ElementTree

from hypothesis import given, settings

from solver.puzzles.maze import Maze, draw, solve
from tests.puzzles.maze import naive_maze


def classes(svg: str, name: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [part for part in root.iter() if part.get("class") == name]


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=30)
def test_any_maze_can_be_drawn(maze: Maze) -> None:
    solution = solve(maze)
    svg = draw(solution)
    assert len(classes(svg, "entry")) == len(maze.entries)
    assert len(classes(svg, "letter")) == maze.cells
    lengths = [len(line.get("points", "").split()) for line in classes(svg, "route")]
    assert lengths == ([solution.fewest + 1] if solution.fewest else [])
    hopeless = [one for one in classes(svg, "entry") if one.get("stroke") == "#d0d0d0"]
    assert len(hopeless) == solution.moves.count(None)
    assert "nan" not in svg


def test_the_route_begins_at_the_chosen_entry_and_keeps_right() -> None:
    solution = solve(Maze.parse("UX/LG"))
    svg = draw(solution, entry=solution.maze.entry("left2"))
    assert "<title>4 moves: left, row 2</title>" in svg
    (route,) = classes(svg, "route")
    assert route.get("points") == "40,126 78,88 50,88 88,126 112,112"
