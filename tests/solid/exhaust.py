"""All connected graphs of cells in a box, all ends, all path factors: by kernels.

``python -m tests.solid.exhaust ROWS COLS [MOST]`` gives the method of
`solver.solid.grid.join` each factor of each graph of at most so many cells, and
prints what became of it.

A graph is a number with the bit ``cols * row + col`` for each cell. Its *holes* are the
parts of the outside, over sides and corners, but for the outer one: by Euler's formula
one less its cells and squares, plus its edges.
"""

import sys

import numpy as np
import numpy.typing as npt

from solver.board import Board
from solver.jit import njit, njit_making
from solver.solid.grid import (
    CLOSED,
    CORNERS,
    PATH,
    Solid,
    enter,
    join,
    label,
    new_room,
    solve,
)
from solver.solid.witness import FAMILY, Witness

Numbers = npt.NDArray[np.int64]

# Where the worse of two ends lies: at the outer face, with three neighbours or fewer
# (the theorems speak of no others); at the outer face with four; within.
PROPER, REFLEX, WITHIN = range(3)

# What is counted of the graphs of each number of cells, holes (two: or more) and kind
# of ends. Graphs that have a factor; those with a Hamiltonian path; those of them that
# the method finds none in from its own first factor; and from some factor; factors of
# several components, of graphs with a path; of others. Then the largest families: on
# the way to a path; and, of graphs without one, what the best of the factors needs.
GRAPHS, ALIVE, MISSED, LOST, LOOPS, DEAD, ON_THE_WAY, NEEDED = range(8)


@njit
def ones(x: int) -> int:
    """Kernel: how many bits are set."""
    found = 0
    while x:
        x &= x - 1
        found += 1
    return found


@njit
def outer(graph: int, rows: int, cols: int) -> int:
    """Kernel: the cells at the outer face."""
    full = (1 << rows * cols) - 1
    first = full // ((1 << cols) - 1)
    rim = first | first << (cols - 1) | ((1 << cols) - 1) * (1 | 1 << (rows - 1) * cols)
    now, seen = rim & ~graph, 0
    while now != seen:
        seen = now
        now = around(now, rows, cols) & ~graph
    return graph & (rim | around(now, rows, cols))


@njit
def around(some: int, rows: int, cols: int) -> int:
    """Kernel: some cells of the box and those beside them, over corners too."""
    full = (1 << rows * cols) - 1
    first = full // ((1 << cols) - 1)
    some |= (some & ~(first << (cols - 1))) << 1 | (some & ~first) >> 1
    return (some | some << cols | some >> cols) & full


@njit
def is_whole(graph: int, rows: int, cols: int) -> bool:
    """Kernel: whether a graph is connected."""
    first = ((1 << rows * cols) - 1) // ((1 << cols) - 1)
    now, seen = graph & -graph, 0
    while now != seen:
        seen = now
        beside = (now & ~(first << (cols - 1))) << 1 | (now & ~first) >> 1
        now = (now | beside | now << cols | now >> cols) & graph
    return now == graph


@njit
def list_factors(need: Numbers, choice: Numbers, cols: int, out: Numbers) -> int:
    """Kernel: list the factors as bits of edges to the right and down; how many."""
    n, i, count, right, down = need.size, 0, 0, 0, 0
    choice[0] = -1
    while i >= 0:
        if i == n:
            if count < out.shape[0]:
                out[count] = right, down
                count += 1
            i -= 1
            continue
        if choice[i] >= 0:  # back again
            if choice[i] & 1:
                right ^= 1 << i
                need[i + 1] += 1
            if choice[i] & 2:
                down ^= 1 << i
                need[i + cols] += 1
        choice[i] += 1
        while choice[i] < 4:
            east, south = choice[i] & 1, choice[i] >> 1
            fits = east + south == need[i]
            if east and (i % cols == cols - 1 or need[i + 1] == 0):
                fits = False
            if south and (i + cols >= n or need[i + cols] == 0):
                fits = False
            if fits:
                break
            choice[i] += 1
        if choice[i] == 4:
            i -= 1
            continue
        if choice[i] & 1:
            right ^= 1 << i
            need[i + 1] -= 1
        if choice[i] & 2:
            down ^= 1 << i
            need[i + cols] -= 1
        i += 1
        choice[i] = -1
    return count


