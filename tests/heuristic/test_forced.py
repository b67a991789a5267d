"""The kernel of forced edges says what arguments say, and never runs wild."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given, settings

from heuristic.matching import forced
from heuristic.matching.forced import forced_lines, new_lines
from heuristic.matching.pattern import board_numbers, new_order
from solver.board import LETTERS, Board, Position
from solver.jit import plain
from solver.oracles.exact import exact_walk
from tests.naive_forced import forced_edges, mates_of
from verify.strategies import positions

BOARDS = [
    Board.square(5),
    Board.square(7),
    Board.square(11),
    Board.parse("6x7@2,1>5,6!3,4;4,4"),
    Board.parse("5x6@3,3>1,1!2,5"),
    Board.parse("1x6@1,1>1,6"),
    Board.parse("2x5@1,1>2,1"),
    Board.parse("6x1@1,1>6,1"),
]


def random_positions(board: Board, seed: int, walks: int) -> list[Position]:
    """Return every position of walks that step where they can, dead ones too."""
    rng, found = Random(seed), []
    for _ in range(walks):
        position = Position(board)
        while True:
            found.append(position)
            options = position.options()
            if not options or position.live_end == board.end:
                break
            position = position.step(rng.choice(sorted(options)))
    return found


def said(
    position: Position, module: object = forced
) -> tuple[bool, set[tuple[int, int]], set[frozenset[int]]]:
    """Return what the kernel says: alive, forced edges, pairs of open ends."""
    board = position.board
    lines = new_lines(board.cells)
    for array in lines:
        array[:] = 7  # nobody clears them
    alive = module.fill_lines(  # type: ignore[attr-defined] # a module
        new_order(board, position.walk), board_numbers(board), position.live_end, lines
    )
    ends = set()
    edges = set()
    for cell in range(board.cells):
        for d in range(4):
            if lines.ways[cell] >> d & 1:
                other = int(board.neighbours[cell][d])
                assert lines.ways[other] >> (d ^ 2) & 1
                edges.add((min(cell, other), max(cell, other)))
        mate = int(lines.mates[cell])
        if mate >= 0:
            assert lines.mates[mate] == cell != mate
            ends.add(frozenset((cell, mate)))
    return bool(alive), edges, ends


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_the_kernel_says_what_arguments_say(board: Board) -> None:
    alive = lines = 0
    for position in random_positions(board, seed=1, walks=12):
        if position.live_end == board.end:
            continue
        slow, fast = forced_edges(position), said(position)
        assert fast[0] == (slow is not None)
        if slow is not None:
            assert fast[1:] == (slow, mates_of(position, slow))
            alive, lines = alive + 1, lines + bool(fast[2])
    assert alive > 3
    assert lines > 3 or min(board.rows, board.cols) < 3


@settings(deadline=None, max_examples=150)
@given(positions())
def test_any_position_has_what_arguments_say(position: Position) -> None:
    assume(position.live_end != position.board.end)
    slow, (alive, edges, ends) = forced_edges(position), said(position)
    assert alive == (slow is not None)
    assert (edges, ends) == (slow or set(), mates_of(position, slow or set()))


@pytest.mark.parametrize("side", [7, 9, 21])
def test_completable_positions_have_what_their_walk_has(side: int) -> None:
    whole = exact_walk(Board.square(side), side).position
    last = None
    for steps in range(0, len(whole.walk), 1 if side < 21 else 20):
        position = whole.back(steps)
        steps_ahead = whole.walk[len(position.walk) - 1 :]
        ahead = {(min(e), max(e)) for e in pairwise(steps_ahead)}
        alive, edges, ends = said(position)
        assert alive or not steps
        assert edges <= ahead
        if steps:
            slow = forced_edges(position)
            assert slow is not None
            assert (edges, ends) == (slow, mates_of(position, slow))
        last = edges
    assert last is not None
    assert last  # the corners of the board


def test_walks_through_the_end_cell_force_nothing() -> None:
    position = Position.parse("3x4@1,1>1,3:RRR")
    assert said(position) == (False, set(), set())
    assert said(Position.parse("2x2@1,1>2,1:RDL")) == (False, set(), set())


def test_the_plain_kernel_says_the_same() -> None:
    module = plain("heuristic.matching.forced")
    for board in BOARDS[3:]:
        for position in random_positions(board, seed=5, walks=3):
            assert said(position, module) == said(position)


def test_a_position_by_hand() -> None:
    # the two lower cells of the right column are a line with the corner
    position = Position.parse("3x4@1,1>1,4:DD")
    ways, mates = forced_lines(
        new_order(position.board, position.walk),
        board_numbers(position.board),
        position.live_end,
    )
    letters = [
        "".join(LETTERS[d] for d in range(4) if ways[c] >> d & 1) for c in range(12)
    ]
    assert letters[position.board.cell(1, 2)] == "RD"
    assert letters[position.board.cell(3, 4)] == "UL"
    pairs = {(c, int(m)) for c, m in enumerate(mates) if m > c}
    assert pairs == {
        (
            min(position.board.cell(1, 3), position.board.cell(2, 2)),
            max(position.board.cell(1, 3), position.board.cell(2, 2)),
        ),
        (position.board.cell(2, 4), position.board.cell(3, 3)),
    }
