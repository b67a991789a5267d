"""The decision whether a position can be completed, by the static search of strips.

`decide_position` makes a path factor, by a flow, and joins its components: by squares
of type III, then by paths of strips (`solver.solid.strips`). If nothing joins them, the
position is dead: docs/explanation/solid.md has the theorem and its proof. An end of the
walk with three neighbours may need factors of smaller graphs, the *levels*: G_0 is the
graph of the free cells and the live end, p_0 that end, and q the other one. G_{i+1} is
G_i without p_i. Its end p_{i+1} is the middle neighbour of p_i, opposite to the missing
neighbour. If that is q, then q goes as well, and G_{i+1} has no ends.
"""

import numpy as np
import numpy.typing as npt

from solver.board import Position
from solver.jit import njit
from solver.solid.factor import KEY, Solid, augment, load_position, trim, write_path
from solver.solid.strips import (
    ends_cut,
    find_components,
    flip_path,
    join_parallel,
    join_part,
    next_smallest,
    search_strips,
)

# Results of `merge`, and with NO_FACTOR of `decide_graph`.
MERGED = PATH = 1  # as few components as wanted; the factor is a Hamiltonian path
NEVER = 0  # no factor has fewer; the position is dead
GIVEN_UP = -1  # no path of strips, but an end has three neighbours; or the log is full
BROKEN = -2  # against the theorem: an internal error
NO_FACTOR = 2  # dead: see `augment`


@njit
def missing_side(s: Solid, p: int) -> int:
    """Kernel: the direction of the missing neighbour of a cell with three, else -1."""
    missing = 15 ^ int(s.near[p])
    if missing == 0 or missing & (missing - 1):
        return -1
    return (missing >> 1) - (missing >> 3)


@njit
def is_open(s: Solid, p: int) -> bool:
    """Kernel: whether an end has three neighbours, and is not corner-free.

    It is corner-free if no neighbour has a neighbour on the side that p lacks.
    """
    d = missing_side(s, p)
    left, right = p + s.step[(d + 1) & 3], p + s.step[(d + 3) & 3]
    return d >= 0 and (s.near[left] | s.near[right]) >> d & 1 == 1


@njit
def is_straight(s: Solid, p: int) -> bool:
    """Kernel: whether the edge of the factor at such an end is its middle edge."""
    return bool(s.dark[p] >> (missing_side(s, p) ^ 2) & 1)


@njit
def is_lateral(s: Solid, p: int) -> bool:
    """Kernel: whether a factor leaves an open end sideways."""
    return is_open(s, p) and not is_straight(s, p)


@njit
def both_three(s: Solid) -> bool:
    """Kernel: whether both ends have three neighbours."""
    live, end = int(s.info[KEY.live]), int(s.info[KEY.end])
    return missing_side(s, live) >= 0 and missing_side(s, end) >= 0


@njit
def is_final(s: Solid) -> bool:
    """Kernel: whether a stuck factor of a graph without holes has the fewest parts."""
    live, end = int(s.info[KEY.live]), int(s.info[KEY.end])
    return not (both_three(s) or is_lateral(s, live) or is_lateral(s, end))


@njit
def toggle(s: Solid, c: int, bits: int) -> None:
    """Kernel: take edges of a cell out of the graph, or put them back."""
    for d in range(4):
        if bits >> d & 1:
            s.near[c] ^= np.uint8(1 << d)
            s.near[c + s.step[d]] ^= np.uint8(1 << (d ^ 2))


@njit
def merge(s: Solid, most: int, closed: bool) -> int:
    """Kernel: leave at most `most` components: MERGED, NEVER, GIVEN_UP or BROKEN.

    `closed` is that of `search_strips`; with it, `most` must be 1. The log has the
    changes, for the caller to undo.
    """
    info = s.info
    find_components(s)
    while info[KEY.components] > most:
        if info[KEY.whole] == 1:
            info[KEY.logged] = 0
        x = next_smallest(s, -1)
        while x >= 0 and not join_part(s, x):
            x = next_smallest(s, x)
        if x >= 0:
            continue
        count = int(info[KEY.components])
        if not search_strips(s, closed):
            return NEVER if info[KEY.closed] == 1 or is_final(s) else GIVEN_UP
        if info[KEY.logged] + 4 * info[KEY.area] > s.log.size:
            return GIVEN_UP
        flip_path(s)
        if find_components(s) != count - 1:
            return GIVEN_UP if both_three(s) else BROKEN  # ends may cut the graph
    return MERGED


