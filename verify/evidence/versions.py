"""Two versions of rules compared: which moves one of them forbids alone.

After a rule was mended the question is what it lost and what it still gets wrong. Both
versions are asked at the same positions. A difference is a move that one forbids and
the other allows; it is dead or completable.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from heuristic.rule import RuleSet, choices, letters, mask_of
from solver.board import Board, Position
from solver.positions import completable_positions
from verify.evidence.evidence import COUNTS, Example, Known
from verify.shrink import size
from verify.truth import forbidden_moves

Masks = npt.NDArray[np.uint8]


@dataclass(slots=True)
class Difference:
    """Moves that one version forbids and the other allows.

    - `newer`: whether the new version forbids them.
    - `dead`: whether they are dead; else completable.
    - `moves`: how many.
    - `smallest`: the smallest position with such moves: open cells, then steps.
    """

    newer: bool
    dead: bool
    moves: int = 0
    smallest: Example | None = None

    def offer(self, position: Position, mask: int) -> None:
        """Note a position with such moves, if it is smaller."""
        if mask and (
            self.smallest is None or size(position) < size(self.smallest.position)
        ):
            self.smallest = Example(position.notation, letters(mask))


@dataclass(slots=True)
class Versions:
    """What two versions of rules do at the same positions.

    - `positions`: completable positions seen.
    - `both`: moves that both forbid.
    - `differences`: of each kind, the new version's first.
    """

    positions: int = 0
    both: int = 0
    differences: list[Difference] = field(
        default_factory=lambda: [
            Difference(newer, dead) for newer in (True, False) for dead in (False, True)
        ]
    )

    def add_board(self, new: RuleSet, old: RuleSet, board: Board) -> None:
        """Ask both at every completable position of a small board.

        Raises `OptionError` if the board has too many positions.
        """
        tree = completable_positions(board)
        now, options, depth = _forbidden(new, board)
        before = _forbidden(old, board)[0]
        self.positions += len(now)
        self.both += int(COUNTS[now & before & options].sum())
        for one in self.differences:
            alone = now & ~before if one.newer else before & ~now
            truth = ~tree.good if one.dead else tree.good
            masks = alone & truth & options
            one.moves += int(COUNTS[masks].sum())
            where = np.flatnonzero(masks)
            if len(where):
                at = int(where[np.argmin(depth[where])])
                one.offer(tree.position(at), int(masks[at]))

    def add_known(self, new: RuleSet, old: RuleSet, known: Known) -> None:
        """Ask both at positions whose completable moves are given as letters."""
        for position, good in known:
            now = mask_of(forbidden_moves(new, position))
            before = mask_of(forbidden_moves(old, position))
            options, alive = mask_of(choices(position)), mask_of(good)
            self.positions += 1
            self.both += int(COUNTS[now & before & options])
            for one in self.differences:
                alone = now & ~before if one.newer else before & ~now
                mask = alone & (~alive if one.dead else alive) & options
                one.moves += int(COUNTS[mask])
                one.offer(position, mask)


def _forbidden(
    rules: RuleSet, board: Board
) -> tuple[Masks, Masks, npt.NDArray[np.int32]]:
    """Return the forbidden moves, the choices and the steps of all positions."""
    batches = [*rules.walker(board).tree(completable_positions(board))]
    masks = [np.bitwise_or.reduce(batch.masks, axis=1) for batch in batches]
    return (
        np.concatenate(masks),
        np.concatenate([batch.options for batch in batches]),
        np.concatenate([batch.depth for batch in batches]),
    )
