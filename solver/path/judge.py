"""The fast referee: floods from the edges, in numba.

Player 0 is White, 1 is Black. Side 2 * player is the player's home edge, the next one
the target edge: left, right, top, bottom. Kernels work on a padded grid of n + 2 rows
of n + 1 bytes, so that every neighbour of a cell is inside the array and a step over an
edge meets an empty byte. A byte holds the piece (bits 0 to 2: W, B, U) and the sides
whose floods have reached it (bits 3 to 6).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.path.board import Outcome, PathBoard, Player

_CODES = bytes.maketrans(b"WBU", bytes([1, 2, 4]))
_OUTCOMES = tuple(Outcome)
_PLAYERS = tuple(Player)


@njit
def _edge(n: int, side: int) -> tuple[int, int]:
    """Return the first cell of a side and the step to the next one."""
    stride = n + 1
    if side == 0:
        return stride, stride
    if side == 1:
        return stride + n - 1, stride
    if side == 2:
        return stride, 1
    return n * stride, 1


@njit
def _flood(
    grid: npt.NDArray[np.uint8],
    n: int,
    side: int,
    queue: npt.NDArray[np.int32],
    steps: npt.NDArray[np.int32],
) -> None:
    """Mark the owner's pieces joined to a side; `steps` counts cells, that side's 1."""
    piece, mark = (1 if side < 2 else 2), 8 << side
    fresh = piece | mark
    first, step = _edge(n, side)
    filled = 0
    for k in range(n):
        cell = first + k * step
        if grid[cell] & fresh == piece:
            grid[cell] |= mark
            steps[cell] = 1
            queue[filled] = cell
            filled += 1
    at = 0
    while at < filled:
        cell = queue[at]
        at += 1
        for d in range(4):
            near = cell + (d - 1 if d % 2 == 0 else (d - 2) * (n + 1))
            if grid[near] & fresh == piece:
                grid[near] |= mark
                steps[near] = steps[cell] + 1
                queue[filled] = near
                filled += 1


@njit
def _meets(grid: npt.NDArray[np.uint8], n: int, player: int) -> bool:
    """Tell whether the flood from the player's home has reached the target edge."""
    first, step = _edge(n, 2 * player + 1)
    met = False
    for k in range(n):
        met |= grid[first + k * step] & (8 << (2 * player)) != 0
    return met


@njit
def _touches(
    grid: npt.NDArray[np.uint8], n: int, cell: int, side: int, on_edge: bool
) -> bool:
    """Tell whether a piece on the cell would be joined to a side already flooded."""
    mark = 8 << side
    return (
        on_edge
        or grid[cell - 1] & mark != 0
        or grid[cell + 1] & mark != 0
        or grid[cell - n - 1] & mark != 0
        or grid[cell + n + 1] & mark != 0
    )


@njit
def _moves(
    grid: npt.NDArray[np.uint8], n: int, player: int, moves: npt.NDArray[np.int32]
) -> int:
    """List the winning moves; both floods of the player are done. Return how many."""
    count = 0
    for row in range(n):
        for col in range(n):
            cell = (row + 1) * (n + 1) + col
            if grid[cell] & 4:
                place = row if player else col
                side = 2 * player
                if _touches(grid, n, cell, side, place == 0) and _touches(
                    grid, n, cell, side + 1, place == n - 1
                ):
                    moves[count] = cell
                    count += 1
    return count


@njit
def _judge(
    grid: npt.NDArray[np.uint8],
    n: int,
    queue: npt.NDArray[np.int32],
    steps: npt.NDArray[np.int32],
) -> int:
    """Kernel of `judge`: the number of the outcome."""
    for player in range(2):
        _flood(grid, n, 2 * player, queue, steps)
        if _meets(grid, n, player):
            return player
    for player in range(2):
        _flood(grid, n, 2 * player + 1, queue, steps)
        if _moves(grid, n, player, queue) > 0:
            return 2 + player
    return 4


def judge(board: PathBoard) -> Outcome:
    """Say which of the five sentences is true of the board.

    One flood from each of the four edges through the owner's pieces. White has a path
    when the flood from the left meets the right edge. Otherwise no cell lies in both
    of White's floods, and a piece on an unfilled cell wins exactly when it would touch
    both, an edge counting as touched by its own cells. O(n^2) time and memory.

    >>> judge(PathBoard.parse("WBB/WWU/WBB"))
    <Outcome.WHITE_MOVE: 'White can win in one move.'>
    """
    grid = _padded(board)
    queue, steps = np.empty((2, grid.size), dtype=np.int32)
    return _OUTCOMES[_judge(grid, board.n, queue, steps)]


@njit
def _needs(
    grid: npt.NDArray[np.uint8], n: int, player: int, stacks: npt.NDArray[np.int32]
) -> int:
    """Kernel of `needs`: own pieces cost nothing, unfilled cells 1; -1 if cut off."""
    piece, seen = 1 + player, 128
    first, step = _edge(n, 2 * player)
    now, later, cost = 0, 0, 0
    for k in range(n):
        cell = first + k * step
        if grid[cell] & piece:
            stacks[0, now] = cell
            now += 1
        elif grid[cell] & 4:
            stacks[1, later] = cell
            later += 1
        grid[cell] |= seen
    here = 0  # the stack of cells that cost `cost`; the other one costs 1 more
    while now + later > 0:
        if now == 0:
            here, now, later, cost = 1 - here, later, 0, cost + 1
        now -= 1
        cell = stacks[here, now]
        if (cell >= n * (n + 1)) if player else (cell % (n + 1) == n - 1):
            return cost
        for d in range(4):
            near = cell + (d - 1 if d % 2 == 0 else (d - 2) * (n + 1))
            if grid[near] & seen:
                continue
            grid[near] |= seen
            if grid[near] & piece:
                stacks[here, now] = near
                now += 1
            elif grid[near] & 4:
                stacks[1 - here, later] = near
                later += 1
    return -1


