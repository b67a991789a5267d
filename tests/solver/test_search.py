"""The exact search and the exact walkers, against `sat`.

That the search is right on all of 5 x 5 is shown with the other oracles.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Position
from solver.errors import OptionError
from solver.oracles.exact import exact_walk, oracle_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.oracles.search import SearchOracle
from verify.checker.position import find_fault
from verify.strategies import boards, positions

ODD_ONES = boards(max_side=8, max_walls=4, corners=False)
SEARCH, SAT = SearchOracle(), get_oracle("sat")


def check(position: Position) -> None:
    answer = SEARCH.decide(position)
    assert answer.verdict is SAT.decide(position).verdict
    assert (answer.witness is None) == (answer.verdict is Verdict.DEAD)
    if answer.witness is not None:
        assert find_fault(position.notation, answer.witness) is None


@given(positions(ODD_ONES))
@settings(deadline=None, max_examples=60)
def test_any_board(position: Position) -> None:
    check(position)


@given(positions(boards(min_side=9, max_side=21, square=True, odd=True)))
@settings(deadline=None, max_examples=20)
def test_large_squares(position: Position) -> None:
    check(position)


@given(boards(max_side=7, max_walls=3, corners=False), st.data())
@settings(deadline=None, max_examples=30)
def test_questions_in_any_order(board: Board, data: st.DataObject) -> None:
    # The oracle goes on from the walk that it was asked about last.
    asked = data.draw(st.lists(positions(st.just(board)), min_size=2, max_size=6))
    asked += [position.back(len(position.walk) // 2) for position in asked]
    oracle = SearchOracle()
    for position in data.draw(st.permutations(asked)):
        assert oracle.decide(position).verdict is SAT.decide(position).verdict


def test_the_limit_is_honest() -> None:
    # Too hard for one node: the rules see nothing, and the first choice is no tour.
    position = Position.parse("3x9@1,5>3,5:D")
    assert SAT.decide(position).verdict is Verdict.DEAD
    assert SearchOracle(limit=1).decide(position).verdict is Verdict.UNKNOWN
    assert SEARCH.decide(position).verdict is Verdict.DEAD
    with pytest.raises(OptionError, match="limit is 0"):
        SearchOracle(limit=0)
    with pytest.raises(OptionError, match="limit is 0"):
        exact_walk(position.board, 1, limit=0)


@given(boards(max_side=7, max_walls=3, corners=False), st.integers(0, 2**32))
@settings(deadline=None, max_examples=30)
def test_exact_walks_are_those_of_any_oracle(board: Board, seed: int) -> None:
    fast = exact_walk(board, seed)
    slow = oracle_walk(board, seed, SAT)
    assert fast.position == slow.position
    assert fast.verdict is slow.verdict
    assert fast.position.complete == (fast.verdict is Verdict.COMPLETABLE)


@pytest.mark.parametrize("text", ["15!4,4;4,5;9,8;10,8", "13@1,1>7,7", "11@5,5>1,1"])
def test_exact_walks_of_larger_boards(text: str) -> None:
    board = Board.parse(text)
    for seed in range(12):
        assert exact_walk(board, seed) == oracle_walk(board, seed, SAT)


def test_an_oracle_that_gives_up_ends_the_walk() -> None:
    board = Board.parse("3x9@1,5>3,5")
    tired = SearchOracle(limit=1)
    ends = {oracle_walk(board, seed, tired).verdict for seed in range(20)}
    assert Verdict.UNKNOWN in ends
    assert exact_walk(board, 0, limit=1).verdict in ends
