"""Tours of any board: theorems that there is none, exact search, rules, weaving.

The search is a depth-first walk. A free cell needs two neighbours that are free or the
live end (or the start, which a closed tour comes back to); in an open tour the last
cell needs one. A cell that would keep one neighbour alone is stepped on at once. To
find one tour, cells with few free neighbours come first (Warnsdorff, 1823), ties by the
seed.

All rules prefer the free cells with the fewest free neighbours, too, and differ in
ties:

- ``warnsdorff``: by the seed;
- ``first``: the first in a fixed order of moves, as most programs do;
- ``outermost``: farthest from the centre of the board, then by the seed (A. Roth);
- ``isolated``: the most isolated one: its free neighbours together have the fewest
  free neighbours of their own, then by the seed (I. Pohl, 1967).

Tours of large boards are woven: the board is cut into blocks with closed tours of their
own. Two loops become one where a move a-b of the one and a move c-d of the other can be
exchanged for a-c and b-d. A pass over the board does so wherever two loops meet, with a
union-find of loops, until one is left: linear time. The idea is that of I. Parberry, An
efficient algorithm for the Knight's tour problem, Discrete Applied Mathematics 73
(1997), without his four fixed tours.

If both sides are odd there is no closed tour. Then one block, odd in both directions,
holds the start and an open tour from it, and the loops of all others are woven in.

Tours of boards of three or four rows, of any length, are found exactly, column by
column. A knight reaches two columns ahead. So all that later columns need to know of
earlier ones is what the last two columns look like: which cells still want moves, and
which of them are ends of one piece of the walk. Few such *states* exist, some hundreds
for three rows, some thousands for four; so a depth-first search over columns that
remembers the states that failed with so many columns left takes a step or two a column,
and says surely that there is no tour.

A cell of a state is a number: 0 wants no more, `_FREE` wants two moves, 2 and more want
one and are one of two ends of the piece of that name; `_GATE` wants one, and the other
end of its piece is an end of the whole tour.

On four rows the outer cells see inner ones only, and are as many. So a tour takes one
move from inner to inner cell and begins and ends outside, or it alternates; but then
it visits outer cells of one colour alone. States with two such moves are left out.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import import_module
from itertools import accumulate, product
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import UnknownNameError
from solver.jit import plain
from solver.puzzles.knight.tour import JUMPS, Tour, neighbours

ROWS = (3, 4)
_FREE, _GATE = 1, -1
_INNER = ((4, 1), (4, 2))  # of so many rows the inner ones
_FAR = 8  # columns that a state which fails with so many left seldom needs more of
Ints = npt.NDArray[np.int32]
_Cells = tuple[int, ...]
_Moves = tuple[tuple[int, int], ...]


class _State(NamedTuple):
    """What later columns need to know."""

    cells: _Cells  # of the last two columns, the older first; all 0 before the first
    ended: bool  # whether the last cell of the tour was chosen, or there is none
    crossed: bool  # whether a move from inner to inner cell was taken, on four rows
    whole: bool  # whether the walk is a whole tour


class _Way(NamedTuple):
    """A choice of moves into a column; its cells follow those of the state."""

    cells: _Cells
    moves: _Moves
    whole: bool


def strip_tour(
    rows: int, cols: int, start: int, *, closed: bool = False
) -> Tour | None:
    """Find a tour of a board of three or four rows, or columns; None if there is none.

    Takes some 30 microseconds a column, and less than a second to meet all states.

    >>> strip_tour(3, 6, 0) is None
    True
    >>> len(strip_tour(4, 500, 0))
    2000
    """
    if rows not in ROWS:
        turned = strip_tour(cols, rows, _turned(start, rows, cols), closed=closed)
        return turned and tuple(_turned(cell, cols, rows) for cell in turned)
    begin = None if closed else start
    moves = _strip_moves(rows, cols, begin, hasty=True)
    moves = moves or _strip_moves(rows, cols, begin, hasty=False)
    if moves is None:
        return None
    links: list[list[int]] = [[] for _ in range(rows * cols)]
    for a, b in moves:
        links[a].append(b)
        links[b].append(a)
    tour, before = [start], -1
    while len(tour) < rows * cols:
        a, b = (links[tour[-1]] * 2)[:2]
        before, after = tour[-1], b if a == before else a
        tour.append(after)
    return tuple(tour)


def _turned(cell: Any, rows: int, cols: int) -> Any:
    """Return the cell, or cells, of a board on the same board on its side."""
    return cell % cols * rows + cell // cols


def _strip_moves(
    rows: int, cols: int, start: int | None, *, hasty: bool
) -> _Moves | None:
    """Return the moves of a tour, None if there is none; closed if `start` is None.

    If `hasty`, a state that failed with many columns left is not tried again with fewer
    left. Then None says nothing; but on long boards most states are dead for ever.
    """
    place = (-1, -1) if start is None else divmod(start, cols)
    closed = start is None

    def after(col: int, state: _State) -> Iterator[tuple[_State, _Moves]]:
        if col == cols or state.whole:
            return iter(())
        row = place[0] if col == place[1] else -1
        return iter(_after(rows, state, row, closed).items())

    first = _State((0,) * (2 * rows), closed, False, False)
    dead: set[tuple[int, _State]] = set()
    hopeless: set[tuple[bool, _State]] = set()
    nothing: _Moves = ()
    stack = [(first, after(0, first), nothing)]
    while stack:
        col = len(stack) - 1
        state, left, _ = stack[-1]
        if col == cols and state.whole:
            return tuple(
                _on_board(move, rows, cols, at)
                for at, (_, _, moves) in enumerate(stack[1:])
                for move in moves
            )
        begun = col + 1 > place[1]
        for following, moves in left:
            if (col + 1, following) in dead or (begun, following) in hopeless:
                continue
            stack.append((following, after(col + 1, following), moves))
            break
        else:
            dead.add((col, state))
            if hasty and cols - col > _FAR:
                hopeless.add((col > place[1], state))
            stack.pop()
    return None


def _on_board(move: tuple[int, int], rows: int, cols: int, col: int) -> tuple[int, int]:
    """Return the cells of a move into a column; a state counts columns before it."""
    (x, r), (y, q) = (divmod(one, rows) for one in move)
    return r * cols + col - 2 + x, q * cols + col - 2 + y


@lru_cache(1 << 16)
def _after(rows: int, state: _State, start: int, closed: bool) -> dict[_State, _Moves]:
    """Return what can follow a state, each with the moves into the new column.

    `start` is the row of the first cell of the tour, -1 if it is in another column.
    """
    out: dict[_State, _Moves] = {}
    ends = [-1]
    if not state.ended:
        ends += [
            row for row in range(rows) if row != start and (rows, row) not in _INNER
        ]
    for end in ends:
        new = [_GATE if row in (start, end) else _FREE for row in range(rows)]
        ended = state.ended or end >= 0
        for way in _ways(_Way((*state.cells, *new), (), False), rows, closed):
            inner = sum(
                all((rows, c % rows) in _INNER for c in move) for move in way.moves
            )
            crossed = inner + state.crossed
            cells = _renamed(way.cells[rows:])
            if crossed > 1 or not (way.whole or any(cells)):
                continue
            following = _State(cells, ended, bool(crossed), way.whole)
            out.setdefault(following, way.moves)
    return out


@cache
def _moves_into(rows: int) -> _Moves:
    """Return the moves into the new column, those from the oldest column first."""
    return tuple(
        ((2 - across) * rows + row, 2 * rows + row + down)
        for across, downs in ((2, (-1, 1)), (1, (-2, 2)))
        for row in range(rows)
        for down in downs
        if 0 <= row + down < rows
    )


def _ways(way: _Way, rows: int, closed: bool, at: int = 0) -> Iterator[_Way]:
    """Yield all ways to take moves into the new column, or not, from one on.

    The oldest column gets all that it wants.
    """
    moves = _moves_into(rows)
    last = at == len(moves)
    wanting = any(way.cells[: rows if last else min(rows, moves[at][0])])
    if way.whole or (last and not wanting):
        yield way
    elif not (last or wanting):
        yield from _ways(way, rows, closed, at + 1)
        if more := _with_move(way, *moves[at], closed):
            yield from _ways(more, rows, closed, at + 1)


def _with_move(way: _Way, one: int, two: int, closed: bool) -> _Way | None:
    """Take a move between two cells; None if one wants none or a loop is closed."""
    cells, (a, b) = list(way.cells), (way.cells[one], way.cells[two])
    moves = (*way.moves, (one, two))
    if not (a and b):
        return None
    if a == b == _FREE:
        cells[one] = cells[two] = max(*cells, 1) + 1
    elif _FREE in (a, b):
        cells[one], cells[two] = (b, 0) if a == _FREE else (0, a)
    else:
        cells[one] = cells[two] = 0
        if a == b:
            # the last move of all; between two gates it makes the tour of two ends
            whole = not any(cells) and (a == _GATE) != closed
            return _Way(tuple(cells), moves, True) if whole else None
        cells = [min(a, b) if cell == max(a, b) else cell for cell in cells]
    return _Way(tuple(cells), moves, False)


def _renamed(cells: _Cells) -> _Cells:
    """Name pieces in the order of their first cells."""
    names = {0: 0, _FREE: _FREE, _GATE: _GATE}
    return tuple(names.setdefault(cell, len(names) - 1) for cell in cells)


_KERNELS = "solver.puzzles.knight.kernels"
# Steps that Python searches before numba is there: about the time of loading it.
_SHORT = 20_000


class Status(Enum):
    """How a search ended."""

    FOUND = "a tour was found"
    NONE = "every walk was tried; there is no tour"
    UNKNOWN = "the limit came first"


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found: a tour if there is one, how many, and the steps it tried."""

    status: Status
    tour: Tour | None
    count: int
    steps: int


