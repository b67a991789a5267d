"""Exact oracle for small boards: a naive depth-first search, obviously right.

The reference that every other procedure is tested against. It knows one thing only:
the end cell is the last cell of a completion, so it is entered last. Counting adds
three cuts that are each one sentence long, and may be switched off.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Cell, Position, Walk
from solver.errors import OptionError
from solver.jit import njit
from solver.oracles.answer import Answer, Verdict, check_witness

Ints: TypeAlias = npt.NDArray[np.int32]
_ROUNDS = 1_000_000  # of the kernel, before Ctrl-C is heard
LIMIT = 5_000_000  # steps of one question: some ten seconds


class BruteOracle:
    """Try every walk; for boards up to about 6 x 6, deep positions on larger ones.

    Parameters
    ----------
    limit : int or None
        Steps to try before the answer is UNKNOWN; None tries them all.

    Examples
    --------
    >>> oracle = BruteOracle()
    >>> oracle.decide(Position.parse("3:RR")).verdict
    <Verdict.COMPLETABLE: 'a completion exists'>
    >>> oracle.decide(Position.parse("3:RD")).verdict
    <Verdict.DEAD: 'no completion exists'>
    """

    name = "brute"

    def __init__(self, *, limit: int | None = LIMIT) -> None:
        if limit is not None and limit < 1:
            raise OptionError(f"the step limit is at least 1, not {limit}")
        self.limit = limit

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of steps tried."""
        work = 0
        for work, witness in _search(position):
            if witness is not None:
                check_witness(position, witness)
                return Answer(Verdict.COMPLETABLE, witness, work=work)
            if work == self.limit:
                return Answer(Verdict.UNKNOWN, work=work)
        return Answer(Verdict.DEAD, work=work)


def _search(position: Position) -> Iterator[tuple[int, Walk | None]]:
    """Yield the number of steps tried so far after each, and the completions."""
    board = position.board
    if position.complete:
        yield 0, ()
    if board.end in position.walk:
        return
    around = [[int(b) for b in row if b >= 0] for row in board.neighbours]
    visited = set(position.walk)
    missing = position.unvisited
    path: list[Cell] = []
    choices = [iter(around[position.live_end])]
    work = 0
    while choices:
        cell = next(choices[-1], None)
        if cell is None:
            choices.pop()
            if path:
                visited.discard(path.pop())
        elif cell not in visited and (cell != board.end or len(path) == missing - 1):
            work += 1
            path.append(cell)
            visited.add(cell)
            choices.append(iter(around[cell]))
            yield work, tuple(path) if len(path) == missing else None


def completions(position: Position) -> Iterator[Walk]:
    """Yield every completion, in the order U, R, D, L of their moves.

    A completion is the tuple of cells after the live end; a complete walk has one, the
    empty tuple. Nothing is pruned: exponential time.

    >>> [len(walk) for walk in completions(Position.parse("3:"))]
    [8, 8]
    """
    for _, witness in _search(position):
        if witness is not None:
            yield witness


@njit
def _count(
    neighbours: npt.NDArray[np.int32],
    free: npt.NDArray[np.bool_],
    end: int,
    prune: bool,
    room: tuple[Ints, Ints, Ints, npt.NDArray[np.int64]],
    at: npt.NDArray[np.int64],
    rounds: int,
) -> bool:
    """Kernel of `count_completions`, so many rounds; False at the end.

    It leaves `free` as it was. `room` is path and moves tried by depth, a stack and
    stamps by cell; `at` is depth, completions found, and the last stamp.
    """
    path, tried, stack, stamp = room
    missing = len(path) - 1
    depth, found, now = at[0], at[1], at[2]
    while depth >= 0:
        if rounds == 0:
            at[0], at[1], at[2] = depth, found, now
            return True
        rounds -= 1
        cell = path[depth]
        if tried[depth] == 0:  # just arrived
            dead = False
            if depth == missing:
                found += cell == end
                dead = True
            elif cell == end or not free[end]:
                dead = True
            elif prune:
                for d in range(4):  # only neighbours of the cell before lost a way
                    near = neighbours[path[depth - 1], d] if depth else -1
                    if near >= 0 and free[near]:
                        ways = 0
                        for k in range(4):
                            other = neighbours[near, k]
                            ways += other >= 0 and (free[other] or other == cell)
                        if ways < 2 - (near == end):
                            dead = True
                if not dead:  # the unvisited cells hang together with the live end
                    now += 1
                    stack[0] = cell
                    size, reached = 1, 0
                    while size:
                        size -= 1
                        here = stack[size]
                        for k in range(4):
                            other = neighbours[here, k]
                            if other >= 0 and free[other] and stamp[other] != now:
                                stamp[other] = now
                                reached += 1
                                stack[size] = other
                                size += 1
                    dead = reached < missing - depth
            if dead:
                tried[depth] = 4
        if tried[depth] == 4:
            tried[depth] = 0
            if depth:
                free[cell] = True
            depth -= 1
            continue
        following = neighbours[cell, tried[depth]]
        tried[depth] += 1
        if following >= 0 and free[following]:
            free[following] = False
            depth += 1
            path[depth] = following
            tried[depth] = 0
    at[1] = found
    return False


def count_completions(position: Position, *, prune: bool = True) -> int:
    """Count the completions; all of 7 x 7, 111,712, take a few seconds at most.

    Three cuts, each sound by one sentence: the end cell is entered last; an unvisited
    cell needs two ways (the end cell one) among unvisited cells and the live end; the
    unvisited cells hang together with the live end. `prune=False` keeps only the first.

    References
    ----------
    OEIS A001184: 1, 2, 104, 111712, 2688307514 walks on odd squares, corner to corner.

    Examples
    --------
    >>> count_completions(Position.parse("5:"))
    104
    """
    board, cells = position.board, position.board.cells
    room = (
        np.full(position.unvisited + 1, position.live_end, np.int32),
        np.zeros(position.unvisited + 1, np.int32),
        np.empty(cells, np.int32),
        np.zeros(cells, np.int64),
    )
    at, free = np.zeros(3, np.int64), position.free
    while _count(board.neighbours, free, board.end, prune, room, at, _ROUNDS):
        pass  # and Ctrl-C is heard
    return int(at[1])
