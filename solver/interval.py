"""Confidence intervals for shares."""

from math import sqrt

_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a probability (Wilson, JASA 22, 1927).

    >>> low, high = wilson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.037)
    """
    share = hits / trials
    spread = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2))
    middle, scale = share + _Z**2 / (2 * trials), 1 + _Z**2 / trials
    low = 0.0 if hits == 0 else (middle - spread) / scale
    high = 1.0 if hits == trials else (middle + spread) / scale
    return low, high
