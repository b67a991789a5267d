"""A completion under repair: a path factor that was one path, and what was changed.

The *witness* is a Hamiltonian path of the free cells, kept as bits at every cell, and
its order in *blocks*: cells that follow one another lie side by side in one array, some
sqrt(n) of them to a block, and the blocks stand in a row, some backwards. So the place
of a cell along the path is known at once, and a path made of the pieces of another one
costs a few blocks cut in two and a part of the row, O(sqrt(n)); now and then all is
laid anew (as in two-level lists; Fredman, Johnson, McGeoch & Ostheimer, "Data
structures for traveling salesmen", J. Algorithms 18, 1995).

When edges change places the witness becomes a path factor: one path and perhaps cycles.
Between two cells at changed edges, the *touched* ones, it is still the witness. So its
*components* are known from the places of the touched cells alone, and the component of
any other cell from the touched cell before it. Without a witness (WHOLE) every cell is
touched, and its number is its place.
"""

import math

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.solid.grid import (
    BASE,
    BIG,
    BLOCKS,
    COUNT,
    END,
    HEAD,
    LEFT,
    LIVE,
    LOGGED,
    PARTS,
    SIZE,
    STEPS,
    TOUCHED,
    WHOLE,
    Solid,
    stamps,
)

# Columns of `Solid.block`: the first and the last of its indices in `laid`, whether
# the path goes from the last to the first, and the place of its first cell.
LOW, HIGH, TURNED, PLACE = 0, 1, 2, 3

# Columns of `Solid.piece`: first and last of its touched cells; then the pieces in
# their new order, and whether backwards; then where its blocks begin in `queue`.
FROM, TO, WHICH, BACKWARDS, BEGIN = 0, 1, 2, 3, 4


@njit
def change(s: Solid, c: int, d: int) -> None:
    """Kernel: make a light edge dark or a dark one light, and log it."""
    s.dark[c] ^= np.uint8(1 << d)
    s.dark[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))
    s.log[s.info[LOGGED]] = 4 * c + d
    s.info[LOGGED] += 1


