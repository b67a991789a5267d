"""Completions drawn at random, all with the same probability."""

from random import Random

import numpy as np

from solver.board import Board, Position
from solver.counting.count import (
    DEFAULT,
    Limits,
    Progress,
    count_completions,
    known_count,
)
from solver.counting.drawing import draw_edges, follow
from solver.counting.plan import Plan, make_plan
from solver.counting.run import Run, check_memory
from solver.errors import NoWalkError


class UniformWalks:
    """Draws completions of a position, each with the same probability.

    Unlike a walk that chooses uniformly among the completable moves of each step, which
    prefers completions with few choices on their way. Exact: a number below that of the
    completions is drawn, and the layers of the count lead to its completion.

    All layers are kept, with as many words of 64 bits a number as the count needs: 140
    MB on 13 x 13, 1.2 GB on 15 x 15, 16 GB on 17 x 17.

    Parameters
    ----------
    position : Position or Board
    seed : int
    limits : Limits
        With `layers` all layers are kept on disk, in that folder.
    progress : callable, optional
        Told how many states were made since.

    Attributes
    ----------
    count : int
        The number of completions.

    Raises
    ------
    NoWalkError
        If there is no completion.
    TooLargeError
        Before anything is counted, if the layers do not fit.

    Examples
    --------
    >>> walks = UniformWalks(Position.parse("5:"), seed=1)
    >>> walks.count, walks.draw().complete
    (104, True)
    """

    def __init__(
        self,
        position: Position | Board,
        *,
        seed: int,
        limits: Limits = DEFAULT,
        progress: Progress | None = None,
    ) -> None:
        self.position = Position(position) if isinstance(position, Board) else position
        self._random = Random(seed)
        self._run: Run | None = None
        known = known_count(self.position)
        if known is None:
            self.count = self._prepare(make_plan(self.position), limits, progress)
        else:
            self.count = known
        if not self.count:
            raise NoWalkError(self.position.notation)

    @property
    def states(self) -> int:
        """The number of states kept, of all layers."""
        return self._run.plan.total if self._run else 0

    def _prepare(self, plan: Plan, limits: Limits, progress: Progress | None) -> int:
        _check(plan, 1, limits)
        limits.check(plan)
        count = count_completions(
            self.position,
            limits=Limits(limits.memory, limits.layers),
            progress=progress,
        )
        if not count:
            return 0
        limbs = (count.bit_length() + 63) // 64
        _check(plan, limbs, limits)
        self._run = Run(plan, limbs=limbs, kept=True, folder=limits.layers)
        self._run.make(progress=progress)
        assert self._run.number() == count, "two ways to count agree"
        return count

    def draw(self) -> Position:
        """Return a complete walk that begins as the position does."""
        return self.completion(self._random.randrange(self.count))

    def completion(self, number: int) -> Position:
        """Return the completion of a number from 0 on, in the order of the layers.

        Raises
        ------
        IndexError
            If there are not so many.
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
        walk = np.empty(len(plan.cells), dtype=np.int64)
        follow(near, plan.in_frame(self.position.live_end), walk)
        cells = plan.on_board(walk).tolist()
        return Position(board, (*self.position.walk, *cells[1:]))


def _check(plan: Plan, limbs: int, limits: Limits) -> None:
    size = plan.bytes_of(limbs, kept=True)
    if limits.layers:
        size -= 8 * limbs * plan.total
    check_memory(plan, size, limits.memory, "keeping all layers")
