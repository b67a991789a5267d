"""Walks that never get stuck: uniform among the completable moves at every step.

The walk keeps a *witness*, a completion of its position. It draws a move; one that the
witness makes costs nothing, one that the rules refute next to nothing, and for any
other a new witness is looked for, which is mostly the old one with a few cells
exchanged. `exact_walk` does it in kernels, `oracle_walk` with any oracle: the same seed
gives the same walk.

On boards without walls whose start and end lie on the rim, the witness is repaired by
an alternating path and by merging, as `solver.solid.repair` says. On others a search
finds a new one, under the rules 1 to 4: no rule decides against a witness, so they look
at its steps only when another move is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position, Walk
from solver.errors import OptionError
from solver.jit import njit
from solver.oracles.oracle import Oracle, Verdict
from solver.oracles.search import (
    FOUND,
    LIMIT,
    LIMIT_NODES,
    NONE,
    PAUSED,
    SearchOracle,
    complete,
    open_search,
)
from solver.oracles.strips import StripsOracle
from solver.propagation.cycles import unlog
from solver.propagation.propagate import (
    SLICE_STEPS,
    Propagator,
    Rules,
    advance,
    close,
    moves_of,
    pop,
    push,
    rewind,
)
from solver.propagation.state import (
    AT,
    HEAD,
    OPEN,
    OUT,
    STATE,
    STEPS,
    TRAIL,
    State,
    edge_between,
)
from solver.solid.repair import FULL, WitnessWalker, repairable
from solver.solid.strips import GIVEN_UP, NEVER
from solver.splitmix import seeded, shuffle

# The stack of the search, the moves in the order drawn, and how far the step is.
_Room: TypeAlias = tuple[
    npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]
]
DRAWN, TRIED = 0, 1  # in the last: moves drawn, and of them tried
ASKED = 2  # 1 while a completion is looked for


@dataclass(frozen=True, slots=True)
class ExactWalk:
    """A walk uniform among completable moves, and what it cost.

    - `position`: complete, if the verdict is COMPLETABLE; else where the walk ended.
    - `verdict`: DEAD if the board has no Hamiltonian path, UNKNOWN if a limit came
      first.
    - `free`: moves that the witness answered.
    - `refuted`: moves that were refuted by rules 1 to 4, or by what these see: no path
      factor makes them, or none leaves some of the cells; 0 for other oracles.
    - `asked`: moves for which the witness was repaired, or a question to search or
      oracle.
    - `dead`: moves of them that are dead.
    """

    position: Position
    verdict: Verdict
    free: int
    refuted: int
    asked: int
    dead: int


@njit
def _exact_walk(
    s: State,
    rng: npt.NDArray[np.uint64],
    room: _Room,
    limit: int,
    counts: npt.NDArray[np.int64],
) -> int:
    """Kernel of `exact_walk`: FOUND, NONE, LIMIT or PAUSED; the walk in the state."""
    info = s.info
    stack, moves, turn = room
    for _ in range(SLICE_STEPS):
        if turn[ASKED] == 1:
            outcome = complete(s, limit, stack)
            if outcome in (PAUSED, LIMIT):
                return outcome
            turn[ASKED] = 0
            if outcome == FOUND:
                turn[DRAWN] = 0
                turn[TRIED] = 0
            elif info[STEPS] == 1:
                return NONE
            else:
                counts[3] += 1
                pop(s)
                unlog(s)
        if info[STEPS] == info[OPEN]:
            return FOUND
        if turn[TRIED] == turn[DRAWN]:
            turn[DRAWN] = moves_of(s, moves)
            turn[TRIED] = 0
            shuffle(rng, moves, turn[DRAWN])
        move = moves[turn[TRIED]]
        turn[TRIED] += 1
        e = edge_between(s, np.int64(s.step[info[STEPS] - 1, AT]), move)
        if s.match[e] == 1:  # what the rules decide, the witness obeys
            counts[0] += 1
            advance(s, np.int64(move))
            turn[TRIED] = turn[DRAWN]
            continue
        if info[HEAD] < info[TRAIL]:  # steps of the witness
            close(s)
        if s.edge[e, STATE] == OUT:
            counts[1] += 1
        elif push(s, move):
            counts[2] += 1
            open_search(s)
            turn[ASKED] = 1
        else:
            counts[1] += 1
            pop(s)
            unlog(s)  # the witness again
    return PAUSED


_VERDICTS = {FOUND: Verdict.COMPLETABLE, NONE: Verdict.DEAD, LIMIT: Verdict.UNKNOWN}


_REPAIRED = {FULL: Verdict.COMPLETABLE, NEVER: Verdict.DEAD, GIVEN_UP: Verdict.UNKNOWN}


@lru_cache(maxsize=4)
def _room(board: Board) -> tuple[Propagator, _Room]:
    propagator = Propagator(board, Rules.FOUR)
    stack = np.zeros(4 * board.cells + 2, dtype=np.int64)
    moves, turn = np.zeros(4, dtype=np.int64), np.zeros(3, dtype=np.int64)
    return propagator, (stack, moves, turn)


@lru_cache(maxsize=4)
def _walker(board: Board, limit: int) -> WitnessWalker:
    """Return a walker that searches with that limit; 0: not at all."""
    oracles: tuple[Oracle, ...] = (StripsOracle(),)
    if limit:
        oracles += (SearchOracle(limit=limit),)

    def decide(walk: Walk) -> Walk | None:
        for oracle in oracles:
            answer = oracle.decide(Position(board, walk))
            if answer.verdict is not Verdict.UNKNOWN:
                return answer.witness or ()
        return None

    return WitnessWalker(board, decide)


def exact_walk(
    board: Board,
    seed: int,
    *,
    limit: int = LIMIT_NODES,
    progress: Callable[[int], object] | None = None,
    choices: bytes = b"",
) -> ExactWalk:
    """Walk from start to end, each step uniform among the completable moves.

    Near linear time in practice: 21 x 21 takes part of a millisecond. Such walks
    are not uniform among Hamiltonian paths: choices are even, their consequences not.

    - `seed`: the same seed gives the same walk on every machine.
    - `limit`: nodes of a single search before the verdict is UNKNOWN.
    - `progress`: called now and then with the number of cells visited.
    - `choices`: which move is tried first at the first steps, a byte a step, counted
      among the moves U, R, D, L modulo their number; only on boards without walls whose
      ends lie on the rim.

    Raises `OptionError` if the limit is below 1.

    >>> walk = exact_walk(Board.square(7), seed=1)
    >>> walk.verdict.name, walk.position.complete
    ('COMPLETABLE', True)
    """
    if limit < 1:
        raise OptionError(f"limit is {limit}, expected 1 or more")
    if board.open_cells == 1:
        return ExactWalk(Position(board), Verdict.COMPLETABLE, 0, 0, 0, 0)
    counts = np.zeros(4, dtype=np.int64)
    if repairable(board):
        walker = _walker(board, limit)
        verdict = walker.go(seed, counts, progress, choices)
        position = Position(board, walker.walk)
        return ExactWalk(position, _REPAIRED[verdict], *counts.tolist())
    propagator, room = _room(board)
    state, rng = propagator.state, seeded(seed)
    rewind(state)
    outcome = NONE if propagator.refuted else PAUSED
    open_search(state)
    room[2][:] = 0, 0, 1
    while outcome == PAUSED:
        outcome = _exact_walk(state, rng, room, limit, counts)
        if progress:
            progress(int(state.info[STEPS]))
    position = Position(board, propagator.walk)
    free, refuted, asked, dead = counts.tolist()
    return ExactWalk(position, _VERDICTS[outcome], free, refuted, asked, dead)


def strips_walk(board: Board, seed: int) -> Position | None:
    """Return `exact_walk` if flips and strips decided all its moves.

    None if a move took a search tree, or would have, or if the board has no walk.
    """
    if not repairable(board):
        return None
    walker = _walker(board, 0)
    whole = walker.go(seed, np.zeros(4, dtype=np.int64)) == FULL
    return Position(board, walker.walk) if whole else None


def oracle_walk(begin: Board | Position, seed: int, oracle: Oracle) -> ExactWalk:
    """Make the same walk as `exact_walk` by asking an oracle; or go on with one."""
    rng, moves = seeded(seed), np.zeros(4, dtype=np.int64)
    position = Position(begin) if isinstance(begin, Board) else begin
    answer = oracle.decide(position)
    free = dead = 0
    asked = 1
    while answer.verdict is Verdict.COMPLETABLE and answer.witness:
        witness = answer.witness
        options = list(position.options().items())
        moves[: len(options)] = [cell for _, cell in options]
        shuffle(rng, moves, len(options))
        letter = {cell: move for move, cell in options}
        for cell in moves[: len(options)].tolist():
            after = position.step(letter[cell])
            if cell == witness[0]:
                free += 1
                position = after
                witness = witness[1:]
                break
            asked += 1
            found = oracle.decide(after)
            if found.verdict is Verdict.COMPLETABLE:
                position, witness = after, found.witness or ()
                break
            if found.verdict is Verdict.UNKNOWN:
                return ExactWalk(position, found.verdict, free, 0, asked, dead)
            dead += 1
        answer = type(answer)(Verdict.COMPLETABLE, witness)
    return ExactWalk(position, answer.verdict, free, 0, asked, dead)
