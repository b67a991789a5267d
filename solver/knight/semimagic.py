"""All semi-magic tours of the 8 x 8 board below a prefix: a depth-first kernel.

A *prefix* is the first cells of a tour. A step is *tried* when the lines are looked
at, and *taken* if they allow it. What is known to make a step impossible:

1. **lines**: no line may have passed its deadline (`linetimes`), counted from when
   the knight can be there at the earliest; the 16 deadlines are the bytes of two words;
2. **two neighbours**: a free cell needs two neighbours that are free or the live end,
   unless it is the last cell. A cell with exactly two is *tied*: the tour uses both
   moves. No cell has three tied neighbours, the live end no two, and at most one cell
   has a single neighbour: it is the next one or the last;
3. **forced steps**: a cell that would keep a single neighbour is stepped on at once,
   unless it is the last.

Degrees are four words, one bit plane each, taken over from the level above with one
subtraction; tied neighbours of all cells are counted by one adder of eight shifted
words. Nothing is allocated, and no branch is taken that a mask can spare.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from solver.errors import BoardError
from solver.jit import njit
from solver.knight.bits import first_bit
from solver.knight.linetimes import ARRIVAL, STRIDE, line_tables
from solver.knight.starts import StartClass, start_class
from solver.knight.tour import Tour, neighbours
from solver.splitmix import below as draw

Words = npt.NDArray[np.uint64]
_W = np.uint64
_CELLS = 64
_SUM = 260

_0, _1, _2, _3, _7, _8, _16, _56, _63, _BYTE = map(
    _W, (0, 1, 2, 3, 7, 8, 16, 56, 63, 255)
)
_ALL = _W(2**64 - 1)
_EACH, _GUARD = _W(0x0101010101010101), _W(0x8080808080808080)
_GATHER = _W(0x0102040810204080)  # times a column's bits: the column as a byte on top
_NOT_H, _NOT_GH = _W(0x7F7F7F7F7F7F7F7F), _W(0x3F3F3F3F3F3F3F3F)
_NOT_A, _NOT_AB = _W(0xFEFEFEFEFEFEFEFE), _W(0xFCFCFCFCFCFCFCFC)
_STRIDE = _W(STRIDE)
_NEAR = np.array(
    [sum(1 << one for one in near) for near in neighbours(8, 8)], dtype=np.uint64
)
# By row (or column) of the live end: how much later than the next step it can reach
# each of the 8 rows, a byte a row.
_DELAY = np.array(
    [
        sum((ARRIVAL[abs(one - at)] - 1) << (8 * one) for one in range(8))
        for at in range(8)
    ],
    dtype=np.uint64,
)
# Columns of a level of the stack: free cells, four planes of degrees, candidates not
# tried yet, deadlines of rows and of columns.
_FREE, _P0, _P1, _P2, _P3, _STEPS, _ROWS, _COLS = range(8)
_WIDTH = 8


@njit
def neighbours_among(tied: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the cells with at least 2, 3 and 4 neighbours in a set."""
    right1 = (tied >> _1) & _NOT_H
    left1 = (tied << _1) & _NOT_A
    right2 = (tied >> _2) & _NOT_GH
    left2 = (tied << _2) & _NOT_AB
    one1 = right1 ^ left1
    both1 = right1 & left1
    one2 = right2 ^ left2
    both2 = right2 & left2
    a = one1 << _16
    b = one1 >> _16
    c = one2 << _8
    d = one2 >> _8
    ab = a ^ b
    abc = ab ^ c
    single = abc ^ d
    # pairs, and two pairs
    carry1 = (a & b) | (ab & c)
    carry2 = abc & d
    pair = carry1 | carry2
    pairs = carry1 & carry2
    more = both1 << _16
    pairs |= pair & more
    pair |= more
    more = both1 >> _16
    pairs |= pair & more
    pair |= more
    more = both2 << _8
    pairs |= pair & more
    pair |= more
    more = both2 >> _8
    pairs |= pair & more
    pair |= more
    return pair, pairs | (pair & single), pairs


@njit
def _relieving(
    steps: np.uint64, over: np.uint64, severe: np.uint64, tied: np.uint64
) -> np.uint64:
    """Keep the steps after which no cell has too many tied neighbours.

    Of the cells in `over` the one stepped on does not count; if it was tied itself, it
    ties no longer, and only neighbours in `severe` still have too many.
    """
    out = _0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        left = over & ~step
        if step & tied != _0:
            left &= severe | ~_NEAR[first_bit(step)]
        if left == _0:
            out |= step
    return out


