"""Two-factors: some choice of possible edges gives every cell the number it needs.

The board is bipartite, so such a choice is a flow of unit edges from black to white
cells. Orient an unknown edge from its black cell to its white cell when it is not
chosen, and backwards when it is. Then other choices differ by closed walks of this
*residual* graph, and an edge is the same in every choice exactly when its two cells
lie in different strongly connected components (Regin, "Generalized arc consistency
for global cardinality constraint", AAAI 1996). Such edges become in or out.

How edges in or out are found and kept up to date stands below.

The choice itself is never undone: a choice that obeys more decisions obeys fewer. A
*log* holds the edges exchanged since the choice was last a tour, if it ever was.

Edges that are the same in every choice: the components of the residual graph.

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

from solver.jit import njit, njit_within
from solver.propagation.state import (
    BARRED,
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
    LINKED,
    LOGGED,
    LOW,
    MARK,
    MARK_BACK,
    MARKED,
    NEAR,
    NEED,
    OPENED,
    OPTIONS,
    PAIRS,
    PARENT,
    PARENT_BACK,
    PLACE,
    REACHED,
    SECOND,
    STAMP,
    STATE,
    SYNCED,
    TOUR,
    TRAIL,
    TURN,
    UNKNOWN,
    WANTED,
    WHICH,
    Number,
    State,
    decide,
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
        if s.edge[e, MARKED] > 0:
            s.log[kept] = e
            kept += 1
            s.edge[e, MARKED] = 1 - s.edge[e, MARKED]
    for i in range(kept):  # now that all is read: there is no room for two before
        e = s.log[i]
        if s.edge[e, MARKED] < 0:
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


@njit_within
def _note(s: State, column: Number, count: int, p: Number, q: Number) -> int:
    """Kernel: add a pair of cells to one of the lists; returns how many it has."""
    s.pair[count, column] = p
    s.pair[count, column + 1] = q
    return count + 1


@njit
def want(s: State, pairs: int, p: Number, q: Number) -> int:
    """Kernel: add a pair of cells that must be linked, p to q; returns how many."""
    return _note(s, np.int64(WANTED), pairs, p, q)


@njit_within
def _part_pairs(s: State, pairs: int, forward: bool) -> tuple[int, int, int]:
    """Kernel: part the wanted pairs by the closed set that a search has found.

    Returns how many are still wanted, how many are barred, namely across the border
    the way that is closed, and how many are opened, across it the other way. The first
    of the barred is there already.
    """
    column = MARK if forward else MARK_BACK
    stamp = s.info[STAMP]
    kept, barred, opened = 0, 1, 0
    for i in range(pairs):
        x, y = np.int64(s.pair[i, WANTED]), np.int64(s.pair[i, WANTED + 1])
        inside = s.cell[x, column] == stamp
        if inside == (s.cell[y, column] == stamp):
            kept = _note(s, np.int64(WANTED), kept, x, y)
        elif inside == forward:
            barred = _note(s, np.int64(BARRED), barred, x, y)
        else:
            opened = _note(s, np.int64(OPENED), opened, x, y)
    return kept, barred, opened


@njit_within
def _close_border(s: State, opened: int, forward: bool) -> int:
    """Kernel: decide the edges across the border of the closed set.

    Adds their cells to the opened pairs, as long as there is room, and returns how many
    these are; -1 for a conflict.
    """
    column = MARK if forward else MARK_BACK
    stamp = s.info[STAMP]
    first = np.int64(0) if forward else s.info[CELLS]
    for i in range(first, first + s.info[REACHED]):
        c = np.int64(s.queue[i])
        for d in range(4):
            e = np.int64(s.cell[c, EDGE + d])
            if s.edge[e, STATE] != UNKNOWN:
                continue
            v = np.int64(s.cell[c, NEAR + d])
            if s.cell[v, column] == stamp:
                continue
            if opened == PAIRS:
                return opened
            if forward:
                opened = _note(s, np.int64(OPENED), opened, v, c)
            else:
                opened = _note(s, np.int64(OPENED), opened, c, v)
            if not decide(s, e, np.int64(2 - s.match[e]), np.int64(FLOW)):
                return -1
    return opened


@njit_within
def _want_through(s: State, pairs: int, barred: int, opened: int, forward: bool) -> int:
    """Kernel: want the ways through the closed set that are left; returns how many.

    In by one and out by another was a way: all must still be linked, the first barred
    pair standing for the others. Inside, its first cell leads to all or all lead to its
    second.
    """
    p, q = np.int64(s.pair[0, BARRED]), np.int64(s.pair[0, BARRED + 1])
    for j in range(opened):
        u, w = np.int64(s.pair[j, OPENED]), np.int64(s.pair[j, OPENED + 1])
        if forward and u != q:
            pairs = want(s, pairs, u, q)
        elif not forward and w != p:
            pairs = want(s, pairs, p, w)
    for i in range(1, barred):
        x, y = np.int64(s.pair[i, BARRED]), np.int64(s.pair[i, BARRED + 1])
        if x != p:
            pairs = want(s, pairs, x, p)
        if y != q:
            pairs = want(s, pairs, q, y)
    return pairs


@njit
def split(s: State, pairs: int) -> bool:
    """Kernel: decide edges until all wanted pairs that are left are linked.

    The edges that are unknown lie inside components of the residual graph with the
    wanted pairs as edges, before and after each round; in the end no pair is left.
    """
    while pairs > 0:
        pairs -= 1
        p, q = np.int64(s.pair[pairs, WANTED]), np.int64(s.pair[pairs, WANTED + 1])
        found = link(s, p, q)
        if found >= 0:
            continue
        forward = found == -1
        _note(s, np.int64(BARRED), 0, p, q)
        pairs, barred, opened = _part_pairs(s, pairs, forward)
        opened = _close_border(s, opened, forward)
        if opened < 0:
            return False
        if pairs + opened + 2 * barred > PAIRS:
            return components(s)
        pairs = _want_through(s, pairs, barred, opened, forward)
    s.info[HEAD_CHECK] = s.info[TRAIL]
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
