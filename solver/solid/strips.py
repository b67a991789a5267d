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

A strip is named by ``4 * square + direction`` of its first square. A round, from one
factor to the next, costs O(cells) for each end that is expanded, and there are at most
as many ends as squares. It walks the shorter half alone, so it costs less in practice.

When edges of a *witness*, a factor that is one path, change places, it becomes a path
factor. Between two cells at changed edges, the *touched* ones, it is still the witness.
So its components are known from the places of the touched cells alone, and the
component of any other cell from the touched cell before it. Without a witness (WHOLE)
every cell is touched, and its number is its place.

A square of *type III* has two opposite dark sides, of different components; a flip
joins them. `join_parallel` flips all such squares of a factor without a witness;
`join_part` looks for one along one component.
"""

import numpy as np

from solver.jit import njit
from solver.solid.grid import (
    AREA,
    BASE,
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
    WIDTH,
    Number,
    Solid,
    flip,
    is_square,
    sides,
    stamps,
)

# Columns of `Solid.block`: the first and the last of its indices in `laid`, whether
# the path goes from the last to the first, and the place of its first cell.
LOW, HIGH, TURNED, PLACE = 0, 1, 2, 3


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
def place_of(s: Solid, c: int) -> int:
    """Kernel: the place of a cell along the path; where there is none its number."""
    if s.info[WHOLE] == 1:
        return c
    b = s.within[c]
    if s.block[b, TURNED]:
        return int(s.block[b, PLACE] + s.block[b, HIGH] - s.lies[c])
    return int(s.block[b, PLACE] + s.lies[c] - s.block[b, LOW])


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


_NEAR = 12  # edges looked at from each touched cell before all are


@njit
def _component(s: Solid, c: Number) -> int:
    """Kernel: the component of a cell, while its mark is that of `components`."""
    return whole(s, int(s.part[s.mark[c] - s.info[BASE]]))


@njit
def join_parallel(s: Solid) -> int:
    """Kernel: flip squares of type III until none is left; return how many components.

    All cells are touched, and nothing was searched since `components`. A flip makes
    new ones beside it only. O(cells).
    """
    info, stack = s.info, s.queue
    width = int(info[WIDTH])
    for first in range(width + 1, info[SIZE] - width - 1):
        stack[0] = first
        beside = 1
        while beside > 0 and info[COUNT] > 1:
            beside -= 1
            q = int(stack[beside])
            if not is_square(s.near, width, q):
                continue
            dark = sides(s.dark, width, q)
            if dark != 5 and dark != 10:
                continue
            a, b = _component(s, q), _component(s, q + width + 1)
            if a == b:
                continue
            unite(s, a, b)
            flip(s.dark, width, q)
            for d in range(4):
                stack[beside] = q + s.step[d]
                beside += 1
    return int(info[COUNT])


@njit
def _join_border(s: Solid, c: int, back: int, x: int) -> bool:
    """Kernel: exchange a square at an edge c to `back` of component x that joins."""
    for turn in (1, 3):
        side = (back + turn) & 3
        a = c + s.step[side]
        b = c + s.step[back]
        square = s.near[c] >> side & 1 and s.near[b] >> side & 1
        if square and s.dark[a] >> back & 1:
            y = part_of(s, a)
            if y != x:
                change(s, c, back)
                change(s, a, back)
                change(s, c, side)
                change(s, b, side)
                unite(s, x, y)
                return True
    return False


@njit
def _join_along(s: Solid, x: int, c: int, d: int, most: int) -> bool:
    """Kernel: the same along component x from a cell on, at so many edges at most."""
    begin = c
    while d >= 0 and most > 0:
        if _join_border(s, c, d, x):
            return True
        most -= 1
        c += s.step[d]
        d = onward(s, c, d, begin)
    return False


@njit
def join_part(s: Solid, x: int) -> bool:
    """Kernel: join component x to another one by one square, if there is such a one.

    First near the touched cells, where most are.
    """
    if s.info[WHOLE] == 0 and s.size[x] > 4 * _NEAR:
        for i in range(s.info[TOUCHED]):
            if whole(s, int(s.part[i])) == x:
                c = int(s.touched[i])
                for d in range(4):
                    if s.dark[c] >> d & 1 and _join_along(s, x, c, d, _NEAR):
                        return True
    c, d = enter_part(s, x)
    return _join_along(s, x, c, d, int(s.info[SIZE]))


@njit
def enter_part(s: Solid, x: int) -> tuple[int, int]:
    """Kernel: a cell of a component, the live end if it is the path, and a way on."""
    c = s.info[LIVE]
    if part_of(s, int(c)) != x:
        c = np.int64(s.touched[s.first[x]])
    d = 0
    while s.dark[c] >> d & 1 == 0:
        d += 1
    return int(c), d


@njit
def onward(s: Solid, c: int, d: int, begin: int) -> int:
    """Kernel: the way on from a cell that was entered by d, -1 when all was seen."""
    bits = np.int64(s.dark[c]) & (15 ^ 1 << (d ^ 2))
    if c == begin or bits == 0:
        return -1
    return int((bits >> 1) - (bits >> 3))


@njit
def next_smallest(s: Solid, after: int) -> int:
    """Kernel: the component that follows by size, -1 after all; the big one is none."""
    best = -1
    big = whole(s, int(s.info[BIG]))
    for x in range(s.info[PARTS]):
        if x == big or s.root[x] != x:
            continue
        if after >= 0 and (s.size[x], x) <= (s.size[after], after):
            continue
        if best < 0 or (s.size[x], x) < (s.size[best], best):
            best = x
    return best


# Results of `merge`.
MERGED = 1  # as few components as wanted
NEVER = 0  # no factor has fewer
GIVEN_UP = -1  # no path of strips, but an end has three neighbours; or the log is full
BROKEN = -2  # against the theorem: an internal error

# Columns of `Solid.way`, for the end of an even strip: the search that reached it;
# the squares of its path, the end before it or -1, and its strip and length; and its
# neighbours in the list of ends with as many squares, which `Solid.bucket` begins.
SEARCH, SQUARES, PARENT, FIRST, MANY, AFTER, AHEAD = range(7)


@njit
def read_strip(s: Solid, q: int) -> tuple[int, int]:
    """Kernel: the direction and the length of the strip that begins at a square.

    The length is 0 if there is none; the direction of a single square is either.
    """
    width = s.step[2]
    if not is_square(s.near, width, q):
        return 0, 0
    bits = sides(s.dark, width, q)
    if bits == 5:
        return 2, 1
    if bits == 10:
        return 3, 1
    if bits == 0 or bits & (bits - 1):
        return 0, 0
    back = int((bits >> 1) - (bits >> 3))  # which bit it is
    front = 1 << (back ^ 2)
    on = s.step[back ^ 2]
    along = 10 if back & 1 == 0 else 5
    length = 1
    while True:
        q += on
        length += 1
        if not is_square(s.near, width, q):
            return 0, 0
        row = sides(s.dark, width, q)
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
def _flip_strip(s: Solid, strip: int, length: int) -> bool:
    """Kernel: flip a strip, its end first; False if it is none now.

    Sides between two of its squares change twice.
    """
    q, d = strip >> 2, strip & 3
    if read_strip(s, q) != (d, length):
        return False
    right = (d + 1) & 3
    side, on = s.step[right], s.step[d]
    c = q + (d == 2 or d == 3) + s.step[2] * (d == 0 or d == 3)
    change(s, int(c), right)
    for _ in range(length):
        change(s, int(c), d)
        change(s, int(c + side), d)
        c += on
    change(s, int(c), right)
    return True


@njit
def _touches(s: Solid, strip: int, length: int, e: int) -> bool:
    """Kernel: whether a square of a strip is e or has a side in common with it."""
    q, on, down = strip >> 2, s.step[strip & 3], s.step[2]
    for _ in range(length):
        apart = abs(q - e)
        if apart == 0 or apart == 1 or apart == down:
            return True
        q += on
    return False


@njit
def _link(s: Solid, e: int) -> None:
    """Kernel: list an end with those of as many squares."""
    area = s.way[e, SQUARES]
    first = s.bucket[area]
    s.way[e, AFTER] = first
    s.way[e, AHEAD] = -1
    if first >= 0:
        s.way[first, AHEAD] = e
    s.bucket[area] = e
    s.info[REACH] = max(s.info[REACH], area)


@njit
def _unlink(s: Solid, e: int) -> None:
    """Kernel: take an end out of its list."""
    after, ahead = s.way[e, AFTER], s.way[e, AHEAD]
    if after >= 0:
        s.way[after, AHEAD] = ahead
    if ahead >= 0:
        s.way[ahead, AFTER] = after
    else:
        s.bucket[s.way[e, SQUARES]] = after


@njit
def _reach(s: Solid, search: int, q: int, parent: int, flipped: bool) -> int:
    """Kernel: follow the strip from a square, after the end `parent` or -1; its length.

    Keeps the way to the end of an even strip, or to an odd one, if it has fewer squares
    than the ways before. `flipped`: the factor is that with `parent` flipped.
    """
    d, length = read_strip(s, q)
    if length == 0:
        return 0
    area = length
    strip = 4 * q + d
    if parent >= 0:
        area += s.way[parent, SQUARES]
        if flipped:
            if length > 1 and q + s.step[d] == parent:
                return 0
        elif _touches(s, strip, length, parent):
            return 0
    if area >= s.bucket.size or (s.info[AREA] > 0 and area >= s.info[AREA]):
        return length
    if length & 1:
        s.info[AREA] = area
        s.info[BEFORE] = parent
        s.info[STRIP] = strip
        s.info[LENGTH] = length
        return length
    e = int(q + (length - 1) * s.step[d])
    if s.way[e, SEARCH] == search:
        if s.way[e, SQUARES] <= area:
            return length
        _unlink(s, e)
    s.way[e, SEARCH] = search
    s.way[e, SQUARES] = area
    s.way[e, PARENT] = parent
    s.way[e, FIRST] = strip
    s.way[e, MANY] = length
    _link(s, e)
    return length


@njit
def _trace(s: Solid, x: int, mark: int) -> int:
    """Kernel: mark the cells of component x, and list them; how many."""
    begin, d = enter_part(s, x)
    c = begin
    count = 0
    while True:
        s.mark[c] = mark
        s.queue[count] = c
        count += 1
        if d < 0:
            return count
        c += int(s.step[d])
        d = onward(s, c, d, begin)
        if c == begin:
            return count


@njit
def _reach_around(s: Solid, search: int, mark: int, count: int, e: int) -> bool:
    """Kernel: follow the strips from squares with corners marked so and others.

    `_halve` and `_trace` marked and listed them. Returns whether there is such a strip,
    or such a square without dark sides.
    """
    down = int(s.step[2])
    found = False
    begin = 0 if count >= 0 else int(s.info[SIZE])
    for i in range(begin, begin + abs(count)):
        c = int(s.queue[i])
        for corner in range(4):
            q = c - (corner & 1) - down * (corner >> 1)
            if not is_square(s.near, down, q):
                continue
            first, unlike = 4, False
            for other in range(3, -1, -1):
                if s.mark[q + (other & 1) + down * (other >> 1)] == mark:
                    first = other
                else:
                    unlike = True
            if unlike and first == corner:  # each square once
                found |= _reach(s, search, q, e, False) > 0
                found |= sides(s.dark, down, q) == 0
    return found


@njit
def _stride(
    s: Solid, c: int, back: int, across: int, door: int
) -> tuple[int, int, int]:
    """Kernel: one step of a walk round a half; the cell is -1 at the end of it.

    From c, not by the edges `back`. Where the path of the factor ends, the walk goes on
    from the cell `across`, not by the edges `door`. It ends if it comes to that cell.
    Returns the next cell and its `back`, and `across`, which is -1 once it is used.
    """
    bits = int(s.dark[c]) & ~back
    if c == across:
        return -1, 0, across
    if bits == 0:
        return across, door, -1
    d = (bits >> 1) - (bits >> 3)
    return c + int(s.step[d]), 1 << (d ^ 2), across


@njit
def _halve(s: Solid, e: int) -> tuple[int, int]:
    """Kernel: mark and list the cells of the shorter half of an alternating square.

    Returns the mark, and how many there are: listed from the beginning of `queue`, or
    from its middle if the number is negative. The walks round both halves take turns,
    so the cost is that of the shorter one.
    """
    info, down = s.info, int(s.step[2])
    mark = stamps(s, 2)
    upright = s.dark[e] & 4 > 0  # left and right sides are dark
    a, b = e, e + down + 1
    next_a = e + 1 if upright else e + down
    next_b = e + down if upright else e + 1
    door_a = 4 if upright else 2
    door_b = 1 if upright else 8
    back_a, back_b = door_a, door_b
    count = 0
    while True:
        s.mark[a] = mark
        s.queue[count] = a
        s.mark[b] = mark + 1
        s.queue[info[SIZE] + count] = b
        count += 1
        a, back_a, next_a = _stride(s, a, back_a, next_a, door_a)
        if a < 0:
            return mark, count
        b, back_b, next_b = _stride(s, b, back_b, next_b, door_b)
        if b < 0:
            return mark + 1, -count


@njit
def _expand(s: Solid, search: int, e: int) -> None:
    """Kernel: follow the strips that may come after an even one with end e."""
    s.info[EXPANDED] += 1
    mark, count = _halve(s, e)
    _reach_around(s, search, mark, count, e)
    bits = sides(s.dark, s.step[2], e)
    flip(s.dark, s.step[2], e)
    for d in range(4):
        if bits >> d & 1:
            _reach(s, search, int(e + s.step[d]), e, True)
    flip(s.dark, s.step[2], e)


@njit
def search_strips(s: Solid, closed: bool) -> bool:
    """Kernel: find a path of strips to an odd one, of the fewest squares.

    The factor must have no square of type III, and its components be known. The odd
    strip is noted in `info`, the even ones before it in `way`. If `closed`, the search
    ends at a component without a strip at its border: no factor has an edge that leaves
    it, so there is no Hamiltonian path. CLOSED is noted then.
    """
    info = s.info
    for area in range(info[REACH] + 1):
        s.bucket[area] = -1
    info[REACH] = 0
    info[AREA] = 0
    info[CLOSED] = 0
    search = stamps(s, 1)
    x = next_smallest(s, -1)
    while x >= 0:
        mark = stamps(s, 1)
        if not _reach_around(s, search, mark, _trace(s, x, mark), -1) and closed:
            info[CLOSED] = 1
            return False
        x = next_smallest(s, x)
    area = 0  # the next strip has a square at least
    while area <= info[REACH] and (info[AREA] == 0 or area + 1 < info[AREA]):
        e = int(s.bucket[area])
        if e < 0:
            area += 1
        else:
            _unlink(s, e)
            _expand(s, search, e)
    return bool(info[AREA] > 0)


@njit
def flip_path(s: Solid) -> bool:
    """Kernel: flip the strips of the path found; False if one is none in its turn."""
    info = s.info
    count, e = 0, int(info[BEFORE])
    while e >= 0:
        s.queue[count] = e
        count += 1
        e = int(s.way[e, PARENT])
    while count > 0:
        count -= 1
        e = int(s.queue[count])
        if not _flip_strip(s, int(s.way[e, FIRST]), int(s.way[e, MANY])):
            return False
    return _flip_strip(s, int(info[STRIP]), int(info[LENGTH]))


@njit
def is_open(s: Solid, p: int) -> bool:
    """Kernel: whether an end has three neighbours, and is not corner-free.

    It is corner-free if no neighbour of it has one on the side of the missing one.
    """
    missing = 15 ^ int(s.near[p])
    if missing == 0 or missing & (missing - 1):
        return False
    d = (missing >> 1) - (missing >> 3)
    left, right = p + s.step[(d + 1) & 3], p + s.step[(d + 3) & 3]
    return bool((s.near[left] | s.near[right]) >> d & 1)


@njit
def is_straight(s: Solid, p: int) -> bool:
    """Kernel: whether the edge of the factor at such an end is its middle one."""
    missing = 15 ^ int(s.near[p])
    d = (missing >> 1) - (missing >> 3)
    return bool(s.dark[p] >> (d ^ 2) & 1)


@njit
def _has_three(s: Solid, p: int) -> bool:
    """Kernel: whether an end has three neighbours."""
    missing = 15 ^ int(s.near[p])
    return missing & (missing - 1) == 0


@njit
def is_final(s: Solid) -> bool:
    """Kernel: whether a factor without a path of strips has the fewest components.

    Of graphs without holes. If both ends have three neighbours, it may not be known.
    """
    live, end = int(s.info[LIVE]), int(s.info[END])
    if _has_three(s, live) and _has_three(s, end):
        return False
    settled = 0
    for p in (live, end):
        settled += not is_open(s, p) or is_straight(s, p)
    return settled == 2


@njit
def is_turned(s: Solid) -> bool:
    """Kernel: whether a factor is not final because of the live end alone."""
    live = int(s.info[LIVE])
    if _has_three(s, int(s.info[END])):
        return False
    return is_open(s, live) and not is_straight(s, live)


@njit
def toggle(s: Solid, c: int, bits: int) -> None:
    """Kernel: take edges of a cell out of the graph, or put them back."""
    for d in range(4):
        if bits >> d & 1:
            s.near[c] ^= np.uint8(1 << d)
            s.near[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def merge(s: Solid, most: int, closed: bool) -> int:
    """Kernel: leave at most so many components: MERGED, NEVER, GIVEN_UP or BROKEN.

    `closed` is that of `search_strips`; with it, `most` must be 1. The log says what
    was changed. The caller takes it back where it is not MERGED.
    """
    info = s.info
    components(s)
    while info[COUNT] > most:
        if info[WHOLE] == 1:
            info[LOGGED] = 0
        x = next_smallest(s, -1)
        while x >= 0 and not join_part(s, x):
            x = next_smallest(s, x)
        if x >= 0:
            continue
        count = int(info[COUNT])
        if not search_strips(s, closed):
            return NEVER if info[CLOSED] == 1 or is_final(s) else GIVEN_UP
        if info[LOGGED] + 4 * info[AREA] > s.log.size:
            return GIVEN_UP
        if not flip_path(s) or components(s) != count - 1:
            return BROKEN
    return MERGED