@njit
def open_level(
    stack: Words, t: np.uint64, end: np.uint64, finish: np.uint64, loose: np.uint64
) -> np.uint64:
    """Fill in the degrees at level t, where `end` is number t; return the steps.

    `loose` are the cells one of whose neighbours may be the last cell of the tour: one
    tied neighbour more than elsewhere is no contradiction there, unless the last cell
    is known.
    """
    free = stack[t, _FREE]
    near = _NEAR[end]
    steps = near & free
    p0 = stack[t - _1, _P0]
    p1 = stack[t - _1, _P1]
    p2 = stack[t - _1, _P2]
    p3 = stack[t - _1, _P3]
    borrow = ~p0 & near
    p0 ^= near
    again = ~p1 & borrow
    p1 ^= borrow
    borrow = ~p2 & again
    p2 ^= again
    p3 ^= borrow
    stack[t, _P0] = p0
    stack[t, _P1] = p1
    stack[t, _P2] = p2
    stack[t, _P3] = p3
    few = free & ~(p3 | p2)
    none_or_one = few & ~p1
    one = none_or_one & p0
    tied = few & p1 & ~p0
    two, three, four = neighbours_among(tied)
    stop = (two & ~loose) | (three & loose)
    over = ((three & ~loose) | (four & loose)) & free
    if none_or_one == _0:
        steps &= ~stop
        if over != _0:
            steps = _relieving(steps, over, four & ~loose, tied)
        return steps
    if none_or_one != one:  # a cell without neighbours: the last of all
        return steps & finish if t == _63 else _0
    more = one & (one - _1)
    never = one & ~finish
    if (more & (more - _1)) | (never & (never - _1)) != _0:
        return _0
    sure = steps & never if never != _0 else steps & (one if more != _0 else _ALL)
    maybe = _0
    if more == _0:  # the single one is the last cell, or stepped on now
        maybe = sure & one & ~stop
        sure &= ~one
    sure &= ~two
    if three & free != _0:
        sure = _relieving(sure, three & free, four, tied)
        if over != _0:
            maybe = _relieving(maybe, over, four & ~loose, tied)
    return sure | maybe


@njit
def take_step(
    stack: Words,
    left: Words,
    t: np.uint64,
    cell: np.uint64,
    latest: npt.NDArray[np.uint8],
    begins: Words,
) -> bool:
    """Give `cell` number t + 1 if every line stays possible; else change nothing."""
    now = t + _1
    row = cell >> _3
    col = cell & _7
    free = stack[t, _FREE] & ~(_1 << cell)
    row_mask = (free >> (row << _3)) & _BYTE
    col_mask = (((free >> col) & _EACH) * _GATHER) >> _56
    row_left = left[row] - now
    col_left = left[col + _8] - now
    by_row = _W(latest[begins[row] + row_mask * _STRIDE + row_left])
    by_col = _W(latest[begins[col + _8] + col_mask * _STRIDE + col_left])
    rows = (stack[t, _ROWS] & ~(_BYTE << (row << _3))) | (by_row << (row << _3))
    cols = (stack[t, _COLS] & ~(_BYTE << (col << _3))) | (by_col << (col << _3))
    time = now * _EACH
    # bytes stay below 128, so no borrow leaves a byte and the guard bit is the answer
    in_time = ((rows | _GUARD) - time - _DELAY[row]) & (
        (cols | _GUARD) - time - _DELAY[col]
    )
    if in_time & _GUARD != _GUARD:
        return False
    stack[now, _FREE] = free
    stack[now, _ROWS] = rows
    stack[now, _COLS] = cols
    left[row] = row_left
    left[col + _8] = col_left
    return True


@njit
def _search(
    stack: Words,
    left: Words,
    path: Words,
    span: Words,
    latest: npt.NDArray[np.uint8],
    begins: Words,
    out: npt.NDArray[np.uint8],
    taken: Words,
) -> np.uint64:
    """Search below a prefix that is laid down; write what is found, return how many.

    `span`: level of the prefix, level to stop at, finish, loose. `taken` counts the
    steps taken by level, and those tried in entry 0.
    """
    begin = span[0]
    stop = span[1]
    finish = span[2]
    loose = span[3]
    t = begin
    found = _0
    tried = _0
    room = _W(out.shape[0])
    stack[t, _STEPS] = open_level(stack, t, path[t], finish, loose)
    while True:
        steps = stack[t, _STEPS]
        if steps == _0:
            if t == begin:
                break
            cell = path[t]
        else:
            cell = first_bit(steps)
            stack[t, _STEPS] = steps & (steps - _1)
            tried += _1
            if not take_step(stack, left, t, cell, latest, begins):
                continue
            t += _1
            path[t] = cell
            taken[t] += _1
            if t != stop:
                stack[t, _STEPS] = open_level(stack, t, cell, finish, loose)
                continue
            if found < room:
                for k in range(_1, stop + _1):
                    out[found, k - _1] = path[k]
            found += _1
        left[cell >> _3] += t
        left[(cell & _7) + _8] += t
        t -= _1
    taken[0] += tried
    return found


