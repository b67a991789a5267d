"""Labyrinths: the corridor is the walk; pictures cut out boards."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from solver.board import Board, Position
from solver.errors import OptionError, PictureError
from solver.labyrinth import doors_of, draw_labyrinth, outside, picture_board, walls
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict
from solver.svg import CELL, MARGIN
from tests.runner import assert_refused, run
from verify.strategies import boards


def unit_walls(svg: str) -> set[tuple[int, int, bool]]:
    """Read the strokes of a picture back as sides one cell long."""
    sides = set()
    (strokes,) = re.findall(r'class="labyrinth"[^>]* d="([^"]*)"', svg)
    for x, y, way in re.findall(rf"M(\d+) (\d+)([hv]){CELL}", strokes):
        col, row = (int(x) - MARGIN) // CELL, (int(y) - MARGIN) // CELL
        sides.add((row, col, way == "v"))
    return sides


@settings(deadline=None, max_examples=30)
@given(boards(max_side=8, max_walls=3, corners=False), st.integers(0, 99))
def test_the_corridor_is_the_walk(board: Board, seed: int) -> None:
    walk = exact_walk(board, seed)
    if walk.verdict is not Verdict.COMPLETABLE or not walk.position.complete:
        left = f"leaves {board.open_cells - 1} of {board.open_cells} cells"
        with pytest.raises(OptionError, match=left):
            walls(Position(board))
        return
    svg = draw_labyrinth(walk.position)
    ElementTree.fromstring(svg)
    shut = unit_walls(svg)
    assert shut == walls(walk.position)
    place = {cell: number for number, cell in enumerate(walk.position.walk)}
    doors = doors_of(board)
    for cell in place:
        row, col = divmod(cell, board.cols)
        sides = (row, col, False), (row, col + 1, True), (row + 1, col, False)
        near = board.neighbours[cell].tolist()
        for d, (side, other) in enumerate(
            zip((*sides, (row, col, True)), near, strict=True)
        ):
            crossed = other >= 0 and abs(place[cell] - place[other]) == 1
            assert (side in shut) != (crossed or doors.get(cell) == d)


def test_doors_are_at_the_ends_and_lead_outside() -> None:
    shut = walls(Position.parse("3:RRDLLDRR"))
    rim = {(r, c, False) for r in (0, 3) for c in range(3)}
    rim |= {(r, c, True) for r in range(3) for c in (0, 3)}
    assert rim - shut == {(0, 0, False), (3, 2, False)}
    board = Board.parse("3x4@2,2>2,3!1,1;1,2;1,3;1,4")
    assert outside(board) == {0, 1, 2, 3}
    assert doors_of(board) == {5: 0, 6: 0}
    shut = walls(exact_walk(board, 0).position)
    assert {(1, 1, False), (1, 2, False)} & shut == set()
    assert {(1, 0, False), (1, 3, False)} <= shut
    assert doors_of(Board.parse("3@2,3>2,1")) == {5: 1, 3: 3}
    assert doors_of(Board.parse("3@2,1>2,3")) == {3: 3, 5: 1}
    hole = Board.parse("9!4,4;4,5;5,4;5,5")
    assert outside(hole) == set()
    assert draw_labyrinth(exact_walk(hole, 0).position).count("<rect") == 1 + 4
    assert draw_labyrinth(exact_walk(board, 0).position).count("<rect") == 1


def test_a_solved_labyrinth_shows_the_walk() -> None:
    walk = Position.parse("3:RRDLLDRR")
    plain, solved = draw_labyrinth(walk), draw_labyrinth(walk, solved=True)
    assert "<desc>Go in at one door" in plain
    assert "<polyline" not in plain
    assert "<circle" not in plain
    inside = exact_walk(Board.parse("5@3,3>1,1"), 1).position  # a dot, no door
    assert re.findall(r'<circle[^>]* fill="(\S+)"', draw_labyrinth(inside)) == [
        "#000000"
    ]
    (points,) = re.findall(r'<polyline points="([^"]*)"', solved)
    assert len(points.split()) == 9


# Boards cut out of a picture ---------------------------------------------------------


def drawn(path: Path, rows: list[str], scale: int = 1) -> Path:
    """Save a picture of cells, `#` black, each `scale` pixels wide."""
    shades = bytes(255 * (char != "#") for char in "".join(rows))
    image = Image.frombytes("L", (len(rows[0]), len(rows)), shades)
    size = image.width * scale, image.height * scale
    image.resize(size, Image.Resampling.NEAREST).save(path)
    return path


CELLS = ["..#..", ".....", "##.##", ".....", "....."]


@pytest.mark.parametrize("scale", [1, 2, 7])
def test_a_cell_of_a_picture_is_a_cell_of_the_board(scale: int, tmp_path: Path) -> None:
    """Walls one cell thick stay so, whatever the scale."""
    file = drawn(tmp_path / "cells.png", CELLS, scale)
    board = picture_board(file, Board.square(5))
    walls = tuple(cell for cell, char in enumerate("".join(CELLS)) if char == "#")
    assert board.walls == walls
    given = Board(5, 5, 4, 24)
    assert picture_board(file, given, with_ends=True) == replace(given, walls=walls)
    dark = drawn(tmp_path / "dark.png", ["##.", "##.", "..."], scale)
    assert picture_board(dark, Board.square(3), invert=True).walls == (2, 5, 6, 7, 8)
    with pytest.raises(PictureError, match="no light part for a board of 3 x 3"):
        picture_board(drawn(tmp_path / "x.png", ["###", "#.#", "###"]), Board.square(3))
    with pytest.raises(PictureError, match="the start 1,3 is dark"):
        picture_board(file, Board(5, 5, 2, 24), with_ends=True)


def test_ends_of_a_picture_have_colours_that_a_walk_can_have(tmp_path: Path) -> None:
    for rows in (["...", "...", "..."], ["#..", "...", "..."], ["..", ".."]):
        frame = Board(len(rows), len(rows[0]))
        board = picture_board(drawn(tmp_path / "x.png", rows), frame)
        assert exact_walk(board, 0).position.complete, rows
    for shade, dark in ((127, (0,)), (128, ())):
        grey = Image.new("L", (3, 2), 255)
        grey.putpixel((0, 0), shade)
        grey.save(tmp_path / "grey.png")
        assert picture_board(tmp_path / "grey.png", Board(2, 3)).walls == dark


def test_commands_take_a_picture_as_a_board(tmp_path: Path) -> None:
    file = drawn(tmp_path / "cells.png", ["##..", "....", "....", "...."], 3)
    notation = picture_board(file, Board.square(4)).notation
    text = f"4!{file}"
    for words in (["check", f"{text}:R"], ["count", text], ["walk", text, "--exact"]):
        assert notation in run(*words).out
    assert run("count", text, "--cycles").out == "4!1,1;1,2  2 cycles\n"
    refused = run("count", f"5!{file}")
    assert_refused(refused)
    assert "12 x 12 pixels do not divide into 5 x 5 cells" in refused.err
