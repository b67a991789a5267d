"""What the strategies draw and shrink to, and the walks that a search follows."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import Boards
from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from tests.doubles.frontier import count_completions
from verify.strategies import (
    SHARES,
    Source,
    boards,
    boards_for,
    completable_positions,
    dead_positions,
    more_walks,
    piece,
    positions,
    source_walk,
)

_T = TypeVar("_T")


def smallest(
    strategy: st.SearchStrategy[_T], wanted: Callable[[_T], object] = bool
) -> _T:
    """Return what an example with the property shrinks to."""
    return find(
        strategy,
        lambda drawn: bool(wanted(drawn)),
        settings=settings(
            max_examples=2000,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_shrunk_boards() -> None:
    free = boards(max_walls=3, corners=False)
    assert smallest(free) == Board(1, 1)
    assert smallest(free, lambda b: b.walls) == Board(1, 3, walls=(1,))
    assert smallest(free, lambda b: b.rows > 2 < b.cols) == Board(3, 3)
    assert smallest(free, lambda b: b.start) == Board(1, 2, 1, 0)
    assert smallest(free, lambda b: len(b.walls) > 2) == Board(1, 5, walls=(1, 2, 3))
    odd = boards(min_side=2, max_side=5, odd=True, square=True)
    assert smallest(odd) == Board(3, 3)
    assert smallest(odd, lambda b: b.rows > 3) == Board(5, 5)


def test_shrunk_positions() -> None:
    nine = boards(min_side=9, max_side=9)
    assert smallest(positions(nine), lambda p: len(p.walk) > 4) == (
        Position.parse("9:RRRR")
    )
    assert smallest(dead_positions()) == Position.parse("3:RD")
    assert smallest(completable_positions()) == Position.parse("1:")
    assert smallest(completable_positions(), lambda p: len(p.options()) == 3) == (
        Position.parse("5:RD")
    )


def test_boards_for_rules_need_not_be_squares_unless_they_are_given() -> None:
    wide = completable_positions(rules="c-shape")
    assert smallest(wide, lambda p: p.board.cols > p.board.rows).board.rows == 2
    squares = completable_positions(boards(min_side=3, max_side=3), rules="c-shape")
    assert smallest(squares) == Position.parse("3:")


@settings(deadline=None, max_examples=40)
@given(dead_positions(max_side=5))
def test_dead_positions_were_alive_a_step_before(position: Position) -> None:
    assert count_completions(position) == 0
    assert count_completions(position.back()) > 0


@pytest.mark.parametrize("kind", Boards)
def test_boards_of_a_kind(kind: Boards) -> None:
    seen = set()

    @settings(deadline=None, max_examples=30, database=None, derandomize=True)
    @given(boards_for(kind, max_side=5))
    def look(board: Board) -> None:
        seen.add(board)
        assert kind.admits(board)
        assert max(board.rows, board.cols) <= 5
        assert count_completions(Position(board)) > 0

    look()
    assert len(seen) > 8
    walled = kind in (Boards.ANY, Boards.RIM)
    assert any(board.walls for board in seen) == walled
    assert Board(1, 1) in seen


@settings(deadline=None, max_examples=20)
@given(completable_positions(rules=load_rules("c-shape"), max_side=5))
def test_positions_follow_the_boards_of_a_rule(position: Position) -> None:
    assert load_rules("c-shape").rules[0].boards.admits(position.board)
    assert count_completions(position) > 0


def test_pieces_are_cut_where_the_shares_say() -> None:
    board = Board(4, 5)
    walk = exact_walk(board, 3).position.walk
    quarters = SHARES // 4, SHARES // 2
    for cut in (quarters, quarters[::-1]):
        half, left = piece(board, walk, cut, Boards.ANY)
        assert left == walk[5:11]
        walls = tuple(sorted({*walk} - {*left}))
        assert half == Board(4, 5, walk[5], walk[10], walls)
    for whole in ((0, SHARES), (7, 7), (0, SHARES // 20), (0, SHARES // 12)):
        assert piece(board, walk, whole, Boards.ANY) == (board, walk)
    assert piece(board, walk, (0, SHARES // 9), Boards.ANY)[1] == walk[:3]
    for first in range(0, SHARES, 37):
        rim, _ = piece(board, walk, (first, SHARES - first // 2), Boards.RIM)
        assert Boards.RIM.admits(rim)


def test_more_walks_of_a_board_differ_and_are_the_same_each_time() -> None:
    source = Source(Board(5, 6), Boards.ANY, seed=2)
    first, second, *others = more_walks(source, 6)
    assert first == source
    assert (second.seed, second.cut) == (116_510_757, (260, 678))  # on every machine
    walks = [*map(source_walk, (first, second, *others))]
    assert len({walk for board, walk in filter(None, walks)}) == 6
