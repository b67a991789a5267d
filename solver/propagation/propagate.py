"""Propagation: the first four universal rules, kept up to date along a walk.

All rules decide the edges of one tour (`solver.propagation.state`), and each decides
more when more is decided. Applied in any order until nothing changes, they therefore
end in the same state, the fixed point. Continuing from the fixed point of a shorter
walk gives the fixed point of the longer one (Knaster & Tarski).

`close` applies the rules together, to their fixed point.

`RuleWalker` makes random walks under the rules, the whole walk in one kernel. At every
step the walk chooses among the moves that the rules do not refute. Drawing a move among
all and testing it, until one stands, is the same as drawing among those that stand, and
the fixed point of the test is the one from which the walk continues.
"""

from enum import IntFlag

import numpy as np
import numpy.typing as npt

from solver.board import LETTERS, Board, Cell, Position, Walk
from solver.errors import BoardError
from solver.jit import njit
from solver.propagation.flow import check, components, first_choice, repair
from solver.propagation.state import (
    AT,
    BACK,
    BLOCKS,
    CELLS,
    CLOCK,
    CULPRIT,
    DEAD,
    END,
    FLOW,
    FORCED,
    FOUND,
    FRAGMENTS,
    HEAD,
    HEAD_BLOCKS,
    HEAD_CHECK,
    IN,
    LABELLED,
    LAST_STAMP,
    MARK,
    MARK_BACK,
    NEAR,
    OPEN,
    OUT,
    PLANE,
    RULES,
    STAMP,
    START,
    STATE,
    STEPS,
    TRAIL,
    UNKNOWN,
    VISITED,
    WHY,
    Number,
    State,
    chain,
    cut_trail,
    decide,
    edge_between,
    force,
    lay_faces,
    new_state,
    open_edges,
    settle,
)
from solver.splitmix import seeded, shuffle


@njit
def _renew_stamps(s: State) -> None:
    """Kernel: restart all marks, before their numbers grow out of 32 bits."""
    s.info[STAMP] = 0
    s.info[CLOCK] = 0
    for c in range(s.info[CELLS]):
        s.cell[c, MARK] = 0
        s.cell[c, MARK_BACK] = 0
        s.cell[c, FOUND] = 0
        s.cell[c, LABELLED] = 0


@njit
def close(s: State) -> bool:
    """Kernel: rules 1 to 4, those switched on, to the fixed point; False: conflict."""
    info = s.info
    rules = info[RULES]
    if info[STAMP] > LAST_STAMP or info[CLOCK] > LAST_STAMP:
        _renew_stamps(s)
    while True:
        if not settle(s):
            return False
        if rules & FLOW:
            if not repair(s) or not check(s):
                return False
            if info[HEAD] < info[TRAIL] or info[HEAD_CHECK] < info[TRAIL]:
                continue
        if info[PLANE] == 1:
            return open_edges(s)
        if rules & BLOCKS and info[HEAD_BLOCKS] < info[TRAIL]:
            info[HEAD_BLOCKS] = info[TRAIL]
            if not chain(s):
                return False
        return True


class Rules(IntFlag):
    """Which rules propagate; `FOUR` is the usual set."""

    FORCED_EDGES = FORCED
    FRAGMENTS = FRAGMENTS
    BLOCK_CHAIN = BLOCKS
    TWO_FACTOR = FLOW
    FOUR = FORCED | FRAGMENTS | BLOCKS | FLOW


@njit
def begin(s: State) -> bool:
    """Kernel: the fixed point of the empty walk; False is a conflict."""
    info = s.info
    n = info[CELLS]
    info[DEAD] = 1
    if info[OPEN] == 1:
        info[DEAD] = 0
        return True
    if info[RULES] & FLOW and not (first_choice(s) and components(s)):
        return False
    if info[PLANE] == 1:
        lay_faces(s)
        if not chain(s):
            return False
    if info[RULES] & FRAGMENTS and info[OPEN] > 2:
        e = edge_between(s, info[START], info[END])
        if s.edge[e, STATE] == UNKNOWN:
            decide(s, np.int64(e), np.int64(OUT), np.int64(FRAGMENTS))
    for c in range(n):
        if not force(s, c):
            return False
    if info[PLANE] == 0:
        info[HEAD_BLOCKS] = -1  # look even if nothing was decided
    if not close(s):
        return False
    info[DEAD] = 0
    return True


@njit
def advance(s: State, v: Number) -> bool:
    """Kernel: one step of the walk without propagation; False is a conflict.

    The step puts its edge in; the cell it leaves is satisfied and drops the others.
    """
    info = s.info
    here = s.step[info[STEPS] - 1, AT]
    s.step[info[STEPS], BACK] = info[TRAIL]
    s.step[info[STEPS], AT] = v
    info[STEPS] += 1
    s.cell[v, VISITED] = 1
    e = edge_between(s, np.int64(here), np.int64(v))
    if s.edge[e, STATE] == OUT:
        info[CULPRIT] = s.edge[e, WHY]
        return False
    if s.edge[e, STATE] == IN:
        return True
    return decide(s, np.int64(e), np.int64(IN), np.int64(0))


