"""Merging the components of a path factor into one path, or a proof that none exists.

The moves, after Umans and Lenhart, "Hamiltonian cycles in solid grid graphs", FOCS
1997. Squares at the border of a component X, whose corners lie in X and outside:

* two opposite dark sides, one in X and one outside: exchanging them for the other two
  sides joins two components;
* one dark side: from there a *strip* of squares goes straight on, away from it, as long
  as it finds a ladder of two dark edges across, two along, two across. It ends where
  one of them is missing, or is *blocked*. Exchanging all its edges joins two
  components if its length is odd; if it is even their number stays, and only its last
  square is exchanged, which splits a component: so the border moves.

DEAD is said for two reasons, each proved for graphs whose bounded faces are all unit
squares, with both ends of the path on the outer face (docs/explanation/solid.md
has the proofs). *Closed*: every square at the border of X has one dark side, with its
strip blocked, or two that touch: then no path factor has an edge that leaves X.
*Counted*: all strips that are not blocked are j pairs of which a Hamiltonian path lets
at most one serve, but there are j + 2 components to connect.
"""

import numpy as np

from solver.jit import njit
from solver.solid.witness import (
    BARRED,
    BIG,
    COUNT,
    END,
    KNOWN,
    KNOWN_MOST,
    LIVE,
    LOGGED,
    MOVED,
    SIZE,
    TOUCHED,
    Witness,
    change,
    components,
    part_of,
    stamps,
    undo,
    unite,
    whole,
)

MERGED, NEVER, GIVEN_UP = 1, 0, -1
_MOVES = 8  # borders moved in one call without a component less
_NEAR = 12  # edges looked at from each touched cell before all are
_CLOSED, _EVEN, _STRANGE = 2, 3, 4  # what the border of a component may be, too

# Columns of `Witness.known`: a strip by the left cell of its dark edge, its direction
# and its length without the last square, which is exchanged; and the upper left cells
# of its first square and of that last one.
_FROM, _AHEAD, _SQUARES, _FIRST, _LAST = 0, 1, 2, 3, 4


@njit
def _strip(w: Witness, c: int, d: int) -> int:
    """Kernel: squares of the strip whose dark edge is c to its right, ahead d; or 0.

    Right is as one sees it looking ahead. 0 is blocked; odd joins, even moves.
    """
    right = (d + 1) & 3
    side, on = w.step[right], w.step[d]
    length = 0
    while True:
        # Here the back is dark, or begins the strip; the sides must be light.
        sides = (w.dark[c] >> d & 1) + (w.dark[c + side] >> d & 1)
        c += on
        if sides > 0 or w.dark[c] == 0 or w.dark[c + side] == 0:
            return 0
        length += 1
        if w.dark[c] >> right & 1:
            return length
        # The back is light, the sides must be dark.
        sides = (w.dark[c] >> d & 1) + (w.dark[c + side] >> d & 1)
        c += on
        if sides < 2:
            return 0
        length += 1
        if w.dark[c] >> right & 1 == 0:
            return length


@njit
def _change_strip(w: Witness, c: int, d: int, length: int) -> None:
    """Kernel: exchange the dark and light edges of that many squares of a strip."""
    right = (d + 1) & 3
    side, on = w.step[right], w.step[d]
    change(w, c, right)
    for _ in range(length):
        change(w, c, d)
        change(w, c + side, d)
        c += on
    change(w, c, right)


@njit
def _join_border(w: Witness, c: int, back: int, x: int) -> bool:
    """Kernel: exchange a square at an edge c to `back` of component x that joins."""
    for turn in (1, 3):
        side = (back + turn) & 3
        a = c + w.step[side]
        if w.dark[a] >> back & 1:
            y = part_of(w, a)
            if y != x:
                b = c + w.step[back]
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
        d = _onward(w, c, d, begin)
    return False


@njit
def _join(w: Witness, x: int) -> bool:
    """Kernel: join component x to another one by one square, if there is such a one.

    First near the touched cells, where most are.
    """
    if w.size[x] > 4 * _NEAR:
        for i in range(w.info[TOUCHED]):
            if whole(w, int(w.part[i])) == x:
                c = int(w.touched[i])
                for d in range(4):
                    if w.dark[c] >> d & 1 and _join_along(w, x, c, d, _NEAR):
                        return True
    c, d = _enter(w, x)
    return _join_along(w, x, c, d, int(w.info[SIZE]))


@njit
def _enter(w: Witness, x: int) -> tuple[int, int]:
    """Kernel: a cell of a component, the live end if it is the path, and a way on."""
    c = w.info[LIVE]
    if part_of(w, int(c)) != x:
        i = 0
        while whole(w, int(w.part[i])) != x:
            i += 1
        c = np.int64(w.touched[i])
    d = 0
    while w.dark[c] >> d & 1 == 0:
        d += 1
    return int(c), d


