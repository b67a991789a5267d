"""Walks of plain boards that never get stuck, by repairing the witness.

The walk keeps a completion, the witness. A move that the witness makes costs nothing.
For another move m the edges of an alternating path, from the witness's next cell to m,
change places. Without such a path no path factor makes the move, and it is dead. Both
ends search at once, so a dead move costs the smaller side. The exchange may split the
witness into components. `merge` joins them (`solver.solid.static`), or the kernel takes
the exchange back and the move is dead.

*Blocks* hold the order of the witness: some sqrt(n) successive cells lie side by side
in one array, and the blocks stand in a row, some backwards. So the place of a cell
along the path is an addition. A path made of the pieces of another costs a few blocks
cut in two and a part of the row, O(sqrt(n)). From time to time `_thread` rebuilds all
blocks (as in two-level lists; Fredman, Johnson, McGeoch & Ostheimer, "Data structures
for traveling salesmen", J. Algorithms 18, 1995).
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position, Walk
from solver.jit import njit
from solver.solid.factor import KEY, Solid, new_solid, pad, stamps, unpad
from solver.solid.static import (
    BROKEN,
    GIVEN_UP,
    MERGED,
    NEVER,
    PATH,
    StaticError,
    decide_position,
    is_lateral,
    merge,
    missing_side,
    toggle,
)
from solver.solid.strips import (
    HIGH,
    LOW,
    PLACE,
    TURNED,
    change,
    find_components,
    undo,
    witness_place,
)
from solver.splitmix import order, seeded

# Columns of `Solid.piece`: first and last of its touched cells; then the pieces in
# their new order, and whether backwards; then where its blocks begin in `queue`.
FROM, TO, WHICH, BACKWARDS, BEGIN = 0, 1, 2, 3, 4

FULL, UNDECIDED, PAUSED = 1, 0, -1
_LEVELS = 4
SLICE_STEPS = 1000  # steps before Python can react to Ctrl-C


@njit
def _thread(s: Solid, place: int, left: int) -> None:
    """Kernel: write the path from the live end, `left` cells, to blocks; O(left)."""
    info = s.info
    long = int(math.sqrt(left)) + 8
    blocks = (left + long - 1) // long
    info[KEY.blocks] = blocks
    info[KEY.head] = s.row.size - blocks
    c = np.int64(info[KEY.live])
    back = 0
    i = 0
    for b in range(blocks):
        s.row[info[KEY.head] + b] = b
        s.block[b, LOW] = i
        s.block[b, TURNED] = 0
        s.block[b, PLACE] = place + i
        until = min(i + long, left)
        s.block[b, HIGH] = until - 1
        while i < until:
            s.laid[i] = c
            s.lies[c] = i
            s.within[c] = b
            i += 1
            bits = np.int64(s.dark[c]) & (15 ^ back)
            d = (bits >> 1) - (bits >> 3)
            back = int(1 << (d ^ 2))
            c += s.step[d]


@njit
def _behead(s: Solid) -> None:
    """Kernel: remove the first cell of the path."""
    b = s.row[s.info[KEY.head]]
    if s.block[b, TURNED]:
        s.block[b, HIGH] -= 1
    else:
        s.block[b, LOW] += 1
    s.block[b, PLACE] += 1
    if s.block[b, HIGH] < s.block[b, LOW]:
        s.info[KEY.head] += 1


@njit
def _pieces(s: Solid) -> int:
    """Kernel: cut the old path where it lost edges; return the number of pieces."""
    count = 0
    s.piece[0, FROM] = 0
    last = s.info[KEY.touched] - 1
    for i in range(last):
        if s.place[i + 1] > s.place[i] + 1:
            continue
        c = s.touched[i]
        joined = False
        for d in range(4):
            if s.dark[c] >> d & 1 and c + s.step[d] == s.touched[i + 1]:
                joined = True
        if not joined:
            s.piece[count, TO] = i
            count += 1
            s.piece[count, FROM] = i + 1
    s.piece[count, TO] = last
    return count + 1


@njit
def _piece_at(s: Solid, i: int, count: int) -> int:
    """Kernel: the piece of a touched cell."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if s.piece[middle, TO] < i:
            low = middle + 1
        else:
            high = middle
    return low


@njit
def _follow(s: Solid, count: int) -> None:
    """Kernel: note the pieces in the order of the path, from the live end."""
    base = s.info[KEY.base]
    i = int(s.mark[s.info[KEY.live]] - base)
    before = np.int64(-1)
    for k in range(count):
        p = _piece_at(s, i, count)
        low, high = s.piece[p, FROM], s.piece[p, TO]
        back = i != low
        s.piece[k, WHICH] = p
        s.piece[k, BACKWARDS] = back
        i = int(low if back else high)
        c = np.int64(s.touched[i])
        for d in range(4):
            if s.dark[c] >> d & 1 == 0:
                continue
            v = c + s.step[d]
            if low == high:
                if v == before:
                    continue
            elif witness_place(s, v) == s.place[i] + (1 if back else -1):
                continue
            before = c
            i = int(s.mark[v] - base)
            break


