"""What a left-first walk has tried before, so that it is counted and not walked again.

Drawings without runs, and procedures, look at the visited cells, the live end and the
heading, not at the order of the walk. So do forced edges: turned with the board, they
are those of the turned position. Two walks that agree in these have the same walks
ahead of them: as many are complete, as many get stuck, and the same rules forbid the
same moves. On 9 x 9 most positions come back many times.

A *try* is such a position whose walks were all walked. A row of the table is its key,
three numbers, then the walks completed, the positions stuck and the steps made in it,
and the rules needed there. The key is the position itself, not a hash of it, so what is
found is never another one. Two rows share a bucket: the first keeps the larger try, the
second the last one.

If rules and board are their own mirror images, a position and its image have as many
walks ahead and need the same rules: they share a key.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import njit

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

MOST_CELLS = 174  # of a board whose positions have keys: 63 + 63 + 48 bits
WORDS = 3  # numbers of a key
_BITS, _LAST = 63, 48
# Columns of a row: the key, then what the walks ahead came to.
KEY_LOW, KEY_MIDDLE, KEY_HIGH, TRY_WALKS, TRY_STUCK, TRY_STEPS, TRY_NEEDS = range(7)
Key = tuple[int, int, int]


def new_tries(rows: int) -> Longs:
    """Return an empty table, (rows, 7) int64; `rows` is 0 or a power of two from 2 on.

    Memory is used only for rows that are used, 56 bytes each.

    >>> new_tries(4).shape
    (4, 7)
    """
    return np.zeros((rows, 7), dtype=np.int64)


@njit
def turn_cell(words: Longs, image: Ints, cell: int) -> None:
    """Kernel: put a cell among the visited ones of a key, or take it out again.

    `words` is (6,), the visited cells and their images as bits; `image` gives the image
    of each cell, or is empty if there is none.
    """
    words[cell // _BITS] ^= np.int64(1) << (cell % _BITS)
    if len(image) > 0:
        other = image[cell]
        words[WORDS + other // _BITS] ^= np.int64(1) << (other % _BITS)


@njit
def key_of(words: Longs, image: Ints, live_end: int, heading: int) -> Key:
    """Kernel: the key of a position, or that of its image if it is the smaller one.

    The image is the transposed board, on which U is L and R is D.
    """
    low, middle = words[0], words[1]
    high = words[2] | np.int64(4 * live_end + heading) << _LAST
    if len(image) > 0:
        turned = np.int64(4 * image[live_end] + 3 - heading) << _LAST
        other = words[3], words[4], words[5] | turned
        if other < (low, middle, high):
            low, middle, high = other
    return low, middle, high


@njit
def _bucket(tries: Longs, key: Key) -> int:
    """Kernel: the first row of the bucket of a key."""
    mixed = key[0] * -7046029254386353131 + key[2] * -4658895280553007687
    mixed += key[1] * -5840758589994634535
    mixed ^= mixed >> 31
    mixed *= -7723592293110705685
    mixed ^= mixed >> 29
    return mixed & (len(tries) - 2)


@njit
def find_try(tries: Longs, key: Key) -> int:
    """Kernel: the row of a try, -1 if it is not known."""
    row = _bucket(tries, key)
    for at in range(row, row + 2):
        # what was tried ended somewhere: an empty row has neither walks nor stuck ones
        used = tries[at, TRY_WALKS] + tries[at, TRY_STUCK] > 0
        same = tries[at, KEY_LOW] == key[0] and tries[at, KEY_MIDDLE] == key[1]
        if used and same and tries[at, KEY_HIGH] == key[2]:
            return at
    return -1


@njit
def keep_try(tries: Longs, key: Key, found: tuple[int, int, int, int]) -> None:
    """Kernel: keep a try; `found` is walks completed, stuck, steps, rules needed."""
    row = _bucket(tries, key)
    if tries[row, TRY_STEPS] > found[2]:
        row += 1
    tries[row, KEY_LOW] = key[0]
    tries[row, KEY_MIDDLE] = key[1]
    tries[row, KEY_HIGH] = key[2]
    tries[row, TRY_WALKS] = found[0]
    tries[row, TRY_STUCK] = found[1]
    tries[row, TRY_STEPS] = found[2]
    tries[row, TRY_NEEDS] = found[3]
