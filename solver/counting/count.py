"""Exact counts of completions and cycles, ranks, uniform walks, the oracle `frontier`.

`make_plan` works out the size of every layer in closed form before anything is counted.
A `LayerRun` makes the layers. A large count is combined from residues; a proved upper
bound determines how many moduli make it exact.

The left-first order tries the move left of the last step first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from math import comb, prod
from random import Random
from threading import Event
from typing import Any, TypeAlias

import numpy as np

from solver.board import LETTERS, Board, Position
from solver.counting import layers
from solver.counting.layers import (
    DOWN,
    RIGHT,
    Floats,
    Ints,
    Layers,
    fill_walk,
    make_layers,
    make_tables,
    ways_on,
    word_count,
)
from solver.errors import NoWalkError, OptionError
from solver.oracles.oracle import Answer, Verdict, check_witness

MAX_PLACES = 62  # bits of a mask
MAX_OPEN = 30  # places of a frontier that an edge can cross: letters of a word
MEMORY = 4_000_000_000  # bytes of all arrays of a count
SLICE = 1 << 26  # states between two looks for Ctrl-C
_SMALL = 12  # places of a frontier, up to which words of all lengths are listed

Progress: TypeAlias = Callable[[int], object]  # called with the number of new states


class TooLargeError(OptionError):
    """A count that the limits do not allow."""


def gigabytes(size: float) -> str:
    """Return a number of bytes in words, such as ``2.4 GB``."""
    return f"{size / 1e9:,.1f} GB" if size > 1e8 else f"{max(size / 1e6, 0.1):,.1f} MB"


@lru_cache(maxsize=1)
def _binomials() -> Floats:
    size = range(MAX_PLACES + 2)
    return np.array([[float(comb(n, k)) for k in size] for n in size])


@lru_cache(maxsize=64)
def _word_counts(enclosed: tuple[bool, ...], longest: int) -> Ints:
    counts = [
        [word_count(length, ties, enclosed[ties]) for length in range(longest + 1)]
        for ties in range(3)
    ]
    return np.array(counts)


@dataclass(frozen=True, slots=True)
class Plan:
    """The layers of a position, and how large they will be.

    The frame is the smallest rectangle that holds the live end and the unvisited cells,
    as cells of the board; columns are the shorter side.
    """

    position: Position
    frame: Ints  # (rows, cols)
    turned: bool  # whether rows of the frame are columns of the board
    cells: Ints  # (layers, FIELDS): in the order in which `layers` adds them
    states: Floats  # (layers,): the states of each layer; exact below 2^53
    places: Ints  # (layers,): the places in each frontier that an edge can cross
    enclosed: tuple[bool, ...]  # for 0, 1 and 2 ties, whether pairs may enclose them
    longest: tuple[int, ...]  # and the longest word, -1 if no layer has any
    counts: Ints  # (3, cols + 2): the words by number of ties and length

    @property
    def widest(self) -> int:
        """The states of the largest layer."""
        return int(self.states.max())

    @property
    def total(self) -> int:
        """The states of all layers."""
        return int(self.states.sum())

    @property
    def starts_first(self) -> bool:
        """True if the sweep begins at the live end."""
        first = self.cells[0, [layers.ROW, layers.COL]]
        return int(self.frame[*first]) == self.position.live_end

    def bytes_of(self, limbs: int, *, whole: bool) -> int:
        """Return the bytes of a count that holds two layers, or the `whole` of them.

        - `limbs`: words of 64 bits of each number.
        """
        states = self.total if whole else 2 * self.widest
        size = 8 * limbs * states + 16 * 2 ** int(self.places.max())
        if whole:
            size += int((8.0 * 2.0**self.places).sum())
        for ties, longest in enumerate(self.longest):
            for length in range(longest + 1):
                size += int(self.counts[ties, length]) * (8 + 4 * (4 * length + 2))
        return int(size)

    def check_memory(self, memory: int, limbs: int = 1, *, whole: bool = False) -> None:
        """Raise `TooLargeError` if `bytes_of` is above the memory."""
        size = self.bytes_of(limbs, whole=whole)
        if size > memory:
            what = "keeping all layers" if whole else "a count"
            raise TooLargeError(
                f"{self.position.board.notation}: {what} takes {gigabytes(size)} "
                f"({self.widest:,} states in the widest layer, {self.total:,} in all), "
                f"over the limit of {gigabytes(memory)}"
            )


def make_plan(position: Position) -> Plan:
    """Plan the count of a position, in some 0.1 ms on 9 x 9.

    The end cell must be unvisited.

    Raises `TooLargeError` if the shorter side or a frontier has more places than a word
    has letters.
    """
    board = position.board
    needs = np.full(board.cells, layers.INNER, dtype=np.int64)
    needs[list(board.walls)] = layers.SHUT
    needs[list(position.walk)] = layers.SHUT
    needs[[position.live_end, board.end]] = layers.TIP
    grid = needs.reshape(board.rows, board.cols)
    rows, cols = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    inside = slice(rows[0], rows[-1] + 1), slice(cols[0], cols[-1] + 1)
    grid = grid[inside]
    frame = np.arange(board.cells).reshape(board.rows, board.cols)[inside]
    turned = grid.shape[1] > grid.shape[0]
    if turned:
        grid, frame = grid.T, frame.T
    width = grid.shape[1]
    if width >= MAX_PLACES:
        why = f"a frontier of {width} cells is too wide to count"
        raise TooLargeError(f"{why}: {MAX_PLACES - 1} at most")
    cells = np.zeros((grid.size, layers.FIELDS), dtype=np.int64)
    cells = cells[: layers.lay_out(np.ascontiguousarray(grid), cells)]
    places = np.array([mask.bit_count() for mask in cells[:, layers.BLOCK].tolist()])
    if places.max() > MAX_OPEN:
        why = f"{places.max()} edges can cross one frontier"
        raise TooLargeError(f"{why}: {MAX_OPEN} at most")
    enclosed, longest = [False] * 3, [-1] * 3
    for ties in range(3):
        own = cells[:, layers.TIES] == ties
        if own.any():
            enclosed[ties] = bool(cells[own, layers.ENCLOSED].any())
            longest[ties] = width + 1 if width < _SMALL else int(places[own].max())
    states, families = np.zeros(len(cells)), (tuple(enclosed), tuple(longest))
    counts = _word_counts(families[0], width + 1)
    layers.measure(cells, counts, _binomials(), states)
    return Plan(position, frame, turned, cells, states, places, *families, counts)


class LayerRun:
    """The layers of a plan, made from the last to the first.

    - `limbs`: words of 64 bits of each number.
    - `modulus`: up to 2^63, or 0 for 2^64; only with a single limb.
    - `whole`: whether all layers stay in memory, or only the last two.
    - `bound`: whether to ignore words and count in float64, for an upper bound.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        limbs: int = 1,
        modulus: int = 0,
        whole: bool = False,
        bound: bool = False,
    ) -> None:
        self.plan = plan
        cells = plan.cells.copy()
        if bound:
            counts, longest = np.minimum(plan.counts, 1), plan.counts.shape[1]
            entries = np.zeros(longest + 1, dtype=np.int32)
            tables = entries, np.zeros((4, 3, longest), dtype=np.int64)
        else:
            counts, tables = plan.counts, make_tables(plan.enclosed, plan.longest)
        states = plan.states.astype(np.int64)
        sizes = np.int64(1) << plan.places
        room = []
        for field, widths in ((layers.BASE, states), (layers.INDEX, sizes)):
            if whole:
                cells[:, field] = np.cumsum(widths) - widths
                room.append(int(widths.sum()))
            else:
                cells[:, field] = np.arange(len(cells)) % 2 * widths.max()
                room.append(2 * int(widths.max()))
        packing = np.zeros((len(cells), plan.frame.shape[1] // 8 + 1, 256), np.int32)
        layers.pack(cells, packing)
        self._stride = room[0]
        self.layers = Layers(
            cells,
            packing,
            np.empty(room[1], dtype=np.int64),
            counts,
            *tables,
            np.empty(limbs * room[0], dtype=np.float64 if bound else np.uint64),
            limbs,
            np.uint64(modulus),
        )

    def numbers(self, progress: Progress | None = None) -> tuple[Any, ...]:
        """Compute all layers; return the completions, residues, or bounds.

        If the sweep begins at the live end, they are those that step down in the frame,
        and right. Ctrl-C is heard every tenth of a second or so.
        """
        states = self.plan.states
        layer = len(states) - 1
        while layer >= 0:
            following = make_layers(self.layers, layer, SLICE // self.layers.limbs)
            if progress:
                progress(int(states[following + 1 : layer + 1].sum()))
            layer = following
        if not states[0]:
            return (0,)
        places = [self.layers.cells[0, layers.BASE]]
        if self.plan.starts_first:
            places = [*ways_on(self.layers, 0, np.int64(0))]
        return tuple(self._number_at(int(place)) for place in places)

    def _number_at(self, at: int) -> Any:
        if at < 0:
            return 0
        parts = self.layers.values[at :: self._stride].tolist()
        return sum(part * 2 ** (64 * limb) for limb, part in enumerate(parts))


_MARGIN = 1 + 2.0**-30  # over the rounding of some 1e5 sums, each of 2^-53


def fork_count(plan: Plan) -> int:
    """Return the number of cells at which a walk can continue down or right.

    A completion is a chain of states, one for each layer. A state has at most two
    successors, and only at these cells: there are at most 2^forks completions.
    """
    return int(np.count_nonzero(plan.cells[:, DOWN] & plan.cells[:, RIGHT]))


def most_completions(plan: Plan) -> int:
    """Return an upper bound of the number of completions.

    The bound is 2^forks, or the number of ways to give every cell the edges it needs,
    whether or not they make a single walk. The sweep of a count gives that number when
    it ignores words. It is quicker than a count, and on 19 x 19 gives 2^206 for 2^170.
    """
    edges = float(sum(LayerRun(plan, bound=True).numbers())) * _MARGIN
    simple: int = 2 ** fork_count(plan)
    return min(simple, int(edges) + 1) if math.isfinite(edges) else simple


# The largest primes below 2^63, as differences from it.
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
        chosen.append(2**63 - gap)
        if prod(chosen) > bound:
            return tuple(chosen)
    raise OptionError(f"a count of up to {bound.bit_length()} bits is too large")


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


_SINGLE = 10_000  # states of the widest layer, up to which all limbs go at once


def trivial_count(position: Position) -> int | None:
    """Return the completions if the walk is complete or at the end cell; else None."""
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

    - `memory`: bytes for all arrays.
    - `jobs`: threads, one for each modulus, as many as fit in memory.
    - `progress`: called now and then with the number of new states.

    Raises `TooLargeError` before the count begins, if it does not fit.

    >>> count_completions(Position.parse("11:"))  # OEIS A001184
    1445778936756068
    """
    count = trivial_count(position)
    if count is None:
        count = sum(_count(make_plan(position), memory, jobs, progress))
    return count


def count_moves(
    position: Position,
    *,
    memory: int = MEMORY,
    jobs: int = 1,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Count the completions that begin with each move, in the order U, R, D, L.

    If the sweep begins at the live end, as at the start of most boards, a single count
    serves all moves. The options are those of `count_completions`.

    >>> count_moves(Position.parse("7:"))
    {'R': 55856, 'D': 55856}
    """
    moves = position.options()
    if trivial_count(position) is None:
        plan = make_plan(position)
        if plan.starts_first:
            down, right = _count(plan, memory, jobs, progress)
            ways = {"D": right, "R": down} if plan.turned else {"D": down, "R": right}
            return {move: ways[move] for move in moves}
    options: dict[str, Any] = {"memory": memory, "jobs": jobs, "progress": progress}
    return {m: count_completions(position.step(m), **options) for m in moves}


def _count(
    plan: Plan, memory: int, jobs: int, progress: Progress | None
) -> tuple[int, ...]:
    """Return the completions that step down and right in the frame, or all."""
    if not plan.states.all():  # the colours do not allow it
        return (0, 0)
    if plan.widest <= _SINGLE:
        limbs = fork_count(plan) // 64 + 1  # 2^forks is below 2^(64 limbs)
        plan.check_memory(memory, limbs)
        return LayerRun(plan, limbs=limbs).numbers(progress)
    plan.check_memory(memory)
    moduli = moduli_for(most_completions(plan))
    jobs = min(jobs, memory // plan.bytes_of(1, whole=False))
    residues = _residues(plan, moduli, jobs, progress)
    return tuple(combine(column, moduli) for column in zip(*residues, strict=True))


def _residues(
    plan: Plan, moduli: Sequence[int], jobs: int, progress: Progress | None
) -> list[tuple[int, ...]]:
    """Return the numbers of `_count` for each modulus, a thread for each."""
    stopped = Event()

    def tick(made: int) -> None:
        if stopped.is_set():
            raise CancelledError
        if progress:
            progress(made)

    def residue(modulus: int) -> tuple[int, ...]:
        return LayerRun(plan, modulus=modulus).numbers(tick)

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            return [*pool.map(residue, moduli)]
        except BaseException:
            stopped.set()
            raise


def count_cycles(board: Board, *, memory: int = MEMORY, jobs: int = 1) -> int:
    """Count the undirected Hamiltonian cycles of a board; its ends do not matter.

    The neighbours of the first open cell, row by row, lie to its right and below. Every
    cycle uses both edges, so cycles are the paths from that cell to its right.

    >>> [count_cycles(Board.square(n)) for n in (2, 3, 4, 6)]
    [1, 0, 6, 1072]

    Raises `TooLargeError` if the memory does not allow the count.
    """
    first = min(set(range(board.cells)) - set(board.walls))
    _, right, down, _ = board.neighbours[first].tolist()
    if board.open_cells < 4 or right < 0 or down < 0:
        return 0
    place = Position(Board(board.rows, board.cols, first, right, board.walls))
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
    """Return the number of complete walks that come before a position, dead or not.

    It takes about 0.05 s on 9 x 9.

    - `progress`: called after every step.

    >>> rank(Position.parse("5:RDDL")), rank(Position.parse("5:D"))
    (38, 52)
    """
    before = Position(position.board)
    total = 0
    for move in position.moves:
        for other in takewhile(move.__ne__, left_first(before)):
            total += count_completions(before.step(other))
        before = before.step(move)
        if progress:
            progress()
    return total


def unrank(
    board: Board, number: int, *, progress: Callable[[], None] | None = None
) -> Position:
    """Return the complete walk of a rank: the inverse of `rank`.

    Raises `OptionError` if the board has fewer walks.

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


class UniformWalks:
    """Random completions of a position, all with the same probability.

    A walk that chooses uniformly among the completable moves of each step prefers
    completions with few choices on their way. Here a random number below the number of
    completions leads through the layers of the count to its completion.

    All layers stay in memory: 140 MB on 13 x 13, 1.2 GB on 15 x 15, 16 GB on 17 x 17.

    - `memory`, `progress`: as for `count_completions`.

    `count` is the number of completions, `states` the number of states of all layers.

    Raises `NoWalkError` if there is no completion; `TooLargeError` before the count
    begins, if the layers do not fit.

    >>> walks = UniformWalks(Position.parse("5:"), seed=1)
    >>> walks.count, walks.draw().complete
    (104, True)
    """

    def __init__(
        self,
        position: Position | Board,
        *,
        seed: int,
        memory: int = MEMORY,
        progress: Progress | None = None,
    ) -> None:
        self.position = Position(position) if isinstance(position, Board) else position
        self.states = 0
        self._random = Random(seed)
        self._run: LayerRun | None = None
        count = trivial_count(self.position)
        if count is None:
            plan = make_plan(self.position)
            plan.check_memory(memory, whole=True)
            limbs = (most_completions(plan).bit_length() + 63) // 64
            plan.check_memory(memory, limbs, whole=True)
            self._run = LayerRun(plan, limbs=limbs, whole=True)
            self.states, count = plan.total, sum(self._run.numbers(progress))
        if not count:
            raise NoWalkError(self.position.notation)
        self.count = count

    def draw(self) -> Position:
        """Return a random complete walk that begins as the position does."""
        return self.completion(self._random.randrange(self.count))

    def completion(self, number: int) -> Position:
        """Return the completion of a number below `count`, else raise `IndexError`."""
        if not 0 <= number < self.count:
            raise IndexError(f"no completion {number} of {self.count}")
        if self._run is None:
            return self.position
        frame, made = self._run.plan.frame, self._run.layers
        parts = [number >> 64 * limb & 2**64 - 1 for limb in range(made.limbs)]
        walk = np.empty(len(made.cells), dtype=np.int32)
        walk[0] = np.flatnonzero(frame == self.position.live_end)[0]
        near = np.full((frame.size, 2), -1, dtype=np.int32)
        fill_walk(made, frame.shape[1], np.array(parts, np.uint64), near, walk)
        cells = frame.take(walk).tolist()
        return Position(self.position.board, (*self.position.walk, *cells[1:]))


LIMIT = 2_000_000  # states of a layer
_BYTES = 2_000_000_000  # of all layers together


class FrontierOracle:
    """The exact oracle `frontier`; it counts, and shares no code with the others.

    It takes milliseconds up to 11 x 11, a fifth of a second and 140 MB on 13 x 13, and
    seconds and 1.2 GB on 15 x 15.

    - `limit`: states of the widest layer above which it answers UNKNOWN at once.

    >>> FrontierOracle().decide(Position.parse("3:RR")).witness
    (5, 4, 3, 6, 7, 8)
    """

    name = "frontier"

    def __init__(self, *, limit: int = LIMIT) -> None:
        if limit < 1:
            raise OptionError(f"the limit of states is at least 1, not {limit}")
        self._limit = limit

    def decide(self, position: Position) -> Answer:
        """Decide whether a completion exists; `work` is the number of states."""
        try:
            wide = trivial_count(position) is None
            if wide and make_plan(position).widest > self._limit:
                return Answer(Verdict.UNKNOWN)
            walks = UniformWalks(position, seed=0, memory=_BYTES)
        except NoWalkError:
            return Answer(Verdict.DEAD)
        except TooLargeError:
            return Answer(Verdict.UNKNOWN)
        witness = walks.completion(0).walk[len(position.walk) :]
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness, work=walks.states)
