"""Exact counts of completions and cycles; ranks in left-first order.

A count is put together from residues; an upper bound, which is proved, says how many
moduli make it exact.

At each step of a walk the move left of the last step comes first, then straight, then
right. Before the first step a walk counts as heading right, so R comes before D. The
*rank* of a position is the number of complete walks of its board that come before it:
of a complete walk, its number from 0 on.

The plan of a count: its layers, their sizes and its memory; and its run.

`make_plan` works out all sizes in closed form before anything is counted. A `LayerRun`
holds the numbers of the layers and makes them.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from threading import Event
from typing import Any, TypeAlias

import numpy as np

from solver.board import LETTERS, Board, Cell, Position
from solver.counting import layers
from solver.counting.layers import (
    DOWN,
    RIGHT,
    Floats,
    Ints,
    Layers,
    Tables,
    make_tables,
    sweep,
    ways_on,
    word_count,
)
from solver.errors import OptionError
from solver.nowalk import why_dead

MAX_PLACES = 62  # bits of a mask
MAX_OPEN = 30  # places of one frontier that an edge can cross: letters of a word
MEMORY = 4_000_000_000  # bytes of all arrays of a count
SLICE = 1 << 26  # states made between two returns to Python
_SMALL = 12  # places of a frontier up to which words of all lengths are made at once

Progress: TypeAlias = Callable[[int], object]  # called with the states made since


class TooLargeError(OptionError):
    """A count that the limits do not allow."""


def gigabytes(size: float) -> str:
    """Return a number of bytes in words.

    >>> gigabytes(2_412_000_000), gigabytes(123)
    ('2.4 GB', '0.1 MB')
    """
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

    - `position`: at least two cells are to be visited or ends, so that there is a
      layer.
    - `frame`, (rows, cols) int64: the smallest rectangle that holds the cells to be
      added, as cells of the board; columns are the shorter side.
    - `turned`: whether its rows are columns of the board.
    - `cells`, (layers, FIELDS) int64: the cells in the order in which they are added,
      see `layers`.
    - `states`, (layers,) float64: the states of each layer; exact below 2^53.
    - `places`, (layers,) int64: the places of each frontier that an edge can cross.
    - `enclosed`, `longest`, tuples of three: of each number of ties: whether pairs may
      enclose them, and the longest word, -1 if no layer has them.
    - `counts`, (3, cols + 2) int64: the words of each number of ties and each length.
    """

    position: Position
    frame: Ints
    turned: bool
    cells: Ints
    states: Floats
    places: Ints
    enclosed: tuple[bool, ...]
    longest: tuple[int, ...]
    counts: Ints

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
        """Whether the live end is the first cell to be added."""
        return self.cell(0) == self.position.live_end

    def cell(self, layer: int) -> Cell:
        """Return the cell of the board that is added after a layer."""
        row, col = self.cells[layer, layers.ROW], self.cells[layer, layers.COL]
        return int(self.frame[row, col])

    def bytes_of(self, limbs: int, *, kept: bool) -> int:
        """Return the bytes of a count: of two layers at a time, or of all `kept`."""
        states = self.total if kept else 2 * self.widest
        size = 8 * limbs * states + 16 * 2 ** int(self.places.max())
        if kept:
            size += int((8.0 * 2.0**self.places).sum())
        for ties, longest in enumerate(self.longest):
            for length in range(longest + 1):
                size += int(self.counts[ties, length]) * (8 + 4 * (4 * length + 2))
        return int(size)

    def check_memory(self, memory: int, limbs: int = 1, *, kept: bool = False) -> None:
        """Raise `TooLargeError`, with the estimate, if the count does not fit.

        - `memory`: bytes that all arrays together may take.
        - `limbs`: words of 64 bits of each number.
        - `kept`: whether all layers are kept.
        """
        size = self.bytes_of(limbs, kept=kept)
        if size > memory:
            raise TooLargeError(
                f"{self.position.board.notation}: "
                f"{'keeping all layers' if kept else 'a count'} takes {gigabytes(size)}"
                f" ({self.widest:,} states in the widest layer, {self.total:,} in all),"
                f" over the limit of {gigabytes(memory)}"
            )


