"""The cycles of the choice, and how they are joined to a tour.

The choice of the two-factor flow is a set of closed walks that together visit every
cell; the one through the virtual edge is a path from the start to the end cell. Where
a unit square of unknown edges has two opposite sides chosen, on two different cycles,
exchanging them for the other two sides makes the two cycles one. If one cycle is left
it is a tour, so a witness; the choice stays a choice in any case.

A cycle of a choice that is no tour has an edge that the last tour did not have. So
`find_cycles` walks along the choice from both ends of each new edge, all walks in turn,
and labels the cells. Walks that meet are of one *part*. When all parts but one have
closed, that one is the big cycle, whose other cells need no label: the cost is that of
the smaller cycles. Without a tour every cycle is walked round.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.flow import exchange
from solver.propagation.state import (
    ACTIVE,
    BEFORE,
    BIG,
    CELLS,
    CLOCK,
    CYCLES,
    EDGE,
    END,
    FIRST,
    FOUND,
    HERE,
    LABEL,
    LABELLED,
    LISTED,
    LOGGED,
    NEAR,
    SECOND,
    SEEDS,
    SIZE,
    STAMP,
    START,
    STATE,
    TOUR,
    TOURED,
    UNDER,
    UNKNOWN,
    WHOSE,
    Number,
    State,
)


@njit
def unlog(s: State) -> None:
    """Kernel: take all exchanges back: the choice is the tour again."""
    for i in range(s.info[LOGGED]):
        e = s.log[i]
        s.match[e] = s.edge[e, TOURED]
        s.edge[e, LISTED] = 0
    s.info[LOGGED] = 0


@njit
def _note_tour(s: State) -> None:
    """Kernel: the choice is a tour; the log restarts."""
    info = s.info
    if info[TOUR] == 0:
        for e in range(2 * info[CELLS]):
            s.edge[e, TOURED] = s.match[e]
    for i in range(info[LOGGED]):
        e = s.log[i]
        s.edge[e, TOURED] = s.match[e]
        s.edge[e, LISTED] = 0
    info[TOUR] = 1
    info[LOGGED] = 0


@njit
def _onward(s: State, c: Number, before: Number) -> int:
    """Kernel: the next cell along the choice, by the virtual edge too."""
    for d in range(4):
        if s.match[s.cell[c, EDGE + d]] == 1 and s.cell[c, NEAR + d] != before:
            return int(s.cell[c, NEAR + d])
    return int(s.info[START] if c == s.info[END] else s.info[END])


@njit
def _whole(s: State, k: Number) -> int:
    """Kernel: the cycle that a part belongs to, named by one of its parts."""
    while s.part[k, UNDER] != k:
        s.part[k, UNDER] = s.part[s.part[k, UNDER], UNDER]
        k = np.int64(s.part[k, UNDER])
    return int(k)


@njit
def cycle_of(s: State, c: Number) -> int:
    """Kernel: the cycle of a cell, named by one of its parts."""
    if s.cell[c, LABELLED] != s.info[STAMP]:
        return int(s.info[BIG])
    return _whole(s, np.int64(s.cell[c, LABEL]))


@njit
def _label(s: State, c: Number, k: Number) -> None:
    """Kernel: make a cell one of part k."""
    s.cell[c, LABELLED] = s.info[STAMP]
    s.cell[c, LABEL] = k
    s.part[k, SIZE] += 1


@njit
def _new_part(s: State, k: Number) -> None:
    """Kernel: begin part k, a cycle without a cell yet."""
    s.info[CYCLES] += 1
    s.part[k, UNDER] = k
    s.part[k, SIZE] = 0
    s.part[k, ACTIVE] = 0


@njit
def _unite(s: State, a: int, b: int) -> None:
    """Kernel: note that two cycles are one."""
    s.part[a, UNDER] = b
    s.part[b, SIZE] += s.part[a, SIZE]
    s.part[b, ACTIVE] += s.part[a, ACTIVE]
    s.info[CYCLES] -= 1
    if s.info[BIG] == a:
        s.info[BIG] = b


@njit
def find_cycles(s: State) -> int:
    """Kernel: label the cells of the cycles; returns the number of cycles.

    Seeds, cells of which every cycle but at most one has some, stand in `queue`.
    """
    info = s.info
    info[STAMP] += 1
    info[CYCLES] = 0
    info[SEEDS] = 0
    parts = _walk_apart(s) if info[TOUR] == 1 else _walk_round(s)
    info[BIG] = _whole(s, np.int64(0))
    for k in range(parts):
        big = info[BIG]
        larger = s.part[k, ACTIVE] > 0 or s.part[k, SIZE] > s.part[big, SIZE]
        if s.part[k, UNDER] == k and s.part[big, ACTIVE] == 0 and larger:
            info[BIG] = k
    return int(info[CYCLES])


@njit
def _walk_round(s: State) -> int:
    """Kernel: label every cell, cycle by cycle, with a seed for each; O(cells)."""
    info = s.info
    for root in range(info[CELLS]):
        chosen = 0  # a wall has no edge
        for d in range(4):
            chosen += s.match[s.cell[root, EDGE + d]]
        if chosen == 0 or s.cell[root, LABELLED] == info[STAMP]:
            continue
        k = info[CYCLES]
        s.queue[k] = root
        _new_part(s, k)
        c, before = np.int64(root), np.int64(-1)
        while s.cell[c, LABELLED] != info[STAMP]:
            _label(s, c, k)
            c, before = np.int64(_onward(s, c, before)), c
    info[SEEDS] = info[CYCLES]
    return int(info[CYCLES])


@njit
def _walk_apart(s: State) -> int:
    """Kernel: label cells from both ends of each new edge; returns the parts made."""
    info = s.info
    parts, walks = np.int64(0), 0
    for i in range(info[LOGGED]):
        e = s.log[i]
        if s.match[e] == 0 or s.edge[e, TOURED] == 1:
            continue
        _new_part(s, parts)
        for c in (np.int64(s.edge[e, FIRST]), np.int64(s.edge[e, SECOND])):
            s.queue[walks] = c
            s.part[walks, HERE] = c
            s.part[walks, BEFORE] = s.edge[e, FIRST] + s.edge[e, SECOND] - c
            s.part[walks, WHOSE] = parts
            walks += 1
            s.part[parts, ACTIVE] += 1
            if s.cell[c, LABELLED] != info[STAMP]:
                _label(s, c, parts)
        parts += 1
    info[SEEDS] = walks
    if parts == 0:  # it is the tour
        _new_part(s, parts)
        return 1
    for i in range(walks):  # new edges in a row
        a, b = _whole(s, np.int64(s.part[i, WHOSE])), cycle_of(s, np.int64(s.queue[i]))
        if a != b:
            _unite(s, a, b)
    left = info[CYCLES]  # cycles that have not closed
    while left > 1:
        going = 0
        for i in range(walks):
            k, here = np.int64(s.part[i, WHOSE]), np.int64(s.part[i, HERE])
            c = np.int64(_onward(s, here, np.int64(s.part[i, BEFORE])))
            if s.cell[c, LABELLED] != info[STAMP]:
                _label(s, c, k)
                s.part[going, HERE] = c
                s.part[going, BEFORE] = here
                s.part[going, WHOSE] = k
                going += 1
                continue
            a, b = _whole(s, k), cycle_of(s, c)
            s.part[a, ACTIVE] -= 1
            if a != b:
                _unite(s, a, b)
                left -= 1
            left -= s.part[b, ACTIVE] == 0
        walks = going
    return int(parts)


@njit
def join(s: State) -> bool:
    """Kernel: join the cycles of the choice square by square; True: it is a tour.

    Looks along the smaller cycles alone, from where the choice was changed last.
    """
    info = s.info
    again = find_cycles(s) > 1
    while again:
        again = False
        info[CLOCK] += 1
        for i in range(info[SEEDS]):
            while info[CYCLES] > 1 and _join_one(s, np.int64(s.queue[i])):
                again = True
        again = again and bool(info[CYCLES] > 1)
    if info[CYCLES] > 1:
        return False
    _note_tour(s)
    return True


@njit
def _join_one(s: State, seed: Number) -> bool:
    """Kernel: join the cycle of a cell to another one, if it is small and a square can.

    Cells that were looked at have the clock in FOUND.
    """
    clock = s.info[CLOCK]
    if s.cell[seed, FOUND] == clock or cycle_of(s, seed) == s.info[BIG]:
        return False
    cell, before = np.int64(seed), np.int64(-1)
    while True:
        if s.cell[cell, FOUND] != clock:
            s.cell[cell, FOUND] = clock
            for corner in range(4):  # a square is named by its upper left cell
                c = cell
                if corner & 1:
                    c = np.int64(s.cell[c, NEAR])
                if corner & 2 and c >= 0:
                    c = np.int64(s.cell[c, NEAR + 3])
                if c >= 0 and _join_square(s, c):
                    s.cell[seed, FOUND] = 0
                    return True
        cell, before = np.int64(_onward(s, cell, before)), cell
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
    for e in (top, side, floor, wall):
        if s.edge[e, STATE] != UNKNOWN:
            return False
    if s.match[top] == s.match[side]:
        return False
    if s.match[floor] != s.match[top] or s.match[wall] != s.match[side]:
        return False
    # The two chosen sides: one at c, one at the cell diagonally opposite.
    a, b = cycle_of(s, c), cycle_of(s, np.int64(s.cell[across, NEAR + 2]))
    if a == b:
        return False
    for e in (top, side, floor, wall):
        exchange(s, e)
    _unite(s, a, b)
    return True


@njit
def way_out(s: State) -> int:
    """Kernel: an unknown edge that leaves the smallest cycle that `join` left.

    Some edge must, and a decision puts it in or out; -1 if none can, so the cycle is
    closed in itself.
    """
    seed, best = np.int64(-1), np.int64(-1)
    for i in range(s.info[SEEDS]):
        k = np.int64(cycle_of(s, np.int64(s.queue[i])))
        if k != s.info[BIG] and (best < 0 or s.part[k, SIZE] < s.part[best, SIZE]):
            seed, best = np.int64(s.queue[i]), k
    c, before = seed, np.int64(-1)
    while True:
        for d in range(4):
            e = s.cell[c, EDGE + d]
            if s.edge[e, STATE] != UNKNOWN:
                continue
            if cycle_of(s, np.int64(s.cell[c, NEAR + d])) != best:
                return int(e)
        c, before = np.int64(_onward(s, c, before)), c
        if c == seed:
            return -1
