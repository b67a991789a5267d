"""Pictures of mazes: whole documents, every entry, one crossing a move."""

from xml.etree import ElementTree

from hypothesis import given, settings

from solver.puzzles.maze.board import Maze
from solver.puzzles.maze.solve import solve
from solver.puzzles.maze.svg import colour, draw
from solver.svg import png
from tests.puzzles.maze import naive_maze


def classes(svg: str, name: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [part for part in root.iter() if part.get("class") == name]


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=60)
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


def test_a_hopeless_entry_gets_no_route_of_another() -> None:
    solution = solve(Maze.parse("UX/LG"))
    svg = draw(solution, entry=solution.maze.entry("top1"))
    assert classes(svg, "route") == []
    assert "<title>top, column 1: the goal cannot be reached from here</title>" in svg


def test_nearer_is_greener() -> None:
    greens = [int(colour(moves, 10, 20)[3:5], 16) for moves in (15, 18, 20)]
    assert greens == sorted(greens, reverse=True)
    reds = [int(colour(moves, 10, 20)[1:3], 16) for moves in (10, 13, 15)]
    assert reds == sorted(reds)
    assert colour(5, 5, 5) == colour(10, 10, 20)


def test_png() -> None:
    assert len(png(draw(solve(Maze.parse("XRX/XGX/?LX"))))) > 1000
