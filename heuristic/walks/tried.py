"""What a left-first walk has tried before, so that it is counted and not walked again.

Drawings without runs look at the visited cells, the live end and the heading, not at
the order of the walk. Two walks that agree in these have the same walks ahead of them:
as many are complete, as many get stuck, and the same rules forbid the same moves. On
9 x 9 most positions come back many times.

A *try* is such a position whose walks were all walked. A row of the table is its key,
two numbers, then the walks completed, the positions stuck and the steps made in it, and
the rules needed there. The key is the position itself, not a hash of it, so what is
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

MOST_CELLS = 111  # of a board whose positions have keys: 63 + 48 bits
_LOW, _HIGH = 63, 48
# Columns of a row: the key, then what the walks ahead came to.
KEY_LOW, KEY_HIGH, TRY_WALKS, TRY_STUCK, TRY_STEPS, TRY_NEEDS = range(6)


def new_tries(rows: int) -> Longs:
    """Return an empty table, (rows, 6) int64; `rows` is 0 or a power of two from 2 on.

    Memory is used only for rows that are used, 48 bytes each.

    >>> new_tries(4).shape
    (4, 6)
    """
    return np.zeros((rows, 6), dtype=np.int64)


@njit
def turn_cell(words: Longs, image: Ints, cell: int) -> None:
    """Kernel: put a cell among the visited ones of a key, or take it out again.

    `words` is (4,), the visited cells and their images as bits; `image` gives the image
    of each cell, or is empty if there is none.
    """
    if cell < _LOW:
        words[0] ^= np.int64(1) << cell
    else:
        words[1] ^= np.int64(1) << (cell - _LOW)
    if len(image) > 0:
        other = image[cell]
        if other < _LOW:
            words[2] ^= np.int64(1) << other
        else:
            words[3] ^= np.int64(1) << (other - _LOW)


@njit
def key_of(words: Longs, image: Ints, live_end: int, heading: int) -> tuple[int, int]:
    """Kernel: the key of a position, or that of its image if it is the smaller one.

    The image is the transposed board, on which U is L and R is D.
    """
    low, high = words[0], words[1] | np.int64(4 * live_end + heading) << _HIGH
    if len(image) > 0:
        turned = np.int64(4 * image[live_end] + 3 - heading) << _HIGH
        low_too, high_too = words[2], words[3] | turned
        if low_too < low or (low_too == low and high_too < high):
            low, high = low_too, high_too
    return low, high


@njit
def _bucket(tries: Longs, low: int, high: int) -> int:
    """Kernel: the first row of the bucket of a key."""
    mixed = low * -7046029254386353131 + high * -4658895280553007687
    mixed ^= mixed >> 31
    mixed *= -7723592293110705685
    mixed ^= mixed >> 29
    return mixed & (len(tries) - 2)


@njit
def find_try(tries: Longs, key: tuple[int, int]) -> int:
    """Kernel: the row of a try, -1 if it is not known."""
    row = _bucket(tries, key[0], key[1])
    for at in range(row, row + 2):
        # what was tried ended somewhere: an empty row has neither walks nor stuck ones
        used = tries[at, TRY_WALKS] + tries[at, TRY_STUCK] > 0
        if used and tries[at, KEY_LOW] == key[0] and tries[at, KEY_HIGH] == key[1]:
            return at
    return -1


@njit
def keep_try(
    tries: Longs, key: tuple[int, int], found: tuple[int, int, int, int]
) -> None:
    """Kernel: keep a try; `found` is walks completed, stuck, steps, rules needed."""
    row = _bucket(tries, key[0], key[1])
    if tries[row, TRY_STEPS] > found[2]:
        row += 1
    tries[row, KEY_LOW] = key[0]
    tries[row, KEY_HIGH] = key[1]
    tries[row, TRY_WALKS] = found[0]
    tries[row, TRY_STUCK] = found[1]
    tries[row, TRY_STEPS] = found[2]
    tries[row, TRY_NEEDS] = found[3]
