"""The block chain: the possible edges must lead from live end to end cell.

Every completion is a path from the live end to the end cell through all unvisited
cells, so no cell may separate other cells from both: the graph of possible edges is
connected and its block-cut tree is a path from live end to end cell (Hopcroft &
Tarjan, "Algorithm 447: efficient algorithms for graph manipulation", CACM 16, 1973).
The completion crosses each block from one end to the other through all its cells, and
colours alternate: black minus white is 1 between black ends, -1 between white ends,
0 between ends of two colours. `chain` looks at all this anew, in O(cells).

With the virtual edge the same is said shorter: the graph of the whole tour has no cut
cell. And with the two-factor flow the colours need no look: let a block have the ends
x, black, and y, with one chosen edge of x in the block and k of y. Count the chosen
edges between ends and inside by colour, I the imbalance of the inside. If y is black,
2 I = -(1 + k), so k is odd and so 1, and I = -1; if y is white, 2 I = k - 1, so
k = 1 and I = 0. That is what the ends demand, and k = 1 leaves one edge for the next
block.

So, with the flow, only cut cells matter, and `open_edges` keeps track of them by faces.
The graph of possible edges is drawn in the plane, with the virtual edge around it, if
start and end cell lie on the border of the board. A plane graph has no cut cell exactly
when no cell meets the same face at two of its corners. An edge that goes out joins the
faces on its two sides; only cells on the smaller of them can come to meet the joined
face twice, so only they are looked at. Mostly that is one unit square.

A *square* is ``row * (cols + 1) + col`` of its upper left corner point, outer ones
included, so that cell (r, c) has the squares (r, c), (r, c + 1), (r + 1, c + 1) and
(r + 1, c) around it. A face is a tree of squares and a ring of them. `cut_trail` takes
the faces apart again.
"""

import numpy as np

from solver.jit import njit, njit_within
from solver.propagation.state import (
    AT,
    BLACK,
    BLOCKS,
    CELLS,
    CLOCK,
    COLS,
    CULPRIT,
    EDGE,
    END,
    FACE,
    FENCE,
    FIRST,
    FOUND,
    HEAD_BLOCKS,
    JOINED,
    LOW,
    NEAR,
    OPEN,
    OUT,
    PARENT,
    RING,
    SECOND,
    START,
    STATE,
    STEPS,
    TRAIL,
    TURN,
    VISITED,
    WEIGHT,
    WHICH,
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


@njit_within
def _take_block(
    s: State, top: int, last: Number, near: Number, far: Number
) -> tuple[int, bool]:
    """Kernel: take a block off the stack; its new height, and whether it is good.

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
    demand = 2 * (s.cell[near, BLACK] + s.cell[far, BLACK] - 1)
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


@njit
def beside(s: State, c: Number, i: Number) -> int:
    """Kernel: the square at corner i of a cell: 0 to 3 clockwise from upper left."""
    cols = s.info[COLS]
    square = c // cols * (cols + 1) + c % cols
    if i == 1 or i == 2:
        square += 1
    if i >= 2:
        square += cols + 1
    return int(square)


@njit
def face_of(s: State, square: int) -> int:
    """Kernel: the square that stands for the face."""
    while s.square[square, FACE] != square:
        square = s.square[square, FACE]
    return square


@njit
def join_faces(s: State, p: int, q: int) -> int:
    """Kernel: join two faces, the smaller to the larger; returns the smaller."""
    if s.square[p, WEIGHT] > s.square[q, WEIGHT]:
        p, q = q, p
    s.square[p, FACE] = q
    s.square[q, WEIGHT] += s.square[p, WEIGHT]
    s.square[p, RING], s.square[q, RING] = s.square[q, RING], s.square[p, RING]
    return p


@njit
def lay_faces(s: State) -> None:
    """Kernel: the faces of the board with all its edges and the virtual edge."""
    info = s.info
    cols = info[COLS]
    rows = info[CELLS] // cols
    for square in range((rows + 1) * (cols + 1)):
        s.square[square, FACE] = square
        s.square[square, RING] = square
        s.square[square, WEIGHT] = 1
    for c in range(info[CELLS]):
        for d in range(4):
            s.cell[c, FENCE + d] = 1 if s.cell[c, NEAR + d] >= 0 else 0
    for c in (info[START], info[END]):  # the virtual edge leaves across the border
        row, col = c // cols, c % cols
        if row == 0:
            s.cell[c, FENCE] = 1
        elif col == cols - 1:
            s.cell[c, FENCE + 1] = 1
        elif row == rows - 1:
            s.cell[c, FENCE + 2] = 1
        else:
            s.cell[c, FENCE + 3] = 1
    for c in range(info[CELLS]):
        for d in range(4):
            if s.cell[c, FENCE + d] == 0:
                p = face_of(s, beside(s, np.int64(c), np.int64(d)))
                q = face_of(s, beside(s, np.int64(c), np.int64((d + 1) % 4)))
                if p != q:
                    join_faces(s, p, q)


@njit
def meets_twice(s: State, c: int, face: int) -> bool:
    """Kernel: whether a cell has two corners, with edges between them, on a face."""
    corners = 0
    for d in range(4):
        # Clockwise after the edge in direction d comes the square at corner d + 1.
        if s.cell[c, FENCE + d] == 0:
            continue
        if face_of(s, beside(s, np.int64(c), np.int64((d + 1) % 4))) == face:
            corners += 1
    return corners > 1


@njit
def open_edge(s: State, t: int) -> bool:
    """Kernel: take the edge out that is number t of the trail; False: a cut cell."""
    info = s.info
    e = s.trail[t, WHICH]
    a, b = s.edge[e, FIRST], s.edge[e, SECOND]
    d = 1 + e % 2
    p = face_of(s, beside(s, np.int64(a), np.int64(d)))
    q = face_of(s, beside(s, np.int64(a), np.int64(d + 1)))
    if p == q:
        return False
    s.cell[a, FENCE + d] = 0
    s.cell[b, FENCE + (d + 2) % 4] = 0
    small = join_faces(s, p, q)
    large = s.square[small, FACE]
    s.trail[t, JOINED] = small
    cols = info[COLS]
    rows = info[CELLS] // cols
    # The rings are one now: the squares of the smaller face come after the larger's.
    square = s.square[large, RING]
    while True:
        row, col = square // (cols + 1), square % (cols + 1)
        for i in range(4):
            r, c = row - i // 2, col - i % 2
            inside = 0 <= r < rows and 0 <= c < cols
            if inside and meets_twice(s, r * cols + c, large):
                return False
        if square == small:
            return True
        square = s.square[square, RING]


@njit
def open_edges(s: State) -> bool:
    """Kernel: the block chain after the edges that went out; False is a conflict."""
    info = s.info
    while info[HEAD_BLOCKS] < info[TRAIL]:
        t = info[HEAD_BLOCKS]
        info[HEAD_BLOCKS] = t + 1
        if s.edge[s.trail[t, WHICH], STATE] == OUT and not open_edge(s, t):
            info[CULPRIT] = BLOCKS
            return False
    return True