@njit
def _dive(
    stack: Words,
    left: Words,
    path: Words,
    span: Words,
    latest: npt.NDArray[np.uint8],
    begins: Words,
    state: Words,
    taken: npt.NDArray[np.float64],
) -> float:
    """Walk down at random from the prefix to level `span[1]`; return the weight there.

    The weight is the product of the numbers of steps that could be taken: by Knuth
    (1975) its mean is the number of nodes at that level. It is added to `taken` level
    by level; 0 if the walk ends before. The steps stay taken, and
    `span[0]` says how many they are.
    """
    t = span[0]
    weight = 1.0
    while t < span[1]:
        steps = open_level(stack, t, path[t], span[2], span[3])
        good = _0
        count = 0
        while steps != _0:
            step = steps & (~steps + _1)
            steps ^= step
            cell = first_bit(step)
            if take_step(stack, left, t, cell, latest, begins):
                good |= step
                count += 1
                left[cell >> _3] += t + _1
                left[(cell & _7) + _8] += t + _1
        if count == 0:
            span[0] = t
            return 0.0
        skip = draw(state, count)
        for _ in range(skip):
            good &= good - _1
        cell = first_bit(good)
        take_step(stack, left, t, cell, latest, begins)
        t += _1
        path[t] = cell
        weight *= count
        taken[t] += weight
    span[0] = t
    return weight


@njit
def _rise(left: Words, path: Words, begin: np.uint64, t: np.uint64) -> None:
    """Take back the steps from level t down to level `begin`."""
    while t > begin:
        cell = path[t]
        left[cell >> _3] += t
        left[(cell & _7) + _8] += t
        t -= _1


@cache
def _first_planes() -> Words:
    degrees = [len(near) for near in neighbours(8, 8)]
    return np.array(
        [
            sum(1 << cell for cell in range(_CELLS) if degrees[cell] >> plane & 1)
            for plane in range(4)
        ],
        dtype=np.uint64,
    )


class State:
    """The arrays of the kernels with a prefix laid down; `dead` if it cannot be."""

    def __init__(self, start: StartClass, prefix: Tour) -> None:
        self.latest, begins = line_tables(start.finish, start.colour)
        self.begins = np.array(begins, dtype=np.uint64)
        self.stack = np.zeros((_CELLS + 2, _WIDTH), dtype=np.uint64)
        self.left = np.full(16, _SUM, dtype=np.uint64)
        self.path = np.zeros(_CELLS + 2, dtype=np.uint64)
        near_finish = sum(
            1 << cell for cell in range(_CELLS) if int(_NEAR[cell]) & start.finish
        )
        self.span = np.array([0, _CELLS, start.finish, near_finish], dtype=np.uint64)
        self.stack[0, _FREE] = _ALL
        self.stack[0, _P0 : _P3 + 1] = _first_planes()
        self.stack[0, _ROWS] = self.stack[0, _COLS] = _EACH * _W(_CELLS - 1)
        self.dead = not all(self._step(cell) for cell in prefix)

    def _step(self, cell: int) -> bool:
        t, _, finish, loose = self.span
        if t:
            steps = open_level(self.stack, t, self.path[t], finish, loose)
            if not int(steps) >> cell & 1:
                return False
        if not take_step(self.stack, self.left, t, _W(cell), self.latest, self.begins):
            return False
        self.span[0] = t + _1
        self.path[self.span[0]] = cell
        return True

    def rise(self, level: int) -> None:
        """Take back all steps beyond a level."""
        _rise(self.left, self.path, _W(level), self.span[0])
        self.span[0] = level


def search_on(
    state: State, stop: int = _CELLS, room: int = 0
) -> tuple[npt.NDArray[np.uint8], Words, int]:
    """Search below what a state has laid down.

    Returns
    -------
    walks : (min(room, found), stop) uint8
    taken : (65,) uint64
        Steps taken by level; entry 0 counts those tried.
    found : int
    """
    state.span[1] = stop
    out = np.zeros((room, _CELLS), dtype=np.uint8)
    taken = np.zeros(_CELLS + 1, dtype=np.uint64)
    found = int(
        _search(
            state.stack,
            state.left,
            state.path,
            state.span,
            state.latest,
            state.begins,
            out,
            taken,
        )
    )
    return out[:found, :stop], taken, found


