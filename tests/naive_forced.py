"""The slow, obvious double of `heuristic.matching.forced`, by way of arguments."""

from collections import defaultdict
from itertools import pairwise

from heuristic.universal.reasons import Conflict, Grounds, _close, edge
from solver.board import Cell, Position
from solver.propagation.propagate import Rules


def forced_edges(position: Position) -> set[tuple[Cell, Cell]] | None:
    """Return the forced edges of a position, or None where it is seen dead."""
    grounds = Grounds(position, Rules.FORCED_EDGES | Rules.FRAGMENTS)
    try:
        for a, b in pairwise(position.walk):
            grounds.put([(edge(a, b), True)], ())
        _close(grounds)
    except Conflict:
        return None
    walk = {edge(a, b) for a, b in pairwise(position.walk)}
    return {e for e, value in grounds.value.items() if value} - walk


def mates_of(
    position: Position, forced: set[tuple[Cell, Cell]]
) -> set[frozenset[Cell]]:
    """Return the pairs of open ends of forced lines."""
    beside: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in forced:
        beside[a].append(b)
        beside[b].append(a)
    shut = {position.live_end, position.board.end}
    found = set()
    for cell, others in beside.items():
        if len(others) == 1 and cell not in shut:
            before, here = cell, others[0]
            while len(beside[here]) == 2:
                before, here = here, next(c for c in beside[here] if c != before)
            if here not in shut:
                found.add(frozenset((cell, here)))
    return found
