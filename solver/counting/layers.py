"""The layers of a count: the kernels that make them.

A sweep adds the cells in turn, row by row; columns are the shorter side. Layer j holds,
for every state of the frontier before cell j, the number of ways to complete the board
from there. Layers are made from the last cell to the first, so the only number of layer
0 is that of the completions. The method is that of Knuth's Simpath (The Art of Computer
Programming 4A, 7.1.4) in the form with brackets (Jensen, J. Phys. A 37, 2004), but
without a table of states.

A state is a *mask*, where edges cross the frontier, and a *word*, how they are joined.
Places are numbered 0 to cols in the frame of the cell (row, col) that comes next.
Places below col hold the edges down from earlier cells of the row. Place col holds the
edge from the left (*L*). Places above col hold the edges down from the row before; the
edge at col + 1 (*U*) leads into the cell. The cell replaces L and U by its D and R.

The edges at black cells before the frontier exceed those at white cells by what the
cells before it need. So few masks can occur, and the other places determine how many of
L and U are there. All words of a mask form a *block*, in the order of their family, and
a layer is its blocks in the order of the masks. Each block comes from one or two blocks
of the layer after it, by copying, adding, or a table from each word to the word that it
becomes. Two facts save blocks:

* a cell with an edge from either L or U has the same ways on, so both use the block of
  U;
* the cell before has edges to the right and down (*D*, at col - 1) only if both are
  new. They are then a pair, and the block of D, L and U lacks the letters of D and L.

`values` holds `limbs` arrays of equal length in a row: limb 0 of all numbers first.

A word has a *letter* for each edge across the frontier, from left to right. Letters 1
and 2 are the first and second of two edges that are joined behind the frontier. They
nest like brackets, as paths in the plane do not cross. Letter 3 is a *tie*, an edge
joined to the live end or the end cell. Places without an edge have no letter.

A *family* holds all words with a given number of ties, sorted by length, then by their
codes (two bits a letter, the first lowest). If each tie begins at the border of the
board, no pair can enclose it, and the family omits such words. The effect of a step on
a word is a look into a table of indices.
"""

from functools import lru_cache
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit, njit_within

Ints: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.int32]
Word: TypeAlias = Any  # int64; an int in Python


def word_count(length: int, ties: int, enclosed: bool) -> int:
    """Return the number of words; pairs may enclose ties if `enclosed`.

    >>> word_count(5, 1, True), word_count(5, 1, False)
    (10, 5)
    """
    if length < ties or (length - ties) % 2:
        return 0
    pairs = (length - ties) // 2
    if enclosed:
        return comb(length, ties) * comb(2 * pairs, pairs) // (pairs + 1)
    # ties + 1 nested words in a row: the ballot numbers
    return comb(length, pairs) * (ties + 1) // (length - pairs + 1)


@njit
def partner(code: Word, place: int) -> int:
    """Return the place of the partner of the letter at a place."""
    way = 1 if code >> 2 * place & 3 == 1 else -1
    depth = 0
    while True:
        letter = code >> 2 * place & 3
        depth += int(letter == 1) - int(letter == 2)
        if depth == 0:
            return place
        place += way


@njit
def with_letter(code: Word, place: int, letter: int) -> Word:
    """Return a word with another letter at a place."""
    return code & ~(np.int64(3) << 2 * place) | np.int64(letter) << 2 * place


