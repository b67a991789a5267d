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
any other cell from the touched cell before it.

Words, names of squares and padded cells are those of `solver.solid.grid`: *dark* edges
are of the factor, *light* ones not; a direction d leads back by ``d ^ 2``.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.board import Board
from solver.jit import njit

# Indices into `Witness.info`.
WIDTH, SIZE = 0, 1  # of the padded board: columns, and cells in all
LIVE, END, NEXT = 2, 3, 4  # padded cells: live end, end cell, the witness's next cell
LEFT, STEPS = 5, 6  # cells not yet visited, and visited ones
STAMP = 7  # marks up to this one are old
BASE = 8  # marks from this one on are of the last search for components
LOGGED = 9  # edges changed since the factor was one path
TOUCHED = 10  # cells at them, and the two ends
BIG = 11  # the largest component
COUNT = 12  # components
PARTS = 13  # components when they were found, some joined since
DRAWN, TRIED = 14, 15  # moves drawn, and of them tried
BLOCKS = 16  # blocks made since all was laid anew
HEAD = 17  # where the row of blocks begins in `Witness.row`; it ends with the array
WHOLE = 18  # 1 if there is no witness: all cells are touched, and known by number
EXPANDED = 19  # ends of strips that searches have expanded
# The odd strip that the last search of `solver.solid.strips` reached: the squares of
# its path, or 0 if there is none; the end before it; its first square and direction;
# and its length.
AREA, BEFORE, STRIP, LENGTH = 20, 21, 22, 23
REACH = 24  # `Witness.bucket` is empty after this area
CLOSED = 25  # 1 if the last search met a component that no factor's edge leaves
INFO = 26

LAST_STAMP = 2**30  # marks start anew after it

# Columns of `Witness.block`: the first and the last of its indices in `laid`, whether
# the path goes from the last to the first, and the place of its first cell.
LOW, HIGH, TURNED, PLACE = 0, 1, 2, 3

# Columns of `Witness.piece`: first and last of its touched cells; then the pieces in
# their new order, and whether backwards; then where its blocks begin in `queue`.
FROM, TO, WHICH, BACKWARDS, BEGIN = 0, 1, 2, 3, 4


class Witness(NamedTuple):
    """Arrays of one board; n padded cells."""

    info: npt.NDArray[np.int64]  # (INFO,): numbers by the names above
    step: npt.NDArray[np.int64]  # (4,): to the neighbour in direction U, R, D, L
    near: npt.NDArray[np.uint8]  # (n,): edges between cells not yet left, bits
    dark: npt.NDArray[np.uint8]  # (n,): edges of the factor, bits
    mark: npt.NDArray[np.int32]  # (n,): stamps of searches
    came: npt.NDArray[np.uint8]  # (n,): direction by which a search came
    queue: npt.NDArray[np.int32]  # (2 n,)
    log: npt.NDArray[np.int32]  # (8 n,): edges changed, 4 * cell + direction
    touched: npt.NDArray[np.int32]  # (n,): cells at changed edges, in their order
    place: npt.NDArray[np.int32]  # (n,): their places
    part: npt.NDArray[np.int32]  # (n,): their components
    piece: npt.NDArray[np.int32]  # (n, 5)
    block: npt.NDArray[np.int32]  # (blocks, 4)
    row: npt.NDArray[np.int32]  # (2 blocks,): blocks in the order of the path
    laid: npt.NDArray[np.int32]  # (n,): cells
    lies: npt.NDArray[np.int32]  # (n,): the index of a cell in `laid`
    within: npt.NDArray[np.int32]  # (n,): the block of a cell
    root: npt.NDArray[np.int32]  # (n,): component that a component became part of
    size: npt.NDArray[np.int64]  # (n,): cells of a component
    first: npt.NDArray[np.int32]  # (n,): the first touched cell of a component
    way: npt.NDArray[np.int32]  # (n, 7): see `solver.solid.strips`
    bucket: npt.NDArray[np.int32]  # (n,): see `solver.solid.strips`
    walk: npt.NDArray[np.int32]  # (n,): padded cells in order


