"""Random walks whose moves are decided by factors and strips alone.

The walk keeps a completion, a Hamiltonian path of its graph. A move that the path makes
costs nothing. For any other the path loses its first cell, one augmenting path makes it
a path factor from the other move, and `solver.solid.strips` joins the components.
"""

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.jit import njit
from solver.solid.factor import augment_from
from solver.solid.grid import CELLS, END, LIVE, WIDTH, Number, Solid, load, new_solid
from solver.solid.strips import FEW_STRIPS, NO_FACTOR, PATH, STUCK, join, solve
from solver.splitmix import seeded, shuffle

PAUSED = 0
SLICE_CELLS = 1_000_000  # looked at between two looks of Python, for Ctrl-C

# Indices into the counts of a walk: of the moves drawn.
FREE, JOINED, FACTORLESS, SPLIT = 0, 1, 2, 3


@njit
def step_to(s: Solid, move: Number) -> int:
    """Kernel: take a step off the graph's path; PATH if a completion is left.

    Else the dark edges are no path, and the caller brings its copy back.
    """
    here, step = s.info[LIVE], s.step
    lacking = here
    s.inside[here] = 0
    for d in range(4):
        v = here + step[d]
        if s.near[here] >> d & 1:
            s.near[v] ^= np.uint8(1 << (d ^ 2))
        if s.dark[here] >> d & 1:
            s.dark[v] ^= np.uint8(1 << (d ^ 2))
            lacking = v
    s.near[here] = s.dark[here] = 0
    s.need[here] = 0
    s.info[LIVE] = move
    s.info[CELLS] -= 1
    s.need[move] -= 1
    if lacking == move:
        return PATH
    if move == s.info[END]:
        return STUCK
    for d in range(4):  # the move has an edge too many: let one go
        if s.dark[move] >> d & 1:
            s.dark[move] ^= np.uint8(1 << d)
            s.dark[move + step[d]] ^= np.uint8(1 << (d ^ 2))
            s.lack[move + step[d]] = 1
            break
    s.lack[lacking] += 1
    if not augment_from(s, lacking):
        return NO_FACTOR
    return join(s)


@njit
def step_back(s: Solid, here: Number, dark: npt.NDArray[np.uint8]) -> None:
    """Kernel: undo `step_to`, given the live end and the dark edges before it."""
    move = s.info[LIVE]
    s.inside[here] = 1
    s.need[here] = 1
    s.need[move] += 1
    s.info[LIVE] = here
    s.info[CELLS] += 1
    for d in range(4):
        if s.inside[here + s.step[d]] == 1:
            s.near[here] |= np.uint8(1 << d)
            s.near[here + s.step[d]] |= np.uint8(1 << (d ^ 2))
    for c in range(len(dark)):
        s.dark[c] = dark[c]
        s.lack[c] = 0


@njit
def _roam(
    s: Solid,
    rng: npt.NDArray[np.uint64],
    moves: npt.NDArray[np.int64],
    walk: npt.NDArray[np.int32],
    dark: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
) -> int:
    """Kernel of `SolidWalker.walk`: PATH when it is full, PAUSED, or STUCK."""
    info = s.info
    total = len(walk)
    budget = SLICE_CELLS
    while info[CELLS] > 1:
        if budget < 0:
            return PAUSED
        here = np.int64(info[LIVE])
        count = 0
        for d in range(4):
            if s.near[here] >> d & 1:
                moves[count] = here + s.step[d]
                count += 1
        shuffle(rng, moves, count)
        for i in range(count):
            follows = False
            for d in range(4):
                if s.dark[here] >> d & 1 and moves[i] == here + s.step[d]:
                    follows = True
            if not follows:
                for c in range(len(dark)):
                    dark[c] = s.dark[c]
                budget -= len(dark)
            found = step_to(s, moves[i])
            if found == PATH:
                counts[FREE if follows else JOINED] += 1
                break
            if found == STUCK and moves[i] != info[END]:
                return STUCK
            counts[SPLIT if found == FEW_STRIPS else FACTORLESS] += 1
            step_back(s, here, dark)
        at = info[LIVE]
        width = info[WIDTH]
        walk[total - info[CELLS]] = (at // width - 1) * (width - 2) + at % width - 1
    return PATH


class SolidWalker:
    """Random walks on one board, uniform among the moves that are not shown dead.

    The board is one that `solver.oracles.strips.why_not` has nothing against.

    >>> walker = SolidWalker(Board.square(9))
    >>> position = walker.walk(seed=1)
    >>> position.complete
    True
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.counts = np.zeros(4, np.int64)  # of the last walk
        self._solid = new_solid(board)
        load(self._solid, Position(board))
        self.good = solve(self._solid) == PATH
        self._first = self._solid.dark.copy()

    def walk(self, seed: int) -> Position | None:
        """Walk until the board is full; None if there is no walk, or one move unknown.

        The same seed gives the walk of `solver.oracles.exact.exact_walk`, as both are
        uniform among the completable moves and draw them in one order.
        """
        if not self.good:
            return None
        s = self._solid
        load(s, Position(self.board))
        s.dark[:] = self._first
        s.lack[:] = 0
        self.counts[:] = 0
        walk = np.full(self.board.cells, self.board.start, np.int32)
        room = seeded(seed), np.zeros(4, np.int64), walk, np.zeros_like(s.dark)
        outcome = PAUSED
        while outcome == PAUSED:
            outcome = _roam(s, *room, self.counts)
        if outcome != PATH:
            return None
        return Position(self.board, tuple(walk.tolist()))
