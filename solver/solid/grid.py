"""The free cells of a position as a graph, with a path factor on it.

Words, as in Umans and Lenhart, "Hamiltonian cycles in solid grid graphs", FOCS 1997:

* the *graph* has the unvisited cells and the live end as vertices, and an edge between
  any two that touch. If the walk begins on the rim and the board has no walls, the
  graph is *solid*: every bounded face is a unit square.
* a *path factor* has one edge at the live end and at the end cell and two at every
  other cell: one path and some cycles, its *components*. Its edges are *dark*, the
  other edges of the graph *light*.
* a *square* is four cells of the graph around a corner point, named by its upper left
  cell. A *border square* has corners in two components or more.

Cells are padded by a frame, ``(row + 1) * width + col + 1`` with ``width = cols + 2``,
so that every neighbour of a cell is an index. Sets of edges at a cell are bits: U 1,
R 2, D 4, L 8. The sides of a square have the same bits: top, right, bottom, left.

A path factor is a flow from cells of one colour to cells of the other. `augment` makes
one from any first guess. If it fails, the cells that its last search came to are the
region U of a certificate C1: of the root's colour, fewer edges leave U than must.

A square of *type III* has two parallel dark sides, of different components. To *flip*
it, to exchange dark and light along its sides, joins them. `join_parallel` flips all
such squares. `solver.solid.static` joins what is left, or shows that nothing can.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.jit import njit
from solver.solid.witness import flip, is_square, sides

Number: TypeAlias = int | np.integer[Any]  # kernels are compiled for int64 alone

# Indices into `Solid.info`.
WIDTH, SIZE = 0, 1  # of the padded board: columns, and cells in all
LIVE, END = 2, 3  # padded cells
COMPONENTS = 4
STAMP = 5  # of the last search, see `Solid.mark`
ROOT = 6  # where the search began that found no augmenting path, or -1
CELLS = 7  # cells of the graph
INFO = 8


class Solid(NamedTuple):
    """Arrays of one graph and its path factor; n padded cells."""

    info: npt.NDArray[np.int64]  # (INFO,): numbers by the names above
    step: npt.NDArray[np.int64]  # (4,): to the neighbour in direction U, R, D, L
    open: npt.NDArray[np.uint8]  # (n,): 1 for the cells of the board, walls are none
    inside: npt.NDArray[np.uint8]  # (n,): 1 for the cells of the graph
    colour: npt.NDArray[np.uint8]  # (n,): 1 for the colour of the upper left cell
    near: npt.NDArray[np.uint8]  # (n,): edges of the graph, bits
    dark: npt.NDArray[np.uint8]  # (n,): edges of the factor, bits
    need: npt.NDArray[np.int8]  # (n,): edges that a factor has at the cell
    lack: npt.NDArray[np.int8]  # (n,): need less dark edges
    component: npt.NDArray[np.int32]  # (n,): from 0, of the path; -1 outside the graph
    parent: npt.NDArray[np.int32]  # (n,): of components that were joined, a forest
    mark: npt.NDArray[np.int32]  # (n,): stamp of the last search that came by
    back: npt.NDArray[np.int8]  # (n,): direction by which it came
    queue: npt.NDArray[np.int32]  # (n,)


def new_solid(board: Board) -> Solid:
    """Return room for the graphs of a board's positions."""
    width = board.cols + 2
    size = width * (board.rows + 2)
    row, col = np.divmod(np.arange(size), width)
    info = np.zeros(INFO, np.int64)
    info[WIDTH], info[SIZE] = width, size
    cells = np.zeros((board.rows + 2, width), np.uint8)
    cells[1:-1, 1:-1] = 1
    cells.reshape(-1)[[pad(board, wall) for wall in board.walls]] = 0
    return Solid(
        info=info,
        step=np.array([-width, 1, width, -1], np.int64),
        open=cells.reshape(-1),
        inside=np.zeros(size, np.uint8),
        colour=((row + col) % 2 == 0).astype(np.uint8),
        near=np.zeros(size, np.uint8),
        dark=np.zeros(size, np.uint8),
        need=np.zeros(size, np.int8),
        lack=np.zeros(size, np.int8),
        component=np.full(size, -1, np.int32),
        parent=np.zeros(size, np.int32),
        mark=np.zeros(size, np.int32),
        back=np.zeros(size, np.int8),
        queue=np.zeros(size, np.int32),
    )


@njit
def enter(s: Solid, live: Number, end: Number) -> None:
    """Kernel: make the graph of the cells `inside`, between two padded cells.

    Dark edges that the graph still has stay, but for those that are too many at a cell:
    a factor of a position near by is a good first guess. O(cells).
    """
    width, step = s.info[WIDTH], s.step
    s.info[LIVE], s.info[END] = live, end
    cells = 0
    for c in range(width + 1, s.info[SIZE] - width - 1):
        s.near[c] = 0
        s.need[c] = 0
        s.lack[c] = 0
        if s.inside[c] == 0:
            s.dark[c] = 0
            s.component[c] = -1
            continue
        cells += 1
        s.need[c] = 2 - (c == live) - (c == end)
        for d in range(4):
            if s.inside[c + step[d]] == 1:
                s.near[c] |= np.uint8(1 << d)
        s.dark[c] &= s.near[c]
    s.info[CELLS] = cells
    trim(s)


