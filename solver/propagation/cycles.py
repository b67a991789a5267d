"""The cycles of the choice, kept in a forest: closed walks that visit every cell.

Every cycle is a splay tree whose order is the order along the cycle (Sleator & Tarjan,
"Self-adjusting binary search trees", J. ACM 32, 1985), with parts turned round by a
bit, as for tours of travelling salesmen (Fredman, Johnson, McGeoch & Ostheimer, "Data
structures for traveling salesmen", J. Algorithms 18, 1995). The edge from its last cell
to its first is not in the tree but noted at both (CLOSER). Taking an edge out of a
cycle, putting one in, and asking whether two cells are on one cycle cost O(log cells)
amortised, so a choice that changes by a few edges has its cycles known at that cost.

The *log* holds the edges exchanged since the choice was a tour; `sync` brings them to
the forest. A cycle of a choice that is no tour has an edge that the tour did not have.

`join` joins the cycles of a two-factor, for a witness at little cost.

The choice of the two-factor flow is a set of closed walks that together visit every
cell; the one through the virtual edge is a path from the start to the end cell. Where
a unit square of unknown edges has two opposite sides chosen, on two different cycles,
exchanging them for the other two sides makes the two cycles one. If one cycle is left
it is a tour, so a witness; the choice stays a choice in any case.

Looked for is along the smaller cycles alone, from where the choice was last changed.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.flow import exchange
from solver.propagation.state import (
    CELLS,
    CLOSER,
    COLS,
    CYCLES,
    EDGE,
    END,
    FIRST,
    LEFT,
    LINKED,
    LOGGED,
    MARK,
    NEAR,
    OPEN,
    RIGHT,
    SECOND,
    SEEDS,
    SIZE,
    STAMP,
    START,
    STATE,
    SYNCED,
    TOUR,
    TURNED,
    UNKNOWN,
    UP,
    Number,
    State,
)


@njit
def _below(s: State, c: Number) -> None:
    """Kernel: hand the turning bit of a node down, and count its cells."""
    left, right = s.node[c, LEFT], s.node[c, RIGHT]
    if s.node[c, TURNED] == 1:
        s.node[c, TURNED] = 0
        left, right = right, left
        s.node[c, LEFT] = left
        s.node[c, RIGHT] = right
        if left >= 0:
            s.node[left, TURNED] ^= 1
        if right >= 0:
            s.node[right, TURNED] ^= 1


@njit
def _count(s: State, c: Number) -> None:
    """Kernel: the size of a node from what is below it."""
    left, right = s.node[c, LEFT], s.node[c, RIGHT]
    size = 1
    if left >= 0:
        size += s.node[left, SIZE]
    if right >= 0:
        size += s.node[right, SIZE]
    s.node[c, SIZE] = size


@njit
def _rotate(s: State, c: Number) -> None:
    """Kernel: exchange a node with the one above it, the order kept."""
    p = np.int64(s.node[c, UP])
    g = s.node[p, UP]
    side = LEFT if s.node[p, LEFT] == c else RIGHT
    other = LEFT + RIGHT - side
    child = s.node[c, other]
    s.node[p, side] = child
    if child >= 0:
        s.node[child, UP] = p
    s.node[c, other] = p
    s.node[p, UP] = c
    s.node[c, UP] = g
    if g >= 0:
        s.node[g, LEFT if s.node[g, LEFT] == p else RIGHT] = c
    _count(s, p)


@njit
def splay(s: State, c: Number) -> None:
    """Kernel: make a cell the root of its tree."""
    top = 0
    y = c
    while True:
        s.stack[top] = y
        top += 1
        if s.node[y, UP] < 0:
            break
        y = s.node[y, UP]
    while top > 0:
        top -= 1
        _below(s, np.int64(s.stack[top]))
    while s.node[c, UP] >= 0:
        p = np.int64(s.node[c, UP])
        g = s.node[p, UP]
        if g >= 0:
            straight = (s.node[p, LEFT] == c) == (s.node[g, LEFT] == p)
            _rotate(s, p if straight else c)
        _rotate(s, c)
    _count(s, c)


@njit
def _outermost(s: State, c: Number, side: int) -> int:
    """Kernel: the first or last cell of the tree of root c; it becomes the root."""
    _below(s, c)
    while s.node[c, side] >= 0:
        c = np.int64(s.node[c, side])
        _below(s, c)
    splay(s, c)
    return int(c)


@njit
def together(s: State, a: Number, b: Number) -> bool:
    """Kernel: whether two cells are on one cycle."""
    if a == b:
        return True
    splay(s, a)
    splay(s, b)
    return bool(s.node[a, UP] >= 0)


@njit
def _take_out(s: State, a: Number, b: Number) -> None:
    """Kernel: take an edge out of its cycle, or of the path that is left of one."""
    if s.node[a, CLOSER] == b:
        s.node[a, CLOSER] = -1
        s.node[b, CLOSER] = -1
        s.info[CYCLES] -= 1
        return
    splay(s, a)
    splay(s, b)
    y = a
    while s.node[y, UP] != b:
        y = s.node[y, UP]
    side = LEFT if s.node[b, LEFT] == y else RIGHT
    s.node[b, side] = -1
    s.node[y, UP] = -1
    _count(s, b)
    if side == RIGHT:  # `a` begins the part that comes second
        a, b = b, a
    splay(s, a)
    splay(s, b)
    first = _outermost(s, a, LEFT)
    last = _outermost(s, b, RIGHT)
    if s.node[first, CLOSER] == last:
        s.node[first, CLOSER] = -1
        s.node[last, CLOSER] = -1
        s.info[CYCLES] -= 1
        s.node[last, RIGHT] = first
        s.node[first, UP] = last
        _count(s, last)


@njit
def _put_in(s: State, a: Number, b: Number) -> None:
    """Kernel: join two ends of paths by an edge, or the ends of one to a cycle."""
    if together(s, a, b):
        s.node[a, CLOSER] = b
        s.node[b, CLOSER] = a
        s.info[CYCLES] += 1
        return
    splay(s, a)
    if s.node[a, RIGHT] >= 0:
        s.node[a, TURNED] ^= 1
        _below(s, a)
    if s.node[b, LEFT] >= 0:
        s.node[b, TURNED] ^= 1
        _below(s, b)
    s.node[a, RIGHT] = b
    s.node[b, UP] = a
    _count(s, a)


@njit
def sync(s: State) -> None:
    """Kernel: bring the exchanges since the last time to the forest."""
    info = s.info
    for i in range(info[SYNCED], info[LOGGED]):
        e = s.log[i]
        if s.match[e] == 0 and s.edge[e, LINKED] == 1:
            s.edge[e, LINKED] = 0
            _take_out(s, np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND]))
    for i in range(info[SYNCED], info[LOGGED]):
        e = s.log[i]
        if s.match[e] == 1 and s.edge[e, LINKED] == 0:
            s.edge[e, LINKED] = 1
            _put_in(s, np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND]))
    info[SYNCED] = info[LOGGED]


@njit
def swap_sides(s: State, sides: tuple[Number, Number, Number, Number]) -> None:
    """Kernel: exchange the four sides of a square, here and in the forest."""
    for e in sides:
        exchange(s, e)
    for e in sides:
        if s.match[e] == 0:
            s.edge[e, LINKED] = 0
            _take_out(s, np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND]))
    for e in sides:
        if s.match[e] == 1:
            s.edge[e, LINKED] = 1
            _put_in(s, np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND]))
    s.info[SYNCED] = s.info[LOGGED]


@njit
def unlog(s: State) -> None:
    """Kernel: take all exchanges back: the choice is the tour again."""
    for i in range(s.info[LOGGED]):
        s.match[s.log[i]] ^= 1
    s.info[SYNCED] = 0
    sync(s)
    note_tour(s)


@njit
def note_tour(s: State) -> None:
    """Kernel: the choice is a tour; the log begins here."""
    s.info[TOUR] = 1
    s.info[LOGGED] = 0
    s.info[SYNCED] = 0


@njit
def onward(s: State, c: Number, before: Number) -> int:
    """Kernel: the next cell along the choice, by the virtual edge too."""
    for d in range(4):
        if s.match[s.cell[c, EDGE + d]] == 1 and s.cell[c, NEAR + d] != before:
            return int(s.cell[c, NEAR + d])
    return int(s.info[START] if c == s.info[END] else s.info[END])


@njit
def _plant(s: State) -> None:
    """Kernel: the forest of the choice from nothing, with a seed a cycle; O(cells)."""
    info = s.info
    n = info[CELLS]
    info[CYCLES] = 0
    info[SEEDS] = 0
    info[STAMP] += 1
    for e in range(2 * n):
        s.edge[e, LINKED] = s.match[e]
    for root in range(n):
        # Walls have no edges at all, neither decided nor chosen.
        if s.cell[root, MARK] == info[STAMP] or not _on_cycle(s, root):
            continue
        s.queue[info[SEEDS]] = root
        info[SEEDS] += 1
        info[CYCLES] += 1
        c, before, size = np.int64(root), np.int64(-1), 0
        while s.cell[c, MARK] != info[STAMP]:
            s.cell[c, MARK] = info[STAMP]
            size += 1
            s.node[c, LEFT] = before
            s.node[c, RIGHT] = -1
            s.node[c, UP] = -1
            s.node[c, SIZE] = size
            s.node[c, TURNED] = 0
            s.node[c, CLOSER] = -1
            if before >= 0:
                s.node[before, UP] = c
            c, before = np.int64(onward(s, c, before)), c
        s.node[root, CLOSER] = before
        s.node[before, CLOSER] = root


@njit
def _on_cycle(s: State, c: Number) -> bool:
    """Kernel: whether a cell is open: each open cell has a chosen edge."""
    chosen = 0
    for d in range(4):
        chosen += s.match[s.cell[c, EDGE + d]]
    return bool(chosen > 0)


@njit
def find_cycles(s: State) -> int:
    """Kernel: bring the forest up to date; returns the number of cycles.

    Seeds, cells of which every cycle but at most one has some, stand in `queue`.
    """
    info = s.info
    if info[TOUR] == 0:
        _plant(s)
        return int(info[CYCLES])
    sync(s)
    info[SEEDS] = 0
    if info[CYCLES] > 1:
        count = 0
        for i in range(info[LOGGED]):
            e = s.log[i]
            if s.match[e] == 1:
                if count > info[CELLS] - 2:  # the queue is full
                    _plant(s)
                    return int(info[CYCLES])
                s.queue[count] = s.edge[e, FIRST]
                s.queue[count + 1] = s.edge[e, SECOND]
                count += 2
        info[SEEDS] = count
    return int(info[CYCLES])


_NEAR = 12  # rings of squares around a seed


@njit
def join(s: State) -> bool:
    """Kernel: join the cycles of the choice square by square; True: it is a tour."""
    info = s.info
    left = find_cycles(s)
    if left > 1 and info[TOUR] == 1:
        _join_near(s)
    again = bool(info[CYCLES] > 1)
    while again:
        again = False
        info[STAMP] += 1
        for i in range(info[SEEDS]):
            while info[CYCLES] > 1 and _join_one(s, np.int64(s.queue[i])):
                again = True
        again = again and bool(info[CYCLES] > 1)
    if info[CYCLES] > 1:
        return False
    note_tour(s)
    return True


@njit
def _join_near(s: State) -> None:
    """Kernel: try the squares around the seeds, the nearest first."""
    info = s.info
    cols = info[COLS]
    rows = info[CELLS] // cols
    info[STAMP] += 1
    for reach in range(_NEAR):
        for i in range(info[SEEDS]):
            row, col = s.queue[i] // cols, s.queue[i] % cols
            low, high = row - 1 - reach, row + reach
            left, right = col - 1 - reach, col + reach
            for r in range(max(low, 0), min(high, rows - 2) + 1):
                apart = 1 if r in (low, high) else right - left
                for c in range(left, right + 1, apart):
                    square = r * cols + c
                    if not 0 <= c < cols or s.cell[square, MARK] == info[STAMP]:
                        continue
                    s.cell[square, MARK] = info[STAMP]
                    if _join_square(s, square) and info[CYCLES] == 1:
                        return


@njit
def _small(s: State, c: Number) -> bool:
    """Kernel: whether the cycle of a cell has at most half of all cells."""
    splay(s, c)
    return bool(2 * s.node[c, SIZE] <= s.info[OPEN])


@njit
def _join_one(s: State, seed: Number) -> bool:
    """Kernel: join the cycle of a cell to another, if it is small and that is seen."""
    stamp = s.info[STAMP]
    if s.cell[seed, MARK] == stamp or not _small(s, seed):
        return False
    cell, before = np.int64(seed), np.int64(-1)
    while True:
        if s.cell[cell, MARK] != stamp:
            s.cell[cell, MARK] = stamp
            for corner in range(4):  # a square is named by its upper left cell
                c = cell
                if corner & 1:
                    c = np.int64(s.cell[c, NEAR])
                if corner & 2 and c >= 0:
                    c = np.int64(s.cell[c, NEAR + 3])
                if c >= 0 and _join_square(s, c):
                    s.cell[seed, MARK] = 0
                    return True
        cell, before = np.int64(onward(s, cell, before)), cell
        if cell == seed:
            return False


@njit
def _join_square(s: State, c: Number) -> bool:
    """Kernel: exchange the sides of one square if that joins two cycles."""
    across = np.int64(s.cell[c, NEAR + 1])
    below = np.int64(s.cell[c, NEAR + 2])
    if across < 0 or below < 0:
        return False
    top, side = np.int64(s.cell[c, EDGE + 1]), np.int64(s.cell[c, EDGE + 2])
    floor, wall = np.int64(s.cell[below, EDGE + 1]), np.int64(s.cell[across, EDGE + 2])
    if (
        s.edge[top, STATE]
        + s.edge[side, STATE]
        + s.edge[floor, STATE]
        + s.edge[wall, STATE]
        != UNKNOWN
    ):
        return False
    if s.match[top] == s.match[side]:
        return False
    if s.match[floor] != s.match[top] or s.match[wall] != s.match[side]:
        return False
    # The two chosen sides: one at c, one at the cell diagonally opposite.
    if together(s, c, np.int64(s.cell[across, NEAR + 2])):
        return False
    swap_sides(s, (top, side, floor, wall))
    return True


@njit
def way_out(s: State) -> int:
    """Kernel: an unknown edge that leaves the smallest cycle that `join` left.

    Some edge must, and a decision puts it in or out; -1 if none can, so the cycle is
    closed in itself.
    """
    best, least = np.int64(-1), s.info[OPEN]
    for i in range(s.info[SEEDS]):
        c = np.int64(s.queue[i])
        splay(s, c)
        if s.node[c, SIZE] < least:
            best = c
            least = np.int64(s.node[c, SIZE])
    c, before = best, np.int64(-1)
    while True:
        for d in range(4):
            e = s.cell[c, EDGE + d]
            if s.edge[e, STATE] != UNKNOWN:
                continue
            if not together(s, best, np.int64(s.cell[c, NEAR + d])):
                return int(e)
        c, before = np.int64(onward(s, c, before)), c
        if c == best:
            return -1
