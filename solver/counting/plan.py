"""The plan of a count: its layers, their sizes and its memory; and its run.

`make_plan` works out all sizes in closed form before anything is counted. A `LayerRun`
holds the numbers of the layers and makes them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, TypeAlias

import numpy as np

from solver.board import Cell, Position
from solver.counting import layers
from solver.counting.layers import Floats, Layers, sweep, ways_on
from solver.counting.words import Ints, Tables, make_tables, word_count
from solver.errors import OptionError

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
