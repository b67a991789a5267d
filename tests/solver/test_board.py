"""Boards, positions and symmetries: what they accept, and their arithmetic."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board import (
    LETTERS,
    MAX_CELLS,
    STEPS,
    Board,
    Position,
    Symmetry,
    canonical_position,
)
from solver.errors import BoardError, OnewayError
from verify.strategies import boards, positions


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((0, 3), "no cells"),
        ((1, MAX_CELLS + 1), "more than"),
        ((3, 3, 0, -2), "end -2 lies outside"),
        ((3, 3, 9), "start 9 lies outside"),
        ((3, 3, 4, 4), "same cell (2, 2)"),
        ((3, 3, 0, -1, (0,)), "start (1, 1) is a wall"),
        ((3, 3, 0, -1, (9,)), "a wall of (9,) lies outside"),
        ((3, 3, 0, -1, (-1,)), "a wall of (-1,) lies outside"),
        (("5", 5), "rows is '5', expected a whole number"),
        ((True, 5), "rows is True"),
        ((5, 5, "a"), "start is 'a'"),
        ((5, 5, 0, 24, 3), "walls is 3, expected a sequence of cells"),
        ((5, 5, 0, 24, "34"), "walls is '34'"),
        ((5, 5, 0, 24, (1, "a")), "a cell of walls is 'a'"),
    ],
)
def test_a_board_that_cannot_exist(arguments: Any, why: str) -> None:
    with pytest.raises(BoardError) as error:
        Board(*arguments)
    assert why in str(error.value)
    assert isinstance(error.value, (OnewayError, ValueError))


def test_neighbours_are_in_the_order_up_right_down_left() -> None:
    assert Position(Board(1, 2, walls=(1,), end=0)).complete
    board = Board.parse("3!2,1")
    assert [board.cell(*at) for at in ((1, 1), (1, 3), (3, 3))] == [0, 2, 8]
    for at in ((4, 1), (1, 4), (0, 1), (1, 0)):
        with pytest.raises(BoardError, match="lies outside the board 3!2,1"):
            board.cell(*at)
    assert board.neighbours[4].tolist() == [1, 5, 7, -1]  # the wall is left of it
    assert board.neighbours[3].tolist() == [-1, -1, -1, -1]
    assert not board.neighbours.flags.writeable
    assert board.neighbours is Board.parse("3!2,1").neighbours


@pytest.mark.parametrize(
    ("walk", "why"),
    [
        ((1,), "not at the start"),
        ((0, 2), "0 and 2 do not touch"),
        ((0, 1, 0), "cell 0 is visited already"),
        ((0, 3, 4), "cell 4 is a wall"),
        ((0, 1, 9), "do not touch"),
        (3, "walk is 3, expected a sequence"),
        ("012", "walk is '012'"),
        ((0, 1.0), "a cell of walk is 1.0"),
        ((0, True), "a cell of walk is True"),
    ],
)
def test_a_walk_that_cannot_be(walk: Any, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        Position(Board.parse("3!2,2"), walk)


def test_steps_and_back() -> None:
    position = Position.parse("3:RRD")
    assert position.heading == 2
    assert position.unvisited == 5
    assert position.step("L").notation == "3:RRDL"
    assert position.step("L").back(2) == Position.parse("3:RR")
    assert position.free.tolist() == np.isin(range(9), [3, 4, 6, 7, 8]).tolist()
    with pytest.raises(BoardError, match="'U' is no move"):
        position.step("U")
    with pytest.raises(BoardError, match="cannot go back 4 of 3"):
        position.back(4)


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_directions_and_walks_follow_rows_and_columns(
    rows: int, cols: int, data: st.DataObject
) -> None:
    board = Board(rows, cols)
    cells = st.integers(0, board.cells - 1)
    walk = [0, *data.draw(st.lists(cells, min_size=1, max_size=3))]
    good = len(set(walk)) == len(walk)
    for a, b in pairwise(walk):
        step = (b // cols - a // cols, b % cols - a % cols)
        wanted = STEPS.index(step) if step in STEPS else -1
        assert board.direction(a, b) == wanted
        good = good and wanted >= 0
    if good:
        assert Position(board, tuple(walk)).walk == tuple(walk)
    else:
        with pytest.raises(BoardError):
            Position(board, tuple(walk))
    assert board.direction(walk[0], data.draw(st.sampled_from([-1, board.cells]))) == -1


def test_numbers_of_numpy_become_plain_numbers() -> None:
    board = Board(np.int64(3), np.int32(5), walls=np.array([7]))  # type: ignore[arg-type] # wrong on purpose
    assert board == Board(3, 5, walls=(7,))
    assert {type(n) for n in (board.rows, board.cols, *board.walls)} == {int}
    assert eval(repr(board)) == board
    position = Position(board, [0, np.int64(1)])  # type: ignore[arg-type] # wrong on purpose
    assert position == Position(board, (0, 1))
    assert hash(position) == hash(Position(board, (0, 1)))
    with pytest.raises(BoardError, match="board is '3', expected a Board"):
        Position("3", (0, 1))  # type: ignore[arg-type] # wrong on purpose


# Symmetries -----------------------------------------------------------------------


@given(positions(boards(corners=False, max_walls=3)))
def test_images_are_positions_with_the_same_moves(position: Position) -> None:
    for symmetry in Symmetry:
        image = symmetry.position(position)
        turned = {
            LETTERS[symmetry.direction(LETTERS.index(move))]
            for move in position.options()
        }
        assert set(image.options()) == turned
        assert image.unvisited == position.unvisited
        assert canonical_position(image) == canonical_position(position)


def test_the_eight_symmetries_differ() -> None:
    position = Position.parse("3x4@1,2>3,4:L")
    assert len({s.position(position) for s in Symmetry}) == 8
