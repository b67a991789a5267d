"""Exact counting of completions by frontier dynamic programming, to be read.

The double of the kernels in `solver.counting`: a dictionary of states, nothing shared.

Cells are added one by one, row by row. The *frontier* is what the rest of the board
must know of the cells before: for each place where an edge may lead on, whether one
does, and how these edges are joined behind. A *state* holds that in two bits a place,
the first in the lowest bits: 0 no edge; 1 and 2 the first and the second of two joined
edges, nested as brackets; 3 an edge that is joined to the live end or the end cell.
Paths with the same frontier have the same futures, so only their number is kept.
"""

from collections import Counter
from collections.abc import Iterator

from solver.board import Board, Position

_SHUT, _INNER, _TIP = 0, 1, 2  # edges a cell needs: none, two, one
_TIED = 3  # joined to the live end or the end cell


class Grid:
    """The cells of a position in the order in which they are added."""

    def __init__(self, position: Position) -> None:
        board, free = position.board, position.free
        cells = list(range(board.cells))
        if board.cols > board.rows:  # columns are the shorter side
            cells.sort(key=lambda cell: cell % board.cols)
        self.cols = min(board.cols, board.rows)
        tips = (position.live_end, board.end)
        self.needs = [
            _TIP if cell in tips else _INNER if free[cell] else _SHUT for cell in cells
        ]
        self.last = max(at for at, need in enumerate(self.needs) if need != _SHUT)

    def steps(self, at: int, state: int) -> Iterator[int]:
        """Yield the states that a state can become when a cell is added."""
        col = at % self.cols
        down = at + self.cols < len(self.needs) and self.needs[at + self.cols] != _SHUT
        right = col + 1 < self.cols and self.needs[at + 1] != _SHUT
        last = at == self.last
        for new in _added(state, 2 * col, self.needs[at], down, right, last):
            yield new << 2 if col + 1 == self.cols else new


def _added(
    state: int, low: int, need: int, down: bool, right: bool, last: bool
) -> Iterator[int]:
    """Yield what a state becomes by a cell whose left place begins at bit `low`."""
    left, up = state >> low & 3, state >> low + 2 & 3
    rest = state & ~(15 << low)
    if need == _SHUT:
        if not left and not up:
            yield state
    elif left and up:
        if need == _TIP:
            return
        if left == up == _TIED:
            if last and not rest:
                yield rest
        elif left == _TIED or up == _TIED:
            yield _retied(rest, state, low if up == _TIED else low + 2, _TIED)
        elif left == up:
            # of two pairs side by side the inner partners are a pair from now on
            yield _retied(rest, state, low + 2 if up == 1 else low, up)
        elif left == 2:
            yield rest
        # left 1 and up 2 are a pair: joined, they would be a loop
    elif left or up:
        edge, place = (left, low) if left else (up, low + 2)
        if need == _INNER:
            if down:
                yield rest | edge << low
            if right:
                yield rest | edge << low + 2
        elif edge != _TIED:
            yield _retied(rest, state, place, _TIED)
        elif last and not rest:
            yield rest
    elif need == _INNER:
        if down and right:
            yield rest | 1 << low | 2 << low + 2
    else:
        if down:
            yield rest | _TIED << low
        if right:
            yield rest | _TIED << low + 2


def _retied(rest: int, state: int, place: int, code: int) -> int:
    """Return `rest` with another code for the partner of the edge at a place."""
    way = 2 if state >> place & 3 == 1 else -2
    depth, at = 0, place
    while True:
        edge = state >> at & 3
        depth += (edge == 1) - (edge == 2)
        if depth == 0:
            return rest & ~(3 << at) | code << at
        at += way


def count_completions(position: Position) -> int:
    """Count the completions of a position: milliseconds on 7 x 7."""
    if position.complete:
        return 1
    if not position.free[position.board.end]:
        return 0
    grid = Grid(position)
    layer = Counter({0: 1})
    for at in range(len(grid.needs)):
        after = Counter[int]()
        for state, count in layer.items():
            for new in grid.steps(at, state):
                after[new] += count
        layer = after
    return layer[0]


def count_paths(board: Board) -> int:
    """Count undirected paths; a cell may be an end while there are fewer than two."""
    if board.open_cells == 1:
        return 1
    grid = Grid(Position(board))
    opened = [need != _SHUT for need in grid.needs]
    layer = Counter({(0, 0): 1})
    for at, is_open in enumerate(opened):
        after = Counter[tuple[int, int]]()
        for (state, ends), count in layer.items():
            for need in (_INNER, _TIP) if is_open else (_SHUT,):
                grid.needs[at] = need
                for new in grid.steps(at, state) if ends + (need == _TIP) < 3 else ():
                    after[new, ends + (need == _TIP)] += count
        layer = after
    return layer[0, 2]
