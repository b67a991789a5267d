"""The cycles of the choice, kept in a forest: closed walks that visit every cell.

Every cycle is a splay tree whose order is the order along the cycle (Sleator & Tarjan,
"Self-adjusting binary search trees", J. ACM 32, 1985), with parts turned round by a
bit, as for tours of travelling salesmen (Fredman, Johnson, McGeoch & Ostheimer, "Data
structures for traveling salesmen", J. Algorithms 18, 1995). The edge from its last cell
to its first is not in the tree but noted at both (CLOSER). Taking an edge out of a
cycle, putting one in, and asking whether two cells are on one cycle cost O(log cells)
amortised, so a choice that changes by a few edges has its cycles known at that cost.

The *log* holds the edges exchanged since the choice was a tour; `sync` tells the forest
of them. A cycle of a choice that is no tour has an edge that the tour did not have.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.flow import exchange
from solver.propagation.state import (
    CELLS,
    CLOSER,
    CYCLES,
    EDGE,
    END,
    FIRST,
    LEFT,
    LINKED,
    LOGGED,
    MARK,
    NEAR,
    RIGHT,
    SECOND,
    SEEDS,
    SIZE,
    STAMP,
    START,
    SYNCED,
    TOUR,
    TURNED,
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
    """Kernel: tell the forest of the exchanges since the last time."""
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
            if s.match[e] == 1 and count < info[CELLS] - 1:
                s.queue[count] = s.edge[e, FIRST]
                s.queue[count + 1] = s.edge[e, SECOND]
                count += 2
        info[SEEDS] = count
    return int(info[CYCLES])