def _kernels(*, plainly: bool) -> ModuleType:
    """Return the kernels; if `plainly`, as plain Python unless numba is there."""
    if plainly and "numba" not in sys.modules:
        return plain(_KERNELS)
    return import_module(_KERNELS)


def _held(kernels: ModuleType, *arrays: npt.NDArray[Any]) -> list[Any]:
    """Return what kernels work on: arrays if they are compiled, else lists."""
    compiled = kernels is sys.modules.get(_KERNELS)
    return [one if compiled else one.tolist() for one in arrays]


def _table(rows: int, cols: int, rng: np.random.Generator | None) -> list[int]:
    out = []
    for others in neighbours(rows, cols):
        order = list(reversed(others))  # the last step of a list is tried first
        if rng is not None:
            rng.shuffle(order)
        out += order + [-1] * (8 - len(order))
    return out


def search(
    rows: int,
    cols: int,
    walk: Tour,
    *,
    closed: bool = False,
    steps: int = 2_000_000,
    most: int = 1,
    seed: int | None = 0,
) -> Searched:
    """Search tours of a board that begin with a walk.

    `closed`: only tours whose last cell is a knight's move from the first. It stops
    after so many `steps`, below 0 never, or after `most` tours; below 1 all are
    counted. `seed` puts ties in order; None tries cells in ascending order, as counting
    does.
    """
    if len(walk) == rows * cols:
        good = not closed or walk[0] in neighbours(rows, cols)[walk[-1]]
        status = Status.FOUND if good else Status.NONE
        return Searched(status, walk if good else None, int(good), 0)
    near = _table(rows, cols, None if seed is None else np.random.default_rng(seed))
    args = near, walk, closed, seed
    kernels, short = _kernels(plainly=True), steps
    if kernels is not sys.modules.get(_KERNELS) and not 0 <= steps <= _SHORT:
        short = _SHORT
    count, left, out = _run(kernels, *args, short, most)
    if left == 0 and not 0 < count == most and short != steps:
        short = steps  # plain Python did not come to the end
        count, left, out = _run(_kernels(plainly=False), *args, steps, most)
    used = short - left
    if count:
        return Searched(Status.FOUND, out, count, used)
    return Searched(Status.NONE if left else Status.UNKNOWN, None, 0, used)


