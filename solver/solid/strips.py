"""Flips and strips: from a path factor to a Hamiltonian path, or to a proof of none.

A *flip* exchanges dark and light along the sides of some squares. What is flipped here:

* a square of *type III*: two parallel dark sides, of different components. It joins
  them.
* a *strip*: from a square with one dark side straight on, away from that side. The
  second, fourth, ... square has both sides along the way dark: with the front light it
  ends the strip, which is *even*. The third, fifth, ... has the back dark: with the
  front dark too it ends the strip, which is *odd*. Whatever else there is blocks it.
  From a border square an odd strip joins two components, an even one moves the border.

`solve` does it all, `join` all but the factor; `join_parallel` and `search` are its two
steps, `read_strip`, `flip` and `flip_strip` what they are made of. A list of dark sides
has the bits of directions. Source: C. Umans, W. Lenhart, FOCS 1997, and
docs/explanation/solid.md.
"""

import numpy as np

from solver.jit import njit
from solver.solid.factor import augment
from solver.solid.grid import (
    CELLS,
    COMPONENTS,
    END,
    FIRST,
    KNOWN,
    LENGTH,
    LIVE,
    SIZE,
    SQUARE,
    TOWARDS,
    WIDTH,
    Number,
    Solid,
    label,
)

PATH = 1  # the factor is a Hamiltonian path
NO_FACTOR = 2  # dead: see `augment`
FEW_STRIPS = 3  # dead: too few strips to join all components
CORNERS = 4  # dead: a border square without dark sides, live end and end cell at it
ENDED = 5  # dead: the live end is the end cell, and not the only cell
STUCK = 6  # not known
JOINED = 7  # of `search` only: there is one component less
MANY = 12  # known pairs up to which all choices are tried


@njit
def is_square(s: Solid, q: Number) -> bool:
    """Kernel: whether all four cells of a square are in the graph."""
    below = q + s.info[WIDTH] + 1
    return bool(s.near[q] & 6 == 6 and s.near[below] & 9 == 9)


@njit
def sides(s: Solid, q: Number) -> int:
    """Kernel: the dark sides of a square, bits: top, right, bottom, left."""
    width = s.info[WIDTH]
    return int(
        (s.dark[q] & 2) >> 1
        | (s.dark[q + 1] & 4) >> 1
        | (s.dark[q + width] & 2) << 1
        | (s.dark[q] & 4) << 1
    )


@njit
def flip(s: Solid, q: Number) -> None:
    """Kernel: exchange dark and light along the sides of a square."""
    width = s.info[WIDTH]
    s.dark[q] ^= np.uint8(6)
    s.dark[q + 1] ^= np.uint8(12)
    s.dark[q + width] ^= np.uint8(3)
    s.dark[q + width + 1] ^= np.uint8(9)


@njit
def flip_strip(s: Solid, q: Number, d: Number, length: Number) -> None:
    """Kernel: flip so many squares in a row, from `q` in direction `d`."""
    for i in range(length):
        flip(s, q + i * s.step[d])


@njit
def read_strip(s: Solid, q: Number, d: Number) -> int:
    """Kernel: the length of the strip from a square with the back alone dark, or 0.

    `d` leads away from the dark side. Zero if it is blocked. O(length).
    """
    front, back = 1 << d, 1 << (d ^ 2)
    both = 15 ^ front ^ back
    length = 1
    while True:
        q += s.step[d]
        length += 1
        if not is_square(s, q):
            return 0
        dark = sides(s, q)
        if length % 2 == 0:
            if dark == both:
                return length
            if dark != both | front:
                return 0
        else:
            if dark == back | front:
                return length
            if dark != back:
                return 0


@njit
def root(s: Solid, c: Number) -> int:
    """Kernel: the component of a cell, those counted as one that were joined."""
    a = s.component[c]
    while s.parent[a] != a:
        s.parent[a] = s.parent[s.parent[a]]
        a = s.parent[a]
    return int(a)


@njit
def is_parallel(s: Solid, q: Number) -> bool:
    """Kernel: whether a square is of type III."""
    if not is_square(s, q):
        return False
    dark = sides(s, q)
    if dark == 5:
        return root(s, q) != root(s, q + s.info[WIDTH])
    return dark == 10 and root(s, q) != root(s, q + 1)


@njit
def join_parallel(s: Solid) -> int:
    """Kernel: flip squares of type III until none is left; return how many components.

    Components must be numbered (`label`), and are not numbered anew. A flip makes new
    ones beside it only. O(cells).
    """
    info, stack = s.info, s.queue
    beside = 0
    for first in range(info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1):
        stack[0] = first
        beside = 1
        while beside > 0:
            beside -= 1
            q = np.int64(stack[beside])
            if info[COMPONENTS] == 1 or not is_parallel(s, q):
                continue
            s.parent[root(s, q)] = root(s, q + info[WIDTH] + 1)
            flip(s, q)
            info[COMPONENTS] -= 1
            for d in range(4):
                stack[beside] = q + s.step[d]
                beside += 1
    return int(info[COMPONENTS])


@njit
def is_border(s: Solid, q: Number) -> bool:
    """Kernel: whether a square has corners in two components or more, just numbered."""
    width, component = s.info[WIDTH], s.component
    a = component[q]
    return bool(
        component[q + 1] != a
        or component[q + width] != a
        or component[q + width + 1] != a
    )


@njit
def _known(s: Solid, q: Number, d: Number, length: Number) -> bool:
    """Kernel: whether an odd strip is one that `search` knows."""
    for i in range(s.info[KNOWN]):
        if length == 1 and s.known[i, SQUARE] == q:
            return True
        # A square of type III, so a strip of length one, has no direction.
        if (
            s.known[i, FIRST] == q
            and s.known[i, LENGTH] == length
            and (length == 1 or s.known[i, TOWARDS] == d)
        ):
            return True
    return False


