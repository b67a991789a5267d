"""Walks that never get stuck: each step is uniform among the completable moves.

The walk has a *witness*, a completion of its position. It draws a random move. If the
witness makes another move, the walk looks for a new witness, which mostly differs in a
few cells from the old. The same seed gives the same walk, whatever decides the moves:

- `solver.solid.repair` on boards without walls whose start and end lie on the rim;
- `solver.oracles.search` on other boards;
- any oracle, in `oracle_walk`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from solver.board import Board, Position, Walk
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import LIMIT_NODES, Oracle, Verdict, get_oracle
from solver.oracles.strips import always_in_scope
from solver.splitmix import seeded, shuffle


@dataclass(frozen=True, slots=True)
class ExactWalk:
    """The end of a walk: COMPLETABLE if it is complete.

    DEAD means that the board has no Hamiltonian path, UNKNOWN that a limit came first.
    """

    position: Position
    verdict: Verdict


def repairable(board: Board) -> bool:
    """Return whether a board has no walls, and ends on the rim that colours allow."""
    black = board.black(board.start) + board.black(board.end)
    return always_in_scope(board) and board.cells > 1 and black == 1 + board.cells % 2


_Progress: TypeAlias = Callable[[int], object] | None
_Walk: TypeAlias = Callable[[int, _Progress, bytes], tuple[Walk, Verdict]]


@lru_cache(maxsize=4)
def _walker(board: Board, limit: int) -> _Walk:
    """Return the walker of a board; a search has that limit, 0 forbids it."""
    if not repairable(board):
        from solver.oracles.search import SearchWalker

        return SearchWalker(board, limit).walk
    from solver.solid.repair import WitnessWalker
    from solver.solid.static import NEVER, PATH

    def decide(walk: Walk) -> Walk | None:
        answer = get_oracle("strips").decide(Position(board, walk))
        if limit and answer.verdict is Verdict.UNKNOWN:
            answer = get_oracle("search", limit=limit).decide(Position(board, walk))
        return None if answer.verdict is Verdict.UNKNOWN else answer.witness or ()

    walker = WitnessWalker(board, decide)
    verdicts = {PATH: Verdict.COMPLETABLE, NEVER: Verdict.DEAD}

    def walk(seed: int, progress: _Progress, choices: bytes) -> tuple[Walk, Verdict]:
        cells, outcome = walker.walk(seed, progress, choices)
        return cells, verdicts.get(outcome, Verdict.UNKNOWN)

    return walk


def exact_walk(
    board: Board,
    seed: int,
    *,
    limit: int = LIMIT_NODES,
    progress: _Progress = None,
    choices: bytes = b"",
) -> ExactWalk:
    """Walk from start to end, each step uniform among the completable moves.

    Near linear time in practice: 21 x 21 takes part of a millisecond. Such walks are
    not uniform among Hamiltonian paths; `UniformWalks` makes those.

    - `seed`: the same seed gives the same walk on every machine.
    - `limit`: nodes of a single search before the verdict is UNKNOWN.
    - `progress`: called now and then with the number of visited cells.
    - `choices`: the move to try first at each of the first steps. A byte counts among
      the moves U, R, D, L, modulo their number.

    Raises `OptionError` if the limit is below 1.

    >>> walk = exact_walk(Board.square(7), seed=1)
    >>> walk.verdict.name, walk.position.complete
    ('COMPLETABLE', True)
    """
    if limit < 1:
        raise OptionError(f"limit is {limit}, expected 1 or more")
    if board.open_cells == 1:
        return ExactWalk(Position(board), Verdict.COMPLETABLE)
    walk, verdict = _walker(board, limit)(seed, progress, choices)
    return ExactWalk(Position(board, walk), verdict)


def complete_walk(board: Board, seed: int) -> Position:
    """Return the `exact_walk` of a seed.

    Raises `NoWalkError` if the board has no walk; `OptionError` at the limit.
    """
    walk = exact_walk(board, seed)
    if walk.verdict is Verdict.DEAD:
        raise NoWalkError(board.notation)
    if walk.verdict is Verdict.UNKNOWN:
        raise OptionError("no walk was found within the limit")
    return walk.position


def strips_walk(board: Board, seed: int) -> Position | None:
    """Return the complete `exact_walk` if flips and strips decide all its moves.

    None if a move needs a search tree, or if the board has no walk.
    """
    if not repairable(board):
        return None
    walk, verdict = _walker(board, 0)(seed, None, b"")
    return Position(board, walk) if verdict is Verdict.COMPLETABLE else None


def oracle_walk(begin: Board | Position, seed: int, oracle: Oracle) -> ExactWalk:
    """Return the walk of `exact_walk`, or of a position, by any oracle.

    The oracle decides only moves that its last witness does not make.
    """
    position = Position(begin) if isinstance(begin, Board) else begin
    rng = seeded(seed)
    answer = oracle.decide(position)
    if answer.verdict is not Verdict.COMPLETABLE:
        return ExactWalk(position, answer.verdict)
    witness = answer.witness or ()
    moves = np.zeros(4, dtype=np.int64)
    while position.unvisited:
        letters = {cell: move for move, cell in position.options().items()}
        moves[: len(letters)] = [*letters]
        shuffle(rng, moves, len(letters))
        for cell in moves[: len(letters)].tolist():
            after = position.step(letters[cell])
            if cell == witness[0]:
                position, witness = after, witness[1:]
                break
            answer = oracle.decide(after)
            if answer.verdict is Verdict.UNKNOWN:
                return ExactWalk(position, answer.verdict)
            if answer.verdict is Verdict.COMPLETABLE:
                position, witness = after, answer.witness or ()
                break
    return ExactWalk(position, Verdict.COMPLETABLE)
