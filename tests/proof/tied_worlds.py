"""Worlds that rules about forced edges are asked in: boards of each scope, walked."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from heuristic.matching.tables import Ints, Tables, compile_rules
from heuristic.matching.walks import Drawn, ask, new_drawn, step_to
from heuristic.rules.drawing import RuleSpec
from solver.board import Board, Position
from solver.jit import njit
from solver.oracles.exact import exact_walk
from solver.positions import PositionTree, completable_positions
from tests.doubles.mutation import walked
from verify.proof.formula import Scope
from verify.verdict.scopes import boards_in

_WALKS = 12  # of one board, each rewired from the one before
_SMALL = 0.3  # of the boards: all their positions, with all completable moves

NARROW = (Scope.PLANAR, Scope.RIM, Scope.CORNERS)


def board_in(scope: Scope, board: Board) -> bool:
    """Tell whether a board is one that a scope speaks of."""
    ends = (board.start, board.end)
    rim = all((board.neighbours[cell] < 0).any() for cell in ends)
    if scope is Scope.CORNERS:
        return not board.walls and board.start + board.end == board.cells - 1
    return (scope.walled or not board.walls) and (rim or scope is Scope.PLAIN)


def _carved(board: Board, walk: Sequence[int], rng: random.Random) -> Board:
    """Return the board with walls where the walk has shortcuts, and beyond new ends.

    The new ends lie on the rim again.
    """
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
    for board in boards_in(plain, rows, cols, rng, most=1):
        first = _walk(board, rng)
        if not first.complete:
            continue
        if scope is not plain:
            board = _carved(board, first.walk, rng)
        some = [_walk(board, rng).walk for _ in range(_WALKS)]
        yield walked(board, np.array(some, dtype=np.int32))


def _walk(board: Board, rng: random.Random) -> Position:
    return exact_walk(board, rng.randrange(1 << 30)).position


def _small(scope: Scope, rng: random.Random) -> Iterator[PositionTree]:
    rows, cols = rng.randint(3, 6), rng.randint(3, 7)
    if rows * cols <= (20 if scope.walled else 30):
        for board in boards_in(scope, rows, cols, rng, most=1):
            tree = completable_positions(board)
            if len(tree) > 1:
                yield tree


def worlds_of(scope: Scope, seed: int | str) -> Iterator[PositionTree]:
    """Yield positions of boards of a scope with moves known to be completable.

    By lot all positions of a small board, with all such moves, or those along random
    walks of a larger one, each with its next step. Larger boards have their ends on the
    rim in `PLAIN` too.
    """
    rng = random.Random(seed)
    while True:
        yield from (_small if rng.random() < _SMALL else _large)(scope, rng)


@njit
def _count(
    drawn: Drawn,
    tree: tuple[npt.NDArray[np.int16], Ints, npt.NDArray[np.uint8]],
    walk: Ints,
    fired: npt.NDArray[np.int64],
    wrong: npt.NDArray[np.int64],
) -> None:
    """Kernel of `tried`."""
    depths, cells, good = tree
    length, masks = 0, drawn.masks
    for i in range(len(depths)):
        length = step_to(drawn, walk, length, depths[i], cells[i])
        if ask(drawn, walk, length):
            for rule in range(len(masks)):
                if masks[rule]:
                    fired[rule] += 1
                    if masks[rule] & good[i]:
                        wrong[rule] = i


def tried(
    rules: Sequence[RuleSpec] | Tables, tree: PositionTree
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how often each rule fires, and a position where it is wrong, or -1."""
    side = max(tree.board.rows, tree.board.cols)
    tables = rules if isinstance(rules, Tables) else compile_rules(rules, side)
    fired = np.zeros(len(tables.rules), dtype=np.int64)
    wrong = np.full(len(tables.rules), -1, dtype=np.int64)
    drawn = new_drawn(tables, tree.board)
    walk = np.zeros(tree.board.cells, dtype=np.int32)
    _count(drawn, (tree.depth, tree.cell, tree.good), walk, fired, wrong)
    return fired, wrong