def _run(
    kernels: ModuleType,
    near: list[int],
    walk: Tour,
    closed: bool,
    seed: int | None,
    steps: int,
    most: int,
) -> tuple[int, int, Tour]:
    """Search with compiled kernels or plain ones; tours, steps left, the first tour."""
    cells = len(near) // 8
    table = np.array(near, dtype=np.int32)
    path = np.full(cells, -1, dtype=np.int32)
    path[: len(walk)] = walk
    free, width, lonely, out = np.ones_like(path), *np.zeros((3, cells), np.int32)
    degree = (table.reshape(-1, 8) >= 0).sum(axis=1, dtype=np.int32)
    arrays = (table, path, free, degree, np.zeros_like(table), width, lonely, out)
    *held, first = _held(kernels, *arrays)
    limits = np.array([steps, most, len(walk)], dtype=np.int64)
    state = kernels.Search(*held, closed, seed is not None)
    count = int(kernels.search_on(state, first, limits))
    return count, int(limits[0]), tuple(map(int, first))


def count_tours(rows: int, cols: int, *, closed: bool = False) -> int:
    """Count the tours of a board, exactly; directed, every start for itself.

    Starts that a symmetry of the board exchanges have equally many. Closed tours are
    counted as cycles that have a direction: each once, wherever it begins. 6 x 6 takes
    a few seconds; beyond about 40 cells nobody waits for the end.

    >>> count_tours(3, 4), count_tours(5, 5, closed=True)
    (16, 0)
    """
    if closed:
        return search(rows, cols, (0,), closed=True, steps=-1, most=0, seed=None).count
    total = 0
    for orbit in _orbits(rows, cols):
        found = search(rows, cols, (orbit[0],), steps=-1, most=0, seed=None)
        total += len(orbit) * found.count
    return total


