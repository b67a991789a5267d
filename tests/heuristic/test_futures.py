from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heuristic.future import FutureLines
from heuristic.rules.drawing import INFERENCES, inference_bits
from solver.board import Board, Position
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.futures import NaiveLines

pytestmark = pytest.mark.plain


def contradictions(tree: PositionTree, bits: int = 511) -> list[int]:
    """Return the completable positions whose last step contradicts the lines."""
    known, found = FutureLines(tree.board, bits), []
    length = 1
    pairs = zip(tree.depth.tolist(), tree.cell.tolist(), strict=True)
    for number, (depth, cell) in enumerate(pairs):
        while length > max(depth, 1):
            known.pop()
            length -= 1
        if depth:
            if not known.push(cell):
                found.append(number)
            length += 1
    return found


def steps(board: Board, seed: int, back: float) -> list[int]:
    """Return a random walk with steps back in it, -1 a step back."""
    rng, walk, told = Random(seed), [board.start], []
    for _ in range(3 * board.cells):
        near = board.neighbours[walk[-1]].tolist()
        free = [c for c in near if c >= 0 and c not in walk]
        if not free or (len(walk) > 1 and rng.random() < back):
            if len(walk) == 1:
                break
            walk.pop()
            told.append(-1)
        else:
            # mostly along what is there, as walks go that leave pockets behind
            walk.append(rng.choice(free))
            told.append(walk[-1])
    return told


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["5", "6x7", "7", "9", "7@1,2>7,6", "6x8!3,3;4,5", "5x7@3,1>3,7"]),
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.2, 0.45]),
    st.one_of(st.just(INFERENCES), st.sets(st.sampled_from(INFERENCES), min_size=1)),
)
def test_lines_are_those_of_the_naive_double(
    text: str, seed: int, back: float, names: object
) -> None:
    board = Board.parse(text)
    chosen = tuple(n for n in INFERENCES if n in names)  # type: ignore[operator] # a tuple
    fast = FutureLines(board, inference_bits(chosen))
    slow = NaiveLines(board, chosen)
    for cell in steps(board, seed, back):
        if cell < 0:
            fast.pop()
            slow.pop()
        else:
            assert fast.push(cell) == slow.push(cell)
        assert fast.contradicted == slow.contradicted
        assert set(fast.lines()) == slow.lines()


def test_lines_depend_on_the_walk_not_on_the_cells_alone() -> None:
    first = Position.parse("5:DDRRDLLDRRRUU")
    second = Position.parse("5:DDDDRRRULLURR")
    assert set(first.walk) == set(second.walk)
    assert first.live_end == second.live_end
    known = []
    for position in (first, second):
        lines = FutureLines(position.board)
        for cell in position.walk[1:]:
            lines.push(cell)
        known.append({frozenset(edge) for edge in lines.edges()})
    assert [len(edges) for edges in known] == [11, 10]


def test_every_line_is_in_every_completion_of_5x5() -> None:
    assert not contradictions(completable_positions(Board.square(5)))


@pytest.mark.slow
@pytest.mark.parametrize("off", [None, *INFERENCES])
def test_every_line_is_in_every_completion_of_7x7(off: str | None) -> None:
    names = tuple(name for name in INFERENCES if name != off)
    tree = completable_positions(Board.square(7))
    assert not contradictions(tree, inference_bits(names))


@pytest.mark.slow
@pytest.mark.parametrize("side", [9, 11, 13, 21])
def test_every_line_is_in_the_completions_of_larger_boards(side: int) -> None:
    board, done = Board.square(side), 0
    for seed in range(100_000):
        walk = exact_walk(board, seed).position.walk
        known = FutureLines(board)
        for cell in walk[1:]:
            known.push(cell)
        assert not known.contradicted, Position(board, walk).notation
        done += len(walk)
        if done > 100_000:
            break
