"""Path factors by augmenting paths, and the cuts that say why there is none.

A path factor is a flow from cells of one colour to cells of the other. `augment` makes
one from any first guess. If it fails, the cells that its last search came to are the
region U of a certificate C1: of the root's colour, fewer edges leave U than must.

`possible` says which edges some factor has. Directed from white to black where they are
dark and from black to white where they are light, the edges of every circle can change
places at once, and no others can ever change: those between two strong components are
in all factors or in none.
"""

import numpy as np

from solver.jit import njit
from solver.solid.grid import (
    ROOT,
    SIZE,
    STAMP,
    WIDTH,
    Number,
    Solid,
)

_LAST_STAMP = 2**30


@njit
def _search(s: Solid, root: Number) -> int:
    """Kernel: find a cell that lacks an edge and can get it from the root, or -1.

    From cells of the root's colour by light edges, back by dark ones; breadth first.
    """
    s.info[STAMP] += 1
    if s.info[STAMP] == _LAST_STAMP:
        s.mark[:] = 0
        s.info[STAMP] = 1
    stamp = s.info[STAMP]
    mark, step, queue = s.mark, s.step, s.queue
    mark[root] = stamp
    queue[0] = root
    head, tail = 0, 1
    while head < tail:
        u = queue[head]
        head += 1
        light = s.near[u] & ~s.dark[u]
        for d in range(4):
            v = u + step[d]
            if light >> d & 1 == 0 or mark[v] == stamp:
                continue
            mark[v] = stamp
            s.back[v] = d
            if s.lack[v] > 0:
                return int(v)
            for k in range(4):
                w = v + step[k]
                if s.dark[v] >> k & 1 and mark[w] != stamp:
                    mark[w] = stamp
                    s.back[w] = k
                    queue[tail] = w
                    tail += 1
    return -1


@njit
def augment_from(s: Solid, c: Number) -> bool:
    """Kernel: give a cell the edges that it lacks; False if it cannot have them.

    Then ROOT is the cell, and `mark` has the stamp of the search from it.
    """
    lack, step = s.lack, s.step
    s.info[ROOT] = -1
    while lack[c] > 0:
        at = np.int64(_search(s, c))
        if at < 0:
            s.info[ROOT] = c
            return False
        lack[c] -= 1
        lack[at] -= 1
        while at != c:  # edges change places along the way back
            d = s.back[at]
            s.dark[at] ^= np.uint8(1 << (d ^ 2))
            at -= step[d]
            s.dark[at] ^= np.uint8(1 << d)
    return True


@njit
def augment(s: Solid) -> bool:
    """Kernel: make the dark edges a path factor; False if there is none.

    Then ROOT and `mark` are those of `augment_from`. O(cells) for every edge that the
    first guess lacks.
    """
    info, step, lack = s.info, s.step, s.lack
    begin, end = info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1
    for c in range(begin, end):  # two that touch and lack an edge each
        if lack[c] > 0:
            for d in range(1, 3):
                v = c + step[d]
                light = (s.near[c] & ~s.dark[c]) >> d & 1
                if lack[c] > 0 and lack[v] > 0 and light == 1:
                    s.dark[c] |= np.uint8(1 << d)
                    s.dark[v] |= np.uint8(1 << (d ^ 2))
                    lack[c] -= 1
                    lack[v] -= 1
    good = True
    for c in range(begin, end):
        if good and lack[c] > 0:
            good = augment_from(s, c)
    return good
