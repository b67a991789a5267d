"""The static search of strips: a path factor with fewer components, if there is one.

docs/explanation/solid.md has the definitions, the theorem and its proof. In short: a
*strip* is a row of squares that can be flipped one after another, the last one first.
Flipped whole, an odd strip from a border square joins two components. An even one
leaves their number as it is, and moves the border. While no square is of type III, a
*path of strips* is read off the factor as it is:

* R1: it begins with a strip from a border square;
* R2a: after an even strip with last square e, its *end*, may follow a strip that does
  not touch e, from a square with corners in both halves of the component that e splits;
* R2b: or a strip of the factor with e flipped, without e, from a square next to e
  across one of its dark sides.

A path of the fewest squares that ends with an odd strip is found by Dijkstra's
algorithm. Flipped strip by strip, it leaves one component less. If there is no such
path, then no factor has fewer components, provided that `is_final`.

Cells, squares and sets of edges are padded numbers and bits as in `solver.solid.grid`.
A strip is named by ``4 * square + direction`` of its first square. A round, from one
factor to the next, costs O(cells) for each end that is expanded, and there are at most
as many ends as squares. It walks the shorter half alone, so it costs less in practice.

A square of *type III* has two opposite dark sides, of different components. A flip,
which exchanges dark and light along its sides, joins them. The kernels look for such
squares along one component, of a factor whose components are known from the places of
its touched cells (`solver.solid.witness`).
"""

import numpy as np

from solver.jit import njit
from solver.solid.witness import (
    AREA,
    BEFORE,
    BIG,
    CLOSED,
    COUNT,
    END,
    EXPANDED,
    LENGTH,
    LIVE,
    LOGGED,
    PARTS,
    REACH,
    SIZE,
    STRIP,
    TOUCHED,
    WHOLE,
    Witness,
    change,
    components,
    flip,
    is_square,
    part_of,
    sides,
    stamps,
    unite,
    whole,
)

_NEAR = 12  # edges looked at from each touched cell before all are


@njit
def _join_border(w: Witness, c: int, back: int, x: int) -> bool:
    """Kernel: exchange a square at an edge c to `back` of component x that joins."""
    for turn in (1, 3):
        side = (back + turn) & 3
        a = c + w.step[side]
        b = c + w.step[back]
        square = w.near[c] >> side & 1 and w.near[b] >> side & 1
        if square and w.dark[a] >> back & 1:
            y = part_of(w, a)
            if y != x:
                change(w, c, back)
                change(w, a, back)
                change(w, c, side)
                change(w, b, side)
                unite(w, x, y)
                return True
    return False


@njit
def _join_along(w: Witness, x: int, c: int, d: int, most: int) -> bool:
    """Kernel: the same along component x from a cell on, at so many edges at most."""
    begin = c
    while d >= 0 and most > 0:
        if _join_border(w, c, d, x):
            return True
        most -= 1
        c += w.step[d]
        d = onward(w, c, d, begin)
    return False


@njit
def join_part(w: Witness, x: int) -> bool:
    """Kernel: join component x to another one by one square, if there is such a one.

    First near the touched cells, where most are.
    """
    if w.info[WHOLE] == 0 and w.size[x] > 4 * _NEAR:
        for i in range(w.info[TOUCHED]):
            if whole(w, int(w.part[i])) == x:
                c = int(w.touched[i])
                for d in range(4):
                    if w.dark[c] >> d & 1 and _join_along(w, x, c, d, _NEAR):
                        return True
    c, d = enter_part(w, x)
    return _join_along(w, x, c, d, int(w.info[SIZE]))


@njit
def enter_part(w: Witness, x: int) -> tuple[int, int]:
    """Kernel: a cell of a component, the live end if it is the path, and a way on."""
    c = w.info[LIVE]
    if part_of(w, int(c)) != x:
        c = np.int64(w.touched[w.first[x]])
    d = 0
    while w.dark[c] >> d & 1 == 0:
        d += 1
    return int(c), d


@njit
def onward(w: Witness, c: int, d: int, begin: int) -> int:
    """Kernel: the way on from a cell that was entered by d, -1 when all was seen."""
    bits = np.int64(w.dark[c]) & (15 ^ 1 << (d ^ 2))
    if c == begin or bits == 0:
        return -1
    return int((bits >> 1) - (bits >> 3))


