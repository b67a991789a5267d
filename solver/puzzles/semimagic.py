"""Semi-magic knight's tours of 8 x 8: all below a prefix, an estimate, the symmetric.

A tour is *semi-magic* if the numbers of each *line*, a row or a column, add up to 260.
The cells of a line without a number are a *mask* of 8 bits, and `left` is what they
must still add up to. A knight needs a number of moves between two visits of a line, and
a cell's colour decides whether its number is odd.
So the visits after time t have a least possible sum, which grows with t, and a largest
sum. The *deadline* of a mask and a `left` is the last t for which the sum is still
possible; 0 means never.

A *prefix* is the first cells of a tour. `tours_below` searches everything below it,
depth first. The search *tries* each step, and *takes* it if the lines allow it. Three
facts exclude steps:

1. **lines**: no line may have passed its deadline, counted from when the knight can be
   there at the earliest; the 16 deadlines are the bytes of two words;
2. **two neighbours**: a free cell needs two neighbours that are free or the live end,
   unless it is the last cell. A cell with exactly two is *tied*: the tour uses both
   moves. No cell has three tied neighbours, and the live end has at most one. At most
   one cell has a single neighbour: it is the next cell or the last;
3. **forced steps**: a cell that would keep a single neighbour is stepped on at once,
   unless it is the last.

`estimate` walks down the same tree at random. The product of the numbers of steps to
choose from, times what a search finds below, has the true count as its mean: D. E.
Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29
(1975). The search at the end makes the spread small, since the widest levels lie below.

`all_symmetric` finds the tours that a half turn of the board carries into themselves.
Number k + 32 lies opposite of number k, so 32 cells determine the tour: the *half*. No
two of them are opposite, and the last is a knight's move from the cell opposite of the
first. Row r holds the numbers k of the half in it, and k + 32 for those in row 7 - r.
Rows r and 7 - r have the same sum only if each holds four numbers of the half. The
eight numbers then add up to 132. The same is true of columns. So the search has eight
*double lines*, with deadlines as above.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from solver.errors import BoardError, OptionError
from solver.jit import njit, njit_within
from solver.puzzles.knight import (
    STARTS,
    StartClass,
    Tour,
    chess_name,
    colour_of,
    knight_moves,
    start_class,
)
from solver.splitmix import below as random_below

Words = npt.NDArray[np.uint64]
Levels = npt.NDArray[np.float64]
_Table = npt.NDArray[np.uint8]
_Gaps = tuple[tuple[int, ...], ...]

_STRIDE = 328  # entries a mask: left from -64 to 263
_OFFSET = 64  # where left = 0 stands
_NO_DEADLINE = 127
_ARRIVAL = (2, 1, 1, 2, 2, 3, 3, 4)  # moves from a line to a line, by distance
_BY_DISTANCE = (0, 3, 2, 3, 2, 3, 4, 5)  # moves between two cells of a line
_LINE_GAPS: _Gaps = tuple(
    tuple(_BY_DISTANCE[abs(a - b)] for b in range(8)) for a in range(8)
)


@cache
def _rest(mask: int, last: int, gaps: _Gaps) -> int:
    """Return the least sum of the times of `mask`, counted from a visit of `last`."""
    count = mask.bit_count()
    return min(
        (
            gaps[last][cell] * count + _rest(mask & ~(1 << cell), cell, gaps)
            for cell in range(8)
            if mask >> cell & 1
        ),
        default=0,
    )


@cache
def _deadlines(colour: int, end: int, gaps: _Gaps = _LINE_GAPS) -> _Table:
    """Return the deadlines of a line, flat: entry ``mask * _STRIDE + _OFFSET + left``.

    `colour` is 0 if the first cell of the line bears odd numbers, and `end` the last
    time at which the line can be visited, at most 64.
    """
    table = np.zeros((256, _STRIDE), dtype=np.uint8)
    table[0, _OFFSET] = _NO_DEADLINE
    left = np.arange(_STRIDE - _OFFSET)
    for mask in range(1, 256):
        count = mask.bit_count()
        least = [end * 8, end * 8]  # least sums after an even and an odd time 0
        largest = -1
        for cell in range(8):
            if mask >> cell & 1:
                odd = (cell + colour) % 2 == 0
                rest = _rest(mask & ~(1 << cell), cell, gaps)
                for time in (0, 1):
                    wait = 1 if odd == (time == 0) else 2
                    least[time] = min(least[time], wait * count + rest)
                top = end if odd == (end % 2 == 1) else end - 1
                largest = max(largest, top * count - rest)
        for time in range(64):
            possible = (count * time + least[time % 2] <= left) & (left <= largest)
            table[mask, _OFFSET:][possible] = time
    return table.reshape(-1)


def _lines(finish: int, colour: int) -> tuple[_Table, list[int]]:
    """Return the tables that the 16 lines need, joined, and where each line's begins.

    `finish` is the set of cells of number 64, `colour` that of odd numbers.
    """
    ends = [divmod(cell, 8) for cell in range(_CELLS) if finish >> cell & 1]
    kinds = []
    for line in range(16):
        apart = {abs(end[line // 8] - line % 8) for end in ends}
        last = 64 if 0 in apart else 64 - min(_ARRIVAL[d] for d in apart)
        kinds.append(((line + colour) % 2, last))
    different = sorted(set(kinds))
    table = np.concatenate([_deadlines(*kind) for kind in different])
    begins = [different.index(kind) * 256 * _STRIDE + _OFFSET for kind in kinds]
    return table, begins


@intrinsic
def _first_bit(typing_context: Any, word: Any) -> Any:
    """Return the number of the lowest bit of a word; a single instruction."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        shape = ir.FunctionType(ir.IntType(64), [ir.IntType(64), ir.IntType(1)])
        function = builder.module.declare_intrinsic("llvm.cttz.i64", fnty=shape)
        return builder.call(function, [args[0], ir.Constant(ir.IntType(1), 1)])

    return types.uint64(types.uint64), generate