@njit
def _onward(w: Witness, c: int, d: int, begin: int) -> int:
    """Kernel: the way on from a cell that was entered by d, -1 when all was seen."""
    bits = np.int64(w.dark[c]) & (15 ^ 1 << (d ^ 2))
    if c == begin or bits == 0:
        return -1
    return int((bits >> 1) - (bits >> 3))


@njit
def _is_known(w: Witness, q: int, c: int, d: int, length: int) -> bool:
    """Kernel: whether a strip, or a square of two dark sides, is one of the pairs."""
    for i in range(KNOWN_MOST + w.info[BARRED]):
        if w.info[KNOWN] <= i < KNOWN_MOST:
            continue
        if length == 1 and w.known[i, _LAST] == q:
            return True
        if w.known[i, _SQUARES] != length:
            continue
        if length == 1 and w.known[i, _FIRST] == q:
            return True  # its dark sides are alike
        if w.known[i, _FROM] == c and w.known[i, _AHEAD] == d:
            return True
    return False


@njit
def _upper_left(w: Witness, c: int, d: int) -> int:
    """Kernel: the upper left cell of the square ahead of the edge c to its right."""
    one = min(c, c + w.step[(d + 1) & 3])
    return int(min(one, one + w.step[d]))


@njit
def _note(w: Witness, row: int, c: int, d: int, length: int) -> None:
    """Kernel: keep a strip in a row of `known`."""
    w.known[row, _FROM] = c
    w.known[row, _AHEAD] = d
    w.known[row, _SQUARES] = length
    w.known[row, _FIRST] = _upper_left(w, c, d)
    w.known[row, _LAST] = -1


@njit
def _sides(w: Witness, q: int) -> int:
    """Kernel: dark sides of the square whose upper left cell is q, as bits U R D L."""
    below = q + w.step[2]
    bits = w.dark[q] >> 1 & 1 | (w.dark[q + 1] >> 2 & 1) << 1
    return int(bits | (w.dark[below] >> 1 & 1) << 2 | (w.dark[q] >> 2 & 1) << 3)


@njit
def _border(w: Witness, x: int) -> tuple[int, int, int, int]:
    """Kernel: the best that the border of component x has, among what is not known.

    MERGED and a strip of odd length; or _EVEN and one of even length; or _STRANGE, a
    square without dark sides; or _CLOSED. Strips as first cell, direction and length.
    """
    best = (_CLOSED, 0, 0, 0)
    down = w.step[2]
    mine = stamps(w, 1)
    begin, way = _enter(w, x)
    c, d = begin, way
    while d >= 0:
        w.mark[c] = mine
        c += w.step[d]
        d = _onward(w, c, d, begin)
    w.mark[c] = mine
    c, d = begin, way
    while True:
        for corner in range(4):
            q = c - (corner & 1) - down * (corner >> 1)
            out = int(w.mark[q] != mine) + int(w.mark[q + 1] != mine)
            out += int(w.mark[q + down] != mine) + int(w.mark[q + down + 1] != mine)
            if out == 0 or w.dark[q] == 0 or w.dark[q + 1] == 0:
                continue
            if w.dark[q + down] == 0 or w.dark[q + down + 1] == 0:
                continue
            bits = _sides(w, q)
            if bits == 0:
                if best[0] == _CLOSED:
                    best = (_STRANGE, 0, 0, 0)
                continue
            k = 0
            while bits >> k & 1 == 0:
                k += 1
            if bits != 1 << k and bits != 5 << k:
                continue
            first = q
            if k == 0 or k == 1:
                first += 1
            if k == 1 or k == 2:
                first += down
            length = _strip(w, int(first), k ^ 2)
            if length == 0 or _is_known(w, q, int(first), k ^ 2, length):
                continue
            if length & 1:
                return MERGED, int(first), k ^ 2, length
            if best[0] != _EVEN:
                best = (_EVEN, int(first), k ^ 2, length)
        if d < 0:
            return best
        c += w.step[d]
        d = _onward(w, c, d, begin)


@njit
def _is_factor(w: Witness, logged: int) -> bool:
    """Kernel: whether cells at edges changed since then have the degrees they need."""
    for i in range(logged, w.info[LOGGED]):
        for end in range(2):
            c = w.log[i] >> 2
            if end == 1:
                c += w.step[w.log[i] & 3]
            bits = np.int64(w.dark[c])
            degree = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3)
            if degree != 2 - (c == w.info[LIVE] or c == w.info[END]):
                return False
    return True


@njit
def _room(w: Witness, squares: int) -> bool:
    """Kernel: whether the log has room for so many more squares."""
    return bool(w.info[LOGGED] + 4 * squares < w.log.size)


