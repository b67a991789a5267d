import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Cell, Position
from solver.errors import OptionError
from solver.labyrinth import doors_of, draw_labyrinth, outside, walls
from solver.oracles.exact import exact_walk
from solver.oracles.oracle import Verdict
from solver.svg import CELL
from verify.strategies import boards

MARGIN = 8


def unit_walls(svg: str) -> set[tuple[int, int, bool]]:
    """Read the strokes of a picture back as sides one cell long."""
    found = set()
    (strokes,) = re.findall(r'class="labyrinth" d="([^"]*)"', svg)
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
    assert doors_of(board) == [(5, 0), (6, 0)]
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
    with pytest.raises(OptionError, match="scale"):
        draw_labyrinth(Position.parse("3:RRDLLDRR"), scale=0)