@njit
def load(s: Solid, cols: int, graph: int, ends: tuple[int, int]) -> None:
    """Kernel: make the graph, without dark edges."""
    width = cols + 2
    for c in range(s.inside.size):
        s.inside[c] = 0
        s.dark[c] = 0
    for i in range(63):
        if graph >> i & 1:
            s.inside[i + width + 1 + 2 * (i // cols)] = 1
    a, b = ends
    enter(s, a + width + 1 + 2 * (a // cols), b + width + 1 + 2 * (b // cols))


@njit
def darken(s: Solid, cols: int, right: int, down: int) -> int:
    """Kernel: make a factor the dark edges; the number of its components."""
    width = cols + 2
    for c in range(s.dark.size):
        s.dark[c] = 0
    for i in range(63):
        c = i + width + 1 + 2 * (i // cols)
        if right >> i & 1:
            s.dark[c] |= np.uint8(2)
            s.dark[c + 1] |= np.uint8(8)
        if down >> i & 1:
            s.dark[c] |= np.uint8(4)
            s.dark[c + width] |= np.uint8(1)
    return label(s)


@njit
def is_path(s: Solid) -> bool:
    """Kernel: whether the dark edges are a Hamiltonian path."""
    for c in range(s.dark.size):
        if s.inside[c] and (s.dark[c] & ~s.near[c] or ones(s.dark[c]) != s.need[c]):
            return False
    return label(s) == 1


@njit
def try_factors(
    s: Solid, w: Witness, cols: int, factors: Numbers, count: int, found: Numbers
) -> int:
    """Kernel: join each factor; the number of a factor that is lost, or -1.

    Fails if a dead graph is called completable, or a path is none.
    """
    alive, lost, needed = False, -1, 1 << 30
    for i in range(count):
        alive |= darken(s, cols, factors[i, 0], factors[i, 1]) == 1
    found[GRAPHS] += 1
    found[ALIVE] += alive
    for i in range(count):
        if darken(s, cols, factors[i, 0], factors[i, 1]) == 1:
            continue
        found[LOOPS if alive else DEAD] += 1
        w.info[FAMILY] = 0
        answer = join(s, w)
        family = w.info[FAMILY]
        if answer == PATH:
            assert alive
            assert is_path(s)
            found[ON_THE_WAY] = max(found[ON_THE_WAY], family)
        elif alive:
            lost = i
        else:
            assert answer in (CLOSED, CORNERS)
            needed = min(needed, family if answer == CLOSED else 0)
    if not alive:
        found[NEEDED] = max(found[NEEDED], needed)
    return lost


@njit_making
def try_graphs(
    s: Solid,
    w: Witness,
    box: tuple[int, int, int],
    graphs: tuple[int, int],
    found: Numbers,
    lost: Numbers,
) -> int:
    """Kernel: try all graphs of so many numbers that fill the box; how many were lost.

    `found` has a row for each number of cells, holes and kind of ends; `lost` gets the
    graph, its ends, and the edges of a factor from which the method finds no path.
    """
    rows, cols, most = box
    first = ((1 << rows * cols) - 1) // ((1 << cols) - 1)
    factors, need = np.zeros((4096, 2), np.int64), np.zeros(rows * cols, np.int64)
    choice = np.zeros(rows * cols + 1, np.int64)
    count = 0
    for graph in range(graphs[0], graphs[1]):
        if graph & first == 0 or graph & first << (cols - 1) == 0:
            continue
        if graph & (1 << cols) - 1 == 0 or graph >> (rows - 1) * cols == 0:
            continue
        east, west = graph & (graph & ~first) >> 1, graph & (graph << 1) & ~first
        south, north = graph & graph >> cols, graph & graph << cols
        two = (east & west) | (north & south) | ((east | west) & (north | south))
        bare = graph & ~two  # must be ends
        if (bare & (bare - 1)) & ((bare & (bare - 1)) - 1):
            continue
        cells = ones(graph)
        if cells > most or not is_whole(graph, rows, cols):
            continue
        holes = 1 - cells + ones(east) + ones(south)
        holes = min(2, holes - ones(east & south & east >> cols))
        face = outer(graph, rows, cols)
        four = east & west & north & south
        surplus = 0
        for i in range(rows * cols):
            if graph >> i & 1:
                surplus += 1 - 2 * ((i // cols + i % cols) & 1)
        for a in range(rows * cols):
            for b in range(a + 1, rows * cols):
                both = 1 << a | 1 << b
                if both & ~graph or bare & ~both:
                    continue
                if surplus != 1 - (a // cols + a % cols & 1) - (
                    b // cols + b % cols & 1
                ):
                    continue
                for i in range(rows * cols):
                    need[i] = 2 * (graph >> i & 1) - (both >> i & 1)
                many = list_factors(need, choice, cols, factors)
                assert many < factors.shape[0]
                if many == 0:
                    continue
                kind = WITHIN if both & ~face else REFLEX if both & four else PROPER
                row = found[cells, holes, kind]
                load(s, cols, graph, (a, b))
                alive = row[ALIVE]
                i = try_factors(s, w, cols, factors, many, row)
                if row[ALIVE] == alive:
                    continue
                load(s, cols, graph, (a, b))
                row[MISSED] += solve(s, w) != PATH
                if i >= 0:
                    row[LOST] += 1
                    if count < lost.shape[0]:
                        lost[count] = graph, a, b, factors[i, 0], factors[i, 1]
                    count += 1
    return count


def try_box(
    rows: int, cols: int, most: int = 99, room: int = 0
) -> tuple[Numbers, Numbers]:
    """Try all graphs that fill a box; what is counted, and the first graphs lost."""
    board = Board(rows, cols, 0, rows * cols - 1)
    found = np.zeros((rows * cols + 1, 3, 3, NEEDED + 1), np.int64)
    lost = np.zeros((room, 5), np.int64)
    every = (1, 1 << rows * cols)
    count = try_graphs(*new_room(board), (rows, cols, most), every, found, lost)
    return found, lost[:count]


def main() -> None:
    rows, cols, most = map(int, [*sys.argv[1:], "99"][:3])
    found, lost = try_box(rows, cols, most, room=20)
    print("cells holes ends: graphs alive missed lost loops dead way needed")
    for cells, holes, kind in np.argwhere(found[..., GRAPHS]).tolist():
        print(cells, holes, kind, *found[cells, holes, kind].tolist())
    print(lost.tolist())


if __name__ == "__main__":
    main()