@njit
def _cut(s: Solid, c: int) -> int:
    """Kernel: cut the block of a cell after that cell; the second part, or -1."""
    b = np.int64(s.within[c])
    low, high, turned = s.block[b, LOW], s.block[b, HIGH], s.block[b, TURNED]
    at = s.lies[c]
    if at == (low if turned else high):
        return -1
    place = s.block[b, PLACE]
    if turned:
        at -= 1  # the lower part ends here, and comes second
    other = s.info[KEY.blocks]  # the number of the smaller part
    s.info[KEY.blocks] += 1
    lower, upper = b, other
    if at - low < high - at:
        lower, upper = other, b
    first, last = (low, at) if lower == other else (at + 1, high)
    for i in range(first, last + 1):
        s.within[s.laid[i]] = other
    s.block[lower, LOW] = low
    s.block[lower, HIGH] = at
    s.block[upper, LOW] = at + 1
    s.block[upper, HIGH] = high
    s.block[other, TURNED] = turned
    if turned:
        s.block[upper, PLACE] = place
        s.block[lower, PLACE] = place + high - at
        return int(lower)
    s.block[lower, PLACE] = place
    s.block[upper, PLACE] = place + at - low + 1
    return int(upper)


@njit
def _rearrange(s: Solid) -> None:
    """Kernel: make the factor the witness, a path since `find_components`."""
    info = s.info
    count = _pieces(s)
    if info[KEY.blocks] + count >= s.block.shape[0] or info[KEY.head] < count:
        _thread(s, int(info[KEY.steps]), int(info[KEY.left]))
        return
    _follow(s, count)
    # Cut the blocks of all pieces but the last piece, which keeps its place.
    at, total = info[KEY.head], 0
    b = np.int64(s.row[at])
    for p in range(count - 1):
        s.piece[p, BEGIN] = total
        c = np.int64(s.touched[s.piece[p, TO]])
        while s.within[c] != b:
            s.queue[total] = b
            total += 1
            at += 1
            b = np.int64(s.row[at])
        second = _cut(s, int(c))
        if second < 0:
            s.queue[total] = b
            at += 1
            b = np.int64(s.row[at] if at < s.row.size else -1)
        else:
            # `b` may be either part now; the first part has the cell.
            s.queue[total] = s.within[c]
            b = np.int64(second)
        total += 1
    s.piece[count - 1, BEGIN] = total
    if at < s.row.size:
        s.row[at] = b
    head = at - total
    info[KEY.head] = head
    place = info[KEY.steps]
    for k in range(count - 1):
        p = s.piece[k, WHICH]
        low, high = s.piece[p, BEGIN], s.piece[p + 1, BEGIN]
        for j in range(low, high):
            back = s.piece[k, BACKWARDS]
            b = np.int64(s.queue[low + high - 1 - j] if back else s.queue[j])
            if back:
                s.block[b, TURNED] ^= 1
            s.block[b, PLACE] = place
            place += s.block[b, HIGH] - s.block[b, LOW] + 1
            s.row[head] = b
            head += 1


@njit
def _adopt(s: Solid, path: npt.NDArray[np.int32]) -> None:
    """Kernel: take another Hamiltonian path, padded cells in order, as the witness."""
    length = path.size
    for i in range(length):
        s.dark[path[i]] = 0
    for i in range(1, length):
        a, b = np.int64(path[i - 1]), np.int64(path[i])
        for d in range(4):
            if a + s.step[d] == b:
                s.dark[a] |= np.uint8(1 << d)
                s.dark[b] |= np.uint8(1 << (d ^ 2))
    s.info[KEY.logged] = 0


@njit
def _spread(s: Solid, u: int, mine: int, other: int, tail: int) -> int:
    """Kernel: visit the cells after cell u in one of the two searches of `_meet`.

    Returns the new end of its queue; or -1 - e if it met the other on edge e, seen from
    the start of the search that uses light edges first.
    """
    light = mine < other
    near, dark, mark = s.near, s.dark, s.mark
    bits = np.int64(dark[u])
    if light:
        bits ^= near[u]
    for d in range(4):
        v = u + s.step[d]
        if bits >> d & 1 == 0 or mark[v] == mine:
            continue
        if mark[v] == other:
            return int(-1 - (4 * u + d if light else 4 * v + (d ^ 2)))
        mark[v] = mine
        s.came[v] = d
        onward = np.int64(dark[v])
        if not light:
            onward ^= near[v]
        for k in range(4):
            x = v + s.step[k]
            if onward >> k & 1 == 0 or mark[x] == mine:
                continue
            if mark[x] == other:
                return int(-1 - (4 * v + k if light else 4 * x + (k ^ 2)))
            mark[x] = mine
            s.came[x] = k
            s.queue[tail] = x
            tail += 1
    return int(tail)