@njit
def trim(s: Solid) -> None:
    """Kernel: drop dark edges that are too many at a cell; write what each cell lacks.

    `lack` must be zero before. O(cells).
    """
    width, step = s.info[WIDTH], s.step
    for c in range(width + 1, s.info[SIZE] - width - 1):
        if s.inside[c] == 0:
            continue
        lack = s.need[c]
        for d in range(4):
            if s.dark[c] >> d & 1:
                if lack == 0:
                    s.dark[c] ^= np.uint8(1 << d)
                    s.dark[c + step[d]] ^= np.uint8(1 << (d ^ 2))
                    if step[d] < 0:  # that one was counted before
                        s.lack[c + step[d]] += 1
                else:
                    lack -= 1
        s.lack[c] = lack


@njit
def enter_walk(s: Solid, walk: npt.NDArray[np.int32], cols: int, end: int) -> None:
    """Kernel: make the graph of a position; cells as on the board."""
    width = s.info[WIDTH]
    for c in range(s.info[SIZE]):
        s.inside[c] = s.open[c]
    for i in range(len(walk) - 1):
        s.inside[walk[i] + width + 1 + 2 * (walk[i] // cols)] = 0
    here = walk[len(walk) - 1]
    enter(s, here + width + 1 + 2 * (here // cols), end + width + 1 + 2 * (end // cols))


IN_SCOPE, HOLE, LIVE_INSIDE, END_INSIDE = 0, 1, 2, 3


@njit
def scope(s: Solid) -> int:
    """Kernel: whether the static search is proved for a graph, or why not.

    The cells less the edges and plus the squares are the connected parts less the
    holes. So a graph without holes passes, and no connected graph with one. O(cells).
    """
    info, near = s.info, s.near
    euler = int(info[CELLS])
    for c in range(info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1):
        euler -= int(near[c] >> 1 & 1) + int(near[c] >> 2 & 1)
        euler += is_square(near, int(info[WIDTH]), c)
    if euler < 1:
        return HOLE
    if near[info[LIVE]] == 15:
        return LIVE_INSIDE
    return END_INSIDE if near[info[END]] == 15 else IN_SCOPE


@njit
def is_apart(s: Solid, inner: bool) -> bool:
    """Kernel: whether the cells, or if `inner` those but the ends, are not connected.

    A Hamiltonian path without its ends is a path, so there is none then. O(cells).
    """
    info, step, seen = s.info, s.step, s.back
    for c in range(info[SIZE]):
        seen[c] = 1 - s.inside[c]
    if inner:
        seen[info[LIVE]] = 1
        seen[info[END]] = 1
    parts = 0
    for first in range(info[SIZE]):
        if seen[first] == 1:
            continue
        parts += 1
        seen[first] = 1
        s.queue[0] = first
        top = 1
        while top > 0:
            top -= 1
            c = int(s.queue[top])
            for d in range(4):
                v = int(c + step[d])
                if s.near[c] >> d & 1 and seen[v] == 0:
                    seen[v] = 1
                    s.queue[top] = v
                    top += 1
    return parts > 1


@njit
def label(s: Solid) -> int:
    """Kernel: number the components of the factor, the path first; return how many."""
    width, step, component = s.info[WIDTH], s.step, s.component
    for c in range(width + 1, s.info[SIZE] - width - 1):
        component[c] = -1
    count = 0
    begin = s.info[LIVE]
    for c in range(width, s.info[SIZE] - width - 1):
        if c > width:  # the path first, then whatever has no number yet
            begin = np.int64(c)
        if s.inside[begin] == 0 or component[begin] >= 0:
            continue
        at, came = begin, -1
        while component[at] < 0:
            component[at] = count
            for d in range(4):
                if s.dark[at] >> d & 1 and d != came:
                    at += step[d]
                    came = d ^ 2
                    break
        s.parent[count] = count
        count += 1
    s.info[COMPONENTS] = count
    return count


@njit
def follow(s: Solid, path: npt.NDArray[np.int32], cols: int) -> int:
    """Kernel: write the path after the live end, cells of the board; its length."""
    width = s.info[WIDTH]
    at, came, length = s.info[LIVE], -1, 0
    while at != s.info[END]:
        for d in range(4):
            if s.dark[at] >> d & 1 and d != came:
                at += s.step[d]
                came = d ^ 2
                break
        path[length] = (at // width - 1) * cols + at % width - 1
        length += 1
    return length


def load(s: Solid, position: Position) -> None:
    """Make the graph of any position, with walls too."""
    board, width = position.board, int(s.info[WIDTH])
    free = position.free
    free[position.live_end] = True
    s.inside.reshape(-1, width)[1:-1, 1:-1] = free.reshape(board.rows, board.cols)
    enter(s, pad(board, position.live_end), pad(board, board.end))


def pad(board: Board, cell: int) -> int:
    """Return the padded index of a cell of the board."""
    row, col = divmod(cell, board.cols)
    return (row + 1) * (board.cols + 2) + col + 1


def unpad(board: Board, at: int) -> int:
    """Return the cell of the board with a padded index."""
    row, col = divmod(at, board.cols + 2)
    return (row - 1) * board.cols + col - 1


_LAST_STAMP = 2**30


@njit
def _search(s: Solid, root: Number) -> int:
    """Kernel: find a cell that lacks an edge and can get it from the root, or -1.

    From cells of the root's colour by light edges, back by dark ones; breadth first.
    """
    s.info[STAMP] += 1
    if s.info[STAMP] == _LAST_STAMP:
        s.mark[:] = 0
        s.info[STAMP] = 1
    stamp = s.info[STAMP]
    mark, step, queue = s.mark, s.step, s.queue
    mark[root] = stamp
    queue[0] = root
    head, tail = 0, 1
    while head < tail:
        u = queue[head]
        head += 1
        light = s.near[u] & ~s.dark[u]
        for d in range(4):
            v = u + step[d]
            if light >> d & 1 == 0 or mark[v] == stamp:
                continue
            mark[v] = stamp
            s.back[v] = d
            if s.lack[v] > 0:
                return int(v)
            for k in range(4):
                w = v + step[k]
                if s.dark[v] >> k & 1 and mark[w] != stamp:
                    mark[w] = stamp
                    s.back[w] = k
                    queue[tail] = w
                    tail += 1
    return -1


@njit
def augment_from(s: Solid, c: Number) -> bool:
    """Kernel: give a cell the edges that it lacks; False if it cannot have them.

    Then ROOT is the cell, and `mark` has the stamp of the search from it.
    """
    lack, step = s.lack, s.step
    s.info[ROOT] = -1
    while lack[c] > 0:
        at = np.int64(_search(s, c))
        if at < 0:
            s.info[ROOT] = c
            return False
        lack[c] -= 1
        lack[at] -= 1
        while at != c:  # edges change places along the way back
            d = s.back[at]
            s.dark[at] ^= np.uint8(1 << (d ^ 2))
            at -= step[d]
            s.dark[at] ^= np.uint8(1 << d)
    return True


@njit
def augment(s: Solid) -> bool:
    """Kernel: make the dark edges a path factor; False if there is none.

    Then ROOT and `mark` are those of `augment_from`. O(cells) for every edge that the
    first guess lacks.
    """
    info, step, lack = s.info, s.step, s.lack
    begin, end = info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1
    for c in range(begin, end):  # two that touch and lack an edge each
        if lack[c] > 0:
            for d in range(1, 3):
                v = c + step[d]
                light = (s.near[c] & ~s.dark[c]) >> d & 1
                if lack[c] > 0 and lack[v] > 0 and light == 1:
                    s.dark[c] |= np.uint8(1 << d)
                    s.dark[v] |= np.uint8(1 << (d ^ 2))
                    lack[c] -= 1
                    lack[v] -= 1
    good = True
    for c in range(begin, end):
        if good and lack[c] > 0:
            good = augment_from(s, c)
    return good


@njit
def root(s: Solid, c: Number) -> int:
    """Kernel: the component of a cell, those counted as one that were joined."""
    a = s.component[c]
    while s.parent[a] != a:
        s.parent[a] = s.parent[s.parent[a]]
        a = s.parent[a]
    return int(a)


@njit
def is_parallel(s: Solid, q: Number) -> bool:
    """Kernel: whether a square is of type III."""
    if not is_square(s.near, s.info[WIDTH], int(q)):
        return False
    dark = sides(s.dark, s.info[WIDTH], int(q))
    if dark == 5:
        return root(s, q) != root(s, q + s.info[WIDTH])
    return dark == 10 and root(s, q) != root(s, q + 1)


@njit
def join_parallel(s: Solid) -> int:
    """Kernel: flip squares of type III until none is left; return how many components.

    Components must be numbered (`label`), and are not numbered anew. A flip makes new
    ones beside it only. O(cells).
    """
    info, stack = s.info, s.queue
    beside = 0
    for first in range(info[WIDTH] + 1, info[SIZE] - info[WIDTH] - 1):
        stack[0] = first
        beside = 1
        while beside > 0:
            beside -= 1
            q = np.int64(stack[beside])
            if info[COMPONENTS] == 1 or not is_parallel(s, q):
                continue
            s.parent[root(s, q)] = root(s, q + info[WIDTH] + 1)
            flip(s.dark, info[WIDTH], int(q))
            info[COMPONENTS] -= 1
            for d in range(4):
                stack[beside] = q + s.step[d]
                beside += 1
    return int(info[COMPONENTS])
