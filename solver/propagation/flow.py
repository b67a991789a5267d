"""Two-factors: a choice of possible edges that gives every cell the number it needs.

The board is bipartite, so such a choice is a flow of unit edges from black to white
cells. Orient an unknown edge from its black cell to its white cell when it is not
chosen, and backwards when it is. Then choices differ by closed walks of this *residual*
graph. An edge is the same in every choice exactly if its cells lie in different strong
components (Regin, "Generalized arc consistency for global cardinality constraint",
AAAI 1996). Such edges become in or out.

At a fixed point every unknown edge lies inside a component. Deciding edges removes them
from the residual graph, after changes of the choice that exchange closed walks and so
leave the components as they are. A component stays whole if each removed edge x -> y
leaves another way from x to y: a set that an edge left before is still left by an edge.
Where y has no unknown edge any more, the ends of the removed edges from y represent it.
So `check_flow` searches a way from both ends at once for each removed edge, mostly a
few cells long.

A failed search yields a closed set: cells that lead nowhere else, or that no other cell
leads to. The edges across its border are decided. The rest lost the ways through the
set. For each way in and each way out, a pair of cells must now be linked. `_split`
searches a way for each pair until no pair is left. A failed pair splits off the smaller
side, so a step costs what it changes, not the board. `split_components` computes all
components, only at the beginning or if there are too many pairs.

The choice itself is never undone: a choice that obeys more decisions obeys fewer. A
*log* lists the edges exchanged since the choice was last a tour, if it ever was.

With the virtual edge the choice is a set of cycles that together visit every cell. Let
a unit square of unknown edges have two opposite sides chosen, on two different cycles.
Exchanging them for the other two joins the cycles. A single cycle is a tour, so a
witness. The choice stays a choice in any case.

Each cycle, unless the choice is a tour, has an edge that the last tour did not have. So
`find_cycles` walks along the choice from both ends of each new edge, all walks in turn,
and labels the cells. Walks that meet belong to the same *part*. When all parts but one
have closed, that one is the big cycle, whose other cells need no label: the cost is
that of the smaller cycles. Without a tour `find_cycles` walks round every cycle. A step
along a cycle is one exclusive or: each cell has the xor of its two neighbours on the
cycle (LINKS), so the neighbour before gives the neighbour after.
"""

from solver.jit import njit, njit_within
from solver.propagation import state as at
from solver.propagation.state import (
    FLOW,
    IN,
    PAIRS,
    UNKNOWN,
    Number,
    State,
    decide_edge,
)