@njit
def _serve(w: Witness, c: int, d: int, length: int, count: int) -> bool:
    """Kernel: exchange a strip, and of every pair one, so that components get fewer."""
    known, logged = w.info[KNOWN], w.info[LOGGED]
    squares = length
    for i in range(known):
        squares += w.known[i, _SQUARES] + 1
    if not _room(w, int(squares)):
        return False
    for choice in range(1 << known):
        for i in range(known):
            if choice >> i & 1 == 0:
                q = w.known[i, _LAST]
                for side in range(4):
                    at = q + w.step[2] if side == 2 else q + (side == 1)
                    change(w, int(at), (1, 2, 1, 2)[side])
            else:
                _change_strip(
                    w,
                    int(w.known[i, _FROM]),
                    int(w.known[i, _AHEAD]),
                    int(w.known[i, _SQUARES]),
                )
        _change_strip(w, c, d, length)
        if _is_factor(w, int(logged)) and components(w) < count:
            return True
        undo(w, int(logged))
    return False


@njit
def _shift(w: Witness) -> int:
    """Kernel: move the border by even strips until an odd one is found, or none can be.

    Fewer rounds than cells: every one splits a component.
    """
    info = w.info
    count = int(info[COUNT])
    info[KNOWN] = 0
    info[BARRED] = 0
    while True:
        best = (_CLOSED, 0, 0, 0)
        x = _next_smallest(w, -1)
        while x >= 0:
            found = _border(w, x)
            if found[0] == MERGED:
                if _serve(w, found[1], found[2], found[3], count):
                    return MERGED
                if info[BARRED] == KNOWN_MOST:
                    return GIVEN_UP
                _note(w, KNOWN_MOST + info[BARRED], found[1], found[2], found[3])
                info[BARRED] += 1
                components(w)
                best = (_CLOSED, 0, 0, 0)
                x = _next_smallest(w, -1)
                continue
            if found[0] == _EVEN or best[0] == _CLOSED:
                best = found
            x = _next_smallest(w, x)
        if best[0] == _CLOSED:
            return NEVER if info[BARRED] == 0 else _move(w, count)
        if best[0] == _STRANGE or info[KNOWN] == KNOWN_MOST or not _room(w, 1):
            return GIVEN_UP
        _, c, d, length = best
        at = c + (length - 1) * w.step[d]
        _note(w, info[KNOWN], c, d, length - 1)
        w.known[info[KNOWN], _LAST] = _upper_left(w, int(at), d)
        info[KNOWN] += 1
        before = info[COUNT]
        _change_strip(w, int(at), d, 1)
        if components(w) != before + 1:
            return GIVEN_UP


@njit
def _move(w: Witness, count: int) -> int:
    """Kernel: exchange an odd strip that no pair went with: another factor, MERGED.

    It has as many components as before; a few such tries, then GIVEN_UP.
    """
    info = w.info
    while info[BARRED] > 0 and info[MOVED] < _MOVES:
        info[BARRED] -= 1
        info[MOVED] += 1
        i = KNOWN_MOST + info[BARRED]
        logged = info[LOGGED]
        length = int(w.known[i, _SQUARES])
        if not _room(w, length):
            return GIVEN_UP
        _change_strip(w, int(w.known[i, _FROM]), int(w.known[i, _AHEAD]), length)
        if components(w) <= count:
            return MERGED
        undo(w, int(logged))
    return GIVEN_UP


@njit
def merge(w: Witness) -> int:
    """Kernel: make the factor one path: MERGED; or NEVER, there is none; or GIVEN_UP.

    The log says what was changed; the caller takes it back where it is not MERGED.
    """
    info = w.info
    info[KNOWN] = 0
    info[BARRED] = 0
    info[MOVED] = 0
    components(w)
    while info[COUNT] > 1:
        x = _next_smallest(w, -1)
        while x >= 0 and not _join(w, x):
            x = _next_smallest(w, x)
        if x >= 0:
            continue
        x = _next_smallest(w, -1)
        joined = False
        while x >= 0:
            kind, c, d, length = _border(w, x)
            if kind == _CLOSED:
                return NEVER
            if kind == MERGED:
                count = info[COUNT]
                if not _room(w, length):
                    return GIVEN_UP
                _change_strip(w, c, d, length)
                if components(w) >= count:
                    return GIVEN_UP
                joined = True
                break
            x = _next_smallest(w, x)
        if not joined:
            done = _shift(w)
            info[KNOWN] = 0
            info[BARRED] = 0
            if done != MERGED:
                return done
    return MERGED


@njit
def _next_smallest(w: Witness, after: int) -> int:
    """Kernel: the component that follows by size, -1 after all; the big one is none."""
    best = -1
    big = whole(w, int(w.info[BIG]))
    for i in range(w.info[TOUCHED]):
        x = int(w.part[i])
        if x == big or w.root[x] != x:
            continue
        if after >= 0 and (w.size[x], x) <= (w.size[after], after):
            continue
        if best < 0 or (w.size[x], x) < (w.size[best], best):
            best = x
    return best
