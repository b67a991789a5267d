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

Squares of the first kind are exchanged as long as there are any, then strips of odd
length. If there is neither, all factors that even strips lead to are looked at, each
from one component's border alone. One of them has an odd strip, or they lead to each
other only, a *closed family*: then there is no path. Nor is there one if a square at
the border has no dark side. The proofs, for graphs whose bounded faces are all unit
squares, with both ends of the path on the outer face, are in docs/explanation/solid.md.
"""

import numpy as np

from solver.jit import njit
from solver.solid.grid import COMPONENTS, Solid, join_parallel, label
from solver.solid.witness import (
    BIG,
    CORNERED,
    COUNT,
    END,
    FAMILY,
    FAMILY_MOST,
    LIVE,
    LOGGED,
    PARTS,
    SIZE,
    TOUCHED,
    WHOLE,
    Witness,
    change,
    components,
    part_of,
    sides,
    stamps,
    undo,
    unite,
    whole,
)

MERGED, NEVER, GIVEN_UP = 1, 0, -1
_NEAR = 12  # edges looked at from each touched cell before all are
_CLOSED, _EVEN, _STRANGE = 2, 3, 4  # what the border of a component may be, too

# Columns of `Witness.family`, of a factor made of an earlier one by a strip: the row of
# that one, or -1; the strip by the left cell of its dark edge, its direction and its
# length; a cell of the component whose border is looked at; and a checksum.
PARENT, FROM, AHEAD, SQUARES, INSIDE, SUM = 0, 1, 2, 3, 4, 5


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
    if w.info[WHOLE] == 0 and w.size[x] > 4 * _NEAR:
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
        c = np.int64(w.touched[w.first[x]])
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
def upper_left(w: Witness, c: int, d: int) -> int:
    """Kernel: the upper left cell of the square ahead of the edge c to its right."""
    one = min(c, c + w.step[(d + 1) & 3])
    return int(min(one, one + w.step[d]))


@njit
def _border(w: Witness, x: int, row: int) -> tuple[int, int, int, int, int]:
    """Kernel: look along the border of component x.

    Returns MERGED and a strip of odd length, as its first cell, direction and length;
    or _STRANGE, a square without dark sides was seen; or _EVEN or _CLOSED; and the
    number of even strips last, some counted more than once. These are added to the
    family, with that row as parent, if it is not -1.
    """
    kind, evens = _CLOSED, 0
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
            bits = sides(w.dark, w.step[2], q)
            if bits == 0:
                kind = _STRANGE
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
            if length & 1:
                return MERGED, int(first), k ^ 2, length, 0
            if length > 0:
                evens += 1
                kind = _EVEN if kind == _CLOSED else kind
                if row >= 0:
                    _offer(w, row, int(first), k ^ 2, length)
        if d < 0:
            return kind, 0, 0, 0, evens
        c += w.step[d]
        d = _onward(w, c, d, begin)


@njit
def _code(w: Witness, i: int) -> int:
    """Kernel: an edge of the log by its upper or left cell."""
    c, d = w.log[i] >> 2, np.int64(w.log[i] & 3)
    if d == 0 or d == 3:
        c += w.step[d]
        d ^= 2
    return int(4 * c + d)


@njit
def _cancel(w: Witness, logged: int) -> bool:
    """Kernel: whether each edge changed since then was changed back, too."""
    for i in range(logged, w.info[LOGGED]):
        w.came[_code(w, i) >> 2] = 0
    for i in range(logged, w.info[LOGGED]):
        code = _code(w, i)
        w.came[code >> 2] ^= np.uint8(1 << (code & 3))
    left = 0
    for i in range(logged, w.info[LOGGED]):
        left |= w.came[_code(w, i) >> 2]
    return left == 0


@njit
def _make(w: Witness, row: int) -> bool:
    """Kernel: exchange what makes a factor of the family of its first one."""
    while row > 0:
        if w.info[LOGGED] + 2 * w.family[row, SQUARES] + 2 > w.log.size:
            return False
        _change_strip(
            w,
            int(w.family[row, FROM]),
            int(w.family[row, AHEAD]),
            int(w.family[row, SQUARES]),
        )
        row = int(w.family[row, PARENT])
    return True


@njit
def _offer(w: Witness, row: int, c: int, d: int, length: int) -> None:
    """Kernel: add to the family what a strip makes of one of it, if that is new."""
    info = w.info
    if info[FAMILY] > FAMILY_MOST or info[LOGGED] + 2 * length + 2 > w.log.size:
        info[FAMILY] = FAMILY_MOST + 1
        return
    logged = int(info[LOGGED])
    _change_strip(w, c, d, length)
    check = w.family[row, SUM]
    for i in range(logged, info[LOGGED]):
        check ^= _code(w, i)
    for other in range(info[FAMILY]):
        if w.family[other, SUM] != check:
            continue
        now = int(info[LOGGED])
        made = _make(w, row) and _make(w, other)
        # `row` was made before the log was this long: twice it cancels
        same = made and _cancel(w, logged)
        undo(w, now)
        if same:
            undo(w, logged)
            return
    undo(w, logged)
    i = info[FAMILY]
    info[FAMILY] += 1
    if i < FAMILY_MOST:
        w.family[i, PARENT] = row
        w.family[i, FROM] = c
        w.family[i, AHEAD] = d
        w.family[i, SQUARES] = length
        w.family[i, SUM] = check


@njit
def _shift(w: Witness) -> int:
    """Kernel: join two components by strips; or NEVER, from a closed family.

    NEVER with CORNERED set is for a square without dark sides.
    """
    info = w.info
    count, base = int(info[COUNT]), int(info[LOGGED])
    info[CORNERED] = 0
    info[FAMILY] = 1
    w.family[0, PARENT] = -1
    w.family[0, SUM] = 0
    row = 0
    while row < info[FAMILY]:
        if not _make(w, row) or (row > 0 and components(w) < count):
            return MERGED if info[COUNT] < count else GIVEN_UP
        best, least = -1, 0
        x = _next_smallest(w, -1)
        while x >= 0:
            kind, c, d, length, evens = _border(w, x, -1)
            if kind == MERGED:
                if info[LOGGED] + 2 * length + 2 > w.log.size:
                    return GIVEN_UP
                _change_strip(w, c, d, length)
                return MERGED if components(w) < count else GIVEN_UP
            if kind == _CLOSED and row == 0:  # a family of its own
                w.family[0, INSIDE] = _enter(w, x)[0]
                return NEVER
            if kind == _STRANGE:
                info[CORNERED] = 1
            elif best < 0 or evens < least:
                best, least = x, evens
            x = _next_smallest(w, x)
        if info[CORNERED] == 1:
            undo(w, base)
            return NEVER
        w.family[row, INSIDE] = _enter(w, best)[0]
        _border(w, best, row)
        undo(w, base)
        components(w)
        if info[FAMILY] > FAMILY_MOST:
            return GIVEN_UP
        row += 1
    return NEVER


@njit
def merge(w: Witness) -> int:
    """Kernel: make the factor one path: MERGED; or NEVER, there is none; or GIVEN_UP.

    The log says what was changed; the caller takes it back where it is not MERGED.
    """
    info = w.info
    components(w)
    while info[COUNT] > 1:
        x = _next_smallest(w, -1)
        while x >= 0 and not _join(w, x):
            x = _next_smallest(w, x)
        if x < 0:
            done = _shift(w)
            if done != MERGED:
                return done
    return MERGED


@njit
def _next_smallest(w: Witness, after: int) -> int:
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


PATH, CLOSED, CORNERS, STUCK = 1, 3, 4, 6


@njit
def join(s: Solid, w: Witness) -> int:
    """Kernel: join the components of the factor."""
    label(s)
    if s.info[COMPONENTS] == 1 or join_parallel(s) == 1:
        return PATH
    w.info[LIVE], w.info[END] = s.info[LIVE], s.info[END]
    w.info[WHOLE] = 1
    w.info[LOGGED] = 0
    found = merge(w)
    if found == NEVER:
        return CORNERS if w.info[CORNERED] == 1 else CLOSED
    return PATH if found == MERGED else STUCK
