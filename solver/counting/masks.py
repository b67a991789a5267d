"""Masks: at which places edges cross a frontier, and where their numbers stand.

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

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints: TypeAlias = npt.NDArray[np.int64]
Indices: TypeAlias = npt.NDArray[np.int32]
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
