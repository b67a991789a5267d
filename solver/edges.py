"""The state of propagation: every edge of the board unknown, in, or out.

A completed walk becomes a closed tour when one *virtual edge* joins end cell and
start cell. Then every open cell has degree two, the walk so far is nothing but edges
that are in, and a move is one more edge that is in. So everything only ever grows
along a walk, and going back is cutting a trail.

An *edge* is ``2 * cell + k``, k = 0 to the right, k = 1 down; one number more stands
for the missing neighbours of border cells and is always out. A *fragment* is a maximal
path of edges that are in; ``other`` of one end is the other end (stale inside). The
virtual edge is in from the beginning: start and end cell are the ends of a fragment.

A conflict means that no tour has all edges that are in and none that are out. The
trail holds the decided edges in order, with the fragment ends that each one joined.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell
from solver.jit import njit

Number: TypeAlias = int | np.integer[Any]  # kernels are compiled for int64 alone

UNKNOWN, IN, OUT = 0, 1, 2

# Bits of the rules, in the order of the rule book.
FORCED, FRAGMENTS, BLOCKS, FLOW, PROBING = 1, 2, 4, 8, 16

# Indices into `State.info`.
CELLS, COLS, OPEN, START, END, RULES = 0, 1, 2, 3, 4, 5
TRAIL = 6  # number of decided edges
TAKEN = 7  # number of edges in, the virtual one too
ACTIVE = 8  # number of cells that still need an edge
HEAD = 9  # decided edges before these have been settled, matched, checked, linked
HEAD_MATCH, HEAD_CHECK, HEAD_BLOCKS = 10, 11, 12
STAMP, CLOCK = 13, 14  # for marks that never need clearing
CULPRIT = 15  # bit of the rule that found the last conflict
STEPS = 16  # length of the walk
DEAD = 17  # length of the walk when the conflict came, 0 if none
WORK = 18  # questions, nodes: whatever the caller counts
LABELS = 19  # number of cycles that were last labelled
NEXT_TOUR = 20  # where the next known tour is kept
LOOSE = 21  # number of cells on other cycles than the walk's
PLANE = 22  # 1 if the block chain is kept by faces
INFO = 23

TOURS = 24  # known tours that probing keeps


class State(NamedTuple):
    """Arrays of one propagation; n cells, m = 2 n + 1 edges."""

    info: npt.NDArray[np.int64]  # (INFO,): numbers by the names above
    near: npt.NDArray[np.int32]  # (4 n,): neighbour in direction d, or -1
    edge_at: npt.NDArray[np.int32]  # (4 n,): edge in direction d, or 2 n
    ends: npt.NDArray[np.int32]  # (2 m,): the two cells of an edge
    black: npt.NDArray[np.uint8]  # (n,)
    state: npt.NDArray[np.uint8]  # (m,): UNKNOWN, IN, OUT
    why: npt.NDArray[np.uint8]  # (m,): bit of the rule that decided the edge, 0: a move
    place: npt.NDArray[np.int32]  # (m,): index of a decided edge in the trail
    need: npt.NDArray[np.int32]  # (n,): edges that the cell still needs
    unknown: npt.NDArray[np.int32]  # (n,): edges that it may still get
    other: npt.NDArray[np.int32]  # (n,): other end of the fragment
    trail: npt.NDArray[np.int32]  # (3 m,): edge, and the fragment ends it joined
    match: npt.NDArray[np.uint8]  # (m,): 1 for the edges of the current two-factor
    mark: npt.NDArray[np.int64]  # (2 n,): stamps of the forward and backward search
    parent: npt.NDArray[np.int32]  # (2 n,)
    queue: npt.NDArray[np.int32]  # (2 n,)
    found: npt.NDArray[np.int64]  # (n,): depth-first numbers
    low: npt.NDArray[np.int64]  # (n,)
    turn: npt.NDArray[np.int32]  # (2 n,): next neighbour to look at; and a stack
    walk: npt.NDArray[np.int32]  # (n + 1,)
    back: npt.NDArray[np.int32]  # (n + 1,): length of the trail before each step
    visited: npt.NDArray[np.uint8]  # (n,): on the walk or a wall
    face: npt.NDArray[np.int32]  # (squares,): trees of squares, see `solver.faces`
    ring: npt.NDArray[np.int32]  # (squares,): next square of the face
    weight: npt.NDArray[np.int32]  # (squares,): number of squares, at the root
    fence: npt.NDArray[np.uint8]  # (4 n,): an edge in that direction still separates
    joined: npt.NDArray[np.int32]  # (m,): by place in the trail: the face that joined
    tours: npt.NDArray[np.uint8]  # (TOURS, m): tours known to probing, like `match`
    agree: npt.NDArray[np.int32]  # (TOURS,): cells of the walk that the tour follows


def _on_border(board: Board, cell: Cell) -> bool:
    row, col = divmod(cell, board.cols)
    return row in (0, board.rows - 1) or col in (0, board.cols - 1)


def new_state(board: Board, rules: int) -> State:
    """Return the state of the empty walk, nothing decided but what is missing."""
    n = board.cells
    m = 2 * n + 1
    near = board.neighbours.reshape(-1)
    cell = np.arange(n)
    edge_at = np.stack(
        [2 * (cell - board.cols) + 1, 2 * cell, 2 * cell + 1, 2 * (cell - 1)], axis=-1
    ).reshape(-1)
    edge_at[near < 0] = 2 * n
    state = np.full(m, OUT, dtype=np.uint8)
    state[edge_at[near >= 0]] = UNKNOWN
    ends = np.zeros((m, 2), dtype=np.int32)
    ends[: 2 * n, 0] = np.repeat(cell, 2)
    ends[0 : 2 * n : 2, 1] = cell + 1
    ends[1 : 2 * n : 2, 1] = cell + board.cols
    need = np.full(n, 2, dtype=np.int32)
    need[list(board.walls)] = 0
    need[[board.start, board.end]] -= 1
    other = np.arange(n, dtype=np.int32)
    other[board.start], other[board.end] = board.end, board.start
    visited = np.zeros(n, dtype=np.uint8)
    visited[[board.start, *board.walls]] = 1
    info = np.zeros(INFO, dtype=np.int64)
    info[[CELLS, COLS, OPEN]] = n, board.cols, board.open_cells
    info[[START, END, RULES]] = board.start, board.end, rules
    info[[TAKEN, ACTIVE, STEPS]] = 1, board.open_cells, 1
    whole = rules & BLOCKS and rules & FRAGMENTS and rules & FLOW
    info[PLANE] = bool(whole) and all(
        _on_border(board, cell) for cell in (board.start, board.end)
    )
    squares = (board.rows + 1) * (board.cols + 1)
    walk = np.zeros(n + 1, dtype=np.int32)
    walk[0] = board.start
    return State(
        info=info,
        near=near.astype(np.int32),
        edge_at=edge_at.astype(np.int32),
        ends=ends.reshape(-1),
        black=((cell // board.cols + cell % board.cols) % 2 == 0).astype(np.uint8),
        state=state,
        why=np.zeros(m, dtype=np.uint8),
        place=np.full(m, -1, dtype=np.int32),
        need=need,
        unknown=(near.reshape(n, 4) >= 0).sum(axis=1).astype(np.int32),
        other=other,
        trail=np.zeros(3 * m, dtype=np.int32),
        match=np.zeros(m, dtype=np.uint8),
        mark=np.zeros(2 * n, dtype=np.int64),
        parent=np.zeros(2 * n, dtype=np.int32),
        queue=np.zeros(2 * n, dtype=np.int32),
        found=np.zeros(n, dtype=np.int64),
        low=np.zeros(n, dtype=np.int64),
        turn=np.zeros(2 * n, dtype=np.int32),
        walk=walk,
        back=np.zeros(n + 1, dtype=np.int32),
        visited=visited,
        face=np.zeros(squares, dtype=np.int32),
        ring=np.zeros(squares, dtype=np.int32),
        weight=np.zeros(squares, dtype=np.int32),
        fence=np.zeros(4 * n, dtype=np.uint8),
        joined=np.full(m, -1, dtype=np.int32),
        tours=np.zeros((TOURS, m if rules & PROBING else 1), dtype=np.uint8),
        agree=np.zeros(TOURS, dtype=np.int32),
    )


@njit
def decide(s: State, e: Number, value: Number, rule: Number) -> bool:
    """Kernel: put an unknown edge in or out; False is a conflict.

    The caller names the rule that decides. After a conflict the trail must be cut.
    """
    info = s.info
    a, b = s.ends[2 * e], s.ends[2 * e + 1]
    t = info[TRAIL]
    info[TRAIL] = t + 1
    s.state[e] = value
    s.why[e] = rule
    s.place[e] = t
    s.unknown[a] -= 1
    s.unknown[b] -= 1
    s.trail[3 * t] = e
    s.trail[3 * t + 1] = -1
    s.joined[t] = -1
    if value == OUT:
        return True
    info[TAKEN] += 1
    s.need[a] -= 1
    s.need[b] -= 1
    if s.need[a] == 0:
        info[ACTIVE] -= 1
    if s.need[b] == 0:
        info[ACTIVE] -= 1
    if s.need[a] < 0 or s.need[b] < 0:
        info[CULPRIT] = FORCED
        return False
    x, y = s.other[a], s.other[b]
    if x == b:  # a loop, good only as the whole tour
        if info[TAKEN] != info[OPEN] and info[RULES] & FRAGMENTS:
            info[CULPRIT] = FRAGMENTS
            return False
        return True
    s.other[x] = y
    s.other[y] = x
    s.trail[3 * t + 1] = x
    s.trail[3 * t + 2] = y
    return True


@njit
def part_faces(s: State, t: int) -> None:
    """Kernel: put apart the two faces that number t of the trail joined."""
    small = s.joined[t]
    large = s.face[small]
    s.face[small] = small
    s.weight[large] -= s.weight[small]
    s.ring[small], s.ring[large] = s.ring[large], s.ring[small]
    e = s.trail[3 * t]
    d = 1 + e % 2
    s.fence[4 * s.ends[2 * e] + d] = 1
    s.fence[4 * s.ends[2 * e + 1] + (d + 2) % 4] = 1


@njit
def cut_trail(s: State, target: int) -> None:
    """Kernel: undo decisions until `target` are left, exactly."""
    info = s.info
    t = info[TRAIL]
    while t > target:
        t -= 1
        e = s.trail[3 * t]
        a, b = s.ends[2 * e], s.ends[2 * e + 1]
        s.unknown[a] += 1
        s.unknown[b] += 1
        if s.state[e] == IN:
            info[TAKEN] -= 1
            if s.need[a] == 0:
                info[ACTIVE] += 1
            if s.need[b] == 0:
                info[ACTIVE] += 1
            s.need[a] += 1
            s.need[b] += 1
            x = s.trail[3 * t + 1]
            if x >= 0:
                # Inside a fragment `other` was left as it stood when a and b were ends.
                s.other[x] = a
                s.other[s.trail[3 * t + 2]] = b
        elif s.joined[t] >= 0:
            part_faces(s, t)
        s.state[e] = UNKNOWN
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
    need, unknown = s.need[c], s.unknown[c]
    if s.info[RULES] & FORCED and need > unknown:
        s.info[CULPRIT] = FORCED
        return False
    whole = s.info[RULES] & FORCED and need == unknown
    if unknown == 0 or not (need == 0 or whole):
        return True
    value = np.int64(OUT if need == 0 else IN)
    for d in range(4):
        e = np.int64(s.edge_at[4 * c + d])
        if s.state[e] == UNKNOWN and not decide(s, e, value, np.int64(FORCED)):
            return False
    return True


@njit
def edge_between(s: State, a: Number, b: Number) -> int:
    """Kernel: the edge of two cells, or 2 n if they do not touch."""
    for d in range(4):
        if s.near[4 * a + d] == b:
            return int(s.edge_at[4 * a + d])
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
        e = s.trail[3 * t]
        if not force(s, np.int64(s.ends[2 * e])):
            return False
        if not force(s, np.int64(s.ends[2 * e + 1])):
            return False
        x = s.trail[3 * t + 1]
        if x >= 0 and info[RULES] & FRAGMENTS:
            y = s.trail[3 * t + 2]
            if s.other[x] == y and info[TAKEN] != info[OPEN] - 1:
                f = edge_between(s, np.int64(x), np.int64(y))
                if s.state[f] == UNKNOWN:
                    decide(s, np.int64(f), np.int64(OUT), np.int64(FRAGMENTS))
    return True
