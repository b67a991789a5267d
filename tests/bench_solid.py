"""Strips measured on chains of the hardest gadgets."""

import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.solid.factor import KEY
from solver.solid.static import MERGED, merge
from tests.solid.patterns import chain
from tests.solid.worlds import loaded


def join_chain(gadgets: int) -> float:
    """Return milliseconds to join the hardest factor we can plant to a path.

    Each gadget has a loop of its own, and needs a path of three strips.
    """
    s = loaded(*chain(gadgets))
    begin = time.process_time()
    assert merge(s, 1, False) == MERGED
    spent = 1e3 * (time.process_time() - begin)
    assert s.info[KEY.expanded] == gadgets * (gadgets + 3) // 2
    return spent


@pytest.mark.slow
def test_chains_of_gadgets() -> None:
    """Print milliseconds; the search is near quadratic in the number of rounds."""
    join_chain(2)  # compile first
    spent = {gadgets: join_chain(gadgets) for gadgets in (64, 128, 256, 512)}
    print("\nchains of gadgets, ms:", {m: round(ms, 1) for m, ms in spent.items()})
    assert spent[512] < 4**2.7 * spent[128]


def test_one_chain(benchmark: BenchmarkFixture) -> None:
    benchmark(join_chain, 24)
