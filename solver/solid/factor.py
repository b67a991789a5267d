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

A frame pads the board: a cell is ``(row + 1) * width + col + 1`` with ``width = cols +
2``. So every neighbour of a cell is an index. Sets of edges at a cell are bits: U 1,
R 2, D 4, L 8; a direction d leads back by ``d ^ 2``. The sides of a square have the
same bits: top, right, bottom, left.

A path factor is a flow from cells of one colour to cells of the other. `augment` makes
a factor from any first guess. If it fails, the cells that its last search reached are
a region that needs more edges from cells of the root's colour than it has.
"""

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position, Walk
from solver.jit import njit

Number: TypeAlias = int | np.integer[Any]  # kernels are compiled for int64 alone

_LAST_STAMP = 2**30  # marks restart after it


class Key(NamedTuple):
    """The numbers in `Solid.info`, by index."""

    width: int  # columns of the padded board
    size: int  # cells of the padded board
    live: int  # the live end, as the next two a padded cell
    end: int
    next: int  # of the witness
    cells: int  # of the graph
    left: int  # cells not yet visited
    steps: int  # cells visited
    stamp: int  # marks up to this one are old
    root: int  # root of the search that met no cell to augment, or -1
    logged: int  # edges changed since the factor was one path
    whole: int  # 1 without a witness: all cells are touched, their numbers are places
    # Of the last search for components:
    base: int  # its first mark
    touched: int  # the cells at changed edges and the two ends
    big: int  # the largest component
    parts: int  # the components then
    components: int  # the components now
    drawn: int  # moves drawn
    tried: int  # of them tried
    blocks: int  # made since the witness was threaded
    head: int  # first index of the row of blocks in `Solid.row`, which it fills
    # Of the odd strip that the last search of `solver.solid.strips` reached:
    area: int  # the squares of its path, or 0
    before: int  # the end before it
    strip: int  # its first square and direction
    length: int  # its squares
    ends: int  # ends of strips that wait in `Solid.ends`
    closed: int  # 1 if that search met a component that no factor's edge leaves
    expanded: int  # ends of strips that searches have expanded


KEY = Key(*range(len(Key._fields)))


class Solid(NamedTuple):
    """Arrays of one board, its graph and a factor; n padded cells."""

    info: npt.NDArray[np.int64]  # numbers, by `KEY`
    step: npt.NDArray[np.int64]  # (4,): to the neighbour in direction U, R, D, L
    open: npt.NDArray[np.uint8]  # (n,): 1 for the open cells of the board
    inside: npt.NDArray[np.uint8]  # (n,): 1 for the cells of the graph
    near: npt.NDArray[np.uint8]  # (n,): edges of the graph, bits
    dark: npt.NDArray[np.uint8]  # (n,): edges of the factor, bits
    need: npt.NDArray[np.int8]  # (n,): edges that a factor has at the cell
    lack: npt.NDArray[np.int8]  # (n,): need less dark edges
    mark: npt.NDArray[np.int32]  # (n,): stamps of searches
    came: npt.NDArray[np.uint8]  # (n,): direction by which a search came
    queue: npt.NDArray[np.int32]  # (2 n,)
    log: npt.NDArray[np.int32]  # (8 n,): edges changed, 4 * cell + direction
    touched: npt.NDArray[np.int32]  # (n,): cells at changed edges, in their order
    place: npt.NDArray[np.int32]  # (n,): their places
    part: npt.NDArray[np.int32]  # (n,): their components
    root: npt.NDArray[np.int32]  # (n,): component that a component became part of
    size: npt.NDArray[np.int64]  # (n,): cells of a component
    first: npt.NDArray[np.int32]  # (n,): the first touched cell of a component
    piece: npt.NDArray[np.int32]  # (n, 5): see `solver.solid.repair`
    block: npt.NDArray[np.int32]  # (blocks, 4)
    row: npt.NDArray[np.int32]  # (2 blocks,): blocks in the order of the path
    laid: npt.NDArray[np.int32]  # (n,): cells
    lies: npt.NDArray[np.int32]  # (n,): the index of a cell in `laid`
    within: npt.NDArray[np.int32]  # (n,): the block of a cell
    way: npt.NDArray[np.int32]  # (n, 5): see `solver.solid.strips`
    ends: npt.NDArray[np.int32]  # (n,): ends of strips, not yet expanded
    walk: npt.NDArray[np.int32]  # (n,): padded cells in order


def new_solid(board: Board) -> Solid:
    """Return room for the graphs of a board's positions; O(cells)."""
    width = board.cols + 2
    n = width * (board.rows + 2)
    blocks = 4 * math.isqrt(n) + 64
    cells = np.zeros((board.rows + 2, width), np.uint8)
    cells[1:-1, 1:-1] = 1
    cells.reshape(-1)[[pad(board, wall) for wall in board.walls]] = 0
    info = np.zeros(len(KEY), np.int64)
    info[KEY.width], info[KEY.size], info[KEY.whole] = width, n, 1
    kinds = {"need": np.int8, "lack": np.int8, "size": np.int64}
    kinds |= dict.fromkeys(("inside", "near", "dark", "came"), np.uint8)
    sizes: dict[str, tuple[int, ...]] = {"queue": (2 * n,), "log": (8 * n,)}
    sizes |= {"piece": (n, 5), "way": (n, 5)}
    sizes |= {"block": (blocks, 4), "row": (2 * blocks,)}
    arrays: dict[str, npt.NDArray[Any]] = {
        name: np.zeros(sizes.get(name, (n,)), kinds.get(name, np.int32))
        for name in Solid._fields
    }
    arrays["info"] = info
    arrays["step"] = np.array([-width, 1, width, -1], np.int64)
    arrays["open"] = cells.reshape(-1)
    return Solid(**arrays)


