"""A gap as a page: the cells around the live end, turned until the walk runs up.

Cells are ``(row, col)`` from the live end as in `verify.proof.view`: row -1 ahead,
column -1 to the left. A gap whose dead move is to the right is laid mirrored, so the
move of a page is straight on or to the left.
"""

from dataclasses import dataclass

import numpy as np

from solver.board import STEPS
from verify.discovery.gaps import Gaps
from verify.proof.view import FREE, LIVE, OUT, VISITED, Spot, neighbours

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
    """

    move: int
    states: dict[Spot, int]
    end: Spot
    corner: Spot

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
    return Page(LEFT if mirrored else move, states, end, place(*towards))
