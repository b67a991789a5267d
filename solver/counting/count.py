"""Exact counts of completions and cycles; ranks in left-first order.

A count is put together from residues; an upper bound, which is proved, says how many
moduli make it exact.

At each step of a walk the move left of the last step comes first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it:
of a complete walk, its number from 0 on.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from math import prod
from threading import Event

import numpy as np

from solver.board import LETTERS, Board, Position
from solver.counting.layers import DOWN, RIGHT
from solver.counting.plan import MEMORY, LayerRun, Plan, Progress, make_plan
from solver.errors import OptionError
from solver.nowalk import why_dead

_MARGIN = 1 + 2.0**-30  # over the rounding of some 1e5 sums, each of 2^-53


def choices(plan: Plan) -> int:
    """Return the number of cells at which a walk can go on down or right.

    Every completion is a chain of states, one a layer, and a state is followed by two
    at most, and only at these cells: there are at most 2^choices completions.
    """
    return int(np.count_nonzero(plan.cells[:, DOWN] & plan.cells[:, RIGHT]))


def most_completions(plan: Plan) -> int:
    """Return a number that the completions do not exceed.

    2^choices, or the number of ways to give every cell the edges it needs, whether or
    not they make one walk: counted like completions with one word a mask. That takes
    less than a count does, and on 19 x 19 gives 2^206 for 2^170.
    """
    run = LayerRun(plan, bound=True)
    run.make()
    edges = float(run.number()) * _MARGIN
    simple: int = 2 ** choices(plan)
    return min(simple, int(edges) + 1) if math.isfinite(edges) else simple


# What the primes next below 2^63 lack of it, from the largest prime on.
_BELOW = (
    *(25, 165, 259, 301, 375, 387, 391, 409, 457, 471, 517, 529, 549, 627, 649, 669),
    *(711, 735, 751, 849, 871, 891, 915, 1011, 1069, 1095, 1129, 1179, 1221, 1237),
    *(1249, 1297),
)


def moduli_for(bound: int) -> tuple[int, ...]:
    """Return primes whose product is above a bound.

    >>> len(moduli_for(2**170))
    3

    Raises `OptionError` if all primes are not enough: above 2^2015.
    """
    chosen: list[int] = []
    for gap in _BELOW:
        if prod(chosen) > bound:
            break
        chosen.append(2**63 - gap)
    if prod(chosen) <= bound:
        raise OptionError(f"a count of up to {bound.bit_length()} bits is too large")
    return tuple(chosen)


def combine(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number below the product of all moduli that has these residues.

    The Chinese remainder theorem; moduli have no common factors.

    >>> combine([2, 3, 2], [3, 5, 7])
    23
    """
    total, product = 0, 1
    for residue, modulus in zip(residues, moduli, strict=True):
        total += (residue - total) * pow(product, -1, modulus) % modulus * product
        product *= modulus
    return total


_SINGLE = 10_000  # states of the widest layer up to which all limbs go at once


def known_count(position: Position) -> int | None:
    """Return the number of completions where no cell is to be added, None elsewhere."""
    if position.complete:
        return 1
    return None if position.free[position.board.end] else 0


def count_completions(
    position: Position,
    *,
    memory: int = MEMORY,
    jobs: int = 1,
    progress: Progress | None = None,
) -> int:
    """Count the completions of a position, without listing them; exact.

    0.8 ms on 9 x 9, 0.08 s on 13 x 13, some seconds on 17 x 17. Linear in the longer
    side; each two columns of the shorter one more take nine times the time and seven
    times the memory: 45 MB on 17 x 17, 2.5 GB on 21 x 21.

    - `memory`: bytes that all arrays may take.
    - `jobs`: moduli at work at the same time, each in a thread, if memory allows.
    - `progress`: called now and then with the number of states made since.

    Raises `TooLargeError` before anything is counted, if that does not fit.

    >>> count_completions(Position.parse("11:"))  # OEIS A001184
    1445778936756068
    """
    count = known_count(position)
    if count is not None:
        return count
    return sum(_count(make_plan(position), memory, jobs, progress))