@njit
def _meet(s: Solid, a: int, m: int) -> int:
    """Kernel: search an alternating path, light first, from cell a to m, dark last.

    From both ends, breadth first. Returns 4 * cell + direction of the edge on which the
    searches meet, seen from the side of a, or -1.
    """
    fore = stamps(s, 2)
    back = fore + 1
    s.mark[a] = fore
    s.mark[m] = back
    n = int(s.info[KEY.size])
    s.queue[0] = a
    s.queue[n] = m
    head, tail, behind, front = 0, 1, n, n + 1
    while head < tail and behind < front:
        tail = _spread(s, int(s.queue[head]), fore, back, tail)
        if tail < 0:
            return -1 - tail
        head += 1
        front = _spread(s, int(s.queue[behind]), back, fore, front)
        if front < 0:
            return -1 - front
        behind += 1
    return -1


@njit
def _shift_end(s: Solid, a: int, m: int) -> bool:
    """Kernel: move a dark edge end from cell m to cell a; False if no factor can."""
    met = _meet(s, a, m)
    if met < 0:
        return False
    u, d = np.int64(met >> 2), int(met & 3)
    v = u + s.step[d]
    change(s, int(u), d)
    while u != a:
        d = int(s.came[u])
        u -= s.step[d]
        change(s, int(u), d)
    while v != m:
        d = int(s.came[v])
        v -= s.step[d]
        change(s, int(v), d)
    return True


@njit
def _leave(s: Solid, moves: npt.NDArray[np.int64]) -> None:
    """Kernel: take the live end out of the graph, and write its moves: U, R, D, L."""
    info = s.info
    here = info[KEY.live]
    count = 0
    for d in range(4):
        if s.near[here] >> d & 1:
            c = here + s.step[d]
            s.near[c] &= np.uint8(15 ^ 1 << (d ^ 2))
            moves[count] = c
            count += 1
            if s.dark[here] >> d & 1:
                s.dark[c] &= np.uint8(15 ^ 1 << (d ^ 2))
                info[KEY.next] = c
    s.near[here] = 0
    s.dark[here] = 0
    info[KEY.drawn] = count
    info[KEY.tried] = 0
    _behead(s)


@njit
def _enter(s: Solid, c: int) -> None:
    """Kernel: step to a cell, where the factor begins as a path."""
    info = s.info
    info[KEY.live] = c
    s.walk[info[KEY.steps]] = c
    info[KEY.steps] += 1
    info[KEY.left] -= 1
    info[KEY.logged] = 0
    info[KEY.drawn] = 0
    info[KEY.tried] = 0


@njit
def _turn(s: Solid, p: int) -> int:
    """Kernel: `merge` by levels, for an end p of three: GIVEN_UP after a few."""
    info, step = s.info, s.step
    level, ahead, most = 0, 0, 1
    while True:
        done = merge(s, most, level == 0)
        if level > 0 and done == MERGED:
            level -= 1
            p -= int(step[ahead])
            toggle(s, p, 5 if ahead & 1 else 10)
            most = int(s.piece[level, FROM])
            continue
        if level == 0:
            lateral = done == GIVEN_UP and missing_side(s, int(info[KEY.end])) < 0
            lateral = lateral and is_lateral(s, p)
        else:
            straight = s.dark[p] >> ahead & 1
            lateral = done == NEVER and s.near[p] == 15 and not straight
        if level == 0 and lateral:
            ahead = missing_side(s, p) ^ 2
        sides = 5 if ahead & 1 else 10
        first = int(p + step[ahead])
        if lateral and (level == _LEVELS or first == info[KEY.end]):
            done = GIVEN_UP
        elif lateral:
            aside = 0
            for d in range(4):
                if s.dark[p] & sides & 1 << d:
                    aside = d
            s.piece[level, FROM] = most
            most = int(info[KEY.components])
            level += 1
            toggle(s, p, sides)
            change(s, p, aside)
            change(s, p, ahead)
            if _shift_end(s, int(p + step[aside]), first):
                p = first
                continue
            p = first
            done = NEVER  # no factor is straight at p
        while level > 0:
            level -= 1
            p -= int(step[ahead])
            toggle(s, p, sides)
        return int(done)


