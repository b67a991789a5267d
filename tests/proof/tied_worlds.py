"""Worlds that rules about forced edges are asked in: boards of each scope, walked."""

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from heuristic.rule import RuleSet
from solver.board import Board
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.mutation import complete_walks, walked
from verify.proof.formula import Scope
from verify.verdict.verdict import boards_in

Longs: TypeAlias = npt.NDArray[np.int64]

_WALKS = 12  # of one board, each rewired from the one before
_SMALL = 0.3  # of the boards: all their positions, with all completable moves

NARROW = (Scope.PLANAR, Scope.RIM, Scope.CORNERS)


def board_in(scope: Scope, board: Board) -> bool:
    """Return whether a board is one that a scope speaks of."""
    ends = board.start, board.end
    rim = all((board.neighbours[cell] < 0).any() for cell in ends)
    last = board.cells - 1
    corners = {0, board.cols - 1, last + 1 - board.cols, last}
    if scope is Scope.CORNERS and (sum(ends) != last or corners.isdisjoint(ends)):
        return False
    return (scope.walled or not board.walls) and (rim or scope is Scope.PLAIN)


def _carved(board: Board, walk: Sequence[int], rng: random.Random) -> Board:
    """Return the board with walls at shortcuts of the walk, and new ends on the rim."""
    rim = [i for i, at in enumerate(walk) if (board.neighbours[at] < 0).any()]
    first = rng.choice([i for i in rim if i <= len(walk) // 4])
    last = rng.choice([i for i in rim if i >= 3 * len(walk) // 4])
    left, i = list(walk[first : last + 1]), 0
    while i + 3 < len(left):
        if left[i + 3] in board.neighbours[left[i]] and rng.random() < 0.15:
            del left[i + 1 : i + 3]
        i += 1
    walls = tuple(sorted({*range(board.cells)}.difference(left)))
    return Board(board.rows, board.cols, left[0], left[-1], walls)


def _large(scope: Scope, rng: random.Random) -> Iterator[PositionTree]:
    plain = scope if scope is Scope.CORNERS else Scope.RIM
    rows, cols = rng.randint(5, 11), rng.randint(5, 11)
    for board in boards_in(plain, rows, cols, rng, 1):
        first = exact_walk(board, rng.randrange(1 << 30)).position
        if first.complete:
            if scope is not plain:
                board = _carved(board, first.walk, rng)
            yield walked(board, complete_walks(board, _WALKS, rng.randrange(1 << 30)))


def _small(scope: Scope, rng: random.Random) -> Iterator[PositionTree]:
    rows, cols = rng.randint(3, 6), rng.randint(3, 7)
    if rows * cols <= (20 if scope.walled else 30):
        for board in boards_in(scope, rows, cols, rng, 1):
            tree = completable_positions(board)
            if len(tree) > 1:
                yield tree


def worlds_of(scope: Scope, seed: int | str) -> Iterator[PositionTree]:
    """Yield positions of boards of a scope with moves known to be completable.

    All positions of a small board, with all such moves, or those along random walks of
    a larger one, each with its next step.
    """
    rng = random.Random(seed)
    while True:
        yield from (_small if rng.random() < _SMALL else _large)(scope, rng)


def tried(rules: RuleSet, tree: PositionTree) -> tuple[Longs, Longs]:
    """Return how often each rule fires, and how often it is wrong."""
    fired, wrong = np.zeros((2, len(rules.rules)), dtype=np.int64)
    for part in rules.walker(tree.board).tree(tree):
        fired += np.count_nonzero(part.masks, axis=0)
        wrong += np.count_nonzero(part.masks & part.good[:, None], axis=0)
    return fired, wrong
