"""Exact counts of completions, of positions and their moves; ranks in left-first order.

A count is put together from residues; an upper bound, which is proved, says how many
moduli make it exact.

At each step of a walk the move left of the last step comes first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it:
of a complete walk, its number from 0 on.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from time import monotonic

import numpy as np

from solver.board import LETTERS, Board, Position
from solver.counting import layers
from solver.counting.plan import Plan, Tables, TooLargeError, make_plan
from solver.counting.run import MEMORY, LayerRun, LayerStore, gigabytes
from solver.errors import OptionError

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
    *(1249, 1297, 1299, 1309, 1357, 1395, 1467, 1489, 1501, 1531, 1551, 1561, 1575),
    *(1609, 1629, 1635, 1755, 1809, 1831, 1855, 1909, 1941, 2025, 2169, 2247, 2251),
    *(2289, 2301, 2319, 2331, 2365, 2379, 2401, 2455),
)
_SET_SIZE = 32  # primes of one set


def prime_set(number: int) -> tuple[int, ...]:
    """Return set 0 or 1 of primes below 2^63; no prime is in both."""
    begin = number * _SET_SIZE
    return tuple(2**63 - gap for gap in _BELOW[begin : begin + _SET_SIZE])


def moduli_for(bound: int, number: int = 0) -> tuple[int, ...]:
    """Return primes of a set, as many as a count up to `bound` needs.

    >>> len(moduli_for(2**170)), set(moduli_for(2**100)) & set(moduli_for(2**100, 1))
    (3, set())

    Raises `OptionError` if the whole set is not enough: above 2^2015.
    """
    chosen: list[int] = []
    product = 1
    for prime in prime_set(number):
        if product > bound:
            break
        chosen.append(prime)
        product *= prime
    if product <= bound:
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

_PAUSE = 30.0  # seconds between two layers kept on disk

Progress = Callable[[int], None]  # called with the states made since


@dataclass(frozen=True, slots=True)
class Limits:
    """What a count may take, and where it may leave what it has.

    - `memory`: bytes of all arrays together.
    - `layers`: a folder for the two layers at work; `memory` then holds for all
      else.
    - `state`: a folder in which a long count keeps a layer now and then, and goes
      on.
    """

    memory: int = MEMORY
    layers: Path | None = None
    state: Path | None = None

    def check(self, plan: Plan, limbs: int = 1, *, kept: bool = False) -> None:
        """Raise `TooLargeError`, with the estimate, if a count does not fit.

        Asked before it begins; `kept` says that all layers are.
        """
        size = plan.bytes_of(limbs, kept=kept, disk=self.layers is not None)
        if size > self.memory:
            raise TooLargeError(
                f"{plan.position.board.notation}: "
                f"{'keeping all layers' if kept else 'a count'} takes {gigabytes(size)}"
                f" ({plan.widest:,} states in the widest layer, {plan.total:,} in all),"
                f" over the limit of {gigabytes(self.memory)}"
            )


DEFAULT = Limits()


def known_count(position: Position) -> int | None:
    """Return the number of completions where no cell is to be added, None elsewhere."""
    if position.complete:
        return 1
    return None if position.free[position.board.end] else 0


def count_completions(
    position: Position, *, limits: Limits = DEFAULT, progress: Progress | None = None
) -> int:
    """Count the completions of a position, without listing them; exact.

    0.8 ms on 9 x 9, 0.08 s on 13 x 13, some seconds on 17 x 17. Linear in the longer
    side; each two columns of the shorter one more take nine times the time and seven
    times the memory: 45 MB on 17 x 17, 2.5 GB on 21 x 21.

    - `progress`: called now and then with how many states were made since.

    Raises `TooLargeError` before anything is counted, if that does not fit.

    >>> count_completions(Position.parse("11:"))  # OEIS A001184
    1445778936756068
    """
    known = known_count(position)
    if known is not None:
        return known
    return sum(_numbers(make_plan(position), limits, progress))


def count_moves(
    position: Position, *, limits: Limits = DEFAULT, progress: Progress | None = None
) -> dict[str, int]:
    """Count the completions that begin with each move, in the order U, R, D, L.

    Where the live end is the first cell to be added, as at the start of most boards,
    one count serves all moves; elsewhere each takes one.

    >>> count_moves(Position.parse("7:"))
    {'R': 55856, 'D': 55856}
    """
    numbers = {
        target: _numbers(make_plan(place), limits, progress)
        for target, place in enumerate(targets_of(position))
    }
    return moves_of(position, numbers)


def targets_of(position: Position) -> list[Position]:
    """Return the positions to be counted for the moves of a position, in their order.

    Itself, if one count serves all its moves, else what the moves make of it, but for
    those that are known without a count.
    """
    if known_count(position) is not None:
        return []
    if starts_first(make_plan(position)):
        return [position]
    after = map(position.step, position.options())
    return [place for place in after if known_count(place) is None]


def moves_of(position: Position, numbers: dict[int, list[int]]) -> dict[str, int]:
    """Return the completions by moves, from the numbers of the targets; 0 if left out.

    A target has one number, or two: of those that step down first and right first, in
    its plan's frame.
    """
    moves = position.options()
    targets = targets_of(position)
    if targets == [position]:
        down, right = numbers.get(0, [0, 0])
        if make_plan(position).turned:
            down, right = right, down
        ways = {"D": down, "R": right}
        return {move: ways[move] for move in moves}
    counted = {place: sum(numbers.get(i, ())) for i, place in enumerate(targets)}
    after = {move: position.step(move) for move in moves}
    return {
        move: counted[place] if place in counted else known_count(place) or 0
        for move, place in after.items()
    }


def starts_first(plan: Plan) -> bool:
    """Tell whether the live end is the first cell to be added."""
    return plan.cell(0) == plan.position.live_end


def _numbers(plan: Plan, limits: Limits, progress: Progress | None) -> list[int]:
    """Return the completions by step down and right, or all, in the plan's frame."""
    if not plan.states.all():  # the colours do not allow it
        return [0, 0] if starts_first(plan) else [0]
    if plan.widest <= _SINGLE:
        limbs = choices(plan) // 64 + 1  # 2^choices is below 2^(64 limbs)
        limits.check(plan, limbs)
        run = LayerRun(plan, limbs=limbs)
        run.make(progress=progress)
        return _last(run)
    limits.check(plan)
    moduli = moduli_for(most_completions(plan))
    residues = [
        residues_of(plan, modulus, limits, progress=progress) for modulus in moduli
    ]
    return [combine(column, moduli) for column in zip(*residues, strict=True)]


