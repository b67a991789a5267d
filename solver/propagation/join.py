"""Joining the cycles of a two-factor, for a witness at little cost.

The choice of the two-factor flow is a set of closed walks that together visit every
cell; the one through the virtual edge is a path from the start to the end cell. Where
a unit square of unknown edges has two opposite sides chosen, on two different cycles,
exchanging them for the other two sides makes the two cycles one. If one cycle is left
it is a tour, so a witness; the choice stays a choice in any case.
"""

from solver.jit import njit
from solver.propagation.state import (
    AT,
    CELLS,
    CLOCK,
    EDGE,
    FOUND,
    LABELS,
    LOOSE,
    NEAR,
    OPEN,
    STATE,
    STEPS,
    UNKNOWN,
    VISITED,
    State,
)


@njit
def label_cycles(s: State) -> int:
    """Kernel: number the cycles of the choice; O(unvisited cells).

    The numbers stand in `found`, above the clock from before; 0 is the cycle of the
    walk, of which only the part from the live end on is numbered. If there is no other
    the choice is a tour. The cells of the others stand in `queue`.
    """
    info = s.info
    n = info[CELLS]
    base = info[CLOCK] + 1
    labels = 0
    left = info[OPEN] - info[STEPS] + 1
    root = s.step[info[STEPS] - 1, AT]
    before = s.step[info[STEPS] - 2, AT] if info[STEPS] > 1 else -1
    cell = 0
    top = 0
    while left > 0:
        c = root
        while True:
            s.cell[c, FOUND] = base + labels
            left -= 1
            if labels > 0:
                s.queue[top] = c
                top += 1
            step = -1
            for d in range(4):
                if s.match[s.cell[c, EDGE + d]] == 1 and s.cell[c, NEAR + d] != before:
                    step = s.cell[c, NEAR + d]
                    break
            before = c
            if step < 0 or step == root:
                break
            c = step
        labels += 1
        while cell < n and (s.cell[cell, FOUND] >= base or s.cell[cell, VISITED] == 1):
            cell += 1
        root = cell
        before = -1
    info[CLOCK] = base + labels
    info[LABELS] = labels
    info[LOOSE] = top
    return labels


@njit
def _top(s: State, label: int) -> int:
    """Kernel: the cycle that a label has become part of."""
    while s.stack[label] != label:
        s.stack[label] = s.stack[s.stack[label]]
        label = s.stack[label]
    return label


@njit
def join(s: State) -> bool:
    """Kernel: join the cycles of the choice square by square; True: it is a tour."""
    info = s.info
    labels = label_cycles(s)
    left = labels
    if left == 1:
        return True
    base = info[CLOCK] - labels
    for label in range(labels):
        s.stack[label] = label
    count = info[LOOSE]
    again = True
    while again:
        again = False
        for i in range(count):
            for corner in range(4):  # a square is named by its upper left cell
                c = s.queue[i]
                if corner & 1:
                    c = s.cell[c, NEAR]
                if corner & 2 and c >= 0:
                    c = s.cell[c, NEAR + 3]
                if c >= 0 and _join_square(s, c, base):
                    left -= 1
                    if left == 1:
                        return True
                    again = True
    return False


@njit
def _join_square(s: State, c: int, base: int) -> bool:
    """Kernel: exchange the sides of one square if that joins two cycles."""
    across = s.cell[c, NEAR + 1]
    below = s.cell[c, NEAR + 2]
    if across < 0 or below < 0:
        return False
    top, side = s.cell[c, EDGE + 1], s.cell[c, EDGE + 2]
    floor, wall = s.cell[below, EDGE + 1], s.cell[across, EDGE + 2]
    if (
        s.edge[top, STATE]
        + s.edge[side, STATE]
        + s.edge[floor, STATE]
        + s.edge[wall, STATE]
        != UNKNOWN
    ):
        return False
    if s.match[top] == s.match[side]:
        return False
    if s.match[floor] != s.match[top] or s.match[wall] != s.match[side]:
        return False
    # The two chosen sides: one at c, one at the cell diagonally opposite.
    a = _top(s, s.cell[c, FOUND] - base)
    b = _top(s, s.cell[s.cell[across, NEAR + 2], FOUND] - base)
    if a == b:
        return False
    s.stack[b] = a
    s.match[top] ^= 1
    s.match[side] ^= 1
    s.match[floor] ^= 1
    s.match[wall] ^= 1
    return True


@njit
def way_out(s: State) -> int:
    """Kernel: an unknown edge that leaves the smallest cycle that `join` left.

    Some edge must, and a decision puts it in or out; -1 if none can, so the cycle is
    closed in itself.
    """
    info = s.info
    n = info[CELLS]
    base = info[CLOCK] - info[LABELS]
    size = s.queue
    for label in range(info[LABELS]):
        size[label] = 0
    for c in range(n):
        if s.cell[c, FOUND] >= base:
            size[_top(s, s.cell[c, FOUND] - base)] += 1
    main = _top(s, 0)
    best = -1
    for label in range(info[LABELS]):
        if size[label] > 0 and label != main and (best < 0 or size[label] < size[best]):
            best = label
    for c in range(n):
        if s.cell[c, FOUND] < base or _top(s, s.cell[c, FOUND] - base) != best:
            continue
        for d in range(4):
            e = s.cell[c, EDGE + d]
            v = s.cell[c, NEAR + d]
            if s.edge[e, STATE] == UNKNOWN and _top(s, s.cell[v, FOUND] - base) != best:
                return int(e)
    return -1
