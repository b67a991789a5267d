"""The slow, obvious double of `heuristic.matching.forced`, by way of arguments."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise, product

from heuristic.universal.reasons import Conflict, Grounds, _close, edge
from solver.board import Board, Cell, Position
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


def is_dead(position: Position, move: str, areas: Iterable[set[Cell]]) -> bool:
    """Tell whether a step, followed with areas counted, comes to what cannot be."""
    after, board = position.step(move), position.board
    if after.live_end == board.end:
        return False
    grounds = Grounds(after, Rules.FORCED_EDGES | Rules.FRAGMENTS)
    try:
        for a, b in pairwise(after.walk):
            grounds.put([(edge(a, b), True)], ())
        before = -1
        while before != len(grounds.value):
            _close(grounds)
            before = len(grounds.value)
            for area in areas:
                doors = _doors(grounds, board, area)
                if doors is None:
                    return True
                for door, used in doors:
                    grounds.put([(door, used)], ())
                if before != len(grounds.value):
                    break
    except Conflict:
        return True
    return False


def _doors(
    grounds: Grounds, board: Board, area: set[Cell]
) -> list[tuple[tuple[Cell, Cell], bool]] | None:
    """Return the doors that are used alike in all choices that fit the area.

    None if no choice fits.
    """
    blacks = sum(board.black(cell) for cell in area)
    wanted = 2 * (2 * blacks - len(area))
    doors = {}
    for cell in area:
        for other in board.neighbours[cell].tolist():
            door = edge(cell, other)
            if (
                other >= 0
                and other not in area
                and grounds.value.get(door) is not False
            ):
                doors[door] = 1 if board.black(cell) else -1
    open_ = [door for door in doors if grounds.value.get(door) is None]
    known = [door for door in doors if door not in open_]
    fits = []
    for choice in product((False, True), repeat=len(open_)):
        used = known + [door for door, x in zip(open_, choice, strict=True) if x]
        if used and sum(doors[door] for door in used) == wanted:
            fits.append(choice)
    if not fits:
        return None
    columns = zip(open_, zip(*fits, strict=True), strict=True)
    return [(door, some[0]) for door, some in columns if len(set(some)) == 1]
