"""The cycles of the choice and how they are joined, against slow doubles."""

from itertools import pairwise

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solver.board import Board
from solver.propagation import state as at
from solver.propagation.flow import cycle_of, find_cycles, join, unlog, way_out
from solver.propagation.propagate import Propagator, Rules, close
from solver.propagation.state import IN, OUT, UNKNOWN, State, cut_trail, decide_edge


def naive_cycles(s: State, board: Board) -> list[set[int]]:
    """Return the cells of each cycle of the choice, the virtual edge included."""
    joined: dict[int, set[int]] = {}
    pairs = [(board.start, board.end)]
    for cell in range(board.cells):
        for d in range(4):
            if s.match[s.cell[cell, at.EDGE + d]]:
                pairs.append((cell, int(s.cell[cell, at.NEAR + d])))
    for a, b in pairs:
        first, second = joined.setdefault(a, {a}), joined.setdefault(b, {b})
        if first is not second:
            first |= second
            joined |= dict.fromkeys(second, first)
    return list({id(cells): cells for cells in joined.values()}.values())


def assert_linked(s: State, board: Board) -> None:
    """Each cell has the xor of its neighbours by chosen edges and the virtual edge."""
    chosen = s.match[s.cell[:, at.EDGE : at.EDGE + 4]] == 1
    links = np.bitwise_xor.reduce(
        np.where(chosen, s.cell[:, at.NEAR : at.NEAR + 4], 0), axis=1
    )
    links[board.start] ^= board.end
    links[board.end] ^= board.start
    assert np.array_equal(links, s.cell[:, at.LINKS])


def assert_joined(s: State, board: Board) -> None:
    """No square joins two cycles; the way out leaves one but the big one."""
    cycles = naive_cycles(s, board)
    of = {cell: number for number, cells in enumerate(cycles) for cell in cells}
    edges, near = s.cell[:, at.EDGE : at.EDGE + 4], s.cell[:, at.NEAR : at.NEAR + 4]
    for c in of:
        if min(near[c, 1], near[c, 2]) < 0 or (d := near[near[c, 1], 2]) not in of:
            continue
        sides = edges[c, 1], edges[near[c, 1], 2], edges[near[c, 2], 1], edges[c, 2]
        if all(s.edge[e, at.STATE] == UNKNOWN for e in sides):
            top, right, floor, left = (bool(s.match[e]) for e in sides)
            assert of[c] == of[d] or top != floor or right != left or top == right
    big = s.info[at.BIG]
    small = {of[cell] for cell in of if cycle_of(s, np.int64(cell)) != big}
    ways = [
        {of[a], of[b]}
        for a in of
        for e, b in zip(edges[a], near[a], strict=True)
        if b in of and s.edge[e, at.STATE] == UNKNOWN and of[a] != of[b]
    ]
    e = way_out(s)
    if e < 0:
        assert any(n not in way for n in small for way in [set().union(*ways)])
    else:
        assert s.edge[e, at.STATE] == UNKNOWN
        joined = {of[int(c)] for c in s.edge[e, [at.FIRST, at.SECOND]]}
        assert len(joined) == 2
        assert joined & small


def assert_known(s: State, board: Board) -> bool:
    """Each cycle has its own number; return whether all are joined to a tour."""
    assert_linked(s, board)
    cycles = naive_cycles(s, board)
    assert find_cycles(s) == len(cycles)
    seeds = set(s.queue[: s.info[at.SEEDS]].tolist())
    assert sum(not seeds & cells for cells in cycles) <= 1
    for cells in cycles:
        assert len({cycle_of(s, np.int64(c)) for c in cells}) == 1
    for cells, other in pairwise(cycles):
        assert cycle_of(s, np.int64(min(cells))) != cycle_of(s, np.int64(min(other)))
    log = s.log[: s.info[at.LOGGED]].tolist()
    assert len(set(log)) == len(log)
    assert sorted(log) == np.flatnonzero(s.edge[:, at.LISTED]).tolist()
    if s.info[at.TOUR]:
        assert set(log) >= set(np.flatnonzero(s.edge[:, at.TOURED] != s.match).tolist())
    whole = join(s)
    assert_linked(s, board)
    assert whole == (len(naive_cycles(s, board)) == 1)
    if not whole:
        assert_joined(s, board)
    return whole


BOARDS = ["7", "9", "13", "6x7@2,2>5,7", "12@1,1>1,2", "10@1,1>1,10!3,3;3,4;6,6;6,7"]


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(BOARDS).map(Board.parse),
    st.sampled_from([Rules.TWO_FACTOR, Rules.FOUR]),
    st.integers(0, 2**32),
)
@example(Board.square(9), Rules.TWO_FACTOR, 6153)
def test_cycles_of_any_decisions(board: Board, rules: Rules, seed: int) -> None:
    p, rng = Propagator(board, rules), np.random.default_rng(seed)
    assume(not p.refuted)
    s = p.state
    assert_known(s, board)
    for _ in range(12):
        left = np.flatnonzero(s.edge[:-1, at.STATE] == UNKNOWN)
        before, tour = int(s.info[at.TRAIL]), s.match.copy()
        noted = s.info[at.TOUR] == 1 and s.info[at.LOGGED] == 0
        good = True
        for e in rng.permutation(left)[: rng.integers(1, 5)].tolist():
            value = np.int64(rng.choice([IN, OUT]))
            good = good and decide_edge(s, np.int64(e), value, np.int64(0))
        good = good and close(s)
        if good and not (noted and rng.random() < 0.3):
            assert_known(s, board)
            continue
        cut_trail(s, before)
        if noted:
            find_cycles(s)
            unlog(s)
            assert np.array_equal(s.match, tour)
        assert_known(s, board)
