"""What many random walks under a rule set show.

Walk number k of a run from seed s is the walk of seed s + k, in every command.
"""

from dataclasses import dataclass
from math import inf, sqrt

_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


@dataclass(frozen=True, slots=True)
class Statistics:
    """What many random walks showed.

    - `error_rate`: share of walks that got stuck.
    - `error_low`, `error_high`: its 95 % interval (Wilson, JASA 22, 1927).
    """

    walks: int
    stuck: int
    error_rate: float
    error_low: float
    error_high: float

    @property
    def before_error(self) -> float:
        """Mean number of walks completed before one gets stuck; inf if none did."""
        return _before(self.error_rate)

    @property
    def before_error_interval(self) -> tuple[float, float]:
        """Its 95 % interval: walks are independent, so it follows the error rate's."""
        return _before(self.error_high), _before(self.error_low)

    def in_words(self) -> tuple[str, str]:
        """Return both as people read them, without infinities.

        >>> summarise(1000, 0).in_words()
        ('none stuck', '260 to no end')
        """
        low, high = map(_number, self.before_error_interval)
        before = _number(self.before_error) if self.stuck else "none stuck"
        return before, f"{low} to {high}"


def _number(value: float) -> str:
    if value == inf:
        return "no end"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _before(rate: float) -> float:
    return inf if rate <= 0 else (1 - rate) / rate


def summarise(walks: int, stuck: int) -> Statistics:
    """Return the statistics of some walks, of which some got stuck.

    >>> [round(x, 1) for x in summarise(1000, 50).before_error_interval]
    [14.3, 25.2]
    """
    share = stuck / walks
    spread = _Z * sqrt(share * (1 - share) / walks + _Z**2 / (4 * walks**2))
    middle, scale = share + _Z**2 / (2 * walks), 1 + _Z**2 / walks
    low = 0.0 if stuck == 0 else (middle - spread) / scale
    high = 1.0 if stuck == walks else (middle + spread) / scale
    return Statistics(walks, stuck, share, low, high)
