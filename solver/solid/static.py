"""Whether a position can be completed, by the static search of strips.

`decide_solid` makes a path factor, by a flow, and joins its components: by squares of
type III, then by paths of strips (`solver.solid.strips`). If nothing joins them, the
position is dead: docs/explanation/solid.md has the theorem and its proof. An end of the
walk with three neighbours may need factors of smaller graphs, the *levels*: G_0 is the
graph of the free cells and the live end, p_0 that end, and q the other one. G_{i+1} is
G_i without p_i. Its end p_{i+1} is the middle neighbour of p_i, the one opposite to the
neighbour that is missing. If that is q, then q goes as well, and G_{i+1} has no ends.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position, Walk
from solver.jit import njit
from solver.solid.grid import (
    CELLS,
    Solid,
    augment,
    follow,
    is_apart,
    join_parallel,
    label,
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
    is_open,
    is_straight,
    merge,
    toggle,
)
from solver.solid.witness import (
    COUNT,
    END,
    LIVE,
    WHOLE,
    Witness,
    components,
    new_witness,
)

# Results of `solve`, beside those of `merge`.
PATH = MERGED  # the factor is a Hamiltonian path
NO_FACTOR = 2  # dead: see `augment`
ENDED = 3  # dead: the live end is the end cell, and not the only cell
APART = 4  # dead: the cells are not connected


@njit
def solve(s: Solid, w: Witness, closed: bool) -> int:
    """Kernel: decide a graph that `enter` made; `finish` settles GIVEN_UP and BROKEN.

    `closed` is that of `search_strips`: quicker, but a factor that is left after NEVER
    need not have the fewest components.

    After PATH the dark edges are the path (`follow` writes it), and NO_FACTOR, ENDED
    and APART are true of any board. NEVER is true where `scope` is IN_SCOPE.
    """
    if not augment(s):
        return NO_FACTOR
    if s.info[LIVE] == s.info[END]:
        return PATH if s.info[CELLS] == 1 else ENDED
    if label(s) == 1 or join_parallel(s) == 1:
        return PATH
    if is_apart(s, False):
        return APART
    w.info[LIVE], w.info[END] = s.info[LIVE], s.info[END]
    w.info[WHOLE] = 1
    return merge(w, 1, closed)


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

    def __init__(self, s: Solid, w: Witness, name: str) -> None:
        self.s, self.w, self.name = s, w, name
        live, end = int(s.info[LIVE]), int(s.info[END])
        self.p, self.q = (live, end) if is_open(w, live) else (end, live)
        missing = 15 ^ int(s.near[self.p])
        self.missing = missing.bit_length() - 1
        self.on = int(s.step[self.missing ^ 2])
        self.lateral = 10 if self.missing % 2 == 0 else 5
        self.best: dict[int, _Best | None] = {}

    def is_settled(self, i: int) -> bool:
        """Whether a factor of level i that the search cannot improve is final."""
        p, middle = self.p + i * self.on, 1 << (self.missing ^ 2)
        if p == self.q or int(self.s.near[p]) | 1 << self.missing != 15:
            return True
        return int(self.s.dark[p]) & middle > 0

    def improve(self, i: int, most: int) -> bool:
        """Improve the factor of level i to so many components; whether it is final."""
        s, w = self.s, self.w
        while True:
            if (found := merge(w, most, False)) == MERGED:
                return False
            if found == BROKEN:
                raise StaticError(self.name)
            if self.is_settled(i):
                return True
            count, dark = int(w.info[COUNT]), s.dark.copy()
            below = self._improve_below(i, count)
            if below is None or below.count > count:
                s.dark[:] = dark
                components(w)
                return True
            s.dark[:] = below.dark

    def _improve_below(self, i: int, most: int) -> _Best | None:
        """Return a factor of the next level: of so many components, or its best one."""
        s = self.s
        p, last = self.p + i * self.on, self.p + (i + 1) * self.on == self.q
        bits = int(s.near[self.q]) & ~(1 << self.missing) if last else 0
        toggle(self.w, p, self.lateral)
        toggle(self.w, self.q, bits)
        if i + 1 not in self.best:
            s.dark[:] &= s.near
            s.lack[:] = 0
            trim(s)
            found = _Best(s.dark.copy(), label(s), False) if augment(s) else None
            self.best[i + 1] = found
        below = self.best[i + 1]
        if below and not below.final and below.count > most:
            s.dark[:] = below.dark
            below.final = self.improve(i + 1, most)
            below.dark[:] = s.dark
            below.count = int(self.w.info[COUNT])
        toggle(self.w, p, self.lateral)
        toggle(self.w, self.q, bits)
        return below


class StaticError(AssertionError):
    """A contradiction to the theorem: an internal error, which names the position."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the static search of strips fails at {name}")