def _orbits(rows: int, cols: int) -> list[list[int]]:
    """Return the cells in groups that symmetries of the board exchange."""
    groups: dict[tuple[int, int], list[int]] = {}
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        near = min(r, rows - 1 - r), min(c, cols - 1 - c)
        near = min(near, near[::-1]) if rows == cols else near
        groups.setdefault(near, []).append(cell)
    return list(groups.values())


_ON_FOUR_ROWS = (
    "on 4 rows outer cells meet inner cells alone and are as many, so a {0} outer and "
    "inner, and colours as well, and visit the outer cells of one colour only"
)


def why_no_closed_tour(rows: int, cols: int) -> str | None:
    """Return why a board has no closed tour, None if it has one.

    A. J. Schwenk, Which rectangular chessboards have a knight's tour?, Mathematics
    Magazine 64 (1991): a board m x n, m at most n, has a closed tour unless m and n are
    odd, or m is 1, 2 or 4, or m is 3 and n is 4, 6 or 8. (One cell alone has none.)

    >>> why_no_closed_tour(5, 6) is None
    True
    """
    m, n = min(rows, cols), max(rows, cols)
    if m % 2 and n % 2:
        return "the number of cells is odd, and moves change colour: none comes back"
    if m in (1, 2):
        return f"on {m} x {n} no cell in a corner has two neighbours"
    if m == 4:
        return _ON_FOUR_ROWS.format("closed tour would alternate")
    if m == 3 and n in (4, 6, 8):
        return f"3 x {n} has none: Schwenk's theorem"
    return None