@njit
def next_smallest(w: Witness, after: int) -> int:
    """Kernel: the component that follows by size, -1 after all; the big one is none."""
    best = -1
    big = whole(w, int(w.info[BIG]))
    for x in range(w.info[PARTS]):
        if x == big or w.root[x] != x:
            continue
        if after >= 0 and (w.size[x], x) <= (w.size[after], after):
            continue
        if best < 0 or (w.size[x], x) < (w.size[best], best):
            best = x
    return best


# Results of `merge`.
MERGED = 1  # as few components as wanted
NEVER = 0  # no factor has fewer
GIVEN_UP = -1  # no path of strips, but an end has three neighbours; or the log is full
BROKEN = -2  # against the theorem: an internal error

# Columns of `Witness.way`, for the end of an even strip: the search that reached it;
# the squares of its path, the end before it or -1, and its strip and length; and its
# neighbours in the list of ends with as many squares, which `Witness.bucket` begins.
SEARCH, SQUARES, PARENT, FIRST, MANY, AFTER, AHEAD = range(7)


@njit
def read_strip(w: Witness, q: int) -> tuple[int, int]:
    """Kernel: the direction and the length of the strip that begins at a square.

    The length is 0 if there is none; the direction of a single square is either.
    """
    width = w.step[2]
    if not is_square(w.near, width, q):
        return 0, 0
    bits = sides(w.dark, width, q)
    if bits == 5:
        return 2, 1
    if bits == 10:
        return 3, 1
    if bits == 0 or bits & (bits - 1):
        return 0, 0
    back = int((bits >> 1) - (bits >> 3))  # which bit it is
    front = 1 << (back ^ 2)
    on = w.step[back ^ 2]
    along = 10 if back & 1 == 0 else 5
    length = 1
    while True:
        q += on
        length += 1
        if not is_square(w.near, width, q):
            return 0, 0
        row = sides(w.dark, width, q)
        if length & 1 == 0:
            if row == along:
                return back ^ 2, length
            if row != along | front:
                return 0, 0
        else:
            if row == bits | front:
                return back ^ 2, length
            if row != bits:
                return 0, 0


@njit
def _flip_strip(w: Witness, strip: int, length: int) -> bool:
    """Kernel: flip a strip, its end first; False if it is none now.

    Sides between two of its squares change twice.
    """
    q, d = strip >> 2, strip & 3
    if read_strip(w, q) != (d, length):
        return False
    right = (d + 1) & 3
    side, on = w.step[right], w.step[d]
    c = q + (d == 2 or d == 3) + w.step[2] * (d == 0 or d == 3)
    change(w, int(c), right)
    for _ in range(length):
        change(w, int(c), d)
        change(w, int(c + side), d)
        c += on
    change(w, int(c), right)
    return True


@njit
def _touches(w: Witness, strip: int, length: int, e: int) -> bool:
    """Kernel: whether a square of a strip is e or has a side in common with it."""
    q, on, down = strip >> 2, w.step[strip & 3], w.step[2]
    for _ in range(length):
        apart = abs(q - e)
        if apart == 0 or apart == 1 or apart == down:
            return True
        q += on
    return False


@njit
def _link(w: Witness, e: int) -> None:
    """Kernel: list an end with those of as many squares."""
    area = w.way[e, SQUARES]
    first = w.bucket[area]
    w.way[e, AFTER] = first
    w.way[e, AHEAD] = -1
    if first >= 0:
        w.way[first, AHEAD] = e
    w.bucket[area] = e
    w.info[REACH] = max(w.info[REACH], area)


@njit
def _unlink(w: Witness, e: int) -> None:
    """Kernel: take an end out of its list."""
    after, ahead = w.way[e, AFTER], w.way[e, AHEAD]
    if after >= 0:
        w.way[after, AHEAD] = ahead
    if ahead >= 0:
        w.way[ahead, AFTER] = after
    else:
        w.bucket[w.way[e, SQUARES]] = after


@njit
def _reach(w: Witness, search: int, q: int, parent: int, flipped: bool) -> int:
    """Kernel: follow the strip from a square, after the end `parent` or -1; its length.

    Keeps the way to the end of an even strip, or to an odd one, if it has fewer squares
    than the ways before. `flipped`: the factor is that with `parent` flipped.
    """
    d, length = read_strip(w, q)
    if length == 0:
        return 0
    area = length
    strip = 4 * q + d
    if parent >= 0:
        area += w.way[parent, SQUARES]
        if flipped:
            if length > 1 and q + w.step[d] == parent:
                return 0
        elif _touches(w, strip, length, parent):
            return 0
    if area >= w.bucket.size or (w.info[AREA] > 0 and area >= w.info[AREA]):
        return length
    if length & 1:
        w.info[AREA] = area
        w.info[BEFORE] = parent
        w.info[STRIP] = strip
        w.info[LENGTH] = length
        return length
    e = int(q + (length - 1) * w.step[d])
    if w.way[e, SEARCH] == search:
        if w.way[e, SQUARES] <= area:
            return length
        _unlink(w, e)
    w.way[e, SEARCH] = search
    w.way[e, SQUARES] = area
    w.way[e, PARENT] = parent
    w.way[e, FIRST] = strip
    w.way[e, MANY] = length
    _link(w, e)
    return length