def finish(s: Solid, w: Witness, found: int, name: str) -> tuple[int, Levels | None]:
    """Decide what `solve` left open: PATH, NEVER or APART; GIVEN_UP is not known.

    For graphs that are IN_SCOPE. Returns the levels, too, if there were any. Raises
    `StaticError`, with the name, if something contradicts the theorem.
    """
    if found not in (GIVEN_UP, BROKEN):
        return found, None
    live, end = int(s.info[LIVE]), int(s.info[END])
    both = int(s.near[live]).bit_count() == int(s.near[end]).bit_count() == 3
    if both and is_apart(s, True):
        return APART, None
    if found == BROKEN:
        raise StaticError(name)
    if both:
        return _finish_both(s, w, name), None
    levels = Levels(s, w, name)
    return (NEVER if levels.improve(0, 1) else PATH), levels


def _finish_both(s: Solid, w: Witness, name: str) -> int:
    """Decide a graph whose ends have three neighbours each, but are no cut of it.

    A factor that is straight at both, and that no path of strips improves, has the
    fewest components. Whether another has is not known.
    """
    ends = int(s.info[LIVE]), int(s.info[END])
    lateral = []
    for p in ends:
        missing = (15 ^ int(s.near[p])).bit_length() - 1
        lateral.append(10 if missing % 2 == 0 else 5)
    if not all(is_straight(w, p) for p in ends):
        for p, bits in zip(ends, lateral, strict=True):
            toggle(w, p, bits)
        s.dark[:] &= s.near
        s.lack[:] = 0
        trim(s)
        found = augment(s)
        if found:
            merge(w, 1, False)
        for p, bits in zip(ends, lateral, strict=True):
            toggle(w, p, bits)
        if not found:
            return GIVEN_UP
        if (done := merge(w, 1, False)) == BROKEN:
            raise StaticError(name)
        if done == MERGED:
            return PATH
    return NEVER if all(is_straight(w, p) for p in ends) else GIVEN_UP


class Outcome(Enum):
    """What decided a position, or why nothing did."""

    PATH = "a Hamiltonian path exists"
    ENDED = "the walk stands on the end cell too early"
    NO_FACTOR = "no path factor exists"
    APART = "the free cells are not connected, or not without the ends of the walk"
    STUCK = "no path of strips leads to an odd strip"
    UNSETTLED = "both ends have three neighbours, and the proof does not reach this far"


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


@dataclass(frozen=True, slots=True)
class StaticResult:
    """What the static search found.

    - `witness`: the cells after the live end, if the outcome is PATH.
    - `factors`: after STUCK the factors F_0, ..., F_r, one for each level. None has an
      odd strip that a path of strips reaches. F_i with i < r leaves p_i sideways, and
      F_{i+1} has more components, the path from p_i to q counted if G_{i+1} has no
      ends. F_r leaves p_r straight on, or p_r has at most two neighbours or is
      corner-free, or G_r has no ends, or G_{r+1} has no factor. If both ends of the
      position have three neighbours, there is one factor, straight at both of them.
    """

    outcome: Outcome
    witness: Walk | None = None
    factors: tuple[Factor, ...] = ()


_OUTCOMES = {
    PATH: Outcome.PATH,
    NO_FACTOR: Outcome.NO_FACTOR,
    ENDED: Outcome.ENDED,
    APART: Outcome.APART,
    NEVER: Outcome.STUCK,
    GIVEN_UP: Outcome.UNSETTLED,
}


def decide_solid(position: Position) -> StaticResult:
    """Decide a position whose free cells have no hole; see `scope` in `grid`.

    Raises `StaticError` if something contradicts the theorem.

    >>> decide_solid(Position.parse("5:RRDLD")).outcome.name
    'NO_FACTOR'
    """
    board = position.board
    s, w = new_room(board)
    load(s, position)
    found, levels = finish(s, w, solve(s, w, False), position.notation)
    if found == PATH:
        path = np.zeros(board.cells, np.int32)
        witness = tuple(path[: follow(s, path, board.cols)].tolist())
        return StaticResult(Outcome.PATH, witness)
    factors = _factors(s, levels, board) if found == NEVER else ()
    return StaticResult(_OUTCOMES[found], None, factors)


def _factors(s: Solid, levels: Levels | None, board: Board) -> tuple[Factor, ...]:
    """Return the factors F_0, ..., F_r that show that no Hamiltonian path exists."""
    cells = {c for c in range(s.inside.size) if s.inside[c]}
    ends: tuple[int, ...] = (int(s.info[LIVE]), int(s.info[END]))
    if levels is None:
        return (_factor(s, s.dark, cells, ends, board),)
    p, q = levels.p, levels.q
    found = [_factor(s, s.dark, cells, (p, q), board)]
    dark = s.dark
    while p != q and not dark[p] >> (levels.missing ^ 2) & 1:
        best = levels.best.get(len(found))
        if best is None:
            break
        cells.remove(p)
        p, dark = p + levels.on, best.dark
        if p == q:
            cells.remove(q)
        ends = (p, q) if p != q else ()
        found.append(_factor(s, dark, cells, ends, board))
    return tuple(found)


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


def new_room(board: Board) -> tuple[Solid, Witness]:
    """Return room for positions of a board: `load` or `enter` one, then `solve`."""
    s = new_solid(board)
    return s, new_witness(board)._replace(near=s.near, dark=s.dark)
