"""The slow, obvious double of `heuristic.matching.forced`, by the plain rules."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise, product

from solver.board import Board, Cell, Position
from solver.propagation.propagate import Rules
from tests.doubles.propagate import Conflict, Edge, Naive


def _settled(position: Position) -> Naive | None:
    """Return what follows from a walk, None if it is dead by the rules."""
    lines = Naive(position.board, Rules.FORCED_EDGES | Rules.FRAGMENTS)
    try:
        for pair in pairwise(position.walk):
            lines.decide(frozenset(pair), True)
        lines.fixed_point()
    except Conflict:
        return None
    return lines


def forced_edges(position: Position) -> set[tuple[Cell, Cell]] | None:
    """Return the forced edges of a position, or None if it is dead by the rules."""
    lines = _settled(position)
    if lines is None:
        return None
    walk = {frozenset(pair) for pair in pairwise(position.walk)}
    taken = {e for e, value in lines.state.items() if value} - walk
    return {(min(e), max(e)) for e in taken}


def mates_of(
    position: Position, forced: set[tuple[Cell, Cell]]
) -> set[frozenset[Cell]]:
    """Return the pairs of open ends of forced lines."""
    beside: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in forced:
        beside[a].append(b)
        beside[b].append(a)
    shut = {position.live_end, position.board.end}
    pairs = set()
    for cell, others in beside.items():
        if len(others) == 1 and cell not in shut:
            before, here = cell, others[0]
            while len(beside[here]) == 2:
                before, here = here, next(c for c in beside[here] if c != before)
            if here not in shut:
                pairs.add(frozenset((cell, here)))
    return pairs


def is_dead(position: Position, move: str, areas: Iterable[set[Cell]]) -> bool:
    """Return whether a step is dead when followed, with areas counted."""
    after, board = position.step(move), position.board
    if after.live_end == board.end:
        return False
    lines, before = _settled(after), -1
    if lines is None:
        return True
    try:
        while before != len(lines.state):
            lines.fixed_point()
            before = len(lines.state)
            for area in areas:
                doors = _doors(lines, board, area)
                if doors is None:
                    return True
                for door, used in doors:
                    lines.decide(door, used)
                if before != len(lines.state):
                    break
    except Conflict:
        return True
    return False


def _doors(
    lines: Naive, board: Board, area: set[Cell]
) -> list[tuple[Edge, bool]] | None:
    """Return the doors that are the same in all choices that fit the area.

    None if no choice fits.
    """
    blacks = sum(board.black(cell) for cell in area)
    wanted = 2 * (2 * blacks - len(area))
    doors = {}
    for cell in area:
        for other in board.neighbours[cell].tolist():
            door = frozenset((cell, other))
            if other >= 0 and other not in area and lines.state.get(door) is not False:
                doors[door] = 1 if board.black(cell) else -1
    open_ = [door for door in doors if lines.state.get(door) is None]
    decided = [door for door in doors if door not in open_]
    fits = []
    for choice in product((False, True), repeat=len(open_)):
        used = decided + [door for door, x in zip(open_, choice, strict=True) if x]
        if used and sum(doors[door] for door in used) == wanted:
            fits.append(choice)
    if not fits:
        return None
    columns = zip(open_, zip(*fits, strict=True), strict=True)
    return [(door, some[0]) for door, some in columns if len(set(some)) == 1]
