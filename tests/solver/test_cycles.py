"""The forest of cycles and the components against slow doubles."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board
from solver.propagation.cycles import find_cycles, join, together, unlog
from solver.propagation.propagate import Propagator, Rules
from solver.propagation.state import EDGE, LOGGED, NEAR, TOUR, State


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


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["5:", "7:", "9:", "6x7@2,2>5,7:", "9x5!3,3;4,3:", "8x8@1,1>1,2:"]),
    st.lists(st.integers(0, 3), max_size=60),
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
        cycles = naive_cycles(s, board)
        assert find_cycles(s) == len(cycles)
        for cells in cycles:
            one, *others = sorted(cells)
            assert all(together(s, one, other) for other in others[:5])
        for cells, other in pairwise(cycles):
            assert not together(s, min(cells), min(other))
        assert join(s) == (len(naive_cycles(s, board)) == 1)
