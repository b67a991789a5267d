"""The exact oracle `search`: propagation at every node, branching on a cycle.

Each node of the search propagates the rules 1 to 4. If no conflict comes, the choice of
the two-factor flow is joined to a tour if it can be, which is a witness. Else a cycle
is left that no tour can hold: the search branches on an edge that leaves it, first in,
then out. Both branches are tried before a position is called dead, so the answer is
exact whatever the rules miss. Branching at the end of the live fragment instead needs
ten to thirty times the nodes on 61 x 61: it comes late to where the cycle is.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.errors import OptionError
from solver.jit import njit
from solver.oracles.answer import Answer, Verdict, check_witness
from solver.propagation.cycles import join, way_out
from solver.propagation.propagate import Propagator, Rules, advance, close, pop
from solver.propagation.state import (
    AT,
    BOTTOM,
    CLOSED,
    DEPTH,
    EDGE,
    END,
    GOOD,
    IN,
    NEAR,
    NODES,
    OUT,
    STEPS,
    TRAIL,
    WORK,
    State,
    cut_trail,
    decide,
)

FOUND, NONE, LIMIT, PAUSED = 1, 0, -1, -2
LIMIT_NODES = 200_000
SLICE_NODES = 50  # nodes between two looks of Python, for Ctrl-C
SHORT = 4  # steps that are walked without a fixed point between them


@njit
def open_search(s: State) -> None:
    """Kernel: begin a search for a completion of the position of this fixed point."""
    info = s.info
    info[BOTTOM] = info[TRAIL]
    info[DEPTH] = 0
    info[NODES] = 0
    info[GOOD] = 1


@njit
def complete(s: State, limit: int, stack: npt.NDArray[np.int64]) -> int:
    """Kernel: go on with the search that `open_search` began.

    Returns FOUND, and the choice is the tour; or NONE; or LIMIT after that many nodes;
    or PAUSED after some of them, to be called again. Unless it is paused the decisions
    of the search are undone. `stack` has two numbers an edge.
    """
    info = s.info
    for _ in range(SLICE_NODES):
        if info[NODES] == limit:
            cut_trail(s, info[BOTTOM])
            return LIMIT
        info[NODES] += 1
        info[WORK] += 1
        if info[GOOD] == 1:
            if join(s):
                cut_trail(s, info[BOTTOM])
                return FOUND
            e = np.int64(way_out(s))
            if e < 0:
                info[GOOD] = 0
                continue
            stack[2 * info[DEPTH]] = info[TRAIL]
            stack[2 * info[DEPTH] + 1] = e
            info[DEPTH] += 1
            info[GOOD] = decide(s, e, np.int64(IN), np.int64(0)) and close(s)
        else:
            if info[DEPTH] == 0:
                cut_trail(s, info[BOTTOM])
                return NONE
            info[DEPTH] -= 1
            cut_trail(s, stack[2 * info[DEPTH]])
            e = np.int64(stack[2 * info[DEPTH] + 1])
            info[GOOD] = decide(s, e, np.int64(OUT), np.int64(0)) and close(s)
    return PAUSED


@njit
def witness_of(s: State, path: npt.NDArray[np.int32]) -> int:
    """Kernel: write the tour after the live end into `path`, return its length."""
    info = s.info
    c = s.step[info[STEPS] - 1, AT]
    before = s.step[info[STEPS] - 2, AT] if info[STEPS] > 1 else -1
    length = 0
    while c != info[END]:
        for d in range(4):
            v = s.cell[c, NEAR + d]
            if s.match[s.cell[c, EDGE + d]] == 1 and v != before:
                before = c
                c = v
                break
        path[length] = c
        length += 1
    return length


@njit
def _back(s: State, steps: int) -> None:
    """Kernel: go back to so many steps, and on to the fixed point before them."""
    while s.info[STEPS] > steps:
        pop(s)
    while s.info[STEPS] > 1 and s.step[s.info[STEPS] - 1, CLOSED] == 0:
        pop(s)


@njit
def _go_to(s: State, walk: npt.NDArray[np.int32]) -> bool:
    """Kernel: bring the state from the walk it has to another; False is a conflict.

    Only what the walks do not share is walked. Fixed points on the way are made at half
    of what is left, then at half of that: few for a new walk, and one close before for
    the next question, which is mostly about a walk near by.
    """
    info = s.info
    common = 1
    most = min(info[STEPS], len(walk))
    while common < most and s.step[common, AT] == walk[common]:
        common += 1
    _back(s, common)
    while info[STEPS] < len(walk):
        left = len(walk) - info[STEPS]
        target = info[STEPS] + (left if left <= SHORT else left // 2)
        while info[STEPS] < target:
            s.step[info[STEPS], CLOSED] = 0
            if not advance(s, np.int64(walk[info[STEPS]])):
                _back(s, info[STEPS] - 1)
                return False
        if not close(s):
            _back(s, info[STEPS] - 1)
            return False
        s.step[info[STEPS] - 1, CLOSED] = 1
    return True


@njit
def _ask(s: State, walk: npt.NDArray[np.int32]) -> bool:
    """Kernel: go to the walk and begin the search; False is a conflict on the way."""
    s.info[WORK] = 0
    if not _go_to(s, walk):
        return False
    open_search(s)
    return True


class SearchOracle:
    """Exact, fast where the rules see most: about one node a verdict on open boards.

    >>> answer = SearchOracle().decide(Position.parse("5:RRDLD"))
    >>> answer.verdict
    <Verdict.DEAD: 'no completion exists'>

    - `limit`: nodes after which the answer is UNKNOWN; a node costs O(cells).

    Raises `OptionError` if the limit is below 1.
    """

    name = "search"

    def __init__(self, *, limit: int = LIMIT_NODES) -> None:
        if limit < 1:
            raise OptionError(f"limit is {limit}, expected 1 or more")
        self.limit = limit
        self._prepared = lru_cache(maxsize=8)(_prepare)

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; UNKNOWN only when the limit came first."""
        board = position.board
        if position.unvisited == 0 or position.live_end == board.end:
            return _full(position)
        propagator, stack, path = self._prepared(board)
        state = propagator.state
        if propagator.refuted:  # the empty walk; no other is ever pushed
            return Answer(Verdict.DEAD)
        walk = np.array(position.walk, dtype=np.int32)
        outcome = PAUSED if _ask(state, walk) else NONE
        while outcome == PAUSED:
            outcome = complete(state, self.limit, stack)
        work = int(state.info[WORK])
        if outcome == NONE:
            return Answer(Verdict.DEAD, work=work)
        if outcome == LIMIT:
            return Answer(Verdict.UNKNOWN, work=work)
        witness: tuple[Cell, ...] = tuple(path[: witness_of(state, path)].tolist())
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness, work=work)


def _full(position: Position) -> Answer:
    """Answer where no move is left to make."""
    if position.complete:
        return Answer(Verdict.COMPLETABLE, ())
    return Answer(Verdict.DEAD)


def _prepare(
    board: Board,
) -> tuple[Propagator, npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the fixed point of the empty walk, a stack and room for a witness."""
    stack = np.zeros(4 * board.cells + 2, dtype=np.int64)
    path = np.zeros(board.cells, dtype=np.int32)
    return Propagator(board, Rules.FOUR), stack, path
