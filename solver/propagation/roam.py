"""Random walks under the universal rules, the whole walk in one kernel.

At every step the walk draws among the moves that the rules do not refute. Drawing a
move among all and testing it, until one stands, is the same as drawing among those
that stand, and the fixed point of the test is the one the walk goes on from.
"""

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.jit import njit
from solver.propagation.edges import cut_trail, edge_between
from solver.propagation.propagate import Propagator, Rules, pop, push
from solver.propagation.state import (
    AT,
    BACK,
    DEAD,
    END,
    NEAR,
    OPEN,
    OUT,
    PROBING,
    RULES,
    STATE,
    STEPS,
    VISITED,
    WORK,
    State,
)
from solver.splitmix import seeded, shuffle

FULL, STUCK, PAUSED = 1, 0, -1
SLICE_STEPS = 1000  # steps between two looks of Python, for Ctrl-C


@njit
def moves_of(s: State, moves: npt.NDArray[np.int64]) -> int:
    """Kernel: the unvisited neighbours of the live end, in the order U, R, D, L."""
    here = s.step[s.info[STEPS] - 1, AT]
    count = 0
    for d in range(4):
        v = s.cell[here, NEAR + d]
        if v >= 0 and s.cell[v, VISITED] == 0:
            moves[count] = v
            count += 1
    return count


@njit
def _roam(s: State, rng: npt.NDArray[np.uint64], moves: npt.NDArray[np.int64]) -> int:
    """Kernel of `RuleWalker.walk`: walk on until full, stuck, or paused."""
    info = s.info
    for _ in range(SLICE_STEPS):
        if info[STEPS] == info[OPEN] or info[DEAD] > 0:
            return FULL if info[DEAD] == 0 else STUCK
        count = moves_of(s, moves)
        shuffle(rng, moves, count)
        went = False
        here = np.int64(s.step[info[STEPS] - 1, AT])
        last = info[STEPS] == info[OPEN] - 1
        for i in range(count):
            info[WORK] += 1
            if moves[i] == info[END] and not last:
                continue  # it is entered last: too few rules may not know
            if s.edge[edge_between(s, here, moves[i]), STATE] == OUT:
                continue  # a step would only meet the conflict that is known
            if push(s, moves[i]):
                went = True
                break
            pop(s)
        if not went:
            return STUCK
    return PAUSED


@njit
def rewind(s: State) -> None:
    """Kernel: back to the start."""
    info = s.info
    if info[RULES] & PROBING:
        while info[STEPS] > 1:  # known tours are told of every step back
            pop(s)
    elif info[STEPS] > 1:
        for i in range(1, info[STEPS]):
            s.cell[s.step[i, AT], VISITED] = 0
        cut_trail(s, s.step[1, BACK])
        info[STEPS] = 1
        if info[DEAD] > 1:
            info[DEAD] = 0


class RuleWalker:
    """Random walks on one board that obey the universal rules.

    >>> walker = RuleWalker(Board.square(9))
    >>> position, full = walker.walk(seed=1)
    >>> full, position.unvisited
    (True, 0)
    """

    __slots__ = ("_moves", "board", "propagator")

    def __init__(self, board: Board, rules: Rules = Rules.FOUR) -> None:
        self.board = board
        self.propagator = Propagator(board, rules)
        self._moves = np.zeros(4, dtype=np.int64)

    def walk(self, seed: int) -> tuple[Position, bool]:
        """Return a random walk and whether it filled the board; else it is stuck."""
        full = self._walk(seed)
        return Position(self.board, self.propagator.walk), full

    def _walk(self, seed: int) -> bool:
        state, rng = self.propagator.state, seeded(seed)
        rewind(state)
        outcome = PAUSED
        while outcome == PAUSED:
            outcome = _roam(state, rng, self._moves)
        return outcome == FULL

    def count_stuck(self, walks: int, seed: int) -> list[int]:
        """Return the seeds from `seed` on, of that many walks, that got stuck."""
        return [s for s in range(seed, seed + walks) if not self._walk(s)]
