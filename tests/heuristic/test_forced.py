"""Forced edges and dead steps: the kernel against slow doubles."""

from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import assume, given, settings

from heuristic.matching.forced import (
    areas_of,
    fill_lines,
    follow_step,
    is_dead,
    new_lines,
)
from heuristic.matching.pattern import new_order
from solver.board import Board, Cell, Position
from solver.oracles.exact import exact_walk
from tests.doubles import forced as naive_forced
from tests.doubles.forced import forced_edges, mates_of
from verify.strategies import positions as any_position

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
    """Return every position of random walks, dead positions too."""
    rng, positions = Random(seed), list[Position]()
    for _ in range(walks):
        position = Position(board)
        while True:
            positions.append(position)
            options = position.options()
            if not options or position.live_end == board.end:
                break
            position = position.step(rng.choice(sorted(options)))
    return positions


def numbers_of(board: Board) -> tuple[int, int, int]:
    """Return (rows, cols, end), as kernels take a board."""
    return board.rows, board.cols, board.end


def by_kernel(
    position: Position,
) -> tuple[bool, set[tuple[int, int]], set[frozenset[int]]]:
    """Return the kernel's answer: alive, forced edges, pairs of open ends."""
    board = position.board
    lines = new_lines(board.cells)
    for array in lines:
        array[:] = 7  # the kernel must overwrite them
    alive = fill_lines(
        new_order(board, position.walk), numbers_of(board), position.live_end, lines
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
        assert mate >= -1
        if mate >= 0:
            assert lines.mates[mate] == cell != mate
            ends.add(frozenset((cell, mate)))
    return bool(alive), edges, ends


@settings(deadline=None, max_examples=60)
@given(any_position())
def test_any_position_has_the_forced_edges_of_the_double(position: Position) -> None:
    assume(position.live_end != position.board.end)
    slow, (alive, edges, ends) = forced_edges(position), by_kernel(position)
    assert alive == (slow is not None)
    assert (edges, ends) == (slow or set(), mates_of(position, slow or set()))


@pytest.mark.parametrize("side", [7, 9, 21])
def test_forced_edges_are_those_of_the_walk_ahead(side: int) -> None:
    whole = exact_walk(Board.square(side), side).position
    for steps in range(1, len(whole.walk), side):
        position = whole.back(steps)
        ahead = [tuple(sorted(e)) for e in pairwise(whole.walk[-steps - 1 :])]
        alive, edges, ends = by_kernel(position)
        slow = forced_edges(position)
        assert alive
        assert slow is not None
        assert slow <= {*ahead}
        assert (edges, ends) == (slow, mates_of(position, slow))
        assert not followed(position, whole.walk[-steps], pieces(position)[:30])
    assert edges  # the corners of the board


def test_walks_through_the_end_cell_force_nothing() -> None:
    position = Position.parse("3x4@1,1>1,3:RRR")
    assert by_kernel(position) == (False, set(), set())
    assert by_kernel(Position.parse("2x2@1,1>2,1:RDL")) == (False, set(), set())


def followed(position: Position, target: Cell, areas: list[set[Cell]]) -> bool:
    """Return whether a step is dead by the kernel."""
    board = position.board
    lines, work = new_lines(board.cells), new_lines(board.cells)
    for array in (*lines, *work):
        array[:] = 7  # the kernel must overwrite them
    order, numbers = new_order(board, position.walk), numbers_of(board)
    laid = areas_of(numbers, target, areas)
    left = follow_step(order, numbers, target, lines)
    return bool(is_dead(lines, work, numbers, target, left, laid, len(areas)))


def pieces(position: Position, most: int = 11) -> list[set[Cell]]:
    """Return what straight lines of free cells cut off from the end, lines and all."""
    board, areas = position.board, list[set[Cell]]()
    free = {c for c in range(board.cells) if position.free[c]} - {board.end}
    for first, d in product(sorted(free), (1, 2)):
        line, ahead = [first], int(board.neighbours[first][d])
        while ahead in free:
            line.append(ahead)
            ahead = int(board.neighbours[ahead][d])
        if len(line) > 5 or int(board.neighbours[first][d ^ 2]) in free:
            continue
        for side in (d - 1, d + 1):
            left = (free | {board.end}).difference(line)
            piece = set(line)
            new = left & {int(board.neighbours[first][side])}
            while new:
                piece |= new
                left -= new
                new = {n for c in new for n in board.neighbours[c].tolist()} & left
            doors = [n for c in line for n in board.neighbours[c].tolist() if n in left]
            if len(piece) > len(line) and board.end not in piece and len(doors) <= most:
                areas.append(piece)
    return areas


# Positions of 13 x 13 with a step that a count of one area alone shows dead.
COUNTED = (
    "DRURRDLDRDDDRDRD",
    "DDRUURRRRDDDRDR",
    "DRURDRURDDDDLLDLUURRULLLDDDDRRDRDRRULULURRDRD",
    "DDDRRRRDRDRDDDRR",
)


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_the_kernel_forces_and_follows_as_the_double_does(board: Board) -> None:
    rng, alive, lines, dead_steps = Random(2), 0, 0, 0
    for position in random_positions(
        board, seed=9, walks=12 if board.cells < 99 else 4
    ):
        if position.live_end == board.end:
            continue
        slow, fast = forced_edges(position), by_kernel(position)
        assert fast[0] == (slow is not None)
        if slow is not None:
            assert fast[1:] == (slow, mates_of(position, slow))
            alive, lines = alive + 1, lines + bool(fast[2])
        for move, target in position.options().items():
            every = pieces(position)
            areas = rng.sample(every, min(len(every), rng.randrange(4)))
            dead = followed(position, target, areas)
            assert dead == naive_forced.is_dead(position, move, areas), position
            dead_steps += dead
    assert alive > 3
    assert min(lines, dead_steps) > 3 or min(board.rows, board.cols) < 3


@pytest.mark.parametrize("moves", COUNTED)
def test_areas_decide_as_in_the_double(moves: str) -> None:
    position, by_areas = Position.parse(f"13:{moves}"), 0
    for move, target in position.options().items():
        for area in pieces(position):
            dead = followed(position, target, [area])
            assert dead == naive_forced.is_dead(position, move, [area])
            by_areas += dead and not followed(position, target, [])
    assert by_areas
