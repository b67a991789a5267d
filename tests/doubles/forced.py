"""The slow, obvious double of `heuristic.matching.forced`, by the plain rules."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise, product

from solver.board import Board, Cell, Position
from tests.doubles.propagate import Conflict, Edge, around


class Lines:
    """Edges that are in or out by forced edges and by loops that must not close."""

    def __init__(self, position: Position) -> None:
        board = position.board
        self.board, self.state = board, dict[Edge, bool]()
        self.need = [0 if c in board.walls else 2 for c in range(board.cells)]
        self.need[board.start] -= 1
        self.need[board.end] -= 1
        self.changed = [*range(board.cells)]
        for pair in pairwise(position.walk):
            self.decide(frozenset(pair), True)

    def decide(self, edge: Edge, value: bool) -> None:
        if self.state.setdefault(edge, value) != value:
            raise Conflict
        self.changed += edge

    def settle(self) -> None:
        """Apply both rules until nothing changes; raises `Conflict`."""
        while self.changed:
            while self.changed:
                cell = self.changed.pop()
                edges = around(self.board)[cell]
                unknown = [e for e in edges if e not in self.state]
                need = self.need[cell] - sum(self.state.get(e, False) for e in edges)
                if not 0 <= need <= len(unknown):
                    raise Conflict
                if need in (0, len(unknown)):
                    for e in unknown:
                        self.decide(e, need > 0)
            self._close_no_loop()

    def _close_no_loop(self) -> None:
        """Drop the edges between the ends of a line; start and end cell are joined."""
        board, beside = self.board, defaultdict[Cell, list[Cell]](list)
        beside[board.start].append(board.end)
        beside[board.end].append(board.start)
        for a, b in (e for e, value in self.state.items() if value):
            beside[a].append(b)
            beside[b].append(a)
        left = {*beside}
        for root in sorted(beside, key=lambda cell: len(beside[cell])):
            if root not in left:
                continue
            line, ahead = [root], beside[root][:1]
            while ahead and ahead[0] != root:
                line += ahead
                ahead = [*beside[line[-1]]]
                ahead.remove(line[-2])
            left -= {*line}
            if len(line) == board.open_cells:
                continue
            if ahead:
                raise Conflict
            last = frozenset((root, line[-1]))
            if last in around(board)[root] and last not in self.state:
                self.decide(last, False)


def _settled(position: Position) -> Lines | None:
    """Return what follows from a walk, None if it is dead by the rules."""
    try:
        lines = Lines(position)
        lines.settle()
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
            lines.settle()
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
    lines: Lines, board: Board, area: set[Cell]
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