def residues_of(
    plan: Plan,
    modulus: int,
    limits: Limits = DEFAULT,
    *,
    progress: Progress | None = None,
) -> list[int]:
    """Return the numbers of `count_moves` or `count_completions` modulo one modulus.

    Depends on position and modulus alone. The plan has states in all layers. With
    `limits.state` a layer is kept after a row of the board, if some time has passed.
    """
    run = LayerRun(plan, modulus=modulus, folder=limits.layers)
    store = LayerStore(limits.state) if limits.state else None
    kept = store.load(plan, modulus) if store else None
    if kept is not None:
        run.restore(*kept)
        if progress:
            progress(int(plan.states[kept[0] :].sum()))
    saved = monotonic()
    rows = plan.cells[:, layers.ROW]
    stops = [j for j in range(len(rows) - 1, 1, -1) if rows[j] != rows[j - 1]]
    for stop in [*stops, 1]:
        if stop > run.layer:
            continue
        run.make(stop, progress)
        if store and monotonic() - saved > _PAUSE:
            store.save(plan, modulus, stop, run.numbers_of(stop))
            saved = monotonic()
    run.make(0, progress)
    if store:
        store.forget(plan, modulus)
    return _last(run)


def _last(run: LayerRun) -> list[int]:
    return list(run.first_steps()) if starts_first(run.plan) else [run.number()]


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
