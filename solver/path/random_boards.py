"""Boards drawn at random."""

import numpy as np

from solver.errors import OptionError
from solver.path.board import MAX_SIDE, PathBoard


def random_board(
    n: int, rng: np.random.Generator, *, white: float = 0.48, black: float = 0.42
) -> PathBoard:
    """Draw every cell by itself: W and B with these probabilities, U with the rest.

    Near the defaults every outcome comes up, on small boards at least; on large ones
    a winning path needs a probability above 0.593, the threshold of site percolation
    on the square lattice (Newman & Ziff, Phys. Rev. Lett. 85, 2000).

    Raises
    ------
    OptionError
        If a probability is negative, both together exceed 1, or n is above 4096.
    """
    if n > MAX_SIDE:
        raise OptionError(f"a side of {n} is above {MAX_SIDE}")
    if not (white >= 0 and black >= 0 and white + black <= 1 + 1e-9):
        raise OptionError(f"white {white} and black {black} are no shares of a whole")
    drawn = rng.random(n * n)
    letters = np.full(n * n, ord("U"), dtype=np.uint8)
    letters[drawn < white + black] = ord("B")
    letters[drawn < white] = ord("W")
    return PathBoard(n, letters.tobytes())
