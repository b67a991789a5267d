"""The layers of a count: the kernels that make them.

Layer j holds, for every state that the frontier before cell j can have, the number of
ways in which the rest of the board completes it. Layers are made from the last cell to
the first, so the one number of layer 0 is that of completions. The method is that of
Knuth's Simpath (The Art of Computer Programming 4A, 7.1.4) in the form with brackets
(Jensen, J. Phys. A 37, 2004), but without a table of states:

A state is a mask, where edges cross the frontier, and a word (`words`), how
they are joined. A cell changes the mask at its two places L and U, which become its
edges D and R. Whether none, one or both of L and U are there, the other places say by
their colours. So one block is made from one or two blocks of the layer after it, word
by word: copied, added, or through a table from a word to the word it becomes.

`values` holds `limbs` arrays of `stride` words of 64 bits, one after the other: limb 0
of all numbers first. Blocks begin at a place within each of them.

The masks: at which places edges cross a frontier, and where their numbers stand.

Cells are added one by one, row by row, columns being the shorter side. Places are
numbered 0 to cols in the frame of the cell (row, col) that is added next: below col the
edges down from earlier cells of the row, at col the edge from the left (*L*), above col
the edges down from the row before, the one at col + 1 (*U*) into the cell.

The edges at black cells before the frontier outnumber those at white ones by what the
cells before it need, so few masks can occur. All words (`words`) of a mask stand in one
*block*, in the order of their family; a layer is its blocks in the order of the masks.
Two facts leave blocks out or make them shorter:

* a cell with one edge from L or from U has the same ways on: both are one block, U's;
* the cell before has edges to the right and down (*D*, at col - 1) only if both are
  new, so a pair whatever else: the block of D, L and U lacks the letters of D and L.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.counting.words import INSERT, JOIN, TIE_IN, TIE_ON, Indices, Ints
from solver.jit import njit, njit_within

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[Any]  # uint64, or float64 for upper bounds
Mask: TypeAlias = Any  # int64; an int in Python

# the columns of `cells`, a row for every cell that is added
ROW, COL, NEED = 0, 1, 2
DOWN, RIGHT = 3, 4  # whether an edge can lead on to a later cell
SHIFT = 5  # rows from the frame of this cell to that of the next
ALLOWED, BLACK = 6, 7  # masks: places that edges can cross, and lead from black cells
WANT = 8  # edges from black cells less those from white ones
TIES, ENCLOSED = 9, 10  # the family of words
BASE, INDEX = 11, 12  # where the layer begins in the numbers, and in the offsets
FIELDS = 13

SHUT, TIP, INNER = 0, 1, 2  # edges a cell needs


@njit
def ones(mask: Mask) -> Any:
    """Count the bits of a mask."""
    x = np.uint64(mask)
    x -= x >> np.uint64(1) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    x = (x & pairs) + (x >> np.uint64(2) & pairs)
    x = x + (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(x * np.uint64(0x0101010101010101) >> np.uint64(56))


@njit
def lay_out(needs: Ints, cells: Ints) -> int:
    """Describe the cells of a board in the order in which they are added.

    `needs` is (rows, cols), the edges that each cell needs. Fills `cells` but for BASE
    and INDEX, and returns how many there are.
    """
    rows, cols = needs.shape
    many, want, ties, enclosed = 0, 0, 0, 0
    for row in range(rows):
        for col in range(cols):
            need = needs[row, col]
            if need == SHUT:
                continue
            if many:
                cells[many - 1, SHIFT] = row - cells[many - 1, ROW]
            cell = cells[many]
            cell[ROW], cell[COL], cell[NEED] = row, col, need
            cell[DOWN] = row + 1 < rows and needs[row + 1, col] != SHUT
            cell[RIGHT] = col + 1 < cols and needs[row, col + 1] != SHUT
            cell[SHIFT] = 0
            cell[ALLOWED], cell[BLACK] = _places(needs, row, col)
            cell[WANT], cell[TIES], cell[ENCLOSED] = want, ties, enclosed
            want += need if (row + col) % 2 == 0 else -need
            if need == TIP:
                ties += 1
                # from a cell of the border no pair can close around its tie
                if 0 < row < rows - 1 and 0 < col < cols - 1:
                    enclosed = 1
            many += 1
    return many


@njit
def _places(needs: Ints, row: int, col: int) -> tuple[Any, Any]:
    """Return the places that edges can cross, and those of black cells."""
    rows, cols = needs.shape
    allowed, black = np.int64(0), np.int64(0)
    for place in range(cols + 1):
        dark = (row + place) % 2 == 0
        if place < col:
            free = row + 1 < rows and needs[row, place] and needs[row + 1, place]
        elif place == col:
            free = col > 0 and needs[row, col - 1] != SHUT
            dark = not dark
        else:
            free = row > 0 and needs[row - 1, place - 1] and needs[row, place - 1]
        if free:
            allowed |= np.int64(1) << place
        if dark:
            black |= np.int64(1) << place
    return allowed, black


@njit
def kept_places(cell: Ints) -> Mask:
    """Return the places of the masks that have a block of their own."""
    left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
    allowed = cell[ALLOWED]
    kept = allowed & ~(left | up)
    if allowed & (left | up):
        kept |= up
    if allowed & left and allowed & up:
        kept |= left
    return kept


@njit
def count_places(cells: Ints, found: Ints) -> None:
    """Fill `found` with the places of each layer's masks."""
    for j in range(len(cells)):
        found[j] = ones(kept_places(cells[j]))


