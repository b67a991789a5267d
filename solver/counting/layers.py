"""The layers of a count: the kernel that makes them.

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
"""

from typing import Any

import numpy as np

from solver.counting.blocks import add, copy, fill, gather, gather_more
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
from solver.jit import njit

LAYER, PLACED, MASK = 0, 1, 2  # of `state`


@njit
def ways_on(
    cells: Ints, j: int, packing: Indices, offsets: Ints, outer: Mask
) -> tuple[Any, Any]:
    """Return where the next layer has what a step down makes, and a step right; or -1.

    `outer` is the mask of a state with neither L nor U, or without regard to them.
    """
    cell, after = cells[j], cells[j + 1]
    left = np.int64(1) << cell[COL]
    down = right = np.int64(-1)
    if cell[DOWN]:
        mask = (outer | left) << cell[SHIFT]
        down = find(after, packing[j + 1], offsets, mask)
    if cell[RIGHT]:
        right = find(after, packing[j + 1], offsets, outer | left << 1)
    if down >= 0:
        down += after[BASE]
    if right >= 0:
        right += after[BASE]
    return down, right


@njit
def sweep(
    cells: Ints,
    until: int,
    packing: Indices,
    counts: Ints,
    offsets: Ints,
    tables: Indices,
    table_at: Ints,
    values: Numbers,
    limbs: int,
    modulus: Any,
    state: Ints,
    budget: int,
) -> None:
    """Kernel: make layers down to `until`, or until a budget of states is spent.

    `cells` and `packing` are as `masks` makes them, `counts`, `tables` and `table_at`
    as `plan.Tables` says, `values`, `limbs` and `modulus` as `blocks` says. `state`
    says where to go on: the layer, whether its blocks have places, and the mask.
    """
    stride = len(values) // limbs
    while state[LAYER] >= until and budget > 0:
        j = state[LAYER]
        cell = cells[j]
        if not state[PLACED]:
            states = place_blocks(cells, j, counts, offsets)
            state[PLACED] = 1
            state[MASK] = 0
            if j == len(cells) - 1:
                # the last cell closes the walk: each state has one way
                fill(values, limbs, stride, cell[BASE], states, np.uint64(1))
                state[LAYER] -= 1
                state[PLACED] = 0
                continue
        left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
        allowed, black, ties = cell[ALLOWED], cell[BLACK], cell[TIES]
        inner = cell[NEED] == INNER
        rest = allowed & ~(left | up)
        sign = 1 if black & up else -1
        outer = state[MASK]
        while True:
            budget -= 1
            # how many of L and U there are
            near = (cell[WANT] - ones(outer & black) + ones(outer & ~black)) * sign
            mask = outer
            if near == 1 and allowed & (left | up):
                mask |= up
            elif near == 2 and inner and allowed & left and allowed & up:
                mask |= left | up
            elif near:
                near = -1
            to = np.int64(-1)
            if near >= 0:
                to = find(cell, packing[j], offsets, mask)
            if to >= 0:
                to += cell[BASE]
                length = ones(mask)
                place = ones(outer & (left - 1))
                lacking = near == 2 and lacks_pair(cell, mask)
                words = counts[ties, length - 2 if lacking else length]
                budget -= words
                kind = np.int64(-1)  # no table: words stay as they are
                source: Any = np.int64(-1)
                other: Any = np.int64(-1)
                if near == inner:  # one edge goes on, down or right
                    source, other = ways_on(cells, j, packing, offsets, outer)
                    if source < 0:
                        source, other = other, source
                    if not inner:
                        kind = np.int64(TIE_IN)
                else:
                    after, onward = cells[j + 1], outer
                    if near == 0:
                        onward |= left | up
                    if near or (cell[DOWN] and cell[RIGHT]):
                        onward <<= cell[SHIFT]
                        source = find(after, packing[j + 1], offsets, onward)
                    if source >= 0:
                        source += after[BASE]
                    if near == 0:
                        if not lacks_pair(after, onward):
                            kind = np.int64(INSERT)
                    elif not lacking:
                        kind = np.int64(JOIN if inner else TIE_ON)
                if source < 0:
                    fill(values, limbs, stride, to, words, np.uint64(0))
                elif kind >= 0:
                    begin = table_at[kind, ties, length] + place * words
                    table = tables[begin : begin + words]
                    gather(values, limbs, stride, to, source, table)
                    if other >= 0:
                        gather_more(values, limbs, stride, to, other, table, modulus)
                elif other >= 0:
                    add(values, limbs, stride, to, source, other, words, modulus)
                else:
                    copy(values, limbs, stride, to, source, words)
            outer = outer - rest & rest
            if outer == 0:
                state[LAYER] -= 1
                state[PLACED] = 0
                break
            if budget <= 0:
                state[MASK] = outer
                return
