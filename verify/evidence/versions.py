"""Two versions of rules compared: which moves one of them forbids alone.

After a rule was mended the question is what it lost and what it still gets wrong. Both
versions are asked at the same positions. A difference is a move that one forbids and
the other allows; it is dead or completable.
"""

from dataclasses import dataclass, field

import numpy as np

from heuristic.rule import RuleSet, letters
from solver.board import Board
from verify.evidence.evidence import COUNTS, Batch, Example, Known, Masks, batches
from verify.shrink import size


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

    def add(self, masks: Masks, batch: Batch) -> None:
        """Count the moves at the positions of a batch."""
        self.moves += int(COUNTS[masks].sum())
        where = np.flatnonzero(masks)
        if len(where):
            at = int(where[np.argmin(batch.told.depth[where])])
            place, least = batch.position(at), self.smallest
            if least is None or size(place) < size(least.position):
                self.smallest = Example(place.notation, letters(int(masks[at])))


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

    def add(self, new: RuleSet, old: RuleSet, where: Board | Known) -> None:
        """Ask both at every completable position of a board, or at known ones.

        Raises `OptionError` if the board has too many positions.
        """
        places = where if isinstance(where, Board) else [*where]
        pairs = zip(batches(new, places), batches(old, places), strict=True)
        for batch, other in pairs:
            told = batch.told
            now = np.bitwise_or.reduce(told.masks, axis=1) & told.options
            before = np.bitwise_or.reduce(other.told.masks, axis=1) & told.options
            self.positions += len(now)
            self.both += int(COUNTS[now & before].sum())
            for one in self.differences:
                alone = now & ~before if one.newer else before & ~now
                one.add(alone & (~told.good if one.dead else told.good), batch)