def dive(
    state: State, level: int, random: Words, taken: npt.NDArray[np.float64]
) -> float:
    """Walk down at random to a level; return the weight there, 0 if it ended before.

    `random` is the state of the generator, `taken` gets the weights added by level.
    The steps stay laid down.
    """
    state.span[1] = level
    return float(
        _dive(
            state.stack,
            state.left,
            state.path,
            state.span,
            state.latest,
            state.begins,
            random,
            taken,
        )
    )


@dataclass(frozen=True, slots=True)
class Below:
    """What lies below a prefix: the tours (or prefixes) found, and the work done.

    `taken` counts the steps taken, by the level they lead to.
    """

    tours: tuple[Tour, ...]
    tried: int
    taken: tuple[int, ...]


def check_prefix(prefix: Tour) -> StartClass:
    """Return the start class of a prefix that the enumeration visits.

    Raises
    ------
    BoardError
        If the cells are no walk of a knight from one of the ten starts, or its second
        cell is the mirror image of one that is visited.
    """
    from solver.knight.starts import STARTS

    names = {start_class(name).cell: start_class(name) for name in STARTS}
    if not prefix or prefix[0] not in names:
        raise BoardError(f"a prefix begins at one of {', '.join(STARTS)}")
    start = names[prefix[0]]
    if len(set(prefix)) != len(prefix) or len(prefix) > _CELLS:
        raise BoardError("a prefix visits no cell twice")
    near = neighbours(8, 8)
    for k in range(1, len(prefix)):
        if prefix[k] not in near[prefix[k - 1]]:
            raise BoardError(f"numbers {k} and {k + 1} are no knight's move apart")
    if len(prefix) > 1 and prefix[1] not in start.second:
        raise BoardError("the second cell is the mirror image of one that is visited")
    return start


def below(prefix: Tour, *, stop: int = _CELLS, room: int = 4096) -> Below:
    """Search everything below a prefix, down to tours or to prefixes of `stop` cells.

    The walks come in the order of their cells. Of a prefix that cannot be continued
    nothing is found.

    Raises
    ------
    BoardError
        If the prefix is not one that `check_prefix` takes, or more than `room` walks
        are found.
    """
    start = check_prefix(prefix)
    if not len(prefix) < stop <= _CELLS:
        raise BoardError(f"cannot search from {len(prefix)} cells to {stop}")
    if len(prefix) == 1:  # the mirror images of first moves are left out
        parts = [
            below((*prefix, second), stop=stop, room=room)
            if stop > 2
            else Below(((*prefix, second),), 0, (0,) * (_CELLS + 1))
            for second in start.second
        ]
        return Below(
            tuple(tour for part in parts for tour in part.tours),
            sum(part.tried for part in parts),
            tuple(map(sum, zip(*(part.taken for part in parts), strict=True))),
        )
    state = State(start, prefix)
    if state.dead:
        return Below((), 0, (0,) * (_CELLS + 1))
    return _below(state, stop, room)


def _below(state: State, stop: int, room: int) -> Below:
    walks, taken, found = search_on(state, stop, room)
    if found > room:
        raise BoardError(f"{found} walks found, more than the {room} that fit")
    tours = tuple(tuple(map(int, walk)) for walk in walks)
    return Below(tours, int(taken[0]), (0, *map(int, taken[1:])))


def completions(walk: Tour) -> Below:
    """Search everything below any walk, wherever it begins and the tour may end.

    Raises
    ------
    BoardError
        If it is no knight's walk of at most 63 cells on 8 x 8.
    """
    near = neighbours(8, 8)
    good = 0 < len(walk) < _CELLS and all(0 <= cell < _CELLS for cell in walk)
    if not good or len(set(walk)) < len(walk):
        raise BoardError("a walk to complete visits 1 to 63 cells of 8 x 8, each once")
    for a, b in pairwise(walk):
        if b not in near[a]:
            raise BoardError(f"cells {a} and {b} are no knight's move apart")
    colour = sum(divmod(walk[0], 8)) % 2
    finish = sum(1 << c for c in range(_CELLS) if sum(divmod(c, 8)) % 2 != colour)
    state = State(StartClass("any", walk[0], finish, near[walk[0]]), walk)
    if state.dead:
        return Below((), 0, (0,) * (_CELLS + 1))
    return _below(state, _CELLS, 4096)