_W = np.uint64
_CELLS = 64
_0, _1, _2, _3, _7, _8, _16, _56, _63, _BYTE = map(
    _W, (0, 1, 2, 3, 7, 8, 16, 56, 63, 255)
)
_ALL = _W(2**64 - 1)
_EACH, _GUARD = _W(0x0101010101010101), _W(0x8080808080808080)
_GATHER = _W(0x0102040810204080)  # times a column's bits: the column as a byte on top
_NOT_H, _NOT_GH = _W(0x7F7F7F7F7F7F7F7F), _W(0x3F3F3F3F3F3F3F3F)
_NOT_A, _NOT_AB = _W(0xFEFEFEFEFEFEFEFE), _W(0xFCFCFCFCFCFCFCFC)
_WORD_STRIDE = _W(_STRIDE)
_NEAR = np.array([sum(1 << c for c in near) for near in knight_moves(8, 8)], _W)
# By row (or column) of the live end: how much later than by the next step it can reach
# each row, a byte for each.
_DELAY = np.array(
    [
        sum((_ARRIVAL[abs(row - at)] - 1) << 8 * row for row in range(8))
        for at in range(8)
    ],
    _W,
)
# Columns of a level of the stack: free cells, four bit planes of their degrees,
# candidates not tried yet, deadlines of rows and of columns.
_FREE, _P0, _P1, _P2, _P3, _STEPS, _ROWS, _COLS = range(8)
# Indices into `span`: level reached, level to stop at, cells to end on, and their
# neighbours.
_LEVEL, _STOP, _FINISH, _LOOSE = range(4)


class _Descent(NamedTuple):
    """A prefix with the steps after it, and the tables that decide the next step."""

    stack: Words  # (66, 8): one row a level, in the columns named above
    left: Words  # (16,): what free cells of each row and column still have to sum up to
    path: Words  # (66,): the cells, from index 1
    span: Words  # (4,)
    latest: _Table  # deadlines of lines
    begins: Words  # (16,): where the deadlines of each line begin in `latest`


