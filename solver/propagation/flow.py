"""Two-factors: some choice of possible edges gives every cell the number it needs.

The board is bipartite, so such a choice is a flow of unit edges from black to white
cells. Orient an unknown edge from its black cell to its white cell when it is not
chosen, and backwards when it is. Then other choices differ by closed walks of this
*residual* graph, and an edge is the same in every choice exactly when its two cells
lie in different strongly connected components (Regin, "Generalized arc consistency
for global cardinality constraint", AAAI 1996). Such edges become in or out.

At a fixed point every unknown edge lies inside a component. Deciding edges removes them
from the residual graph, after changes of the choice that exchange closed walks and so
leave the components as they are. They stay whole if each removed edge x -> y leaves
another way from x to y: any set that is left by an edge before is then left by an edge
afterwards. Where y has no unknown edge any more, the ends of the removed edges that led
on from y stand for it. So `check` searches a way from both ends at once, mostly a few
cells long, for each removed edge.

A search in vain has found a closed set: cells that lead nowhere else, or that nothing
else leads to. The edges across its border are decided. What the rest lost by that is a
way through the set: for each way in and each way out, a pair of cells that must be
linked now. Such pairs are looked at until none is left. A pair in vain splits off the
smaller side, so a step costs what it changes, not the board. All components are
computed anew (`components`) only at the beginning, or if there are too many pairs.

The choice itself is never undone: a choice that obeys more decisions obeys fewer. A
*log* lists the edges exchanged since the choice was last a tour, if it ever was.
"""

import numpy as np

from solver.jit import njit, njit_within
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
    LISTED,
    LOGGED,
    LOW,
    MARK,
    MARK_BACK,
    NEAR,
    NEED,
    OPTIONS,
    PAIRS,
    PARENT,
    PARENT_BACK,
    PLACE,
    REACHED,
    SECOND,
    STAMP,
    STATE,
    TOUR,
    TRAIL,
    TURN,
    UNKNOWN,
    WHICH,
    Number,
    State,
    decide,
)


@njit_within
def _widen(s: State, c: Number, tail: int, back: bool) -> tuple[int, int]:
    """Kernel: widen one of the two searches of `link` by what follows a cell.

    Returns the new end of its queue, and the cell where it met the other, or -1.
    """
    stamp = s.info[STAMP]
    mine, other, parent = MARK, MARK_BACK, PARENT
    chosen = 1 - s.cell[c, BLACK]
    if back:
        mine, other, parent = MARK_BACK, MARK, PARENT_BACK
        chosen = s.cell[c, BLACK]
    for d in range(4):
        e = s.cell[c, EDGE + d]
        state = s.edge[e, STATE]
        if (state == UNKNOWN or state == 1 + chosen) and s.match[e] == chosen:
            v = s.cell[c, NEAR + d]
            if s.cell[v, mine] != stamp:
                s.cell[v, mine] = stamp
                s.cell[v, parent] = e
                if s.cell[v, other] == stamp:
                    return tail, int(v)
                s.queue[tail] = v
                tail += 1
    return tail, -1


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
    info[STAMP] += 1
    s.cell[p, MARK] = info[STAMP]
    s.cell[q, MARK_BACK] = info[STAMP]
    s.queue[0] = p
    s.queue[n] = q
    head, tail = 0, 1
    behind, front = n, n + 1
    while head < tail:
        tail, meet = _widen(s, np.int64(s.queue[head]), tail, False)
        head += 1
        if meet >= 0:
            return meet
        if behind == front:
            info[REACHED] = front - n
            return -2
        front, meet = _widen(s, np.int64(s.queue[behind]), front, True)
        behind += 1
        if meet >= 0:
            return meet
    info[REACHED] = tail
    return -1


@njit
def exchange(s: State, e: Number) -> None:
    """Kernel: exchange chosen and not chosen for one edge; list it once in the log."""
    s.match[e] ^= 1
    if s.info[TOUR] == 1 and s.edge[e, LISTED] == 0:
        s.edge[e, LISTED] = 1
        s.log[s.info[LOGGED]] = e
        s.info[LOGGED] += 1


@njit
def _flip(s: State, v: Number, p: Number, parent: Number) -> None:
    """Kernel: exchange the edges of the way by which a search from p came to v."""
    while v != p:
        e = np.int64(s.cell[v, parent])
        exchange(s, e)
        v = s.edge[e, FIRST] + s.edge[e, SECOND] - v


