"""Completable positions of a small board, with the moves that keep them so.

Rules are measured against these positions. A depth-first enumeration of all Hamiltonian
walks gives them as a tree in preorder. 5x5 has 104 walks, 7x7 has 111,712 (OEIS
A001184).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import LETTERS, Board, Cell, Position
from solver.errors import OptionError
from solver.jit import njit

_ROUNDS = 2_000_000  # of the kernel between looks for Ctrl-C: a tenth of a second
_LIMIT = 50_000_000  # positions; far above 7x7, and they fit in a laptop's memory

Shorts: TypeAlias = npt.NDArray[np.int16]
Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Longs: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PositionTree:
    """The completable positions of a board, in depth-first preorder, moves as U R D L.

    - `depth`, (positions,) int16: steps of the walk. The walk of position i consists of
      the last position of each smaller depth before i.
    - `cell`, (positions,) int32: the live end.
    - `good`, (positions,) uint8: the completable moves as bits U 1, R 2, D 4, L 8; 0 if
      complete.
    - `walks`: number of complete walks.
    """

    board: Board
    depth: Shorts
    cell: Ints
    good: Bytes
    walks: int

    def __len__(self) -> int:
        return len(self.cell)

    def position(self, index: int) -> Position:
        """Return a position; linear in the distance to its ancestors."""
        walk = []
        for depth in range(self.depth[index], -1, -1):
            while self.depth[index] != depth:
                index -= 1
            walk.append(int(self.cell[index]))
        return Position(self.board, tuple(reversed(walk)))

    def __iter__(self) -> Iterator[tuple[Position, str]]:
        """Yield every position with its completable moves as letters."""
        walk: list[Cell] = []
        for depth, cell, good in zip(self.depth, self.cell, self.good, strict=True):
            del walk[depth:]
            walk.append(int(cell))
            moves = "".join(LETTERS[d] for d in range(4) if good >> d & 1)
            yield Position(self.board, tuple(walk)), moves


@njit
def _hopeless(
    neighbours: Ints,
    free: npt.NDArray[np.bool_],
    live_end: int,
    end: int,
    left: int,
    queue: Ints,
    seen: Ints,
    stamp: int,
) -> bool:
    """Kernel: whether a free cell cannot be reached, or is a dead end.

    A completion visits every free cell, and passes each but the end cell by two sides.
    """
    head, tail = 0, 1
    queue[0] = live_end
    seen[live_end] = stamp
    while head < tail:
        cell = queue[head]
        head += 1
        sides = 0
        for d in range(4):
            other = neighbours[cell, d]
            if other < 0 or not (free[other] or other == live_end):
                continue
            sides += 1
            if seen[other] != stamp:
                seen[other] = stamp
                queue[tail] = other
                tail += 1
        if sides < 2 and cell != end and cell != live_end:
            return True
    return tail - 1 != left


@njit
def _enumerate(
    neighbours: Ints,
    free: npt.NDArray[np.bool_],
    end: int,
    tree: tuple[Shorts, Ints, Bytes],
    room: tuple[Ints, npt.NDArray[np.int8], Longs, Ints, Ints],
    at: Longs,
    rounds: int,
) -> bool:
    """Kernel: fill the arrays of a `PositionTree` for some rounds; False at the end.

    It writes a position on entry and removes it if it proves dead. `room` is walk, next
    moves and nodes by depth, queue and stamps by cell. `at` is depth, positions, walks
    and stamp; positions are -1 if the arrays are full.
    """
    depths, cells, good = tree
    walk, next_move, node, queue, seen = room
    total = len(walk) - 1
    depth, count, walks, stamp = at[0], at[1], at[2], at[3]
    while depth >= 0:
        if rounds == 0:
            at[0], at[1], at[2], at[3] = depth, count, walks, stamp
            return True
        rounds -= 1
        d = next_move[depth]
        if d == 4:  # all moves tried: the position stays only if some move is good
            this = node[depth]
            if good[this] == 0:
                count = this
            free[walk[depth]] = True
            depth -= 1
            if depth >= 0 and good[this] != 0:
                good[node[depth]] |= np.uint8(1 << (next_move[depth] - 1))
            continue
        next_move[depth] = d + 1
        cell = neighbours[walk[depth], d]
        left = total - depth - 2
        if cell < 0 or not free[cell] or (cell == end) != (left == 0):
            continue
        free[cell] = False
        stamp += 1
        if left > 0 and _hopeless(
            neighbours, free, cell, end, left, queue, seen, stamp
        ):
            free[cell] = True
            continue
        if count == len(cells):
            at[1] = -1
            return False
        depths[count], cells[count], good[count] = depth + 1, cell, 0
        if left == 0:
            good[node[depth]] |= np.uint8(1 << d)
            free[cell] = True
            walks += 1
        else:
            depth += 1
            walk[depth] = cell
            next_move[depth] = 0
            node[depth] = count
        count += 1
    at[1], at[2] = count, walks
    return False


@lru_cache(maxsize=8)
def completable_positions(board: Board) -> PositionTree:
    """Return all completable positions of a small board.

    Exponential in the cells: 5x5 takes a millisecond, 7x7 a few seconds.

    Raises `OptionError` if the board has more than 50 million completable positions.
    """
    size, total = 1 << 16, board.open_cells
    while size < _LIMIT:
        depth = np.zeros(size, np.int16)
        cell = np.full(size, board.start, np.int32)
        good = np.zeros(size, np.uint8)
        room = (
            np.full(total + 1, board.start, np.int32),
            np.zeros(total + 1, np.int8),
            np.zeros(total + 1, np.int64),
            np.empty(board.cells, np.int32),
            np.zeros(board.cells, np.int32),
        )
        at = np.array([0, 1, 0, 0] if total > 1 else [-1, 1, 1, 0], np.int64)
        free = Position(board).free
        tree = depth, cell, good
        while _enumerate(board.neighbours, free, board.end, tree, room, at, _ROUNDS):
            pass  # Ctrl-C is heard here
        count = int(at[1])
        if count >= 0:
            depth, cell, good = depth[:count], cell[:count], good[:count]
            return PositionTree(board, depth.copy(), cell.copy(), good, int(at[2]))
        size *= 4
    raise OptionError(f"board {board.notation} has too many positions to enumerate")
