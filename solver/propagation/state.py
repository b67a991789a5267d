"""The state of propagation: every edge of the board unknown, in, or out.

A completed walk becomes a closed tour when one *virtual edge* joins end cell and start
cell. Then every open cell has degree two. The walk consists of edges that are in, and a
move is another edge that is in. So decisions only grow along a walk. Going back cuts
the *trail*, the decided edges in order. A *conflict* means that no tour has all edges
that are in and no edge that is out.

An *edge* is ``2 * cell + k``, k = 0 to the right, k = 1 down. The last number is that
of the missing neighbours of border cells, and always out. A *fragment* is a maximal
path of edges that are in; OTHER of one end is the other end (stale inside). Start and
end cell are the ends of a fragment from the beginning, the virtual edge. All data of a
cell stand in one row of one array, likewise of an edge: a step touches little memory.

**Block chain.** Every completion is a path from the live end to the end cell through
all unvisited cells. So the graph of possible edges is connected, and its block-cut tree
is a path from live end to end cell (Hopcroft & Tarjan, "Algorithm 447: efficient
algorithms for graph manipulation", CACM 16, 1973). The completion crosses each block
from one end to the other through all its cells, and colours alternate: black minus
white is 1 between black ends, -1 between white ends, 0 between ends of two colours.
`chain` tests all this in O(cells).

With the virtual edge the graph of the whole tour has no cut cell. With the two-factor
flow the colours follow. Let a block have the ends x, black, and y, with one chosen edge
of x in the block and k of y. Count the chosen edges between ends and inside by colour,
I the imbalance of the inside. If y is black, 2 I = -(1 + k), so k = 1 and I = -1. If y
is white, 2 I = k - 1, so k = 1 and I = 0. The ends demand that, and k = 1 leaves one
edge for the next block.

So, with the flow, only cut cells matter, and `open_edges` maintains faces to see them.
If start and end cell lie on the border of the board, the graph of possible edges is
plane, with the virtual edge around it. A plane graph has no cut cell exactly when no
cell meets a face at two of its corners. An edge that goes out joins the faces on its
two sides. Only cells on the smaller face can come to meet the joined face twice, so
only these are tested. Mostly the smaller face is one unit square.

A *square* is ``row * (cols + 1) + col`` of its upper left corner point, outer squares
included: cell (r, c) has the squares (r, c), (r, c + 1), (r + 1, c + 1) and (r + 1, c)
around it. A face is a tree of squares and a ring of them. `cut_trail` separates faces.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board
from solver.jit import njit, njit_within

Number: TypeAlias = int | np.integer[Any]  # kernels are compiled for int64 alone

UNKNOWN, IN, OUT = 0, 1, 2

# Bits of the rules, in the order of the rule book.
FORCED, FRAGMENTS, BLOCKS, FLOW = 1, 2, 4, 8

# Indices into `State.info`.
CELLS, COLS, OPEN, START, END, RULES = 0, 1, 2, 3, 4, 5
TRAIL = 6  # number of decided edges
TAKEN = 7  # number of edges in, the virtual one too
HEAD = 8  # edges of the trail that each rule has seen: forced, match, check, blocks
HEAD_MATCH, HEAD_CHECK, HEAD_BLOCKS = 9, 10, 11
STAMP, CLOCK = 12, 13  # for marks that never need clearing
CULPRIT = 14  # bit of the rule that found the last conflict
STEPS = 15  # length of the walk
DEAD = 16  # length of the walk when the conflict came, 0 if none
WORK = 17  # nodes of the search oracle
PLANE = 18  # 1 if faces show the cut cells
REACHED = 19  # number of cells that the last search in vain reached
TOUR = 20  # 1 if a choice was a tour: TOURED has it, the log what changed since
LOGGED = 21  # number of edges in the log
CYCLES = 22  # number of cycles of the choice
SEEDS = 23  # number of cells in the queue, on every cycle but at most one
BIG = 24  # the cycle of all cells without a label, or the largest one
BOTTOM = 25  # number of decided edges where the search for a completion began
DEPTH, NODES = 26, 27  # its open branches and its nodes
GOOD = 28  # 0 if its last node met a conflict
INFO = 29

LAST_STAMP = 2**30  # marks restart after it; one call makes far fewer
PAIRS = 1024  # room for pairs of cells that must stay linked

# Columns of `State.cell`.
NEAR = 0  # and three more: the neighbour in direction d, or -1
EDGE = 4  # and three more: the edge in direction d, or 2 n
FENCE = 8  # and three more: 1 if an edge in direction d still separates faces
NEED = 12  # edges that the cell still needs
OPTIONS = 13  # unknown edges, which it may still get
OTHER = 14  # other end of the fragment
BLACK = 15  # 1 for the colour of the upper left cell
VISITED = 16  # 1 on the walk and for walls
FOUND, LOW = 17, 18  # depth-first numbers, above the clock of the search before
TURN = 19  # next neighbour to look at
MARK, MARK_BACK = 20, 21  # stamps of the forward and the backward search
PARENT, PARENT_BACK = 22, 23  # edge by which a search came
LABEL, LABELLED = 24, 25  # part of a cycle, and the stamp that makes it valid
LINKS = 26  # its two neighbours in its cycle, xor of their numbers
CELL_COLUMNS = 27

# Columns of `State.edge`.
FIRST, SECOND = 0, 1  # its two cells
STATE = 2  # UNKNOWN, IN, OUT
WHY = 3  # bit of the rule that decided the edge, 0: a move
PLACE = 4  # index of a decided edge in the trail
TOURED = 5  # 1 if the last tour had the edge
LISTED = 6  # 1 if the edge is in the log
EDGE_COLUMNS = 7

# Columns of `State.trail`, the decided edges in order.
WHICH = 0  # the edge
TIP, TAIL = 1, 2  # ends of the fragment that it made, -1 if none
JOINED = 3  # the face that it joined to another, -1 if none
TRAIL_COLUMNS = 4

# Columns of `State.square`, see `blocks`.
FACE, RING, WEIGHT = 0, 1, 2

# Columns of `State.part`, see `flow`: parts of cycles, and steps along them.
UNDER, SIZE, ACTIVE = 0, 1, 2
HERE, BEFORE, WHOSE = 3, 4, 5
PART_COLUMNS = 6

# Columns of `State.step`.
AT, BACK = 0, 1  # the cell, and the trail's length before it
CLOSED = 2  # 1 if the search oracle has a fixed point here


class State(NamedTuple):
    """Arrays of one propagation; n cells, m = 2 n + 1 edges; columns by name above."""

    info: npt.NDArray[np.int64]  # (INFO,): numbers by the names above
    cell: npt.NDArray[np.int32]  # (n, CELL_COLUMNS)
    edge: npt.NDArray[np.int32]  # (m, EDGE_COLUMNS)
    match: npt.NDArray[np.uint8]  # (m,): 1 for the edges of the current two-factor
    trail: npt.NDArray[np.int32]  # (m, TRAIL_COLUMNS)
    step: npt.NDArray[np.int32]  # (n + 1, 3): the walk
    square: npt.NDArray[np.int32]  # (squares, 3): trees of squares
    queue: npt.NDArray[np.int32]  # (2 n,)
    stack: npt.NDArray[np.int32]  # (n,)
    pair: npt.NDArray[np.int32]  # (PAIRS, 2): cells that must be linked
    log: npt.NDArray[np.int32]  # (m,): edges exchanged since the last tour
    part: npt.NDArray[np.int32]  # (2 n, PART_COLUMNS)


def new_state(board: Board, rules: int) -> State:
    """Return the state of the empty walk, nothing decided but what is missing."""
    n = board.cells
    m = 2 * n + 1
    numbers = np.arange(n)
    row, col = numbers // board.cols, numbers % board.cols
    near = board.neighbours
    cell = np.zeros((n, CELL_COLUMNS), dtype=np.int32)
    cell[:, NEAR : NEAR + 4] = near
    beside = [2 * (numbers - board.cols) + 1, 2 * numbers, 2 * numbers + 1]
    beside.append(2 * (numbers - 1))
    cell[:, EDGE : EDGE + 4] = np.where(near >= 0, np.stack(beside, axis=-1), 2 * n)
    cell[:, NEED] = 2
    cell[list(board.walls), NEED] = 0
    cell[[board.start, board.end], NEED] -= 1
    cell[:, OPTIONS] = (near >= 0).sum(axis=1)
    cell[:, OTHER] = numbers
    cell[board.start, OTHER], cell[board.end, OTHER] = board.end, board.start
    cell[board.start, LINKS], cell[board.end, LINKS] = board.end, board.start
    cell[:, BLACK] = (row + col) % 2 == 0
    cell[[board.start, *board.walls], VISITED] = 1
    edge = np.zeros((m, EDGE_COLUMNS), dtype=np.int32)
    edge[: 2 * n, FIRST] = np.repeat(numbers, 2)
    edge[0 : 2 * n : 2, SECOND] = numbers + 1
    edge[1 : 2 * n : 2, SECOND] = numbers + board.cols
    edge[:, STATE] = OUT
    edge[cell[:, EDGE : EDGE + 4][near >= 0], STATE] = UNKNOWN
    edge[:, PLACE] = -1
    info = np.zeros(INFO, dtype=np.int64)
    info[[CELLS, COLS, OPEN]] = n, board.cols, board.open_cells
    info[[START, END, RULES]] = board.start, board.end, rules
    info[[TAKEN, STEPS]] = 1, 1
    ends = [board.start, board.end]
    rim = (row % (board.rows - 1 or 1) == 0) | (col % (board.cols - 1 or 1) == 0)
    whole = BLOCKS | FRAGMENTS | FLOW
    info[PLANE] = rules & whole == whole and rim[ends].all()
    step = np.zeros((n + 1, 3), dtype=np.int32)
    step[0, AT] = board.start
    return State(
        info=info,
        cell=cell,
        edge=edge,
        match=np.zeros(m, dtype=np.uint8),
        trail=np.full((m, TRAIL_COLUMNS), -1, dtype=np.int32),
        step=step,
        square=np.zeros(((board.rows + 1) * (board.cols + 1), 3), dtype=np.int32),
        queue=np.zeros(2 * n, dtype=np.int32),
        stack=np.zeros(n, dtype=np.int32),
        pair=np.zeros((PAIRS, 2), dtype=np.int32),
        log=np.zeros(m, dtype=np.int32),
        part=np.zeros((2 * n, PART_COLUMNS), dtype=np.int32),
    )


@njit
def decide_edge(s: State, e: Number, value: Number, rule: Number) -> bool:
    """Kernel: put an unknown edge in or out; after False, a conflict, cut the trail."""
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
def _part_faces(s: State, t: int) -> None:
    """Kernel: undo `_open_edge`."""
    p = s.trail[t, JOINED]
    q = s.square[p, FACE]
    s.square[p, FACE] = p
    s.square[q, WEIGHT] -= s.square[p, WEIGHT]
    s.square[p, RING], s.square[q, RING] = s.square[q, RING], s.square[p, RING]
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
            s.cell[a, NEED] += 1
            s.cell[b, NEED] += 1
            x = s.trail[t, TIP]
            if x >= 0:
                # Inside a fragment `other` was left as it stood when a and b were ends.
                s.cell[x, OTHER] = a
                s.cell[s.trail[t, TAIL], OTHER] = b
        elif s.trail[t, JOINED] >= 0:
            _part_faces(s, t)
        s.edge[e, STATE] = UNKNOWN
    info[TRAIL] = info[HEAD] = t
    info[HEAD_MATCH] = info[HEAD_CHECK] = info[HEAD_BLOCKS] = t


@njit
def force(s: State, c: Number) -> bool:
    """Kernel: the forced edges of one cell; False is a conflict.

    A satisfied cell drops its other edges, whatever the rules. By the rule a cell with
    as many possible edges as it needs takes them all.
    """
    need, unknown = s.cell[c, NEED], s.cell[c, OPTIONS]
    if s.info[RULES] & FORCED and need > unknown:
        s.info[CULPRIT] = FORCED
        return False
    whole = s.info[RULES] & FORCED and need == unknown
    if unknown == 0 or not (need == 0 or whole):
        return True
    value = OUT if need == 0 else IN
    for d in range(4):
        e = s.cell[c, EDGE + d]
        if s.edge[e, STATE] == UNKNOWN and not decide_edge(s, e, value, FORCED):
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
def propagate_forced(s: State) -> bool:
    """Kernel: forced edges and fragments to their fixed point; False is a conflict."""
    info = s.info
    while info[HEAD] < info[TRAIL]:
        t = info[HEAD]
        info[HEAD] = t + 1
        e = s.trail[t, WHICH]
        if not force(s, s.edge[e, FIRST]):
            return False
        if not force(s, s.edge[e, SECOND]):
            return False
        x = s.trail[t, TIP]
        if x >= 0 and info[RULES] & FRAGMENTS:
            y = s.trail[t, TAIL]
            f = edge_between(s, x, y)
            closes = s.cell[x, OTHER] == y and s.edge[f, STATE] == UNKNOWN
            if closes and info[TAKEN] != info[OPEN] - 1:
                decide_edge(s, f, OUT, FRAGMENTS)
    return True


@njit_within
def _enter(s: State, cell: Number, parent: Number, clock: int) -> None:
    s.cell[cell, FOUND] = s.cell[cell, LOW] = clock
    s.cell[cell, TURN] = 0
    s.cell[cell, PARENT] = parent


@njit_within
def _take_block(
    s: State, top: int, last: Number, near: Number, far: Number
) -> tuple[int, bool]:
    """Kernel: take a block off the stack; its new height, and whether it is good.

    The block is `near` and all from `last` on. The chain crosses it to `far`.
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
    _enter(s, c, -1, clock)
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
                _enter(s, v, c, clock)
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
                top, good = _take_block(s, top, c, p, far)
                far = p
            if s.cell[c, LOW] < s.cell[p, LOW]:
                s.cell[p, LOW] = s.cell[c, LOW]
            c = p
    info[CLOCK] = clock
    return bool(good and clock - start == info[OPEN] - info[STEPS] + 1)