@njit
def without(code: Word, place: int, many: int) -> Word:
    """Return a word without `many` letters from a place on."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * (place + many) << 2 * place


@njit
def with_room(code: Word, place: int, many: int) -> Word:
    """Return a word with room for `many` letters at a place."""
    low = code & ((np.int64(1) << 2 * place) - 1)
    return low | code >> 2 * place << 2 * (place + many)


@njit
def joined(code: Word, place: int) -> Word:
    """Return a word after the edges at a place and the next meet, -1 for no word."""
    a = code >> 2 * place & 3
    b = code >> 2 * (place + 1) & 3
    if (a == 1 and b == 2) or (a == 3 and b == 3):  # a loop, or the path too early
        return np.int64(-1)
    if a == 3 or (a == 1 and b == 1):  # the partner of b becomes what a is
        code = with_letter(code, partner(code, place + 1), a)
    elif b == 3 or (a == 2 and b == 2):
        code = with_letter(code, partner(code, place), b)
    return without(code, place, 2)


JOIN, INSERT, TIE_IN, TIE_ON = 0, 1, 2, 3


@njit
def _becomes(kind: int, code: Word, place: int, length: int) -> Word:
    """Return the word after a step at a place, -1 for no word."""
    if kind == INSERT:
        return with_room(code, place, 2) | np.int64(9) << 2 * place
    if kind == TIE_IN:
        return with_room(code, place, 1) | np.int64(3) << 2 * place
    if kind == JOIN:
        return joined(code, place) if place + 1 < length else np.int64(-1)
    if code >> 2 * place & 3 == 3:
        return np.int64(-1)
    return without(with_letter(code, partner(code, place), 3), place, 1)


@njit
def _fill(kind: int, codes: Ints, length: int, targets: Ints, entries: Indices) -> None:
    """Kernel: fill the table of a kind; `targets`: the words after the step, sorted."""
    words = len(codes)
    for at in range(len(entries)):
        code = _becomes(kind, codes[at % words], at // words, length)
        low = np.searchsorted(targets, code)
        fits = low < len(targets) and targets[low] == code
        entries[at] = low if fits else -1


def list_words(ties: int, enclosed: bool, longest: int) -> list[Ints]:
    """Return the codes of a family, an array for each length up to `longest`."""
    # By the number of open firsts, and of ties.
    parts = {(0, 0): np.zeros(1, dtype=np.int64)}
    words = []
    for length in range(longest + 1):
        words.append(parts.get((0, ties), np.zeros(0, dtype=np.int64)))
        longer: dict[tuple[int, int], list[Ints]] = {}
        for letter in (1, 2, 3):  # the last letter decides the order
            for (firsts, tied), codes in parts.items():
                after = firsts + (1, -1, 0)[letter - 1], tied + (letter == 3)
                fits = 0 <= after[0] <= longest and after[1] <= ties
                if fits and (letter != 3 or enclosed or not firsts):
                    longer.setdefault(after, []).append(codes | letter << 2 * length)
        parts = {after: np.concatenate(codes) for after, codes in longer.items()}
    return words


@lru_cache(maxsize=16)
def make_tables(
    enclosed: tuple[bool, ...], longest: tuple[int, ...]
) -> tuple[Indices, Ints]:
    """Return the effect of steps on the words of 0, 1 and 2 ties: `entries` and `at`.

    ``at[kind, ties, length] + place * words + word`` is the place of a word's entry,
    the index of the word that it becomes, -1 for none.

    ``JOIN``: the edges at a place and the next meet in a cell. ``INSERT``: a pair of
    new edges at a place. ``TIE_IN``: a new tie at a place. ``TIE_ON``: the edge at a
    place ends in the live end or the end cell, so its partner becomes a tie.

    - `enclosed`: whether pairs may enclose the ties.
    - `longest`: the longest words, -1 for a family that does not occur.
    """
    families = [list_words(t, enclosed[t], longest[t]) for t in range(3)]
    at = np.zeros((4, 3, max(longest) + 1), dtype=np.int64)
    parts, begin = [], 0
    for ties, words in enumerate(families):
        kinds = (JOIN, INSERT, TIE_IN, TIE_ON) if ties < 2 else (JOIN, INSERT)
        for kind in kinds:
            into = families[ties + (kind in (TIE_IN, TIE_ON))]
            for length, codes in enumerate(words):
                new = length + (-2, 2, 1, -1)[kind]
                targets = into[new] if 0 <= new < len(into) else np.zeros(0, np.int64)
                places = length + (kind in (INSERT, TIE_IN))
                part = np.empty(places * len(codes), dtype=np.int32)
                _fill(kind, codes, length, targets, part)
                at[kind, ties, length] = begin
                parts.append(part)
                begin += len(part)
    return np.concatenate(parts), at


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
BLOCK = 11  # mask: places of the masks that have a block of their own
BASE, INDEX = 12, 13  # where the layer begins in the numbers, and in the offsets
FIELDS = 14

SHUT, TIP, INNER = 0, 1, 2  # edges a cell needs


@njit
def ones(mask: Mask) -> Any:
    """Return the number of bits of a mask."""
    x = np.uint64(mask)
    x -= x >> np.uint64(1) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    x = (x & pairs) + (x >> np.uint64(2) & pairs)
    x = x + (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(x * np.uint64(0x0101010101010101) >> np.uint64(56))


@njit
def lay_out(needs: Ints, cells: Ints) -> int:
    """Describe the cells of a board in the order of the sweep; return their number.

    `needs` (rows, cols) are the edges that each cell needs. Fills `cells`, which comes
    as zeros, except BASE and INDEX.
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
            allowed, cell[BLACK] = _places(needs, row, col)
            left, up = np.int64(1) << col, np.int64(2) << col
            cell[ALLOWED] = cell[BLOCK] = allowed
            if allowed & left and not allowed & up:
                cell[BLOCK] ^= left | up
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
    """Return masks: the places that edges can cross, and those of black cells."""
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
        allowed |= np.int64(bool(free)) << place
        black |= np.int64(dark) << place
    return allowed, black


