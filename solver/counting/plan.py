"""The plan of a count: its layers, their sizes and its memory; and its run.

`make_plan` works out all sizes in closed form before anything is counted. A `LayerRun`
holds the numbers of the layers and makes them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from solver.board import Cell, Position
from solver.counting import layers
from solver.counting.layers import Floats, Layers, sweep, ways_on
from solver.counting.words import (
    INSERT,
    JOIN,
    TIE_IN,
    TIE_ON,
    Indices,
    Ints,
    table,
    table_at,
    word_count,
)
from solver.errors import OptionError

MAX_PLACES = 62  # bits of a mask
MAX_OPEN = 30  # places of one frontier that an edge can cross: letters of a word
MEMORY = 4_000_000_000  # bytes of all arrays of a count
SLICE = 1 << 28  # states made between two returns to Python: half a second or less
_SMALL = 12  # places of a frontier up to which words of all lengths are made at once


class TooLargeError(OptionError):
    """A count that the limits do not allow, known before it begins."""


@lru_cache(maxsize=1)
def _binomials() -> Floats:
    size = range(MAX_PLACES + 2)
    return np.array([[float(comb(n, k)) for k in size] for n in size])


@lru_cache(maxsize=64)
def _float_counts(enclosed: tuple[bool, ...], longest: int) -> Floats:
    counts = [
        [float(word_count(k, ties, inside)) for k in range(longest + 1)]
        for ties, inside in enumerate(enclosed)
    ]
    return np.array(counts)


@dataclass(frozen=True, slots=True)
class Tables:
    """The words of up to three families: their numbers, and what steps make of them.

    - `counts`, (3, longest + 1) int64: the words of each number of ties and each
      length.
    - `entries`, (entries,) int32: all tables, one after the other.
    - `at`, (4, 3, longest + 1) int64: where the table of a kind begins, for a family
      and a length.
    """

    counts: Ints
    entries: Indices
    at: Ints


@lru_cache(maxsize=16)
def _tables(enclosed: tuple[bool, ...], longest: tuple[int, ...]) -> Tables:
    """Return the tables of the families, each up to its longest word, -1 for none."""
    top = max(longest)
    counts = np.zeros((3, top + 1), dtype=np.int64)
    at = np.zeros((4, 3, top + 1), dtype=np.int64)
    parts: list[Indices] = []
    begin = 0
    families = [(ties, enclosed[ties], longest[ties]) for ties in range(3)]
    for ties, own in enumerate(families):
        if own[2] < 0:
            continue
        lengths = range(own[2] + 1)
        counts[ties, : own[2] + 1] = [word_count(k, ties, own[1]) for k in lengths]
        wanted = [(JOIN, own), (INSERT, own)]
        if ties < 2 and longest[ties + 1] >= 0:
            wanted += [(kind, families[ties + 1]) for kind in (TIE_IN, TIE_ON)]
        for kind, into in wanted:
            at[kind, ties, : own[2] + 1] = table_at(kind, own)[:-1] + begin
            parts.append(table(kind, own, into))
            begin += len(parts[-1])
    return Tables(counts, np.concatenate(parts), at)


@dataclass(frozen=True, slots=True)
class Plan:
    """The layers of a position, and how large they will be.

    - `position`: at least two cells are to be visited or ends, so that there is a
      layer.
    - `origin`: row and column of the board where the frame begins: the smallest
      rectangle that holds the cells to be added.
    - `shape`: rows and columns of the frame.
    - `turned`: whether rows and columns are exchanged: columns are the shorter side.
    - `cells`, (layers, FIELDS) int64: the cells in the order in which they are added,
      see `layers`.
    - `states`, (layers,) float64: the states of each layer; exact below 2^53.
    - `places`, (layers,) int64: the places of each frontier that an edge can cross.
    - `enclosed`, `longest`, tuples of three: of each number of ties: whether pairs may
      enclose them, and the longest word.
    """

    position: Position
    origin: tuple[int, int]
    shape: tuple[int, int]
    turned: bool
    cells: Ints
    states: Floats
    places: Ints
    enclosed: tuple[bool, ...]
    longest: tuple[int, ...]

    @property
    def widest(self) -> int:
        """The states of the largest layer."""
        return int(self.states.max())

    @property
    def total(self) -> int:
        """The states of all layers."""
        return int(self.states.sum())

    @property
    def bytes_beside(self) -> int:
        """Bytes that are needed whatever is kept: words, their tables, layers."""
        words: int = 16 * 2 ** int(self.places.max())
        for ties in range(3):
            for length in range(self.longest[ties] + 1):
                many = word_count(length, ties, self.enclosed[ties])
                words += many * (8 + 4 * (4 * length + 2))
        return words

    def bytes_of(self, limbs: int, *, kept: bool) -> int:
        """Return the bytes of a count: of two layers at a time, or of all `kept`."""
        states = self.total if kept else 2 * self.widest
        offsets = int((8.0 * 2.0**self.places).sum()) if kept else 0
        return 8 * limbs * states + offsets + self.bytes_beside

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

    def tables(self) -> Tables:
        """Return the tables; made once, shared by all plans of the same families."""
        return _tables(self.enclosed, self.longest)

    def cell(self, layer: int) -> Cell:
        """Return the cell of the board that is added after a layer."""
        row, col = map(int, self.cells[layer, [layers.ROW, layers.COL]])
        return int(self.on_board(np.array([row * self.shape[1] + col]))[0])

    def on_board(self, cells: Ints) -> Ints:
        """Return the cells of the board for cells of the frame."""
        row, col = np.divmod(cells, self.shape[1])
        if self.turned:
            row, col = col, row
        found: Ints = (row + self.origin[0]) * self.position.board.cols
        return found + col + self.origin[1]

    def in_frame(self, cell: Cell) -> Cell:
        """Return the cell of the frame for a cell of the board."""
        row, col = divmod(cell, self.position.board.cols)
        row, col = row - self.origin[0], col - self.origin[1]
        if self.turned:
            row, col = col, row
        return row * self.shape[1] + col


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
    origin = int(rows[0]), int(cols[0])
    grid = grid[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    turned = grid.shape[1] > grid.shape[0]
    grid = np.ascontiguousarray(grid.T if turned else grid)
    height, width = grid.shape
    if width >= MAX_PLACES:
        raise TooLargeError(
            f"a frontier of {width} cells is too wide to count: "
            f"{MAX_PLACES - 1} at most"
        )
    cells = np.zeros((grid.size, layers.FIELDS), dtype=np.int64)
    cells = cells[: layers.lay_out(grid, cells)]
    places = np.zeros(len(cells), dtype=np.int64)
    layers.count_places(cells, places)
    if places.max() > MAX_OPEN:
        raise TooLargeError(
            f"{places.max()} edges can cross one frontier: {MAX_OPEN} at most"
        )
    enclosed, longest = [False] * 3, [-1] * 3
    for ties in range(3):
        mine = cells[:, layers.TIES] == ties
        if mine.any():
            enclosed[ties] = bool(cells[mine, layers.ENCLOSED].any())
            longest[ties] = width + 1 if width < _SMALL else int(places[mine].max())
    states = np.zeros(len(cells))
    counts = _float_counts(tuple(enclosed), width + 1)
    layers.measure(cells, counts, _binomials(), states)
    return Plan(
        position,
        origin,
        (height, width),
        turned,
        cells,
        states,
        places,
        tuple(enclosed),
        tuple(longest),
    )


Progress = Callable[[int], object]  # called with the number of states made since


def gigabytes(size: float) -> str:
    """Return a number of bytes in words.

    >>> gigabytes(2_412_000_000), gigabytes(123)
    ('2.4 GB', '0.1 MB')
    """
    return f"{size / 1e9:,.1f} GB" if size > 1e8 else f"{max(size / 1e6, 0.1):,.1f} MB"


class LayerRun:
    """The layers of a plan while they are made, from the last to the first.

    - `limbs`: words of 64 bits of each number.
    - `modulus`: up to 2^63, or 0 for 2^64; only with one limb.
    - `kept`: whether all layers are kept, or only the last two.
    - `dtype`: float64, with other `tables` than the plan's, for an upper bound.

    - `values`, (limbs * stride,) array: a layer's numbers begin at its BASE; each limb
      has a stride of its own.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        limbs: int = 1,
        modulus: int = 0,
        kept: bool = False,
        dtype: Any = np.uint64,
        tables: Tables | None = None,
    ) -> None:
        self.plan, self.limbs = plan, limbs
        self.cells = plan.cells.copy()
        many = len(self.cells)
        widths = plan.states.astype(np.int64)
        sizes = np.int64(1) << plan.places
        if kept:
            self.cells[:, layers.BASE] = np.cumsum(widths) - widths
            self.cells[:, layers.INDEX] = np.cumsum(sizes) - sizes
            self.stride, indices = int(widths.sum()), int(sizes.sum())
        else:
            odd = np.arange(many) % 2
            self.cells[:, layers.BASE] = odd * widths.max()
            self.cells[:, layers.INDEX] = odd * sizes.max()
            self.stride, indices = 2 * int(widths.max()), 2 * int(sizes.max())
        self.offsets: Ints = np.empty(indices, dtype=np.int64)
        places = int(max(plan.cells[:, layers.COL].max() + 2, 1))
        packing = np.zeros((many, (places + 7) // 8, 256), dtype=np.int32)
        layers.pack(self.cells, packing)
        self.values = np.empty(limbs * self.stride, dtype=dtype)
        tables = tables or plan.tables()
        self.layers = Layers(
            self.cells,
            packing,
            self.offsets,
            tables.counts,
            tables.entries,
            tables.at,
            self.values,
            limbs,
            np.uint64(modulus),
        )

    def make(self, progress: Progress | None = None) -> None:
        """Make all layers; returns to Python every half second or so."""
        state = np.array([len(self.cells) - 1, 0, 0], dtype=np.int64)
        while (before := int(state[0])) >= 0:
            sweep(self.layers, state, SLICE // self.limbs)
            if progress:
                made = self.plan.states[int(state[0]) + 1 : before + 1]
                progress(int(made.sum()))

    def number(self) -> int:
        """Return the number of completions, or its residue for the modulus."""
        if not self.plan.states[0]:
            return 0
        return self._number_at(int(self.cells[0, layers.BASE]))

    def first_steps(self) -> tuple[int, int]:
        """Return the completions that step down first, and those that step right.

        In the plan's frame, where the live end is the first cell to be added.
        """
        ways = ways_on(self.layers, 0, np.int64(0))
        down, right = (self._number_at(int(at)) if at >= 0 else 0 for at in ways)
        return down, right

    def _number_at(self, at: int) -> int:
        return sum(
            int(self.values[limb * self.stride + at]) << 64 * limb
            for limb in range(self.limbs)
        )
