"""Why a board has no walk, or a position no completion, where it is plain to see.

Linear time, so every command asks first and says the reason. Nothing is searched:
where no reason is found there may still be no completion.
"""

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.errors import NoWalkError
from solver.jit import njit
from solver.oracles.oracle import Answer, Oracle, Verdict, decide_all


@njit
def _reached(
    neighbours: npt.NDArray[np.int32],
    free: npt.NDArray[np.bool_],
    here: int,
    queue: npt.NDArray[np.int32],
    seen: npt.NDArray[np.bool_],
) -> None:
    """Kernel: mark in `seen` the free cells that can be reached."""
    queue[0] = here
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for d in range(4):
            other = neighbours[cell, d]
            if other >= 0 and free[other] and not seen[other]:
                seen[other] = True
                queue[tail] = other
                tail += 1


def why_dead(position: Position) -> str:
    """Return why no completion exists, in one sentence; empty if no reason is plain.

    The reasons: colours do not alternate, a cell is cut off or is a dead end, or the
    board is one of the rectangles of Itai, Papadimitriou and Szwarcfiter, "Hamilton
    paths in grid graphs", SIAM J. Comput. 11, 1982, theorem 3.2.

    >>> why_dead(Position.parse("4:"))
    'from black to black a walk has one black cell more than white, not 8 and 8'
    >>> why_dead(Position.parse("5!1,4;2,2;2,5;3,1:"))
    'cell 1,5 is cut off'
    >>> why_dead(Position.parse("5:"))
    ''
    """
    board = position.board
    if position.unvisited == 0:
        return "" if position.complete else "the walk does not stop at the end cell"
    free = position.free
    if not free[board.end]:
        return "the end cell is entered before the last cell"
    return (
        _colours(position, free)
        or _neighbours(position, free)
        or ("" if board.walls or len(position.walk) > 1 else _narrow(board))
    )


def check_walkable(board: Board) -> None:
    """Refuse a board that plainly has no walk.

    Raises `NoWalkError` with the reason.
    """
    if why := why_dead(Position(board)):
        raise NoWalkError(board.notation, f"{why}{end_hint(board)}")


def end_hint(board: Board) -> str:
    """Return words that name an end with a walk; empty if none is known, or for walls.

    >>> end_hint(Board.square(10))
    '; an end that works: 10@1,1>10,1'
    """
    if board.walls:
        return ""
    found = working_end(board.rows, board.cols, board.start)
    return f"; an end that works: {found.notation}" if found else ""


def working_end(rows: int, cols: int, start: Cell) -> Board | None:
    """Return a board without walls that has a walk from a start to a corner, if any."""
    corners = (rows * cols - 1, (rows - 1) * cols, cols - 1, 0)
    for end in dict.fromkeys(corners):
        if end != start or rows * cols == 1:
            board = Board(rows, cols, start, end)
            if not why_dead(Position(board)):
                return board
    return None


def _colours(position: Position, free: npt.NDArray[np.bool_]) -> str:
    """Colours alternate; the live end is counted with the free cells."""
    board = position.board
    grid = free.reshape(board.rows, board.cols)
    black = int(grid[::2, ::2].sum() + grid[1::2, 1::2].sum())
    white = int(grid.sum()) - black
    first, last = board.black(position.live_end), board.black(board.end)
    black, white = black + first, white + (not first)
    if black - white == (first + last - 1):
        return ""
    words = {True: "black", False: "white"}
    ends = f"from {words[first]} to {words[last]} a walk has "
    if first == last:
        more, fewer = (black, white) if first else (white, black)
        other = words[not first]
        return (
            f"{ends}one {words[first]} cell more than {other}, not {more} and {fewer}"
        )
    return f"{ends}as many black cells as white, not {black} and {white}"


def _neighbours(position: Position, free: npt.NDArray[np.bool_]) -> str:
    """Every cell can be reached, and left again unless it is the end."""
    board, here = position.board, position.live_end
    if not board.walls and len(position.walk) == 1 and min(board.rows, board.cols) > 1:
        return ""  # a rectangle
    near = board.neighbours
    seen = np.zeros(board.cells, np.bool_)
    _reached(near, free, here, np.empty(board.cells, np.int32), seen)
    lost = np.flatnonzero(free & ~seen)
    if len(lost):
        return f"cell {board.name(int(lost[0]))} is cut off"
    usable = free.copy()
    usable[here] = True
    ways = (usable[near] & (near >= 0)).sum(axis=1)
    ends = free & (ways < 2)
    ends[board.end] = False
    tight = np.flatnonzero(ends)
    if len(tight):
        return f"cell {board.name(int(tight[0]))} can be entered and not left"
    return ""


def _narrow(board: Board) -> str:
    """Rectangles of two or three rows whose ends part the cells; from the theorem."""
    rows, cols = board.rows, board.cols
    start, end = divmod(board.start, cols), divmod(board.end, cols)
    if rows > cols:
        rows, cols, start, end = cols, rows, start[::-1], end[::-1]
    if rows == 2 and start[1] == end[1] and 0 < start[1] < cols - 1:
        return "start and end part the cells on their left from those on their right"
    if rows == 3 and cols % 2 == 0 and cols > 2:
        for (row, col), (_, far) in ((start, end), (end, start)):
            for a, b in ((col, far), (cols - 1 - col, cols - 1 - far)):
                lost = a < b if row == 1 else a < b - 1
                if (row + a) % 2 == 1 and lost:  # not the colour of the corner near a
                    return (
                        "of three rows of even length the cells beyond one end cannot "
                        "all be visited before the walk goes to the other"
                    )
    return ""


def decide_with_reason(
    oracle: Oracle, position: Position
) -> tuple[str, Answer, dict[str, Answer]]:
    """Decide as `decide_all`, but only where nothing is plainly dead.

    Returns first why the position is plainly dead, which is empty if it is not.
    """
    if why := why_dead(position):
        dead = Answer(Verdict.DEAD)
        return why, dead, dict.fromkeys(position.options(), dead)
    return "", *decide_all(oracle, position)
