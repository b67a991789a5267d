"""The forest of cycles and the components against slow doubles."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.board import Board
from solver.propagation.cycles import (
    _on_cycle,
    find_cycles,
    join,
    together,
    unlog,
    way_out,
)
from solver.propagation.propagate import Propagator, Rules, close
from solver.propagation.state import (
    CLOSER,
    CYCLES,
    EDGE,
    FIRST,
    IN,
    LEFT,
    LOGGED,
    NEAR,
    OUT,
    RIGHT,
    SECOND,
    SEEDS,
    SIZE,
    STAMP,
    STATE,
    TOUR,
    TRAIL,
    UNKNOWN,
    UP,
    State,
    cut_trail,
    decide,
)
from tests.doubles.plain import plain


def naive_cycles(s: State, board: Board) -> list[set[int]]:
    """Return the cells of each cycle of the choice, the virtual edge included."""
    joined: dict[int, set[int]] = {}
    pairs = [(board.start, board.end)]
    for cell in range(board.cells):
        for d in range(4):
            if s.match[s.cell[cell, EDGE + d]]:
                pairs.append((cell, int(s.cell[cell, NEAR + d])))
    for a, b in pairs:
        one = joined.setdefault(a, {a})
        other = joined.setdefault(b, {b})
        if one is not other:
            one |= other
            for cell in other:
                joined[cell] = one
    return list({id(cells): cells for cells in joined.values()}.values())


def assert_sound(s: State, cells: set[int]) -> None:
    """Sizes are those of the trees; the ends of each cycle know each other."""
    node = s.node.tolist()

    def size(c: int) -> int:
        beneath = [x for x in (node[c][LEFT], node[c][RIGHT]) if x >= 0]
        assert all(node[x][UP] == c for x in beneath)
        assert node[c][SIZE] == 1 + sum(map(size, beneath))
        return int(node[c][SIZE])

    assert [size(c) for c in cells if node[c][UP] < 0] == [len(cells)]
    ends = {c: node[c][CLOSER] for c in cells if node[c][CLOSER] != -1}
    assert len(ends) == 2
    assert all(ends[ends[c]] == c for c in ends)


def assert_joined(s: State, board: Board) -> None:
    """No square joins two cycles, and the smallest is left by the way out, if any."""
    cycles = naive_cycles(s, board)
    of = {cell: number for number, cells in enumerate(cycles) for cell in cells}
    edges, near = s.cell[:, EDGE : EDGE + 4], s.cell[:, NEAR : NEAR + 4]
    for c in of:
        if min(near[c, 1], near[c, 2]) < 0 or (d := near[near[c, 1], 2]) not in of:
            continue
        sides = edges[c, 1], edges[near[c, 1], 2], edges[near[c, 2], 1], edges[c, 2]
        if all(s.edge[e, STATE] == UNKNOWN for e in sides):
            top, right, floor, left = (bool(s.match[e]) for e in sides)
            assert of[c] == of[d] or top != floor or right != left or top == right
    smallest = {
        n for n, cells in enumerate(cycles) if len(cells) == min(map(len, cycles))
    }
    ways = [
        {of[a], of[b]}
        for a in of
        for e, b in zip(edges[a], near[a], strict=True)
        if b in of and s.edge[e, STATE] == UNKNOWN and of[a] != of[b]
    ]
    e = way_out(s)
    if e < 0:
        assert any(n not in way for n in smallest for way in [set().union(*ways)])
    else:
        assert s.edge[e, STATE] == UNKNOWN
        joined = {of[int(c)] for c in s.edge[e, [FIRST, SECOND]]}
        assert len(joined) == 2
        assert joined & smallest


def assert_known(s: State, board: Board) -> bool:
    """The forest has the cycles, and they are joined; return whether to a tour."""
    cycles = naive_cycles(s, board)
    assert find_cycles(s) == len(cycles)
    if s.info[TOUR] == 1 and len(cycles) > 1:
        chosen = [e for e in s.log[: s.info[LOGGED]] if s.match[e]]
        ends = s.edge[chosen, FIRST : SECOND + 1].ravel().tolist()
        seeds = s.queue[: s.info[SEEDS]].tolist()
        full = len(ends) > board.cells  # then one is made for each cycle
        assert seeds == (sorted(map(min, cycles)) if full else ends)
    for c in range(board.cells):
        assert _on_cycle(s, np.int64(c)) == (c not in board.walls)
    for cells in cycles:
        assert_sound(s, cells)
        one, *others = sorted(cells)
        assert all(together(s, one, other) for other in [one, *others[:5]])
    for cells, other in pairwise(cycles):
        assert not together(s, min(cells), min(other))
    whole = join(s)
    assert whole == (len(naive_cycles(s, board)) == 1)
    if not whole:
        assert_joined(s, board)
    return whole


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["5:", "7:", "9:", "6x7@2,2>5,7:", "9x5!3,3;4,3:", "8x8@1,1>1,2:"]),
    st.lists(st.integers(0, 3), max_size=60),
)
@example(  # two cycles are left that no square joins
    "10x10@1,1>1,10!3,3;3,4;6,6;6,7:", [0, 0, 3, 2, 0, 0, 0, 2, 2, 1, 3, 2, 2, 2]
)
def test_the_forest_knows_the_cycles_along_a_walk(text: str, draws: list[int]) -> None:
    board = Board.parse(text.removesuffix(":"))
    p = Propagator(board, Rules.FOUR)
    s = p.state
    if p.refuted:
        return
    join(s)
    for draw in draws:
        here = p.walk[-1]
        moves = [int(c) for c in s.cell[here, NEAR : NEAR + 4] if c >= 0]
        moves = [c for c in moves if c not in p.walk]
        if not moves:
            break
        tour = s.match.copy()
        noted = s.info[TOUR] == 1 and s.info[LOGGED] == 0
        if not p.push(moves[draw % len(moves)]):
            p.pop()
            if noted:
                unlog(s)
                assert np.array_equal(s.match, tour)
            continue
        assert_known(s, board)


def test_squares_near_seeds_are_tried_ring_by_ring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy, tried = plain("solver.propagation.cycles"), list[int]()
    s = Propagator(Board(29, 31), Rules.TWO_FACTOR).state
    seeds = [14 * 31 + 15, 3, 28 * 31 + 30]
    s.info[SEEDS], s.queue[:3], end = 3, seeds, 0

    def joined(s: State, square: int) -> bool:
        assert s.info[CYCLES] == 2
        tried.append(square)
        s.info[CYCLES] -= len(tried) == end
        return len(tried) in (3, end)

    monkeypatch.setattr(copy, "_join_square", joined)
    rings: list[int] = []
    for ring in range(12):
        for row, col in (divmod(seed, 31) for seed in seeds):
            for square in range(28 * 31):
                down, right = square // 31 - row, square % 31 - col
                if max(down, -1 - down, right, -1 - right) == ring:
                    rings.append(square)
    rings = list(dict.fromkeys(rings))
    for end, expected in ((0, rings), (8, rings[:8])):
        s.info[[CYCLES, STAMP]] = 2, end
        tried.clear()
        copy._join_near(s)
        assert tried == expected


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["7:", "9:", "13:", "12@1,1>1,2:", "10@1,1>1,10!3,3;3,4;6,6;6,7:"]),
    st.integers(0, 2**32),
)
@example("7:", 3404)  # more exchanges than the queue of seeds holds
@example("12@1,1>1,2:", 256)  # as many as it holds
def test_the_forest_knows_the_cycles_of_any_decisions(text: str, seed: int) -> None:
    board, rng = Board.parse(text.removesuffix(":")), np.random.default_rng(seed)
    s = Propagator(board, Rules.TWO_FACTOR).state
    assert_known(s, board)
    for _ in range(12):
        left = np.flatnonzero(s.edge[:-1, STATE] == UNKNOWN)
        before, tour = int(s.info[TRAIL]), s.match.copy()
        noted = s.info[TOUR] == 1 and s.info[LOGGED] == 0
        good = True
        for e in rng.permutation(left)[: rng.integers(1, 5)].tolist():
            value = np.int64(rng.choice([IN, OUT]))
            good = good and decide(s, np.int64(e), value, np.int64(0))
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
