"""Completable positions drawn at random, with the truth about their moves."""

from collections.abc import Iterator

import numpy as np

from solver.board import Board, Position
from solver.counting.uniform import UniformWalks
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import Oracle, Verdict, decide_moves


def sampled_positions(
    board: Board, count: int, *, seed: int, oracle: Oracle, uniform: bool = False
) -> Iterator[tuple[Position, str]]:
    """Yield `count` completable positions along random walks, with their good moves.

    A walk never gets stuck; its positions come in order, and a new walk begins when one
    is complete. Positions of one walk are not independent of each other; walks are.

    Parameters
    ----------
    board : Board
    count, seed : int
    oracle : Oracle
        Says which moves are good.
    uniform : bool
        Whether all walks of the board are drawn with the same probability, see
        `solver.counting.uniform.UniformWalks` for what that costs; if not, a walk
        chooses uniformly among the completable moves of each step.

    Raises
    ------
    NoWalkError
        If the board has no Hamiltonian walk.
    OptionError
        If the oracle does not know one of the verdicts within its limit.
    """
    rng = np.random.default_rng(seed % 2**64)
    walks = UniformWalks(board, seed=seed) if uniform else None
    left = count
    while left > 0:
        position = Position(board)
        moves = walks.draw().moves if walks else ""
        if not walks and oracle.decide(position).verdict is Verdict.DEAD:
            raise NoWalkError(board.notation)
        while left > 0:
            good = _good_moves(position, oracle)
            yield position, good
            left -= 1
            if not good:
                break
            step = len(position.walk) - 1
            move = moves[step] if walks else good[int(rng.integers(len(good)))]
            position = position.step(move)


def blocks(count: int, size: int, seed: int) -> list[tuple[int, int]]:
    """Cut so many positions into blocks that are drawn apart: how many, by which seed.

    The first block is drawn by the seed itself, so fewer positions are the same ones.

    >>> [many for many, _ in blocks(25, 10, 3)], blocks(25, 10, 3)[0]
    ([10, 10, 5], (10, 3))
    """
    found = []
    for block, first in enumerate(range(0, count, size)):
        mixed = np.random.SeedSequence([seed, block]).generate_state(1, np.uint64)
        drawn_by = int(mixed[0]) >> 1 if block else seed
        found.append((min(size, count - first), drawn_by))
    return found


def _good_moves(position: Position, oracle: Oracle) -> str:
    answers = decide_moves(oracle, position)
    unknown = [m for m, a in answers.items() if a.verdict is Verdict.UNKNOWN]
    if unknown:
        raise OptionError(
            f"oracle {oracle.name!r} does not know move {unknown[0]} of "
            f"{position.notation} within its limit"
        )
    return "".join(
        move for move, a in answers.items() if a.verdict is Verdict.COMPLETABLE
    )