def needs(board: PathBoard, player: Player) -> int | None:
    """Return the fewest pieces the player must add for a winning path, None if cut off.

    A 0-1 search from the home edge that shares nothing with the floods of `judge`:
    0 means that the player has a path, 1 that one move wins. O(n^2).

    >>> needs(PathBoard.parse("WUU/WBU/WBB"), Player.WHITE)
    2
    """
    grid = _padded(board)
    stacks = np.empty((2, grid.size), dtype=np.int32)
    cost = int(_needs(grid, board.n, _PLAYERS.index(player), stacks))
    return None if cost < 0 else cost


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the referee says what he says.

    Attributes
    ----------
    board : PathBoard
    outcome : Outcome
    path : tuple of int
        The cells of a shortest winning path, from home to target: on the board, or
        with the best winning move made; empty when there is none.
    moves : tuple of int
        All winning moves of the player the outcome speaks of, in reading order.
    lengths : tuple of int
        For each winning move the number of cells of a shortest path it makes.
    """

    board: PathBoard
    outcome: Outcome
    path: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()


@njit
def _nearer(
    grid: npt.NDArray[np.uint8],
    n: int,
    side: int,
    steps: npt.NDArray[np.int32],
    cell: int,
) -> int:
    """Return the neighbour of fewest steps from a side, -1 for a cell on that side."""
    row, col = cell // (n + 1) - 1, cell % (n + 1)
    place = col if side < 2 else row
    if place == (n - 1 if side % 2 else 0):
        return -1
    best, fewest = -1, n * n + 1
    for d in range(4):
        near = cell + (d - 1 if d % 2 == 0 else (d - 2) * (n + 1))
        if grid[near] & (8 << side) and steps[near] < fewest:
            best, fewest = near, steps[near]
    return best


@njit
def _back(
    grid: npt.NDArray[np.uint8],
    n: int,
    side: int,
    steps: npt.NDArray[np.int32],
    way: npt.NDArray[np.int32],
) -> int:
    """Continue the way from its first cell to the side; return its number of cells."""
    count = 0
    near = way[0]
    while near >= 0:
        way[count] = near
        count += 1
        near = _nearer(grid, n, side, steps, near)
    return count


def explain(board: PathBoard) -> Explanation:
    """Judge the board, and find a shortest winning path and all winning moves.

    `path` is shortest by breadth-first search. With a winning move it is the shortest
    way from home to the move and on to the target; the two halves lie in different
    floods, so they share no cell. O(n^2).

    >>> found = explain(PathBoard.parse("WBB/WWU/WBB"))
    >>> found.path, found.moves, found.lengths
    ((3, 4, 5), (5,), (3,))
    """
    outcome = judge(board)
    if outcome.player is None:
        return Explanation(board, outcome)
    n, player = board.n, _PLAYERS.index(outcome.player)
    grid = _padded(board)
    queue, *steps = np.empty((3, grid.size), dtype=np.int32)
    sides = (2 * player, 2 * player + 1)
    for side, count in zip(sides, steps, strict=True):
        _flood(grid, n, side, queue, count)

    def way(cell: int, half: int) -> list[int]:
        """Return a shortest way to home (0) or target (1), the cell included."""
        queue[0] = cell
        cells: list[int] = queue[
            : _back(grid, n, sides[half], steps[half], queue)
        ].tolist()
        return cells

    def length(cell: int, half: int) -> int:
        """Count the cells of that way but this one."""
        near = _nearer(grid, n, sides[half], steps[half], cell)
        return int(steps[half][near]) if near >= 0 else 0

    if outcome.won:
        first, step = _edge(n, sides[1])
        edge = np.arange(first, first + n * step, step)
        ends = edge[grid[edge] & (8 << sides[0]) != 0]
        path = way(int(ends[np.argmin(steps[0][ends])]), 0)[::-1]
        return Explanation(board, outcome, _unpadded(n, path))
    moves = queue[: _moves(grid, n, player, queue)].tolist()
    lengths = tuple(length(move, 0) + 1 + length(move, 1) for move in moves)
    best = moves[lengths.index(min(lengths))]
    path = way(best, 0)[::-1] + way(best, 1)[1:]
    return Explanation(board, outcome, _unpadded(n, path), _unpadded(n, moves), lengths)


def _padded(board: PathBoard) -> npt.NDArray[np.uint8]:
    n = board.n
    grid = np.zeros((n + 2, n + 1), dtype=np.uint8)
    codes = np.frombuffer(board.cells.translate(_CODES), dtype=np.uint8)
    grid[1:-1, :n] = codes.reshape(n, n)
    return grid.ravel()


def _unpadded(n: int, cells: list[int]) -> tuple[int, ...]:
    return tuple((cell // (n + 1) - 1) * n + cell % (n + 1) for cell in cells)