@njit
def lacks_pair(cell: Ints, mask: Mask) -> Any:
    """Return whether a mask has D, L and U, so that its words lack a pair."""
    col = cell[COL]
    return col > 0 and mask >> (col - 1) & 7 == 7


@njit
def measure(cells: Ints, counts: Ints, choose: Floats, states: Floats) -> None:
    """Fill `states` with the number of states of every layer, in closed form.

    `counts` are (3, longest + 1), the words of each number of ties and each length;
    `choose` the binomials.
    """
    for j in range(len(cells)):
        cell = cells[j]
        col, allowed, black = cell[COL], cell[ALLOWED], cell[BLACK]
        left, up = np.int64(1) << col, np.int64(2) << col
        both = allowed & left != 0 and allowed & up != 0
        down = allowed & left >> 1 if both and col else np.int64(0)
        rest = allowed & ~(left | up | down)
        dark, light = ones(rest & black), ones(rest & ~black)
        sign = 1 if black & up else -1
        most = 2 if both else 1 if allowed & (left | up) else 0
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
                    states[j] += choose[dark, a] * choose[light, a - over] * words


@njit
def pack(cells: Ints, packing: Indices) -> None:
    """Fill `packing` (cells, bytes, 256), the part of each byte in a mask's index.

    The index of a mask is its number among all masks of the layer's places.
    """
    for j in range(len(cells)):
        places = cells[j, BLOCK]
        seen = 0
        for byte in range(packing.shape[1]):
            part = places >> 8 * byte & 255
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
def place_blocks(cells: Ints, j: int, counts: Ints, offsets: Ints) -> Any:
    """Fill the offsets of a layer's blocks, -1 for none; return its states."""
    cell = cells[j]
    col, black, ties = cell[COL], cell[BLACK], cell[TIES]
    places = cell[BLOCK]
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
        mask = mask - places & places
        if mask == 0:
            return total


class Layers(NamedTuple):
    """Arrays of the layers of a count."""

    cells: Ints  # and packing: as `lay_out` and `pack` make them
    packing: Indices
    offsets: Ints  # where the blocks of masks begin, by packed mask
    counts: Ints  # the words of each number of ties and each length
    tables: Indices  # and where they begin: as `make_tables` makes them
    table_at: Ints
    values: Numbers  # as above
    limbs: int  # of each number; the modulus is uint64
    modulus: Any


@njit
def find(layers: Layers, j: int, mask: Mask) -> Any:
    """Return the place in `values` of a mask's block in layer j, -1 if it has none."""
    cell, packing = layers.cells[j], layers.packing[j]
    if mask >> cell[COL] & 3 == 1:  # L without U
        mask += np.int64(1) << cell[COL]
    index = cell[INDEX] + packing[0, mask & 255]
    mask >>= 8
    byte = 1
    while mask:
        index += packing[byte, mask & 255]
        mask >>= 8
        byte += 1
    block = layers.offsets[index]
    return block + cell[BASE] if block >= 0 else block