def pad(board: Board, cell: int) -> int:
    """Return the padded index of a cell of the board."""
    row, col = divmod(cell, board.cols)
    return (row + 1) * (board.cols + 2) + col + 1


def unpad(board: Board, at: int) -> int:
    """Return the cell of the board with a padded index."""
    row, col = divmod(at, board.cols + 2)
    return (row - 1) * board.cols + col - 1


@njit
def stamps(s: Solid, count: int) -> int:
    """Kernel: reserve marks, all larger than those in use; return the first."""
    info = s.info
    if info[KEY.stamp] + count > _LAST_STAMP:
        for c in range(info[KEY.size]):
            s.mark[c] = 0
            s.way[c, 0] = 0
        info[KEY.stamp] = 0
    first = info[KEY.stamp] + 1
    info[KEY.stamp] += count
    return int(first)


@njit
def is_square(near: npt.NDArray[np.uint8], width: int, q: int) -> bool:
    """Kernel: whether all four sides of a square are edges of the graph."""
    return bool(near[q] & 6 == 6 and near[q + width + 1] & 9 == 9)


@njit
def flip(dark: npt.NDArray[np.uint8], width: int, q: int) -> None:
    """Kernel: exchange dark and light along the sides of a square."""
    dark[q] ^= np.uint8(6)
    dark[q + 1] ^= np.uint8(12)
    dark[q + width] ^= np.uint8(3)
    dark[q + width + 1] ^= np.uint8(9)


@njit
def dark_sides(dark: npt.NDArray[np.uint8], width: int, q: int) -> int:
    """Kernel: the dark sides of a square, bits: top, right, bottom, left."""
    top, bottom = dark[q] & 2, dark[q + width] & 2
    right, left = dark[q + 1] & 4, dark[q] & 4
    return int(top >> 1 | right >> 1 | bottom << 1 | left << 1)


@njit
def make_graph(s: Solid, live: Number, end: Number) -> None:
    """Kernel: make the graph of the cells `inside`, between two padded cells.

    Dark edges that the graph still has stay, up to the number that each cell needs: a
    factor of a similar position is a good first guess. O(cells).
    """
    width, step = s.info[KEY.width], s.step
    s.info[KEY.live], s.info[KEY.end] = live, end
    cells = 0
    for c in range(width + 1, s.info[KEY.size] - width - 1):
        s.near[c] = 0
        s.need[c] = 0
        s.lack[c] = 0
        if s.inside[c] == 0:
            s.dark[c] = 0
            continue
        cells += 1
        s.need[c] = 2 - (c == live) - (c == end)
        for d in range(4):
            if s.inside[c + step[d]] == 1:
                s.near[c] |= np.uint8(1 << d)
        s.dark[c] &= s.near[c]
    s.info[KEY.cells] = cells
    trim(s)


@njit
def trim(s: Solid) -> None:
    """Kernel: drop surplus dark edges of each cell, and write what each cell lacks.

    `lack` must be zero before. O(cells).
    """
    width, step = s.info[KEY.width], s.step
    for c in range(width + 1, s.info[KEY.size] - width - 1):
        if s.inside[c] == 0:
            continue
        lack = s.need[c]
        for d in range(4):
            if s.dark[c] >> d & 1:
                if lack == 0:
                    s.dark[c] ^= np.uint8(1 << d)
                    s.dark[c + step[d]] ^= np.uint8(1 << (d ^ 2))
                    if step[d] < 0:  # that cell was counted before
                        s.lack[c + step[d]] += 1
                else:
                    lack -= 1
        s.lack[c] = lack


