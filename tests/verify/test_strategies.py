"""The strategies draw what they say, and shrink to the smallest of it."""

from typing import TypeVar

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from heuristic.groups import load_rules
from heuristic.rule import Boards
from solver.board import Board, Position
from tests.doubles.frontier import count_completions
from verify.strategies import (
    boards,
    boards_for,
    completable_positions,
    dead_positions,
    positions,
)

_T = TypeVar("_T")


def smallest(strategy: st.SearchStrategy[_T], wanted: object = None) -> _T:
    """Return what an example with the property shrinks to."""
    condition = wanted if callable(wanted) else bool
    return find(
        strategy,
        condition,
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
