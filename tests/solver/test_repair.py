"""The exact walker that repairs its witness, against other oracles and slow doubles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board import Board, Position, Walk
from solver.errors import BoardError
from solver.oracles.exact import exact_walk, oracle_walk
from solver.oracles.oracle import Verdict, get_oracle
from solver.solid import repair, witness
from solver.solid.repair import FULL, WitnessWalker, repairable
from solver.solid.strips import BROKEN, GIVEN_UP, MERGED, NEVER
from solver.splitmix import seeded, shuffle
from tests.doubles.plain import plain

SEARCH, SAT = get_oracle("search"), get_oracle("sat")


def never_asked(walk: Walk) -> Walk | None:
    raise AssertionError(f"merging gave up after {len(walk)} cells")


def paths(board: Board) -> list[Walk]:
    """Return all Hamiltonian paths, by trying everything."""
    found: list[Walk] = []

    def go(walk: list[int]) -> None:
        if len(walk) == board.cells:
            if walk[-1] == board.end:
                found.append(tuple(walk))
            return
        for cell in board.neighbours[walk[-1]].tolist():
            if cell >= 0 and cell not in walk:
                go([*walk, cell])

    go([board.start])
    return found


def draw(board: Board, alive: set[Walk], seed: int) -> Walk:
    """Walk uniformly among the moves that some path makes."""
    rng, moves = seeded(seed), np.zeros(4, dtype=np.int64)
    walk: Walk = (board.start,)
    while len(walk) < board.cells:
        near = [c for c in board.neighbours[walk[-1]].tolist() if c >= 0]
        near = [c for c in near if c not in walk]
        moves[: len(near)] = near
        shuffle(rng, moves, len(near))
        order = moves[: len(near)].tolist()
        walk = (*walk, next(c for c in order if (*walk, c) in alive))
    return walk


@pytest.mark.parametrize(
    "text", ["5", "4x5@1,2>4,4", "6x3@1,1>6,3", "5x4@3,1>1,2", "4@1,1>1,2", "2x6"]
)
def test_every_position_offers_its_completable_moves(text: str) -> None:
    board = Board.parse(text)
    complete = paths(board)
    alive = {path[:i] for path in complete for i in range(1, len(path) + 1)}
    seen: set[Walk] = set()
    for seed in range(30 * len(complete) if complete else 0):
        walk = exact_walk(board, seed).position.walk
        assert walk == draw(board, alive, seed)
        seen |= {walk[:i] for i in range(1, len(walk) + 1)}
    assert seen == alive
    if not complete:
        assert exact_walk(board, 0).verdict is Verdict.DEAD


@given(st.integers(1, 8), st.integers(1, 8), st.data())
@settings(deadline=None, max_examples=120)
def test_rectangles_with_both_ends_on_the_rim(
    rows: int, cols: int, data: st.DataObject
) -> None:
    rim = [
        cell
        for cell in range(rows * cols)
        if cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1)
    ]
    start = data.draw(st.sampled_from(rim))
    end = data.draw(st.sampled_from([cell for cell in rim if cell != start] or [start]))
    board = Board(rows, cols, start, end)
    seed = data.draw(st.integers(0, 2**64 - 1))
    fast, slow = exact_walk(board, seed), oracle_walk(board, seed, SAT)
    assert fast.position == slow.position
    assert fast.verdict is slow.verdict


@pytest.mark.parametrize(("side", "walks"), [(7, 60), (9, 40), (13, 20), (21, 6)])
def test_walks_are_those_of_search(side: int, walks: int) -> None:
    walker = WitnessWalker(Board.square(side), never_asked)
    counts = np.zeros(4, dtype=np.int64)
    for seed in range(walks):
        assert walker.go(seed, counts) == FULL
        assert walker.walk == oracle_walk(walker.board, seed, SEARCH).position.walk
    assert min(counts[:3]) > 0  # free, refuted, repaired


@pytest.mark.slow
@pytest.mark.parametrize(("side", "walks"), [(7, 3000), (11, 500), (31, 40), (61, 25)])
def test_many_walks_are_those_of_search(side: int, walks: int) -> None:
    test_walks_are_those_of_search(side, walks)


def trace(w: witness.Witness, begin: int) -> list[int]:
    """Return the cells of a component from one on, by the dark edges."""
    cells, before = [begin], -1
    while True:
        here = cells[-1]
        near = [here + int(w.step[d]) for d in range(4) if w.dark[here] >> d & 1]
        onward = [cell for cell in near if cell != before and cell != begin]
        if not onward or (len(cells) > 2 and begin in near and before != begin):
            return cells
        cells.append(onward[0])
        before = here


@pytest.mark.parametrize("seed", range(4))
def test_components_and_places_are_those_of_tracing(seed: int) -> None:
    # The steps of `_walk`, one by one, with a look at everything between them.
    walker = WitnessWalker(Board(9, 10, 0, 89), never_asked)
    w, info = walker.state, walker.state.info
    w.near[:], w.dark[:] = walker._first
    witness.thread(w, 0, 90)
    rng, moves = np.random.default_rng(seed), np.zeros(4, dtype=np.int64)
    split = 0
    while info[witness.LEFT] > 0:
        repair._leave(w, moves)
        here, ahead = int(info[witness.LIVE]), int(info[witness.NEXT])
        options = [int(m) for m in moves[: info[witness.DRAWN]]]
        for m in rng.permutation(options).tolist():
            if m == ahead:
                repair.enter(w, m)
                break
            if m == info[witness.END] or not repair._shift_end(w, ahead, m):
                continue
            info[witness.LIVE] = m
            count = witness.components(w)
            left = set(np.flatnonzero(w.dark).tolist())
            parts = []
            while left:
                begin = m if m in left else min(left)
                parts.append(trace(w, begin))
                assert left >= set(parts[-1])
                left -= set(parts[-1])
            names = [{witness.part_of(w, c) for c in part} for part in parts]
            assert [len(name) for name in names] == [1] * count
            assert len(set.union(*names)) == count
            assert all(
                w.size[witness.part_of(w, part[0])] == len(part) for part in parts
            )
            split += count > 1
            info[witness.LIVE] = here
            if repair._repair(w, m) == MERGED:
                repair.enter(w, m)
                break
        path = trace(w, int(info[witness.LIVE]))
        places = [witness.place_of(w, cell) for cell in path]
        first = int(info[witness.STEPS]) - 1
        assert places == list(range(first, first + len(path)))
    assert split > 3


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_where_merging_gives_up_an_oracle_decides() -> None:
    copy = plain("solver.solid.repair")
    copy._turn = lambda w, p: GIVEN_UP  # type: ignore[attr-defined] # a module
    board = Board.square(7)
    asked = []

    def decide(walk: Walk) -> Walk | None:
        asked.append(walk)
        answer = SEARCH.decide(Position(board, walk))
        return answer.witness or ()

    walker = copy.WitnessWalker(board, decide)
    for seed in range(5):
        counts = np.zeros(4, dtype=np.int64)
        assert walker.go(seed, counts) == FULL
        assert walker.walk == exact_walk(board, seed).position.walk
        assert counts[0] + counts[2] - counts[3] == 48
    assert len(asked) > 20
    unknown = copy.WitnessWalker(board, lambda walk: None)
    assert unknown.go(0, np.zeros(4, dtype=np.int64)) == GIVEN_UP


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_contradiction_is_an_error_that_names_the_position() -> None:
    copy = plain("solver.solid.repair")
    copy._turn = lambda w, p: BROKEN  # type: ignore[attr-defined] # a module
    walker = copy.WitnessWalker(Board.square(7), never_asked)
    with pytest.raises(AssertionError, match=r"strips fails at 7:[URDL]+$"):
        walker.go(0, np.zeros(4, dtype=np.int64))


def test_boards_that_are_not_repairable() -> None:
    assert repairable(Board.parse("4x7@1,1>4,7"))
    for text in ("5!3,3;3,4", "5@3,3>1,1", "5@1,1>3,3", "4", "5@1,2>5,5", "1x1"):
        assert not repairable(Board.parse(text))
    with pytest.raises(BoardError, match="has walls"):
        WitnessWalker(Board.parse("3x4@1,2>3,2"), lambda walk: ())
    dead = WitnessWalker(Board.parse("2x3@1,2>2,2"), lambda walk: ())
    assert dead.go(0, np.zeros(4, dtype=np.int64)) == NEVER
    assert dead.walk == (1,)
