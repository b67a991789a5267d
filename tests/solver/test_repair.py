"""Exact walks against those of any oracle; the repair of a witness step by step."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.board import Board, Position, Walk
from solver.errors import OptionError
from solver.oracles.exact import exact_walk, oracle_walk, repairable
from solver.oracles.oracle import Verdict, get_oracle
from solver.solid import repair, strips
from solver.solid.factor import KEY, Solid
from solver.solid.repair import WitnessWalker
from solver.solid.static import BROKEN, GIVEN_UP, MERGED, NEVER, PATH
from tests.doubles.plain import plain
from verify.strategies import boards

SEARCH, SAT = get_oracle("search"), get_oracle("sat")


def never_asked(walk: Walk) -> Walk | None:
    raise AssertionError(f"merging gave up after {len(walk)} cells")


def rim(rows: int, cols: int) -> st.SearchStrategy[Board]:
    """Return boards of a size without walls, with both ends on the rim."""
    cells = [
        cell
        for cell in range(rows * cols)
        if cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1)
    ]
    ends = st.lists(st.sampled_from(cells), min_size=2, max_size=2, unique=True)
    return ends.map(lambda pair: Board(rows, cols, pair[0], pair[1]))


SIDES = st.tuples(st.integers(1, 8), st.integers(2, 8))
ANY = boards(max_side=7, max_walls=3, corners=False)


@given(SIDES.flatmap(lambda sides: rim(*sides)) | ANY, st.integers(0, 2**64 - 1))
@example(Board.parse("15!4,4;4,5;9,8;10,8"), 3)
@example(Board.parse("13@1,1>7,7"), 4)
@settings(deadline=None, max_examples=80)
def test_exact_walks_are_those_of_any_oracle(board: Board, seed: int) -> None:
    fast, slow = exact_walk(board, seed), oracle_walk(board, seed, SAT)
    assert fast == slow
    assert fast.position.complete == (fast.verdict is Verdict.COMPLETABLE)


def test_an_oracle_that_gives_up_ends_the_walk() -> None:
    board = Board.parse("3x9@1,5>3,5")
    tired = get_oracle("search", limit=1)
    ends = {oracle_walk(board, seed, tired).verdict for seed in range(20)}
    assert Verdict.UNKNOWN in ends
    assert exact_walk(board, 0, limit=1).verdict in ends
    with pytest.raises(OptionError, match="limit is 0"):
        exact_walk(board, 1, limit=0)


@pytest.mark.parametrize(("side", "walks"), [(7, 30), (9, 20), (13, 8), (21, 3)])
def test_walks_are_those_of_search(side: int, walks: int) -> None:
    walker = WitnessWalker(Board.square(side), never_asked)
    for seed in range(walks):
        slow = oracle_walk(walker.board, seed, SEARCH)
        assert walker.walk(seed) == (slow.position.walk, PATH)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "walks"), [(7, 3000), (11, 500), (31, 40), (61, 25)])
def test_many_walks_are_those_of_search(side: int, walks: int) -> None:
    test_walks_are_those_of_search(side, walks)


def trace(s: Solid, begin: int) -> list[int]:
    """Return the cells of a component from one on, by the dark edges."""
    cells, before = [begin], -1
    while True:
        here = cells[-1]
        near = [here + int(s.step[d]) for d in range(4) if s.dark[here] >> d & 1]
        onward = [cell for cell in near if cell != before and cell != begin]
        if not onward or (len(cells) > 2 and begin in near and before != begin):
            return cells
        cells.append(onward[0])
        before = here


@pytest.mark.parametrize("seed", range(2))
def test_components_and_places_are_those_of_tracing(seed: int) -> None:
    # The steps of `_walk`, one by one, with a look at everything between them.
    walker = WitnessWalker(Board(9, 10, 0, 89), never_asked)
    s, info = walker.state, walker.state.info
    info[[KEY.steps, KEY.left, KEY.whole]] = 1, 89, 0
    repair._thread(s, 0, 90)
    rng, moves = np.random.default_rng(seed), np.zeros(4, dtype=np.int64)
    split = 0
    while info[KEY.left] > 0:
        repair._leave(s, moves)
        here, ahead = int(info[KEY.live]), int(info[KEY.next])
        options = [int(m) for m in moves[: info[KEY.drawn]]]
        for m in rng.permutation(options).tolist():
            if m == ahead:
                repair._enter(s, m)
                break
            if m == info[KEY.end] or not repair._shift_end(s, ahead, m):
                continue
            info[KEY.live] = m
            count = strips.find_components(s)
            left = set(np.flatnonzero(s.dark).tolist())
            parts = []
            while left:
                begin = m if m in left else min(left)
                parts.append(trace(s, begin))
                assert left >= set(parts[-1])
                left -= set(parts[-1])
            names = [{strips.part_of(s, c) for c in part} for part in parts]
            assert [len(name) for name in names] == [1] * count
            assert len(set.union(*names)) == count
            assert all(
                s.size[strips.part_of(s, part[0])] == len(part) for part in parts
            )
            split += count > 1
            info[KEY.live] = here
            if repair._repair(s, m) == MERGED:
                repair._enter(s, m)
                break
        path = trace(s, int(info[KEY.live]))
        places = [strips.witness_place(s, cell) for cell in path]
        first = int(info[KEY.steps]) - 1
        assert places == list(range(first, first + len(path)))
    assert split > 3


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_where_merging_gives_up_an_oracle_decides() -> None:
    copy = plain("solver.solid.repair")
    copy._turn = lambda s, p: GIVEN_UP  # type: ignore[attr-defined] # a module
    board = Board.square(7)
    questions = []

    def decide(walk: Walk) -> Walk | None:
        questions.append(walk)
        answer = SEARCH.decide(Position(board, walk))
        return answer.witness or ()

    walker = copy.WitnessWalker(board, decide)
    for seed in range(5):
        walk = exact_walk(board, seed).position.walk
        assert walker.walk(seed) == (walk, PATH)
    assert len(questions) > 20
    unknown = copy.WitnessWalker(board, lambda walk: None)
    assert unknown.walk(0)[1] == GIVEN_UP


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_contradiction_is_an_error_that_names_the_position() -> None:
    copy = plain("solver.solid.repair")
    copy._turn = lambda s, p: BROKEN  # type: ignore[attr-defined] # a module
    walker = copy.WitnessWalker(Board.square(7), never_asked)
    with pytest.raises(AssertionError, match=r"strips fails at 7:[URDL]+$"):
        walker.walk(0)


def test_boards_that_are_not_repairable() -> None:
    assert repairable(Board.parse("4x7@1,1>4,7"))
    for text in ("5!3,3;3,4", "5@3,3>1,1", "5@1,1>3,3", "4", "5@1,2>5,5", "1x1"):
        assert not repairable(Board.parse(text))
    dead = WitnessWalker(Board.parse("2x3@1,2>2,2"), never_asked)
    assert dead.walk(0) == ((1,), NEVER)