@njit
def _load(s: Solid, walk: npt.NDArray[np.int32], cols: int, end: int) -> None:
    """Kernel of `load_position`; cells as on the board."""
    width = s.info[KEY.width]
    for c in range(s.info[KEY.size]):
        s.inside[c] = s.open[c]
    for i in range(len(walk) - 1):
        s.inside[walk[i] + width + 1 + 2 * (walk[i] // cols)] = 0
    here = walk[len(walk) - 1] + width + 1 + 2 * (walk[len(walk) - 1] // cols)
    make_graph(s, here, end + width + 1 + 2 * (end // cols))


def load_position(s: Solid, position: Position) -> None:
    """Write the graph of a position to `s`."""
    board = position.board
    _load(s, np.array(position.walk, np.int32), board.cols, board.end)


IN_SCOPE, HOLE, LIVE_INSIDE, END_INSIDE = 0, 1, 2, 3


@njit
def theorem_scope(s: Solid) -> int:
    """Kernel: whether the static search is proved for a graph, or why not.

    The cells less the edges and plus the squares are the connected parts less the
    holes. So a graph without holes passes, and no connected graph with one. O(cells).
    """
    info, near = s.info, s.near
    euler = int(info[KEY.cells])
    for c in range(info[KEY.width] + 1, info[KEY.size] - info[KEY.width] - 1):
        euler -= int(near[c] >> 1 & 1) + int(near[c] >> 2 & 1)
        euler += is_square(near, int(info[KEY.width]), c)
    if euler < 1:
        return HOLE
    if near[info[KEY.live]] == 15:
        return LIVE_INSIDE
    return END_INSIDE if near[info[KEY.end]] == 15 else IN_SCOPE


@njit
def write_path(s: Solid, path: npt.NDArray[np.int32], cols: int) -> int:
    """Kernel: write the path after the live end, cells of the board; its length."""
    width = s.info[KEY.width]
    at, came, length = s.info[KEY.live], -1, 0
    while at != s.info[KEY.end]:
        for d in range(4):
            if s.dark[at] >> d & 1 and d != came:
                at += s.step[d]
                came = d ^ 2
                break
        path[length] = (at // width - 1) * cols + at % width - 1
        length += 1
    return length


def path_of(s: Solid, board: Board) -> Walk:
    """Return the cells after the live end, if the factor is one path."""
    path = np.zeros(board.cells, np.int32)
    return tuple(path[: write_path(s, path, board.cols)].tolist())


@njit
def _search(s: Solid, root: Number) -> int:
    """Kernel: a cell that lacks an edge and can get it from the root, or -1.

    From cells of the root's colour by light edges, back by dark ones; breadth first.
    """
    stamp = stamps(s, 1)
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
            s.came[v] = d
            if s.lack[v] > 0:
                return int(v)
            for k in range(4):
                w = v + step[k]
                if s.dark[v] >> k & 1 and mark[w] != stamp:
                    mark[w] = stamp
                    s.came[w] = k
                    queue[tail] = w
                    tail += 1
    return -1


@njit
def augment(s: Solid) -> bool:
    """Kernel: make the dark edges a path factor; False if no factor exists.

    Then `KEY.root` is a cell that lacks an edge, and `mark` has the stamp of the search
    from it. O(cells) for every edge that the first guess lacks.
    """
    info, step, lack = s.info, s.step, s.lack
    begin, end = info[KEY.width] + 1, info[KEY.size] - info[KEY.width] - 1
    info[KEY.root] = -1
    for c in range(begin, end):  # two cells that touch and lack an edge each
        for d in range(1, 3):
            v = c + step[d]
            light = (s.near[c] & ~s.dark[c]) >> d & 1
            if lack[c] > 0 and lack[v] > 0 and light == 1:
                s.dark[c] |= np.uint8(1 << d)
                s.dark[v] |= np.uint8(1 << (d ^ 2))
                lack[c] -= 1
                lack[v] -= 1
    for c in range(begin, end):
        while lack[c] > 0:
            at = np.int64(_search(s, c))
            if at < 0:
                info[KEY.root] = c
                return False
            lack[c] -= 1
            lack[at] -= 1
            while at != c:  # exchange dark and light along the way back
                d = s.came[at]
                s.dark[at] ^= np.uint8(1 << (d ^ 2))
                at -= step[d]
                s.dark[at] ^= np.uint8(1 << d)
    return True
