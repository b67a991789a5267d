"""Completions at random with equal probability, and the oracle that counts.

Both follow the layers of a count; they share no code with the other oracles.
"""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.board import Board, Position
from solver.counting.count import count_completions, known_count
from solver.counting.layers import (
    COL,
    INNER,
    NEED,
    ROW,
    SHIFT,
    TIES,
    Layers,
    lacks_pair,
    ones,
    ways_on,
)
from solver.counting.plan import (
    MEMORY,
    LayerRun,
    Plan,
    Progress,
    TooLargeError,
    make_plan,
)
from solver.counting.words import INSERT, JOIN, TIE_IN, TIE_ON, Indices
from solver.errors import NoWalkError, OptionError
from solver.jit import njit
from solver.oracles.answer import Answer, Verdict, check_witness


@njit
def _step_down(
    layers: Layers, stride: int, at: Any, pick: npt.NDArray[np.uint64]
) -> bool:
    """Tell whether the pick is below a number; if not, take the number off it."""
    values, limbs = layers.values, layers.limbs
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
    cells, tables, table_at = layers.cells, layers.tables, layers.table_at
    stride = len(layers.values) // layers.limbs
    mask, word = np.int64(0), np.int64(0)
    for j in range(len(cells) - 1):
        cell, after = cells[j], cells[j + 1]
        left, up = np.int64(1) << cell[COL], np.int64(2) << cell[COL]
        inner = cell[NEED] == INNER
        edges = ones(mask & (left | up))
        lacking = edges == 2 and lacks_pair(cell, mask)
        outer = mask & ~(left | up)
        place = ones(outer & (left - 1))
        length = ones(mask)
        words = layers.counts[cell[TIES], length]
        kind = np.int64(-1)
        down = right = False
        if edges == inner:
            at, _ = ways_on(layers, j, outer)
            if not inner:
                begin = table_at[TIE_IN, cell[TIES], length] + place * words
                word = np.int64(tables[begin + word])
            down = at >= 0 and _step_down(layers, stride, at + word, pick)
            right = not down
        elif edges == 0:
            down = right = True
        mask = outer
        if down:
            mask |= left
        if right:
            mask |= up
        mask <<= cell[SHIFT]
        if edges == 0 and inner:
            if not lacks_pair(after, mask):
                kind = np.int64(INSERT)
        elif edges > inner and not lacking:
            kind = np.int64(JOIN if inner else TIE_ON)
        if kind >= 0:
            begin = table_at[kind, cell[TIES], length] + place * words
            word = np.int64(tables[begin + word])
        row, col = cell[ROW], cell[COL]
        if down:
            _join(near, row, col, row + 1, col)
        if right:
            _join(near, row, col, row, col + 1)


@njit
def _join(near: Indices, row: Any, col: Any, next_row: Any, next_col: Any) -> None:
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
        known = known_count(self.position)
        if known is None:
            self.count = self._prepare(make_plan(self.position), memory, progress)
        else:
            self.count = known
        if not self.count:
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
        run, board = self._run, self.position.board
        if run is None:
            return self.position
        plan = run.plan
        pick = np.array(
            [number >> 64 * limb & 2**64 - 1 for limb in range(run.limbs)],
            dtype=np.uint64,
        )
        near = np.full((*plan.shape, 2), -1, dtype=np.int32)
        draw_edges(run.layers, pick, near)
        walk = np.empty(len(plan.cells), dtype=np.int32)
        follow(near.reshape(-1, 2), plan.in_frame(self.position.live_end), walk)
        cells = plan.on_board(walk.astype(np.int64)).tolist()
        return Position(board, (*self.position.walk, *cells[1:]))


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