def why_no_open_tour(rows: int, cols: int) -> str | None:
    """Return why a board has no tour at all, None if it has one.

    Open tours of m x n, m at most n, exist except for m = 1 with n above 1, m = 2,
    m = 3 with n = 3, 5 or 6, and 4 x 4: Cull and De Curtins, Fibonacci Quarterly 16
    (1978), for 5 and more; boards of 3 and 4 rows are settled by search and induction
    (R. J. Chen's and G. Cairns' surveys say the same).
    """
    m, n = min(rows, cols), max(rows, cols)
    if m == 1 < n:
        return "on one row no knight can move"
    if m == 2:
        return "on 2 rows a knight can only go along the board and never comes back"
    if (m, n) in ((3, 3), (3, 5), (3, 6), (4, 4)):
        return f"{rows} x {cols} has none: every walk was tried"
    return None


def why_not_from(rows: int, cols: int, start: int) -> str | None:
    """Return why no tour begins in a cell, as far as one can say without trying.

    >>> why_not_from(4, 9, 0) is None
    True
    """
    row, col = divmod(start, cols)
    if rows * cols % 2 and (row + col) % 2:
        return (
            "the number of cells is odd, so a tour begins and ends on the colour of "
            "the corners, and this cell has the other"
        )
    if (rows == 4 and row in (1, 2)) or (cols == 4 and col in (1, 2)):
        return _ON_FOUR_ROWS.format(
            "tour begins and ends outside, or it would alternate"
        )
    return None


RULES = ("warnsdorff", "first", "outermost", "isolated")

# Cells of boards that Python walks before numba is there: about the time of loading it.
_WALKED = 1024


def degrees(rows: int, cols: int) -> npt.NDArray[np.int8]:
    """Return how many neighbours each cell of a board has."""
    out = np.zeros((rows, cols), dtype=np.int8)
    for dr, dc in JUMPS:
        top, bottom = max(0, -dr), min(rows, rows - dr)
        left, right = max(0, -dc), min(cols, cols - dc)
        if top < bottom and left < right:
            out[top:bottom, left:right] += 1
    return out.reshape(-1)


def walk(rows: int, cols: int, start: int, *, rule: str, seed: int) -> Ints:
    """Walk from a cell under a rule until the board is full or no step is left.

    Returns the cells. Linear time: a million take about a fifth of a second.

    Raises `UnknownNameError` if there is no such rule.
    """
    if rule not in RULES:
        raise UnknownNameError("rule", rule, RULES)
    rng, cells = np.array([seed % 2**64], dtype=np.uint64), rows * cols
    kernels = _kernels(plainly=cells <= _WALKED)
    begun = np.full(cells, start, dtype=np.int32)
    path, degree = _held(kernels, begun, degrees(rows, cols))
    with np.errstate(over="ignore"):  # as random words are meant to
        done = kernels.walk_on(path, degree, rows, cols, RULES.index(rule), rng)
    return np.array(path[:done], dtype=np.int32)


_ODD = (5, 7, 9, 11, 13)
# Cells of boards that Python weaves before numba is there: about the time of loading.
_WOVEN = 20_000
_STEPS, _SEEDS = 2000, 100  # of a search for the tour of a block, and how many


