"""The static search of strips: a path factor with fewer components, if there is one.

docs/explanation/solid.md has the definitions, the theorem and its proof. In short: a
*strip* is a row of squares that can be flipped one after another, the last one first.
Flipped whole, an odd strip from a border square joins two components. An even strip
leaves their number unchanged, and moves the border. While no square is of type III, a
*path of strips* is read off the factor:

* R1: it begins with a strip from a border square;
* R2a: an even strip with last square e, its *end*, may precede a strip that does not
  touch e. That strip begins at a square with corners in both halves of the component
  that e splits;
* R2b: it may also precede a strip of the factor with e flipped, without e. That strip
  begins at a square next to e across one of its dark sides.

Dijkstra's algorithm finds a path of the fewest squares that ends with an odd strip.
Flipped strip by strip, it leaves one component less. If no such path exists, no factor
has fewer components, provided that `is_final` (`solver.solid.static`).

The number of a strip is ``4 * square + direction`` of its first square. A round, from
one factor to the next, costs O(cells) for each expanded end, of at most as many ends as
squares. It walks the shorter half alone, so it costs less in practice.

When edges of a *witness*, a factor that is one path, change places, it becomes a path
factor. Between two cells at changed edges, the *touched* cells, it is still the
witness. So the places of the touched cells determine its components. Any other cell has
the component of the touched cell before it. Without a witness (`KEY.whole`) every cell
is touched, and its number is its place.

A square of *type III* has two opposite dark sides, of different components; a flip
joins them. `join_parallel` flips all such squares of a factor without a witness;
`join_part` looks for such a square along one component.
"""

import numpy as np
import numpy.typing as npt

from solver.jit import njit
from solver.solid.factor import KEY, Number, Solid, dark_sides, flip, is_square, stamps

# Columns of `Solid.block`: the first and the last of its indices in `laid`, whether
# the path goes from the last to the first, and the place of its first cell.
LOW, HIGH, TURNED, PLACE = 0, 1, 2, 3

# Columns of `Solid.way`, for the end of an even strip: the search that reached it; the
# squares of its path, the end before it or -1, and its strip and length.
SEARCH, SQUARES, PARENT, FIRST, MANY = 0, 1, 2, 3, 4


@njit
def change(s: Solid, c: int, d: int) -> None:
    """Kernel: make a light edge dark or a dark edge light, and log it."""
    s.dark[c] ^= np.uint8(1 << d)
    s.dark[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))
    s.log[s.info[KEY.logged]] = 4 * c + d
    s.info[KEY.logged] += 1