@njit
def _take(layers: Layers, to: int, source: int, table: Indices, words: int) -> None:
    """Fill a block from another, or by a table of its words; with zeros from -1."""
    values = layers.values
    stride = len(values) // layers.limbs
    for limb in range(layers.limbs):
        here = values[limb * stride + to : limb * stride + to + words]
        there = values[limb * stride + max(source, 0) : (limb + 1) * stride]
        if source < 0:
            for i in range(words):
                here[i] = np.uint64(0)
        elif len(table) == 0:
            for i in range(words):
                here[i] = there[i]
        else:
            for i in range(words):
                here[i] = there[table[i]] if table[i] >= 0 else np.uint64(0)


@njit
def _add(layers: Layers, to: int, a: int, b: int, table: Indices, words: int) -> None:
    """Fill a block with the sum of two as `_take` does, modulo up to 2^63, 0: 2^64."""
    values, limbs, modulus = layers.values, layers.limbs, layers.modulus
    stride = len(values) // limbs
    if limbs == 1 and len(table) == 0:  # loops that the compiler makes wide
        here = values[to : to + words]
        xs, ys = values[a : a + words], values[b : b + words]
        if modulus == 0:
            for i in range(words):
                here[i] = xs[i] + ys[i]
        else:
            for i in range(words):
                total = xs[i] + ys[i]
                here[i] = total - modulus if total >= modulus else total
        return
    for i in range(words):
        at = np.int64(table[i]) if len(table) else np.int64(i)
        carry = np.uint64(0)
        for base in range(0, limbs * stride, stride):
            if at < 0:
                values[base + to + i] = np.uint64(0)
                continue
            x, y = values[base + a + at], values[base + b + at]
            part = x + carry
            carry = np.uint64(part < x)
            part += y
            carry += np.uint64(part < y)
            if modulus and part >= modulus:
                part -= modulus
            values[base + to + i] = part


@njit
def ways_on(layers: Layers, j: int, outer: Mask) -> tuple[Any, Any]:
    """Return the blocks of the next layer after a step down and a step right, or -1.

    `outer` is the mask of a state without L and U.
    """
    cell = layers.cells[j]
    left = np.int64(1) << cell[COL]
    down = find(layers, j + 1, (outer | left) << cell[SHIFT]) if cell[DOWN] else -1
    right = find(layers, j + 1, outer | left << 1) if cell[RIGHT] else -1
    return down, right


@njit_within
def _whole_mask(cell: Ints, outer: Mask) -> tuple[Mask, int]:
    """Add the L and U that the colours need; return their number, -1 if impossible."""
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
def sources(
    layers: Layers, j: int, outer: Mask, near: int, lacking: bool
) -> tuple[Any, Any, Any]:
    """Return the kind of table for a block, or -1, and its one or two source blocks.

    A missing block is -1. `near` is how many of L and U are there; `lacking` says
    whether the words lack a pair.
    """
    cell = layers.cells[j]
    inner = cell[NEED] == INNER
    kind = source = np.int64(-1)  # no table: words stay as they are
    if near == inner:  # an edge continues down or right
        source, other = ways_on(layers, j, outer)
        return kind if inner else np.int64(TIE_IN), source, other
    onward = outer
    if near == 0:
        onward |= np.int64(3) << cell[COL]
    onward <<= cell[SHIFT]
    if near or (cell[DOWN] and cell[RIGHT]):
        source = find(layers, j + 1, onward)
    if near == 0:
        if not lacks_pair(layers.cells[j + 1], onward):
            kind = np.int64(INSERT)
    elif not lacking:
        kind = np.int64(JOIN if inner else TIE_ON)
    return kind, source, np.int64(-1)


@njit_within
def table_range(
    layers: Layers, j: int, kind: int, outer: Mask, length: Any
) -> tuple[Any, Any]:
    """Return begin and end of the table for the words of a block; empty for -1."""
    if kind < 0:
        return np.int64(0), np.int64(0)
    cell = layers.cells[j]
    place = ones(outer & ((np.int64(1) << cell[COL]) - 1))
    words = layers.counts[cell[TIES], length]
    begin = layers.table_at[kind, cell[TIES], length] + place * words
    return begin, begin + words


