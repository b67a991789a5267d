"""Two-factors: some choice of possible edges gives every cell the number it needs.

The board is bipartite, so such a choice is a flow of unit edges from black to white
cells. Orient an unknown edge from its black cell to its white cell when it is not
chosen, and backwards when it is. Then other choices differ by closed walks of this
*residual* graph, and an edge is the same in every choice exactly when its two cells
lie in different strongly connected components (Regin, "Generalized arc consistency
for global cardinality constraint", AAAI 1996). Such edges become in or out.

How edges in or out are found and kept up to date stands in
`solver.propagation.components`.

The choice itself is never undone: a choice that obeys more decisions obeys fewer. A
*log* holds the edges exchanged since the choice was last a tour, if it ever was.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.state import (
    BLACK,
    CELLS,
    CULPRIT,
    EDGE,
    FIRST,
    FLOW,
    HEAD_MATCH,
    IN,
    LINKED,
    LOGGED,
    MARK,
    MARK_BACK,
    MARKED,
    NEAR,
    NEED,
    PARENT,
    PARENT_BACK,
    REACHED,
    SECOND,
    STAMP,
    STATE,
    SYNCED,
    TOUR,
    TRAIL,
    TURN,
    UNKNOWN,
    WHICH,
    Number,
    State,
)


@njit
def link(s: State, p: Number, q: Number) -> int:
    """Kernel: search a residual way p -> q from both ends.

    Returns the cell where the searches meet; -1 if the cells that p leads to, `REACHED`
    of them in the queue, do not have q among them; -2 if those that lead to q, in the
    queue from n on, do not have p.

    A decided edge that the choice does not obey yet may be used the way that mends it:
    with IN = 1 and OUT = 2 these are the edges whose state is 1 + match.
    """
    info = s.info
    if p == q:
        return int(p)
    n = info[CELLS]
    stamp = info[STAMP] + 1
    info[STAMP] = stamp
    s.cell[p, MARK] = stamp
    s.cell[q, MARK_BACK] = stamp
    s.queue[0] = p
    s.queue[n] = q
    head, tail = 0, 1
    behind, front = n, n + 1
    while True:
        if head == tail:
            info[REACHED] = tail
            return -1
        c = s.queue[head]
        head += 1
        chosen = 1 - s.cell[c, BLACK]
        for d in range(4):
            e = s.cell[c, EDGE + d]
            st = s.edge[e, STATE]
            if (st == UNKNOWN or st == 1 + chosen) and s.match[e] == chosen:
                v = s.cell[c, NEAR + d]
                if s.cell[v, MARK] != stamp:
                    s.cell[v, MARK] = stamp
                    s.cell[v, PARENT] = e
                    if s.cell[v, MARK_BACK] == stamp:
                        return int(v)
                    s.queue[tail] = v
                    tail += 1
        if behind == front:
            info[REACHED] = front - n
            return -2
        c = s.queue[behind]
        behind += 1
        chosen = s.cell[c, BLACK]
        for d in range(4):
            e = s.cell[c, EDGE + d]
            st = s.edge[e, STATE]
            if (st == UNKNOWN or st == 1 + chosen) and s.match[e] == chosen:
                v = s.cell[c, NEAR + d]
                if s.cell[v, MARK_BACK] != stamp:
                    s.cell[v, MARK_BACK] = stamp
                    s.cell[v, PARENT_BACK] = e
                    if s.cell[v, MARK] == stamp:
                        return int(v)
                    s.queue[front] = v
                    front += 1


@njit
def exchange(s: State, e: Number) -> None:
    """Kernel: exchange chosen and not chosen for one edge; noted if a tour is known."""
    s.match[e] ^= 1
    if s.info[TOUR] == 1:
        if s.info[LOGGED] == s.log.size:
            pack_log(s)
        s.log[s.info[LOGGED]] = e
        s.info[LOGGED] += 1


@njit
def pack_log(s: State) -> None:
    """Kernel: leave in the log once what was exchanged an odd number of times.

    What was exchanged back stays twice if the forest does not know it yet.
    """
    count = s.info[LOGGED]
    for i in range(count):
        s.edge[s.log[i], MARKED] ^= 1
    for i in range(count):
        e = s.log[i]
        if s.edge[e, MARKED] == 0 and s.edge[e, LINKED] != s.match[e]:
            s.edge[e, MARKED] = 2
    kept = 0
    for i in range(count):
        e = s.log[i]
        for _ in range(s.edge[e, MARKED]):
            s.log[kept] = e
            kept += 1
        s.edge[e, MARKED] = 0
    s.info[LOGGED] = kept
    s.info[SYNCED] = 0


@njit
def flip(s: State, p: Number, q: Number, meet: int) -> None:
    """Kernel: exchange chosen and not chosen along the way that `link` found."""
    v = meet
    while v != p:
        e = s.cell[v, PARENT]
        exchange(s, np.int64(e))
        v = s.edge[e, FIRST] + s.edge[e, SECOND] - v
    v = meet
    while v != q:
        e = s.cell[v, PARENT_BACK]
        exchange(s, np.int64(e))
        v = s.edge[e, FIRST] + s.edge[e, SECOND] - v


@njit
def repair(s: State) -> bool:
    """Kernel: make the choice obey all decided edges; False: no choice can."""
    info = s.info
    while info[HEAD_MATCH] < info[TRAIL]:
        t = info[HEAD_MATCH]
        info[HEAD_MATCH] = t + 1
        e = s.trail[t, WHICH]
        wanted = 1 if s.edge[e, STATE] == IN else 0
        if s.match[e] == wanted:
            continue
        p, q = s.edge[e, FIRST], s.edge[e, SECOND]
        if s.cell[p, BLACK] == wanted:
            p, q = q, p
        meet = link(s, p, q)
        if meet < 0:
            info[CULPRIT] = FLOW
            return False
        flip(s, p, q, meet)
        exchange(s, np.int64(e))
    return True


@njit
def first_choice(s: State) -> bool:
    """Kernel: find a choice with nothing decided; False if there is none.

    Greedy, then one augmenting search for every edge that a black cell lacks.
    """
    info = s.info
    n = info[CELLS]
    info[TOUR] = 0
    total = 0
    for c in range(n):
        s.cell[c, TURN] = s.cell[c, NEED]
        total += s.cell[c, NEED] if s.cell[c, BLACK] else -s.cell[c, NEED]
    if total != 0:
        info[CULPRIT] = FLOW
        return False
    for e in range(2 * n):
        if s.edge[e, STATE] == UNKNOWN:
            a, b = s.edge[e, FIRST], s.edge[e, SECOND]
            if s.cell[a, TURN] > 0 and s.cell[b, TURN] > 0:
                s.match[e] = 1
                s.cell[a, TURN] -= 1
                s.cell[b, TURN] -= 1
    for c in range(n):
        while s.cell[c, BLACK] and s.cell[c, TURN] > 0:
            v = _augment(s, c)
            if v < 0:
                info[CULPRIT] = FLOW
                return False
            s.cell[c, TURN] -= 1
            s.cell[v, TURN] -= 1
    return True


@njit
def _augment(s: State, c: int) -> int:
    """Kernel: lead one more edge from black c to a white cell that lacks one."""
    info = s.info
    stamp = info[STAMP] + 1
    info[STAMP] = stamp
    s.cell[c, MARK] = stamp
    s.queue[0] = c
    head, tail = 0, 1
    while head < tail:
        u = s.queue[head]
        head += 1
        if s.cell[u, BLACK] == 0 and s.cell[u, TURN] > 0:
            _flip_back(s, c, u)
            return int(u)
        chosen = 1 - s.cell[u, BLACK]
        for d in range(4):
            e = s.cell[u, EDGE + d]
            if s.edge[e, STATE] == UNKNOWN and s.match[e] == chosen:
                v = s.cell[u, NEAR + d]
                if s.cell[v, MARK] != stamp:
                    s.cell[v, MARK] = stamp
                    s.cell[v, PARENT] = e
                    s.queue[tail] = v
                    tail += 1
    return -1


@njit
def _flip_back(s: State, p: Number, v: Number) -> None:
    """Kernel: exchange chosen and not chosen from v back to p."""
    while v != p:
        e = s.cell[v, PARENT]
        s.match[e] ^= 1
        v = s.edge[e, FIRST] + s.edge[e, SECOND] - v
