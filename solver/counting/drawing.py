"""Drawing a walk from the layers of a count: kernels."""

from typing import Any

import numpy as np
import numpy.typing as npt

from solver.counting.layers import Layers, ways_on
from solver.counting.masks import (
    COL,
    INNER,
    NEED,
    ROW,
    SHIFT,
    TIES,
    Indices,
    Ints,
    lacks_pair,
    ones,
)
from solver.counting.words import INSERT, JOIN, TIE_IN, TIE_ON
from solver.jit import njit


@njit
def _step_down(
    layers: Layers, stride: int, at: Any, pick: npt.NDArray[np.uint64]
) -> bool:
    """Tell whether the pick is below a number; if not, take the number off it."""
    values, limbs = layers.values, layers.limbs
    for limb in range(limbs - 1, -1, -1):
        number = values[limb * stride + at]
        if pick[limb] != number:
            if pick[limb] < number:
                return True
            break
    borrow = np.uint64(0)
    for limb in range(limbs):
        number = values[limb * stride + at]
        part = pick[limb] - borrow
        borrow = np.uint64(part > pick[limb])
        pick[limb] = part - number
        borrow += np.uint64(pick[limb] > part)
    return False


@njit
def draw_edges(layers: Layers, pick: npt.NDArray[np.uint64], near: Indices) -> None:
    """Kernel: find the completion of a number, all layers being kept.

    Completions are numbered from 0 in the order of the frontier: at each cell that
    sends out one edge, first those that send it down. `pick` is the number, in limbs,
    and is lost. Fills `near` (rows, cols, 2), which comes as -1, with the cells that
    each cell is joined to, ``row * cols + col`` in the plan's frame.
    """
    cells, tables, table_at = layers.cells, layers.tables, layers.table_at
    stride = len(layers.values) // layers.limbs
    mask, word = np.int64(0), np.int64(0)
    for j in range(len(cells) - 1):
        cell, after = cells[j], cells[j + 1]
        left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
        inner = cell[NEED] == INNER
        edges = ones(mask & (left | up))
        lacking = edges == 2 and lacks_pair(cell, mask)
        outer = mask & ~(left | up)
        place = ones(outer & (left - 1))
        length = ones(mask)
        words = layers.counts[cell[TIES], length]
        kind = np.int64(-1)
        down = right = False
        if edges == inner:
            at, _ = ways_on(layers, j, outer)
            if not inner:
                begin = table_at[TIE_IN, cell[TIES], length] + place * words
                word = np.int64(tables[begin + word])
            down = at >= 0 and _step_down(layers, stride, at + word, pick)
            right = not down
        elif edges == 0:
            down = right = True
        mask = outer
        if down:
            mask |= left
        if right:
            mask |= up
        mask <<= cell[SHIFT]
        if edges == 0 and inner:
            if not lacks_pair(after, mask):
                kind = np.int64(INSERT)
        elif edges > inner and not lacking:
            kind = np.int64(JOIN if inner else TIE_ON)
        if kind >= 0:
            begin = table_at[kind, cell[TIES], length] + place * words
            word = np.int64(tables[begin + word])
        row, col = cell[ROW], cell[COL]
        if down:
            _join(near, row, col, row + 1, col)
        if right:
            _join(near, row, col, row, col + 1)


@njit
def _join(near: Indices, row: Any, col: Any, next_row: Any, next_col: Any) -> None:
    cols = near.shape[1]
    near[row, col, int(near[row, col, 0] >= 0)] = next_row * cols + next_col
    near[next_row, next_col, int(near[next_row, next_col, 0] >= 0)] = row * cols + col


@njit
def follow(near: Indices, first: int, walk: Ints) -> None:
    """Kernel: fill `walk` with the cells from one that has one edge to the other."""
    cols = near.shape[1]
    before, at = -1, first
    for i in range(len(walk)):
        walk[i] = at
        row, col = at // cols, at % cols
        ahead = near[row, col, 0]
        if ahead == before:
            ahead = near[row, col, 1]
        before, at = at, ahead
