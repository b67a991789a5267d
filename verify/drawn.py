"""Completable positions drawn at random, with the truth about their moves."""

from collections.abc import Iterator

import numpy as np

from solver.board import Board, Position
from solver.errors import NoWalkError, OptionError
from solver.oracle import Oracle, Verdict, decide_moves


def drawn_positions(
    board: Board, count: int, *, seed: int, oracle: Oracle
) -> Iterator[tuple[Position, str]]:
    """Yield `count` completable positions along random walks, with their good moves.

    A walk chooses uniformly among the completable moves, so it never gets stuck; its
    positions come in order, and a new walk begins when one is complete. Positions of
    one walk are not independent of each other; walks are.

    Raises
    ------
    NoWalkError
        If the board has no Hamiltonian walk.
    OptionError
        If the oracle does not know one of the verdicts within its limit.
    """
    rng = np.random.default_rng(seed % 2**64)
    left = count
    while left > 0:
        position = Position(board)
        if oracle.decide(position).verdict is Verdict.DEAD:
            raise NoWalkError(board.notation)
        while left > 0:
            answers = decide_moves(oracle, position)
            unknown = [m for m, a in answers.items() if a.verdict is Verdict.UNKNOWN]
            if unknown:
                raise OptionError(
                    f"oracle {oracle.name!r} does not know move {unknown[0]} of "
                    f"{position.notation} within its limit"
                )
            good = [m for m, a in answers.items() if a.verdict is Verdict.COMPLETABLE]
            yield position, "".join(good)
            left -= 1
            if not good:
                break
            position = position.step(good[int(rng.integers(len(good)))])