@njit
def lacks_pair(cell: Ints, mask: Mask) -> Any:
    """Tell whether a mask has D, L and U, so that its words lack a pair."""
    col = cell[COL]
    return col > 0 and mask >> (col - 1) & 7 == 7


@njit
def measure(cells: Ints, counts: Floats, choose: Floats, states: Floats) -> None:
    """Fill `states` with the number of states of every layer, in closed form.

    `counts` are (3, longest + 1), the words of each number of ties and each length;
    `choose` the binomials.
    """
    for j in range(len(cells)):
        cell = cells[j]
        col, allowed, black = cell[COL], cell[ALLOWED], cell[BLACK]
        left, up = np.int64(1) << col, np.int64(2) << col
        both = allowed & left != 0 and allowed & up != 0
        down = np.int64(0)
        if both and col:
            down = allowed & (left >> 1)
        rest = allowed & ~(left | up | down)
        dark, light = ones(rest & black), ones(rest & ~black)
        sign = 1 if black & up else -1
        most = 2 if both else 1 if allowed & (left | up) else 0
        total = 0.0
        for with_down in range(2 if down else 1):
            for near in range(most + 1):
                gone = 2 * with_down if near == 2 else 0
                if near == 2 and cell[NEED] == TIP:
                    continue
                if gone and cells[j - 1, NEED] == TIP:
                    continue
                # D and L are edges of one cell, L and U lead into one: all one colour
                over = cell[WANT] - sign * (with_down + near)
                for a in range(max(0, over), min(dark, light + over) + 1):
                    length = 2 * a - over + with_down + near - gone
                    words = counts[cell[TIES], length]
                    total += choose[dark, a] * choose[light, a - over] * words
        states[j] = total


@njit
def pack(cells: Ints, packing: Indices) -> None:
    """Fill `packing` (cells, bytes, 256): what each byte of a mask adds to its index.

    The index of a mask is its number among all masks of the layer's places.
    """
    for j in range(len(cells)):
        kept = kept_places(cells[j])
        seen = 0
        for byte in range(packing.shape[1]):
            part = kept >> 8 * byte & 255
            row = packing[j, byte]
            row[0] = 0
            for bit in range(8):
                value = 0
                if part >> bit & 1:
                    value = 1 << seen
                    seen += 1
                for low in range(1 << bit):
                    row[(1 << bit) + low] = row[low] + value


@njit
def find(cell: Ints, packing: Indices, offsets: Ints, mask: Mask) -> Any:
    """Return where the block of a mask begins in its layer, -1 if it has none."""
    if mask >> cell[COL] & 3 == 1:  # L without U
        mask += np.int64(1) << cell[COL]
    index = cell[INDEX] + packing[0, mask & 255]
    mask >>= 8
    byte = 1
    while mask:
        index += packing[byte, mask & 255]
        mask >>= 8
        byte += 1
    return offsets[index]


@njit
def place_blocks(cells: Ints, j: int, counts: Ints, offsets: Ints) -> Any:
    """Give every mask of a layer its block, -1 for none; return the layer's states."""
    cell = cells[j]
    col, black, ties = cell[COL], cell[BLACK], cell[TIES]
    kept = kept_places(cell)
    total, mask, index = np.int64(0), np.int64(0), cell[INDEX]
    while True:
        offsets[index] = -1
        near = mask >> col & 3
        if near != 1 and ones(mask & black) - ones(mask & ~black) == cell[WANT]:
            length = ones(mask)
            good = near != 3 or cell[NEED] != TIP
            if near == 3 and lacks_pair(cell, mask):
                length -= 2
                good = good and cells[j - 1, NEED] != TIP
            if good and counts[ties, length]:
                offsets[index] = total
                total += counts[ties, length]
        index += 1
        mask = mask - kept & kept
        if mask == 0:
            return total


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

    cells: Ints  # and packing: as `lay_out` and `pack` make them
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
def sweep(layers: Layers, state: Ints, budget: int) -> None:
    """Kernel: make layers until all are made or a budget of states is spent.

    `state` says where to continue: the layer, whether its blocks have places, and the
    mask.
    """
    cells, values = layers.cells, layers.values
    while state[LAYER] >= 0 and budget > 0:
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
