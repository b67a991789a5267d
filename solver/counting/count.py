"""Exact counts of completions, cycles and paths; ranks in left-first order.

A count is put together from residues; an upper bound, which is proved, says how many
moduli make it exact.

Cycles and paths of any ends are sums of counts between two ends. The first open cell,
row by row, has only the cells to its right and below as neighbours. Every cycle uses
both edges, so cycles are the paths from that cell to the one on its right. Paths are
summed over pairs of cells, of which the symmetries of the board leave few.

At each step of a walk the move left of the last step comes first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it:
of a complete walk, its number from 0 on.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from itertools import combinations
from math import prod
from threading import Event

import numpy as np

from solver.board import LETTERS, Board, Cell, Position
from solver.counting import layers
from solver.counting.plan import MEMORY, LayerRun, Plan, Progress, Tables, make_plan
from solver.errors import OptionError
from solver.nowalk import why_dead
from solver.symmetry import Symmetry

_LOOSE = 128  # bits up to which the quick bound will do
_MARGIN = 1 + 2.0**-30  # over the rounding of some 1e5 sums, each of 2^-53


def choices(plan: Plan) -> int:
    """Return the number of cells at which a walk can go on down or right.

    Every completion is a chain of states, one a layer, and a state is followed by two
    at most, and only at these cells: there are at most 2^choices completions.
    """
    cells = plan.cells
    return int(np.count_nonzero(cells[:, layers.DOWN] & cells[:, layers.RIGHT]))


def most_completions(plan: Plan) -> int:
    """Return a number that the completions do not exceed.

    2^choices, or, where that is large, the number of ways to give every cell the edges
    it needs, whether or not they make one walk: counted like completions with one word
    a mask. That takes less than a count does, and on 19 x 19 gives 2^206 for 2^170.
    """
    simple: int = 2 ** choices(plan)
    if choices(plan) <= _LOOSE:
        return simple
    edges = _ways_of_edges(plan)
    if not math.isfinite(edges):
        return simple
    return min(simple, int(edges * _MARGIN) + 1)


def _ways_of_edges(plan: Plan) -> float:
    """Count edge sets with the right number of edges at each cell; inf if too many."""
    tables = plan.tables()
    single = np.minimum(tables.counts, 1)
    longest = single.shape[1]
    trivial = Tables(
        single, np.zeros(longest + 1, dtype=np.int32), np.zeros_like(tables.at)
    )
    run = LayerRun(plan, dtype=np.float64, tables=trivial)
    run.make()
    return float(run.values[run.cells[0, layers.BASE]]) if plan.states[0] else 0.0


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
    product = prod(moduli)
    total = 0
    for residue, modulus in zip(residues, moduli, strict=True):
        others = product // modulus
        total += residue * others * pow(others, -1, modulus)
    return total % product


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
        if starts_first(plan):
            down, right = _count(plan, memory, jobs, progress)
            ways = {"D": right, "R": down} if plan.turned else {"D": down, "R": right}
            return {move: ways[move] for move in moves}
    return {
        move: count_completions(
            position.step(move), memory=memory, jobs=jobs, progress=progress
        )
        for move in moves
    }


def starts_first(plan: Plan) -> bool:
    """Return whether the live end is the first cell to be added."""
    return plan.cell(0) == plan.position.live_end


def _count(
    plan: Plan, memory: int, jobs: int, progress: Progress | None
) -> tuple[int, ...]:
    """Return the completions by step down and right, or all, in the plan's frame."""
    if not plan.states.all():  # the colours do not allow it
        return (0, 0) if starts_first(plan) else (0,)
    if plan.widest <= _SINGLE:
        limbs = choices(plan) // 64 + 1  # 2^choices is below 2^(64 limbs)
        plan.check_memory(memory, limbs)
        return _made(LayerRun(plan, limbs=limbs), progress)
    plan.check_memory(memory)
    moduli = moduli_for(most_completions(plan))
    residues = _residues(
        plan, moduli, min(jobs, memory // plan.bytes_of(1, kept=False)), progress
    )
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
    return run.first_steps() if starts_first(run.plan) else (run.number(),)


def count_cycles(board: Board, *, memory: int = MEMORY, jobs: int = 1) -> int:
    """Count the Hamiltonian cycles of a board, whatever its ends; directions alike.

    >>> [count_cycles(Board.square(n)) for n in (2, 3, 4, 6)]
    [1, 0, 6, 1072]

    Raises `TooLargeError` if the memory does not allow the count.
    """
    first = min(set(range(board.cells)) - set(board.walls))
    near = board.neighbours[first]
    if board.open_cells < 4 or near[1] < 0 or near[2] < 0:
        return 0
    return _between(board, first, int(near[1]), memory, jobs)


def count_paths(
    board: Board,
    *,
    memory: int = MEMORY,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Count the Hamiltonian paths of a board between any ends; directions alike.

    - `progress`: called with the pairs of ends counted so far and their
      number.

    Raises `TooLargeError` if the memory does not allow a count.

    >>> [count_paths(Board.square(n)) for n in (1, 2, 3, 4)]
    [1, 4, 20, 276]
    """
    if board.open_cells == 1:
        return 1
    walls = set(board.walls)
    frame = Board(board.rows, board.cols)
    kept = []
    for one in Symmetry:
        image = one.board(frame)
        if (image.rows, image.cols) == (board.rows, board.cols):
            moved = [one.cell(frame, cell) for cell in range(board.cells)]
            if {moved[wall] for wall in walls} == walls:
                kept.append(moved)
    pairs: Counter[tuple[Cell, Cell]] = Counter()
    for a, b in combinations(sorted(set(range(board.cells)) - walls), 2):
        images = [(moved[a], moved[b]) for moved in kept]
        pairs[min((min(pair), max(pair)) for pair in images)] += 1
    total = 0
    for done, ((a, b), many) in enumerate(pairs.items(), 1):
        total += many * _between(board, a, b, memory, jobs)
        if progress is not None:
            progress(done, len(pairs))
    return total


def _between(board: Board, start: Cell, end: Cell, memory: int, jobs: int) -> int:
    """Count the Hamiltonian paths from one cell to another."""
    place = Position(Board(board.rows, board.cols, start, end, board.walls))
    if why_dead(place):
        return 0
    return count_completions(place, memory=memory, jobs=jobs)


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