def make_plan(position: Position) -> Plan:
    """Plan the count of a position; some 0.1 ms on 9 x 9, no layer is made.

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
        raise TooLargeError(
            f"a frontier of {width} cells is too wide to count: "
            f"{MAX_PLACES - 1} at most"
        )
    cells = np.zeros((grid.size, layers.FIELDS), dtype=np.int64)
    cells = cells[: layers.lay_out(np.ascontiguousarray(grid), cells)]
    places = np.array([mask.bit_count() for mask in cells[:, layers.KEPT].tolist()])
    if places.max() > MAX_OPEN:
        raise TooLargeError(
            f"{places.max()} edges can cross one frontier: {MAX_OPEN} at most"
        )
    enclosed, longest = [False] * 3, [-1] * 3
    for ties in range(3):
        own = cells[:, layers.TIES] == ties
        if own.any():
            enclosed[ties] = bool(cells[own, layers.ENCLOSED].any())
            longest[ties] = width + 1 if width < _SMALL else int(places[own].max())
    states = np.zeros(len(cells))
    families = tuple(enclosed), tuple(longest)
    counts = _word_counts(families[0], width + 1)
    layers.measure(cells, counts, _binomials(), states)
    return Plan(position, frame, turned, cells, states, places, *families, counts)


class LayerRun:
    """The layers of a plan while they are made, from the last to the first.

    - `limbs`: words of 64 bits of each number.
    - `modulus`: up to 2^63, or 0 for 2^64; only with one limb.
    - `kept`: whether all layers are kept, or only the last two.
    - `bound`: whether words do not matter, and numbers are float64: an upper bound.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        limbs: int = 1,
        modulus: int = 0,
        kept: bool = False,
        bound: bool = False,
    ) -> None:
        self.plan = plan
        cells = plan.cells.copy()
        if bound:
            counts, longest = np.minimum(plan.counts, 1), plan.counts.shape[1]
            entries = np.zeros(longest + 1, dtype=np.int32)
            tables = Tables(entries, np.zeros((4, 3, longest), dtype=np.int64))
        else:
            counts, tables = plan.counts, make_tables(plan.enclosed, plan.longest)
        states = plan.states.astype(np.int64)
        sizes = np.int64(1) << plan.places
        room = []
        for field, widths in ((layers.BASE, states), (layers.INDEX, sizes)):
            if kept:
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
            tables.entries,
            tables.at,
            np.empty(limbs * room[0], dtype=np.float64 if bound else np.uint64),
            limbs,
            np.uint64(modulus),
        )

    def make(self, progress: Progress | None = None) -> None:
        """Make all layers; returns to Python every tenth of a second or so."""
        states = self.plan.states
        layer = len(states) - 1
        while layer >= 0:
            following = sweep(self.layers, layer, SLICE // self.layers.limbs)
            if progress:
                progress(int(states[following + 1 : layer + 1].sum()))
            layer = following

    def number(self) -> Any:
        """Return the number of completions, its residue, or the bound."""
        if not self.plan.states[0]:
            return 0
        return self._number_at(int(self.layers.cells[0, layers.BASE]))

    def first_steps(self) -> tuple[int, int]:
        """Return the completions that step down first in the frame, and right.

        The live end is the first cell to be added.
        """
        down, right = ways_on(self.layers, 0, np.int64(0))
        return self._number_at(int(down)), self._number_at(int(right))

    def _number_at(self, at: int) -> Any:
        if at < 0:
            return 0
        parts = self.layers.values[at :: self._stride].tolist()
        return sum(part * 2 ** (64 * limb) for limb, part in enumerate(parts))


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