def count_moves(
    position: Position,
    *,
    memory: int = MEMORY,
    jobs: int = 1,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Count the completions that begin with each move, in the order U, R, D, L.

    Where the live end is the first cell to be added, as at the start of most boards,
    one count serves all moves; elsewhere each takes one. The options are those of
    `count_completions`.

    >>> count_moves(Position.parse("7:"))
    {'R': 55856, 'D': 55856}
    """
    moves = position.options()
    if known_count(position) is None:
        plan = make_plan(position)
        if plan.starts_first:
            down, right = _count(plan, memory, jobs, progress)
            ways = {"D": right, "R": down} if plan.turned else {"D": down, "R": right}
            return {move: ways[move] for move in moves}
    return {
        move: count_completions(
            position.step(move), memory=memory, jobs=jobs, progress=progress
        )
        for move in moves
    }


def _count(
    plan: Plan, memory: int, jobs: int, progress: Progress | None
) -> tuple[int, ...]:
    """Return the completions by step down and right, or all, in the plan's frame."""
    if not plan.states.all():  # the colours do not allow it
        return (0, 0)
    if plan.widest <= _SINGLE:
        limbs = choices(plan) // 64 + 1  # 2^choices is below 2^(64 limbs)
        plan.check_memory(memory, limbs)
        return _made(LayerRun(plan, limbs=limbs), progress)
    plan.check_memory(memory)
    moduli = moduli_for(most_completions(plan))
    jobs = min(jobs, memory // plan.bytes_of(1, kept=False))
    residues = _residues(plan, moduli, jobs, progress)
    return tuple(combine(column, moduli) for column in zip(*residues, strict=True))


def _residues(
    plan: Plan, moduli: Sequence[int], jobs: int, progress: Progress | None
) -> list[tuple[int, ...]]:
    """Return the numbers of `_count` modulo each modulus; the kernels hold no lock."""
    stopped = Event()

    def tick(made: int) -> None:
        if stopped.is_set():
            raise CancelledError
        if progress:
            progress(made)

    def residue(modulus: int) -> tuple[int, ...]:
        return _made(LayerRun(plan, modulus=modulus), tick)

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            return [*pool.map(residue, moduli)]
        except BaseException:
            stopped.set()
            raise


def _made(run: LayerRun, progress: Progress | None) -> tuple[int, ...]:
    """Make the layers; return the numbers of the first one."""
    run.make(progress)
    return run.first_steps() if run.plan.starts_first else (run.number(),)


def count_cycles(board: Board, *, memory: int = MEMORY, jobs: int = 1) -> int:
    """Count the Hamiltonian cycles of a board, whatever its ends; directions alike.

    The first open cell, row by row, has only the cells to its right and below as
    neighbours. Every cycle uses both edges, so cycles are the paths from that cell to
    the one on its right.

    >>> [count_cycles(Board.square(n)) for n in (2, 3, 4, 6)]
    [1, 0, 6, 1072]

    Raises `TooLargeError` if the memory does not allow the count.
    """
    first = min(set(range(board.cells)) - set(board.walls))
    _, right, down, _ = board.neighbours[first].tolist()
    if board.open_cells < 4 or right < 0 or down < 0:
        return 0
    place = Position(Board(board.rows, board.cols, first, right, board.walls))
    return 0 if why_dead(place) else count_completions(place, memory=memory, jobs=jobs)


_RIGHT = 1  # the heading before the first step


def left_first(position: Position) -> list[str]:
    """Return the moves of a position in left-first order.

    >>> left_first(Position.parse("5:RRD")), left_first(Position.parse("5:"))
    (['R', 'D', 'L'], ['R', 'D'])
    """
    heading = position.heading if position.heading >= 0 else _RIGHT
    moves = position.options()
    turns = (LETTERS[(heading + turn) % 4] for turn in (3, 0, 1, 2))
    return [move for move in turns if move in moves]


def rank(position: Position, *, progress: Callable[[], None] | None = None) -> int:
    """Return the number of complete walks that come before a position.

    The sum, over the steps of its walk, of the completions of each earlier sibling.
    About 0.05 s on 9 x 9.

    - `position`: dead or not.
    - `progress`: called after every step.

    >>> rank(Position.parse("5:RDDL")), rank(Position.parse("5:D"))
    (38, 52)
    """
    before = Position(position.board)
    total = 0
    for move in position.moves:
        for other in left_first(before):
            if other == move:
                break
            total += count_completions(before.step(other))
        before = before.step(move)
        if progress:
            progress()
    return total


def unrank(
    board: Board, number: int, *, progress: Callable[[], None] | None = None
) -> Position:
    """Return the complete walk of a rank: the inverse of `rank`.

    Raises `OptionError` if the board has not so many walks.

    >>> walk = unrank(Board.square(5), 46)
    >>> walk.moves, rank(walk)
    ('RDLDDDRUURRULURRDDDLLDRR', 46)
    """
    position = Position(board)
    left = count_completions(position)
    if not 0 <= number < left:
        raise OptionError(
            f"rank {number:,} is not below the {left:,} walks of {board.notation}"
        )
    while not position.complete:
        moves = left_first(position)
        for move in moves:
            ways = left if move == moves[-1] else count_completions(position.step(move))
            if number < ways:
                position, left = position.step(move), ways
                break
            number -= ways
            left -= ways
        if progress:
            progress()
    return position