@njit
def _strip_at(s: Solid, q: Number) -> tuple[Number, Number]:
    """Kernel: direction and length of the strip from a border square; no strip: 0.

    A square of type III is a strip of length one. The direction is -1 at a square
    without dark sides.
    """
    if not is_square(s, q) or not is_border(s, q):
        return 0, 0
    dark = sides(s, q)
    if dark == 0:
        return -1, 0
    for d in range(4):
        if dark == 1 << (d ^ 2):
            return d, read_strip(s, q, np.int64(d))
    return 0, 1 if is_parallel(s, q) else 0


@njit
def _list(
    s: Solid, found: tuple[Number, Number, Number]
) -> tuple[int, Number, Number, Number]:
    """Kernel: look for the next thing to do among the strips from border squares.

    Returns what, and square, direction and length of a strip: JOINED and an odd one
    that is not known; or PATH and an even one that ends within a component; or STUCK if
    an even one ends elsewhere, or a border square without dark sides was seen; or
    FEW_STRIPS. `found` is the odd strip after which the scan goes on, (0, 0, 0) first.
    """
    info = s.info
    what = FEW_STRIPS
    square, towards, far = found
    for q in range(info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1):
        d, length = _strip_at(s, np.int64(q))
        if d < 0:
            what = STUCK if what == FEW_STRIPS else what
        elif length % 2 == 1:
            if q > found[0] and not _known(s, np.int64(q), d, length):
                return JOINED, q, d, length
        elif length > 0 and what != PATH:
            last = q + (length - 1) * s.step[d]
            what = STUCK if is_border(s, last) else PATH
            square, towards, far = q, d, length
    return what, square, towards, far


@njit
def _is_factor(s: Solid) -> bool:
    """Kernel: whether every cell has as many dark edges as it needs."""
    for c in range(s.info[WIDTH] + 1, s.info[SIZE] - s.info[WIDTH] - 1):
        dark = s.dark[c]
        if (dark & 1) + (dark >> 1 & 1) + (dark >> 2 & 1) + (dark >> 3) != s.need[c]:
            return False
    return True


@njit
def _take(s: Solid, choice: int) -> None:
    """Kernel: of each known pair flip the strip (bit 1) or the square (bit 0)."""
    for i in range(s.info[KNOWN]):
        if choice >> i & 1:
            flip_strip(
                s,
                np.int64(s.known[i, FIRST]),
                np.int64(s.known[i, TOWARDS]),
                np.int64(s.known[i, LENGTH]),
            )
        else:
            flip(s, np.int64(s.known[i, SQUARE]))


@njit
def _join_by(s: Solid, q: Number, d: Number, length: Number, before: Number) -> bool:
    """Kernel: flip a new odd strip and one of each known pair; True if that joins.

    `before` is the number of components when nothing was known. All choices are tried.
    """
    flip_strip(s, q, d, length)
    for choice in range(1 << s.info[KNOWN]):
        _take(s, choice)
        if _is_factor(s) and label(s) < before:
            return True
        _take(s, choice)
    flip_strip(s, q, d, length)
    label(s)
    return False


@njit
def search(s: Solid) -> int:
    """Kernel: join two components by strips, where no square is of type III.

    An odd strip does it at once. While there is none, an even one is taken: its last
    square is flipped alone, which splits a component, and two odd strips of which a
    Hamiltonian path can guide one only, that square and the rest, are *known*. An odd
    strip that is not known joins, with one of each pair. If there is none, the known
    pairs are too few to connect the components: dead.

    Returns JOINED; or FEW_STRIPS, and the factor with the known pairs is the proof; or
    CORNERS, and the factor is; or STUCK. Components must be numbered, and are again if
    it returns JOINED. O(cells) for each known pair, of which two were the most seen.
    """
    info = s.info
    info[KNOWN] = 0
    before = np.int64(info[COMPONENTS])
    while True:
        what, q, d, length = _list(s, (0, 0, 0))
        while what == JOINED and info[KNOWN] <= MANY:
            if info[KNOWN] == 0:
                flip_strip(s, q, d, length)
                label(s)
                return JOINED
            if _join_by(s, q, d, length, before):
                return JOINED
            what, q, d, length = _list(s, (q, d, length))
            if what != JOINED:
                return STUCK
        if what == JOINED:
            return STUCK
        if what == STUCK and info[KNOWN] == 0 and length == 0:
            return CORNERS
        if what != PATH:
            return what
        i = info[KNOWN]
        last = q + (length - 1) * s.step[d]
        s.known[i, SQUARE], s.known[i, FIRST] = last, q
        s.known[i, TOWARDS], s.known[i, LENGTH] = d, length - 1
        info[KNOWN] += 1
        flip(s, last)
        label(s)


@njit
def join(s: Solid) -> int:
    """Kernel: join the components of the factor; see `solve`."""
    label(s)
    while s.info[COMPONENTS] > 1:
        if join_parallel(s) == 1:
            break
        label(s)
        found = search(s)
        if found != JOINED:
            return found
    return PATH


@njit
def solve(s: Solid) -> int:
    """Kernel: decide a graph that `enter` made; PATH, or why it is dead, or STUCK.

    After PATH the dark edges are the path (`follow` writes it), and NO_FACTOR and ENDED
    are true of any board. FEW_STRIPS and CORNERS are true of solid graphs whose live
    end and end cell lie at the outer face and have three neighbours at most.
    """
    if not augment(s):
        return NO_FACTOR
    if s.info[LIVE] == s.info[END]:
        return PATH if s.info[CELLS] == 1 else ENDED
    return join(s)