@njit_within
def _widen(s: State, c: Number, tail: int, back: bool) -> tuple[int, int]:
    """Kernel: visit the cells after a cell in one of the two searches of `link`.

    Returns the new end of its queue, and the cell where it met the other, or -1.
    """
    stamp = s.info[at.STAMP]
    mine, other, parent = at.MARK, at.MARK_BACK, at.PARENT
    chosen = 1 - s.cell[c, at.BLACK]
    if back:
        mine, other, parent = at.MARK_BACK, at.MARK, at.PARENT_BACK
        chosen = s.cell[c, at.BLACK]
    for d in range(4):
        e = s.cell[c, at.EDGE + d]
        state = s.edge[e, at.STATE]
        if (state == UNKNOWN or state == 1 + chosen) and s.match[e] == chosen:
            v = s.cell[c, at.NEAR + d]
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

    Returns the cell where the searches meet; -1 if p leads only to the first REACHED
    cells of the queue, without q; -2 if only the REACHED cells from index n lead to q.

    A way may use a decided edge in the direction that makes the choice obey it: with
    IN = 1 and OUT = 2 these are the edges whose state is 1 + match.
    """
    info = s.info
    if p == q:
        return int(p)
    n = info[at.CELLS]
    info[at.STAMP] += 1
    s.cell[p, at.MARK] = info[at.STAMP]
    s.cell[q, at.MARK_BACK] = info[at.STAMP]
    s.queue[0] = p
    s.queue[n] = q
    head, tail = 0, 1
    behind, front = n, n + 1
    while head < tail:
        tail, meet = _widen(s, s.queue[head], tail, False)
        head += 1
        if meet >= 0:
            return meet
        if behind == front:
            info[at.REACHED] = front - n
            return -2
        front, meet = _widen(s, s.queue[behind], front, True)
        behind += 1
        if meet >= 0:
            return meet
    info[at.REACHED] = tail
    return -1


@njit_within
def _toggle(s: State, e: Number) -> None:
    a, b = s.edge[e, at.FIRST], s.edge[e, at.SECOND]
    s.match[e] ^= 1
    s.cell[a, at.LINKS] ^= b
    s.cell[b, at.LINKS] ^= a


@njit
def exchange(s: State, e: Number) -> None:
    """Kernel: exchange an edge, and list it once in the log."""
    _toggle(s, e)
    if s.info[at.TOUR] == 1 and s.edge[e, at.LISTED] == 0:
        s.edge[e, at.LISTED] = 1
        s.log[s.info[at.LOGGED]] = e
        s.info[at.LOGGED] += 1


@njit
def _flip(s: State, v: Number, p: Number, parent: Number) -> None:
    """Kernel: exchange the edges of the way by which a search from p came to v."""
    while v != p:
        e = s.cell[v, parent]
        exchange(s, e)
        v = s.edge[e, at.FIRST] + s.edge[e, at.SECOND] - v


@njit
def repair_choice(s: State) -> bool:
    """Kernel: make the choice obey all decided edges; False: no choice can."""
    info = s.info
    while info[at.HEAD_MATCH] < info[at.TRAIL]:
        t = info[at.HEAD_MATCH]
        info[at.HEAD_MATCH] = t + 1
        e = s.trail[t, at.WHICH]
        wanted = 1 if s.edge[e, at.STATE] == IN else 0
        if s.match[e] == wanted:
            continue
        p, q = s.edge[e, at.FIRST], s.edge[e, at.SECOND]
        if s.cell[p, at.BLACK] == wanted:
            p, q = q, p
        meet = link(s, p, q)
        if meet < 0:
            info[at.CULPRIT] = FLOW
            return False
        _flip(s, meet, p, at.PARENT)
        _flip(s, meet, q, at.PARENT_BACK)
        exchange(s, e)
    return True


@njit
def first_choice(s: State) -> bool:
    """Kernel: make a choice before any decision; False if no choice exists.

    Greedy, then an augmenting search for every edge that a black cell lacks.
    """
    info = s.info
    n = info[at.CELLS]
    info[at.CULPRIT] = FLOW
    info[at.TOUR] = 0
    total = 0
    for c in range(n):
        s.cell[c, at.TURN] = s.cell[c, at.NEED]
        total += s.cell[c, at.NEED] if s.cell[c, at.BLACK] else -s.cell[c, at.NEED]
    if total != 0:
        return False
    for e in range(2 * n):
        if s.edge[e, at.STATE] == UNKNOWN:
            a, b = s.edge[e, at.FIRST], s.edge[e, at.SECOND]
            if s.cell[a, at.TURN] > 0 and s.cell[b, at.TURN] > 0:
                _toggle(s, e)
                s.cell[a, at.TURN] -= 1
                s.cell[b, at.TURN] -= 1
    for c in range(n):
        while s.cell[c, at.BLACK] and s.cell[c, at.TURN] > 0:
            v = _augment(s, c)
            if v < 0:
                return False
            s.cell[c, at.TURN] -= 1
            s.cell[v, at.TURN] -= 1
    return True


@njit
def _augment(s: State, c: int) -> int:
    """Kernel: lead an edge more from black c to a white cell that lacks it, or -1."""
    s.info[at.STAMP] += 1
    s.cell[c, at.MARK] = s.info[at.STAMP]
    s.queue[0] = c
    head, tail = 0, 1
    while head < tail:
        u = s.queue[head]
        head += 1
        if s.cell[u, at.BLACK] == 0 and s.cell[u, at.TURN] > 0:
            _flip(s, u, c, at.PARENT)
            return int(u)
        tail, _ = _widen(s, u, tail, False)
    return -1


@njit
def check_flow(s: State) -> bool:
    """Kernel: decide the edges that are the same in every choice; False: conflict.

    Forced edges must be decided and the choice repaired before. Searches a way for each
    edge decided since the last call, and splits components if a way is missing.
    """
    info = s.info
    first, last = info[at.HEAD_CHECK], info[at.TRAIL]
    info[at.HEAD_CHECK] = last
    pairs = 0
    for i in range(first, last):
        e = s.trail[i, at.WHICH]
        p, q = s.edge[e, at.FIRST], s.edge[e, at.SECOND]
        if s.cell[p, at.BLACK] == s.match[e]:
            p, q = q, p
        if s.cell[p, at.OPTIONS] == 0:
            continue
        clock = info[at.CLOCK] + 1
        info[at.CLOCK] = clock
        s.cell[q, at.FOUND] = clock
        s.stack[0] = q
        top = 1
        while top > 0:
            top -= 1
            v = s.stack[top]
            if s.cell[v, at.OPTIONS] > 0:
                if pairs > 0 or link(s, p, v) < 0:
                    if pairs == PAIRS:
                        return split_components(s)
                    pairs = _want(s, pairs, p, v)
                continue
            chosen = 1 - s.cell[v, at.BLACK]
            for d in range(4):
                f = s.cell[v, at.EDGE + d]
                if s.match[f] == chosen and s.edge[f, at.PLACE] >= first:
                    u = s.cell[v, at.NEAR + d]
                    if s.edge[f, at.STATE] != UNKNOWN and s.cell[u, at.FOUND] != clock:
                        s.cell[u, at.FOUND] = clock
                        s.stack[top] = u
                        top += 1
    return pairs == 0 or _split(s, pairs)


@njit_within
def _want(s: State, pairs: int, p: Number, q: Number) -> int:
    """Kernel: add a pair of cells that must be linked, p to q; the number of pairs."""
    if p == q:
        return pairs
    s.pair[pairs, 0] = p
    s.pair[pairs, 1] = q
    return pairs + 1


@njit_within
def _reroute(s: State, pairs: int, p: Number, q: Number, forward: bool) -> int:
    """Kernel: replace the pairs across the border of a closed set.

    The set is the cells that p leads to, if `forward`, or the cells that lead to q. A
    pair across the border in the closed direction needs p -> q: its first cell must
    lead to p, and q to its second. Of a pair in the other direction the half outside
    the set stays. Returns the number of pairs, or -1 without room for them.
    """
    column = at.MARK if forward else at.MARK_BACK
    stamp = s.info[at.STAMP]
    count, i = pairs, 0
    while i < count:
        x, y = s.pair[i, 0], s.pair[i, 1]
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
    """Kernel: decide edges until every pair that must be linked is linked.

    Before and after each round the unknown edges lie inside components of the residual
    graph with the pairs as edges. In the end no pair is left.
    """
    while pairs > 0:
        pairs -= 1
        p, q = s.pair[pairs, 0], s.pair[pairs, 1]
        met = link(s, p, q)
        if met >= 0:
            continue
        forward = met == -1
        pairs = _reroute(s, pairs, p, q, forward)
        column = at.MARK if forward else at.MARK_BACK
        first = 0 if forward else s.info[at.CELLS]
        for i in range(first, first + s.info[at.REACHED]):
            c = s.queue[i]
            for d in range(4):
                e, v = s.cell[c, at.EDGE + d], s.cell[c, at.NEAR + d]
                inside = s.cell[v, column] == s.info[at.STAMP]
                if inside or s.edge[e, at.STATE] != UNKNOWN:
                    continue
                if pairs < 0 or pairs == PAIRS:
                    return split_components(s)
                pairs = _want(s, pairs, v, q) if forward else _want(s, pairs, p, v)
                if not decide_edge(s, e, 2 - s.match[e], FLOW):
                    return False
        if pairs < 0:
            return split_components(s)
    s.info[at.HEAD_CHECK] = s.info[at.TRAIL]
    return True


@njit
def split_components(s: State) -> bool:
    """Kernel: decide every unknown edge between two components; False: conflict.

    Strongly connected components of the residual graph (Tarjan, "Depth-first search
    and linear graph algorithms", SIAM J. Comput. 1, 1972); O(cells).
    """
    info = s.info
    n = info[at.CELLS]
    part = s.queue  # 0: on the stack, else 1 + root of the component
    start = info[at.CLOCK]
    clock = start
    top = 0
    for root in range(n):
        if s.cell[root, at.OPTIONS] == 0 or s.cell[root, at.FOUND] > start:
            continue
        c = root
        fresh = True
        s.cell[c, at.PARENT] = -1
        while c >= 0:
            if fresh:
                clock += 1
                s.cell[c, at.FOUND] = clock
                s.cell[c, at.LOW] = clock
                s.cell[c, at.TURN] = 0
                s.stack[top] = c
                top += 1
                part[c] = 0
                fresh = False
            i = s.cell[c, at.TURN]
            if i < 4:
                s.cell[c, at.TURN] = i + 1
                e = s.cell[c, at.EDGE + i]
                if s.edge[e, at.STATE] == UNKNOWN and s.match[e] != s.cell[c, at.BLACK]:
                    v = s.cell[c, at.NEAR + i]
                    if s.cell[v, at.FOUND] <= start:
                        s.cell[v, at.PARENT] = c
                        c = v
                        fresh = True
                    elif part[v] == 0 and s.cell[v, at.FOUND] < s.cell[c, at.LOW]:
                        s.cell[c, at.LOW] = s.cell[v, at.FOUND]
                continue
            if s.cell[c, at.LOW] == s.cell[c, at.FOUND]:
                while True:
                    top -= 1
                    v = s.stack[top]
                    part[v] = 1 + c
                    if v == c:
                        break
            p = s.cell[c, at.PARENT]
            if p >= 0 and s.cell[c, at.LOW] < s.cell[p, at.LOW]:
                s.cell[p, at.LOW] = s.cell[c, at.LOW]
            c = p
    info[at.CLOCK] = clock
    for e in range(2 * n):
        apart = part[s.edge[e, at.FIRST]] != part[s.edge[e, at.SECOND]]
        if s.edge[e, at.STATE] != UNKNOWN or not apart:
            continue
        if not decide_edge(s, e, 2 - s.match[e], FLOW):
            return False
    info[at.HEAD_CHECK] = info[at.TRAIL]
    return True


@njit
def unlog(s: State) -> None:
    """Kernel: undo all exchanges, so that the choice is the last tour."""
    for i in range(s.info[at.LOGGED]):
        e = s.log[i]
        if s.match[e] != s.edge[e, at.TOURED]:
            _toggle(s, e)
        s.edge[e, at.LISTED] = 0
    s.info[at.LOGGED] = 0


@njit
def _note_tour(s: State) -> None:
    info = s.info
    if info[at.TOUR] == 0:
        for e in range(2 * info[at.CELLS]):
            s.edge[e, at.TOURED] = s.match[e]
    for i in range(info[at.LOGGED]):
        e = s.log[i]
        s.edge[e, at.TOURED] = s.match[e]
        s.edge[e, at.LISTED] = 0
    info[at.TOUR] = 1
    info[at.LOGGED] = 0


@njit_within
def _onward(s: State, c: Number, before: Number) -> int:
    """Kernel: the next cell along the choice; after -1, its first neighbour there."""
    if before >= 0:
        return int(s.cell[c, at.LINKS] ^ before)
    d = 0
    while s.match[s.cell[c, at.EDGE + d]] == 0:
        d += 1
    return int(s.cell[c, at.NEAR + d])


@njit
def _whole(s: State, k: Number) -> int:
    """Kernel: the first part of the cycle that a part belongs to."""
    while s.part[k, at.UNDER] != k:
        s.part[k, at.UNDER] = s.part[s.part[k, at.UNDER], at.UNDER]
        k = s.part[k, at.UNDER]
    return int(k)


@njit
def cycle_of(s: State, c: Number) -> int:
    """Kernel: the number of the cycle of a cell: its first part."""
    if s.cell[c, at.LABELLED] != s.info[at.STAMP]:
        return int(s.info[at.BIG])
    return _whole(s, s.cell[c, at.LABEL])


@njit
def _label(s: State, c: Number, k: Number) -> None:
    s.cell[c, at.LABELLED] = s.info[at.STAMP]
    s.cell[c, at.LABEL] = k
    s.part[k, at.SIZE] += 1


@njit
def _new_part(s: State, k: Number) -> None:
    s.info[at.CYCLES] += 1
    s.part[k, at.UNDER] = k
    s.part[k, at.SIZE] = 0
    s.part[k, at.ACTIVE] = 0


@njit
def _unite(s: State, a: int, b: int) -> None:
    s.part[a, at.UNDER] = b
    s.part[b, at.SIZE] += s.part[a, at.SIZE]
    s.part[b, at.ACTIVE] += s.part[a, at.ACTIVE]
    s.info[at.CYCLES] -= 1
    if s.info[at.BIG] == a:
        s.info[at.BIG] = b


@njit
def find_cycles(s: State) -> int:
    """Kernel: label the cells of the cycles; returns the number of cycles.

    Writes seeds to `queue`: cells on every cycle, except perhaps the big cycle.
    """
    info = s.info
    info[at.STAMP] += 1
    info[at.CYCLES] = 0
    info[at.SEEDS] = 0
    parts = _walk_apart(s) if info[at.TOUR] == 1 else _walk_round(s)
    info[at.BIG] = _whole(s, 0)
    for k in range(parts):
        big = info[at.BIG]
        larger = s.part[k, at.ACTIVE] > 0 or s.part[k, at.SIZE] > s.part[big, at.SIZE]
        if s.part[k, at.UNDER] == k and s.part[big, at.ACTIVE] == 0 and larger:
            info[at.BIG] = k
    return int(info[at.CYCLES])


@njit
def _walk_round(s: State) -> int:
    """Kernel: label every cell, cycle by cycle, with a seed each; O(cells)."""
    info = s.info
    for root in range(info[at.CELLS]):
        chosen = 0  # a wall has no edge
        for d in range(4):
            chosen += s.match[s.cell[root, at.EDGE + d]]
        if chosen == 0 or s.cell[root, at.LABELLED] == info[at.STAMP]:
            continue
        k = info[at.CYCLES]
        s.queue[k] = root
        _new_part(s, k)
        c, before = root, -1
        while s.cell[c, at.LABELLED] != info[at.STAMP]:
            _label(s, c, k)
            c, before = _onward(s, c, before), c
    info[at.SEEDS] = info[at.CYCLES]
    return int(info[at.CYCLES])


@njit
def _walk_apart(s: State) -> int:
    """Kernel: label cells from both ends of each new edge; returns the parts made."""
    info = s.info
    parts, walks = 0, 0
    for i in range(info[at.LOGGED]):
        e = s.log[i]
        if s.match[e] == 0 or s.edge[e, at.TOURED] == 1:
            continue
        _new_part(s, parts)
        for c in (s.edge[e, at.FIRST], s.edge[e, at.SECOND]):
            s.queue[walks] = c
            s.part[walks, at.HERE] = c
            s.part[walks, at.BEFORE] = s.edge[e, at.FIRST] + s.edge[e, at.SECOND] - c
            s.part[walks, at.WHOSE] = parts
            walks += 1
            s.part[parts, at.ACTIVE] += 1
            if s.cell[c, at.LABELLED] != info[at.STAMP]:
                _label(s, c, parts)
        parts += 1
    info[at.SEEDS] = walks
    if parts == 0:  # the choice is the tour
        _new_part(s, parts)
        return 1
    for i in range(walks):  # new edges in a row
        a, b = _whole(s, s.part[i, at.WHOSE]), cycle_of(s, s.queue[i])
        if a != b:
            _unite(s, a, b)
    left = info[at.CYCLES]  # cycles that have not closed
    while left > 1:
        going = 0
        for i in range(walks):
            k, here = s.part[i, at.WHOSE], s.part[i, at.HERE]
            c = _onward(s, here, s.part[i, at.BEFORE])
            if s.cell[c, at.LABELLED] != info[at.STAMP]:
                _label(s, c, k)
                s.part[going, at.HERE] = c
                s.part[going, at.BEFORE] = here
                s.part[going, at.WHOSE] = k
                going += 1
                continue
            a, b = _whole(s, k), cycle_of(s, c)
            s.part[a, at.ACTIVE] -= 1
            if a != b:
                _unite(s, a, b)
                left -= 1
            left -= s.part[b, at.ACTIVE] == 0
        walks = going
    return int(parts)


@njit
def join(s: State) -> bool:
    """Kernel: join the cycles of the choice square by square; True: it is a tour.

    Walks along the smaller cycles alone, beginning at the last changes.
    """
    info = s.info
    again = find_cycles(s) > 1
    while again:
        again = False
        info[at.CLOCK] += 1
        for i in range(info[at.SEEDS]):
            while info[at.CYCLES] > 1 and _join_one(s, s.queue[i]):
                again = True
        again = again and bool(info[at.CYCLES] > 1)
    if info[at.CYCLES] > 1:
        return False
    _note_tour(s)
    return True


@njit
def _join_one(s: State, seed: Number) -> bool:
    """Kernel: join the cycle of a cell to another by a square; False if it cannot."""
    clock = s.info[at.CLOCK]
    if s.cell[seed, at.FOUND] == clock or cycle_of(s, seed) == s.info[at.BIG]:
        return False
    cell, before = seed, -1
    while True:
        if s.cell[cell, at.FOUND] != clock:
            s.cell[cell, at.FOUND] = clock
            for corner in range(4):  # c: the upper left cell of a square
                c = cell
                if corner & 1:
                    c = s.cell[c, at.NEAR]
                if corner & 2 and c >= 0:
                    c = s.cell[c, at.NEAR + 3]
                if c >= 0 and _join_square(s, c):
                    s.cell[seed, at.FOUND] = 0
                    return True
        cell, before = _onward(s, cell, before), cell
        if cell == seed:
            return False


@njit
def _join_square(s: State, c: Number) -> bool:
    """Kernel: exchange the sides of a square if that joins two cycles."""
    across = s.cell[c, at.NEAR + 1]
    below = s.cell[c, at.NEAR + 2]
    if across < 0 or below < 0:
        return False
    top, side = s.cell[c, at.EDGE + 1], s.cell[c, at.EDGE + 2]
    floor, wall = s.cell[below, at.EDGE + 1], s.cell[across, at.EDGE + 2]
    for e in (top, side, floor, wall):
        if s.edge[e, at.STATE] != UNKNOWN:
            return False
    if s.match[top] == s.match[side]:
        return False
    if s.match[floor] != s.match[top] or s.match[wall] != s.match[side]:
        return False
    # One chosen side is at c, the other at the cell diagonally opposite.
    a, b = cycle_of(s, c), cycle_of(s, s.cell[across, at.NEAR + 2])
    if a == b:
        return False
    for e in (top, side, floor, wall):
        exchange(s, e)
    _unite(s, a, b)
    return True


@njit
def way_out(s: State) -> int:
    """Kernel: an unknown edge that leaves a small cycle, after `join` failed.

    Every tour has such an edge; -1 if no edge can leave the cycle.
    """
    seed = best = -1
    for i in range(s.info[at.SEEDS]):
        k = cycle_of(s, s.queue[i])
        smaller = best < 0 or s.part[k, at.SIZE] < s.part[best, at.SIZE]
        if k != s.info[at.BIG] and smaller:
            seed, best = s.queue[i], k
    c, before = seed, -1
    while True:
        for d in range(4):
            e = s.cell[c, at.EDGE + d]
            if s.edge[e, at.STATE] != UNKNOWN:
                continue
            if cycle_of(s, s.cell[c, at.NEAR + d]) != best:
                return int(e)
        c, before = _onward(s, c, before), c
        if c == seed:
            return -1
