"""Walks of plain boards that never get stuck, by repairing the witness.

The walk keeps a completion. A move that it makes costs nothing. For another move m the
edges of an alternating path, from the witness's next cell to m, change places. If there
is none, no path factor makes the move, and it is dead; the searches from both ends stop
as soon as the smaller side is exhausted. Else the witness may fall into components, and
these are merged (`solver.solid.strips`), or nothing is changed and the move is dead.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from solver.board import Board, Cell, Position, Walk
from solver.errors import BoardError
from solver.jit import njit
from solver.solid.grid import pad, unpad
from solver.solid.static import StaticError
from solver.solid.strips import (
    BROKEN,
    GIVEN_UP,
    MERGED,
    NEVER,
    is_turned,
    merge,
    toggle,
)
from solver.solid.witness import (
    CLOSED,
    COUNT,
    DRAWN,
    END,
    FROM,
    LEFT,
    LIVE,
    LOGGED,
    NEXT,
    SIZE,
    STEPS,
    TRIED,
    Witness,
    adopt,
    behead,
    change,
    components,
    new_witness,
    rearrange,
    stamps,
    thread,
    undo,
)
from solver.splitmix import order, seeded

FULL, ASKED, PAUSED = 1, 0, -1
_LEVELS = 4
SLICE_STEPS = 1000  # steps between two looks of Python, for Ctrl-C
FREE, REFUTED, REPAIRED, DEAD = 0, 1, 2, 3  # what `counts` counts


@njit
def _spread(w: Witness, u: int, mine: int, other: int, tail: int) -> int:
    """Kernel: widen one of the two searches of `_meet` by what follows cell u.

    Returns the new end of its queue; or -1 - e if it met the other on edge e, seen from
    the side where the search began that goes by light edges first.
    """
    light = mine < other
    near, dark, mark = w.near, w.dark, w.mark
    bits = np.int64(dark[u])
    if light:
        bits ^= near[u]
    for d in range(4):
        v = u + w.step[d]
        if bits >> d & 1 == 0 or mark[v] == mine:
            continue
        if mark[v] == other:
            return int(-1 - (4 * u + d if light else 4 * v + (d ^ 2)))
        mark[v] = mine
        w.came[v] = d
        onward = np.int64(dark[v])
        if not light:
            onward ^= near[v]
        for k in range(4):
            x = v + w.step[k]
            if onward >> k & 1 == 0 or mark[x] == mine:
                continue
            if mark[x] == other:
                return int(-1 - (4 * v + k if light else 4 * x + (k ^ 2)))
            mark[x] = mine
            w.came[x] = k
            w.queue[tail] = x
            tail += 1
    return int(tail)


@njit
def _meet(w: Witness, a: int, m: int) -> int:
    """Kernel: search an alternating path, light first, from cell a to m, dark last.

    From both ends, breadth first. Returns 4 * cell + direction of the edge on which the
    searches meet, seen from the side of a; or -1 if there is no path.
    """
    fore = stamps(w, 2)
    back = fore + 1
    w.mark[a] = fore
    w.mark[m] = back
    n = int(w.info[SIZE])
    w.queue[0] = a
    w.queue[n] = m
    head, tail, behind, front = 0, 1, n, n + 1
    while head < tail and behind < front:
        tail = _spread(w, int(w.queue[head]), fore, back, tail)
        if tail < 0:
            return -1 - tail
        head += 1
        front = _spread(w, int(w.queue[behind]), back, fore, front)
        if front < 0:
            return -1 - front
        behind += 1
    return -1


@njit
def _shift_end(w: Witness, a: int, m: int) -> bool:
    """Kernel: give cell a one dark edge more and m one less; False if no factor can."""
    met = _meet(w, a, m)
    if met < 0:
        return False
    u, d = np.int64(met >> 2), int(met & 3)
    v = u + w.step[d]
    change(w, int(u), d)
    while u != a:
        d = int(w.came[u])
        u -= w.step[d]
        change(w, int(u), d)
    while v != m:
        d = int(w.came[v])
        v -= w.step[d]
        change(w, int(v), d)
    return True


@njit
def _lay(w: Witness, rows: int, cols: int) -> None:
    """Kernel: the graph of a whole rectangle, and a path through it row by row."""
    info, width = w.info, cols + 2
    for c in range(info[SIZE]):
        w.near[c] = 0
        w.dark[c] = 0
    for r in range(rows):
        for k in range(cols):
            c = (r + 1) * width + k + 1
            w.near[c] = (r > 0) + 2 * (k < cols - 1) + 4 * (r < rows - 1) + 8 * (k > 0)
            w.dark[c] = 2 * (k < cols - 1) + 8 * (k > 0)
    for r in range(rows - 1):
        c = (r + 1) * width + (1 if r & 1 else cols)
        w.dark[c] |= np.uint8(4)
        w.dark[c + width] |= np.uint8(1)
    info[LOGGED] = 0
    info[DRAWN] = 0
    info[TRIED] = 0


@njit
def _first(w: Witness, rows: int, cols: int, start: int, end: int) -> int:
    """Kernel: a Hamiltonian path of a rectangle: MERGED, NEVER, or GIVEN_UP.

    The path row by row, with its ends shifted to start and end.
    """
    info = w.info
    _lay(w, rows, cols)
    width = cols + 2
    a = width + 1
    b = rows * width + (cols if rows & 1 else 1)
    info[LIVE] = start
    info[END] = end
    info[STEPS] = 1
    info[LEFT] = rows * cols - 1
    w.walk[0] = start
    info[LIVE] = a
    thread(w, 0, rows * cols)
    info[LIVE] = start
    odd = (start // width + start % width + a // width + a % width) & 1
    if start == b or (odd and end != b) or end == a:
        a, b = b, a
    if a != start and not _shift_end(w, a, start):
        return GIVEN_UP  # there may be one that ends elsewhere
    if b != end and not _shift_end(w, b, end):
        return NEVER
    return merge(w, 1, True)


@njit
def _leave(w: Witness, moves: npt.NDArray[np.int64]) -> None:
    """Kernel: take the live end out of the graph; its moves in the order U, R, D, L."""
    info = w.info
    here = info[LIVE]
    count = 0
    for d in range(4):
        if w.near[here] >> d & 1:
            c = here + w.step[d]
            w.near[c] &= np.uint8(15 ^ 1 << (d ^ 2))
            moves[count] = c
            count += 1
            if w.dark[here] >> d & 1:
                w.dark[c] &= np.uint8(15 ^ 1 << (d ^ 2))
                info[NEXT] = c
    w.near[here] = 0
    w.dark[here] = 0
    info[DRAWN] = count
    info[TRIED] = 0
    behead(w)


@njit
def enter(w: Witness, c: int) -> None:
    """Kernel: step to a cell; the factor is a path from there."""
    info = w.info
    info[LIVE] = c
    w.walk[info[STEPS]] = c
    info[STEPS] += 1
    info[LEFT] -= 1
    info[LOGGED] = 0
    info[DRAWN] = 0
    info[TRIED] = 0


@njit
def _turn(w: Witness, p: int) -> int:
    """Kernel: `merge`, for a live end p that may have three neighbours.

    The levels are those of `solver.solid.static.Levels`, here with few cells touched. A
    level far down is left to an oracle: GIVEN_UP.
    """
    info, step = w.info, w.step
    level, ahead, most = 0, 0, 1
    while True:
        done = merge(w, most, level == 0)
        if level > 0 and done == MERGED:
            level -= 1
            p -= int(step[ahead])
            toggle(w, p, 5 if ahead & 1 else 10)
            most = int(w.piece[level, FROM])
            continue
        if level == 0:
            lateral = done == GIVEN_UP and is_turned(w)
        else:
            straight = w.dark[p] >> ahead & 1
            lateral = done == NEVER and w.near[p] == 15 and not straight
        if level == 0 and lateral:
            missing = 15 ^ int(w.near[p])
            ahead = ((missing >> 1) - (missing >> 3)) ^ 2
        sides = 5 if ahead & 1 else 10
        first = int(p + step[ahead])
        if lateral and (level == _LEVELS or first == info[END]):
            done = GIVEN_UP
        elif lateral:
            aside = 0
            for d in range(4):
                if w.dark[p] & sides & 1 << d:
                    aside = d
            w.piece[level, FROM] = most
            most = int(info[COUNT])
            level += 1
            toggle(w, p, sides)
            change(w, p, aside)
            change(w, p, ahead)
            if _shift_end(w, int(p + step[aside]), first):
                p = first
                continue
            p = first
            done = NEVER  # no factor is straight at p
        while level > 0:
            level -= 1
            p -= int(step[ahead])
            toggle(w, p, sides)
        return int(done)


@njit
def _repair(w: Witness, m: int) -> int:
    """Kernel: make the witness begin at m, or leave it unchanged; as `merge` says.

    The live end has been taken out of the graph.
    """
    info = w.info
    here = info[LIVE]
    info[LIVE] = m
    done = _turn(w, m)
    if done == MERGED:
        components(w)
        rearrange(w)
    else:
        undo(w, 0)
        info[LIVE] = here
    return int(done)


@njit
def _walk(
    w: Witness,
    rng: npt.NDArray[np.uint64],
    moves: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    choices: npt.NDArray[np.uint8],
) -> int:
    """Kernel of `WitnessWalker`: walk on: FULL, PAUSED, or ASKED for the move drawn.

    BROKEN is for a move that `merge` says so of.
    """
    info = w.info
    for _ in range(SLICE_STEPS):
        if info[LEFT] == 0:
            return FULL
        if info[DRAWN] == 0:
            _leave(w, moves)
            order(rng, moves, int(info[DRAWN]), choices, int(info[STEPS]) - 1)
        m = moves[info[TRIED]]
        info[TRIED] += 1
        if m == info[NEXT]:
            counts[FREE] += 1
            enter(w, m)
        elif m == info[END] or not _shift_end(w, int(info[NEXT]), int(m)):
            counts[REFUTED] += 1
        else:
            done = _repair(w, int(m))
            # No factor has an edge that leaves a component: rules 1 to 4 see that.
            plain = done == NEVER and info[CLOSED] == 1
            counts[REFUTED if plain else REPAIRED] += 1
            if done == MERGED:
                enter(w, m)
            elif done == GIVEN_UP:
                return ASKED
            elif done == BROKEN:
                return BROKEN
            elif not plain:
                counts[DEAD] += 1
    return PAUSED


def repairable(board: Board) -> bool:
    """Return whether walks of the board can be made so: no walls, both ends on the rim.

    Start and end must have the colours that a walk has, too.
    """
    if board.walls or board.cells < 2:
        return False
    for cell in (board.start, board.end):
        row, col = divmod(cell, board.cols)
        if row not in (0, board.rows - 1) and col not in (0, board.cols - 1):
            return False
    black = int(board.black(board.start)) + int(board.black(board.end))
    return black == 1 + board.cells % 2


class WitnessWalker:
    """Walks of one board that is `repairable`.

    Where merging gives up, `decide` says of a walk whether it can be completed: with
    the cells after its live end, with none if it is dead, or with None if it is not
    known.

    Raises `BoardError` if the board is not `repairable`; `StaticError` if something
    contradicts the theorem of the static search.
    """

    __slots__ = ("_first", "_moves", "board", "decide", "outcome", "state")

    def __init__(
        self, board: Board, decide: Callable[[Walk], Sequence[Cell] | None]
    ) -> None:
        if not repairable(board):
            raise BoardError(
                f"{board.notation} has walls, or ends of no walk on the rim"
            )
        self.board, self.decide = board, decide
        self.state = new_witness(board)
        self._moves = np.zeros(4, dtype=np.int64)
        ends = pad(board, board.start), pad(board, board.end)
        self.outcome = _first(self.state, board.rows, board.cols, *ends)
        if self.outcome in (GIVEN_UP, BROKEN):
            _lay(self.state, board.rows, board.cols)
            self.outcome = self._ask((board.start,))
        self._first = self.state.near.copy(), self.state.dark.copy()

    def _ask(self, walk: Walk) -> int:
        """Ask `decide` for a witness: MERGED, NEVER, or GIVEN_UP if it does not know.

        The first cell of the witness is the last of the walk.
        """
        found = self.decide(walk)
        if not found:
            return GIVEN_UP if found is None else NEVER
        path = [pad(self.board, cell) for cell in (walk[-1], *found)]
        adopt(self.state, np.array(path, dtype=np.int32))
        return MERGED

    def _is_open_at_both(self, live: int) -> bool:
        """Whether a live end and the end cell have three free neighbours each."""
        near = self.state.near
        end = int(self.state.info[END])
        return int(near[live]).bit_count() == int(near[end]).bit_count() == 3

    @property
    def walk(self) -> Walk:
        """The cells visited so far."""
        padded = self.state.walk[: self.state.info[STEPS]]
        rows, cols = np.divmod(padded, self.board.cols + 2)
        walk: list[int] = ((rows - 1) * self.board.cols + cols - 1).tolist()
        return tuple(walk)

    def go(
        self,
        seed: int,
        counts: npt.NDArray[np.int64],
        progress: Callable[[int], object] | None = None,
        choices: bytes = b"",
    ) -> int:
        """Walk: FULL; or NEVER or GIVEN_UP, as `decide` said, where the walk stands.

        `counts` is added to: moves free, refuted, repaired, and of these dead.
        `progress` is called with the cells visited. `choices` say which move is tried
        first at the first steps, a byte a step; see `solver.splitmix.order`.
        """
        chosen = np.frombuffer(choices, dtype=np.uint8)
        state, rng = self.state, seeded(seed)
        info = state.info
        info[[LIVE, STEPS, LEFT]] = state.walk[0], 1, self.board.cells - 1
        if self.outcome != MERGED:
            return self.outcome
        state.near[:], state.dark[:] = self._first
        info[[LOGGED, DRAWN, TRIED]] = 0
        thread(state, 0, self.board.cells)
        while True:
            outcome = _walk(state, rng, self._moves, counts, chosen)
            if outcome == FULL:
                return FULL
            if progress:
                progress(int(info[STEPS]))
            if outcome in (ASKED, BROKEN):
                move = int(self._moves[info[TRIED] - 1])
                walk = (*self.walk, unpad(self.board, move))
                if outcome == BROKEN and not self._is_open_at_both(move):
                    raise StaticError(Position(self.board, walk).notation)
                done = self._ask(walk)
                if done == GIVEN_UP:
                    return GIVEN_UP
                if done == MERGED:
                    info[LIVE] = move
                    thread(state, int(info[STEPS]), int(info[LEFT]))
                    enter(state, move)
                else:
                    counts[DEAD] += 1