def even_bands(length: int) -> list[int] | None:
    """Cut a length into bands of 6, 8 or 10; None if it cannot be cut.

    >>> even_bands(22), even_bands(4)
    ([6, 6, 10], None)
    """
    if length == 0:
        return []
    if length < 6 or length % 2:
        return None
    return [6] * (length // 6 - 1) + [6 + length % 6]


def odd_bands(length: int, at: int) -> Iterator[tuple[list[int], int]]:
    """Yield cuts of a length into even bands and one odd, which holds `at`.

    Each comes with the place of the odd band; the smallest odd band comes first.
    """
    for size in _ODD:
        for before in range(max(0, at - size + 1), min(at, length - size) + 1):
            left, right = even_bands(before), even_bands(length - size - before)
            if left is not None and right is not None:
                yield [*left, size, *right], len(left)


@cache
def block_tour(rows: int, cols: int, start: int, closed: bool) -> Tour | None:
    """Return a tour of a small block, None if none was found."""
    if rows > cols:  # the same tour as of the block on its side
        turned = block_tour(cols, rows, _turned(start, rows, cols), closed)
        return turned and tuple(_turned(cell, cols, rows) for cell in turned)
    # a search that goes wrong early does not come back, so others begin elsewhere; a
    # closed tour has no start
    begins = range(rows * cols) if closed else (start,) * _SEEDS
    tries = (
        search(rows, cols, (cell,), closed=closed, steps=_STEPS, seed=seed)
        for seed, cell in enumerate(begins)
    )
    return next((found.tour for found in tries if found.tour), None)


def _links_of(tour: Tour, closed: bool, cols: int, wide: int) -> tuple[Ints, Ints]:
    """Return the cells of a block `wide` cells wide at the board's first corner.

    With each come the cells before and after it, -1 behind an end.
    """
    cells = np.array(tour, dtype=np.int32)
    cells = cells // wide * cols + cells % wide
    links = np.stack([np.roll(cells, 1), np.roll(cells, -1)], axis=1)
    if not closed:
        links[0, 0] = links[-1, 1] = -(2**30)
    return cells, links


def _woven(
    rows: int, cols: int, start: int, high: list[int], wide: list[int], odd: int
) -> Ints | None:
    """Weave a tour from bands; `odd` is the number of the open block, -1 if none."""
    cells = rows * cols
    links = np.full((cells, 2), -1, dtype=np.int32)
    block = np.full(cells, -1, dtype=np.int32)
    ready: dict[tuple[int, int], tuple[Ints, Ints]] = {}
    r, c = divmod(start, cols)
    tops = zip(accumulate(high, initial=0), high, strict=False)
    lefts = [*zip(accumulate(wide, initial=0), wide, strict=False)]
    for number, ((top, height), (left, width)) in enumerate(product(tops, lefts)):
        is_open = number == odd
        inside = (r - top) * width + c - left if is_open else 0
        if is_open or (height, width) not in ready:
            tour = block_tour(height, width, inside, not is_open)
            if tour is None:
                return None
            ready[height, width] = _links_of(tour, not is_open, cols, width)
        at, around = ready[height, width]
        corner = top * cols + left
        links[at + corner] = np.maximum(around + corner, -1)
        block[at + corner] = number
    number = len(high) * len(wide)
    kernels = _kernels(plainly=cells <= _WOVEN)
    whole = links.reshape(-1), block, np.arange(number, dtype=np.int32)
    *loops, out = _held(kernels, *whole, np.full(cells, -1, dtype=np.int32))
    joins = 0
    while joins < number - 1:
        more = int(kernels.join_loops(*loops, rows, cols))
        if more == 0:
            return None
        joins += more
    met = kernels.unroll(loops[0], start, out)
    return np.array(out, dtype=np.int32) if met == cells else None


def weave(rows: int, cols: int, start: int) -> Ints | None:
    """Return a tour of a board from a cell, closed if the board has closed ones.

    Boards from 5 rows and 5 columns on. None if the board cannot be cut so; that does
    not say that it has no tour.
    """
    if rows > cols:
        turned = weave(cols, rows, _turned(start, rows, cols))
        return None if turned is None else _turned(turned, cols, rows)
    if rows < 5:
        return None
    if why_no_closed_tour(rows, cols) is None:
        high, wide = (
            even_bands(length)
            or next((bands for bands, _ in odd_bands(length, 0)), None)
            for length in (rows, cols)
        )
        return _woven(rows, cols, start, high, wide, -1) if high and wide else None
    r, c = divmod(start, cols)
    for high, i in odd_bands(rows, r):
        for wide, j in odd_bands(cols, c):
            found = _woven(rows, cols, start, high, wide, i * len(wide) + j)
            if found is not None:
                return found
    return None
