"""Propagation: the first four universal rules along a walk, to their fixed point.

All rules decide the edges of one tour (`solver.propagation.state`), and each decides
more when more is decided. Applied in any order until nothing changes, they therefore
end in the same state, the fixed point. Continuing from the fixed point of a shorter
walk gives the fixed point of the longer walk (Knaster & Tarski).

`RuleWalker` makes random walks under the rules, the whole walk in one kernel. At every
step the walk chooses among the moves that the rules do not refute: it tests random
moves until a move stands. The walk continues from the fixed point of that test.
"""

from enum import IntFlag
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from solver.board import LETTERS, Board, Cell, Position, Walk
from solver.errors import BoardError
from solver.jit import njit
from solver.propagation import state as at
from solver.propagation.flow import (
    check_flow,
    first_choice,
    repair_choice,
    split_components,
)
from solver.propagation.state import (
    BLOCKS,
    FLOW,
    FORCED,
    FRAGMENTS,
    IN,
    LAST_STAMP,
    OUT,
    UNKNOWN,
    Number,
    State,
    chain,
    cut_trail,
    decide_edge,
    edge_between,
    force,
    lay_faces,
    new_state,
    open_edges,
    propagate_forced,
)
from solver.splitmix import seeded, shuffle


@njit
def _renew_stamps(s: State) -> None:
    """Kernel: restart all marks, before their numbers grow out of 32 bits."""
    s.info[at.STAMP] = s.info[at.CLOCK] = 0
    for column in (at.MARK, at.MARK_BACK, at.FOUND, at.LABELLED):
        s.cell[:, column] = 0


@njit
def close(s: State) -> bool:
    """Kernel: the rules that are switched on to their fixed point; False: conflict."""
    info = s.info
    rules = info[at.RULES]
    if info[at.STAMP] > LAST_STAMP or info[at.CLOCK] > LAST_STAMP:
        _renew_stamps(s)
    while True:
        if not propagate_forced(s):
            return False
        if rules & FLOW:
            if not repair_choice(s) or not check_flow(s):
                return False
            if info[at.HEAD] < info[at.TRAIL] or info[at.HEAD_CHECK] < info[at.TRAIL]:
                continue
        if info[at.PLANE] == 1:
            return open_edges(s)
        if rules & BLOCKS and info[at.HEAD_BLOCKS] < info[at.TRAIL]:
            info[at.HEAD_BLOCKS] = info[at.TRAIL]
            if not chain(s):
                return False
        return True


class Rules(IntFlag):
    """Sets of rules that propagate."""

    FORCED_EDGES = FORCED
    FRAGMENTS = FRAGMENTS
    BLOCK_CHAIN = BLOCKS
    TWO_FACTOR = FLOW
    FOUR = FORCED | FRAGMENTS | BLOCKS | FLOW


@njit
def begin(s: State) -> bool:
    """Kernel: the fixed point of the empty walk; False is a conflict."""
    info = s.info
    info[at.DEAD] = 1
    if info[at.OPEN] == 1:
        info[at.DEAD] = 0
        return True
    if info[at.RULES] & FLOW and not (first_choice(s) and split_components(s)):
        return False
    if info[at.PLANE] == 1:
        lay_faces(s)
        if not chain(s):
            return False
    if info[at.RULES] & FRAGMENTS and info[at.OPEN] > 2:
        e = edge_between(s, info[at.START], info[at.END])
        if s.edge[e, at.STATE] == UNKNOWN:
            decide_edge(s, e, OUT, FRAGMENTS)
    for c in range(info[at.CELLS]):
        if not force(s, c):
            return False
    if info[at.PLANE] == 0:
        info[at.HEAD_BLOCKS] = -1  # test even if nothing was decided
    if not close(s):
        return False
    info[at.DEAD] = 0
    return True


@njit
def advance(s: State, v: Number) -> bool:
    """Kernel: take a step, which puts its edge in; False is a conflict."""
    info = s.info
    here = s.step[info[at.STEPS] - 1, at.AT]
    s.step[info[at.STEPS], at.BACK] = info[at.TRAIL]
    s.step[info[at.STEPS], at.AT] = v
    info[at.STEPS] += 1
    s.cell[v, at.VISITED] = 1
    e = edge_between(s, here, v)
    if s.edge[e, at.STATE] == OUT:
        info[at.CULPRIT] = s.edge[e, at.WHY]
        return False
    if s.edge[e, at.STATE] == IN:
        return True
    return decide_edge(s, e, IN, 0)


@njit
def push(s: State, v: Number) -> bool:
    """Kernel: take a step and propagate; False is a conflict.

    After a conflict steps only extend the walk, until `pop` takes it back.
    """
    info = s.info
    if info[at.DEAD] > 0:
        s.step[info[at.STEPS], at.BACK] = info[at.TRAIL]
        s.step[info[at.STEPS], at.AT] = v
        info[at.STEPS] += 1
        s.cell[v, at.VISITED] = 1
        return False
    if info[at.RULES] & BLOCKS and not info[at.RULES] & FLOW:
        info[at.HEAD_BLOCKS] = -1  # the chain begins at the live end
    if advance(s, v) and close(s):
        return True
    info[at.DEAD] = info[at.STEPS]
    return False


@njit
def pop(s: State) -> None:
    """Kernel: undo the last step exactly."""
    info = s.info
    info[at.STEPS] -= 1
    steps = info[at.STEPS]
    s.cell[s.step[steps, at.AT], at.VISITED] = 0
    cut_trail(s, s.step[steps, at.BACK])
    if info[at.DEAD] > steps:
        info[at.DEAD] = 0