@njit
def _trace(w: Witness, x: int, mark: int) -> int:
    """Kernel: mark the cells of component x, and list them; how many."""
    begin, d = enter_part(w, x)
    c = begin
    count = 0
    while True:
        w.mark[c] = mark
        w.queue[count] = c
        count += 1
        if d < 0:
            return count
        c += int(w.step[d])
        d = onward(w, c, d, begin)
        if c == begin:
            return count


@njit
def _reach_around(w: Witness, search: int, mark: int, count: int, e: int) -> bool:
    """Kernel: follow the strips from squares with corners marked so and others.

    `_halve` and `_trace` marked and listed them. Returns whether there is such a strip,
    or such a square without dark sides.
    """
    down = int(w.step[2])
    found = False
    begin = 0 if count >= 0 else int(w.info[SIZE])
    for i in range(begin, begin + abs(count)):
        c = int(w.queue[i])
        for corner in range(4):
            q = c - (corner & 1) - down * (corner >> 1)
            if not is_square(w.near, down, q):
                continue
            first, unlike = 4, False
            for other in range(3, -1, -1):
                if w.mark[q + (other & 1) + down * (other >> 1)] == mark:
                    first = other
                else:
                    unlike = True
            if unlike and first == corner:  # each square once
                found |= _reach(w, search, q, e, False) > 0
                found |= sides(w.dark, down, q) == 0
    return found


@njit
def _stride(
    w: Witness, c: int, back: int, across: int, door: int
) -> tuple[int, int, int]:
    """Kernel: one step of a walk round a half; the cell is -1 at the end of it.

    From c, not by the edges `back`. Where the path of the factor ends, the walk goes on
    from the cell `across`, not by the edges `door`. It ends if it comes to that cell.
    Returns the next cell and its `back`, and `across`, which is -1 once it is used.
    """
    bits = int(w.dark[c]) & ~back
    if c == across:
        return -1, 0, across
    if bits == 0:
        return across, door, -1
    d = (bits >> 1) - (bits >> 3)
    return c + int(w.step[d]), 1 << (d ^ 2), across


@njit
def _halve(w: Witness, e: int) -> tuple[int, int]:
    """Kernel: mark and list the cells of the shorter half of an alternating square.

    Returns the mark, and how many there are: listed from the beginning of `queue`, or
    from its middle if the number is negative. The walks round both halves take turns,
    so the cost is that of the shorter one.
    """
    info, down = w.info, int(w.step[2])
    mark = stamps(w, 2)
    upright = w.dark[e] & 4 > 0  # left and right sides are dark
    a, b = e, e + down + 1
    next_a = e + 1 if upright else e + down
    next_b = e + down if upright else e + 1
    door_a = 4 if upright else 2
    door_b = 1 if upright else 8
    back_a, back_b = door_a, door_b
    count = 0
    while True:
        w.mark[a] = mark
        w.queue[count] = a
        w.mark[b] = mark + 1
        w.queue[info[SIZE] + count] = b
        count += 1
        a, back_a, next_a = _stride(w, a, back_a, next_a, door_a)
        if a < 0:
            return mark, count
        b, back_b, next_b = _stride(w, b, back_b, next_b, door_b)
        if b < 0:
            return mark + 1, -count


@njit
def _expand(w: Witness, search: int, e: int) -> None:
    """Kernel: follow the strips that may come after an even one with end e."""
    w.info[EXPANDED] += 1
    mark, count = _halve(w, e)
    _reach_around(w, search, mark, count, e)
    bits = sides(w.dark, w.step[2], e)
    flip(w.dark, w.step[2], e)
    for d in range(4):
        if bits >> d & 1:
            _reach(w, search, int(e + w.step[d]), e, True)
    flip(w.dark, w.step[2], e)


