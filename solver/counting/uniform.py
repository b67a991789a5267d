"""Completions at random with equal probability, and the oracle that counts.

Both follow the layers of a count; they share no code with the other oracles.
"""

from random import Random

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.counting.count import (
    MEMORY,
    LayerRun,
    Plan,
    Progress,
    TooLargeError,
    count_completions,
    known_count,
    make_plan,
)
from solver.counting.layers import (
    COL,
    INNER,
    NEED,
    ROW,
    SHIFT,
    Indices,
    Layers,
    lacks_pair,
    ones,
    sources,
    table_range,
    ways_on,
)
from solver.errors import NoWalkError, OptionError
from solver.jit import njit
from solver.oracles.oracle import Answer, Verdict, check_witness


@njit
def _pick_below(layers: Layers, at: int, pick: npt.NDArray[np.uint64]) -> bool:
    """Return whether a pick is below a number; if not, subtract the number from it."""
    values, limbs = layers.values, layers.limbs
    stride = len(values) // limbs
    for limb in range(limbs - 1, -1, -1):
        number = values[limb * stride + at]
        if pick[limb] != number:
            if pick[limb] < number:
                return True
            break
    borrow = np.uint64(0)
    for limb in range(limbs):
        number = values[limb * stride + at]
        part = pick[limb] - borrow
        borrow = np.uint64(part > pick[limb])
        pick[limb] = part - number
        borrow += np.uint64(pick[limb] > part)
    return False


@njit
def draw_edges(layers: Layers, pick: npt.NDArray[np.uint64], near: Indices) -> None:
    """Kernel: find the completion of a number, all layers being kept.

    Completions are numbered from 0 in the order of the frontier: at each cell that
    sends out one edge, first those that send it down. `pick` is the number, in limbs,
    and is lost. Fills `near` (rows, cols, 2), which comes as -1, with the cells that
    each cell is joined to, ``row * cols + col`` in the plan's frame.
    """
    mask, word = np.int64(0), np.int64(0)
    for j in range(len(layers.cells) - 1):
        cell = layers.cells[j]
        left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
        outer = mask & ~(left | up)
        edges = ones(mask & (left | up))
        lacking = edges == 2 and lacks_pair(cell, mask)
        kind = sources(layers, j, outer, edges, lacking)[0]
        if kind >= 0:
            begin, _ = table_range(layers, j, kind, outer, ones(mask))
            word = np.int64(layers.tables[begin + word])
        down = right = edges == 0
        if edges == (cell[NEED] == INNER):
            at, _ = ways_on(layers, j, outer)
            down = at >= 0 and _pick_below(layers, at + word, pick)
            right = not down
        mask = outer
        row, col = cell[ROW], cell[COL]
        if down:
            mask |= left
            _join(near, row, col, row + 1, col)
        if right:
            mask |= up
            _join(near, row, col, row, col + 1)
        mask <<= cell[SHIFT]


@njit
def _join(near: Indices, row: int, col: int, next_row: int, next_col: int) -> None:
    cols = near.shape[1]
    near[row, col, int(near[row, col, 0] >= 0)] = next_row * cols + next_col
    near[next_row, next_col, int(near[next_row, next_col, 0] >= 0)] = row * cols + col


@njit
def follow(links: Indices, start: int, walk: Indices) -> None:
    """Kernel: fill `walk` with the cells from the start on.

    `links` are (cells, 2), the cells joined to each, -1 for none.
    """
    before, at = -1, start
    for i in range(len(walk)):
        walk[i] = at
        before, at = at, links[at, int(links[at, 0] == before)]


