"""From a path factor to a Hamiltonian path, or to a proof of none.

A square of *type III* has two parallel dark sides, of different components. To *flip*
it, to exchange dark and light along its sides, joins them. `solve` makes a factor and
flips all such squares; what is left `solver.solid.merge` joins, or refutes. A list of
dark sides has the bits of directions. Source: C. Umans, W. Lenhart, FOCS 1997, and
docs/explanation/solid.md.
"""

import numpy as np

from solver.board import Board
from solver.jit import njit
from solver.solid.grid import (
    CELLS,
    COMPONENTS,
    END,
    LIVE,
    SIZE,
    WIDTH,
    Number,
    Solid,
    augment,
    label,
    new_solid,
)
from solver.solid.merge import MERGED, NEVER, merge
from solver.solid.witness import CORNERED, LOGGED, WHOLE, Witness, new_witness, sides

PATH = 1  # the factor is a Hamiltonian path
NO_FACTOR = 2  # dead: see `augment`
CLOSED = 3  # dead: strips lead from one factor of a family to another only
CORNERS = 4  # dead: a border square without dark sides, live end and end cell at it
ENDED = 5  # dead: the live end is the end cell, and not the only cell
STUCK = 6  # not known


@njit
def is_square(s: Solid, q: Number) -> bool:
    """Kernel: whether all four cells of a square are in the graph."""
    below = q + s.info[WIDTH] + 1
    return bool(s.near[q] & 6 == 6 and s.near[below] & 9 == 9)


@njit
def flip(s: Solid, q: Number) -> None:
    """Kernel: exchange dark and light along the sides of a square."""
    width = s.info[WIDTH]
    s.dark[q] ^= np.uint8(6)
    s.dark[q + 1] ^= np.uint8(12)
    s.dark[q + width] ^= np.uint8(3)
    s.dark[q + width + 1] ^= np.uint8(9)


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
    if not is_square(s, q):
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
            flip(s, q)
            info[COMPONENTS] -= 1
            for d in range(4):
                stack[beside] = q + s.step[d]
                beside += 1
    return int(info[COMPONENTS])


@njit
def join(s: Solid, w: Witness) -> int:
    """Kernel: join the components of the factor; see `solve`."""
    label(s)
    if s.info[COMPONENTS] == 1 or join_parallel(s) == 1:
        return PATH
    w.info[LIVE], w.info[END] = s.info[LIVE], s.info[END]
    w.info[WHOLE] = 1
    w.info[LOGGED] = 0
    found = merge(w)
    if found == NEVER:
        return CORNERS if w.info[CORNERED] == 1 else CLOSED
    return PATH if found == MERGED else STUCK


@njit
def solve(s: Solid, w: Witness) -> int:
    """Kernel: decide a graph that `enter` made; PATH, or why it is dead, or STUCK.

    After PATH the dark edges are the path (`follow` writes it), and NO_FACTOR and ENDED
    are true of any board. CLOSED and CORNERS are true of solid graphs whose live end
    and end cell lie at the outer face and have three neighbours at most.
    """
    if not augment(s):
        return NO_FACTOR
    if s.info[LIVE] == s.info[END]:
        return PATH if s.info[CELLS] == 1 else ENDED
    return join(s, w)


def new_room(board: Board) -> tuple[Solid, Witness]:
    """Return room for positions of a board: `load` or `enter` one, then `solve`."""
    s = new_solid(board)
    return s, new_witness(board)._replace(near=s.near, dark=s.dark)