@njit
def repair(s: State) -> bool:
    """Kernel: make the choice obey all decided edges; False: no choice can."""
    info = s.info
    while info[HEAD_MATCH] < info[TRAIL]:
        t = info[HEAD_MATCH]
        info[HEAD_MATCH] = t + 1
        e = np.int64(s.trail[t, WHICH])
        wanted = 1 if s.edge[e, STATE] == IN else 0
        if s.match[e] == wanted:
            continue
        p, q = np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND])
        if s.cell[p, BLACK] == wanted:
            p, q = q, p
        meet = link(s, p, q)
        if meet < 0:
            info[CULPRIT] = FLOW
            return False
        _flip(s, np.int64(meet), p, np.int64(PARENT))
        _flip(s, np.int64(meet), q, np.int64(PARENT_BACK))
        exchange(s, e)
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
    """Kernel: lead one more edge from black c to a white cell that lacks one, or -1."""
    s.info[STAMP] += 1
    s.cell[c, MARK] = s.info[STAMP]
    s.queue[0] = c
    head, tail = 0, 1
    while head < tail:
        u = np.int64(s.queue[head])
        head += 1
        if s.cell[u, BLACK] == 0 and s.cell[u, TURN] > 0:
            _flip(s, u, np.int64(c), np.int64(PARENT))
            return int(u)
        tail, _ = _widen(s, u, tail, False)
    return -1


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
                    pairs = _want(s, pairs, np.int64(p), np.int64(v))
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
    return pairs == 0 or _split(s, pairs)


@njit_within
def _want(s: State, pairs: int, p: Number, q: Number) -> int:
    """Kernel: add a pair of cells that must be linked, p to q; how many there are."""
    if p == q:
        return pairs
    s.pair[pairs, 0] = p
    s.pair[pairs, 1] = q
    return pairs + 1


@njit_within
def _reroute(s: State, pairs: int, p: Number, q: Number, forward: bool) -> int:
    """Kernel: want other ways for the pairs across the border of a closed set.

    The set is what p leads to, if `forward`, or what leads to q. A pair across the
    border the closed way is wanted by p -> q: its first cell must lead to p, and q to
    its second. A pair across it the other way keeps the half outside the set. Returns
    how many pairs are wanted; -1 if there is no room.
    """
    column = MARK if forward else MARK_BACK
    stamp = s.info[STAMP]
    count, i = pairs, 0
    while i < count:
        x, y = np.int64(s.pair[i, 0]), np.int64(s.pair[i, 1])
        inside = s.cell[x, column] == stamp
        if inside == (s.cell[y, column] == stamp):
            i += 1
            continue
        count -= 1
        s.pair[i, 0], s.pair[i, 1] = s.pair[count, 0], s.pair[count, 1]
        if count + 2 > PAIRS:
            return -1
        if inside == forward:
            count = _want(s, count, x, p)
            count = _want(s, count, q, y)
        elif forward:
            count = _want(s, count, x, q)
        else:
            count = _want(s, count, p, y)
    return count


@njit
def _split(s: State, pairs: int) -> bool:
    """Kernel: decide edges until all wanted pairs that are left are linked.

    The edges that are unknown lie inside components of the residual graph with the
    wanted pairs as edges, before and after each round; in the end no pair is left.
    """
    while pairs > 0:
        pairs -= 1
        p, q = np.int64(s.pair[pairs, 0]), np.int64(s.pair[pairs, 1])
        found = link(s, p, q)
        if found >= 0:
            continue
        forward = found == -1
        pairs = _reroute(s, pairs, p, q, forward)
        column = MARK if forward else MARK_BACK
        first = np.int64(0) if forward else s.info[CELLS]
        for i in range(first, first + s.info[REACHED]):
            c = np.int64(s.queue[i])
            for d in range(4):
                e = np.int64(s.cell[c, EDGE + d])
                v = np.int64(s.cell[c, NEAR + d])
                if s.edge[e, STATE] != UNKNOWN or s.cell[v, column] == s.info[STAMP]:
                    continue
                if pairs < 0 or pairs == PAIRS:
                    return components(s)
                pairs = _want(s, pairs, v, q) if forward else _want(s, pairs, p, v)
                if not decide(s, e, np.int64(2 - s.match[e]), np.int64(FLOW)):
                    return False
        if pairs < 0:
            return components(s)
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
