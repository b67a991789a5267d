"""By when a line of the board must be reached: the sum rule as a table of deadlines.

A *line* has 8 cells: a row or a column. Its cells without a number are a *mask* of 8
bits, what they must still add up to is `left`. Between two visits of one line lie at
least as many moves as a knight needs from cell to cell (`gaps`), and a cell's colour
says whether its number is odd. So the visits after time t have a least possible sum,
which grows with t, and a largest one, counted back from the end. The *deadline* of a
mask and a `left` is the last t for which the sum is still possible; 0 says that it
never is.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

STRIDE = 328  # entries a mask: left from -64 to 263
OFFSET = 64  # where left = 0 stands
NO_DEADLINE = 127
ARRIVAL = (2, 1, 1, 2, 2, 3, 3, 4)  # moves from a line to a line, by distance
Gaps = tuple[tuple[int, ...], ...]
Table = npt.NDArray[np.uint8]

_BY_DISTANCE = (0, 3, 2, 3, 2, 3, 4, 5)  # moves between two cells of a line
LINE_GAPS: Gaps = tuple(
    tuple(_BY_DISTANCE[abs(a - b)] for b in range(8)) for a in range(8)
)


@cache
def _rest(mask: int, last: int, gaps: Gaps) -> int:
    """Return the least sum of the times of `mask`, counted from a visit of `last`."""
    count = mask.bit_count()
    return min(
        (
            gaps[last][one] * count + _rest(mask & ~(1 << one), one, gaps)
            for one in range(8)
            if mask >> one & 1
        ),
        default=0,
    )


def _bounds(mask: int, colour: int, end: int, gaps: Gaps) -> tuple[list[int], int]:
    """Return the least sums after an even and after an odd time 0, and the largest.

    Cell i of the line bears odd numbers if ``i + colour`` is even. No visit comes
    after `end`.
    """
    count = mask.bit_count()
    least = [end * 8, end * 8]
    largest = -1
    for one in range(8):
        if mask >> one & 1:
            odd = (one + colour) % 2 == 0
            rest = _rest(mask & ~(1 << one), one, gaps)
            for time in (0, 1):
                wait = 1 if odd == (time == 0) else 2
                least[time] = min(least[time], wait * count + rest)
            top = end if odd == (end % 2 == 1) else end - 1
            largest = max(largest, top * count - rest)
    return least, largest


@cache
def deadlines(colour: int, end: int, gaps: Gaps = LINE_GAPS) -> Table:
    """Return the deadlines of a line, flat: entry ``mask * STRIDE + OFFSET + left``.

    `colour` is 0 if the first cell of the line bears odd numbers, `end` the last time
    at which the line can be visited, at most 64. 84 kB.
    """
    table = np.zeros((256, STRIDE), dtype=np.uint8)
    table[0, OFFSET] = NO_DEADLINE
    left = np.arange(STRIDE - OFFSET)
    for mask in range(1, 256):
        count = mask.bit_count()
        least, largest = _bounds(mask, colour, end, gaps)
        for time in range(64):
            possible = (count * time + least[time % 2] <= left) & (left <= largest)
            table[mask, OFFSET:][possible] = time
    return table.reshape(-1)


def last_visits(finish: int) -> list[int]:
    """Return for the 8 rows and then the 8 columns the last time of a visit.

    `finish` is the set of cells where number 64 may stand.
    """
    ends = [divmod(cell, 8) for cell in range(64) if finish >> cell & 1]
    out = []
    for line in range(16):
        apart = {abs(end[line // 8] - line % 8) for end in ends}
        out.append(64 if 0 in apart else 64 - min(ARRIVAL[one] for one in apart))
    return out


def line_tables(finish: int, colour: int) -> tuple[Table, list[int]]:
    """Return the tables that the 16 lines need, joined, and where each line's begins.

    `colour` is the colour of the cells with odd numbers.
    """
    kinds = [((line + colour) % 2, end) for line, end in enumerate(last_visits(finish))]
    different = sorted(set(kinds))
    table = np.concatenate([deadlines(*kind) for kind in different])
    begins = [different.index(kind) * 256 * STRIDE + OFFSET for kind in kinds]
    return table, begins