@njit
def search_strips(w: Witness, closed: bool) -> bool:
    """Kernel: find a path of strips to an odd one, of the fewest squares.

    The factor must have no square of type III, and its components be known. The odd
    strip is noted in `info`, the even ones before it in `way`. If `closed`, the search
    ends at a component without a strip at its border: no factor has an edge that leaves
    it, so there is no Hamiltonian path. CLOSED is noted then.
    """
    info = w.info
    for area in range(info[REACH] + 1):
        w.bucket[area] = -1
    info[REACH] = 0
    info[AREA] = 0
    info[CLOSED] = 0
    search = stamps(w, 1)
    x = next_smallest(w, -1)
    while x >= 0:
        mark = stamps(w, 1)
        if not _reach_around(w, search, mark, _trace(w, x, mark), -1) and closed:
            info[CLOSED] = 1
            return False
        x = next_smallest(w, x)
    area = 0  # the next strip has a square at least
    while area <= info[REACH] and (info[AREA] == 0 or area + 1 < info[AREA]):
        e = int(w.bucket[area])
        if e < 0:
            area += 1
        else:
            _unlink(w, e)
            _expand(w, search, e)
    return bool(info[AREA] > 0)


@njit
def flip_path(w: Witness) -> bool:
    """Kernel: flip the strips of the path found; False if one is none in its turn."""
    info = w.info
    count, e = 0, int(info[BEFORE])
    while e >= 0:
        w.queue[count] = e
        count += 1
        e = int(w.way[e, PARENT])
    while count > 0:
        count -= 1
        e = int(w.queue[count])
        if not _flip_strip(w, int(w.way[e, FIRST]), int(w.way[e, MANY])):
            return False
    return _flip_strip(w, int(info[STRIP]), int(info[LENGTH]))


@njit
def is_open(w: Witness, p: int) -> bool:
    """Kernel: whether an end has three neighbours, and is not corner-free.

    It is corner-free if no neighbour of it has one on the side of the missing one.
    """
    missing = 15 ^ int(w.near[p])
    if missing == 0 or missing & (missing - 1):
        return False
    d = (missing >> 1) - (missing >> 3)
    left, right = p + w.step[(d + 1) & 3], p + w.step[(d + 3) & 3]
    return bool((w.near[left] | w.near[right]) >> d & 1)


@njit
def is_straight(w: Witness, p: int) -> bool:
    """Kernel: whether the edge of the factor at such an end is its middle one."""
    missing = 15 ^ int(w.near[p])
    d = (missing >> 1) - (missing >> 3)
    return bool(w.dark[p] >> (d ^ 2) & 1)


@njit
def _has_three(w: Witness, p: int) -> bool:
    """Kernel: whether an end has three neighbours."""
    missing = 15 ^ int(w.near[p])
    return missing & (missing - 1) == 0


@njit
def is_final(w: Witness) -> bool:
    """Kernel: whether a factor without a path of strips has the fewest components.

    Of graphs without holes. If both ends have three neighbours, it may not be known.
    """
    live, end = int(w.info[LIVE]), int(w.info[END])
    if _has_three(w, live) and _has_three(w, end):
        return False
    settled = 0
    for p in (live, end):
        settled += not is_open(w, p) or is_straight(w, p)
    return settled == 2


@njit
def is_turned(w: Witness) -> bool:
    """Kernel: whether a factor is not final because of the live end alone."""
    live = int(w.info[LIVE])
    if _has_three(w, int(w.info[END])):
        return False
    return is_open(w, live) and not is_straight(w, live)


@njit
def toggle(w: Witness, c: int, bits: int) -> None:
    """Kernel: take edges of a cell out of the graph, or put them back."""
    for d in range(4):
        if bits >> d & 1:
            w.near[c] ^= np.uint8(1 << d)
            w.near[c + w.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def merge(w: Witness, most: int, closed: bool) -> int:
    """Kernel: leave at most so many components: MERGED, NEVER, GIVEN_UP or BROKEN.

    `closed` is that of `search_strips`; with it, `most` must be 1. The log says what
    was changed. The caller takes it back where it is not MERGED.
    """
    info = w.info
    components(w)
    while info[COUNT] > most:
        if info[WHOLE] == 1:
            info[LOGGED] = 0
        x = next_smallest(w, -1)
        while x >= 0 and not join_part(w, x):
            x = next_smallest(w, x)
        if x >= 0:
            continue
        count = int(info[COUNT])
        if not search_strips(w, closed):
            return NEVER if info[CLOSED] == 1 or is_final(w) else GIVEN_UP
        if info[LOGGED] + 4 * info[AREA] > w.log.size:
            return GIVEN_UP
        if not flip_path(w) or components(w) != count - 1:
            return BROKEN
    return MERGED
