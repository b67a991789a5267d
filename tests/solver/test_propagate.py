"""Propagation along walks against a plain double; undoing leaves no trace."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.board import Board
from solver.errors import BoardError
from solver.propagation import state as at
from solver.propagation.propagate import Propagator, Rules, RuleWalker
from solver.propagation.state import IN, OUT, State
from tests.doubles.plain import plain
from tests.doubles.propagate import Edge, Naive
from verify.strategies import boards

BOARDS = boards(max_side=6, max_walls=3, corners=False)
RULES = st.sampled_from([Rules.FOUR, *Rules]) | st.integers(0, 15).map(Rules)
STEPS_AND_BACK = st.lists(st.integers(-1, 3), max_size=24)  # -1: back, else a move


def decided(propagator: Propagator) -> dict[Edge, bool]:
    s, near = propagator.state, propagator.board.neighbours
    states = s.edge[:, at.STATE][s.cell[:, at.EDGE : at.EDGE + 4]]
    return {
        frozenset((cell, int(near[cell, d]))): bool(states[cell, d] == IN)
        for cell, d in zip(*np.nonzero((near >= 0) & (states > 0)), strict=True)
    }


def assert_choice(s: State, board: Board) -> None:
    """The choice has two edges a cell, the virtual one too, and all that are in."""
    chosen = s.match[s.cell[:, at.EDGE : at.EDGE + 4]].sum(axis=1)
    state = s.edge[:, at.STATE]
    for cell in range(board.cells):
        ends = (cell == board.start) + (cell == board.end)
        assert chosen[cell] == (0 if cell in board.walls else 2 - ends)
    assert all(s.match[state == IN])
    assert not any(s.match[state == OUT])


def compare(board: Board, rules: Rules, script: list[int]) -> None:
    fast, slow = Propagator(board, rules), Naive(board, rules)
    for word in [None, *script]:
        moves = [v for v in board.neighbours[slow.walk[-1]].tolist() if v >= 0]
        moves = [v for v in moves if v not in slow.walk]
        if word == -1:
            if len(slow.walk) > 1:
                fast.pop()
                slow.pop()
        elif word is not None and moves:
            cell = moves[word % len(moves)]
            assert fast.push(cell) == slow.push(cell)
        assert fast.walk == slow.walk
        assert fast.refuted == slow.refuted
        if not fast.refuted:
            assert decided(fast) == slow.state
            if rules & Rules.TWO_FACTOR:
                assert_choice(fast.state, board)


@pytest.mark.no_cover
@given(BOARDS, RULES, STEPS_AND_BACK)
@settings(deadline=None, max_examples=30)
@example(Board.parse("6x5@6,5>3,5"), Rules(12), [3, 1, 0, 0])
@example(Board(2, 5), Rules(6), [])
@example(Board.parse("3@1,1>1,2"), Rules.BLOCK_CHAIN, [])  # one block, of odd colours
@example(Board.parse("4x3@1,1>2,3"), Rules(15), [])  # the end is on the right rim
@example(Board.parse("4@2,2>4,1"), Rules(15), [])  # the last cells need no edge
@example(Board.parse("5x6@5,2>2,2"), Rules.TWO_FACTOR, [])  # a cell lacks two at first
@example(Board.parse("2x3@1,1>1,2!2,2;2,3"), Rules.TWO_FACTOR, [])  # and gets one
@example(Board(3, 1, 1, 2, (0,)), Rules.BLOCK_CHAIN, [0])
def test_same_as_the_double(board: Board, rules: Rules, script: list[int]) -> None:
    compare(board, rules, script)


@pytest.mark.slow
@given(BOARDS, RULES, STEPS_AND_BACK)
@settings(deadline=None, max_examples=300)
def test_same_as_the_double_long(board: Board, rules: Rules, script: list[int]) -> None:
    compare(board, rules, script)


def test_bad_steps() -> None:
    propagator = Propagator(Board.square(3))
    with pytest.raises(BoardError, match="cell 4 is no move from 0"):
        propagator.push(4)
    with pytest.raises(BoardError, match="cannot go back"):
        propagator.pop()


def test_walks_repeat_and_fill_the_board() -> None:
    walker = RuleWalker(Board.square(9))
    walks = [walker.walk(seed) for seed in range(20)]
    assert all(full and position.complete for position, full in walks)
    assert len({position for position, _ in walks}) > 15
    assert walker.walk(7) == RuleWalker(Board.square(9)).walk(7)
    assert RuleWalker(Board.parse("5@3,3>5,5")).walk(0)[1]  # by cell 0
    weak = RuleWalker(Board.square(9), Rules.FORCED_EDGES | Rules.FRAGMENTS)
    walks = [weak.walk(seed) for seed in range(100)]
    stuck = [position for position, full in walks if not full]
    assert stuck
    assert all(position.unvisited for position in stuck)


def test_walks_begin_anew_whatever_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.square(5)
    walker = RuleWalker(board)
    for cell in (1, 2, 7, 6, 11):
        walker.propagator.push(cell)
    assert walker.propagator.refuted
    assert walker.walk(3) == RuleWalker(board).walk(3)
    copy = plain("solver.propagation.propagate")
    with np.errstate(over="ignore"):
        whole = copy.RuleWalker(board).walk(3)
        monkeypatch.setattr(copy, "SLICE_STEPS", 3)
        assert copy.RuleWalker(board).walk(3) == whole
