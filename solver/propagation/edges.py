"""Deciding edges: putting them in or out, what follows at once, and undoing it.

A conflict means that no tour has all edges that are in and none that are out. The
trail holds the decided edges in order, with the fragment ends that each one joined.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.state import (
    ACTIVE,
    CELLS,
    CULPRIT,
    EDGE,
    FACE,
    FENCE,
    FIRST,
    FORCED,
    FRAGMENTS,
    HEAD,
    HEAD_BLOCKS,
    HEAD_CHECK,
    HEAD_MATCH,
    IN,
    JOINED,
    NEAR,
    NEED,
    OPEN,
    OPTIONS,
    OTHER,
    OUT,
    PLACE,
    RING,
    RULES,
    SECOND,
    STATE,
    TAIL,
    TAKEN,
    TIP,
    TRAIL,
    UNKNOWN,
    WEIGHT,
    WHICH,
    WHY,
    Number,
    State,
)


@njit
def decide(s: State, e: Number, value: Number, rule: Number) -> bool:
    """Kernel: put an unknown edge in or out; False is a conflict.

    The caller names the rule that decides. After a conflict the trail must be cut.
    """
    info = s.info
    a, b = s.edge[e, FIRST], s.edge[e, SECOND]
    t = info[TRAIL]
    info[TRAIL] = t + 1
    s.edge[e, STATE] = value
    s.edge[e, WHY] = rule
    s.edge[e, PLACE] = t
    s.cell[a, OPTIONS] -= 1
    s.cell[b, OPTIONS] -= 1
    s.trail[t, WHICH] = e
    s.trail[t, TIP] = -1
    s.trail[t, JOINED] = -1
    if value == OUT:
        return True
    info[TAKEN] += 1
    s.cell[a, NEED] -= 1
    s.cell[b, NEED] -= 1
    if s.cell[a, NEED] == 0:
        info[ACTIVE] -= 1
    if s.cell[b, NEED] == 0:
        info[ACTIVE] -= 1
    if s.cell[a, NEED] < 0 or s.cell[b, NEED] < 0:
        info[CULPRIT] = FORCED
        return False
    x, y = s.cell[a, OTHER], s.cell[b, OTHER]
    if x == b:  # a loop, good only as the whole tour
        if info[TAKEN] != info[OPEN] and info[RULES] & FRAGMENTS:
            info[CULPRIT] = FRAGMENTS
            return False
        return True
    s.cell[x, OTHER] = y
    s.cell[y, OTHER] = x
    s.trail[t, TIP] = x
    s.trail[t, TAIL] = y
    return True


@njit
def part_faces(s: State, t: int) -> None:
    """Kernel: put apart the two faces that number t of the trail joined."""
    small = s.trail[t, JOINED]
    large = s.square[small, FACE]
    s.square[small, FACE] = small
    s.square[large, WEIGHT] -= s.square[small, WEIGHT]
    s.square[small, RING], s.square[large, RING] = (
        s.square[large, RING],
        s.square[small, RING],
    )
    e = s.trail[t, WHICH]
    d = 1 + e % 2
    s.cell[s.edge[e, FIRST], FENCE + d] = 1
    s.cell[s.edge[e, SECOND], FENCE + (d + 2) % 4] = 1


@njit
def cut_trail(s: State, target: int) -> None:
    """Kernel: undo decisions until `target` are left, exactly."""
    info = s.info
    t = info[TRAIL]
    while t > target:
        t -= 1
        e = s.trail[t, WHICH]
        a, b = s.edge[e, FIRST], s.edge[e, SECOND]
        s.cell[a, OPTIONS] += 1
        s.cell[b, OPTIONS] += 1
        if s.edge[e, STATE] == IN:
            info[TAKEN] -= 1
            if s.cell[a, NEED] == 0:
                info[ACTIVE] += 1
            if s.cell[b, NEED] == 0:
                info[ACTIVE] += 1
            s.cell[a, NEED] += 1
            s.cell[b, NEED] += 1
            x = s.trail[t, TIP]
            if x >= 0:
                # Inside a fragment `other` was left as it stood when a and b were ends.
                s.cell[x, OTHER] = a
                s.cell[s.trail[t, TAIL], OTHER] = b
        elif s.trail[t, JOINED] >= 0:
            part_faces(s, t)
        s.edge[e, STATE] = UNKNOWN
    info[TRAIL] = t
    info[HEAD] = t
    info[HEAD_MATCH] = t
    info[HEAD_CHECK] = t
    info[HEAD_BLOCKS] = t


@njit
def force(s: State, c: Number) -> bool:
    """Kernel of the forced edges of one cell; False is a conflict.

    A satisfied cell drops its other edges, whatever the rules: that is what being in
    means. By the rule a cell with as many possible edges as it needs takes them all.
    """
    need, unknown = s.cell[c, NEED], s.cell[c, OPTIONS]
    if s.info[RULES] & FORCED and need > unknown:
        s.info[CULPRIT] = FORCED
        return False
    whole = s.info[RULES] & FORCED and need == unknown
    if unknown == 0 or not (need == 0 or whole):
        return True
    value = np.int64(OUT if need == 0 else IN)
    for d in range(4):
        e = np.int64(s.cell[c, EDGE + d])
        if s.edge[e, STATE] == UNKNOWN and not decide(s, e, value, np.int64(FORCED)):
            return False
    return True


@njit
def edge_between(s: State, a: Number, b: Number) -> int:
    """Kernel: the edge of two cells, or 2 n if they do not touch."""
    for d in range(4):
        if s.cell[a, NEAR + d] == b:
            return int(s.cell[a, EDGE + d])
    return int(2 * s.info[CELLS])


@njit
def settle(s: State) -> bool:
    """Kernel: forced edges and fragments, to their fixed point; False is a conflict.

    Looks only at the cells of edges decided since the last time.
    """
    info = s.info
    while info[HEAD] < info[TRAIL]:
        t = info[HEAD]
        info[HEAD] = t + 1
        e = s.trail[t, WHICH]
        if not force(s, np.int64(s.edge[e, FIRST])):
            return False
        if not force(s, np.int64(s.edge[e, SECOND])):
            return False
        x = s.trail[t, TIP]
        if x >= 0 and info[RULES] & FRAGMENTS:
            y = s.trail[t, TAIL]
            if s.cell[x, OTHER] == y and info[TAKEN] != info[OPEN] - 1:
                f = edge_between(s, np.int64(x), np.int64(y))
                if s.edge[f, STATE] == UNKNOWN:
                    decide(s, np.int64(f), np.int64(OUT), np.int64(FRAGMENTS))
    return True
