"""Rounds over the gaps of a pool: explain what is open, then what is dear."""

from collections.abc import Iterator

import numpy as np

from verify.discovery.explaining import Floats
from verify.discovery.search import Entry, Pool


def explain_all(pool: Pool) -> Iterator[tuple[int, Entry | None]]:
    """Explain the gaps that are open, the earliest first, until none is left.

    Yields each gap with its drawing, which is in the pool then, or None.
    """
    for number in np.flatnonzero(pool.open):
        if pool.caught(int(number)):
            continue
        open_ = pool.open
        weights = np.where(open_, pool.gaps.counts, 0.001)
        best: Entry | None = None
        for entry in pool.explain(int(number), weights):
            column = pool.add(entry)
            if column[number] and (best is None or best.facts > entry.facts):
                best = entry
        if best is None:
            pool.unexplained.add(int(number))
        yield int(number), best


def vary(pool: Pool, prices: Floats, most: int) -> Iterator[Entry | None]:
    """Explain gaps once more, the dearest first, so that dear ones come together.

    Yields for each the drawing that is worth more than one, which may make the book
    smaller, or None.
    """
    dear = np.argsort(-prices, kind="stable")
    for number in dear[: min(most, int((prices > 0).sum()))]:
        better = None
        for entry in pool.explain(int(number), prices + 1e-6):
            column = pool.add(entry)
            if float(prices[column].sum()) > 1 + 1e-6:
                better = entry
        yield better