@njit
def _square_at(s: State, c: Number, i: Number) -> int:
    """Kernel: the square at corner i of a cell: 0 to 3 clockwise from upper left."""
    cols = s.info[COLS]
    row, col = c // cols + i // 2, c % cols + (i + 1) // 2 % 2
    return int(row * (cols + 1) + col)


@njit
def _face_of(s: State, square: int) -> int:
    """Kernel: the square that stands for the face."""
    while s.square[square, FACE] != square:
        square = s.square[square, FACE]
    return square


@njit
def _join_faces(s: State, p: int, q: int) -> int:
    """Kernel: join two faces, the smaller to the larger; returns the smaller."""
    if s.square[p, WEIGHT] > s.square[q, WEIGHT]:
        p, q = q, p
    s.square[p, FACE] = q
    s.square[q, WEIGHT] += s.square[p, WEIGHT]
    s.square[p, RING], s.square[q, RING] = s.square[q, RING], s.square[p, RING]
    return p


@njit
def lay_faces(s: State) -> None:
    """Kernel: make the faces of the board with all its edges and the virtual edge."""
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
        d = 0 if row == 0 else 1 if col == cols - 1 else 2 if row == rows - 1 else 3
        s.cell[c, FENCE + d] = 1
    for c in range(info[CELLS]):
        for d in range(4):
            if s.cell[c, FENCE + d] == 0:
                p = _face_of(s, _square_at(s, c, d))
                q = _face_of(s, _square_at(s, c, (d + 1) % 4))
                if p != q:
                    _join_faces(s, p, q)


@njit
def _meets_twice(s: State, c: int, face: int) -> bool:
    """Kernel: whether a cell has two corners, with edges between them, on a face."""
    corners = 0
    for d in range(4):
        # Clockwise after the edge in direction d comes the square at corner d + 1.
        if s.cell[c, FENCE + d] == 1:
            corners += _face_of(s, _square_at(s, c, (d + 1) % 4)) == face
    return corners > 1


@njit
def _open_edge(s: State, t: int) -> bool:
    """Kernel: join the faces at edge number t of the trail; False: a cut cell."""
    info = s.info
    e = s.trail[t, WHICH]
    a, b = s.edge[e, FIRST], s.edge[e, SECOND]
    d = 1 + e % 2
    p = _face_of(s, _square_at(s, a, d))
    q = _face_of(s, _square_at(s, a, d + 1))
    if p == q:
        return False
    s.cell[a, FENCE + d] = 0
    s.cell[b, FENCE + (d + 2) % 4] = 0
    small = _join_faces(s, p, q)
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
            if inside and _meets_twice(s, r * cols + c, large):
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
        if s.edge[s.trail[t, WHICH], STATE] == OUT and not _open_edge(s, t):
            info[CULPRIT] = BLOCKS
            return False
    return True
