"""The block chain by faces: what an edge out does to the graph, at the cost of a look.

The graph of possible edges is drawn in the plane, with the virtual edge around it, if
start and end cell lie on the border of the board. A plane graph has no cut cell exactly
when no cell meets the same face at two of its corners. An edge that goes out joins the
faces on its two sides; only cells on the smaller of them can come to meet the joined
face twice, so only they are looked at. Mostly that is one unit square.

A *square* is ``row * (cols + 1) + col`` of its upper left corner point, outer ones
included, so that cell (r, c) has the squares (r, c), (r, c + 1), (r + 1, c + 1) and
(r + 1, c) around it. A face is a tree of squares and a ring of them. What is joined is
put apart again by `solver.propagation.edges.cut_trail`, last first.
"""

import numpy as np

from solver.jit import njit
from solver.propagation.state import (
    BLOCKS,
    CELLS,
    COLS,
    CULPRIT,
    END,
    FACE,
    FENCE,
    FIRST,
    HEAD_BLOCKS,
    JOINED,
    NEAR,
    OUT,
    RING,
    SECOND,
    START,
    STATE,
    TRAIL,
    WEIGHT,
    WHICH,
    Number,
    State,
)


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
