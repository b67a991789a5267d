"""Forced edges and ends of forced lines that a drawing asks for: `joined`, `mates`.

Both are pairs of cells needed free; `heuristic.matching.forced` says what is forced.
"""

from typing import TypeAlias

from heuristic.language.drawing import AROUND, LIVE_END, CellState, Offset, step
from heuristic.language.fields import short
from heuristic.language.page import Page

Pair: TypeAlias = tuple[Offset, Offset]


def read_ties(page: Page) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Read the keys `joined` and `mates` of the page's table; their cells become free.

    The cells of a pair are put in order. Each end of a forced line must be in one pair
    of `joined`: the edge by which the line leaves it.

    Raises
    ------
    RuleError
        If a pair is none, stands twice, or no position can have it.
    """
    joined, mates = _pairs(page, "joined"), _pairs(page, "mates")
    edges = [at for pair in joined for at in pair]
    ends = [at for pair in mates for at in pair]
    for one, other in joined:
        if step(one, other) not in AROUND[::2]:
            page.fail(other, f"joined cells must touch: {list(one)} and {list(other)}")
        for at in (one, other):
            if edges.count(at) > 2:
                page.fail(at, f"the cell {list(at)} is in three pairs of joined")
    for at in ends:
        if ends.count(at) > 1:
            page.fail(at, f"the cell {list(at)} is in two pairs of mates")
        if edges.count(at) != 1:
            why = "one pair of joined says by which edge its line leaves it"
            page.fail(at, f"the cell {list(at)} of mates: {why}, not {edges.count(at)}")
    return joined, mates


def _pairs(page: Page, key: str) -> tuple[Pair, ...]:
    found: list[Pair] = []
    for value in page.table.get(key, list, []):
        if type(value) is not list or len(value) != 2:
            page.table.fail(f"{key} holds {short(value)}, expected two cells")
        one, other = sorted(page.table.offset(at, key) for at in value)
        if one == other:
            page.fail(one, f"{key} names one cell twice")
        for at in (one, other):
            if at == LIVE_END:
                page.fail(at, f"{key} names the live end: its cells are free")
            page.need(at, CellState.FREE)
        if (one, other) in found:
            page.fail(one, f"{key} holds the pair {short(value)} twice")
        found.append((one, other))
    return tuple(found)
