"""The block chain by faces: what an edge out does to the graph, at the cost of a look.

The graph of possible edges is drawn in the plane, with the virtual edge around it, if
start and end cell lie on the border of the board. A plane graph has no cut cell exactly
when no cell meets the same face at two of its corners. An edge that goes out joins the
faces on its two sides; only cells on the smaller of them can come to meet the joined
face twice, so only they are looked at. Mostly that is one unit square.

A *square* is ``row * (cols + 1) + col`` of its upper left corner point, outer ones
included, so that cell (r, c) has the squares (r, c), (r, c + 1), (r + 1, c + 1) and
(r + 1, c) around it. A face is a tree of squares and a ring of them. What is joined is
put apart again by `solver.edges.cut_trail`, last first.
"""

import numpy as np

from solver.edges import (
    BLOCKS,
    CELLS,
    COLS,
    CULPRIT,
    END,
    HEAD_BLOCKS,
    OUT,
    START,
    TRAIL,
    Number,
    State,
)
from solver.jit import njit


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
    while s.face[square] != square:
        square = s.face[square]
    return square


@njit
def join_faces(s: State, p: int, q: int) -> int:
    """Kernel: join two faces, the smaller to the larger; returns the smaller."""
    if s.weight[p] > s.weight[q]:
        p, q = q, p
    s.face[p] = q
    s.weight[q] += s.weight[p]
    s.ring[p], s.ring[q] = s.ring[q], s.ring[p]
    return p


@njit
def lay_faces(s: State) -> None:
    """Kernel: the faces of the board with all its edges and the virtual edge."""
    info = s.info
    cols = info[COLS]
    rows = info[CELLS] // cols
    for square in range((rows + 1) * (cols + 1)):
        s.face[square] = square
        s.ring[square] = square
        s.weight[square] = 1
    for i in range(4 * info[CELLS]):
        s.fence[i] = 1 if s.near[i] >= 0 else 0
    for c in (info[START], info[END]):  # the virtual edge leaves across the border
        row, col = c // cols, c % cols
        if row == 0:
            s.fence[4 * c] = 1
        elif col == cols - 1:
            s.fence[4 * c + 1] = 1
        elif row == rows - 1:
            s.fence[4 * c + 2] = 1
        else:
            s.fence[4 * c + 3] = 1
    for c in range(info[CELLS]):
        for d in range(4):
            if s.fence[4 * c + d] == 0:
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
        if s.fence[4 * c + d] == 0:
            continue
        if face_of(s, beside(s, np.int64(c), np.int64((d + 1) % 4))) == face:
            corners += 1
    return corners > 1


@njit
def open_edge(s: State, t: int) -> bool:
    """Kernel: take the edge out that is number t of the trail; False: a cut cell."""
    info = s.info
    e = s.trail[3 * t]
    a, b = s.ends[2 * e], s.ends[2 * e + 1]
    d = 1 + e % 2
    p = face_of(s, beside(s, np.int64(a), np.int64(d)))
    q = face_of(s, beside(s, np.int64(a), np.int64(d + 1)))
    if p == q:
        return False
    s.fence[4 * a + d] = 0
    s.fence[4 * b + (d + 2) % 4] = 0
    small = join_faces(s, p, q)
    large = s.face[small]
    s.joined[t] = small
    cols = info[COLS]
    rows = info[CELLS] // cols
    # The rings are one now: the squares of the smaller face come after the larger's.
    square = s.ring[large]
    while True:
        row, col = square // (cols + 1), square % (cols + 1)
        for i in range(4):
            r, c = row - i // 2, col - i % 2
            inside = 0 <= r < rows and 0 <= c < cols
            if inside and meets_twice(s, r * cols + c, large):
                return False
        if square == small:
            return True
        square = s.ring[square]


@njit
def open_edges(s: State) -> bool:
    """Kernel: the block chain after the edges that went out; False is a conflict."""
    info = s.info
    while info[HEAD_BLOCKS] < info[TRAIL]:
        t = info[HEAD_BLOCKS]
        info[HEAD_BLOCKS] = t + 1
        if s.state[s.trail[3 * t]] == OUT and not open_edge(s, t):
            info[CULPRIT] = BLOCKS
            return False
    return True
