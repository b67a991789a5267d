"""How far walking is from drawing: the bias of choosing step by step.

A walk that chooses uniformly among the completable moves of each step has probability
1 / (c1 c2 ...), where c counts the completable moves on its way; drawn uniformly it has
1 / count. The *distance* of the two is the largest difference that they give any set of
walks: the mean, over walks drawn uniformly, of 1 - count / (c1 c2 ...) where that is
above 0. It lies between 0, alike, and 1, on different walks.
"""

from dataclasses import dataclass
from math import log2, prod, sqrt

from solver.board import Board, Position
from solver.counting.uniform import UniformWalks
from solver.oracles.oracle import Oracle, Verdict, get_oracle

_Z = 1.96  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class Bias:
    """The distance of walking from drawing.

    Attributes
    ----------
    distance : float
        Of all walks, or the mean of those drawn.
    error : float
        Half the 95 % interval of the distance; 0 if it is exact.
    bits : float
        The mean, over walks drawn uniformly, of log2 of how much less likely walking
        makes a walk.
    walks : int
        All, or those drawn.
    """

    distance: float
    error: float
    bits: float
    walks: int


def exact_bias(board: Board) -> Bias:
    """Return the distance from all walks of a board: up to 7 x 7, which takes 10 s.

    >>> round(exact_bias(Board.square(5)).distance, 4)
    0.2869
    """
    walks = UniformWalks(board, seed=0)
    moves = [walks.completion(number).moves for number in range(walks.count)]
    # the completable positions are the beginnings of the walks
    after: dict[str, int] = {}
    for beginning in {walk[:k] for walk in moves for k in range(1, len(walk) + 1)}:
        after[beginning[:-1]] = after.get(beginning[:-1], 0) + 1
    choices = [prod(after[walk[:k]] for k in range(len(walk))) for walk in moves]
    return _bias(walks.count, choices, exact=True)


def sampled_bias(board: Board, draws: int, *, seed: int) -> Bias:
    """Estimate the distance from walks drawn uniformly; some 20 ms each on 13 x 13."""
    walks, oracle = UniformWalks(board, seed=seed), get_oracle("search")
    choices = [_choices(walks.draw(), oracle) for _ in range(draws)]
    return _bias(walks.count, choices, exact=False)


def _choices(walk: Position, oracle: Oracle) -> int:
    """Return the product of the completable moves on the way of a walk."""
    many, place = 1, Position(walk.board)
    for move in walk.moves:
        moves = place.options()
        if len(moves) > 1:
            good = [
                other
                for other in moves
                if other == move
                or oracle.decide(place.step(other)).verdict is Verdict.COMPLETABLE
            ]
            many *= len(good)
        place = place.step(move)
    return many


def _bias(count: int, choices: list[int], *, exact: bool) -> Bias:
    below = [max(0.0, 1 - count / many) for many in choices]
    mean = sum(below) / len(below)
    spread = sqrt(sum((b - mean) ** 2 for b in below) / len(below) / len(below))
    bits = sum(log2(many / count) for many in choices) / len(choices)
    return Bias(mean, 0.0 if exact else _Z * spread, bits, len(choices))
