"""Making a position smaller while what is claimed of it survives.

Greedy descent: every simplification makes the board smaller or the walk shorter, so it
ends; the result is minimal in that no single simplification keeps the claim. Each
candidate is a legal position of its own; whether the claim survives is the caller's
word alone.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations

from solver.board import Board, Position
from solver.errors import BoardError


def size(position: Position) -> tuple[int, int, int, str]:
    """Order of simplicity: open cells, cells, steps of the walk, text."""
    board = position.board
    return board.open_cells, board.cells, len(position.walk), position.notation


def _cut(position: Position, rows: set[int], cols: set[int]) -> Position | None:
    """Remove whole rows and columns; None if the walk or an end does not survive.

    A walk survives when it crosses what is removed straight, so that the cells before
    and after touch.
    """
    board = position.board
    keep_rows = [r for r in range(board.rows) if r not in rows]
    keep_cols = [c for c in range(board.cols) if c not in cols]
    new_row = {r: i for i, r in enumerate(keep_rows)}
    new_col = {c: i for i, c in enumerate(keep_cols)}

    def move(cell: int) -> int | None:
        r, c = divmod(cell, board.cols)
        if r in rows or c in cols:
            return None
        return new_row[r] * len(keep_cols) + new_col[c]

    corners = board.start == 0 and board.end == board.cells - 1
    start = 0 if corners else move(board.start)
    end = len(keep_rows) * len(keep_cols) - 1 if corners else move(board.end)
    if start is None or end is None:
        return None
    walls = [w for w in map(move, board.walls) if w is not None]
    walk = [cell for cell in map(move, position.walk) if cell is not None]
    try:
        smaller = Board(len(keep_rows), len(keep_cols), start, end, tuple(walls))
        return Position(smaller, tuple(walk))
    except BoardError:
        return None


def _smaller_boards(position: Position) -> Iterator[Position]:
    board = position.board
    square = board.rows == board.cols
    choices: list[tuple[set[int], set[int]]] = []
    for count in (2, 1):
        rows = [set(range(r, r + count)) for r in range(board.rows - count + 1)]
        cols = [set(range(c, c + count)) for c in range(board.cols - count + 1)]
        choices += [(r, c) for r in rows for c in cols]
        if not square or board.walls:
            choices += [(r, set()) for r in rows] + [(set(), c) for c in cols]
    for cut_rows, cut_cols in choices:
        if len(cut_rows) < board.rows and len(cut_cols) < board.cols:
            smaller = _cut(position, cut_rows, cut_cols)
            if smaller is not None:
                yield smaller


def _shorter_walks(position: Position) -> Iterator[Position]:
    """Shortcuts: a detour between two touching cells of the walk is left out."""
    board, walk = position.board, position.walk
    for i, j in combinations(range(len(walk)), 2):
        if j > i + 1 and board.direction(walk[i], walk[j]) >= 0:
            yield Position(board, walk[: i + 1] + walk[j:])


def _walled(position: Position) -> Iterator[Position]:
    """Cells become walls: the walk's first steps, and unvisited cells one by one."""
    board, walk = position.board, position.walk
    for steps in (len(walk) - 2, len(walk) // 2, 1):
        if 0 < steps < len(walk):
            walls = (*board.walls, *walk[:steps])
            with suppress(BoardError):  # the end cell was visited already
                shorter = Board(board.rows, board.cols, walk[steps], board.end, walls)
                yield Position(shorter, walk[steps:])
    taken = {*walk, *board.walls, board.end}
    free = [cell for cell in range(board.cells) if cell not in taken]
    neighbours = board.neighbours
    pairs = [(a, b) for a in free for b in neighbours[a].tolist() if a < b in free]
    for cells in [*pairs, *((cell,) for cell in free)]:
        walls = (*board.walls, *cells)
        yield Position(
            Board(board.rows, board.cols, board.start, board.end, walls), walk
        )


def minimise(
    position: Position,
    holds: Callable[[Position], bool],
    *,
    walls: bool = False,
    progress: Callable[[Position], None] | None = None,
) -> Position:
    """Return a minimal position for which `holds` is still true.

    Parameters
    ----------
    position : Position
        Must satisfy `holds`.
    holds : callable
        The claim; called with legal positions only.
    walls : bool
        Whether cells may become walls and the walk's beginning may be cut off: smaller
        cases, though no longer positions of a full board.
    progress : callable, optional
        Called with every smaller position found.

    Notes
    -----
    Quadratic in the walk and in the cells for each step of the descent, each candidate
    costing one call of `holds`.
    """
    smaller: Position | None = position
    while smaller is not None:
        position = smaller
        if progress:
            progress(position)
        smaller = next(_improvements(position, holds, walls), None)
    return position


def _improvements(
    position: Position, holds: Callable[[Position], bool], walls: bool
) -> Iterator[Position]:
    now = size(position)
    sources = [_smaller_boards, _shorter_walks]
    if walls:
        sources.append(_walled)
    for source in sources:
        for candidate in source(position):
            if size(candidate) < now and holds(candidate):
                yield candidate
