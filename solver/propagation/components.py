"""Edges that are the same in every choice: the components of the residual graph.

How it is kept up to date. At a fixed point every unknown edge lies inside a component.
Deciding edges removes them from the residual graph, after changes of the choice that
exchange closed walks and so leave the components as they are. They stay whole if each
removed edge x -> y leaves another way from x to y: any set that is left by an edge
before is then left by an edge afterwards. Where y has no unknown edge any more, the
ends of the removed edges that led on from y stand for it. So a search from both ends
at once, mostly a few cells long, is made for each removed edge, and only if one fails
are the components computed.

One that fails has found a closed set: cells that lead nowhere else, or that nothing
else leads to. The edges across its border are decided. What the rest lost by that is a
way through the set: for each way in and each way out, a pair of cells that must be
linked now. Such pairs are looked at until none is left. A pair in vain splits off the
smaller side, so a step costs what it changes, not the board. All components are
computed anew (`components`) only at the beginning, or if there are too many pairs.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.edges import decide
from solver.propagation.flow import link
from solver.propagation.state import (
    BARRED,
    BLACK,
    CELLS,
    CLOCK,
    EDGE,
    FIRST,
    FLOW,
    FOUND,
    HEAD_CHECK,
    LOW,
    MARK,
    MARK_BACK,
    NEAR,
    OPENED,
    OPTIONS,
    PAIRS,
    PARENT,
    PLACE,
    REACHED,
    SECOND,
    STAMP,
    STATE,
    TRAIL,
    TURN,
    UNKNOWN,
    WANTED,
    WHICH,
    Number,
    State,
)


@njit
def check(s: State) -> bool:
    """Kernel: decide the edges that are the same in every choice; False: conflict.

    Wants decisions settled and the choice repaired. Looks for the ways that the edges
    decided since the last time leave, and splits components if one is missing.
    """
    info = s.info
    first, last = info[HEAD_CHECK], info[TRAIL]
    info[HEAD_CHECK] = last
    pairs = 0
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
                if pairs > 0 or link(s, p, v) < 0:
                    if pairs == PAIRS:
                        return components(s)
                    pairs = want(s, pairs, np.int64(p), np.int64(v))
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
    return pairs == 0 or split(s, pairs)


@njit
def want(s: State, pairs: int, p: Number, q: Number) -> int:
    """Kernel: add a pair of cells that must be linked, p to q; returns how many."""
    s.pair[pairs, WANTED] = p
    s.pair[pairs, WANTED + 1] = q
    return pairs + 1


@njit
def split(s: State, pairs: int) -> bool:
    """Kernel: decide edges until all wanted pairs that are left are linked.

    The edges that are unknown lie inside components of the residual graph with the
    wanted pairs as edges, before and after each round; in the end no pair is left.
    """
    info = s.info
    n = info[CELLS]
    while pairs > 0:
        pairs -= 1
        p, q = s.pair[pairs, WANTED], s.pair[pairs, WANTED + 1]
        found = link(s, np.int64(p), np.int64(q))
        if found >= 0:
            continue
        forward = found == -1
        column = MARK if forward else MARK_BACK
        stamp = info[STAMP]
        s.pair[0, BARRED] = p
        s.pair[0, BARRED + 1] = q
        barred = 1
        opened = 0
        # Pairs across the border, the way that is barred and the other way.
        kept = 0
        for i in range(pairs):
            x, y = s.pair[i, WANTED], s.pair[i, WANTED + 1]
            inside = s.cell[x, column] == stamp
            if inside == (s.cell[y, column] == stamp):
                kept = want(s, kept, np.int64(x), np.int64(y))
            elif inside == forward:
                s.pair[barred, BARRED] = x
                s.pair[barred, BARRED + 1] = y
                barred += 1
            else:
                s.pair[opened, OPENED] = x
                s.pair[opened, OPENED + 1] = y
                opened += 1
        pairs = kept
        first = np.int64(0) if forward else n
        for i in range(first, first + info[REACHED]):
            c = s.queue[i]
            for d in range(4):
                e = np.int64(s.cell[c, EDGE + d])
                if s.edge[e, STATE] != UNKNOWN:
                    continue
                v = s.cell[c, NEAR + d]
                if s.cell[v, column] == stamp:
                    continue
                if opened == PAIRS:
                    return components(s)
                s.pair[opened, OPENED] = v if forward else c
                s.pair[opened, OPENED + 1] = c if forward else v
                opened += 1
                if not decide(s, e, np.int64(2 - s.match[e]), np.int64(FLOW)):
                    return False
        if pairs + opened + 2 * barred > PAIRS:
            return components(s)
        # In by one and out by another was a way: all must still be linked, p and q
        # standing for the others. Inside, p leads to all or all leads to q.
        for j in range(opened):
            u, w = s.pair[j, OPENED], s.pair[j, OPENED + 1]
            if forward and u != q:
                pairs = want(s, pairs, np.int64(u), np.int64(q))
            elif not forward and w != p:
                pairs = want(s, pairs, np.int64(p), np.int64(w))
        for i in range(1, barred):
            x, y = s.pair[i, BARRED], s.pair[i, BARRED + 1]
            if x != p:
                pairs = want(s, pairs, np.int64(x), np.int64(p))
            if y != q:
                pairs = want(s, pairs, np.int64(q), np.int64(y))
    info[HEAD_CHECK] = info[TRAIL]
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