@njit
def undo(s: Solid) -> None:
    """Kernel: undo the changes in the log."""
    info = s.info
    while info[KEY.logged] > 0:
        info[KEY.logged] -= 1
        e = s.log[info[KEY.logged]]
        c, d = e >> 2, e & 3
        s.dark[c] ^= np.uint8(1 << d)
        s.dark[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def witness_place(s: Solid, c: int) -> int:
    """Kernel: the place of a cell along the witness; without a witness its number."""
    if s.info[KEY.whole] == 1:
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
    i = s.info[KEY.touched]
    s.mark[c] = base
    s.touched[i] = c
    s.place[i] = witness_place(s, c)
    s.info[KEY.touched] += 1


@njit
def _sort(s: Solid) -> None:
    """Kernel: sort the touched cells by place (Shell, with Knuth's gaps)."""
    count = s.info[KEY.touched]
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
    seen = s.mark[c] - s.info[KEY.base]
    if seen >= 0:
        return int(seen)
    return i + 1 if witness_place(s, c) > s.place[i] else i - 1


@njit
def find_components(s: Solid) -> int:
    """Kernel: number the components for `part_of`; O(t log t) for t changed edges."""
    info = s.info
    all_ = info[KEY.whole] == 1
    base = stamps(s, int(info[KEY.size]) if all_ else 2 * info[KEY.logged] + 4)
    info[KEY.base] = base
    info[KEY.touched] = 0
    if all_:
        for c in range(info[KEY.size]):
            if s.dark[c]:
                _touch(s, c, base)
    else:
        _touch(s, int(info[KEY.live]), base)
        _touch(s, int(info[KEY.end]), base)
        for i in range(info[KEY.logged]):
            e = s.log[i]
            _touch(s, int(e >> 2), base)
            _touch(s, int((e >> 2) + s.step[e & 3]), base)
        _sort(s)
    for i in range(info[KEY.touched]):
        s.mark[s.touched[i]] = base + i
        s.part[i] = -1
    count = 0
    for i in range(info[KEY.touched]):
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
            if not all_ and j + 1 < info[KEY.touched]:
                s.size[count] += s.place[j + 1] - s.place[j] - 1
            for d in range(4):
                if s.dark[s.touched[j]] >> d & 1:
                    k = _beside(s, int(j), d)
                    if s.part[k] < 0:
                        s.part[k] = count
                        s.queue[top] = k
                        top += 1
        count += 1
    info[KEY.components] = count
    info[KEY.parts] = count
    info[KEY.big] = 0
    for k in range(count):
        if s.size[k] > s.size[info[KEY.big]]:
            info[KEY.big] = k
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
    """Kernel: the component of a cell, after `find_components`."""
    place = witness_place(s, c)
    low, high = np.int64(0), s.info[KEY.touched] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if s.place[middle] <= place:
            low = middle
        else:
            high = middle - 1
    return whole(s, int(s.part[low]))


@njit
def unite(s: Solid, a: int, b: int) -> None:
    """Kernel: join two components after a flip."""
    info = s.info
    if whole(s, int(info[KEY.big])) == a:
        a, b = b, a
    s.root[a] = b
    s.size[b] += s.size[a]
    info[KEY.components] -= 1


@njit
def next_smallest(s: Solid, after: int) -> int:
    """Kernel: the next component by size after `after`, or -1; not the big one."""
    best = -1
    big = whole(s, int(s.info[KEY.big]))
    for x in range(s.info[KEY.parts]):
        if x == big or s.root[x] != x:
            continue
        if after >= 0 and (s.size[x], x) <= (s.size[after], after):
            continue
        if best < 0 or (s.size[x], x) < (s.size[best], best):
            best = x
    return best


@njit
def _component(s: Solid, c: Number) -> int:
    """Kernel: `part_of`, while `mark` is unchanged since `find_components`."""
    return whole(s, int(s.part[s.mark[c] - s.info[KEY.base]]))


@njit
def join_parallel(s: Solid) -> int:
    """Kernel: flip squares of type III until none is left; return the components.

    All cells must be touched, and `mark` unchanged since `find_components`. A flip
    makes new squares of type III only next to it. O(cells).
    """
    info, stack = s.info, s.queue
    width = int(info[KEY.width])
    for first in range(width + 1, info[KEY.size] - width - 1):
        stack[0] = first
        beside = 1
        while beside > 0 and info[KEY.components] > 1:
            beside -= 1
            q = int(stack[beside])
            if not is_square(s.near, width, q):
                continue
            dark = dark_sides(s.dark, width, q)
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
    return int(info[KEY.components])


@njit
def _change_square(s: Solid, q: int) -> None:
    """Kernel: flip a square, and log it."""
    change(s, q, 1)
    change(s, q, 2)
    change(s, q + 1, 2)
    change(s, int(q + s.step[2]), 1)


@njit
def _join_border(s: Solid, c: int, d: int, x: int) -> bool:
    """Kernel: flip a square at a dark edge of component x that joins it to another.

    The edge leads right or down from c.
    """
    down = int(s.step[2])
    other = c - (down if d == 1 else 1)
    alternating = 5 if d == 1 else 10
    for q, opposite in ((c, c + down + 1), (other, other)):
        if is_square(s.near, down, q) and dark_sides(s.dark, down, q) == alternating:
            y = part_of(s, opposite)
            if y != x:
                _change_square(s, q)
                unite(s, x, y)
                return True
    return False


@njit
def spread(
    s: Solid, edges: npt.NDArray[np.uint8], mark: int, head: int, tail: int
) -> int:
    """Kernel: mark and list new neighbours of cell `head` of `queue`; new `tail`."""
    c = s.queue[head]
    for d in range(4):
        v = c + s.step[d]
        if edges[c] >> d & 1 and s.mark[v] != mark:
            s.mark[v] = mark
            s.queue[tail] = v
            tail += 1
    return tail


@njit
def ends_cut(s: Solid) -> bool:
    """Kernel: whether the graph without its ends is in several pieces. O(cells)."""
    info = s.info
    mark = stamps(s, 1)
    s.mark[info[KEY.live]] = mark
    s.mark[info[KEY.end]] = mark
    head, tail = 0, 0
    for c in range(info[KEY.size]):
        if tail == 0 and s.inside[c] == 1 and s.mark[c] != mark:
            s.mark[c] = mark
            s.queue[0] = c
            tail = 1
    while head < tail:
        tail = spread(s, s.near, mark, head, tail)
        head += 1
    return bool(tail < info[KEY.cells] - 2)


@njit
def join_part(s: Solid, x: int) -> bool:
    """Kernel: join component x to another by a square; False if no square does."""
    mark = stamps(s, 1)
    s.queue[0] = s.touched[s.first[x]]
    s.mark[s.queue[0]] = mark
    head, tail = 0, 1
    while head < tail:
        c = int(s.queue[head])
        for d in range(1, 3):
            if s.dark[c] >> d & 1 and _join_border(s, c, d, x):
                return True
        tail = spread(s, s.dark, mark, head, tail)
        head += 1
    return False


@njit
def read_strip(s: Solid, q: int) -> tuple[int, int]:
    """Kernel: a direction and the length of the strip from a square, 0 if none."""
    width = s.step[2]
    if not is_square(s.near, width, q):
        return 0, 0
    bits = dark_sides(s.dark, width, q)
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
        row = dark_sides(s.dark, width, q)
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
def _reach(s: Solid, search: int, q: int, parent: int, flipped: bool) -> int:
    """Kernel: follow the strip from a square, after the end `parent` or -1; its length.

    Stores the way to the end of an even strip, or to an odd strip, if it has fewer
    squares than the way before. `flipped`: the factor has `parent` flipped.
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
    if s.info[KEY.area] > 0 and area >= s.info[KEY.area]:
        return length
    if length & 1:
        s.info[KEY.area] = area
        s.info[KEY.before] = parent
        s.info[KEY.strip] = strip
        s.info[KEY.length] = length
        return length
    e = int(q + (length - 1) * s.step[d])
    if s.way[e, SEARCH] != search:
        s.ends[s.info[KEY.ends]] = e
        s.info[KEY.ends] += 1
    elif s.way[e, SQUARES] <= area:
        return length
    s.way[e, SEARCH] = search
    s.way[e, SQUARES] = area
    s.way[e, PARENT] = parent
    s.way[e, FIRST] = strip
    s.way[e, MANY] = length
    return length


@njit
def _reach_around(
    s: Solid, search: int, mark: int, begin: int, end: int, e: int
) -> bool:
    """Kernel: follow the strips from squares with some corners marked and some not.

    The marked cells are listed in `queue` from `begin` to `end`. Returns whether there
    is such a strip, or such a square without dark sides.
    """
    down = int(s.step[2])
    any_strip = False
    for i in range(begin, end):
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
                any_strip |= _reach(s, search, q, e, False) > 0
                any_strip |= dark_sides(s.dark, down, q) == 0
    return any_strip


@njit
def _expand(s: Solid, search: int, e: int) -> None:
    """Kernel: follow the strips that may come after an even strip with end e.

    Flipped, e splits its component in two halves. The walks along both take turns, so
    the cost is that of the shorter half.
    """
    s.info[KEY.expanded] += 1
    down, n = int(s.step[2]), int(s.info[KEY.size])
    bits = dark_sides(s.dark, down, e)
    mark = stamps(s, 2)
    s.queue[0] = e
    s.queue[n] = e + down + 1
    s.mark[e] = mark
    s.mark[e + down + 1] = mark + 1
    flip(s.dark, down, e)
    head, tail, other = 0, 1, n + 1
    while head < tail and n + head < other:
        tail = spread(s, s.dark, mark, head, tail)
        other = spread(s, s.dark, mark + 1, n + head, other)
        head += 1
    flip(s.dark, down, e)
    if head == tail:
        _reach_around(s, search, mark, 0, tail, e)
    else:
        _reach_around(s, search, mark + 1, n, other, e)
    flip(s.dark, down, e)
    for d in range(4):
        if bits >> d & 1:
            _reach(s, search, int(e + s.step[d]), e, True)
    flip(s.dark, down, e)


@njit
def _nearest_end(s: Solid) -> int:
    """Kernel: take the end with the fewest squares off the list."""
    best = 0
    for i in range(1, s.info[KEY.ends]):
        if s.way[s.ends[i], SQUARES] < s.way[s.ends[best], SQUARES]:
            best = i
    e = int(s.ends[best])
    s.info[KEY.ends] -= 1
    s.ends[best] = s.ends[s.info[KEY.ends]]
    return e


@njit
def search_strips(s: Solid, closed: bool) -> bool:
    """Kernel: find a path of strips to an odd one, of the fewest squares.

    Needs `find_components`, and a factor without a square of type III. Writes the odd
    strip to `info`, the even strips before it to `way`. If `closed`, the search stops
    at a component without a strip at its border, and sets `KEY.closed`: no factor has
    an edge that leaves the component, so no Hamiltonian path exists.
    """
    info = s.info
    info[KEY.ends] = 0
    info[KEY.area] = 0
    info[KEY.closed] = 0
    search = stamps(s, 1)
    x = next_smallest(s, -1)
    while x >= 0:
        mark = stamps(s, 1)
        s.queue[0] = s.touched[s.first[x]]
        s.mark[s.queue[0]] = mark
        head, tail = 0, 1
        while head < tail:
            tail = spread(s, s.dark, mark, head, tail)
            head += 1
        if not _reach_around(s, search, mark, 0, tail, -1) and closed:
            info[KEY.closed] = 1
            return False
        x = next_smallest(s, x)
    while info[KEY.ends] > 0:
        e = _nearest_end(s)
        if info[KEY.area] > 0 and s.way[e, SQUARES] + 1 >= info[KEY.area]:
            break  # the next strip has a square at least
        _expand(s, search, e)
    return bool(info[KEY.area] > 0)


@njit
def _flip_strip(s: Solid, strip: int, length: int) -> None:
    """Kernel: flip a strip, the last square first."""
    q, on = strip >> 2, int(s.step[strip & 3])
    for i in range(length - 1, -1, -1):
        _change_square(s, q + i * on)


@njit
def flip_path(s: Solid) -> None:
    """Kernel: flip the strips of the path that the last search reached, in order."""
    info = s.info
    count, e = 0, int(info[KEY.before])
    while e >= 0:
        s.queue[count] = e
        count += 1
        e = int(s.way[e, PARENT])
    while count > 0:
        count -= 1
        e = int(s.queue[count])
        _flip_strip(s, int(s.way[e, FIRST]), int(s.way[e, MANY]))
    _flip_strip(s, int(info[KEY.strip]), int(info[KEY.length]))
