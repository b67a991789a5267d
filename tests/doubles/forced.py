"""The slow, obvious double of `heuristic.matching.forced`, by the plain rules."""

from collections.abc import Collection
from itertools import pairwise, product

import networkx as nx

from solver.board import Cell, Position
from solver.propagation.propagate import Rules
from tests.doubles.propagate import Conflict, Edge, Naive, around


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
    graph = nx.Graph([*forced])
    ends = [
        frozenset(cell for cell in line if graph.degree(cell) == 1)
        for line in nx.connected_components(graph)
    ]
    shut = {position.live_end, position.board.end}
    return {pair for pair in ends if not pair & shut}


def is_dead(position: Position, move: str, areas: Collection[set[Cell]]) -> bool:
    """Return whether a step is dead when followed, with areas counted."""
    after = position.step(move)
    if after.live_end == position.board.end:
        return False
    lines, before = _settled(after), -1
    try:
        while lines and before != len(lines.state):
            before = len(lines.state)
            for area in areas:
                for door, used in _doors(lines, area):
                    lines.decide(door, used)
            lines.fixed_point()
    except Conflict:
        return True
    return lines is None


def _doors(lines: Naive, area: set[Cell]) -> list[tuple[Edge, bool]]:
    """Return the doors that are the same in all choices that fit the area."""
    board = lines.board
    doors, wanted = dict[Edge, int](), 0  # black doors, less white ones
    for cell in area:
        tone = 1 if board.black(cell) else -1
        wanted += 2 * tone
        for door in around(board)[cell]:
            if not door <= area and lines.state.get(door) is not False:
                doors[door] = tone
    undecided = [door for door in doors if door not in lines.state]
    fits = []
    for choice in product((False, True), repeat=len(undecided)):
        used = {door for door in doors if door in lines.state}
        used |= {door for door, x in zip(undecided, choice, strict=True) if x}
        if used and sum(doors[door] for door in used) == wanted:
            fits.append(choice)
    if not fits:
        raise Conflict
    columns = zip(undecided, zip(*fits, strict=True), strict=True)
    return [(door, some[0]) for door, some in columns if len(set(some)) == 1]