@njit
def undo(s: Solid, logged: int) -> None:
    """Kernel: take changes back until the log has that many."""
    info = s.info
    while info[LOGGED] > logged:
        info[LOGGED] -= 1
        e = s.log[info[LOGGED]]
        c, d = e >> 2, e & 3
        s.dark[c] ^= np.uint8(1 << d)
        s.dark[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def thread(s: Solid, place: int, left: int) -> None:
    """Kernel: lay the path from the live end, `left` cells, in blocks; O(left)."""
    info = s.info
    long = int(math.sqrt(left)) + 8
    blocks = (left + long - 1) // long
    info[BLOCKS] = blocks
    info[HEAD] = s.row.size - blocks
    c = np.int64(info[LIVE])
    back = 0
    i = 0
    for b in range(blocks):
        s.row[info[HEAD] + b] = b
        s.block[b, LOW] = i
        s.block[b, TURNED] = 0
        s.block[b, PLACE] = place + i
        until = min(i + long, left)
        s.block[b, HIGH] = until - 1
        while i < until:
            s.laid[i] = c
            s.lies[c] = i
            s.within[c] = b
            i += 1
            bits = np.int64(s.dark[c]) & (15 ^ back)
            d = (bits >> 1) - (bits >> 3)
            back = int(1 << (d ^ 2))
            c += s.step[d]


@njit
def place_of(s: Solid, c: int) -> int:
    """Kernel: the place of a cell along the path; where there is none its number."""
    if s.info[WHOLE] == 1:
        return c
    b = s.within[c]
    if s.block[b, TURNED]:
        return int(s.block[b, PLACE] + s.block[b, HIGH] - s.lies[c])
    return int(s.block[b, PLACE] + s.lies[c] - s.block[b, LOW])


@njit
def behead(s: Solid) -> None:
    """Kernel: the path loses its first cell."""
    b = s.row[s.info[HEAD]]
    if s.block[b, TURNED]:
        s.block[b, HIGH] -= 1
    else:
        s.block[b, LOW] += 1
    s.block[b, PLACE] += 1
    if s.block[b, HIGH] < s.block[b, LOW]:
        s.info[HEAD] += 1


@njit
def _touch(s: Solid, c: int, base: int) -> None:
    """Kernel: list a cell among the touched ones, once."""
    if s.mark[c] >= base:
        return
    i = s.info[TOUCHED]
    s.mark[c] = base
    s.touched[i] = c
    s.place[i] = place_of(s, c)
    s.info[TOUCHED] += 1


@njit
def _sort(s: Solid) -> None:
    """Kernel: sort the touched cells by place (Shell, with Knuth's gaps)."""
    count = s.info[TOUCHED]
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            c, place = s.touched[i], s.place[i]
            j = i
            while j >= gap and s.place[j - gap] > place:
                s.touched[j] = s.touched[j - gap]
                s.place[j] = s.place[j - gap]
                j -= gap
            s.touched[j] = c
            s.place[j] = place
        gap //= 3


@njit
def _beside(s: Solid, i: int, d: int) -> int:
    """Kernel: the touched cell to which a dark edge of touched cell i leads."""
    c = s.touched[i] + s.step[d]
    seen = s.mark[c] - s.info[BASE]
    if seen >= 0:
        return int(seen)
    return i + 1 if place_of(s, c) > s.place[i] else i - 1


@njit
def components(s: Solid) -> int:
    """Kernel: find the components of the factor, `part_of` knows them; their number.

    O(t log t) for t changed edges.
    """
    info = s.info
    all_ = info[WHOLE] == 1
    base = stamps(s, int(info[SIZE]) if all_ else 2 * info[LOGGED] + 4)
    info[BASE] = base
    info[TOUCHED] = 0
    if all_:
        for c in range(info[SIZE]):
            if s.dark[c]:
                _touch(s, c, base)
    else:
        _touch(s, int(info[LIVE]), base)
        _touch(s, int(info[END]), base)
        for i in range(info[LOGGED]):
            e = s.log[i]
            _touch(s, int(e >> 2), base)
            _touch(s, int((e >> 2) + s.step[e & 3]), base)
        _sort(s)
    for i in range(info[TOUCHED]):
        s.mark[s.touched[i]] = base + i
        s.part[i] = -1
    count = 0
    for i in range(info[TOUCHED]):
        if s.part[i] >= 0:
            continue
        s.root[count] = count
        s.first[count] = i
        s.size[count] = 0
        s.part[i] = count
        s.queue[0] = i
        top = 1
        while top > 0:
            top -= 1
            j = np.int64(s.queue[top])
            s.size[count] += 1
            if not all_ and j + 1 < info[TOUCHED]:
                s.size[count] += s.place[j + 1] - s.place[j] - 1
            for d in range(4):
                if s.dark[s.touched[j]] >> d & 1:
                    k = _beside(s, int(j), d)
                    if s.part[k] < 0:
                        s.part[k] = count
                        s.queue[top] = k
                        top += 1
        count += 1
    info[COUNT] = count
    info[PARTS] = count
    info[BIG] = 0
    for k in range(count):
        if s.size[k] > s.size[info[BIG]]:
            info[BIG] = k
    return int(count)


@njit
def _pieces(s: Solid) -> int:
    """Kernel: the pieces of the path before, between edges gone; how many."""
    count = 0
    s.piece[0, FROM] = 0
    last = s.info[TOUCHED] - 1
    for i in range(last):
        if s.place[i + 1] > s.place[i] + 1:
            continue
        c = s.touched[i]
        joined = False
        for d in range(4):
            if s.dark[c] >> d & 1 and c + s.step[d] == s.touched[i + 1]:
                joined = True
        if not joined:
            s.piece[count, TO] = i
            count += 1
            s.piece[count, FROM] = i + 1
    s.piece[count, TO] = last
    return count + 1


@njit
def _piece_at(s: Solid, i: int, count: int) -> int:
    """Kernel: the piece of a touched cell."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if s.piece[middle, TO] < i:
            low = middle + 1
        else:
            high = middle
    return low


@njit
def _follow(s: Solid, count: int) -> None:
    """Kernel: note the pieces in the order of the path, from the live end."""
    base = s.info[BASE]
    i = int(s.mark[s.info[LIVE]] - base)
    before = np.int64(-1)
    for k in range(count):
        p = _piece_at(s, i, count)
        low, high = s.piece[p, FROM], s.piece[p, TO]
        back = i != low
        s.piece[k, WHICH] = p
        s.piece[k, BACKWARDS] = back
        i = int(low if back else high)
        c = np.int64(s.touched[i])
        for d in range(4):
            if s.dark[c] >> d & 1 == 0:
                continue
            v = c + s.step[d]
            if low == high:
                if v == before:
                    continue
            elif place_of(s, v) == s.place[i] + (1 if back else -1):
                continue
            before = c
            i = int(s.mark[v] - base)
            break


@njit
def _cut(s: Solid, c: int) -> int:
    """Kernel: cut the block of a cell in two after it; the second one, or -1 if none.

    The smaller part gets a new number.
    """
    b = np.int64(s.within[c])
    low, high, turned = s.block[b, LOW], s.block[b, HIGH], s.block[b, TURNED]
    at = s.lies[c]
    if at == (low if turned else high):
        return -1
    place = s.block[b, PLACE]
    if turned:
        at -= 1  # the lower part ends here, and comes second
    other = s.info[BLOCKS]
    s.info[BLOCKS] += 1
    lower, upper = b, other
    if at - low < high - at:
        lower, upper = other, b
    first, last = (low, at) if lower == other else (at + 1, high)
    for i in range(first, last + 1):
        s.within[s.laid[i]] = other
    s.block[lower, LOW] = low
    s.block[lower, HIGH] = at
    s.block[upper, LOW] = at + 1
    s.block[upper, HIGH] = high
    s.block[other, TURNED] = turned
    if turned:
        s.block[upper, PLACE] = place
        s.block[lower, PLACE] = place + high - at
        return int(lower)
    s.block[lower, PLACE] = place
    s.block[upper, PLACE] = place + at - low + 1
    return int(upper)


@njit
def rearrange(s: Solid) -> None:
    """Kernel: make the factor, which is one path, the witness; from `components` on."""
    info = s.info
    count = _pieces(s)
    if info[BLOCKS] + count >= s.block.shape[0] or info[HEAD] < count:
        thread(s, int(info[STEPS]), int(info[LEFT]))
        return
    _follow(s, count)
    # The blocks of all pieces but the last, which stays the last.
    at, total = info[HEAD], 0
    b = np.int64(s.row[at])
    for p in range(count - 1):
        s.piece[p, BEGIN] = total
        c = np.int64(s.touched[s.piece[p, TO]])
        while s.within[c] != b:
            s.queue[total] = b
            total += 1
            at += 1
            b = np.int64(s.row[at])
        second = _cut(s, int(c))
        if second < 0:
            s.queue[total] = b
            at += 1
            b = np.int64(s.row[at] if at < s.row.size else -1)
        else:
            # `b` may be either part now; the first is that of the cell.
            s.queue[total] = s.within[c]
            b = np.int64(second)
        total += 1
    s.piece[count - 1, BEGIN] = total
    if at < s.row.size:
        s.row[at] = b
    head = at - total
    info[HEAD] = head
    place = info[STEPS]
    for k in range(count - 1):
        p = s.piece[k, WHICH]
        low, high = s.piece[p, BEGIN], s.piece[p + 1, BEGIN]
        for j in range(low, high):
            back = s.piece[k, BACKWARDS]
            b = np.int64(s.queue[low + high - 1 - j] if back else s.queue[j])
            if back:
                s.block[b, TURNED] ^= 1
            s.block[b, PLACE] = place
            place += s.block[b, HIGH] - s.block[b, LOW] + 1
            s.row[head] = b
            head += 1


@njit
def whole(s: Solid, k: int) -> int:
    """Kernel: the component that component k is part of."""
    while s.root[k] != k:
        s.root[k] = s.root[s.root[k]]
        k = int(s.root[k])
    return k


@njit
def part_of(s: Solid, c: int) -> int:
    """Kernel: the component of a cell, since `components` was called last."""
    place = place_of(s, c)
    low, high = np.int64(0), s.info[TOUCHED] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if s.place[middle] <= place:
            low = middle
        else:
            high = middle - 1
    return whole(s, int(s.part[low]))


@njit
def unite(s: Solid, a: int, b: int) -> None:
    """Kernel: note that two components became one."""
    info = s.info
    if whole(s, int(info[BIG])) == a:
        a, b = b, a
    s.root[a] = b
    s.size[b] += s.size[a]
    info[COUNT] -= 1


@njit
def adopt(s: Solid, path: npt.NDArray[np.int32]) -> None:
    """Kernel: take another Hamiltonian path, padded cells in order, as the witness."""
    length = path.size
    for i in range(length):
        s.dark[path[i]] = 0
    for i in range(1, length):
        a, b = np.int64(path[i - 1]), np.int64(path[i])
        for d in range(4):
            if a + s.step[d] == b:
                s.dark[a] |= np.uint8(1 << d)
                s.dark[b] |= np.uint8(1 << (d ^ 2))
    s.info[LOGGED] = 0
