"""Kernels of propagation that walks seldom lead to, each against what it is to do."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solver.board import Board
from solver.propagation import state as at
from solver.propagation.propagate import Propagator, Rules, close
from solver.propagation.state import (
    FORCED,
    FRAGMENTS,
    IN,
    LAST_STAMP,
    OUT,
    UNKNOWN,
    State,
    cut_trail,
    decide_edge,
    edge_between,
    lay_faces,
    new_state,
    open_edges,
)
from tests.doubles.plain import plain
from tests.doubles.propagate import Conflict, Edge, Naive
from tests.solver.test_propagate import decided
from verify.strategies import boards

BOARDS = boards(max_side=6, max_walls=3, corners=False)
SINGLE = [*Rules]


@pytest.mark.parametrize("number", [at.STAMP, at.CLOCK])
def test_marks_begin_anew_before_they_grow_too_large(number: int) -> None:
    p, fresh = Propagator(Board.square(5)), Propagator(Board.square(5))
    s = p.state
    columns = [at.MARK, at.MARK_BACK, at.FOUND, at.LABELLED]
    s.info[[at.STAMP, at.CLOCK]] = LAST_STAMP
    s.cell[:, columns] = LAST_STAMP
    assert close(s)
    assert s.info[number] >= LAST_STAMP
    s.info[number] = LAST_STAMP + 1
    assert close(s)
    assert max(s.info[at.STAMP], s.info[at.CLOCK], s.cell[:, columns].max()) < 1000
    for cell in (1, 2, 7, 6, 5, 10):
        assert p.push(cell) == fresh.push(cell)
        assert np.array_equal(s.edge[:, at.STATE], fresh.state.edge[:, at.STATE])


@settings(deadline=None, max_examples=30)
@given(BOARDS, st.sampled_from([Rules.FOUR, *SINGLE]), st.integers(0, 2**32))
def test_moves_are_forbidden_that_cannot_be_pushed(
    board: Board, rules: Rules, seed: int
) -> None:
    p, rng = Propagator(board, rules), np.random.default_rng(seed)
    for _ in range(board.cells):
        before = decided(p), p.walk, p.refuted
        forbidden = p.forbidden()
        near = zip("URDL", board.neighbours[p.walk[-1]].tolist(), strict=True)
        moves = {move: c for move, c in near if c >= 0 and c not in p.walk}
        bad = set()
        for move, cell in moves.items():
            if not p.push(cell):
                bad.add(move)
            p.pop()
        assert forbidden.keys() == bad
        assert {*forbidden.values()} <= {*Rules} & {*(rules | Rules.FORCED_EDGES)}
        assert (decided(p), p.walk, p.refuted) == before
        if not p.refuted:
            lines = {frozenset(pair) for pair in pairwise(p.walk)}
            ins = {e for e, value in decided(p).items() if value}
            assert {frozenset(pair) for pair in p.future_lines()} == ins - lines
        if not moves:
            break
        good = [cell for move, cell in moves.items() if move not in bad]
        p.push(int(rng.choice(good or [*moves.values()])))


def _cut(board: Board, out: set[Edge]) -> bool:
    """Return whether the graph with the virtual edge is apart, or has a cut cell."""
    cells = set(range(board.cells)) - set(board.walls)
    near: dict[int, set[int]] = {c: set() for c in cells}
    for c in cells:
        beside = {v for v in board.neighbours[c].tolist() if v >= 0}
        near[c] |= {v for v in beside if frozenset((c, v)) not in out}
    near[board.start].add(board.end)
    near[board.end].add(board.start)
    for gone in (-1, *cells):
        left = cells - {gone}
        stack = [*left][:1]
        while stack:
            c = stack.pop()
            if c in left:
                left.remove(c)
                stack += near[c]
        if left:
            return True
    return False


def _unknown(s: State) -> list[int]:
    return np.flatnonzero(s.edge[:-1, at.STATE] == UNKNOWN).tolist()


def _cells(s: State, e: int) -> Edge:
    return frozenset(s.edge[e, :2].tolist())


@settings(deadline=None, max_examples=40)
@given(BOARDS, st.integers(0, 2**32))
@example(Board.parse("2@1,1>2,1"), 0)  # face 0 is joined, and put apart again
def test_faces_see_the_first_cut_cell(board: Board, seed: int) -> None:
    s, rng = new_state(board, int(Rules.FOUR)), np.random.default_rng(seed)
    rows, cols = {0, board.rows - 1}, {0, board.cols - 1}
    ends = [divmod(end, board.cols) for end in (board.start, board.end)]
    assert s.info[at.PLANE] == all(row in rows or col in cols for row, col in ends)
    for rule in (Rules.BLOCK_CHAIN, Rules.FRAGMENTS, Rules.TWO_FACTOR):
        assert not new_state(board, int(Rules.FOUR ^ rule)).info[at.PLANE]
    assume(s.info[at.PLANE] and board.open_cells > 2 and not _cut(board, set()))
    lay_faces(s)
    first = s.square.tolist(), s.cell.tolist()
    for _ in range(3):
        out: list[int] = []
        good = True
        begun = int(s.info[at.TRAIL])
        for e in rng.permutation(_unknown(s)).tolist():
            out.append(e)
            assert decide_edge(s, np.int64(e), np.int64(OUT), np.int64(0))
            good = open_edges(s)
            if not good:
                break
        gone = {_cells(s, e) for e in s.trail[: s.info[at.TRAIL], 0].tolist()}
        assert good != _cut(board, gone)
        assert not _cut(board, gone - {_cells(s, out[-1])})
        cut_trail(s, int(rng.integers(begun, s.info[at.TRAIL])))
        assert s.info[at.HEAD_BLOCKS] == s.info[at.TRAIL]
    cut_trail(s, 0)
    columns = [*range(15)]
    assert s.square[:, 1:].tolist() == np.array(first[0])[:, 1:].tolist()
    assert s.cell[:, columns].tolist() == np.array(first[1])[:, columns].tolist()


@pytest.mark.parametrize("rules", [Rules(0), Rules.FRAGMENTS])
def test_an_edge_too_many_and_a_loop_are_conflicts(rules: Rules) -> None:
    for path, rule in (((7, 12, 11, 12, 13), FORCED), ((6, 7, 12, 11, 6), FRAGMENTS)):
        s, answers = new_state(Board.square(5), int(rules)), set[bool]()
        for a, b in pairwise(path):
            e = np.int64(edge_between(s, np.int64(a), np.int64(b)))
            if s.edge[e, at.STATE] == UNKNOWN:
                assert all(answers)
                answers.add(decide_edge(s, e, np.int64(IN), np.int64(0)))
        bad = rule == FORCED or bool(rules)
        assert answers == ({True, False} if bad else {True})
        assert s.info[at.CULPRIT] == (rule if bad else 0)


FLOWS = [Rules.TWO_FACTOR, Rules.TWO_FACTOR | Rules.FRAGMENTS]
SOLVABLE = ["5", "4x5@1,1>1,2", "4@1,1>1,2", "5x4@2,2>2,3", "5!3,3;3,4"]


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from(SOLVABLE).map(Board.parse),
    st.sampled_from([Rules.FOUR, *FLOWS, *FLOWS[1:] * 2, *SINGLE[:3]]),
    st.sampled_from([5, 5, 5, 0, 1, 2, 3]),
    st.integers(0, 2**32),
)
@example(Board.square(5), Rules.FOUR, 4, 2976559607)  # as many as there is room for
@example(Board.parse("5x4@2,2>2,3"), Rules.TWO_FACTOR, 3, 1840842692)
@example(Board.square(5), Rules.TWO_FACTOR, 5, 169574)  # into a set and out of it
@example(Board.parse("5!3,3;3,4"), Rules.TWO_FACTOR, 5, 56070)  # they meet at cell 0
def test_decisions_anywhere(board: Board, rules: Rules, room: int, seed: int) -> None:
    """Rules decide the same after any decisions, not only after steps of a walk.

    With no room for pairs, components are split as a whole: 5 has all the room.
    """
    copy, flow = plain("solver.propagation.propagate"), plain("solver.propagation.flow")
    p = (Propagator if room == 5 else copy.Propagator)(board, rules)
    slow, rng = Naive(board, rules), np.random.default_rng(seed)
    s = p.state
    if room < 5:
        s = s._replace(pair=s.pair[:room])
    assert not p.refuted
    while left := _unknown(s):
        before, kept = int(s.info[at.TRAIL]), dict(slow.state)
        good = True
        for e in rng.permutation(left)[: rng.choice([1, 1, 1, 5])].tolist():
            a, b = (np.int64(c) for c in _cells(s, e))
            assert edge_between(s, a, b) == e
            value = int(rng.choice([IN, OUT, OUT]))
            slow.state[_cells(s, e)] = value == IN
            good = good and decide_edge(s, np.int64(e), np.int64(value), np.int64(0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(flow, "PAIRS", room)
            good = good and (close if room == 5 else copy.close)(s)
        try:
            slow.fixed_point()
        except Conflict:
            assert not good
            cut_trail(s, before)
            slow.state = kept
            break
        assert good
        assert decided(p) == slow.state
    assert decided(p) == slow.state
