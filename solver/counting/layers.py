"""The layers of a count: the kernels that make them.

Layer j holds, for every state that the frontier before cell j can have, the number of
ways in which the rest of the board completes it. Layers are made from the last cell to
the first, so the one number of layer 0 is that of completions. The method is that of
Knuth's Simpath (The Art of Computer Programming 4A, 7.1.4) in the form with brackets
(Jensen, J. Phys. A 37, 2004), but without a table of states:

A state is a mask (`masks`), where edges cross the frontier, and a word (`words`), how
they are joined. A cell changes the mask at its two places L and U, which become its
edges D and R. Whether none, one or both of L and U are there, the other places say by
their colours. So one block is made from one or two blocks of the layer after it, word
by word: copied, added, or through a table from a word to the word it becomes.

`values` holds `limbs` arrays of `stride` words of 64 bits, one after the other: limb 0
of all numbers first. Blocks begin at a place within each of them.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.counting.masks import (
    ALLOWED,
    BASE,
    BLACK,
    COL,
    DOWN,
    INNER,
    NEED,
    RIGHT,
    SHIFT,
    TIES,
    WANT,
    Indices,
    Ints,
    Mask,
    Numbers,
    find,
    lacks_pair,
    ones,
    place_blocks,
)
from solver.counting.words import INSERT, JOIN, TIE_IN, TIE_ON
from solver.jit import njit, njit_within


@njit
def fill(
    values: Numbers, limbs: int, stride: int, to: int, many: int, value: Any
) -> None:
    """Set all numbers of a block to a small one."""
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        for i in range(many):
            here[i] = value
        value = np.uint64(0)


@njit
def copy(
    values: Numbers, limbs: int, stride: int, to: int, source: int, many: int
) -> None:
    """Copy a block."""
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        there = values[limb * stride + source : limb * stride + source + many]
        for i in range(many):
            here[i] = there[i]


@njit
def gather(
    values: Numbers, limbs: int, stride: int, to: int, source: int, table: Indices
) -> None:
    """Fill a block from the entries of another that a table names; -1 makes a zero."""
    many = len(table)
    for limb in range(limbs):
        here = values[limb * stride + to : limb * stride + to + many]
        there = values[limb * stride + source : (limb + 1) * stride]
        for i in range(many):
            at = table[i]
            here[i] = there[at] if at >= 0 else np.uint64(0)


@njit
def add(
    values: Numbers,
    limbs: int,
    stride: int,
    to: int,
    a: int,
    b: int,
    many: int,
    modulus: Any,
) -> None:
    """Add two blocks: with carries, or modulo a number up to 2^63, 0 for 2^64.

    `to` may be `a`: blocks are equal or apart.
    """
    if limbs > 1:
        for i in range(many):
            carry = np.uint64(0)
            for limb in range(limbs):
                base = limb * stride + i
                x, y = values[base + a], values[base + b]
                part = x + carry
                carry = np.uint64(part < x)
                part += y
                carry += np.uint64(part < y)
                values[base + to] = part
        return
    here = values[to : to + many]
    xs, ys = values[a : a + many], values[b : b + many]
    if modulus == 0:
        for i in range(many):
            here[i] = xs[i] + ys[i]
    else:
        for i in range(many):
            total = xs[i] + ys[i]
            here[i] = total - modulus if total >= modulus else total


@njit
def gather_more(
    values: Numbers,
    limbs: int,
    stride: int,
    to: int,
    source: int,
    table: Indices,
    modulus: Any,
) -> None:
    """Add to a block the entries of another that a table names."""
    for i in range(len(table)):
        if table[i] < 0:
            continue
        carry = np.uint64(0)
        for limb in range(limbs):
            at = limb * stride + to + i
            x, y = values[at], values[limb * stride + source + table[i]]
            part = x + carry
            carry = np.uint64(part < x)
            part += y
            carry += np.uint64(part < y)
            if limbs == 1 and modulus and part >= modulus:
                part -= modulus
            values[at] = part


LAYER, PLACED, MASK = 0, 1, 2  # of `state`


class Layers(NamedTuple):
    """The layers of a count while they are made."""

    cells: Ints  # and packing: as `masks` makes them
    packing: Indices
    offsets: Ints  # where the blocks of masks begin, by packed mask
    counts: Ints  # tables, and where they begin: as `plan.Tables` says
    tables: Indices
    table_at: Ints
    values: Numbers  # as the module says
    limbs: int  # of each number; the modulus is uint64
    modulus: Any


@njit
def ways_on(layers: Layers, j: int, outer: Mask) -> tuple[Any, Any]:
    """Return where the next layer has what a step down makes, and a step right; or -1.

    `outer` is the mask of a state with neither L nor U, or without regard to them.
    """
    cell, after = layers.cells[j], layers.cells[j + 1]
    left = np.int64(1) << cell[COL]
    down = right = np.int64(-1)
    if cell[DOWN]:
        mask = (outer | left) << cell[SHIFT]
        down = find(after, layers.packing[j + 1], layers.offsets, mask)
    if cell[RIGHT]:
        mask = outer | left << 1
        right = find(after, layers.packing[j + 1], layers.offsets, mask)
    if down >= 0:
        down += after[BASE]
    if right >= 0:
        right += after[BASE]
    return down, right


@njit_within
def _whole_mask(cell: Ints, outer: Mask) -> tuple[Mask, int]:
    """Add L and U to a mask as its colours ask for; return how many, -1 for neither."""
    left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
    allowed, black = cell[ALLOWED], cell[BLACK]
    sign = 1 if black & up else -1
    near = (cell[WANT] - ones(outer & black) + ones(outer & ~black)) * sign
    if near == 0:
        return outer, 0
    if near == 1 and allowed & (left | up):
        return outer | up, 1
    if near == 2 and cell[NEED] == INNER and allowed & left and allowed & up:
        return outer | left | up, 2
    return outer, -1


@njit_within
def _sources(
    layers: Layers, j: int, outer: Mask, near: int, lacking: bool
) -> tuple[Any, Any, Any]:
    """Return the kind of table for a block, or -1, and the one or two blocks it reads.

    A block that is not there is -1; the second only if the first is there.
    """
    cell, after = layers.cells[j], layers.cells[j + 1]
    inner = cell[NEED] == INNER
    kind = source = np.int64(-1)  # no table: words stay as they are
    if near == inner:  # one edge goes on, down or right
        source, other = ways_on(layers, j, outer)
        if source < 0:
            source, other = other, source
        return kind if inner else np.int64(TIE_IN), source, other
    onward = outer
    if near == 0:
        onward |= np.int64(3) << cell[COL]
    if near or (cell[DOWN] and cell[RIGHT]):
        onward <<= cell[SHIFT]
        source = find(after, layers.packing[j + 1], layers.offsets, onward)
    if source >= 0:
        source += after[BASE]
    if near == 0:
        if not lacks_pair(after, onward):
            kind = np.int64(INSERT)
    elif not lacking:
        kind = np.int64(JOIN if inner else TIE_ON)
    return kind, source, np.int64(-1)


@njit_within
def _make_block(layers: Layers, j: int, outer: Mask) -> int:
    """Make the block of one mask from those of the layer after; return its words."""
    cell, values, limbs = layers.cells[j], layers.values, layers.limbs
    stride = len(values) // limbs
    mask, near = _whole_mask(cell, outer)
    to = np.int64(-1)
    if near >= 0:
        to = find(cell, layers.packing[j], layers.offsets, mask)
    if to < 0:
        return 0
    to += cell[BASE]
    length = ones(mask)
    lacking = near == 2 and lacks_pair(cell, mask)
    words = layers.counts[cell[TIES], length - 2 if lacking else length]
    kind, source, other = _sources(layers, j, outer, near, lacking)
    if source < 0:
        fill(values, limbs, stride, to, words, np.uint64(0))
    elif kind >= 0:
        place = ones(outer & ((np.int64(1) << cell[COL]) - 1))
        begin = layers.table_at[kind, cell[TIES], length] + place * words
        table = layers.tables[begin : begin + words]
        gather(values, limbs, stride, to, source, table)
        if other >= 0:
            gather_more(values, limbs, stride, to, other, table, layers.modulus)
    elif other >= 0:
        add(values, limbs, stride, to, source, other, words, layers.modulus)
    else:
        copy(values, limbs, stride, to, source, words)
    return int(words)


@njit
def sweep(layers: Layers, until: int, state: Ints, budget: int) -> None:
    """Kernel: make layers down to `until`, or until a budget of states is spent.

    `state` says where to go on: the layer, whether its blocks have places, and the
    mask.
    """
    cells, values = layers.cells, layers.values
    while state[LAYER] >= until and budget > 0:
        j = state[LAYER]
        cell = cells[j]
        if not state[PLACED]:
            states = place_blocks(cells, j, layers.counts, layers.offsets)
            state[PLACED] = 1
            state[MASK] = 0
            if j == len(cells) - 1:
                # the last cell closes the walk: each state has one way
                stride = len(values) // layers.limbs
                fill(values, layers.limbs, stride, cell[BASE], states, np.uint64(1))
                state[LAYER] -= 1
                state[PLACED] = 0
                continue
        rest = cell[ALLOWED] & ~(np.int64(3) << cell[COL])
        outer = state[MASK]
        while True:
            budget -= 1 + _make_block(layers, j, outer)
            outer = outer - rest & rest
            if outer == 0:
                state[LAYER] -= 1
                state[PLACED] = 0
                break
            if budget <= 0:
                state[MASK] = outer
                return
