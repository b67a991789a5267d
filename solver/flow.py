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

from solver.edges import (
    CELLS,
    CLOCK,
    CULPRIT,
    FLOW,
    HEAD_CHECK,
    HEAD_MATCH,
    IN,
    STAMP,
    TRAIL,
    UNKNOWN,
    Number,
    State,
    decide,
)
from solver.jit import njit


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
    s.mark[p] = stamp
    s.mark[n + q] = stamp
    s.queue[0] = p
    s.queue[n] = q
    head, tail = 0, 1
    behind, front = n, n + 1
    while True:
        if head == tail:
            return -1
        c = s.queue[head]
        head += 1
        chosen = 1 - s.black[c]
        for d in range(4):
            e = s.edge_at[4 * c + d]
            st = s.state[e]
            if (st == UNKNOWN or st == 1 + chosen) and s.match[e] == chosen:
                v = s.near[4 * c + d]
                if s.mark[v] != stamp:
                    s.mark[v] = stamp
                    s.parent[v] = e
                    if s.mark[n + v] == stamp:
                        return int(v)
                    s.queue[tail] = v
                    tail += 1
        if behind == front:
            return -1
        c = s.queue[behind]
        behind += 1
        chosen = s.black[c]
        for d in range(4):
            e = s.edge_at[4 * c + d]
            st = s.state[e]
            if (st == UNKNOWN or st == 1 + chosen) and s.match[e] == chosen:
                v = s.near[4 * c + d]
                if s.mark[n + v] != stamp:
                    s.mark[n + v] = stamp
                    s.parent[n + v] = e
                    if s.mark[v] == stamp:
                        return int(v)
                    s.queue[front] = v
                    front += 1


@njit
def flip(s: State, p: Number, q: Number, meet: int) -> None:
    """Kernel: exchange chosen and not chosen along the way that `link` found."""
    n = s.info[CELLS]
    v = meet
    while v != p:
        e = s.parent[v]
        s.match[e] ^= 1
        v = s.ends[2 * e] + s.ends[2 * e + 1] - v
    v = meet
    while v != q:
        e = s.parent[n + v]
        s.match[e] ^= 1
        v = s.ends[2 * e] + s.ends[2 * e + 1] - v


@njit
def repair(s: State) -> bool:
    """Kernel: make the choice obey all decided edges; False: no choice can."""
    info = s.info
    while info[HEAD_MATCH] < info[TRAIL]:
        t = info[HEAD_MATCH]
        info[HEAD_MATCH] = t + 1
        e = s.trail[3 * t]
        wanted = 1 if s.state[e] == IN else 0
        if s.match[e] == wanted:
            continue
        p, q = s.ends[2 * e], s.ends[2 * e + 1]
        if s.black[p] == wanted:
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
        e = s.trail[3 * i]
        p, q = s.ends[2 * e], s.ends[2 * e + 1]
        if s.black[p] == s.match[e]:
            p, q = q, p
        if s.unknown[p] == 0:
            continue
        clock = info[CLOCK] + 1
        info[CLOCK] = clock
        s.found[q] = clock
        s.turn[0] = q
        top = 1
        while top > 0:
            top -= 1
            v = s.turn[top]
            if s.unknown[v] > 0:
                if link(s, p, v) < 0:
                    return components(s)
                continue
            chosen = 1 - s.black[v]
            for d in range(4):
                f = s.edge_at[4 * v + d]
                if s.match[f] == chosen and s.place[f] >= first:
                    u = s.near[4 * v + d]
                    if s.state[f] != UNKNOWN and s.found[u] != clock:
                        s.found[u] = clock
                        s.turn[top] = u
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
        if s.unknown[root] == 0 or s.found[root] > start:
            continue
        c = root
        fresh = True
        s.parent[c] = -1
        while c >= 0:
            if fresh:
                clock += 1
                s.found[c] = clock
                s.low[c] = clock
                s.turn[c] = 0
                s.turn[n + top] = c
                top += 1
                part[c] = 0
                fresh = False
            i = s.turn[c]
            if i < 4:
                s.turn[c] = i + 1
                e = s.edge_at[4 * c + i]
                if s.state[e] == UNKNOWN and s.match[e] != s.black[c]:
                    v = s.near[4 * c + i]
                    if s.found[v] <= start:
                        s.parent[v] = c
                        c = v
                        fresh = True
                    elif part[v] == 0 and s.found[v] < s.low[c]:
                        s.low[c] = s.found[v]
                continue
            if s.low[c] == s.found[c]:
                while True:
                    top -= 1
                    v = s.turn[n + top]
                    part[v] = 1 + c
                    if v == c:
                        break
            p = s.parent[c]
            if p >= 0 and s.low[c] < s.low[p]:
                s.low[p] = s.low[c]
            c = p
    info[CLOCK] = clock
    for e in range(2 * n):
        if s.state[e] != UNKNOWN or part[s.ends[2 * e]] == part[s.ends[2 * e + 1]]:
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
    lack = s.turn  # free while no other kernel runs
    total = 0
    for c in range(n):
        lack[c] = s.need[c]
        total += s.need[c] if s.black[c] else -s.need[c]
    if total != 0:
        info[CULPRIT] = FLOW
        return False
    for e in range(2 * n):
        if s.state[e] == UNKNOWN:
            a, b = s.ends[2 * e], s.ends[2 * e + 1]
            if lack[a] > 0 and lack[b] > 0:
                s.match[e] = 1
                lack[a] -= 1
                lack[b] -= 1
    for c in range(n):
        while s.black[c] and lack[c] > 0:
            v = _augment(s, c)
            if v < 0:
                info[CULPRIT] = FLOW
                return False
            lack[c] -= 1
            lack[v] -= 1
    return True


@njit
def _augment(s: State, c: int) -> int:
    """Kernel: lead one more edge from black c to a white cell that lacks one."""
    info = s.info
    stamp = info[STAMP] + 1
    info[STAMP] = stamp
    s.mark[c] = stamp
    s.queue[0] = c
    head, tail = 0, 1
    while head < tail:
        u = s.queue[head]
        head += 1
        if s.black[u] == 0 and s.turn[u] > 0:
            _flip_back(s, c, u)
            return int(u)
        chosen = 1 - s.black[u]
        for d in range(4):
            e = s.edge_at[4 * u + d]
            if s.state[e] == UNKNOWN and s.match[e] == chosen:
                v = s.near[4 * u + d]
                if s.mark[v] != stamp:
                    s.mark[v] = stamp
                    s.parent[v] = e
                    s.queue[tail] = v
                    tail += 1
    return -1


@njit
def _flip_back(s: State, p: Number, v: Number) -> None:
    """Kernel: exchange chosen and not chosen from v back to p."""
    while v != p:
        e = s.parent[v]
        s.match[e] ^= 1
        v = s.ends[2 * e] + s.ends[2 * e + 1] - v