@njit
def push(s: State, v: Number) -> bool:
    """Kernel: one step of the walk and its fixed point; False is a conflict.

    After a conflict steps are only noted, until it is taken back.
    """
    info = s.info
    if info[DEAD] > 0:
        s.step[info[STEPS], BACK] = info[TRAIL]
        s.step[info[STEPS], AT] = v
        info[STEPS] += 1
        s.cell[v, VISITED] = 1
        return False
    if info[RULES] & BLOCKS and not info[RULES] & FLOW:
        info[HEAD_BLOCKS] = -1  # the chain begins at the live end
    if advance(s, v) and close(s):
        return True
    info[DEAD] = info[STEPS]
    return False


@njit
def pop(s: State) -> None:
    """Kernel: take the last step back, exactly."""
    info = s.info
    info[STEPS] -= 1
    steps = info[STEPS]
    s.cell[s.step[steps, AT], VISITED] = 0
    cut_trail(s, s.step[steps, BACK])
    if info[DEAD] > steps:
        info[DEAD] = 0


@njit
def culprits(s: State, masks: npt.NDArray[np.int64]) -> int:
    """Kernel: which rule forbids each move of the live end, as bits; all moves refuted.

    masks[d] is 0 where direction d is no move or the move is allowed.
    """
    info = s.info
    here = s.step[info[STEPS] - 1, AT]
    refuted = 0
    for d in range(4):
        masks[d] = 0
        v = s.cell[here, NEAR + d]
        if v >= 0 and s.cell[v, VISITED] == 0:
            dead = info[DEAD] > 0
            if dead or not push(s, v):
                masks[d] = info[CULPRIT]
                refuted |= 1 << d
            if not dead:
                pop(s)
    return refuted


class Propagator:
    """The rules along one walk: push and pop steps, ask what is decided.

    >>> p = Propagator(Board.square(5))
    >>> p.push(1), p.push(2), p.push(7), p.push(6)
    (True, True, True, True)
    >>> p.forbidden()
    {'D': <Rules.FORCED_EDGES: 1>}
    >>> p.push(11), p.refuted
    (False, True)
    >>> p.pop()

    A step costs about as much as what it changes; a new propagator costs a fixed
    point from scratch, O(cells) on the usual boards.
    """

    __slots__ = ("_masks", "board", "state")

    def __init__(self, board: Board, rules: Rules = Rules.FOUR) -> None:
        self.board = board
        self.state = new_state(board, int(rules))
        self._masks = np.zeros(4, dtype=np.int64)
        begin(self.state)

    @property
    def walk(self) -> Walk:
        """The walk followed so far."""
        return tuple(self.state.step[: self.state.info[STEPS], AT].tolist())

    @property
    def refuted(self) -> bool:
        """Whether the rules found that the position is dead."""
        return bool(self.state.info[DEAD])

    def push(self, cell: Cell) -> bool:
        """Follow the walk to an unvisited neighbour; False if that is refuted.

        Raises `BoardError` if the cell is no move of the live end.
        """
        here = int(self.state.step[self.state.info[STEPS] - 1, AT])
        if self.board.direction(here, cell) < 0 or self.state.cell[cell, VISITED]:
            raise BoardError(f"cell {cell} is no move from {here}")
        return bool(push(self.state, cell))

    def pop(self) -> None:
        """Take the last step back; `BoardError` at the start."""
        if self.state.info[STEPS] < 2:
            raise BoardError("cannot go back from the start")
        pop(self.state)

    def forbidden(self) -> dict[str, Rules]:
        """Return the moves that lead to a conflict, with the rule that met it.

        The rule is the last one of a common argument: others may have decided the
        edges it stands on.
        """
        refuted = culprits(self.state, self._masks)
        return {
            LETTERS[d]: Rules(int(self._masks[d])) for d in range(4) if refuted >> d & 1
        }

    def future_lines(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the edges that every completion must use, as pairs of cells."""
        walked = set(zip(self.walk, self.walk[1:], strict=False))
        pairs = []
        edge = self.state.edge
        for a, b in edge[edge[:, STATE] == IN, :STATE].tolist():
            if (a, b) not in walked and (b, a) not in walked:
                pairs.append((a, b))
        return tuple(pairs)


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
    if info[STEPS] > 1:
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
        state, rng = self.propagator.state, seeded(seed)
        rewind(state)
        outcome = PAUSED
        while outcome == PAUSED:
            outcome = _roam(state, rng, self._moves)
        return Position(self.board, self.propagator.walk), outcome == FULL
