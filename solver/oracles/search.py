"""The exact oracle `search`: propagation at every node, branching on a cycle.

Each node of the search propagates the rules 1 to 4. Without a conflict, the search
tries to join the choice of the two-factor flow to a tour, which is a witness. Otherwise
a cycle is left that no tour can contain. The search branches on an edge that leaves it,
first in, then out. It tries both branches before a position is dead, so the answer is
exact. Branching at the end of the live fragment instead needs ten to thirty times the
nodes on 61 x 61, since it comes late to the cycle.

`SearchWalker` makes exact walks on any board. The choice is the witness. The walker
searches only for a move that the witness does not make and the rules do not refute.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position, Walk
from solver.errors import OptionError
from solver.jit import njit
from solver.oracles.oracle import LIMIT_NODES, Answer, Verdict, check_witness
from solver.propagation import state as at
from solver.propagation.flow import join, unlog, way_out
from solver.propagation.propagate import (
    SLICE_STEPS,
    Propagator,
    advance,
    close,
    moves_of,
    pop,
    push,
    rewind,
)
from solver.propagation.state import (
    IN,
    OUT,
    State,
    cut_trail,
    decide_edge,
    edge_between,
)
from solver.splitmix import order, seeded

FOUND, NONE, LIMIT, PAUSED = 1, 0, -1, -2  # results of a search
SLICE_NODES = 50  # nodes between two looks for Ctrl-C
SHORT = 4  # steps without a fixed point between them
Longs: TypeAlias = npt.NDArray[np.int64]


@njit
def _open_search(s: State) -> None:
    info = s.info
    info[at.BOTTOM] = info[at.TRAIL]
    info[at.DEPTH] = 0
    info[at.NODES] = 0
    info[at.GOOD] = 1


@njit
def _complete(s: State, limit: int, stack: Longs) -> int:
    """Kernel: continue the search that `_open_search` began; return its result.

    FOUND means that the choice is the tour, LIMIT that the nodes reached the limit,
    PAUSED that the search continues at the next call. Other results undo the decisions
    of the search. `stack` has two numbers for each edge.
    """
    info = s.info
    for _ in range(SLICE_NODES):
        if info[at.NODES] == limit:
            cut_trail(s, info[at.BOTTOM])
            return LIMIT
        info[at.NODES] += 1
        info[at.WORK] += 1
        if info[at.GOOD] == 1:
            if join(s):
                cut_trail(s, info[at.BOTTOM])
                return FOUND
            e = way_out(s)
            if e < 0:
                info[at.GOOD] = 0
                continue
            stack[2 * info[at.DEPTH]] = info[at.TRAIL]
            stack[2 * info[at.DEPTH] + 1] = e
            info[at.DEPTH] += 1
            info[at.GOOD] = decide_edge(s, e, IN, 0) and close(s)
        else:
            if info[at.DEPTH] == 0:
                cut_trail(s, info[at.BOTTOM])
                return NONE
            info[at.DEPTH] -= 1
            cut_trail(s, stack[2 * info[at.DEPTH]])
            e = stack[2 * info[at.DEPTH] + 1]
            info[at.GOOD] = decide_edge(s, e, OUT, 0) and close(s)
    return PAUSED


@njit
def _witness(s: State, path: npt.NDArray[np.int32]) -> int:
    """Kernel: write the tour after the live end to `path`; return its length."""
    steps, length = s.info[at.STEPS], 0
    c = s.step[steps - 1, at.AT]
    before = s.step[steps - 2, at.AT] if steps > 1 else s.info[at.END]
    while c != s.info[at.END]:
        c, before = s.cell[c, at.LINKS] ^ before, c
        path[length] = c
        length += 1
    return length


@njit
def _back(s: State, steps: int) -> None:
    """Kernel: go back to a number of steps, then to the last fixed point."""
    while s.info[at.STEPS] > steps:
        pop(s)
    while s.info[at.STEPS] > 1 and s.step[s.info[at.STEPS] - 1, at.CLOSED] == 0:
        pop(s)


@njit
def _go_to(s: State, walk: npt.NDArray[np.int32]) -> bool:
    """Kernel: change the walk of the state, and begin a search; False is a conflict.

    Fixed points are made after half of the new part, then after half of what is left:
    few for a new walk, and the last close to the next question, a similar walk mostly.
    """
    info = s.info
    info[at.WORK] = 0
    common = 1
    most = min(info[at.STEPS], len(walk))
    while common < most and s.step[common, at.AT] == walk[common]:
        common += 1
    _back(s, common)
    while info[at.STEPS] < len(walk):
        left = len(walk) - info[at.STEPS]
        target = info[at.STEPS] + (left if left <= SHORT else left // 2)
        while info[at.STEPS] < target:
            s.step[info[at.STEPS], at.CLOSED] = 0
            if not advance(s, walk[info[at.STEPS]]):
                _back(s, info[at.STEPS] - 1)
                return False
        if not close(s):
            _back(s, info[at.STEPS] - 1)
            return False
        s.step[info[at.STEPS] - 1, at.CLOSED] = 1
    _open_search(s)
    return True


class SearchOracle:
    """The exact oracle `search`: about a node for each verdict on open boards.

    - `limit`: nodes after which the answer is UNKNOWN; a node costs O(cells).

    >>> SearchOracle().decide(Position.parse("5:RRDLD")).verdict.name
    'DEAD'
    """

    name = "search"

    def __init__(self, *, limit: int = LIMIT_NODES) -> None:
        if limit < 1:
            raise OptionError(f"limit is {limit}, expected 1 or more")
        self.limit = limit
        self._prepared = lru_cache(maxsize=8)(_prepare)

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of nodes."""
        if position.complete:
            return Answer(Verdict.COMPLETABLE, ())
        if position.live_end == position.board.end:
            return Answer(Verdict.DEAD)
        propagator, stack, path = self._prepared(position.board)
        state = propagator.state
        if propagator.refuted:  # the empty walk; no other is ever pushed
            return Answer(Verdict.DEAD)
        walk = np.array(position.walk, dtype=np.int32)
        outcome = PAUSED if _go_to(state, walk) else NONE
        while outcome == PAUSED:
            outcome = _complete(state, self.limit, stack)
        work = int(state.info[at.WORK])
        if outcome != FOUND:
            return Answer(_VERDICTS[outcome], work=work)
        witness = tuple(path[: _witness(state, path)].tolist())
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness, work=work)