@njit
def _repair(s: Solid, m: int) -> int:
    """Kernel: make the witness begin at m, if `merge` can; the live end has left."""
    info = s.info
    here = info[KEY.live]
    info[KEY.live] = m
    done = _turn(s, m)
    if done == MERGED:
        find_components(s)
        _rearrange(s)
    else:
        undo(s)
        info[KEY.live] = here
    return int(done)


@njit
def _walk(
    s: Solid,
    rng: npt.NDArray[np.uint64],
    moves: npt.NDArray[np.int64],
    choices: npt.NDArray[np.uint8],
) -> int:
    """Kernel of `WitnessWalker`: FULL, PAUSED, UNDECIDED for a move, or BROKEN."""
    info = s.info
    for _ in range(SLICE_STEPS):
        if info[KEY.left] == 0:
            return FULL
        if info[KEY.drawn] == 0:
            _leave(s, moves)
            order(rng, moves, int(info[KEY.drawn]), choices, int(info[KEY.steps]) - 1)
        m = moves[info[KEY.tried]]
        info[KEY.tried] += 1
        if m == info[KEY.next]:
            _enter(s, m)
        elif m != info[KEY.end] and _shift_end(s, int(info[KEY.next]), int(m)):
            done = _repair(s, int(m))
            if done == MERGED:
                _enter(s, m)
            elif done == GIVEN_UP:
                return UNDECIDED
            elif done == BROKEN:
                return BROKEN
    return PAUSED


class WitnessWalker:
    """Walks of a board that is `solver.oracles.exact.repairable`.

    Where merging gives up, `decide` returns the completion of a walk, the cells after
    its live end. It returns no cells if the walk is dead, and None if it cannot decide.

    Raises `StaticError` if something contradicts the theorem of the static search.
    """

    def __init__(self, board: Board, decide: Callable[[Walk], Walk | None]) -> None:
        self.board, self.decide = board, decide
        self.state = new_solid(board)
        self._moves = np.zeros(4, dtype=np.int64)
        outcome = decide_position(self.state, Position(board))
        if outcome == GIVEN_UP:
            outcome = self._ask((board.start,))
        self._begin = outcome if outcome in (PATH, GIVEN_UP) else NEVER
        self._first = self.state.near.copy(), self.state.dark.copy()

    def _ask(self, walk: Walk) -> int:
        """Adopt the witness that `decide` returns: PATH, NEVER, or GIVEN_UP."""
        rest = self.decide(walk)
        if not rest:
            return GIVEN_UP if rest is None else NEVER
        path = [pad(self.board, cell) for cell in (walk[-1], *rest)]
        _adopt(self.state, np.array(path, dtype=np.int32))
        return PATH

    def _walked(self) -> Walk:
        padded = self.state.walk[: self.state.info[KEY.steps]]
        rows, cols = np.divmod(padded, self.board.cols + 2)
        return tuple(((rows - 1) * self.board.cols + cols - 1).tolist())

    def walk(
        self,
        seed: int,
        progress: Callable[[int], object] | None = None,
        choices: bytes = b"",
    ) -> tuple[Walk, int]:
        """Return the walk of a seed, and PATH if it is complete.

        NEVER if the board has no walk, GIVEN_UP if `decide` could not decide a move.

        `progress` gets the number of cells visited. `choices` orders the moves of the
        first steps, a byte a step; see `solver.splitmix.order`.
        """
        first = np.frombuffer(choices, dtype=np.uint8)
        state, rng, board = self.state, seeded(seed), self.board
        if self._begin != PATH:
            return (board.start,), self._begin
        info = state.info
        info[[KEY.logged, KEY.drawn, KEY.tried, KEY.whole]] = 0
        info[KEY.steps], info[KEY.left] = 1, board.cells - 1
        state.walk[0] = info[KEY.live] = pad(board, board.start)
        state.near[:], state.dark[:] = self._first
        _thread(state, 0, board.cells)
        while True:
            outcome = _walk(state, rng, self._moves, first)
            if outcome == FULL:
                return self._walked(), PATH
            if progress:
                progress(int(info[KEY.steps]))
            if outcome == PAUSED:
                continue
            move = int(self._moves[info[KEY.tried] - 1])
            walk = (*self._walked(), unpad(board, move))
            if outcome == BROKEN:
                raise StaticError(Position(board, walk))
            answer = self._ask(walk)
            if answer == GIVEN_UP:
                return walk[:-1], GIVEN_UP
            if answer == PATH:
                info[KEY.live] = move
                _thread(state, int(info[KEY.steps]), int(info[KEY.left]))
                _enter(state, move)