@njit_within
def _make_block(layers: Layers, j: int, outer: Mask) -> None:
    """Fill the block of a mask from those of the next layer."""
    cell = layers.cells[j]
    mask, near = _whole_mask(cell, outer)
    to = find(layers, j, mask) if near >= 0 else -1
    if to < 0:
        return
    length = ones(mask)
    lacking = near == 2 and lacks_pair(cell, mask)
    words = layers.counts[cell[TIES], length - 2 if lacking else length]
    kind, source, other = sources(layers, j, outer, near, lacking)
    begin, end = table_range(layers, j, kind, outer, length)
    table = layers.tables[begin:end]
    if source >= 0 and other >= 0:
        _add(layers, to, source, other, table, words)
    else:
        _take(layers, to, max(source, other), table, words)


@njit
def make_layers(layers: Layers, j: int, budget: int) -> int:
    """Kernel: make layers from j down, about `budget` states; return the next layer.

    The next is -1 after the last. Each call makes whole layers, at least one.
    """
    cells, counts = layers.cells, layers.counts
    while j >= 0 and budget > 0:
        cell = cells[j]
        states = place_blocks(cells, j, counts, layers.offsets)
        budget -= states
        if j == len(cells) - 1:  # the last cell closes the walk: each state has one way
            stride = len(layers.values) // layers.limbs
            for limb in range(layers.limbs):
                at = limb * stride + cell[BASE]
                layers.values[at : at + states] = np.uint64(limb == 0)
        else:
            rest = cell[ALLOWED] & ~(np.int64(3) << cell[COL])
            outer = np.int64(0)
            while True:
                budget -= 1
                _make_block(layers, j, outer)
                outer = outer - rest & rest
                if outer == 0:
                    break
        j -= 1
    return j


@njit
def _pick_below(layers: Layers, at: int, pick: Numbers) -> bool:
    """Return whether a pick is below a number; if not, subtract the number from it."""
    number = layers.values[at :: len(layers.values) // layers.limbs]
    for limb in range(layers.limbs - 1, -1, -1):
        if pick[limb] != number[limb]:
            if pick[limb] < number[limb]:
                return True
            break
    borrow = np.uint64(0)
    for limb in range(layers.limbs):
        part = pick[limb] - borrow
        borrow = np.uint64(part > pick[limb])
        pick[limb] = part - number[limb]
        borrow += np.uint64(pick[limb] > part)
    return False


@njit
def fill_walk(
    layers: Layers, cols: int, pick: Numbers, near: Indices, walk: Indices
) -> None:
    """Kernel: fill `walk` with a completion; needs all layers.

    Completions are numbered from 0 in the order of the frontier: at each cell with a
    single edge to a later cell, those with an edge down come first. `pick` holds the
    limbs of the number and is overwritten. `near` (rows * cols, 2) comes as -1 and gets
    the neighbours of each cell on the walk. Cells are ``row * cols + col`` in the
    plan's frame of `cols` columns; `walk` comes with the first one.
    """
    mask, word = np.int64(0), np.int64(0)
    for j in range(len(layers.cells) - 1):
        cell = layers.cells[j]
        left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
        outer = mask & ~(left | up)
        edges = ones(mask & (left | up))
        lacking = edges == 2 and lacks_pair(cell, mask)
        kind = sources(layers, j, outer, edges, lacking)[0]
        if kind >= 0:
            begin, _ = table_range(layers, j, kind, outer, ones(mask))
            word = np.int64(layers.tables[begin + word])
        down = right = edges == 0
        if edges == (cell[NEED] == INNER):
            block, _ = ways_on(layers, j, outer)
            down = block >= 0 and _pick_below(layers, block + word, pick)
            right = not down
        mask = outer
        at = cell[ROW] * cols + cell[COL]
        if down:
            mask |= left
            _join(near, at, at + cols)
        if right:
            mask |= up
            _join(near, at, at + 1)
        mask <<= cell[SHIFT]
    before = np.int64(-1)
    for i in range(1, len(walk)):
        this = np.int64(walk[i - 1])
        walk[i] = near[this, int(near[this, 0] == before)]
        before = this


@njit
def _join(near: Indices, a: int, b: int) -> None:
    near[a, int(near[a, 0] >= 0)] = b
    near[b, int(near[b, 0] >= 0)] = a