_VERDICTS = {FOUND: Verdict.COMPLETABLE, NONE: Verdict.DEAD, LIMIT: Verdict.UNKNOWN}


def _prepare(board: Board) -> tuple[Propagator, Longs, npt.NDArray[np.int32]]:
    """Return the fixed point of the empty walk, a stack, and an array for a witness."""
    stack = np.zeros(4 * board.cells + 2, dtype=np.int64)
    path = np.zeros(board.cells, dtype=np.int32)
    return Propagator(board), stack, path


DRAWN, TRIED, SEARCHED = 0, 1, 2  # moves drawn, of them tried; 1: a search is open


@njit
def _walk(
    s: State,
    rng: npt.NDArray[np.uint64],
    stack: Longs,
    moves: Longs,
    turn: Longs,
    choices: npt.NDArray[np.uint8],
    limit: int,
) -> int:
    """Kernel of `SearchWalker`: FOUND, NONE, LIMIT or PAUSED; the walk in the state."""
    info = s.info
    for _ in range(SLICE_STEPS):
        if turn[SEARCHED] == 1:
            outcome = _complete(s, limit, stack)
            if outcome in (PAUSED, LIMIT):
                return outcome
            turn[SEARCHED] = 0
            if outcome == FOUND:
                turn[DRAWN] = 0
                turn[TRIED] = 0
            elif info[at.STEPS] == 1:
                return NONE
            else:
                pop(s)
                unlog(s)
        if info[at.STEPS] == info[at.OPEN]:
            return FOUND
        if turn[TRIED] == turn[DRAWN]:
            turn[DRAWN] = moves_of(s, moves)
            turn[TRIED] = 0
            order(rng, moves, turn[DRAWN], choices, info[at.STEPS] - 1)
        move = moves[turn[TRIED]]
        turn[TRIED] += 1
        e = edge_between(s, s.step[info[at.STEPS] - 1, at.AT], move)
        if s.match[e] == 1:  # what the rules decide, the witness obeys
            advance(s, move)
            turn[TRIED] = turn[DRAWN]
            continue
        if info[at.HEAD] < info[at.TRAIL]:  # steps of the witness
            close(s)
        if s.edge[e, at.STATE] == OUT:
            continue
        if push(s, move):
            _open_search(s)
            turn[SEARCHED] = 1
        else:
            pop(s)
            unlog(s)  # the witness again
    return PAUSED


class SearchWalker:
    """Walks of any board, uniform among the completable moves at every step."""

    def __init__(self, board: Board, limit: int) -> None:
        self.limit = limit
        self._propagator, self._stack, _ = _prepare(board)

    def walk(
        self, seed: int, progress: Callable[[int], object] | None, choices: bytes
    ) -> tuple[Walk, Verdict]:
        """Return the walk of a seed, and the verdict of its last position."""
        state, rng = self._propagator.state, seeded(seed)
        moves, turn = np.zeros(4, dtype=np.int64), np.array([0, 0, 1])
        first = np.frombuffer(choices, dtype=np.uint8)
        rewind(state)
        _open_search(state)
        outcome = NONE if self._propagator.refuted else PAUSED
        while outcome == PAUSED:
            outcome = _walk(state, rng, self._stack, moves, turn, first, self.limit)
            if progress:
                progress(int(state.info[at.STEPS]))
        return self._propagator.walk, _VERDICTS[outcome]