@njit
def culprits(s: State, masks: npt.NDArray[np.int64]) -> int:
    """Kernel: the moves of the live end that the rules refute, as bits.

    `masks[d]` gets the bit of the rule that forbids direction d, or 0.
    """
    info = s.info
    here = s.step[info[at.STEPS] - 1, at.AT]
    refuted = 0
    for d in range(4):
        masks[d] = 0
        v = s.cell[here, at.NEAR + d]
        if v >= 0 and s.cell[v, at.VISITED] == 0:
            dead = info[at.DEAD] > 0
            if dead or not push(s, v):
                masks[d] = info[at.CULPRIT]
                refuted |= 1 << d
            if not dead:
                pop(s)
    return refuted


class Propagator:
    """The rules along a walk: push and pop steps, read the decisions.

    A step costs as much as it changes, a new propagator O(cells) on the usual boards.

    >>> p = Propagator(Board.square(5))
    >>> p.push(1), p.push(2), p.push(7), p.push(6)
    (True, True, True, True)
    >>> p.forbidden()
    {'D': <Rules.FORCED_EDGES: 1>}
    """

    __slots__ = ("_masks", "board", "state")

    def __init__(self, board: Board, rules: Rules = Rules.FOUR) -> None:
        self.board = board
        self.state = new_state(board, int(rules))
        self._masks = np.zeros(4, dtype=np.int64)
        begin(self.state)

    @property
    def walk(self) -> Walk:
        """The cells of the walk."""
        return tuple(self.state.step[: self.state.info[at.STEPS], at.AT].tolist())

    @property
    def refuted(self) -> bool:
        """True if the rules show that the position is dead."""
        return bool(self.state.info[at.DEAD])

    def push(self, cell: Cell) -> bool:
        """Step to a cell; False if that is refuted, `BoardError` if not a move."""
        here = int(self.state.step[self.state.info[at.STEPS] - 1, at.AT])
        if self.board.direction(here, cell) < 0 or self.state.cell[cell, at.VISITED]:
            raise BoardError(f"cell {cell} is no move from {here}")
        return bool(push(self.state, cell))

    def pop(self) -> None:
        """Undo the last step; `BoardError` at the start."""
        if self.state.info[at.STEPS] < 2:
            raise BoardError("cannot go back from the start")
        pop(self.state)

    def forbidden(self) -> dict[str, Rules]:
        """Return the moves that lead to a conflict, with the rule that met it.

        Other rules may have decided the edges of its argument.
        """
        refuted = culprits(self.state, self._masks)
        return {
            LETTERS[d]: Rules(int(self._masks[d])) for d in range(4) if refuted >> d & 1
        }

    def future_lines(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges that every completion must use, as pairs of cells."""
        walked = {(min(step), max(step)) for step in pairwise(self.walk)}
        edge = self.state.edge
        pairs = edge[edge[:, at.STATE] == IN, : at.STATE].tolist()
        return tuple((a, b) for a, b in pairs if (a, b) not in walked)


FULL, STUCK, PAUSED = 1, 0, -1
SLICE_STEPS = 1000  # steps before Python can react to Ctrl-C


@njit
def moves_of(s: State, moves: npt.NDArray[np.int64]) -> int:
    """Kernel: write the moves of the live end in the order U, R, D, L; their number."""
    here = s.step[s.info[at.STEPS] - 1, at.AT]
    count = 0
    for d in range(4):
        v = s.cell[here, at.NEAR + d]
        if v >= 0 and s.cell[v, at.VISITED] == 0:
            moves[count] = v
            count += 1
    return count


@njit
def _roam(s: State, rng: npt.NDArray[np.uint64], moves: npt.NDArray[np.int64]) -> int:
    """Kernel of `RuleWalker.walk`: walk on until full, stuck, or paused."""
    info = s.info
    for _ in range(SLICE_STEPS):
        if info[at.STEPS] == info[at.OPEN] or info[at.DEAD] > 0:
            return FULL if info[at.DEAD] == 0 else STUCK
        count = moves_of(s, moves)
        shuffle(rng, moves, count)
        here = s.step[info[at.STEPS] - 1, at.AT]
        last = info[at.STEPS] == info[at.OPEN] - 1
        for i in range(count):
            if moves[i] == info[at.END] and not last:
                continue  # the end cell comes last; few rules may miss that
            if s.edge[edge_between(s, here, moves[i]), at.STATE] == OUT:
                continue  # a step would only meet a conflict
            if push(s, moves[i]):
                break
            pop(s)
        else:
            return STUCK
    return PAUSED


@njit
def rewind(s: State) -> None:
    """Kernel: undo all steps."""
    info = s.info
    if info[at.STEPS] > 1:
        for i in range(1, info[at.STEPS]):
            s.cell[s.step[i, at.AT], at.VISITED] = 0
        cut_trail(s, s.step[1, at.BACK])
        info[at.STEPS] = 1
        if info[at.DEAD] > 1:
            info[at.DEAD] = 0


class RuleWalker:
    """Random walks on a board that obey the universal rules.

    >>> position, full = RuleWalker(Board.square(9)).walk(seed=1)
    >>> full, position.unvisited
    (True, 0)
    """

    __slots__ = ("_moves", "board", "propagator")

    def __init__(self, board: Board, rules: Rules = Rules.FOUR) -> None:
        self.board = board
        self.propagator = Propagator(board, rules)
        self._moves = np.zeros(4, dtype=np.int64)

    def walk(self, seed: int) -> tuple[Position, bool]:
        """Return the walk of a seed, and True if it fills the board, False if stuck."""
        state, rng = self.propagator.state, seeded(seed)
        rewind(state)
        outcome = PAUSED
        while outcome == PAUSED:
            outcome = _roam(state, rng, self._moves)
        return Position(self.board, self.propagator.walk), outcome == FULL
