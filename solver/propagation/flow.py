"""Two-factors: some choice of possible edges gives every cell the number it needs.

The board is bipartite, so such a choice is a flow of unit edges from black to white
cells. Orient an unknown edge from its black cell to its white cell when it is not
chosen, and backwards when it is. Then other choices differ by closed walks of this
*residual* graph, and an edge is the same in every choice exactly when its two cells
lie in different strongly connected components (Regin, "Generalized arc consistency
for global cardinality constraint", AAAI 1996). Such edges become in or out.

How it is kept up to date. At a fixed point every unknown edge lies inside a component.
Deciding edges removes them from the residual graph, after changes of the choice that
exchange closed walks and so leave the components as they are. They stay whole if each
removed edge x -> y leaves another way from x to y: any set that is left by an edge
before is then left by an edge afterwards. Where y has no unknown edge any more, the
ends of the removed edges that led on from y stand for it. So a search from both ends
at once, mostly a few cells long, is made for each removed edge, and only if one fails
are the components computed.

The choice itself is never undone: a choice that obeys more decisions obeys fewer.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.edges import (
    decide,
)
from solver.propagation.state import (
    BLACK,
    CELLS,
    CLOCK,
    CULPRIT,
    EDGE,
    FIRST,
    FLOW,
    FOUND,
    HEAD_CHECK,
    HEAD_MATCH,
    IN,
    LOW,
    MARK,
    MARK_BACK,
    NEAR,
    NEED,
    OPTIONS,
    PARENT,
    PARENT_BACK,
    PLACE,
    SECOND,
    STAMP,
    STATE,
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

    Returns the cell where the searches meet, or -1 if there is no way.

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
            return -1
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
def flip(s: State, p: Number, q: Number, meet: int) -> None:
    """Kernel: exchange chosen and not chosen along the way that `link` found."""
    v = meet
    while v != p:
        e = s.cell[v, PARENT]
        s.match[e] ^= 1
        v = s.edge[e, FIRST] + s.edge[e, SECOND] - v
    v = meet
    while v != q:
        e = s.cell[v, PARENT_BACK]
        s.match[e] ^= 1
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
        s.match[e] = wanted
    return True


@njit
def check(s: State) -> bool:
    """Kernel: decide the edges that are the same in every choice; False: conflict.

    Wants decisions settled and the choice repaired. Looks for the ways that the edges
    decided since the last time leave, and at the components only if one is missing.
    """
    info = s.info
    first, last = info[HEAD_CHECK], info[TRAIL]
    info[HEAD_CHECK] = last
    for i in range(first, last):
        e = s.trail[i, WHICH]
        p, q = s.edge[e, FIRST], s.edge[e, SECOND]
        if s.cell[p, BLACK] == s.match[e]:
            p, q = q, p
        if s.cell[p, OPTIONS] == 0:
            continue
        clock = info[CLOCK] + 1
        info[CLOCK] = clock
        s.cell[q, FOUND] = clock
        s.stack[0] = q
        top = 1
        while top > 0:
            top -= 1
            v = s.stack[top]
            if s.cell[v, OPTIONS] > 0:
                if link(s, p, v) < 0:
                    return components(s)
                continue
            chosen = 1 - s.cell[v, BLACK]
            for d in range(4):
                f = s.cell[v, EDGE + d]
                if s.match[f] == chosen and s.edge[f, PLACE] >= first:
                    u = s.cell[v, NEAR + d]
                    if s.edge[f, STATE] != UNKNOWN and s.cell[u, FOUND] != clock:
                        s.cell[u, FOUND] = clock
                        s.stack[top] = u
                        top += 1
    return True


@njit
def components(s: State) -> bool:
    """Kernel: decide every unknown edge between two components; False: conflict.

    Strongly connected components of the residual graph (Tarjan, "Depth-first search
    and linear graph algorithms", SIAM J. Comput. 1, 1972); O(cells).
    """
    info = s.info
    n = info[CELLS]
    part = s.queue  # 0: on the stack, else 1 + root of the component
    start = info[CLOCK]
    clock = start
    top = 0
    for root in range(n):
        if s.cell[root, OPTIONS] == 0 or s.cell[root, FOUND] > start:
            continue
        c = root
        fresh = True
        s.cell[c, PARENT] = -1
        while c >= 0:
            if fresh:
                clock += 1
                s.cell[c, FOUND] = clock
                s.cell[c, LOW] = clock
                s.cell[c, TURN] = 0
                s.stack[top] = c
                top += 1
                part[c] = 0
                fresh = False
            i = s.cell[c, TURN]
            if i < 4:
                s.cell[c, TURN] = i + 1
                e = s.cell[c, EDGE + i]
                if s.edge[e, STATE] == UNKNOWN and s.match[e] != s.cell[c, BLACK]:
                    v = s.cell[c, NEAR + i]
                    if s.cell[v, FOUND] <= start:
                        s.cell[v, PARENT] = c
                        c = v
                        fresh = True
                    elif part[v] == 0 and s.cell[v, FOUND] < s.cell[c, LOW]:
                        s.cell[c, LOW] = s.cell[v, FOUND]
                continue
            if s.cell[c, LOW] == s.cell[c, FOUND]:
                while True:
                    top -= 1
                    v = s.stack[top]
                    part[v] = 1 + c
                    if v == c:
                        break
            p = s.cell[c, PARENT]
            if p >= 0 and s.cell[c, LOW] < s.cell[p, LOW]:
                s.cell[p, LOW] = s.cell[c, LOW]
            c = p
    info[CLOCK] = clock
    for e in range(2 * n):
        if (
            s.edge[e, STATE] != UNKNOWN
            or part[s.edge[e, FIRST]] == part[s.edge[e, SECOND]]
        ):
            continue
        if not decide(s, np.int64(e), np.int64(2 - s.match[e]), np.int64(FLOW)):
            return False
    info[HEAD_CHECK] = info[TRAIL]
    return True


@njit
def first_choice(s: State) -> bool:
    """Kernel: find a choice with nothing decided; False if there is none.

    Greedy, then one augmenting search for every edge that a black cell lacks.
    """
    info = s.info
    n = info[CELLS]
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
