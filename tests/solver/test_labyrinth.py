"""Labyrinths: the corridor is the walk; sheets to print hold all drawings."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Cell, Position
from solver.errors import OptionError
from solver.labyrinth import doors_of, draw_labyrinth, outside, sheet, walls
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict
from solver.svg import CELL, MARGIN
from tests.runner import run
from verify.strategies import boards


def unit_walls(svg: str) -> set[tuple[int, int, bool]]:
    """Read the strokes of a picture back as sides one cell long."""
    found = set()
    (strokes,) = re.findall(r'class="labyrinth"[^>]* d="([^"]*)"', svg)
    for x, y, way in re.findall(rf"M(\d+) (\d+)([hv]){CELL}", strokes):
        col, row = (int(x) - MARGIN) // CELL, (int(y) - MARGIN) // CELL
        found.add((row, col, way == "v"))
    return found


def corridor(board: Board, shut: set[tuple[int, int, bool]]) -> list[Cell]:
    """Follow the one corridor from the start by sight; fail where it branches."""
    route, before, beyond = [board.start], -1, outside(board)
    while True:
        row, col = divmod(route[-1], board.cols)
        ways = (
            ((row, col, False), row - 1, col),
            ((row, col + 1, True), row, col + 1),
            ((row + 1, col, False), row + 1, col),
            ((row, col, True), row, col - 1),
        )
        on = [
            r * board.cols + c
            for side, r, c in ways
            if side not in shut and 0 <= r < board.rows and 0 <= c < board.cols
        ]
        on = [cell for cell in on if cell != before and cell not in beyond]
        if not on:
            return route
        assert len(on) == 1
        before = route[-1]
        route += on


@settings(deadline=None, max_examples=30)
@given(boards(max_side=8, max_walls=3, corners=False), st.integers(0, 99))
def test_the_corridor_is_the_walk(board: Board, seed: int) -> None:
    found = exact_walk(board, seed)
    if found.verdict is not Verdict.COMPLETABLE or not found.position.complete:
        with pytest.raises(OptionError, match="needs a complete walk"):
            walls(Position(board))
        return
    svg = draw_labyrinth(found.position)
    ElementTree.fromstring(svg)
    shut = unit_walls(svg)
    assert shut == walls(found.position)
    assert tuple(corridor(board, shut)) == found.position.walk


def test_doors_are_at_the_ends_and_nowhere_else() -> None:
    shut = walls(Position.parse("3:RRDLLDRR"))
    rim = {(0, c, False) for c in range(3)} | {(3, c, False) for c in range(3)}
    rim |= {(r, 0, True) for r in range(3)} | {(r, 3, True) for r in range(3)}
    assert rim - shut == {(0, 0, False), (3, 2, False)}


def test_doors_lead_to_walls_that_lie_outside() -> None:
    board = Board.parse("3x4@2,2>2,3!1,1;1,2;1,3;1,4")
    assert outside(board) == {0, 1, 2, 3}
    assert doors_of(board) == {5: 0, 6: 0}
    shut = walls(exact_walk(board, 0).position)
    assert {(1, 1, False), (1, 2, False)} & shut == set()
    assert {(1, 0, False), (1, 3, False)} <= shut
    hole = Board.parse("9!4,4;4,5;5,4;5,5")
    assert outside(hole) == set()
    assert draw_labyrinth(exact_walk(hole, 0).position).count("<rect") == 1 + 4
    assert draw_labyrinth(exact_walk(board, 0).position).count("<rect") == 1


def test_an_end_inside_is_marked_as_no_door_leads_there() -> None:
    inside = exact_walk(Board.parse("5@3,3>1,1"), 1).position
    assert draw_labyrinth(inside).count("<circle") == 1
    assert "<circle" not in draw_labyrinth(Position.parse("3:RRDLLDRR"))


def test_an_unfinished_walk_is_no_labyrinth() -> None:
    with pytest.raises(OptionError, match="leaves 22 of 25 cells"):
        draw_labyrinth(Position.parse("5:RR"))


def test_a_solved_labyrinth_shows_the_walk() -> None:
    walk = Position.parse("3:RRDLLDRR")
    plain, solved = draw_labyrinth(walk), draw_labyrinth(walk, solved=True)
    assert "<desc>Go in at one door" in plain
    assert "<polyline" not in plain
    (points,) = re.findall(r'<polyline points="([^"]*)"', solved)
    assert len(points.split()) == 9


@pytest.mark.parametrize(
    ("count", "per_page", "pages", "across"), [(1, 4, 1, 1), (5, 4, 2, 2), (9, 9, 1, 3)]
)
def test_a_sheet_has_every_drawing(
    count: int, per_page: int, pages: int, across: int
) -> None:
    text = sheet([("<svg/>", f"a & {n}") for n in range(count)], per_page, "T", "I")
    assert text.count("<section>") == text.count("<p>I</p>") == pages
    assert text.count(f"repeat({across}, 1fr)") == pages
    assert all(
        f"<svg/><figcaption>{n + 1}&ensp;a &amp; {n}<" in text for n in range(count)
    )


@pytest.mark.parametrize("per_page", [0, 49])
def test_a_page_has_a_number_of_drawings(per_page: int) -> None:
    with pytest.raises(OptionError, match="is not between 1 and 48"):
        sheet([("<svg/>", "x")], per_page, "T", "I")


def test_the_command_writes_labyrinths_and_solutions_apart(tmp_path: Path) -> None:
    file = tmp_path / "mazes.html"
    words = ("walk", "9", "--exact", "-n", "5", "--seed", "3", "-o", str(file))
    assert run(*words, "--per-page", "4").code == 0
    plain = file.read_text()
    solved = (tmp_path / "mazes-solutions.html").read_text()
    assert plain.count("<section>") == solved.count("<section>") == 2
    assert plain.count('class="labyrinth"') == solved.count('class="solution"') == 5
    assert 'class="solution"' not in plain
    assert "9, seed 3, number 5" in plain