@njit
def decide_graph(s: Solid, closed: bool) -> int:
    """Kernel: decide a graph; GIVEN_UP and BROKEN are left open.

    `closed` is that of `search_strips`: quicker, but a factor that is left after NEVER
    need not have the fewest components. After PATH the dark edges are the path. PATH
    and NO_FACTOR are true of any board, NEVER where `scope_of` is IN_SCOPE.
    """
    s.info[KEY.whole] = 1
    if not augment(s):
        return NO_FACTOR
    if s.info[KEY.live] == s.info[KEY.end]:
        return PATH if s.info[KEY.cells] == 1 else NEVER
    if write_path(s, s.queue, 1) == s.info[KEY.cells] - 1:  # often, late in a walk
        return PATH
    find_components(s)
    return PATH if join_parallel(s) == 1 else merge(s, 1, closed)


class StaticError(AssertionError):
    """A contradiction to the theorem: an internal error, which names the position."""

    def __init__(self, position: Position) -> None:
        super().__init__(f"the static search of strips fails at {position.notation}")


def decide_position(s: Solid, position: Position, closed: bool = True) -> int:
    """Decide a position that is IN_SCOPE: PATH, NO_FACTOR, NEVER, or GIVEN_UP.

    After PATH the factor is the path. GIVEN_UP only if both ends have three neighbours.

    Raises `StaticError` if something contradicts the theorem.
    """
    load_position(s, position)
    return decide_levels(s, decide_graph(s, closed), position)[0]


Dark = npt.NDArray[np.uint8]


def decide_levels(s: Solid, outcome: int, position: Position) -> tuple[int, list[Dark]]:
    """Decide what `decide_graph` left open; return the factors of the levels, too.

    After NEVER no path of strips reaches an odd strip in any of the factors. A factor
    that leaves its p_i sideways has fewer components than the next factor, the path
    from p_i to q counted. After the last factor no level is left, or none is needed.
    """
    if outcome == BROKEN:
        raise StaticError(position)
    if outcome != GIVEN_UP:
        return outcome, [s.dark]
    live, end = int(s.info[KEY.live]), int(s.info[KEY.end])
    if both_three(s):
        return _decide_both(s, live, end), [s.dark]
    p, q = (live, end) if is_open(s, live) else (end, live)
    factors = _improve(s, p, q, int(missing_side(s, p)), position)
    return (PATH if s.info[KEY.components] == 1 else NEVER), factors


def _decide_both(s: Solid, live: int, end: int) -> int:
    """Decide a graph whose ends have three neighbours each.

    A path without its ends is in one piece. If so is the graph, a factor that is
    straight at both, and that no path of strips improves, has the fewest components.
    Otherwise the proof says nothing.
    """
    if ends_cut(s):
        return NEVER
    if not (is_straight(s, live) and is_straight(s, end)):
        lateral = [(p, 5 if missing_side(s, p) & 1 else 10) for p in (live, end)]
        for p, bits in lateral:
            toggle(s, p, bits)
        straight = _augment_smaller(s)
        if straight:
            merge(s, 1, False)
        for p, bits in lateral:
            toggle(s, p, bits)
        if not straight:
            return GIVEN_UP
        if merge(s, 1, False) == MERGED:
            return PATH
    return NEVER if is_straight(s, live) and is_straight(s, end) else GIVEN_UP


def _augment_smaller(s: Solid) -> bool:
    """Return True after making a factor of the graph without some of its edges."""
    s.dark[:] &= s.near
    s.lack[:] = 0
    trim(s)
    return bool(augment(s))


def _improve(s: Solid, p: int, q: int, missing: int, position: Position) -> list[Dark]:
    """Improve the factor of a level with end p; return those of this and later levels.

    A level is made by taking the lateral edges of the end before it out of the graph.
    So the path from p_0 to p_i stays part of each factor, and the components of all
    levels compare.
    """
    ahead = missing ^ 2
    if merge(s, 1, False) == BROKEN:
        raise StaticError(position)
    dark, count = s.dark.copy(), int(s.info[KEY.components])
    three = p != q and int(s.near[p]) | 1 << missing == 15
    if count == 1 or not three or dark[p] >> ahead & 1:
        return [dark]
    on = p + int(s.step[ahead])
    bits = int(s.near[q]) & ~(1 << missing) if on == q else 0
    toggle(s, p, 10 if missing % 2 == 0 else 5)
    toggle(s, q, bits)
    later: list[Dark] = []
    fewest = 0
    if _augment_smaller(s):
        later = _improve(s, on, q, missing, position)
        fewest = int(s.info[KEY.components])
    toggle(s, p, 10 if missing % 2 == 0 else 5)
    toggle(s, q, bits)
    if later and fewest <= count:
        if merge(s, 1, False) == BROKEN:
            raise StaticError(position)
        return [s.dark.copy(), *later]
    s.dark[:] = dark
    find_components(s)
    return [dark, *later]
