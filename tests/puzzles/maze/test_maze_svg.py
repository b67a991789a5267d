"""Pictures of mazes: whole documents, every entry, one curve a move."""

import re
from xml.etree import ElementTree

from hypothesis import given, settings

from solver.puzzles.maze.board import SIDES, Maze
from solver.puzzles.maze.solve import solve
from solver.puzzles.maze.svg import CELL, MARGIN, colour, draw
from solver.svg import png
from tests.puzzles.maze import naive_maze

SVG = "{http://www.w3.org/2000/svg}"


def classes(svg: str, name: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [part for part in root.iter() if part.get("class") == name]


@given(naive_maze.mazes())
@settings(deadline=None, max_examples=60)
def test_any_maze_can_be_drawn(maze: Maze) -> None:
    found = solve(maze)
    svg = draw(found)
    assert len(classes(svg, "entry")) == len(maze.entries)
    assert len(classes(svg, "letter")) == maze.cells - 1
    assert len(classes(svg, "route")) == (found.fewest or 0)
    workable = sum(moves is not None for moves in found.moves)
    assert len(classes(svg, "moves")) == workable
    assert "nan" not in svg


def test_a_chosen_route_and_its_titles() -> None:
    found = solve(Maze.parse("UX/LG"))
    svg = draw(found, entry=found.maze.entry("left2"))
    assert "<title>4 moves: left, row 2</title>" in svg
    titles = [part.findtext(f"{SVG}title") for part in classes(svg, "route")]
    assert titles == [
        "move 1: (2, 1) E",
        "move 2: (1, 1) N",
        "move 3: (2, 1) S",
        "move 4: (2, 2) E",
    ]
    entries = [part.findtext(f"{SVG}title") for part in classes(svg, "entry")]
    assert entries[7] == "left, row 2: 4 moves"
    assert entries[0] == "top, column 1: no way"


def test_a_hopeless_entry_gets_no_route_of_another() -> None:
    found = solve(Maze.parse("UX/LG"))
    none = solve(Maze.parse("XXX/XGX/XXX"))
    for side in SIDES:
        svg = draw(none, entry=none.maze.entry(f"{side}1"))
        (mark,) = classes(svg, "hopeless")  # in strokes too: a PNG has no title
        across = [float(x) for x in re.findall(r"[ML](-?[\d.]+)", mark.get("d", ""))]
        assert 1 < min(across) < max(across) < 3 * CELL + 2 * MARGIN - 1
    svg = draw(found, entry=found.maze.entry("top1"))
    assert classes(svg, "route") == []
    title = "top, column 1: the goal cannot be reached from here"
    assert f"<title>{title}</title>" in svg
    assert classes(draw(found), "hopeless") == []
    assert "<title>the goal cannot be reached</title>" in draw(none)


def test_one_move_is_not_one_moves() -> None:
    svg = draw(solve(Maze.parse("G")))
    assert "<title>1 move: top, column 1</title>" in svg
    assert "<title>left, row 1: 1 move</title>" in svg
    assert "1 moves" not in svg


def test_nearer_is_greener() -> None:
    greens = [int(colour(moves, 10, 20)[3:5], 16) for moves in (15, 18, 20)]
    assert greens == sorted(greens, reverse=True)
    reds = [int(colour(moves, 10, 20)[1:3], 16) for moves in (10, 13, 15)]
    assert reds == sorted(reds)
    assert colour(5, 5, 5) == colour(10, 10, 20)


def test_png() -> None:
    assert len(png(draw(solve(Maze.parse("XRX/XGX/?LX"))))) > 1000