class UniformWalks:
    """Draws completions of a position, each with the same probability.

    Unlike a walk that chooses uniformly among the completable moves of each step, which
    prefers completions with few choices on their way. Exact: a number below that of the
    completions is drawn, and the layers of the count lead to its completion.

    All layers are kept, with as many words of 64 bits a number as the count needs: 140
    MB on 13 x 13, 1.2 GB on 15 x 15, 16 GB on 17 x 17.

    - `memory`: bytes that all arrays may take.
    - `progress`: called with the number of states made since.

    `count` is the number of completions.

    Raises `NoWalkError` if there is no completion; `TooLargeError`, before anything is
    counted, if the layers do not fit.

    >>> walks = UniformWalks(Position.parse("5:"), seed=1)
    >>> walks.count, walks.draw().complete
    (104, True)
    """

    def __init__(
        self,
        position: Position | Board,
        *,
        seed: int,
        memory: int = MEMORY,
        progress: Progress | None = None,
    ) -> None:
        self.position = Position(position) if isinstance(position, Board) else position
        self._random = Random(seed)
        self._run: LayerRun | None = None
        count = known_count(self.position)
        if count is None:
            count = self._prepare(make_plan(self.position), memory, progress)
        self.count = count
        if not count:
            raise NoWalkError(self.position.notation)

    @property
    def states(self) -> int:
        """The number of states kept, of all layers."""
        return self._run.plan.total if self._run else 0

    def _prepare(self, plan: Plan, memory: int, progress: Progress | None) -> int:
        plan.check_memory(memory, kept=True)
        count = count_completions(self.position, memory=memory, progress=progress)
        if not count:
            return 0
        limbs = (count.bit_length() + 63) // 64
        plan.check_memory(memory, limbs, kept=True)
        self._run = LayerRun(plan, limbs=limbs, kept=True)
        self._run.make(progress)
        assert self._run.number() == count, "two ways to count agree"
        return count

    def draw(self) -> Position:
        """Return a complete walk that begins as the position does."""
        return self.completion(self._random.randrange(self.count))

    def completion(self, number: int) -> Position:
        """Return the completion of a number from 0 on, in the order of the layers.

        Raises `IndexError` if there are not so many.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"no completion {number} of {self.count}")
        if self._run is None:
            return self.position
        layers, frame = self._run.layers, self._run.plan.frame
        limbs = [number >> 64 * limb & 2**64 - 1 for limb in range(layers.limbs)]
        near = np.full((*frame.shape, 2), -1, dtype=np.int32)
        draw_edges(layers, np.array(limbs, dtype=np.uint64), near)
        walk = np.empty(len(layers.cells), dtype=np.int32)
        start = int(np.flatnonzero(frame == self.position.live_end)[0])
        follow(near.reshape(-1, 2), start, walk)
        cells = frame.take(walk).tolist()
        return Position(self.position.board, (*self.position.walk, *cells[1:]))


LIMIT = 2_000_000  # states of one layer
_BYTES = 2_000_000_000  # of all layers together


class FrontierOracle:
    """Decide by counting; shares no code with the other oracles.

    Milliseconds up to 11 x 11, whatever the position; a fifth of a second and 140 MB on
    13 x 13, seconds and 1.2 GB on 15 x 15.

    - `limit`: states of the widest layer before the answer is UNKNOWN, known at once.

    >>> FrontierOracle().decide(Position.parse("3:RR")).witness
    (5, 4, 3, 6, 7, 8)
    """

    name = "frontier"

    def __init__(self, *, limit: int = LIMIT) -> None:
        if limit < 1:
            raise OptionError(f"the limit of states is at least 1, not {limit}")
        self.limit = limit

    def decide(self, position: Position) -> Answer:
        """Say whether a completion exists; `work` is the number of states kept."""
        try:
            last_free = position.free[position.board.end]
            if last_free and make_plan(position).widest > self.limit:
                return Answer(Verdict.UNKNOWN)
            walks = UniformWalks(position, seed=0, memory=_BYTES)
        except NoWalkError:
            return Answer(Verdict.DEAD)
        except TooLargeError:
            return Answer(Verdict.UNKNOWN)
        witness = walks.completion(0).walk[len(position.walk) :]
        check_witness(position, witness)
        return Answer(Verdict.COMPLETABLE, witness, work=walks.states)
