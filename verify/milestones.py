"""Milestones of the seeds, run again: left-first runs that can stop and go on.

A run walks left first (`heuristic.leftfirst`) under a rule set. It notes the walks
completed when each rule was *first needed*, that is when it alone forbade a move, and
the first stuck positions. Its state is a JSON file, written aside and renamed, so a run
that is cut short goes on where it was last saved.
"""

import json
from collections.abc import Callable
from pathlib import Path

from heuristic.groups import load_rules
from heuristic.leftfirst import Event, LeftFirstWalk
from solver.board import Board, Position
from solver.errors import OptionError
from solver.files import write_whole

_KEPT = 5  # stuck positions that a run remembers
_PIECE = 2_000_000  # steps between two looks at the limit


class MilestoneRun:
    """A left-first run from the start of a board, saved to a file as it goes.

    Attributes
    ----------
    walker : LeftFirstWalk
        Counts walks, stuck positions and steps, and knows what was first needed when.
    stuck_at : list of (int, str)
        The first stuck positions: walks completed before, notation.
    finished : bool
        Whether everything was tried.

    Raises
    ------
    OptionError
        If the file belongs to another run.

    Examples
    --------
    >>> run = MilestoneRun("seed-7", Board.square(5))
    >>> run.run(walks=1000)
    >>> run.finished, run.walker.completed, run.stuck_at
    (True, 104, [])
    """

    def __init__(self, rules: str, board: Board, file: Path | None = None) -> None:
        self.file = file
        self.walker = LeftFirstWalk(load_rules(rules), Position(board))
        self.stuck_at: list[tuple[int, str]] = []
        self.finished = False
        if file is not None and file.exists():
            self._load(file)

    def run(
        self,
        *,
        walks: int,
        progress: Callable[[int], None] | None = None,
        stop_stuck: bool = False,
    ) -> None:
        """Run on until so many walks or a few more are completed, or all was tried.

        `progress` is told the walks completed, whenever the file was written.
        """
        while not self.finished and self.walker.completed < walks:
            event = self.walker.run(budget=_PIECE, stop_stuck=True)
            if event is Event.STUCK:
                if len(self.stuck_at) < _KEPT:
                    place = self.walker.position.notation
                    self.stuck_at.append((self.walker.completed, place))
                if stop_stuck:
                    break
                continue
            self.finished = event is Event.FINISHED
            self.save()
            if progress:
                progress(self.walker.completed)
        self.save()

    def save(self) -> None:
        """Write the state aside, then rename it over the old one.

        Raises
        ------
        OptionError
            If the file cannot be written.
        """
        if self.file is None:
            return
        state = {
            "walker": self.walker.save(),
            "stuck at": self.stuck_at,
            "finished": self.finished,
        }
        write_whole(self.file, json.dumps(state, indent=1) + "\n")

    def _load(self, file: Path) -> None:
        try:
            state = json.loads(file.read_text())
            walker = LeftFirstWalk.resume(self.walker.rules, state["walker"])
            stuck_at = [(int(n), str(place)) for n, place in state["stuck at"]]
            finished = bool(state["finished"])
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise OptionError(f"{file} is no state of a run: {error}") from None
        if walker.root != self.walker.root:
            raise OptionError(f"{file} is a run from {walker.root.notation}")
        self.walker, self.stuck_at, self.finished = walker, stuck_at, finished