def new_witness(board: Board) -> Witness:
    """Return the state of a board without walls, the walk not begun; O(cells)."""
    width = board.cols + 2
    n = (board.rows + 2) * width
    blocks = 4 * math.isqrt(n) + 64
    info = np.zeros(INFO, dtype=np.int64)
    info[[WIDTH, SIZE]] = width, n
    return Witness(
        info=info,
        step=np.array([-width, 1, width, -1], dtype=np.int64),
        near=np.zeros(n, dtype=np.uint8),
        dark=np.zeros(n, dtype=np.uint8),
        mark=np.zeros(n, dtype=np.int32),
        came=np.zeros(n, dtype=np.uint8),
        queue=np.zeros(2 * n, dtype=np.int32),
        log=np.zeros(8 * n, dtype=np.int32),
        touched=np.zeros(n, dtype=np.int32),
        place=np.zeros(n, dtype=np.int32),
        part=np.zeros(n, dtype=np.int32),
        piece=np.zeros((n, 5), dtype=np.int32),
        block=np.zeros((blocks, 4), dtype=np.int32),
        row=np.zeros(2 * blocks, dtype=np.int32),
        laid=np.zeros(n, dtype=np.int32),
        lies=np.zeros(n, dtype=np.int32),
        within=np.zeros(n, dtype=np.int32),
        root=np.zeros(n, dtype=np.int32),
        size=np.zeros(n, dtype=np.int64),
        first=np.zeros(n, dtype=np.int32),
        way=np.zeros((n, 7), dtype=np.int32),
        bucket=np.full(n, -1, dtype=np.int32),
        walk=np.zeros(n, dtype=np.int32),
    )


@njit
def stamps(w: Witness, count: int) -> int:
    """Kernel: reserve that many marks, all larger than those in use; the first."""
    info = w.info
    if info[STAMP] + count > LAST_STAMP:
        for c in range(info[SIZE]):
            w.mark[c] = 0
            w.way[c, 0] = 0
        info[STAMP] = 0
    first = info[STAMP] + 1
    info[STAMP] += count
    return int(first)


@njit
def is_square(near: npt.NDArray[np.uint8], width: int, q: int) -> bool:
    """Kernel: whether all four sides of a square are edges of the graph."""
    return bool(near[q] & 6 == 6 and near[q + width + 1] & 9 == 9)


@njit
def flip(dark: npt.NDArray[np.uint8], width: int, q: int) -> None:
    """Kernel: exchange dark and light along the sides of a square."""
    dark[q] ^= np.uint8(6)
    dark[q + 1] ^= np.uint8(12)
    dark[q + width] ^= np.uint8(3)
    dark[q + width + 1] ^= np.uint8(9)


@njit
def sides(dark: npt.NDArray[np.uint8], width: int, q: int) -> int:
    """Kernel: the dark sides of a square, bits: top, right, bottom, left."""
    top, bottom = dark[q] & 2, dark[q + width] & 2
    right, left = dark[q + 1] & 4, dark[q] & 4
    return int(top >> 1 | right >> 1 | bottom << 1 | left << 1)


@njit
def change(w: Witness, c: int, d: int) -> None:
    """Kernel: make a light edge dark or a dark one light, and log it."""
    w.dark[c] ^= np.uint8(1 << d)
    w.dark[c + w.step[d]] ^= np.uint8(1 << (d ^ 2))
    w.log[w.info[LOGGED]] = 4 * c + d
    w.info[LOGGED] += 1


