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

from solver.edges import (
    ACTIVE,
    BLOCKS,
    CELLS,
    CLOCK,
    CULPRIT,
    END,
    OPEN,
    OUT,
    STEPS,
    UNKNOWN,
    State,
)
from solver.jit import njit


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
    while s.need[root] == 0:
        root = root + 1 if root + 1 < info[CELLS] else 0
    start = info[CLOCK]
    clock = start + 1
    children = 0
    c = root
    s.found[c] = clock
    s.low[c] = clock
    s.turn[c] = 0
    s.parent[c] = -1
    while True:
        i = s.turn[c]
        if i < 5:
            s.turn[c] = i + 1
            if i == 4:
                v = s.other[c]
                if v == c:
                    continue
            elif s.state[s.edge_at[4 * c + i]] == UNKNOWN:
                v = s.near[4 * c + i]
            else:
                continue
            if s.found[v] <= start:
                if c == root:
                    children += 1
                    if children > 1:
                        info[CLOCK] = clock
                        return False
                clock += 1
                s.found[v] = clock
                s.low[v] = clock
                s.turn[v] = 0
                s.parent[v] = c
                c = v
            elif v != s.parent[c] and s.found[v] < s.low[c]:
                s.low[c] = s.found[v]
        else:
            p = s.parent[c]
            if p < 0:
                break
            if p != root and s.low[c] >= s.found[p]:
                info[CLOCK] = clock
                return False
            if s.low[c] < s.low[p]:
                s.low[p] = s.low[c]
            c = p
    info[CLOCK] = clock
    return bool(clock - start == info[ACTIVE])


@njit
def chain(s: State) -> bool:
    """Kernel: the block chain from the live end, with every block's imbalance."""
    info = s.info
    info[CULPRIT] = BLOCKS
    n = info[CELLS]
    root = s.walk[info[STEPS] - 1]
    end = info[END]
    if root == end:
        return bool(info[STEPS] == info[OPEN])
    start = info[CLOCK]
    clock = start + 1
    top = 0  # cells of open blocks, in the upper half of `turn`
    far = end  # the end cell, then the cut cells of the chain, backwards
    c = root
    s.found[c] = clock
    s.low[c] = clock
    s.turn[c] = 0
    s.parent[c] = -1
    good = True
    while good:
        i = s.turn[c]
        if i < 4:
            s.turn[c] = i + 1
            v = s.near[4 * c + i]
            if v < 0 or s.state[s.edge_at[4 * c + i]] == OUT:
                continue
            if s.visited[v] == 1 and v != root:
                continue
            if s.found[v] <= start:
                clock += 1
                s.found[v] = clock
                s.low[v] = clock
                s.turn[v] = 0
                s.parent[v] = c
                s.turn[n + top] = v
                top += 1
                c = v
            elif v != s.parent[c] and s.found[v] < s.low[c]:
                s.low[c] = s.found[v]
        else:
            p = s.parent[c]
            if p < 0:
                break
            if s.low[c] >= s.found[p]:  # p and all above c on the stack: a block
                imbalance = 1 if s.black[p] == 1 else -1
                holds = False
                while True:
                    top -= 1
                    v = s.turn[n + top]
                    imbalance += 1 if s.black[v] == 1 else -1
                    holds = holds or v == far
                    if v == c:
                        break
                demand = (1 if s.black[p] == 1 else -1) + (
                    1 if s.black[far] == 1 else -1
                )
                good = holds and 2 * imbalance == demand
                far = p
            if s.low[c] < s.low[p]:
                s.low[p] = s.low[c]
            c = p
    info[CLOCK] = clock
    return bool(good and clock - start == info[OPEN] - info[STEPS] + 1)
