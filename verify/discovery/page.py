"""A gap as a page: the cells around the live end, turned until the walk runs up.

Cells are ``(row, col)`` from the live end as in `verify.proof.view`: row -1 ahead,
column -1 to the left. A gap whose dead move is to the right is laid mirrored, so the
move of a page is straight on or to the left.
"""

from dataclasses import dataclass, replace

import numpy as np

from heuristic.matching.forced import forced_lines
from heuristic.matching.pattern import board_numbers
from solver.board import STEPS
from verify.discovery.gaps import Gaps
from verify.proof.view import (
    FREE,
    LIVE,
    OUT,
    VISITED,
    Edge,
    Spot,
    edge,
    neighbours,
)

STRAIGHT, LEFT = 0, 3  # of `verify.proof.view.STEPS`


@dataclass(frozen=True, slots=True)
class Page:
    """What a gap shows around the live end.

    Attributes
    ----------
    move : int
        The dead move, `STRAIGHT` or `LEFT`.
    states : dict of cell to int
        FREE, VISITED or OUT, of each cell of a square around the live end.
    end : cell
        Where the end cell lies, seen or not.
    corner : (int, int)
        Row sign and column sign towards the start.
    joined : frozenset of edges
        Forced edges, those of the live end left out.
    mates : frozenset of (cell, cell)
        Ends of forced lines.
    """

    move: int
    states: dict[Spot, int]
    end: Spot
    corner: Spot
    joined: frozenset[Edge] = frozenset()
    mates: frozenset[Edge] = frozenset()

    @property
    def bare(self) -> "Page":
        """The page without forced edges and lines."""
        return replace(self, joined=frozenset(), mates=frozenset())

    def mirrored(self) -> tuple[frozenset[Edge], frozenset[Edge]]:
        """Return forced edges and lines with left and right exchanged."""

        def turned(edges: frozenset[Edge]) -> frozenset[Edge]:
            return frozenset(edge((r, -c), (i, -k)) for (r, c), (i, k) in edges)

        return turned(self.joined), turned(self.mates)

    @property
    def target(self) -> Spot:
        """The cell that the dead move goes to."""
        return neighbours(LIVE)[self.move]

    def state(self, cell: Spot) -> int:
        """Return the state of a cell; far away all is outside."""
        return self.states.get(cell, OUT)

    def free(self, cell: Spot) -> bool:
        """Tell whether a cell is free."""
        return self.state(cell) == FREE


def page_of(gaps: Gaps, number: int) -> Page:
    """Return the page of a row; it holds the whole board."""
    board = gaps.board
    visited = gaps.visited_of(number)
    live = int(gaps.live[number])
    heading, move = int(gaps.heading[number]), int(gaps.move[number])
    move = (move - heading) % 4
    mirrored = move == 1
    up, side = STEPS[heading], STEPS[(heading + (3 if mirrored else 1)) % 4]
    row0, col0 = divmod(live, board.cols)
    cells = np.arange(board.cells)
    out = gaps.out_at(np.full(len(cells), number), cells)
    states = {}

    def place(row: int, col: int) -> Spot:
        """Return the page's cell of an offset on the board."""
        return -(row * up[0] + col * up[1]), row * side[0] + col * side[1]

    for row in range(-1, board.rows + 1):
        for col in range(-1, board.cols + 1):
            cell = place(row - row0, col - col0)
            inside = 0 <= row < board.rows and 0 <= col < board.cols
            at = row * board.cols + col
            if not inside or out[at]:
                states[cell] = OUT
            else:
                states[cell] = VISITED if visited[at] else FREE
    end = place(board.end // board.cols - row0, board.end % board.cols - col0)
    start = board.start // board.cols, board.start % board.cols
    middle = (board.rows - 1) / 2, (board.cols - 1) / 2
    towards = [1 if a > b else -1 for a, b in zip(start, middle, strict=True)]
    joined, mates = _ties(gaps, number)

    def laid(edges: set[tuple[int, int]]) -> frozenset[Edge]:
        """Return pairs of the board's cells as those of the page."""
        spots = [
            [place(x // board.cols - row0, x % board.cols - col0) for x in pair]
            for pair in edges
        ]
        return frozenset(edge(a, b) for a, b in spots)

    return Page(
        LEFT if mirrored else move,
        states,
        end,
        place(*towards),
        laid(joined),
        laid(mates),
    )


def _ties(gaps: Gaps, number: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return forced edges and ends of forced lines of a row, as cells of the board."""
    board, live = gaps.board, int(gaps.live[number])
    ways, mates = forced_lines(gaps.order_of(number), board_numbers(board), live)
    joined = set()
    for d, step in ((1, 1), (2, board.cols)):
        for cell in np.flatnonzero(ways >> d & 1).tolist():
            if live not in (cell, cell + step):
                joined.add((cell, cell + step))
    ends = {(cell, int(mates[cell])) for cell in np.flatnonzero(mates >= 0).tolist()}
    return joined, {(a, b) for a, b in ends if a < b}