@njit
def undo(w: Witness, logged: int) -> None:
    """Kernel: take changes back until the log has that many."""
    info = w.info
    while info[LOGGED] > logged:
        info[LOGGED] -= 1
        e = w.log[info[LOGGED]]
        c, d = e >> 2, e & 3
        w.dark[c] ^= np.uint8(1 << d)
        w.dark[c + w.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def thread(w: Witness, place: int, left: int) -> None:
    """Kernel: lay the path from the live end, `left` cells, in blocks; O(left)."""
    info = w.info
    long = int(math.sqrt(left)) + 8
    blocks = (left + long - 1) // long
    info[BLOCKS] = blocks
    info[HEAD] = w.row.size - blocks
    c = np.int64(info[LIVE])
    back = 0
    i = 0
    for b in range(blocks):
        w.row[info[HEAD] + b] = b
        w.block[b, LOW] = i
        w.block[b, TURNED] = 0
        w.block[b, PLACE] = place + i
        until = min(i + long, left)
        w.block[b, HIGH] = until - 1
        while i < until:
            w.laid[i] = c
            w.lies[c] = i
            w.within[c] = b
            i += 1
            bits = np.int64(w.dark[c]) & (15 ^ back)
            d = (bits >> 1) - (bits >> 3)
            back = int(1 << (d ^ 2))
            c += w.step[d]


@njit
def place_of(w: Witness, c: int) -> int:
    """Kernel: the place of a cell along the path; where there is none its number."""
    if w.info[WHOLE] == 1:
        return c
    b = w.within[c]
    if w.block[b, TURNED]:
        return int(w.block[b, PLACE] + w.block[b, HIGH] - w.lies[c])
    return int(w.block[b, PLACE] + w.lies[c] - w.block[b, LOW])


@njit
def behead(w: Witness) -> None:
    """Kernel: the path loses its first cell."""
    b = w.row[w.info[HEAD]]
    if w.block[b, TURNED]:
        w.block[b, HIGH] -= 1
    else:
        w.block[b, LOW] += 1
    w.block[b, PLACE] += 1
    if w.block[b, HIGH] < w.block[b, LOW]:
        w.info[HEAD] += 1


@njit
def _touch(w: Witness, c: int, base: int) -> None:
    """Kernel: list a cell among the touched ones, once."""
    if w.mark[c] >= base:
        return
    i = w.info[TOUCHED]
    w.mark[c] = base
    w.touched[i] = c
    w.place[i] = place_of(w, c)
    w.info[TOUCHED] += 1


@njit
def _sort(w: Witness) -> None:
    """Kernel: sort the touched cells by place (Shell, with Knuth's gaps)."""
    count = w.info[TOUCHED]
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            c, place = w.touched[i], w.place[i]
            j = i
            while j >= gap and w.place[j - gap] > place:
                w.touched[j] = w.touched[j - gap]
                w.place[j] = w.place[j - gap]
                j -= gap
            w.touched[j] = c
            w.place[j] = place
        gap //= 3


@njit
def _beside(w: Witness, i: int, d: int) -> int:
    """Kernel: the touched cell to which a dark edge of touched cell i leads."""
    c = w.touched[i] + w.step[d]
    seen = w.mark[c] - w.info[BASE]
    if seen >= 0:
        return int(seen)
    return i + 1 if place_of(w, c) > w.place[i] else i - 1


@njit
def components(w: Witness) -> int:
    """Kernel: find the components of the factor, `part_of` knows them; their number.

    O(t log t) for t changed edges.
    """
    info = w.info
    all_ = info[WHOLE] == 1
    base = stamps(w, int(info[SIZE]) if all_ else 2 * info[LOGGED] + 4)
    info[BASE] = base
    info[TOUCHED] = 0
    if all_:
        for c in range(info[SIZE]):
            if w.dark[c]:
                _touch(w, c, base)
    else:
        _touch(w, int(info[LIVE]), base)
        _touch(w, int(info[END]), base)
        for i in range(info[LOGGED]):
            e = w.log[i]
            _touch(w, int(e >> 2), base)
            _touch(w, int((e >> 2) + w.step[e & 3]), base)
        _sort(w)
    for i in range(info[TOUCHED]):
        w.mark[w.touched[i]] = base + i
        w.part[i] = -1
    count = 0
    for i in range(info[TOUCHED]):
        if w.part[i] >= 0:
            continue
        w.root[count] = count
        w.first[count] = i
        w.size[count] = 0
        w.part[i] = count
        w.queue[0] = i
        top = 1
        while top > 0:
            top -= 1
            j = np.int64(w.queue[top])
            w.size[count] += 1
            if not all_ and j + 1 < info[TOUCHED]:
                w.size[count] += w.place[j + 1] - w.place[j] - 1
            for d in range(4):
                if w.dark[w.touched[j]] >> d & 1:
                    k = _beside(w, int(j), d)
                    if w.part[k] < 0:
                        w.part[k] = count
                        w.queue[top] = k
                        top += 1
        count += 1
    info[COUNT] = count
    info[PARTS] = count
    info[BIG] = 0
    for k in range(count):
        if w.size[k] > w.size[info[BIG]]:
            info[BIG] = k
    return int(count)


@njit
def _pieces(w: Witness) -> int:
    """Kernel: the pieces of the path before, between edges gone; how many."""
    count = 0
    w.piece[0, FROM] = 0
    last = w.info[TOUCHED] - 1
    for i in range(last):
        if w.place[i + 1] > w.place[i] + 1:
            continue
        c = w.touched[i]
        joined = False
        for d in range(4):
            if w.dark[c] >> d & 1 and c + w.step[d] == w.touched[i + 1]:
                joined = True
        if not joined:
            w.piece[count, TO] = i
            count += 1
            w.piece[count, FROM] = i + 1
    w.piece[count, TO] = last
    return count + 1


@njit
def _piece_at(w: Witness, i: int, count: int) -> int:
    """Kernel: the piece of a touched cell."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if w.piece[middle, TO] < i:
            low = middle + 1
        else:
            high = middle
    return low


@njit
def _follow(w: Witness, count: int) -> None:
    """Kernel: note the pieces in the order of the path, from the live end."""
    base = w.info[BASE]
    i = int(w.mark[w.info[LIVE]] - base)
    before = np.int64(-1)
    for k in range(count):
        p = _piece_at(w, i, count)
        low, high = w.piece[p, FROM], w.piece[p, TO]
        back = i != low
        w.piece[k, WHICH] = p
        w.piece[k, BACKWARDS] = back
        i = int(low if back else high)
        c = np.int64(w.touched[i])
        for d in range(4):
            if w.dark[c] >> d & 1 == 0:
                continue
            v = c + w.step[d]
            if low == high:
                if v == before:
                    continue
            elif place_of(w, v) == w.place[i] + (1 if back else -1):
                continue
            before = c
            i = int(w.mark[v] - base)
            break


@njit
def _cut(w: Witness, c: int) -> int:
    """Kernel: cut the block of a cell in two after it; the second one, or -1 if none.

    The smaller part gets a new number.
    """
    b = np.int64(w.within[c])
    low, high, turned = w.block[b, LOW], w.block[b, HIGH], w.block[b, TURNED]
    at = w.lies[c]
    if at == (low if turned else high):
        return -1
    place = w.block[b, PLACE]
    if turned:
        at -= 1  # the lower part ends here, and comes second
    other = w.info[BLOCKS]
    w.info[BLOCKS] += 1
    lower, upper = b, other
    if at - low < high - at:
        lower, upper = other, b
    first, last = (low, at) if lower == other else (at + 1, high)
    for i in range(first, last + 1):
        w.within[w.laid[i]] = other
    w.block[lower, LOW] = low
    w.block[lower, HIGH] = at
    w.block[upper, LOW] = at + 1
    w.block[upper, HIGH] = high
    w.block[other, TURNED] = turned
    if turned:
        w.block[upper, PLACE] = place
        w.block[lower, PLACE] = place + high - at
        return int(lower)
    w.block[lower, PLACE] = place
    w.block[upper, PLACE] = place + at - low + 1
    return int(upper)


@njit
def rearrange(w: Witness) -> None:
    """Kernel: make the factor, which is one path, the witness; from `components` on."""
    info = w.info
    count = _pieces(w)
    if info[BLOCKS] + count >= w.block.shape[0] or info[HEAD] < count:
        thread(w, int(info[STEPS]), int(info[LEFT]))
        return
    _follow(w, count)
    # The blocks of all pieces but the last, which stays the last.
    at, total = info[HEAD], 0
    b = np.int64(w.row[at])
    for p in range(count - 1):
        w.piece[p, BEGIN] = total
        c = np.int64(w.touched[w.piece[p, TO]])
        while w.within[c] != b:
            w.queue[total] = b
            total += 1
            at += 1
            b = np.int64(w.row[at])
        second = _cut(w, int(c))
        if second < 0:
            w.queue[total] = b
            at += 1
            b = np.int64(w.row[at] if at < w.row.size else -1)
        else:
            # `b` may be either part now; the first is that of the cell.
            w.queue[total] = w.within[c]
            b = np.int64(second)
        total += 1
    w.piece[count - 1, BEGIN] = total
    if at < w.row.size:
        w.row[at] = b
    head = at - total
    info[HEAD] = head
    place = info[STEPS]
    for k in range(count - 1):
        p = w.piece[k, WHICH]
        low, high = w.piece[p, BEGIN], w.piece[p + 1, BEGIN]
        for j in range(low, high):
            back = w.piece[k, BACKWARDS]
            b = np.int64(w.queue[low + high - 1 - j] if back else w.queue[j])
            if back:
                w.block[b, TURNED] ^= 1
            w.block[b, PLACE] = place
            place += w.block[b, HIGH] - w.block[b, LOW] + 1
            w.row[head] = b
            head += 1


@njit
def whole(w: Witness, k: int) -> int:
    """Kernel: the component that component k is part of."""
    while w.root[k] != k:
        k = int(w.root[k])
    return k


@njit
def part_of(w: Witness, c: int) -> int:
    """Kernel: the component of a cell, since `components` was called last."""
    place = place_of(w, c)
    low, high = np.int64(0), w.info[TOUCHED] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if w.place[middle] <= place:
            low = middle
        else:
            high = middle - 1
    return whole(w, int(w.part[low]))


@njit
def unite(w: Witness, a: int, b: int) -> None:
    """Kernel: note that two components became one."""
    info = w.info
    if whole(w, int(info[BIG])) == a:
        a, b = b, a
    w.root[a] = b
    w.size[b] += w.size[a]
    info[COUNT] -= 1


@njit
def adopt(w: Witness, path: npt.NDArray[np.int32]) -> None:
    """Kernel: take another Hamiltonian path, padded cells in order, as the witness."""
    length = path.size
    for i in range(length):
        w.dark[path[i]] = 0
    for i in range(1, length):
        a, b = np.int64(path[i - 1]), np.int64(path[i])
        for d in range(4):
            if a + w.step[d] == b:
                w.dark[a] |= np.uint8(1 << d)
                w.dark[b] |= np.uint8(1 << (d ^ 2))
    w.info[LOGGED] = 0
