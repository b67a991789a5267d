"""Whether a position can be completed, by the static search of strips.

`settle` makes a path factor, by a flow, and joins its components: by squares of type
III, then by paths of strips (`solver.solid.strips`). If nothing joins them, the
position is dead: docs/explanation/solid.md has the theorem and its proof. An end of the
walk with three neighbours may need factors of smaller graphs, the *levels*: G_0 is the
graph of the free cells and the live end, p_0 that end, and q the other one. G_{i+1} is
G_i without p_i. Its end p_{i+1} is the middle neighbour of p_i, the one opposite to the
neighbour that is missing. If that is q, then q goes as well, and G_{i+1} has no ends.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position
from solver.jit import njit
from solver.solid.grid import (
    CELLS,
    COUNT,
    END,
    LIVE,
    WHOLE,
    Solid,
    augment,
    follow,
    is_apart,
    load,
    new_solid,
    trim,
    unpad,
)
from solver.solid.strips import (
    BROKEN,
    GIVEN_UP,
    MERGED,
    NEVER,
    components,
    is_open,
    is_straight,
    join_parallel,
    merge,
    toggle,
)

# Results of `settle`, beside NEVER and GIVEN_UP.
PATH = MERGED  # the factor is a Hamiltonian path
NO_FACTOR = 2  # dead: see `augment`
ENDED = 3  # dead: the live end is the end cell, and not the only cell
APART = 4  # dead: the cells are not connected, or not without the ends


@njit
def solve(s: Solid, closed: bool) -> int:
    """Kernel: decide a graph that `enter` made; GIVEN_UP and BROKEN are left open.

    `closed` is that of `search_strips`: quicker, but a factor that is left after NEVER
    need not have the fewest components.

    After PATH the dark edges are the path, and NO_FACTOR, ENDED and APART are true of
    any board. NEVER is true where `scope` is IN_SCOPE.
    """
    s.info[WHOLE] = 1
    if not augment(s):
        return NO_FACTOR
    if s.info[LIVE] == s.info[END]:
        return PATH if s.info[CELLS] == 1 else ENDED
    if follow(s, s.queue, 1) == s.info[CELLS] - 1:  # mostly, near the last position
        return PATH
    components(s)
    if join_parallel(s) == 1:
        return PATH
    if is_apart(s, False):
        return APART
    return merge(s, 1, closed)


class StaticError(AssertionError):
    """A contradiction to the theorem: an internal error, which names the position."""

    def __init__(self, position: Position) -> None:
        super().__init__(f"the static search of strips fails at {position.notation}")


def settle(s: Solid, position: Position, closed: bool = True) -> int:
    """Decide a position whose graph is IN_SCOPE; GIVEN_UP is not known.

    After PATH the factor is the path. Raises `StaticError` if something contradicts the
    theorem.
    """
    load(s, position)
    return finish(s, solve(s, closed), position)[0]


def finish(s: Solid, outcome: int, position: Position) -> tuple[int, "Levels | None"]:
    """Decide what `solve` left open, and return the levels, if there were any."""
    if outcome not in (GIVEN_UP, BROKEN):
        return outcome, None
    live, end = int(s.info[LIVE]), int(s.info[END])
    both = int(s.near[live]).bit_count() == int(s.near[end]).bit_count() == 3
    if both and is_apart(s, True):
        return APART, None
    if outcome == BROKEN:
        raise StaticError(position)
    if both:
        return _finish_both(s, position), None
    levels = Levels(s, position)
    return (NEVER if levels.improve(0, 1) else PATH), levels


def _merge(s: Solid, most: int, position: Position) -> int:
    outcome = merge(s, most, False)
    if outcome == BROKEN:
        raise StaticError(position)
    return outcome


def _finish_both(s: Solid, position: Position) -> int:
    """Decide a graph whose ends have three neighbours each, but are no cut of it.

    A factor that is straight at both, and that no path of strips improves, has the
    fewest components. Whether another has is not known.
    """
    ends = int(s.info[LIVE]), int(s.info[END])
    if not all(is_straight(s, p) for p in ends):
        lateral = [10 if int(s.near[p]) in (11, 14) else 5 for p in ends]
        for p, bits in zip(ends, lateral, strict=True):
            toggle(s, p, bits)
        straight = _augment_anew(s)
        if straight:
            merge(s, 1, False)
        for p, bits in zip(ends, lateral, strict=True):
            toggle(s, p, bits)
        if not straight:
            return GIVEN_UP
        if _merge(s, 1, position) == MERGED:
            return PATH
    return NEVER if all(is_straight(s, p) for p in ends) else GIVEN_UP


def _augment_anew(s: Solid) -> bool:
    """Make a factor after edges were taken out of the graph; False if there is none."""
    s.dark[:] &= s.near
    s.lack[:] = 0
    trim(s)
    return bool(augment(s))


@dataclass(slots=True)
class _Best:
    """The best factor seen at a level, and whether none has fewer components."""

    dark: npt.NDArray[np.uint8]
    count: int
    final: bool


class Levels:
    """The procedure for an end p with three neighbours, after `solve` gave up.

    The cells p_0, p_1, ... lie in a row. A level is made by taking the lateral edges of
    its end out of the graph. So the path from p_0 to p_i stays part of each factor, and
    all levels count alike. `best` has the factors seen at the levels from 1 on, None
    where there is none.
    """

    def __init__(self, s: Solid, position: Position) -> None:
        self.s, self.position = s, position
        live, end = int(s.info[LIVE]), int(s.info[END])
        self.p, self.q = (live, end) if is_open(s, live) else (end, live)
        self.missing = (15 ^ int(s.near[self.p])).bit_length() - 1
        self.middle = 1 << (self.missing ^ 2)
        self.on = int(s.step[self.missing ^ 2])
        self.lateral = 10 if self.missing % 2 == 0 else 5
        self.best: dict[int, _Best | None] = {}

    def _is_settled(self, i: int) -> bool:
        """Whether a factor of level i that the search cannot improve is final."""
        p = self.p + i * self.on
        if p == self.q or int(self.s.near[p]) | 1 << self.missing != 15:
            return True
        return int(self.s.dark[p]) & self.middle > 0

    def improve(self, i: int, most: int) -> bool:
        """Improve the factor of level i to so many components; whether it is final."""
        s = self.s
        while True:
            if _merge(s, most, self.position) == MERGED:
                return False
            if self._is_settled(i):
                return True
            count, dark = int(s.info[COUNT]), s.dark.copy()
            below = self._improve_below(i, count)
            if below is None or below.count > count:
                s.dark[:] = dark
                components(s)
                return True
            s.dark[:] = below.dark

    def _improve_below(self, i: int, most: int) -> _Best | None:
        """Return a factor of the next level: of so many components, or its best one."""
        s = self.s
        p, last = self.p + i * self.on, self.p + (i + 1) * self.on == self.q
        bits = int(s.near[self.q]) & ~(1 << self.missing) if last else 0
        toggle(s, p, self.lateral)
        toggle(s, self.q, bits)
        if i + 1 not in self.best:
            made = _augment_anew(s)
            self.best[i + 1] = (
                _Best(s.dark.copy(), int(components(s)), False) if made else None
            )
        below = self.best[i + 1]
        if below and not below.final and below.count > most:
            s.dark[:] = below.dark
            below.final = self.improve(i + 1, most)
            below.dark[:] = s.dark
            below.count = int(s.info[COUNT])
        toggle(s, p, self.lateral)
        toggle(s, self.q, bits)
        return below


@dataclass(frozen=True, slots=True)
class Factor:
    """A path factor of one level, which no path of strips improves.

    - `cells`: the vertices of G_i, cells of the board.
    - `ends`: p_i and q, in this order; or nothing.
    - `edges`: the dark edges, each with the smaller cell first.
    """

    cells: frozenset[Cell]
    ends: tuple[Cell, ...]
    edges: frozenset[tuple[Cell, Cell]]


def stuck_factors(position: Position) -> tuple[Factor, ...]:
    """Return the factors F_0, ..., F_r that show that no Hamiltonian path exists.

    Empty if there is a path, if something else decides the position, or if nothing
    does; see `settle`. There is one factor for each level, and none has an odd strip
    that a path of strips reaches. F_i with i < r leaves p_i sideways, and F_{i+1} has
    more components, the path from p_i to q counted if G_{i+1} has no ends. F_r leaves
    p_r straight on, or p_r has at most two neighbours or is corner-free, or G_r has no
    ends, or G_{r+1} has no factor. If both ends of the position have three neighbours,
    there is one factor, straight at both of them.
    """
    board, s = position.board, new_solid(position.board)
    load(s, position)
    outcome, levels = finish(s, solve(s, False), position)
    if outcome != NEVER:
        return ()
    cells = {c for c in range(s.inside.size) if s.inside[c]}
    if levels is None:
        ends: tuple[int, ...] = (int(s.info[LIVE]), int(s.info[END]))
        return (_factor(s, s.dark, cells, ends, board),)
    p, q, dark = levels.p, levels.q, s.dark
    factors = [_factor(s, dark, cells, (p, q), board)]
    while p != q and not dark[p] & levels.middle:
        best = levels.best.get(len(factors))
        if best is None:
            break
        cells.remove(p)
        p, dark = p + levels.on, best.dark
        if p == q:
            cells.remove(q)
        factors.append(_factor(s, dark, cells, (p, q) if p != q else (), board))
    return tuple(factors)


def _factor(
    s: Solid,
    dark: npt.NDArray[np.uint8],
    cells: set[int],
    ends: tuple[int, ...],
    board: Board,
) -> Factor:
    edges = [
        (c, v)
        for c in cells
        for v, bit in ((c + 1, 2), (c + int(s.step[2]), 4))
        if dark[c] & bit and v in cells
    ]
    return Factor(
        frozenset(unpad(board, c) for c in cells),
        tuple(unpad(board, c) for c in ends),
        frozenset((unpad(board, c), unpad(board, v)) for c, v in edges),
    )
