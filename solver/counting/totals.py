"""Hamiltonian cycles of a board, and Hamiltonian paths between any two cells.

Both are sums of counts between two ends. The first open cell, row by row, has only the
cells to its right and below as neighbours: every cycle uses both edges, so cycles are
the paths from that cell to the one on its right. Paths are summed over pairs of cells,
of which the symmetries of the board make few; pairs whose colours cannot come out are
left out.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from solver.board import Board, Cell, Position
from solver.counting.count import DEFAULT, Limits, count_completions
from solver.nowalk import why_dead
from solver.symmetry import Symmetry


def count_cycles(board: Board, *, limits: Limits = DEFAULT) -> int:
    """Count the Hamiltonian cycles of a board, whatever its ends; directions alike.

    >>> [count_cycles(Board.square(n)) for n in (2, 3, 4, 6)]
    [1, 0, 6, 1072]

    Raises `TooLargeError` if the limits do not allow the count.
    """
    first = min(set(range(board.cells)) - set(board.walls))
    near = board.neighbours[first]
    if board.open_cells < 4 or near[1] < 0 or near[2] < 0:
        return 0
    return _between(board, first, int(near[1]), limits)


def count_paths(
    board: Board,
    *,
    limits: Limits = DEFAULT,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Count the Hamiltonian paths of a board between any ends; directions alike.

    - `progress`: called with the pairs of ends counted so far and their
      number.

    Raises `TooLargeError` if the limits do not allow a count.

    >>> [count_paths(Board.square(n)) for n in (1, 2, 3, 4)]
    [1, 4, 20, 276]
    """
    if board.open_cells == 1:
        return 1
    walls = set(board.walls)
    frame = Board(board.rows, board.cols)
    kept = []
    for one in Symmetry:
        image = one.board(frame)
        if (image.rows, image.cols) == (board.rows, board.cols):
            moved = [one.cell(frame, cell) for cell in range(board.cells)]
            if {moved[wall] for wall in walls} == walls:
                kept.append(moved)
    pairs: Counter[tuple[Cell, Cell]] = Counter()
    for a, b in combinations(sorted(set(range(board.cells)) - walls), 2):
        images = [(moved[a], moved[b]) for moved in kept]
        pairs[min((min(pair), max(pair)) for pair in images)] += 1
    total = 0
    for done, ((a, b), many) in enumerate(pairs.items(), 1):
        total += many * _between(board, a, b, limits)
        if progress is not None:
            progress(done, len(pairs))
    return total


def _between(board: Board, start: Cell, end: Cell, limits: Limits) -> int:
    """Count the Hamiltonian paths from one cell to another."""
    place = Position(Board(board.rows, board.cols, start, end, board.walls))
    if why_dead(place):
        return 0
    return count_completions(place, limits=limits)
