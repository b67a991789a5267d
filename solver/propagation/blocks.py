"""The block chain: the possible edges must lead from live end to end cell.

Every completion is a path from the live end to the end cell through all unvisited
cells, so no cell may separate other cells from both: the graph of possible edges is
connected and its block-cut tree is a path from live end to end cell (Hopcroft &
Tarjan, "Algorithm 447: efficient algorithms for graph manipulation", CACM 16, 1973).
The completion crosses each block from one end to the other through all its cells, and
colours alternate: black minus white is 1 between black ends, -1 between white ends,
0 between ends of two colours.

With the virtual edge the same is said shorter: the graph of the whole tour has no cut
cell. And with the two-factor flow the colours need no look: let a block have the ends
x, black, and y, with one chosen edge of x in the block and k of y. Count the chosen
edges between ends and inside by colour, I the imbalance of the inside. If y is black,
2 I = -(1 + k), so k is odd and so 1, and I = -1; if y is white, 2 I = k - 1, so
k = 1 and I = 0. That is what the ends demand, and k = 1 leaves one edge for the next
block. So `two_connected` is the block chain wherever the flow is on, and `chain` is
the rule as it is said, for use without the flow.
"""

import numpy as np

from solver.jit import njit, njit_within
from solver.propagation.state import (
    ACTIVE,
    AT,
    BLACK,
    BLOCKS,
    CELLS,
    CLOCK,
    CULPRIT,
    EDGE,
    END,
    FOUND,
    LOW,
    NEAR,
    NEED,
    OPEN,
    OTHER,
    OUT,
    PARENT,
    STATE,
    STEPS,
    TURN,
    UNKNOWN,
    VISITED,
    Number,
    State,
)


@njit_within
def _enter(s: State, cell: Number, parent: Number, clock: int) -> None:
    """Kernel: begin to look around a cell that is found as number `clock`."""
    s.cell[cell, FOUND] = clock
    s.cell[cell, LOW] = clock
    s.cell[cell, TURN] = 0
    s.cell[cell, PARENT] = parent


@njit
def two_connected(s: State) -> bool:
    """Kernel: no cell cuts the graph of possible edges of the tour; O(cells).

    Fragments are shrunk to one edge between their ends: a cell inside is a cut cell
    only if an end is.
    """
    info = s.info
    info[CULPRIT] = BLOCKS
    if info[ACTIVE] == 0:
        return True
    root = info[END]
    while s.cell[root, NEED] == 0:
        root = root + 1 if root + 1 < info[CELLS] else 0
    start = info[CLOCK]
    clock = start + 1
    children = 0
    c = root
    _enter(s, np.int64(c), np.int64(-1), clock)
    while True:
        i = s.cell[c, TURN]
        if i < 5:
            s.cell[c, TURN] = i + 1
            if i == 4:
                v = s.cell[c, OTHER]
                if v == c:
                    continue
            elif s.edge[s.cell[c, EDGE + i], STATE] == UNKNOWN:
                v = s.cell[c, NEAR + i]
            else:
                continue
            if s.cell[v, FOUND] <= start:
                if c == root:
                    children += 1
                    if children > 1:
                        info[CLOCK] = clock
                        return False
                clock += 1
                _enter(s, np.int64(v), np.int64(c), clock)
                c = v
            elif v != s.cell[c, PARENT] and s.cell[v, FOUND] < s.cell[c, LOW]:
                s.cell[c, LOW] = s.cell[v, FOUND]
        else:
            p = s.cell[c, PARENT]
            if p < 0:
                break
            if p != root and s.cell[c, LOW] >= s.cell[p, FOUND]:
                info[CLOCK] = clock
                return False
            if s.cell[c, LOW] < s.cell[p, LOW]:
                s.cell[p, LOW] = s.cell[c, LOW]
            c = p
    info[CLOCK] = clock
    return bool(clock - start == info[ACTIVE])


@njit_within
def _take_block(
    s: State, top: int, last: Number, near: Number, far: Number
) -> tuple[int, bool]:
    """Kernel: take a block off the stack; tell its new height, and whether it is good.

    The block is `near` and all above and with `last` on the stack. The chain crosses it
    from `near` to `far`.
    """
    imbalance = 1 if s.cell[near, BLACK] == 1 else -1
    holds = False
    while True:
        top -= 1
        v = s.stack[top]
        imbalance += 1 if s.cell[v, BLACK] == 1 else -1
        holds = holds or v == far
        if v == last:
            break
    demand = (1 if s.cell[near, BLACK] == 1 else -1) + (
        1 if s.cell[far, BLACK] == 1 else -1
    )
    return top, holds and 2 * imbalance == demand


@njit
def chain(s: State) -> bool:
    """Kernel: the block chain from the live end, with every block's imbalance."""
    info = s.info
    info[CULPRIT] = BLOCKS
    root = s.step[info[STEPS] - 1, AT]
    end = info[END]
    if root == end:
        return bool(info[STEPS] == info[OPEN])
    start = info[CLOCK]
    clock = start + 1
    top = 0  # cells of open blocks, in `stack`
    far = end  # the end cell, then the cut cells of the chain, backwards
    c = root
    _enter(s, np.int64(c), np.int64(-1), clock)
    good = True
    while good:
        i = s.cell[c, TURN]
        if i < 4:
            s.cell[c, TURN] = i + 1
            v = s.cell[c, NEAR + i]
            if v < 0 or s.edge[s.cell[c, EDGE + i], STATE] == OUT:
                continue
            if s.cell[v, VISITED] == 1 and v != root:
                continue
            if s.cell[v, FOUND] <= start:
                clock += 1
                _enter(s, np.int64(v), np.int64(c), clock)
                s.stack[top] = v
                top += 1
                c = v
            elif v != s.cell[c, PARENT] and s.cell[v, FOUND] < s.cell[c, LOW]:
                s.cell[c, LOW] = s.cell[v, FOUND]
        else:
            p = s.cell[c, PARENT]
            if p < 0:
                break
            if s.cell[c, LOW] >= s.cell[p, FOUND]:
                top, good = _take_block(s, top, np.int64(c), np.int64(p), np.int64(far))
                far = p
            if s.cell[c, LOW] < s.cell[p, LOW]:
                s.cell[p, LOW] = s.cell[c, LOW]
            c = p
    info[CLOCK] = clock
    return bool(good and clock - start == info[OPEN] - info[STEPS] + 1)