@njit
def _neighbours_among(tied: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
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
    for more in (both1 << _16, both1 >> _16, both2 << _8, both2 >> _8):
        pairs |= pair & more
        pair |= more
    return pair, pairs | (pair & single), pairs


@njit
def _relieving(
    steps: np.uint64, over: np.uint64, severe: np.uint64, tied: np.uint64
) -> np.uint64:
    """Keep the steps after which no cell has too many tied neighbours.

    The step itself may be in `over`. If it was tied, its neighbours lose a tied one,
    and only those in `severe` still have too many.
    """
    out = _0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        left = over & ~step
        if step & tied != _0:
            left &= severe | ~_NEAR[_first_bit(step)]
        if left == _0:
            out |= step
    return out


@njit_within
def _open_level(d: _Descent, t: np.uint64, end: np.uint64) -> np.uint64:
    """Fill in the degrees at level t, where `end` is number t; return the steps.

    A cell next to a possible last cell of the tour may have one tied neighbour more.
    Only the last cell itself may have fewer than two neighbours left.
    """
    stack, finish, loose = d.stack, d.span[_FINISH], d.span[_LOOSE]
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
    lone = none_or_one & p0
    tied = few & p1 & ~p0
    two, three, four = _neighbours_among(tied)
    stop = (two & ~loose) | (three & loose)
    over = ((three & ~loose) | (four & loose)) & free
    if none_or_one == _0:
        steps &= ~stop
        if over != _0:
            steps = _relieving(steps, over, four & ~loose, tied)
        return steps
    if none_or_one != lone:  # a cell without neighbours: the last of all
        return steps & finish if t == _63 else _0
    more = lone & (lone - _1)
    never = lone & ~finish
    if (more & (more - _1)) | (never & (never - _1)) != _0:
        return _0
    sure = steps & never if never != _0 else steps & (lone if more != _0 else _ALL)
    maybe = _0
    if more == _0:  # the lone cell is the last, or stepped on now
        maybe = sure & lone & ~stop
        sure &= ~lone
    sure &= ~two
    if three & free != _0:
        sure = _relieving(sure, three & free, four, tied)
        if over != _0:
            maybe = _relieving(maybe, over, four & ~loose, tied)
    return sure | maybe


@njit_within
def _take_step(d: _Descent, t: np.uint64, cell: np.uint64) -> bool:
    """Return True after step t + 1 to a cell; False if a line excludes it."""
    stack, left, latest, begins = d.stack, d.left, d.latest, d.begins
    now = t + _1
    row = cell >> _3
    col = cell & _7
    free = stack[t, _FREE] & ~(_1 << cell)
    row_mask = (free >> (row << _3)) & _BYTE
    col_mask = (((free >> col) & _EACH) * _GATHER) >> _56
    row_left = left[row] - now
    col_left = left[col + _8] - now
    by_row = _W(latest[begins[row] + row_mask * _WORD_STRIDE + row_left])
    by_col = _W(latest[begins[col + _8] + col_mask * _WORD_STRIDE + col_left])
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


@njit_within
def _take_back(d: _Descent, t: np.uint64, cell: np.uint64) -> None:
    """Undo step t to a cell."""
    d.left[cell >> _3] += t
    d.left[(cell & _7) + _8] += t


def _descent(start: StartClass, prefix: Tour) -> _Descent | None:
    """Return a descent that stands below a prefix; None if a fact excludes it."""
    latest, begins = _lines(start.finish, colour_of(start.cell))
    loose = sum(1 << k for k in range(_CELLS) if int(_NEAR[k]) & start.finish)
    descent = _Descent(
        np.zeros((_CELLS + 2, 8), _W),
        np.full(16, 260, _W),
        np.zeros(_CELLS + 2, _W),
        np.array([0, _CELLS, start.finish, loose], _W),
        latest,
        np.array(begins, _W),
    )
    descent.stack[0, _FREE] = _ALL
    degrees = [len(near) for near in knight_moves(8, 8)]
    for plane in range(4):
        bits = sum((degree >> plane & 1) << k for k, degree in enumerate(degrees))
        descent.stack[0, _P0 + plane] = _W(bits)
    descent.stack[0, [_ROWS, _COLS]] = _EACH * _W(_CELLS - 1)
    for t, cell in enumerate(map(_W, prefix)):
        steps = _open_level(descent, _W(t), descent.path[t]) if t else _ALL
        if not int(steps) >> int(cell) & 1 or not _take_step(descent, _W(t), cell):
            return None
        descent.span[_LEVEL] = t + 1
        descent.path[t + 1] = cell
    return descent


@njit
def _search(d: _Descent, out: npt.NDArray[np.uint8], taken: Words) -> np.uint64:
    """Write the walks below a descent to `out`; return how many there are.

    `taken` counts the steps taken by level, and the steps tried in entry 0.
    """
    begin, stop = d.span[_LEVEL], d.span[_STOP]
    t = begin
    count = tried = _0
    room = _W(out.shape[0])
    d.stack[t, _STEPS] = _open_level(d, t, d.path[t])
    while True:
        steps = d.stack[t, _STEPS]
        if steps == _0:
            if t == begin:
                break
            cell = d.path[t]
        else:
            cell = _first_bit(steps)
            d.stack[t, _STEPS] = steps & (steps - _1)
            tried += _1
            if not _take_step(d, t, cell):
                continue
            t += _1
            d.path[t] = cell
            taken[t] += _1
            if t != stop:
                d.stack[t, _STEPS] = _open_level(d, t, cell)
                continue
            if count < room:
                for k in range(_1, stop + _1):
                    out[count, k - _1] = d.path[k]
            count += _1
        _take_back(d, t, cell)
        t -= _1
    taken[0] += tried
    return count


def _searched(
    descent: _Descent, stop: int, room: int
) -> tuple[npt.NDArray[np.uint8], Words, int]:
    """Search below a descent; return the walks that fit, the work, and the count.

    The walks are (min(room, count), stop) uint8, the work is that of `_search`.
    """
    descent.span[_STOP] = stop
    out = np.zeros((room, _CELLS), np.uint8)
    taken = np.zeros(_CELLS + 1, _W)
    count = int(_search(descent, out, taken))
    return out[:count, :stop], taken, count


class Below(NamedTuple):
    """The tours (or prefixes) below a prefix, and the work that the search did."""

    tours: tuple[Tour, ...]
    tried: int
    taken: tuple[int, ...]  # steps taken, by the level they lead to


def tours_below(
    prefix: Tour,
    *,
    start: StartClass | None = None,
    stop: int = _CELLS,
    room: int = 4096,
) -> Below:
    """Search everything below a prefix, down to tours or to prefixes of `stop` cells.

    The prefix has two cells or more. It begins in `start`, by default the start class
    of its first cell. The walks come in the order of their cells.

    Raises `BoardError` if there are more than `room` walks.
    """
    descent = _descent(start or start_class(chess_name(prefix[0])), prefix)
    if descent is None:
        return Below((), 0, (0,) * (_CELLS + 1))
    walks, taken, count = _searched(descent, stop, room)
    if count > room:
        raise BoardError(f"{count} walks, more than the {room} that fit")
    tried, *levels = taken.tolist()
    return Below(tuple(map(tuple, walks.tolist())), tried, (0, *levels))


_SEARCH_LEVEL = 22  # where the searches of an estimate begin; much longer below 20


@njit
def _good_steps(d: _Descent, t: np.uint64) -> tuple[np.uint64, int]:
    """Return the steps that can be taken from level t, and how many there are."""
    steps = _open_level(d, t, d.path[t])
    good = _0
    count = 0
    while steps != _0:
        step = steps & (~steps + _1)
        steps ^= step
        cell = _first_bit(step)
        if _take_step(d, t, cell):
            _take_back(d, t + _1, cell)
            good |= step
            count += 1
    return good, count


@njit
def _dive(d: _Descent, random: Words, taken: Levels) -> float:
    """Walk down at random to the level to stop at; return the weight there.

    The weight is the product of the numbers of steps, or 0 if the walk ends before. It
    is added to `taken` level by level. `random` is the state of the generator.
    """
    t = d.span[_LEVEL]
    weight = 1.0
    while t < d.span[_STOP]:
        good, count = _good_steps(d, t)
        if count == 0:
            d.span[_LEVEL] = t
            return 0.0
        for _ in range(random_below(random, count)):
            good &= good - _1
        cell = _first_bit(good)
        _take_step(d, t, cell)
        t += _1
        d.path[t] = cell
        weight *= count
        taken[t] += weight
    d.span[_LEVEL] = t
    return weight


def estimate(starts: Sequence[str], *, walks: int, seed: int) -> tuple[Levels, Levels]:
    """Return the width of the search at each level, (65,) float, and standard errors.

    Entry k is the number of prefixes of k cells, from 2 on. The first moves of all
    starts share the walks.

    Raises `OptionError` if a first move gets fewer than two walks.
    """
    classes = map(start_class, starts)
    firsts = [(c, (c.cell, second)) for c in classes for second in c.second]
    each = walks // len(firsts)
    if each < 2:
        raise OptionError(f"{walks} walks are too few; take {2 * len(firsts)} or more")
    width, variance = np.zeros((2, _CELLS + 1))
    for start, first in firsts:
        rng = np.random.default_rng([seed, *first])
        words = rng.integers(2**63, size=1, dtype=np.uint64)
        rows = np.zeros((each, _CELLS + 1))  # steps that lead to each level, by walk
        descent = _descent(start, first)
        if descent is None:
            continue
        left = descent.left.copy()
        for row in rows:
            descent.left[:] = left
            descent.span[[_LEVEL, _STOP]] = len(first), _SEARCH_LEVEL
            if weight := float(_dive(descent, words, row)):
                row += weight * _searched(descent, _CELLS, 0)[1]
        width += rows.mean(axis=0)
        variance += rows.var(axis=0, ddof=1) / each
    width[0] = variance[0] = 0
    width[2] += len(firsts)
    return width, np.sqrt(variance)


_HALF = 32  # cells of a half
_ROOM = 64  # halves below a start; there are fewer


@njit
def _bit(cell: int) -> np.uint64:
    return _1 << _W(cell)


@njit
def _reachable(near: np.uint64, free: np.uint64, ends: np.uint64) -> bool:
    """Return True if the free cells among `near` all have two neighbours left."""
    rest = near & free
    while rest != _0:
        left = _NEAR[_first_bit(rest)] & (free | ends)
        if left & (left - _1) == _0:
            return False
        rest &= rest - _1
    return True


class _Half(NamedTuple):
    """Room for the search of halves."""

    path: npt.NDArray[np.int64]  # (33,): the cells, from index 1
    steps: Words  # (33,): the steps to try at each level
    held: npt.NDArray[np.int64]  # (16,): numbers of the half in each row and column
    left: npt.NDArray[np.int64]  # (8,): what each double line must still add up to
    mask: npt.NDArray[np.int64]  # (8,): its free cells


@njit
def _halves(
    half: _Half,
    start: int,
    second: np.uint64,
    finish: np.uint64,
    latest: _Table,
    out: _Table,
) -> tuple[int, int]:
    """Search all halves from a cell; return how many, and the steps tried.

    `second` and `finish` are the sets of cells for the numbers 2 and 32, `latest` the
    deadlines of the eight double lines, (8, 256, stride).
    """
    path, steps, held, left, mask = half
    count = tried = t = 0
    ends = _bit(start) | _bit(63 - start)
    free = ~_0
    steps[0] = _bit(start)
    while True:
        if steps[t] == _0:
            if t == 0:
                return count, tried
            cell = path[t]
        else:
            cell = np.int64(_first_bit(steps[t]))
            steps[t] &= steps[t] - _1
            tried += 1
            t += 1
            path[t] = cell
        row, col = cell // 8, cell % 8
        lines = min(row, 7 - row), 4 + min(col, 7 - col)
        places = col if row < 4 else 7 - col, row if col < 4 else 7 - row
        both = _bit(cell) | _bit(63 - cell)
        entering = free & both != _0
        sign = 1 if entering else -1
        free ^= both
        held[row] += sign
        held[8 + col] += sign
        for k in range(2):
            left[lines[k]] -= sign * t
            mask[lines[k]] ^= 1 << places[k]
        if entering:
            good = held[row] <= 4 and held[8 + col] <= 4
            for line in range(8):
                rest = left[line] + _OFFSET
                good = good and rest >= 0 and latest[line, mask[line], rest] >= t
            before = _NEAR[path[t - 1]] | _NEAR[63 - path[t - 1]] if t > 1 else _0
            if good and t == _HALF:
                if finish & _NEAR[63 - start] & _bit(cell) != _0:
                    for k in range(_HALF):
                        out[count, k] = path[k + 1]
                    count += 1
            elif good and _reachable(before, free, ends | both):
                steps[t] = _NEAR[cell] & free
                if t == 1:
                    steps[t] &= second
                continue
            steps[t] = _0
        else:
            t -= 1


@cache
def all_symmetric() -> tuple[tuple[Tour, ...], int]:
    """Return all symmetric semi-magic tours from the ten starts, and the steps tried.

    The end lies in no class before the start's.
    """
    tours: list[Tour] = []
    steps = 0
    for start in map(start_class, STARTS):
        tables = []
        for line in range(8):
            # Least moves between the pairs of cells of a double line, 0 to 3.
            across = _ARRIVAL[7 - 2 * (line % 4)]
            gaps = tuple(tuple(min(g, across) for g in row) for row in _LINE_GAPS)
            colour = (line % 4 + colour_of(start.cell)) % 2
            tables.append(_deadlines(colour, _HALF, gaps))
        out = np.zeros((_ROOM, _HALF), np.uint8)
        half = _Half(
            np.zeros(_HALF + 1, np.int64),
            np.zeros(_HALF + 1, _W),
            np.zeros(16, np.int64),
            np.full(8, 132, np.int64),
            np.full(8, 255, np.int64),
        )
        count, tried = _halves(
            half,
            start.cell,
            _W(sum(1 << cell for cell in start.second)),
            _W(sum(1 << (63 - c) for c in range(_CELLS) if start.finish >> c & 1)),
            np.array(tables).reshape(8, 256, _STRIDE),
            out,
        )
        halves = out[:count].tolist()
        tours += [(*half, *(63 - cell for cell in half)) for half in halves]
        steps += tried
    return tuple(tours), steps
