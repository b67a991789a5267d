"""Rounds over the gaps of a pool: explain what is open, then what is dear."""

from collections.abc import Callable, Iterator

import numpy as np

from verify.discovery.explaining import Floats
from verify.discovery.pool import Entry, Pool
from verify.discovery.search import Search


def explain_all(
    pool: Pool, tried: set[str] | None = None
) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None. Gaps of
    `tried` (`Gaps.key`) are left out, and those that nothing explains are added.
    """
    tried = set() if tried is None else tried
    given_up = {
        int(i) for i in np.flatnonzero(pool.open) if pool.gaps.key(int(i)) in tried
    }
    pool.unexplained |= given_up
    if pool.quick:  # what is easily seen first: it catches most of the others
        for number in np.flatnonzero(pool.open):
            if number not in given_up and not pool.caught(int(number)):
                best = _best(pool, int(number), Search.glance)
                if best is not None:
                    yield int(number), best
    for number in np.flatnonzero(pool.open):
        if number not in given_up and not pool.caught(int(number)):
            best = _best(pool, int(number), Search.explain)
            if best is None:
                pool.unexplained.add(int(number))
                tried.add(pool.gaps.key(int(number)))
            yield int(number), best


def _best(
    pool: Pool, number: int, explain: Callable[[Search], Iterator[Entry]]
) -> Entry | None:
    """Take the explanations of a gap into the pool; return that of the fewest facts."""
    weights = np.where(pool.open, pool.gaps.counts, 0.001)
    best: Entry | None = None
    for entry in explain(Search(pool, number, weights)):
        column = pool.add(entry)
        if column[number] and (best is None or best.facts > entry.facts):
            best = entry
    return best


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry | None]:
    """Explain gaps once more, the dearest first, so that dear ones come together.

    Yields for each the drawing that is worth more than one, which may make the book
    smaller, or None.
    """
    dear = np.argsort(-prices, kind="stable")
    for number in dear[: min(most, int((prices > 0).sum()))]:
        better = None
        for entry in Search(pool, int(number), prices + 1e-6).explain():
            column = pool.add(entry)
            if float(prices[column].sum()) > 1 + 1e-6:
                better = entry
        yield better
